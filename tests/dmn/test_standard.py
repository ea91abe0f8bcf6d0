"""What expressions of the standard's models are worth, by the standard's text (DMN 1.5, chapter 10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.dmn_text import decision, knowledge, model, value_of


def same(text: str, expected: str) -> bool:
    return value_of(f"[{text}]") == value_of(f"[{expected}]")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 between 0 and 2", "true"),
        ("1 between null and 2", "null"),
        ("3 between null and 2", "false"),
        ("1 between 0 and null", "null"),
        ("-1 between 0 and null", "false"),
        ('3 between "a" and 2', "false"),
        ("1 in [null..2]", "null"),
        ("3 in [null..2]", "false"),
        ("null in [1..2]", "null"),
        ("1 in (> 0)", "true"),
    ],
)
def test_between__is_both_comparisons(text: str, expected: str) -> None:
    """10.3.2.8: `a between b and c` is `a >= b and a <= c`."""
    assert same(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("null in (!= 1)", "true"),
        ("null in != 1", "true"),
        ("null in (!= null)", "false"),
        ("1 in (!= 1)", "false"),
    ],
)
def test_unlike__null_is_unlike_any_value(text: str, expected: str) -> None:
    assert same(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('@"2020-03-29T01:30:00@Europe/Paris" + @"PT1H"', '@"2020-03-29T03:30:00@Europe/Paris"'),
        ('@"2020-03-29T03:30:00@Europe/Paris" - @"PT1H"', '@"2020-03-29T01:30:00@Europe/Paris"'),
        ('@"2020-10-25T00:30:00@Europe/Paris" + @"PT4H"', '@"2020-10-25T03:30:00@Europe/Paris"'),
        ('@"9999-12-31T20:00:00@Asia/Tokyo" + @"PT10H"', '@"10000-01-01T06:00:00@Asia/Tokyo"'),
        ('@"0001-01-01T03:00:00@America/New_York" - @"PT10H"', '@"0000-12-31T17:00:00@America/New_York"'),
    ],
)
def test_zones__an_hour_that_a_clock_passes_over(text: str, expected: str) -> None:
    assert str(value_of(text)) == str(value_of(expected))


@pytest.mark.parametrize(
    ("source", "expected"),
    [("(1..3)", [2]), ("[1..3)", [1, 2]), ("]1..3]", [2, 3]), ("(1..1)", []), ("3..1", [3, 2, 1])],
)
def test_for__goes_through_what_lies_in_a_range(source: str, expected: list[int]) -> None:
    assert value_of(f"for i in {source} return i") == expected
    assert value_of(f"every i in {source} satisfies list contains({expected}, i)") is True


@pytest.mark.parametrize("source", ["[2..1]", "(3..1)", '[@"2020-01-02"..@"2020-01-01"]'])
def test_for__a_range_does_not_run_down(source: str) -> None:
    assert value_of(f"for i in {source} return i") is None
    assert value_of(f"some i in {source} satisfies true") is None
    assert value_of(f"every i in {source} satisfies true") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("is(value1: 1)", "false"),
        ("is(value2: null)", "true"),
        ("is(1)", "null"),
        ("list contains(list: [1, null])", "true"),
        ("index of(list: [1, null])", "[2]"),
        ('context put(context: {}, key: "a")', "{a: null}"),
        ("decimal(n: 1)", "null"),
        ("decimal(scale: 1)", "null"),
        ("append(list: [1])", "null"),
        ("is(value1: 1, value3: 1)", "null"),
        ('substring(string: "abc", length: 1)', "null"),
    ],
)
def test_named_arguments__one_that_is_left_out_is_null(text: str, expected: str) -> None:
    assert same(text, expected)


@pytest.mark.parametrize(
    ("function", "type_", "expected"),
    [
        ('function() "a"', "function<> -> string", True),
        ('function() "a"', "function<> -> number", False),
        ("function(x: number) x + 1", "function<number> -> number", True),
        ("function(x: number) x + 1", "function<number> -> string", False),
        ("function(x: number) x", "function<string> -> Any", False),
        ("function(x: number) x", "function<Any> -> number", False),
        ("function(x: Any) x", "function<number> -> Any", True),
        ("function(x: number) null", "function<number> -> string", True),
        ("function(x: number) {a: x}", "function<number> -> context<a: string>", False),
        ("abs", "function<number> -> number", True),
        ("string length", "function<string> -> string", False),
    ],
)
def test_instance_of__functions(function: str, type_: str, expected: bool) -> None:
    """10.3.2.9.2: parameters may take more, the result may be less; null conforms to every type."""
    assert value_of(f"({function}) instance of {type_}") is expected


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        ("function<number, number> -> number", True),
        ("function<number, string> -> number", False),
        ("function<number, number> -> string", False),
        ("function<number> -> number", False),
    ],
)
def test_instance_of__knowledge(tmp_path: Path, type_: str, expected: bool) -> None:
    body = knowledge("less", "a: number, b: number", "a - b", type_="number")
    body += decision("asked", f"less instance of {type_}", "knowledge:less")
    assert model(tmp_path, body).evaluate("asked", {}) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('date and time([@"2020-01-01"], [@"10:00:00"])', '@"2020-01-01T10:00:00"'),
        ('years and months duration([@"2019-01-01"], @"2020-01-01")', '@"P1Y"'),
        ('abs([@"-PT5H"])', '@"PT5H"'),
        ("meets([[1..5]], [5..10])", "true"),
        ("sort([3, 1], [function(x, y) x < y])", "[1, 3]"),
        ('day of year([@"2020-02-01"])', "32"),
        ("not([true])", "false"),
        ("not([])", "null"),
        ("[1] + 1", "null"),
    ],
)
def test_arguments__a_list_of_one_is_its_item(text: str, expected: str) -> None:
    """10.3.2.9.4: for arguments, not for operands."""
    assert same(f"string({text})", f"string({expected})")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[] in [[]]", "true"),
        ("[1] in [[1], [2]]", "true"),
        ("1 in [[1, 2]]", "false"),
        ("[1, 2] in ([1, 2])", "true"),
    ],
)
def test_in__a_list_in_a_list(text: str, expected: str) -> None:
    assert same(text, expected)
