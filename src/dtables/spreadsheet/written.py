"""What a file writes of a sheet: its cells as they stand there; and rows as most programs write them.

Such rows are read without the parser. What is read of them here the parser reads alike, and a property says
so; every other row is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

LAST_ROW, LAST_COLUMN = 1_048_576, 16_384


class Written(NamedTuple):
    """What the file writes of a cell: `text` is its value, a number among the texts that cells share, or a
    text of its own."""

    type: str
    style: str
    text: str
    formula: WrittenFormula | None


class WrittenFormula(NamedTuple):
    """`shared` is the number of a formula that others repeat; `kind` what it is besides a plain one."""

    text: str
    kind: str | None
    shared: str | None


@dataclass(slots=True)
class WrittenSheet:
    """The cells that hold something, by row and column; the last of each run of hidden columns by its first
    one; merged areas as they are written. `numbered`: its rows have numbers, or none at all."""

    cells: dict[tuple[int, int], Written] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: dict[int, int] = field(default_factory=dict)
    merged: list[str] = field(default_factory=list)
    numbered: bool = True


# -- rows as most programs write them --------------------------------------------------------------

_CHARACTER = r"[^<>&\x00-\x08\x0b-\x1f\ufffe\uffff]"
_TEXT = rf"{_CHARACTER}*+(?:&(?:amp|lt|gt|quot|apos);{_CHARACTER}*+)*+"
_NUMBER = r"-?[0-9]{1,15}(?:\.[0-9]{1,18})?(?:[eE][-+]?[0-9])?"
_ATTRIBUTE = re.compile(
    r" (r|spans|s|customFormat|ht|hidden|customHeight|outlineLevel|collapsed|thickTop|x14ac:dyDescent)"
    r'="([-0-9A-Za-z.: ]*)"'
)
_ROW = re.compile(rf"<row((?:{_ATTRIBUTE.pattern})*) ?>")
_CELL = re.compile(
    r'<c r="([A-Z]{1,3})([1-9][0-9]{0,6})"(?: s="([0-9]{1,5})")?(?:'
    rf' t="inlineStr"><is><t(?: xml:space="preserve")?>({_TEXT})</t></is></c>'
    r'| t="s"><v>([0-9]{1,9})</v></c>'
    rf'|(?: t="n")?><v>({_NUMBER})</v></c>'
    r'| t="b"><v>([01])</v></c>'
    r'|(?: t="(?:n|s|str|inlineStr)")? ?/>|></c>)'
)
_GROUPS = _CELL.groups + 1
_ROW_NUMBER = re.compile("[1-9][0-9]{0,6}")
_OWN_SPACE = "x14ac"
_ESCAPED = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


class PlainRow(NamedTuple):
    """`columns` are those of all its cells, in their order; `cells` of those that hold something."""

    attributes: Mapping[str, str]
    number: int
    columns: Sequence[int]
    cells: list[tuple[tuple[int, int], Written]]


class PlainRows:
    """Reads the rows of one sheet. `styles` are those that cells name, each once; `spaces` are the prefixes
    that are declared for the whole sheet."""

    def __init__(self, styles: dict[str, str], spaces: Set[str]) -> None:
        self._styles = styles
        self._spaces = spaces
        self._letters: list[str] = []
        self._columns: tuple[int, ...] | None = ()

    def row(self, text: str) -> PlainRow | None:
        """The row that a text is, without its last tag; None of one that is for the parser."""
        head = _ROW.match(text)
        attributes = None if head is None else self._attributes(head[1])
        if head is None or attributes is None:
            return None
        pieces = _CELL.split(text[head.end() :])
        digits = pieces[2::_GROUPS]
        if any(pieces[::_GROUPS]) or digits.count(attributes["r"]) != len(digits):
            return None
        columns = self._columns_of(pieces[1::_GROUPS])
        number = int(attributes["r"])
        if columns is None or number > LAST_ROW:
            return None
        return PlainRow(attributes, number, columns, self._cells(number, columns, pieces))

    def _attributes(self, written: str) -> Mapping[str, str] | None:
        pairs = _ATTRIBUTE.findall(written)
        found = dict(pairs)
        twice = len(found) != len(pairs)
        unknown = "x14ac:dyDescent" in found and _OWN_SPACE not in self._spaces
        return None if twice or unknown or not _ROW_NUMBER.fullmatch(found.get("r", "")) else found

    def _columns_of(self, letters: list[str]) -> tuple[int, ...] | None:
        """None if they do not come in their order. Rows are mostly like the one before."""
        if letters != self._letters:
            columns = tuple(map(column_number, letters))
            rising = all(a < b for a, b in zip((0, *columns), (*columns, LAST_COLUMN + 1), strict=True))
            self._letters, self._columns = letters, columns if rising else None
        return self._columns

    def _cells(
        self, row: int, columns: tuple[int, ...], pieces: list[str]
    ) -> list[tuple[tuple[int, int], Written]]:
        known = self._styles
        found = []
        for column, style, own, shared, number, truth in zip(
            columns, *(pieces[n::_GROUPS] for n in range(3, _GROUPS)), strict=True
        ):
            style = known.setdefault(style, style) if style else known.setdefault("0", "0")
            if own is not None:
                written = Written("inlineStr", style, unescaped(own) if "&" in own else own, None)
            elif number is not None:
                written = Written("n", style, number, None)
            elif shared is not None:
                written = Written("s", style, shared, None)
            elif truth is not None:
                written = Written("b", style, truth, None)
            else:
                continue
            found.append(((row, column), written))
        return found


def unescaped(text: str) -> str:
    for escape, character in _ESCAPED:
        text = text.replace(escape, character)
    return text


RANGE = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})(?::\$?([A-Z]{1,3})\$?([0-9]{1,7}))?")


def area_of(reference: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return row and column of the first and the last cell of a range. Raises ValueError where it is none."""
    match = RANGE.fullmatch(reference)
    if match is None:
        raise ValueError(reference)
    first = int(match[2]), column_number(match[1])
    last = (int(match[4]), column_number(match[3])) if match[3] else first
    if not (1 <= first[0] <= last[0] <= LAST_ROW and first[1] <= last[1]):
        raise ValueError(reference)
    return first, last


def column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
