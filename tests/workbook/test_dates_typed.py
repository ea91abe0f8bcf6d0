"""Dates as a spreadsheet keeps them, wherever a date is wanted."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import openpyxl

import dtables
from dtables.answers.examples import run_examples
from tests.support.drawing import write_book

BOOK = """
Data: depot ; key: depot
key | date
depot | opened
turin | @"2019-03-01"
palermo | @"2021-07-15"

Input: state
field | type
depot | depot
day | date

Ask: age ; main: yes
role | name | is
need | depot |
need | day |
answer | later | day > depot.opened
answer | next | day + @"P1D"

Examples: ages ; ask: age
given | given | expect | expect
depot | day | later | next
turin | @"2020-01-01" | yes | @"2020-01-02"
"""


def test_load__dates_that_the_spreadsheet_keeps_as_dates(tmp_path: Path) -> None:
    path = tmp_path / "depots.xlsx"
    write_book(BOOK, path)
    book = openpyxl.load_workbook(path)
    for row in book.active.iter_rows():
        for cell in row:
            if isinstance(cell.value, str) and cell.value.startswith('@"2'):
                cell.value = date.fromisoformat(cell.value[2:-1])
                cell.number_format = "dd/mm/yyyy"
    book.save(path)
    rules = dtables.load(path)
    assert [r.failures for r in run_examples(rules.model, (rules, rules.evaluator))] == [()]
    assert rules.answer("age", {"depot": "turin", "day": "2019-03-01"})["later"] is False
