"""Logs as Excel: one sheet of turns, and a sheet for every list, each row of it with its turn."""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from dtables.diagnostics import Diagnostic
from dtables.feel.types import ListType, may_be_null
from dtables.logs.columns import LogColumn, NumberedRow, bare, columns_of, exact, state_type, typed_line
from dtables.logs.columns import Path as Steps
from dtables.logs.jsonlines import Chunk, LogError
from dtables.logs.turns import KEY, Turns
from dtables.model.tables import Ruleset
from dtables.records.findings import (
    Finding,
    Refused,
    in_row,
    quoted,
    turn_of_nobody,
    unreadable_cell,
    value_beside_fields,
    value_beside_rows,
)
from dtables.records.json import LogLine
from dtables.spreadsheet.reader import PlainSheet, SheetBroken, SheetRow, Unreadable, opened_sheets

ROWS = 1_000
EACH = 1024
"""What a record takes, or so."""
TURNS = "turns"
NAMES = "names"


@dataclass(frozen=True, slots=True)
class LinesChunk:
    """Records that were put together where they were read."""

    file: str | None
    read: tuple[LogLine, ...]

    @property
    def records(self) -> int:
        return len(self.read)

    @property
    def weight(self) -> int:
        return EACH * len(self.read)

    def given(self) -> Iterator[LogLine]:
        return self.lines()

    def lines(self) -> Iterator[LogLine]:
        return iter(self.read)


def read_sheet_chunks(path: Path, model: Ruleset, file: str | None = None) -> Iterator[Chunk]:
    """The sheet called `turns` (or the only one) has the records; `names` is passed over. Lists are gone
    through before the turns, and wait on the disk."""
    with opened_sheets(path) as sheets, Items() as items:
        if isinstance(sheets, Diagnostic):
            raise LogError(f"{path}: {sheets.message}")
        try:
            turns, others = _split_sheets(path, sheets)
            for sheet in others:
                items.keep(_items(path, sheet, model))
            items.sort()
            lines = _lines(path, turns, items if others else None, model)
            while some := tuple(islice(lines, ROWS)):
                yield LinesChunk(file, some)
        except SheetBroken as broken:
            raise LogError(f"{path}: {broken}") from None


def _split_sheets(path: Path, sheets: tuple[PlainSheet, ...]) -> tuple[PlainSheet, list[PlainSheet]]:
    """An empty sheet says nothing; one with rows and without turns is reported."""
    filled = []
    for sheet in sheets:
        head = None if sheet.title == NAMES else next(sheet.rows(), None)
        if head is not None:
            filled.append(sheet)
            if "turn" not in head.cells:
                raise LogError(f"{path}: the first row of sheet {quoted(sheet.title)} has no column `turn`")
    turns = filled if len(filled) == 1 else [sheet for sheet in filled if sheet.title == TURNS]
    if not turns:
        raise LogError(f"{path}: no sheet is called {quoted(TURNS)}")
    return turns[0], [sheet for sheet in filled if sheet is not turns[0]]


# -- turns -------------------------------------------------------------------------------------


def _lines(path: Path, sheet: PlainSheet, items: Items | None, model: Ruleset) -> Iterator[LogLine]:
    """A row of a list whose turn nobody has is a reject of its own, at the end."""
    rows = sheet.rows()
    columns = _columns(path, sheet.title, next(rows), model)
    for row in rows:
        line = _line(row, columns)
        yield line if items is None else _with_items(line, items)
    if items is not None:
        yield from map(_nobodys, items.nobodys())


def _with_items(line: LogLine, items: Items) -> LogLine:
    """A row that cannot be read has its items too: nobody else misses them."""
    record = line.record
    if record is None:
        if line.turn is not None:
            items.of((line.game, line.turn))
        return line
    record.setdefault("state", {})
    for item in items.of((record.get("game"), record.get("turn"))):
        if item.finding is not None:
            return _without_record(line, item.finding)
        try:
            _append(record, item)
        except Refused as refused:
            return _without_record(line, refused.at(".".join(item.place)))
    return line


def _without_record(line: LogLine, finding: Finding) -> LogLine:
    text = line.record or {}
    return LogLine(line.number, None, finding, text.get("turn"), text.get("game"))


def _append(record: dict[str, object], item: Item) -> None:
    place: object = record
    for step in item.place[:-1]:
        place = place.setdefault(step, {}) if isinstance(place, dict) else None
    if not isinstance(place, dict):
        raise Refused(value_beside_fields())
    found = place.setdefault(item.place[-1], [])
    if not isinstance(found, list):
        raise Refused(value_beside_rows(found, item.sheet))
    found.append(item.value)


def _nobodys(item: Item) -> LogLine:
    if item.finding is not None:
        return LogLine(item.row, None, item.finding)
    return LogLine(item.row, None, turn_of_nobody(item.turn, item.row, item.sheet, TURNS).at("turn"))


# -- lists -------------------------------------------------------------------------------------


def _items(path: Path, sheet: PlainSheet, model: Ruleset) -> Iterator[tuple[Key, Item]]:
    rows = sheet.rows()
    columns = _columns(path, sheet.title, next(rows), model)
    place = _list_of(path, sheet.title, columns, model)
    nothing = _blank_is_null(place, columns, model)
    columns = tuple(_of_item(column) if column.path == place else column for column in columns)
    for row in rows:
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
            wrong = replace(wrong, found=in_row(wrong.found, row.number, sheet.title))
        yield key, Item(sheet.title, row.number, key[1], place, value, wrong)


def _blank_is_null(place: Steps, columns: tuple[LogColumn, ...], model: Ruleset) -> bool:
    """A row with nothing but its turn is a null where the list may have one, else a record without fields;
    where the items are no records it is a null that the list may not have, and is rejected."""
    of = bare(state_type(model, place[1:]))
    return any(c.path == place for c in columns) or (isinstance(of, ListType) and may_be_null(of.item))


def _of_item(column: LogColumn) -> LogColumn:
    """A column that holds the items themselves."""
    types = ((ask, bare(of)) for ask, of in column.types)
    items = tuple((ask, of.item) for ask, of in types if isinstance(of, ListType))
    return LogColumn(column.head, column.path, items)


def _key(row: SheetRow, columns: tuple[LogColumn, ...]) -> Key:
    """Also of a row that cannot be read: its turn must not be answered without it."""
    by_path = dict(zip((column.path for column in columns), row.cells, strict=False))
    return _in_record(by_path.get(("game",))), _in_record(by_path.get(("turn",)))


def _in_record(cell: object) -> object:
    """As the record of a turn has it, or as nothing in a record is."""
    try:
        return cell if isinstance(cell, Unreadable) else exact(cell)
    except Refused as refused:
        return Unreadable(refused.words.found)


def _list_of(path: Path, sheet: str, columns: tuple[LogColumn, ...], model: Ruleset) -> Steps:
    """The one list that the columns of a sheet are in."""
    places = {_list_above(column.path, model) for column in columns if column.path[0] == "state"}
    place = places.pop() if len(places) == 1 else None
    if place is None:
        raise LogError(f"{path}: the columns of sheet {quoted(sheet)} are not those of one list")
    return place


def _list_above(path: Steps, model: Ruleset) -> Steps | None:
    for length in range(2, len(path) + 1):
        if isinstance(bare(state_type(model, path[1:length])), ListType):
            return path[:length]
    return None


# -- rows --------------------------------------------------------------------------------------


def _columns(path: Path, sheet: str, head: SheetRow, model: Ruleset) -> tuple[LogColumn, ...]:
    unnamed = next((place for place, cell in enumerate(head.cells, 1) if not isinstance(cell, str)), None)
    if unnamed is not None:
        raise LogError(f"{path}: column {unnamed} of sheet {quoted(sheet)} has no name")
    return columns_of(map(str, head.cells), model, f"{path}, sheet {sheet}")


def _line(row: SheetRow, columns: tuple[LogColumn, ...]) -> LogLine:
    cells = row.cells + (None,) * (len(columns) - len(row.cells))
    for place, cell in enumerate(cells):
        if isinstance(cell, Unreadable):
            path = ".".join(columns[place].path) if place < len(columns) else "$"
            finding = unreadable_cell(cell.shown).at(path)
            return typed_line(NumberedRow(row.number, cells, finding), columns)
    return typed_line(NumberedRow(row.number, cells), columns)


# -- items until their turn comes -------------------------------------------------------------------
# Items of lists, kept by their turn until it comes: on the disk, for memory may not hold all of them.

Key = tuple[object, object]
"""A game and its turn, as they stand in their cells."""


@dataclass(frozen=True, slots=True)
class Item:
    """A row of a list's sheet: what it adds to the list at `place`, or what is wrong with it."""

    sheet: str
    row: int
    turn: object
    place: Steps
    value: object
    finding: Finding | None


class Items(AbstractContextManager["Items"]):
    """In a file that nobody else sees, gone with it; what fits into its cache is never written."""

    def __init__(self) -> None:
        self._met = Turns()
        self._kept = sqlite3.connect("", isolation_level=None)
        for statement in ("PRAGMA journal_mode = OFF", "CREATE TABLE items (turn BLOB, item BLOB)", "BEGIN"):
            self._kept.execute(statement)

    def keep(self, items: Iterable[tuple[Key, Item]]) -> None:
        rows = ((_digest(key), pickle.dumps(item)) for key, item in items)
        self._kept.executemany("INSERT INTO items VALUES (?, ?)", rows)

    def sort(self) -> None:
        """After the last one is kept."""
        self._kept.execute("CREATE INDEX by_turn ON items (turn)")

    def of(self, key: Key) -> list[Item]:
        """Those of a turn, in their order."""
        digest = _digest(key)
        self._met.add(digest)
        found = self._kept.execute("SELECT item FROM items WHERE turn = ? ORDER BY rowid", (digest,))
        return [pickle.loads(item) for (item,) in found]

    def nobodys(self) -> Iterator[Item]:
        """Those whose turn was never asked for."""
        for digest, item in self._kept.execute("SELECT turn, item FROM items ORDER BY rowid"):
            if digest not in self._met:
                yield pickle.loads(item)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kept.close()


def _digest(key: Key) -> bytes:
    return blake2b(repr(key).encode(errors="backslashreplace"), digest_size=KEY).digest()
