"""What no row takes, and what two rows take that only one may."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from dtables.diagnostics import Diagnostic, Severity
from dtables.feel.values import same
from dtables.limits import LIMITS
from dtables.model.grid import Box, members
from dtables.model.regions import Bits, known_value
from dtables.model.tables import Rule
from dtables.verifier import messages
from dtables.verifier.boxes import Budget, Exhausted, runs, stretch, uncovered
from dtables.verifier.columns import DecisionPlan, GridColumn
from dtables.verifier.rows_to_add import RowsToAdd
from dtables.verifier.trial import Trial
from dtables.verifier.words import example, listed, name_of, point, region

MOST_PAIRS = 20_000
MOST_TRIED = 500


@dataclass(frozen=True)
class Sorted:
    """Boxes that can be for certain, those that only a missing input field makes, and those that hang on
    columns of which it is not known which values go together."""

    certain: list[Box]
    missing: list[Box]
    loose: list[Box]


def find_gaps(plan: DecisionPlan, trial: Trial, meet: Sequence[Bits], budget: Budget) -> Iterator[Diagnostic]:
    decision = plan.decision
    if not decision.policy.needs_a_row or decision.otherwise is not None:
        return
    found: list[Box] = []
    where = decision.heading.where
    try:
        found.extend(islice(uncovered(plan.boxes, budget, meet), LIMITS.listed_findings + 1))
    except Exhausted:
        yield messages.stopped(where, "gaps")
    apart = list(
        islice(_stretches(plan.columns, _merged(found[: LIMITS.listed_findings])), LIMITS.listed_findings + 1)
    )
    if len(found) > LIMITS.listed_findings or len(apart) > LIMITS.listed_findings:
        yield messages.more_gaps(where)
    kinds = _sorted(plan, apart[: LIMITS.listed_findings])
    if decision.tries_steps:
        yield from _may_fail(plan, trial, kinds)
        return
    severity = Severity.WARNING if decision.strict else Severity.NOTE
    rows = RowsToAdd(plan, trial.values)
    yield from _certain(plan, rows, kinds.certain, severity)
    yield from _loose_gaps(plan, trial, rows, kinds.loose)
    yield from _certain(plan, rows, kinds.missing, Severity.NOTE)


def _may_fail(plan: DecisionPlan, trial: Trial, kinds: Sorted) -> Iterator[Diagnostic]:
    """Of steps that are tried one region in which all fail is enough."""
    where, columns = plan.decision.heading.where, plan.columns
    for box in (*kinds.certain, *kinds.missing):
        spot = point(columns, box)
        if not plan.fails(spot):
            shown = example(columns, spot, box)
            yield messages.attempts_may_fail(where, region(columns, _of_conditions(columns, box)), shown)
            return
    for box in kinds.loose[:MOST_TRIED]:
        tried = None if _lacks_a_field(columns, box) else trial.gap(box)
        if tried is not None:
            shown = tried.shown
            yield messages.attempts_may_fail(where, region(columns, _of_conditions(columns, box)), shown)
            return
    if any(kinds.loose):
        yield messages.attempts_may_fail(where, "", None)


def _of_conditions(columns: Sequence[GridColumn], box: Box) -> Box:
    """Without what it says of outcomes, that they are null."""
    return tuple(
        column.full if isinstance(column.looked, tuple) and not column.looked[1] else bits
        for column, bits in zip(columns, box, strict=True)
    )


def _certain(
    plan: DecisionPlan, rows: RowsToAdd, boxes: list[Box], severity: Severity
) -> Iterator[Diagnostic]:
    where = plan.decision.heading.where
    for box in boxes:
        spot = point(plan.columns, box)
        shown = example(plan.columns, spot, box)
        if plan.fails(spot):
            unproved = f"no row fires when {region(plan.columns, box)}"
            yield messages.not_confirmed(where, unproved, shown)
        else:
            yield messages.gap(where, severity, region(plan.columns, box), shown, rows.closing(box))


def _loose_gaps(plan: DecisionPlan, trial: Trial, rows: RowsToAdd, boxes: list[Box]) -> Iterator[Diagnostic]:
    """Those that an input was found for, and notes on the others."""
    decision, columns = plan.decision, plan.columns
    where, unseen = decision.heading.where, []
    severity = Severity.WARNING if decision.strict else Severity.NOTE
    for n, box in enumerate(boxes):
        tried = None if n >= MOST_TRIED or _lacks_a_field(columns, box) else trial.gap(box)
        if tried is None:
            unseen.append(box)
        else:
            yield messages.gap(where, severity, region(columns, box), tried.shown, rows.closing(box))
    for box in unseen:
        loose = _loose(columns, plan.boxes.full, box)
        shown = example(columns, point(columns, box), box)
        yield messages.gap_not_proved(where, region(columns, box), loose, shown, trial.number)


def _sorted(plan: DecisionPlan, boxes: Sequence[Box]) -> Sorted:
    kinds = Sorted([], [], [])
    for box in boxes:
        if _loose(plan.columns, plan.boxes.full, box):
            kinds.loose.append(box)
        elif _lacks_a_field(plan.columns, box):
            kinds.missing.append(box)
        else:
            kinds.certain.append(box)
    return kinds


def _lacks_a_field(columns: Sequence[GridColumn], box: Box) -> bool:
    return any(bits and bits == column.missing for column, bits in zip(columns, box, strict=True))


def _loose(columns: Sequence[GridColumn], full: Box, box: Box) -> str:
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


def _stretches(columns: Sequence[GridColumn], boxes: Iterable[Box]) -> Iterator[Box]:
    """Values that lie together are one gap, and values further on another one; null goes with the last."""
    for box in boxes:
        yield from product(
            *(_lying_together(column, bits) for column, bits in zip(columns, box, strict=True))
        )


def _lying_together(column: GridColumn, bits: Bits) -> list[Bits]:
    null = bits & column.nothing
    if not column.ordered or bits == column.full or bits == null:
        return [bits]
    *others, last = (stretch(start, end) for start, end in runs(bits & ~null))
    return [*others, last | null]


# -- two rows that both fire -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OverlappingPair:
    first: int
    second: int
    box: Box


def find_overlaps(plan: DecisionPlan, trial: Trial, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """Under `unique` any two; under `any` two whose outcomes differ."""
    policy = plan.decision.policy
    if not policy.wants_agreement:
        return
    certain: list[OverlappingPair] = []
    loose: list[OverlappingPair] = []
    unknown: list[OverlappingPair] = []
    pairs, rules = _pairs(plan, meet), plan.decision.rules
    for pair in islice(pairs, MOST_PAIRS):
        agreed = policy.counts_once and same_outcome(rules[pair.first], rules[pair.second])
        if agreed:
            continue
        if _loose(plan.columns, plan.boxes.full, pair.box):
            loose.append(pair)
        elif policy.counts_once and agreed is None:
            unknown.append(pair)
        else:
            certain.append(pair)
    yield from _overlaps(plan, certain)
    if next(pairs, None) is not None:
        yield messages.stopped(plan.decision.heading.where, "rows that both fire")
    yield from _loose_overlaps(plan, trial, loose)
    for pair in unknown[: LIMITS.listed_findings]:
        shown = example(plan.columns, point(plan.columns, pair.box), pair.box)
        when = region(plan.columns, pair.box)
        yield messages.outcomes_not_compared(rules[pair.first], rules[pair.second], when, shown)
    yield from _unlisted(plan, unknown)


def _loose_overlaps(plan: DecisionPlan, trial: Trial, pairs: list[OverlappingPair]) -> Iterator[Diagnostic]:
    """Those that an input was found for, and notes on the others."""
    rules, policy = plan.decision.rules, plan.decision.policy
    for n, pair in enumerate(pairs[: LIMITS.listed_findings]):
        first, second = rules[pair.first], rules[pair.second]
        tried = None if n >= MOST_TRIED else trial.overlap(pair.first, pair.second, pair.box)
        alike = same_outcome(first, second)
        when = region(plan.columns, pair.box)
        if tried is not None and (not policy.counts_once or alike is False):
            yield messages.overlap(first, second, policy.value, when, tried.shown, alike)
        else:
            loose = _loose(plan.columns, plan.boxes.full, pair.box)
            shown = example(plan.columns, point(plan.columns, pair.box), pair.box)
            yield messages.overlap_not_proved(first, second, when, loose, shown, trial.number)
    yield from _unlisted(plan, pairs)


def _overlaps(plan: DecisionPlan, pairs: list[OverlappingPair]) -> Iterator[Diagnostic]:
    rules = plan.decision.rules
    for pair in pairs[: LIMITS.listed_findings]:
        first, second = rules[pair.first], rules[pair.second]
        values = point(plan.columns, pair.box)
        shown, when = example(plan.columns, values, pair.box), region(plan.columns, pair.box)
        if plan.fails(values, (pair.first, pair.second)):
            yield messages.not_confirmed(messages.row_place(second), "two rows fire", shown)
        else:
            alike = same_outcome(first, second)
            yield messages.overlap(first, second, plan.decision.policy.value, when, shown, alike)
    yield from _unlisted(plan, pairs)


def _unlisted(plan: DecisionPlan, pairs: list[OverlappingPair]) -> Iterator[Diagnostic]:
    if len(pairs) > LIMITS.listed_findings:
        left = len(pairs) - LIMITS.listed_findings
        yield messages.more(plan.decision.heading.where, "overlap", left)


def _pairs(plan: DecisionPlan, meet: Sequence[Bits]) -> Iterator[OverlappingPair]:
    for second, others in enumerate(meet):
        for first in members(others & ((1 << second) - 1)):
            a, b = plan.boxes.rows[first], plan.boxes.rows[second]
            yield OverlappingPair(first, second, tuple(x & y for x, y in zip(a, b, strict=True)))


def same_outcome(a: Rule, b: Rule) -> bool | None:
    """None where it depends on what the cells come to."""
    if all(x.value == y.value for x, y in zip(a.outcomes, b.outcomes, strict=True)):
        return True
    known = [
        (known_value(x.value), known_value(y.value)) for x, y in zip(a.outcomes, b.outcomes, strict=True)
    ]
    if any(x is not None and y is not None and not same(x[0], y[0]) for x, y in known):
        return False
    return None
