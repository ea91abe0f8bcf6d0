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


def _record_in(type_: Type, records: Mapping[str, Record]) -> Record | None:
    match plain(type_):
        case RecordType(name=name):
            return records[name]
        case MapType(value=inner) | ListType(item=inner):
            return _record_in(inner, records)
        case _:
            return None
