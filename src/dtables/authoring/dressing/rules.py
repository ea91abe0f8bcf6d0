"""A sheet of the rules that tables say they carry out: each id with the rule's sentence, and who names it.

The ids are those under `source`, and notes that are nothing but ids (`C-28`). The sentences are the author's,
typed on this sheet in either language: dressing keeps them, and adds a blank line for an id that has none.
Where a table `Cases` has the id as a key, the sentence is the one there.
The sheet is no table, so that nothing on it can change what a workbook means.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dtables.authoring.dressing.choices import cells_of
from dtables.authoring.dressing.languages import LANGUAGES
from dtables.authoring.dressing.listing import TOP, aligned, lead, link, listing, shortened, without_listing
from dtables.authoring.dressing.look import (
    BODY,
    GAP,
    HAIRLINE,
    INK,
    LINE_HEIGHT,
    LINK,
    MUTED,
    TALLEST,
    fill,
    letters,
    lines_of,
    underline,
)
from dtables.digits import are_digits
from dtables.provenance import CellRef
from dtables.spreadsheet.writer import set_text
from dtables.workbook.markers import starts_table
from dtables.workbook.tables import BookText, Cell, TableText, text_cell

NAMES = {"en": "Rules", "it": "Regole"}
SUBTITLES = {
    "en": "The rules that the tables name. Their sentences are typed here; dressing adds the ids.",
    "it": "Le regole citate dalle tabelle. Le frasi si scrivono qui; i numeri li aggiunge dtables.",
}
_HEADS = {"en": ("rule", "where"), "it": ("regola", "dove")}
_SENTENCE = {"en": {"it": "in Italian", "en": "in English"}, "it": {"it": "in italiano", "en": "in inglese"}}
_ID = re.compile(r"[A-Z]{1,4}(?:-[A-Z]{1,4})*-[0-9]{1,4}[a-z]?")
_RANGE = re.compile(r"(.*?)([0-9]+)\s*\.\.\s*(.*?)([0-9]+)")
_MOST_IN_RANGE = 500
_BLANK = "FDF3DC"
_ID_WIDTH, _SENTENCE_WIDTH, _WHERE_WIDTH = 11.0, 62.0, 38.0
_MOST_LETTERS = 36
_SIGN = "› "
_FIRST_OWN = 5
"""The column from which on an author's own columns stand."""


@dataclass(slots=True)
class TypedRules:
    """What an author has typed on the sheet: sentences by language, further columns."""

    sentences: dict[str, dict[str, str]] = field(default_factory=dict)
    more: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    heads: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Citations:
    """On which sheet the rules stand, and where each."""

    sheet: str
    places: Mapping[str, str]

    def first(self, ids: Iterable[str]) -> str | None:
        """Return where the first of some rules stands."""
        return next((self.places[name] for name in ids if name in self.places), None)


def taken_rules(book: Any) -> TypedRules:
    """Take the sheet of an earlier dressing away; what was typed on it."""
    typed = TypedRules()
    for sheet in book.worksheets:
        if sheet["A2"].value in SUBTITLES.values():
            _read(sheet, typed)
    without_listing(book, SUBTITLES.values())
    return typed


def _read(sheet: Any, typed: TypedRules) -> None:
    heads = [cell.value for cell in sheet[TOP]]
    spoken = {head: language for said in _SENTENCE.values() for language, head in said.items()}
    places = [(place, spoken[head]) for place, head in enumerate(heads) if head in spoken]
    typed.heads = tuple(heads[_FIRST_OWN - 1 :])
    for cells in sheet.iter_rows(min_row=TOP + 1, values_only=True):
        if not isinstance(cells[0], str):
            continue
        typed.sentences[cells[0]] = {
            language: str(cells[place]).removeprefix(_SIGN)
            for place, language in places
            if cells[place] not in (None, "")
        }
        typed.more[cells[0]] = tuple(cells[_FIRST_OWN - 1 :])


# -- the sheet ---------------------------------------------------------------------------------


def add_rules(book: Any, text: BookText, typed: TypedRules, language: str) -> Citations:
    """Make the sheet where tables name rules, and lead to it from wherever they do."""
    cited, worded = _cited(text.tables), _worded(text.tables)
    typed.sentences.update({name: case.said for name, case in worded.items() if name in cited})
    ids = sorted({*cited, *typed.sentences}, key=_order)
    if not ids:
        return Citations("", {})
    spoken = (language, *(other for other in LANGUAGES if other != language))
    heads = (
        (_HEADS[language][0], _ID_WIDTH),
        *((_SENTENCE[language][one], _SENTENCE_WIDTH) for one in spoken),
        (_HEADS[language][1], _WHERE_WIDTH),
        *((str(head or ""), 30.0) for head in typed.heads),
    )
    sheet = listing(book, NAMES[language], NAMES[language], SUBTITLES[language], heads, None)
    sheet.freeze_panes = sheet.cell(TOP + 1, 2)
    for row, name in enumerate(ids, TOP + 1):
        _line(sheet, row, name, typed, cited.get(name, ()), spoken)
        if name in worded:
            place = worded[name].cell.ref
            link(sheet.cell(row, _FIRST_OWN - 1), place.sheet, place.address)
    found = Citations(sheet.title, {name: f"A{row}" for row, name in enumerate(ids, TOP + 1)})
    _lead(book, text.tables, found, typed, language)
    return found


def _line(
    sheet: Any,
    row: int,
    name: str,
    typed: TypedRules,
    tables: Iterable[TableText],
    spoken: tuple[str, ...],
) -> None:
    said = typed.sentences.get(name, {})
    named = list(dict.fromkeys(table.name or table.kind for table in tables))
    where = f"{_SIGN}{shortened(', '.join(named), _MOST_LETTERS)}" if named else ""
    texts = (
        name,
        *(_no_marker(said.get(language, "")) for language in spoken),
        where,
        *typed.more.get(name, ()),
    )
    for column, content in enumerate(texts, 1):
        cell = sheet.cell(row, column)
        if isinstance(content, str) and content:
            set_text(cell, content)
        elif content:
            cell.value = content
        cell.font = letters(BODY, MUTED if column == _FIRST_OWN - 1 else INK, bold=column == 1)
        cell.alignment = aligned(column, vertical="top", wrap_text=True)
        cell.border = underline("thin", HAIRLINE)
        if 1 < column < _FIRST_OWN - 1 and not content:
            cell.fill = fill(_BLANK)
    widths = (_ID_WIDTH, _SENTENCE_WIDTH, _SENTENCE_WIDTH, _WHERE_WIDTH)
    height = max(lines_of(str(text), width - GAP) for text, width in zip(texts, widths, strict=False))
    sheet.row_dimensions[row].height = min(TALLEST, LINE_HEIGHT * height + 3)
    first = next(iter(tables), None)
    if first is not None:
        place = first.marker.cell.ref
        link(sheet.cell(row, _FIRST_OWN - 1), place.sheet, place.address)


def _no_marker(sentence: str) -> str:
    """A sentence that begins as a table does (`Example: …`) stands behind a sign."""
    begins = starts_table(text_cell(CellRef("", "", 1, 1), sentence))
    return f"{_SIGN}{sentence}" if begins else sentence


# -- who names which ---------------------------------------------------------------------------


def rules_of(table: TableText) -> tuple[str, ...]:
    """The ids that a table names beside its marker."""
    return tuple(name for p in table.properties if p.word == "source" for name in ids_in(p.value.text))


def ids_in(text: str) -> Iterator[str]:
    """The ids of a list, ranges spelled out: `D-02..D-04, D-09`."""
    for part in re.split(r"[,;\n]", text):
        found = _RANGE.fullmatch(part.strip())
        first, last = (int(found[2]), int(found[4])) if found else (0, -1)
        if found and found[1] == (found[3] or found[1]) and first <= last < first + _MOST_IN_RANGE:
            yield from (f"{found[1]}{number:0{len(found[2])}}" for number in range(first, last + 1))
        elif part.strip():
            yield part.strip()


def _naming(table: TableText) -> Iterator[tuple[Cell, tuple[str, ...]]]:
    """The cells of a table that name rules, and which."""
    for one in table.properties:
        if one.word == "source":
            yield one.cell, tuple(ids_in(one.value.text))
    for place, column in enumerate(table.columns):
        if column.role not in ("source", "note"):
            continue
        for row in table.rows:
            cell = row.cells[place]
            names = tuple(ids_in(cell.typed)) if not cell.empty else ()
            if names and (column.role == "source" or all(map(_ID.fullmatch, names))):
                yield cell, names


def _cited(tables: Iterable[TableText]) -> dict[str, list[TableText]]:
    cited: dict[str, list[TableText]] = defaultdict(list)
    for table in tables:
        for _, names in _naming(table):
            for name in names:
                cited[name].append(table)
    return cited


@dataclass(frozen=True, slots=True)
class _Case:
    """A rule's sentence in a table of the workbook."""

    cell: Cell
    said: dict[str, str]


def _worded(tables: Iterable[TableText]) -> dict[str, _Case]:
    found: dict[str, _Case] = {}
    for table in tables:
        if table.kind != "cases":
            continue
        places = [(n, column.language) for n, column in enumerate(table.columns) if column.role == "text"]
        for key, row in zip(cells_of(table, "key"), table.rows, strict=False):
            if _ID.fullmatch(key.code):
                spoken = ((language, row.cells[n].typed) for n, language in places)
                said = {language: typed for language, typed in spoken if language in LANGUAGES and typed}
                found.setdefault(key.code, _Case(key, said))
    return found


def _lead(book: Any, tables: Iterable[TableText], found: Citations, typed: TypedRules, language: str) -> None:
    """Links from the cells that name rules, with the first sentences beside them."""
    for table in tables:
        for cell, names in _naming(table):
            place = found.first(names)
            if place is None:
                continue
            target = book[cell.ref.sheet].cell(cell.ref.row, cell.ref.column)
            said = (
                f"{name}: {_sentence(typed, name, language)}" for name in names if typed.sentences.get(name)
            )
            lead(target, found.sheet, place, "\n".join(said) or None)
            size, italic = int(target.font.size), target.font.italic
            target.font = letters(size, LINK, italic=italic, underline="single")


def _sentence(typed: TypedRules, name: str, language: str) -> str:
    said = typed.sentences[name]
    return said.get(language) or next(iter(said.values()), "")


def _order(name: str) -> tuple[Any, ...]:
    """Shorter names first, numbers as numbers: `D-9` before `D-10` before `GD-01` before `X-D-01`."""
    parts = re.split(r"([0-9]+)", name)
    return (name.count("-"), len(parts[0]), [(0, int(p), "") if are_digits(p) else (1, 0, p) for p in parts])
