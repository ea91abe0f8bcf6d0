"""The quick reading of single values in compiled modules: it gives up where anything is unusual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dtables.feel.types import NUMBER, Type
from dtables.feel.values import Value
from dtables.records.scalars import UNFIT, anything, read_scalar
from dtables.records.shapes import Misread, Names


def read_number(value: object) -> Value:
    """Read a number; Misread where the careful reader has to look."""
    typed = read_scalar(value, NUMBER)
    if typed is UNFIT:
        raise Misread
    return typed


def read_anything(value: object) -> Value:
    """Read a value of no declared type; Misread where the careful reader has to look."""
    typed = anything(value)
    if typed is UNFIT:
        raise Misread
    return typed


def read_temporal(value: object, wanted: Type) -> Value:
    """Read a date, time or duration; Misread where the careful reader has to look."""
    typed = read_scalar(value, wanted)
    if typed is UNFIT:
        raise Misread
    return typed


def read_map(value: object, names: Names, read: Callable[[Any], Value]) -> dict[str, Value]:
    """In the order of the vocabulary."""
    if type(value) is not dict or not value.keys() <= names.keys():
        raise Misread
    return {id_: read(value[id_]) for id_ in names if value.get(id_) is not None}
