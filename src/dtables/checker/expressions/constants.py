"""Cells that must say the same in every turn: data, levels, matrices, defaults, restrictions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from dtables.checker import messages
from dtables.checker.expressions.lower import lower_expression, lower_list
from dtables.checker.report import Text
from dtables.checker.rows import text_of
from dtables.checker.symbols import Draft
from dtables.feel.errors import FeelError
from dtables.feel.types import (
    AnyType,
    ContextType,
    ListType,
    MapType,
    RecordType,
    RestrictedType,
    Type,
    optional,
    plain,
    without_null,
)
from dtables.model.constants import NoConstant, computed
from dtables.model.expressions import (
    Arithmetic,
    Constant,
    EachOf,
    Expression,
    MakeContext,
    MakeList,
    MakeRange,
    MakeRecord,
    NameOf,
    Negation,
    NoneOf,
    Test,
)
from dtables.model.reach import nodes
from dtables.model.regions import Line, Region, known_value, line_of, region
from dtables.provenance import Location
from dtables.workbook.tables import Cell

FIXED_NODES = (
    Constant, NameOf, EachOf, MakeList, MakeRecord, MakeContext, MakeRange, Negation, Arithmetic
)  # fmt: skip


def constant_cell(draft: Draft, cell: Cell, expected: Type, default: Expression | None) -> Expression:
    """What a cell of data says; a blank one is the default, an empty list or null."""
    if cell.empty:
        return default if default is not None else nothing(expected, Location(cell.ref))
    return constant_text(draft, text_of(cell), expected)


def constant_text(draft: Draft, text: Text, expected: Type) -> Expression:
    scope = draft.scope()
    kind = plain(expected)
    if isinstance(kind, ListType) and text.text.strip() != "null":
        value = lower_list(text, kind.item, scope, draft.sink)
    else:
        value = lower_expression(text, scope, draft.sink, expected)
    if not is_fixed(value):
        draft.error(text, messages.not_constant())
        return nothing(optional(expected), Location(text.cell.ref))
    if failure := _failure(value):
        draft.error(text, messages.no_value(failure))
        return nothing(optional(expected), Location(text.cell.ref))
    hold_to_restrictions(draft, text, value, expected)
    return value


def nothing(expected: Type, where: Location) -> Expression:
    if isinstance(expected, ListType):
        return MakeList((), type=expected, where=where)
    return Constant(None, type=optional(expected), where=where)


def is_fixed(value: object) -> bool:
    return all(isinstance(node, FIXED_NODES) for node in nodes(value))


def _failure(value: Expression) -> str:
    """Why arithmetic in a constant has no value; "" if it has one."""
    for node in nodes(value):
        if isinstance(node, Negation | Arithmetic):
            try:
                computed(node)
            except FeelError as error:
                return error.message
            except NoConstant:
                continue
    return ""


def identity(value: Expression) -> Hashable:
    """Two constants with the same identity are the same value, wherever and as whatever they are read."""
    match value:
        case NameOf(vocabulary=vocabulary, id=id_):
            return vocabulary, id_
        case Constant(value=held):
            return type(held), str(held)
        case MakeList(items=items):
            return tuple(identity(item) for item in items)
        case _:
            return value


# -- restrictions ------------------------------------------------------------------------------


def hold_to_restrictions(draft: Draft, text: Text, value: Expression, type_: Type) -> None:
    """A value of a restricted type must pass its tests, wherever in the cell it stands."""
    for part, expected in _parts(draft, value, without_null(type_)):
        restriction = draft.restriction_models.get(expected.name)
        if restriction is None:
            continue
        if isinstance(part, Constant) and part.value is None:
            continue
        if passes(draft, restriction.tests, part) is False:
            wording = messages.not_allowed(expected.name, restriction.written, Location(restriction.where))
            draft.error_at(
                part.where if part.where.span else Location(text.cell.ref), text.cell.typed, wording
            )


def _parts(draft: Draft, value: Expression, type_: Type) -> Iterable[tuple[Expression, RestrictedType]]:
    match without_null(type_), value:
        case RestrictedType() as expected, _:
            yield value, expected
            yield from _parts(draft, value, expected.of)
        case ListType(item=item), MakeList(items=items):
            for one in items:
                yield from _parts(draft, one, item)
        case MapType(value=item), MakeContext(entries=entries):
            for entry in entries:
                yield from _parts(draft, entry.value, item)
        case ContextType(fields=types), MakeContext(entries=entries):
            for entry in entries:
                yield from _parts(draft, entry.value, dict(types).get(entry.name, AnyType()))
        case RecordType(name=name), MakeRecord(fields=fields) if name in draft.records:
            symbols = draft.records[name].fields
            for field, one in fields:
                if field in symbols:
                    yield from _parts(draft, one, symbols[field].type)
        case _:
            pass


def passes(draft: Draft, tests: Iterable[Test], value: Expression) -> bool | None:
    """Does a constant pass one of the tests? None where only a turn can tell."""
    answers = [_passes(draft, test, value) for test in tests]
    if not answers or True in answers:
        return True
    return None if None in answers else False


def _passes(draft: Draft, test: Test, value: Expression) -> bool | None:
    """A time with an offset has no place among times without: it passes nothing but `not(…)`."""
    known, cell = known_value(value), (id(test), value.type)
    if cell not in draft.passing:
        draft.passing[cell] = test, *_passing(draft, test, value.type)
    _, line, found = draft.passing[cell]
    if line is None or found is None or known is None or known[0] is None:
        return None
    passing = line.passes(found, known[0])
    return isinstance(test, NoneOf) if passing is None else passing


def _passing(draft: Draft, test: Test, type_: Type) -> tuple[Line | None, Region | None]:
    names = {name: one.ids for name, one in draft.vocabularies.items()}
    line = line_of(type_, names, [[test]])
    return line, None if line is None else region([test], line, names)
