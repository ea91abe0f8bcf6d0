"""What operators join: literals, names, and what hangs on them: `.x`, `[…]`, `(…)`."""

from __future__ import annotations

from typing import assert_never

from dtables.feel import parser_forms as forms
from dtables.feel import parser_literals as literals
from dtables.feel import problems
from dtables.feel.ast import (
    Argument,
    AtLiteral,
    BooleanLiteral,
    Each,
    Expression,
    Filter,
    Invocation,
    Name,
    NullLiteral,
    NumberLiteral,
    Path,
    Ranking,
    TextLiteral,
)
from dtables.feel.lexer import Kind, Token
from dtables.feel.parser_cursor import Cursor, Dialect, Stop
from dtables.feel.parser_names import (
    INFIX_WORDS,
    JOINTS,
    argument_name,
    known_at,
    read_name,
)

_YES_NO = {"yes": True, "no": False, "sì": True, "si": True, "sí": True}
_TRUE_FALSE = {"true": True, "false": False}
_EACH = ("each", "ogni")
_OPERANDS = (Kind.NUMBER, Kind.TEXT, Kind.AT, Kind.WORD)
_CANNOT_BEGIN = frozenset(
    {")", "]", "}", ",", ":", ".", "..", ";", "*", "/", "**", "+"} | {"=", "!=", ">=", "<="}
)
_EXCEL = {
    "AND": "a and b",
    "OR": "a or b",
    "NOT": "not(a)",
    "IF": "if a then b else c",
    "E": "a and b",
    "O": "a or b",
    "SE": "if a then b else c",
    "NON": "not(a)",
}


def read_operand(c: Cursor) -> Expression:
    """A value and all that hangs on it."""
    start = c.peek().start
    found = _read_primary(c)
    while c.sees(".", "[", "(") and not closes_range(c):
        found = _hang(c, found, start)
    return found


def closes_range(c: Cursor) -> bool:
    """`]1..5[`: a `[` behind the upper end closes it, unless a value follows."""
    following = c.after(c.peek())
    return (
        c.ends_range
        and c.sees("[")
        and (
            following.kind is Kind.END
            or following.text in _CANNOT_BEGIN
            or following.text in INFIX_WORDS | JOINTS
        )
    )


def _hang(c: Cursor, found: Expression, start: int) -> Expression:
    if isinstance(found, Name) and found.name in _EXCEL and c.sees("(") and found.name not in c.names:
        raise Stop(problems.excel_function(found.name, _EXCEL[found.name], found.span))
    opening = c.take()
    match opening.text:
        case ".":
            return _read_path(c, found, start)
        case "[":
            with c.bracket():
                condition = c.expression(c)
                c.close(opening)
            return Filter(found, condition, span=c.span_from(start))
        case _:
            arguments = _read_arguments(c, opening)
            return Invocation(found, arguments, span=c.span_from(start))


def _read_path(c: Cursor, found: Expression, start: int) -> Path:
    token = c.peek()
    if token.kind is not Kind.WORD and known_at(c, token.start) is None:
        raise Stop(problems.missing_name(".", token))
    name = read_name(c)
    return Path(found, name.name, name_span=name.span, span=c.span_from(start))


# -- names and literals ------------------------------------------------------------------------


def _read_primary(c: Cursor) -> Expression:
    token = c.peek()
    known = known_at(c, token.start)
    if known is not None and known > token.end:
        return _read_named(c)
    match token.kind:
        case Kind.NUMBER:
            return _read_number(c)
        case Kind.TEXT:
            return _read_text(c)
        case Kind.AT:
            return _read_at(c)
        case Kind.WORD:
            return _read_word(c, token, known is not None)
        case Kind.SYMBOL if known is not None:
            return _read_named(c)
        case Kind.SYMBOL | Kind.END:
            return _read_bracketed(c, token)
        case Kind.UNCLOSED_TEXT | Kind.UNCLOSED_COMMENT:
            raise AssertionError("the cursor stops at these")
        case _:
            assert_never(token.kind)


def _read_bracketed(c: Cursor, token: Token) -> Expression:
    match token.text:
        case "(":
            return forms.read_group(c)
        case "[":
            return forms.read_list(c)
        case "]":
            return forms.read_open_range(c)
        case "{":
            return forms.read_context(c)
        case "?":
            c.take()
            return Name("?", span=token.span)
        case _:
            raise Stop(problems.unexpected(token, "a value"))


def _read_word(c: Cursor, token: Token, known: bool) -> Expression:
    word = token.text
    form = forms.FORMS.get(word)
    if form is not None:
        return form(c)
    if word == "null":
        return NullLiteral(span=c.take().span)
    if word in _TRUE_FALSE:
        return BooleanLiteral(_TRUE_FALSE[word], span=c.take().span)
    if c.dialect is Dialect.WORKBOOK and _denies_without_brackets(c, token):
        raise Stop(problems.not_needs_brackets(token.span))
    if known:
        return _read_named(c)
    if word in INFIX_WORDS or word in JOINTS:
        raise Stop(problems.missing_operand_before(token))
    if c.dialect is Dialect.WORKBOOK:
        return _read_workbook_word(c, token)
    return _read_named(c)


def _read_workbook_word(c: Cursor, token: Token) -> Expression:
    """`yes`, `no`, `TRUE` alone are booleans; before further words they begin a name."""
    value = (_YES_NO | _TRUE_FALSE).get(token.text.casefold())
    following = c.after(token)
    if token.text in _EACH and _may_name(c, following):
        return _read_each(c)
    name = read_name(c)
    if value is None or name.span.end != token.end:
        return _ranked(c, name)
    return BooleanLiteral(value, span=token.span)


def _denies_without_brackets(c: Cursor, token: Token) -> bool:
    """Alone it is the built-in."""
    following = c.after(token)
    operand = following.kind in _OPERANDS and following.text not in INFIX_WORDS | JOINTS
    return token.text == "not" and operand


def _may_name(c: Cursor, token: Token) -> bool:
    if known_at(c, token.start) is not None:
        return True
    return token.kind is Kind.WORD and token.text not in INFIX_WORDS | JOINTS


def _read_named(c: Cursor) -> Expression:
    return _ranked(c, read_name(c))


def _ranked(c: Cursor, name: Name) -> Expression:
    token = c.peek()
    if c.dialect is not Dialect.WORKBOOK or token.text != "ranking" or c.after(token).text != "(":
        return name
    c.take()
    arguments = _read_arguments(c, c.take())
    return Ranking(name.name, arguments, span=c.span_from(name.span.start))


def _read_each(c: Cursor) -> Each:
    start = c.take().start
    name = read_name(c)
    return Each(name.name, vocabulary_span=name.span, span=c.span_from(start))


def _read_number(c: Cursor) -> Expression:
    token = c.take()
    value, found = literals.number(token)
    if value is None:
        raise Stop(*found)
    if c.dialect is Dialect.WORKBOOK:
        c.problems.extend(found)
    return NumberLiteral(value, span=token.span)


def _read_text(c: Cursor) -> TextLiteral:
    token = c.take()
    return TextLiteral(_text(c, token.text, token.start), span=token.span)


def _read_at(c: Cursor) -> AtLiteral:
    token = c.take()
    quote = token.text.index('"')
    return AtLiteral(_text(c, token.text[quote:], token.start + quote), span=token.span)


def _text(c: Cursor, quoted: str, start: int) -> str:
    value, found = literals.text(quoted, start)
    if c.dialect is Dialect.WORKBOOK:
        c.problems.extend(found)
    return value


# -- arguments ---------------------------------------------------------------------------------


def _read_arguments(c: Cursor, opening: Token) -> tuple[Argument, ...]:
    arguments: list[Argument] = []
    with c.bracket():
        while not c.sees(")"):
            arguments.append(_read_argument(c))
            if not c.take_separator():
                break
            if c.sees(")"):
                raise Stop(problems.missing_operand(",", c.peek().span))
        c.close(opening)
    return tuple(arguments)


def _read_argument(c: Cursor) -> Argument:
    start = c.peek().start
    name = argument_name(c)
    value = c.expression(c)
    return Argument(None if name is None else name.name, value, span=c.span_from(start))
