"""The first sheet: a map of the tables, each a link to where it stands."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Any

from openpyxl.styles import Alignment

from dtables.authoring.dressing.help import (
    TOP,
    first_sheet,
    first_spelling,
    language_of,
    link,
    without_first_sheet,
)
from dtables.authoring.dressing.look import (
    BODY,
    HAIRLINE,
    INK,
    MUTED,
    SMALL,
    fill,
    hue,
    letters,
    lighter,
    underline,
)
from dtables.spreadsheet.writer import set_text
from dtables.workbook.kinds import BY_NAME
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


def add_map(book: Any, text: BookText) -> None:
    """Nothing on it reads like a table (hence the signs before names and kinds): a reader passes it by."""
    if not text.tables:
        return
    language, _ = Counter(map(language_of, text.tables)).most_common(1)[0]
    title = text.name.rpartition(".")[0] or text.name
    heads = tuple(zip(_HEADS[language], _WIDTHS, strict=True))
    sheet = first_sheet(book, NAMES[language], title, SUBTITLES[language], heads)
    sheet.cell(TOP, len(heads)).alignment = Alignment(horizontal="right")
    row = TOP + 1
    for name, tables in groupby(text.tables, key=lambda table: table.marker.cell.ref.sheet):
        row = _section(sheet, name, list(tables), row, language)


def without_map(book: Any) -> None:
    """Takes the map of an earlier dressing away."""
    without_first_sheet(book, tuple(SUBTITLES.values()))


def _section(sheet: Any, name: str, tables: list[TableText], row: int, language: str) -> int:
    cell = sheet.cell(row, 1)
    set_text(cell, name)
    cell.font = letters(BODY + 1, INK, bold=True)
    link(cell, name, "A1")
    for table in tables:
        row += 1
        _line(sheet, table, row, language)
    return row + 2


def _line(sheet: Any, table: TableText, row: int, language: str) -> None:
    word = first_spelling(BY_NAME[table.kind], language)
    written = {(p.word, p.language): p.value.text for p in table.properties}
    title = written.get(("title", language)) or written.get(("title", None)) or ""
    source = written.get(("source", None), "")
    texts = (f"› {table.name or word}", f"· {word}", title, source)
    for column in range(1, len(texts) + 2):
        cell = sheet.cell(row, column)
        if column <= len(texts):
            set_text(cell, texts[column - 1])
        else:
            cell.value = len(table.rows)
        cell.font = letters(BODY, MUTED if column > 3 else INK)
        cell.alignment = Alignment(vertical="center", wrap_text=column > 2, indent=1 if column == 1 else 0)
        cell.border = underline("thin", HAIRLINE)
    where = table.marker.cell.ref
    link(sheet.cell(row, 1), where.sheet, where.address)
    _chip(sheet.cell(row, 2), table.kind)


def _chip(cell: Any, kind: str) -> None:
    """The kind in its own colour, as on its sheet."""
    band = hue(kind).band
    cell.fill = fill(lighter(band, 0.84))
    cell.font = letters(SMALL, band)
