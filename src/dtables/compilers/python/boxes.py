"""What each column of a decision reads, and what the cells of its rows let through: regions, and what of them
the generated code needs."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.ground import Ground
from dtables.feel.types import (
    ANY,
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
from dtables.model.expressions import (
    Compared,
    Constant,
    EqualTo,
    Expression,
    InputField,
    NameOf,
    Read,
    Test,
    Within,
)
from dtables.model.grid import grid, meeting
from dtables.model.regions import Line, Names, Region, Span, extent, line_of, region
from dtables.model.tables import Decision, Subject

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
    those of the vocabulary that the type narrows. `clock`: Python's own times tell all its keys apart."""

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
        """Closed lists and numbers, which Python's own words tell apart at once."""
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
    """`columns` are None where values have no keys, cells where only a turn can tell what passes."""

    columns: tuple[KeyColumn | None, ...]
    rows: tuple[tuple[Region | None, ...], ...]

    @property
    def known(self) -> bool:
        return all(cell is not None for row in self.rows for cell in row)

    @cached_property
    def apart(self) -> bool:
        """No two rows let the same values through, as far as can be said."""
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


def boxes_of(decision: Decision, ground: Ground) -> Boxes:
    names = {name: [label.id for label in known.names] for name, known in ground.vocabularies.items()}
    columns: list[KeyColumn | None] = []
    cells: list[list[Region | None]] = []
    for number, subject in enumerate(decision.subjects):
        tests = [rule.conditions[number].tests for rule in decision.rules]
        type_ = ANY if subject.value is None else subject.value.type
        line = line_of(type_, names, tests)
        if line is None:
            columns.append(None)
            cells.append([None if some else EVERYTHING for some in tests])
            continue
        column = _column(line, type_, is_read(subject, decision, ground), names)
        found = _regions(tests, line, names, column.full)
        clipped = (
            found
            if column.full == line.full
            else [None if one is None else one & column.full for one in found]
        )
        points, clock = _only_points(column, clipped), _by_clock(line, clipped)
        columns.append(replace(column, only_points=points, clock=clock))
        cells.append(clipped)
    return Boxes(tuple(columns), tuple(zip(*cells, strict=True)) if cells else ((),) * len(decision.rules))


def _regions(
    cells: Sequence[tuple[Test, ...]], line: Line, names: Names, empty: Region
) -> list[Region | None]:
    """Cells that say the same let the same through: of large tables many do."""
    known: dict[Hashable, Region | None] = {}
    found: list[Region | None] = []
    for tests in cells:
        said = _meaning(tests[0]) if len(tests) == 1 else None
        if not tests:
            found.append(empty)
        elif said is None:
            found.append(region(tests, line, names))
        else:
            if said not in known:
                known[said] = region(tests, line, names)
            found.append(known[said])
    return found


def _meaning(test: Test) -> Hashable:
    """What a test of constants says, wherever it stands; None of any other."""
    match test:
        case EqualTo(value=value):
            return _constant(value)
        case Compared(operator=operator, value=value):
            constant = _constant(value)
            return constant and (operator, constant)
        case Within(low=Constant() as low, high=Constant() as high):
            return _constant(low), test.low_included, _constant(high), test.high_included
        case _:
            return None


def _constant(value: Expression) -> tuple[object, ...] | None:
    match value:
        case NameOf(vocabulary=vocabulary, id=id_):
            return vocabulary, id_
        case Constant(value=held) if isinstance(held, Hashable):
            return type(held), held
        case _:
            return None


def is_read(subject: Subject, decision: Decision, ground: Ground) -> bool:
    """Was the value read from a record? What rules work out is not held to its narrowed type."""
    match subject.value:
        case InputField():
            return True
        case Read():
            return decision.heading.name not in ground.called
        case _:
            return False


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


def _only_points(column: KeyColumn, cells: list[Region | None]) -> bool:
    if not isinstance(column.line.type, TextType):
        return False
    known = {cell for cell in cells if cell is not None}
    return all(
        column.points_of(cell) is not None or column.points_of(column.full - cell) is not None
        for cell in known
    )


def _by_clock(line: Line, cells: list[Region | None]) -> bool:
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


def subjects_may_fail(decision: Decision, ground: Ground) -> bool:
    return any(may_fail(subject.value, ground) for subject in decision.subjects)
