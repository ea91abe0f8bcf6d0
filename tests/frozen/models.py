"""A checked workbook as text, every node with its place: `python -m tests.frozen.models tables/duel.xlsx`.

Nothing is known of the nodes but that they are dataclasses, and of places that they are tuples with names:
their fields are written in the order of their names. What is None, or an empty tuple, is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import dtables
from dtables.provenance import CellRef, Location, Span

Lines = list[str]
WIDTH = 150
EMPTY = (None, ())
PLACES = (CellRef, Location, Span)
UNIQUE = ("Variable", "number")
"""Counted through the whole workbook, so here anew in each part: others are no concern of it."""
CHANGING = "version"
"""Of the workbook's content: another one with each of its cells."""


def dumps(model: object) -> dict[str, Lines]:
    """The parts of a workbook, each under its kind and name."""
    parts: dict[str, Lines] = {}
    for kind, value in parts_of(model):
        if kind == CHANGING:
            continue
        for thing in value if isinstance(value, tuple) else (value,):
            parts.setdefault(f"{kind} {name_of(thing)}".rstrip(), []).extend(Dump().lines(thing))
    return parts


def parts_of(thing: object) -> Iterator[tuple[str, Any]]:
    places = isinstance(thing, PLACES)
    names = sorted(thing._fields if places else (f.name for f in fields(thing)))  # type: ignore[attr-defined, arg-type]
    yield from ((name, getattr(thing, name)) for name in names if getattr(thing, name) not in EMPTY)


def name_of(thing: object) -> str:
    """What a part is called, or the first thing in it that has a name."""
    if not is_dataclass(thing):
        return ""
    own = getattr(thing, "name", "")
    return own or next(filter(None, (name_of(value) for _, value in parts_of(thing))), "")


class Dump:
    """Of one part."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}

    def lines(self, thing: object) -> Lines:
        """One where it is short, else what it is and its fields below, further in."""
        if isinstance(thing, Enum):
            return [f"{type(thing).__name__}.{thing.name}"]
        if is_dataclass(thing) or isinstance(thing, PLACES):
            entries = [(f"{name}=", self._field(thing, name, value)) for name, value in parts_of(thing)]
            return folded(type(thing).__name__, entries)
        if isinstance(thing, Mapping):
            return folded("", [(f"{key!r}: ", self.lines(value)) for key, value in thing.items()])
        if isinstance(thing, Set):
            return folded("set", [("", lines) for lines in sorted(map(self.lines, thing))])
        if isinstance(thing, tuple | list):
            return folded(type(thing).__name__, [("", self.lines(one)) for one in thing])
        return [repr(thing)]

    def _field(self, thing: object, name: str, value: object) -> Lines:
        if (type(thing).__name__, name) == UNIQUE and isinstance(value, int):
            return [f"#{self._numbers.setdefault(value, len(self._numbers) + 1)}"]
        return self.lines(value)


def folded(head: str, entries: Iterable[tuple[str, Lines]]) -> Lines:
    entries = [(key, lines) for key, lines in entries]
    if all(len(lines) == 1 for _, lines in entries):
        line = f"{head}({', '.join(key + lines[0] for key, lines in entries)})"
        if len(line) <= WIDTH:
            return [line]
    inner = (f"  {line}" for key, lines in entries for line in (key + lines[0], *lines[1:]))
    return [head, *inner]


if __name__ == "__main__":
    for part, lines in dumps(dtables.load(Path(sys.argv[1])).model).items():
        print(f"== {part}", *lines, sep="\n")
