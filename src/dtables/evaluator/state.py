"""What an evaluation carries along: the turn with its state, records and rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dtables.evaluator.index import Index
from dtables.evaluator.tape import Blank
from dtables.evaluator.trace import unchanging
from dtables.evaluator.watching import Watch
from dtables.feel.values import FeelError, Fields, Names, Plain, Row, Value, as_plain, entry, has_entry
from dtables.provenance import CellRef, Location
from dtables.records.findings import RuleError

if TYPE_CHECKING:
    from dtables.evaluator.planning import Planner


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


@dataclass(slots=True, eq=False)
class Turn:
    """One evaluation. `path` is where the state stands in the record (`state`; of a single table's
    inputs nothing), `given` the state as the record has it. `memo` holds what is worked out once a turn,
    `constants` what is the same in every turn, `vocabularies` the values of all names. The state is set once,
    when it has been read."""

    planner: Planner
    index: Index
    rows: Mapping[str, Mapping[str, DataRow]]
    vocabularies: Names
    constants: dict[object, Value]
    tape: Blank = field(default_factory=Blank)
    watch: Watch = field(default_factory=Watch)
    state: RecordValue | None = None
    path: str = "state"
    given: object = None
    memo: dict[object, Value] = field(default_factory=dict)

    def apart(self) -> Turn:
        """For what is worked out once for all turns."""
        return replace(self, tape=type(self.tape)(), watch=self.watch.apart(), memo={})

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
        self.watch.read(holder, name)
        if declared.computed is None:
            return holder.values.get(name)
        return self.planner.field(holder.record, name)(self, holder)

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
