"""What is carried along: the turn with its state, the variables in scope, records and rows of data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from dtables.feel.values import FeelError, Fields, Names, Plain, Row, Value, as_plain, entry, has_entry
from dtables.model.expressions import Expression, Test, Variable
from dtables.model.tables import Field
from dtables.provenance import CellRef, Location
from tests.oracle.failing import Failed
from tests.oracle.names import Index


class Mode(Enum):
    """What an operation without a value means: an error with its cell, or the standard's null."""

    STRICT = "strict"
    STANDARD = "standard"


@dataclass(frozen=True, slots=True, eq=False)
class RecordValue(Fields):
    """A record; equal to itself here, to others by its stored fields. `turn` lets built-ins read its computed
    fields."""

    record: str
    values: Mapping[str, Value]
    turn: Turn = field(repr=False)

    def field(self, name: str) -> Value:
        if name not in self.turn.index.fields[self.record]:
            raise KeyError(name)
        return self.turn.field_of(self, name)

    def stored(self) -> Mapping[str, Value]:
        return self.values

    def with_stored(self, values: Mapping[str, Value]) -> RecordValue:
        return replace(self, values={**self.values, **values})

    @property
    def record_type(self) -> str:
        return self.record


class DataRow(Row):
    """A row of keyed data, the same object in every turn."""

    def __init__(self, id: str, order: int, vocabulary: str, record: str, home: Turn) -> None:
        super().__init__(id, order, vocabulary)
        self.record = record
        self.home = home
        self.values: dict[str, Value] = {}

    def field(self, name: str) -> Value:
        index = self.home.index
        if name not in index.fields[self.record] or (self.record, name) in index.changing_fields:
            raise KeyError(name)
        return self.home.field_of(self, name)

    def stored(self) -> Mapping[str, Value]:
        return self.values


Holder = RecordValue | DataRow


def leaving(value: Value, where: Location, table: str | None) -> Plain:
    """The plain value; what cannot leave the rules is their failure."""
    try:
        return as_plain(value)
    except FeelError as error:
        raise Failed(error.message, where, table) from None


class Lazy:
    """A value that is worked out when it is first read."""

    def __init__(self, work: Callable[[], Value]) -> None:
        self._work: Callable[[], Value] | None = work
        self._value: Value = None

    def value(self) -> Value:
        if self._work is not None:
            self._value = self._work()
            self._work = None
        return self._value


@dataclass(frozen=True, slots=True)
class LocalFunction:
    """A step with parameters, where it stands."""

    body: Callable[[Sequence[Value]], Value]


@dataclass(frozen=True, slots=True)
class Meaning:
    """The verbs by which the oracle's modules reach one another without importing in a circle."""

    value: Callable[[Expression, Scope], Value]
    passes: Callable[[tuple[Test, ...], Value, Scope], bool | None]
    call: Callable[[str, Sequence[Value], Turn], Value]
    ranking: Callable[[str, Sequence[Value], Turn], Value]
    ask: Callable[[str, Sequence[Value], Turn], dict[str, Any]]


@dataclass(slots=True, eq=False)
class Turn:
    """One evaluation. `path` is where the state stands in the record, `given` the state as the record has it.
    `memo` holds what is worked out once a turn, `constants` what is the same in every turn, `vocabularies`
    the values of all names. The state is set once, when it has been read."""

    meaning: Meaning
    index: Index
    mode: Mode
    rows: Mapping[str, Mapping[str, DataRow]]
    vocabularies: Names
    constants: dict[object, Value]
    state: RecordValue | None = None
    path: str = "state"
    given: object = None
    memo: dict[object, Value] = field(default_factory=dict)

    def scope(self, table: str | None) -> Scope:
        return Scope(self, table, {})

    def place(self, field_name: str) -> str:
        return f"{self.path}.{field_name}" if self.path else field_name

    def cell_of(self, field_name: str) -> CellRef:
        return self.index.fields[self.index.state][field_name].where

    def name(self, vocabulary: str, id: str) -> Value:
        """The value of a name: its row, or its id."""
        rows = self.rows.get(vocabulary)
        return id if rows is None else rows[id]

    def field_of(self, holder: Holder, name: str) -> Value:
        """A field of a record or row, computed once a turn (or once for all, where no turn can change it)."""
        declared = self.index.fields[holder.record].get(name)
        if declared is None:
            raise FeelError(f"{holder.record} has no {name}")
        if declared.computed is None:
            return holder.values.get(name)
        key = (holder, name)
        if self._is_constant(holder, name):
            if key not in self.constants:
                self.constants[key] = replace(self, memo={})._compute(holder, declared)
            return self.constants[key]
        if key not in self.memo:
            self.memo[key] = self._compute(holder, declared)
        return self.memo[key]

    def read_field(self, value: Value, name: str) -> Value:
        """`value.name` of any value: null of null, of a list the list of its items'."""
        if isinstance(value, (RecordValue, DataRow)):
            return self.field_of(value, name)
        if isinstance(value, list):
            return [self.read_field(item, name) for item in value]
        return entry(value, name)

    def has_field(self, value: Value, name: str) -> bool:
        if isinstance(value, (RecordValue, DataRow)):
            return name in self.index.fields[value.record]
        return has_entry(value, name)

    def _is_constant(self, holder: Holder, name: str) -> bool:
        return isinstance(holder, DataRow) and (holder.record, name) not in self.index.changing_fields

    def _compute(self, holder: Holder, declared: Field) -> Value:
        assert declared.computed is not None
        scope = self.scope(holder.record).bind(self.index.records[holder.record].this, holder)
        return self.meaning.value(declared.computed, scope)


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """What the variables are here; binding makes a new scope. `table` is the table we are in."""

    turn: Turn
    table: str | None
    names: dict[int, object]

    def bind(self, variable: Variable, value: object) -> Scope:
        return Scope(self.turn, self.table, {**self.names, variable.number: value})

    def read(self, variable: Variable) -> Value:
        value = self.names[variable.number]
        return value.value() if isinstance(value, Lazy) else value

    def value(self, expression: Expression) -> Value:
        return self.turn.meaning.value(expression, self)
