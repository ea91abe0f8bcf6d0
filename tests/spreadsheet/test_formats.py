"""What number formats make of numbers is what the spreadsheet library makes of them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel
from openpyxl.worksheet.cell_range import CellRange

from dtables.spreadsheet.cells import read_cells
from dtables.spreadsheet.formats import (
    BUILT_IN,
    SINCE_1900,
    SINCE_1904,
    date_of,
    duration_of,
    shows_dates,
    shows_durations,
)
from dtables.spreadsheet.written import area_of
from tests.support.thinned import draws

PIECES = (
    "d", "dd", "mmm", "yy", "h", "mm", "ss", "ss.00", "[h]", "[hh]:mm:ss", "[H]", "[mm]", "[s].0", "[Red]",
    "[$-410]", "[$EUR ]", '"day"', '"', "\\d", "_d", "0", "#,##0.00", "0.0E+0", "@", ";", " ", "/", "AM/PM",
)  # fmt: skip


def test_built_in_formats() -> None:
    assert BUILT_IN == BUILTIN_FORMATS
    assert (SINCE_1900, SINCE_1904) == (CALENDAR_WINDOWS_1900, CALENDAR_MAC_1904)


@settings(max_examples=draws(500), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
def test_formats_that_show_dates(number_format: str) -> None:
    assert shows_dates(number_format) == is_date_format(number_format)
    assert shows_durations(number_format) == is_timedelta_format(number_format)


def outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except (OverflowError, ValueError) as error:
        return type(error)


@settings(max_examples=draws(500), deadline=None)
@given(
    st.one_of(
        st.integers(-3_000_000, 3_000_000), st.floats(-70, 70), st.floats(0, 60_000), st.floats(),
        st.integers(0, 86_400_000).map(lambda n: n / 86_400_000),
    ),
    st.sampled_from((SINCE_1900, SINCE_1904)),
)  # fmt: skip
def test_numbers_that_are_dates(number: float, epoch: datetime) -> None:
    assert outcome(lambda: date_of(number, epoch)) == outcome(lambda: from_excel(number, epoch))
    assert outcome(lambda: duration_of(number)) == outcome(lambda: from_excel(number, epoch, timedelta=True))


@settings(max_examples=draws(200), deadline=None)
@given(st.from_regex(r"\A\$?[A-Z]{1,3}\$?[0-9]{1,7}(:\$?[A-Z]{1,3}\$?[0-9]{1,7})?\Z"))
def test_areas(reference: str) -> None:
    def by_library() -> object:
        found = CellRange(reference)
        return (found.min_row, found.min_col), (found.max_row, found.max_col)

    assert outcome(lambda: area_of(reference)) == outcome(by_library)


# -- the formats of a workbook ---------------------------------------------------------------------

STYLES = "xl/styles.xml"


def with_styles(path: Path, old: str, new: str) -> Path:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    changed = re.sub(old, new, parts[STYLES].decode())
    assert (changed != parts[STYLES].decode()) == (old != "")
    parts[STYLES] = changed.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


@pytest.fixture
def book(tmp_path: Path) -> Path:
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    for row, number_format in enumerate(("yyyy-mm-dd", '"n" 0.0', "0.00", "[h]:mm"), 1):
        sheet.cell(row, 1, 45_000.5).number_format = number_format
    made.save(tmp_path / "book.xlsx")
    return tmp_path / "book.xlsx"


def as_read(path: Path) -> list[tuple[object, str]]:
    sheets = read_cells(path)
    assert isinstance(sheets, tuple), sheets
    return [(cell.value, cell.format) for cell in sheets[0].cells.values()]


def by_library(path: Path) -> list[tuple[object, str]]:
    sheet = openpyxl.load_workbook(path).worksheets[0]
    return [(cell.value, cell.number_format) for (cell,) in sheet.iter_rows()]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ('numFmtId="2"', 'numFmtId="23"'),
        ('numFmtId="2"', 'numFmtId="14"'),
        ('numFmtId="165"', 'numFmtId="9"'),
        ('numFmtId="164" formatCode="[^"]*"', 'numFmtId="164" formatCode="0.00"'),
        ("<xf ", '<xf applyNumberFormat="0" '),
    ],
)
def test_formats_of_styles(book: Path, old: str, new: str) -> None:
    changed = with_styles(book, old, new)
    assert as_read(changed) == by_library(changed)


def test_a_font_that_nobody_can_read_takes_no_cell_away(book: Path) -> None:
    wanted = as_read(book)
    assert as_read(with_styles(book, "<sz [^>]*>", '<sz val="large"/>')) == wanted
