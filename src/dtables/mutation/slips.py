"""What people mistype in the text of a cell: a bound by one, an opposite, a neighbour's name, a lost part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise

from dtables.feel.syntax import ast
from dtables.feel.syntax.ast import Node, parts
from dtables.provenance import Span


class Mistake(StrEnum):
    """How people err."""

    NUMBER = "another number"
    BOUND = "another bound"
    OPPOSITE = "the opposite"
    NEIGHBOUR = "a neighbour's name"
    LEFT_OUT = "a part left out"
    SWAPPED = "two swapped"
    OPERATION = "another operation"
    TEXT = "another text"
    TYPE = "another type"
    EMPTIED = "an emptied cell"
    ROW_GONE = "a row gone"
    ROWS_SWAPPED = "two rows swapped"


@dataclass(frozen=True, slots=True)
class Slip:
    """The characters of `span` are typed as `text`."""

    mistake: Mistake
    span: Span
    text: str

    def typed(self, before: str) -> str:
        return before[: self.span.start] + self.text + before[self.span.end :]


Neighbours = Callable[[Span], Iterable[str]]
"""The names that may be mistaken for the one at these characters, the nearest first."""

COMPARED = {
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "=": ("!=",),
    "!=": ("=",),
}
OPERATIONS = {"+": "-", "-": "+", "*": "+", "/": "*", "**": "*"}
MISTAKEN = {
    "min": "max",
    "max": "min",
    "all": "any",
    "any": "all",
    "floor": "ceiling",
    "ceiling": "floor",
    "round up": "round down",
    "round down": "round up",
    "round half up": "round half down",
    "round half down": "round half up",
    "starts with": "ends with",
    "ends with": "starts with",
    "before": "after",
    "after": "before",
    "median": "mean",
    "mean": "median",
}
"""Functions that are taken for one another."""
TRUTHS = {
    "yes": "no",
    "no": "yes",
    "true": "false",
    "false": "true",
    "sì": "no",
    "vero": "falso",
    "falso": "vero",
}
OTHER_ENDS = {"[": "(", "(": "[", "]": ")", ")": "]"}
"""A border is inside, or is not; `]` before a range and `[` behind it leave theirs out."""
_DIGITS = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class CellText:
    """The text of a cell, and the names around each of its names."""

    code: str
    neighbours: Neighbours

    def at(self, span: Span) -> str:
        return self.code[span.start : span.end]


def slips_in(text: CellText, roots: Iterable[Node]) -> Iterator[Slip]:
    """Every slip in what stands in a cell, from the left and from the outside."""
    waiting = [(root, True) for root in roots][::-1]
    while waiting:
        node, ordered = waiting.pop()
        if isinstance(node, ast.ListLiteral):
            yield from slips_in_row(text, spans_of(node.items), ordered=ordered)
        else:
            yield from _slips(text, node)
        inside = not isinstance(node, ast.In | ast.ExpressionTest)
        waiting.extend((part, inside) for part in reversed(parts(node)))


def slips_in_row(text: CellText, spans: Sequence[Span], *, ordered: bool) -> Iterator[Slip]:
    """Items that stand in a row: one is left out, two are swapped where their order counts."""
    for n, span in enumerate(spans if len(spans) > 1 else []):
        gap = Span(span.start, spans[n + 1].start) if n + 1 < len(spans) else Span(spans[n - 1].end, span.end)
        yield Slip(Mistake.LEFT_OUT, gap, "")
    for one, other in pairwise(spans) if ordered else ():
        if text.at(one) != text.at(other):
            between = text.at(Span(one.end, other.start))
            yield Slip(Mistake.SWAPPED, one.to(other), text.at(other) + between + text.at(one))


def spans_of(nodes: Sequence[Node]) -> tuple[Span, ...]:
    return tuple(node.span for node in nodes)


def opposite_of(text: CellText, root: Node) -> Iterator[Slip]:
    """Of a whole condition that compares nothing: `not` was forgotten."""
    match root:
        case ast.ExpressionTest(value=value):
            yield from opposite_of(text, value)
        case ast.Name() | ast.Path() | ast.Invocation() if not _is_not(root):
            yield Slip(Mistake.OPPOSITE, root.span, f"not({text.at(root.span)})")
        case _:
            return


def _slips(text: CellText, node: Node) -> Iterator[Slip]:
    match node:
        case ast.NumberLiteral() | ast.BooleanLiteral() | ast.AtLiteral() | ast.TextLiteral():
            yield from _of_literal(text, node)
        case ast.Name():
            yield from _of_name(text, node.span)
        case ast.Path():
            yield from _of_name(text, node.name_span, node.span)
        case ast.Comparison() | ast.Arithmetic() | ast.Logic():
            yield from _of_operator(text, node)
        case ast.ComparisonTest():
            yield from _compared(text, node.operator, Span(node.span.start, node.value.span.start))
        case ast.RangeLiteral():
            yield from _of_range(text, node)
        case ast.Conditional():
            then, otherwise = node.then.span, node.otherwise.span
            between = text.at(Span(then.end, otherwise.start))
            if text.at(then) != text.at(otherwise):
                swapped = text.at(otherwise) + between + text.at(then)
                yield Slip(Mistake.SWAPPED, then.to(otherwise), swapped)
        case ast.Quantified():
            word = Span(node.span.start, node.span.start + len(node.quantifier))
            yield Slip(Mistake.OPPOSITE, word, "every" if node.quantifier == "some" else "some")
        case ast.Filter() if not isinstance(node.condition, ast.NumberLiteral | ast.Negation):
            yield Slip(Mistake.LEFT_OUT, Span(node.of.span.end, node.span.end), "")
        case ast.Invocation():
            yield from _of_call(text, node)
        case ast.NotTest():
            inner = node.tests[0].span.to(node.tests[-1].span)
            yield Slip(Mistake.OPPOSITE, node.span, text.at(inner))
        case ast.In():
            yield from slips_in_row(text, spans_of(node.tests), ordered=False)
        case _:
            return


# -- literals and names ------------------------------------------------------------------------


def _of_literal(
    text: CellText, node: ast.NumberLiteral | ast.BooleanLiteral | ast.AtLiteral | ast.TextLiteral
) -> Iterator[Slip]:
    match node:
        case ast.NumberLiteral(value=value):
            yield from (Slip(Mistake.NUMBER, node.span, other) for other in _nearby(value))
        case ast.BooleanLiteral():
            written = text.at(node.span)
            other = TRUTHS.get(written.lower())
            if other is not None:
                yield Slip(Mistake.OPPOSITE, node.span, other.upper() if written.isupper() else other)
        case ast.AtLiteral(text=when):
            yield from (Slip(Mistake.NUMBER, node.span, f'@"{other}"') for other in _later(when))
        case ast.TextLiteral(value=value):
            named = [*_of_name(text, node.span)]
            yield from named
            if not named and value:
                yield Slip(Mistake.TEXT, Span(node.span.end - 2, node.span.end - 1), "")


def _nearby(value: int | Decimal) -> Iterator[str]:
    """The numbers one step above and below; nobody types one below zero by mistake."""
    step = 1 if isinstance(value, int) else Decimal(1).scaleb(int(value.as_tuple().exponent))
    yield format(value + step, "f") if isinstance(step, Decimal) else str(value + step)
    if value >= step:
        yield format(value - step, "f") if isinstance(step, Decimal) else str(value - step)


def _later(when: str) -> Iterator[str]:
    """A day, an hour, a unit more and less."""
    try:
        day = date.fromisoformat(when)
    except ValueError:
        found = _DIGITS.search(when)
        if found is not None:
            width = len(found[0])
            for other in (int(found[0]) + 1, int(found[0]) - 1):
                if other >= 0:
                    yield f"{when[: found.start()]}{other:0{width}}{when[found.end() :]}"
        return
    yield from ((day + timedelta(days)).isoformat() for days in (1, -1))


def _of_name(text: CellText, span: Span, whole: Span | None = None) -> Iterator[Slip]:
    """`whole` is the path that ends with the name."""
    for other in text.neighbours(whole or span):
        yield Slip(Mistake.NEIGHBOUR, span, other)


# -- operators and calls -----------------------------------------------------------------------


def _of_operator(text: CellText, node: ast.Comparison | ast.Arithmetic | ast.Logic) -> Iterator[Slip]:
    between = Span(node.left.span.end, node.right.span.start)
    match node:
        case ast.Comparison(operator=operator):
            yield from _compared(text, operator, between)
        case ast.Arithmetic(operator=operator):
            yield from _written_otherwise(text, between, operator, OPERATIONS[operator], Mistake.OPERATION)
        case ast.Logic(operator=operator):
            other = "or" if operator == "and" else "and"
            yield from _written_otherwise(text, between, operator, other, Mistake.OPPOSITE)
            yield Slip(Mistake.LEFT_OUT, Span(node.left.span.end, node.right.span.end), "")
            yield Slip(Mistake.LEFT_OUT, Span(node.left.span.start, node.right.span.start), "")


def _compared(text: CellText, operator: str, between: Span) -> Iterator[Slip]:
    for n, other in enumerate(COMPARED.get(operator, ())):
        mistake = Mistake.OPPOSITE if n or len(COMPARED[operator]) == 1 else Mistake.BOUND
        yield from _written_otherwise(text, between, operator, other, mistake)


def _written_otherwise(
    text: CellText, between: Span, word: str, other: str, mistake: Mistake
) -> Iterator[Slip]:
    """The operator stands somewhere among brackets and spaces."""
    at = text.at(between).find(word)
    if at >= 0:
        yield Slip(mistake, Span(between.start + at, between.start + at + len(word)), other)


def _of_range(text: CellText, node: ast.RangeLiteral) -> Iterator[Slip]:
    if node.operator is not None:
        low = node.low if node.low is not None else node.high
        if low is not None:
            yield from _compared(text, node.operator, Span(node.span.start, low.span.start))
        return
    for at in (node.span.start, node.span.end - 1):
        end = Span(at, at + 1)
        written = text.at(end)
        if at == node.span.start and written == "]":
            yield Slip(Mistake.BOUND, end, "[")
        elif at != node.span.start and written == "[":
            yield Slip(Mistake.BOUND, end, "]")
        elif written in OTHER_ENDS:
            yield Slip(Mistake.BOUND, end, OTHER_ENDS[written])


def _is_not(node: Node) -> bool:
    return isinstance(node, ast.Invocation) and node.function == ast.Name("not", span=node.span)


def _of_call(text: CellText, node: ast.Invocation) -> Iterator[Slip]:
    if _is_not(node) and len(node.arguments) == 1:
        yield Slip(Mistake.OPPOSITE, node.span, text.at(node.arguments[0].value.span))
    elif isinstance(node.function, ast.Name):
        other = MISTAKEN.get(node.function.name)
        if other is not None:
            yield Slip(Mistake.OPERATION, node.function.span, other)
        yield from _of_name(text, node.function.span, node.span)
