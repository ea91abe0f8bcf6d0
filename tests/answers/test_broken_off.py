"""Runs that are broken off: whoever continues them loses nothing, and is told where that cannot be."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dtables.answers.engines import EngineName, compiled_engine
from dtables.answers.run import OnCores, RunStart, Strategy, answer_into, rejects_path
from dtables.choosing import EngineRequest, choose
from dtables.files import PrivateFolder
from dtables.logs.files import Log, find_log
from dtables.logs.jsonlines import LogError
from dtables.ruleset import load
from tests.answers.doubler import Doubler, write_log
from tests.support.drawing import write_book
from tests.support.limits import limited

SMALL = OnCores(1, chunk=2_000, chunks_per_note=2)
ENDINGS = ("jsonl", "jsonl.gz", "csv", "csv.gz", "parquet", "xlsx")


class Killed(BaseException):
    """Nobody catches it."""


def outputs(out: Path) -> tuple[bytes, bytes | None]:
    rejects = rejects_path(out)
    return out.read_bytes(), rejects.read_bytes() if rejects.exists() else None


# -- a log that changes ----------------------------------------------------------------------------


def changed(log: Path, old: bytes, new: bytes) -> None:
    """Its size and its time stay."""
    before, content = log.stat(), log.read_bytes()
    assert content.count(old) >= 1 and len(old) == len(new)
    log.write_bytes(content.replace(old, new, 1))
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))


def broken_off(log: Log, out: Path, after: int, start: RunStart = RunStart.AFRESH) -> None:
    def stop(records: int, _bytes: int) -> None:
        if records > after:
            raise Killed

    with pytest.raises(Killed):
        answer_into(Doubler(), log, out, start, SMALL, stop)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("turn", [0, 1, 50, 80])
def test_what_was_read_must_be_the_same(tmp_path: Path, turn: int, packed: bool) -> None:
    log, out = write_log(tmp_path / "log.jsonl", 300), tmp_path / "out.jsonl"
    if packed:
        log.write_bytes(gzip.compress(log.read_bytes(), 0))
    broken_off(find_log(log), out, 120)
    changed(log, f'"turn": {turn},'.encode(), f'"turn":{turn} ,'.encode())
    with pytest.raises(LogError, match="the log changed; leave out --resume"):
        answer_into(Doubler(), find_log(log), out, RunStart.CONTINUED, SMALL)
    changed(log, f'"turn":{turn} ,'.encode(), f'"turn": {turn},'.encode())
    assert answer_into(Doubler(), find_log(log), out, RunStart.CONTINUED, SMALL).records == 300


def test_what_was_not_read_may_be_another(tmp_path: Path) -> None:
    log, out = write_log(tmp_path / "log.jsonl", 300), tmp_path / "out.jsonl"
    broken_off(find_log(log), out, 60)
    changed(log, b'"turn": 290,', b'"turn": 999,')
    answer_into(Doubler(), find_log(log), out, RunStart.CONTINUED, SMALL)
    answer_into(Doubler(), find_log(log), tmp_path / "straight.jsonl", RunStart.AFRESH, SMALL)
    assert outputs(out) == outputs(tmp_path / "straight.jsonl")


def test_a_run_that_was_continued_knows_all_that_was_read(tmp_path: Path) -> None:
    log, out = write_log(tmp_path / "log.jsonl", 300), tmp_path / "out.jsonl"
    broken_off(find_log(log), out, 60)
    broken_off(find_log(log), out, 160, RunStart.CONTINUED)
    changed(log, b'"turn": 100,', b'"turn":100 ,')
    with pytest.raises(LogError, match="the log changed"):
        answer_into(Doubler(), find_log(log), out, RunStart.CONTINUED, SMALL)


def test_of_several_files_each_counts(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("a", "b"):
        write_log(folder / f"{name}.jsonl", 100)
    log = find_log(folder)
    for name, turn, after in (("a", 1, 96), ("a", 90, 150), ("b", 3, 170)):
        broken_off(log, tmp_path / "out.jsonl", after)
        changed(folder / f"{name}.jsonl", f'"turn": {turn},'.encode(), f'"turn":{turn} ,'.encode())
        with pytest.raises(LogError, match="the log changed"):
            answer_into(Doubler(), log, tmp_path / "out.jsonl", RunStart.CONTINUED, SMALL)
        changed(folder / f"{name}.jsonl", f'"turn":{turn} ,'.encode(), f'"turn": {turn},'.encode())


class Elsewhere(OnCores):
    """As if other machines read the log: what they read is not read along here."""

    @property
    def reads_here(self) -> bool:
        return False


def test_of_a_log_that_is_read_elsewhere_the_system_must_have_noted_no_change(tmp_path: Path) -> None:
    log, out = write_log(tmp_path / "log.jsonl", 300), tmp_path / "out.jsonl"
    far = Elsewhere(1, chunk=2_000, chunks_per_note=2)

    def stop(records: int, _bytes: int) -> None:
        if records > 150:
            raise Killed

    with pytest.raises(Killed):
        answer_into(Doubler(), find_log(log), out, manner=far, watch=stop)
    time.sleep(0.02)
    changed(log, b'"turn": 1,', b'"turn":1 ,')
    with pytest.raises(LogError, match="the log changed"):
        answer_into(Doubler(), find_log(log), out, RunStart.CONTINUED, far)


FLAT = """
# Sheet: S
Input: s
  field | type
  a | whole number

Ask: q ; main: yes
  role | name | is
  answer | large | a > 50
"""


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("engine", [EngineName.COLUMNS, EngineName.PYTHON])
def test_columns_too(tmp_path: Path, ending: str, engine: EngineName) -> None:
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    write_book(FLAT, tmp_path / "book.xlsx")
    rules = load(tmp_path / "book.xlsx")
    table = pa.table({"turn": list(range(5_000)), "a": [n % 100 for n in range(5_000)]})
    log, out = tmp_path / f"log.{ending}", tmp_path / "out.jsonl"
    if ending == "csv":
        pa.csv.write_csv(table, log)
    else:
        pa.parquet.write_table(table, log, row_group_size=1_000, compression="none", use_dictionary=False)
    compiled = compiled_engine(rules.model, rules.source)

    def way() -> Strategy:
        if engine is EngineName.PYTHON:
            return OnCores(1, chunks_per_note=1)
        return choose(EngineRequest(engine), compiled, found, out, lambda: rules.model).way

    found = find_log(log, rules.model)

    def stop(*_: int) -> None:
        raise Killed

    with limited(rows_per_note=1, perhaps=engine is EngineName.PYTHON), pytest.raises(Killed):
        answer_into(compiled, found, out, RunStart.AFRESH, way(), stop)
    answer_into(compiled, found, tmp_path / "straight.jsonl", RunStart.AFRESH, way())
    if ending == "csv":
        changed(log, b"\n4,4\n", b"\n4,9\n")
    else:
        content = log.read_bytes()
        changed(log, content[100:101], bytes([content[100] ^ 1]))
    with pytest.raises(LogError, match="the log changed"):
        answer_into(compiled, found, out, RunStart.CONTINUED, way())


# -- killed at the end -------------------------------------------------------------------------------

STEPS = ("open", "open_to_write", "replace", "publish", "_remove", "names", "leave")


@pytest.fixture
def kill_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Before a step of those that deal with the run's own folder; as often as it is asked for."""
    left = [0]

    def counted(name: str) -> Callable[..., Any]:
        real = getattr(PrivateFolder, name)

        def step(folder: PrivateFolder, *arguments: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            return real(folder, *arguments, **named)

        return step

    for name in STEPS[:-2]:
        monkeypatch.setattr(PrivateFolder, name, counted(name))
    yield lambda at: left.__setitem__(0, at)
    left[0] = 0


# What the writer of sheets had open when it was killed complains when it is collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("ending", ENDINGS)
def test_killed_at_any_step_it_is_continued(
    tmp_path: Path, kill_at: Callable[[int], None], ending: str
) -> None:
    log, out = find_log(write_log(tmp_path / "log.jsonl", 60)), tmp_path / f"out.{ending}"
    answer_into(Doubler(), log, tmp_path / f"straight.{ending}", RunStart.AFRESH, SMALL)
    expected = outputs(tmp_path / f"straight.{ending}")
    steps = 0
    while True:
        steps += 1
        out.unlink(missing_ok=True)
        rejects_path(out).unlink(missing_ok=True)
        kill_at(steps)
        try:
            answer_into(Doubler(), log, out, RunStart.AFRESH, SMALL)
            break
        except Killed:
            kill_at(0)
        assert not out.exists() or out.read_bytes() == expected[0]
        answer_into(Doubler(), log, out, RunStart.CONTINUED, SMALL)
        assert outputs(out) == expected and not list(tmp_path.glob(".*"))
    assert steps > 10


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_killed_again_while_it_is_continued(
    tmp_path: Path, kill_at: Callable[[int], None], ending: str
) -> None:
    """One step further each time."""
    log, out = find_log(write_log(tmp_path / "log.jsonl", 200)), tmp_path / f"out.{ending}"
    answer_into(Doubler(), log, tmp_path / f"straight.{ending}", RunStart.AFRESH, SMALL)
    for further in range(3, 60):
        kill_at(further)
        try:
            answer_into(Doubler(), log, out, RunStart.CONTINUED, SMALL)
            break
        except Killed:
            pass
    assert outputs(out) == outputs(tmp_path / f"straight.{ending}") and not list(tmp_path.glob(".*"))


def test_a_run_afresh_clears_what_is_left(tmp_path: Path) -> None:
    log, out = write_log(tmp_path / "log.jsonl", 300), tmp_path / "out.jsonl"
    for _ in range(3):
        broken_off(find_log(log), out, 150)
        assert len(list(tmp_path.glob(".*"))) == 1
    answer_into(Doubler(), find_log(log), out, RunStart.AFRESH, SMALL)
    assert not list(tmp_path.glob(".*"))


# -- interrupted -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook and a log that takes some seconds."""
    folder = tmp_path_factory.mktemp("long")
    write_book(FLAT, folder / "book.xlsx")
    with (folder / "log.jsonl").open("w", encoding="utf-8") as file:
        for turn in range(400_000):
            file.write(json.dumps({"turn": turn, "state": {"a": turn % 100}}) + "\n")
    return folder


def started(folder: Path, out: Path, temporary: Path) -> subprocess.Popen[str]:
    """As a shell starts it: what is interrupted is all of its processes. It hears Ctrl-C even where the tests
    run in the background, which do not."""
    command = [sys.executable, "-m", "dtables", "eval", str(folder / "book.xlsx"), str(folder / "log.jsonl")]
    return subprocess.Popen(
        [*command, "-o", str(out), "--processes", "2"], env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip


@pytest.mark.parametrize("after", ["the first process", "the second process", "some answers"])
def test_interrupted_all_that_is_said_is_one_line(tmp_path: Path, sheet: Path, after: str) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    running = started(sheet, tmp_path / "out.jsonl", temporary)
    waited_for = {
        "the first process": lambda: any(temporary.iterdir()),
        "the second process": lambda: len(children(running.pid)) >= 2,
        "some answers": lambda: any(p.stat().st_size > 500_000 for p in tmp_path.glob(".*/answers")),
    }[after]
    deadline = time.monotonic() + 120
    while not waited_for() and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=120)
    lines = [line for line in said.splitlines() if not line.startswith("engine: ")]
    assert (running.returncode, lines) == (130, ["interrupted; --resume continues"])
    assert list(temporary.iterdir()) == []


def test_killed_with_its_processes_the_next_run_clears_what_is_left(tmp_path: Path, sheet: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for _ in range(2):
        running = started(sheet, tmp_path / "out.jsonl", temporary)
        while not any(tmp_path.glob(".*/answers")) or not any(temporary.iterdir()):
            time.sleep(0.01)
        time.sleep(0.2)
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        assert len(list(temporary.iterdir())) == 1 and len(list(tmp_path.glob(".*"))) == 1
    (left,) = temporary.iterdir()
    assert left.stat().st_mode & 0o077 == 0 and left.name != "dtables"
    short = tmp_path / "short.jsonl"
    short.write_bytes((sheet / "log.jsonl").read_bytes()[:400_000].rpartition(b"\n")[0])
    done = started_short(sheet, short, tmp_path / "out.jsonl", temporary)
    assert done.returncode == 0, done.stderr
    assert list(temporary.iterdir()) == [] and not list(tmp_path.glob(".*"))


def test_killed_while_it_writes_sheets_the_next_run_clears_what_is_left(tmp_path: Path, sheet: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    short = tmp_path / "short.jsonl"
    short.write_bytes((sheet / "log.jsonl").read_bytes()[:4_000_000].rpartition(b"\n")[0])
    command = [sys.executable, "-m", "dtables", "eval", str(sheet / "book.xlsx"), str(short)]
    env = {**os.environ, "TMPDIR": str(temporary)}
    running = subprocess.Popen([*command, "-o", str(tmp_path / "out.xlsx"), "--processes", "1"], env=env)
    while not list(temporary.rglob("openpyxl*")) and running.poll() is None:
        time.sleep(0.01)
    running.kill()
    running.wait()
    assert len(list(temporary.iterdir())) == 1, "a folder of its own"
    few = tmp_path / "few.jsonl"
    few.write_bytes(short.read_bytes()[:1_000].rpartition(b"\n")[0])
    done = subprocess.run([*command[:-1], str(few), "-o", str(tmp_path / "out.xlsx")], env=env, check=False)
    assert done.returncode == 0 and list(temporary.iterdir()) == [] and not list(tmp_path.glob(".*"))


def started_short(folder: Path, log: Path, out: Path, temporary: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dtables", "eval", str(folder / "book.xlsx"), str(log)]
    return subprocess.run(
        [*command, "-o", str(out), "--processes", "2"], env={**os.environ, "TMPDIR": str(temporary)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def children(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
