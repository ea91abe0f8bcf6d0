"""What an evaluation carries along: the turn with its state, the names in scope, records and rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from dtables.evaluator.index import Index
from dtables.evaluator.observer import Observer
from dtables.evaluator.trace import Arguments, Computed, Shown, unchanging
from dtables.evaluator.watching import Watch
from dtables.feel.values import FeelError, Fields, Names, Plain, Row, Value, as_plain, entry, has_entry
from dtables.merging import Reply
from dtables.model.expressions import Expression, Test, Variable
from dtables.model.tables import Ask, Field, Parameter
from dtables.provenance import CellRef, Location
from dtables.records.findings import RuleError


class Mode(Enum):
    """What an operation without a value means: an error with its cell, or the standard's null."""

    STRICT = "strict"
    STANDARD = "standard"


@unchanging
class RecordValue(Fields):
    """A record; equal to itself here, to others by its stored fields (`feel.values.equal`).

    `turn` lets built-ins read its computed fields; the evaluator's own reading uses the turn at hand.
    """

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

    __slots__ = ("home", "record", "values")

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
        raise RuleError(error.message, where, table) from None


class Lazy:
    """A value worked out when it is first read."""

    __slots__ = ("_value", "_work")

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
    """The verbs by which the evaluator's modules reach one another without importing in a circle."""

    value: Callable[[Expression, Scope], Value]
    passes: Callable[[tuple[Test, ...], Value, Scope], bool | None]
    call: Callable[[str, Sequence[Value], Turn], Value]
    ranking: Callable[[str, Sequence[Value], Turn], Value]
    ask: Callable[[str, Sequence[Value], Turn], dict[str, Any]]
    reply: Callable[[Ask, Sequence[Value], Turn], Reply]


@dataclass(slots=True, eq=False)
class Turn:
    """One evaluation. `path` is where the state stands in the record (`state`; of a single table's
    inputs nothing), `given` the state as the record has it. `memo` holds what is worked out once a turn,
    `constants` what is the same in every turn, `vocabularies` the values of all names. The state is set once,
    when it has been read."""

    meaning: Meaning
    index: Index
    mode: Mode
    rows: Mapping[str, Mapping[str, DataRow]]
    vocabularies: Names
    constants: dict[object, Value]
    observer: Observer = field(default_factory=Observer)
    watch: Watch = field(default_factory=Watch)
    state: RecordValue | None = None
    path: str = "state"
    given: object = None
    memo: dict[object, Value] = field(default_factory=dict)

    def scope(self, table: str | None) -> Scope:
        return Scope(self, table, {})

    def place(self, field_name: str) -> str:
        return f"{self.path}.{field_name}" if self.path else field_name

    def cell_of(self, field_name: str) -> CellRef:
        return self.index.field(self.index.state, field_name).where

    def name(self, vocabulary: str, id: str) -> Value:
        """The value of a name: its row, or its id."""
        rows = self.rows.get(vocabulary)
        return id if rows is None else rows[id]

    def field_of(self, holder: Holder, name: str) -> Value:
        """A field of a record or row, computed once a turn (or once for all, where no turn can change it)."""
        declared = self.index.fields[holder.record].get(name)
        if declared is None:
            raise FeelError(f"{holder.record} has no {name}")
        self.watch.read(holder, name)
        if declared.computed is None:
            return holder.values.get(name)
        key = (holder, name)
        if key in self.constants:
            return self.constants[key]
        if self._constant(holder, name):
            quiet = replace(self, observer=self.observer.apart(), watch=self.watch.apart(), memo={})
            self.constants[key] = quiet._compute(holder, declared)
            return self.constants[key]
        if key in self.memo:
            self.observer.again(key)
        else:
            self.memo[key] = self._told(holder, declared)
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

    def _constant(self, holder: Holder, name: str) -> bool:
        return isinstance(holder, DataRow) and (holder.record, name) not in self.index.changing_fields

    def _told(self, holder: Holder, declared: Field) -> Value:
        assert declared.computed is not None
        condition, observer = declared.computed, self.observer
        mark, watched = observer.open(), observer.watch()
        value = self._compute(holder, declared)
        observer.close(
            mark,
            lambda inside: Computed(
                declared.name,
                Shown(holder, self.index.records[holder.record].this.type),
                Shown(value, declared.type),
                declared.where,
                observer.why(watched, condition),
                inside,
            ),
            (holder, declared.name),
        )
        return value

    def _compute(self, holder: Holder, declared: Field) -> Value:
        assert declared.computed is not None
        scope = self.scope(holder.record).bind(self.index.records[holder.record].this, holder)
        return self.meaning.value(declared.computed, scope)


@unchanging
class Scope:
    """What the variables are here; binding makes a new scope. `table` is the table we are in."""

    turn: Turn
    table: str | None
    names: dict[int, object]

    def bind(self, variable: Variable, value: object) -> Scope:
        return Scope(self.turn, self.table, {**self.names, variable.number: value})

    def read(self, variable: Variable) -> Value:
        value = self.names[variable.number]
        known = value.value() if isinstance(value, Lazy) else value
        self.turn.observer.again(variable.number)
        return known

    def value(self, expression: Expression) -> Value:
        return self.turn.meaning.value(expression, self)

    def given(self, parameters: Sequence[Parameter]) -> Arguments:
        """What a table or step was called with, as it is told."""
        return tuple((p.name, Shown(self.names[p.variable.number], p.type)) for p in parameters)
