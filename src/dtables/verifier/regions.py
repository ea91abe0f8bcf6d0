"""What a cell wants of a value, in constants alone; a cell that says more is opaque here."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from itertools import pairwise
from math import ceil, floor
from operator import and_
from typing import Any, assert_never

from dtables.feel import types
from dtables.feel.types import NumberType, Type, VocabularyType, may_be_null, plain
from dtables.feel.values import (
    Date,
    DaysDuration,
    FeelError,
    Value,
    YearsDuration,
    add,
    less,
    negate,
    order_key,
    parse_date_time,
    parse_time,
    subtract,
)
from dtables.model.expressions import (
    Belongs,
    Compared,
    Constant,
    EqualTo,
    Expression,
    Guard,
    Holds,
    InList,
    MakeList,
    MakeRange,
    NameOf,
    Negation,
    NoneOf,
    Test,
    Within,
)
from dtables.verifier.grid import Bits, stretch


@dataclass(frozen=True, slots=True)
class Is:
    value: Value


@dataclass(frozen=True, slots=True)
class Against:
    """`< 12`: an operator and what is compared with."""

    operator: str
    value: Value


@dataclass(frozen=True, slots=True)
class Between:
    low: Value
    high: Value
    low_included: bool
    high_included: bool


@dataclass(frozen=True, slots=True)
class NotAny:
    of: tuple[Wanted, ...]


Wanted = Is | Against | Between | NotAny


def wanted(tests: Iterable[Test]) -> tuple[Wanted, ...] | None:
    """None where a test says what only the evaluator can know."""
    found: list[Wanted] = []
    for test in tests:
        read = _wanted(test)
        if read is None:
            return None
        found += read
    return tuple(found)


def _wanted(test: Test) -> tuple[Wanted, ...] | None:
    match test:
        case EqualTo(value=value):
            known = constant(value)
            return None if known is None else (Is(known[0]),)
        case InList(list=MakeList(items=items)):
            listed = [_item(item) for item in items]
            return None if None in listed else tuple(one for one in listed if one is not None)
        case Compared(operator=operator, value=value):
            known = constant(value)
            return None if known is None or known[0] is None else (Against(operator, known[0]),)
        case Within(low=low, high=high, low_included=low_included, high_included=high_included):
            between = _interval(low, high, low_included, high_included)
            return None if between is None else (between,)
        case NoneOf(tests=tests):
            inner = wanted(tests)
            return None if inner is None else (NotAny(inner),)
        case InList() | Holds() | Belongs():
            return None
        case _:
            assert_never(test)


def _item(item: Expression) -> Wanted | None:
    if isinstance(item, MakeRange):
        return _interval(item.low, item.high, item.low_included, item.high_included)
    known = constant(item)
    return None if known is None else Is(known[0])


def _interval(
    low: Expression | None, high: Expression | None, low_included: bool, high_included: bool
) -> Between | None:
    ends = [(None,) if end is None else constant(end) for end in (low, high)]
    if ends[0] is None or ends[1] is None:
        return None
    if (low is not None and ends[0][0] is None) or (high is not None and ends[1][0] is None):
        return None
    return Between(ends[0][0], ends[1][0], low_included, high_included)


def constant(expression: Expression) -> tuple[Value] | None:
    """The value that an expression has by itself; of a name its id."""
    match expression:
        case Constant(value=value):
            return (value,)
        case NameOf(id=id_):
            return (id_,)
        case Guard(operand=operand):
            return constant(operand)
        case Negation(operand=operand):
            known = constant(operand)
            return None if known is None else _negative(known[0])
        case _:
            return None


def _negative(value: Value) -> tuple[Value] | None:
    try:
        return (negate(value),)
    except FeelError:
        return None


def values_in(tests: Iterable[Wanted]) -> Iterator[Value]:
    """The values at which the tests change their minds."""
    for test in tests:
        match test:
            case Is(value=value) | Against(value=value):
                yield value
            case Between(low=low, high=high):
                yield from (low, high)
            case NotAny(of=of):
                yield from values_in(of)
            case _:
                assert_never(test)


# -- axes ----------------------------------------------------------------------------------------
# The values of a column cut into atoms: what no cell of the column tells apart is one.

SECOND, DAY, MONTH = DaysDuration(10**9), DaysDuration(86_400 * 10**9), YearsDuration(1)


@dataclass(frozen=True, slots=True)
class Atom:
    """`value` is one of its values. Of ordered values all between two ends, or with `low` and `high` the
    same, one; an end that is None is open."""

    value: Value
    low: Value = None
    high: Value = None
    rest: bool = False
    """All texts that no cell names."""


@dataclass(frozen=True)
class Axis:
    """The last atom may be null. `places` has the atom of each value where values have no order. Where they
    have one, `keys` are the cuts; `ranks[2n]` is the first atom of the stretch before cut n, `ranks[2n + 1]`
    the atom of the cut itself. A stretch without values has no atom, and the rank of what comes next."""

    atoms: tuple[Atom, ...]
    null: bool
    places: dict[Value, int]
    keys: tuple[Any, ...] = ()
    ranks: tuple[int, ...] = ()

    @property
    def full(self) -> Bits:
        return (1 << len(self.atoms)) - 1

    @property
    def nothing(self) -> Bits:
        """The atom of null alone."""
        return 1 << (len(self.atoms) - 1) if self.null else 0

    @property
    def ordered(self) -> bool:
        return bool(self.ranks)


_ORDERED = (types.DATE, types.TIME, types.DATE_TIME, types.DAYS_DURATION, types.YEARS_DURATION)


def is_ordered(type_: Type) -> bool:
    kind = plain(type_)
    return isinstance(kind, NumberType) or kind in _ORDERED


def can_be_cut(type_: Type) -> bool:
    kind = plain(type_)
    return is_ordered(kind) or isinstance(kind, VocabularyType) or kind in (types.BOOLEAN, types.TEXT)


def fits_kind(type_: Type, tests: Iterable[Wanted]) -> bool:
    """Only values that have an order are compared."""
    return all(_fits_kind(type_, test) for test in tests)


def _fits_kind(type_: Type, test: Wanted) -> bool:
    match test:
        case Is():
            return True
        case Against() | Between():
            return is_ordered(type_)
        case NotAny(of=of):
            return fits_kind(type_, of)
        case _:
            assert_never(test)


def axis(type_: Type, cuts: Iterable[Value], names: Sequence[str]) -> Axis:
    """`names` are a vocabulary's; `cuts` the values that cells name."""
    kind, null = plain(type_), may_be_null(type_)
    named = [value for value in dict.fromkeys(cuts) if value is not None]
    if is_ordered(kind):
        return _ordered(kind, named, null)
    if isinstance(kind, VocabularyType):
        return _listed([Atom(name) for name in names], null)
    if kind == types.BOOLEAN:
        return _listed([Atom(True), Atom(False)], null)
    return _listed([*map(Atom, named), Atom(_another(named), rest=True)], null)


def limited(
    type_: Type, cuts: Iterable[Value], names: Sequence[str], limits: Iterable[tuple[Wanted, ...]]
) -> tuple[Axis, Bits]:
    """The axis that is cut where the limits cut it too, and the atoms that all limits let through."""
    fitting = [limit for limit in limits if fits_kind(type_, limit)]
    made = axis(type_, [*cuts, *(value for limit in fitting for value in values_in(limit))], names)
    return made, reduce(and_, (bits_of(limit, made) | made.nothing for limit in fitting), made.full)


def _listed(atoms: list[Atom], null: bool) -> Axis:
    places = {atom.value: n for n, atom in enumerate(atoms) if not atom.rest}
    return Axis((*atoms, Atom(None)) if null else tuple(atoms), null, places)


def _another(texts: Sequence[str]) -> str:
    other = "other"
    while other in texts:
        other += "…"
    return other


# -- ordered values ----------------------------------------------------------------------------


def _ordered(kind: Type, named: list[Value], null: bool) -> Axis:
    """Between the cuts there are stretches, before the first and after the last too, where they hold any
    value at all."""
    by_key = {order_key(value): value for value in sorted(named, key=order_key)}
    cuts = list(by_key.values())
    ends = [None, *cuts, None]
    atoms: list[Atom] = []
    ranks: list[int] = []
    for low, high in pairwise(ends):
        ranks.append(len(atoms))
        between = _between(kind, low, high)
        atoms += [] if between is None else [Atom(between, low, high)]
        ranks.append(len(atoms))
        if high is not None and _possible(kind, high):
            atoms.append(Atom(high, high, high))
    ranks.append(len(atoms))
    ends_at = (*atoms, Atom(None)) if null else tuple(atoms)
    return Axis(ends_at, null, {}, tuple(by_key), tuple(ranks))


def _possible(kind: Type, value: Value) -> bool:
    whole = isinstance(kind, NumberType) and kind.whole
    return not whole or value == int(value)


def _between(kind: Type, low: Value, high: Value) -> Value | None:
    """A value inside the open stretch; None where there is none."""
    if isinstance(kind, NumberType):
        return _number_between(kind.whole, low, high)
    return _moment_between(kind, low, high)


def _number_between(whole: bool, low: Value, high: Value) -> Value | None:
    if low is None and high is None:
        return 0
    if low is None:
        return ceil(high) - 1
    after = floor(low) + 1
    if high is None or after < high:
        return after
    return None if whole else add(Decimal(low) + (Decimal(high) - Decimal(low)) / 2, 0)


def _moment_between(kind: Type, low: Value, high: Value) -> Value | None:
    """A day, a second or a month from an end: finer steps are not looked at."""
    step, some = _STEPS[kind]
    if low is None and high is None:
        return some
    found = _moved(add, low, step) if low is not None else _moved(subtract, high, step)
    return found if _apart(low, found) and _apart(found, high) else None


_STEPS: dict[Type, tuple[Value, Value]] = {
    types.DATE: (DAY, Date(2000, 1, 1)),
    types.TIME: (SECOND, parse_time("12:00:00")),
    types.DATE_TIME: (SECOND, parse_date_time("2000-01-01T12:00:00")),
    types.DAYS_DURATION: (SECOND, DAY),
    types.YEARS_DURATION: (MONTH, MONTH),
}


def _moved(how: Callable[[Value, Value], Value], value: Value, by: Value) -> Value:
    """At the ends of the calendar it stays where it is."""
    try:
        return how(value, by)
    except FeelError:
        return value


def _apart(earlier: Value, later: Value) -> bool:
    return earlier is None or later is None or bool(less(earlier, later))


# -- cells as atoms ----------------------------------------------------------------------------


def bits_of(tests: Iterable[Wanted], on: Axis) -> Bits:
    """The atoms whose values pass one of the tests."""
    return _passing(tests, on)[0]


def atom_of(value: Value, on: Axis) -> Bits:
    """The atom of any value, also of one that no cell names; nothing where there is none."""
    if value is None:
        return on.nothing
    if not on.ordered:
        rest = (1 << n for n, atom in enumerate(on.atoms) if atom.rest)
        return 1 << on.places[value] if value in on.places else next(rest, 0)
    key = order_key(value)
    cut = bisect_left(on.keys, key)
    named = cut < len(on.keys) and on.keys[cut] == key
    first = 2 * cut + 1 if named else 2 * cut
    return stretch(on.ranks[first], on.ranks[first + 1])


def _passing(tests: Iterable[Wanted], on: Axis) -> tuple[Bits, Bits]:
    """Those that pass a test, and those of which no test can say it: null has no place in an order."""
    passing = unsaid = 0
    for test in tests:
        match test:
            case Is(value=None):
                passing |= on.nothing
            case Is(value=value):
                passing |= _equal(value, on)
            case Against(operator=operator, value=value):
                passing |= _against(operator, value, on)
                unsaid |= on.nothing
            case Between(low=low, high=high, low_included=low_included, high_included=high_included):
                passing |= _against(">=" if low_included else ">", low, on) & _against(
                    "<=" if high_included else "<", high, on
                )
                unsaid |= on.nothing
            case NotAny(of=of):
                inside, unclear = _passing(of, on)
                passing |= on.full & ~inside & ~unclear
                unsaid |= unclear
            case _:
                assert_never(test)
    return passing, unsaid & ~passing


def _equal(value: Value, on: Axis) -> Bits:
    if not on.ordered:
        return 1 << on.places[value] if value in on.places else 0
    cut = bisect_left(on.keys, order_key(value))
    return stretch(on.ranks[2 * cut + 1], on.ranks[2 * cut + 2])


def _against(operator: str, value: Value, on: Axis) -> Bits:
    end = on.ranks[-1]
    if value is None:
        return stretch(0, end)
    cut = bisect_left(on.keys, order_key(value))
    before, after = on.ranks[2 * cut + 1], on.ranks[2 * cut + 2]
    match operator:
        case "<":
            return stretch(0, before)
        case "<=":
            return stretch(0, after)
        case ">":
            return stretch(after, end)
        case ">=":
            return stretch(before, end)
        case "!=":
            return stretch(0, before) | stretch(after, end)
        case _:
            return stretch(before, after)
