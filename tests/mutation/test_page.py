"""docs/mutants.md shows what the command says."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from dtables.cli import main
from tests.support.drawing import write_book

PAGE = Path(__file__).parents[2] / "docs" / "mutants.md"
TARIFF = """
# Sheet: Fares

Decision: fare ; policy: first ; otherwise: 9
  # | if | then
  # | age | fare
  1 | < 6 | 0
  2 | > 64 | 5

Input: person
  field | type
  age | whole number

Ask: ride ; main: yes
  role | name | is
  need | age |
  answer | fare | fare

Examples: rides ; ask: ride
  # | given | expect | rejected at
  # | age | fare |
  1 | 3 | 0 |
  2 | 30 | 9 |
  3 | 64 | 9 |
  4 | | | state.age
"""
MORE = """  5 | 5 | 0 |
  6 | 65 | 5 |
  7 | 66 | 5 |
"""


def said(folder: Path, text: str, *options: str) -> str:
    book = folder / "tariff.xlsx"
    write_book(text, book)
    result = CliRunner().invoke(main, ["test", str(book), *options])
    return result.stdout


def test_the_page_shows_what_the_command_says(tmp_path: Path) -> None:
    shown = re.findall(r"```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    mutants = said(tmp_path, TARIFF + MORE, "--mutants", "--processes", "1")
    coverage = said(tmp_path, TARIFF, "--coverage")
    assert shown == [mutants, coverage]
