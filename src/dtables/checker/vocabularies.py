"""Vocabularies: closed lists of names from types, keyed data, levels and switches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dtables.checker import table_problems
from dtables.checker.constants import passes
from dtables.checker.declare import TYPE_SPACE, claim, good_name
from dtables.checker.draft import Draft, FieldDraft, RecordDraft
from dtables.checker.lower import lower_tests
from dtables.checker.sink import Text
from dtables.checker.wanted import closed_property, name_in
from dtables.checker.written import (
    BADGES,
    badge_at,
    badge_of,
    cell_of,
    column,
    columns,
    filled_rows,
    heading,
    marker_name,
    parts,
    place,
    property_text,
    property_words,
    spellings_at,
    stripped,
    text_of,
    words_at,
    words_of_both,
)
from dtables.feel.types import VocabularyType, optional
from dtables.model.expressions import NameOf
from dtables.model.tables import Label, Vocabulary, Words
from dtables.provenance import Location
from dtables.workbook.tables import Column, TableText
from dtables.workbook.tables import Row as RowText
from dtables.workbook.words import EXACT


@dataclass(frozen=True, slots=True)
class Derived:
    """`warm | colour | not(blue)` or `top | card | | empty`: one made of another vocabulary."""

    name: Text
    base: Text
    table: TableText
    row: RowText


def types_rows(draft: Draft) -> Iterable[tuple[TableText, RowText, Text]]:
    for table in draft.tables("types"):
        for row in filled_rows(table):
            name = name_in(draft, table, row)
            if name is not None:
                yield table, row, text_of(name)


def declare_listed(draft: Draft) -> None:
    """`direction | MS, MC, SM`."""
    for table, row, name in types_rows(draft):
        names = cell_of(table, row, "names")
        if cell_of(table, row, "of") is not None:
            continue
        if names is None:
            draft.error(name, table_problems.vocabulary_without_names(name.text))
            continue
        listed = parts(text_of(names))
        if not listed:
            draft.error(names, table_problems.vocabulary_without_names(name.text))
            continue
        labels = _plain_labels(_once_each(draft, listed))
        said = words_at(table, row, "label") or words_at(table, row, "text")
        declare_vocabulary(draft, name, with_badges(draft, table, row, labels), table, words=said)


def declare_keyed(draft: Draft) -> None:
    """The names of a data table with a key column."""
    for table in draft.tables("data"):
        key = column(table, "key")
        if key is None:
            continue
        written: dict[str, RowText] = {}
        names = []
        for row in filled_rows(table):
            if row.cells[key].empty:
                draft.error(row.cells[key], table_problems.row_without_key(table.name))
                continue
            name = stripped(text_of(row.cells[key]))
            names.append(name)
            written.setdefault(name.text, row)
        labels = [_row_label(table, written[name.text], name) for name in _once_each(draft, names)]
        declare_vocabulary(draft, key_name(table), labels, table, record=key_name(table).text)


def _row_label(table: TableText, row: RowText, name: Text) -> Label:
    own = words_at(table, row, "label")
    return Label(name.text, own, spellings_at(table, row), name.cell.ref, badge_at(table, row))


def with_badges(draft: Draft, table: TableText, row: RowText, labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """Lists of colours, shapes and letters beside a list of names: one for each."""
    told: list[list[tuple[Column, str]]] = [[] for _ in labels]
    for n in columns(table, *BADGES):
        cell = row.cells[n]
        listed = parts(text_of(cell))
        if len(listed) == len(labels):
            for said, piece in zip(told, listed, strict=True):
                said.append((table.columns[n], piece.text))
        elif not cell.empty:
            draft.error(cell, table_problems.badges_uneven(len(labels), len(listed)))
    return tuple(
        replace(label, badge=badge_of(said)) if said else label
        for label, said in zip(labels, told, strict=True)
    )


def _plain_labels(names: Iterable[Text]) -> tuple[Label, ...]:
    return tuple(Label(name.text, (), (), name.cell.ref) for name in names)


def key_name(table: TableText) -> Text:
    """What the vocabulary of a keyed table is called: its `key` property, else the table's name."""
    named = property_text(table, "key")
    return named or marker_name(table)


def declare_vocabulary(
    draft: Draft,
    name: Text,
    labels: Iterable[Label],
    table: TableText,
    record: str | None = None,
    words: Words = (),
) -> None:
    if not claim(draft, TYPE_SPACE, name):
        return
    closed_property(draft, table, "spelling", EXACT)
    draft.vocabularies[name.text] = Vocabulary(
        name.text,
        name.text,
        tuple(labels),
        table.where if record else place(name),
        record,
        words=property_words(table, "title") if record else words,
        source=heading(table).source,
        exact=property_text(table, "spelling") is not None,
    )
    if record is not None:
        draft.record_of[name.text] = record


def _once_each(draft: Draft, names: Iterable[Text]) -> tuple[Text, ...]:
    """Those that can be names; a name that stands there twice is an error at the second."""
    seen: dict[str, Text] = {}
    for name in names:
        if name.text in seen:
            draft.error(name, table_problems.double_name(name.text, place(seen[name.text])))
        elif good_name(draft, name):
            seen[name.text] = name
    return tuple(seen.values())


# -- made of another ---------------------------------------------------------------------------


def declare_derived(draft: Draft) -> tuple[Derived, ...]:
    """Those whose `of` is a vocabulary, with all names of their base for now; the others are
    restrictions of a type."""
    waiting = [
        Derived(name, text_of(base), table, row)
        for table, row, name in types_rows(draft)
        if (base := cell_of(table, row, "of")) is not None
    ]
    found: list[Derived] = []
    while ready := [d for d in waiting if d.base.text.strip() in draft.vocabularies]:
        for derived in ready:
            _declare_one(draft, derived)
        waiting = [d for d in waiting if d not in ready]
        found += ready
    return tuple(found)


def _declare_one(draft: Draft, derived: Derived) -> None:
    base = draft.vocabularies[derived.base.text.strip()]
    name = derived.name
    if not claim(draft, TYPE_SPACE, name):
        return
    extra = _further_names(draft, derived)
    if extra is None:
        draft.vocabularies[name.text] = replace(
            base, name=name.text, where=place(name), rows=(), record=base.record, words=()
        )
        if base.record is not None:
            draft.record_of[name.text] = base.record
        return
    draft.vocabularies[name.text] = Vocabulary(
        name.text, name.text, (*base.names, *extra), place(name), record=name.text
    )
    draft.record_of[name.text] = name.text
    draft.plus[name.text] = base.name
    type_ = optional(VocabularyType(base.name, base.root))
    field = FieldDraft(base.name, name.cell.ref, name.cell, known=type_)
    draft.record_drafts[name.text] = RecordDraft(name.text, place(name), {base.name: field})


def _further_names(draft: Draft, derived: Derived) -> tuple[Label, ...] | None:
    cell = cell_of(derived.table, derived.row, "plus")
    if cell is None:
        return None
    return _plain_labels(_once_each(draft, parts(text_of(cell))))


def settle_derived(draft: Draft, derived: Iterable[Derived], labels: dict[tuple[str, str], Label]) -> None:
    """Narrow them to their allowed names, in the order of their bases; `labels` are the glossary's."""
    for one in derived:
        name, base = one.name.text, draft.vocabularies[one.base.text.strip()]
        if name not in draft.vocabularies or draft.vocabularies[name].where != place(one.name):
            continue
        kept = _allowed_names(draft, one, base)
        extra = _further_names(draft, one)
        if extra is not None:
            double = {label.id for label in kept} & {label.id for label in extra}
            for label in extra:
                if label.id in double:
                    wording = table_problems.name_of_base_again(label.id, base.name)
                    draft.error_at(Location(label.where), None, wording)
            kept = (*kept, *(e for e in extra if e.id not in double))
        mine = tuple(labelled(label, labels.get((name, label.id))) for label in kept)
        draft.vocabularies[name] = replace(draft.vocabularies[name], names=mine)


def labelled(label: Label, more: Label | None) -> Label:
    """With the glossary's words added; the table's own come first."""
    if more is None:
        return label
    words = words_of_both(label.words, more.words)
    further = tuple(word for language, word in more.words if (language, word) not in words)
    return replace(
        label,
        words=words,
        spellings=(*label.spellings, *further, *more.spellings),
        badge=label.badge or more.badge,
    )


def _allowed_names(draft: Draft, one: Derived, base: Vocabulary) -> tuple[Label, ...]:
    cell = cell_of(one.table, one.row, "allowed")
    if cell is None:
        return base.names
    type_ = VocabularyType(base.name, base.root)
    subject = draft.numbers.variable(base.name, type_)
    tests = lower_tests(text_of(cell), subject, draft.scope(), draft.sink)
    where = Location(cell.ref)
    held = {x.id: passes(tests, NameOf(base.root, x.id, type=type_, where=where)) for x in base.names}
    if None in held.values():
        draft.error(cell, table_problems.names_not_listed(base.name))
        return base.names
    if True not in held.values():
        draft.error(cell, table_problems.nothing_left(base.name))
    return tuple(label for label in base.names if held[label.id])
