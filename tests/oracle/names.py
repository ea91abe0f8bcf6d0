"""A ruleset by its names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from dtables.feel.names import Spellings
from dtables.model.expressions import (
    ByKey,
    CallBuiltin,
    CallTable,
    FieldOf,
    InputField,
    ItemEntry,
    Ranking,
    Switch,
)
from dtables.model.reach import nodes
from dtables.model.tables import (
    Ask,
    Data,
    Field,
    Record,
    Ruleset,
    SwitchRule,
    Table,
    Turn,
    Vocabulary,
    table_name,
)


@dataclass(frozen=True)
class Index:
    ruleset: Ruleset

    @cached_property
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        return {v.name: v for v in (*self._switch_values, *self.ruleset.vocabularies)}

    @property
    def _switch_values(self) -> tuple[Vocabulary, ...]:
        return tuple(rule.values for table in self.ruleset.switches for rule in table.rules)

    @cached_property
    def spellings(self) -> Mapping[str, Spellings]:
        """As records may spell them."""
        exact = {values.name for values in self._switch_values}
        return {v.name: Spellings(v.written, v.exact or v.name in exact) for v in self.vocabularies.values()}

    @cached_property
    def records(self) -> Mapping[str, Record]:
        state = self.ruleset.input.state
        return {r.name: r for r in (*self.ruleset.records, state)}

    @property
    def state(self) -> str:
        return self.ruleset.input.state.name

    @cached_property
    def fields(self) -> Mapping[str, Mapping[str, Field]]:
        return {name: {f.name: f for f in record.fields} for name, record in self.records.items()}

    @cached_property
    def data(self) -> Mapping[str, Data]:
        return {d.heading.name: d for d in self.ruleset.data}

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        return {table_name(t): t for t in self.ruleset.tables}

    @cached_property
    def turns(self) -> Mapping[str, Turn]:
        """Those whose steps run."""
        return {t.heading.name: t for t in self.ruleset.turns if t.runs}

    @cached_property
    def asks(self) -> Mapping[str, Ask]:
        return {a.heading.name: a for a in self.ruleset.asks}

    @cached_property
    def switches(self) -> Mapping[str, tuple[SwitchRule, str | None]]:
        """Each switch and the input field whose entries override it."""
        return {rule.name: (rule, table.field) for table in self.ruleset.switches for rule in table.rules}

    # -- what may differ from turn to turn -----------------------------------------------------

    @cached_property
    def changing_fields(self) -> frozenset[tuple[str, str]]:
        """Computed fields that may differ from turn to turn: something they reach reads the state. Built-ins
        do not reach these in a row of data, which knows no turn."""
        changing: set[str] = set()
        while True:
            found = {name for name, thing in self._functions() if self._reads_state(thing, changing)}
            if found <= changing:
                break
            changing |= found
        return frozenset(
            (record, name)
            for record, known in self.fields.items()
            for name, field in known.items()
            if field.computed is not None and f".{name}" in changing
        )

    def _functions(self) -> Iterator[tuple[str, object]]:
        """Computed fields as `.name`: whose field it is, is not asked."""
        yield from self.tables.items()
        for known in self.fields.values():
            yield from ((f".{name}", field.computed) for name, field in known.items() if field.computed)

    def _reads_state(self, thing: object, changing: set[str]) -> bool:
        for part in nodes(thing):
            match part:
                case InputField() | Switch():
                    return True
                case FieldOf(name=name) | ItemEntry(name=name) if f".{name}" in changing:
                    return True
                case CallBuiltin(builtin="get value") if any(name.startswith(".") for name in changing):
                    return True
                case ByKey() if not changing.isdisjoint(self._keys):
                    return True
                case CallTable(table=name) | Ranking(scale=name) if name in changing:
                    return True
                case _:
                    pass
        return False

    @cached_property
    def _keys(self) -> frozenset[str]:
        """The fields that reading by key may reach."""
        return frozenset(f".{label.id}" for v in self.ruleset.vocabularies for label in v.names)
