"""What a region says of a value is what the evaluator says of it; and regions and axes are sets.

Cells are drawn as an author writes them, and their nodes are the checker's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, reduce
from operator import or_
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.checker import check_book
from dtables.diagnostics import errors_in
from dtables.evaluator import Evaluator
from dtables.feel import types
from dtables.feel.values import (
    Date,
    DaysDuration,
    Row,
    Value,
    YearsDuration,
    parse_date,
    parse_date_time,
    parse_duration,
    parse_time,
)
from dtables.model.expressions import Compared, EqualTo, Guard, NameOf, Test, Within
from dtables.model.regions import (
    NOTHING,
    Axis,
    Cut,
    Line,
    Region,
    Span,
    axis,
    constants_in,
    extent,
    known_value,
    line_of,
    region,
)
from dtables.model.tables import Decision, Ruleset
from dtables.records.findings import RuleError
from tests.support.drawing import book_text
from tests.support.thinned import draws

WORDS = """
Types: words
  name | names
  colour | red, green, blue, black, white

Types: narrowed
  name | of | allowed
  warm | colour | not(blue)
  score | whole number | [0..9]
  rate | number | (0..10]
  soon | date | >= @"2024-01-01"

Data: toy ; key: toy
  key | whole number
  toy | points
  ball | 1
  kite | 3
  top | 2
"""


@dataclass(frozen=True)
class Kind:
    """A type, what its cells name and values that come. `order`: its values can be compared."""

    type: str
    written: Sequence[str]
    values: Sequence[Any]
    order: bool = True
    lists: Sequence[str] = ()


def _times(*texts: str) -> list[Value]:
    return [parse_time(text) for text in texts]


def _moments(*texts: str) -> list[Value]:
    return [parse_date_time(text) for text in texts]


NUMBERS = [
    -1,
    0,
    1,
    2,
    3,
    4,
    10**40,
    Decimal("2.5"),
    Decimal("2.50"),
    Decimal("3.0"),
    Decimal("1E-30"),
    Decimal("-0.5"),
]
WHOLES = [-3, -2, 0, 1, 2, 3, 4, 5, 9, 10, 10**40, -(10**40)]
WRITTEN_WHOLES = ["-2", "0", "2", "3", "4", "2.5", "3.0", "-0.5", "2 * 2", "1E2", "-(1 + 1)"]
COLOURS = ["red", "green", "blue", "black", "white"]
KINDS = [
    Kind("whole number", WRITTEN_WHOLES, WHOLES),
    Kind("score", WRITTEN_WHOLES, WHOLES),
    Kind("number", [*WRITTEN_WHOLES, "2.50", "0.000000001", "1 / 3"], [*NUMBERS, *WHOLES]),
    Kind("rate", ["0", "2.5", "10", "9.99"], NUMBERS),
    Kind(
        "text",
        ['""', '"a"', '"b"', '"ab"', '"a "', '"B"', '"ä"'],
        ["", "a", "b", "ab", "a ", "B", "ä", "a\0", "c"],
    ),
    Kind("boolean", ["yes", "no"], [True, False], False),
    Kind("colour", COLOURS, COLOURS, False, ["each colour", "each warm"]),
    Kind("warm", [name for name in COLOURS if name != "blue"], COLOURS, False, ["each colour", "each warm"]),
    Kind("toy", ["ball", "kite", "top"], ["ball", "kite", "top"], False, ["each toy"]),
    Kind(
        "date",
        ['date("2023-12-31")', '@"2024-02-29"', 'date("2024-03-01")', '@"-0044-03-15"', '@"999999999-12-31"'],
        [
            parse_date(t)
            for t in (
                "2023-12-31",
                "2024-02-28",
                "2024-02-29",
                "2024-03-01",
                "-0044-03-15",
                "1970-01-01",
                "999999999-12-31",
                "-999999999-01-01",
            )
        ],
    ),
    Kind(
        "time",
        ['@"09:00:00"', 'time("10:30:00")', '@"23:59:59"', '@"00:00:00"', '@"10:30:00.25"', '@"24:00:00"'],
        _times(
            "09:00:00",
            "10:30:00",
            "10:30:00.5",
            "10:29:59.999",
            "23:59:59",
            "23:59:59.9",
            "00:00:00",
            "10:30:00Z",
        ),
    ),
    Kind(
        "time",
        [
            '@"10:00:00Z"',
            '@"12:00:00+02:00"',
            '@"01:00:00+18:00"',
            '@"23:00:00-18:00"',
            '@"10:00:00@Europe/Rome"',
        ],
        _times(
            "10:00:00Z",
            "11:00:00+01:00",
            "10:00:01Z",
            "01:00:00+18:00",
            "23:59:59-18:00",
            "11:00:00@Europe/Rome",
            "10:00:00",
            "09:59:59.5Z",
        ),
    ),
    Kind(
        "date and time",
        [
            '@"2023-12-31T10:00:00"',
            'date and time("2024-02-29T00:00:00")',
            '@"2024-02-29T23:59:59"',
            '@"2024-02-28T24:00:00"',
        ],
        _moments(
            "2023-12-31T10:00:00",
            "2024-02-29T00:00:00",
            "2024-02-28T23:59:59.999",
            "2024-02-29T23:59:59",
            "2024-03-01T00:00:00",
            "999999999-12-31T23:59:59",
            "-999999999-01-01T00:00:00",
            "2024-02-29T00:00:00Z",
        ),
    ),
    Kind(
        "date and time",
        ['@"2024-02-29T00:00:00Z"', '@"2024-02-29T02:00:00+02:00"', '@"2024-03-31T03:30:00@Europe/Rome"'],
        _moments(
            "2024-02-29T00:00:00Z",
            "2024-02-28T23:00:00-01:00",
            "2024-03-31T01:30:00Z",
            "2024-02-29T00:00:00",
            "999999999-12-31T23:59:59-18:00",
            "-999999999-01-01T00:00:00+18:00",
            "2024-02-29T00:00:00.5Z",
        ),
    ),
    Kind(
        "days and time duration",
        ['@"-P1D"', 'duration("PT36H")', '@"P1DT12H"', '@"P2D"', '-@"P2D"', '@"PT0.5S"', '2 * @"PT1S"'],
        [
            parse_duration(t)
            for t in ("-P1D", "PT36H", "P2D", "-P2D", "PT0.5S", "PT0.500000001S", "PT0S", "PT2S")
        ],
    ),
    Kind(
        "years and months duration",
        ['@"P1M"', 'duration("P1Y")', '@"P14M"', '-@"P1M"'],
        [parse_duration(t) for t in ("P1M", "P1Y", "P12M", "P13M", "P14M", "-P1M", "P0M")],
    ),
]
BY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.type}, {kind.written[0]}")


# -- cells ---------------------------------------------------------------------------------------


@st.composite
def cells(draw: st.DrawFn, kind: Kind) -> str:
    return ", ".join(draw(st.lists(part(kind, 2), min_size=1, max_size=3)))


@st.composite
def part(draw: st.DrawFn, kind: Kind, depth: int) -> str:
    one = st.sampled_from([*kind.written, *kind.written, "null"])
    match draw(st.integers(0, 8 if kind.order else 4)):
        case 0 if depth:
            return f"not({', '.join(draw(st.lists(part(kind, depth - 1), min_size=1, max_size=2)))})"
        case 0 | 1:
            return draw(one)
        case 2:
            return f"!= {draw(one)}"
        case 3:
            return f"[{', '.join(draw(st.lists(one, max_size=3)))}]"
        case 4:
            return draw(st.sampled_from([f"= {draw(one)}", *kind.lists]))
        case 5 | 6:
            return f"{draw(st.sampled_from(['<', '<=', '>', '>=']))} {draw(st.sampled_from(kind.written))}"
        case 7:
            return draw(ranges(kind))
        case _:
            return f"[{draw(one)}, {draw(ranges(kind))}]"


@st.composite
def ranges(draw: st.DrawFn, kind: Kind) -> str:
    low, high = draw(st.sampled_from(kind.written)), draw(st.sampled_from(kind.written))
    return f"{draw(st.sampled_from('[('))}{low}..{high}{draw(st.sampled_from('])'))}"


@dataclass(frozen=True)
class World:
    """A decision with the one cell, whose outcome says whether it lets its argument through."""

    model: Ruleset
    evaluator: Evaluator
    by_the_standard: Evaluator

    @property
    def decision(self) -> Decision:
        (found,) = (table for table in self.model.tables if isinstance(table, Decision))
        return found

    @property
    def tests(self) -> tuple[Test, ...]:
        return self.decision.rules[0].conditions[0].tests

    @property
    def type(self) -> types.Type:
        return self.decision.parameters[0].type

    @property
    def line(self) -> Line:
        found = line_of(self.type, self.names, [self.tests])
        assert found is not None
        return found

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        return {vocabulary.name: vocabulary.ids for vocabulary in self.model.vocabularies}

    def value(self, plain: Any) -> Value:
        return _typed(plain, self.evaluator)

    def passes(self, plain: Any) -> bool | None:
        """None where the evaluator fails. By the standard an error is null, and nothing else differs."""
        try:
            found = _fires(plain, self.evaluator)
        except RuleError:
            return None
        assert found == _fires(plain, self.by_the_standard)
        return found


def _fires(plain: Any, evaluator: Evaluator) -> bool:
    return bool(evaluator.value("tried", [_typed(plain, evaluator)], {}) == 1)


def _typed(plain: Any, evaluator: Evaluator) -> Value:
    """Of a name of keyed data its row: each evaluator has its own."""
    rows = {value.id: value for _, value in evaluator.held() if isinstance(value, Row)}
    return rows.get(plain, plain) if isinstance(plain, str) else plain


@cache
def world(type_: str, cell: str) -> World | None:
    """None where the checker refuses the cell."""
    rows = f"  if | then\n  value | out\n  {cell} | 1\n  - | 2"
    book, found = book_text(f"{WORDS}\n\nDecision: tried(value: {type_}) ; policy: first\n{rows}")
    model, more = check_book(book)
    return (
        None
        if errors_in((*found, *more)) or model is None
        else World(model, Evaluator(model), Evaluator(model, strict=False))
    )


def drawn(draw: Any, kind: Kind) -> World:
    optional = draw(st.sampled_from(["", "?"]))
    return draw(
        cells(kind).map(lambda cell: world(kind.type + optional, cell)).filter(lambda w: w is not None)
    )


@BY_KIND
@settings(max_examples=draws(180))
@given(data=st.data())
def test_region__is_what_the_evaluator_lets_through(kind: Kind, data: st.DataObject) -> None:
    tried = drawn(data.draw, kind)
    line = tried.line
    found = region(tried.tests, line, tried.names)
    assert found is not None
    for plain in [*kind.values, None]:
        value = tried.value(plain)
        said = line.passes(found, value)
        if said is None:
            assert plain is None or _is_apart(value, line)
        else:
            assert said == tried.passes(plain), (tried.decision.rules[0].conditions[0].written, value, found)


def _is_apart(value: Value, line: Line) -> bool:
    """Of times with and without an offset one kind has keys; where keys are whole a half has none."""
    if isinstance(value, Decimal):
        return line.whole and value != int(value)
    return isinstance(line.type, types.TimeType | types.DateTimeType) and line.key(value) is None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.type}, {kind.written[0]}")
def test_key__comes_back_from_its_value(kind: Kind) -> None:
    tried = world(kind.type, kind.written[0])
    assert tried is not None
    line = tried.line
    for plain in kind.values:
        key = line.key(tried.value(plain))
        if key is None:
            assert _is_apart(plain, line)
        else:
            assert line.full.has(key) and line.key(line.value(key)) == key
    assert line.key(None) is None
    assert line.key([]) is None and line.key({}) is None


@pytest.mark.parametrize(
    ("type_", "cell"), [("time", '@"10:00:00Z"'), ("date and time", '@"2024-01-01T00:00:00Z"')]
)
def test_key__with_an_offset_days_begin_earlier_and_end_later(type_: str, cell: str) -> None:
    tried = world(type_, cell)
    assert tried is not None
    line, day = tried.line, 86_400
    first, last = (0, 0)
    if type_ == "date and time":
        first, last = Date(-999_999_999, 1, 1).number, Date(999_999_999, 12, 31).number
    clock = first * day, (last + 1) * day
    widest = clock[0] - 18 * 3600, clock[1] + 18 * 3600
    assert line.full.spans == (Span(Cut(widest[0], False), Cut(widest[1], False)),)
    for end in (*clock, *widest):
        for key in (end - 1, end):
            if widest[0] <= key < widest[1]:
                value = line.value(key)
                assert line.key(value) == key and line.offset
                time = value if type_ == "time" else value.time
                assert 0 <= time.hour < 24 and time.nanos == 0 and time.offset is not None


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("number", True),
        ("number", "1"),
        ("text", 1),
        ("boolean", 1),
        ("boolean", "yes"),
        ("colour", "purple"),
        ("colour", True),
        ("toy", "sled"),
        ("date", parse_date_time("2024-01-01T00:00:00")),
        ("whole number", Decimal("2.5")),
        ("days and time duration", YearsDuration(1)),
        ("years and months duration", DaysDuration(1)),
    ],
)
def test_key__of_another_kind_of_value_there_is_none(type_: str, value: Value) -> None:
    tried = world(type_, "-")
    assert tried is not None
    assert tried.line.key(value) is None and tried.line.passes(tried.line.full, value) is None


def test_key__of_a_row_is_its_place_among_its_own() -> None:
    tried, other = world("toy", "-"), world("colour", "-")
    assert tried is not None and other is not None
    row = tried.value("kite")
    assert isinstance(row, Row) and tried.line.key(row) == 1 and other.line.key(row) is None


class Other(Row):
    """Of another vocabulary that has the same names."""

    def field(self, name: str) -> Value:
        raise KeyError(name)

    def stored(self) -> dict[str, Value]:
        return {}


def test_key__of_a_row_of_another_vocabulary_there_is_none() -> None:
    for type_, name in (("toy", "kite"), ("colour", "red"), ("boolean", "yes")):
        tried = world(type_, "-")
        assert tried is not None and tried.line.key(Other(name, 0, "ship")) is None


def test_cut__has_one_form() -> None:
    text, whole, number = (world(type_, "-") for type_ in ("text", "whole number", "number"))
    assert text is not None and whole is not None and number is not None
    cut = text.line.cut
    assert cut("a\0", False) == cut("a", True) == Cut("a", True)
    assert cut("a\0", True) == cut("a\0\0", False) == Cut("a\0", True)
    assert cut("a", False) == Cut("a", False) and cut("", False) == Cut("", False)
    assert whole.line.cut(3, True) == whole.line.cut(Decimal("3.5"), False) == Cut(4, False)
    assert whole.line.cut(Decimal("3.5"), True) == whole.line.cut(4, False) == Cut(4, False)
    assert whole.line.cut(Decimal("-3.5"), True) == Cut(-3, False)
    assert number.line.cut(3, True) == Cut(3, True) != number.line.cut(3, False)


def test_key__of_equal_numbers_is_one() -> None:
    for type_ in ("number", "whole number"):
        tried = world(type_, "3")
        assert tried is not None
        assert tried.line.key(Decimal("3.00")) == tried.line.key(3) == 3
        found = region(tried.tests, tried.line)
        assert found is not None and tried.line.passes(found, Decimal("3.00")) is True


def test_keys__are_no_more_than_wanted() -> None:
    tried = world("whole number", "[1..3], [6..7]")
    assert tried is not None
    found = region(tried.tests, tried.line)
    assert found is not None and tried.line.keys(found, 5) == [1, 2, 3, 6, 7]
    assert tried.line.keys(found, 4) is None


def test_holding__has_just_the_values() -> None:
    for type_, cell, values in [
        ("colour?", "red, blue, null", ["blue", None, "red", "red"]),
        ("number", "2, 2.5", [Decimal("2.5"), 2, Decimal("2.0")]),
        ("text", '"a"', ["a"]),
        ("date", "[]", []),
    ]:
        tried = world(type_, cell)
        assert tried is not None
        found = tried.line.holding(values)
        assert found is not None and found == region(tried.tests, tried.line)
    assert tried.line.holding([None]) is None and tried.line.holding(["2024-01-01"]) is None


@pytest.mark.parametrize("type_", ["list of colour", "colour by colour", "any", "list of whole number?"])
def test_line_of__types_without_one(type_: str) -> None:
    tried = world(type_, "-")
    assert tried is not None
    assert line_of(tried.type, tried.names) is None


@pytest.mark.parametrize(
    ("type_", "cell"),
    [
        ("whole number", "? > 3"), ("whole number", "3, ? > 5"), ("whole number", "not(? > 3)"),
        ("time", '< @"10:00:00", > @"11:00:00Z"'), ("time", 'not(@"10:00:00", @"11:00:00Z")'),
        ("whole number", "1 / 0"), ("whole number", "[1, count([2])]"), ("number", "< abs(-3)"),
    ],
)  # fmt: skip
def test_region__where_only_evaluation_can_tell_there_is_none(type_: str, cell: str) -> None:
    tried = world(type_, cell)
    assert tried is not None
    assert region(tried.tests, tried.line, tried.names) is None


def test_region__of_what_the_checker_refuses_there_is_none() -> None:
    names, numbers = world("colour", "red"), world("whole number?", "null")
    assert names is not None and numbers is not None
    (red,), (null,) = names.tests, numbers.tests
    assert isinstance(red, EqualTo) and isinstance(null, EqualTo) and isinstance(red.value, NameOf)
    here, colours = red.where, names.line
    guarded = Guard(null.value, type=types.WHOLE, where=here)
    toy = replace(red, value=replace(red.value, vocabulary="toy"))
    below = Compared("<", red.value, type=types.BOOLEAN, where=here)
    between = Within(red.value, None, True, True, type=types.BOOLEAN, where=here)
    assert region([red], colours) and all(region([test], colours) is None for test in (toy, below, between))
    assert known_value(null.value) == (None,) and known_value(guarded) is None
    assert region([replace(null, value=guarded)], numbers.line) is None


@pytest.mark.parametrize(
    ("type_", "one", "other"),
    [
        ("whole number", "> 3", ">= 4"), ("whole number", "<= 2.5", "< 3"), ("whole number", "2.5", "[5..4]"),
        ("whole number", "(2..4)", "3"), ("whole number", "1, 2, 3", "[1..3]"), ("number", "2.0", "2"),
        ("number", "< 2, 2, > 2", "not([])"), ("date", '> @"2024-02-28"', '>= @"2024-02-29"'),
        ("colour", "not(red)", "green, blue, black, white"), ("colour", "each warm", "not(blue)"),
        ("boolean", "yes", "not(no)"),
        ("boolean", "yes", "not(not(yes))"), ("boolean?", "yes, no", "!= null"), ("boolean", "yes, no", "-"),
        ("time", '< @"00:00:00"', "[]"), ("time", '<= @"23:59:59"', "-"), ("text", '>= ""', "-"),
        ("date", '> @"999999999-12-31"', "[]"), ("whole number?", "not(!= 3)", "3"), ("text", '< ""', "[]"),
        ("whole number?", "not(null)", "< 0, 0, > 0"), ("whole number?", "not(!= null)", "[]"),
        ("whole number?", "not(3, null)", "!= 3"), ("whole number?", "not(> 3, null)", "<= 3"),
        ("whole number?", "not(> 3)", "<= 3"), ("whole number?", "not([3, [5..7]])", "< 3, 4, > 7"),
        ("date and time", '> @"999999999-12-31T23:59:59"', "[]"),
        ("date and time", '< @"-999999999-01-01T00:00:00"', "[]"),
        ("days and time duration", '> @"PT1S"', '>= @"PT1.000000001S"'),
    ],
)  # fmt: skip
def test_region__two_cells_that_say_the_same_have_one(type_: str, one: str, other: str) -> None:
    found = []
    for cell in (one, other):
        tried = world(type_, cell)
        assert tried is not None, cell
        found.append(region(tried.tests, tried.line, tried.names))
    assert found[0] == found[1]


def test_extent__is_what_narrowings_allow() -> None:
    for type_, same_as in [
        ("warm", ("colour", "not(blue)")),
        ("score", ("whole number", "[0..9]")),
        ("rate", ("number", "(0..10]")),
        ("score?", ("whole number?", "null, [0..9]")),
        ("warm?", ("colour?", "null, red, green, black, white")),
        ("number", ("number", "-")),
        ("soon", ("date", '>= @"2024-01-01"')),
        ("colour?", ("colour?", "-")),
    ]:
        tried, other = world(type_, "-"), world(*same_as)
        assert tried is not None and other is not None
        restrictions = {r.name: r.tests for r in tried.model.restrictions}
        found = extent(tried.type, tried.line, tried.names, restrictions)
        assert found == region(other.tests, other.line, other.names), type_
        assert tried.line == other.line or type_ == "soon"


@pytest.mark.parametrize(
    ("type_", "cell", "value"),
    [
        ("number", "= -2.50", Decimal("-2.5")),
        ("number", "= 2 * 3", 6),
        ("date", 'date("2024-02-29")', Date(2024, 2, 29)),
        ("days and time duration", '= -@"PT1S"', DaysDuration(-(10**9))),
        ("colour", "red", "red"),
        ("whole number?", "null", None),
        ("boolean", "no", False),
        ("boolean", "= not(no)", True),
    ],
)
def test_known_value__is_the_constant_behind(type_: str, cell: str, value: Value) -> None:
    tried = world(type_, cell)
    assert tried is not None
    (test,) = tried.tests
    assert known_value(test.value) == (value,)  # type: ignore[union-attr]


def test_constants_in__are_all_that_cells_compare_with() -> None:
    for type_, cell, values in [
        ("whole number?", "not(null, 1, [2..3))", [None, 1, 2, 3]),
        ("whole number?", "> 4, [5, 6, [7..8]], != value", [4, 5, 6, 7, 8]),
        ("colour", "red, != blue, each colour", ["red", "blue"]),
    ]:
        tried = world(type_, cell)
        assert tried is not None
        assert list(constants_in(tried.tests)) == values


def test_known_value__what_fails_or_reads_has_none() -> None:
    for cell in ("= 1 / 0", "= value", "= count([1])"):
        tried = world("number", cell)
        assert tried is not None
        (test,) = tried.tests
        assert known_value(test.value) is None  # type: ignore[union-attr]


# -- regions are sets ----------------------------------------------------------------------------


@BY_KIND
@settings(max_examples=draws(60))
@given(data=st.data())
def test_regions__are_sets_of_keys_and_null(kind: Kind, data: st.DataObject) -> None:
    a, b = drawn(data.draw, kind), drawn(data.draw, kind)
    if a.type != b.type:
        return
    line = line_of(a.type, a.names, [a.tests, b.tests])
    assert line is not None
    one, other = region(a.tests, line, a.names), region(b.tests, line, b.names)
    assert one is not None and other is not None
    classes = range(axis(line, [one, other]).count)
    points = [*_points(line, one, other), *([None] if line.nullable else [])]
    within = {
        made: {p for p in points if _has(made, p)}
        for made in (one, other, one | other, one & other, one - other)
    }
    assert within[one | other] == within[one] | within[other]
    assert within[one & other] == within[one] & within[other]
    assert within[one - other] == within[one] - within[other]
    # The points are some of every class, so that sets without a point hold nothing.
    assert classes and one.meets(other) == bool(within[one & other]) == bool(one & other)
    assert one.holds(other) == (within[other] <= within[one])
    assert (one == other) == (within[one] == within[other])
    assert bool(one) == bool(within[one])
    for made in within:
        _is_tidy(made, line)


def _points(line: Line, *regions: Region) -> list[Any]:
    """Keys at every cut and beside it."""
    on = axis(line, regions)
    samples = [line.key(on.sample(n)) for n in range(on.count) if n != on.null]
    return list(dict.fromkeys([*samples, *(cut.key for cut in on.cuts if line.full.has(cut.key))]))


def _has(made: Region, point: Any) -> bool:
    return made.null if point is None else made.has(point)


def _is_tidy(made: Region, line: Line) -> None:
    assert line.full.holds(made)
    for low, high in made.spans:
        assert low is None or high is None or low < high
        assert all(end is None or line.cut(*end) == end for end in (low, high))
    for before, after in zip(made.spans, made.spans[1:], strict=False):
        assert before.high is not None and after.low is not None and before.high < after.low


SMALL = range(-1, 9)
small_regions = st.builds(
    lambda cuts, null: Region(tuple(Span(*pair) for pair in _pairs(cuts)), null),
    st.lists(st.integers(0, 8), unique=True, max_size=8).map(sorted),
    st.booleans(),
)


def _pairs(cuts: list[int]) -> list[tuple[Cut | None, Cut | None]]:
    """Stretches between every other cut; the first and last may be open."""
    ends: list[Cut | None] = [Cut(cut, False) for cut in cuts]
    if len(cuts) % 2:
        ends = [None, *ends] if cuts[0] % 2 else [*ends, None]
    elif cuts and cuts[0] % 3 == 0:
        ends = [None, *ends, None]
    return list(zip(ends[::2], ends[1::2], strict=True))


def _small(made: Region) -> set[int | None]:
    return {key for key in SMALL if made.has(key)} | ({None} if made.null else set())


@settings(max_examples=draws(600))
@given(st.lists(small_regions, min_size=1, max_size=4), small_regions)
def test_regions__against_sets(some: list[Region], other: Region) -> None:
    one = reduce(or_, some)
    assert _small(one) == set().union(*map(_small, some))
    assert _small(one & other) == _small(one) & _small(other)
    assert _small(one - other) == _small(one) - _small(other)
    assert one.meets(other) == bool(_small(one) & _small(other))
    assert one.holds(other) == (_small(one) >= _small(other))
    assert (one == other) == (_small(one) == _small(other))
    assert (one | other) - other == one - other and one - NOTHING == one and not one - one


# -- axes ----------------------------------------------------------------------------------------


@BY_KIND
@settings(max_examples=draws(60))
@given(data=st.data())
def test_axis__classes_are_what_no_region_tells_apart(kind: Kind, data: st.DataObject) -> None:
    some = [drawn(data.draw, kind) for _ in range(3)]
    some = [tried for tried in some if tried.type == some[0].type]
    line = line_of(some[0].type, some[0].names, [tried.tests for tried in some])
    assert line is not None
    regions = [region(tried.tests, line, tried.names) for tried in some]
    made = [one for one in regions if one is not None]
    on = axis(line, made)
    for n in range(on.count):
        assert on.class_of(on.sample(n)) == n
        for one in made:
            assert bool(on.bits(one) >> n & 1) == line.passes(one, on.sample(n)), (n, one)
    for plain in [*kind.values, None]:
        value = some[0].value(plain)
        found = on.class_of(value)
        assert (found is None) == (line.passes(line.full, value) is None)
        if found is not None:
            for one in made:
                assert line.passes(one, value) == bool(on.bits(one) >> found & 1)
    _add_up(on, made)


def _add_up(on: Axis, made: Sequence[Region]) -> None:
    assert on.bits(Region((), True)).bit_count() == on.line.nullable
    assert on.bits(on.line.full) == (1 << on.count) - 1
    parts = [Region((span,)) for n in range(on.count) if (span := on.span(n)) is not None]
    assert reduce(or_, parts) == on.line.full - Region((), True)
    assert not any(a.meets(b) for n, a in enumerate(parts) for b in parts[:n])
    for one in made:
        assert sum(len(run) for run in on.runs(one)) == on.bits(one).bit_count()


@pytest.mark.parametrize(
    ("type_", "cell", "keys"),
    [
        ("whole number", "[1..3], 7", [1, 2, 3, 7]),
        ("whole number", "> 3", None),
        ("colour", "red, blue", [0, 2]),
        ("boolean", "-", [0, 1]),
        ("text", '"b", "a"', ["a", "b"]),
        ("text", '>= "b"', None),
        ("number", "2.5, 1", [1, Decimal("2.5")]),
        ("number", "[1..2]", None),
        ("whole number", "[1..20000]", None),
        ("whole number?", "null", []),
    ],
)
def test_keys__where_they_can_be_listed(type_: str, cell: str, keys: list[Any] | None) -> None:
    tried = world(type_, cell)
    assert tried is not None
    found = region(tried.tests, tried.line)
    assert found is not None and tried.line.keys(found) == keys


@pytest.mark.parametrize(
    ("type_", "cell", "samples"),
    [
        (
            "number",
            "1, 1.00000000000000000000000000000001",
            ["0", "1", "1.000000000000000000000000000000005", None, "2"],
        ),
        ("number", "[0.1..0.25)", ["0", "0.1", "0.25"]),
        ("number", "> 100", ["99", "101"]),
        ("date", '>= @"2024-03-01"', ["2024-02-29", "2024-03-01"]),
        ("time", "-", ["12:00:00"]),
        ("number", "-", ["0"]),
        ("whole number", "-", ["0"]),
        ("date", "-", ["2000-01-01"]),
        ("date and time", "-", ["2000-01-01T12:00:00"]),
        ("date and time", '>= @"2024-02-29T00:00:00Z"', ["2024-02-28T23:59:59Z", "2024-02-29T00:00:00Z"]),
        ("days and time duration", "-", ["P1D"]),
        ("years and months duration", "-", ["P1M"]),
        ("years and months duration", '@"P1Y"', ["P11M", "P1Y", "P1Y1M"]),
        ("days and time duration", '[@"PT0.5S"..@"PT1S")', ["PT0S", "PT0.5S", "PT1S"]),
        ("text", '"a"', ["", "a", "a…"]),
        ("days and time duration", '> @"P1D"', ["P1D", "P1DT1S"]),
    ],
)
def test_sample__is_plain(type_: str, cell: str, samples: list[str | None]) -> None:
    tried = world(type_, cell)
    assert tried is not None
    found = region(tried.tests, tried.line)
    assert found is not None
    on = axis(tried.line, [found])
    assert on.count == len(samples)
    for n, wanted in enumerate(samples):
        assert wanted is None or str(on.sample(n)) == wanted, (n, on.sample(n))
