"""What cells hold, read on the way through the file, is what the spreadsheet library reads in them."""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from random import Random

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.worksheet.formula import ArrayFormula

from dtables.diagnostics import Diagnostic
from dtables.spreadsheet.cells import CellKind, RawCell, RawSheet, read_cells
from tests.support.thinned import swept

GAMES = sorted((Path(__file__).parent.parent.parent / "tables").glob("*.xlsx"))
SHEET = "xl/worksheets/sheet1.xml"
SHARED = (
    b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>red _x005F_x</t></si>'
    b"<si><r><t>blu</t></r><r><rPr/><t xml:space='preserve'>e </t></r><rPh sb='0' eb='1'><t>z</t></rPh></si>"
    b"<si/></sst>"
)
LISTED = {
    "[Content_Types].xml": (
        b"</Types>",
        b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-'
        b'officedocument.spreadsheetml.sharedStrings+xml"/>',
    ),
    "xl/_rels/workbook.xml.rels": (
        b"</Relationships>",
        b'<Relationship Id="texts" Target="/xl/sharedStrings.xml" Type="http://schemas.openxmlformats.org/'
        b'officeDocument/2006/relationships/sharedStrings"/>',
    ),
}
TEXTS = (
    "", " ", "red", " spaced  out ", "perché «no»", "a\nb", "_x000D_ and _x005F_x", "=", "5 < 6 & \"7\"",
    "1e5", "\U0001f3b2", "#N/A", "#REF!",
)  # fmt: skip
NUMBERS = (0, 1, -7, 12.5, 0.1 + 0.2, 1e300, -3e-9, 10**15, 45000.75, 59.5, 0.25, -1)
FORMATS = (
    "General", "0.00", "0%", "0.00E+00", "yyyy-mm-dd", "hh:mm:ss", "[h]:mm", "d/m/yy h:mm", "@",
    '"month "0', "# ?/?", "[$-410]d mmm yyyy",
)  # fmt: skip
FORMULAS = ("=1+1", "=TRUE()", '=""', "=#REF!", "=A1&B1", ArrayFormula("A1:B2", "=SUM(A1:B2)"))


def read(path: Path) -> tuple[RawSheet, ...]:
    found = read_cells(path)
    assert not isinstance(found, Diagnostic), found
    return found


def by_library(path: Path) -> list[tuple[object, ...]]:
    """The same, asked of the library: formulas and what was saved of them."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        books = [openpyxl.load_workbook(path, data_only=saved).worksheets for saved in (False, True)]
    for sheet, saved in zip(*books, strict=True):
        cells = {at: _raw(sheet._cells[at], cell) for at, cell in saved._cells.items()}
        merged = {(r.min_row, r.min_col, r.max_row, r.max_col) for r in sheet.merged_cells.ranges}
        hidden = {n for n, row in sheet.row_dimensions.items() if row.hidden}
        columns = {(c.min, c.max) for c in sheet.column_dimensions.values() if c.hidden}
        covered = {(r, c) for a, b, d, e in merged for r in range(a, d + 1) for c in range(b, e + 1)}
        covered -= {(a, b) for a, b, _, _ in merged}
        told = {at: cell for at, cell in cells.items() if at not in covered and _says_something(cell)}
        found.append((sheet.title, sheet.sheet_state != "visible", hidden, columns, merged, told))
    return found


def _raw(cell: openpyxl.cell.Cell, saved: openpyxl.cell.Cell) -> RawCell:
    formula = getattr(cell.value, "text", cell.value) if cell.data_type == "f" else None
    kinds = {"s": CellKind.TEXT, "str": CellKind.TEXT, "e": CellKind.ERROR}
    return RawCell(
        saved.value, kinds.get(saved.data_type, CellKind.OTHER), saved.number_format, formula and str(formula)
    )


def _says_something(cell: RawCell) -> bool:
    return cell.value not in (None, "") or cell.formula is not None


def told_by(sheets: Iterable[RawSheet]) -> list[tuple[object, ...]]:
    found = []
    for sheet in sheets:
        merged = {(*first, *last) for first, last in sheet.merges}
        covered = {(r, c) for a, b, d, e in merged for r in range(a, d + 1) for c in range(b, e + 1)}
        covered -= {(a, b) for a, b, _, _ in merged}
        cells = {at: c for at, c in sheet.cells.items() if at not in covered and _says_something(c)}
        hidden = set(sheet.hidden_rows)
        found.append((sheet.name, sheet.hidden, hidden, set(sheet.hidden_columns), merged, cells))
    return found


def same(path: Path) -> None:
    for ours, theirs in zip(told_by(read(path)), by_library(path), strict=True):
        assert ours == theirs
        assert [type(c.value) for c in ours[5].values()] == [  # type: ignore[attr-defined]
            type(theirs[5][at].value)
            for at in ours[5]  # type: ignore[index, attr-defined]
        ]


def drawn(random: Random, path: Path) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    if random.random() < 0.3:
        book.epoch = datetime(1904, 1, 1)
    for number in range(random.randint(1, 3)):
        _fill(book.create_sheet(f"Sheet & {number}"), random)
    book.worksheets[-1].sheet_state = random.choice(("visible", "hidden")) if number else "visible"
    book.save(path)
    return path


def _fill(sheet: openpyxl.worksheet.worksheet.Worksheet, random: Random) -> None:
    for _ in range(60):
        cell = sheet.cell(random.randint(1, 12), random.randint(1, 30))
        cell.value = _value(random)
        if not isinstance(cell.value, str) or random.random() < 0.3:
            cell.number_format = random.choice(FORMATS)
    sheet.row_dimensions[random.randint(1, 9)].hidden = True
    sheet.column_dimensions["C"].hidden = random.random() < 0.5
    if random.random() < 0.5:
        sheet.merge_cells(start_row=20, start_column=2, end_row=22, end_column=random.randint(2, 4))
        sheet.merge_cells("A4:B5")


def _value(random: Random) -> object:
    match random.randrange(8):
        case 0:
            return random.choice(FORMULAS)
        case 1:
            return random.random() < 0.5
        case 2:
            return random.choice((date(2026, 1, 31), datetime(1900, 1, 1, 5), time(13, 4), timedelta(2, 7)))
        case 3:
            return CellRichText("plain ", TextBlock(InlineFont(b=True), " bold "), random.choice(TEXTS))
        case 4 | 5:
            return random.choice(NUMBERS)
        case _:
            return random.choice(TEXTS)


@pytest.mark.parametrize("seed", range(25))
def test_cells_of_drawn_workbooks(seed: int, tmp_path: Path) -> None:
    same(drawn(Random(seed), tmp_path / "book.xlsx"))


@pytest.mark.parametrize("game", swept(GAMES, 1), ids=lambda path: path.stem)
def test_cells_of_games(game: Path) -> None:
    same(game)


def as_written(rows: str, path: Path) -> Path:
    """A workbook whose first sheet says just this."""
    openpyxl.Workbook().save(path)
    with zipfile.ZipFile(path) as given:
        parts = {name: given.read(name) for name in given.namelist()}
    data = f"<sheetData>{rows}</sheetData>".encode()
    parts[SHEET] = re.sub(rb"<sheetData>.*</sheetData>", lambda _: data, parts[SHEET], flags=re.DOTALL)
    parts["xl/sharedStrings.xml"] = SHARED
    for part, (end, entry) in LISTED.items():
        parts[part] = parts[part].replace(end, entry + end)
    with zipfile.ZipFile(path, "w") as made:
        for name, content in parts.items():
            made.writestr(name, content)
    return path


@pytest.mark.parametrize(
    "rows",
    [
        "<row><c><v>1</v></c><c/><c><v> 5 </v></c></row>"
        "<row r='7'><c t='s'><v>1</v></c><c t='s'><v>0</v></c><c t='s'><v>2</v></c></row>",
        "<row r='2' spans='1:3'><c r='B2' t='b'><v>1</v></c><c r='D2' t='e'><v>#N/A</v></c></row>",
        "<row><c t='str'><f>A1&amp;B1</f><v>x &lt; y</v></c><c t='str'><f>A1</f><v></v></c></row>",
        "<row><c><f>1+1</f></c><c><f>1+1</f><v>2</v></c><c t='n'><v>1.50</v></c><c><v>1e3</v></c></row>",
        "<row><c r='A1'><f t='shared' si='0' ref='A1:A2'>B1+$C$1</f><v>1</v></c></row>"
        "<row r='2'><c r='A2'><f t='shared' si='0'/><v>3</v></c></row>",
        "<row><c><f t='array' ref='A1:A2'>SUM(B1:B2)</f><v>1</v></c></row>",
        "<row><c t='inlineStr'><is><t>a </t></is></c><c t='inlineStr'><is><r><t>b</t></r><r><rPr/>"
        "<t>c</t></r><rPh sb='0' eb='1'><t>z</t></rPh></is></c><c t='inlineStr'/></row>",
        "<row><c t='d'><v>2026-03-01T00:00:00</v></c><c t='d'><v>2026-03-01</v></c></row>",
        "<row hidden='1'><c><v>1</v></c></row><row hidden='0'><c><v>1</v></c></row>",
        "<row><c t='str'><v>two\nlines &#13; &#x1F3B2;</v></c><c t='str'><v><![CDATA[<a>]]></v></c></row>",
        "<!-- odd --><row><!-- odd --><c><!-- odd --><v>4<!-- odd -->2</v></c></row>",
    ],
)
def test_cells_as_they_are_written(rows: str, tmp_path: Path) -> None:
    same(as_written(rows, tmp_path / "book.xlsx"))


@pytest.mark.parametrize(
    "row",
    [
        "<c><v>1<x/>2</v></c>",
        "<c><v>1</v><v>2</v></c>",
        "<c><f>1</f><f>2</f></c>",
        "<c t='inlineStr'><is><t>a</t></is><is><t>b</t></is></c>",
        "<c t='inlineStr'><is><t>a<b/>c</t></is></c>",
    ],
)
def test_cells_that_say_two_things_are_damage(row: str, tmp_path: Path) -> None:
    found = read_cells(as_written(f"<row>{row}</row>", tmp_path / "book.xlsx"))
    assert isinstance(found, Diagnostic)
    assert (found.code, SHEET in found.message) == ("damaged", True)


def test_what_stands_in_an_extension_is_no_cell(tmp_path: Path) -> None:
    extended = "<row><c><extLst><ext uri='x'><row><c r='A9'><v>2</v></c></row></ext></extLst></c></row>"
    assert [cell.value for cell in read(as_written(extended, tmp_path / "book.xlsx"))[0].cells.values()] == [
        None
    ]


@pytest.mark.parametrize("formula", ["&quot;x", "#x", "'a", "1+)"])
def test_a_shared_formula_that_nobody_can_read(tmp_path: Path, formula: str) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"], book.worksheets[0]["A2"] = 1, 1
    book.save(tmp_path / "book.xlsx")
    first, second = rf'<f t="shared" ref="A1:A2" si="0">{formula}</f>', '<f t="shared" si="0"/>'

    def shared(sheet: bytes) -> bytes:
        text = re.sub(r'(<c r="A1"[^>]*>)', rf"\1{first}", sheet.decode())
        return re.sub(r'(<c r="A2"[^>]*>)', rf"\1{second}", text).encode()

    with zipfile.ZipFile(tmp_path / "book.xlsx") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(tmp_path / "book.xlsx", "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, shared(content) if name == SHEET else content)
    found = read_cells(tmp_path / "book.xlsx")
    assert isinstance(found, Diagnostic) and found.code == "damaged"
