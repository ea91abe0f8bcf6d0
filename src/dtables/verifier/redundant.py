"""Rows that never fire, rows that mislead, and names that no row gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtables.diagnostics import Diagnostic
from dtables.feel.types import VocabularyType, plain
from dtables.feel.values import less, same
from dtables.model.expressions import Expression, NameOf
from dtables.model.tables import Condition, Decision, OutcomeColumn, Policy, Rule
from dtables.verifier import problems
from dtables.verifier.columns import Column, Plan
from dtables.verifier.grid import Bits, Box, Budget, Exhausted, holds, members, size, uncovered, within
from dtables.verifier.judge import Judge
from dtables.verifier.shown import example, listed, name_of, point
from dtables.verifier.values import Values
from dtables.verifier.wanted import Between, constant, wanted

Standing = tuple[int, ...]
"""The places of a row's outcomes among the priorities, column by column: less is better."""
Order = tuple[int, ...]
"""Of two rows that fire the one with the lesser order wins."""


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
    for row, by in found[: problems.MOST_LISTED]:
        yield _masked(plan, judge, row, by)
    if len(found) > problems.MOST_LISTED:
        yield problems.more(plan.decision.heading.where, "masked", len(found) - problems.MOST_LISTED)


def _all_masked(plan: Plan, meet: Sequence[Bits], budget: Budget) -> Iterator[tuple[int, list[int]]]:
    """With each the rows that take its values."""
    order = _order(plan.decision)
    if order is None:
        return
    for row, box in enumerate(plan.grid.rows):
        own, rows = order[row], plan.grid.rows
        others = [] if own is None else [(order[o], o) for o in members(meet[row]) if all(rows[o])]
        earlier = [o for place, o in others if place is not None and own is not None and place < own]
        if earlier and all(box):
            by = _covering(plan, box, earlier, budget)
            if by:
                yield row, by


def _order(decision: Decision) -> Sequence[Order | None] | None:
    """What tells which of two rows wins: the lesser one."""
    if decision.policy is Policy.FIRST:
        return [(row,) for row in range(len(decision.rules))]
    if decision.policy is not Policy.PRIORITY:
        return None
    return [
        None if (found := standing(decision, rule)) is None else (*found, row)
        for row, rule in enumerate(decision.rules)
    ]


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


def _masked(plan: Plan, judge: Judge, row: int, by: list[int]) -> Diagnostic:
    rules, rows = plan.decision.rules, plan.grid.rows
    spot = point(plan.columns, rows[row])
    firing = judge.firing(spot, (row, *by)) or ()
    first = [other for other in by if other in firing]
    shown = example(plan.columns, spot, rows[row], *(rows[other] for other in first[:1]))
    if row in firing and first:
        return problems.masked(rules[row], [rules[other] for other in by], shown)
    return problems.not_confirmed(problems.row_place(rules[row]), "the row never fires", shown)


# -- order and outcomes ------------------------------------------------------------------------


def find_misleading(plan: Plan, judge: Judge, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """Under `priority` a row that is read before another, or asks more, and loses to it all the same."""
    decision, rows = plan.decision, plan.grid.rows
    if decision.policy is not Policy.PRIORITY:
        return
    found = [standing(decision, rule) for rule in decision.rules]
    told = (_misled(plan, found, row, others) for row, others in enumerate(meet))
    for loser, winner, column in (one for one in told if one is not None):
        both = tuple(a & b for a, b in zip(rows[loser], rows[winner], strict=True))
        spot = point(plan.columns, both)
        if judge.fire(spot, loser, winner):
            pair = decision.rules[loser], decision.rules[winner]
            shown = example(plan.columns, spot, both)
            if column is None:
                yield problems.misleading(*pair, shown)
            else:
                yield problems.misleading_narrower(*pair, name_of(column), shown)


def _misled(
    plan: Plan, found: Sequence[Standing | None], row: int, others: Bits
) -> tuple[int, int, Column | None] | None:
    """A row that wins over this one although it stands below it or says anything where this one asks."""
    own = found[row]
    for other in members(others):
        standing_there = found[other]
        if own is None or standing_there is None or not standing_there < own:
            continue
        if other > row:
            return row, other, None
        column = _asks_more(plan, row, other)
        if column is not None and not holds(plan.grid.rows[other], plan.grid.rows[row]):
            return row, other, column
    return None


def _asks_more(plan: Plan, row: int, other: int) -> Column | None:
    triples = zip(plan.columns, plan.grid.rows[row], plan.grid.rows[other], strict=True)
    return next((c for c, mine, theirs in triples if theirs == c.full and mine != c.full), None)


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
