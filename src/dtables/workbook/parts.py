"""One pass over a workbook's XML that counts and measures, and keeps nothing."""

from __future__ import annotations

import re
from xml.parsers import expat

from dtables.digits import whole_in

MOST_CELLS = 1_000_000
MOST_ROWS = 200_000
MOST_STREAMED_CELLS = 50_000_000
"""Where a sheet is gone through row by row and nothing of it is kept."""
MOST_OTHERS = 250_000
MOST_SPREAD_CELLS = 100_000
"""Merges and links over ranges: the spreadsheet library makes an object for each cell of them."""
MOST_FORMULA_TEXT = 20_000_000
"""Cells that share a formula times its length: the library spells it out for each of them."""
DEEPEST = 200
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384

_BULK = frozenset(("v", "f", "is", "t", "si", "r", "rPr"))
"""Elements that come with cells and texts; those bound them."""
_TEXTS = ("str", "e", "inlineStr")
"""Kinds of cells whose value is a text; that of all others is a number: of a shared text its place."""
_RANGE = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})(?::\$?([A-Z]{1,3})\$?([0-9]{1,7}))?")


class Limit(Exception):
    """More of something than is read; the message says of what."""


class Suspicious(Exception):
    """A document type or an entity."""


class PartError(Exception):
    """Not well-formed XML."""


class PartScan:
    """The counts over all parts of a workbook."""

    def __init__(self) -> None:
        self.cells = self.rows = self.others = self.spread = 0
        self.sharing = self.longest_formula = 0

    def part(self, name: str) -> Part:
        del name
        return Part(self)

    def element(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "c":
                self.cells += 1
                _within("cells", self.cells, MOST_CELLS)
                _on_a_sheet(attributes.get("r"))
            case "row":
                self.rows += 1
                _within("rows", self.rows, MOST_ROWS)
            case "mergeCell" | "hyperlink" | "comment":
                self.spread += _area(attributes.get("ref", ""))
                _within("merged or linked cells", self.spread, MOST_SPREAD_CELLS)
            case "f" if attributes.get("t") == "shared":
                self.sharing += 1
                self._shared_formulas()
            case _ if name not in _BULK:
                self.others += 1
                _within("elements besides cells", self.others, MOST_OTHERS)
            case _:
                return

    def formula(self, length: int) -> None:
        self.longest_formula = max(self.longest_formula, length)
        self._shared_formulas()

    def _shared_formulas(self) -> None:
        spelled_out = self.sharing * self.longest_formula
        _within("characters of shared formulas", spelled_out, MOST_FORMULA_TEXT)


class SheetScan(PartScan):
    """The counts over sheets of which only some rows are held at a time. They must come in their order, for
    the library passes over those that do not; and it has not met the merged cells when it comes to a row."""

    def __init__(self) -> None:
        super().__init__()
        self.merged: dict[str, list[str]] = {}
        self._part = ""
        self._row = self._cell = 0

    def part(self, name: str) -> Part:
        self._part, self._row, self._cell = name, 0, 0
        return super().part(name)

    def element(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "c":
                self._cell = self._gone_on(self._cell, self._next_cell(attributes.get("r")))
            case "row":
                self._row = self._gone_on(self._row, self._next_row(attributes.get("r")))
                self._cell = 0
            case "mergeCell":
                super().element(name, attributes)
                self.merged.setdefault(self._part, []).append(attributes.get("ref", ""))
            case "si":
                raise PartError("texts among rows")
            case _:
                super().element(name, attributes)

    def _gone_on(self, before: int, here: int) -> int:
        """Blank ones are gone through too."""
        self.cells += here - before
        _within("cells", self.cells, MOST_STREAMED_CELLS)
        return here

    def _next_row(self, number: str | None) -> int:
        row = self._row + 1 if number is None else whole_in(number) or 0
        if not self._row < row <= LAST_ROW:
            raise PartError(f"row {number} after row {self._row}")
        return row

    def _next_cell(self, reference: str | None) -> int:
        match = None if reference is None else _RANGE.fullmatch(reference)
        column = self._cell + 1 if reference is None else 0 if match is None else _column(match.group(1))
        elsewhere = match is not None and (int(match.group(2)) != self._row or match.group(3) is not None)
        if elsewhere or not self._cell < column <= LAST_COLUMN:
            raise PartError(f"{reference} in row {self._row}")
        return column


class Part:
    """One XML part; `feed` raises Limit, Suspicious or PartError."""

    def __init__(self, scan: PartScan) -> None:
        self._scan, self._depth = scan, 0
        self._formula: int | None = None
        self._kind: str | None = None
        self._number = False
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._doctype

    def feed(self, chunk: bytes) -> None:
        self._parse(chunk, last=False)

    def close(self) -> None:
        self._parse(b"", last=True)

    def _parse(self, chunk: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            raise PartError(str(error)) from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        _within("levels of XML", self._depth, DEEPEST)
        name = name.rpartition(":")[2]
        self._formula = 0 if name == "f" else None
        if name == "c":
            self._kind = attributes.get("t")
        self._number = name == "v" and self._kind not in _TEXTS
        self._scan.element(name, attributes)

    def _end(self, _name: str) -> None:
        self._depth -= 1
        self._formula = None
        self._number = False

    def _text(self, text: str) -> None:
        if self._formula is not None:
            self._formula += len(text)
            self._scan.formula(self._formula)
        elif self._number and ("_" in text or not text.isascii()):
            # The library takes what Python takes.
            raise PartError(f"{text} is no number")

    def _doctype(self, *_: object) -> None:
        raise Suspicious


def _within(what: str, count: int, most: int) -> None:
    if count > most:
        raise Limit(f"it has more than {most:,} {what}")


def _on_a_sheet(reference: str | None) -> None:
    if reference is None:
        return
    match = _RANGE.fullmatch(reference)
    if match is None or match.group(3):
        raise PartError(f"{reference} is no cell")
    row, column = int(match.group(2)), _column(match.group(1))
    if not (1 <= row <= LAST_ROW and column <= LAST_COLUMN):
        raise PartError(f"{reference} is off the sheet")


def _area(reference: str) -> int:
    match = _RANGE.fullmatch(reference)
    if match is None:
        raise PartError(f"{reference} is no range of cells")
    if match.group(3) is None:
        return 1
    rows = abs(int(match.group(4)) - int(match.group(2))) + 1
    return rows * (abs(_column(match.group(3)) - _column(match.group(1))) + 1)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
