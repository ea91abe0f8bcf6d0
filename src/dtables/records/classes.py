"""What classes of records have in common: how their attributes are called, and attributes that are worked out
when they are first read, which are attributes like any other from then on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from dtables.feel.values import Value

Compute = Callable[[Any], Value]
ByTurn = Callable[[Any, Any], Value]


class NamedAttributes:
    """How the classes of a module name their attributes: `STORED` and `COMPUTED_FIELDS` by field name;
    `BY_TURN` are functions of the turn and the record."""

    __slots__ = ()
    STORED: ClassVar[Mapping[str, str]] = {}
    COMPUTED_FIELDS: ClassVar[Mapping[str, str]] = {}
    BY_TURN: ClassVar[Mapping[str, ByTurn]] = {}

    def field(self, name: str) -> Value:
        attribute = self.STORED.get(name) or self.COMPUTED_FIELDS.get(name)
        if attribute is None:
            raise KeyError(name)
        return getattr(self, attribute)

    def stored(self) -> Mapping[str, Value]:
        return {name: getattr(self, attribute) for name, attribute in self.STORED.items()}


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
