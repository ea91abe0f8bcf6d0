"""Which expressions may end in an error: what cannot fail may be read early, or not at all, and nobody
can tell."""

from __future__ import annotations

from dtables.compilers.python.ground import Ground
from dtables.feel.types import AnyType, NumberType, TextType, may_be_null, plain
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
from dtables.model.tables import Formula, Step
from dtables.model.walk import nodes

SAFE_BUILTINS = frozenset(
    ("count", "total", "concatenate", "append", "distinct values", "reverse", "flatten")
)


def may_fail(thing: object, ground: Ground) -> bool:
    return any(node_may_fail(node, ground) for node in nodes(thing))


def find_failing_steps(ground: Ground) -> None:
    """Steps are worked out where they are read: reading one fails where its value does."""
    for formula in ground.tables.values():
        if isinstance(formula, Formula):
            _mark(formula.steps, ground)
    for ask in ground.asks.values():
        _mark(tuple(row for row in ask.rows if isinstance(row, Step)), ground)


def _mark(steps: tuple[Step, ...], ground: Ground) -> None:
    for step in steps:
        if not step.parameters and may_fail(step.value, ground):
            ground.failing_steps.add(step.variable.number)


def node_may_fail(node: Node, ground: Ground) -> bool:
    match node:
        case Guard() | Select() | ItemEntry() | ItemAt() | AskAnswer() | CallFunction() | MakeFunction():
            return True
        case CallTable() | CallStep() | Ranking():
            return True
        case Read(variable=variable):
            return variable.number in ground.failing_steps
        case InputField(name=name):
            return name in ground.optional_attributes and not may_be_null(node.type)
        case Arithmetic(operator=operator, left=left, right=right):
            return operator not in ("+", "-") or not (_is_number(left) and _is_number(right))
        case Negation(operand=operand):
            return not _is_number(operand)
        case Comparison(operator=operator, left=left, right=right):
            return operator not in ("=", "!=") and not (_is_plain(left) and _is_plain(right))
        case For(bindings=bindings) | Quantified(bindings=bindings):
            return any(b.end is not None for b in bindings)
        case FieldOf(of=of, name=name):
            record = ground.record_of(of.type)
            return record is None or (record.name, name) in ground.computed
        case ByKey(of=of):
            record = ground.record_of(of.type)
            return record is not None and any(f.computed is not None for f in record.fields)
        case CallBuiltin(builtin=builtin):
            return builtin not in SAFE_BUILTINS
        case _:
            return isinstance(plain(node.type), AnyType)


def _is_number(node: Node) -> bool:
    return isinstance(plain(node.type), NumberType) and not may_be_null(node.type)


def _is_plain(node: Node) -> bool:
    return isinstance(plain(node.type), (NumberType, TextType)) and not may_be_null(node.type)
