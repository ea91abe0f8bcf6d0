"""What holds for all tests."""

from __future__ import annotations

import gc
import os
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.five_books import read_once
from tests.support.thinned import SEARCH, draws, is_quick

os.environ["DTABLES_CACHE"] = "off"
# What is tested is worked out, never remembered; tests of the cache give it a folder of their own.
read_once()

settings.register_profile("check", settings.get_profile("ci"), max_examples=draws(100))
if SEARCH not in os.environ:
    # What is drawn at random is the same in every run: a check fails for what was changed, not by chance.
    settings.load_profile("check")


# -- what a folder of tests needs, and takes -----------------------------------------------------

HERE = Path(__file__).parent
MARKS = {
    # typst, LibreOffice, Chromium, Node, Spark, PostgreSQL, the standard's kit
    "tools": (
        "pages", "spark", "agreement/test_sql_on_servers.py", "compilers_sql/dialects", "dmn/test_kit.py",
        "logs/test_entry_form_in_libreoffice.py", "workbook/test_after_libreoffice.py",
    ),
    # the whole workbooks of the five games
    "books": (
        "games", "frozen", "mutation", "audit", "agreement/test_explanations.py",
        "agreement/test_games_and_cases.py", "agreement/test_samples.py",
        "verifier/test_books.py", "verifier/test_rows_to_add.py", "checker/test_symbols.py",
        "compilers_sql/test_games.py", "compilers_sql/test_workbooks.py", "house/test_docs.py",
        "cli/test_transcripts.py", "logs/test_by_hand.py", "spreadsheet/test_cells.py", "test_loaded.py",
    ),
    # whole statements, processes that are killed, what is large, every command with all that it may write
    "long": (
        "agreement/test_evaluators_cases.py", "agreement/test_large_numbers.py", "agreement/test_logs.py",
        "agreement/test_many_rows.py",
        "agreement/test_sql.py", "agreement/test_values_of_unknown_type.py",
        "compilers_sql", "answers/test_hostile.py", "answers/test_broken_off.py", "answers/test_choice.py",
        "answers/test_eval.py", "answers/test_logs.py",
        "answers/test_many_findings.py", "answers/test_processes.py", "answers/test_progress.py",
        "authoring/test_watch.py", "columnar/test_csv_files.py", "columnar/test_expressions.py",
        "columnar/test_files.py", "house/test_imports.py", "house/test_source_mutants.py",
        "logs/test_shares.py",
        "spreadsheet/test_archives.py", "spreadsheet/test_reader.py",
        "cli/test_many_findings.py", "cli/test_outputs.py", "test_files.py", "test_inert.py",
    ),
}  # fmt: skip
"""`make quick` leaves these out: folders, and files in folders that are quick but for them."""
LEFT_OUT = {HERE / name: mark for mark, names in MARKS.items() for name in names}


TOGETHER = {HERE / "house", HERE / "mutation" / "test_run.py"}
"""One worker takes all of them: what they work out is kept in a process."""


def pytest_configure(config: pytest.Config) -> None:
    for mark in MARKS:
        config.addinivalue_line("markers", f"{mark}: set by folder in tests/conftest.py")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A folder that is asked for by its name is not left out."""
    asked = {Path(name.partition("::")[0]).absolute() for name in config.args}
    left = is_quick() and collection_path in LEFT_OUT and collection_path not in asked
    return True if left and not asked & {*collection_path.parents} - {HERE} else None


def pytest_collection_finish() -> None:
    """The collector need not look through all that was imported again and again."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """DuckDB counts as lost what nobody has collected at the end."""
    gc.unfreeze()


@cache
def marks_of(file: Path) -> tuple[str, ...]:
    return tuple(LEFT_OUT[place] for place in (file, *file.parents) if place in LEFT_OUT)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark in marks_of(item.path):
            item.add_marker(mark)
        together = {item.path, *item.path.parents} & TOGETHER
        if together:
            item.add_marker(pytest.mark.xdist_group(together.pop().name))
        elif item.get_closest_marker("xdist_group"):
            item.add_marker("tools")
