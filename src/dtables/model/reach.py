"""Going through a model without knowing its nodes: what an expression or a table holds and reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_args

from dtables.feel.types import ListType, MapType, RecordType, Type, plain
from dtables.model.expressions import (
    AskAnswer,
    ByKey,
    CallTable,
    Compared,
    Constant,
    EqualTo,
    Expression,
    FieldOf,
    InputField,
    NameOf,
    Node,
    Ranking,
    Switch,
    Within,
)
from dtables.model.index import Index
from dtables.model.tables import Ask, Need, Place, Record, Rule, Table


def nodes(root: object) -> Iterator[Node]:
    """Every expression node in a node, a table, a row or a tuple of them, outermost first."""
    waiting: list[Any] = [root]
    while waiting:
        current = waiting.pop()
        kind = type(current)
        if kind is tuple:
            waiting.extend(reversed(current))
            continue
        is_node, parts = _PARTS.get(kind) or _parts_of(kind)
        if is_node:
            yield current
        for name in parts:
            waiting.append(getattr(current, name))


def outermost(root: object) -> Iterator[Expression]:
    """The expressions of a table, a row, a test or a tuple of them; not those within expressions."""
    waiting: list[Any] = [root]
    while waiting:
        current = waiting.pop()
        kind = type(current)
        if kind is tuple:
            waiting.extend(reversed(current))
            continue
        if kind in _EXPRESSIONS:
            yield current
            continue
        for name in (_PARTS.get(kind) or _parts_of(kind))[1]:
            waiting.append(getattr(current, name))


def workings(thing: object) -> Iterator[Expression]:
    """The outermost expressions that are more than a constant or a name: large tables hold hardly any."""
    waiting: list[Any] = [thing]
    while waiting:
        current = waiting.pop()
        kind = type(current)
        if kind is tuple:
            waiting.extend(reversed(current))
        elif kind is Rule:
            if not _is_plain(current):
                waiting += (current.outcomes, current.conditions)
        elif kind in _EXPRESSIONS:
            if kind not in _LITERALS:
                yield current
        else:
            for name in (_PARTS.get(kind) or _parts_of(kind))[1]:
                waiting.append(getattr(current, name))


def _is_plain(rule: Any) -> bool:
    """Whether its cells hold constants and names alone."""
    for condition in rule.conditions:
        for test in condition.tests:
            kind = type(test)
            if kind is EqualTo or kind is Compared:
                plain = type(test.value) in _LITERALS
            else:
                plain = kind is Within and type(test.low) in _ENDS and type(test.high) in _ENDS
            if not plain:
                return False
    return _LITERALS.issuperset([type(outcome.value) for outcome in rule.outcomes])


def _parts_of(kind: type) -> tuple[bool, tuple[str, ...]]:
    """Whether it is a node, and its fields that may hold some, the last one first; of a place or a plain
    value none."""
    if not is_dataclass(kind):
        found: tuple[str, ...] = ()
    else:
        kept = (
            f for f in fields(kind) if f.name not in ("type", "where", "heading") and f.type not in _PLAIN
        )
        found = tuple(field.name for field in kept)[::-1]
    _PARTS[kind] = issubclass(kind, Node), found
    return _PARTS[kind]


_PARTS: dict[type, tuple[bool, tuple[str, ...]]] = {}
_EXPRESSIONS = frozenset(get_args(Expression))
_LITERALS = frozenset((Constant, NameOf))
_ENDS = _LITERALS | {type(None)}
_PLAIN = frozenset(
    ("str", "str | None", "bool", "int", "CellRef", "Words", "tuple[str, ...]", "tuple[Type, ...]", "Value")
)
"""Types of fields, as they are written, that hold no nodes."""


class Reach:
    """What can be read while an ask is answered, through every table and computed field on the way."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def inputs(self, definition: Table | Ask) -> tuple[str, ...]:
        """Names of the input fields, in the order in which they are met."""
        met: dict[str, None] = {}
        for part in self.parts(definition):
            if isinstance(part, InputField):
                met.setdefault(part.name)
        if isinstance(definition, Ask):
            for row in definition.rows:
                if isinstance(row, Need):
                    met.setdefault(row.place.fields[0])
        return tuple(met)

    def switches(self, definition: Table | Ask) -> tuple[str, ...]:
        """Return the names of the switches, in the order in which they are met."""
        met = {part.name: None for part in self.parts(definition) if isinstance(part, Switch)}
        return tuple(met)

    def parts(self, definition: Table | Ask) -> Iterator[Node]:
        """Every node that may be worked out."""
        waiting: list[object] = [definition]
        seen: set[int] = set()
        while waiting:
            current = waiting.pop()
            if id(current) in seen:
                continue
            seen.add(id(current))
            for node in nodes(current):
                yield node
                waiting.extend(self._behind(node))

    def _behind(self, node: Node) -> Iterator[object]:
        match node:
            case CallTable(table=name) if name in self._index.tables:
                yield self._index.tables[name]
            case Ranking(scale=name) if name in self._index.tables:
                yield self._index.tables[name]
            case AskAnswer(ask=name) if name in self._index.asks:
                yield self._index.asks[name]
            case FieldOf(of=of, name=name):
                field = self._index.field(self._index.record_of(of.type), name)
                if field is not None and field.computed is not None:
                    yield field.computed
            case ByKey(of=of):
                record = self._index.records.get(self._index.record_of(of.type))
                for field in () if record is None else record.fields:
                    if field.computed is not None:
                        yield field.computed


# -- types at places --------------------------------------------------------------------------------
# Of which type a place of the state is.


def type_at(place: Place, state: Record, records: Mapping[str, Record]) -> Type:
    """The declared type of the place's last field; records on the way may stand in lists and maps."""
    record: Record | None = state
    declared: Type | None = None
    for name in place.fields:
        assert record is not None
        declared = next(field.type for field in record.fields if field.name == name)
        record = _record_in(declared, records)
    assert declared is not None
    return declared


def named_on_the_way(
    place: Place, state: Record, records: Mapping[str, Record]
) -> tuple[tuple[str, ...], ...]:
    """For each field of the place the vocabularies by whose names it may be spelled."""
    record: Record | None = state
    named: list[tuple[str, ...]] = []
    for name in place.fields:
        assert record is not None
        named.append(named_fields(record, state))
        declared = next(field.type for field in record.fields if field.name == name)
        record = _record_in(declared, records)
    return tuple(named)


def named_fields(record: Record, state: Record) -> tuple[str, ...]:
    """The vocabularies whose names are the record's fields: in a log these are spelled as names are. The
    state is no map, whatever its fields are called."""
    return () if record is state else record.readable_by


def _record_in(type_: Type, records: Mapping[str, Record]) -> Record | None:
    match plain(type_):
        case RecordType(name=name):
            return records[name]
        case MapType(value=inner) | ListType(item=inner):
            return _record_in(inner, records)
        case _:
            return None
