"""What rules ask of a place in the state: which borders, which texts, or the value itself; inert."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from dtables.feel.types import (
    BooleanType,
    DateType,
    NumberType,
    OptionalType,
    RecordType,
    RestrictedType,
    TextType,
    Type,
    VocabularyType,
    plain,
)
from dtables.feel.values import Date
from dtables.model.expressions import Test
from dtables.provenance import CellRef, Location

Path = tuple[str, ...]
Border = int | Decimal | Date


@dataclass(frozen=True, slots=True)
class Why:
    """Why rules cannot be worked out over columns: the reason, and the cell that stands in the way."""

    reason: str
    where: Location | CellRef | None = None

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}" if self.where is not None else self.reason


@dataclass(frozen=True, slots=True)
class Settled:
    """A value that the classes of the inputs determine."""


SETTLED = Settled()


@dataclass(frozen=True, slots=True)
class Place:
    """The value as it stands at a path of the state. `bounds` are those of a whole number that has them."""

    path: Path
    type: Type
    bounds: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Worked:
    """A whole number worked out of places that hold such: `left` and `right` of `+`, `-` or `*`."""

    operator: str
    left: Operand
    right: Operand

    @property
    def places(self) -> tuple[Place, ...]:
        parts = (self.left, self.right)
        inner = (part.places if isinstance(part, Worked) else (part,) for part in parts)
        return tuple(place for some in inner for place in some if isinstance(place, Place))


Operand = int | Place | Worked
Known = Settled | Place | Worked


@dataclass(frozen=True, slots=True)
class Cut:
    """A border between two classes: values from `at` on, or those after it."""

    at: Border
    after: bool


@dataclass(slots=True)
class Asked:
    """`cuts` and `texts` are what the value is compared with; `itself` is where it is used otherwise."""

    cuts: set[Cut] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    itself: Location | CellRef | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """A scalar of the state: its type, and the tests of its own field."""

    type: Type
    allowed: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Uses:
    """`read` are the places that rules look at, `closed` those of which nothing is known but null; `worked`
    is what numbers that are worked out are compared with."""

    asked: dict[Path, Asked]
    worked: dict[Worked, Asked]
    read: frozenset[Path]
    closed: frozenset[Path]
    declared: dict[Path, Declared]

    def looks_at(self, path: Path) -> bool:
        """Whether it matters what stands there, or that anything does."""
        return any(path[: len(place)] == place or place[: len(path)] == path for place in self.read)

    def is_closed(self, path: Path) -> bool:
        return any(path[: len(place)] == place for place in self.closed)

    def finite(self, path: Path) -> bool:
        return path in self.declared and is_finite(self.declared[path].type)

    def escaping(self) -> Why | None:
        """A place whose value is used for itself: its classes do not say enough."""
        for path, asked in self.asked.items():
            if asked.itself is not None:
                place = ".".join(path)
                return Why(f"`{place}` is worked with, not only compared with constants", asked.itself)
        return None


def is_finite(type_: Type) -> bool:
    """Whether its values are a closed list."""
    return isinstance(plain(type_), (VocabularyType, BooleanType))


def is_ordered(type_: Type) -> bool:
    return isinstance(plain(type_), (NumberType, DateType))


def is_number(known: Place | Worked) -> bool:
    return isinstance(known, Worked) or isinstance(plain(known.type), NumberType)


def is_scalar(type_: Type) -> bool:
    return is_finite(type_) or is_ordered(type_) or isinstance(plain(type_), TextType)


def is_record(type_: Type) -> bool:
    return isinstance(plain(type_), RecordType)


def tests_of(type_: Type) -> tuple[str, ...]:
    """The named types on the way down to what they restrict."""
    names: list[str] = []
    while isinstance(type_, (OptionalType, RestrictedType)):
        if isinstance(type_, RestrictedType):
            names.append(type_.name)
        type_ = type_.of
    return tuple(names)


def sorted_cuts(cuts: set[Cut]) -> tuple[Cut, ...]:
    return tuple(sorted(cuts, key=_order))


def _order(cut: Cut) -> tuple[Any, bool]:
    """Dates by their day."""
    return (cut.at.number if isinstance(cut.at, Date) else cut.at, cut.after)
