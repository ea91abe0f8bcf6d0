"""The glossary's words."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from dtables.checker import table_problems
from dtables.checker.constants import constant_text
from dtables.checker.draft import Draft
from dtables.checker.vocabularies import labelled
from dtables.checker.wanted import name_in
from dtables.checker.written import (
    badge_at,
    cell_of,
    filled_rows,
    first_cell,
    spellings_at,
    text_of,
    words_at,
)
from dtables.feel.names import Spellings, fold
from dtables.feel.types import NumberType, plain
from dtables.model.expressions import Constant, Expression, Negation
from dtables.model.tables import Label, Restriction, Ruleset, Term
from dtables.model.vocabularies import unlabelled
from dtables.provenance import CellRef, Location
from dtables.workbook.tables import Cell, Row, TableText

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
                words_at(table, row, "label"),
                spellings_at(table, row),
                first_cell(row),
                badge_at(table, row),
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
                draft.error(cell, table_problems.names_for_no_numbers(kind, type_))
                continue
            number = _number(constant_text(draft, text_of(cell), type_))
            if number is not None:
                label = Label(str(number), words_at(table, row, "label"), spellings_at(table, row), cell.ref)
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
    """A label that names two things of one vocabulary, or two numbers, can name neither; the id of one means
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
                    wording = table_problems.double_label(
                        spelled, other.id, label.id, spellings.meant(spelled), Location(there)
                    )
                    draft.warning_at(Location(here), spelled, wording)


def _warn_of_double_numbers(draft: Draft, restriction: Restriction) -> None:
    first: dict[str, Label] = {}
    for _, label in restriction.names:
        for spelled in label.written[1:]:
            other = first.setdefault(fold(spelled), label)
            if other.id != label.id:
                here, there = Location(label.where), Location(other.where)
                wording = table_problems.double_label(spelled, other.id, label.id, (), there)
                draft.warning_at(here, None, wording)


def note_missing_labels(draft: Draft, ruleset: Ruleset) -> None:
    """What a vocabulary adds to another's names is its own; whole phrases of switches are for pages."""
    switches = {rule.values.name for table in ruleset.switches for rule in table.rules}
    told: set[tuple[str, CellRef, str]] = set()
    for vocabulary in ruleset.vocabularies:
        if vocabulary.name != vocabulary.root or vocabulary.name in switches:
            continue
        for language in ruleset.languages:
            lacking = unlabelled(vocabulary, language)
            new = [label.id for label in lacking if (language, label.where, label.id) not in told]
            told.update((language, label.where, label.id) for label in lacking)
            if new:
                count = len(vocabulary.names)
                wording = table_problems.missing_label(vocabulary.name, language, new, count)
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


def kind_and_id(table: TableText, row: Row) -> tuple[str, str]:
    kind, name = cell_of(table, row, "kind"), cell_of(table, row, "id")
    return (kind.code.strip() if kind else "", name.code.strip() if name else "")


def _term(draft: Draft, table: TableText, row: Row) -> list[Term]:
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
            draft.error(cell, table_problems.unknown_name(name, kind, ids))
        return []
    known = _names_of_kind(draft, kind.casefold())
    if known is None and kind in draft.records:
        known = set(draft.records[kind].fields)
    if known is None and kind_cell is not None and kind.casefold() not in FREE:
        draft.error(
            kind_cell,
            table_problems.unknown_kind(kind, [*draft.vocabularies, *draft.records, FIELDS[0], TABLES[0]]),
        )
        return []
    if known is not None and name not in known:
        draft.error(cell, table_problems.unknown_id(name, kind, known))
        return []
    return [Term(name, words_at(table, row, "label"), spellings_at(table, row), first_cell(row))]


def _look_for_its_kind(draft: Draft, cell: Cell, name: str) -> None:
    """A row without one is about fields and other words; to say so of names is most likely a slip."""
    of = [vocabulary.name for vocabulary in draft.vocabularies.values() if name in vocabulary.ids]
    if of and not any(name in (_names_of_kind(draft, kind) or ()) for kind in (FIELDS[0], TABLES[0])):
        draft.warning(cell, table_problems.name_without_its_kind(name, of[0]))


def _names_of_kind(draft: Draft, kind: str) -> set[str] | None:
    if kind in FIELDS:
        return {*draft.inputs, *(name for record in draft.records.values() for name in record.fields)}
    if kind in TABLES:
        return {*draft.functions, *(table.name for table in draft.book.tables)}
    return None
