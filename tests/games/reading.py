"""Kinds of values of a record, read by hand for the oracles: what does not fit is rejected at its path.

Nothing of the toolkit is used here: the oracles share nothing with what they are compared with.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

State = Mapping[str, Any]
Reader = Callable[[Any, str], Any]


class Rejected(Exception):
    """The record is no good at `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


def reject_if(wrong: bool, path: str) -> None:
    if wrong:
        raise Rejected(path)


# -- single values -----------------------------------------------------------------------------


def name(labels: Mapping[str, Iterable[str]]) -> Reader:
    """An id, by itself or by one of its labels, however it is typed."""
    known = {_folded(spelling): id_ for id_, more in labels.items() for spelling in (id_, *more)}

    def read(value: Any, path: str) -> str:
        reject_if(not isinstance(value, str) or _folded(value) not in known, path)
        return known[_folded(value)]

    return read


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c) and c not in " _")


def one_of(*spelled: str) -> Reader:
    """Exactly as it is spelled."""

    def read(value: Any, path: str) -> str:
        reject_if(value not in spelled, path)
        return str(value)

    return read


def whole(low: int, high: int) -> Reader:
    def read(value: Any, path: str) -> int:
        reject_if(type(value) is not int or not low <= value <= high, path)
        return int(value)

    return read


def truth(value: Any, path: str) -> bool:
    reject_if(not isinstance(value, bool), path)
    return bool(value)


def or_null(reader: Reader) -> Reader:
    return lambda value, path: None if value is None else reader(value, path)


# -- several values ----------------------------------------------------------------------------


def each(item: Reader) -> Reader:
    def read(value: Any, path: str) -> list[Any]:
        reject_if(not isinstance(value, list), path)
        return [item(element, f"{path}[{n}]") for n, element in enumerate(value)]

    return read


def map_of(key: Reader, value: Reader) -> Reader:
    def read(given: Any, path: str) -> dict[str, Any]:
        reject_if(not isinstance(given, dict), path)
        found = {}
        for name_, entry in given.items():
            id_ = key(name_, f"{path}.{name_}")
            if entry is not None:
                found[id_] = value(entry, f"{path}.{name_}")
        return found

    return read


def some_object(fields: Mapping[str, Reader]) -> Callable[[Any, str], dict[str, Any]]:
    """No other keys are known; none is needed."""

    def read(given: Any, path: str) -> dict[str, Any]:
        reject_if(not isinstance(given, dict), path)
        found = {}
        for key, value in given.items():
            reject_if(key not in fields, f"{path}.{key}")
            if value is not None:
                found[key] = fields[key](value, f"{path}.{key}")
        return found

    return read


def whole_object(fields: Mapping[str, Reader], **defaults: Any) -> Reader:
    """Every key is needed that has no default."""

    def read(given: Any, path: str) -> dict[str, Any]:
        found = defaults | some_object(fields)(given, path)
        for key in fields:
            reject_if(key not in found, f"{path}.{key}")
        return {key: found[key] for key in fields}

    return read


def switches(values: Mapping[str, tuple[str, ...]]) -> Callable[[Any, str], dict[str, str]]:
    """Their names and values only as they are spelled."""
    return some_object({switch: one_of(*spelled) for switch, spelled in values.items()})


# -- the record --------------------------------------------------------------------------------


def read_state(given: Any, fields: Mapping[str, Reader], needs: Iterable[str] = ()) -> dict[str, Any]:
    state = some_object(fields)(given, "state")
    for field in needs:
        reject_if(field not in state, f"state.{field}")
    return state
