"""`dtables check` shows what was proved, and with --notes what no example reaches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dtables.cli import main
from tests.support.drawing import write_book

BOOK = """
Decision: fare(years: number) -> number ; policy: unique
  # | if | then
  # | years | r
  1 | < 12 | 1
  2 | > 12 | 2

Examples: fares ; table: fare
  given | expect
  years | value
  3 | 1
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "fares.xlsx"
    write_book(BOOK, path)
    return path


def test_check__warnings_are_shown_and_are_no_errors(book: Path) -> None:
    result = CliRunner().invoke(main, ["check", str(book)])
    assert result.exit_code == 0
    assert result.output.startswith(
        "fares.xlsx!Sheet1!A1:C5: warning[gap]: no row fires when years is 12\n  example: years = 12\n"
    )
    assert "no-example" not in result.output


def test_check__notes(book: Path) -> None:
    result = CliRunner().invoke(main, ["check", "--notes", str(book)])
    assert "note[no-example]: no example makes row 2 of `fare` fire" in result.output


def test_check__as_json(book: Path) -> None:
    result = CliRunner().invoke(main, ["check", "--json", str(book)])
    (checked,) = json.loads(result.output)
    assert [d["code"] for d in checked["diagnostics"]] == ["gap", "no-example"]
    assert checked["diagnostics"][0]["example"] == "years = 12"
