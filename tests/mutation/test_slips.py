"""What people mistype in a text: the text goes in, what it becomes comes out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dtables.feel.syntax.parser import parse_expression, parse_tests
from dtables.feel.syntax.scanner import KnownNames
from dtables.mutation.slips import CellText, opposite_of, slips_in, slips_in_row, spans_of
from dtables.provenance import Span

NAMES = KnownNames(["x", "y", "blue", "red", "green", "card", "size", "big card", "not"])
NEXT = {"blue": "red", "red": "green", "size": "colour", "x": "y"}


def typed(code: str) -> list[str]:
    node, wrong = parse_expression(code, NAMES)
    assert node is not None and not wrong
    text = _text(code)
    return [slip.typed(code) for slip in slips_in(text, (node,))]


def typed_tests(code: str) -> list[str]:
    tests, wrong = parse_tests(code, NAMES)
    assert tests is not None and not wrong
    text = _text(code)
    slips = [*slips_in_row(text, spans_of(tests), ordered=False), *slips_in(text, tests)]
    return [slip.typed(code) for slip in slips]


def _text(code: str) -> CellText:
    def around(span: Span) -> Iterator[str]:
        name = code[span.start : span.end].rpartition(".")[2]
        yield from [NEXT[name]] if name in NEXT else []

    return CellText(code, around)


@pytest.mark.parametrize(
    ("code", "slips"),
    [
        ("3", ["4", "2"]),
        ("0", ["1"]),
        ("-3", ["-4", "-2"]),
        ("2.50", ["2.51", "2.49"]),
        ("yes", ["no"]),
        ("NO", ["YES"]),
        ("sì", ["no"]),
        ("true", ["false"]),
        ('"abc"', ['"ab"']),
        ('""', []),
        ('@"2026-03-01"', ['@"2026-03-02"', '@"2026-02-28"']),
        ('@"P1D"', ['@"P2D"', '@"P0D"']),
        ("null", []),
        ("blue", ["red"]),
        ("card.size", ["card.colour"]),
        ("x < 3", ["x <= 3", "x > 3", "y < 3", "x < 4", "x < 2"]),
        ("x >= y", ["x > y", "x <= y", "y >= y"]),
        ("x = blue", ["x != blue", "y = blue", "x = red"]),
        ("y + 1", ["y - 1", "y + 2", "y + 0"]),
        ("y * y", ["y + y"]),
        ("y and size", ["y or size", "y", "size", "y and colour"]),
        ("not(y)", ["y"]),
        (
            "y in [1..3]",
            ["y in (1..3]", "y in [1..3)", "y in [2..3]", "y in [0..3]", "y in [1..4]", "y in [1..2]"],
        ),
        (
            "y in ]1..3[",
            ["y in [1..3[", "y in ]1..3]", "y in ]2..3[", "y in ]0..3[", "y in ]1..4[", "y in ]1..2["],
        ),
        ("y in (blue, green)", ["y in (green)", "y in (blue)", "y in (red, green)"]),
        ("y in [blue, green]", ["y in [green]", "y in [blue]", "y in [red, green]"]),
        ("[blue, green]", ["[green]", "[blue]", "[green, blue]", "[red, green]"]),
        ("min(y, 1)", ["max(y, 1)", "min(y, 2)", "min(y, 0)"]),
        ("if y then card else size", ["if y then size else card", "if y then card else colour"]),
        ("some c in y satisfies c", ["every c in y satisfies c"]),
        ("y[item > 1]", ["y", "y[item >= 1]", "y[item < 1]", "y[item > 2]", "y[item > 0]"]),
        ("y[1]", ["y[2]", "y[0]"]),
        ("y between 1 and 5", [f"y between {n}" for n in ("2 and 5", "0 and 5", "1 and 6", "1 and 4")]),
    ],
)
def test_expression(code: str, slips: list[str]) -> None:
    assert typed(code) == slips


@pytest.mark.parametrize(
    ("code", "slips"),
    [
        ("blue", ["red"]),
        ("blue, green", ["green", "blue", "red, green"]),
        (">= 3", ["> 3", "<= 3", ">= 4", ">= 2"]),
        ("[1..4]", ["(1..4]", "[1..4)", "[2..4]", "[0..4]", "[1..5]", "[1..3]"]),
        ("not(blue, green)", ["blue, green", "not(red, green)"]),
        ("-", []),
    ],
)
def test_tests_of_a_cell(code: str, slips: list[str]) -> None:
    assert typed_tests(code) == slips


@pytest.mark.parametrize(
    ("code", "slips"), [("size", ["not(size)"]), ("not(y)", []), ("y = 1", []), ("y and size", [])]
)
def test_a_condition_that_compares_nothing_lacks_its_not(code: str, slips: list[str]) -> None:
    node, _ = parse_expression(code, NAMES)
    assert node is not None
    assert [slip.typed(code) for slip in opposite_of(_text(code), node)] == slips
