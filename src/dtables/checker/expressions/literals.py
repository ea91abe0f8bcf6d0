"""Numbers, truth values, null and dates as they are written; in a vocabulary's place, its names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import assert_never

from dtables.checker import messages
from dtables.checker.expressions.context import Here
from dtables.checker.expressions.names import name_of, vocabulary_expected
from dtables.feel.errors import FeelError
from dtables.feel.syntax import ast
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    DATE,
    DATE_TIME,
    DAYS_DURATION,
    NULL,
    NUMBER,
    TIME,
    WHOLE,
    YEARS_DURATION,
    Type,
)
from dtables.feel.values import (
    Date,
    DateTime,
    DaysDuration,
    Time,
    Value,
    YearsDuration,
    parse_date,
    parse_date_time,
    parse_duration,
    parse_temporal,
    parse_time,
)
from dtables.model.expressions import Constant, Expression
from dtables.provenance import Span

Literal = ast.NumberLiteral | ast.BooleanLiteral | ast.NullLiteral | ast.AtLiteral

TEMPORAL_TYPES: dict[type, Type] = {
    Date: DATE,
    Time: TIME,
    DateTime: DATE_TIME,
    DaysDuration: DAYS_DURATION,
    YearsDuration: YEARS_DURATION,
}


def number_type(value: int | Decimal) -> Type:
    return WHOLE if isinstance(value, int) else NUMBER


def lower_literal(here: Here, node: Literal, expected: Type | None) -> Expression:
    where = here.where(node.span)
    match node:
        case ast.NumberLiteral(value=value):
            return _as_name(here, node, expected) or Constant(value, type=number_type(value), where=where)
        case ast.BooleanLiteral(value=value):
            return _as_name(here, node, expected) or Constant(value, type=BOOLEAN, where=where)
        case ast.NullLiteral():
            return Constant(None, type=NULL, where=where)
        case ast.AtLiteral(text=text):
            return _temporal(here, node, text)
        case _:
            assert_never(node)


def _as_name(here: Here, node: Literal, expected: Type | None) -> Expression | None:
    """Names may look like numbers (levels 1 to 7) and truth values (a switch between yes and no)."""
    vocabulary = vocabulary_expected(expected)
    if vocabulary is None:
        return None
    return name_of(here, vocabulary, here.written(node), node.span)


TEMPORAL_FUNCTIONS: dict[str, Callable[[str], Value]] = {
    "date": parse_date,
    "time": parse_time,
    "date and time": parse_date_time,
    "duration": parse_duration,
}


def constant_call(
    here: Here, function: str, arguments: Sequence[Expression], span: Span
) -> Expression | None:
    """`duration("P3D")` is as good as `@"P3D"`; None where the text has to be looked at when it runs."""
    match arguments:
        case [Constant(value=str(text))] if function in TEMPORAL_FUNCTIONS:
            try:
                value = TEMPORAL_FUNCTIONS[function](text)
            except FeelError:
                return None
            type_ = ANY if here.standard else TEMPORAL_TYPES[type(value)]
            return Constant(value, type=type_, where=here.where(span))
        case _:
            return None


def _temporal(here: Here, node: ast.AtLiteral, text: str) -> Expression:
    try:
        value = parse_temporal(text)
    except FeelError:
        return here.poison(node.span, messages.not_a_date(text))
    return Constant(value, type=TEMPORAL_TYPES[type(value)], where=here.where(node.span))
