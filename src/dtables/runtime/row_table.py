"""A decision's rows as data, and an index of them: which rows let a combination of values through, without
reading them all.

Rows stand in dicts by the columns with names that tell them apart best; behind each combination is a search
along the other columns. What it gives are numbers of rows, so that an answer knows where it comes from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import Any

from dtables.collector import held_back
from dtables.feel.values import Value
from dtables.runtime.boxes import NOWHERE, OTHER, Aim, Box, Find, IndexColumn, Part, Read, Take, names_in
from dtables.runtime.keys import MOMENTS, TIMES, Keyless, refuse_order
from dtables.runtime.searches import search, swept

Line = list[Any]
"""A row as it is written: its first cell, its number, its conditions, and at the end what it gives."""


def column_of_names(*names: Value) -> IndexColumn:
    return IndexColumn(tuple(names))


def column_of_whole_numbers(
    empty: bool = False, limits: tuple[int | None, int | None] = (None, None)
) -> IndexColumn:
    return IndexColumn(empty=empty, limits=limits)


def column_of_times(empty: bool = False) -> IndexColumn:
    """In seconds of the day; it is asked for Python's own times."""
    return IndexColumn(empty=empty, clock=TIMES)


def column_of_moments(empty: bool = False) -> IndexColumn:
    """In seconds since 1970; it is asked for Python's own dates with times."""
    return IndexColumn(empty=empty, clock=MOMENTS)


def column_of_numbers(empty: bool = False) -> IndexColumn:
    return IndexColumn(whole=False, empty=empty)


def column_of_texts_in_order(empty: bool = False) -> IndexColumn:
    """Its cells name stretches of texts."""
    return IndexColumn(whole=False, empty=empty)


def column_of_texts(empty: bool = False) -> IndexColumn:
    """Its cells name single texts."""
    return IndexColumn(texts=True, empty=empty)


@dataclass
class RowTable:
    """`text` has a line for each row. `place` is the sheet, with the mark behind it; `keys` are the columns
    of the dicts, from the outside, `rest` those of the searches. `keyless` has, of columns whose values may
    have no key, a line for each row: `+` where its cell lets such a value through, `-` where it does not,
    else where it fails."""

    place: str
    columns: tuple[IndexColumn, ...]
    keys: tuple[int, ...]
    rest: tuple[int, ...]
    text: str
    keyless: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lines: list[Line] | None = None

    # -- answers -------------------------------------------------------------------------------

    def answers(self, *names: str) -> list[Value]:
        """What each row gives: several outcomes are a context."""
        start = 2 + len(self.columns)
        if len(names) < 2:
            return [line[start] for line in self._read()]
        return [dict(zip(names, line[start:], strict=True)) for line in self._read()]

    def answers_of(self, different: Sequence[Any]) -> list[Any]:
        """What each row gives is written once, however many rows give it."""
        return [different[line[-1]] for line in self._read()]

    @cached_property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Of each row what messages call it, and its place."""
        return tuple((number or cell, self.place + cell) for cell, number, *_ in self._parsed())

    # -- looking up ----------------------------------------------------------------------------

    # With `answers` they are found themselves, and where no single row is, nothing: only for tables without a
    # search. With `flat` cuts are found and the rows between them: only for one column, without null.

    def first(
        self,
        nobody: int | None = None,
        order: Sequence[int] | None = None,
        answers: Sequence[Any] | None = None,
        flat: bool = False,
    ) -> Any:
        """The first row that fires, in the table's order or another."""
        return self._index(Aim(Take.FIRST, nobody, None, answers, flat), order)

    def only(
        self, nobody: int | None = None, answers: Sequence[Any] | None = None, flat: bool = False
    ) -> Any:
        """The one row that fires; None where several do."""
        return self._index(Aim(Take.ONLY, nobody, None, answers, flat), None)

    def agreed(
        self, nobody: int | None = None, answers: Sequence[Any] | None = None, flat: bool = False
    ) -> Any:
        """The first row that fires, where all that fire give the same."""
        start = 2 + len(self.columns)
        alike = [repr(line[start:]) for line in self._read()]
        return self._index(Aim(Take.ONLY, nobody, alike, answers, flat), None)

    def every(self, handed: Sequence[Any] | None = None) -> Any:
        """All rows that fire, in order, or what they hand out."""
        return self._index(Aim(Take.ALL, handed=handed), None)

    def left_by_conditions(
        self, conditions: Sequence[tuple[Any, Sequence[int]]], answers: Sequence[Any] | None = None
    ) -> Any:
        """All rows whose cells let the values through, in order, or their answers, each with the condition
        that it still has, or None. A condition stands in some rows."""
        known = {row: condition for condition, rows in conditions for row in rows}
        rows = range(len(self._read()))
        return self.every([(row if answers is None else answers[row], known.get(row)) for row in rows])

    def firing(self, *values: Value) -> list[int]:
        """The same for values of all columns in order: for what happens seldom."""
        found = self._every
        for key in self.keys:
            found = found[values[key]]
        rows: list[int] = found(*(values[column] for column in self.rest)) if self.rest else found
        return rows

    @cached_property
    def _every(self) -> Any:
        return self.every()

    def one_by_one(self, table: str, *values: Any) -> Iterator[int]:
        """The same where some values have no key: row by row, and in a row cell by cell."""
        known = [
            (marks, value, None) if isinstance(value, Keyless) else (marks, parts, read(value))
            for value, (read, parts), marks in zip(values, self._placed, self._keyless, strict=True)
        ]
        for row in range(len(self.names)):
            if all(self._passes(table, row, *one) for one in known):
                yield row

    def _passes(self, table: str, row: int, marks: list[str], found: Any, place: int | None) -> bool:
        if place is not None:
            return any(low <= place < end for low, end in found[row])
        if marks[row] not in ("+", "-"):
            refuse_order(found, table, self.place + marks[row])
        return marks[row] == "+"

    @cached_property
    def _placed(self) -> list[tuple[Read, list[tuple[Part, ...]]]]:
        lines = self._parsed()
        return [column.places([line[2 + n] for line in lines]) for n, column in enumerate(self.columns)]

    @cached_property
    def _keyless(self) -> list[list[str]]:
        return [
            self.keyless[n].split("\n")[1:-1] if n in self.keyless else [] for n in range(len(self.columns))
        ]

    # -- building ------------------------------------------------------------------------------

    @held_back()
    def _parsed(self) -> list[Line]:
        import json

        lines = ",".join(self.text.strip("\n").split("\n"))
        parsed: list[Line] = json.loads(f"[{lines}]", parse_float=Decimal)
        return parsed

    def _read(self) -> list[Line]:
        """Kept until an index is made: that is the last who needs them."""
        if self._lines is None:
            self._lines = self._parsed()
        return self._lines

    @held_back()
    def _index(self, aim: Aim, order: Sequence[int] | None) -> Any:
        lines = self._read()
        self._lines = None
        index = _Index(self, lines, aim)
        return index.nested(range(len(lines)) if order is None else order)


class WithOthers(dict[Any, Any]):
    """A text that is no key stands for all others; what is no text is not found."""

    def __missing__(self, key: object) -> Any:
        if type(key) is str:
            return self[OTHER]
        raise KeyError(key)


@dataclass
class _Index:
    table: RowTable
    lines: list[Line]
    aim: Aim

    def __post_init__(self) -> None:
        self._finds: dict[tuple[int, ...], Any] = {}
        self._others: set[tuple[Any, ...]] = set()

    def nested(self, order: Sequence[int]) -> Any:
        """Dicts within dicts, and at the end a search, or where nothing is left to ask what it would give."""
        columns = [self.table.columns[key] for key in self.table.keys]
        written = [[line[2 + key] for line in self.lines] for key in self.table.keys]
        domains = [column.domain(cells) for column, cells in zip(columns, written, strict=True)]
        cells = [
            [names_in(cell, domain) for cell in some] for domain, some in zip(domains, written, strict=True)
        ]
        rows: dict[tuple[Any, ...], list[int]] = defaultdict(list)
        for row in order:
            for combination in product(*[column[row] for column in cells]):
                rows[combination].append(row)
        self._others = {
            combination[: place + 1]
            for combination in rows
            for place, value in enumerate(combination)
            if value is OTHER
        }
        return self._dicts((), domains, rows)

    def _dicts(
        self,
        before: tuple[Any, ...],
        domains: list[tuple[Any, ...]],
        rows: dict[tuple[Any, ...], list[int]],
    ) -> Any:
        if len(before) == len(domains):
            return self._find(tuple(rows.get(before, ())))
        domain = domains[len(before)]
        if OTHER in domain and self._is_dead_end((*before, OTHER)):
            domain = tuple(value for value in domain if value is not OTHER)
        behind = ((value, self._dicts((*before, value), domains, rows)) for value in domain)
        found = {value: one for value, one in behind if one is not NOWHERE}
        return WithOthers(found) if OTHER in domain else found

    def _is_dead_end(self, path: tuple[Any, ...]) -> bool:
        """Where a single row is wanted, and no text that no cell names can have one, they are no keys."""
        return self.aim.take is not Take.ALL and self.aim.nobody is None and path not in self._others

    def _find(self, rows: tuple[int, ...]) -> Any:
        """The same rows, the same search."""
        found = self._finds.get(rows)
        if found is None:
            found = self._finds[rows] = (
                self._searched(rows) if self.table.rest else self.aim.settled(list(rows))
            )
        return found

    def _searched(self, rows: tuple[int, ...]) -> Any:
        columns = [self.table.columns[column] for column in self.table.rest]
        cells = [[self.lines[row][2 + column] for row in rows] for column in self.table.rest]
        if self.aim.flat:
            return _flat(rows, columns[0], cells[0], self.aim)
        placed = [column.places(listed) for column, listed in zip(columns, cells, strict=True)]
        parts = zip(*(parts for _, parts in placed), strict=True)
        boxes = [Box(row, stretches) for row, stretches in zip(rows, parts, strict=True)]
        found = search(boxes, len(columns), self.aim)
        return found if all(c.is_direct for c in columns) else _through([read for read, _ in placed], found)


def _flat(rows: tuple[int, ...], column: IndexColumn, cells: list[Any], aim: Aim) -> tuple[Any, ...]:
    stretches = column.stretches(cells)
    cuts, found = swept([Box(row, (parts,)) for row, parts in zip(rows, stretches, strict=True)], aim)
    if not column.whole:
        return _with_points(cuts, found)
    low, high = column.limits
    if low is not None:
        kept = bisect_right(cuts, low)
        cuts, found = [low, *cuts[kept:]], [None, *found[kept:]]
    if high is not None:
        kept = bisect_right(cuts, high)
        cuts, found = [*cuts[:kept], high + 1], [*found[: kept + 1], None]
    return cuts if column.clock is None else [column.clock.shown(cut) for cut in cuts], found


def _with_points(cuts: list[str], found: list[Any]) -> tuple[dict[str, Any], list[str], list[Any]]:
    """Single texts for themselves, which leaves fewer to be searched."""
    points: dict[str, Any] = {}
    kept, between = [], found[:1]
    for place, cut in enumerate(cuts):
        if place + 1 < len(cuts) and cuts[place + 1] == cut + "\0":
            points[cut] = found[place + 1]
        elif place and cut == cuts[place - 1] + "\0" and found[place + 1] == between[-1]:
            continue
        else:
            kept.append(cut)
            between.append(found[place + 1])
    return points, kept, between


def _through(reads: list[Read], find: Find) -> Find:
    """Values are read before they are looked for."""
    if len(reads) == 1:
        (one,) = reads
        return lambda x: find(one(x))
    if len(reads) == 2:
        one, two = reads
        return lambda x, y: find(one(x), two(y))
    return lambda *values: find(*(read(value) for read, value in zip(reads, values, strict=True)))
