"""The kinds of values that Python has no type for, and the error of an operation that has no value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from dtables.feel.errors import FeelError
from dtables.feel.temporal import Date, DateTime, DaysDuration, Time, YearsDuration
from dtables.feel.types import ANY, Type

Value = Any
"""A value of the expression language; ARCHITECTURE.md says how each is held."""

Plain = Any
"""None, bool, int, Decimal, str, and lists and dicts of them."""


class Fields(ABC):
    """A record. Engines have their own; operators read it through these methods."""

    __slots__ = ()

    @abstractmethod
    def field(self, name: str) -> Value:
        """The value of a field, stored or computed; KeyError where the record has no such field."""

    @abstractmethod
    def stored(self) -> Mapping[str, Value]:
        """What the record says itself, in the order of its type: what makes two records equal."""

    @property
    @abstractmethod
    def record_type(self) -> str:
        """The name of its type."""

    def with_stored(self, values: Mapping[str, Value]) -> Fields:
        """The record, with these stored fields. Rows of data have none but their own."""
        raise TypeError(f"{list(values)} cannot stand in a {self.record_type}")


class Row(Fields):
    """A row of keyed data: a name of `vocabulary`, the `order`th of it. It is equal only to itself."""

    __slots__ = ("id", "order", "vocabulary")

    def __init__(self, id: str, order: int, vocabulary: str) -> None:
        self.id = id
        self.order = order
        self.vocabulary = vocabulary

    @property
    def record_type(self) -> str:
        """The vocabulary's name: keyed data are records of a type called so."""
        return self.vocabulary

    def __repr__(self) -> str:
        return f"<{self.vocabulary} {self.id}>"


@dataclass(frozen=True, slots=True)
class Range:
    """Values between two ends. An end that is None is open: `(>= 3)` has no `high`. `operator` is set
    where the standard tells a comparison from a range with the same values in it."""

    low: Value
    high: Value
    low_included: bool = True
    high_included: bool = True
    operator: str | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A function as a value; `body` takes its arguments by position. Equal only to itself. `variadic`
    says that it takes other numbers of arguments too, as some built-ins do. A `result` of Any is one that
    nobody knows."""

    parameters: tuple[str, ...]
    body: Callable[..., Value] = field(repr=False)
    types: tuple[Type, ...] = ()
    variadic: bool = False
    name: str = ""
    result: Type = ANY

    def __call__(self, *arguments: Value) -> Value:
        return self.body(*arguments)


@dataclass(frozen=True, slots=True)
class ByNames:
    """Call a function whose parameters only its value tells, by their names; one left out is null."""

    names: tuple[str, ...]

    def __call__(self, function: Value, *arguments: Value) -> Value:
        return function(*self.placed(function, arguments))

    def placed(self, function: Value, arguments: Sequence[Value]) -> list[Value]:
        """List the arguments in the order of the function's parameters."""
        if not isinstance(function, Function):
            raise FeelError("only functions can be called")
        given = dict(zip(self.names, arguments, strict=True))
        if given.keys() - set(function.parameters):
            raise FeelError(f"the function takes {', '.join(function.parameters)}, not {', '.join(given)}")
        return [given.get(parameter) for parameter in function.parameters]


KINDS: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    Decimal: "number",
    str: "text",
    list: "list",
    dict: "context",
    Date: "date",
    Time: "time",
    DateTime: "date and time",
    DaysDuration: "days and time duration",
    YearsDuration: "years and months duration",
    Range: "range",
    Function: "function",
}


def kind_of(value: Value) -> str:
    """In a workbook's words; a record is a "context", a row of keyed data a "row"."""
    kind = KINDS.get(type(value))
    if kind is not None:
        return kind
    if isinstance(value, Row):
        return "row"
    if isinstance(value, Fields):
        return "context"
    raise TypeError(f"no value of the expression language: {type(value).__name__}")
