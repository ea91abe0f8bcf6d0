"""Expressions over the fields of an item, for many items at once: whole numbers with a common scale, truths.

Whatever cannot be said in 64 bits and exactly is `Unsayable`: then the items are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import reduce
from typing import TYPE_CHECKING, Any

from dtables.feel.types import BooleanType, NumberType, plain
from dtables.flat.columns import Binary, Cells, Truth, Whole
from dtables.flat.places import Why
from dtables.model.expressions import (
    Arithmetic,
    Compared,
    Comparison,
    Conditional,
    Constant,
    EqualTo,
    Expression,
    FieldOf,
    Guard,
    InList,
    Logic,
    MakeList,
    Matches,
    NameOf,
    Negation,
    NoneOf,
    Not,
    Read,
    Test,
    Within,
)
from dtables.model.tables import Field, Record
from dtables.provenance import CellRef, Location

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

FARTHEST = 1 << 62
MOST_DECIMALS = 6
SURE_BINARY = 10**15
"""Below it a decimal of fifteen digits and its binary fraction tell each other."""


class Unsayable(Exception):
    def __init__(self, reason: str, where: Location | CellRef | None) -> None:
        super().__init__(reason)
        self.why = Why(reason, where)


@dataclass(frozen=True, slots=True)
class Numbers:
    """`values` (an array, or one for all) over ten to the `decimals`, from `low` to `high`."""

    values: Any
    decimals: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Items:
    """What terms read: an item's fields as columns; of names their numbers in their vocabulary, as `numbered`
    has them too. `variables` stand for the item, `bound` are those that stand for expressions over it."""

    record: Record
    cells: Mapping[str, Cells]
    names: Mapping[str, Array]
    numbered: Mapping[str, Mapping[str, int]]
    variables: frozenset[int]
    bound: Mapping[int, Expression]

    def where(self, variable: int, value: Expression) -> Items:
        return replace(self, bound={**self.bound, variable: value})


def numbers(node: Expression, items: Items) -> Numbers:
    """FEEL's numbers; a null is no matter here: who asks leaves out items with one."""
    match node:
        case Constant(value=bool()):
            raise Unsayable("this is no number", node.where)
        case Constant(value=int(value)):
            return Numbers(value, 0, value, value)
        case Constant(value=Decimal() as value):
            return _decimal(value, node.where)
        case Guard(operand=operand):
            return numbers(operand, items)
        case Read(variable=variable) if variable.number in items.bound:
            return numbers(items.bound[variable.number], items)
        case FieldOf(of=Read(variable=variable), name=name) if variable.number in items.variables:
            return _field_numbers(name, node, items)
        case Negation(operand=operand):
            of = numbers(operand, items)
            return Numbers(-of.values, of.decimals, -of.high, -of.low)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            one, other = _alike(numbers(then, items), numbers(otherwise, items))
            values = either(truths(condition, items), one.values, other.values)
            return _within(values, one.decimals, min(one.low, other.low), max(one.high, other.high), node)
        case Arithmetic(operator="+" | "-" | "*" as operator, left=left, right=right):
            return _worked_out(operator, numbers(left, items), numbers(right, items), node)
        case _:
            raise Unsayable("this is worked out item by item", node.where)


def truths(node: Expression, items: Items) -> Any:
    """An array of truths, or one for all."""
    match node:
        case Constant(value=bool(value)):
            return value
        case Guard(operand=operand):
            return truths(operand, items)
        case Read(variable=variable) if variable.number in items.bound:
            return truths(items.bound[variable.number], items)
        case FieldOf(of=Read(variable=variable), name=name) if variable.number in items.variables:
            return _field_truths(name, node, items)
        case Not(operand=operand):
            return _not(truths(operand, items))
        case Logic(operator=operator, left=left, right=right):
            one, other = truths(left, items), truths(right, items)
            return one & other if operator == "and" else one | other
        case Comparison(operator=operator, left=left, right=right):
            return _compared(operator, left, right, items)
        case Matches(value=value, subject=subject, tests=tests):
            return passing(tests, value, items.where(subject.number, value))
        case _:
            raise Unsayable("this is worked out item by item", node.where)


def passing(tests: tuple[Test, ...], value: Expression, items: Items) -> Any:
    """Whether one of the tests holds; without tests, any value."""
    if not tests:
        return True
    return reduce(lambda one, other: one | other, (_passes(test, value, items) for test in tests))


def _passes(test: Test, value: Expression, items: Items) -> Any:
    match test:
        case EqualTo(value=other):
            return _compared("=", value, other, items)
        case Compared(operator=operator, value=other):
            return _compared(operator, value, other, items)
        case InList(list=MakeList(items=others)):
            found: Any = False
            for other in others:
                found = found | _compared("=", value, other, items)
            return found
        case Within(low=low, high=high, low_included=from_low, high_included=to_high):
            above = True if low is None else _compared(">=" if from_low else ">", value, low, items)
            below = True if high is None else _compared("<=" if to_high else "<", value, high, items)
            return above & below
        case NoneOf(tests=tests):
            return _not(passing(tests, value, items))
        case _:
            raise Unsayable("this is worked out item by item", test.where)


def names(node: Expression, items: Items) -> Array | None:
    """The numbers of names in their vocabulary; None where the node is no item's name."""
    match node:
        case Guard(operand=operand):
            return names(operand, items)
        case Read(variable=variable) if variable.number in items.bound:
            return names(items.bound[variable.number], items)
        case FieldOf(of=Read(variable=variable), name=name) if variable.number in items.variables:
            field = field_of(items.record, name)
            return items.names.get(name) if field.computed is None else names(field.computed, items)
        case _:
            return None


def field_of(record: Record, name: str) -> Field:
    return next(field for field in record.fields if field.name == name)


# -- fields ------------------------------------------------------------------------------------


def _field_numbers(name: str, node: Expression, items: Items) -> Numbers:
    field = field_of(items.record, name)
    if field.computed is not None:
        return numbers(field.computed, items)
    cells = items.cells.get(name)
    if isinstance(plain(field.type), NumberType):
        if isinstance(cells, Whole):
            return _whole(cells.values)
        if isinstance(cells, Binary):
            return _scaled(cells.values, node)
    raise Unsayable(f"`{name}` is no column of numbers", node.where)


def _field_truths(name: str, node: Expression, items: Items) -> Any:
    field = field_of(items.record, name)
    if field.computed is not None:
        return truths(field.computed, items)
    cells = items.cells.get(name)
    if isinstance(plain(field.type), BooleanType) and isinstance(cells, Truth):
        return cells.values
    raise Unsayable(f"`{name}` is no column of truths", node.where)


def _whole(values: Array) -> Numbers:
    import numpy as np

    if not len(values):
        return Numbers(values.astype(np.int64), 0, 0, 0)
    return Numbers(values.astype(np.int64), 0, int(values.min()), int(values.max()))


def _scaled(values: Array, node: Expression) -> Numbers:
    """Binary fractions as the decimals they are meant to be, if few digits say all of them."""
    import numpy as np

    if not np.isfinite(values).all():
        raise Unsayable("there are values that are no numbers", node.where)
    wide = values.astype(np.float64, copy=False)
    for decimals in range(MOST_DECIMALS + 1):
        scaled = np.rint(wide * 10.0**decimals)
        if not len(scaled) or (
            np.array_equal(scaled / 10.0**decimals, wide) and np.abs(scaled).max() < SURE_BINARY
        ):
            whole = _whole(scaled)
            return Numbers(whole.values, decimals, whole.low, whole.high)
    raise Unsayable("there are numbers with many digits", node.where)


def _decimal(value: Decimal, where: Location) -> Numbers:
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or not -MOST_DECIMALS <= exponent <= 0 or len(digits) > 15:
        raise Unsayable("a number with many digits", where)
    scaled = int(value.scaleb(-exponent))
    return Numbers(scaled, -exponent, scaled, scaled)


# -- operations --------------------------------------------------------------------------------


def _alike(one: Numbers, other: Numbers) -> tuple[Numbers, Numbers]:
    """With the same decimals."""
    decimals = max(one.decimals, other.decimals)
    return _shifted(one, decimals), _shifted(other, decimals)


def _shifted(of: Numbers, decimals: int) -> Numbers:
    by = 10 ** (decimals - of.decimals)
    if max(abs(of.low), abs(of.high)) * by > FARTHEST:
        raise Unsayable("numbers that are too large", None)
    return of if by == 1 else Numbers(of.values * by, decimals, of.low * by, of.high * by)


def _within(values: Any, decimals: int, low: int, high: int, node: Expression) -> Numbers:
    if max(abs(low), abs(high)) > FARTHEST:
        raise Unsayable("numbers that are too large", node.where)
    return Numbers(values, decimals, low, high)


def _worked_out(operator: str, left: Numbers, right: Numbers, node: Expression) -> Numbers:
    if operator == "*":
        ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        _within(0, 0, min(ends), max(ends), node)
        return Numbers(left.values * right.values, left.decimals + right.decimals, min(ends), max(ends))
    one, other = _alike(left, right)
    if operator == "-":
        other = Numbers(-other.values, other.decimals, -other.high, -other.low)
    low, high = one.low + other.low, one.high + other.high
    _within(0, 0, low, high, node)
    return Numbers(one.values + other.values, one.decimals, low, high)


def _compared(operator: str, left: Expression, right: Expression, items: Items) -> Any:
    named = names(left, items)
    if named is not None:
        return _same_name(operator, named, right, items)
    if isinstance(plain(left.type), BooleanType):
        same = truths(left, items) == truths(right, items)
        return same if operator == "=" else _not(same)
    one, other = _alike(numbers(left, items), numbers(right, items))
    return _ORDERS[operator](one.values, other.values)


def _same_name(operator: str, named: Array, right: Expression, items: Items) -> Any:
    if operator not in ("=", "!=") or not isinstance(right, NameOf):
        raise Unsayable("this is worked out item by item", right.where)
    same = named == items.numbered[right.vocabulary][right.id]
    return same if operator == "=" else ~same


def either(condition: Any, one: Any, other: Any) -> Any:
    """Of whole numbers. Without a branch, where a processor would guess wrongly half of the time: numpy's own
    `where` takes three times as long."""
    import numpy as np

    if isinstance(condition, bool):
        return one if condition else other
    return other ^ ((one ^ other) & -condition.astype(np.int64))


def _not(truth: Any) -> Any:
    return (not truth) if isinstance(truth, bool) else ~truth


_ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
