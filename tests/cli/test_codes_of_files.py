"""What `dtables check` says of files: what a spreadsheet makes of cells, and what is no whole workbook.

Each case writes a file; what is said of it stands in tests/cases_of_files. `make golden` writes what is said
now; read the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import datetime, time
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest
from click.testing import CliRunner
from openpyxl.worksheet.worksheet import Worksheet

import dtables
from dtables.cli import main
from dtables.diagnostics import render
from tests.support.drawing import write_book
from tests.support.golden import golden

CASES = Path(__file__).parents[1] / "cases_of_files"
FARES = """
# Sheet: Fares
Decision: fare(age: number) -> number ; policy: first
  # | if | then | note en
    | age | fare |
  1 | < 12 | 3 | children
  2 | < 65 | 5 | adults
  3 | - | 4 | others
"""
TOWNS = """
# Sheet: Towns
Types: words
  name | names
  town | mill, port
"""
SHEET, WORKBOOK, LINKS = "xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
STYLES = "xl/styles.xml"
OLD = bytes.fromhex("d0cf11e0a1b11ae1")
"""How files begin that hold others: workbooks of the old kind, and those with a password."""

Case = Callable[[Path], object]


# -- what a spreadsheet makes of cells ---------------------------------------------------------


def edited(path: Path, edit: Callable[[Worksheet], object]) -> None:
    write_book(FARES, path)
    book = openpyxl.load_workbook(path)
    edit(book.active)
    book.save(path)


def dates_out_of_typing(path: Path) -> None:
    """`3-4` in a condition, `2/1` for a number, a time in a name."""

    def edit(sheet: Worksheet) -> None:
        for address, value, shown in (
            ("A5", datetime(2026, 1, 2), "d-mmm"),
            ("B4", datetime(2026, 4, 3), "d-mmm"),
            ("C5", datetime(2026, 2, 1), "dd/mm/yyyy"),
            ("C3", time(3, 4), "h:mm"),
            ("D6", datetime(2026, 1, 1, 12, 30), "d/m/yy h:mm"),
        ):
            sheet[address] = value
            sheet[address].number_format = shown

    edited(path, edit)


def numbers_in_another_format(path: Path) -> None:
    def edit(sheet: Worksheet) -> None:
        for address, value, shown in (
            ("C4", 1000, "0.00E+00"),
            ("C5", 0.5, "0%"),
            ("C6", 1234567890123456, "0"),
        ):
            sheet[address] = value
            sheet[address].number_format = shown

    edited(path, edit)


def formulas_and_errors(path: Path) -> None:
    """As a spreadsheet saves them: a sum, one never worked out, `=adults`, a division, a lost place."""
    write_book(FARES + "  4 | - | 4 |\n  5 | - | 4 |\n", path)
    for address, cell in (
        ("C4", "<f>1+1</f><v>2</v>"),
        ("C5", "<f>C4*2</f>"),
        ("C6", '" t="e"><f>adults</f><v>#NAME?</v>'),
        ("C7", '" t="e"><f>1/0</f><v>#DIV/0!</v>'),
        ("C8", '" t="e"><v>#REF!</v>'),
    ):
        start = f'<c r="{address}' + (cell if cell.startswith('"') else f'">{cell}')
        replace(path, rf'<c r="{address}"[^>]*>.*?</c>', f"{start}</c>")


def hidden_rows_and_columns(path: Path) -> None:
    def edit(sheet: Worksheet) -> None:
        sheet.row_dimensions[5].hidden = True
        sheet.column_dimensions["B"].hidden = True

    edited(path, edit)


def hidden_sheet_with_tables(path: Path) -> None:
    write_book(FARES + TOWNS, path)
    book = openpyxl.load_workbook(path)
    book["Towns"].sheet_state = "hidden"
    book.save(path)


def merged_cells(path: Path) -> None:
    def edit(sheet: Worksheet) -> None:
        sheet.merge_cells("A4:A5")
        sheet.merge_cells("C5:D5")

    edited(path, edit)


def cell_longer_than_cells_can_be(path: Path) -> None:
    write_book(FARES, path)
    replace(path, r'<c r="C6"[^>]*>.*?</c>', f'<c r="C6" t="str"><v>{"1 + " * 8192}1</v></c>')


# -- files that are no workbook ----------------------------------------------------------------


def lock(path: Path) -> Path:
    found = path.with_name(f"~${path.name}")
    found.write_bytes(b"somebody")
    return found


def lock_of_libreoffice(path: Path) -> Path:
    found = path.with_name(f".~lock.{path.name}#")
    found.write_bytes(b",somebody,here")
    return found


def password(path: Path) -> None:
    path.write_bytes(OLD + bytes(600) + "EncryptedPackage".encode("utf-16-le"))


def old_workbook(path: Path) -> None:
    path.write_bytes(OLD + bytes(600))


def table_as_text(path: Path) -> None:
    path.write_text("age;fare\n12;3\n", encoding="utf-8")


def picture(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")


def open_document(path: Path) -> None:
    pack(path, {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": b"<a/>"})


def binary_workbook(path: Path) -> None:
    pack(path, {"[Content_Types].xml": b"<a/>", "xl/workbook.bin": b""})


def letter(path: Path) -> None:
    pack(path, {"word/document.xml": b"<a/>"})


def strict_workbook(path: Path) -> None:
    write_book(FARES, path)
    ordinary = "schemas.openxmlformats.org/spreadsheetml/2006"
    replace(path, ordinary, "purl.oclc.org/ooxml/spreadsheetml", WORKBOOK)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def nothing_there(path: Path) -> None:
    assert not path.exists()


def disk_that_fails(path: Path) -> None:
    """The beginning of a process' memory is a file that nobody can read."""
    path.symlink_to("/proc/self/mem")


# -- workbooks that are damaged, or more than one ----------------------------------------------


def empty_file(path: Path) -> None:
    path.write_bytes(b"")


def half_a_file(path: Path) -> None:
    write_book(FARES, path)
    path.write_bytes(path.read_bytes()[:2_000])


def sheet_that_is_lost(path: Path) -> None:
    write_book(FARES + TOWNS, path)
    parts = parts_of(path)
    del parts["xl/worksheets/sheet2.xml"]
    pack(path, parts)


def texts_that_are_lost(path: Path) -> None:
    write_book(FARES, path)
    replace(path, r'<c r="B4"[^>]*>.*?</c>', '<c r="B4" t="s"><v>99</v></c>')


def sheet_that_cannot_be_read(path: Path) -> None:
    write_book(FARES, path)
    replace(path, "</sheetData>", "")


def format_that_is_lost(path: Path) -> None:
    write_book(FARES, path)
    replace(path, 'numFmtId="49"', 'numFmtId="188"', STYLES)


def sheet_of_macros(path: Path) -> None:
    write_book(FARES + TOWNS, path)
    kind = "http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet"
    replace(path, r'Type="[^"]*"(?=[^>]*sheet2\.xml")', f'Type="{kind}"', LINKS)


def sheet_in_another_file(path: Path) -> None:
    write_book(FARES + TOWNS, path)
    replace(path, '"/xl/worksheets/sheet2.xml"', '"towns.xlsx" TargetMode="External"', LINKS)


def entities(path: Path) -> None:
    write_book(FARES, path)
    replace(path, r"\A", '<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/hostname">]>')


def deeper_than_sheets_are(path: Path) -> None:
    write_book(FARES, path)
    replace(path, "</sheetData>", "</sheetData>" + "<a>" * 300 + "</a>" * 300)


def many_parts(path: Path) -> None:
    pack(path, {f"pictures/{n}": b"" for n in range(5_000)})


# -- how they are made -------------------------------------------------------------------------


def parts_of(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(path: Path, parts: dict[str, bytes]) -> None:
    with ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def replace(path: Path, old: str, new: str, part: str = SHEET) -> None:
    """In the XML of a part, what no library of ours writes."""
    parts = parts_of(path)
    text, times = re.subn(old, new, parts[part].decode())
    assert times
    pack(path, parts | {part: text.encode()})


# -- what is said ------------------------------------------------------------------------------

CHECKED: tuple[Case, ...] = (
    dates_out_of_typing, numbers_in_another_format, formulas_and_errors, hidden_rows_and_columns,
    hidden_sheet_with_tables, merged_cells, cell_longer_than_cells_can_be,
    lock, lock_of_libreoffice, password, old_workbook, table_as_text, picture, open_document,
    binary_workbook, letter, strict_workbook, pipe,
    empty_file, half_a_file, sheet_that_is_lost, texts_that_are_lost, sheet_that_cannot_be_read,
    format_that_is_lost, sheet_of_macros, sheet_in_another_file, entities, deeper_than_sheets_are, many_parts,
)  # fmt: skip
REFUSED_BY_THE_COMMAND: tuple[Case, ...] = (folder, nothing_there)
"""Before it looks; a program may ask all the same."""


@pytest.mark.parametrize("case", CHECKED, ids=lambda case: case.__name__)
def test_file(case: Case, tmp_path: Path) -> None:
    golden(CASES / f"{case.__name__}.txt", checked(case, tmp_path / "book.xlsx"))


def checked(case: Case, path: Path) -> str:
    made = case(path)
    place = made if isinstance(made, Path) else path
    result = CliRunner().invoke(main, ["check", "--all", "--notes", str(place)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result.output


@pytest.mark.parametrize("case", REFUSED_BY_THE_COMMAND, ids=lambda case: case.__name__)
def test_file_that_the_command_refuses(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    case(path)
    golden(CASES / f"{case.__name__}.txt", render(dtables.check(path).diagnostics))
    assert CliRunner().invoke(main, ["check", str(path)]).exit_code == 2


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="only Linux has a file that cannot be read")
def test_file_on_a_disk_that_fails(tmp_path: Path) -> None:
    golden(CASES / "disk_that_fails.txt", checked(disk_that_fails, tmp_path / "book.xlsx"))


def test_every_golden_file_has_its_case() -> None:
    cases = (*CHECKED, *REFUSED_BY_THE_COMMAND, disk_that_fails)
    assert {path.stem for path in CASES.iterdir()} == {case.__name__ for case in cases}
