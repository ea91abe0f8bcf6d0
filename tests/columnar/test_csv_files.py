"""CSV by columns and row by row: the same answers, the same rejects; what is not plain is left alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtables.answers.engines import compiled_engine
from dtables.answers.parts import RunStart
from dtables.answers.run import OnCores, Strategy, answer_into, rejects_path
from dtables.columnar import Why, flat_engine
from dtables.columnar.log import columns_of_log
from dtables.columnar.output import IntoLines
from dtables.logs.files import Log, find_log
from dtables.ruleset import Ruleset
from tests.agreement import worlds
from tests.columnar.test_files import ASK, RULES, answered, by_columns
from tests.columnar.test_frames import QUICK, ruleset
from tests.support.limits import limited

CELLS = {
    "level": ["0", "3", "9", "10", "03", "3.0", "-0", "x", "", "99999999999999999999", "1e1"],
    "spare": ["-2", "-0", "5", " 5", "5 ", "", "+5", "999999999999999999", "-9999999999999999999"],
    "wish": ["red", "Red ", "violet", "", "l'azione", "'x"],
    "open": ["true", "FALSE", "True", "1", "", "no"],
    "rate": ["1.5", "1.50", "0.1", "2", "2.4999999999999999999", "1.", ".5", "", "1e2", "9.50000000000001"],
    "note": ["n", "x", "", "caffè", " "],
    "chest.since": ["2024-01-31", "2024-1-31", "", "1999-12-31"],
    "chest.tint": ["red", "", "green"],
    "toy": ["ball", "Ball", "nothing", ""],
    "boxes": ["[]", "", "[1]"],
}  # fmt: skip
PLAIN = {"level": ["0", "3", "9"], "spare": ["-2", "5"], "rate": ["1.5", "2"], "open": ["true", "false"]}


@pytest.fixture(autouse=True)
def small_blocks() -> Iterator[None]:
    with limited(csv_bytes=60):
        yield


@st.composite
def table(draw: st.DrawFn) -> str:
    chance = draw(st.randoms(use_true_random=False))
    heads = draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=5, unique=True))
    numbers, step = chance.random() < 0.8, chance.choice([1, 1, 3])
    at, separator = chance.randint(0, len(heads)), chance.choice([",", ",", ";", "\t"])
    lines = [[*heads[:at], "turn", *heads[at:]]]
    for row in range(chance.choice([0, 1, 5, 40])):
        turn = row * step if chance.random() < 0.95 else chance.randrange(10)
        cells = [chance.choice(_cells(chance, head)) for head in heads]
        lines.append([*cells[:at], str(turn) if numbers else f"t{turn}", *cells[at:]])
    ends = chance.choice(["\n", "\n", "\r\n"])
    return ends.join(separator.join(line) for line in lines) + chance.choice(["", ends])


def _cells(chance: Random, head: str) -> list[str]:
    return PLAIN[head] if head in PLAIN and chance.random() < 0.8 else CELLS[head]


def in_lines(rules: Ruleset, log: Log, out: Path, way: Strategy) -> tuple[str, str, str]:
    counts = answer_into(compiled_engine(rules.model, rules.source), log, out, manner=way)
    rejects = rejects_path(out).read_text() if rejects_path(out).exists() else ""
    return out.read_text(), rejects, str(counts)


@QUICK
@given(worlds.flat_decision(), worlds.flat_ask(), table(), st.booleans())
def test_files(decision: str, ask: str, text: str, checked: bool) -> None:
    rules = ruleset(decision, ask, worlds.FLAT_CHECKS if checked else "")
    with TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "log.csv").write_text(text, encoding="utf-8", newline="")
        log = find_log(place / "log.csv", rules.model)
        way = by_columns(rules, log)
        wanted = answered(rules, log, place / "one.parquet", OnCores(1))
        found = answered(rules, log, place / "two.parquet", way)
        assert found[1:] == wanted[1:]
        assert found[0].schema == wanted[0].schema
        assert found[0].equals(wanted[0])
        lines = in_lines(rules, log, place / "two.jsonl", IntoLines(way.columns))
        assert lines == in_lines(rules, log, place / "one.jsonl", OnCores(1))


def rows(count: int, chance: Random) -> Iterator[str]:
    for turn in range(count):
        yield f"{turn},{chance.choice('1234x')},{chance.choice(['red', 'green', 'violet'])},1"


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("7,1,red,1", '7,1,"red",1', "quotes"),
        ("7,1,red,1", "7,1,red,1\n", "blank lines"),
        ("7,1,red,1", "7,1,red\0,1", "NUL characters"),
        ("7,1,red,1", "7,1,red,1\r8,1,red,1", "line ends of other or of several kinds"),
        ("7,1,red,1", "7,1,'=red,1", "cells with an apostrophe in front"),
        ("7,1,red,1", "7,1,red", "rows of another length"),
        ("7,1,red,1", "seven,1,red,1", "not all numbers, and not all texts"),
        ("7,1,red,1", ",1,red,1", "not all numbers, and not all texts"),
        ("7,1,red,1", "7,1,\udce9,1", "bytes that are no UTF-8"),
    ],
)
def test_what_is_not_plain_is_left_alone(tmp_path: Path, before: str, after: str, why: str) -> None:
    rules = ruleset(RULES, ASK)
    lines = ["turn,spare,wish,level", *(f"{turn},1,red,1" for turn in range(30))]
    text = "\n".join(lines).replace(before, after, 1)
    (tmp_path / "log.csv").write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
    log = find_log(tmp_path / "log.csv", rules.model)
    told = columns_of_log(log, rules.model, flat_engine(rules.model, rules.source))
    assert isinstance(told, Why) and why in told.reason


@limited(rows_per_note=15)
def test_a_run_that_broke_off_goes_on(tmp_path: Path) -> None:
    rules, chance = ruleset(RULES, ASK), Random(2)
    text = "\n".join(["turn,spare,wish,level", *rows(300, chance)])
    (tmp_path / "log.csv").write_text(text, encoding="utf-8")
    log = find_log(tmp_path / "log.csv", rules.model)
    wanted = answered(rules, log, tmp_path / "one.parquet", OnCores(1))
    out, engine = tmp_path / "two.parquet", compiled_engine(rules.model, rules.source)

    def broken_off(_records: int, _bytes: int) -> None:
        if chance.random() < 0.05:
            raise InterruptedError

    for _ in range(200):
        try:
            answer_into(engine, log, out, RunStart.CONTINUED, by_columns(rules, log), broken_off)
            break
        except InterruptedError:
            assert not out.exists()
    found = answered(rules, log, tmp_path / "three.parquet", by_columns(rules, log))
    assert pd.read_parquet(out).equals(wanted[0].to_pandas())
    assert found[0].equals(wanted[0]) and found[1:] == wanted[1:]


def test_files_of_several_kinds_are_one_log(tmp_path: Path) -> None:
    """Turns are texts where one file's are; a turn of an earlier file is a reject."""
    rules = ruleset(RULES, ASK)
    kinds = {"a.csv": ["1", "2"], "b.csv": ["t1", "t2"], "d.csv": ["2", "4"]}
    for name, turns in kinds.items():
        text = "\n".join(["turn,spare,wish,level", *(f"{turn},1,red,1" for turn in turns)])
        (tmp_path / name).write_text(text, encoding="utf-8")
    frame = pd.DataFrame({"turn": [7, 8], "spare": [5, 5], "wish": ["green", "x"], "level": [1, 2]})
    frame.to_parquet(tmp_path / "c.parquet")
    log = find_log(tmp_path, rules.model)
    (tmp_path / "out").mkdir()
    wanted = answered(rules, log, tmp_path / "out" / "one.parquet", OnCores(1))
    found = answered(rules, log, tmp_path / "out" / "two.parquet", by_columns(rules, log))
    assert (found[0].schema, found[1:]) == (wanted[0].schema, wanted[1:]) and found[0].equals(wanted[0])
    assert wanted[2] == "8 records: 6 answered, 2 rejected"
    way = IntoLines(by_columns(rules, log).columns)
    lines = in_lines(rules, log, tmp_path / "out" / "two.jsonl", way)
    assert lines == in_lines(rules, log, tmp_path / "out" / "one.jsonl", OnCores(1))
