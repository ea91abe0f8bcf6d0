"""Matrices: a value for every combination of keys, or an ordered list down each column."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import product

from dtables.checker import function_problems, table_problems
from dtables.checker.constants import constant_cell, constant_text, identity, is_fixed
from dtables.checker.draft import Draft, FunctionDraft
from dtables.checker.functions import declared_result, settle_result, unknown_at
from dtables.checker.lower import lower_expression
from dtables.checker.wanted import closed_property
from dtables.checker.written import (
    cell_of,
    column,
    column_name,
    columns,
    filled_rows,
    heading,
    name_cell,
    property_text,
    text_of,
)
from dtables.feel.types import (
    BOOLEAN,
    UNKNOWN,
    BooleanType,
    ListType,
    RestrictedType,
    Type,
    UnknownType,
    VocabularyType,
    join,
    optional,
    plain,
    without_null,
)
from dtables.model.expressions import Constant, Expression, MakeList, NameOf, Within
from dtables.model.tables import Matrix, MatrixEntry, Parameter
from dtables.provenance import Location
from dtables.workbook.tables import Cell, Column, TableText
from dtables.workbook.words import ORDERED

MOST_KEYS = 10_000


def check_matrix(draft: Draft, function: FunctionDraft) -> Matrix:
    table = function.table
    parameters = draft.parameters[function.name]
    declared = declared_result(draft, function)
    down = property_text(table, "down") is not None or column(table, "rank") is not None
    read = _down if down else _across
    entries = read(draft, table, parameters, declared) if parameters else None
    if not parameters:
        draft.error(table.marker.cell, function_problems.matrix_without_parameters(table.name))
    if entries is not None:
        _every_key_once(draft, table, parameters, entries)
    entries = entries or ()
    result = join(e.value.type for e in entries) if declared is None else declared
    null = any(isinstance(e.value, Constant) and e.value.value is None for e in entries)
    if declared is not None and null:
        result = optional(declared)
    settle_result(draft, function.name, result)
    matrix = Matrix(heading(table), parameters, result, entries, down)
    draft.matrices[function.name] = matrix
    return matrix


# -- layouts -------------------------------------------------------------------------------------


def _across(
    draft: Draft, table: TableText, parameters: tuple[Parameter, ...], declared: Type | None
) -> tuple[MatrixEntry, ...] | None:
    """One entry for each cell; None where columns and parameters do not go together. Key columns headed by
    a parameter's name hold its keys; the others are headed by keys themselves."""
    by_name = {p.name: p for p in parameters}
    names = {n: column_name(table.columns[n]) for n in columns(table, "key")}
    in_rows = {n: by_name[name] for n, name in names.items() if name in by_name}
    headed = [n for n in names if n not in in_rows]
    rest = [p for p in parameters if p not in in_rows.values()]
    values = headed or columns(table, "value")
    if not _go_together(draft, table, rest, headed, len(values)):
        return None
    heads = {n: {rest[0].name: _head_key(draft, table.columns[n], rest[0].type)} for n in headed}
    found = []
    for row in filled_rows(table):
        keys = {p.name: _key(draft, row.cells[n], p.type) for n, p in in_rows.items()}
        for n in values:
            own = {**keys, **heads.get(n, {})}
            value = _value(draft, row.cells[n], declared)
            found.append(MatrixEntry(tuple(own[p.name] for p in parameters), value, (row.cells[n].ref,)))
    return tuple(found)


def _go_together(
    draft: Draft, table: TableText, rest: list[Parameter], headed: list[int], values: int
) -> bool:
    """Heads are the keys of one parameter; without them one column has all values."""
    lacking = [p.name for p in rest]
    if headed and len(rest) != 1:
        draft.error(name_cell(table.columns[headed[0]]), function_problems.key_columns(table.name, lacking))
        return False
    if not headed and (rest or values != 1):
        draft.error(table.marker.cell, function_problems.matrix_columns(lacking, values))
        return False
    return True


def _head_key(draft: Draft, head: Column, type_: Type) -> Expression:
    return _key(draft, name_cell(head), type_)


def _key(draft: Draft, cell: Cell, type_: Type) -> Expression:
    if cell.empty:
        draft.error(cell, function_problems.blank_key())
        return unknown_at(cell.ref)
    return constant_cell(draft, cell, without_null(type_), None)


def _value(draft: Draft, cell: Cell, declared: Type | None) -> Expression:
    """Blank is no value: null is typed out."""
    if cell.empty:
        draft.error(cell, function_problems.blank_value())
        return unknown_at(cell.ref)
    if declared is not None:
        null = cell.code.strip() == "null"
        return constant_text(draft, text_of(cell), optional(declared) if null else declared)
    value = lower_expression(text_of(cell), draft.scope(), draft.sink, None)
    if not is_fixed(value):
        draft.error(cell, table_problems.not_constant())
        return unknown_at(cell.ref)
    return value


# -- down a column ---------------------------------------------------------------------------------


def _down(
    draft: Draft, table: TableText, parameters: tuple[Parameter, ...], declared: Type | None
) -> tuple[MatrixEntry, ...] | None:
    """A column is the ordered list for its key; blank cells only at its end."""
    if len(parameters) != 1:
        draft.error(table.marker.cell, function_problems.down_wants_one_key(table.name))
        return None
    partial = closed_property(draft, table, "down", ORDERED) == "partial"
    item = _item_of(draft, table, declared)
    _ranks(draft, table)
    found = []
    sound: dict[int, dict[Hashable, str]] = {}
    for n in columns(table, "key"):
        head = table.columns[n]
        down = _to_the_last([row.cells[n] for row in filled_rows(table)])
        cells = [cell for cell in down if not cell.empty]
        values = [_item_value(draft, cell, item) for cell in cells]
        if _no_gaps(draft, down) & _no_doubles(draft, cells, values):
            sound[n] = {identity(v): c.code.strip() for c, v in zip(cells, values, strict=True)}
        inner = item if item is not None else join(v.type for v in values)
        listed = MakeList(tuple(values), type=ListType(inner), where=Location(name_cell(head).ref))
        refs = tuple(cell.ref for cell in cells)
        found.append(MatrixEntry((_head_key(draft, head, parameters[0].type),), listed, refs))
    if not partial:
        _same_sets(draft, table, sound)
    return tuple(found)


def _item_of(draft: Draft, table: TableText, declared: Type | None) -> Type | None:
    if declared is None or isinstance(plain(declared), UnknownType):
        return None
    type_ = plain(declared)
    if isinstance(type_, ListType):
        return type_.item
    draft.error(table.marker.cell, function_problems.down_wants_list(declared))
    return UNKNOWN


def _item_value(draft: Draft, cell: Cell, item: Type | None) -> Expression:
    if item is not None:
        return constant_cell(draft, cell, item, None)
    return lower_expression(text_of(cell), draft.scope(), draft.sink, None)


def _to_the_last(cells: list[Cell]) -> list[Cell]:
    while cells and cells[-1].empty:
        cells = cells[:-1]
    return cells


def _no_gaps(draft: Draft, cells: list[Cell]) -> bool:
    blank = [cell for cell in cells if cell.empty]
    for cell in blank:
        draft.error(cell, function_problems.gap_in_list())
    return not blank


def _no_doubles(draft: Draft, cells: list[Cell], values: list[Expression]) -> bool:
    """Is everything known, and nothing there twice?"""
    first: dict[Hashable, Cell] = {}
    sound = True
    for cell, value in zip(cells, values, strict=True):
        earlier = first.setdefault(identity(value), cell)
        known = not isinstance(value.type, UnknownType)
        if earlier is not cell and known:
            draft.error(cell, function_problems.twice_in_list(cell.code.strip(), Location(earlier.ref)))
        sound = sound and known and earlier is cell
    return sound


def _same_sets(draft: Draft, table: TableText, sound: dict[int, dict[Hashable, str]]) -> None:
    """Lists of one matrix usually rank the same things: a column that does not is worth a look, unless the
    table says that they are partial. `sound` are the lists in which nothing is wrong by itself, with what
    they say as it is written."""
    lists = list(sound.items())
    for n, listed in lists[1:]:
        base, first = lists[0]
        missing = [text for key, text in first.items() if key not in listed]
        extra = [text for key, text in listed.items() if key not in first]
        if missing or extra:
            head = name_cell(table.columns[base])
            wording = function_problems.other_set(
                sorted(missing), sorted(extra), head.code.strip(), Location(head.ref)
            )
            draft.warning(name_cell(table.columns[n]), wording)


def _ranks(draft: Draft, table: TableText) -> None:
    """Ranks count 1, 2, 3 …: a row out of order is a row somebody moved."""
    for n, row in enumerate(filled_rows(table), start=1):
        cell = cell_of(table, row, "rank")
        if cell is not None and cell.code.strip().rstrip(".") != str(n):
            draft.error(cell, function_problems.rank_out_of_order(cell.code.strip(), n))
            return


# -- every key once --------------------------------------------------------------------------------


def _every_key_once(
    draft: Draft, table: TableText, parameters: tuple[Parameter, ...], entries: tuple[MatrixEntry, ...]
) -> None:
    seen: dict[Hashable, MatrixEntry] = {}
    for entry in entries:
        if any(isinstance(key.type, UnknownType) for key in entry.keys):
            return
        earlier = seen.setdefault(_identities(entry.keys), entry)
        if earlier is not entry:
            first, own = earlier.keys, entry.keys
            where = own[-1].where if own[-1].where != first[-1].where else own[0].where
            draft.error_at(where, None, function_problems.double_key(shown(own), first[0].where))
            return
    wanted = []
    for parameter in parameters:
        keys = keys_of_type(draft, parameter.type)
        if keys is None:
            if not isinstance(plain(parameter.type), UnknownType):
                draft.error(table.marker.cell, function_problems.open_keys(parameter.name, parameter.type))
            return
        wanted.append(keys)
    missing = [shown(keys) for keys in product(*wanted) if _identities(keys) not in seen]
    if missing:
        draft.error(table.marker.cell, function_problems.missing_keys(missing))


def _identities(keys: Iterable[Expression]) -> Hashable:
    return tuple(identity(key) for key in keys)


def keys_of_type(draft: Draft, type_: Type) -> list[Expression] | None:
    """All values of a type that has few: names, truth values, whole numbers in a closed range."""
    where = Location(draft.book.tables[0].marker.cell.ref)
    match without_null(type_):
        case VocabularyType(name=name, root=root) as vocabulary:
            return [
                NameOf(root, label.id, type=vocabulary, where=where)
                for label in draft.vocabularies[name].names
            ]
        case BooleanType():
            return [Constant(value, type=BOOLEAN, where=where) for value in (False, True)]
        case RestrictedType(name=name, of=of):
            numbers = _closed_range(draft, name)
            return None if numbers is None else [Constant(n, type=of, where=where) for n in numbers]
        case _:
            return None


def _closed_range(draft: Draft, name: str) -> Iterable[int] | None:
    restriction = draft.restriction_models.get(name)
    if restriction is None or len(restriction.tests) != 1:
        return None
    match restriction.tests[0]:
        case Within(low=Constant(value=int(low)), high=Constant(value=int(high))) as test:
            few = high - low <= MOST_KEYS
            return range(low + (not test.low_included), high + test.high_included) if few else None
        case _:
            return None


def shown(keys: tuple[Expression, ...]) -> str:
    return ", ".join(_shown_key(key) for key in keys)


def _shown_key(key: Expression) -> str:
    match key:
        case NameOf(id=id_):
            return id_
        case Constant(value=True):
            return "yes"
        case Constant(value=False):
            return "no"
        case Constant(value=value):
            return str(value)
        case _:
            return "…"
