"""Operators, by how strongly they bind; and what stands right of `in`."""

from __future__ import annotations

from dtables.feel import problems
from dtables.feel.ast import (
    Arithmetic,
    Between,
    Comparison,
    ComparisonTest,
    Expression,
    ExpressionTest,
    In,
    InstanceOf,
    Logic,
    Negation,
    NotTest,
    Test,
)
from dtables.feel.lexer import Kind, Token
from dtables.feel.parser_cursor import Cursor, Dialect, Stop
from dtables.feel.parser_forms import COMPARISONS
from dtables.feel.parser_operands import read_operand
from dtables.feel.parser_types import read_type

OR, AND, COMPARISON, SUM, PRODUCT, POWER, INSTANCE, NONE = 1, 2, 3, 4, 5, 6, 7, 0

_LEVELS = {
    "or": OR, "and": AND, "between": COMPARISON, "in": COMPARISON, "instance": INSTANCE,
    "<": COMPARISON, "<=": COMPARISON, ">": COMPARISON, ">=": COMPARISON, "=": COMPARISON, "!=": COMPARISON,
    "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "**": POWER,
}  # fmt: skip
_WORDS = frozenset({"or", "and", "between", "in", "instance"})
_ELSEWHERE = {
    "==": "=", "<>": "!=", "=>": ">=", "=<": "<=", "&&": "and", "||": "or", "^": "**", "&": "+",
}  # fmt: skip


def read_expression(c: Cursor) -> Expression:
    with c.nested():
        return read_joined(c, OR)


def read_joined(c: Cursor, least: int) -> Expression:
    """Operands joined by operators that bind at least so strongly, from the left."""
    start = c.peek().start
    left = _read_signed(c)
    while (level := _LEVELS.get(_operator(c), NONE)) >= least:
        left = _read_right(c, left, start, level)
    return left


def _operator(c: Cursor) -> str:
    """The operator that follows, spelled as it is here; "" where none does."""
    token = c.peek()
    match token.kind:
        case Kind.SYMBOL:
            return _ELSEWHERE.get(token.text, token.text)
        case Kind.WORD:
            word = token.text.lower() if token.text.isupper() else token.text
            return word if word in _WORDS else ""
        case _:
            return ""


def _take_operator(c: Cursor) -> str:
    """Another language's spelling is understood, and said."""
    operator = _operator(c)
    token = c.take()
    if token.kind is Kind.WORD and token.text != operator:
        c.problems.append(problems.upper_case_word(token))
    elif token.text != operator:
        c.problems.append(problems.operator_spelling(token, operator))
    return operator


def _read_signed(c: Cursor) -> Expression:
    signs: list[Token] = []
    while c.sees("-") and not _begins_name(c):
        signs.append(c.take())
    if signs and c.peek().kind is Kind.END:
        raise Stop(problems.missing_operand("-", signs[-1].span))
    found = read_operand(c)
    for sign in reversed(signs):
        found = Negation(found, span=c.span_from(sign.start))
    return found


def _begins_name(c: Cursor) -> bool:
    return c.names.longest_at(c.text, c.peek().start, c.end) is not None


def _read_right(c: Cursor, left: Expression, start: int, level: int) -> Expression:
    token = c.peek()
    operator = _take_operator(c)
    if c.peek().kind is Kind.END:
        raise Stop(problems.missing_operand(token.text, token.span))
    match operator:
        case "between":
            return _read_between(c, left, start)
        case "in":
            return In(left, c.tests_after_in(c), span=c.span_from(start))
        case "instance":
            c.take_word("of", "x instance of number")
            return InstanceOf(left, read_type(c), span=c.span_from(start))
        case "and" | "or":
            return Logic(operator, left, read_joined(c, level + 1), span=c.span_from(start))
        case "+" | "-" | "*" | "/" | "**":
            return Arithmetic(operator, left, read_joined(c, level + 1), span=c.span_from(start))
        case _:
            right = read_joined(c, level + 1)
            _not_in_a_row(c, operator)
            return Comparison(operator, left, right, span=c.span_from(start))


def _not_in_a_row(c: Cursor, operator: str) -> None:
    """`1 < x < 5` is what nobody means; `a = b = c` is left to the types."""
    if operator in ("<", "<=", ">", ">=") and _operator(c) in ("<", "<=", ">", ">="):
        raise Stop(problems.chained_comparison(c.peek()))


def _read_between(c: Cursor, value: Expression, start: int) -> Between:
    low = read_joined(c, SUM)
    c.take_word("and", "x between a and b")
    high = read_joined(c, SUM)
    return Between(value, low, high, span=c.span_from(start))


# -- tests -------------------------------------------------------------------------------------


def read_test(c: Cursor) -> Test:
    """`>= 3`, a value, a condition"""
    token = c.peek()
    if c.sees(*COMPARISONS):
        return read_comparison_test(c)
    return ExpressionTest(c.expression(c), span=c.span_from(token.start))


def read_comparison_test(c: Cursor) -> ComparisonTest:
    token = c.take()
    if c.peek().kind is Kind.END:
        raise Stop(problems.missing_operand(token.text, token.span))
    value = read_joined(c, SUM)
    return ComparisonTest(token.text, value, span=c.span_from(token.start))


def read_not_test(c: Cursor) -> NotTest:
    start = c.take().start
    return NotTest(_read_bracketed_tests(c), span=c.span_from(start))


def read_tests_after_in(c: Cursor) -> tuple[Test, ...]:
    token = c.peek()
    if c.sees(*COMPARISONS):
        return (read_comparison_test(c),)
    if c.dialect is Dialect.WORKBOOK and c.sees_word("not") and c.after(token).text == "(":
        return (read_not_test(c),)
    if c.sees("(") and _encloses_tests(c):
        return _read_bracketed_tests(c)
    return (ExpressionTest(read_joined(c, SUM), span=c.span_from(token.start)),)


def _read_bracketed_tests(c: Cursor) -> tuple[Test, ...]:
    opening = c.take()
    with c.bracket():
        tests = [read_test(c)]
        while c.take_separator():
            tests.append(read_test(c))
        c.close(opening)
    return tuple(tests)


def _encloses_tests(c: Cursor) -> bool:
    """Is the bracket that opens here all that `in` is about, and no range or part of a sum?"""
    token, depth, ranges = c.peek(), 0, False
    while token.kind is not Kind.END:
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        elif depth == 1 and token.text == ",":
            return True
        ranges = ranges or (depth == 1 and token.text == "..")
        if depth == 0:
            break
        token = c.after(token)
    following = c.after(token)
    return not ranges and following.text not in ("+", "-", "*", "/", "**", ".", "[", "(", "instance")
