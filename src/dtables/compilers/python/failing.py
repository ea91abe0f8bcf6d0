"""What is known of expressions beforehand. What cannot fail may be read early, or not at all, and nothing
changes; what has the same value whenever it is read becomes a constant of the module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dtables.compilers.python.ground import Ground
from dtables.feel.types import (
    AnyType,
    DateType,
    DaysDurationType,
    ListType,
    NumberType,
    TextType,
    Type,
    YearsDurationType,
    may_be_null,
    plain,
    without_null,
)
from dtables.model.tables import Formula, Table
from dtables.program import nodes as p

SAFE_BUILTINS = frozenset(
    ("count", "total", "concatenate", "append", "distinct values", "reverse", "flatten")
)


def may_fail(holder: object, ground: Ground) -> bool:
    return any(node_may_fail(node, ground) for node in ground.lowered.nodes(holder))


def find_failing(ground: Ground) -> None:
    """Until nothing more is found: tables, computed fields and steps that may fail, or read such. Steps are
    worked out where they are read: reading one fails where its value does."""
    steps = list(_steps(ground))
    found = -1
    while found != len(ground.failing) + len(ground.failing_steps):
        found = len(ground.failing) + len(ground.failing_steps)
        for slot, value in steps:
            if slot not in ground.failing_steps and may_fail(value, ground):
                ground.failing_steps.add(slot)
        for name, table in ground.tables.items():
            if name not in ground.failing and _table_may_fail(table, ground):
                ground.failing.add(name)
        for record in ground.records.values():
            for field in record.fields:
                key = (record.name, field.name)
                if key not in ground.failing and may_fail(field.computed, ground):
                    ground.failing.add(key)


def _steps(ground: Ground) -> Iterator[tuple[p.Slot, p.Expression]]:
    for table in ground.tables.values():
        if isinstance(table, Formula):
            yield from ((step.variable.number, ground.lowered.value(step.value)) for step in table.steps)
    for ask in ground.asks:
        yield from ((row.slot, row.value) for row in ask.rows if isinstance(row, p.Step))


def _table_may_fail(table: Table, ground: Ground) -> bool:
    """Of rows none may fire, or too many."""
    return not isinstance(table, Formula) or may_fail(table, ground)


def node_may_fail(node: p.Node, ground: Ground) -> bool:
    match node:
        case (
            p.Present() | p.Select() | p.ItemEntry() | p.ItemAt() | p.AskAnswer() | p.Apply()
            | p.MakeFunction() | p.Rank() | p.Property() | p.Meets()
        ):  # fmt: skip
            return True
        case p.Call(table=name):
            return name in ground.failing
        case p.CallStep(slot=slot) | p.Local(slot=slot):
            return slot in ground.failing_steps
        case p.Input(field=name):
            return name in ground.optional_attributes and not may_be_null(node.type)
        case p.Computed(record=record, field=field):
            return (record, field.name) in ground.failing
        case p.Entry(of=of):
            found = ground.record_of(of.type)
            return found is not None and any((found.name, f.name) in ground.failing for f in found.fields)
        case p.Arithmetic() | p.Negation() | p.Comparison() | p.Between() | p.Member():
            return _operator_may_fail(node)
        case p.For(bindings=bindings) | p.Quantified(bindings=bindings):
            return len(bindings) > 1 or any(b.end is not None for b in bindings)
        case p.Builtin(name="min" | "max", arguments=arguments):
            return not (all(map(is_whole, arguments)) or (len(arguments) == 1 and whole_items(arguments[0])))
        case p.Builtin(name=name):
            return name not in SAFE_BUILTINS
        case _:
            return isinstance(plain(node.type), AnyType)


def _operator_may_fail(
    node: p.Arithmetic | p.Negation | p.Comparison | p.Between | p.Member,
) -> bool:
    match node:
        case p.Arithmetic(operator="*"):
            return not node.unbounded
        case p.Arithmetic(operator=operator, left=left, right=right):
            return operator not in ("+", "-") or not (_is_number(left) and _is_number(right))
        case p.Negation(operand=operand):
            return not _is_number(operand)
        case p.Comparison(operator=operator, left=left, right=right):
            return operator not in ("=", "!=") and not _compare(left.type, right.type)
        case p.Between(value=value, low=low, high=high):
            known = without_null(value.type)
            return not all(_compare(known, end.type) for end in (low, high) if end is not None)
        case p.Member(list=listed):
            return may_be_null(listed.type) or not isinstance(plain(listed.type), ListType)
        case _:
            assert_never(node)


def is_whole(node: p.Node) -> bool:
    found = plain(node.type)
    return isinstance(found, NumberType) and found.whole and not may_be_null(node.type)


def whole_items(node: p.Node) -> bool:
    """A list of whole numbers, none of them null."""
    found = plain(node.type)
    if not isinstance(found, ListType) or may_be_null(node.type) or may_be_null(found.item):
        return False
    item = plain(found.item)
    return isinstance(item, NumberType) and item.whole


def _is_number(node: p.Node) -> bool:
    return isinstance(plain(node.type), NumberType) and not may_be_null(node.type)


def _compare(left: Type, right: Type) -> bool:
    """Values of such types always compare."""
    if may_be_null(left) or may_be_null(right):
        return False
    a, b = plain(left), plain(right)
    if isinstance(a, (NumberType, TextType)):
        return isinstance(b, (NumberType, TextType))
    return isinstance(a, DateType | DaysDurationType | YearsDurationType) and a == b


# -- constants ---------------------------------------------------------------------------------


FIXED = (p.Constant, p.Name, p.EachName, p.MakeList, p.MakeRange, p.MakeContext, p.MakeRecord)


def is_constant(holder: object, ground: Ground) -> bool:
    return all(_is_fixed(node, ground) for node in ground.lowered.nodes(holder))


def _is_fixed(node: p.Node, ground: Ground) -> bool:
    if isinstance(node, p.MakeRecord):
        return not ground.keeps_turn(node.record)
    return isinstance(node, FIXED)
