"""Which names may stand in a cell, as far as the tables' own text tells: enough for a drop-down.

Meaning is the checker's; a type that is not understood here only means a cell without drop-down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from openpyxl.utils import get_column_letter, quote_sheetname

from dtables.workbook.dress_help import first_spelling, language_of
from dtables.workbook.tables import Cell, TableText
from dtables.workbook.words import YES_NO, ClosedWord

_BASIC_TYPES = ("number", "whole number", "text", "boolean", "date", "time")


@dataclass(frozen=True, slots=True)
class Choice:
    """The names a cell may hold; `cells` is where they stand, when they stand in cells of their own.

    `many` says that a cell may hold several of them, or something else besides.
    """

    names: tuple[str, ...]
    cells: str | None = None
    many: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """Vocabularies by name, the types of input fields, names of types."""

    vocabularies: Mapping[str, Choice]
    inputs: Mapping[str, str]
    types: tuple[str, ...]
    tables: tuple[str, ...]


def known_names(tables: tuple[TableText, ...]) -> Names:
    vocabularies: dict[str, Choice] = {}
    for table in tables:
        vocabularies |= _keyed(table)
    for table in tables:
        vocabularies |= _listed(table, vocabularies)
    records = (table.name for table in tables if table.kind in ("record", "data"))
    types = tuple(dict.fromkeys((*_BASIC_TYPES, *vocabularies, *_type_names(tables), *records)))
    named = tuple(dict.fromkeys(table.name for table in tables))
    return Names(vocabularies, _input_types(tables), types, named)


def choice_of_type(text: str, names: Names, table: TableText) -> Choice | None:
    """`card` is one of the cards, `list of card` several; `?` changes nothing."""
    wanted = text.strip().rstrip("?").strip()
    many = re.fullmatch(r"(?:list of|elenco di)\s+(.+)", wanted)
    if many:
        found = choice_of_type(many[1], names, table)
        return Choice(found.names, found.cells, many=True) if found else None
    if wanted == "boolean":
        return Choice(spelled_in(table, YES_NO))
    return names.vocabularies.get(wanted)


def spelled_in(table: TableText, words: tuple[ClosedWord, ...]) -> tuple[str, ...]:
    """As the table's sheet spells them."""
    language = language_of(table)
    return tuple(first_spelling(word, language) for word in words)


def cells_of(table: TableText, role: str) -> tuple[Cell, ...]:
    """The cells of the first column of a role."""
    places = [place for place, column in enumerate(table.columns) if column.role == role]
    return tuple(row.cells[places[0]] for row in table.rows) if places else ()


def split_names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r"[,;>\n]", text) if part.strip())


# -- where vocabularies stand ------------------------------------------------------------------


def _keyed(table: TableText) -> dict[str, Choice]:
    """Keyed data and levels: the names stand in cells, so that a drop-down follows an edit."""
    key = next((p.value.text for p in table.properties if p.word == "key"), None)
    if table.kind == "data" and key:
        cells = cells_of(table, "key")
        return {key: Choice(tuple(c.typed for c in cells), _range(cells))} if cells else {}
    if table.kind == "settings" and key:
        heads = [column.name or column.role_cell for column in table.columns if column.role == "level"]
        return {key: Choice(tuple(head.typed for head in heads))}
    return {}


def _range(cells: tuple[Cell, ...]) -> str:
    first, last = cells[0].ref, cells[-1].ref
    letter = get_column_letter(first.column)
    return f"{quote_sheetname(first.sheet)}!${letter}${first.row}:${letter}${last.row}"


def _listed(table: TableText, known: Mapping[str, Choice]) -> dict[str, Choice]:
    """The three forms of `Types:`: a list of names; of a vocabulary some names; a vocabulary and more."""
    if table.kind != "types":
        return {}
    found: dict[str, Choice] = {}
    for name, row in zip(cells_of(table, "name"), table.rows, strict=False):
        cells = {c.role: row.cells[n].typed for n, c in enumerate(table.columns)}
        base = {**known, **found}.get(cells.get("of", ""))
        choice = _choice(cells, base)
        if choice:
            found[name.typed] = choice
    return found


def _choice(cells: Mapping[str, str], base: Choice | None) -> Choice | None:
    listed = split_names(cells.get("names", ""))
    if listed:
        return Choice(listed)
    if base is None:
        return None
    allowed = split_names(cells.get("allowed", ""))
    within = tuple(name for name in base.names if not allowed or name in allowed)
    return Choice((*within, *split_names(cells.get("plus", ""))))


def _type_names(tables: Iterable[TableText]) -> list[str]:
    return [cell.typed for table in tables if table.kind == "types" for cell in cells_of(table, "name")]


def _input_types(tables: Iterable[TableText]) -> dict[str, str]:
    return {
        field.typed: type_.code
        for table in tables
        if table.kind == "input"
        for field, type_ in zip(cells_of(table, "field"), cells_of(table, "type"), strict=False)
    }
