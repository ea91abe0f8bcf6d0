"""Whole cells: a condition's tests, a list without brackets."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from dtables.diagnostics import Problem
from dtables.feel import problems
from dtables.feel.ast import AnyTest, Arithmetic, Expression, ExpressionTest, ListLiteral, NumberLiteral, Test
from dtables.feel.lexer import Kind, Token, token_at
from dtables.feel.parser_cursor import CLOSES, Cursor, Dialect, Stop
from dtables.feel.parser_operators import SUM, read_expression, read_joined, read_not_test, read_test
from dtables.provenance import Span

Read = TypeVar("Read")

_DASHED = re.compile(r"\s*[0-9]+(?:\s*-\s*[0-9]+)+\s*")
_BEFORE_COMMA = re.compile(r"[0-9][0-9.]*\Z")
_AFTER_COMMA = re.compile(r",[0-9]+")
# Words that make a `>` a comparison and a line a part of an expression.
_FORM_WORDS = frozenset({"if", "for", "some", "every", "function", "and", "or", "satisfies", "return"})


def at_end(c: Cursor) -> None:
    """Nothing may follow."""
    token = c.peek()
    if token.kind is Kind.END:
        return
    if token.text in CLOSES.values() and token.text != ">":
        raise Stop(problems.unopened_bracket(token))
    before = _BEFORE_COMMA.search(c.slice(Span(0, token.start)))
    after = _AFTER_COMMA.match(c.text, token.start, c.end)
    if before and after:
        span = Span(before.start(), after.end())
        raise Stop(problems.decimal_comma(span, c.slice(span)))
    raise Stop(problems.unexpected(token, "an operator"))


# -- tests -------------------------------------------------------------------------------------


def read_cell(c: Cursor) -> tuple[Test, ...]:
    first = c.peek()
    if first.kind is Kind.END:
        return (AnyTest(span=first.span),)
    if first.text == "-" and c.after(first).kind is Kind.END:
        return (AnyTest(span=c.take().span),)
    if first.text == "not" and _encloses_all(c):
        return (read_not_test(c),)
    return _read_tests(c)


def _encloses_all(c: Cursor) -> bool:
    """`not(…)` with nothing behind its bracket."""
    token, depth = c.after(c.peek()), 0
    if token.text != "(":
        return False
    while token.kind is not Kind.END:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        token = c.after(token)
        if depth == 0:
            return token.kind is Kind.END
    return True


def _read_tests(c: Cursor) -> tuple[Test, ...]:
    """A test that cannot be read is passed over, so that each has its own problem."""
    tests: list[Test] = []
    while True:
        try:
            tests.append(_read_whole_test(c))
        except Stop as stop:
            c.problems.append(stop.problem)
            _go_to_separator(c)
        if not c.take_separator():
            break
        if c.peek().kind is Kind.END:
            raise Stop(problems.missing_operand(",", Span(c.at - 1, c.at)))
    if not tests:
        raise Stop(c.problems.pop())
    return tuple(tests)


def _read_whole_test(c: Cursor) -> Test:
    start = c.peek()
    test = read_test(c)
    token = c.peek()
    if token.text in ("and", "or"):
        raise Stop(problems.joined_tests(token))
    if token.text == "..":
        raise Stop(_bare_range(c, start))
    if token.text not in (",", ";"):
        at_end(c)
    if c.dialect is Dialect.WORKBOOK:
        _no_dashes(c, test)
    return test


def _bare_range(c: Cursor, start: Token) -> Problem:
    _go_to_separator(c)
    span = Span(start.start, c.peek().start)
    return problems.bare_range(span, c.slice(span).strip())


def _no_dashes(c: Cursor, test: Test) -> None:
    """`3-4` in a condition is hardly ever meant as -1."""
    match test:
        case ExpressionTest(Arithmetic("-", NumberLiteral() as low, NumberLiteral() as high)):
            c.problems.append(problems.dash_range(test.span, c.slice(low.span), c.slice(high.span)))
        case _:
            pass


def _go_to_separator(c: Cursor) -> None:
    found = _separators(c, c.at, (",", ";"))
    c.go(found[0].start if found else c.end)


# -- lists -------------------------------------------------------------------------------------


def read_list_cell(c: Cursor) -> tuple[Expression, ...]:
    first = c.peek()
    if first.kind is Kind.END:
        return ()
    if _DASHED.fullmatch(c.text, c.at, c.end):
        return _read_dashed(c)
    commas = [token.span for token in _separators(c, c.at, (",", ";"))]
    if lines := _line_breaks(c, commas):
        return _read_lines(c, commas, lines)
    return _read_line(c, commas)


def _read_line(c: Cursor, commas: list[Span]) -> tuple[Expression, ...]:
    if commas:
        return _read_pieces(c, commas, read_expression)
    above = _separators(c, c.at, (">",))
    if above and not _has_forms(c):
        return _read_pieces(c, [t.span for t in above], lambda piece: read_joined(piece, SUM))
    found = read_expression(c)
    at_end(c)
    return found.items if isinstance(found, ListLiteral) else (found,)


def _read_lines(c: Cursor, commas: list[Span], lines: list[Span]) -> tuple[Expression, ...]:
    """Each line an item, unless the lines only together make an expression."""
    alone = _at(c, c.at, c.end)
    try:
        items = _read_pieces(alone, sorted([*commas, *lines]), read_expression)
    except Stop:
        items = ()
    if items and not alone.problems:
        return items
    return _read_line(c, commas)


def _read_pieces(
    c: Cursor, between: list[Span], read: Callable[[Cursor], Expression]
) -> tuple[Expression, ...]:
    items: list[Expression] = []
    starts = [c.at, *(span.end for span in between)]
    ends = [*(span.start for span in between), c.end]
    for start, end in zip(starts, ends, strict=True):
        piece = _at(c, start, end)
        try:
            items.append(_read_piece(piece, read, Span(max(0, start - 1), end)))
        except Stop as stop:
            piece.problems.append(stop.problem)
        c.problems.extend(piece.problems)
    if not items:
        raise Stop(c.problems.pop())
    return tuple(items)


def _read_piece(c: Cursor, read: Callable[[Cursor], Expression], where: Span) -> Expression:
    if c.peek().kind is Kind.END:
        raise Stop(problems.empty_expression(where))
    found = read(c)
    at_end(c)
    return found


def _read_dashed(c: Cursor) -> tuple[Expression, ...]:
    """`3-4-5-6`: a list as people write it on paper; of two numbers it may as well be a difference."""
    numbers: list[Expression] = []
    span = Span(c.peek().start, c.end)
    while c.peek().kind is not Kind.END:
        token = c.take()
        if token.kind is Kind.NUMBER:
            numbers.append(NumberLiteral(int(token.text), span=token.span))
    if len(numbers) == 2:
        low, high = (c.slice(n.span) for n in numbers)
        c.problems.append(problems.dash_pair(span, low, high))
    return tuple(numbers)


# -- pieces ------------------------------------------------------------------------------------


def _at(c: Cursor, start: int, end: int) -> Cursor:
    """Another reader of the same text, of a part of it."""
    return replace(c, at=start, end=end, problems=[], _next=None)


def _separators(c: Cursor, start: int, symbols: tuple[str, ...]) -> list[Token]:
    """The tokens outside all brackets that are one of `symbols`."""
    found: list[Token] = []
    token, depth = token_at(c.text, start, c.end), 0
    while token.kind is not Kind.END:
        if token.kind is Kind.SYMBOL:
            depth += (token.text in "([{") - (token.text in ")]}")
            if depth == 0 and token.text in symbols:
                found.append(token)
        token = token_at(c.text, token.end, c.end)
    return found


def _line_breaks(c: Cursor, commas: list[Span]) -> list[Span]:
    """New lines outside brackets and texts, between two lines that hold something and no comma."""
    breaks: list[Span] = []
    token, depth = c.peek(), 0
    while token.kind is not Kind.END:
        if token.kind is Kind.SYMBOL:
            depth += (token.text in "([{") - (token.text in ")]}")
        following = token_at(c.text, token.end, c.end)
        between = Span(token.end, following.start)
        if token.span in commas or following.span in commas:
            token = following
            continue
        if depth == 0 and "\n" in c.slice(between) and following.kind is not Kind.END:
            breaks.append(between)
        token = following
    return breaks


def _has_forms(c: Cursor) -> bool:
    token = c.peek()
    while token.kind is not Kind.END:
        if token.kind is Kind.WORD and token.text in _FORM_WORDS:
            return True
        token = token_at(c.text, token.end, c.end)
    return False
