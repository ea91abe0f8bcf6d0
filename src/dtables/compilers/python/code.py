"""A piece of Python source that knows how tightly it binds, and lines of source that know their depth."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """Python's precedence, tightest first."""

    ATOM = 0
    UNARY = 1
    TERM = 2
    SUM = 3
    COMPARE = 4
    NOT = 5
    AND = 6
    OR = 7
    CHOICE = 8


@dataclass(frozen=True, slots=True)
class Code:
    text: str
    level: Level = Level.ATOM

    def within(self, level: Level) -> str:
        """Its text where nothing looser than `level` may stand."""
        return f"({self.text})" if self.level > level else self.text

    @property
    def atom(self) -> str:
        return self.within(Level.ATOM)

    @property
    def whole(self) -> str:
        """As an argument or a right-hand side."""
        return self.within(Level.CHOICE)

    @property
    def is_literal(self) -> bool:
        """A number or a text: Python warns where their identity is asked for."""
        try:
            return isinstance(literal_eval(self.text), (int, str)) and self.text not in ("True", "False")
        except (ValueError, SyntaxError):
            return False

    @property
    def is_name(self) -> bool:
        """Cheap to read twice."""
        return self.text.replace(".", "_").isidentifier()


def literal(value: object) -> Code:
    text = repr(value)
    return Code(text, Level.UNARY if text.startswith("-") else Level.ATOM)


def either(test: Code, then: Code, otherwise: Code) -> Code:
    text = f"{then.within(Level.OR)} if {test.within(Level.OR)} else {otherwise.whole}"
    return Code(text, Level.CHOICE)


def both(parts: Iterable[Code]) -> Code:
    return _joined(tuple(parts), "and", Level.AND)


def any_of(parts: Iterable[Code]) -> Code:
    return _joined(tuple(parts), "or", Level.OR)


def _joined(parts: tuple[Code, ...], word: str, level: Level) -> Code:
    if len(parts) == 1:
        return parts[0]
    return Code(f" {word} ".join(part.within(level) for part in parts), level)


NONE, TRUE, FALSE = Code("None"), Code("True"), Code("False")


def indented(lines: Iterable[str], depth: int = 1) -> Iterator[str]:
    for line in lines:
        yield "    " * depth + line if line else line
