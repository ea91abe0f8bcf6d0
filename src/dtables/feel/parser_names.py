"""Names in a text: the longest known one, or a run of words that the checker can say something about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dtables.digits import are_digits
from dtables.feel import problems
from dtables.feel.ast import Name
from dtables.feel.lexer import NAME, SPACE, WORD, Kind, Token, tidy_name
from dtables.feel.parser_cursor import Cursor, Dialect, Stop
from dtables.provenance import Span

INFIX_WORDS = frozenset({"and", "or", "between", "in", "instance"})
"""What may follow a value."""
JOINTS = frozenset({"then", "else", "return", "satisfies", "external"})
"""What ends a part of a form."""
ENDS_A_RUN = INFIX_WORDS | JOINTS | frozenset({"if", "for"})

_DECLARED = re.compile(NAME)


@dataclass(frozen=True, slots=True)
class Declared:
    name: str
    span: Span


def known_at(c: Cursor, start: int) -> int | None:
    """Where the longest known name that begins at `start` ends."""
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
        raise Stop(problems.missing_name(after, token))
    end = _cut(words[0], before) + token.start
    if end == token.start:
        raise Stop(problems.missing_name(after, token))
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
