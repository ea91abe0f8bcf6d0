"""What single cells and columns say that cannot be, or that need not be said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dtables.diagnostics import Diagnostic
from dtables.feel.types import BOOLEAN, ListType, RestrictedType, Type, plain, without_null
from dtables.feel.values import Value
from dtables.limits import LIMITS
from dtables.model.expressions import EqualTo, Expression, InList, MakeList, MakeRange, Test, Within
from dtables.model.regions import Line, Region, Span, known_value, region
from dtables.model.tables import Condition, Decision
from dtables.verifier import messages
from dtables.verifier.columns import DecisionPlan, GridColumn, PossibleValues, line
from dtables.verifier.words import name_of, plain_text, value_text


def find_in_cells(plan: DecisionPlan) -> Iterator[Diagnostic]:
    """Cells that let everything through, and values in cells that never come."""
    everything: list[tuple[Condition, GridColumn]] = []
    for n, subject in enumerate(plan.decision.subjects):
        column = next((c for c in plan.columns if c.expression == subject.value), None)
        if subject.value is None or column is None or not column.full:
            continue
        sound: set[str] = set()
        for cell, accepted in plan.regions[n]:
            if cell.written in sound:
                continue
            passing = accepted & column.extent
            if passing == column.extent:
                everything.append((cell, column))
            elif passing:
                found = list(_never_met(cell, column))
                yield from found
                sound |= set() if found else {cell.written}
    for cell, column in everything[: LIMITS.listed_findings]:
        yield messages.any_value(cell, name_of(column))
    if len(everything) > LIMITS.listed_findings:
        yield messages.more(
            plan.decision.heading.where, "any-value", len(everything) - LIMITS.listed_findings
        )


def _never_met(cell: Condition, column: GridColumn) -> Iterator[Diagnostic]:
    """Single values that never come, and ranges that nothing reaches from one of their ends on."""
    on, name = column.axis.line, name_of(column)
    if column.extent == on.full and (on.names or not on.whole):
        return
    for test in _listed(cell.tests):
        if isinstance(test, Within | MakeRange):
            for end, low in ((test.low, True), (test.high, False)):
                known = known_value(end) if end is not None else None
                if known is not None and not _towards(on, known[0], low) & column.extent:
                    yield messages.beyond(cell, plain_text(known[0]), name)
        else:
            known = known_value(test)
            met = region((EqualTo(test, type=BOOLEAN, where=test.where),), on)
            if known is not None and known[0] is not None and met is not None and not met & column.extent:
                yield messages.never_met(cell, value_text(column, known[0]), name)


def _listed(tests: Iterable[Test]) -> Iterator[Expression | Within]:
    """The values and ranges that tests name."""
    for test in tests:
        match test:
            case EqualTo(value=value):
                yield value
            case InList(list=MakeList(items=items)):
                yield from items
            case Within():
                yield test
            case _:
                pass


def _towards(on: Line, end: Value, low: bool) -> Region:
    """All up to the low end of a range, or all from its high end on."""
    key = on.key(end)
    if key is None:
        return on.full
    span = Span(None, on.cut(key, True)) if low else Span(on.cut(key, False), None)
    return Region((span,)) & on.full


def find_column_twice(decision: Decision) -> Iterator[Diagnostic]:
    """Two columns with the same expression over them."""
    for n, subject in enumerate(decision.subjects):
        for earlier in decision.subjects[:n]:
            if subject.value is not None and subject.value == earlier.value:
                yield messages.column_twice(subject, earlier)
                break


# -- outcomes ----------------------------------------------------------------------------------


def find_disallowed(decision: Decision, values: PossibleValues) -> Iterator[Diagnostic]:
    """Outcomes that the type the decision gives does not allow."""
    type_ = _of_one_row(decision)
    if len(decision.outcomes) != 1 or not isinstance(without_null(type_), RestrictedType):
        return
    outcomes = [rule.outcomes[0] for rule in decision.rules]
    if decision.otherwise is not None:
        outcomes.append(decision.otherwise)
    for outcome in outcomes:
        known = known_value(outcome.value)
        if known is not None and known[0] is not None and not _allowed(known[0], type_, values):
            yield messages.disallowed(outcome, without_null(type_))


def _of_one_row(decision: Decision) -> Type:
    type_ = without_null(decision.type)
    lists = decision.policy.is_listed and isinstance(type_, ListType)
    return type_.item if lists and isinstance(type_, ListType) else type_


def _allowed(value: Value, type_: Type, values: PossibleValues) -> bool:
    on = line(plain(type_), values.ids)
    return on is None or on.passes(values.narrowed(type_, on), value) is not False
