"""Decisions whose columns have values of every type: looked up by keys, with the evaluator's answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dtables.feel import types
from dtables.feel.values import Time, Value, parse_date, parse_date_time, parse_duration, parse_time
from dtables.model.regions import line_of
from dtables.records.scalars import UNFIT, read_scalar
from dtables.runtime import (
    NOT_FOUND,
    NoKey,
    day_given,
    day_of,
    moment_given,
    moment_of,
    months_given,
    months_of,
    nanoseconds_given,
    nanoseconds_of,
    second_of,
    second_with_offset_of,
    time_given,
    time_of,
)
from dtables.runtime import keys as clocks
from tests.agreement import worlds
from tests.agreement.engines import Engines, source_of
from tests.support.limits import limited
from tests.support.thinned import draws

QUICK = settings(
    max_examples=draws(80),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)

# -- keys ----------------------------------------------------------------------------------------

DAYS = ["2024-02-29", "1969-12-31", "1970-01-01", "0001-01-01", "9999-12-31", "-0044-03-15", "123456-01-01"]
TIMES = [
    "00:00:00",
    "10:30:00",
    "10:30:00.5",
    "23:59:59",
    "10:30:00Z",
    "00:30:00+02:00",
    "09:00:00@Europe/Berlin",
]
LENGTHS = ["PT0S", "P1DT2H", "-PT0.5S", "PT0.000000001S"]
TERMS = ["P0M", "P1Y2M", "-P13M"]
KEYED: list[tuple[Callable[[Any], Any], types.Type, Value]] = [
    *((day_of, types.DATE, parse_date(text)) for text in DAYS),
    *((nanoseconds_of, types.DAYS_DURATION, parse_duration(text)) for text in LENGTHS),
    *((months_of, types.YEARS_DURATION, parse_duration(text)) for text in TERMS),
]


@pytest.mark.parametrize(
    ("key", "type_", "value"), KEYED, ids=lambda part: getattr(part, "__name__", str(part))
)
def test_keys(key: Callable[[Any], Any], type_: types.Type, value: Value) -> None:
    line = line_of(type_, {})
    assert line is not None
    assert key(value) == line.key(value)
    assert key(None) is None


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("text", TIMES)
@pytest.mark.parametrize("day", ["", *DAYS])
def test_keys__of_times(text: str, day: str, offset: bool) -> None:
    value = parse_date_time(f"{day}T{text}") if day else parse_time(text)
    line = line_of(types.TIME if isinstance(value, Time) else types.DATE_TIME, {})
    assert line is not None
    key: Any = second_with_offset_of if offset else second_of
    try:
        found = key(value)
    except NoKey:
        found = None
    assert found == replace(line, offset=offset).key(value)
    assert key(None) is None


GIVEN: list[tuple[types.Type, Callable[[Any], Any], Callable[[Any], Any]]] = [
    (types.DATE, day_given, day_of),
    (types.TIME, time_given, time_of),
    (types.DATE_TIME, moment_given, moment_of),
    (types.DAYS_DURATION, nanoseconds_given, nanoseconds_of),
    (types.YEARS_DURATION, months_given, months_of),
]
NEARLY = [
    *(f"{day}T{time}" for day in DAYS for time in TIMES), *DAYS, *TIMES, *LENGTHS, *TERMS,
    "2024-W01-1", "2024-1-001", "20240101", "2024W01", "10+01:00", "10:00+01", "T10:00:0", "10:00:0Z",
    "2024-01-10 09:00:00", "2024-W01-1T09:00:00", "2024-01-10T09+01:00", "2024-01-10T09:00+01", "", "P", "PT",
    "2024-01-10T24:00:00", "２０２４-01-10", "10:00:٠٠", "P1000000000000000D", "P99999999999Y",
    "24:00:00", "P" + "9" * 200 + "D",
]  # fmt: skip
PYTHONS: list[Any] = [
    date(2024, 2, 29), date.min, date.max, datetime.min, datetime.max, datetime(2024, 1, 10), time(10, 30),
    datetime(2024, 1, 10, 9, tzinfo=UTC), time(9, tzinfo=UTC), time.max, time.min,
    None, 5, 2.5, True, b"2024-01-10", ["2024-01-10"], list("2024-01-10"), {}, timedelta(1),
]  # fmt: skip


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """A text with a sign of another one in it, or without one of its own."""
    text = draw(st.sampled_from(NEARLY))
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.sampled_from(["", *"0159-+:.TZPDWMYHS ,"])) + text[at + draw(st.booleans()) :]


@settings(max_examples=draws(600), deadline=None)
@given(st.sampled_from(NEARLY) | spoilt() | st.sampled_from(PYTHONS))
def test_keys__of_what_is_given(value: Any) -> None:
    """Only what careful reading takes has a key, and the same one."""
    for type_, key_given, key_of in GIVEN:
        try:
            found = key_given(value)
        except NOT_FOUND:
            continue
        read = read_scalar(value, type_)
        assert read is not UNFIT
        assert _to_the_second(found) == key_of(read)


@pytest.mark.parametrize(
    ("key_given", "value"),
    [
        (day_given, "2024-02-29"),
        (time_given, "10:30:00"),
        (time_given, time(10, 30, 0, 5)),
        (moment_given, "2024-01-10T09:00:00"),
        (moment_given, datetime(2024, 1, 10, 9)),
        (nanoseconds_given, "P1DT2H3M4.5S"),
        (months_given, "-P1Y2M"),
    ],
)
def test_keys__of_what_is_given_most(key_given: Callable[[Any], Any], value: Any) -> None:
    assert key_given(value) is not None


def _to_the_second(found: Any) -> Any:
    return found.replace(microsecond=0) if isinstance(found, datetime | time) else found


@pytest.mark.parametrize("text", TIMES)
@pytest.mark.parametrize("day", DAYS)
def test_keys__of_python_s_own_times(day: str, text: str) -> None:
    """Without an offset; beyond Python's years the first or last there is."""
    moment, clock = parse_date_time(f"{day}T{text}"), parse_time(text)
    if not clock.local:
        for key, value in ((time_of, clock), (moment_of, moment)):
            with pytest.raises(NoKey):
                key(value)
        return
    assert clocks.TIMES.second(time_of(clock)) == second_of(clock)
    if 1 <= moment.date.year <= 9999:
        assert clocks.MOMENTS.second(moment_of(moment)) == second_of(moment)
        assert clocks.MOMENTS.shown(second_of(moment)) == moment_of(moment)
    else:
        assert moment_of(moment) == (datetime.min if moment.date.year < 1 else datetime.max)


# -- decisions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kind:
    """A parameter: its type, what its cells are made of, and what it is given."""

    type: str
    written: list[str]
    given: list[Any]
    ordered: bool = True


KINDS = {
    "d": Kind(
        "date",
        [f'@"2024-0{month}-1{day}"' for month in (1, 2, 3) for day in (0, 1, 5)],
        [date(2024, 1, 10), date(2024, 2, 11), date(2024, 2, 13), date(2024, 3, 15), "2024-01-15",
         "2024-03-10", datetime(2024, 2, 10), datetime(2024, 2, 10, 12), "1999-12-31", "2024-02-30", 5],
    ),
    "z": Kind(
        "time",
        ['@"09:00:00Z"', '@"10:30:00+02:00"', '@"12:00:00"'],
        ["09:00:00Z", "08:30:00Z", "11:00:00", "12:00:00", "23:59:59", "10:30:00+02:00", time(10, 30)],
    ),
    "t": Kind(
        "time",
        ['@"09:00:00"', '@"10:30:00"', '@"12:00:00"', '@"10:30:00.5"'],
        ["09:00:00", "10:30:00", "11:00:00", "12:00:00", "23:59:59", "10:30:00Z", time(10, 30), time(9, 30),
         time(10, 30, tzinfo=UTC), time(11, 59, 59, 999_999), "10:30", "24:00:00"],
    ),
    "seen": Kind(
        "date and time",
        ['@"2024-01-10T09:00:00Z"', '@"2024-01-10T12:00:00Z"', '@"2024-02-10T00:00:00Z"'],
        ["2024-01-10T09:00:00Z", "2024-01-10T10:00:00+01:00", "2024-01-11T00:00:00Z", "2024-01-10T09:00:00"],
    ),
    "when": Kind(
        "date and time",
        ['@"2024-01-10T09:00:00"', '@"2024-01-10T12:00:00"', '@"2024-02-10T00:00:00"'],
        ["2024-01-10T09:00:00", "2024-01-10T10:00:00", datetime(2024, 1, 10, 12),
         datetime(2024, 1, 10, 9, 0, 1), date(2024, 2, 10), "2024-02-10",
         "2024-01-10T09:00:00Z", datetime(2024, 1, 10, tzinfo=UTC),
         "123456-01-01T00:00:00", "-0044-03-15T00:00:00", datetime.max],
    ),
    "far": Kind(
        "date and time",
        ['@"2024-01-10T09:00:00"', '@"-0044-03-15T00:00:00"', '@"123456-01-01T00:00:00"'],
        ["2024-01-10T09:00:00", "123456-01-01T00:00:00", "-0044-03-15T00:00:00", datetime.max, datetime.min],
    ),
    "lasts": Kind(
        "days and time duration",
        ['@"P1D"', '@"PT36H"', '@"PT0S"', '@"-PT1S"'],
        ["P1D", "PT36H", "PT24H", "P0D", "-PT1S", "PT0.5S", "P9D", "P", timedelta(1)],
    ),
    "span": Kind(
        "years and months duration",
        ['@"P1M"', '@"P1Y"', '@"P18M"'],
        ["P1M", "P12M", "P1Y6M", "P0M", "P9Y"],
    ),
    "s": Kind("text", ['"a"', '"b"', '"ab"', '""', '"a "'], ["a", "b", "ab", "", "a ", "z", "a\0", 3, None]),
    "n": Kind("number", ["0", "1", "2.5", "-1"], [0, 1, 2, 2.5, Decimal("2.50"), -1, -3, "1"]),
    "w": Kind("whole number", ["0", "1", "2", "3", "7"], [0, 1, 2, 3, 4, 7, 9, 2.5]),
    "c": Kind("colour", ["red", "green", "blue"], ["red", "green", "blue", "Blue", "violet"], False),
    "m": Kind("warm", ["red", "green"], ["red", "green", "blue"], False),
    "y": Kind("boolean", ["yes", "no"], [True, False, 1], False),
    "loose": Kind("any", ["1", '"a"', "red"], [1, "a", "red", Decimal("1.0"), [1], True]),
}  # fmt: skip
OPAQUE = {
    "w": ["> level", "level", "!= spare", "[spare..9]", "not(spare)"],
    "d": ["> sooner", "sooner", "[sooner..later]", "!= later"],
    "t": ["> hour", "hour"],
    "c": ["wish", "!= wish", "toy.paint"],
    "s": ["note", "> note"],
    "n": ["> rate", "< 10 / spare"],
}


@st.composite
def cell(draw: st.DrawFn, name: str, opaque: bool) -> str:
    kind = KINDS[name]
    one = st.sampled_from(kind.written)
    many = st.lists(one, min_size=1, max_size=3, unique=True).map(", ".join)
    forms = [st.just("-"), one, many, many.map("not({})".format), one.map("!= {}".format)]
    if kind.ordered:
        forms.append(st.builds("{} {}".format, st.sampled_from(["<", "<=", ">", ">="]), one))
        forms.append(st.builds("{}{}..{}{}".format, st.sampled_from("[("), one, one, st.sampled_from("])")))
    forms += [st.just("null"), st.just("not(null)"), one.map("null, {}".format)]
    if opaque and name in OPAQUE and draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(OPAQUE[name]))
    return draw(st.one_of(forms))


@st.composite
def decision(draw: st.DrawFn) -> tuple[str, list[str]]:
    policy = draw(st.sampled_from(worlds.POLICIES))
    names = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3, unique=True))
    opaque = draw(st.booleans())
    parameters = [f"{name}: {KINDS[name].type}{draw(st.sampled_from(['', '', '?']))}" for name in names]
    rows = [
        [*(draw(cell(name, opaque)) for name in names), str(draw(st.integers(0, 5)))]
        for _ in range(draw(st.integers(2, 12)))
    ]
    outcome = draw(st.sampled_from(["{}", "{}", "{} + level"]))
    if policy in worlds.RANKING:
        policy, outcome = f"{policy} ; priorities: {worlds.RANKS}", "{}"
    rows = [[*row[:-1], outcome.format(row[-1])] for row in rows]
    lines = [f"Decision: tried({', '.join(parameters)}) ; policy: {policy}"]
    if policy not in ("collect", "rule order") and "output" not in policy:
        lines[0] += draw(st.sampled_from(["", " ; otherwise: 3"]))
    lines += ["  " + " | ".join([*(["if"] * len(names)), "then"]), "  " + " | ".join([*names, "out"])]
    return "\n".join([*lines, *("  " + " | ".join(row) for row in rows)]), names


def given_to(names: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    values = {name: st.none() | st.sampled_from(KINDS[name].given) for name in names}
    return st.fixed_dictionaries(values)


STATES: st.SearchStrategy[dict[str, Any]] = st.just({}) | worlds.state()


FEW = {"dispatched_rows": 2, "tried_rows": 1}
MASKS = {**FEW, "slab_entries_per_row": 0, "slab_entries": 0}
CELLS = {**MASKS, "masked_rows": 0, "crowd": 2, "crowded": 1}


LETS_ANY_THROUGH = """
Decision: tried(c: colour, when: date and time) ; policy: unique
  if | if                     | then
  c  | when                   | out
  -  | -                      | 0
  -  | -                      | 1
  -  | @"2024-01-10T09:00:00" | 2
"""


@limited(**FEW)
def test_a_value_without_a_key_passes_cells_that_say_nothing() -> None:
    """Also where such cells stand one under the other."""
    for rows in ("  -  | -                      | 1\n", ""):
        ruleset = worlds.ruleset(LETS_ANY_THROUGH.strip().replace(rows, "", 1) if rows else LETS_ANY_THROUGH)
        assert ruleset is not None
        engines = Engines(ruleset, explained=False)
        for when in ("2024-01-10T09:00:00Z", "2024-01-10T09:00:00"):
            engines.call("tried", {"c": "red", "when": when})


@limited(**FEW)
@QUICK
@given(st.data())
def test_decisions_of_every_type__in_slabs(data: st.DataObject) -> None:
    agrees(data)


@limited(**MASKS)
@QUICK
@given(st.data())
def test_decisions_of_every_type__by_masks(data: st.DataObject) -> None:
    agrees(data)


@limited(**CELLS)
@QUICK
@given(st.data())
def test_decisions_of_every_type__in_cells(data: st.DataObject) -> None:
    agrees(data)


@QUICK
@given(st.data())
def test_few_rows_of_every_type(data: st.DataObject) -> None:
    agrees(data)


def agrees(data: st.DataObject) -> None:
    table, names = data.draw(decision())
    ruleset = worlds.ruleset(table)
    assume(ruleset is not None)
    assert ruleset is not None
    engines = Engines(ruleset, explained=False)
    for turn in data.draw(st.lists(given_to(names), min_size=6, max_size=6)):
        engines.call("tried", turn)
        engines.call("tried", {**data.draw(STATES), **turn})


NARROWED = """
Decision: toned(tint: warm) ; policy: first
  if | then
  tint | out
  red | 1
  not(green) | 2
  green | 3
  - | 4
  red | 5
  green | 6

Formula: tried
  step | type | is
  result | | toned(wish)
"""


@pytest.mark.parametrize("many", [2, 48])
def test_names_that_a_narrowed_type_has_not(many: int) -> None:
    """What rules work out is not held to it."""
    ruleset = worlds.ruleset(NARROWED)
    assert ruleset is not None
    with limited(dispatched_rows=many):
        engines = Engines(ruleset, explained=False)
    for name in ("red", "green", "blue"):
        engines.call("tried", {"wish": name})
        engines.call("toned", {"tint": name})


def test_python_days_are_looked_up_as_they_are() -> None:
    rows = "\n".join(f'  @"2024-01-{n:02}" | {n}' for n in range(1, 10))
    ruleset = worlds.ruleset(f"Decision: tried(d: date) ; policy: first\n  if | then\n  d | out\n{rows}")
    assert ruleset is not None
    assert "d = d.toordinal() - DAY_ZERO if type(d) is PythonDate else day_given(d)" in source_of(ruleset)
    assert "TRIED_ANSWERS[between[bisect_right(cuts, d)]]" in source_of(ruleset)


@pytest.mark.parametrize("policy", ["first", "unique", "collect"])
def test_times_without_a_key_need_no_rows_in_the_source(policy: str) -> None:
    cells = ['< @"09:00:00"', '@"10:30:00"', '!= @"10:30:00"', 'not(@"11:00:00")', 'not(> @"12:00:00")', "-"]
    for length in (1, 2, 3, 4, 6):
        rows = "\n".join(f"  {cells[-1 - n % length]} | {n}" for n in range(60))
        head = f"Decision: tried(t: time) ; policy: {policy}\n  if | then\n  t | out"
        ruleset = worlds.ruleset(f"{head}\n{rows}")
        assert ruleset is not None
        if length > 1:
            assert "hits.append" not in source_of(ruleset)
            assert ".one_by_one(" in source_of(ruleset)
        engines = Engines(ruleset, explained=False)
        for value in ("08:00:00", "10:30:00", "10:30:00Z", "12:30:00", time(11), time(11, tzinfo=UTC)):
            engines.call("tried", {"t": value})


def test_days_that_outcomes_read_are_read_first() -> None:
    cells = ("red", "green", "blue")
    rows = "\n".join(f'  {cells[n % 3]} | - | d + duration("P{n}D")' for n in range(9))
    head = "Decision: tried(c: colour, d: date) ; policy: first\n  if | if | then\n  c | d | out"
    ruleset = worlds.ruleset(f"{head}\n{rows}")
    assert ruleset is not None
    engines = Engines(ruleset, explained=False)
    for name, day in product(cells, (date(2024, 1, 1), "2024-01-31", datetime(2024, 1, 1), 5, None)):
        engines.call("tried", {"c": name, "d": day})


class Letter(StrEnum):
    A = "a"
    B = "other"


class Spelling(str):
    """A text as well."""


@pytest.mark.parametrize("nullable", ["", "?"])
def test_texts_are_looked_up_as_they_are(nullable: str) -> None:
    """What is no text is not taken for one that no cell names."""
    rows = "\n".join(f'  "{letter}" | {n}' for n, letter in enumerate("abcde"))
    head = f"Decision: tried(s: text{nullable}) ; policy: first\n  if | then\n  s | out"
    ruleset = worlds.ruleset(f"{head}\n{rows}\n  - | 9")
    assert ruleset is not None
    with limited(**FEW):
        engines = Engines(ruleset, explained=False)
        assert "TRIED_FIND[given['s']]" in source_of(ruleset)
    for value in ("a", "z", "", Letter.A, Letter.B, Spelling("b"), Spelling("z"), 3, None, True, ["a"], {}):
        engines.call("tried", {"s": value})


def test_cells_that_only_a_turn_can_tell_stand_behind_the_index() -> None:
    rows = "\n".join(f'  "k{n % 50}" | {"> level" if n % 2 else "-"} | {n}' for n in range(60))
    head = "Decision: tried(s: text, w: whole number) ; policy: first\n  if | if | then\n  s | w | out"
    ruleset = worlds.ruleset(f"{head}\n{rows}")
    assert ruleset is not None
    assert "TRIED_FIND = TRIED_ROWS.left_by_conditions((" in source_of(ruleset)


LOOPED = """
Decision: tried(s: text, p: whole number) ; policy: {policy} ; otherwise: {otherwise}
  if | if | then
  s | p | out
"""


@pytest.mark.parametrize(
    ("policy", "otherwise"), [("first", "0"), ("rule order", "[]"), ("collect", "[]"), ("C+", "0")]
)
def test_loops_in_cells_behind_the_index(policy: str, otherwise: str) -> None:
    """Their variables are handed to nobody."""
    cells = ["> max(boxes.weight)", "-", "!= sum(for b in boxes return b.worth)", "< count(boxes[heavy])"]
    outcomes = ["{n}", "p + sum(boxes.weight)"]
    rows = (f'  "k{n % 7}" | {cells[n % 4]} | {outcomes[n % 2].format(n=n)}' for n in range(60))
    ruleset = worlds.ruleset(LOOPED.format(policy=policy, otherwise=otherwise) + "\n".join(rows))
    assert ruleset is not None
    assert ".left_by_conditions((" in source_of(ruleset)
    engines = Engines(ruleset, explained=False)
    boxes = [
        [],
        [{"tint": "red", "weight": 3}],
        [{"tint": "red", "weight": 1}, {"tint": "blue", "weight": 4}],
    ]
    for key, number, some in product(range(8), range(-1, 7), boxes):
        engines.call("tried", {"s": f"k{key}", "p": number, "boxes": some})
