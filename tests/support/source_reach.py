"""Which tests reach which lines of the source, and a pytest plugin that finds out and runs a choice.

A test file is a process of its own: what one of its tests works out and keeps, the others of it may stand on.
So a line has tests that were seen there, and others of the same files that may hang on it all the same.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from coverage import Coverage
from coverage.numbits import numbits_to_nums
from hypothesis import settings

from tests.support.thinned import FULL

SEEN = "DTABLES_REACH_DATA"
"""Where the plugin writes what was reached; unset, nothing is looked at."""
WANTED = "DTABLES_REACH_TESTS"
"""A file with the tests to run, in this order, each with the seconds it may take."""
FAILED = "DTABLES_REACH_FAILED"
"""Where the plugin writes the test that failed first."""
OVERTIME = 77
LONGEST_START = 180.0

settings.register_profile("repeatable", derandomize=True, database=None)


@dataclass(frozen=True)
class FileReach:
    """What the tests of one file reach. A line is listed with "" where it was reached outside any test."""

    data: Path
    start: float
    """Seconds until its first test."""
    seconds: dict[str, float]
    """Of each test that passes."""
    moved: Mapping[str, Mapping[int, int]]
    """By module and line, which line it was when the tests were run; nothing of modules that are the same."""

    def tests_at(self, module: str, lines: tuple[int, ...]) -> set[str]:
        """Of these lines, or of any line inside a function where none are said."""
        moved = self.moved.get(module)
        wanted = {moved[line] for line in lines if line in moved} if moved is not None else set(lines)
        return {
            test
            for test, reached in self._by_module.get(module, ())
            if (wanted & numbers(reached) if wanted else test)
        }

    @cached_property
    def _by_module(self) -> dict[str, list[tuple[str, bytes]]]:
        found: dict[str, list[tuple[str, bytes]]] = {}
        query = """
            select file.path, context.context, line_bits.numbits from line_bits
            join file on file.id = line_bits.file_id join context on context.id = line_bits.context_id
        """
        with sqlite3.connect(f"file:{self.data}?mode=ro", uri=True) as connection:
            for path, context, reached in connection.execute(query):
                found.setdefault(path.partition("/src/dtables/")[2], []).append((context, reached))
        connection.close()
        return found


def numbers(reached: bytes) -> set[int]:
    return set(numbits_to_nums(reached))


def moved_lines(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, dict[int, int]]:
    """Where each line of changed modules was; one that was not there goes with those around it."""
    moved: dict[str, dict[int, int]] = {}
    for module, text in new.items():
        if old.get(module) == text:
            continue
        before, after = old.get(module, "").splitlines(), text.splitlines()
        found = moved[module] = {}
        for kind, i, i_end, j, j_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            for n in range(j, j_end):
                found[n + 1] = i + n - j + 1 if kind == "equal" else max(min(i + n - j, i_end - 1), 0) + 1
    return moved


def is_known(folder: Path) -> bool:
    return all((folder / name).exists() for name in ("tests.json", "reached"))


def file_reach(
    root: Path, python: Path, test_file: str, folder: Path, moved: Mapping[str, Mapping[int, int]]
) -> FileReach:
    """Run the file's tests once under a tracer, unless the folder has what that found."""
    data, report = folder / "reached", folder / "tests.json"
    if not is_known(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("reached*"):
            old.unlink()
        (folder / "coveragerc").write_text(RUN.format(source=root / "src" / "dtables", data=data))
        environment = {**os.environ, FULL: "1", SEEN: str(folder), "COVERAGE_CORE": "ctrace"}
        command = [*runner(python), test_file]
        ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
        if not report.exists():
            raise SystemExit(f"{test_file} cannot be run:\n{ran.stdout}{ran.stderr}")
        together = Coverage(config_file=str(folder / "coveragerc"))
        together.combine([str(folder)], keep=False)
        together.save()
    found = json.loads(report.read_text())
    return FileReach(data, found["start"], found["seconds"], moved)


RUN = """[run]
source = {source}
data_file = {data}
parallel = true
concurrency = multiprocessing, thread
patch = subprocess
disable_warnings = no-data-collected, module-not-measured, module-not-imported, already-imported
"""


def runner(python: Path) -> list[str]:
    return [str(python), "-m", "pytest", "-q", "-p", "tests.support.source_reach", "-p", "no:cacheprovider"]


# As a plugin of pytest.

_coverage: Coverage | None = None
if os.environ.get(SEEN):
    _coverage = Coverage(config_file=str(Path(os.environ[SEEN]) / "coveragerc"))
    _coverage.start()
_began = time.monotonic()
_start: list[float] = []
_seconds: dict[str, float] = {}
_limits: dict[str, float] = {}


def pytest_configure() -> None:
    settings.load_profile("repeatable")
    if WANTED in os.environ:
        _limits.update(json.loads(Path(os.environ[WANTED]).read_text()))
        signal.signal(signal.SIGALRM, _overtime)
        signal.setitimer(signal.ITIMER_REAL, LONGEST_START)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if _limits:
        order = {test: n for n, test in enumerate(_limits)}
        items[:] = sorted((i for i in items if i.nodeid in order), key=lambda item: order[item.nodeid])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    _start.append(time.monotonic() - _began)
    if _coverage is not None:
        _coverage.switch_context(item.nodeid)
    if item.nodeid in _limits:
        signal.setitimer(signal.ITIMER_REAL, _limits[item.nodeid])
        _note(item.nodeid)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if _coverage is not None:
            _coverage.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" and report.passed:
        _seconds[report.nodeid] = round(report.duration, 4)
    elif report.failed:
        _seconds.pop(report.nodeid, None)


def pytest_unconfigure() -> None:
    if _coverage is not None:
        _coverage.stop()
        _coverage.save()
        found = {"start": round(_start[0], 2) if _start else 0.0, "seconds": _seconds}
        (Path(os.environ[SEEN]) / "tests.json").write_text(json.dumps(found))


def _note(test: str) -> None:
    if FAILED in os.environ:
        Path(os.environ[FAILED]).write_text(test)


def _overtime(_signal: int, _frame: FrameType | None) -> None:
    os._exit(OVERTIME)


# A process that has the libraries, and runs tests in forks of itself.

LIBRARIES = (
    "click jinja2 rich.console msgspec hypothesis.strategies openpyxl numpy pandas pyarrow.parquet "
    "pyarrow.csv duckdb sqlglot"
)


def serve() -> None:
    """For each job that comes, a line of JSON, say the process that runs it, then its exit code."""
    for name in LIBRARIES.split():
        with suppress(ImportError):
            import_module(name)
    for line in sys.stdin:
        job = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os.setsid()
            os.environ.update(job["environment"])
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(nowhere, stream)
            plugins = ["-q", "-p", "tests.support.source_reach", "-p", "no:cacheprovider"]
            known = ["-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]
            os._exit(int(pytest.main([*plugins, *known, *job["arguments"]])))
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
