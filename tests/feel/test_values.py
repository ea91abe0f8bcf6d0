"""What values do to each other; expected results by hand, after the standard's tables."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtables.feel import numbers, types
from dtables.feel.values import (
    FeelError,
    Fields,
    Function,
    Range,
    Row,
    Value,
    add,
    arithmetic,
    as_plain,
    belongs,
    coerce,
    compare,
    conjunction,
    disjunction,
    divide,
    entry,
    equal,
    has_entry,
    in_range,
    instance_of,
    item_at,
    kind_of,
    multiply,
    negate,
    negation,
    order_key,
    parse_temporal,
    power,
    subtract,
)

D = Decimal


class City(Fields):
    """A record as an engine may hold it: two stored fields and a computed one."""

    __slots__ = ("name", "size")

    def __init__(self, name: str, size: int) -> None:
        self.name = name
        self.size = size

    @property
    def record_type(self) -> str:
        return "city"

    def field(self, name: str) -> Value:
        return {"name": self.name, "size": self.size, "large": self.size > 10}[name]

    def stored(self) -> dict[str, Value]:
        return {"name": self.name, "size": self.size}


class Card(Row):
    __slots__ = ("points",)

    def __init__(self, id: str, order: int, points: int) -> None:
        super().__init__(id, order, "card")
        self.points = points

    def field(self, name: str) -> Value:
        return {"points": self.points}[name]

    def stored(self) -> dict[str, Value]:
        return {"points": self.points}


FORUM, FORUM_AGAIN, LAMP = Card("forum", 0, 3), Card("forum", 0, 3), Card("lamp", 1, 5)

# -- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operator", "a", "b", "expected"),
    [
        ("+", 10, 5, 15),
        ("+", D("1.2345"), D("2.234"), D("3.4685")),
        ("+", D("0.5"), D("0.5"), 1),
        ("-", 1, D("0.9"), D("0.1")),
        ("*", D("2.5"), 2, 5),
        ("*", 10**40, 10**40, 10**80),
        ("/", 100, 10, 10),
        ("/", 1, 8, D("0.125")),
        ("/", 1, 3, D("0.3333333333333333333333333333333333")),
        ("/", 2, 3, D("0.6666666666666666666666666666666667")),
        ("/", -7, 2, D("-3.5")),
        ("/", 0, 5, 0),
        ("**", 5, 2, 25),
        ("**", 5, -2, D("0.04")),
        ("**", D("5.5"), 2, D("30.25")),
        ("**", 0, 0, 1),
        ("**", 2, 100, 2**100),
        ("+", "foo", "bar", "foobar"),
    ],
)
def test_arithmetic__of_numbers_and_text(operator: str, a: Value, b: Value, expected: Value) -> None:
    result = arithmetic(operator, a, b)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("operator", "a", "b"),
    [
        ("/", 1, 0),
        ("/", D("0.5"), 0),
        ("**", 0, -1),
        ("**", -2, D("0.5")),
        ("**", 10, 100_000),
        ("*", 10**2100, 10**2100),
        ("*", D("1.5e3000"), D("1.5e3000")),
        ("+", "a" * 600_000, "a" * 600_000),
        ("+", 1, "1"),
        ("+", True, 1),
        ("-", "b", "a"),
        ("+", None, 1),
        ("*", None, None),
        ("+", [1], 1),
        ("-", {"a": 1}, {"a": 1}),
    ],
)
def test_arithmetic__without_result(operator: str, a: Value, b: Value) -> None:
    with pytest.raises(FeelError):
        arithmetic(operator, a, b)


def test_negate() -> None:
    assert negate(5) == -5
    assert negate(D("0.5")) == D("-0.5")
    assert str(negate(parse_temporal("P1D"))) == "-P1D"
    with pytest.raises(FeelError):
        negate("5")


def test_arithmetic__does_not_depend_on_the_hosts_context() -> None:
    with localcontext() as host:
        host.prec = 3
        assert divide(1, 3) == D("0.3333333333333333333333333333333333")
        assert multiply(D("1.2345678"), D("10.1")) == D("12.46913478")


WHOLE = st.integers(-(10**30), 10**30)
FRACTIONS = st.decimals(-(10**9), 10**9, places=6, allow_nan=False).map(lambda n: numbers.normal(n))
NUMBERS = WHOLE | FRACTIONS


@given(NUMBERS, NUMBERS)
def test_arithmetic__laws(a: Any, b: Any) -> None:
    assert add(a, b) == add(b, a)
    assert multiply(a, b) == multiply(b, a)
    assert subtract(a, b) == negate(subtract(b, a))
    if b != 0:
        back = multiply(divide(a, b), b)
        assert abs(subtract(back, a)) <= multiply(abs(a), D("1e-32"))
    for result in (add(a, b), subtract(a, b), multiply(a, b)):
        assert type(result) is int or result != int(result)


@given(WHOLE, WHOLE.filter(bool))
def test_divide__whole_numbers(a: int, b: int) -> None:
    assert multiply(a, b) == a * b
    assert divide(a * b, b) == a
    assert numbers.modulo(a, b) == a % b


@given(NUMBERS, NUMBERS.filter(bool))
def test_modulo__is_what_floor_leaves(a: Any, b: Any) -> None:
    rest = numbers.modulo(a, b)
    assert abs(Fraction(rest)) < abs(Fraction(b))
    assert rest == 0 or (rest < 0) == (b < 0)


@given(FRACTIONS, st.integers(0, 8))
def test_rounding__surrounds_the_number(n: Any, scale: int) -> None:
    low, high = numbers.floor(n, scale), numbers.ceiling(n, scale)
    assert low <= n <= high
    assert high - low in (0, D(10) ** -scale)
    assert numbers.round_down(n, scale) == (low if n >= 0 else high)
    assert numbers.round_up(n, scale) == (high if n >= 0 else low)
    for nearest in (numbers.round_half_up, numbers.round_half_down, numbers.round_even):
        assert abs(nearest(n, scale) - n) == min(n - low, high - n)


# -- equality ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (None, None, True),
        (None, 0, False),
        (None, [], False),
        (1, 1, True),
        (1, D("1.0"), True),
        (1, True, None),
        (False, 0, None),
        (100, "100", None),
        ("foo", "Foo", False),
        ([1, 2], [1, 2], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ([1], ["1"], None),
        ([1, 2], ["1", 3], False),
        ([], 0, None),
        ({}, [], None),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        (Range(1, 5), Range(1, 5), True),
        (Range(1, 5), Range(1, 5, True, False), False),
        (Range(1, None), Range(1, 5), False),
        (FORUM, FORUM, True),
        (FORUM, FORUM_AGAIN, False),
        (FORUM, "forum", None),
        (City("a", 1), City("a", 1), True),
        (City("a", 1), City("a", 2), False),
        (City("a", 1), {"name": "a", "size": 1}, True),
    ],
)
def test_equal(a: Value, b: Value, expected: bool | None) -> None:
    assert equal(a, b) is expected
    assert equal(b, a) is expected
    assert compare("!=", a, b) is negation(expected)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("2018-12-08", "2018-12-08", True),
        ("P1D", "PT24H", True),
        ("P0D", "-P0D", True),
        ("P1Y", "P12M", True),
        ("P1Y", "P365D", None),
        ("10:30:00.0001", "10:30:00.0002", True),
        ("10:30:00Z", "10:30:00+00:00", True),
        ("10:30:00Z", "11:30:00+01:00", True),
        ("10:30:00", "10:30:00Z", False),
        ("2018-12-08T00:00:00@Europe/Paris", "2018-12-08T00:00:00@Asia/Dhaka", False),
        ("2018-10-08T00:00:00+02:00", "2018-10-08T00:00:00@Europe/Paris", True),
        ("2018-02-08T00:00:00+01:00", "2018-02-08T00:00:00@Europe/Paris", True),
        ("2002-04-02T23:00:00-04:00", "2002-04-03T02:00:00-01:00", True),
    ],
)
def test_equal__of_dates_and_durations(a: str, b: str, expected: bool | None) -> None:
    assert equal(parse_temporal(a), parse_temporal(b)) is expected


# -- order ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1, 2),
        (D("1.5"), 2),
        ("a", "b"),
        ("A", "a"),
        *(
            (parse_temporal(a), parse_temporal(b))
            for a, b in [
                ("-0001-01-01", "2020-01-01"),
                ("2020-01-31", "2020-02-01"),
                ("10:00:00", "10:00:01"),
                ("10:00:00+01:00", "10:00:00Z"),
                ("2020-01-01T23:00:00", "2020-01-02T00:00:00"),
                ("PT23H", "P1D"),
                ("-P1D", "PT0S"),
                ("P11M", "P1Y"),
            ]
        ),
    ],
)
def test_compare__in_order(a: Value, b: Value) -> None:
    assert compare("<", a, b) is True
    assert compare("<=", a, b) is True
    assert compare(">", a, b) is False
    assert compare(">=", a, b) is False
    assert compare(">", b, a) is True
    assert compare(">=", b, a) is True
    assert compare("<=", a, a) is True
    assert compare("<", a, a) is False
    assert order_key(a) < order_key(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1, "1"),
        (None, 1),
        (1, None),
        (True, False),
        ([1], [2]),
        ({"a": 1}, {"a": 2}),
        (parse_temporal("10:00:00"), parse_temporal("10:00:00Z")),
        (parse_temporal("P1D"), parse_temporal("P1M")),
        (FORUM, LAMP),
    ],
)
def test_compare__without_order(a: Value, b: Value) -> None:
    with pytest.raises(FeelError):
        compare("<", a, b)


# -- logic ---------------------------------------------------------------------------------------

THREE = (True, False, None)


def test_logic__is_three_valued() -> None:
    assert [conjunction(a, b) for a in THREE for b in THREE] == [
        True, False, None, False, False, False, None, False, None,
    ]  # fmt: skip
    assert [disjunction(a, b) for a in THREE for b in THREE] == [
        True, True, True, True, False, None, True, None, None,
    ]  # fmt: skip
    assert [negation(a) for a in THREE] == [False, True, None]


def test_logic__what_is_no_boolean_counts_as_null() -> None:
    assert conjunction("x", True) is None
    assert conjunction("x", False) is False
    assert disjunction(1, True) is True
    assert disjunction(1, False) is None
    assert negation("x") is None


# -- membership ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "range_", "expected"),
    [
        (1, Range(1, 5), True),
        (1, Range(1, 5, False, True), False),
        (5, Range(1, 5, True, False), False),
        (D("4.99"), Range(1, 5, True, False), True),
        (10**9, Range(1, None), True),
        (0, Range(1, None), False),
        (0, Range(None, 1, False, False), True),
        ("b", Range("a", "c"), True),
    ],
)
def test_in_range(value: Value, range_: Range, expected: bool) -> None:
    assert in_range(value, range_) is expected


@pytest.mark.parametrize(
    ("value", "test", "expected"),
    [
        (1, 1, True),
        (1, [2, 1], True),
        (1, [], False),
        (None, [None], True),
        (None, None, True),
        (3, [Range(1, 2), Range(3, 4)], True),
        (5, [Range(1, 2), "x"], False),
        ([1], [[1], [2]], True),
        ([1, 2], [1, 2], True),
        (FORUM, [LAMP, FORUM], True),
        (FORUM, [FORUM_AGAIN], False),
    ],
)
def test_belongs(value: Value, test: Value, expected: bool) -> None:
    assert belongs(value, test) is expected


# -- reading -------------------------------------------------------------------------------------


def test_entry__of_contexts_records_and_lists() -> None:
    assert entry({"a": 1}, "a") == 1
    assert entry({"a": 1}, "b") is None
    assert entry(None, "a") is None
    assert entry(City("x", 12), "large") is True
    assert entry(FORUM, "points") == 3
    assert entry([{"x": 1}, {"y": 2}, FORUM], "y") == [None, 2, None]
    assert entry([[{"a": 1}], {"a": 2}], "a") == [[1], 2]
    with pytest.raises(FeelError):
        entry(City("x", 12), "colour")
    with pytest.raises(FeelError):
        entry(1, "a")
    assert has_entry({"a": None}, "a")
    assert not has_entry(FORUM, "id")


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("2018-12-10", "weekday", 1),
        ("2018-12-10T10:30:01+11:00", "day", 10),
        ("2018-12-10T10:30:01+11:00", "second", 1),
        ("2018-12-10T10:30:01@Etc/UTC", "timezone", "Etc/UTC"),
        ("2018-12-10T10:30:01", "timezone", None),
        ("10:30:01", "time offset", None),
        ("P2DT20H14M5S", "hours", 20),
        ("-P2DT20H", "days", -2),
        ("P1Y2M", "years", 1),
        ("-P1Y2M", "months", -2),
        ("P1M", "years", 0),
        ("-P1M", "years", 0),
    ],
)
def test_entry__of_dates_and_durations(text: str, name: str, expected: Value) -> None:
    assert entry(parse_temporal(text), name) == expected


def test_entry__of_offsets_and_ranges() -> None:
    assert str(entry(parse_temporal("2018-12-10T10:30:01+11:00"), "time offset")) == "PT11H"
    assert str(entry(parse_temporal("10:30:01-05:30"), "time offset")) == "-PT5H30M"
    open_ended = Range(1, None, True, False)
    assert [entry(open_ended, n) for n in ("start", "end", "start included", "end included")] == [
        1, None, True, False,
    ]  # fmt: skip


def test_item_at() -> None:
    items = ["a", "b", "c"]
    assert [item_at(items, n) for n in (1, 3, 4, 0, -1, -3, -4)] == ["a", "c", None, None, "c", "a", None]
    assert item_at(100, 1) == 100
    assert item_at(100, 2) is None
    assert item_at(None, 1) is None
    with pytest.raises(FeelError):
        item_at(items, "1")


# -- kinds and types -----------------------------------------------------------------------------


def test_kind_of() -> None:
    kinds = {
        "null": None, "boolean": True, "number": 1, "text": "", "list": [], "context": {}, "row": FORUM,
        "range": Range(1, 2), "function": Function((), lambda: 1), "date": parse_temporal("2020-01-01"),
    }  # fmt: skip
    assert {kind_of(value) for value in kinds.values()} == set(kinds)
    assert kind_of(City("x", 1)) == "context"
    assert kind_of(D("0.5")) == "number"
    with pytest.raises(TypeError):
        kind_of(object())


CARD = types.VocabularyType("card", "card")


@pytest.mark.parametrize(
    ("value", "type_", "expected"),
    [
        (1, types.NUMBER, True),
        (D("1.5"), types.NUMBER, True),
        (D("1.5"), types.WHOLE, False),
        (True, types.NUMBER, False),
        (None, types.NUMBER, False),
        (None, types.ANY, False),
        (None, types.NULL, True),
        (None, types.optional(types.NUMBER), True),
        ("a", types.TEXT, True),
        ([1, 2], types.ListType(types.NUMBER), True),
        ([1, "2"], types.ListType(types.NUMBER), False),
        ([1, None], types.ListType(types.NUMBER), True),
        ({"a": 1}, types.ContextType((("a", types.NUMBER),)), True),
        ({"b": 1}, types.ContextType((("a", types.NUMBER),)), False),
        (City("x", 1), types.RecordType("city"), True),
        (City("x", 1), types.RecordType("card"), False),
        (FORUM, CARD, True),
        (FORUM, types.VocabularyType("token", "token"), False),
        (Range(1, 2), types.RangeType(types.NUMBER), True),
        (Range("a", "b"), types.RangeType(types.NUMBER), False),
        (parse_temporal("P1D"), types.DAYS_DURATION, True),
        (parse_temporal("P1D"), types.YEARS_DURATION, False),
        ({"wood": 1}, types.MapType(CARD, types.NUMBER), True),
    ],
)
def test_instance_of(value: Value, type_: types.Type, expected: bool) -> None:
    assert instance_of(value, type_) is expected


def test_coerce() -> None:
    assert coerce([10], types.NUMBER) == 10
    assert coerce(10, types.ListType(types.NUMBER)) == [10]
    assert coerce(None, types.NUMBER) is None
    assert str(coerce(parse_temporal("2020-01-01"), types.DATE_TIME)) == "2020-01-01T00:00:00Z"
    with pytest.raises(FeelError):
        coerce(["foo"], types.NUMBER)
    with pytest.raises(FeelError):
        coerce("foo", types.ListType(types.NUMBER))


# -- outside -------------------------------------------------------------------------------------


def test_as_plain() -> None:
    value = {"a": [FORUM, D("1.50"), 2, None], "c": City("x", 1), "d": parse_temporal("2020-01-01")}
    plain = as_plain(value)
    assert plain == {"a": ["forum", D("1.5"), 2, None], "c": {"name": "x", "size": 1}, "d": "2020-01-01"}
    assert str(plain["a"][1]) == "1.5"
    assert str(as_plain(D("100.0"))) == "100"
    with pytest.raises(FeelError):
        as_plain(Range(1, 2))


def test_power__of_numbers_that_are_not_whole() -> None:
    assert abs(power(5, D("2.55")) - D("60.58617166606")) < D("1e-10")
