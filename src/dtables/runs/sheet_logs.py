"""Logs as Excel: one sheet of turns, and a sheet for every list, each row of it with its turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from dtables.diagnostics import Diagnostic
from dtables.feel.types import ListType, may_be_null
from dtables.findings import Finding, quoted
from dtables.model.tables import Ruleset
from dtables.runs.chunks import Chunk, LogError
from dtables.runs.columns import Column, Row, bare, columns_of, state_type, typed_line, unread_line
from dtables.runs.columns import Path as Steps
from dtables.runs.jsonlines import Line, Refused
from dtables.workbook.sheets_in import PlainSheet, SheetRow, Unreadable, read_sheets

ROWS = 1_000
TURNS = "turns"
NAMES = "names"
Key = tuple[object, object]


@dataclass(frozen=True, slots=True)
class LinesChunk:
    """Records that were put together where they were read."""

    file: str | None
    read: tuple[Line, ...]

    @property
    def records(self) -> int:
        return len(self.read)

    def lines(self) -> Iterator[Line]:
        return iter(self.read)


@dataclass(frozen=True, slots=True)
class _Item:
    """A row of a list's sheet: what it adds to the list at `place`, or what is wrong with it."""

    sheet: str
    row: int
    place: Steps
    value: object
    finding: Finding | None


def read_sheet_chunks(path: Path, model: Ruleset, file: str | None = None) -> Iterator[Chunk]:
    """The sheet called `turns` (or the only one) has the records; `names` is passed over."""
    sheets = read_sheets(path)
    if isinstance(sheets, Diagnostic):
        raise LogError(f"{path}: {sheets.message}")
    turns, others = _told_apart(path, sheets)
    items: dict[Key, list[_Item]] = {}
    for sheet in others:
        for key, item in _items(path, sheet, model):
            items.setdefault(key, []).append(item)
    lines = tuple(_lines(path, turns, items, model))
    for start in range(0, len(lines), ROWS):
        yield LinesChunk(file, lines[start : start + ROWS])


def _told_apart(path: Path, sheets: tuple[PlainSheet, ...]) -> tuple[PlainSheet, list[PlainSheet]]:
    """An empty sheet says nothing; one with rows and without turns is told."""
    filled = [sheet for sheet in sheets if sheet.rows and sheet.title != NAMES]
    for sheet in filled:
        if "turn" not in sheet.rows[0].cells:
            raise LogError(f"{path}: the first row of sheet {quoted(sheet.title)} has no column `turn`")
    turns = filled if len(filled) == 1 else [sheet for sheet in filled if sheet.title == TURNS]
    if not turns:
        raise LogError(f"{path}: no sheet is called {quoted(TURNS)}")
    return turns[0], [sheet for sheet in filled if sheet is not turns[0]]


# -- turns -------------------------------------------------------------------------------------


def _lines(path: Path, sheet: PlainSheet, items: dict[Key, list[_Item]], model: Ruleset) -> Iterator[Line]:
    """A row of a list whose turn nobody has is a reject of its own, at the end."""
    columns = _columns(path, sheet, model)
    met: set[Key] = set()
    for row in sheet.rows[1:]:
        line = _line(row, columns)
        said = line.record or {"turn": line.turn, "game": line.game}
        key = (said.get("game"), said.get("turn"))
        if line.record is not None or line.turn is not None:
            met.add(key)
        yield line if line.record is None else _with_items(line, items.get(key, []))
    for key, some in items.items():
        if key not in met:
            yield from (_nobodys(key, item) for item in some)


def _with_items(line: Line, items: list[_Item]) -> Line:
    assert line.record is not None
    for item in items:
        if item.finding is not None:
            return _without_record(line, item.finding)
        try:
            _append(line.record, item)
        except Refused as refused:
            return _without_record(line, Finding(".".join(item.place), refused.found, refused.wanted))
    return line


def _without_record(line: Line, finding: Finding) -> Line:
    said = line.record or {}
    return Line(line.number, None, finding, said.get("turn"), said.get("game"))


def _append(record: dict[str, object], item: _Item) -> None:
    place: object = record
    for step in item.place[:-1]:
        place = place.setdefault(step, {}) if isinstance(place, dict) else None
    if not isinstance(place, dict):
        raise Refused("a value beside fields of it", "one or the other")
    found = place.setdefault(item.place[-1], [])
    if not isinstance(found, list):
        raise Refused(quoted(found), f"nothing beside the rows of sheet {item.sheet}")
    found.append(item.value)


def _nobodys(key: Key, item: _Item) -> Line:
    if item.finding is not None:
        return Line(item.row, None, item.finding)
    found = _standing(quoted(key[1]), item.row, item.sheet)
    return Line(item.row, None, Finding("turn", found, f"a turn of sheet {quoted(TURNS)}"))


def _standing(found: str, row: int, sheet: str) -> str:
    return f"{found} in row {row} of sheet {quoted(sheet)}"


# -- lists -------------------------------------------------------------------------------------


def _items(path: Path, sheet: PlainSheet, model: Ruleset) -> Iterator[tuple[Key, _Item]]:
    columns = _columns(path, sheet, model)
    place = _list_of(path, sheet, columns, model)
    nothing = _blank_is_null(place, columns, model)
    columns = tuple(_of_item(column) if column.path == place else column for column in columns)
    for row in sheet.rows[1:]:
        line = _line(row, columns)
        record = line.record or {}
        key = _key(row, columns)
        value: object = record
        for step in place:
            value = value.get(step) if isinstance(value, dict) else None
        if value is None and not nothing:
            value = {}
        wrong = line.finding
        if wrong is not None:
            wrong = replace(wrong, found=_standing(wrong.found, row.number, sheet.title))
        yield key, _Item(sheet.title, row.number, place, value, wrong)


def _blank_is_null(place: Steps, columns: tuple[Column, ...], model: Ruleset) -> bool:
    """A row with nothing but its turn is a null where the list may have one, else a record without fields;
    where the items are no records it is a null that the list may not have, and is rejected."""
    of = bare(state_type(model, place[1:]))
    return any(c.path == place for c in columns) or (isinstance(of, ListType) and may_be_null(of.item))


def _of_item(column: Column) -> Column:
    """A column that holds the items themselves."""
    types = ((ask, bare(of)) for ask, of in column.types)
    items = tuple((ask, of.item) for ask, of in types if isinstance(of, ListType))
    return Column(column.head, column.path, items)


def _key(row: SheetRow, columns: tuple[Column, ...]) -> Key:
    """Also of a row that cannot be read: its turn must not be answered without it."""
    by_path = dict(zip((column.path for column in columns), row.cells, strict=False))
    return by_path.get(("game",)), by_path.get(("turn",))


def _list_of(path: Path, sheet: PlainSheet, columns: tuple[Column, ...], model: Ruleset) -> Steps:
    """The one list that the columns of a sheet are in."""
    places = {_list_above(column.path, model) for column in columns if column.path[0] == "state"}
    place = places.pop() if len(places) == 1 else None
    if place is None:
        raise LogError(f"{path}: the columns of sheet {quoted(sheet.title)} are not those of one list")
    return place


def _list_above(path: Steps, model: Ruleset) -> Steps | None:
    for length in range(2, len(path) + 1):
        if isinstance(bare(state_type(model, path[1:length])), ListType):
            return path[:length]
    return None


# -- rows --------------------------------------------------------------------------------------


def _columns(path: Path, sheet: PlainSheet, model: Ruleset) -> tuple[Column, ...]:
    heads = sheet.rows[0].cells
    unnamed = next((place for place, head in enumerate(heads, 1) if not isinstance(head, str)), None)
    if unnamed is not None:
        raise LogError(f"{path}: column {unnamed} of sheet {quoted(sheet.title)} has no name")
    return columns_of(map(str, heads), model, f"{path}, sheet {sheet.title}")


def _line(row: SheetRow, columns: tuple[Column, ...]) -> Line:
    cells = row.cells + (None,) * (len(columns) - len(row.cells))
    for place, cell in enumerate(cells):
        if isinstance(cell, Unreadable):
            path = ".".join(columns[place].path) if place < len(columns) else "$"
            return unread_line(Row(row.number, cells), columns, Finding(path, cell.shown, "a value"))
    return typed_line(Row(row.number, cells), columns)
