"""Which expressions may end in an error: what cannot fail may be read early, or not at all, and nobody
can tell."""

from __future__ import annotations

from collections.abc import Iterator

from dtables.compilers.python.ground import Ground
from dtables.feel.types import AnyType, ListType, NumberType, TextType, may_be_null, plain
from dtables.model.expressions import (
    Arithmetic,
    AskAnswer,
    ByKey,
    CallBuiltin,
    CallFunction,
    CallStep,
    CallTable,
    Comparison,
    FieldOf,
    For,
    Guard,
    InputField,
    ItemAt,
    ItemEntry,
    MakeFunction,
    Negation,
    Node,
    Quantified,
    Ranking,
    Read,
    Select,
)
from dtables.model.reach import nodes
from dtables.model.tables import Formula, Step, Table

SAFE_BUILTINS = frozenset(
    ("count", "total", "concatenate", "append", "distinct values", "reverse", "flatten")
)


def may_fail(thing: object, ground: Ground) -> bool:
    return any(node_may_fail(node, ground) for node in nodes(thing))


def find_failing(ground: Ground) -> None:
    """Until nothing more is found: tables, computed fields and steps that may fail, or read such. Steps are
    worked out where they are read: reading one fails where its value does."""
    steps = list(_steps(ground))
    found = -1
    while found != len(ground.failing) + len(ground.failing_steps):
        found = len(ground.failing) + len(ground.failing_steps)
        for step in steps:
            if step.variable.number not in ground.failing_steps and may_fail(step.value, ground):
                ground.failing_steps.add(step.variable.number)
        for name, table in ground.tables.items():
            if name not in ground.failing and _table_may_fail(table, ground):
                ground.failing.add(name)
        for record in ground.records.values():
            for field in record.fields:
                key = (record.name, field.name)
                if key not in ground.failing and may_fail(field.computed, ground):
                    ground.failing.add(key)


def _steps(ground: Ground) -> Iterator[Step]:
    for table in ground.tables.values():
        if isinstance(table, Formula):
            yield from table.steps
    for ask in ground.asks.values():
        yield from (row for row in ask.rows if isinstance(row, Step))


def _table_may_fail(table: Table, ground: Ground) -> bool:
    """Of rows none may fire, or too many."""
    return not isinstance(table, Formula) or may_fail(table, ground)


def node_may_fail(node: Node, ground: Ground) -> bool:
    match node:
        case Guard() | Select() | ItemEntry() | ItemAt() | AskAnswer() | CallFunction() | MakeFunction():
            return True
        case CallTable(table=name):
            return name in ground.failing
        case CallStep(step=step):
            return step.number in ground.failing_steps
        case Ranking():
            return True
        case Read(variable=variable):
            return variable.number in ground.failing_steps
        case InputField(name=name):
            return name in ground.optional_attributes and not may_be_null(node.type)
        case Arithmetic(operator="*"):
            return not node.is_multiple
        case Arithmetic(operator=operator, left=left, right=right):
            return operator not in ("+", "-") or not (_is_number(left) and _is_number(right))
        case Negation(operand=operand):
            return not _is_number(operand)
        case Comparison(operator=operator, left=left, right=right):
            return operator not in ("=", "!=") and not (_is_plain(left) and _is_plain(right))
        case For(bindings=bindings) | Quantified(bindings=bindings):
            return len(bindings) > 1 or any(b.end is not None for b in bindings)
        case FieldOf(of=of, name=name):
            record = ground.record_of(of.type)
            return record is None or (record.name, name) in ground.failing
        case ByKey(of=of):
            record = ground.record_of(of.type)
            return record is not None and any((record.name, f.name) in ground.failing for f in record.fields)
        case CallBuiltin(builtin="min" | "max", arguments=arguments):
            return not (all(map(is_whole, arguments)) or (len(arguments) == 1 and whole_items(arguments[0])))
        case CallBuiltin(builtin=builtin):
            return builtin not in SAFE_BUILTINS
        case _:
            return isinstance(plain(node.type), AnyType)


def is_whole(node: Node) -> bool:
    found = plain(node.type)
    return isinstance(found, NumberType) and found.whole and not may_be_null(node.type)


def whole_items(node: Node) -> bool:
    """A list of whole numbers, none of them null."""
    found = plain(node.type)
    if not isinstance(found, ListType) or may_be_null(node.type) or may_be_null(found.item):
        return False
    item = plain(found.item)
    return isinstance(item, NumberType) and item.whole


def _is_number(node: Node) -> bool:
    return isinstance(plain(node.type), NumberType) and not may_be_null(node.type)


def _is_plain(node: Node) -> bool:
    return isinstance(plain(node.type), (NumberType, TextType)) and not may_be_null(node.type)
