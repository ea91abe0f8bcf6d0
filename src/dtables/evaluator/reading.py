"""Reading a record that is known to be sound: a function for each type, and nothing is looked for.

Keys that are no ids of fields are looked up, values that are not written in the plain way are read with care.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dtables.evaluator.index import Index
from dtables.evaluator.state import RecordValue, Turn
from dtables.feel.names import matching_fields
from dtables.feel.types import (
    BooleanType,
    ListType,
    MapType,
    NumberType,
    OptionalType,
    RecordType,
    RestrictedType,
    TextType,
    Type,
    VocabularyType,
)
from dtables.feel.values import Value
from dtables.model.expressions import Constant
from dtables.model.reach import named_fields
from dtables.model.tables import Field, Record
from dtables.records.reader import At, RecordReader
from dtables.records.scalars import key_text
from dtables.records.shapes import Shapes

Read = Callable[[Any, Turn], Value]
Entries = tuple[tuple[str, Read | None, Callable[[Turn], Value]], ...]
"""The stored fields in order: how each is read (None: its place gives it), and what it is by default."""

MOST_SPELLINGS = 10_000


class Reader:
    def __init__(self, index: Index, shapes: Shapes) -> None:
        self._index = index
        self._shapes = shapes
        self._reads: dict[tuple[Type, str], Read] = {}

    def state(self, given: object, turn: Turn) -> RecordValue:
        assert isinstance(given, dict)
        record = self._index.ruleset.input.state
        read = self._reads.get((RecordType(record.name), "state"))
        if read is None:
            read = self._reads[RecordType(record.name), "state"] = self._record(
                record, {}, self._shapes.fixed
            )
        value = read(given, turn)
        assert isinstance(value, RecordValue)
        return value

    def _read(self, type_: Type, fixed: Mapping[str, Value]) -> Read:
        match type_:
            case OptionalType(of=of):
                read = self._read(of, fixed)
                return lambda value, turn: None if value is None else read(value, turn)
            case RestrictedType(of=of):
                return self._named(type_, self._read(of, fixed))
            case BooleanType() | TextType() | NumberType(whole=True):
                return lambda value, _turn: value
            case VocabularyType():
                return _Names(self._index, type_).read
            case ListType(item=item):
                read = self._read(item, fixed)
                return lambda value, turn: [read(one, turn) for one in value]
            case MapType():
                return self._map(type_, fixed)
            case RecordType(name=name):
                return self._lazily(self._index.records[name], fixed)
            case _:
                return lambda value, turn: self._with_care(value, type_, turn)

    def _with_care(self, value: object, type_: Type, turn: Turn) -> Value:
        return RecordReader(self._shapes, turn, turn.path).value(value, type_, At(turn.path))

    def _named(self, type_: RestrictedType, read: Read) -> Read:
        names = self._index.number_names.get(type_.name)
        if names is None:
            return read
        return lambda value, turn: names.matches(value)[0] if isinstance(value, str) else read(value, turn)

    def _lazily(self, record: Record, fixed: Mapping[str, Value]) -> Read:
        """Records may hold records of their own type."""
        readers: list[Read] = []

        def read(value: Any, turn: Turn) -> Value:
            if not readers:
                readers.append(self._record(record, fixed, {}))
            return readers[0](value, turn)

        return read

    def _map(self, type_: MapType, fixed: Mapping[str, Value]) -> Read:
        read, names = self._read(type_.value, fixed), _Names(self._index, type_.key)
        ids = [label.id for label in self._index.vocabularies[type_.key.name].names]

        def entries(value: Any, turn: Turn) -> Value:
            by_id = {names.id_of(key_text(key)): one for key, one in value.items() if one is not None}
            return {id_: read(by_id[id_], turn) for id_ in ids if id_ in by_id}

        return entries

    # -- records -------------------------------------------------------------------------------

    def _record(
        self, record: Record, fixed: Mapping[str, Value], inside: Mapping[str, Mapping[str, Value]]
    ) -> Read:
        """`fixed` are fields that its place gives, `inside` those of the records in its fields."""
        name = record.name
        entries: Entries = tuple(
            (
                field.name,
                None if field.name in fixed else self._read(field.type, inside.get(field.name, {})),
                self._default(field, fixed, inside.get(field.name, {})),
            )
            for field in record.stored
        )
        plain = frozenset(key for key, _, _ in entries)
        named_by = named_fields(record, self._index.ruleset.input.state)
        spelled = [self._index.spellings[vocabulary] for vocabulary in named_by]

        def by_field(given: Mapping[Any, object]) -> Mapping[str, object]:
            return {
                matching_fields(key_text(k), plain, spelled)[0]: v for k, v in given.items() if v is not None
            }

        def read(given: Any, turn: Turn) -> Value:
            values: dict[str, Value] = {}
            found = 0
            for key, read_field, default in entries:
                value = given.get(key) if read_field is not None else None
                if value is None or read_field is None:
                    values[key] = default(turn)
                else:
                    values[key] = read_field(value, turn)
                    found += 1
            if found < len(given) and not given.keys() <= plain:
                return read(by_field(given), turn)
            return RecordValue(name, values, turn)

        return read

    def _default(
        self, field: Field, fixed: Mapping[str, Value], inside: Mapping[str, Value]
    ) -> Callable[[Turn], Value]:
        if field.name in fixed:
            value = fixed[field.name]
            return lambda _turn: value
        default = field.default
        if default is None:
            return lambda _turn: None
        if isinstance(default, Constant):
            constant = default.value
            return lambda _turn: constant

        def worked_out(turn: Turn) -> Value:
            value = turn.planner.worked_out(default, turn)
            if inside and isinstance(value, RecordValue):
                return RecordValue(value.record, {**value.values, **inside}, value.turn)
            return value

        return worked_out


class _Names:
    """A vocabulary's values by how records spell them."""

    def __init__(self, index: Index, vocabulary: VocabularyType) -> None:
        self._spellings = index.spellings[vocabulary.name]
        self._root = vocabulary.root
        self._known: dict[str, str] = {}
        self._values: dict[str, Value] = {}

    def id_of(self, spelled: str) -> str:
        id_ = self._known.get(spelled)
        if id_ is None:
            (id_,) = self._spellings.matches(spelled)
            if len(self._known) < MOST_SPELLINGS:
                self._known[spelled] = id_
        return id_

    def read(self, spelled: Any, turn: Turn) -> Value:
        value = self._values.get(spelled)
        if value is None:
            value = turn.name(self._root, self.id_of(spelled))
            if len(self._values) < MOST_SPELLINGS:
                self._values[spelled] = value
        return value
