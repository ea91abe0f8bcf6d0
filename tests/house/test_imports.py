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
"""openpyxl looks for numpy, and finds it where it is installed."""
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


# -- what is not ours ------------------------------------------------------------------------------

READS = {"click", "dtables"}
"""Workbooks are read, checked and compiled with nothing from outside but the commands' own library."""
ANSWERS = READS | {"msgspec", "typing_extensions"}
DRESSES = READS | {"openpyxl", "numpy", "et_xmlfile", "defusedxml", "lxml"}
"""openpyxl takes what it finds of these."""
OUTSIDE = {
    ("--help",): READS,
    ("check", BOOK): READS,
    ("check", "--notes", BOOK): READS,
    ("compile", BOOK, "--to", "python", "-o", "{folder}/rules.py"): ANSWERS,
    ("docs", BOOK, "-o", "{folder}"): READS,
    ("diff", BOOK, BOOK): READS,
    ("eval", BOOK, LOG): ANSWERS,
    ("explain", BOOK, LOG, "--turn", "3"): ANSWERS,
    ("test", BOOK): ANSWERS,
    ("compile", BOOK, "--to", "sql", "-o", "{folder}/rules.sql"): READS | {"sqlglot", "mypy_extensions"},
    ("dress", BOOK, "-o", "{folder}/dressed.xlsx"): DRESSES,
    ("annotate", BOOK, "-o", "{folder}/annotated.xlsx"): DRESSES,
    ("new", "{folder}/new.xlsx"): DRESSES,
}
"""The packages, besides Python's own, that a command may have imported at its end: of a workbook that it has
never seen."""


@pytest.mark.parametrize("typed", OUTSIDE, ids=lambda typed: " ".join(typed[:1] + typed[2:4]))
def test_packages_of_a_command(typed: tuple[str, ...], tmp_path: Path) -> None:
    arguments = [one.format(folder=tmp_path) for one in typed]
    found = command(tmp_path / "kept", *arguments)
    ours = {name.partition(".")[0] for name in found if not name.startswith("_")}
    assert ours - set(sys.stdlib_module_names) - OUTSIDE[typed] == set()


def test_a_compiled_module(tmp_path: Path) -> None:
    """It answers without the rooms that have made it."""
    command(tmp_path / "kept", "compile", BOOK, "--to", "python", "-o", str(tmp_path / "rules.py"))
    found = imported(f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport rules\n{SHOW}", tmp_path)
    assert "rules" in found
    assert not found & (HEAVY | READER | OWN_HEAVY | MODEL | NOT_FOR_HELP | {"click"})


# -- the second time -------------------------------------------------------------------------------


def test_check_again(tmp_path: Path) -> None:
    command(tmp_path, "check", BOOK)
    assert not command(tmp_path, "check", BOOK) & OWN_HEAVY


def test_eval_again(tmp_path: Path) -> None:
    """Neither workbook nor model is needed, only the code."""
    command(tmp_path, "eval", BOOK, LOG)
    assert not command(tmp_path, "eval", BOOK, LOG) & (OWN_HEAVY | MODEL)


@pytest.mark.parametrize("ask", ["test", "explain"])
def test_other_commands_again(ask: str, tmp_path: Path) -> None:
    arguments = [ask, BOOK] if ask == "test" else [ask, BOOK, LOG, "--turn", "3"]
    command(tmp_path, *arguments)
    assert "dtables.checker.check" not in command(tmp_path, *arguments)
