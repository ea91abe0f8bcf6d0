"""Types as they are written: `list of customer`, `number by region?`, `function<number> -> text`."""

from __future__ import annotations

import re

from dtables.feel import problems
from dtables.feel.ast import (
    ByType,
    ContextOfType,
    FunctionOfType,
    ListOfType,
    NamedType,
    OptionalOfType,
    RangeOfType,
    TypeName,
)
from dtables.feel.knownnames import Names
from dtables.feel.lexer import SPACE, WORD, Kind, Token
from dtables.feel.parser_cursor import Cursor, Dialect, Stop
from dtables.feel.parser_names import ENDS_A_RUN, declare_name, known_at
from dtables.feel.types import NAMED_TYPES
from dtables.provenance import Span

_STANDARD = ("string", "Any", "Null", "dateTime", "dayTimeDuration", "yearMonthDuration")
_OWN = Names([*NAMED_TYPES, *_STANDARD, "list", "context", "function", "range"])
_QUALIFIED = re.compile(rf"{WORD}(?:\.{WORD})*")
_LIST_OF = re.compile(rf"list{SPACE}of(?!{WORD})")
_BY = frozenset({"by"})


def read_type(c: Cursor) -> TypeName:
    """`?` and `by` bind loosest: `list of T?` may be null itself; `list of (T?)` may hold nulls."""
    start = c.peek().start
    found = _one(c)
    while c.dialect is Dialect.WORKBOOK:
        if c.took("?"):
            found = OptionalOfType(found, span=c.span_from(start))
        elif c.peek().kind is Kind.WORD and c.peek().text in _BY:
            c.take()
            found = ByType(found, _named(c), span=c.span_from(start))
        else:
            break
    return found


def _one(c: Cursor) -> TypeName:
    token = c.peek()
    if c.dialect is Dialect.WORKBOOK:
        if c.sees("("):
            return _bracketed(c)
        if of := _LIST_OF.match(c.text, token.start, c.end):
            c.go(of.end())
            with c.nested():
                item = _one(c)
            return ListOfType(item, span=c.span_from(token.start))
    if token.kind is Kind.WORD and c.after(token).text in ("<", "<>"):
        return _generic(c)
    return _named(c)


def _bracketed(c: Cursor) -> TypeName:
    opening = c.take()
    with c.nested():
        found = read_type(c)
    c.close(opening)
    return found


def _generic(c: Cursor) -> TypeName:
    word = c.peek()
    match word.text:
        case "list":
            return ListOfType(_argument(c), span=c.span_from(word.start))
        case "range":
            return RangeOfType(_argument(c), span=c.span_from(word.start))
        case "context":
            return ContextOfType(_fields(c), span=c.span_from(word.start))
        case "function":
            return _function(c)
        case _:
            return _named(c)


def _argument(c: Cursor) -> TypeName:
    c.take()
    opening = c.take()
    with c.nested():
        item = read_type(c)
    c.close(opening)
    return item


def _fields(c: Cursor) -> tuple[tuple[str, TypeName], ...]:
    c.take()
    opening = c.take()
    fields: list[tuple[str, TypeName]] = []
    while not c.sees(">"):
        name = declare_name(c, ":", "context<")
        if not c.took(":"):
            raise Stop(problems.unexpected(c.peek(), "`:` and a type"))
        with c.nested():
            fields.append((name.name, read_type(c)))
        if not c.take_separator():
            break
    c.close(opening)
    return tuple(fields)


def _function(c: Cursor) -> TypeName:
    start = c.take().start
    parameters = () if c.took("<>") else _parameters(c)
    if not (c.took("-") and c.took(">")):
        raise Stop(problems.missing_word("->", "function<…> -> …", c.peek()))
    with c.nested():
        result = _one(c)
    return FunctionOfType(parameters, result, span=c.span_from(start))


def _parameters(c: Cursor) -> tuple[TypeName, ...]:
    opening = c.take()
    parameters: list[TypeName] = []
    while not c.sees(">"):
        with c.nested():
            parameters.append(read_type(c))
        if not c.take_separator():
            break
    c.close(opening)
    return tuple(parameters)


def _named(c: Cursor) -> NamedType:
    first = c.peek()
    qualified = _QUALIFIED.match(c.text, first.start, c.end)
    known = (known_at(c, first.start), _OWN.longest_at(c.text, first.start, c.end))
    ends = [end for end in (*known, qualified and qualified.end()) if end]
    if not ends:
        raise Stop(problems.unexpected(first, "a type"))
    c.go(max(ends))
    _join_words(c)
    span = Span(first.start, c.at)
    return NamedType(c.tidy(span), span=span)


def _join_words(c: Cursor) -> None:
    while _continues(c, c.peek()):
        c.take()


def _continues(c: Cursor, token: Token) -> bool:
    ends = ENDS_A_RUN | _BY if c.dialect is Dialect.WORKBOOK else ENDS_A_RUN
    return token.kind is Kind.WORD and token.text not in ends
