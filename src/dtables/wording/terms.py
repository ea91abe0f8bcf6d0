"""What a workbook calls its things, by name, in all its languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from dtables.feel.types import Type, vocabulary_of
from dtables.model.expressions import NameOf
from dtables.model.tables import Draw, Formula, Ruleset, Step, Words
from dtables.model.vocabularies import names_in
from dtables.provenance import CellRef, quoted_sheet

MOST_SAID = 20_000
MOST_BOOKS = 16


@dataclass(frozen=True)
class Terms:
    """What was said once is remembered, within bounds: a record may bring any name along."""

    ruleset: Ruleset
    _said: dict[tuple[str, ...], str] = field(default_factory=dict, repr=False, compare=False)
    _names: dict[str, dict[tuple[str, str], str]] = field(default_factory=dict, repr=False, compare=False)
    _places: dict[CellRef, str] = field(default_factory=dict, repr=False, compare=False)

    def said(self, say: Callable[..., str], language: str, *names: str) -> str:
        key = (say.__name__, language, *names)
        known = self._said.get(key)
        if known is None:
            known = say(*names)
            if len(self._said) < MOST_SAID:
                self._said[key] = known
        return known

    def place(self, cell: CellRef) -> str:
        """A cell of this workbook."""
        known = self._places.get(cell)
        if known is None:
            known = self._places[cell] = f"{quoted_sheet(cell.sheet)}!{cell.address}"
        return known

    def names_in(self, language: str) -> dict[tuple[str, str], str]:
        """The values of switches are said as they are spelled: their wordings are whole phrases for pages."""
        if language not in self._names:
            switches = {rule.values.name for table in self.ruleset.switches for rule in table.rules}
            named = (v for v in self.ruleset.vocabularies if v.name not in switches)
            self._names[language] = names_in(named, language)
        return self._names[language]

    @cached_property
    def words(self) -> dict[str, Words]:
        """Of two fields of one name the state's label counts, before all the glossary's."""
        records = (*self.ruleset.records, self.ruleset.input.state)
        fields = {f.name: f.words for record in records for f in record.fields if f.words}
        return fields | {term.id: term.words for term in self.ruleset.terms}

    @cached_property
    def titles(self) -> dict[str, Words]:
        """A formula among others has a wording, another table a title."""
        return {
            table.heading.name: (table.words if isinstance(table, Formula) else ()) or table.heading.title
            for table in self.ruleset.tables
        }

    @cached_property
    def steps(self) -> dict[int, Words]:
        formulas = (
            step for table in self.ruleset.tables if isinstance(table, Formula) for step in table.steps
        )
        asked = (row for ask in self.ruleset.asks for row in ask.rows if isinstance(row, (Step, Draw)))
        return {step.variable.number: step.words for step in (*formulas, *asked)}

    @cached_property
    def parameters(self) -> frozenset[int]:
        formulas = [table for table in self.ruleset.tables if isinstance(table, Formula)]
        steps = (step for table in formulas for step in table.steps)
        asked = (row for ask in self.ruleset.asks for row in ask.rows if isinstance(row, Step))
        called = (*self.ruleset.tables, *self.ruleset.asks, *steps, *asked)
        return frozenset(parameter.variable.number for one in called for parameter in one.parameters)

    @cached_property
    def alike(self) -> frozenset[str]:
        """The record types of data whose rows have the same names more than once."""
        found = set()
        for data in self.ruleset.data:
            types = self.field_types[data.record]
            rows = [tuple(v for n, v in row.values if vocabulary_of(types[n])) for row in data.rows]
            if len(set(rows)) < len(rows):
                found.add(data.record)
        return frozenset(found)

    @cached_property
    def usual(self) -> dict[str, dict[str, str]]:
        """The names that fields hold by default."""
        return {
            record.name: {f.name: f.default.id for f in record.fields if isinstance(f.default, NameOf)}
            for record in self.ruleset.records
        }

    @cached_property
    def field_types(self) -> dict[str, dict[str, Type]]:
        return {record.name: {f.name: f.type for f in record.fields} for record in self.ruleset.records}

    @cached_property
    def named_fields(self) -> dict[str, frozenset[str]]:
        """The fields that hold names, by record."""
        return {
            record: frozenset(name for name, type_ in types.items() if vocabulary_of(type_) is not None)
            for record, types in self.field_types.items()
        }


_BOOKS: dict[int, Terms] = {}


def terms_of(ruleset: Ruleset) -> Terms:
    """Kept for the workbooks asked for last: whoever explains one answer will explain others. Terms hold
    their workbook, so that what is kept under its identity is its own."""
    known = _BOOKS.pop(id(ruleset), None) or Terms(ruleset)
    _BOOKS[id(ruleset)] = known
    while len(_BOOKS) > MOST_BOOKS:
        del _BOOKS[next(iter(_BOOKS))]
    return known
