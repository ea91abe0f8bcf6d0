"""Surface nodes: an expression as it is written, before anybody knows what its names mean.

Every node knows its characters; a span is no part of what a node is (two equal texts are equal nodes
wherever they stand)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import assert_never

from dtables.provenance import Span


@dataclass(frozen=True, slots=True)
class Syntax:
    """What every surface node is: something with a span of characters, which equality ignores."""

    span: Span = field(compare=False, repr=False, kw_only=True)


# -- literals ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NumberLiteral(Syntax):
    """A number, an int where it is whole."""

    value: int | Decimal


@dataclass(frozen=True, slots=True)
class TextLiteral(Syntax):
    """A text, with its escapes resolved."""

    value: str


@dataclass(frozen=True, slots=True)
class BooleanLiteral(Syntax):
    """`true`, `false`; in workbooks also `yes`, `no`, `sì`."""

    value: bool


@dataclass(frozen=True, slots=True)
class NullLiteral(Syntax):
    """The word `null`."""


@dataclass(frozen=True, slots=True)
class AtLiteral(Syntax):
    """`@"2026-11-18"`: the text decides which kind of date, time or duration it is."""

    text: str


# -- names and what hangs on them --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name(Syntax):
    """A name, spaces normalised to one. A run of words that no scope knows is one name too, so that
    the checker can say what it may have meant."""

    name: str


@dataclass(frozen=True, slots=True)
class Path(Syntax):
    """`of.name`."""

    of: Expression
    name: str
    name_span: Span = field(compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Filter(Syntax):
    """`of[condition]`: a filter or an index, as the condition's value decides."""

    of: Expression
    condition: Expression


@dataclass(frozen=True, slots=True)
class Argument(Syntax):
    """`name` is set in a named invocation."""

    name: str | None
    value: Expression


@dataclass(frozen=True, slots=True)
class Invocation(Syntax):
    """`function(a, b)`, `function(x: a)`; `function` may be any expression (`makes.wood(r)` too)."""

    function: Expression
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Each(Syntax):
    """`each card`: all names or rows of a vocabulary, in order."""

    vocabulary: str
    vocabulary_span: Span = field(compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Ranking(Syntax):
    """`S ranking(list, …)`."""

    scale: str
    arguments: tuple[Argument, ...]


# -- operators ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Negation(Syntax):
    """Unary minus."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Arithmetic(Syntax):
    """`operator` is one of `+ - * / **`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison(Syntax):
    """`operator` is one of `= != < <= > >=`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Logic(Syntax):
    """`operator` is `and` or `or`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Between(Syntax):
    """`value between low and high`, both ends included."""

    value: Expression
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class In(Syntax):
    """`value in test`, `value in (test, test)`."""

    value: Expression
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class InstanceOf(Syntax):
    """`value instance of type`."""

    value: Expression
    type: TypeName


# -- compound ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Conditional(Syntax):
    """`if condition then … else …`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Iteration(Syntax):
    """`variable in source`; `end` is set where the source is written `source..end`."""

    variable: str
    source: Expression
    end: Expression | None


@dataclass(frozen=True, slots=True)
class For(Syntax):
    """`for … in … return result`; a later iteration sees the variables of earlier ones."""

    iterations: tuple[Iteration, ...]
    result: Expression


@dataclass(frozen=True, slots=True)
class Quantified(Syntax):
    """`quantifier` is `some` or `every`."""

    quantifier: str
    iterations: tuple[Iteration, ...]
    condition: Expression


@dataclass(frozen=True, slots=True)
class ListLiteral(Syntax):
    """`[a, b]`, or the items of a list cell."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class ContextEntry(Syntax):
    """`name: value`, the name without its quotes."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class ContextLiteral(Syntax):
    """`{name: value, …}`; an entry sees the names of those before it."""

    entries: tuple[ContextEntry, ...]


@dataclass(frozen=True, slots=True)
class FunctionParameter(Syntax):
    """A parameter of a function literal; `type` is None where none is written."""

    name: str
    type: TypeName | None


@dataclass(frozen=True, slots=True)
class FunctionLiteral(Syntax):
    """`function(a, b) body`; of an `external` one the body is a context that says where it is."""

    parameters: tuple[FunctionParameter, ...]
    body: Expression
    external: bool = False


@dataclass(frozen=True, slots=True)
class RangeLiteral(Syntax):
    """`[1..5)`, `]1..5[`; one end missing where it is written as a comparison (`(>= 3)`, `(<5)`).
    `operator` is that comparison's; `(= 3)` and, in the standard, `(!= 3)` have both ends."""

    low: Expression | None
    high: Expression | None
    low_included: bool
    high_included: bool
    operator: str | None = None


Expression = (
    NumberLiteral | TextLiteral | BooleanLiteral | NullLiteral | AtLiteral | Name | Path | Filter
    | Invocation | Each | Ranking | Negation | Arithmetic | Comparison | Logic | Between | In
    | InstanceOf | Conditional | For | Quantified | ListLiteral | ContextLiteral | FunctionLiteral
    | RangeLiteral
)  # fmt: skip


# -- unary tests -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnyTest(Syntax):
    """`-` or an empty cell."""


@dataclass(frozen=True, slots=True)
class ComparisonTest(Syntax):
    """`>= 3`, `!= blue`."""

    operator: str
    value: Expression


@dataclass(frozen=True, slots=True)
class ExpressionTest(Syntax):
    """A value to equal, a list or range to be in, or a condition that uses `?`: types decide."""

    value: Expression


@dataclass(frozen=True, slots=True)
class NotTest(Syntax):
    """`not(blue, red)`, the whole cell."""

    tests: tuple[Test, ...]


Test = AnyTest | ComparisonTest | ExpressionTest | NotTest


# -- types as written --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NamedType(Syntax):
    """A type of the language or the workbook, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class ListOfType(Syntax):
    """`list of T` in workbooks, `list<T>` in FEEL."""

    item: TypeName


@dataclass(frozen=True, slots=True)
class RangeOfType(Syntax):
    """`range<T>`."""

    item: TypeName


@dataclass(frozen=True, slots=True)
class ByType(Syntax):
    """`T by V`."""

    value: TypeName
    key: NamedType


@dataclass(frozen=True, slots=True)
class ContextOfType(Syntax):
    """`context<a: number>`."""

    fields: tuple[tuple[str, TypeName], ...]


@dataclass(frozen=True, slots=True)
class FunctionOfType(Syntax):
    """`function<T, T> -> T`."""

    parameters: tuple[TypeName, ...]
    result: TypeName


@dataclass(frozen=True, slots=True)
class OptionalOfType(Syntax):
    """`T?`."""

    of: TypeName


TypeName = NamedType | ListOfType | RangeOfType | ByType | ContextOfType | FunctionOfType | OptionalOfType


# -- parts, depth, names read -----------------------------------------------------------------------
# What a node is made of, how deep it goes, and which names it reads.

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
