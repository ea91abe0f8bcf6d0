"""Dates, times and durations: how they are read and printed, and their arithmetic; expected by hand."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtables.feel import temporal
from dtables.feel.temporal_arithmetic import months_between
from dtables.feel.values import (
    Date,
    DateTime,
    DaysDuration,
    FeelError,
    Time,
    YearsDuration,
    arithmetic,
    compare,
    equal,
    parse_date,
    parse_date_time,
    parse_duration,
    parse_temporal,
    parse_time,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2017-12-31", Date(2017, 12, 31)),
        ("-2017-12-31", Date(-2017, 12, 31)),
        ("2020-02-29", Date(2020, 2, 29)),
        ("999999999-12-31", Date(999_999_999, 12, 31)),
        ("0000-01-01", Date(0, 1, 1)),
        ("23:59:01", Time(23, 59, 1)),
        ("10:15:30.123456789", Time(10, 15, 30, 123_456_789)),
        ("10:15:30.5", Time(10, 15, 30, 500_000_000)),
        ("10:15:30Z", Time(10, 15, 30, 0, 0)),
        ("10:15:30-01:30", Time(10, 15, 30, 0, -5400)),
        ("10:15:30@Europe/Paris", Time(10, 15, 30, 0, None, "Europe/Paris")),
        ("2017-12-31T11:22:33", DateTime(Date(2017, 12, 31), Time(11, 22, 33))),
        ("2017-12-31T24:00:00", DateTime(Date(2018, 1, 1), Time(0, 0, 0))),
        ("P1D", DaysDuration(86_400 * 10**9)),
        ("-PT0.5S", DaysDuration(-500_000_000)),
        ("P1Y2M", YearsDuration(14)),
        ("-P13M", YearsDuration(-13)),
    ],
)
def test_parse_temporal(text: str, expected: object) -> None:
    assert parse_temporal(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "foo", "2017-13-10", "2017-00-10", "2017-02-29", "2017-04-31", "998-12-31", "01211-12-31",
        "+2017-12-31", "9999999999-12-27", "2017-1-01", "24:00:01", "25:00:00", "10:60:00", "10:10:60",
        "7:00:00", "10:1:00", "10:10", "10:10:10+19:00", "10:10:10+5", "10:10:10+05:60",
        "10:10:10@xyz/abc", "10:10:10@../../etc/passwd", "10:10:10+02:00@Europe/Paris",
        "2011-12-0310:15:30", "P", "PT", "P1", "-P", "P1Y1D", "P1DT", "1D", "PT1D", "P1H", "P-1D",
        "P9999999999999999999D", "٢٠١٧-١٢-٣١",
    ],
)  # fmt: skip
def test_parse_temporal__refuses(text: str) -> None:
    with pytest.raises(FeelError):
        parse_temporal(text)


def test_parse__each_its_own() -> None:
    assert str(parse_date("2020-01-02")) == "2020-01-02"
    assert str(parse_time("24:00:00")) == "00:00:00"
    assert str(parse_date_time("2020-01-02")) == "2020-01-02T00:00:00"
    assert str(parse_duration("P400D")) == "P400D"
    for parse, text in ((parse_date, "10:00:00"), (parse_time, "2020-01-02"), (parse_duration, "x")):
        with pytest.raises(FeelError):
            parse(text)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("2017-12-31T11:22:33.500Z", "2017-12-31T11:22:33.5Z"),
        ("2017-12-31T11:22:33+00:00", "2017-12-31T11:22:33Z"),
        ("-99999-12-31T11:22:33", "-99999-12-31T11:22:33"),
        ("10:00:00+01:00:30", "10:00:00+01:00:30"),
        ("PT26H", "P1DT2H"),
        ("PT0S", "PT0S"),
        ("-P0D", "PT0S"),
        ("PT90M", "PT1H30M"),
        ("PT1.250S", "PT1.25S"),
        ("P24M", "P2Y"),
        ("P0Y", "P0M"),
        ("-P14M", "-P1Y2M"),
    ],
)
def test_printed(text: str, printed: str) -> None:
    assert str(parse_temporal(text)) == printed


@pytest.mark.parametrize(
    ("a", "operator", "b", "expected"),
    [
        ("2021-01-01T10:10:10", "+", "P1Y", "2022-01-01T10:10:10"),
        ("2021-01-31", "+", "P1M", "2021-02-28"),
        ("2020-02-29", "+", "P1Y", "2021-02-28"),
        ("-2021-01-01", "+", "-P1M", "-2022-12-01"),
        ("2021-01-01", "+", "PT36H", "2021-01-02"),
        ("2021-01-02", "-", "PT1S", "2021-01-01"),
        ("2021-01-02", "-", "P1D", "2021-01-01"),
        ("2021-01-01T24:00:00", "-", "PT1S", "2021-01-01T23:59:59"),
        ("2021-03-27T12:00:00@Europe/Paris", "+", "P1D", "2021-03-28T13:00:00@Europe/Paris"),
        ("2021-01-12T10:10:10@Australia/Melbourne", "+", "P1DT1H", "2021-01-13T11:10:10@Australia/Melbourne"),
        ("23:30:00+01:00", "+", "PT1H", "00:30:00+01:00"),
        ("00:30:00", "-", "PT1H", "23:30:00"),
        ("2021-01-02T10:10:10", "-", "2021-01-01T10:10:10", "P1D"),
        ("2021-01-02T10:10:10@Europe/Paris", "-", "2021-01-01T10:10:10@Asia/Dhaka", "P1DT5H"),
        ("2021-01-02", "-", "2021-01-01T10:10:10+11:00", "P1DT49M50S"),
        ("2021-01-01", "-", "2021-01-02", "-P1D"),
        ("10:10:10", "-", "11:10:10", "-PT1H"),
        ("P1D", "-", "PT2H", "PT22H"),
        ("P1Y", "+", "-P14M", "-P2M"),
    ],
)
def test_arithmetic__of_dates(a: str, operator: str, b: str, expected: str) -> None:
    left, right = parse_temporal(a), parse_temporal(b)
    assert str(arithmetic(operator, left, right)) == expected
    if operator == "+":
        assert str(arithmetic("+", right, left)) == expected


@pytest.mark.parametrize(
    ("a", "operator", "b", "expected"),
    [
        ("PT23H", "*", 2.5, "P2DT9H30M"),
        ("P1Y11M", "*", -2.5, "-P4Y9M"),
        ("P10DT23H", "/", 2.5, "P4DT9H12M"),
        ("P10Y11M", "/", -2.5, "-P4Y4M"),
        ("P1D", "*", 0, "PT0S"),
    ],
)
def test_arithmetic__of_durations_and_numbers(a: str, operator: str, b: float, expected: str) -> None:
    factor = parse_number(b)
    assert str(arithmetic(operator, parse_temporal(a), factor)) == expected
    if operator == "*":
        assert str(arithmetic("*", factor, parse_temporal(a))) == expected


def parse_number(written: float) -> object:
    from dtables.feel.numbers import from_text

    return from_text(repr(written))


def test_arithmetic__of_two_durations_is_a_number() -> None:
    assert arithmetic("/", parse_temporal("P10D"), parse_temporal("P4D")) == parse_number(2.5)
    assert arithmetic("/", parse_temporal("P10Y"), parse_temporal("P5Y")) == 2


@pytest.mark.parametrize(
    ("a", "operator", "b"),
    [
        ("2021-01-02T10:10:10", "-", "2021-01-01T10:10:10Z"),
        ("2021-01-02", "-", "2021-01-01T10:10:10"),
        ("10:10:10", "-", "10:10:10Z"),
        ("2021-01-01", "+", "2021-01-01"),
        ("10:10:10", "+", "P1M"),
        ("P1D", "+", "P1M"),
        ("P1D", "-", "2021-01-01"),
        ("P1D", "*", "P1D"),
        ("P1D", "/", "PT0S"),
        ("P1D", "/", "P1M"),
        ("999999999-12-31", "+", "P1D"),
        ("999999999-12-31", "+", "P1Y"),
    ],
)
def test_arithmetic__of_dates_without_result(a: str, operator: str, b: str) -> None:
    with pytest.raises(FeelError):
        arithmetic(operator, parse_temporal(a), parse_temporal(b))


PYTHON_DATES = st.dates()


@given(PYTHON_DATES)
def test_calendar__agrees_with_pythons(day: datetime.date) -> None:
    number = temporal.day_number(day.year, day.month, day.day)
    assert number == day.toordinal() - datetime.date(1970, 1, 1).toordinal()
    assert temporal.from_day_number(number) == (day.year, day.month, day.day)
    assert temporal.weekday(number) == day.isoweekday()
    assert temporal.iso_week(day.year, day.month, day.day) == day.isocalendar().week
    assert temporal.day_of_year(day.year, day.month, day.day) == day.timetuple().tm_yday


@given(st.integers(-(10**11), 10**11))
def test_calendar__days_come_back(number: int) -> None:
    year, month, day = temporal.from_day_number(number)
    assert temporal.day_number(year, month, day) == number
    assert 1 <= day <= temporal.days_in_month(year, month)


@given(PYTHON_DATES, st.integers(-300, 300))
def test_months_between__counts_what_was_added(day: datetime.date, months: int) -> None:
    start = Date(day.year, day.month, min(day.day, 28))
    assert months_between(start, arithmetic("+", start, YearsDuration(months))) == months


@given(st.datetimes(), st.integers(-(10**15), 10**15))
def test_moments__come_back(moment: datetime.datetime, nanos: int) -> None:
    start = parse_temporal(moment.isoformat())
    moved = arithmetic("+", start, DaysDuration(nanos))
    assert arithmetic("-", moved, start) == DaysDuration(nanos)
    assert arithmetic("-", moved, DaysDuration(nanos)) == start
    assert equal(parse_temporal(str(moved)), moved) is True
    assert compare("<=", start, moved) is (nanos >= 0 or equal(start, moved))


@given(st.integers(-(10**18), 10**18))
def test_durations__are_read_as_printed(nanos: int) -> None:
    assert parse_temporal(str(DaysDuration(nanos))) == DaysDuration(nanos)
    assert parse_temporal(str(YearsDuration(nanos // 10**9))) == YearsDuration(nanos // 10**9)
