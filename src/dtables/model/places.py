"""Of which type a place of the state is."""

from __future__ import annotations

from collections.abc import Mapping

from dtables.feel.types import ListType, MapType, RecordType, Type, plain
from dtables.model.tables import Place, Record


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
