"""What the built-ins give, as Python calls; expected results by hand, after the standard."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtables.feel.builtins import BY_NAME
from dtables.feel.values import FeelError, Function, Range, Row, Value, equal, in_range, parse_temporal
from tests.feel.interpreter import value_of

D = Decimal


class Plain(Row):
    __slots__ = ()

    def field(self, name: str) -> Value:
        raise KeyError(name)

    def stored(self) -> dict[str, Value]:
        return {}


def call(name: str, *arguments: Value) -> Any:
    return BY_NAME[name].meaning(*arguments)


# -- text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("substring", ("foobar", 3), "obar"),
        ("substring", ("foobar", 3, 3), "oba"),
        ("substring", ("foobar", -2, 1), "a"),
        ("substring", ("foobar", 3, 100), "obar"),
        ("substring", ("\U0001f40eab", 2), "ab"),
        ("string length", ("\U0001f40eab",), 3),
        ("upper case", ("aBc4ß",), "ABC4SS"),
        ("substring before", ("foobar", "o"), "f"),
        ("substring before", ("foobar", "x"), ""),
        ("substring before", ("abc", ""), ""),
        ("substring after", ("foobar", "o"), "obar"),
        ("substring after", ("foobar", "x"), ""),
        ("substring after", ("abc", ""), "abc"),
        ("contains", ("foobar", ""), True),
        ("starts with", ("foobar", "bar"), False),
        ("ends with", ("foobar", "bar"), True),
        ("string join", (["a", None, "c"], "X"), "aXc"),
        ("string join", ("a", "X"), "a"),
        ("string join", ([], "X"), ""),
        ("string join", (["a", "b"], None), "ab"),
        ("split", ("John Doe", "\\s"), ["John", "Doe"]),
        ("split", ("a;b;c;;", ";"), ["a", "b", "c", "", ""]),
        ("upper case", (["a"],), "A"),
    ],
)
def test_text(name: str, arguments: tuple[Value, ...], expected: Value) -> None:
    assert call(name, *arguments) == expected


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("substring", ("foobar", 0)),
        ("substring", ("foobar", 7)),
        ("substring", ("foobar", -7)),
        ("substring", ("foobar", 1, 0)),
        ("substring", ("", 1)),
        ("substring", ("foobar", None)),
        ("string length", (None,)),
        ("string length", (123,)),
        ("contains", ("foobar", None)),
        ("string join", ([1, 2], "X")),
        ("string join", (None,)),
        ("split", ("foo", "")),
        ("split", ("foo", None)),
    ],
)
def test_text__without_result(name: str, arguments: tuple[Value, ...]) -> None:
    with pytest.raises(FeelError):
        call(name, *arguments)


# -- regular expressions -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "pattern", "flags", "expected"),
    [
        ("foobar", "^fo*b", "", True),
        ("foobar", "^Fo*bar", "", False),
        ("foobar", "^Fo*bar", "i", True),
        ("a\nb", "a.b", "", False),
        ("a\rb", "a.b", "", False),
        ("a\nb", "a.b", "s", True),
        ("a\nb", "^b", "", False),
        ("a\nb", "^b", "m", True),
        ("ab\n", "b$", "", False),
        ("hello world", "hello \\s world", "x", True),
        ("hello world", "hello\\ sworld", "x", True),
        ("hello", "h e l\tl o", "x", True),
        ("a b", "a[ ]b", "x", True),
        ("a[b", "a \\[ b", "x", True),
        ("a+b", "a+b", "q", True),
        ("aab", "a+b", "q", False),
        ("A+B", "a+b", "iq", True),
        ("abracadabra", "(a)bra.*\\1", "", True),
        ("x_y", "^\\w+$", "", False),
        ("x€y", "^\\w+$", "", True),
        ("héllo", "^\\w+$", "", True),
        ("x-y", "\\W", "", True),
        ("٣", "\\d", "", True),
        ("3", "\\D", "", False),
        ("b", "^[a-z-[aeiou]]$", "", True),
        ("e", "^[a-z-[aeiou]]$", "", False),
        ("^", "[\\^a]", "", True),
        ("-", "^[a\\-z]$", "", True),
        ("m", "^[a\\-z]$", "", False),
        ("É", "\\p{Lu}", "", True),
        ("é", "\\P{Lu}", "", True),
        ("é", "^\\p{IsBasicLatin}$", "", False),
        ("e", "^\\p{IsBasicLatin}$", "", True),
        ("1a", "^\\i\\c*$", "", False),
        ("a1.x", "^\\i\\c*$", "", True),
        ("aaa", "^a{2,3}$", "", True),
        ("", "", "", True),
        ("a}", "a\\}", "", True),
    ],
)
def test_matches(text: str, pattern: str, flags: str, expected: bool) -> None:
    assert call("matches", text, pattern, flags) is expected


@pytest.mark.parametrize(
    ("pattern", "flags"),
    [
        ("(?=a)", ""), ("(?i)a", ""), ("(?P<n>a)", ""), ("a++", ""), ("a*{2}", ""), ("*", ""), ("(a", ""),
        ("a)", ""), ("[a", ""), ("[]", ""), ("[b-a]", ""), ("\\", ""), ("\\q", ""), ("\\b", ""),
        ("\\p{Xx}", ""), ("\\p{IsNowhere}", ""), ("\\2(a)", ""), ("a{2", ""), ("a{,2}", ""),
        ("a{99999}", ""), ("a", "g"), ("a", "ii g"), ("x" * 2000, ""), ("(" * 500 + ")" * 500, ""),
    ],
)  # fmt: skip
def test_matches__refuses(pattern: str, flags: str) -> None:
    with pytest.raises(FeelError):
        call("matches", "abc", pattern, flags)


def test_matches__is_bounded() -> None:
    assert call("matches", "a" * 20, "(a+)+$") is True
    with pytest.raises(FeelError):
        call("matches", "a" * 60 + "!", "(a+)+$")
    with pytest.raises(FeelError):
        call("matches", "a" * 1_000_000, "a")


@pytest.mark.parametrize(
    ("text", "pattern", "replacement", "flags", "expected"),
    [
        ("abcd", "(ab)|(a)", "[1=$1][2=$2]", "", "[1=ab][2=]cd"),
        ("abracadabra", "a.*?a", "*", "", "*c*bra"),
        ("abracadabra", "bra", "*", "", "a*cada*"),
        ("0123456789", "(\\d{3})(\\d{3})(\\d{4})", "($1) $2-$3", "", "(012) 345-6789"),
        ("facetiously", "[iouy]", "[$0]", "", "facet[i][o][u]sl[y]"),
        ("abc", "b", "\\$1\\\\", "", "a$1\\c"),
        ("abc", "(b)", "$12", "", "ab2c"),
        ("abc", "b", "$1", "", "ac"),
        ("a.b", ".", "$1", "q", "a$1b"),
        ("AB", "b", "x", "i", "Ax"),
    ],
)
def test_replace(text: str, pattern: str, replacement: str, flags: str, expected: str) -> None:
    assert call("replace", text, pattern, replacement, flags) == expected


@pytest.mark.parametrize("replacement", ["$", "$a", "\\", "\\n"])
def test_replace__refuses_a_stray_sign(replacement: str) -> None:
    with pytest.raises(FeelError):
        call("replace", "abc", "b", replacement)


def test_replace__refuses_what_matches_nothing() -> None:
    with pytest.raises(FeelError):
        call("replace", "abc", "x*", "-")


# -- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("decimal", (D("0.515"), 2), D("0.52")),
        ("decimal", (D("2.5"), 0), 2),
        ("decimal", (D("0.333"), D("2.5")), D("0.33")),
        ("decimal", (1250, -2), 1200),
        ("floor", (D("-1.5"),), -2),
        ("floor", (7,), 7),
        ("floor", (D("1.56"), 1), D("1.5")),
        ("ceiling", (D("-0.3333"),), 0),
        ("ceiling", (D("-1.56"), 1), D("-1.5")),
        ("round up", (D("-1.121"), 2), D("-1.13")),
        ("round down", (D("-1.126"), 2), D("-1.12")),
        ("round down", (D("5.5"), 6176), D("5.5")),
        ("round half up", (D("-5.5"), 0), -6),
        ("round half down", (D("5.5"), 0), 5),
        ("round half down", (D("5.51"), 0), 6),
        ("modulo", (12, -5), -3),
        ("modulo", (D("-10.1"), D("4.5")), D("3.4")),
        ("modulo", (D("10.1"), D("-4.5")), D("-3.4")),
        ("abs", (D("-0.5"),), D("0.5")),
        ("sqrt", (16,), 4),
        ("sqrt", (2,), D("1.414213562373095048801688724209698")),
        ("exp", (0,), 1),
        ("log", (1,), 0),
        ("odd", (-1,), True),
        ("even", (0,), True),
        ("even", (D("0.5"),), False),
        ("odd", (D("0.5"),), False),
        ("clamp", (D("3.5"), 0, 3), 3),
    ],
)
def test_numeric(name: str, arguments: tuple[Value, ...], expected: Value) -> None:
    result = call(name, *arguments)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("floor", (D("1.56"), None)),
        ("floor", ("1.5",)),
        ("floor", (None,)),
        ("round up", (D("5.5"), -6112)),
        ("round up", (5, -6000)),
        ("round down", (D("5.5"), 6177)),
        ("modulo", (1, 0)),
        ("sqrt", (-1,)),
        ("log", (0,)),
        ("exp", (10**6,)),
        ("abs", (True,)),
        ("abs", (parse_temporal("10:00:00"),)),
        ("clamp", (1, 5, 0)),
    ],
)
def test_numeric__without_result(name: str, arguments: tuple[Value, ...]) -> None:
    with pytest.raises(FeelError):
        call(name, *arguments)


# -- many values to one --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("max", ([1, D("2.5"), 2],), D("2.5")),
        ("max", ("a", "c", "b"), "c"),
        ("max", (7,), 7),
        ("min", ([],), None),
        ("sum", (1, D("0.5"), D("0.5")), 2),
        ("sum", ([],), None),
        ("total", ([],), 0),
        ("total", (1, 2), 3),
        ("mean", ([1, 2],), D("1.5")),
        ("mean", ([],), None),
        ("product", ([D("2.5"), 1, D("2.5"), 3],), D("18.75")),
        ("median", ([6, 1, 2, 3],), D("2.5")),
        ("median", (8, 2, 5, 3, 4), 4),
        ("median", ([],), None),
        ("stddev", ([2, 4, 7, 5],), D("2.081665999466132735282297706979931")),
        ("stddev", ([47],), None),
        ("mode", ([6, 1, 9, 6, 1],), [1, 6]),
        ("mode", ([],), []),
        ("count", ([None],), 1),
        ("all", ([True, None],), None),
        ("all", ([False, None],), False),
        ("all", ([],), True),
        ("any", ([True, None],), True),
        ("any", ([False, None],), None),
        ("any", ([],), False),
    ],
)
def test_aggregates(name: str, arguments: tuple[Value, ...], expected: Value) -> None:
    result = call(name, *arguments)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("max", ([1, "a"],)),
        ("max", ([1, None],)),
        ("max", (None,)),
        ("max", ({"a": 1},)),
        ("sum", ([1, None],)),
        ("sum", (None,)),
        ("total", (["1"],)),
        ("total", (True,)),
        ("count", (None,)),
        ("all", ([True, 1],)),
        ("any", (123,)),
        ("mode", ([1, "a"],)),
    ],
)
def test_aggregates__without_result(name: str, arguments: tuple[Value, ...]) -> None:
    with pytest.raises(FeelError):
        call(name, *arguments)


# -- lists ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("list contains", ([1, None], None), True),
        ("list contains", ([1, "2"], 2), False),
        ("sublist", ([4, 5, 6], 2), [5, 6]),
        ("sublist", ([4, 5, 6], -1, 1), [6]),
        ("sublist", ([4, 5, 6], 1, 0), []),
        ("append", ([1], [2]), [1, [2]]),
        ("append", ([], None), [None]),
        ("concatenate", ([1], [], [2, 3]), [1, 2, 3]),
        ("concatenate", ([1], 2), [1, 2]),
        ("insert before", ([1, 3], 2, 2), [1, 2, 3]),
        ("insert before", ([1, 3], -1, 2), [1, 2, 3]),
        ("remove", ([1, 2, 3], -3), [2, 3]),
        ("list replace", ([1, 2, 3], -1, 4), [1, 2, 4]),
        ("reverse", ([],), []),
        ("index of", ([1, None, 1], None), [2]),
        ("union", ([1, 2], [2, 3], [1]), [1, 2, 3]),
        ("distinct values", ([1, "1", D("1.5"), D("1.50"), None, None, 1],), [1, "1", D("1.5"), None]),
        ("distinct values", ([True, 1, [1], [1]],), [True, 1, [1]]),
        ("flatten", ([[1, [2, []]], 3],), [1, 2, 3]),
        ("repeat", ("x", 3), ["x", "x", "x"]),
        ("drop highest", ([3, 9, 4, 9], 1), [3, 4, 9]),
        ("drop highest", ([3, 9, 4, 9], 0), [3, 9, 4, 9]),
        ("drop lowest", ([3, 9, 4, 3], 3), [9]),
        ("drop lowest", ([], 3), []),
    ],
)  # fmt: skip
def test_lists(name: str, arguments: tuple[Value, ...], expected: Value) -> None:
    result = call(name, *arguments)
    assert result == expected
    assert equal(result, expected) is True


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("sublist", ([1, 2], 0)),
        ("sublist", ([1, 2], 3)),
        ("sublist", ([1, 2], 2, 2)),
        ("insert before", ([1], 0, 2)),
        ("remove", ([1], 2)),
        ("list replace", ([1], 2, 0)),
        ("concatenate", ([1], None)),
        ("repeat", ("x", -1)),
        ("repeat", ("x", 10**9)),
        ("drop highest", ([1, 2], -1)),
        ("drop lowest", (["a"], 1)),
        ("flatten", (None,)),
    ],
)
def test_lists__without_result(name: str, arguments: tuple[Value, ...]) -> None:
    with pytest.raises(FeelError):
        call(name, *arguments)


def test_lists__are_bounded() -> None:
    many = call("repeat", 0, 1_000_000)
    with pytest.raises(FeelError):
        call("concatenate", many, [1])
    with pytest.raises(FeelError):
        call("flatten", [many, many, many])


def test_lists__arguments_stay_as_they_were() -> None:
    items = [3, 1, 2]
    for name, more in (("append", (4,)), ("remove", (1,)), ("reverse", ()), ("drop highest", (1,))):
        call(name, items, *more)
    assert items == [3, 1, 2]


def test_sort__functions() -> None:
    by_column = Function(("x", "y"), lambda x, y: x["n"] < y["n"])
    rows = [{"n": 2, "at": 1}, {"n": 1, "at": 2}, {"n": 2, "at": 3}, {"n": 1, "at": 4}]
    assert [row["at"] for row in call("sort", rows, by_column)] == [2, 4, 1, 3]
    for wrong in (Function(("x",), bool), Function(("x", "y"), max), None):
        with pytest.raises(FeelError):
            call("sort", [2, 1], wrong)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers())))
def test_sort__is_stable(pairs: list[tuple[int, int]]) -> None:
    rows = [{"key": key, "tag": tag} for key, tag in pairs]
    rising = Function(("x", "y"), lambda x, y: x["key"] < y["key"])
    assert call("sort", rows, rising) == sorted(rows, key=lambda row: row["key"])


@given(st.lists(st.integers(-9, 9)), st.integers(0, 12))
def test_drop__takes_the_n_extremes(items: list[int], n: int) -> None:
    assert sorted(call("drop lowest", items, n)) == sorted(items)[n:]
    assert sorted(call("drop highest", items, n), reverse=True) == sorted(items, reverse=True)[n:]


ITEMS = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b"]),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(ITEMS, max_size=8))
def test_distinct_values__keeps_the_first_of_each(items: list[Any]) -> None:
    kept = call("distinct values", items)
    assert all(call("list contains", kept, item) for item in items)
    assert [call("index of", kept, item) for item in kept] == [[n] for n in range(1, len(kept) + 1)]
    assert call("distinct values", kept) == kept


# -- contexts ------------------------------------------------------------------------------------


def test_contexts() -> None:
    wood, clay = Plain("wood", 0, "resource"), Plain("clay", 1, "resource")
    pairs = [{"key": wood, "value": 1}, {"key": clay, "value": None}]
    assert call("context", pairs) == {"wood": 1, "clay": None}
    assert call("get value", {"wood": 1}, wood) == 1
    assert call("get value", {"a": {"b": 1}}, ["a", "b"]) == 1
    assert call("get value", {"a": None}, ["a", "b"]) is None
    assert call("get value", {}, "a") is None
    assert call("context put", {"x": {"y": 0, "z": 1}}, ["x", "y"], 2) == {"x": {"y": 2, "z": 1}}
    assert call("context merge", [{"x": 1}, {"x": 2, "y": 3}]) == {"x": 2, "y": 3}
    assert call("get entries", {"a": 1}) == [{"key": "a", "value": 1}]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("context", ([{"key": "a", "value": 1}, {"key": "a", "value": 2}],)),
        ("context", ([{"value": 1}],)),
        ("context", ([{"key": None, "value": 1}],)),
        ("context", (None,)),
        ("context put", ({"y": 1}, ["y", "b"], 2)),
        ("context put", ({}, [], 2)),
        ("context put", (None, "a", 2)),
        ("context put", ({}, 1, 2)),
        ("get value", (None, "a")),
        ("get entries", ([],)),
    ],
)
def test_contexts__without_result(name: str, arguments: tuple[Value, ...]) -> None:
    with pytest.raises(FeelError):
        call(name, *arguments)


# -- conversion ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('string("a")', "a"),
        ("string(1.50)", "1.5"),
        ("string(1e3)", "1000"),
        ("string(0.00000001)", "0.00000001"),
        ("string(-0.0)", "0"),
        ("string(true)", "true"),
        ('string([1, "a\\"b", null])', '[1, "a\\"b", null]'),
        ('string({a: "x", "b-c": {}})', '{a: "x", "b-c": {}}'),
        ('string(@"2020-01-01T10:00:00@Europe/Paris")', "2020-01-01T10:00:00@Europe/Paris"),
        ("string([1..3))", "[1..3)"),
        ("string(null)", None),
        ('number("1 000,5", " ", ",")', D("1000.5")),
        ('number("-1.50e2")', -150),
        ('number("1,000", ",", null)', 1000),
        ('date(@"2020-01-01T10:00:00")', parse_temporal("2020-01-01")),
        ('time(@"2020-01-01T10:00:00Z")', parse_temporal("10:00:00Z")),
        ('time(12, 59, 1.3, duration("-PT1H"))', parse_temporal("12:59:01.3-01:00")),
        ("time(12, 59, 1, null)", parse_temporal("12:59:01")),
        ('range(" [1..3) ")', Range(1, 3, True, False)),
        ('range("]\\"a\\"..\\"c\\"]")', Range("a", "c", False, True)),
        ('range("[@\\"P1D\\"..duration(\\"P2D\\")]")', Range(parse_temporal("P1D"), parse_temporal("P2D"))),
        ('is(@"10:00:00Z", @"10:00:00+00:00")', True),
        ('is(@"10:00:00Z", @"10:00:00")', False),
        ('is(@"10:00:00Z", @"11:00:00+01:00")', False),
        ('is(1, "1")', False),
        ('not("x")', None),
    ],
)
def test_conversion(text: str, expected: Value) -> None:
    result = value_of(text)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    "text",
    [
        'number("1,000.5", " ", ".")', 'number("1.0", ".", ".")', 'number("1", ":", ".")', 'number("")',
        'number("0x10")', 'number("1_000")', 'number("١")', "number(1)", 'number("1e99999")',
        'date("2012-12-25T10:00:00")', "date(2012.5, 1, 1)", "date(2012, 13, 1)", "date(null)",
        "time(24, 0, 0)", "time(1, 2, 60)", 'time(1, 2, 3, @"PT0.5S")', 'time(1, 2, 3, @"P1D")',
        'date and time(@"2012-01-01", null)', 'duration("P1Y1D")', 'range("[3..1]")', 'range("[1..\\"b\\"]")',
        'range("[1..]")', 'range("[x..y]")', 'range("")', "string(function(x) x)",
        'years and months duration(@"2012-01-01", null)',
    ],
)  # fmt: skip
def test_conversion__without_result(text: str) -> None:
    with pytest.raises(FeelError):
        call_strictly(text)


def call_strictly(text: str) -> Value:
    name, _, inner = text.partition("(")
    return call(name, *value_of(f"[{inner[:-1]}]"))


# -- ranges: every relation against its meaning on a small line of points ------------------------

LINE = [D(n) / 2 for n in range(-1, 10)]
ENDS = [1, 2, 3]
SAMPLE = [
    Range(low, high, low_in, high_in)
    for low, high, low_in, high_in in product(ENDS, ENDS, (True, False), (True, False))
    if low < high
] + [Range(n, n) for n in ENDS]


def points(range_: Range) -> set[Decimal]:
    return {point for point in LINE if in_range(point, range_)}


@pytest.mark.parametrize("a", SAMPLE, ids=str)
def test_ranges__against_their_points(a: Range) -> None:
    for b in SAMPLE:
        in_a, in_b = points(a), points(b)
        assert call("before", a, b) == (max(in_a) < min(in_b))
        assert call("after", a, b) == (min(in_a) > max(in_b))
        assert call("overlaps", a, b) == bool(in_a & in_b)
        assert call("includes", a, b) == (in_a >= in_b)
        assert call("during", a, b) == (in_a <= in_b)
        assert call("coincides", a, b) == (in_a == in_b)
        assert call("starts", a, b) == (in_a <= in_b and min(in_a) == min(in_b))
        assert call("finishes", a, b) == (in_a <= in_b and max(in_a) == max(in_b))
        assert call("meets", a, b) == (len(in_a & in_b) == 1 and max(in_a) == min(in_b) == a.high)
        for name, inverse in (
            ("met by", "meets"), ("overlaps after", "overlaps before"),
            ("finished by", "finishes"), ("started by", "starts"),
        ):  # fmt: skip
            assert call(name, a, b) == call(inverse, b, a)


@pytest.mark.parametrize("a", SAMPLE, ids=str)
def test_ranges__of_a_point(a: Range) -> None:
    inside = points(a)
    for point in LINE:
        assert call("before", point, a) == (point < min(inside))
        assert call("after", point, a) == (point > max(inside))
        assert call("before", a, point) == (max(inside) < point)
        assert call("includes", a, point) == call("during", point, a) == (point in inside)
        assert call("starts", point, a) == call("started by", a, point) == (point == a.low in inside)
        assert call("finishes", point, a) == call("finished by", a, point) == (point == a.high in inside)


def test_ranges__open_ends() -> None:
    from_three, below_five = Range(3, None), Range(None, 5, False, False)
    assert call("overlaps", from_three, below_five) is True
    assert call("before", below_five, Range(5, 9)) is True
    assert call("includes", from_three, Range(4, None)) is True
    assert call("includes", Range(4, None), from_three) is False
    assert call("after", 5, below_five) is True
    with pytest.raises(FeelError):
        call("before", None, 1)
    with pytest.raises(FeelError):
        call("meets", 1, from_three)
    with pytest.raises(FeelError):
        call("coincides", 1, from_three)
