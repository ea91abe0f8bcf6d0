"""What a node is made of, how deep it goes, and which names it reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dtables.feel.ast import (
    AnyTest,
    Argument,
    Arithmetic,
    AtLiteral,
    Between,
    BooleanLiteral,
    Comparison,
    ComparisonTest,
    Conditional,
    ContextLiteral,
    Each,
    Expression,
    ExpressionTest,
    Filter,
    For,
    FunctionLiteral,
    In,
    InstanceOf,
    Invocation,
    Iteration,
    ListLiteral,
    Logic,
    Name,
    Negation,
    NotTest,
    NullLiteral,
    NumberLiteral,
    Path,
    Quantified,
    RangeLiteral,
    Ranking,
    Test,
    TextLiteral,
)
from dtables.provenance import Span

Node = Expression | Test


def names_read(node: Node) -> tuple[tuple[str, Span], ...]:
    """Names that are read, invoked or ranked by, in order. Names that the expression itself binds
    (for, some, every, parameters, earlier keys of a context) are none of them."""
    return tuple(_reads(node, frozenset()))


def deepest(node: Node) -> int:
    """How many nodes stand above one another; without descending itself."""
    level, depth = [node], 0
    while level:
        depth += 1
        level = [part for one in level for part in parts(one)]
    return depth


def parts(node: Node) -> tuple[Node, ...]:
    """The nodes directly within, as they are written."""
    match node:
        case NumberLiteral() | TextLiteral() | BooleanLiteral() | NullLiteral() | AtLiteral():
            return ()
        case Name() | Each() | AnyTest():
            return ()
        case Path():
            return (node.of,)
        case Filter():
            return (node.of, node.condition)
        case Invocation():
            return (node.function, *_values(node.arguments))
        case Ranking():
            return _values(node.arguments)
        case Negation():
            return (node.operand,)
        case Arithmetic() | Comparison() | Logic():
            return (node.left, node.right)
        case Between():
            return (node.value, node.low, node.high)
        case In():
            return (node.value, *node.tests)
        case InstanceOf() | ComparisonTest() | ExpressionTest():
            return (node.value,)
        case Conditional():
            return (node.condition, node.then, node.otherwise)
        case For():
            return (*_sources(node.iterations), node.result)
        case Quantified():
            return (*_sources(node.iterations), node.condition)
        case ListLiteral():
            return node.items
        case ContextLiteral():
            return tuple(entry.value for entry in node.entries)
        case FunctionLiteral():
            return (node.body,)
        case RangeLiteral(operator="=" | "!=", low=low) if low is not None:
            return (low,)
        case RangeLiteral():
            return tuple(end for end in (node.low, node.high) if end is not None)
        case NotTest():
            return node.tests
        case _:
            assert_never(node)


def _values(arguments: tuple[Argument, ...]) -> tuple[Expression, ...]:
    return tuple(argument.value for argument in arguments)


def _sources(iterations: tuple[Iteration, ...]) -> tuple[Expression, ...]:
    return tuple(e for i in iterations for e in (i.source, i.end) if e is not None)


Reads = Iterator[tuple[str, Span]]


def _reads(node: Node, bound: frozenset[str]) -> Reads:
    match node:
        case Name():
            if node.name not in bound:
                yield node.name, node.span
        case Ranking():
            yield node.scale, node.span
            yield from _all(parts(node), bound)
        case For():
            yield from _under(node.iterations, node.result, bound)
        case Quantified():
            yield from _under(node.iterations, node.condition, bound)
        case FunctionLiteral():
            yield from _reads(node.body, bound | {p.name for p in node.parameters})
        case ContextLiteral():
            for entry in node.entries:
                yield from _reads(entry.value, bound)
                bound |= {entry.name}
        case _:
            yield from _all(parts(node), bound)


def _all(nodes: tuple[Node, ...], bound: frozenset[str]) -> Reads:
    for node in nodes:
        yield from _reads(node, bound)


def _under(iterations: tuple[Iteration, ...], inner: Expression, bound: frozenset[str]) -> Reads:
    for iteration in iterations:
        yield from _all(_sources((iteration,)), bound)
        bound |= {iteration.variable}
    yield from _reads(inner, bound)
