"""The author's loop: how long a command takes to start, and a save to be checked.

Each contestant is a process of its own, from its start to its end, but for the last comparison. The base
is Python that starts and does nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.rounds import Comparison, Contestant, Field
from benchmarks.scratch import scratch

TABLES = Path(__file__).parent.parent / "tables"
BOOK, LOG = TABLES / "duel.xlsx", TABLES / "duel.sample.jsonl"


def process(*arguments: str, cache: str = "off") -> Callable[[], object]:
    command = [sys.executable, *arguments]
    env = {**os.environ, "DTABLES_CACHE": cache}
    return partial(subprocess.run, command, env=env, capture_output=True, check=True)


def starts() -> Field:
    """`again`: the workbook was seen before and did not change."""
    kept = str(scratch("kept"))
    check, evaluate = ("-m", "dtables", "check", str(BOOK)), ("-m", "dtables", "eval", str(BOOK), str(LOG))
    return Field(
        (
            Contestant("python -c pass", process("-c", "pass"), limit=True),
            Contestant("import dtables", process("-c", "import dtables")),
            Contestant("dtables --help", process("-m", "dtables", "--help")),
            Contestant("check", process(*check)),
            Contestant("check again", process(*check, cache=kept)),
            Contestant("eval", process(*evaluate)),
            Contestant("eval again", process(*evaluate, cache=kept)),
        )
    )


def saves() -> Field:
    """What `watch` does after a save, in a process that goes on; beside it only the library's reading."""
    import openpyxl

    from dtables.authoring.watching import Looking
    from dtables.diagnostics import Severity

    os.environ["DTABLES_CACHE"] = "off"
    looking = Looking(frozenset(Severity), False, None)
    return Field(
        (
            Contestant("openpyxl.load_workbook", lambda: openpyxl.load_workbook(BOOK), limit=True),
            Contestant("read, check and prove", lambda: looking.look(BOOK)),
        )
    )


COMPARISONS = (
    Comparison("a command on the workbook of Duel", "start", starts),
    Comparison("the workbook of Duel after a save, warm", "save", saves),
)
