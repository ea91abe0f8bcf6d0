"""Logs of any size: the same bytes on one process and on many, whole or not at all."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from dtables.answers.parts import Parts, RunStart
from dtables.answers.run import OnCores, answer_into, rejects_path
from dtables.logs.files import find_log
from dtables.logs.jsonlines import LogError, read_json_chunks
from dtables.logs.turns import Turns, turn_key
from dtables.records.json import LONGEST_LINE
from tests.answers.doubler import Doubler, write_log

ROOT = Path(__file__).parents[2]
SMALL = OnCores(1, chunk=2_000, chunks_per_note=2)


def outputs(out: Path) -> tuple[bytes, bytes]:
    return out.read_bytes(), rejects_path(out).read_bytes()


def straight(log: Path, out: Path) -> tuple[bytes, bytes]:
    """In one chunk, on one process."""
    answer_into(Doubler(), find_log(log), out, manner=OnCores(1))
    return outputs(out)


def test_many_chunks_and_processes_give_the_same_bytes(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", 1_000)
    expected = straight(log, tmp_path / "one.jsonl")
    for name, manner in (("chunks", SMALL), ("processes", OnCores(2, chunk=2_000))):
        counts = answer_into(Doubler(), find_log(log), tmp_path / f"{name}.jsonl", manner=manner)
        assert outputs(tmp_path / f"{name}.jsonl") == expected
        # 143 lack their n, turn 13 fails, 20 repeat turn 3, of which 49, 399 and 749 lack their n too
        assert str(counts) == "1000 records: 839 answered, 161 rejected"


def test_a_turn_used_in_an_earlier_chunk_is_a_reject(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", 300)
    _, rejects = straight(log, tmp_path / "one.jsonl")
    repeated = [json.loads(r) for r in rejects.splitlines() if json.loads(r)["path"] == "turn"]
    assert [r["found"] for r in repeated] == ["3, which an earlier line has"] * 6


def test_packed_logs_are_read_whatever_their_name(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", 300)
    expected = straight(log, tmp_path / "one.jsonl")
    for name in ("log.jsonl.gz", "packed.jsonl"):
        packed = tmp_path / name
        packed.write_bytes(gzip.compress(log.read_bytes()))
        assert straight(packed, tmp_path / "out.jsonl") == expected


def test_a_packed_log_that_breaks_off_is_an_error_and_writes_nothing(tmp_path: Path) -> None:
    packed = tmp_path / "log.jsonl.gz"
    whole = gzip.compress(write_log(tmp_path / "log.jsonl", 3_000).read_bytes())
    for data, message in (
        (whole[: len(whole) // 2], "breaks off"),
        (whole[:-6] + b"\0\0" + whole[-4:], "a damaged gzip file"),
    ):
        packed.write_bytes(data)
        with pytest.raises(LogError, match=message):
            answer_into(Doubler(), find_log(packed), tmp_path / "out.jsonl", manner=SMALL)
        assert not (tmp_path / "out.jsonl").exists()


def test_a_folder_and_a_pattern_are_logs(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "b.jsonl").write_text('{"turn": 1, "state": {"n": 1}}\n{"turn": 2, "state": {}}\n')
    (folder / "a.jsonl").write_text('{"turn": 1, "state": {"n": 5}}')
    (folder / "a.rejected.jsonl").write_text("no log")
    (folder / "notes.txt").write_text("no log")
    for given in (folder, f"{folder}/*.jsonl"):
        answers, rejects = straight(Path(given), tmp_path / "out.jsonl")
        assert [json.loads(a)["answer"] for a in answers.splitlines()] == [{"result": 10}]
        told = [json.loads(r) for r in rejects.splitlines()]
        assert [(r["file"], r["line"], r["path"]) for r in told] == [
            ("b.jsonl", 1, "turn"), ("b.jsonl", 2, "state.n"),
        ]  # fmt: skip


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder in ("jan", "feb"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "log.jsonl").write_text('{"turn": 1, "state": {}}')
    _, rejects = straight(Path(f"{tmp_path}/*/log.jsonl"), tmp_path / "out.jsonl")
    assert [json.loads(r)["file"] for r in rejects.splitlines()] == ["feb/log.jsonl", "jan/log.jsonl"]


def test_no_log_is_an_error(tmp_path: Path) -> None:
    for given, message in ((tmp_path, "no log there"), (tmp_path / "x", "no such file")):
        with pytest.raises(LogError, match=message):
            find_log(given)


def test_lines_keep_their_numbers_across_chunks(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(
        b'\xef\xbb\xbf{"turn": 1}\n\n{"turn": 3}\r\n' + b"x" * (LONGEST_LINE + 5) + b'\n{"turn": 5}'
    )
    lines = [line for chunk in read_json_chunks(log, size=20) for line in chunk.lines()]
    assert [(line.number, line.record) for line in lines] == [
        (1, {"turn": 1}), (3, {"turn": 3}), (4, None), (5, {"turn": 5}),
    ]  # fmt: skip
    assert lines[2].finding is not None and lines[2].finding.found == "a line over 16 MiB"


def test_turns_are_told_apart_however_many_there_are() -> None:
    turns = Turns()
    used = [turn_key(None, turn) for turn in range(5_000)]
    for key in (*used, *used):
        turns.add(key)
    assert len(turns) == 5_000 and all(key in turns for key in used)
    others = [turn_key("game", 1), turn_key(None, "1"), *(turn_key(None, t) for t in range(5_000, 9_000))]
    assert not any(key in turns for key in others)


def test_a_turn_that_is_taken_back_was_never_used() -> None:
    turns = Turns()
    used = [turn_key(None, turn) for turn in range(5_000)]
    for number, key in enumerate(used):
        assert turns.add(key) and not turns.add(key)
        if number % 3 == 0:
            turns.take_back(key)
    assert [key in turns for key in used] == [number % 3 != 0 for number in range(5_000)]
    assert len(turns) == sum(key in turns for key in used)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_that_is_killed_again_and_again_loses_nothing(tmp_path: Path, processes: int) -> None:
    log = write_log(tmp_path / "log.jsonl", 3_000)
    expected = straight(log, tmp_path / "straight.jsonl")
    out, chance = tmp_path / "out.jsonl", random.Random(processes)
    command = [sys.executable, "-m", "tests.answers.answer_slowly", str(log), str(out), str(processes)]
    for _ in range(5):
        run = subprocess.Popen(command, cwd=ROOT)
        _wait_for_growth(run, tmp_path, chance.randint(1, 20_000))
        run.kill()
        run.wait()
        assert not out.exists() or outputs(out) == expected
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0
    assert outputs(out) == expected
    assert not list(tmp_path.glob(".*"))


def _wait_for_growth(run: subprocess.Popen[bytes], folder: Path, by: int) -> None:
    """Of what is written, however slowly the process comes to it."""
    start = _grown(folder)
    while run.poll() is None and _grown(folder) < start + by:
        time.sleep(0.002)


def _grown(folder: Path) -> int:
    """The bytes of answers that are waiting there, in a folder of whatever name."""
    with suppress(FileNotFoundError):
        return sum(part.stat().st_size for part in folder.glob(".*/answers"))
    return 0


def test_only_the_same_run_is_continued(tmp_path: Path) -> None:
    log, out = write_log(tmp_path / "log.jsonl", 300), tmp_path / "out.jsonl"

    def stop(records: int, _bytes: int) -> None:
        if records > 150:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer_into(Doubler(), find_log(log), out, manner=SMALL, watch=stop)
    assert not out.exists() and len(list(tmp_path.glob(".out.jsonl.*.parts"))) == 1
    time.sleep(0.01)
    log.write_text(log.read_text() + "\n")
    with pytest.raises(LogError, match="the log changed"):
        answer_into(Doubler(), find_log(log), out, RunStart.CONTINUED, SMALL)
    assert answer_into(Doubler(), find_log(log), out, RunStart.AFRESH, SMALL).records == 300
    assert sorted(p.name for p in tmp_path.iterdir()) == ["log.jsonl", "out.jsonl", "out.rejected.jsonl"]


def test_a_log_is_not_written_over(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", 10)
    text = log.read_text()
    for given in (log, tmp_path):
        with pytest.raises(LogError, match="is read as part of the log"):
            answer_into(Doubler(), find_log(given), log)
    assert log.read_text() == text


def test_two_runs_into_one_output_do_not_mix(tmp_path: Path) -> None:
    log, out = find_log(write_log(tmp_path / "log.jsonl", 10)), tmp_path / "out.jsonl"
    with Parts(out, {}) as parts:
        parts.begin(RunStart.AFRESH)
        with pytest.raises(LogError, match="another run"):
            answer_into(Doubler(), log, out)
