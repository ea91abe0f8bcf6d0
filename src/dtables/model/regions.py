"""Which values a cell lets through, for every type whose values stand on a line.

Such a type has a key for each of its values: a number or a text is its own, a date its day, a time its
second, a duration its nanoseconds or months, a name or truth value its place among all there are. A region is
some stretches of the line of keys, and whether null belongs to it; null has no key. It holds in every engine:
a value passes a cell just where the cell's region has it.

Some values of a type have no key on a line (a time with an offset where the others have none), and some cells
no region (they read other values). There only evaluation can tell.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import ceil, floor
from typing import NamedTuple, assert_never

from dtables.feel.types import (
    BOOLEAN,
    AnyType,
    BooleanType,
    DateTimeType,
    DateType,
    DaysDurationType,
    ListType,
    NumberType,
    RestrictedType,
    TextType,
    TimeType,
    Type,
    UnknownType,
    VocabularyType,
    YearsDurationType,
    may_be_null,
    plain,
    without_null,
)
from dtables.feel.values import (
    Date,
    DateTime,
    DaysDuration,
    FeelError,
    Row,
    Time,
    Value,
    YearsDuration,
    day_text,
    moment_text,
    negation,
    order_key,
    parse_date,
    parse_date_time,
)
from dtables.model.constants import NoConstant, computed
from dtables.model.expressions import (
    Arithmetic,
    Belongs,
    Compared,
    Constant,
    EachOf,
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
    Not,
    Test,
    Within,
)

Number = int | Decimal
Key = Number | str
"""Those of one line are all numbers or all texts."""

Names = Mapping[str, Sequence[str]]
"""The ids of each vocabulary, by its name."""

# -- regions -------------------------------------------------------------------------------------


class Cut(NamedTuple):
    """A place between two keys: in front of `key`, or behind it. `Line.cut` makes them."""

    key: Key
    behind: bool


class Span(NamedTuple):
    """The keys between two cuts; an end that is None is open."""

    low: Cut | None
    high: Cut | None


@dataclass(frozen=True, slots=True)
class Region:
    """`spans` are sorted, hold something each, and do not touch: two regions of a line that hold the same are
    equal."""

    spans: tuple[Span, ...] = ()
    null: bool = False

    def __or__(self, other: Region) -> Region:
        return Region(_joined((*self.spans, *other.spans)), self.null or other.null)

    def __and__(self, other: Region) -> Region:
        null = self.null and other.null
        if other.spans == _EVERYTHING:
            return self if null == self.null else Region(self.spans, null)
        return Region(tuple(_overlaps(self.spans, other.spans)), null)

    def __sub__(self, other: Region) -> Region:
        return Region(tuple(_overlaps(self.spans, _gaps(other.spans))), self.null and not other.null)

    def __bool__(self) -> bool:
        return self.null or bool(self.spans)

    def meets(self, other: Region) -> bool:
        """Say whether the regions share a value."""
        return (self.null and other.null) or any(True for _ in _overlaps(self.spans, other.spans))

    def holds(self, other: Region) -> bool:
        """Say whether every value of the other belongs to this one."""
        return not other - self

    def has(self, key: Key) -> bool:
        """Say whether a value belongs to it, by its key; null has none."""
        place: tuple[Cut, ...] = (Cut(key, False),)
        before = bisect_right(self.spans, place, key=_start)
        return before > 0 and _below(place[0], self.spans[before - 1].high)


NOTHING = Region()
_EVERYTHING = (Span(None, None),)


def _start(span: Span) -> tuple[Cut, ...]:
    """What spans are sorted by: an open start comes first."""
    return () if span.low is None else (span.low,)


def _end(span: Span) -> tuple[bool, tuple[Cut, ...]]:
    """The same of where they end: an open end comes last."""
    return (True, ()) if span.high is None else (False, (span.high,))


def _below(cut: Cut | None, end: Cut | None) -> bool:
    """Is there room between where a span starts and where it ends?"""
    return cut is None or end is None or cut < end


def _spans(low: Cut | None, high: Cut | None) -> tuple[Span, ...]:
    return (Span(low, high),) if _below(low, high) else ()


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    found: list[Span] = []
    for span in sorted(spans, key=_start):
        last = found[-1] if found else None
        if last is None or _apart(last, span):
            found.append(span)
        else:
            found[-1] = Span(last.low, max(last, span, key=_end).high)
    return tuple(found)


def _apart(one: Span, later: Span) -> bool:
    return one.high is not None and later.low is not None and one.high < later.low


def _overlaps(some: Sequence[Span], others: Sequence[Span]) -> Iterator[Span]:
    """What both hold, span by span."""
    a = b = 0
    while a < len(some) and b < len(others):
        ends_first = _end(some[a]) <= _end(others[b])
        low, high = max(some[a], others[b], key=_start).low, (some[a] if ends_first else others[b]).high
        yield from _spans(low, high)
        a, b = (a + 1, b) if ends_first else (a, b + 1)


def _gaps(spans: Sequence[Span]) -> tuple[Span, ...]:
    """What no span holds."""
    low: Cut | None = None
    found: list[Span] = []
    for span in spans:
        if span.low is not None:
            found.append(Span(low, span.low))
        if span.high is None:
            return tuple(found)
        low = span.high
    return (*found, Span(low, None))


# -- lines ---------------------------------------------------------------------------------------

SECOND = 10**9
DAY = 86_400
MOST_OFFSET = 18 * 3600
_FIRST_DAY, _LAST_DAY = Date(-999_999_999, 1, 1).number, Date(999_999_999, 12, 31).number


@dataclass(frozen=True)
class Line:
    """The keys of a type. `names` are all values of a type with a closed list of them; of a narrowed
    vocabulary those of the one that it narrows, since any of them may come where one is expected. `offset`:
    of times, and dates with times, only those with an offset have keys, or only those without."""

    type: Type
    full: Region
    names: tuple[str | bool, ...] = ()
    offset: bool = False

    @property
    def nullable(self) -> bool:
        """Whether null is one of the values."""
        return self.full.null

    @cached_property
    def whole(self) -> bool:
        """Whether the keys are whole numbers."""
        match self.type:
            case NumberType(whole=whole):
                return whole
            case _:
                return not isinstance(self.type, TextType)

    def cut(self, key: Key, behind: bool) -> Cut:
        """A place in the one form that it has: where keys are whole, behind 3 is in front of 4 and in front
        of 2.5 in front of 3; in front of the text that comes right after another is behind that other."""
        if isinstance(key, str):
            return Cut(key[:-1], True) if not behind and key.endswith("\0") else Cut(key, behind)
        if not self.whole:
            return Cut(key, behind)
        return Cut(floor(key) + 1 if behind else ceil(key), False)

    def key(self, value: Value) -> Key | None:
        """None for null, and for a value without a place here."""
        if self.names:
            return self._place_of_name(value)
        if not isinstance(self.type, _LINES.get(type(value), ())):
            return None
        if isinstance(value, Date):
            return value.number
        if isinstance(value, Time | DateTime):
            return self._second(value)
        key: Number | str = order_key(value)
        if self.whole and isinstance(key, Decimal):
            return int(key) if key == int(key) else None
        return key

    def _second(self, value: Time | DateTime) -> int | None:
        has_offset, second = order_key(value)
        return int(second) if has_offset is self.offset else None

    def _place_of_name(self, value: Value) -> int | None:
        if isinstance(value, Row):
            mine = isinstance(self.type, VocabularyType) and self.type.root == value.vocabulary
            return self._places.get(value.id) if mine else None
        kind = bool if self.type == BOOLEAN else str
        return self._places.get(value) if type(value) is kind else None

    @cached_property
    def _places(self) -> dict[str | bool, int]:
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def each(self) -> dict[str | bool, tuple[Span, ...]]:
        """What passes where just one of the names does."""
        cuts = [Cut(place, False) for place in range(len(self.names) + 1)]
        return {name: (Span(*cuts[n : n + 2]),) for n, name in enumerate(self.names)}

    def value(self, key: Key) -> Value:
        """A value with this key; of keyed data the id of a row."""
        if isinstance(key, str):
            return key
        match self.type:
            case BooleanType() | VocabularyType():
                return self.names[int(key)]
            case DateType():
                return parse_date(day_text(int(key)))
            case TimeType():
                return _time(int(key), self.offset)
            case DateTimeType():
                return _moment(int(key), self.offset)
            case DaysDurationType():
                return DaysDuration(int(key))
            case YearsDurationType():
                return YearsDuration(int(key))
            case _:
                return key

    def passes(self, region: Region, value: Value) -> bool | None:
        """Does the region have the value? None where the line has no place for it."""
        if value is None:
            return region.null if self.nullable else None
        key = self.key(value)
        return None if key is None else region.has(key)

    def holding(self, values: Iterable[Value]) -> Region | None:
        """The region of just these values, perhaps null too; None where the line has no place for one."""
        listed = list(values)
        keys = [self.key(value) for value in listed if value is not None]
        if None in keys or (len(keys) < len(listed) and not self.nullable):
            return None
        points = (Span(self.cut(key, False), self.cut(key, True)) for key in keys if key is not None)
        return Region(_joined(points), len(keys) < len(listed))

    def keys(self, of: Region, most: int = 10_000) -> Sequence[Key] | None:
        """All keys of a region, null apart; None where they cannot be listed, or are too many."""
        found: list[Key] = []
        for low, high in of.spans:
            if low is None or high is None:
                return None
            if not self.whole:
                if low.key != high.key:
                    return None
                found.append(low.key)
            elif len(found) + _number(high) - _number(low) > most:
                return None
            else:
                found.extend(range(_number(low), _number(high)))
        return found

    def key_in(self, span: Span) -> Key:
        """A plain key of a span that holds something: near the end that is not the line's own, the lower one
        before the upper one."""
        own = self.full.spans[0]
        low, high = (None if end == limit else end for end, limit in zip(span, own, strict=True))
        if isinstance(self.type, TextType):
            return _text_in(low, high)
        if self.names:
            return _number(span.low)
        if low is None and high is None:
            return _USUAL.get(type(self.type), 0)
        if self.whole:
            return self._whole_in(low, high)
        return _number_in(low, high)

    def _whole_in(self, low: Cut | None, high: Cut | None) -> int:
        """Of durations whole seconds where there are any."""
        step = SECOND if isinstance(self.type, DaysDurationType) else 1
        if low is None:
            return (_number(high) - 1) // step * step
        first = _number(low)
        rounded = -(-first // step) * step
        return rounded if high is None or rounded < _number(high) else first


_LINES: dict[type, type[Type]] = {
    int: NumberType,
    Decimal: NumberType,
    str: TextType,
    Date: DateType,
    Time: TimeType,
    DateTime: DateTimeType,
    DaysDuration: DaysDurationType,
    YearsDuration: YearsDurationType,
}
_USUAL: dict[type, int] = {
    DateType: Date(2000, 1, 1).number,
    TimeType: DAY // 2,
    DateTimeType: Date(2000, 1, 1).number * DAY + DAY // 2,
    DaysDurationType: DAY * SECOND,
    YearsDurationType: 1,
}


def line_of(type_: Type, names: Names, cells: Iterable[Sequence[Test]] = ()) -> Line | None:
    """None where values of the type have no keys. Of a column of times its cells say whether those with an
    offset have keys."""
    kind, null = plain(type_), may_be_null(type_)
    match kind:
        case VocabularyType(root=root):
            known = tuple(names[root]) if root in names else ()
            return _closed(VocabularyType(root, root), known, null) if known else None
        case BooleanType():
            return _closed(kind, (False, True), null)
        case NumberType() | DaysDurationType() | YearsDurationType():
            return Line(kind, Region((Span(None, None),), null))
        case TextType():
            return Line(kind, Region((Span(Cut("", False), None),), null))
        case DateType():
            return Line(kind, _from_to(_FIRST_DAY, _LAST_DAY, null))
        case TimeType() | DateTimeType():
            offset = any(_has_offset(value) for tests in cells for value in constants_in(tests))
            return _of_times(kind, null, offset)
        case _:
            return None


def _has_offset(value: Value) -> bool:
    return isinstance(value, Time | DateTime) and bool(order_key(value)[0])


def _closed(kind: Type, names: tuple[str | bool, ...], null: bool) -> Line:
    return Line(kind, _from_to(0, len(names) - 1, null), names)


def _from_to(first: int, last: int, null: bool) -> Region:
    return Region((Span(Cut(first, False), Cut(last + 1, False)),), null)


def _of_times(kind: Type, null: bool, offset: bool) -> Line:
    """The keys of times with an offset are seconds in UTC, where the day may be another."""
    more = MOST_OFFSET if offset else 0
    first, last = (
        (0, DAY - 1) if isinstance(kind, TimeType) else (_FIRST_DAY * DAY, (_LAST_DAY + 1) * DAY - 1)
    )
    return Line(kind, _from_to(first - more, last + more, null), (), offset)


def _time(second: int, offset: bool) -> Time:
    """With an offset such that the second lies on the clock."""
    east = MOST_OFFSET if second < 0 else -MOST_OFFSET if second >= DAY else 0
    on_clock = second + east
    return Time(on_clock // 3600, on_clock // 60 % 60, on_clock % 60, 0, east if offset else None)


def _moment(second: int, offset: bool) -> DateTime:
    before, after = second < _FIRST_DAY * DAY, second >= (_LAST_DAY + 1) * DAY
    east = MOST_OFFSET if before else -MOST_OFFSET if after else 0
    local = parse_date_time(moment_text(second + east, SECOND))
    clock = local.time
    return DateTime(local.date, Time(clock.hour, clock.minute, clock.second, 0, east if offset else None))


def _number(cut: Cut | None) -> int:
    assert cut is not None and isinstance(cut.key, int)
    return cut.key


def _number_in(low: Cut | None, high: Cut | None) -> Number:
    """At least one end is there."""
    if low is None:
        return ceil(_exactly(high)) - 1
    least = _exactly(low)
    if not low.behind:
        return least
    after = floor(least) + 1
    return after if high is None or after < _exactly(high) else _between(least, _exactly(high))


def _exactly(cut: Cut | None) -> Number:
    assert cut is not None and not isinstance(cut.key, str)
    return cut.key


def _between(least: Number, most: Number) -> Decimal:
    """The middle of two, or what is near to it where the middle has too many digits for a number."""
    middle = (Fraction(least) + Fraction(most)) / 2
    for digits in count(1):
        found = floor(middle * 10**digits)
        if middle * 10**digits == found or (digits >= 34 and Fraction(found, 10**digits) > least):
            return Decimal(f"{found}E-{digits}")
    raise AssertionError


def _text_in(low: Cut | None, high: Cut | None) -> str:
    if low is None:
        return "other" if _below(Cut("other", False), high) else ""
    text = str(low.key)
    if not low.behind:
        return text
    return next(text + end for end in ("…", "\0") if _below(Cut(text + end, False), high))


# -- what a cell lets through --------------------------------------------------------------------


def region(tests: Sequence[Test], line: Line, names: Names | None = None) -> Region | None:
    """What passes one of the tests; without tests everything does. None where only evaluation can tell. With
    `names` it is known what `each colour` holds."""
    spans = _Reading(line, names or {}).any_of(tests)
    if spans is None:
        return None
    null = line.nullable and what_of_null(tests) is OfNull.PASSES
    if line.names and spans and None not in (spans[0].low, spans[-1].high):
        return Region(spans, null)
    return Region(spans, null) & line.full


def without_key(tests: Sequence[Test]) -> bool | Test | None:
    """Whether a cell with a region lets a value through that has no key on its line (a time with an offset
    among times without); of a cell that fails of it, since the two have no order, the test that does. None
    where only evaluation can tell."""
    for test in tests:
        found = _without_key(test)
        if found is not False:
            return found
    return not tests


def _without_key(test: Test) -> bool | Test | None:
    match test:
        case EqualTo():
            return False
        case Compared(operator="!="):
            return True
        case Compared() | Within():
            return test
        case NoneOf(tests=tests) if tests:
            inside = without_key(tests)
            return not inside if isinstance(inside, bool) else inside
        case _:
            return None


def extent(type_: Type, line: Line, names: Names, restrictions: Mapping[str, Sequence[Test]]) -> Region:
    """Of the line of a type, what its narrowing and its restrictions (their tests, by name) allow, as far as
    that can be said; null where the type has `?`. Records are held to it; what rules work out is not."""
    found = line.full
    while True:
        type_ = without_null(type_)
        if isinstance(type_, VocabularyType):
            allowed = line.holding(names[type_.name]) if type_.name in names else None
            return found if allowed is None else found & (allowed | _null_of(found))
        if not isinstance(type_, RestrictedType):
            return found
        allowed = region(restrictions.get(type_.name, ()), line, names)
        found = found if allowed is None else found & (allowed | _null_of(found))
        type_ = type_.of


def _null_of(found: Region) -> Region:
    return Region((), found.null)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Of the cells of one line: the keys that pass. None is what only evaluation can tell."""

    line: Line
    names: Names = field(repr=False)

    @property
    def _root(self) -> str | None:
        return self.line.type.root if isinstance(self.line.type, VocabularyType) else None

    def any_of(self, tests: Sequence[Test]) -> tuple[Span, ...] | None:
        if not tests:
            return _EVERYTHING
        found = [self._test(test) for test in tests]
        return _either([one for one in found if one is not None]) if None not in found else None

    def _test(self, test: Test) -> tuple[Span, ...] | None:
        match test:
            case EqualTo(value=value):
                return self._equal(value)
            case Compared(operator=operator, value=value):
                return self._compared(operator, value)
            case Within():
                return self._within(test)
            case InList(list=listed):
                return self._listed(listed)
            case NoneOf(tests=tests):
                inner = self.any_of(tests)
                return None if inner is None else _gaps(inner)
            case Holds(condition=Constant(value=bool(always))):
                return _EVERYTHING if always else ()
            case Holds() | Belongs():
                return None
            case _:
                assert_never(test)

    def _equal(self, value: Expression) -> tuple[Span, ...] | None:
        if isinstance(value, NameOf) and self._root == value.vocabulary:
            return self.line.each.get(value.id)
        known = self._known(value)
        if known is None:
            return None
        return () if known.value is None else self._point(known)

    def _point(self, known: _Known) -> tuple[Span, ...] | None:
        if known.key is None:
            return None
        return _spans(self.line.cut(known.key, False), self.line.cut(known.key, True))

    def _compared(self, operator: str, value: Expression) -> tuple[Span, ...] | None:
        known = self._known(value)
        if known is None:
            return None
        if operator == "!=":
            alike = self._equal(value)
            return None if alike is None else _gaps(alike)
        if known.key is None or self.line.names:
            return None
        before, after = self.line.cut(known.key, False), self.line.cut(known.key, True)
        return _ordered(operator, before, after)

    def _within(self, test: Within | MakeRange) -> tuple[Span, ...] | None:
        low = self._end(test.low, not test.low_included)
        high = self._end(test.high, test.high_included)
        if low is None or high is None or self.line.names:
            return None
        return _spans(low[0], high[0])

    def _end(self, end: Expression | None, behind: bool) -> tuple[Cut | None] | None:
        if end is None:
            return (None,)
        known = self._known(end)
        return None if known is None or known.key is None else (self.line.cut(known.key, behind),)

    def _listed(self, listed: Expression) -> tuple[Span, ...] | None:
        match listed:
            case Guard(operand=operand):
                return self._listed(operand)
            case EachOf(vocabulary=name) if name in self.names:
                each = self.line.holding(self.names[name])
                return None if each is None else each.spans
            case MakeList(items=items):
                found = [self._item(item) for item in items]
                return _either([one for one in found if one is not None]) if None not in found else None
            case _:
                return None

    def _item(self, item: Expression) -> tuple[Span, ...] | None:
        if not isinstance(item, MakeRange):
            return self._equal(item)
        return None if item.low is None and item.high is None else self._within(item)

    def _known(self, node: Expression) -> _Known | None:
        constant = known_value(node)
        if constant is None or constant[0] is None:
            return None if constant is None else _Known(None, None)
        if isinstance(self.line.type, VocabularyType) and not _is_name_of(self.line.type.root, node):
            return None
        value = constant[0]
        if type(value) is Decimal and isinstance(self.line.type, NumberType):
            return _Known(value, value)
        return _Known(value, self.line.key(value))


class _Known(NamedTuple):
    """A constant, and its key on the line; 2.5 is its own key among whole numbers too."""

    value: Value
    key: Key | None


def _either(found: Sequence[tuple[Span, ...]]) -> tuple[Span, ...]:
    return found[0] if len(found) == 1 else _joined(span for one in found for span in one)


def _ordered(operator: str, before: Cut, after: Cut) -> tuple[Span, ...]:
    match operator:
        case "<":
            return (Span(None, before),)
        case "<=":
            return (Span(None, after),)
        case ">":
            return (Span(after, None),)
        case ">=":
            return (Span(before, None),)
        case _:
            return _spans(before, after)


# -- what null does in a cell --------------------------------------------------------------------


class OfNull(Enum):
    """What comes of null in a cell. UNANSWERED is neither, as in an order: `not(…)` of such a test lets null
    through no more than the test does. Of OPEN ones only evaluation can tell."""

    PASSES = "passes"
    FAILS = "fails"
    UNANSWERED = "unanswered"
    OPEN = "open"


def what_of_null(tests: Sequence[Test]) -> OfNull:
    """Does null pass one of the tests? Without tests everything does."""
    return _first_of(map(_null_in, tests)) if tests else OfNull.PASSES


def _first_of(found: Iterable[OfNull]) -> OfNull:
    """What comes of several that are joined by or."""
    some = set(found)
    return next((one for one in (OfNull.PASSES, OfNull.OPEN, OfNull.UNANSWERED) if one in some), OfNull.FAILS)


_OPPOSITE = {OfNull.PASSES: OfNull.FAILS, OfNull.FAILS: OfNull.PASSES}


def _null_in(test: Test) -> OfNull:
    match test:
        case EqualTo(value=value):
            return _null_beside(value)
        case Compared() | Within():
            return OfNull.UNANSWERED
        case InList(list=listed):
            return _null_among(listed)
        case NoneOf(tests=tests):
            inner = what_of_null(tests)
            return _OPPOSITE.get(inner, inner)
        case Holds(condition=Constant(value=bool(always))):
            return OfNull.PASSES if always else OfNull.FAILS
        case Holds() | Belongs():
            return OfNull.OPEN
        case _:
            assert_never(test)


def _null_beside(value: Expression) -> OfNull:
    """Is the value null?"""
    known = known_value(value)
    if known is None:
        return OfNull.OPEN if _might_be_null(value.type) else OfNull.FAILS
    return OfNull.PASSES if known == (None,) else OfNull.FAILS


def _null_among(listed: Expression) -> OfNull:
    """Null lies in no range of a list, and out of it."""
    match listed:
        case Guard(operand=operand):
            return _null_among(operand)
        case MakeList(items=items):
            return _first_of(
                OfNull.FAILS if isinstance(one, MakeRange) else _null_beside(one) for one in items
            )
        case _:
            held = listed.type.item if isinstance(listed.type, ListType) else None
            return OfNull.OPEN if held is None or _might_be_null(held) else OfNull.FAILS


def _might_be_null(type_: Type) -> bool:
    return may_be_null(type_) or isinstance(type_, UnknownType)


# -- constants -----------------------------------------------------------------------------------


def known_value(node: Expression) -> tuple[Value] | None:
    """The value that an expression has in every turn, in a tuple; of a name its id. None where it has none by
    itself: it reads something, is a list or a range, or fails."""
    match node:
        case Constant(value=value):
            return (value,)
        case NameOf(id=id_):
            return (id_,)
        case Guard(operand=operand) if not isinstance(operand.type, AnyType):
            inside = known_value(operand)
            return None if inside == (None,) else inside
        case Not(operand=operand):
            inside = known_value(operand)
            return None if inside is None else (negation(inside[0]),)
        case Negation() | Arithmetic():
            try:
                return (computed(node),)
            except (FeelError, NoConstant):
                return None
        case _:
            return None


def constants_in(tests: Iterable[Test]) -> Iterator[Value]:
    """The values that tests compare with, as far as they are known: where they may change their minds."""
    for test in tests:
        match test:
            case EqualTo(value=value) | Compared(value=value):
                yield from known_value(value) or ()
            case Within(low=low, high=high):
                yield from _ends_of(low, high)
            case InList(list=MakeList(items=items)):
                for item in items:
                    yield from (
                        _ends_of(item.low, item.high) if isinstance(item, MakeRange) else _ends_of(item)
                    )
            case NoneOf(tests=inner):
                yield from constants_in(inner)
            case InList() | Holds() | Belongs():
                pass
            case _:
                assert_never(test)


def _ends_of(*ends: Expression | None) -> Iterator[Value]:
    for end in ends:
        yield from (known_value(end) or ()) if end is not None else ()


def _is_name_of(root: str, node: Expression) -> bool:
    """A text that looks like a name is something else."""
    if isinstance(node, Guard):
        return _is_name_of(root, node.operand)
    return isinstance(node, NameOf) and node.vocabulary == root


# -- a line cut by all the cells of a column -----------------------------------------------------

Bits = int
"""A set of small numbers: bit n for number n."""


@dataclass(frozen=True)
class Axis:
    """Between its cuts lie the classes: values that no cell of a column tells apart. They are numbered along
    the line, from 0; null, where it may be, is the last."""

    line: Line
    cuts: tuple[Cut, ...]
    """Inside the line: its own ends are none."""

    @property
    def _stretches(self) -> int:
        return len(self.cuts) + 1

    @property
    def count(self) -> int:
        """How many classes there are, with that of null."""
        return self._stretches + self.line.nullable

    @property
    def null(self) -> int | None:
        """The class of null."""
        return self._stretches if self.line.nullable else None

    def runs(self, of: Region) -> Iterator[range]:
        """The classes that a region has values of, as stretches of neighbours. Where its ends are cuts, it
        has all their values."""
        for low, high in of.spans:
            start = 0 if low is None else bisect_right(self.cuts, low)
            end = len(self.cuts) if high is None else bisect_left(self.cuts, high)
            yield range(start, end + 1)
        if of.null and self.line.nullable:
            yield range(self._stretches, self._stretches + 1)

    def bits(self, of: Region) -> Bits:
        """Return the classes that a region has values of."""
        found = 0
        for run in self.runs(of):
            found |= ((1 << len(run)) - 1) << run.start
        return found

    def class_of(self, value: Value) -> int | None:
        """None where the line has no place for the value."""
        if value is None:
            return self.null
        key = self.line.key(value)
        return None if key is None else bisect_right(self.cuts, Cut(key, False))

    def span(self, number: int) -> Span | None:
        """From where to where a class reaches; None for null."""
        if number == self.null:
            return None
        (whole,) = self.line.full.spans
        low = self.cuts[number - 1] if number else whole.low
        return Span(low, self.cuts[number] if number < len(self.cuts) else whole.high)

    def sample(self, number: int) -> Value:
        """One of a class's values."""
        span = self.span(number)
        return None if span is None else self.line.value(self.line.key_in(span))


def axis(line: Line, regions: Iterable[Region]) -> Axis:
    """Cut a line at every end that one of the regions has inside it."""
    own = {cut for span in line.full.spans for cut in span}
    ends = {cut for one in regions for span in one.spans for cut in span if cut is not None}
    return Axis(line, tuple(sorted(ends - own)))
