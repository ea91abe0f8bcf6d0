"""On which printed pages, faces and cards each table stands, as the workbook's `Pages` tables say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from dtables.authoring.dressing.choices import cells_of
from dtables.workbook.language import PAPERS, PRINTED, SIDES, closed_word
from dtables.workbook.tables import TableText

_CARD = "tarot"
_FACE = re.compile(r"[0-9]{1,2}[a-z]?")
_WORDS = {
    "en": {"face": "face", "card": "card", "back": "back", "never": "never", "inside": "inside"},
    "it": {"face": "faccia", "card": "carta", "back": "retro", "never": "mai", "inside": "dentro"},
}


def printed_on(tables: tuple[TableText, ...], labels: Mapping[str, str], language: str) -> dict[str, str]:
    """By the tables' names; `labels` are those of pages."""
    places: dict[str, list[str]] = defaultdict(list)
    for table in tables:
        if table.kind == "pages":
            for name, place in _rows(table, labels, language):
                places[name].append(place)
    found = {name: ", ".join(dict.fromkeys(where)) for name, where in places.items()}
    return {**{table.name: said for table in tables if (said := _elsewhere(table, language))}, **found}


def _rows(table: TableText, labels: Mapping[str, str], language: str) -> Iterable[tuple[str, str]]:
    """Each table that a row names, and where it puts it. A blank page is that of the row above."""
    words = _WORDS[language]
    page = ""
    for row in table.rows:
        cells = {column.role: row.cells[place].typed for place, column in enumerate(table.columns)}
        page = cells.get("page") or page
        if not cells.get("table"):
            continue
        card = closed_word(PAPERS, cells.get("size", "")) == _CARD
        side = closed_word(SIDES, cells.get("side", ""))
        place = labels.get(page) or (f"{words['face']} {page}" if _FACE.fullmatch(page) else page)
        place = f"{words['card']} «{place}»" if card else place
        yield cells["table"], f"{place} ({words['back']})" if side == "back" else place


def _elsewhere(table: TableText, language: str) -> str:
    """What a table says of itself: that it is never printed, or inside another."""
    typed = next((p.value.text for p in table.properties if p.word == "print"), "")
    word, _, name = typed.partition(" ")
    match closed_word(PRINTED, word):
        case "never":
            return _WORDS[language]["never"]
        case "inside":
            return f"{_WORDS[language]['inside']} {name.strip()}"
        case _:
            return ""


def page_labels(tables: Iterable[TableText], language: str) -> dict[str, str]:
    """What the glossary calls pages and the workbook, of whatever kind it lists them."""
    found: dict[str, str] = {}
    for table in tables:
        if table.kind != "glossary":
            continue
        columns = [
            n for n, c in enumerate(table.columns) if c.role == "label" and c.language in (language, None)
        ]
        for name, row in zip(cells_of(table, "id"), table.rows, strict=False):
            label = next((row.cells[n].typed for n in columns if row.cells[n].typed), "")
            if label:
                found.setdefault(name.typed, label)
    return found
