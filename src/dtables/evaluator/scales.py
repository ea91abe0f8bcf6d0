"""Scales as closures: who is left of a list after one row and another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from dtables import failures
from dtables.evaluator.expressions import Closure, Expressions, Frame, nothing
from dtables.evaluator.standings import best_of
from dtables.feel.values import Value
from dtables.model.tables import Others
from dtables.program import nodes as p
from dtables.provenance import Location
from dtables.records.findings import RuleError

Found = TypeVar("Found")


class Reading:
    """A scale that is being read. `rows` are what was noted of its rows, `aside` what was worked out for
    those that do not apply; `mark` is where the tape was before, `row_mark` where it was before a row."""

    __slots__ = ("aside", "candidates", "mark", "row_mark", "rows")

    def __init__(self, candidates: Sequence[Value], mark: int) -> None:
        self.candidates = candidates
        self.mark = self.row_mark = mark
        self.rows: list[Any] = []
        self.aside: list[Any] = []


Narrowing = Callable[[Frame, Reading, list[int], frozenset[int]], list[int]]
"""Who is left, as positions in the list of candidates, so that the same value standing there twice stays two.
Those that count as the worst of an embedding row are so in every embedded one."""
OfCandidates = Callable[[Frame, Sequence[Value], list[int], frozenset[int]], Found]
ScaleChosen = Callable[[Frame, Reading, list[int], Value], None]
Places = list[tuple[tuple[int, ...], int]]
"""Of each tier the positions of its members, and how many rows were noted by then."""
ScaleRanked = Callable[[Frame, Reading, list[Value], Places], None]
CriterionKept = Callable[[Reading, dict[int, Value], list[int], list[int]], None]


class Scales(Expressions):
    """Scales, and the rankings that they make."""

    def narrow(self, function: p.Function) -> Closure:
        """The best candidate, null of an empty list; of a scale that ends by chance all that are equal."""
        narrow = function.body
        assert isinstance(narrow, p.Narrow)
        where, table = Location(narrow.criteria[-1].source.cell), self.table
        narrowed = self._criteria(narrow.criteria, narrow.others, narrow.item, function.name)
        slot, level, note = narrow.candidates, narrow.level, self._scale_chosen(function)

        def run(f: Frame) -> Value:
            reading = Reading(f[slot], f[0].tape.open())
            candidates = reading.candidates
            left = narrowed(f, reading, list(range(len(candidates))), frozenset())
            best = [candidates[position] for position in left]
            if len(best) > 1 and not level:
                raise RuleError(failures.undecided(best), where, table)
            value: Value = best if level else best[0] if best else None
            if note is not None:
                note(f, reading, left, value)
            return value

        return run

    def ranking(self, function: p.Function) -> Closure:
        """Tiers of equals, the best first."""
        narrow = function.body
        assert isinstance(narrow, p.Narrow)
        narrowed = self._criteria(narrow.criteria, narrow.others, narrow.item, function.name)
        slot, note = narrow.candidates, self._scale_ranked(function)

        def run(f: Frame) -> Value:
            reading = Reading(f[slot], f[0].tape.open())
            rest, tiers = list(range(len(reading.candidates))), []
            places: Places = []
            while rest:
                best = narrowed(f, reading, rest, frozenset())
                tiers.append([reading.candidates[position] for position in best])
                places.append((tuple(best), len(reading.rows)))
                rest = [position for position in rest if position not in best]
            if note is not None:
                note(f, reading, tiers, places)
            return tiers

        return run

    def _scale_chosen(self, function: p.Function) -> ScaleChosen | None:
        """Who wants to know of a scale whose best is known; here nobody."""
        del function
        return None

    def _scale_ranked(self, function: p.Function) -> ScaleRanked | None:
        del function
        return None

    def _criterion_read(self, criterion: p.Criterion, scale: str) -> CriterionKept | None:
        """Who wants to know of a row that was read; `scale` is the one that it stands in."""
        del criterion, scale
        return None

    def _criteria(
        self, criteria: tuple[p.Criterion, ...], others: Others, item: p.Slot, scale: str
    ) -> Narrowing:
        rows = tuple((self._applies(one), self._criterion(one, others, item, scale)) for one in criteria)

        def narrowed(f: Frame, reading: Reading, left: list[int], worst: frozenset[int]) -> list[int]:
            for applies, after in rows:
                if len(left) <= 1:
                    break
                if applies is not None and not applies(f, reading):
                    continue
                if after is None:
                    break
                left = after(f, reading, left, worst)
            return left

        return narrowed

    def _applies(self, criterion: p.Criterion) -> Callable[[Frame, Reading], bool] | None:
        if criterion.applies is None:
            return None
        held = self.closure(criterion.applies)
        return lambda f, _reading: held(f) is True

    def _criterion(
        self, criterion: p.Criterion, others: Others, item: p.Slot, scale: str
    ) -> Narrowing | None:
        """Who is left after a row that applies; None: chance decides."""
        standing = criterion.standing
        if standing is None:
            return None
        concerned_by, best = self._concerned(criterion, item), self._best(standing, criterion, item, scale)

        def after(f: Frame, reading: Reading, left: list[int], worst: frozenset[int]) -> list[int]:
            concerned = concerned_by(f, reading.candidates, left, worst)
            apart = frozenset(q for q in left if q not in worst and q not in concerned)
            if not concerned or (apart and others is Others.SKIP):
                return left
            if apart and others is Others.LAST:
                worst = worst | apart
            staying = apart if others is Others.STAY else frozenset()
            kept = best(f, reading, [q for q in left if q not in staying], worst)
            return [q for q in left if q in kept or q in staying]

        return after

    def of_candidates(self, nodes: Sequence[p.Expression]) -> tuple[Closure, ...]:
        """What is worked out for each candidate."""
        return self.closures(nodes)

    def _concerned(self, criterion: p.Criterion, item: p.Slot) -> OfCandidates[list[int]]:
        """Of those left the ones that a row concerns."""
        concerns = self.of_candidates(criterion.concerns)

        def concerned(
            f: Frame, candidates: Sequence[Value], left: list[int], worst: frozenset[int]
        ) -> list[int]:
            found = []
            for position in left:
                if position in worst:
                    continue
                f[item] = candidates[position]
                for concern in concerns:
                    if concern(f) is not True:
                        break
                else:
                    found.append(position)
            return found

        return concerned

    def _values(self, by: p.Expression | None, item: p.Slot) -> OfCandidates[dict[int, Value]]:
        """What they are compared by."""
        (work,) = (nothing,) if by is None else self.of_candidates((by,))

        def values(
            f: Frame, candidates: Sequence[Value], left: list[int], worst: frozenset[int]
        ) -> dict[int, Value]:
            found = {}
            for position in left:
                if position not in worst:
                    f[item] = candidates[position]
                    found[position] = work(f)
            return found

        return values

    def _best(self, standing: p.By | p.Group, criterion: p.Criterion, item: p.Slot, scale: str) -> Narrowing:
        if isinstance(standing, p.Group):
            return self._group(standing, item)
        values_of, order = self._values(standing.by, item), self._end(standing.order)
        prefer, note = standing.prefer, self._criterion_read(criterion, scale)

        def best(f: Frame, reading: Reading, left: list[int], worst: frozenset[int]) -> list[int]:
            listed = order(f)
            values = values_of(f, reading.candidates, left, worst)
            kept = best_of(prefer, values, listed, left, worst)
            if note is not None:
                note(reading, values, left, kept)
            return kept

        return best

    def _group(self, group: p.Group, item: p.Slot) -> Narrowing:
        lets = tuple((slot, self.closure(value)) for slot, value in group.lets)
        inner = self._criteria(group.criteria, group.others, item, group.scale)

        def best(f: Frame, reading: Reading, left: list[int], worst: frozenset[int]) -> list[int]:
            for slot, value in lets:
                f[slot] = value(f)
            return inner(f, reading, left, worst)

        return best
