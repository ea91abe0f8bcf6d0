"""A value where a certain type is expected: it fits, it is guarded (against null, or because its type is not
known), or it is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from dtables.checker import messages
from dtables.checker.expressions.context import Here
from dtables.checker.expressions.nulls import guarded, guarded_items, nullable
from dtables.checker.expressions.types import field_symbol, is_dynamic
from dtables.diagnostics import Remark
from dtables.feel.syntax import ast
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    ListType,
    NullType,
    NumberType,
    OptionalType,
    Type,
    UnknownType,
    describe,
    fits,
    join,
    plain,
    surely_fits,
    without_null,
)
from dtables.model.expressions import CallTable, Expression, FieldOf, Guard, InputField, MakeList
from dtables.provenance import Location, Span


def expect(here: Here, node: ast.Expression, expected: Type | None) -> Expression:
    """The lowered node, which must be of the expected type."""
    return fitted(here, here.lower(node, expected), expected, node.span)


def fitted(here: Here, value: Expression, expected: Type | None, span: Span) -> Expression:
    if expected is None or here.standard:
        return value
    if fits(value.type, expected):
        return require(value, expected)
    if isinstance(value.type, NullType):
        return here.poison(span, messages.always_null(here.text.written(span), expected))
    if isinstance(value.type, OptionalType) and not nullable(expected):
        present = value.type.of
        if fits(present, expected) or _fits_but_items(present, expected):
            return fitted(here, guarded(here, value, span), expected, span)
    if _fits_but_items(value.type, expected):
        return guarded_items(here, value, span)
    return here.poison(span, _mismatch(here, value, expected, span))


def require(value: Expression, *expected: Type) -> Expression:
    """The value; where nothing is known of its type before it runs, it is looked at then."""
    if any(surely_fits(value.type, type_) for type_ in expected):
        return value
    return Guard(value, expected, type=expected[0] if len(expected) == 1 else ANY, where=value.where)


def _fits_but_items(given: Type, expected: Type) -> bool:
    """Right but for null in the list."""
    if not isinstance(given, ListType) or not isinstance(given.item, OptionalType):
        return False
    return fits(ListType(given.item.of), expected)


def _mismatch(here: Here, value: Expression, expected: Type, span: Span) -> messages.Wording:
    written, remarks = here.text.written(span), declared(here, value)
    given, goal = plain(value.type), plain(expected)
    if isinstance(given, NumberType) and isinstance(goal, NumberType):
        return messages.wants_whole(written, remarks)
    if isinstance(goal, ListType) and fits(without_null(value.type), goal.item):
        return messages.wants_list(written, value.type, expected, remarks)
    return messages.type_mismatch(written, value.type, expected, remarks)


def condition(here: Here, node: ast.Expression) -> Expression:
    """A truth value that is not null."""
    return expect(here, node, BOOLEAN)


def strict(here: Here, value: Expression, span: Span) -> Expression:
    """The value where null may not be, whatever its type is."""
    if here.standard:
        return value
    if isinstance(value.type, NullType):
        return here.poison(span, messages.never_a_value(here.text.written(span)))
    return guarded(here, value, span)


# -- what several have in common ---------------------------------------------------------------


def joined(here: Here, values: Sequence[Expression], what: str, span: Span) -> Type | None:
    """The type of all of them; None, and a message, where they have nothing in common."""
    types = [value.type for value in values]
    type_ = join(types)
    if here.standard or not _hides(type_, types):
        return type_
    different = tuple(
        dict.fromkeys(without_null(t) for t in types if not isinstance(t, (NullType, UnknownType)))
    )
    here.error(span, messages.mixed_types(what, different))
    return None


def _hides(type_: Type, types: Sequence[Type]) -> bool:
    """Any came out of types none of which is."""
    return is_dynamic(plain(type_)) and not any(is_dynamic(plain(t)) for t in types)


def empty_list(value: Expression) -> bool:
    """`[]` as it is written: nothing is known of its items, and nothing is wrong with that."""
    return isinstance(value, MakeList) and not value.items


# -- where something was declared --------------------------------------------------------------


def declared(here: Here, value: Expression) -> tuple[Remark, ...]:
    """Where the type of a value comes from, if a cell says it."""
    described = describe(value.type)
    match value:
        case InputField(name=name):
            where = Location(here.symbols.inputs[name].where)
            return (Remark(where, f"`{name}` is declared `{described}` here"),)
        case FieldOf(of=of, name=name):
            symbol = field_symbol(here.symbols, of.type, name)
            if symbol is None:
                return ()
            declared_as = describe(symbol.type)
            return (Remark(Location(symbol.where), f"`{name}` is declared `{declared_as}` here"),)
        case CallTable(table=table):
            function = here.symbols.functions[table]
            return (Remark(function.where, f"`{table}` gives `{described}`"),)
        case _:
            return ()
