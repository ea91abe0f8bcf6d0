"""Chunks on several processes, of which this one is one."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dtables.answers.processes import in_order
from dtables.logs.jsonlines import Chunk, JsonChunk, LogError


def who_works(_chunk: Chunk) -> int:
    time.sleep(0.01)
    return os.getpid()


def ended_elsewhere(_chunk: Chunk) -> None:
    if multiprocessing.parent_process() is not None:
        os._exit(3)
    time.sleep(0.01)


def fails(chunk: Chunk) -> None:
    raise KeyError(chunk.file)


def chunks(count: int) -> list[JsonChunk]:
    return [JsonChunk(None, number, b"{}\n") for number in range(count)]


def test_in_order__all_work_and_the_order_stays() -> None:
    given = chunks(300)
    results = list(in_order(2, who_works, iter(given)))
    assert [chunk for chunk, _ in results] == given
    workers = {pid for _, pid in results}
    assert len(workers) == 2 and os.getpid() in workers


def test_in_order__one_process_is_this_one() -> None:
    assert {pid for _, pid in in_order(1, who_works, chunks(3))} == {os.getpid()}


def test_in_order__a_process_that_is_ended_is_an_error() -> None:
    with pytest.raises(LogError, match="ended from outside"):
        list(in_order(2, ended_elsewhere, chunks(300)))


@pytest.mark.parametrize("processes", [1, 2])
def test_in_order__what_fails_is_raised(processes: int) -> None:
    with pytest.raises(KeyError):
        list(in_order(processes, fails, chunks(20)))


UNGUARDED = """
from functools import partial
from dtables.logs.jsonlines import JsonChunk
from dtables.answers.processes import in_order
print(len(list(in_order(2, partial(max, "{much}"), [JsonChunk(None, n, b"") for n in range(40)]))))
"""


def test_in_order__a_script_without_a_guard_is_told_so_and_ends(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED.format(much="x" * 200_000), encoding="utf-8")
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert (
        "begins the work of the first one again: a script keeps its work under `if __name__" in ended.stderr
    )
