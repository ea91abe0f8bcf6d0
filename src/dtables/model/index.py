"""A ruleset by its names, and the record behind a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from dtables.feel.types import RecordType, Type, VocabularyType, plain
from dtables.model.tables import (
    AnswerField,
    Ask,
    Data,
    Field,
    Record,
    Restriction,
    Ruleset,
    SwitchRule,
    Table,
    TurnStep,
    Vocabulary,
    table_name,
)
from dtables.provenance import CellRef


@dataclass(frozen=True)
class Index:
    """What is asked for by a name is looked for once."""

    ruleset: Ruleset

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        return {table_name(table): table for table in self.ruleset.tables}

    @cached_property
    def turn_steps(self) -> Mapping[CellRef, TurnStep]:
        """The steps of all turns by where they stand, as rows of their decisions do."""
        return {step.where: step for turn in self.ruleset.turns for step in turn.steps}

    @cached_property
    def asks(self) -> Mapping[str, Ask]:
        return {ask.heading.name: ask for ask in self.ruleset.asks}

    @cached_property
    def open_asks(self) -> Mapping[str, Ask]:
        """Those that a log may ask for, the main one first."""
        return {ask.heading.name: ask for ask in self.ruleset.open_asks}

    @cached_property
    def answers(self) -> Mapping[str, Mapping[str, AnswerField]]:
        """Of each ask the fields of its answer."""
        return {
            name: {row.name: row for row in ask.rows if isinstance(row, AnswerField)}
            for name, ask in self.asks.items()
        }

    @cached_property
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """With the values of switches."""
        return {vocabulary.name: vocabulary for vocabulary in self.ruleset.vocabularies}

    @cached_property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """The ids of each vocabulary."""
        return {name: vocabulary.ids for name, vocabulary in self.vocabularies.items()}

    @cached_property
    def restrictions(self) -> Mapping[str, Restriction]:
        return {restriction.name: restriction for restriction in self.ruleset.restrictions}

    @cached_property
    def records(self) -> Mapping[str, Record]:
        """With the state."""
        return {record.name: record for record in (*self.ruleset.records, self.ruleset.input.state)}

    @cached_property
    def data(self) -> Mapping[str, Data]:
        return {data.heading.name: data for data in self.ruleset.data}

    @cached_property
    def switches(self) -> Mapping[str, tuple[SwitchRule, str | None]]:
        """Each switch and the input field whose entries override it."""
        return {rule.name: (rule, table.field) for table in self.ruleset.switches for rule in table.rules}

    # -- fields ----------------------------------------------------------------------------------

    @cached_property
    def fields(self) -> Mapping[str, Mapping[str, Field]]:
        """Of each record, by their names."""
        return {name: {one.name: one for one in record.fields} for name, record in self.records.items()}

    @property
    def inputs(self) -> Mapping[str, Field]:
        """The fields of the state itself."""
        return self.fields[self.ruleset.input.state.name]

    def field(self, record: str, name: str) -> Field | None:
        """Return a field of a record type; None where either is unknown."""
        return self.fields.get(record, {}).get(name)

    def record_of(self, type_: Type) -> str:
        """The record type of a value: of a row of data the one that its fields have. Empty for all others."""
        match plain(type_):
            case RecordType(name=name):
                return name
            case VocabularyType(root=root) if root in self.vocabularies:
                return self.vocabularies[root].record or ""
            case _:
                return ""
