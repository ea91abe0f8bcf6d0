"""Text to surface nodes. `grammar.txt` is what is read here.

Every function returns what it read, or None where nothing sensible could be read, and the problems;
what is read may come with problems too, where the mistake was understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact, Overflow
from enum import Enum, auto
from typing import TypeVar, assert_never

from dtables.diagnostics import Problem
from dtables.digits import are_digits
from dtables.feel.numbers import CONTEXT, DIGITS
from dtables.feel.syntax import messages
from dtables.feel.syntax.ast import (
    AnyTest,
    Argument,
    Arithmetic,
    AtLiteral,
    Between,
    BooleanLiteral,
    ByType,
    Comparison,
    ComparisonTest,
    Conditional,
    ContextEntry,
    ContextLiteral,
    ContextOfType,
    Each,
    Expression,
    ExpressionTest,
    Filter,
    For,
    FunctionLiteral,
    FunctionOfType,
    FunctionParameter,
    In,
    InstanceOf,
    Invocation,
    Iteration,
    ListLiteral,
    ListOfType,
    Logic,
    Name,
    NamedType,
    Negation,
    NotTest,
    NullLiteral,
    NumberLiteral,
    OptionalOfType,
    Path,
    Quantified,
    RangeLiteral,
    RangeOfType,
    Ranking,
    Test,
    TextLiteral,
    TypeName,
    deepest,
    names_read,
)
from dtables.feel.syntax.literal_cells import plain_expression, plain_tests
from dtables.feel.syntax.scanner import NAME, SPACE, WORD, Kind, KnownNames, Token, tidy_name, token_at
from dtables.feel.types import NAMED_TYPES
from dtables.provenance import Span

# -- the cursor -------------------------------------------------------------------------------------
# Where the parser stands in a text: the next token, the names in reach, the problems so far.

MOST_NESTED = 64
MOST_CHARACTERS = 32_767

CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">"}


class Dialect(Enum):
    """The workbooks' words (yes, no, each, ranking, list of) are names in the standard's."""

    WORKBOOK = auto()
    STANDARD = auto()


class Ends(Enum):
    """What a `[` behind a value may be: only the opening of a filter, or a range's end too."""

    BRACKET = auto()
    RANGE = auto()


class ParseStop(Exception):
    """Raised inside the parser where nothing sensible can follow a problem; never leaves it."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


NO_NAMES = KnownNames()


@dataclass(slots=True)
class Cursor:
    """`expression` and `tests_after_in` are the grammar's two knots: what a bracket holds, and what
    stands right of `in`. They are given, so that the parts of the grammar need not know each other."""

    text: str
    at: int
    end: int
    names: KnownNames
    dialect: Dialect
    expression: Callable[[Cursor], Expression]
    tests_after_in: Callable[[Cursor], tuple[Test, ...]]
    problems: list[Problem] = field(default_factory=list)
    keys: KnownNames = NO_NAMES
    """Keys of context literals seen so far: what may follow a full stop, or be read in a filter."""
    depth: int = 0
    ends_range: bool = False
    """The end of a range is being read, where `[` may close instead of open."""
    _next: Token | None = None

    # -- tokens --------------------------------------------------------------------------------

    def peek(self) -> Token:
        """Return the next token without taking it; ParseStop at a text or comment that does not end."""
        if self._next is None:
            self._next = self.checked(token_at(self.text, self.at, self.end))
        return self._next

    def after(self, token: Token) -> Token:
        """Return the token behind another one, taking neither."""
        return token_at(self.text, token.end, self.end)

    def take(self) -> Token:
        """Return the next token and go past it."""
        token = self.peek()
        self.go(token.end)
        return token

    def go(self, at: int) -> None:
        """Continue at a character of the text."""
        self.at, self._next = at, None

    def checked(self, token: Token) -> Token:
        """Return the token; ParseStop if it is a text or comment that does not end."""
        match token.kind:
            case Kind.UNCLOSED_TEXT:
                raise ParseStop(messages.unclosed_text(token))
            case Kind.UNCLOSED_COMMENT:
                raise ParseStop(messages.unclosed_comment(token))
            case _:
                return token

    def sees(self, *symbols: str) -> bool:
        """Say whether the next token is one of the symbols."""
        token = self.peek()
        return token.kind is Kind.SYMBOL and token.text in symbols

    def sees_word(self, *words: str) -> bool:
        """Say whether the next token is one of the words, also in capitals."""
        token = self.peek()
        if token.kind is not Kind.WORD:
            return False
        if token.text in words:
            return True
        return token.text.isupper() and token.text.lower() in words

    def took(self, *symbols: str) -> bool:
        """Take the next token if it is one of the symbols, and say whether it was."""
        if not self.sees(*symbols):
            return False
        self.take()
        return True

    def take_word(self, word: str, form: str) -> Token:
        """A word of the form, such as `then`; capitals are understood, and reported."""
        if not self.sees_word(word):
            raise ParseStop(messages.missing_word(word, form, self.peek()))
        token = self.take()
        if token.text != word:
            self.problems.append(messages.upper_case_word(token))
        return token

    def take_separator(self) -> bool:
        """A comma; a semicolon is understood, and reported."""
        if self.sees(";"):
            self.problems.append(messages.semicolon(self.take()))
            return True
        return self.took(",")

    def close(self, opening: Token) -> int:
        """Past the bracket that closes `opening`; where it ends. One that is missing at the text's end
        is understood, and reported."""
        expected = CLOSES[opening.text]
        token = self.peek()
        if token.kind is Kind.SYMBOL and token.text == expected:
            return self.take().end
        if token.kind is Kind.END:
            self.problems.append(messages.unclosed_bracket(opening, expected))
            return token.end
        if token.kind is Kind.SYMBOL and token.text in CLOSES.values():
            raise ParseStop(messages.closed_by_another(opening, token, expected))
        raise ParseStop(messages.unexpected(token, f"an operator or `{expected}`"))

    # -- places --------------------------------------------------------------------------------

    def span_from(self, start: int) -> Span:
        """Return the span from `start` to the last character taken."""
        return Span(start, max(start, self.at))

    def slice(self, span: Span) -> str:
        """Return the characters of a span as they are written."""
        return self.text[span.start : span.end]

    def tidy(self, span: Span) -> str:
        """Return the characters of a span as a name, with single blanks."""
        return tidy_name(self.slice(span))

    # -- surroundings --------------------------------------------------------------------------

    @contextmanager
    def nested(self) -> Iterator[None]:
        """Count one level of nesting; ParseStop where there are too many."""
        if self.depth >= MOST_NESTED:
            raise ParseStop(messages.too_deep(MOST_NESTED, self.peek().span))
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    @contextmanager
    def bracket(self, ends_range: Ends = Ends.BRACKET) -> Iterator[None]:
        """Inside brackets that open here, or (RANGE) at the upper end of a range."""
        outer, self.ends_range = self.ends_range, ends_range is Ends.RANGE
        try:
            yield
        finally:
            self.ends_range = outer

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Names bound inside are forgotten behind it."""
        outer = self.names
        try:
            yield
        finally:
            self.names = outer

    def bind(self, names: Iterable[str]) -> None:
        """Add names to those that are known until the enclosing scope ends."""
        self.names = self.names | KnownNames(names)


__all__ = [
    "Dialect", "KnownNames", "names_read", "parse_expression", "parse_list", "parse_tests", "parse_type",
]  # fmt: skip

MOST_DEEP = 128
"""Nodes above one another; later passes descend as deep."""

MOST_OF_A_MODEL = 1_000_000
"""Characters of an expression that stands in no cell."""

Read = TypeVar("Read")


def parse_expression(
    text: str, names: KnownNames, dialect: Dialect = Dialect.WORKBOOK
) -> tuple[Expression | None, tuple[Problem, ...]]:
    """Read a whole text as one expression; None, and at least one problem, where it is none. Problems beside
    a node are of what was understood all the same."""
    plain = plain_expression(text, names) if _may_be_plain(text, dialect) else None
    if plain is not None:
        return plain, ()
    return _parse(text, names, dialect, _whole_expression, _one_node)


def parse_tests(
    text: str, names: KnownNames, dialect: Dialect = Dialect.WORKBOOK
) -> tuple[tuple[Test, ...] | None, tuple[Problem, ...]]:
    """One cell of a condition column; `-` alone and the empty cell are (AnyTest,)."""
    plain = plain_tests(text, names) if _may_be_plain(text, dialect) else None
    if plain is not None:
        return plain, ()
    return _parse(text, names, dialect, read_cell, tuple)


def parse_list(
    text: str, names: KnownNames, dialect: Dialect = Dialect.WORKBOOK
) -> tuple[tuple[Expression, ...] | None, tuple[Problem, ...]]:
    """A list cell: items between `,` `;` `>` or new lines, with or without brackets. A cell that is
    one expression without any of these is one item; its type tells whether it is the list itself."""
    return _parse(text, names, dialect, read_list_cell, tuple)


def parse_type(
    text: str, names: KnownNames, dialect: Dialect = Dialect.WORKBOOK
) -> tuple[TypeName | None, tuple[Problem, ...]]:
    """Read a whole text as a type; None, and at least one problem, where it is none."""
    return _parse(text, names, dialect, _whole_type, _no_nodes)


def _may_be_plain(text: str, dialect: Dialect) -> bool:
    return dialect is Dialect.WORKBOOK and len(text) <= MOST_CHARACTERS


def _parse(
    text: str,
    names: KnownNames,
    dialect: Dialect,
    read: Callable[[Cursor], Read],
    nodes: Callable[[Read], tuple[Expression | Test, ...]],
) -> tuple[Read | None, tuple[Problem, ...]]:
    whole = Span(0, len(text))
    most = MOST_CHARACTERS if dialect is Dialect.WORKBOOK else MOST_OF_A_MODEL
    if len(text) > most:
        return None, (messages.too_long(most, whole),)
    c = Cursor(text, 0, len(text), names, dialect, read_expression, read_tests_after_in)
    try:
        found = read(c)
    except ParseStop as stop:
        return None, (*c.problems, stop.problem)
    if any(deepest(node) > MOST_DEEP for node in nodes(found)):
        return None, (*c.problems, messages.too_deep(MOST_DEEP, whole))
    return found, tuple(c.problems)


def _one_node(found: Expression) -> tuple[Expression]:
    return (found,)


def _no_nodes(_: TypeName) -> tuple[()]:
    """The depth of types is bounded while they are read."""
    return ()


def _whole_expression(c: Cursor) -> Expression:
    first = c.peek()
    if first.kind is Kind.END:
        raise ParseStop(messages.empty_expression(first.span))
    if first.text == "=":
        raise ParseStop(messages.unexpected(first, "a value"))
    found = read_expression(c)
    at_end(c)
    return found


def _whole_type(c: Cursor) -> TypeName:
    first = c.peek()
    if first.kind is Kind.END:
        raise ParseStop(messages.empty_expression(first.span))
    found = read_type(c)
    at_end(c)
    return found


# -- literals ---------------------------------------------------------------------------------------
# Numbers and texts as they are written, to the values they stand for.

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "'": "'", "\\": "\\"}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{6})|(.))", re.DOTALL)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def number(token: Token) -> tuple[int | Decimal | None, tuple[Problem, ...]]:
    """A whole number is an int however it is written (`1.0`, `1e3`). More digits than numbers keep are
    a problem beside the rounded value; a number out of range has no value."""
    context = Context(DIGITS, ROUND_HALF_EVEN, Emin=CONTEXT.Emin, Emax=CONTEXT.Emax, traps=[])
    value = context.create_decimal(token.text)
    if context.flags[Overflow]:
        return None, (messages.number_too_large(token.span),)
    found = (messages.number_too_large(token.span),) if context.flags[Inexact] else ()
    return (int(value) if value == value.to_integral_value(context=context) else value), found


def text(quoted: str, start: int) -> tuple[str, tuple[Problem, ...]]:
    """The value of `"…"`, which stands at `start`; an escape nobody knows stays as it is written."""
    unknown: list[Problem] = []

    def replace(found: re.Match[str]) -> str:
        four, six, letter = found.groups()
        if letter is None:
            code = int(four or six, 16)
            if code <= 0x10FFFF:
                return chr(code)
        elif letter in _ESCAPES:
            return _ESCAPES[letter]
        unknown.append(messages.unknown_escape(found[0], _within(found, start)))
        return found[0]

    value = _ESCAPE.sub(replace, quoted[1:-1])
    joined = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), value)
    return joined, tuple(unknown)


def _within(found: re.Match[str], start: int) -> Span:
    """The quote before the text counts."""
    return Span(start + 1 + found.start(), start + 1 + found.end())


# -- names ------------------------------------------------------------------------------------------
# Names in a text: the longest known one, or a run of words that the checker can say something about.

INFIX_WORDS = frozenset({"and", "or", "between", "in", "instance"})
"""What may follow a value."""
JOINTS = frozenset({"then", "else", "return", "satisfies", "external"})
"""What ends a part of a form."""
ENDS_A_RUN = INFIX_WORDS | JOINTS | frozenset({"if", "for"})

_DECLARED = re.compile(NAME)


@dataclass(frozen=True, slots=True)
class Declared:
    """A name that is being declared, and its characters."""

    name: str
    span: Span


def known_at(c: Cursor, start: int) -> int | None:
    """Return where the longest known name that begins at `start` ends, or None."""
    ends = [names.longest_at(c.text, start, c.end) for names in (c.names, c.keys)]
    return max((end for end in ends if end is not None), default=None)


def read_name(c: Cursor, stop_at: frozenset[str] = ENDS_A_RUN) -> Name:
    """The name that begins at the next token: the longest known one, or else one word; words that
    follow where an operator must stand belong to it, since they can be nothing else."""
    first = c.peek()
    known = known_at(c, first.start)
    c.go(first.end if known is None else known)
    join_words(c, stop_at)
    span = Span(first.start, c.at)
    return Name(c.tidy(span), span=span)


def join_words(c: Cursor, stop_at: frozenset[str] = ENDS_A_RUN) -> None:
    """Past the words that follow directly."""
    while _continues(c, c.peek(), stop_at):
        c.take()


def _continues(c: Cursor, token: Token, stop_at: frozenset[str]) -> bool:
    match token.kind:
        case Kind.NUMBER:
            return are_digits(token.text)
        case Kind.WORD:
            word = token.text.lower() if token.text.isupper() else token.text
            return word not in stop_at and not _ranking(c, token)
        case _:
            return False


def _ranking(c: Cursor, token: Token) -> bool:
    """`ranking(` after a scale's name is no part of the name."""
    return c.dialect is Dialect.WORKBOOK and token.text == "ranking" and c.after(token).text == "("


def declare_name(c: Cursor, before: str, after: str) -> Declared:
    """A name that is being declared, up to the word or symbol `before`."""
    token = c.peek()
    words = _DECLARED.match(c.text, token.start, c.end)
    if words is None:
        raise ParseStop(messages.missing_name(after, token))
    end = _cut(words[0], before) + token.start
    if end == token.start:
        raise ParseStop(messages.missing_name(after, token))
    c.go(end)
    span = Span(token.start, end)
    return Declared(c.tidy(span), span)


def _cut(words: str, before: str) -> int:
    """How many characters stand before the word `before`, or before one that comes too early."""
    if not before.isalpha():
        return len(words)
    found = re.search(rf"(?:^|{SPACE})(?:{before}|return|satisfies)(?!{WORD})", words)
    return len(words) if found is None else found.start()


def argument_name(c: Cursor) -> Declared | None:
    """`name:` of a named argument, if one begins here."""
    token = c.peek()
    words = _DECLARED.match(c.text, token.start, c.end)
    if words is None:
        return None
    colon = c.after(Token(Kind.WORD, words[0], words.start(), words.end()))
    if colon.text != ":":
        return None
    c.go(colon.end)
    return Declared(tidy_name(words[0]), Span(words.start(), words.end()))


# -- types ------------------------------------------------------------------------------------------
# Types as they are written: `list of customer`, `number by region?`, `function<number> -> text`.

_STANDARD = ("string", "Any", "Null", "dateTime", "dayTimeDuration", "yearMonthDuration")
_OWN = KnownNames([*NAMED_TYPES, *_STANDARD, "list", "context", "function", "range"])
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
            raise ParseStop(messages.unexpected(c.peek(), "`:` and a type"))
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
        raise ParseStop(messages.missing_word("->", "function<…> -> …", c.peek()))
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
        raise ParseStop(messages.unexpected(first, "a type"))
    c.go(max(ends))
    _join_words(c)
    span = Span(first.start, c.at)
    return NamedType(c.tidy(span), span=span)


def _join_words(c: Cursor) -> None:
    while _continues_type(c, c.peek()):
        c.take()


def _continues_type(c: Cursor, token: Token) -> bool:
    ends = ENDS_A_RUN | _BY if c.dialect is Dialect.WORKBOOK else ENDS_A_RUN
    return token.kind is Kind.WORD and token.text not in ends


# -- operands ---------------------------------------------------------------------------------------
# What operators join: literals, names, and what hangs on them: `.x`, `[…]`, `(…)`.

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
        raise ParseStop(messages.excel_function(found.name, _EXCEL[found.name], found.span))
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
        raise ParseStop(messages.missing_name(".", token))
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
            return read_group(c)
        case "[":
            return read_list(c)
        case "]":
            return read_open_range(c)
        case "{":
            return read_context(c)
        case "?":
            c.take()
            return Name("?", span=token.span)
        case _:
            raise ParseStop(messages.unexpected(token, "a value"))


def _read_word(c: Cursor, token: Token, known: bool) -> Expression:
    word = token.text
    form = FORMS.get(word)
    if form is not None:
        return form(c)
    if word == "null":
        return NullLiteral(span=c.take().span)
    if word in _TRUE_FALSE:
        return BooleanLiteral(_TRUE_FALSE[word], span=c.take().span)
    if c.dialect is Dialect.WORKBOOK and _denies_without_brackets(c, token):
        raise ParseStop(messages.not_needs_brackets(token.span))
    if known:
        return _read_named(c)
    if word in INFIX_WORDS or word in JOINTS:
        raise ParseStop(messages.missing_operand_before(token))
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
    value, found = number(token)
    if value is None:
        raise ParseStop(*found)
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
    value, found = text(quoted, start)
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
                raise ParseStop(messages.missing_operand(",", c.peek().span))
        c.close(opening)
    return tuple(arguments)


def _read_argument(c: Cursor) -> Argument:
    start = c.peek().start
    name = argument_name(c)
    value = c.expression(c)
    return Argument(None if name is None else name.name, value, span=c.span_from(start))


# -- operators --------------------------------------------------------------------------------------
# Operators, by how strongly they bind; and what stands right of `in`.

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
    """Read one expression, up to the first token that cannot continue it."""
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
    """Another language's spelling is understood, and reported."""
    operator = _operator(c)
    token = c.take()
    if token.kind is Kind.WORD and token.text != operator:
        c.problems.append(messages.upper_case_word(token))
    elif token.text != operator:
        c.problems.append(messages.operator_spelling(token, operator))
    return operator


def _read_signed(c: Cursor) -> Expression:
    signs: list[Token] = []
    while c.sees("-") and not _begins_name(c):
        signs.append(c.take())
    if signs and c.peek().kind is Kind.END:
        raise ParseStop(messages.missing_operand("-", signs[-1].span))
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
        raise ParseStop(messages.missing_operand(token.text, token.span))
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
        raise ParseStop(messages.chained_comparison(c.peek()))


def _read_between(c: Cursor, value: Expression, start: int) -> Between:
    low = read_joined(c, SUM)
    c.take_word("and", "x between a and b")
    high = read_joined(c, SUM)
    return Between(value, low, high, span=c.span_from(start))


# -- tests -------------------------------------------------------------------------------------


def read_test(c: Cursor) -> Test:
    """Read `>= 3`, a value or a condition."""
    token = c.peek()
    if c.sees(*COMPARISONS):
        return read_comparison_test(c)
    return ExpressionTest(c.expression(c), span=c.span_from(token.start))


def read_comparison_test(c: Cursor) -> ComparisonTest:
    """Read `>= 3`, with the cursor before its operator."""
    token = c.take()
    if c.peek().kind is Kind.END:
        raise ParseStop(messages.missing_operand(token.text, token.span))
    value = read_joined(c, SUM)
    return ComparisonTest(token.text, value, span=c.span_from(token.start))


def read_not_test(c: Cursor) -> NotTest:
    """Read `not(test, …)`, with the cursor before `not`."""
    start = c.take().start
    return NotTest(_read_bracketed_tests(c), span=c.span_from(start))


def read_tests_after_in(c: Cursor) -> tuple[Test, ...]:
    """Read what stands right of `in`: one test, or several in parentheses."""
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


# -- forms ------------------------------------------------------------------------------------------
# What has words or brackets of its own: if, for, some, every, function; ( ), [ ], { }, ranges.

_IF = "if … then … else …"
_FOR = "for … in … return …"
COMPARISONS = ("<", "<=", ">", ">=", "=", "!=")


def read_if(c: Cursor) -> Conditional:
    """Read a conditional, with the cursor before `if`."""
    start = c.take().start
    condition = c.expression(c)
    c.take_word("then", _IF)
    then = c.expression(c)
    c.take_word("else", _IF)
    otherwise = c.expression(c)
    return Conditional(condition, then, otherwise, span=c.span_from(start))


def read_for(c: Cursor) -> For:
    """Read a loop, with the cursor before `for`; its variables are known in it only."""
    with c.scope():
        start = c.take().start
        iterations = _read_iterations(c, "for", _FOR)
        c.take_word("return", _FOR)
        c.bind(["partial"])
        result = c.expression(c)
    return For(iterations, result, span=c.span_from(start))


def read_quantified(c: Cursor) -> Quantified:
    """Read a quantifier, with the cursor before `some` or `every`."""
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
    """Read a function literal, with the cursor before `function`."""
    start = c.take().start
    opening = c.peek()
    if not c.took("("):
        raise ParseStop(messages.missing_word("(", "function(a, b) …", opening))
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
    """Read `(a)`, `(a..b)` or `(>= a)`."""
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
    """Read `[a, b]` or `[a..b]`."""
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
                raise ParseStop(messages.missing_operand(",", c.peek().span))
        if not c.sees(".."):
            c.close(opening)
            return ListLiteral(tuple(items), span=c.span_from(opening.start))
    return _read_range_end(c, opening, items[0])


def read_open_range(c: Cursor) -> Expression:
    """Read `]a..b[`."""
    opening = c.take()
    with c.bracket():
        low = c.expression(c)
    if not c.sees(".."):
        raise ParseStop(messages.missing_word("..", "]a..b[", c.peek()))
    return _read_range_end(c, opening, low)


def _read_range_end(c: Cursor, opening: Token, low: Expression) -> RangeLiteral:
    c.take()
    with c.bracket(Ends.RANGE):
        high = c.expression(c)
    closing = c.peek()
    if not c.sees("]", ")", "["):
        expected = ")" if opening.text == "(" else "]"
        if closing.kind is not Kind.END:
            raise ParseStop(messages.unexpected(closing, f"an operator or `{expected}`"))
        raise ParseStop(messages.unclosed_bracket(opening, expected))
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
            raise ParseStop(messages.unexpected(operator, "a value"))
        case equal:
            return RangeLiteral(end, end, True, True, equal, span=span)


def read_context(c: Cursor) -> ContextLiteral:
    """Read `{a: 1}`, with the cursor before `{`; its keys are known after any later full stop."""
    opening = c.take()
    entries: list[ContextEntry] = []
    with c.scope(), c.bracket():
        while not c.sees("}"):
            entries.append(_read_entry(c, [entry.name for entry in entries]))
            if not c.take_separator():
                break
            if c.sees("}"):
                raise ParseStop(messages.missing_operand(",", c.peek().span))
        c.close(opening)
    new = [entry.name for entry in entries if entry.name not in c.keys]
    c.keys = c.keys | KnownNames(new) if new else c.keys
    return ContextLiteral(tuple(entries), span=c.span_from(opening.start))


def _read_entry(c: Cursor, before: list[str]) -> ContextEntry:
    key = _read_key(c)
    _once(key, before)
    if not c.took(":"):
        raise ParseStop(messages.missing_word(":", "{name: value}", c.peek()))
    value = c.expression(c)
    c.bind([key.name])
    return ContextEntry(key.name, value, span=c.span_from(key.span.start))


def _read_key(c: Cursor) -> Declared:
    token = c.peek()
    if token.kind is not Kind.TEXT:
        return declare_name(c, ":", "{")
    c.take()
    name, found = text(token.text, token.start)
    if c.dialect is Dialect.WORKBOOK:
        c.problems.extend(found)
    return Declared(name, token.span)


def _once(name: Declared, before: list[str]) -> None:
    if name.name in before:
        raise ParseStop(messages.repeated_name(name.name, name.span))


FORMS: dict[str, Callable[[Cursor], Expression]] = {
    "if": read_if,
    "for": read_for,
    "some": read_quantified,
    "every": read_quantified,
    "function": read_function,
}


# -- whole cells ------------------------------------------------------------------------------------
# Whole cells: a condition's tests, a list without brackets.


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
        raise ParseStop(messages.unopened_bracket(token))
    before = _BEFORE_COMMA.search(c.slice(Span(0, token.start)))
    after = _AFTER_COMMA.match(c.text, token.start, c.end)
    if before and after:
        span = Span(before.start(), after.end())
        raise ParseStop(messages.decimal_comma(span, c.slice(span)))
    raise ParseStop(messages.unexpected(token, "an operator"))


# -- tests -------------------------------------------------------------------------------------


def read_cell(c: Cursor) -> tuple[Test, ...]:
    """Read a whole condition cell; a blank one and `-` are one AnyTest."""
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
        except ParseStop as stop:
            c.problems.append(stop.problem)
            _go_to_separator(c)
        if not c.take_separator():
            break
        if c.peek().kind is Kind.END:
            raise ParseStop(messages.missing_operand(",", Span(c.at - 1, c.at)))
    if not tests:
        raise ParseStop(c.problems.pop())
    return tuple(tests)


def _read_whole_test(c: Cursor) -> Test:
    start = c.peek()
    test = read_test(c)
    token = c.peek()
    if token.text in ("and", "or"):
        raise ParseStop(messages.joined_tests(token))
    if token.text == "..":
        raise ParseStop(_bare_range(c, start))
    if token.text not in (",", ";"):
        at_end(c)
    if c.dialect is Dialect.WORKBOOK:
        _no_dashes(c, test)
    return test


def _bare_range(c: Cursor, start: Token) -> Problem:
    _go_to_separator(c)
    span = Span(start.start, c.peek().start)
    return messages.bare_range(span, c.slice(span).strip())


def _no_dashes(c: Cursor, test: Test) -> None:
    """`3-4` in a condition is hardly ever meant as -1."""
    match test:
        case ExpressionTest(Arithmetic("-", NumberLiteral() as low, NumberLiteral() as high)):
            c.problems.append(messages.dash_range(test.span, c.slice(low.span), c.slice(high.span)))
        case _:
            pass


def _go_to_separator(c: Cursor) -> None:
    found = _separators(c, c.at, (",", ";"))
    c.go(found[0].start if found else c.end)


# -- lists -------------------------------------------------------------------------------------


def read_list_cell(c: Cursor) -> tuple[Expression, ...]:
    """Read a whole list cell; nothing for a blank one."""
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
    except ParseStop:
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
        except ParseStop as stop:
            piece.problems.append(stop.problem)
        c.problems.extend(piece.problems)
    if not items:
        raise ParseStop(c.problems.pop())
    return tuple(items)


def _read_piece(c: Cursor, read: Callable[[Cursor], Expression], where: Span) -> Expression:
    if c.peek().kind is Kind.END:
        raise ParseStop(messages.empty_expression(where))
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
        c.problems.append(messages.dash_pair(span, low, high))
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
