"""Nothing is imported before it is needed: a command that answers at once does not wait for libraries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.missing import missing

TABLES = Path(__file__).parents[2] / "tables"
BOOK, LOG = str(TABLES / "architects.xlsx"), str(TABLES / "architects.sample.jsonl")

HEAVY = {"duckdb", "fontTools", "jinja2", "pandas", "pyarrow", "pyspark", "sqlglot", "typst"}
READER = {"openpyxl", "numpy"}
"""The reader of workbooks looks for numpy, and finds it where it is installed."""
OWN_HEAVY = {
    "dtables.checker.check",
    "dtables.compilers.python.module",
    "dtables.evaluator",
    "dtables.verifier",
}
MODEL = {"dtables.model.tables"}
NOT_FOR_HELP = {"rich", "dtables.ruleset"}

SHOW = "import sys, json; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
COMMAND = f"""
import sys
from dtables.cli import main
try:
    main(sys.argv[1:], standalone_mode=False)
except SystemExit:
    pass
{SHOW}
"""


def imported(program: str, folder: Path, *arguments: str) -> set[str]:
    env = {**os.environ, "DTABLES_CACHE": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, env=env, check=False
    )
    modules = done.stderr.strip().splitlines()[-1]
    return set(json.loads(modules))


def command(folder: Path, *arguments: str) -> set[str]:
    return imported(COMMAND, folder, *arguments)


@pytest.mark.parametrize("name", sorted(HEAVY | READER | OWN_HEAVY | MODEL | NOT_FOR_HELP))
def test_what_must_not_be_imported_could_be(name: str) -> None:
    """Under another name it would be imported unseen."""
    if find_spec(name) is None:
        assert name == "pyspark", f"nothing is called {name}"
        missing("Spark is not installed")


def test_import_dtables(tmp_path: Path) -> None:
    found = imported(f"import dtables\n{SHOW}", tmp_path)
    assert {name for name in found if name.startswith("dtables")} == {"dtables"}
    assert not found & (HEAVY | READER)


def test_help(tmp_path: Path) -> None:
    found = command(tmp_path, "--help")
    assert not found & (HEAVY | READER | OWN_HEAVY | MODEL | NOT_FOR_HELP)


def test_check(tmp_path: Path) -> None:
    assert not command(tmp_path, "check", BOOK) & HEAVY
    again = command(tmp_path, "check", BOOK)
    assert not again & (HEAVY | READER | OWN_HEAVY)


def test_eval(tmp_path: Path) -> None:
    """The second time neither workbook nor model is needed, only the code."""
    assert not command(tmp_path, "eval", BOOK, LOG) & HEAVY
    again = command(tmp_path, "eval", BOOK, LOG)
    assert not again & (HEAVY | READER | OWN_HEAVY | MODEL)


@pytest.mark.parametrize("ask", ["test", "explain"])
def test_other_commands_the_second_time(ask: str, tmp_path: Path) -> None:
    arguments = [ask, BOOK] if ask == "test" else [ask, BOOK, LOG, "--turn", "3"]
    assert not command(tmp_path, *arguments) & HEAVY
    assert not command(tmp_path, *arguments) & (HEAVY | READER | {"dtables.checker.check"})
