"""Drop-downs: from the vocabularies, and from the closed words of the language.

A cell that holds one name refuses others; where several may stand, or an expression, it only asks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.worksheet.datavalidation import DataValidation

from dtables.authoring.dressing.languages import LANGUAGES, first_spelling, words_language
from dtables.authoring.dressing.listing import free_name, without_listing
from dtables.provenance import CellRef
from dtables.spreadsheet.writer import set_text
from dtables.workbook.kinds import BY_NAME
from dtables.workbook.language import YES_NO, ClosedWord
from dtables.workbook.tables import Cell, ColumnText, RowText, TableText

LONGEST_LIST = 255
"""What a spreadsheet takes as a list typed into the validation itself."""

_ONE_NAME = {"data", "settings"}
"""Kinds whose cells of a single vocabulary hold a name and nothing else."""

_Formula = tuple[str, str]
"""The list as the spreadsheet expects it, and what happens to other input."""


def add_choices(sheet: Any, tables: tuple[TableText, ...], names: DeclaredNames, lists: Lists) -> None:
    offered: dict[_Formula, list[CellRef]] = defaultdict(list)
    for table in tables:
        for cell, choice in _choices(table, names):
            formula = _formula(choice, lists)
            if formula is not None:
                offered[formula].append(cell.ref)
    _forget(sheet, {cell.address for cells in offered.values() for cell in cells})
    for (listed, style), cells in offered.items():
        validation = DataValidation(type="list", formula1=listed, allow_blank=True)
        validation.errorStyle, validation.showErrorMessage = style, True
        for run in runs(cells):
            validation.add(run)
        sheet.add_data_validation(validation)


def runs(cells: list[CellRef]) -> list[str]:
    """Cells under one another as one range: a row that is put in between gets the drop-down too."""
    runs: list[list[CellRef]] = []
    for cell in sorted(set(cells), key=lambda cell: (cell.column, cell.row)):
        last = runs[-1][-1] if runs else None
        if last is not None and (last.column, last.row + 1) == (cell.column, cell.row):
            runs[-1].append(cell)
        else:
            runs.append([cell])
    return [f"{run[0].address}:{run[-1].address}" if len(run) > 1 else run[0].address for run in runs]


def _formula(choice: DropDown, lists: Lists) -> _Formula | None:
    style = "warning" if choice.many else "stop"
    if choice.cells is not None:
        return choice.cells, style
    if not choice.names or any(name.startswith(_RUNNING) for name in choice.names):
        return None
    listed = ",".join(name.replace('"', '""') for name in choice.names)
    if len(listed) <= LONGEST_LIST and not any("," in name for name in choice.names):
        return f'"{listed}"', style
    place = lists.place(choice.names)
    return (place, style) if place is not None else None


_RUNNING = ("=", "+", "-", "@")
"""What is chosen is as if typed: it must not run."""


def _forget(sheet: Any, addresses: set[str]) -> None:
    """Drop-downs of an earlier dressing."""
    kept = [
        validation
        for validation in sheet.data_validations.dataValidation
        if not any(address in validation.sqref for address in addresses)
    ]
    sheet.data_validations.dataValidation = kept


# -- lists of their own -----------------------------------------------------------------------


class Lists:
    """A hidden last sheet with the lists that are too long for a validation.

    Each stands in a row of its own with blank ones between: so nothing there reads like a table.
    """

    def __init__(self, book: Any) -> None:
        self._book = book
        self._rows: dict[tuple[str, ...], int] = {}
        without_listing(book, (LISTS,))
        self._name = free_name(book, "Lists")

    def place(self, names: tuple[str, ...]) -> str | None:
        """Return where a list stands."""
        if len(names) > _MOST_LISTED or any(":" in name for name in names):
            return None
        row = self._rows.setdefault(names, _FIRST_ROW + 2 * len(self._rows))
        return f"{quote_sheetname(self._name)}!$A${row}:${get_column_letter(len(names))}${row}"

    def write(self) -> None:
        """Make the sheet, if a list stands on it."""
        if not self._rows:
            return
        sheet = self._book.create_sheet(self._name)
        sheet.sheet_state = "hidden"
        set_text(sheet["A2"], LISTS)
        for names, row in self._rows.items():
            for column, name in enumerate(names, 1):
                set_text(sheet.cell(row, column), name)


_MOST_LISTED = 2_000
LISTS = "Names that cells of this workbook offer."
_FIRST_ROW = 4


# -- which cell offers what --------------------------------------------------------------------


def _choices(table: TableText, names: DeclaredNames) -> list[tuple[Cell, DropDown]]:
    found = [(p.cell, choice) for p in table.properties if (choice := _property(table, p.word, p.cell))]
    roles = DropDown(tuple(_roles(table)), many=True)
    found += [(column.role_cell, roles) for column in table.columns]
    for place, column in enumerate(table.columns):
        offered = [(row.cells[place], _offered(table, column, row, names)) for row in table.rows]
        drop_downs = [(cell, choice) for cell, choice in offered if choice is not None]
        found += drop_downs if _names_stand_there(drop_downs) else []
    return found


def _names_stand_there(drop_downs: list[tuple[Cell, DropDown]]) -> bool:
    """A list beside cells that are all expressions would only be in the way."""
    filled = [(cell.typed, choice) for cell, choice in drop_downs if not cell.empty]
    starts = (any(typed.startswith(name) for name in choice.names) for typed, choice in filled)
    return not filled or any(starts)


def _property(table: TableText, word: str, cell: Cell) -> DropDown | None:
    """`policy: first` stands in one cell with its word."""
    spec = next((p for p in BY_NAME[table.kind].properties if p.name == word), None)
    if spec is None or not spec.words:
        return None
    text = cell.typed.partition(":")[0].strip()
    return DropDown(tuple(f"{text}: {name}" for name in spelled_in(table, spec.words)), many=True)


def _roles(table: TableText) -> Iterator[str]:
    """Roles of the kind in the sheet's language, prose in both of the languages that pages speak."""
    for role in BY_NAME[table.kind].roles:
        word = first_spelling(role, words_language(table))
        if role.in_words or not role.languages:
            yield word
        yield from (f"{word} {spoken}" for spoken in LANGUAGES) if role.languages else ()


def _offered(table: TableText, column: ColumnText, row: RowText, names: DeclaredNames) -> DropDown | None:
    role = next((r for r in BY_NAME[table.kind].roles if r.name == column.role), None)
    if role is not None and role.words:
        return DropDown(spelled_in(table, role.words), many=column.role in ("prefer", "next"))
    if column.role == "type" and table.kind != "data":
        return DropDown(names.types, many=True)
    if table.kind == "pages" and column.role == "table":
        return DropDown(names.tables, many=True)
    if table.kind == "glossary" and column.role == "kind":
        return DropDown(tuple(names.vocabularies), many=True)
    return _typed(table, column, row, names)


def _typed(table: TableText, column: ColumnText, row: RowText, names: DeclaredNames) -> DropDown | None:
    type_ = _type_of(table, column, row, names)
    found = choice_of_type(type_, names, table) if type_ else None
    if found is None or found.many or (table.kind in _ONE_NAME and column.role != "default"):
        return found
    key_of_matrix = table.kind == "matrix" and column.role == "key"
    return DropDown(found.names, found.cells, many=not key_of_matrix)


def _type_of(table: TableText, column: ColumnText, row: RowText, names: DeclaredNames) -> str | None:
    """The text of the type of one cell's value, where the table says it."""
    named = column.name.code if column.name is not None else ""
    parameters = {p.name.text: p.type.text for p in table.marker.parameters}
    match column.role:
        case "type":
            return column.role_cell.code
        case "then" | "take" | "value":
            return table.marker.result.text if table.marker.result else None
        case "if" | "key" | "only for":
            return parameters.get(named, names.inputs.get(named))
        case "given":
            return names.inputs.get(named)
        case "level" | "default":
            places = [place for place, column in enumerate(table.columns) if column.role == "type"]
            return row.cells[places[0]].code if places else None
        case _:
            return None


# -- what a type offers -----------------------------------------------------------------------------
# Which names may stand in a cell, as far as the tables' own text tells: enough for a drop-down.
#
# Meaning is the checker's; a type that is not understood here only means a cell without drop-down.

_BASIC_TYPES = ("number", "whole number", "text", "boolean", "date", "time")


@dataclass(frozen=True, slots=True)
class DropDown:
    """The names a cell may hold; `cells` is where they stand, when they stand in cells of their own.

    `many` says that a cell may hold several of them, or something else besides.
    """

    names: tuple[str, ...]
    cells: str | None = None
    many: bool = False


@dataclass(frozen=True, slots=True)
class DeclaredNames:
    """Vocabularies by name, the types of input fields, names of types."""

    vocabularies: Mapping[str, DropDown]
    inputs: Mapping[str, str]
    types: tuple[str, ...]
    tables: tuple[str, ...]


def known_names(tables: tuple[TableText, ...]) -> DeclaredNames:
    vocabularies: dict[str, DropDown] = {}
    for table in tables:
        vocabularies |= _keyed(table)
    for table in tables:
        vocabularies |= _listed(table, vocabularies)
    records = (table.name for table in tables if table.kind in ("record", "data"))
    types = tuple(dict.fromkeys((*_BASIC_TYPES, *vocabularies, *_type_names(tables), *records)))
    named = tuple(dict.fromkeys(table.name for table in tables))
    return DeclaredNames(vocabularies, _input_types(tables), types, named)


def choice_of_type(text: str, names: DeclaredNames, table: TableText) -> DropDown | None:
    """`card` is one of the cards, `list of card` several; `?` changes nothing."""
    type_text = text.strip().rstrip("?").strip()
    many = re.fullmatch(r"(?:list of|elenco di)\s+(.+)", type_text)
    if many:
        found = choice_of_type(many[1], names, table)
        return DropDown(found.names, found.cells, many=True) if found else None
    if type_text == "boolean":
        return DropDown(spelled_in(table, YES_NO))
    return names.vocabularies.get(type_text)


def spelled_in(table: TableText, words: tuple[ClosedWord, ...]) -> tuple[str, ...]:
    """As the table's sheet spells them."""
    language = words_language(table)
    return tuple(first_spelling(word, language) for word in words)


def cells_of(table: TableText, role: str) -> tuple[Cell, ...]:
    """The cells of the first column of a role."""
    places = [place for place, column in enumerate(table.columns) if column.role == role]
    return tuple(row.cells[places[0]] for row in table.rows) if places else ()


def split_names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r"[,;>\n]", text) if part.strip())


# -- where vocabularies stand ------------------------------------------------------------------


def _keyed(table: TableText) -> dict[str, DropDown]:
    """Keyed data and levels: the names stand in cells, so that a drop-down follows an edit."""
    key = next((p.value.text for p in table.properties if p.word == "key"), None)
    if table.kind == "data" and key:
        cells = cells_of(table, "key")
        return {key: DropDown(tuple(c.typed for c in cells), _range(cells))} if cells else {}
    if table.kind == "settings" and key:
        heads = [column.name or column.role_cell for column in table.columns if column.role == "level"]
        return {key: DropDown(tuple(head.typed for head in heads))}
    return {}


def _range(cells: tuple[Cell, ...]) -> str:
    first, last = cells[0].ref, cells[-1].ref
    letter = get_column_letter(first.column)
    return f"{quote_sheetname(first.sheet)}!${letter}${first.row}:${letter}${last.row}"


def _listed(table: TableText, known: Mapping[str, DropDown]) -> dict[str, DropDown]:
    """The three forms of `Types:`: a list of names; of a vocabulary some names; a vocabulary and more."""
    if table.kind != "types":
        return {}
    found: dict[str, DropDown] = {}
    for name, row in zip(cells_of(table, "name"), table.rows, strict=False):
        cells = {c.role: row.cells[n].typed for n, c in enumerate(table.columns)}
        base = {**known, **found}.get(cells.get("of", ""))
        choice = _choice(cells, base)
        if choice:
            found[name.typed] = choice
    return found


def _choice(cells: Mapping[str, str], base: DropDown | None) -> DropDown | None:
    listed = split_names(cells.get("names", ""))
    if listed:
        return DropDown(listed)
    if base is None:
        return None
    allowed = split_names(cells.get("allowed", ""))
    within = tuple(name for name in base.names if not allowed or name in allowed)
    return DropDown((*within, *split_names(cells.get("plus", ""))))


def _type_names(tables: Iterable[TableText]) -> list[str]:
    return [cell.typed for table in tables if table.kind == "types" for cell in cells_of(table, "name")]


def _input_types(tables: Iterable[TableText]) -> dict[str, str]:
    return {
        field.typed: type_.code
        for table in tables
        if table.kind == "input"
        for field, type_ in zip(cells_of(table, "field"), cells_of(table, "type"), strict=False)
    }
