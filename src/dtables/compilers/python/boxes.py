"""What each column of a decision reads, and what of the regions of its cells the generated code needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.ground import Ground
from dtables.feel.types import (
    BooleanType,
    DateTimeType,
    DateType,
    DaysDurationType,
    NumberType,
    TextType,
    TimeType,
    Type,
    VocabularyType,
    YearsDurationType,
)
from dtables.limits import LIMITS
from dtables.model.grid import grid, meeting
from dtables.model.regions import Line, Region, Span, extent
from dtables.model.tables import Decision
from dtables.program.nodes import Choose, Column, Expression, Input, Local, Row
from dtables.program.regions import regions_of

PYTHONS_DAY = range(1, 86_400)
"""In seconds, behind the first one, as all that follows."""
PYTHONS_TIME = range(-62_135_596_799, 253_402_300_800)
"""From the first to the last second that Python's own dates with times know, since 1970."""

Name = str | bool | None
"""A value of a closed list: an id, true or false; null where it may stand there."""


@dataclass(frozen=True)
class KeyColumn:
    """What can come in a column: `full` of its line. `names`: these alone, in their order, null last;
    none where they are no closed list. `only_points`: its cells have some keys, or all but some. `certain`:
    a value was read from a record, which was held to its type; else a list of names may be `widened`, to
    those of the vocabulary that the type narrows. `clock`: Python's own times distinguish all its keys."""

    line: Line
    full: Region
    names: tuple[Name, ...]
    only_points: bool
    certain: bool
    widened: bool
    clock: bool = False

    @property
    def nullable(self) -> bool:
        return self.full.null

    @property
    def is_number(self) -> bool:
        return isinstance(self.line.type, NumberType)

    @property
    def has_key_for_all(self) -> bool:
        """Not where some values have an offset and others none."""
        return not isinstance(self.line.type, TimeType | DateTimeType)

    @property
    def key_helper(self) -> str | None:
        """The function of the runtime that gives the key of a value; None where a value is its own."""
        match self.line.type:
            case DateType():
                return "day_of"
            case TimeType() if self.clock:
                return "time_of"
            case DateTimeType() if self.clock:
                return "moment_of"
            case TimeType() | DateTimeType():
                return "second_with_offset_of" if self.line.offset else "second_of"
            case DaysDurationType():
                return "nanoseconds_of"
            case YearsDurationType():
                return "months_of"
            case _:
                return None

    @property
    def given_helper(self) -> str | None:
        """The same of a value as it is given, before it is read; None where it has to be read."""
        match self.line.type:
            case DateType():
                return "day_given"
            case TimeType() if self.clock:
                return "time_given"
            case DateTimeType() if self.clock:
                return "moment_given"
            case DaysDurationType():
                return "nanoseconds_given"
            case YearsDurationType():
                return "months_given"
            case _:
                return None

    @property
    def is_plain(self) -> bool:
        """Closed lists and numbers, which Python itself distinguishes at once."""
        return bool(self.names) or self.is_number

    def named_by(self, cell: Region) -> list[Name]:
        """Of a closed list: what a cell lets through, which asks for nothing that cannot come."""
        names = [self.line.names[int(place)] for place in self.line.keys(cell, len(self.names)) or ()]
        return [*names, None] if cell.null else [*names]

    def points_of(self, cell: Region) -> list[str] | None:
        """The only keys that a cell of texts has; None where there are others."""
        keys = self.line.keys(cell)
        return None if keys is None else [str(key) for key in keys]


@dataclass(frozen=True)
class Boxes:
    """`columns` are None where values have no keys, cells where only a turn can decide what passes. `asked`
    are of each row the columns whose cells are not empty, `asking` of each column how many."""

    columns: tuple[KeyColumn | None, ...]
    rows: tuple[tuple[Region | None, ...], ...]
    asked: tuple[tuple[int, ...], ...]
    asking: tuple[int, ...]

    @property
    def known(self) -> bool:
        return all(cell is not None for row in self.rows for cell in row)

    @cached_property
    def apart(self) -> bool:
        """No two rows let the same values through, as far as is known."""
        keyed = [
            (n, column.line)
            for n, column in enumerate(self.columns)
            if column is not None and column.has_key_for_all
        ]
        cells = ([row[n] for n, _ in keyed] for row in self.rows)
        found = meeting(grid([line for _, line in keyed], cells))
        return found.complete and not any(found.rows)


EVERYTHING = Region((Span(None, None),), True)
"""An empty cell of a column without keys."""


def boxes_of(choose: Choose, table: str, ground: Ground) -> Boxes:
    names = {name: [label.id for label in known.names] for name, known in ground.vocabularies.items()}
    columns: list[KeyColumn | None] = []
    cells: list[Sequence[Region | None]] = []
    asked: list[tuple[bool, ...]] = []
    for number, column in enumerate(choose.columns):
        found = regions_of(choose, number, names)
        asked.append(found.asked)
        if found.line is None:
            columns.append(None)
            cells.append([None if some else EVERYTHING for some in found.asked])
            continue
        assert column.value is not None
        known = _column(found.line, column.value.type, is_read(column.value, table, ground), names)
        clipped = found.cells
        if known.full != found.line.full:
            clipped = tuple(None if one is None else one & known.full for one in found.cells)
        points, clock = _only_points(known, clipped), _by_clock(found.line, clipped)
        columns.append(replace(known, only_points=points, clock=clock))
        cells.append(clipped)
    rows = tuple(zip(*cells, strict=True)) if cells else ((),) * len(choose.rows)
    places = tuple(map(_places, zip(*asked, strict=True))) if asked else ((),) * len(choose.rows)
    return Boxes(tuple(columns), rows, places, tuple(map(sum, asked)))


@cache
def _places(asked: tuple[bool, ...]) -> tuple[int, ...]:
    return tuple(number for number, one in enumerate(asked) if one)


def is_read(value: Expression, table: str, ground: Ground) -> bool:
    """Was the value read from a record? What rules work out is not held to its narrowed type."""
    return isinstance(value, Input) or (isinstance(value, Local) and table not in ground.called)


def _column(line: Line, type_: Type, certain: bool, names: Mapping[str, list[str]]) -> KeyColumn:
    narrowed = extent(type_, line, names, {})
    full = narrowed if certain else line.full
    return KeyColumn(line, full, tuple(_names(line, full)), False, certain, full != narrowed)


def _names(line: Line, full: Region) -> Iterator[Name]:
    match line.type:
        case BooleanType():
            yield from (True, False)
        case VocabularyType():
            yield from (name for name in line.names if line.passes(full, name))
        case _:
            return
    if full.null:
        yield None


def _only_points(column: KeyColumn, cells: Sequence[Region | None]) -> bool:
    if not isinstance(column.line.type, TextType):
        return False
    known = {cell for cell in cells if cell is not None}
    return all(
        column.points_of(cell) is not None or column.points_of(column.full - cell) is not None
        for cell in known
    )


def _by_clock(line: Line, cells: Sequence[Region | None]) -> bool:
    """Do Python's own times have all the places where cells change their minds?"""
    if line.offset or not isinstance(line.type, TimeType | DateTimeType):
        return False
    ends = {cut for cell in set(cells) - {None} for span in (cell.spans if cell else ()) for cut in span}
    ends -= {None, *line.full.spans[0]}
    known = PYTHONS_DAY if isinstance(line.type, TimeType) else PYTHONS_TIME
    return all(cut is not None and cut.key in known for cut in ends)


def limits_of(column: KeyColumn, type_: Type, ground: Ground) -> Span:
    """Between which keys a value certainly lies: where it was read from a record, and only there."""
    if not column.certain:
        return Span(None, None)
    restrictions = {name: one.tests for name, one in ground.restrictions.items()}
    spans = extent(type_, column.line, {}, restrictions).spans
    return Span(spans[0].low, spans[-1].high) if spans else Span(None, None)


# -- decisions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """A decision with the boxes of its rows. `known`: what every cell lets through is known beforehand, and
    nothing can go wrong on the way to the columns' values."""

    source: Decision
    choose: Choose
    boxes: Boxes
    known: bool

    @property
    def name(self) -> str:
        return self.source.heading.name

    @property
    def rows(self) -> Sequence[Row]:
        return self.choose.rows

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.choose.columns

    @property
    def outcome_names(self) -> list[str]:
        return [column.name for column in self.source.outcomes]

    @property
    def ends_at_first(self) -> bool:
        """Is the first row that fires the whole answer?"""
        if self.choose.fold.stops:
            return True
        alike, few = self.choose.fold.takes_one, len(self.rows) < LIMITS.dispatched_rows
        return alike and few and self.known and self.has_key_for_all and self.boxes.apart

    @property
    def has_key_for_all(self) -> bool:
        """Has every value that may come a key? Only such always compare."""
        return all(column is None or column.has_key_for_all for column in self.boxes.columns)

    @property
    def is_indexed(self) -> bool:
        """Few rows that Python itself distinguishes need none."""
        if len(self.rows) >= LIMITS.dispatched_rows:
            return True
        return self.known and not all(column is None or column.is_plain for column in self.boxes.columns)

    @property
    def takes(self) -> bool:
        """Does a row fire only where what it gives is not null?"""
        return bool(self.rows) and any(outcome.taken for outcome in self.rows[0].outcomes)


def shape_of(decision: Decision, ground: Ground) -> Shape:
    choose = ground.lowered.choose(decision)
    boxes = boxes_of(choose, decision.heading.name, ground)
    known = boxes.known and not any(may_fail(column.value, ground) for column in choose.columns)
    return Shape(decision, choose, boxes, known)
