"""What no row takes, and what two rows take that only one may."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from dtables.diagnostics import Diagnostic, Severity
from dtables.feel.values import same
from dtables.model.tables import Decision, Policy, Rule
from dtables.verifier import problems
from dtables.verifier.columns import Column, Plan
from dtables.verifier.grid import Bits, Box, Budget, Exhausted, members, uncovered
from dtables.verifier.judge import Judge
from dtables.verifier.shown import example, first_few, listed, name_of, point, region
from dtables.verifier.trial import Trial
from dtables.verifier.wanted import constant

MOST_GAPS = 60
MOST_SHOWN = 3
MOST_PAIRS = 20_000
MOST_TRIED = 500
MUST_FIRE = (Policy.UNIQUE, Policy.ANY, Policy.FIRST, Policy.PRIORITY, Policy.COLLECT_MIN, Policy.COLLECT_MAX)


@dataclass(frozen=True)
class Sorted:
    """Boxes that can be for certain, those that only a missing input field makes, and those that hang on
    columns of which it is not known which values go together."""

    certain: list[Box]
    missing: list[Box]
    loose: list[Box]


def find_gaps(
    plan: Plan, judge: Judge, trial: Trial, meet: Sequence[Bits], budget: Budget
) -> Iterator[Diagnostic]:
    decision = plan.decision
    if decision.policy not in MUST_FIRE or decision.otherwise is not None:
        return
    found: list[Box] = []
    try:
        found.extend(islice(uncovered(plan.grid, budget, meet), MOST_GAPS))
    except Exhausted:
        yield problems.stopped(decision.heading.where, "gaps")
    kinds = _sorted(plan, _merged(found))
    yield from _told(plan, judge, kinds.certain, Severity.WARNING if decision.strict else Severity.NOTE)
    yield from _told(plan, judge, kinds.missing, Severity.NOTE)
    yield from _loose_gaps(plan, trial, kinds.loose)


def _loose_gaps(plan: Plan, trial: Trial, boxes: list[Box]) -> Iterator[Diagnostic]:
    """Those that an input was found for, and one note on the others."""
    where = plan.decision.heading.where
    columns = plan.columns
    seen = [(box, None if _lacks_a_field(columns, box) else trial.gap(box)) for box in boxes]
    found = [(box, tried) for box, tried in seen if tried is not None]
    for (box, tried), more in first_few(found, MOST_SHOWN):
        severity = Severity.WARNING if plan.decision.strict else Severity.NOTE
        yield problems.gap(where, severity, region(plan.columns, box), tried.shown, more)
    unseen = [box for box, tried in seen if tried is None]
    for box in unseen[:1]:
        yield problems.gap_not_proved(
            where,
            region(plan.columns, box),
            _loose(plan.columns, plan.grid.full, box),
            example(plan.columns, point(plan.columns, box), box),
            len(unseen) - 1,
            trial.number,
        )


def _told(plan: Plan, judge: Judge, boxes: list[Box], severity: Severity) -> Iterator[Diagnostic]:
    where = plan.decision.heading.where
    for box, more in first_few(boxes, MOST_SHOWN):
        values = point(plan.columns, box)
        shown = example(plan.columns, values, box)
        if judge.firing(values) == ():
            yield problems.gap(where, severity, region(plan.columns, box), shown, more)
        else:
            said = f"no row fires when {region(plan.columns, box)}"
            yield problems.not_confirmed(where, said, shown)


def _sorted(plan: Plan, boxes: Sequence[Box]) -> Sorted:
    kinds = Sorted([], [], [])
    for box in boxes:
        if _loose(plan.columns, plan.grid.full, box):
            kinds.loose.append(box)
        elif _lacks_a_field(plan.columns, box):
            kinds.missing.append(box)
        else:
            kinds.certain.append(box)
    return kinds


def _lacks_a_field(columns: Sequence[Column], box: Box) -> bool:
    return any(bits and bits == column.missing for column, bits in zip(columns, box, strict=True))


def _loose(columns: Sequence[Column], full: Box, box: Box) -> str:
    """The columns that a box narrows although nobody knows which of their values go with the others'."""
    names = [
        name_of(column)
        for column, all_, bits in zip(columns, full, box, strict=True)
        if bits != all_ and not column.free
    ]
    return listed(names, "and") if names else ""


def _merged(boxes: list[Box]) -> list[Box]:
    """Boxes that differ in one column only are one."""
    changed = True
    while changed:
        changed = False
        for column in range(len(boxes[0]) if boxes else 0):
            groups: dict[Box, Bits] = {}
            for box in boxes:
                rest = (*box[:column], 0, *box[column + 1 :])
                groups[rest] = groups.get(rest, 0) | box[column]
            changed = changed or len(groups) < len(boxes)
            boxes = [(*rest[:column], bits, *rest[column + 1 :]) for rest, bits in groups.items()]
    return boxes


# -- two rows that both fire -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    first: int
    second: int
    box: Box


def find_overlaps(plan: Plan, judge: Judge, trial: Trial, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """Under `unique` any two; under `any` two whose outcomes differ."""
    policy = plan.decision.policy
    if policy not in (Policy.UNIQUE, Policy.ANY):
        return
    certain: list[Pair] = []
    loose: list[Pair] = []
    unknown: list[Pair] = []
    pairs = _pairs(plan, meet)
    for pair in islice(pairs, MOST_PAIRS):
        agreed = policy is Policy.ANY and _agree(plan.decision, pair.first, pair.second)
        if agreed:
            continue
        if _loose(plan.columns, plan.grid.full, pair.box):
            loose.append(pair)
        elif policy is Policy.ANY and agreed is None:
            unknown.append(pair)
        else:
            certain.append(pair)
    yield from _overlaps(plan, judge, certain)
    if next(pairs, None) is not None:
        yield problems.stopped(plan.decision.heading.where, "rows that both fire")
    yield from _loose_overlaps(plan, trial, loose)
    rules = plan.decision.rules
    for pair in unknown[:1]:
        yield problems.outcomes_not_compared(
            rules[pair.first],
            rules[pair.second],
            region(plan.columns, pair.box),
            example(plan.columns, point(plan.columns, pair.box), pair.box),
            len(unknown) - 1,
        )


def _loose_overlaps(plan: Plan, trial: Trial, pairs: list[Pair]) -> Iterator[Diagnostic]:
    """Those that an input was found for, and one note on the others."""
    rules, policy = plan.decision.rules, plan.decision.policy
    seen = [(pair, trial.overlap(pair.first, pair.second, pair.box)) for pair in pairs[:MOST_TRIED]]
    found = [(pair, t) for pair, t in seen if t is not None and _may_not_both(plan.decision, pair)]
    for (pair, tried), more in first_few(found, MOST_SHOWN):
        first, second = rules[pair.first], rules[pair.second]
        when = region(plan.columns, pair.box)
        yield problems.overlap(first, second, policy.value, when, tried.shown, more)
    told = {(pair.first, pair.second) for pair, _ in found}
    unseen = [pair for pair in pairs if (pair.first, pair.second) not in told]
    for pair in unseen[:1]:
        yield problems.overlap_not_proved(
            rules[pair.first],
            rules[pair.second],
            region(plan.columns, pair.box),
            _loose(plan.columns, plan.grid.full, pair.box),
            example(plan.columns, point(plan.columns, pair.box), pair.box),
            len(unseen) - 1,
            trial.number,
        )


def _may_not_both(decision: Decision, pair: Pair) -> bool:
    """Not even if they agree, or since they do not."""
    return decision.policy is Policy.UNIQUE or _agree(decision, pair.first, pair.second) is False


def _overlaps(plan: Plan, judge: Judge, pairs: list[Pair]) -> Iterator[Diagnostic]:
    rules = plan.decision.rules
    for pair, more in first_few(pairs, MOST_SHOWN):
        first, second = rules[pair.first], rules[pair.second]
        values = point(plan.columns, pair.box)
        shown, where = example(plan.columns, values, pair.box), region(plan.columns, pair.box)
        if {pair.first, pair.second} <= set(judge.firing(values) or ()):
            yield problems.overlap(first, second, plan.decision.policy.value, where, shown, more)
        else:
            yield problems.not_confirmed(problems.row_place(second), "two rows fire", shown)


def _pairs(plan: Plan, meet: Sequence[Bits]) -> Iterator[Pair]:
    for second, others in enumerate(meet):
        for first in members(others & ((1 << second) - 1)):
            a, b = plan.grid.rows[first], plan.grid.rows[second]
            yield Pair(first, second, tuple(x & y for x, y in zip(a, b, strict=True)))


def _agree(decision: Decision, first: int, second: int) -> bool | None:
    return same_outcome(decision.rules[first], decision.rules[second])


def same_outcome(a: Rule, b: Rule) -> bool | None:
    """None where it depends on what the cells come to."""
    if all(x.value == y.value for x, y in zip(a.outcomes, b.outcomes, strict=True)):
        return True
    known = [(constant(x.value), constant(y.value)) for x, y in zip(a.outcomes, b.outcomes, strict=True)]
    if any(x is not None and y is not None and not same(x[0], y[0]) for x, y in known):
        return False
    return None
