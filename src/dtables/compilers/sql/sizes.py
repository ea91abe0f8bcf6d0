"""How large a number may be, as far as it is known before anything is computed.

The rules have whole numbers without end and others of 34 digits; a database has 64 bits, and decimals of a
fixed size. Where a result is sure to fit both, it is plain arithmetic. Where it may not fit, it is looked at
once it is worked out: what has no room, or would be rounded by the rules, is a problem, and never another
number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from dtables.compilers.sql import neutral as o
from dtables.compilers.sql.types import DECIMAL_PLACES, LARGEST, decimal, is_decimal, is_whole
from dtables.feel.types import WHOLE
from dtables.model.expressions import Test
from dtables.model.regions import Line, Region, Span, region

Tree = exp.Expr

DIGITS = 34
"""Of a number that is not whole; the rules round to them."""
MOST_DIGITS = 38
MOST_WHOLE = 2**63 - 1
MOST_PLACES = 24
"""Of a product; factors with more between them are brought to fewer places first."""
MOST_ITEMS = 1_000_000
"""As many as the rules put into a list."""
SELDOM_MORE = 10**12
"""A whole number out of a record or a list of unknown size: an overflow is loud in every database."""
WHOLE_NUMBERS = Line(WHOLE, Region((Span(None, None),)))


@dataclass(frozen=True, slots=True)
class Size:
    """No larger than `most`, whichever its sign, with so many decimal places. `sure`: it is no guess."""

    most: Fraction | int
    places: int = 0
    sure: bool = True

    def plus(self, other: Size) -> Size:
        return Size(self.most + other.most, max(self.places, other.places), self.sure and other.sure)

    def times(self, other: Size) -> Size:
        return Size(self.most * other.most, self.places + other.places, self.sure and other.sure)

    def with_more(self, other: Size) -> Size:
        """Of a value that may be either."""
        return Size(max(self.most, other.most), max(self.places, other.places), self.sure and other.sure)


NOTHING = Size(0)
PLAIN = Size(LARGEST, DECIMAL_PLACES)
"""A number as it is given, and as it stands in records and lists."""


def room(places: int) -> int:
    """How large a number of so many places may be: all of its digits are kept by the rules, and a type with
    no fewer places than that of a given number holds them."""
    return int(10 ** (DIGITS - max(places, DECIMAL_PLACES)))


def can_be_held(number: int | Decimal) -> bool:
    """A constant of the rules."""
    if isinstance(number, int):
        return abs(number) <= MOST_WHOLE
    size = _of_number(number)
    return size.most < LARGEST and size.places < MOST_PLACES


def has_room(size: Size, of: exp.DataType) -> bool:
    return size.most <= _most(size.places, of)


def _most(places: int, of: exp.DataType | None) -> int:
    return MOST_WHOLE if is_whole(of) else room(places)


def is_plain(size: Size) -> bool:
    return size.most <= PLAIN.most and size.places <= PLAIN.places


def with_places(of: exp.DataType, tree: Tree) -> exp.DataType:
    """The type of a column that holds the tree: a product has as many places as its factors together."""
    return decimal(max(DECIMAL_PLACES, size_of(tree).places)) if is_decimal(of) else of


def among(tests: Iterable[Test]) -> Size | None:
    """Of a whole number that passes the tests; None where they set no end to it."""
    passing = region(tuple(tests), WHOLE_NUMBERS)
    if passing is None or not passing.spans:
        return None
    low, high = passing.spans[0].low, passing.spans[-1].high
    if low is None or high is None:
        return None
    return Size(max(abs(int(low.key)), abs(int(high.key) - 1)))


# -- trees -----------------------------------------------------------------------------------------


def size_of(tree: Tree) -> Size:
    """Remembered in the tree."""
    known: Size | None = tree.meta_get("size")
    if known is None:
        known = _size(tree)
        tree.meta["size"] = known
    return known


def sized(tree: Tree, size: Size) -> Tree:
    """A column or a variable that was just made."""
    tree.meta["size"] = size
    return tree


def as_large(tree: Tree, target: Tree) -> Tree:
    """A column or a variable that stands for the tree."""
    if target.type is not None and target.type.this == exp.DType.ARRAY:
        target.meta["items"] = item_size(tree)
    elif is_whole(target.type) or is_decimal(target.type):
        target.meta["size"] = size_of(tree)
    return target


SMALL = Size(10**10)


def _size(tree: Tree) -> Size:
    match tree:
        case exp.Paren() | exp.Neg() | exp.Cast() | o.XAbs():
            return size_of(tree.this)
        case o.XTry() | o.XNarrow():
            inner = size_of(tree.this)
            places = inner.places if isinstance(tree, o.XTry) else DECIMAL_PLACES
            return Size(min(inner.most, _most(places, tree.type)), places)
        case exp.Literal() if not tree.is_string:
            return _of_number(Decimal(tree.this))
        case exp.Null():
            return NOTHING
        case exp.Case() | exp.Coalesce() | o.XLookup():
            return _widest(size_of(one) for one in _choices(tree))
        case exp.Add() | exp.Sub() | exp.Mul() | o.XDivide() | o.XModulo():
            return _reckoned(tree)
        case o.XFloor() | o.XCeiling() | o.XRound():
            return _rounded(tree)
        case o.XCount() | o.XLength() | o.XPlace() | o.XDatePart() | o.XBucket() | o.XDaysBetween():
            return SMALL
        case o.XSecondsBetween():
            return Size(10**12)
        case o.XSum():
            return item_size(tree.this).times(Size(MOST_ITEMS))
        case o.XMin() | o.XMax() | o.XItem():
            return item_size(tree.this)
        case _:
            return of_type(tree.type)


def _reckoned(tree: Tree) -> Size:
    match tree:
        case exp.Add() | exp.Sub():
            return size_of(tree.this).plus(size_of(tree.expression))
        case exp.Mul():
            return size_of(tree.this).times(size_of(tree.expression))
        case o.XDivide():
            quotient = inverse(tree.expression)
            return size_of(tree.this) if quotient is None else size_of(tree.this).times(_of_number(quotient))
        case _:
            both = size_of(tree.this).with_more(size_of(tree.expression))
            return Size(size_of(tree.expression).most, both.places, both.sure)


def _rounded(tree: Tree) -> Size:
    number = size_of(tree.this)
    places = int(tree.expression.name) if isinstance(tree, o.XRound) else 0
    return Size(number.most + 1, min(number.places, places), number.sure)


def _of_number(number: Decimal) -> Size:
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    return Size(Fraction(abs(number)), max(0, -exponent))


def of_type(of: exp.DataType | None) -> Size:
    """Of a value that nothing else is known of: a field of a record, an item of a list."""
    if of is None or not (is_whole(of) or is_decimal(of)):
        return NOTHING
    if is_whole(of):
        return Size(SELDOM_MORE, 0, sure=False)
    places = int(of.expressions[1].name)
    return PLAIN if places <= DECIMAL_PLACES else Size(room(places), places)


MOST_INVERSE = 9


def inverse(divisor: Tree) -> Decimal | None:
    """What a division by a literal multiplies by instead; None where that has no end, or a long one."""
    literal = divisor.unnest()
    if not isinstance(literal, exp.Literal) or literal.is_string or Decimal(literal.this) == 0:
        return None
    number = Decimal(literal.this)
    for places in range(MOST_INVERSE + 1):
        scaled = Decimal(10) ** places
        if scaled % number == 0:
            return (scaled // number).scaleb(-places)
    return None


def _choices(tree: Tree) -> list[Tree]:
    match tree:
        case exp.Case():
            default = tree.args.get("default")
            arms = [arm.args["true"] for arm in tree.args["ifs"]]
            return arms if default is None else [*arms, default]
        case o.XLookup():
            return list(tree.args["values"])
        case _:
            return [tree.this, *tree.expressions]


def _widest(sizes: Iterable[Size]) -> Size:
    widest = NOTHING
    for size in sizes:
        widest = widest.with_more(size)
    return widest


# -- lists -----------------------------------------------------------------------------------------


def item_size(items: Tree) -> Size:
    """Of every item of a list."""
    known: Size | None = items.meta_get("items")
    if known is None:
        known = _item_size(items)
        items.meta["items"] = known
    return known


def _item_size(items: Tree) -> Size:
    match items:
        case o.XList() | o.XCatalogue():
            return _widest(size_of(one) for one in items.expressions)
        case o.XConcat():
            return _widest(item_size(one) for one in items.expressions)
        case o.XMap():
            return size_of(items.expression.this)
        case o.XFilter() | o.XSlice() | o.XReverse() | o.XSort() | o.XDistinct() | exp.Paren():
            return item_size(items.this)
        case exp.Case() | exp.Coalesce():
            return _widest(item_size(one) for one in _choices(items))
        case o.XRange():
            return size_of(items.this).with_more(size_of(items.expression))
        case o.XPlaces():
            return SMALL
        case _:
            of = items.type
            return of_type(of.expressions[0] if of is not None and of.expressions else None)
