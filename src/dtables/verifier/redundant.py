"""Rows that never fire, that change nothing, or that could be one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from dtables.diagnostics import Diagnostic
from dtables.feel.types import VocabularyType, plain
from dtables.feel.values import less, same
from dtables.model.expressions import Expression, NameOf
from dtables.model.tables import Condition, Decision, OutcomeColumn, Policy, Rule
from dtables.verifier import problems
from dtables.verifier.columns import Column, Plan
from dtables.verifier.gaps import same_outcome
from dtables.verifier.grid import Bits, Box, Budget, Exhausted, holds, members, size, uncovered, within
from dtables.verifier.judge import Judge
from dtables.verifier.shown import example, listed, name_of, point, values
from dtables.verifier.values import Values
from dtables.verifier.wanted import Between, constant, wanted

MOST_SHOWN = 10
Standing = tuple[int, ...]


def find_empty(plan: Plan) -> Iterator[Diagnostic]:
    """Rows with a cell that lets nothing through, or two cells that together let nothing through."""
    for rule, box in zip(plan.decision.rules, plan.grid.rows, strict=True):
        for column, bits in zip(plan.columns, box, strict=True):
            if not bits and column.full:
                cells = _cells(plan.decision, rule, column)
                if not any(map(_upside_down, cells)):
                    place = cells[0].cell if cells else rule.where
                    yield problems.never_fires(rule, place, name_of(column))
                break


def _cells(decision: Decision, rule: Rule, column: Column) -> list[Condition]:
    pairs = zip(decision.subjects, rule.conditions, strict=True)
    return [c for s, c in pairs if c.tests and (s.value is None or s.value == column.expression)]


def _upside_down(cell: Condition) -> bool:
    """A range whose ends stand the wrong way round has been told of where it is read."""
    return any(isinstance(test, Between) and less(test.high, test.low) for test in wanted(cell.tests) or ())


def find_masked(plan: Plan, judge: Judge, meet: Sequence[Bits], budget: Budget) -> Iterator[Diagnostic]:
    """Under `first` and `priority`: rows whose values all go to rows that come before them."""
    found: list[tuple[int, list[int]]] = []
    try:
        found.extend(_all_masked(plan, meet, budget))
    except Exhausted:
        yield problems.stopped(plan.decision.heading.where, "rows that never fire")
    for n, (row, by) in enumerate(found[:MOST_SHOWN]):
        more = len(found) - MOST_SHOWN if n == MOST_SHOWN - 1 else 0
        yield _masked(plan, judge, row, by, max(0, more))


def _all_masked(plan: Plan, meet: Sequence[Bits], budget: Budget) -> Iterator[tuple[int, list[int]]]:
    """With each the rows that take its values."""
    before = _before(plan.decision)
    if before is None:
        return
    for row, box in enumerate(plan.grid.rows):
        earlier = [other for other in members(meet[row] & before[row]) if all(plan.grid.rows[other])]
        if earlier and all(box):
            by = _covering(plan, box, earlier, budget)
            if by:
                yield row, by


def _before(decision: Decision) -> list[Bits] | None:
    """For each row the rows that win over it."""
    if decision.policy is Policy.FIRST:
        return [(1 << row) - 1 for row in range(len(decision.rules))]
    if decision.policy is not Policy.PRIORITY:
        return None
    found = [standing(decision, rule) for rule in decision.rules]
    return [
        sum(1 << n for n, other in enumerate(found) if _wins(other, n, own, row))
        for row, own in enumerate(found)
    ]


def _wins(other: Standing | None, n: int, own: Standing | None, row: int) -> bool:
    return other is not None and own is not None and (other, n) < (own, row)


def standing(decision: Decision, rule: Rule) -> Standing | None:
    """The places of a row's outcomes among the priorities; None where they are not constants."""
    places = []
    for column, outcome in zip(decision.outcomes, rule.outcomes, strict=True):
        known = constant(outcome.value)
        if known is None:
            return None
        places.append(_place(column, known[0]))
    return tuple(places)


def _place(column: OutcomeColumn, value: object) -> int:
    for place, listed_value in enumerate(column.priorities):
        known = constant(listed_value)
        if known is not None and same(known[0], value):
            return place
    return len(column.priorities)


def _covering(plan: Plan, box: Box, earlier: list[int], budget: Budget) -> list[int]:
    """The rows that take all of a box: one if one does."""
    rows = plan.grid.rows
    for other in earlier:
        if holds(rows[other], box):
            return [other]
    budget.spend(len(earlier))
    inside = within(plan.grid, box, earlier)
    if sum(map(size, inside.rows)) < size(box):
        return []
    return [] if any(True for _ in uncovered(inside, budget)) else earlier


def _masked(plan: Plan, judge: Judge, row: int, by: list[int], more: int) -> Diagnostic:
    rules, rows = plan.decision.rules, plan.grid.rows
    spot = point(plan.columns, rows[row])
    firing = judge.firing(spot) or ()
    first = [other for other in by if other in firing]
    shown = example(plan.columns, spot, rows[row], *(rows[other] for other in first[:1]))
    if row in firing and first:
        return problems.masked(rules[row], [rules[other] for other in by], shown, more)
    return problems.not_confirmed(problems.row_place(rules[row]), "the row never fires", shown)


# -- rows without effect -----------------------------------------------------------------------


def find_without_effect(plan: Plan, judge: Judge, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """Under `first` and `any`: what the row gives is given without it too."""
    decision, rows = plan.decision, plan.grid.rows
    if decision.policy not in (Policy.FIRST, Policy.ANY):
        return
    found = [(row, other) for row in range(len(rows)) if (other := _other(plan, row, meet)) is not None]
    for row, other in found[:MOST_SHOWN]:
        spot = point(plan.columns, rows[row])
        if row in (judge.firing(spot) or ()):
            rule = None if other == row else decision.rules[other]
            yield problems.no_effect(decision.rules[row], rule, example(plan.columns, spot, rows[row]))
    if len(found) > MOST_SHOWN:
        yield problems.more_without_effect(decision.heading.where, len(found) - MOST_SHOWN)


def _other(plan: Plan, row: int, meet: Sequence[Bits]) -> int | None:
    if not all(plan.grid.rows[row]):
        return None
    everywhere = plan.decision.policy is Policy.ANY
    return _instead(plan, row, meet[row] if everywhere else meet[row] >> row << row)


def _instead(plan: Plan, row: int, others: Bits) -> int | None:
    """The row that gives the same wherever this one does; the row itself stands for `otherwise`."""
    decision, rows = plan.decision, plan.grid.rows
    for other in members(others):
        alike = same_outcome(decision.rules[row], decision.rules[other])
        if not alike and decision.policy is Policy.FIRST:
            return None
        if alike and holds(rows[other], rows[row]) and not _doubled(plan, row, other):
            return other
    otherwise = decision.otherwise
    if decision.policy is Policy.FIRST and otherwise is not None and len(decision.outcomes) == 1:
        return row if decision.rules[row].outcomes[0].value == otherwise.value else None
    return None


def _doubled(plan: Plan, row: int, other: int) -> bool:
    """Of two rows that take the same, the first is the one to keep."""
    return plan.decision.policy is Policy.ANY and other > row and plan.grid.rows[other] == plan.grid.rows[row]


# -- rows that could be one --------------------------------------------------------------------


def find_mergeable(plan: Plan, judge: Judge, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """The same outcome, and the same cells in all columns but one."""
    rules, found = plan.decision.rules, list(_mergeable(plan, meet))
    for column, together, box in found[:MOST_SHOWN]:
        spot = point(plan.columns, plan.grid.rows[together[1]])
        if together[1] in (judge.firing(spot) or ()):
            said = values(plan.columns[column], box[column])
            shown = example(plan.columns, spot, box)
            yield problems.mergeable([rules[row] for row in together], said, shown)
    if len(found) > MOST_SHOWN:
        yield problems.more_mergeable(plan.decision.heading.where, len(found) - MOST_SHOWN)


def _mergeable(plan: Plan, meet: Sequence[Bits]) -> Iterator[tuple[int, list[int], Box]]:
    """With each group of rows the column in which they differ, and the box of the row they would be."""
    done: set[int] = set()
    for n, column in enumerate(plan.columns):
        if column.expression is None:
            continue
        groups: dict[object, list[int]] = {}
        for row, box in enumerate(plan.grid.rows):
            if all(box) and row not in done:
                outcome = tuple(o.value for o in plan.decision.rules[row].outcomes)
                groups.setdefault((outcome, box[:n], box[n + 1 :]), []).append(row)
        for rows in groups.values():
            together = _together(plan, rows, meet)
            if len(together) > 1:
                done.update(together)
                bits = reduce(or_, (plan.grid.rows[row][n] for row in together))
                yield n, together, (*plan.grid.rows[rows[0]][:n], bits, *plan.grid.rows[rows[0]][n + 1 :])


def _together(plan: Plan, rows: list[int], meet: Sequence[Bits]) -> list[int]:
    """Where one row may fire they may not meet; where the first counts no row may stand between."""
    if plan.decision.policy is Policy.UNIQUE:
        all_of_them = sum(1 << row for row in rows)
        return [row for row in rows if not meet[row] & all_of_them]
    if plan.decision.policy is Policy.ANY:
        return rows
    if plan.decision.policy is not Policy.FIRST:
        return []
    first = rows[0]
    return [row for row in rows if not meet[row] & ((1 << row) - 1) >> (first + 1) << (first + 1)]


# -- order and outcomes ------------------------------------------------------------------------


def find_misleading(plan: Plan, judge: Judge, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """Under `priority` a row above another that wins over it."""
    decision, rows = plan.decision, plan.grid.rows
    if decision.policy is not Policy.PRIORITY:
        return
    found = [standing(decision, rule) for rule in decision.rules]
    for row, others in enumerate(meet):
        for other in members(others >> (row + 1) << (row + 1)):
            own, below = found[row], found[other]
            if own is None or below is None or not below < own:
                continue
            both = tuple(a & b for a, b in zip(rows[row], rows[other], strict=True))
            spot = point(plan.columns, both)
            if {row, other} <= set(judge.firing(spot) or ()):
                yield problems.misleading(
                    decision.rules[row], decision.rules[other], example(plan.columns, spot, both)
                )
            break


def find_never_given(decision: Decision, names: Values) -> Iterator[Diagnostic]:
    """Names that an outcome column could give by its type and gives in no row."""
    for n, column in enumerate(decision.outcomes):
        if not isinstance(plain(column.type), VocabularyType):
            continue
        given = [rule.outcomes[n].value for rule in decision.rules]
        if decision.otherwise is not None:
            given.append(decision.otherwise.value)
        missing = _never(given, names.names(column.type))
        if missing and len(missing) <= len(names.names(column.type)) // 2:
            name = column.name if len(decision.outcomes) > 1 else ""
            yield problems.never_given(decision.heading.where, name, listed(missing, "or"))


def _never(given: list[Expression], names: Sequence[str]) -> list[str]:
    if not all(constant(value) is not None for value in given):
        return []
    said = {value.id for value in given if isinstance(value, NameOf)}
    return [name for name in names if name not in said]
