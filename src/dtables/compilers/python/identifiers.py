"""Python identifiers for an author's names: readable, free of collisions, never a word of Python."""

from __future__ import annotations

import builtins
import keyword
import unicodedata
from symtable import symtable

from dtables import runtime
from dtables.feel import types, values
from dtables.feel.builtins import BUILTINS

KEYWORDS = frozenset(keyword.kwlist)
IMPORTED = frozenset(
    (
        *runtime.__all__,
        *values.__all__,
        *(name for name in dir(types) if name.endswith("Type")),
        *(builtin.meaning.__name__ for builtin in BUILTINS),
        "Decimal",
        "cache",
    )
)
"""What a compiled module may import: a record called `place` must not hide the runtime's own `Place`."""

FACE = ("RULESET", "VERSION", "NAMES", "SHAPES", "RULES", "ASKS", "TABLES", "answer")
"""What a compiled module calls its own."""

TAKEN = KEYWORDS.union(keyword.softkwlist, dir(builtins), IMPORTED, ("turn", "given", "branch", "self"), FACE)


class Identifiers:
    """A scope of identifiers. A name that is taken gets a number: `price`, `price_2`."""

    def __init__(self, taken: frozenset[str] = TAKEN, outer: Identifiers | None = None) -> None:
        self._taken = set(taken)
        self._outer = outer

    def taken(self, identifier: str) -> bool:
        if identifier in self._taken:
            return True
        return self._outer is not None and self._outer.taken(identifier)

    def new(self, name: str) -> str:
        identifier, number = name, 2
        while self.taken(identifier):
            identifier, number = f"{name}_{number}", number + 1
        self._taken.add(identifier)
        return identifier

    def inner(self) -> Identifiers:
        """A scope whose names hide none of this one's."""
        return Identifiers(frozenset(), self)


def snake(name: str) -> str:
    """`wonders standing` is `wonders_standing`; a city with an accent loses it."""
    plain = unicodedata.normalize("NFKD", name)
    kept = "".join(c if c.isascii() and c.isalnum() else "_" for c in plain if not unicodedata.combining(c))
    word = "_".join(part for part in kept.split("_") if part)
    return word if word and not word[0].isdigit() else f"n_{word}".rstrip("_")


def lower_snake(name: str) -> str:
    return snake(name).lower()


def constant_case(name: str) -> str:
    return snake(name).upper()


def class_case(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in snake(name).split("_"))


def free_names(expression: str) -> set[str]:
    """The names that a piece of Python reads and does not bind itself."""
    tables, found = [symtable(expression, "<expression>", "eval")], set[str]()
    while tables:
        table = tables.pop()
        found |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
        tables += table.get_children()
    return found
