"""Scales: criteria that never decide, lists of preferences, ties that a claim overlooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dtables.diagnostics import Diagnostic
from dtables.feel import types
from dtables.feel.types import VocabularyType, may_be_null, plain
from dtables.feel.values import as_plain
from dtables.model.expressions import EachOf, Expression, InputField, MakeList, NameOf, Ranking, Read, Switch
from dtables.model.regions import known_value, region
from dtables.model.tables import Criterion, Formula, Heading, Others, Prefer, Ruleset, Scale
from dtables.provenance import Location
from dtables.records.findings import RecordError, RuleError
from dtables.verifier import messages
from dtables.verifier.columns import PossibleValues, line

RANKED = "ranked"
MOST_CANDIDATES = 300
IN_LIST = (Prefer.FIRST_IN, Prefer.LAST_IN)


def verify_scale(scale: Scale, ruleset: Ruleset, values: PossibleValues) -> Iterator[Diagnostic]:
    yield from _idle(scale, values)
    for criterion in scale.criteria:
        if criterion.prefer in IN_LIST and isinstance(criterion.order, MakeList):
            yield from _listed(criterion, criterion.order, values)
    if scale.decides == "claimed":
        yield from _ties(scale, ruleset, values)


# -- criteria that never decide ----------------------------------------------------------------


def _idle(scale: Scale, values: PossibleValues) -> Iterator[Diagnostic]:
    """Each reported once, with the first row that leaves it nothing."""
    criteria = scale.criteria
    for n, later in enumerate(criteria):
        for earlier in criteria[:n]:
            if _tells_all_apart(earlier, scale, values):
                yield messages.never_decides(later, earlier)
            elif _repeats(earlier, later, scale.others):
                yield messages.repeats(later, earlier)
            elif _settles(earlier, later, values):
                yield messages.compares_again(later, earlier)
            else:
                continue
            break


def _tells_all_apart(criterion: Criterion, scale: Scale, values: PossibleValues) -> bool:
    """A list with every name, by the candidate itself."""
    own = isinstance(criterion.by, Read) and criterion.by.variable == scale.item
    return own and criterion.for_everybody and _lists_all(criterion, values)


def _lists_all(criterion: Criterion, values: PossibleValues) -> bool:
    if criterion.prefer not in IN_LIST or criterion.by is None or criterion.order is None:
        return False
    names = values.names(criterion.by.type)
    match criterion.order:
        case MakeList(items=items):
            return bool(names) and set(names) <= {i.id for i in items if isinstance(i, NameOf)}
        case EachOf() as order:
            item = order.type.item if isinstance(order.type, types.ListType) else order.type
            return bool(names) and set(names) <= set(values.names(item))
        case _:
            return False


def _repeats(earlier: Criterion, later: Criterion, others: Others) -> bool:
    """The very same row. With `skip` the first may have been skipped and the second not."""
    if earlier.prefer in (Prefer.FIRST, Prefer.CHANCE) or (earlier.concerns and others is Others.SKIP):
        return False
    return _meaning(earlier) == _meaning(later)


def _meaning(criterion: Criterion) -> tuple[object, ...]:
    concerns = tuple((concern.value, concern.tests) for concern in criterion.concerns)
    embedded = criterion.embedded
    inner = None if embedded is None else (embedded.scale, embedded.numbers, embedded.bindings)
    return criterion.prefer, criterion.by, criterion.order, criterion.only_if, concerns, inner


def _settles(earlier: Criterion, later: Criterion, values: PossibleValues) -> bool:
    """After the earlier row all have one value of `by`, and the later one looks at nothing else."""
    if earlier.by is None or earlier.by != later.by or not earlier.for_everybody or later.concerns:
        return False
    match earlier.prefer:
        case Prefer.HIGHEST | Prefer.LOWEST:
            return True
        case Prefer.YES | Prefer.NO:
            return not may_be_null(earlier.by.type)
        case _:
            return _lists_all(earlier, values) and not may_be_null(earlier.by.type)


# -- lists of preferences ----------------------------------------------------------------------


def _listed(criterion: Criterion, order: MakeList, values: PossibleValues) -> Iterator[Diagnostic]:
    listed: set[object] = set()
    for item in order.items:
        known = known_value(item)
        if known is None:
            return
        if known[0] in listed:
            yield messages.listed_twice(criterion, str(as_plain(known[0])))
        listed.add(known[0])
    names_met = _names_met(criterion, values)
    missing = [name for name in names_met if name not in listed]
    if missing and listed & set(names_met):
        yield messages.not_listed(criterion, missing)


def _names_met(criterion: Criterion, values: PossibleValues) -> Sequence[str]:
    """The names that `by` may have where the row concerns a candidate."""
    assert criterion.by is not None
    names = values.names(criterion.by.type)
    for concern in criterion.concerns:
        on = line(plain(criterion.by.type), values.ids)
        met = None if on is None or concern.value != criterion.by else region(concern.tests, on, values.ids)
        if on is not None and met is not None:
            names = [name for name in names if on.passes(met, name)]
    return names


# -- ties --------------------------------------------------------------------------------------


def _ties(scale: Scale, ruleset: Ruleset, values: PossibleValues) -> Iterator[Diagnostic]:
    """Where candidates are names and nothing else is read, all of them are ranked at once."""
    names = values.names(scale.item.type)
    few = bool(names) and len(names) <= MOST_CANDIDATES and len(scale.parameters) == 1
    if not few or any(isinstance(part, InputField | Switch) for part in values.reach.parts(scale)):
        yield messages.claim_not_proved(scale)
        return
    found = _tie(scale, ruleset)
    if found is not None:
        yield messages.undecided_tie(scale, found)


def _tie(scale: Scale, ruleset: Ruleset) -> tuple[str, str] | None:
    """Two names of a tier, on which the scale itself fails."""
    from dtables.evaluator import Evaluator

    evaluator = Evaluator(replace(ruleset, tables=(*ruleset.tables, _ranked(scale))))
    try:
        tiers = evaluator.call(RANKED, {})
    except (RecordError, RuleError):
        return None
    for tier in tiers:
        if len(tier) > 1:
            try:
                evaluator.call(scale.heading.name, {scale.parameters[0].name: tier[:2]})
            except RuleError:
                return (str(tier[0]), str(tier[1]))
    return None


def _ranked(scale: Scale) -> Formula:
    here = scale.heading.where
    item = plain(scale.item.type)
    assert isinstance(item, VocabularyType)
    type_ = types.ListType(types.ListType(item))
    every: Expression = EachOf(item.name, type=types.ListType(item), where=here)
    ranking = Ranking(scale.heading.name, (every,), type=type_, where=here)
    return Formula(Heading(RANKED, Location(here.cell)), (), type_, (), ranking, here.cell)
