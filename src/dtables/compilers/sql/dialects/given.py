"""Columns of the relation, whose types only the database knows: brought to what the rules want, or null.

The database knows the type when it plans the statement; of the branches here one is left then, and a
column that has the right type is taken as it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import reduce
from typing import ClassVar

from sqlglot import exp

from dtables.compilers.sql.dialects import shapes
from dtables.compilers.sql.dialects import writing as b
from dtables.compilers.sql.dialects.lowering import FreshNames
from dtables.compilers.sql.dialects.shapes import Tree
from dtables.compilers.sql.types import DECIMAL_PLACES, LARGEST

SIMPLE = (exp.DType.BIGINT, exp.DType.TEXT, exp.DType.BOOLEAN)
"""In records and lists a value of these types needs no check: its type guarantees that it is one."""


class Given(ABC):
    """A dialect with lambdas and structs. `WHOLE` is what its `regexp_replace` does to the name of a type, so
    that whole numbers are of one type there."""

    WHOLE: ClassVar[tuple[str, ...]]

    @abstractmethod
    def scalar(self, raw: Tree, kind: exp.DataType) -> Tree:
        """Null where the raw value is not exactly one."""

    @abstractmethod
    def attempted(self, raw: Tree, kind: exp.DataType) -> Tree:
        """Cast, or null."""

    @abstractmethod
    def mapped(self, items: Tree, body: Callable[[Tree], Tree], names: FreshNames) -> Tree: ...

    @abstractmethod
    def some(self, items: Tree, condition: Callable[[Tree], Tree], names: FreshNames) -> Tree: ...

    @abstractmethod
    def field(self, record: Tree, name: str) -> Tree: ...

    @abstractmethod
    def struct(self, *fields: tuple[str, Tree]) -> Tree: ...

    @abstractmethod
    def entries(self, map_: Tree, change: Callable[[Tree], Tree]) -> Tree:
        """The map with other values."""

    # -- values --------------------------------------------------------------------------------

    def value(self, raw: Tree, kind: exp.DataType, names: FreshNames) -> Tree:
        if not shapes.is_nested(kind):
            return self.scalar(raw, kind)
        if is_simple(kind):
            return self._of_the_type(raw, kind)
        fault = b.coalesce(self._fault(raw, kind, names), b.FALSE)
        return b.either(exp.Not(this=fault), self._rebuilt(raw, kind, names))

    def _of_the_type(self, raw: Tree, kind: exp.DataType) -> Tree:
        """Its whole numbers may be of any size."""
        found = b.call("regexp_replace", typeof(raw), *map(exp.Literal.string, self.WHOLE))
        expected = typeof(shapes.cast(exp.Null(), kind))
        return b.either(exp.EQ(this=found, expression=expected), self.attempted(raw, kind))

    def _fault(self, raw: Tree, kind: exp.DataType, names: FreshNames) -> Tree:
        """Is something in it that is not what it must be?"""
        item = shapes.item_of(kind)
        if not shapes.is_nested(kind) or is_simple(kind):
            gone = exp.Is(this=self.value(raw, kind, names), expression=exp.Null())
            return exp.And(this=b.is_not_null(raw), expression=gone)
        if item is not None:
            return self.some(raw, lambda one: self._fault(one, item, names), names)
        if shapes.is_map(kind):
            values, of = b.call("map_values", raw), kind.expressions[1]
            return self.some(values, lambda one: self._fault(one, of, names), names)
        fields = shapes.fields_of(kind)
        return _any([self._fault(self.field(raw, name), of, names) for name, of in fields])

    def _rebuilt(self, raw: Tree, kind: exp.DataType, names: FreshNames) -> Tree:
        item = shapes.item_of(kind)
        if not shapes.is_nested(kind) or is_simple(kind):
            return self.value(raw, kind, names)
        if item is not None:
            return self.mapped(raw, lambda one: self._rebuilt(one, item, names), names)
        if shapes.is_map(kind):
            listed = shapes.list_of(kind.expressions[1])
            return self.entries(raw, lambda values: self._rebuilt(values, listed, names))
        fields = shapes.fields_of(kind)
        struct = self.struct(
            *((name, self._rebuilt(self.field(raw, name), of, names)) for name, of in fields)
        )
        return b.either(b.is_not_null(raw), struct)


def is_simple(kind: exp.DataType) -> bool:
    leaves = (one for one in kind.find_all(exp.DataType) if not shapes.is_nested(one))
    return all(leaf.this in SIMPLE for leaf in leaves)


def _any(conditions: list[Tree]) -> Tree:
    """A null condition counts as false."""
    joined: Tree = b.FALSE
    for one in conditions:
        joined = exp.Or(this=joined, expression=b.coalesce(one, b.FALSE))
    return joined


def typeof(raw: Tree) -> Tree:
    return b.call("typeof", raw)


def within(number: Tree, kind: exp.DataType) -> Tree:
    """Smaller than `LARGEST`, whichever its sign."""
    most = str(LARGEST - 1) if shapes.is_whole(kind) else f"{LARGEST - 1}.{'9' * DECIMAL_PLACES}"
    end = exp.Literal.number(most)
    return exp.Between(this=number, low=exp.Neg(this=end), high=end)


def in_years(day: Tree) -> Tree:
    """Of a date, or a date and time, that was cast: is it of the years that there are?"""
    kind = day.args["to"]
    ends = ("0001-01-01", "9999-12-31")
    if kind == shapes.MOMENT:
        ends = ("0001-01-01 00:00:00", "9999-12-31 23:59:59")
    first, last = (shapes.cast(exp.Literal.string(end), kind) for end in ends)
    return exp.Between(this=day, low=first, high=last)


def on_its_day(is_date: Tree, is_moment: Tree, day: Tree, moment: Tree) -> Tree:
    """A date; a date and time, null where it is none, is its day at midnight."""
    midnight = exp.EQ(this=shapes.cast(day, shapes.MOMENT), expression=moment)
    return exp.Case(
        ifs=[
            exp.If(this=exp.And(this=is_date, expression=in_years(day)), true=day),
            exp.If(this=exp.And(this=is_moment, expression=midnight), true=day),
        ]
    )


MOST_SHOWN = exp.Literal.number(60)


def spell_shown(tree: Tree, _: FreshNames) -> Tree:
    text = b.call("left", shapes.cast(tree.this, shapes.TEXT), MOST_SHOWN)
    parts = [text, exp.Literal.string(" ("), typeof(tree.this), exp.Literal.string(")")]
    return reduce(lambda before, part: exp.DPipe(this=before, expression=part), parts)


def spell_narrow(tree: Tree, _: FreshNames) -> Tree:
    narrow, wide = tree.type or shapes.BIGINT, shapes.shape_of(tree.this) or shapes.BIGINT
    found = b.try_cast(tree.this, narrow)
    return b.either(exp.EQ(this=shapes.cast(found, wide), expression=tree.this), found)
