"""What is known of the places of the state: what they are compared with, where their value itself is used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from dtables.feel.types import DateType, NumberType, RecordType, TextType, Type, plain
from dtables.feel.values import Date, Value
from dtables.flat.places import (
    Asked,
    Cut,
    Declared,
    Known,
    Path,
    Place,
    Settled,
    Uses,
    Why,
    Worked,
    is_finite,
    is_ordered,
    is_record,
    is_scalar,
    tests_of,
)
from dtables.model.expressions import Constant, Expression, Test, Variable, Within
from dtables.model.tables import Record, Ruleset, Step, table_name
from dtables.provenance import CellRef, Location

MOST_BY_VALUE = 300
"""So many whole numbers are classes of their own, where a type bounds them."""


@dataclass(frozen=True, slots=True)
class Here:
    """What variables are known here; `done` keeps what the steps came to."""

    bound: dict[int, Known] = field(default_factory=dict)
    steps: dict[int, Step] = field(default_factory=dict)
    done: dict[int, Known] = field(default_factory=dict)

    def where(self, variables: Iterable[Variable], known: Iterable[Known]) -> Here:
        pairs = {v.number: k for v, k in zip(variables, known, strict=True)}
        return Here({**self.bound, **pairs}, self.steps, self.done)


class PlaceSurvey(ABC):
    """`trouble` is the first thing that the walk cannot reason about."""

    def __init__(self, model: Ruleset) -> None:
        self.state = model.input.state
        self.trouble: Why | None = None
        self._model = model
        self._tables = {table_name(table): table for table in model.tables}
        self._asks = {ask.heading.name: ask for ask in model.asks}
        self._records = {record.name: record for record in (*model.records, model.input.state)}
        self._record_of = {v.name: v.record for v in model.vocabularies if v.record is not None}
        self._restrictions = {r.name: r for r in model.restrictions}
        self._fixed = {(f.input, f.field) for f in model.input.fixed}
        self._overriding = {rule.name: group.field for group in model.switches for rule in group.rules}
        self._asked: dict[Path, Asked] = {}
        self._worked: dict[Worked, Asked] = {}
        self._read: set[Path] = set()
        self._closed: set[Path] = set()
        self._declared: dict[Path, Declared] = {}
        self._called: dict[tuple[str, tuple[Known, ...]], Known] = {}

    def uses(self) -> Uses | Why:
        if self.trouble is not None:
            return self.trouble
        return Uses(self._asked, self._worked, frozenset(self._read), frozenset(self._closed), self._declared)

    @abstractmethod
    def visit(self, node: Expression, here: Here) -> Known:
        """What an expression comes to."""

    @abstractmethod
    def tests(self, tests: Iterable[Test], subject: Known, here: Here) -> None:
        """What tests ask of their subject."""

    # -- places --------------------------------------------------------------------------------

    def declare(self, path: Path, record: Record, above: tuple[str, ...]) -> None:
        """The scalars of a record and of the records in it, with the borders that their types have."""
        for one in record.fields:
            if one.computed is None and (*path[:1], one.name) not in self._fixed:
                allowed = () if one.allowed is None else one.allowed.tests
                self.declare_type((*path, one.name), one.type, allowed, (*above, record.name))
                if one.allowed is not None:
                    known = self.place((*path, one.name), one.type, allowed)
                    self.tests(allowed, known, Here().where([one.allowed.subject], [known]))
                if one.default is not None:
                    self.settle(self.visit(one.default, Here()), one.where)

    def declare_type(
        self, path: Path, type_: Type, allowed: tuple[Test, ...], above: tuple[str, ...]
    ) -> None:
        inner = plain(type_)
        if isinstance(inner, RecordType) and inner.name not in above:
            self.declare(path, self._records[inner.name], above)
        if not is_scalar(type_):
            return
        self._declared[path] = Declared(type_, allowed)
        for name in tests_of(type_):
            restriction = self._restrictions[name]
            known = self.place(path, type_, allowed)
            self.tests(restriction.tests, known, Here().where([restriction.subject], [known]))

    def place(self, path: Path, type_: Type, allowed: tuple[Test, ...]) -> Place:
        tests = [allowed, *(self._restrictions[name].tests for name in tests_of(type_))]
        inner = plain(type_)
        bounds = None
        if isinstance(inner, NumberType) and inner.whole:
            bounds = next((found for one in tests if (found := _bounds(one)) is not None), None)
        return Place(path, type_, bounds)

    def settle(self, known: Known, where: Location | CellRef) -> None:
        """The value itself is used."""
        if isinstance(known, Settled):
            return
        if isinstance(known, Worked):
            for place in known.places:
                self.settle(place, where)
            return
        self._read.add(known.path)
        if is_record(known.type):
            self._closed.add(known.path)
        elif is_scalar(known.type) and not is_finite(known.type):
            self._by_value(known, where)

    def _by_value(self, place: Place, where: Location | CellRef) -> None:
        if place.bounds is None:
            asked = self._asked_of(place)
            asked.itself = asked.itself or where
            return
        low, high = place.bounds
        self._asked_of(place).cuts.update(Cut(at, False) for at in range(low, high + 2))

    def _asked_of(self, place: Place) -> Asked:
        self._read.add(place.path)
        return self._asked.setdefault(place.path, Asked())

    def compared(self, operator: str, known: Place | Worked, value: Value, where: Location) -> None:
        """A place, or what is worked out of some, beside a constant."""
        if isinstance(known, Worked):
            self._compared_worked(operator, known, value, where)
            return
        self._read.add(known.path)
        wanted = plain(known.type)
        if value is None or is_finite(known.type):
            return
        if isinstance(wanted, TextType) and isinstance(value, str) and operator in ("=", "!="):
            self._asked_of(known).texts.add(value)
        elif is_ordered(known.type) and isinstance(value, Date) == isinstance(wanted, DateType):
            self._asked_of(known).cuts.update(_cuts(operator, value))
        else:
            self.settle(known, where)

    def _compared_worked(self, operator: str, worked: Worked, value: Value, where: Location) -> None:
        """Of its places only matters that they say something; few values are classes."""
        few = all(place.bounds is not None for place in worked.places)
        if few or isinstance(value, bool) or not isinstance(value, int | Decimal):
            self.settle(worked, where)
            return
        for place in worked.places:
            self._asked_of(place)
        self._worked.setdefault(worked, Asked()).cuts.update(_cuts(operator, value))

    def stuck(self, reason: str, where: Location) -> None:
        self.trouble = self.trouble or Why(reason, where)


def _cuts(operator: str, value: Value) -> set[Cut]:
    same = operator in ("=", "!=")
    from_it = same or operator in ("<", ">=")
    after_it = same or operator in ("<=", ">")
    return {Cut(value, after) for after, cut in ((False, from_it), (True, after_it)) if cut}


def _bounds(tests: tuple[Test, ...]) -> tuple[int, int] | None:
    """Of `[1..6]`, where it is all that a cell says."""
    match tests:
        case (Within(low=Constant(value=int(low)), high=Constant(value=int(high))),) if (
            high - low <= MOST_BY_VALUE
        ):
            return low, high
        case _:
            return None
