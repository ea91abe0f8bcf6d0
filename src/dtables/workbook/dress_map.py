"""The first sheet: a map of the tables, each a link to where it stands."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Any

from openpyxl.styles import Alignment
from openpyxl.utils import quote_sheetname
from openpyxl.worksheet.hyperlink import Hyperlink

from dtables.workbook.dress_help import language_of
from dtables.workbook.dress_palette import HAIRLINE, INK, MUTED, hue, lighter
from dtables.workbook.dress_styles import BODY, HEADLINE, SMALL, fill, letters, underline
from dtables.workbook.roles import BY_NAME
from dtables.workbook.tables import BookText, TableText

NAMES = {"en": "Map", "it": "Mappa"}
SUBTITLES = {
    "en": "The tables of this workbook; a click on a name leads there.",
    "it": "Le tabelle di questa cartella; un clic su un nome ci porta.",
}
_HEADS = {
    "en": ("table", "kind", "title", "rules", "rows"),
    "it": ("tabella", "genere", "titolo", "regole", "righe"),
}
_WIDTHS = (34.0, 16.0, 46.0, 44.0, 8.0)
_TOP = 4
LINK = "2F5D8A"


def add_map(book: Any, text: BookText) -> None:
    """Nothing on it reads like a table (hence the signs before names and kinds): a reader passes it by."""
    if not text.tables:
        return
    language = _main_language(text)
    sheet = book.create_sheet(_free_name(book, NAMES[language]), 0)
    book.active = 0
    for other in book.worksheets:
        other.sheet_view.tabSelected = other is sheet
    _frame(sheet, text, language)
    row = _TOP + 1
    for name, tables in groupby(text.tables, key=lambda table: table.marker.cell.ref.sheet):
        row = _section(sheet, name, list(tables), row, language)


def without_map(book: Any) -> None:
    """Takes the map of an earlier dressing away."""
    for sheet in list(book.worksheets):
        if sheet["A2"].value in SUBTITLES.values() and len(book.worksheets) > 1:
            book.remove(sheet)


def _main_language(text: BookText) -> str:
    return Counter(language_of(table) for table in text.tables).most_common(1)[0][0]


def _free_name(book: Any, wanted: str) -> str:
    taken = {name.casefold() for name in book.sheetnames}
    free = (
        name for name in (wanted, *(f"{wanted} {n}" for n in range(2, 99))) if name.casefold() not in taken
    )
    return next(free)


def _frame(sheet: Any, text: BookText, language: str) -> None:
    sheet["A1"] = text.name.rpartition(".")[0] or text.name
    sheet["A1"].font = letters(HEADLINE, INK, bold=True)
    sheet["A2"] = SUBTITLES[language]
    sheet["A2"].font = letters(BODY, MUTED)
    for column, (head, width) in enumerate(zip(_HEADS[language], _WIDTHS, strict=True), 1):
        cell = sheet.cell(_TOP, column, head)
        cell.font = letters(SMALL, MUTED, italic=True)
        cell.border = underline("medium", MUTED)
        cell.alignment = Alignment(horizontal="right" if column == len(_WIDTHS) else None)
        sheet.column_dimensions[cell.column_letter].width = width
    sheet.freeze_panes = sheet.cell(_TOP + 1, 1)
    sheet.sheet_view.showGridLines = False
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


def _section(sheet: Any, name: str, tables: list[TableText], row: int, language: str) -> int:
    cell = sheet.cell(row, 1, name)
    cell.font = letters(BODY + 1, INK, bold=True)
    _link(cell, name, "A1")
    for table in tables:
        row += 1
        _line(sheet, table, row, language)
    return row + 2


def _line(sheet: Any, table: TableText, row: int, language: str) -> None:
    kind = BY_NAME[table.kind]
    word = (kind.it if language == "it" else kind.en)[0]
    said = {(p.word, p.language): p.value.text for p in table.properties}
    title = said.get(("title", language)) or said.get(("title", None)) or ""
    source = said.get(("source", None), "")
    values = (f"› {table.name or word}", f"· {word}", title, source, len(table.rows))
    for column, value in enumerate(values, 1):
        cell = sheet.cell(row, column, value)
        cell.font = letters(BODY, MUTED if column > 3 else INK)
        cell.alignment = Alignment(vertical="center", wrap_text=column > 2, indent=1 if column == 1 else 0)
        cell.border = underline("thin", HAIRLINE)
    where = table.marker.cell.ref
    _link(sheet.cell(row, 1), where.sheet, where.address)
    _chip(sheet.cell(row, 2), table.kind)


def _chip(cell: Any, kind: str) -> None:
    """The kind in its own colour, as on its sheet."""
    band = hue(kind).band
    cell.fill = fill(lighter(band, 0.84))
    cell.font = letters(SMALL, band)


def _link(cell: Any, sheet: str, address: str) -> None:
    cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quote_sheetname(sheet)}!{address}")
    cell.font = letters(int(cell.font.size), LINK, bold=cell.font.bold, underline="single")
