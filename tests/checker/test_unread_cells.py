from __future__ import annotations

from pathlib import Path

import openpyxl

from dtables.ruleset import check
from tests.support.drawing import write_book
from tests.support.tables_as_text import short_problems


def test_check__a_cell_that_could_not_be_read_raises_no_second_message(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    drawn = "# Sheet: S\nDecision: d(age: number) -> number ; policy: first\n if | then\n age | \n - | 5\n"
    write_book(drawn, path)
    book = openpyxl.load_workbook(path)
    book["S"]["B4"] = "#N/A"
    book.save(path)
    assert short_problems(check(path).diagnostics) == [
        "S!B4 error-value: the cell holds the spreadsheet's error #N/A"
    ]


def test_check__what_a_table_lacks_whose_column_nobody_knows_is_not_told(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    drawn = """
# Sheet: S
Input: state
  field | type
  age | number

Ask: turn ; main: yes
  role | name | value of it
  answer | a | 3
  answer | b | age
"""
    write_book(drawn, path)
    assert [line.split(":")[0] for line in short_problems(check(path).diagnostics)] == ["S!C6 unknown-role"]


def test_check__a_column_that_is_cut_off_is_one_message(tmp_path: Path) -> None:
    drawn = "# Sheet: S\nDecision: d(age: number)\n  if | then\n  age | fee\n  - | 5\n"
    path = tmp_path / "book.xlsx"
    write_book(drawn, path)
    book = openpyxl.load_workbook(path)
    book["S"].insert_cols(2)
    book.save(path)
    assert [line.split(":")[0] for line in short_problems(check(path).diagnostics)] == ["S!C2 gap-in-roles"]


def test_check__a_row_lacks_nothing_whose_cell_could_not_be_read(tmp_path: Path) -> None:
    drawn = "# Sheet: S\nFormulas: f\n  name | type | is\n  fee | number | 5\n"
    path = tmp_path / "book.xlsx"
    write_book(drawn, path)
    book = openpyxl.load_workbook(path)
    book["S"]["C3"] = "=2+3"
    book.save(path)
    assert [line.split(":")[0] for line in short_problems(check(path).diagnostics)] == [
        "S!C3 no-saved-result"
    ]


def test_check__a_marker_inside_another_table(tmp_path: Path) -> None:
    """The table that it begins has no column that is known."""
    drawn = "# Sheet: S\nTypes: words\n  colour code\n  Decision: d\n  name | names\n  tier | gold, silver\n"
    path = tmp_path / "book.xlsx"
    write_book(drawn, path)
    assert [line.split(":")[0] for line in short_problems(check(path).diagnostics)] == [
        "S!A2 unknown-role", "S!A4 unknown-role", "S!B4 unknown-role",
    ]  # fmt: skip
