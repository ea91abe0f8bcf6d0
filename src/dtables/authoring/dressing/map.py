"""The first sheet: a map of the tables, each a link to where it stands, and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from openpyxl.styles import Alignment

from dtables.authoring.dressing.listing import TOP, first_sheet, lead, link, shortened, without_listing
from dtables.authoring.dressing.look import (
    BODY,
    GAP,
    HAIRLINE,
    INK,
    LINE_HEIGHT,
    MUTED,
    SMALL,
    crowded,
    fill,
    hue,
    letters,
    lighter,
    lines_of,
    underline,
)
from dtables.authoring.dressing.printed import page_labels, printed_on
from dtables.authoring.dressing.rules import Citations, rules_of
from dtables.spreadsheet.writer import set_text
from dtables.workbook.tables import BookText, TableText

NAMES = {"en": "Map", "it": "Mappa"}
SUBTITLES = {
    "en": "The tables of this workbook; a click on a name leads there.",
    "it": "Le tabelle di questa cartella; un clic su un nome ci porta.",
}
_HEADS = {
    "en": ("table", "kind", "title", "rules", "printed on", "rows"),
    "it": ("tabella", "genere", "titolo", "regole", "stampata su", "righe"),
}
_WIDTHS = (34.0, 14.0, 42.0, 36.0, 38.0, 7.0)
_MOST_LETTERS = 34
_BACK = {"en": "Back to the map", "it": "Torna alla mappa"}
BACK = '@"  ↖"'
"""A marker is shown with a sign that it leads back; the cell holds what it held."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """What all lines of a map need."""

    book: Any
    sheet: Any
    printed: dict[str, str]
    rules: Citations
    language: str


def add_map(book: Any, text: BookText, rules: Citations, language: str) -> None:
    """Nothing on it reads like a table (hence the signs before names and kinds): a reader passes it by.

    Its title is what the glossary calls the workbook.
    """
    if not text.tables:
        return
    labels = page_labels(text.tables, language)
    name = text.name.rpartition(".")[0] or text.name
    heads = tuple(zip(_HEADS[language], _WIDTHS, strict=True))
    sheet = first_sheet(book, NAMES[language], labels.get(name, name), SUBTITLES[language], heads)
    sheet.cell(TOP, len(heads)).alignment = Alignment(horizontal="right")
    printed = printed_on(text.tables, labels, language)
    lines = _Lines(book, sheet, printed, rules, language)
    row = TOP + 1
    for name, tables in groupby(text.tables, key=lambda table: table.marker.cell.ref.sheet):
        row = _section(lines, name, tables, row)


def without_map(book: Any) -> None:
    """Takes the map of an earlier dressing away."""
    without_listing(book, SUBTITLES.values())


def _section(lines: _Lines, name: str, tables: Iterable[TableText], row: int) -> int:
    cell = lines.sheet.cell(row, 1)
    set_text(cell, name)
    cell.font = letters(BODY + 1, INK, bold=True)
    link(cell, name, "A1")
    for table in tables:
        row += 1
        _line(lines, table, row)
    return row + 2


def _line(lines: _Lines, table: TableText, row: int) -> None:
    sheet, language = lines.sheet, lines.language
    word = table.marker.cell.typed.partition(":")[0].strip()
    written = {(p.word, p.language): p.value.text for p in table.properties}
    title = written.get(("title", language)) or written.get(("title", None)) or ""
    source = shortened(written.get(("source", None), ""), _MOST_LETTERS)
    # Examples may have the name of what they try.
    printed = "" if table.kind == "examples" else lines.printed.get(table.name, "")
    texts = (f"› {table.name or word}", f"· {word}", title, source, printed)
    for column in range(1, len(texts) + 2):
        cell = sheet.cell(row, column)
        if column <= len(texts):
            set_text(cell, texts[column - 1])
        else:
            cell.value = len(table.rows)
        cell.font = letters(BODY, MUTED if column > 3 else INK)
        side = "left" if column <= len(texts) else "right"
        cell.alignment = Alignment(
            vertical="center", wrap_text=column > 2 or None, horizontal=side, indent=int(side == "left")
        )
        cell.border = underline("thin", HAIRLINE)
    where = table.marker.cell.ref
    link(sheet.cell(row, 1), where.sheet, where.address)
    _chip(sheet.cell(row, 2), table.kind)
    height = max(lines_of(text, width - GAP) for text, width in zip(texts, _WIDTHS, strict=False))
    sheet.row_dimensions[row].height = LINE_HEIGHT * height + 3
    place = lines.rules.first(rules_of(table))
    if place is not None:
        link(sheet.cell(row, 4), lines.rules.sheet, place)
    _lead_back(lines, table, row)


def _lead_back(lines: _Lines, table: TableText, row: int) -> None:
    """From the marker to its line. One that folds has the link under it: some programs do not fold links."""
    where = table.marker.cell.ref
    sheet = lines.book[where.sheet]
    under = [p.cell.ref for p in table.properties if p.word == "title" and p.cell.ref.row > where.row]
    if under and crowded(sheet, table):
        where = under[0]
    cell = sheet.cell(where.row, where.column)
    lead(cell, lines.sheet.title, f"A{row}", _BACK[lines.language])
    if where == table.marker.cell.ref and cell.data_type == "s":
        cell.number_format = BACK


def _chip(cell: Any, kind: str) -> None:
    """The kind in its own colour, as on its sheet."""
    band = hue(kind).band
    cell.fill = fill(lighter(band, 0.84))
    cell.font = letters(SMALL, band)
