"""Policies that look at all rows that fire: lists, sums, counts, the order of outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, assert_never

from sqlglot import exp

from dtables.compilers.sql.exact import checked
from dtables.compilers.sql.operations import XConcat, XList, XMax, XMin
from dtables.compilers.sql.operators import arithmetic, has_order
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.shapes import TEXT, WHOLE_NUMBER, data_type, list_of
from dtables.compilers.sql.terms import (
    FALSE,
    Term,
    Tree,
    all_of,
    any_of,
    case,
    is_null,
    literal,
    paren,
    typed,
)
from dtables.feel.types import WHOLE, ListType, NumberType, describe, plain
from dtables.model.expressions import Constant, Expression, NameOf
from dtables.model.tables import Decision, Policy
from dtables.provenance import Location

if TYPE_CHECKING:
    from dtables.compilers.sql.decisions import Line


LISTS = (Policy.COLLECT, Policy.RULE_ORDER, Policy.OUTPUT_ORDER)


def gathered(decision: Decision, lines: Sequence[Line], scope: Scope) -> Term:
    match decision.policy:
        case Policy.COLLECT | Policy.RULE_ORDER:
            return Term(_listed(lines, _item(decision, scope)), decision.type)
        case Policy.OUTPUT_ORDER:
            ordered = by_priority(decision, lines, scope)
            return Term(_listed(ordered, _item(decision, scope)), decision.type)
        case Policy.COLLECT_COUNT:
            return Term(how_many(lines), decision.type)
        case Policy.COLLECT_SUM:
            return _summed(decision, lines, scope)
        case Policy.COLLECT_MIN:
            return _extreme(decision, lines, XMin, scope)
        case Policy.COLLECT_MAX:
            return _extreme(decision, lines, XMax, scope)
        case Policy.UNIQUE | Policy.ANY | Policy.FIRST | Policy.PRIORITY:
            raise AssertionError(f"{decision.policy} takes one row")
        case _:
            assert_never(decision.policy)


def _listed(lines: Sequence[Line], item: exp.DataType) -> Tree:
    nothing = typed(XList(expressions=[]), list_of(item))
    parts = [
        case([(line.fires, typed(XList(expressions=[line.value.value]), list_of(item)))], nothing)
        for line in lines
    ]
    return typed(XConcat(expressions=parts), list_of(item))


def _item(decision: Decision, scope: Scope) -> exp.DataType:
    """The type that holds the outcomes of all rows: one may be a whole number where another is none."""
    of = plain(decision.type)
    one = of.item if isinstance(of, ListType) and decision.policy in LISTS else decision.type
    return data_type(one, scope.plan.stored) or TEXT


def _summed(decision: Decision, lines: Sequence[Line], scope: Scope) -> Term:
    if not all(isinstance(plain(line.value.type), NumberType) for line in lines):
        return scope.plan.cannot("the sum of texts", decision.heading.where, decision.type)
    total = Term(literal(0), WHOLE)
    for line in lines:
        part = Term(case([(line.fires, line.value.value)], literal(0)), line.value.type)
        total = Term(arithmetic("+", total, part), line.value.type)
    made = Term(total.value, decision.type, _null_among(decision, lines))
    return checked(made, decision.heading.where, scope)


def _extreme(
    decision: Decision, lines: Sequence[Line], operation: type[XMin] | type[XMax], scope: Scope
) -> Term:
    if not all(has_order(line.value.type) for line in lines):
        what = f"the order of values of type {describe(lines[0].value.type)}"
        return scope.plan.cannot(what, decision.heading.where, decision.type)
    item = _item(decision, scope)
    made = typed(operation(this=_listed(lines, item)), item)
    return Term(made, decision.type, _null_among(decision, lines))


def _null_among(decision: Decision, lines: Sequence[Line]) -> Tree | None:
    """A null alone is the outcome; together with another it has no sum and no order."""
    null = any_of(all_of([line.fires, is_null(line.value.value)]) for line in lines if line.value.may_be_null)
    if null == FALSE:
        return None
    message = f"{decision.heading.where}: {NULL_AMONG}"
    return case([(all_of([null, more_than_one(how_many(lines))]), literal(message))])


NULL_AMONG = "null stands among the outcomes of several rows"


def how_many(lines: Sequence[Line]) -> Tree:
    counted: Tree = literal(0)
    for line in lines:
        one = case([(line.fires, literal(1))], literal(0))
        counted = exp.Add(this=exp.Cast(this=counted, to=WHOLE_NUMBER), expression=paren(one))
    return counted


def more_than_one(counted: Tree) -> Tree:
    return exp.GT(this=paren(counted), expression=literal(1))


def by_priority(decision: Decision, lines: Sequence[Line], scope: Scope) -> list[Line]:
    """The first column's order counts first; among equals the table's order stays. Only what is written out
    has a place in that order before anything is worked out."""
    unknown = [o for line in lines for o in line.rule.outcomes if not _is_written(o.value)]
    if unknown:
        scope.plan.cannot(
            "an outcome that is worked out, under this policy", Location(unknown[0].cell), WHOLE
        )
        return list(lines)
    return sorted(lines, key=lambda line: _standing(decision, line))


def _standing(decision: Decision, line: Line) -> tuple[int, ...]:
    columns = zip(decision.outcomes, line.rule.outcomes, strict=True)
    return tuple(_place(outcome.value, column.priorities) for column, outcome in columns)


def _place(value: Expression, priorities: Sequence[Expression]) -> int:
    told = [_told(listed) for listed in priorities]
    return told.index(_told(value)) if _told(value) in told else len(told)


def _is_written(value: Expression) -> bool:
    return isinstance(value, (Constant, NameOf))


def _told(value: Expression) -> object:
    match value:
        case NameOf(id=id):
            return ("name", id)
        case Constant(value=known):
            return (type(known).__name__, known)
        case _:
            return None
