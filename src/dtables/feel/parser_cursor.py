"""Where the parser stands in a text: the next token, the names in reach, the problems so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto

from dtables.diagnostics import Problem
from dtables.feel import problems
from dtables.feel.ast import Expression, Test
from dtables.feel.knownnames import Names
from dtables.feel.lexer import Kind, Token, tidy_name, token_at
from dtables.provenance import Span

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


class Stop(Exception):
    """Raised inside the parser where nothing sensible can follow a problem; never leaves it."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


@dataclass(slots=True)
class Cursor:
    """`expression` and `tests_after_in` are the grammar's two knots: what a bracket holds, and what
    stands right of `in`. They are given, so that the parts of the grammar need not know each other."""

    text: str
    at: int
    end: int
    names: Names
    dialect: Dialect
    expression: Callable[[Cursor], Expression]
    tests_after_in: Callable[[Cursor], tuple[Test, ...]]
    problems: list[Problem] = field(default_factory=list)
    keys: Names = field(default_factory=Names)
    """Keys of context literals seen so far: what may follow a full stop, or be read in a filter."""
    depth: int = 0
    ends_range: bool = False
    """The end of a range is being read, where `[` may close instead of open."""
    _next: Token | None = None

    # -- tokens --------------------------------------------------------------------------------

    def peek(self) -> Token:
        if self._next is None:
            self._next = self.checked(token_at(self.text, self.at, self.end))
        return self._next

    def after(self, token: Token) -> Token:
        return token_at(self.text, token.end, self.end)

    def take(self) -> Token:
        token = self.peek()
        self.go(token.end)
        return token

    def go(self, at: int) -> None:
        self.at, self._next = at, None

    def checked(self, token: Token) -> Token:
        match token.kind:
            case Kind.UNCLOSED_TEXT:
                raise Stop(problems.unclosed_text(token))
            case Kind.UNCLOSED_COMMENT:
                raise Stop(problems.unclosed_comment(token))
            case _:
                return token

    def sees(self, *symbols: str) -> bool:
        token = self.peek()
        return token.kind is Kind.SYMBOL and token.text in symbols

    def sees_word(self, *words: str) -> bool:
        token = self.peek()
        if token.kind is not Kind.WORD:
            return False
        if token.text in words:
            return True
        return token.text.isupper() and token.text.lower() in words

    def took(self, *symbols: str) -> bool:
        if not self.sees(*symbols):
            return False
        self.take()
        return True

    def take_word(self, word: str, form: str) -> Token:
        """A word of the form, such as `then`; capitals are understood, and said."""
        if not self.sees_word(word):
            raise Stop(problems.missing_word(word, form, self.peek()))
        token = self.take()
        if token.text != word:
            self.problems.append(problems.upper_case_word(token))
        return token

    def take_separator(self) -> bool:
        """A comma; a semicolon is understood, and said."""
        if self.sees(";"):
            self.problems.append(problems.semicolon(self.take()))
            return True
        return self.took(",")

    def close(self, opening: Token) -> int:
        """Past the bracket that closes `opening`; where it ends. One that is missing at the text's end
        is understood, and said."""
        wanted = CLOSES[opening.text]
        token = self.peek()
        if token.kind is Kind.SYMBOL and token.text == wanted:
            return self.take().end
        if token.kind is Kind.END:
            self.problems.append(problems.unclosed_bracket(opening, wanted))
            return token.end
        if token.kind is Kind.SYMBOL and token.text in CLOSES.values():
            raise Stop(problems.closed_by_another(opening, token, wanted))
        raise Stop(problems.unexpected(token, f"an operator or `{wanted}`"))

    # -- places --------------------------------------------------------------------------------

    def span_from(self, start: int) -> Span:
        """From `start` to the last character taken."""
        return Span(start, max(start, self.at))

    def slice(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def tidy(self, span: Span) -> str:
        return tidy_name(self.slice(span))

    # -- surroundings --------------------------------------------------------------------------

    @contextmanager
    def nested(self) -> Iterator[None]:
        if self.depth >= MOST_NESTED:
            raise Stop(problems.too_deep(MOST_NESTED, self.peek().span))
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
        self.names = self.names | Names(names)
