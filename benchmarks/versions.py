"""This tree beside an earlier commit: the same works, in processes that take turns, in processor time.

    python -m benchmarks.versions 25fb071
    python -m benchmarks.versions 25fb071 --only explained --rounds 7

Both answer the workbooks and the turns of the earlier commit, through what both have in common: the library's
face and the commands. A ratio is the median of the ratios of the rounds; beside it stands how far the earlier
commit was from itself between rounds, which is what the machine adds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from benchmarks import grids, workloads
from benchmarks.own import TABLE
from benchmarks.own import write as written_grid
from benchmarks.scratch import scratch

ROOT = Path(__file__).parents[1]
LEAST = 0.4
"""Seconds that are measured of what is quick."""
TURNS = 250
GAME = "duel"

WRITE_TURNS = f"""
import json, sys
from random import Random
from tests.games.{GAME}.turns import sound_turn
random = Random(6)
for number in range({TURNS}):
    ask, state = sound_turn(random)[:2]
    print(json.dumps({{"turn": number, "ask": ask, "state": state}}))
"""


# -- what is measured: each gives seconds of processor time --------------------------------------


def _grid(make: Callable[[], grids.Grid], folder: Path) -> tuple[Path, list[grids.Given]]:
    grid = make()
    path = folder / "grid.xlsx"
    written_grid(grid, "then", path)
    return path, grids.asked(grid, 1000, seed=4)


def called(make: Callable[[], grids.Grid], folder: Path) -> float:
    """A call of a table: a dict in, checked, a value out."""
    import dtables

    path, given = _grid(make, folder)
    table = dtables.load(path).tables[TABLE]
    return repeated(lambda: each(table, [(row,) for row in given]))


def reasoned(make: Callable[[], grids.Grid], folder: Path) -> float:
    """The same with the row that fired, and its cells."""
    import dtables

    path, given = _grid(make, folder)
    reason = dtables.load(path).reasons[TABLE]
    return repeated(lambda: each(lambda row: reason(row).cells, [(row,) for row in given]))


def turns(method: str, folder: Path) -> float:
    """Turns of a game, answered or explained by the library."""
    import dtables

    rules = dtables.load(folder / f"{GAME}.xlsx")
    lines = (folder / "turns.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [(line["ask"], line["state"]) for line in map(json.loads, lines)]
    call = getattr(rules, method)
    return repeated(lambda: each(call, asked))


def each(call: Callable[..., object], asked: list[tuple[Any, ...]]) -> None:
    """Nothing of the answers is kept: what is kept would be gone through by Python's collector."""
    for given in asked:
        call(*given)


def repeated(work: Callable[[], object]) -> float:
    """Warm, and the quickest of what fits in the time."""
    work()
    best, begun = float("inf"), process_time()
    while process_time() - begun < LEAST:
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


def command(*arguments: str, folder: Path) -> float:
    """A command as it is typed, in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    typed = [argument.format(folder=folder) for argument in arguments]
    run = subprocess.run([sys.executable, "-m", "dtables", *typed], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def first_load(rows: int, folder: Path) -> float:
    """A large table from its file to rules that answer, for the first time."""
    import dtables

    start = process_time()
    assert callable(dtables.load(folder / f"fares-{rows}.xlsx").tables["fare"])
    return process_time() - start


def checked(rows: int, lacking: int, folder: Path) -> float:
    """`check` of a large table: read, checked and proved."""
    return command("check", f"{{folder}}/boxes-{rows}-{lacking}.xlsx", folder=folder)


def games_printed(folder: Path) -> float:
    """Sheets and cards of each tree's own five games, in both languages; nothing is remembered."""
    import dtables

    books = sorted((Path(dtables.__file__).parents[2] / "tables").glob("*.xlsx"))
    return command("print", *map(str, books), "-o", "{folder}/pages", folder=folder)


def printed(rows: int, folder: Path) -> float:
    """A table of many rows, of a workbook that says nothing of pages."""
    return command("print", f"{{folder}}/boxes-{rows}-0.xlsx", "-o", "{folder}/pages", folder=folder)


def scale_as_sql(turns: int, folder: Path) -> float:
    """What the command writes, run in DuckDB on one thread."""
    from benchmarks import scales

    path = folder / "scale.xlsx"
    scales.workbook(path)
    return scales.seconds(scales.database(turns, threads=1), scales.compiled(path))


@dataclass(frozen=True)
class Work:
    name: str
    seconds: Callable[[Path], float]
    large: bool = False


EVAL = (
    "eval",
    "{folder}/duel.xlsx",
    "{folder}/log.jsonl",
    "-o",
    "{folder}/answers.jsonl",
    "--processes",
    "1",
)
KEYED, RANGES = (1_000, 10_000, 100_000), (100, 1_000, 10_000, 100_000)
LARGE = 10_000
TO_SQL = ("compile", "{folder}/duel.xlsx", "--to", "sql", "-o", "{folder}/duel.sql")


def keyed(count: int) -> Callable[[], grids.Grid]:
    return partial(workloads.keyed_rows, count)


def ranges(count: int) -> Callable[[], grids.Grid]:
    return partial(workloads.plain_rows, count, 1)


def proofs(rows: int, lacking: int) -> Work:
    title = f"proof: {rows:,} rows of six columns" + (f", {lacking} taken out" if lacking else "")
    return Work(title, partial(checked, rows, lacking), rows >= LARGE)


WORKS = (
    Work("one decision: 24 rows, first", partial(called, workloads.overlapping_rows)),
    Work("one decision: 24 rows, unique", partial(called, workloads.splitting_rows)),
    Work("one decision: 30 lists of a cross table", partial(called, workloads.cross_table)),
    Work("one decision: a turn of Duel", partial(turns, "answer")),
    *(Work(f"growth: {n:,} rows, keyed", partial(called, keyed(n)), n > LARGE) for n in KEYED),
    *(Work(f"growth: {n:,} ranges", partial(called, ranges(n)), n > LARGE) for n in RANGES),
    Work("growth: 1,000 texts", partial(called, partial(workloads.texts, 1_000))),
    Work(
        "growth: 1,000 rows with limits of the turn",
        partial(called, partial(workloads.rows_with_limits, 1_000)),
    ),
    Work("explained: 24 rows, the row that fired", partial(reasoned, workloads.overlapping_rows)),
    Work("explained: 1,000 rows, the row that fired", partial(reasoned, keyed(1_000))),
    Work("explained: a turn of Duel", partial(turns, "explain")),
    Work("logs: 2,500 turns of Duel", partial(command, *EVAL, "--engine", "python")),
    Work("logs: 2,500 turns of Duel, audited", partial(command, *EVAL, "--report", "{folder}/report.html")),
    Work("loading: 10,000 rows of five columns", partial(first_load, 10_000)),
    Work("loading: 100,000 rows of five columns", partial(first_load, 100_000), large=True),
    Work("loading: check of Duel", partial(command, "check", "{folder}/duel.xlsx")),
    *(proofs(rows, lacking) for rows in (1_000, 10_000) for lacking in (0, 5)),
    Work("printing: the five games, in both languages", games_printed),
    Work("printing: 2,000 rows of six columns", partial(printed, 2_000), large=True),
    Work("SQL: Duel compiled", partial(command, *TO_SQL)),
    Work("SQL: a scale over 100,000 turns", partial(scale_as_sql, 100_000)),
    Work("SQL: a scale over 1,000,000 turns", partial(scale_as_sql, 1_000_000), large=True),
)


# -- the two trees, in turns ---------------------------------------------------------------------


def earlier(commit: str, folder: Path) -> Path:
    """The source of a commit, its workbook, and turns that its own tests draw."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    tree = folder / "earlier"
    tree.mkdir()
    subprocess.run(["tar", "x"], cwd=tree, input=archive, check=True)
    drawn = subprocess.run(
        [sys.executable, "-c", WRITE_TURNS], cwd=tree, env=environment(tree), capture_output=True, check=True
    ).stdout
    (folder / "turns.jsonl").write_bytes(drawn)
    (folder / "log.jsonl").write_bytes(drawn * 10)
    (folder / f"{GAME}.xlsx").write_bytes((tree / "tables" / f"{GAME}.xlsx").read_bytes())
    return tree


def write_tables(work: Work, folder: Path) -> None:
    """The large tables that a work reads, in files: the earlier commit need not know how they are made."""
    from benchmarks import loading, proof

    match work.seconds:
        case partial(func=function, args=(rows,)) if function is first_load:
            loading.written(rows, folder / f"fares-{rows}.xlsx")
        case partial(func=function, args=(rows,)) if function is printed:
            proof.written(proof.split(rows, seed=rows), folder / f"boxes-{rows}-0.xlsx")
        case partial(func=function, args=(rows, lacking)) if function is checked:
            proof.written(proof.split(rows, seed=rows)[lacking:], folder / f"boxes-{rows}-{lacking}.xlsx")


def environment(tree: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}", "DTABLES_CACHE": "off"}


def once(work: Work, tree: Path, kept: Path) -> float:
    """In a process of its own, with the source of one tree and the benchmarks of this one."""
    path = {"PYTHONPATH": f"{tree / 'src'}{os.pathsep}{ROOT}"}
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.versions", "--work", work.name, str(kept)],
        env={**environment(tree), **path},
        capture_output=True,
        text=True,
    )
    if run.returncode:
        raise SystemExit(f"{work.name}, {tree}:\n{run.stderr}")
    return float(run.stdout)


def compared(work: Work, tree: Path, kept: Path, rounds: int) -> dict[str, Any]:
    before, now = [], []
    for number in range(rounds):
        first, second = ((tree, before), (ROOT, now)) if number % 2 == 0 else ((ROOT, now), (tree, before))
        for source, times in (first, second):
            times.append(once(work, source, kept))
    ratios = [b / a for a, b in zip(before, now, strict=True)]
    spread = (max(before) - min(before)) / median(before)
    return {"work": work.name, "before": median(before), "ratio": median(ratios), "spread": spread}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("commit", nargs="?", metavar="COMMIT")
    parser.add_argument("--only", default="", metavar="TEXT", help="works with this in their name")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--large", action="store_true", help="also what takes minutes")
    parser.add_argument("--work", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        name, kept = given.work
        with tempfile.TemporaryDirectory(prefix="benchmark-") as own:
            for path in Path(kept).iterdir():
                if path.is_file():
                    (Path(own) / path.name).symlink_to(path)
            print(next(work for work in WORKS if work.name == name).seconds(folder=Path(own)))
        return
    folder = scratch("versions")
    tree = earlier(given.commit, folder)
    print("| work | before | now / before | before, between rounds |")
    print("| --- | --: | --: | --: |")
    for work in WORKS:
        if given.only in work.name and (given.large or not work.large):
            write_tables(work, folder)
            row = compared(work, tree, folder, given.rounds)
            print(
                f"| {work.name} | {row['before']:.4g} s | {row['ratio']:.2f} | {row['spread']:.0%} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
