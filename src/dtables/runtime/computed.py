"""Attributes that are worked out when they are first read, and are attributes like any other from then on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dtables.feel.values import Value

Compute = Callable[[Any], Value]


class WorkedOut:
    """Stands in the class; what it comes to stands in the object, where Python looks first."""

    __slots__ = ("attribute", "compute")

    def __init__(self, attribute: str, compute: Compute) -> None:
        self.attribute, self.compute = attribute, compute

    def __get__(self, holder: Any, kind: type | None = None) -> Any:
        if holder is None:
            return self
        value = self.compute(holder)
        setattr(holder, self.attribute, value)
        return value


class WorkedOutAside(WorkedOut):
    """The same for objects that another library makes, which are slow at setting an attribute."""

    __slots__ = ()

    def __get__(self, holder: Any, kind: type | None = None) -> Any:
        if holder is None:
            return self
        value = holder.__dict__[self.attribute] = self.compute(holder)
        return value


def computes(kind: type, functions: Mapping[str, Compute]) -> None:
    """The class's computed attributes."""
    for attribute, function in functions.items():
        setattr(kind, attribute, WorkedOut(attribute, function))
