"""Rows as most programs write them are read without the parser, and say what it reads in them."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dtables.diagnostics import Diagnostic
from dtables.spreadsheet.cells import RawSheet, read_cells
from dtables.spreadsheet.reader import SheetBroken, SheetRow, opened_sheets
from tests.support.thinned import draws

SHEET = "xl/worksheets/sheet1.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
X14AC = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac"
BEGINS = ("<sheetData>", "<sheetData >")
"""What the second one holds goes to the parser."""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    path = tmp_path_factory.mktemp("plain") / "book.xlsx"
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active["A1"].number_format = "yyyy-mm-dd"
    book.active["A2"].number_format = "0.00"
    for n, text in enumerate(("red", "blue")):
        book.active.cell(3 + n, 1, text)
    book.save(path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def both_ways(
    parts: dict[str, bytes], rows: str, folder: Path, root: str = "", head: str = ""
) -> tuple[object, object]:
    """What is read where the rows may be passed over, and where they may not."""
    found = []
    for n, begins in enumerate(BEGINS):
        sheet = f'{head}<worksheet xmlns="{MAIN}"{root}>{begins}{rows}</sheetData></worksheet>'
        path = folder / f"{n}" / "book.xlsx"
        path.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in parts.items():
                archive.writestr(name, sheet.encode() if name == SHEET else content)
        found.append((read(path), streamed(path)))
    return found[0], found[1]


def read(path: Path) -> tuple[RawSheet, ...] | str:
    found = read_cells(path)
    return found.message if isinstance(found, Diagnostic) else found


def streamed(path: Path) -> list[SheetRow] | str:
    with opened_sheets(path) as sheets:
        if isinstance(sheets, Diagnostic):
            return sheets.message
        try:
            return [row for sheet in sheets for row in sheet.rows()]
        except SheetBroken as broken:
            return str(broken)


CELLS = (
    '<c r="{}" t="inlineStr"><is><t>zone 3</t></is></c>',
    '<c r="{}" t="inlineStr"><is><t xml:space="preserve"> &gt;= 3 &amp;amp; "x"\n</t></is></c>',
    '<c r="{}" t="inlineStr"><is><t>perché \U0001f3b2</t></is></c>',
    '<c r="{}" t="inlineStr"><is><t></t></is></c>',
    '<c r="{}" t="s"><v>1</v></c>',
    '<c r="{}" s="1"><v>45000</v></c>',
    '<c r="{}" s="2" t="n"><v>-12.5</v></c>',
    '<c r="{}"><v>1e5</v></c>',
    '<c r="{}" t="b"><v>1</v></c>',
    '<c r="{}" s="1"/>',
    '<c r="{}" s="1" />',
    '<c r="{}" t="n"></c>',
)
OTHERS = (
    '<c r="{}"><f>1+1</f><v>2</v></c>',
    '<c r="{}" t="str"><v>text</v></c>',
    '<c r="{}" t="e"><v>#N/A</v></c>',
    '<c s="1" r="{}"><v>1</v></c>',
    '<c r="{}" t="inlineStr"><is><r><t>two</t></r><r><t> runs</t></r></is></c>',
    '<c r="{}" t="inlineStr"><is><t>a<!-- ] --></t></is></c>',
    "<!-- {} </row> --><c><v>3</v></c>",
    '<c r="{}" t="inlineStr"><is><t><![CDATA[</row>]]></t></is></c>',
)
BROKEN = (
    '<c r="{}" s="77"><v>1</v></c>',
    '<c r="{}" t="s"><v>77</v></c>',
    '<c r="{}" t="s"><v>x</v></c>',
    '<c r="{}" t="b"><v>2</v></c>',
    '<c r="{}" t="inlineStr"><is><t>]]></t></is></c>',
    '<c r="{}" t="inlineStr"><is><t>\ufffe</t></is></c>',
    '<c r="{}" t="inlineStr"><is><t>\x01</t></is></c>',
    '<c r="{}" t="inlineStr"><is><t>&nbsp;</t></is></c>',
    '<c r="A77"><v>1</v></c>',
    '<c r="B1"><v>1</v></c><c r="B1"><v>1</v></c>',
    '<c r="ZZZ1"><v>1</v></c>',
    '<c r="{}"><v>1</v></c></row>',
    '</sheetData><sheetData><row r="90"></row>',
    "<!-- ",
)
ROWS = (
    '<row r="{}">', '<row r="{}" spans="1:5" x14ac:dyDescent="0.25">',
    '<row r="{}" customFormat="false" ht="12.8" hidden="false" customHeight="false" collapsed="false">',
    '<row r="{}" hidden="1">', '<row r="{}" hidden="true">',
)  # fmt: skip
OTHER_ROWS = ("<row>", '<row r="{}"/><row r="{}">', '\n<row r="{}" >', '<row r="0{}">', '<row r="{}" r="{}">')


@st.composite
def sheets(draw: st.DrawFn) -> str:
    """Mostly plain rows; now and then one that is not, and at most one mistake."""
    numbers = sorted(draw(st.lists(st.integers(1, 12), min_size=1, max_size=6)))
    if draw(st.integers(0, 3)) == 0:
        numbers = draw(st.permutations(numbers))
    if draw(st.integers(0, 2)):
        numbers = list(dict.fromkeys(numbers))
    broken = draw(st.integers(0, 2 * len(numbers)))
    written = []
    for n, number in enumerate(numbers):
        plain = draw(st.integers(0, 3)) > 0
        head = draw(st.sampled_from(ROWS if plain else (*ROWS, *OTHER_ROWS)))
        kinds = draw(st.lists(st.sampled_from(CELLS if plain else (*CELLS, *OTHERS)), max_size=4))
        if n == broken:
            kinds.insert(0, draw(st.sampled_from(BROKEN)))
        columns = draw(st.sampled_from(("ABCDE", "ABCDE", "BDEFG", "ACBDE")))
        cells = (kind.format(f"{letter}{number}") for kind, letter in zip(kinds, columns, strict=False))
        written.append(head.format(number, number + 1) + "".join(cells) + "</row>")
    return "".join(written)


@settings(max_examples=draws(750), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=sheets())
def test_rows__read_alike(rows: str, parts: dict[str, bytes], tmp_path: Path) -> None:
    plain, parsed = both_ways(parts, rows, tmp_path, f' xmlns:x14ac="{X14AC}"')
    assert plain == parsed


@pytest.mark.parametrize("cell", [*CELLS, *OTHERS, *BROKEN])
@pytest.mark.parametrize("row", [*ROWS, *OTHER_ROWS])
def test_rows__each(cell: str, row: str, parts: dict[str, bytes], tmp_path: Path) -> None:
    """The plain row behind it counts, or the sheet is refused."""
    rows = f'{row.format(2, 3)}{cell.format("B2")}</row><row r="9"><c r="A9"><v>9</v></c></row>'
    plain, parsed = both_ways(parts, rows, tmp_path, f' xmlns:x14ac="{X14AC}"')
    assert plain == parsed


@pytest.mark.parametrize(
    ("root", "head", "row"),
    [
        ("", "", '<row r="1" x14ac:dyDescent="0.25"></row>'),
        (
            "",
            '<?xml version="1.0" encoding="ISO-8859-1"?>',
            '<row r="1"><c r="A1" t="str"><v>è</v></c></row>',
        ),
        (
            "",
            '<?xml version="1.0" encoding="ISO-8859-1"?>',
            '<row r="1"><c r="A1" t="inlineStr"><is><t>è</t></is></c></row>',
        ),
        ("", "<!-- <sheetData> -->", '<row r="1"><c r="A1"><v>1</v></c></row>'),
        ("", "<!DOCTYPE worksheet>", '<row r="1"><c r="A1"><v>1</v></c></row>'),
        (' xmlns:a="b" a:c="<"', "", '<row r="1"><c r="A1"><v>1</v></c></row>'),
    ],
)
def test_rows__as_their_sheet_says(
    root: str, head: str, row: str, parts: dict[str, bytes], tmp_path: Path
) -> None:
    plain, parsed = both_ways(parts, row, tmp_path, root, head)
    assert plain == parsed


def test_rows__across_pieces_of_the_file(parts: dict[str, bytes], tmp_path: Path) -> None:
    """Whatever a piece ends with: a tag, a text, a character of several bytes."""
    rows = "".join(
        f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>{"è" * (n % 90)}</t></is></c>'
        f'<c r="B{n}"{" " * (n % 7 == 0)}><v>{n}</v></c></row>'
        for n in range(1, 4_000)
    )
    plain, parsed = both_ways(parts, rows, tmp_path)
    assert plain == parsed
    assert isinstance(plain, tuple)
    assert len(plain[0][0].cells) == 2 * 3_999
