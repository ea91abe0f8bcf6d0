"""Vocabularies: closed lists of names from types, keyed data, levels and switches; their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from dtables.checker import messages
from dtables.checker.expressions.constants import constant_text, passes
from dtables.checker.expressions.lower import lower_tests
from dtables.checker.report import Text
from dtables.checker.rows import (
    BADGES,
    badge_at,
    badge_of,
    called_at,
    cell_of,
    column,
    columns,
    filled_rows,
    first_cell,
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
from dtables.checker.symbols import (
    TYPE_SPACE,
    Draft,
    FieldDraft,
    RecordDraft,
    claim,
    closed_property,
    good_name,
    name_in,
)
from dtables.feel.names import Spellings, fold
from dtables.feel.types import NumberType, VocabularyType, optional, plain
from dtables.model.expressions import Constant, Expression, NameOf, Negation
from dtables.model.tables import Heading, Label, Record, Restriction, Ruleset, Term, Vocabulary, Words
from dtables.model.vocabularies import unlabelled
from dtables.provenance import CellRef, Location
from dtables.workbook.language import EXACT
from dtables.workbook.tables import Cell, ColumnText, RowText, TableText


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
            draft.error(name, messages.vocabulary_without_names(name.text))
            continue
        listed = parts(text_of(names))
        if not listed:
            draft.error(names, messages.vocabulary_without_names(name.text))
            continue
        labels = _plain_labels(_once_each(draft, listed))
        label = words_at(table, row, "label") or words_at(table, row, "text")
        declare_vocabulary(draft, name, with_badges(draft, table, row, labels), table, words=label)


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
                draft.error(row.cells[key], messages.row_without_key(table.name))
                continue
            name = stripped(text_of(row.cells[key]))
            names.append(name)
            written.setdefault(name.text, row)
        labels = [_row_label(table, written[name.text], name) for name in _once_each(draft, names)]
        declare_vocabulary(draft, key_name(table), labels, table, record=key_name(table).text)


def _row_label(table: TableText, row: RowText, name: Text) -> Label:
    own = words_at(table, row, "label")
    badge = badge_at(table, row)
    return Label(name.text, own, spellings_at(table, row), name.cell.ref, badge, _help_at(table, row))


def with_badges(draft: Draft, table: TableText, row: RowText, labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """Lists of colours, shapes and letters beside a list of names: one for each."""
    typed: list[list[tuple[ColumnText, str]]] = [[] for _ in labels]
    for n in columns(table, *BADGES):
        cell = row.cells[n]
        listed = parts(text_of(cell))
        if len(listed) == len(labels):
            for column_texts, piece in zip(typed, listed, strict=True):
                column_texts.append((table.columns[n], piece.text))
        elif not cell.empty:
            draft.error(cell, messages.badges_uneven(len(labels), len(listed)))
    return tuple(
        replace(label, badge=badge_of(column_texts)) if column_texts else label
        for label, column_texts in zip(labels, typed, strict=True)
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
            draft.error(name, messages.double_name(name.text, place(seen[name.text])))
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
                    wording = messages.name_of_base_again(label.id, base.name)
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
        help=words_of_both(label.help, more.help),
    )


def _allowed_names(draft: Draft, one: Derived, base: Vocabulary) -> tuple[Label, ...]:
    cell = cell_of(one.table, one.row, "allowed")
    if cell is None:
        return base.names
    type_ = VocabularyType(base.name, base.root)
    subject = draft.numbers.variable(base.name, type_)
    tests = lower_tests(text_of(cell), subject, draft.scope(), draft.sink)
    where = Location(cell.ref)
    held = {x.id: passes(draft, tests, NameOf(base.root, x.id, type=type_, where=where)) for x in base.names}
    if None in held.values():
        draft.error(cell, messages.names_not_listed(base.name))
        return base.names
    if True not in held.values():
        draft.error(cell, messages.nothing_left(base.name))
    return tuple(label for label in base.names if held[label.id])


# -- glossary ------------------------------------------------------------------------------------
# The glossary's words.

FIELDS, TABLES, FREE = (
    ("field", "campo"),
    ("table", "tabella"),
    ("term", "termine", "word", "parola", "title", "titolo"),
)
"""Kinds of the glossary that are no vocabularies."""


def glossary_labels(draft: Draft) -> dict[tuple[str, str], Label]:
    """Words for names of vocabularies, by vocabulary and id."""
    found: dict[tuple[str, str], Label] = {}
    for table in draft.tables("glossary"):
        for row in filled_rows(table):
            kind, name = kind_and_id(table, row)
            if kind not in draft.vocabularies:
                continue
            label = Label(
                name,
                called_at(table, row),
                spellings_at(table, row),
                first_cell(row),
                badge_at(table, row),
                _help_at(table, row),
            )
            earlier = found.get((kind, name))
            found[(kind, name)] = label if earlier is None else labelled(earlier, label)
    return found


def name_numbers(draft: Draft) -> None:
    """Rows about a narrowed type of numbers say what people call its numbers."""
    for table in draft.tables("glossary"):
        for row in filled_rows(table):
            kind, cell = kind_and_id(table, row)[0], cell_of(table, row, "id")
            restriction = draft.restriction_models.get(kind)
            if restriction is None or cell is None:
                continue
            type_ = draft.restrictions[kind]
            if not isinstance(plain(type_), NumberType):
                draft.error(cell, messages.names_for_no_numbers(kind, type_))
                continue
            number = _number(constant_text(draft, text_of(cell), type_))
            if number is not None:
                label = Label(str(number), called_at(table, row), spellings_at(table, row), cell.ref)
                draft.restriction_models[kind] = replace(
                    restriction, names=(*restriction.names, (number, label))
                )


def _number(value: Expression) -> int | Decimal | None:
    match value:
        case Constant(value=int() | Decimal() as number) if not isinstance(number, bool):
            return number
        case Negation(operand=operand):
            negated = _number(operand)
            return None if negated is None else -negated
        case _:
            return None


def attach_labels(draft: Draft, labels: dict[tuple[str, str], Label]) -> None:
    for name, vocabulary in list(draft.vocabularies.items()):
        mine = tuple(labelled(label, labels.get((name, label.id))) for label in vocabulary.names)
        if mine != vocabulary.names:
            draft.vocabularies[name] = replace(vocabulary, names=mine)


def warn_of_double_labels(draft: Draft) -> None:
    """A label that names two values of one vocabulary, or two numbers, can name neither; the id of one means
    that one."""
    for restriction in draft.restriction_models.values():
        _warn_of_double_numbers(draft, restriction)
    from_glossary = glossary_labels(draft)
    for name, vocabulary in draft.vocabularies.items():
        if name != vocabulary.root:
            continue
        first: dict[str, Label] = {}
        spellings = Spellings(vocabulary.written)
        for label in vocabulary.names:
            for spelled in label.written:
                other = first.setdefault(fold(spelled), label)
                if other.id != label.id:
                    here = _written(draft, spelled, label, from_glossary.get((name, label.id)))
                    there = _written(draft, spelled, other, from_glossary.get((name, other.id)))
                    wording = messages.double_label(
                        spelled, other.id, label.id, spellings.matches(spelled), Location(there)
                    )
                    draft.warning_at(Location(here), spelled, wording)


def _warn_of_double_numbers(draft: Draft, restriction: Restriction) -> None:
    first: dict[str, Label] = {}
    for _, label in restriction.names:
        for spelled in label.written[1:]:
            other = first.setdefault(fold(spelled), label)
            if other.id != label.id:
                here, there = Location(label.where), Location(other.where)
                wording = messages.double_label(spelled, other.id, label.id, (), there)
                draft.warning_at(here, None, wording)


def note_missing_labels(draft: Draft, ruleset: Ruleset) -> None:
    """What a vocabulary adds to another's names is its own; whole phrases of switches are for pages."""
    switches = {rule.values.name for table in ruleset.switches for rule in table.rules}
    reported: set[tuple[str, CellRef, str]] = set()
    for vocabulary in ruleset.vocabularies:
        if vocabulary.name != vocabulary.root or vocabulary.name in switches:
            continue
        for language in ruleset.languages:
            lacking = unlabelled(vocabulary, language)
            new = [label.id for label in lacking if (language, label.where, label.id) not in reported]
            reported.update((language, label.where, label.id) for label in lacking)
            if new:
                count = len(vocabulary.names)
                wording = messages.missing_label(vocabulary.name, language, new, count)
                draft.note_at(vocabulary.where, wording)


def _written(draft: Draft, spelled: str, label: Label, more: Label | None) -> CellRef:
    """The cell that spells it so: in the row of the name, or of the glossary."""
    rows = [label.where, *([more.where] if more else [])]
    for table in draft.book.tables:
        for row in table.rows:
            if any((row.number, table.marker.cell.ref.sheet) == (w.row, w.sheet) for w in rows):
                for cell in row.cells:
                    if fold(spelled) in map(fold, cell.typed.split(",")):
                        return cell.ref
    return label.where


def check_glossary(draft: Draft) -> tuple[Term, ...]:
    """Every row names something that there is; what is no name of a vocabulary is a term."""
    terms: list[Term] = []
    for table in draft.tables("glossary"):
        for row in filled_rows(table):
            terms += _term(draft, table, row)
    return tuple(terms)


def kind_and_id(table: TableText, row: RowText) -> tuple[str, str]:
    kind, name = cell_of(table, row, "kind"), cell_of(table, row, "id")
    return (kind.code.strip() if kind else "", name.code.strip() if name else "")


def _term(draft: Draft, table: TableText, row: RowText) -> list[Term]:
    kind, name = kind_and_id(table, row)
    cell, kind_cell = name_in(draft, table, row, "id"), cell_of(table, row, "kind")
    if cell is None:
        return []
    if not kind:
        _look_for_its_kind(draft, cell, name)
    if kind in draft.restriction_models:
        return []
    if kind in draft.vocabularies:
        ids = draft.vocabularies[kind].ids
        if name not in ids:
            draft.error(cell, messages.unknown_name_in(name, kind, ids))
        return []
    known = _names_of_kind(draft, kind.casefold())
    if known is None and kind in draft.records:
        known = set(draft.records[kind].fields)
    if known is None and kind_cell is not None and kind.casefold() not in FREE:
        draft.error(
            kind_cell,
            messages.unknown_kind(kind, [*draft.vocabularies, *draft.records, FIELDS[0], TABLES[0]]),
        )
        return []
    if known is not None and name not in known:
        draft.error(cell, messages.unknown_id(name, kind, known))
        return []
    return [Term(name, called_at(table, row), spellings_at(table, row), first_cell(row))]


def _look_for_its_kind(draft: Draft, cell: Cell, name: str) -> None:
    """A row without one is about fields and other words; to say so of names is most likely a slip."""
    of = [vocabulary.name for vocabulary in draft.vocabularies.values() if name in vocabulary.ids]
    if of and not any(name in (_names_of_kind(draft, kind) or ()) for kind in (FIELDS[0], TABLES[0])):
        draft.warning(cell, messages.name_without_its_kind(name, of[0]))


def _names_of_kind(draft: Draft, kind: str) -> set[str] | None:
    if kind in FIELDS:
        return {*draft.inputs, *(name for record in draft.records.values() for name in record.fields)}
    if kind in TABLES:
        return {*draft.functions, *(table.name for table in draft.book.tables)}
    return None


# -- titles --------------------------------------------------------------------------------------
# What the glossary calls tables and fields, where they do not say it themselves.

Called = Mapping[str, Words]


def with_titles(draft: Draft, ruleset: Ruleset) -> Ruleset:
    tables, fields = _called(draft, TABLES), _called(draft, FIELDS)
    helps = _called(draft, FIELDS, by=_help_at)
    if not (tables or fields or helps):
        return ruleset
    state = replace(ruleset.input, state=_record(ruleset.input.state, fields, helps))
    return replace(
        ruleset,
        input=state,
        records=tuple(_record(record, fields, helps) for record in ruleset.records),
        tables=tuple(replace(t, heading=_heading(t.heading, tables)) for t in ruleset.tables),
        asks=tuple(replace(a, heading=_heading(a.heading, tables)) for a in ruleset.asks),
        switches=tuple(replace(s, heading=_heading(s.heading, tables)) for s in ruleset.switches),
        headings=tuple(_heading(h, tables) for h in ruleset.headings),
    )


def _help_at(table: TableText, row: RowText) -> Words:
    return words_at(table, row, "help")


def _called(
    draft: Draft, kinds: tuple[str, ...], by: Callable[[TableText, RowText], Words] = called_at
) -> Called:
    found: dict[str, Words] = {}
    for table in draft.tables("glossary"):
        for row in filled_rows(table):
            kind, name = kind_and_id(table, row)
            if kind.casefold() in kinds:
                found[name] = (*found.get(name, ()), *by(table, row))
    return found


def _record(record: Record, called: Called, helps: Called) -> Record:
    """A field's own label and help come first."""
    fields = (
        replace(
            field,
            words=words_of_both(field.words, called.get(field.name, ())),
            help=words_of_both(field.help, helps.get(field.name, ())),
        )
        for field in record.fields
    )
    return replace(record, fields=tuple(fields))


def _heading(heading: Heading, called: Called) -> Heading:
    return replace(heading, title=words_of_both(heading.title, called.get(heading.name, ())))
