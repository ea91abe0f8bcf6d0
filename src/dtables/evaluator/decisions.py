"""Tables of rows as closures: which rows fire, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import assert_never

from dtables.collector import held_back
from dtables.evaluator.expressions import Closure, Expressions, Frame
from dtables.feel.builtins import BY_NAME
from dtables.feel.values import Value
from dtables.program import nodes as p
from dtables.provenance import Location
from dtables.runtime.hits import (
    agreed_hit,
    collected_max,
    collected_min,
    collected_sum,
    only_hit,
    ordered_hits,
)

Hits = list[tuple[p.Row, list[Value]]]
"""The rows that fire, with the values of their outcomes."""
Outcomes = tuple[tuple[Closure, bool], ...]
"""Of a row; what is taken may not be null."""


class Unread:
    """Stands in a column's place until a cell asks for its value."""


UNREAD = Unread()


class Decisions(Expressions):
    """Decisions, matrices and dice: rows are tried one after the other."""

    def choose(self, choose: p.Choose) -> Closure:
        unread = tuple(c.slot for c in choose.columns if c.value is not None)
        rows = Rows(choose, self)
        whole, empty, finish = rows.whole, self._empty(choose), self._fold(choose)
        stops = choose.fold.stops

        def run(f: Frame) -> Value:
            for slot in unread:
                f[slot] = UNREAD
            hits: Hits = []
            for number, tests in enumerate(rows):
                for test in tests:
                    if test(f) is not True:
                        break
                else:
                    if number not in whole and not rows.passes(number, len(tests), f):
                        continue
                    row, outcomes = whole[number]
                    values = given(outcomes, f)
                    if len(values) == len(outcomes):
                        hits.append((row, values))
                        if stops:
                            break
            return finish(hits, f) if hits else empty(f)

        return run

    def test(self, column: p.Column, cell: p.Cell) -> Closure:
        """Does the value of a cell's column pass it? The first cell that asks for the value has it worked
        out."""
        condition = self.condition(cell)
        if column.value is None:
            return condition
        slot, value = column.slot, self.closure(column.value)

        def run(f: Frame) -> Value:
            if f[slot] is UNREAD:
                f[slot] = value(f)
            return condition(f)

        return run

    def condition(self, cell: p.Cell) -> Closure:
        return with_room(cell.size, self.closure(cell.condition))

    def outcomes(self, row: p.Row) -> Outcomes:
        return tuple((with_room(one.size, self.closure(one.value)), one.taken) for one in row.outcomes)

    def _empty(self, choose: p.Choose) -> Closure:
        """No row fires."""
        return self.closure(choose.empty)

    def _fold(self, choose: p.Choose) -> Callable[[Hits, Frame], Value]:
        names, fold, table = choose.names, choose.fold, self.table

        def combined(values: list[Value]) -> Value:
            return dict(zip(names, values, strict=True)) if names else values[0]

        def each(hits: Hits) -> list[tuple[p.Row, Value]]:
            return [(row, combined(values)) for row, values in hits]

        ranks = None if fold.ranks is None else tuple(self.closures(some) for some in fold.ranks)

        def in_order(hits: Hits, f: Frame) -> list[Value]:
            if ranks is None:
                return [combined(values) for _, values in hits]
            return ordered_hits(each(hits), names, [[listed(f) for listed in column] for column in ranks])

        match fold.take:
            case p.Take.FIRST if ranks is None:
                return lambda hits, _f: combined(hits[0][1])
            case p.Take.FIRST:
                return lambda hits, f: in_order(hits, f)[0]
            case p.Take.ONLY:
                return lambda hits, _f: only_hit(each(hits), table, NAMED)
            case p.Take.AGREED:
                return lambda hits, _f: agreed_hit(each(hits), table, NAMED)
            case p.Take.ALL:
                combine = _combining(fold.combine)
                return lambda hits, f: combine(in_order(hits, f))
            case _:
                assert_never(fold.take)


class _Named:
    """What a failure calls a row, and where it stands."""

    def __getitem__(self, row: p.Row) -> tuple[str, Location]:
        return row.name, Location(row.where)


NAMED = _Named()


class Rows:
    """The rows of a table as far as they were tried: of each the tests of its first cells, one more whenever
    all of them pass. Behind the last test it is `whole`."""

    def __init__(self, choose: p.Choose, plan: Decisions) -> None:
        self._columns, self._rows, self._plan = choose.columns, choose.rows, plan
        self.tests: list[tuple[Closure, ...]] = []
        self.whole: dict[int, tuple[p.Row, Outcomes]] = {}

    def __iter__(self) -> Iterator[tuple[Closure, ...]]:
        tests = self.tests
        return iter(tests) if len(tests) == len(self._rows) else chain(tests, self._others())

    def _others(self) -> Iterator[tuple[Closure, ...]]:
        """Those that were never tried; a row may lead to others of the same table."""
        tests = self.tests
        for number in range(len(tests), len(self._rows)):
            if number == len(tests):
                self._begin_more()
            yield tests[number]

    @held_back()
    def _begin_more(self) -> None:
        """One, then twice as many as there are."""
        first = len(self.tests)
        for row in self._rows[first : 2 * first + 1]:
            self.tests.append((self._test(row.cells[0]),) if row.cells else ())

    def passes(self, number: int, passed: int, f: Frame) -> bool:
        """Do the tests behind those that passed pass too?"""
        return all(test(f) is True for test in self.behind(number, passed))

    def behind(self, number: int, passed: int) -> Iterator[Closure]:
        """The tests of a row behind those that passed, each made when it is reached."""
        row = self._rows[number]
        for place in range(passed, len(row.cells)):
            tests = self.tests[number]
            if place == len(tests):
                tests = self.tests[number] = (*tests, self._test(row.cells[place]))
            yield tests[place]
        if number not in self.whole:
            self.whole[number] = row, self._plan.outcomes(row)

    def _test(self, cell: p.Cell) -> Closure:
        return self._plan.test(self._columns[cell.column], cell)


def given(outcomes: Outcomes, f: Frame) -> list[Value]:
    """What a row gives; one with nothing to take gives less."""
    values = []
    for outcome, taken in outcomes:
        value = outcome(f)
        if taken and value is None:
            break
        values.append(value)
    return values


def with_room(size: int | None, run: Closure) -> Closure:
    """The frame grows for a cell that needs more of it than its function; nothing that it holds moves."""
    if size is None:
        return run

    def roomy(f: Frame) -> Value:
        if len(f) < size:
            f.extend([None] * (size - len(f)))
        return run(f)

    return roomy


def _combining(how: p.Combine) -> Callable[[list[Value]], Value]:
    match how:
        case p.Combine.NOTHING:
            return lambda values: values
        case p.Combine.COUNT:
            return len
        case p.Combine.BUILTIN_SUM:
            return BY_NAME["sum"].meaning
        case p.Combine.SUM:
            return collected_sum
        case p.Combine.LEAST:
            return collected_min
        case p.Combine.GREATEST:
            return collected_max
        case _:
            assert_never(how)
