"""What has words or brackets of its own: if, for, some, every, function; ( ), [ ], { }, ranges."""

from __future__ import annotations

from collections.abc import Callable

from dtables.feel import parser_literals as literals
from dtables.feel import problems
from dtables.feel.ast import (
    Conditional,
    ContextEntry,
    ContextLiteral,
    Expression,
    For,
    FunctionLiteral,
    FunctionParameter,
    Iteration,
    ListLiteral,
    Quantified,
    RangeLiteral,
)
from dtables.feel.knownnames import Names
from dtables.feel.lexer import Kind, Token
from dtables.feel.parser_cursor import Cursor, Dialect, Ends, Stop
from dtables.feel.parser_names import Declared, declare_name
from dtables.feel.parser_types import read_type

_IF = "if … then … else …"
_FOR = "for … in … return …"
COMPARISONS = ("<", "<=", ">", ">=", "=", "!=")


def read_if(c: Cursor) -> Conditional:
    start = c.take().start
    condition = c.expression(c)
    c.take_word("then", _IF)
    then = c.expression(c)
    c.take_word("else", _IF)
    otherwise = c.expression(c)
    return Conditional(condition, then, otherwise, span=c.span_from(start))


def read_for(c: Cursor) -> For:
    with c.scope():
        start = c.take().start
        iterations = _read_iterations(c, "for", _FOR)
        c.take_word("return", _FOR)
        c.bind(["partial"])
        result = c.expression(c)
    return For(iterations, result, span=c.span_from(start))


def read_quantified(c: Cursor) -> Quantified:
    with c.scope():
        word = c.take()
        form = f"{word.text} … in … satisfies …"
        iterations = _read_iterations(c, word.text, form)
        c.take_word("satisfies", form)
        condition = c.expression(c)
    return Quantified(word.text, iterations, condition, span=c.span_from(word.start))


def _read_iterations(c: Cursor, word: str, form: str) -> tuple[Iteration, ...]:
    iterations = [_read_iteration(c, word, form)]
    while c.take_separator():
        iterations.append(_read_iteration(c, word, form))
    return tuple(iterations)


def _read_iteration(c: Cursor, word: str, form: str) -> Iteration:
    variable = declare_name(c, "in", word)
    c.take_word("in", form)
    source = c.expression(c)
    end = c.expression(c) if c.took("..") else None
    c.bind([variable.name])
    return Iteration(variable.name, source, end, span=c.span_from(variable.span.start))


def read_function(c: Cursor) -> FunctionLiteral:
    start = c.take().start
    opening = c.peek()
    if not c.took("("):
        raise Stop(problems.missing_word("(", "function(a, b) …", opening))
    with c.scope(), c.bracket():
        parameters = _read_parameters(c)
        c.close(opening)
        c.bind(p.name for p in parameters)
        external = c.sees_word("external")
        if external:
            c.take()
        body = c.expression(c)
    return FunctionLiteral(parameters, body, external, span=c.span_from(start))


def _read_parameters(c: Cursor) -> tuple[FunctionParameter, ...]:
    parameters: list[FunctionParameter] = []
    while not c.sees(")"):
        name = declare_name(c, ":", "function(")
        _once(name, [p.name for p in parameters])
        type_ = read_type(c) if c.took(":") else None
        parameters.append(FunctionParameter(name.name, type_, span=c.span_from(name.span.start)))
        if not c.take_separator():
            break
    return tuple(parameters)


# -- brackets ----------------------------------------------------------------------------------


def read_group(c: Cursor) -> Expression:
    """`(a)`, `(a..b)`, `(>= a)`"""
    opening = c.take()
    with c.bracket():
        if c.sees(*COMPARISONS):
            return _read_half_range(c, opening)
        inner = c.expression(c)
        if not c.sees(".."):
            c.close(opening)
            return inner
    return _read_range_end(c, opening, inner)


def read_list(c: Cursor) -> Expression:
    """`[a, b]`, `[a..b]`"""
    opening = c.take()
    items: list[Expression] = []
    with c.bracket():
        while not c.sees("]"):
            items.append(c.expression(c))
            if len(items) == 1 and c.sees(".."):
                break
            if not c.take_separator():
                break
            if c.sees("]"):
                raise Stop(problems.missing_operand(",", c.peek().span))
        if not c.sees(".."):
            c.close(opening)
            return ListLiteral(tuple(items), span=c.span_from(opening.start))
    return _read_range_end(c, opening, items[0])


def read_open_range(c: Cursor) -> Expression:
    """`]a..b[`"""
    opening = c.take()
    with c.bracket():
        low = c.expression(c)
    if not c.sees(".."):
        raise Stop(problems.missing_word("..", "]a..b[", c.peek()))
    return _read_range_end(c, opening, low)


def _read_range_end(c: Cursor, opening: Token, low: Expression) -> RangeLiteral:
    c.take()
    with c.bracket(Ends.RANGE):
        high = c.expression(c)
    closing = c.peek()
    if not c.sees("]", ")", "["):
        wanted = ")" if opening.text == "(" else "]"
        if closing.kind is not Kind.END:
            raise Stop(problems.unexpected(closing, f"an operator or `{wanted}`"))
        raise Stop(problems.unclosed_bracket(opening, wanted))
    c.take()
    included = (opening.text == "[", closing.text == "]")
    return RangeLiteral(low, high, *included, span=c.span_from(opening.start))


def _read_half_range(c: Cursor, opening: Token) -> RangeLiteral:
    operator = c.take()
    end = c.expression(c)
    c.close(opening)
    span = c.span_from(opening.start)
    match operator.text:
        case "<" | "<=" as less:
            return RangeLiteral(None, end, False, less == "<=", less, span=span)
        case ">" | ">=" as greater:
            return RangeLiteral(end, None, greater == ">=", False, greater, span=span)
        case "!=" if c.dialect is Dialect.WORKBOOK:
            raise Stop(problems.unexpected(operator, "a value"))
        case equal:
            return RangeLiteral(end, end, True, True, equal, span=span)


def read_context(c: Cursor) -> ContextLiteral:
    opening = c.take()
    entries: list[ContextEntry] = []
    with c.scope(), c.bracket():
        while not c.sees("}"):
            entries.append(_read_entry(c, [entry.name for entry in entries]))
            if not c.take_separator():
                break
            if c.sees("}"):
                raise Stop(problems.missing_operand(",", c.peek().span))
        c.close(opening)
    new = [entry.name for entry in entries if entry.name not in c.keys]
    c.keys = c.keys | Names(new) if new else c.keys
    return ContextLiteral(tuple(entries), span=c.span_from(opening.start))


def _read_entry(c: Cursor, before: list[str]) -> ContextEntry:
    key = _read_key(c)
    _once(key, before)
    if not c.took(":"):
        raise Stop(problems.missing_word(":", "{name: value}", c.peek()))
    value = c.expression(c)
    c.bind([key.name])
    return ContextEntry(key.name, value, span=c.span_from(key.span.start))


def _read_key(c: Cursor) -> Declared:
    token = c.peek()
    if token.kind is not Kind.TEXT:
        return declare_name(c, ":", "{")
    c.take()
    name, found = literals.text(token.text, token.start)
    if c.dialect is Dialect.WORKBOOK:
        c.problems.extend(found)
    return Declared(name, token.span)


def _once(name: Declared, before: list[str]) -> None:
    if name.name in before:
        raise Stop(problems.repeated_name(name.name, name.span))


FORMS: dict[str, Callable[[Cursor], Expression]] = {
    "if": read_if,
    "for": read_for,
    "some": read_quantified,
    "every": read_quantified,
    "function": read_function,
}
