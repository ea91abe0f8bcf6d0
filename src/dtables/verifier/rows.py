"""Rows that never fire, rows that mislead, and names that no row gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from dtables.diagnostics import Diagnostic
from dtables.feel.types import VocabularyType, plain
from dtables.feel.values import less, same
from dtables.limits import LIMITS
from dtables.model.expressions import Expression, NameOf, Within
from dtables.model.grid import Box, members
from dtables.model.regions import Bits, known_value
from dtables.model.tables import Condition, Decision, OutcomeColumn, Policy, Rule
from dtables.verifier import messages
from dtables.verifier.boxes import Budget, Exhausted, holds, size, takes_all, uncovered, within
from dtables.verifier.columns import DecisionPlan, GridColumn, PossibleValues, has
from dtables.verifier.gaps import same_outcome
from dtables.verifier.words import example, listed, name_of, point, values

Standing = tuple[int, ...]
"""The places of a row's outcomes among the priorities, column by column: less is better."""
Order = tuple[int, ...]
"""Of two rows that fire the one with the lesser order wins."""


def find_empty(plan: DecisionPlan) -> Iterator[Diagnostic]:
    """Rows with a cell that lets nothing through, or two cells that together let nothing through."""
    for rule, box in zip(plan.decision.rules, plan.boxes.rows, strict=True):
        for column, bits in zip(plan.columns, box, strict=True):
            if not bits and column.full:
                cells = _cells(plan.decision, rule, column)
                if not any(map(_upside_down, cells)):
                    place = cells[0].cell if cells else rule.where
                    yield messages.never_fires(rule, place, name_of(column))
                break


def _cells(decision: Decision, rule: Rule, column: GridColumn) -> list[Condition]:
    pairs = zip(decision.subjects, rule.conditions, strict=True)
    return [c for s, c in pairs if c.tests and (s.value is None or s.value == column.expression)]


def _upside_down(cell: Condition) -> bool:
    """A range whose ends stand the wrong way round is found where it is read."""
    return any(isinstance(test, Within) and _turned(test) for test in cell.tests)


def _turned(test: Within) -> bool:
    low, high = (known_value(end) if end is not None else None for end in (test.low, test.high))
    return low is not None and high is not None and bool(less(high[0], low[0]))


def find_masked(plan: DecisionPlan, meet: Sequence[Bits], budget: Budget) -> Iterator[Diagnostic]:
    """Under `first` and `priority`: rows whose values all go to rows that come before them."""
    found: list[tuple[int, list[int]]] = []
    try:
        found.extend(_all_masked(plan, meet, budget))
    except Exhausted:
        yield messages.stopped(plan.decision.heading.where, "rows that never fire")
    for row, by in found[: LIMITS.listed_findings]:
        yield _masked(plan, row, by)
    if len(found) > LIMITS.listed_findings:
        yield messages.more(plan.decision.heading.where, "masked", len(found) - LIMITS.listed_findings)


def _all_masked(plan: DecisionPlan, meet: Sequence[Bits], budget: Budget) -> Iterator[tuple[int, list[int]]]:
    """With each the rows that take its values."""
    order = _order(plan.decision)
    if order is None:
        return
    for row, box in enumerate(plan.boxes.rows):
        own, rows = order[row], plan.boxes.rows
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
        known = known_value(outcome.value)
        if known is None:
            return None
        places.append(_place(column, known[0]))
    return tuple(places)


def _place(column: OutcomeColumn, value: object) -> int:
    for place, listed_value in enumerate(column.priorities):
        known = known_value(listed_value)
        if known is not None and same(known[0], value):
            return place
    return len(column.priorities)


def _covering(plan: DecisionPlan, box: Box, earlier: list[int], budget: Budget) -> list[int]:
    """The rows that take all of a box: one if one does."""
    rows = plan.boxes.rows
    for other in earlier:
        if holds(rows[other], box):
            return [other]
    budget.spend(len(earlier))
    inside = within(plan.boxes, box, earlier)
    if sum(map(size, inside.rows)) < size(box):
        return []
    return [] if any(True for _ in uncovered(inside, budget)) else earlier


def _masked(plan: DecisionPlan, row: int, by: list[int]) -> Diagnostic:
    rules, rows = plan.decision.rules, plan.boxes.rows
    spot = point(plan.columns, rows[row])
    if plan.fails(spot, (row, *by)):
        shown = example(plan.columns, spot, rows[row])
        return messages.not_confirmed(messages.row_place(rules[row]), "the row never fires", shown)
    first = next(other for other in by if has(rows[other], plan.columns, spot))
    shown = example(plan.columns, spot, rows[row], rows[first])
    return messages.masked(rules[row], [rules[other] for other in by], shown)


# -- order and outcomes ------------------------------------------------------------------------


def find_misleading(plan: DecisionPlan, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """Under `priority` a row that is read before another, or asks more, and loses to it all the same."""
    decision, rows = plan.decision, plan.boxes.rows
    if decision.policy is not Policy.PRIORITY:
        return
    found = [standing(decision, rule) for rule in decision.rules]
    misled = (_misled(plan, found, row, others) for row, others in enumerate(meet))
    for loser, winner, column in (one for one in misled if one is not None):
        both = tuple(a & b for a, b in zip(rows[loser], rows[winner], strict=True))
        spot = point(plan.columns, both)
        if not plan.fails(spot, (loser, winner)):
            pair = decision.rules[loser], decision.rules[winner]
            shown = example(plan.columns, spot, both)
            if column is None:
                yield messages.misleading(*pair, shown)
            else:
                yield messages.misleading_narrower(*pair, name_of(column), shown)


def _misled(
    plan: DecisionPlan, found: Sequence[Standing | None], row: int, others: Bits
) -> tuple[int, int, GridColumn | None] | None:
    """A row that wins over this one although it stands below it or says anything where this one asks."""
    own = found[row]
    for other in members(others):
        standing_there = found[other]
        if own is None or standing_there is None or not standing_there < own:
            continue
        if other > row:
            return row, other, None
        column = _asks_more(plan, row, other)
        if column is not None and not holds(plan.boxes.rows[other], plan.boxes.rows[row]):
            return row, other, column
    return None


def _asks_more(plan: DecisionPlan, row: int, other: int) -> GridColumn | None:
    triples = zip(plan.columns, plan.boxes.rows[row], plan.boxes.rows[other], strict=True)
    return next((c for c, mine, theirs in triples if theirs == c.full and mine != c.full), None)


def find_never_given(decision: Decision, names: PossibleValues) -> Iterator[Diagnostic]:
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
            yield messages.never_given(decision.heading.where, name, listed(missing, "or"))


def _never(given: list[Expression], names: Sequence[str]) -> list[str]:
    if not all(known_value(value) is not None for value in given):
        return []
    given_names = {value.id for value in given if isinstance(value, NameOf)}
    return [name for name in names if name not in given_names]


# -- effects -------------------------------------------------------------------------------------
# Rows that change nothing: what they give is given without them, or given twice.


def find_without_effect(plan: DecisionPlan, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """What the row gives is given without it too. An earlier row that takes all is reported as one that
    masks."""
    decision, rows = plan.decision, plan.boxes.rows
    if not (decision.policy.counts_once or decision.policy.has_precedence):
        return
    found = [(row, other) for row in range(len(rows)) if (other := _other(plan, row, meet)) is not None]
    for row, other in found[: LIMITS.listed_findings]:
        spot = point(plan.columns, rows[row])
        if not plan.fails(spot, (row,)):
            rule = None if other == row else decision.rules[other]
            yield messages.no_effect(decision.rules[row], rule, example(plan.columns, spot, rows[row]))
    if len(found) > LIMITS.listed_findings:
        yield messages.more(decision.heading.where, "no-effect", len(found) - LIMITS.listed_findings)


def _other(plan: DecisionPlan, row: int, meet: Sequence[Bits]) -> int | None:
    if not all(plan.boxes.rows[row]):
        return None
    everywhere = plan.decision.policy.counts_once
    return _instead(plan, row, meet[row] if everywhere else meet[row] >> row << row)


def _instead(plan: DecisionPlan, row: int, others: Bits) -> int | None:
    """The row that gives the same wherever this one does; the row itself stands for `otherwise`."""
    decision, rows = plan.decision, plan.boxes.rows
    later = decision.policy.has_precedence
    for other in members(others):
        alike = same_outcome(decision.rules[row], decision.rules[other])
        if not alike and decision.policy is Policy.FIRST:
            return None
        if alike and (holds(rows[other], rows[row]) if later else takes_all(rows, other, row)):
            return other
    otherwise = decision.otherwise
    if decision.policy is Policy.FIRST and otherwise is not None and len(decision.outcomes) == 1:
        return row if decision.rules[row].outcomes[0].value == otherwise.value else None
    return None


def find_given_twice(plan: DecisionPlan, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """Where all rows that fire count: rows that fire only together with one that gives the same."""
    decision, rows = plan.decision, plan.boxes.rows
    if not decision.policy.counts_each:
        return
    found = [(row, other) for row in range(len(rows)) if (other := _same_beside(plan, row, meet)) is not None]
    for row, other in found[: LIMITS.listed_findings]:
        spot = point(plan.columns, rows[row])
        if not plan.fails(spot, (row, other)):
            shown = example(plan.columns, spot, rows[row])
            yield messages.given_twice(decision.rules[row], decision.rules[other], shown)
    if len(found) > LIMITS.listed_findings:
        yield messages.more(decision.heading.where, "given-twice", len(found) - LIMITS.listed_findings)


def _same_beside(plan: DecisionPlan, row: int, meet: Sequence[Bits]) -> int | None:
    """Of two equal rows the later one is reported."""
    rules, rows = plan.decision.rules, plan.boxes.rows
    if not all(rows[row]):
        return None
    for other in members(meet[row]):
        if takes_all(rows, other, row) and same_outcome(rules[row], rules[other]):
            return other
    return None


# -- merging -------------------------------------------------------------------------------------
# Rows that could be one: the same outcome, and the same cells in all columns but one.


def find_mergeable(plan: DecisionPlan, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    rules, found = plan.decision.rules, list(_mergeable(plan, meet))
    for column, together, box in found[: LIMITS.listed_findings]:
        spot = point(plan.columns, plan.boxes.rows[together[1]])
        if not plan.fails(spot, (together[1],)):
            shown_values = values(plan.columns[column], box[column])
            shown = example(plan.columns, spot, box)
            yield messages.mergeable([rules[row] for row in together], shown_values, shown)
    if len(found) > LIMITS.listed_findings:
        yield messages.more(plan.decision.heading.where, "mergeable", len(found) - LIMITS.listed_findings)


def _mergeable(plan: DecisionPlan, meet: Sequence[Bits]) -> Iterator[tuple[int, list[int], Box]]:
    """With each group of rows the column in which they differ, and the box of the row they would be."""
    done: set[int] = set()
    numbers: dict[object, int] = {}
    outcomes = [
        numbers.setdefault(tuple(o.value for o in rule.outcomes), len(numbers))
        for rule in plan.decision.rules
    ]
    for n, column in enumerate(plan.columns):
        if column.expression is None:
            continue
        groups: dict[object, list[int]] = {}
        for row, box in enumerate(plan.boxes.rows):
            if all(box) and row not in done:
                groups.setdefault((outcomes[row], box[:n], box[n + 1 :]), []).append(row)
        for alike in groups.values():
            if len(alike) == 1:
                continue
            rows = _widest(plan, alike, meet)
            together = _together(plan, rows, meet)
            if len(together) > 1:
                done.update(together)
                bits = reduce(or_, (plan.boxes.rows[row][n] for row in together))
                yield n, together, (*plan.boxes.rows[rows[0]][:n], bits, *plan.boxes.rows[rows[0]][n + 1 :])


def _widest(plan: DecisionPlan, rows: list[int], meet: Sequence[Bits]) -> list[int]:
    """Without those that another takes all of: they are reported as rows that change nothing."""
    boxes, all_of_them = plan.boxes.rows, sum(1 << row for row in rows)
    return [
        row
        for row in rows
        if not any(takes_all(boxes, other, row) for other in members(meet[row] & all_of_them))
    ]


def _together(plan: DecisionPlan, rows: list[int], meet: Sequence[Bits]) -> list[int]:
    """Where each row counts they may not meet; where their order counts no row may stand between."""
    first, policy = rows[0], plan.decision.policy
    if policy.follows_rows:
        start = first if policy.is_listed else first + 1
        return [row for row in rows if not meet[row] & _between(start, row)]
    if policy.counts_once or policy.has_precedence:
        return rows
    all_of_them = sum(1 << row for row in rows)
    return [row for row in rows if not meet[row] & all_of_them]


def _between(start: int, end: int) -> Bits:
    """The rows from `start` up to the one before `end`."""
    return ((1 << end) - 1) >> start << start


# -- policies ------------------------------------------------------------------------------------
# Hit policies that say less than they could: another one would say that rows do not meet, or agree.

MOST_PAIRS = 20_000


def find_other_policy(plan: DecisionPlan, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """Rows that never fire are reported first: without them the table is another."""
    decision = plan.decision
    policy = decision.policy
    if not policy.takes_one or not (policy.counts_once or policy.has_precedence):
        return
    if len(decision.rules) < 2 or not all(map(all, plan.boxes.rows)):
        return
    if not any(meet):
        yield messages.other_policy(
            decision.heading.where, decision.policy.value, "unique", "no two rows ever fire together"
        )
    elif not policy.counts_once and _all_agree(plan, meet):
        yield messages.other_policy(
            decision.heading.where, decision.policy.value, "any", "rows that fire together give the same"
        )


def _all_agree(plan: DecisionPlan, meet: Sequence[Bits]) -> bool:
    rules, pairs = plan.decision.rules, 0
    for row, others in enumerate(meet):
        for other in members(others & ((1 << row) - 1)):
            pairs += 1
            if pairs > MOST_PAIRS or not same_outcome(rules[row], rules[other]):
                return False
    return True
