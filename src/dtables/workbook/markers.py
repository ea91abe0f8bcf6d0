"""The marker cell and the properties beside and under it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from dtables.diagnostics import Diagnostic
from dtables.provenance import Location, Span
from dtables.workbook import messages
from dtables.workbook.kinds import find_kind, find_property, nearest_property, properties_of
from dtables.workbook.language import Kind, Naming, ReadAs
from dtables.workbook.tables import Cell, Marker, ParameterText, Property, Word, single_spaced

_BEFORE_COLON = re.compile(r"\s*([^\W\d][^:\n\"(\[{]{0,30}?)\s*:")
_ARROW = re.compile(r"->|→")
_OPENERS, _CLOSERS = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Start:
    """A cell that begins like a marker: `word:`; `kind` is None where the word is none."""

    word: Span
    rest: int
    kind: Kind | None


def marker_start(cell: Cell) -> Start | None:
    match = _BEFORE_COLON.match(cell.code) if isinstance(cell.value, str) else None
    if match is None:
        return None
    return Start(Span(*match.span(1)), match.end(), find_kind(match.group(1)))


def starts_table(cell: Cell) -> bool:
    start = marker_start(cell)
    return start is not None and start.kind is not None


def start_without_colon(cell: Cell) -> Start | None:
    """A cell whose first word is a kind's: `Decision price`."""
    words = cell.code.split(maxsplit=1) if isinstance(cell.value, str) else []
    kind = find_kind(words[0]) if words else None
    return Start(Span(0, len(words[0])), len(words[0]), kind) if kind else None


def read_marker(cell: Cell, start: Start, kind: Kind) -> tuple[Marker, tuple[Diagnostic, ...]]:
    """`Kind: name(parameters) -> type`; a parameter without type has the type of its own name."""
    body = _Body(cell, start.rest)
    arrow = next((m for m in _ARROW.finditer(body.text) if body.depth[m.start()] == 0), None)
    head_end = arrow.start() if arrow else body.length
    opening = body.text.find("(", 0, head_end)
    name = body.word(0, head_end if opening < 0 else opening)
    result = body.word(arrow.end(), body.length) if arrow else None
    parameters, found = _parameters(body, opening, head_end)
    if not name.text and kind.naming is Naming.WANTED:
        found = (*found, messages.name_missing(cell, kind.name))
    if result is not None and not result.text:
        message = "no type stands after the arrow"
        found = (*found, messages.marker_shape(cell, _shown(result), message))
    return Marker(kind.name, name, parameters, result, cell), found


def apart(cell: Cell) -> tuple[Cell, tuple[Cell, ...]]:
    """The marker alone, and properties typed behind it after semicolons, each where it stands."""
    depth = _depths(cell.code)
    ends = [n for n, char in enumerate(cell.code) if char == ";" and depth[n] == 0]
    pairs = pairwise((*ends, len(cell.code)))
    behind = tuple(_piece(cell, start + 1, end) for start, end in pairs)
    if not behind or not all(property_start(piece) for piece in behind):
        return cell, ()
    return _piece(cell, 0, ends[0]), behind


def _piece(cell: Cell, start: int, end: int) -> Cell:
    """Some of a cell's characters, blanks before them, so that they keep their places."""
    typed, code = " " * start + cell.typed[start:end], " " * start + cell.code[start:end]
    return Cell(cell.ref, code, code.rstrip(), typed.rstrip())


def property_start(cell: Cell) -> Span | None:
    """The word before the colon, if the cell looks like a property."""
    start = marker_start(cell)
    return start.word if start else None


def lacks_colon(cell: Cell, kind: Kind) -> str | None:
    """The word of a property that is written without its colon: `title en The price`."""
    words = cell.code.split() if isinstance(cell.value, str) else []
    heads = (" ".join(words[:count]) for count in range(len(words) - 1, 0, -1))
    return next((head for head in heads if find_property(kind, head)), None)


def read_property(cell: Cell, kind: Kind, marker: Cell) -> Property | Diagnostic:
    word = property_start(cell)
    if word is None:
        forgotten = lacks_colon(cell, kind)
        return messages.property_colon(cell, forgotten) if forgotten else messages.no_property(cell, marker)
    typed = cell.code[word.start : word.end]
    found = find_property(kind, typed)
    if found is None:
        near = nearest_property(kind, typed)
        return messages.unknown_property(cell, word, kind.name, near, properties_of(kind))
    prose = found.spec.holds is ReadAs.PROSE
    cell = cell if prose else single_spaced(cell)
    source = cell.typed if prose else cell.code
    start = _after_colon(cell)
    return Property(found.spec.name, found.language, _trimmed(cell, source, start, len(source)), cell)


def _after_colon(cell: Cell) -> int:
    start = marker_start(cell)
    return start.rest if start else 0


def _parameters(
    body: _Body, opening: int, head_end: int
) -> tuple[tuple[ParameterText, ...], tuple[Diagnostic, ...]]:
    if opening < 0:
        return (), ()
    closing = body.closing(opening, head_end)
    if closing is None:
        span = body.span(opening, head_end)
        return (), (messages.marker_shape(body.cell, span, "this parenthesis is not closed"),)
    found: list[Diagnostic] = []
    after = body.word(closing + 1, head_end)
    if after.text:
        message = "nothing but `-> type` may follow the parameters"
        found.append(messages.marker_shape(body.cell, _shown(after), message))
    parameters = [
        _parameter(body, start, end)
        for start, end in body.parts(opening + 1, closing)
        if body.text[start:end].strip() or closing > opening + 1
    ]
    for parameter in parameters:
        if not parameter.name.text or not parameter.type.text:
            message = "a parameter is `name: type`"
            found.append(messages.marker_shape(body.cell, _shown(parameter.name), message))
    return tuple(p for p in parameters if p.name.text), tuple(found)


def _parameter(body: _Body, start: int, end: int) -> ParameterText:
    colon = body.text.find(":", start, end)
    if colon < 0:
        name = body.word(start, end)
        return ParameterText(name, name)
    return ParameterText(body.word(start, colon), body.word(colon + 1, end))


def _shown(word: Word) -> Span:
    span = word.where.span
    assert span is not None
    return span if span.end > span.start else Span(max(0, span.start - 1), max(1, span.start))


def _trimmed(cell: Cell, source: str, start: int, end: int) -> Word:
    while start < end and source[start].isspace():
        start += 1
    while end > start and source[end - 1].isspace():
        end -= 1
    return Word(source[start:end], Location(cell.ref, Span(start, end)))


class _Body:
    """The marker's text after the colon, which knows where in the cell it stands."""

    def __init__(self, cell: Cell, offset: int) -> None:
        self.cell, self.offset = cell, offset
        self.text = cell.code[offset:]
        self.length = len(self.text)
        self.depth = _depths(self.text)

    def span(self, start: int, end: int) -> Span:
        return Span(self.offset + start, self.offset + end)

    def word(self, start: int, end: int) -> Word:
        return _trimmed(self.cell, self.cell.code, self.offset + start, self.offset + end)

    def closing(self, opening: int, end: int) -> int | None:
        inside = self.depth[opening] + 1
        return next(
            (n for n in range(opening + 1, end) if self.text[n] == ")" and self.depth[n] == inside), None
        )

    def parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """Between commas that stand in no further bracket."""
        level = self.depth[start] if start < end else 0
        commas = [n for n in range(start, end) if self.text[n] == "," and self.depth[n] <= level]
        starts = [start, *(n + 1 for n in commas)]
        return list(zip(starts, [*commas, end], strict=True))


def _depths(text: str) -> list[int]:
    """How many brackets each character stands in; `<` and `>` count too, but for the arrow's."""
    depths: list[int] = []
    depth = 0
    for position, char in enumerate(text):
        depths.append(depth)
        arrow = char == ">" and position > 0 and text[position - 1] == "-"
        if char in _OPENERS or char == "<":
            depth += 1
        elif (char in _CLOSERS or char == ">") and not arrow:
            depth = max(0, depth - 1)
    return depths
