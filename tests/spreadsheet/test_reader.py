"""Sheets gone through row by row: all of it in its place; of hostile files one line; little memory."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from pathlib import Path

import openpyxl
import pytest

from dtables.diagnostics import Diagnostic
from dtables.spreadsheet.reader import PlainSheet, SheetBroken, Unreadable, opened_sheets
from dtables.workbook.cells import read_workbook
from tests.spreadsheet.test_guard import SHEET, sheet_of, with_parts
from tests.support.limits import limited


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "log.xlsx"
    made = openpyxl.Workbook()
    made.create_sheet("other").append(["b"])
    made.worksheets[0].append(["a", 1, None, True, 2.5, "", None])
    made.save(path)
    return path


def rows(path: Path) -> list[tuple[int, tuple[object, ...]]]:
    with opened_sheets(path) as sheets:
        assert not isinstance(sheets, Diagnostic), sheets
        return [(row.number, row.cells) for row in sheets[0].rows()]


def refused(path: Path) -> str:
    with opened_sheets(path) as sheets:
        assert isinstance(sheets, Diagnostic)
        return sheets.message


def test_rows__from_the_first_one_each_time(book: Path) -> None:
    with opened_sheets(book) as sheets:
        assert not isinstance(sheets, Diagnostic)
        first, other = sheets
        for _ in range(2):
            assert [row.cells for row in first.rows()] == [("a", 1, None, True, 2.5)]
            assert [row.cells for row in other.rows()] == [("b",)]


def test_rows__a_day_without_a_time_is_a_date(tmp_path: Path) -> None:
    path = tmp_path / "log.xlsx"
    made = openpyxl.Workbook()
    made.active.append([date(2026, 6, 2), datetime(2026, 6, 2), datetime(2026, 6, 2, 13), time(13, 30)])
    made.active["C1"].number_format = "dd/mm/yyyy"
    made.save(path)
    assert rows(path) == [
        (1, (date(2026, 6, 2), datetime(2026, 6, 2), datetime(2026, 6, 2, 13), time(13, 30)))
    ]
    assert [type(cell) for cell in rows(path)[0][1]] == [date, datetime, datetime, time]


def test_rows__a_file_may_lie_about_its_size(book: Path) -> None:
    """Rows and cells beyond what it says of itself are read."""
    inside = (
        '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>3</v></c></row><row r="9"><c r="B9"><v>5</v></c></row>'
    )
    text = sheet_of(inside).replace("<sheetData>", '<dimension ref="A1:A1"/><sheetData>')
    with_parts(book, sheet=text)
    assert rows(book) == [(1, (1, None, 3)), (9, (None, 5))]


def test_rows__merged_cells_are_nobody_s_guess(book: Path) -> None:
    """What a hidden cell of a merge holds is not read; a merge that shows nothing says nothing."""
    cells = '<row r="{0}"><c r="A{0}"><v>{0}</v></c><c r="B{0}"><v>{1}</v></c></row>'
    inside = cells.format(1, 7) + cells.format(2, 8) + '<row r="3"><c r="A3"><v>3</v></c></row>'
    merged = '<mergeCells><mergeCell ref="B1:C2"/><mergeCell ref="B3:D5"/></mergeCells>'
    with_parts(book, sheet=sheet_of(inside, merged))
    shown = Unreadable("the merged cells B1:C2")
    assert rows(book) == [(1, (1, 7, shown)), (2, (2, shown, shown)), (3, (3,))]


@pytest.mark.parametrize(
    "inside",
    [
        '<row r="2"/><row r="1"><c r="A1"><v>1</v></c></row>',
        '<row r="2"/><row r="2"><c r="A2"><v>1</v></c></row>',
        '<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>2</v></c></row>',
        '<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>',
        '<row r="1"><c r="A2"><v>1</v></c></row>',
        '<row r="1.5"/>',
        '<row r="1048577"/>',
        '<row r="1"><c r="XFE1"/></row>',
        "<si><t>a</t></si>",
    ],
)
def test_rows__out_of_their_order(book: Path, inside: str) -> None:
    """The library would pass over some of them."""
    with_parts(book, sheet=sheet_of(inside))
    assert refused(book) == f"the workbook is damaged or incomplete: {SHEET} cannot be read"


def test_rows__that_contradict_the_workbook(book: Path) -> None:
    with_parts(book, sheet=sheet_of('<row r="1"><c r="A1" t="s"><v>99</v></c></row>'))
    with pytest.raises(SheetBroken, match="sheet Sheet cannot be read to its end"):
        rows(book)


@pytest.mark.parametrize("inside", ['<row r="1"><c r="ZZ1"/></row>', '<row r="501"/>'])
@limited(streamed_cells=500)
def test_rows__blank_ones_count(book: Path, inside: str) -> None:
    with_parts(book, sheet=sheet_of(inside))
    assert refused(book) == "the workbook is larger than is read: it has more than 500 cells"


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "the file is empty"), (b"turn;a\n1;2\n", "plain text"), (b"PK\x03\x04 and no more", "unpacked")],
)
def test_files__that_are_none(book: Path, content: bytes, said: str) -> None:
    book.write_bytes(content)
    assert said in refused(book)


def test_files__flipped_bytes_never_give_a_traceback(book: Path) -> None:
    content, chance = book.read_bytes(), random.Random(3)
    for _ in range(60):
        spoilt = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        book.write_bytes(spoilt)
        with opened_sheets(book) as sheets:
            for sheet in () if isinstance(sheets, Diagnostic) else sheets:
                read_through(sheet)


def read_through(sheet: PlainSheet) -> None:
    try:
        for _ in sheet.rows():
            pass
    except SheetBroken as broken:
        assert "cannot be read to its end" in str(broken)


def without_garbage(rows: Iterable[object]) -> Iterator[object]:
    """What is kept is measured; how much garbage waits depends on the tests that ran before."""
    for number, row in enumerate(rows):
        if number % 500 == 0:
            gc.collect()
        yield row


RULES_AT_MOST = {
    "workbook_bytes": 20_000,
    "unpacked_bytes": 20_000,
    "workbook_rows": 10,
    "workbook_cells": 10,
}


@pytest.fixture
def others_frozen() -> None:
    """The collector passes over what other tests have left: it would be looked through again and again."""
    gc.collect()
    gc.freeze()


@pytest.mark.usefixtures("others_frozen")
def test_rows__more_than_fits(tmp_path: Path) -> None:
    """What a workbook of rules may have at most is no limit here; the library keeps a mark of each row."""
    peaks, book = [], tmp_path / "large.xlsx"
    for count in (1_000, 8_000):
        made = openpyxl.Workbook(write_only=True)
        sheet = made.create_sheet("turns")
        for number in range(count):
            sheet.append([number, number % 7, "x"])
        made.save(book)
        tracemalloc.start()
        with limited(**RULES_AT_MOST, perhaps=True), opened_sheets(book) as sheets:
            assert not isinstance(sheets, Diagnostic), sheets
            assert sum(1 for _ in without_garbage(sheets[0].rows())) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    for name, most in RULES_AT_MOST.items():
        with limited(**{name: most}):
            assert [d.code for d in read_workbook(book)[1]] == ["too-large"]
    assert peaks[1] - peaks[0] < 7_000 * 150
