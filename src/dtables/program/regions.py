"""What the cells of a decision let through, column by column, where that is known before anything is asked: a
look-up wants that in place of conditions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from dtables.feel.types import ANY
from dtables.model import regions as model
from dtables.model.expressions import Compared, Constant, EqualTo, Expression, NameOf, Test, Within
from dtables.model.regions import Line, Names, Region
from dtables.program.nodes import Choose, Row
from dtables.provenance import Location


@dataclass(frozen=True)
class ColumnRegions:
    """The line on which a column's values stand, if they have keys, and what of it the cell of each row lets
    through, None where only a turn can tell. `asked`: which cells are not empty."""

    line: Line | None
    cells: tuple[Region | None, ...]
    asked: tuple[bool, ...]


def regions_of(choose: Choose, number: int, names: Names) -> ColumnRegions:
    value = choose.columns[number].value
    tests = [row.source.conditions[number].tests for row in choose.rows if row.source is not None]
    line = model.line_of(ANY if value is None else value.type, names, tests)
    asked = tuple(map(bool, tests))
    if line is None:
        return ColumnRegions(None, (None,) * len(tests), asked)
    return ColumnRegions(line, tuple(_regions(tests, line, names)), asked)


def without_key(row: Row, number: int) -> bool | Location | None:
    """Does a cell with a region let a value through that has no key on its line? A place: it fails there.
    None where only evaluation can tell."""
    assert row.source is not None, "a row of a decision"
    found = model.without_key(row.source.conditions[number].tests)
    return found if found is None or isinstance(found, bool) else found.where


def _regions(cells: Sequence[tuple[Test, ...]], line: Line, names: Names) -> list[Region | None]:
    """Cells that say the same let the same through: of large tables many do."""
    known: dict[Hashable, Region | None] = {}
    found: list[Region | None] = []
    for tests in cells:
        said = _meaning(tests[0]) if len(tests) == 1 else None
        if not tests:
            found.append(line.full)
        elif said is None:
            found.append(model.region(tests, line, names))
        else:
            if said not in known:
                known[said] = model.region(tests, line, names)
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
