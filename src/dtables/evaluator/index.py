"""A ruleset by its names, as the evaluator looks things up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from dtables.feel.names import NumberNames, Spellings
from dtables.feel.types import RecordType, Type, VocabularyType, plain
from dtables.model.expressions import (
    AskAnswer,
    ByKey,
    CallBuiltin,
    CallStep,
    CallTable,
    Constant,
    Expression,
    FieldOf,
    Filter,
    For,
    InputField,
    ItemAt,
    ItemEntry,
    Node,
    Ranking,
    Switch,
)
from dtables.model.reach import nodes
from dtables.model.tables import (
    Ask,
    Data,
    Field,
    Record,
    Restriction,
    Ruleset,
    SwitchRule,
    Table,
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
    def number_names(self) -> Mapping[str, NumberNames]:
        return {r.name: NumberNames(r.number_names) for r in self.ruleset.restrictions if r.names}

    @cached_property
    def restrictions(self) -> Mapping[str, Restriction]:
        return {r.name: r for r in self.ruleset.restrictions}

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

    def field(self, record: str, name: str) -> Field:
        return self.fields[record][name]

    @cached_property
    def data(self) -> Mapping[str, Data]:
        return {d.heading.name: d for d in self.ruleset.data}

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        return {table_name(t): t for t in self.ruleset.tables}

    @cached_property
    def asks(self) -> Mapping[str, Ask]:
        return {a.heading.name: a for a in self.ruleset.asks}

    @cached_property
    def open_asks(self) -> Mapping[str, Ask]:
        """Those that a log may ask for, the main one first."""
        return {ask.heading.name: ask for ask in self.ruleset.open_asks}

    @cached_property
    def switches(self) -> Mapping[str, tuple[SwitchRule, str | None]]:
        """Each switch and the input field whose entries override it."""
        return {rule.name: (rule, table.field) for table in self.ruleset.switches for rule in table.rules}

    def takes_first(self, filter: Filter) -> bool:
        """Is only the first item wanted that passes, as in `list[condition][1]`?"""
        return id(filter) in self._firsts

    def calls_for_each(self, loop: For) -> bool:
        """Are tables called for each item?"""
        return id(loop) in self._calling_loops

    @cached_property
    def _firsts(self) -> frozenset[int]:
        return frozenset(
            id(part.of)
            for part in self._parts()
            if isinstance(part, ItemAt) and isinstance(part.index, Constant) and part.index.value == 1
        )

    @cached_property
    def _calling_loops(self) -> frozenset[int]:
        loops = (part for part in self._parts() if isinstance(part, For))
        return frozenset(id(loop) for loop in loops if has_calls(loop.result))

    def _parts(self) -> Iterator[Node]:
        computed = (field.computed for known in self.fields.values() for field in known.values())
        for thing in (*self.ruleset.tables, *self.ruleset.asks, *computed):
            yield from nodes(thing)

    def reads_worked_out(self, condition: Expression) -> bool:
        """Does it read the state or a computed field, and not only what its items hold?"""
        for part in nodes(condition):
            match part:
                case InputField():
                    return True
                case FieldOf(of=of, name=name):
                    field = self.fields.get(self._record_of(of.type), {}).get(name)
                    if field is not None and field.computed is not None:
                        return True
                case _:
                    pass
        return False

    def _record_of(self, type_: Type) -> str:
        match plain(type_):
            case RecordType(name=name):
                return name
            case VocabularyType(root=root):
                return self.vocabularies[root].record or ""
            case _:
                return ""

    @cached_property
    def changing_fields(self) -> frozenset[tuple[str, str]]:
        """Computed fields that may differ from turn to turn: something they reach reads the state."""
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


def has_calls(expression: Expression) -> bool:
    """Does it call tables, or steps with parameters?"""
    return any(isinstance(part, (CallTable, CallStep, Ranking, AskAnswer)) for part in nodes(expression))
