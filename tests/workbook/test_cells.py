"""Real files: what spreadsheets do to what people type is undone, or refused with its cell."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from dtables.diagnostics import render
from dtables.workbook.cells import read_workbook
from dtables.workbook.tables import Cell
from tests.support.drawing import book_text, write_book
from tests.support.tables_as_text import short_problems

SKETCH = Path(__file__).parents[3] / "shared" / "sketch" / "duel.md"

TABLES = Path(__file__).parents[2] / "tables"


class OneCell:
    """A decision of one row, whose outcome is the cell B4."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "book.xlsx"
        self.book = openpyxl.Workbook()
        self.sheet: Worksheet = self.book.active
        self.sheet.title = "Turn"
        for row in (["Decision: d"], ["if", "then"], ["age", "price"], ["1", "0"]):
            self.sheet.append(row)

    def read(self) -> tuple[Cell, list[str]]:
        self.book.save(self.path)
        book, found = read_workbook(self.path)
        assert book is not None
        cell = book.tables[0].rows[0].cells[1]
        # A diagnostic's place must always be a cell of the file.
        assert all(str(d.where).startswith("book.xlsx!Turn!") for d in found)
        return cell, short_problems(found)


@pytest.fixture
def one(tmp_path: Path) -> OneCell:
    return OneCell(tmp_path)


@pytest.mark.parametrize(
    ("raw", "value", "code", "typed"),
    [
        (3, 3, "3", "3"),
        (3.0, 3, "3", "3"),
        (-0.5, Decimal("-0.5"), "-0.5", "-0.5"),
        (0.1 + 0.2, Decimal("0.3"), "0.3", "0.3"),
        (100000, 100000, "100000", "100000"),
        (True, True, "true", "TRUE"),
        ("=TRUE()", True, "true", "TRUE"),
        ("=VERO()", True, "true", "TRUE"),
        ("=FALSE()", False, "false", "FALSE"),
        ("3,5", "3,5", "3,5", "3,5"),
        ("007", "007", "007", "007"),
        (" −1\u00a0", "−1", "-1", "−1"),
        ("“citta\u0300”", "“città”", '"città"', "“città”"),
        ("3 > 4 >\n5", "3 > 4 >\n5", "3 > 4 >\n5", "3 > 4 >\n5"),
    ],
)
def test_read_workbook__values(one: OneCell, raw: object, value: object, code: str, typed: str) -> None:
    one.sheet["B4"] = raw
    cell, found = one.read()
    assert (cell.value, cell.code, cell.typed) == (value, code, typed)
    assert type(cell.value) is type(value)
    assert found == []


@pytest.mark.parametrize(
    ("raw", "number_format", "code", "said"),
    [
        (
            1000, "0.00E+00", "1000",
            "number-format: the spreadsheet turned what was typed into the number 1000",
        ),
        (0.5, "0%", "0.5", "number-format: `50%` is kept by the spreadsheet as 0.5"),
        (1, "0%", "1", "number-format: `100%` is kept by the spreadsheet as 1"),
        (
            1234567890123456, "0", "1234567890123456",
            "rounded-number: 1234567890123456 has more digits than a spreadsheet keeps: "
            "it is already rounded",
        ),
        ("#N/A", "General", "", "error-value: the cell holds the spreadsheet's error #N/A"),
        ("=#N/A", "General", "", "error-value: the cell holds the spreadsheet's error #N/A"),
        ("#REF!", "General", "", "error-value: the cell holds the spreadsheet's error #REF!"),
        ("=1+1", "General", "", "no-saved-result: the formula has no saved result"),
        ("=rossa", "General", "", "no-saved-result: the formula has no saved result"),
    ],
)  # fmt: skip
def test_read_workbook__refused(one: OneCell, raw: object, number_format: str, code: str, said: str) -> None:
    one.sheet["B4"] = raw
    one.sheet["B4"].number_format = number_format
    cell, found = one.read()
    assert found == [f"Turn!B4 {said}"]
    assert cell.code == code


def test_read_workbook__a_formula_that_is_an_empty_text_is_blank(one: OneCell) -> None:
    one.sheet["B4"] = '=""'
    cell, found = one.read()
    assert (cell.empty, found) == (True, [])


def test_read_workbook__text_that_begins_with_an_equals_sign(one: OneCell) -> None:
    one.sheet["B4"] = "= red"
    one.sheet["B4"].data_type = "s"
    cell, found = one.read()
    assert (cell.code, found) == ("= red", [])


def test_read_workbook__no_trouble_outside_of_tables(one: OneCell) -> None:
    one.sheet["H9"] = "#REF!"
    one.sheet["H10"] = "=1+1"
    assert one.read()[1] == []


@pytest.mark.parametrize(
    ("raw", "number_format", "code", "typed"),
    [
        (datetime(2026, 4, 3), "d-mmm", '@"2026-04-03"', "3-Apr"),
        (datetime(2026, 4, 3), "mm-dd-yy", '@"2026-04-03"', "04-03-26"),
        (datetime(2026, 4, 3), "[$-410]d mmm yyyy;@", '@"2026-04-03"', "3 Apr 2026"),
        (time(3, 4), "h:mm", '@"03:04:00"', "3:04"),
        (time(3, 4, 5), "hh:mm:ss", '@"03:04:05"', "03:04:05"),
        (datetime(2026, 4, 3, 12, 30), "d/m/yy h:mm", '@"2026-04-03T12:30:00"', "3/4/26 12:30"),
    ],
)
def test_read_workbook__dates_among_expressions_are_left_to_the_checker(
    one: OneCell, raw: object, number_format: str, code: str, typed: str
) -> None:
    one.sheet["B4"] = raw
    one.sheet["B4"].number_format = number_format
    cell, found = one.read()
    assert (cell.code, cell.typed, found) == (code, typed, [])
    assert isinstance(cell.value, date | time)


def test_read_workbook__dates_among_words_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    write_book(
        "# Sheet: S\nScale: s(c: list of t)\n # | only for | prefer | text it\n"
        " # | x | |\n 1 | y | first |\n",
        path,
    )
    book = openpyxl.load_workbook(path)
    for address in ("A4", "B3", "D4"):
        book["S"][address] = datetime(2026, 2, 1)
        book["S"][address].number_format = "d-mmm"
    book.save(path)
    found = read_workbook(path)[1]
    message = "converted-to-date: the spreadsheet turned what was typed into a date or time (1-Feb)"
    assert short_problems(found) == [f"S!{address} {message}" for address in ("B3", "A4", "D4")]


def test_read_workbook__merges_and_hidden_lines(one: OneCell) -> None:
    one.sheet.append(["2", "5"])
    one.sheet.merge_cells("A4:A5")
    one.sheet.row_dimensions[5].hidden = True
    one.sheet.column_dimensions.group("B", "D", hidden=True)
    assert one.read()[1] == [
        "Turn!B2:B5 hidden-columns: column B is hidden but part of the table",
        "Turn!A4:A5 merged-cells: merged cells in a table: A4:A5 show one value for several rows",
        "Turn!A5:B5 hidden-rows: row 5 is hidden but part of the table",
    ]


def test_read_workbook__hidden_sheets(one: OneCell) -> None:
    hidden = one.book.create_sheet("Old")
    hidden.append(["Types: old"])
    hidden.append(["name"])
    hidden.append(["x"])
    hidden.sheet_state = "veryHidden"
    one.book.create_sheet("Empty").sheet_state = "hidden"
    one.book.save(one.path)
    book, found = read_workbook(one.path)
    assert book and [t.name for t in book.tables] == ["d", "old"]
    assert render(found) == (
        "book.xlsx!Old!A1: warning[hidden-sheet]: the sheet is hidden, but its tables count\n"
        "  hint: show the sheet, or delete it if it must not count\n"
    )


def test_read_workbook__same_as_drawn(tmp_path: Path) -> None:
    drawn = (
        "# Sheet: A b\nTypes: t ; source: A-1\n name | names\n x | 1, 2\n y | 3.5\n z | = 3\n"
        "\n# Sheet: C\nTypes: u\n name\n é\n"
    )
    write_book(drawn, tmp_path / "book.xlsx")
    assert read_workbook(tmp_path / "book.xlsx") == book_text(drawn)


@pytest.mark.skipif(
    not SKETCH.exists(), reason="the sketched workbook lies beside the repository only where it is built"
)
def test_read_workbook__a_whole_game(tmp_path: Path) -> None:
    drawn = SKETCH.read_text(encoding="utf-8")
    write_book(drawn, tmp_path / "book.xlsx")
    book, found = read_workbook(tmp_path / "book.xlsx")
    assert (book, found) == book_text(drawn)
    assert render(found) == ""
    assert book and len(book.tables) == drawn.count("```table")


# -- files that other programs saved -----------------------------------------------------------


def edited(path: Path, edit: Callable[[str], str], part: str = "xl/worksheets/sheet1.xml") -> None:
    """What no library of ours writes: the file's XML, changed."""
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts[part] = edit(parts[part].decode()).encode()
    with ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    ("saved", "code", "said"),
    [
        (
            '<c r="B4"><f>1+1</f><v>2</v></c>', "2",
            ["formula: `=1+1` is a formula; its saved result 2 is read"],
        ),
        (
            '<c r="B4" t="str"><f>A4</f><v>red</v></c>', "red",
            ["formula: `=A4` is a formula; its saved result red is read"],
        ),
        ('<c r="B4" t="str"><f>A4</f><v></v></c>', "", []),
        ('<c r="B4" t="b"><f>TRUE()</f><v>1</v></c>', "true", []),
        ('<c r="B4" t="e"><f>1/0</f><v>#DIV/0!</v></c>', "", ["error-value: the formula gives #DIV/0!"]),
        (
            '<c r="B4" t="e"><f>rossa</f><v>#NAME?</v></c>', "",
            ["broken-formula: the text begins with `=`, so the spreadsheet takes it for a formula"],
        ),
        ('<c r="B4" t="e"><v>#N/A</v></c>', "", ["error-value: the cell holds the spreadsheet's error #N/A"]),
        ('<c r="B4" t="inlineStr"><is><t>red</t></is></c>', "red", []),
        ('<c r="B4"><v>1.2345678901234567E+16</v></c>', "12345678901234600", [
            "rounded-number: 12345678901234600 has more digits than a spreadsheet keeps: "
            "it is already rounded"
        ]),
    ],
)  # fmt: skip
def test_read_workbook__saved_by_a_spreadsheet(one: OneCell, saved: str, code: str, said: list[str]) -> None:
    one.book.save(one.path)
    edited(one.path, lambda xml: re.sub(r'<c r="B4".*?</c>', saved, xml))
    book, found = read_workbook(one.path)
    assert book is not None
    assert short_problems(found) == [f"Turn!B4 {message}" for message in said]
    assert book.tables[0].rows[0].cells[1].code == code
