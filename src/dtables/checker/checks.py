"""Checks: what makes a record inconsistent, counted over places or tried for each item."""

from __future__ import annotations

from dataclasses import replace

from dtables.checker import turn_problems
from dtables.checker.asks import known_asks
from dtables.checker.draft import Draft
from dtables.checker.lower import lower_expression, lower_tests
from dtables.checker.places import PlaceFound, read_place, stored_fields, walk
from dtables.checker.scope import Local, Scope
from dtables.checker.wanted import needed
from dtables.checker.written import (
    cell_of,
    column,
    filled_rows,
    first_cell,
    heading,
    is_any,
    parts,
    row_number,
    stripped,
    text_at,
    text_of,
    words_at,
)
from dtables.digits import whole_in
from dtables.feel.types import ANY, BOOLEAN, UNKNOWN, WHOLE, ListType, MapType, Type, UnknownType, join, plain
from dtables.model.expressions import Read, Variable
from dtables.model.tables import Checks, Consistency, Counted
from dtables.provenance import Location
from dtables.workbook.tables import Cell, Row, TableText

POSITION = "position"


def check_checks(draft: Draft, table: TableText) -> Checks:
    counted = column(table, "places") is not None
    if counted and column(table, "wrong if") is not None:
        draft.error(table.marker.cell, turn_problems.two_forms_of_checks())
    if not counted and column(table, "wrong if") is None:
        draft.error(table.marker.cell, turn_problems.no_form_of_checks())
        return Checks(heading(table), ())
    read = _counted if counted else _consistency
    rows = [read(draft, table, row) for row in filled_rows(table)]
    return Checks(heading(table), tuple(row for row in rows if row is not None))


def _asks(draft: Draft, table: TableText, row: Row) -> tuple[str, ...]:
    written = text_at(table, row, "ask")
    return () if written is None else known_asks(draft, written)


def _places(draft: Draft, cell: Cell) -> tuple[PlaceFound, ...]:
    found = (read_place(draft, text) for text in parts(text_of(cell)))
    return tuple(place for place in found if place is not None)


# -- counted -------------------------------------------------------------------------------------


def _counted(draft: Draft, table: TableText, row: Row) -> Counted | None:
    cell = needed(draft, table, row, "places")
    if cell is None:
        return None
    places = _places(draft, cell)
    type_ = _common(draft, cell, places)
    item = draft.numbers.variable("item", type_)
    subject = draft.numbers.variable("item", type_)
    scope = draft.scope().with_item(item)
    tested, by = cell_of(table, row, "only for"), cell_of(table, row, "by")
    tests = (
        () if tested is None or is_any(tested) else lower_tests(text_of(tested), subject, scope, draft.sink)
    )
    value = Read(item, type=type_, where=Location(cell.ref))
    return Counted(
        row_number(table, row),
        _asks(draft, table, row),
        tuple(place.place for place in places),
        item,
        tests,
        subject,
        lower_expression(text_of(by), scope, draft.sink, None) if by else value,
        _at_most(draft, table, row),
        words_at(table, row, "text"),
        first_cell(row),
    )


def _common(draft: Draft, cell: Cell, places: tuple[PlaceFound, ...]) -> Type:
    """All places hold values of one type."""
    if not places:
        return UNKNOWN
    type_ = join(place.item for place in places)
    if type_ == ANY:
        draft.error(cell, turn_problems.places_differ([(str(p.place), p.item) for p in places]))
        return UNKNOWN
    return type_


def _at_most(draft: Draft, table: TableText, row: Row) -> int:
    cell = needed(draft, table, row, "at most")
    if cell is None:
        return 1
    digits = cell.code.strip()
    most = whole_in(digits)
    if most is not None:
        return most
    draft.error(cell, turn_problems.at_most_no_number(digits))
    return 1


# -- consistency -----------------------------------------------------------------------------------


def _consistency(draft: Draft, table: TableText, row: Row) -> Consistency | None:
    wrong = needed(draft, table, row, "wrong if")
    if wrong is None:
        return None
    each = cell_of(table, row, "each")
    places = _places(draft, each) if each else ()
    if each is not None and not places:
        return None
    scope, item, key = _around(draft, each, places)
    scope, position = _in_lists(draft, scope, places)
    return Consistency(
        row_number(table, row),
        _asks(draft, table, row),
        tuple(place.place for place in places),
        item,
        key,
        lower_expression(text_of(wrong), scope, draft.sink, BOOLEAN),
        _blamed(draft, table, row, item),
        words_at(table, row, "text"),
        first_cell(row),
        position,
    )


def _around(
    draft: Draft, each: Cell | None, places: tuple[PlaceFound, ...]
) -> tuple[Scope, Variable | None, Variable | None]:
    """The item's fields are read bare, it is `item` and `this`, and in a map it has a `key`."""
    scope = draft.scope()
    if each is None:
        return scope, None, None
    item = draft.numbers.variable("item", _common(draft, each, places))
    scope = scope.with_item(item)
    scope = replace(scope, locals={**scope.locals, "this": Local(item, depth=1)})
    keys = {place.item_key for place in places}
    if len(keys) != 1 or None in keys:
        return scope, item, None
    type_ = keys.pop()
    assert type_ is not None
    key = draft.numbers.variable("key", type_)
    return scope.with_local(Local(key, depth=1)), item, key


def _in_lists(draft: Draft, scope: Scope, places: tuple[PlaceFound, ...]) -> tuple[Scope, Variable | None]:
    """Items of lists have a `position`, unless something of the workbook has that name."""
    if not places or not all(_in_a_list(place.type) for place in places):
        return scope, None
    symbols = scope.symbols
    if any(
        POSITION in named for named in (symbols.functions, symbols.inputs, symbols.switches, symbols.data)
    ):
        return scope, None
    position = draft.numbers.variable(POSITION, WHOLE)
    return scope.with_local(Local(position)), position


def _in_a_list(type_: Type) -> bool:
    match plain(type_):
        case ListType():
            return True
        case MapType(value=value):
            return _in_a_list(value)
        case _:
            return False


def _blamed(draft: Draft, table: TableText, row: Row, item: Variable | None) -> tuple[str, ...]:
    cell = cell_of(table, row, "at")
    if cell is None:
        return ()
    if item is None:
        found = read_place(draft, stripped(text_of(cell)))
        return found.place.fields if found else ()
    known = stored_fields(draft, item.type)
    if isinstance(item.type, UnknownType):
        return ()
    if known is None:
        draft.error(cell, turn_problems.nothing_below("item", item.type, cell.code.strip()))
        return ()
    walked = walk(draft, stripped(text_of(cell)), known, "the item")
    return walked[0] if walked else ()
