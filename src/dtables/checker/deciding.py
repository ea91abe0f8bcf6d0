"""Whether a scale leaves one candidate, and whether it says what holds for those a row does not concern."""

from __future__ import annotations

from dtables.checker import scale_problems
from dtables.checker.constants import passes
from dtables.checker.draft import Draft, FunctionDraft
from dtables.checker.types import vocabulary_in
from dtables.checker.written import filled_rows, property_text
from dtables.feel.types import VocabularyType, plain
from dtables.model.expressions import CallBuiltin, CallTable, EachOf, Expression, MakeList, NameOf, Read
from dtables.model.tables import Concern, Criterion, Prefer
from dtables.provenance import Location
from dtables.workbook.words import YES_NO, closed_word

PROVED, CLAIMED, NO = "proved", "claimed", "no"


def check_decides(draft: Draft, function: FunctionDraft, criteria: tuple[Criterion, ...]) -> str:
    """The property's word, held against what can be proved; of a scale with a broken row nothing is said."""
    written = property_text(function.table, "decides")
    said = closed_word(YES_NO, written.text) if written is not None else None
    if written is not None and said is None:
        draft.error(written, scale_problems.unknown_yes_no(written.text))
    if said == "no":
        return NO
    found = _decided(draft, criteria)
    if found is not None:
        draft.deciding[function.name] = found
        return found
    draft.deciding[function.name] = CLAIMED
    whole = len(criteria) == sum(1 for _ in filled_rows(function.table))
    if said is None and written is None and criteria and whole:
        last = criteria[-1]
        draft.error(function.table.marker.cell, scale_problems.may_not_decide(last.number, last.where))
    return CLAIMED


def _decided(draft: Draft, criteria: tuple[Criterion, ...]) -> str | None:
    if not criteria:
        return None
    for criterion in criteria:
        if criterion.prefer in (Prefer.FIRST, Prefer.CHANCE) and criterion.for_everybody:
            return PROVED
    last = criteria[-1]
    if last.for_everybody:
        return _separates(draft, last)
    return _decided_by_kinds(draft, criteria)


def _separates(draft: Draft, criterion: Criterion) -> str | None:
    """Does the row by itself leave one of any candidates?"""
    match criterion.prefer:
        case Prefer.FIRST | Prefer.CHANCE:
            return PROVED
        case Prefer.FIRST_IN | Prefer.LAST_IN:
            by, order = criterion.by, criterion.order
            if by is None or order is None or not isinstance(by, Read) or by.variable.name != "item":
                return None
            vocabulary = plain(by.type)
            if isinstance(vocabulary, VocabularyType) and _holds_every_name(draft, order, vocabulary):
                return PROVED
            return None
        case Prefer.SCALE:
            embedded = criterion.embedded
            if embedded is None:
                return CLAIMED
            if embedded.numbers is None:
                return draft.deciding.get(embedded.scale)
            return _decided(draft, embedded.criteria)
        case Prefer.YES | Prefer.NO | Prefer.HIGHEST | Prefer.LOWEST:
            return None


def _decided_by_kinds(draft: Draft, criteria: tuple[Criterion, ...]) -> str | None:
    """Where those left are alike in an `only for` column: a deciding row for each of its names."""
    left: dict[str, set[str]] = {}
    for n, criterion in enumerate(criteria):
        if len(criterion.concerns) != 1 or criterion.only_if is not None:
            continue
        concern = criterion.concerns[0]
        vocabulary = vocabulary_in(concern.value.type)
        if vocabulary is None or not _alike(criteria[:n], concern) or _separates(draft, criterion) is None:
            continue
        names = left.setdefault(concern.name, set(draft.vocabularies[vocabulary.name].ids))
        names -= {i for i in names if passes(concern.tests, _name(vocabulary, i, concern)) is True}
        if not names:
            return CLAIMED
    return None


def _name(vocabulary: VocabularyType, id_: str, concern: Concern) -> NameOf:
    return NameOf(vocabulary.root, id_, type=vocabulary, where=Location(concern.cell))


def _alike(before: tuple[Criterion, ...], concern: Concern) -> bool:
    """After a row for everybody has compared that very value, those left have it in common."""
    return any(c.for_everybody and c.by == concern.value for c in before)


def first_unsettled(criteria: tuple[Criterion, ...]) -> Criterion | None:
    """The first row that may concern some of those left and not others."""
    for n, criterion in enumerate(criteria):
        if any(not _alike(criteria[:n], concern) for concern in criterion.concerns):
            return criterion
    return None


# -- lists that hold every name --------------------------------------------------------------------


def _holds_every_name(draft: Draft, order: Expression, vocabulary: VocabularyType) -> bool:
    wanted = set(draft.vocabularies[vocabulary.name].ids)
    match order:
        case EachOf(vocabulary=name):
            return wanted <= set(draft.vocabularies[name].ids)
        case MakeList():
            return wanted <= _names_in(order)
        case CallBuiltin(builtin="reverse", arguments=(inner,)):
            return _holds_every_name(draft, inner, vocabulary)
        case CallTable(table=table) if table in draft.matrices:
            return all(wanted <= _names_in(entry.value) for entry in draft.matrices[table].entries)
        case _:
            return False


def _names_in(listed: Expression) -> set[str]:
    items = listed.items if isinstance(listed, MakeList) else ()
    return {item.id for item in items if isinstance(item, NameOf)}
