"""Values whose kind is only known when the rules run: what may be done with them, and what fails."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.records.findings import RuleError
from tests.evaluator.books import evaluator

KINDS = """
list: [1, 2, 3], holes: [1, null, 3], empty: [], nothing: null, number: 2, yes: true, no: false, text: "t",
range: [1..3], open: (1..3), from open: ]1..3], to open: [1..3[, half: [1.5..3], down: [3..1],
days: [date("2024-02-28")..date("2024-03-01")], texts: ["a".."c"],
record: {a: 1}, records: [{a: 1}, {a: 5}], function: function(x: number) x + 1
""".replace("\n", " ")

CAME_TO: dict[str, Any] = {
    'some b in loose("list") satisfies b = 2': True,
    'some b in loose("list") satisfies b = 9': False,
    'every b in loose("list") satisfies b < 9': True,
    'every b in loose("list") satisfies b < 3': False,
    'some b in loose("range") satisfies b = 3': True,
    'for b in loose("range") return 2 * b': [2, 4, 6],
    'some b in [1, 2] satisfies loose("yes")': True,
    'some b in [1, 2] satisfies loose("no")': False,
    'every b in [1, 2] satisfies loose("yes")': True,
    'every b in [1, 2] satisfies loose("no")': False,
    'loose("list")[item > 1]': [2, 3],
    'loose("list")[2]': 2,
    'loose("list")[-1]': 3,
    'loose("list")[9]': None,
    'loose("number")[1]': 2,
    'loose("number")[item = 2]': [2],
    'loose("nothing")[1]': None,
    'loose("nothing")[item = 2]': [],
    'loose("empty")[item = 2]': [],
    'loose("empty")[1]': None,
    'loose("records")[a > 2]': [{"a": 5}],
    'loose("records")[a > 2].a': [5],
    'loose("records").a': [1, 5],
    '[1, 2, 3][loose("number")]': 2,
    'loose("function")(4)': 5,
    'n in (loose("number"), > 7)': False,
    'n in (loose("list"), > 7)': True,
    'n in (> loose("number"), 1)': True,
    'n in (loose("text"), 3)': True,
    'n in (loose("nothing"), 3)': True,
    'n in (loose("yes"), 7)': True,
    'n in loose("range")': True,
    'n in loose("list")': True,
    'loose("number") in [1..3]': True,
    'loose("number") + n': 5,
    'loose("text") + "x"': "tx",
    'loose("number") = n': False,
    'loose("number") < n': True,
    'loose("yes") and n > 1': True,
    'loose("no") and n > 1': False,
    'loose("nothing") and n > 1': None,
    'not(loose("no"))': True,
    'if loose("yes") then 1 else 2': 1,
    'if loose("no") then 1 else 2': 2,
    '-loose("number")': -2,
    'loose("number") between 1 and n': True,
    'loose("number") instance of number': True,
    'loose("text") instance of number': False,
    'count(loose("list"))': 3,
    'sum(loose("list"))': 6,
    'max(loose("list"))': 3,
    'loose("nothing") = null': True,
    'loose("record").a': 1,
    'loose("record").b': None,
    'for i in loose("list"), j in loose("range") return i * j': [1, 2, 3, 2, 4, 6, 3, 6, 9],
    'for b in loose("open") return b': [2],
    'for b in loose("from open") return b': [2, 3],
    'for b in loose("to open") return b': [1, 2],
    'for b in loose("days") return string(b)': ["2024-02-28", "2024-02-29", "2024-03-01"],
    'some d in loose("days") satisfies d > date("2024-02-28")': True,
    "for i in n..1 return i": [3, 2, 1],
    'for d in date("2024-03-01")..date("2024-02-28") return string(d)': [
        "2024-03-01",
        "2024-02-29",
        "2024-02-28",
    ],
    'loose("list")[loose("nothing")]': [],
    'loose("list")[loose("yes")]': [1, 2, 3],
    'n in (loose("no"), 3)': True,
    'n in (loose("no"), 7)': False,
    'n in loose("yes")': True,
    'n in not(loose("yes"))': False,
    '(n > 1) in (loose("yes"), false)': True,
    '(n > 1) in (loose("no"), false)': False,
    'loose("yes") in (loose("yes"), 3)': True,
    'n in (loose("nothing"), 7)': False,
}
FAILS = {
    'some b in loose("holes") satisfies b > 2': "number and null have no order",
    'some b in loose("holes") satisfies b > 3': "number and null have no order",
    'every b in loose("holes") satisfies b > 0': "number and null have no order",
    'some b in loose("number") satisfies b = 2': "number is no list to go through",
    'for b in loose("down") return b': "the range ends before it begins",
    'some b in loose("nothing") satisfies b = 2': "null is no list to go through",
    'some b in [1, 2] satisfies loose("text")': 'expected boolean, found "t"',
    'some b in [1, 2] satisfies loose("nothing")': "this is null, and a value is needed here (boolean)",
    'every b in [1, 2] satisfies loose("nothing")': "this is null, and a value is needed here (boolean)",
    'if loose("nothing") then 1 else 2': "this is null, and a value is needed here (boolean)",
    'if loose("text") then 1 else 2': 'expected boolean, found "t"',
    'loose("text") or n > 9': 'expected boolean?, found "t"',
    'not(loose("text"))': 'expected boolean?, found "t"',
    'count(loose("number"))': "expected list of any, found 2",
    'loose("holes")[item > 1]': "number and null have no order",
    'loose("number")(4)': "number cannot be called",
    'loose("function")(4, 5)': "the function takes 1 arguments, not 2",
    'loose("text") in [1..3]': "number and text have no order",
    'loose("text") + n': "text + number has no result",
    'loose("text") < n': "text and number have no order",
    '-loose("text")': "text has no negative",
    'loose("text").a': "text has no a",
    'for b in loose("texts") return b': "a loop counts whole numbers or dates, not text to text",
    'for b in loose("half") return b': "a loop counts whole numbers or dates, not 1.5 to 3",
    'loose("list")["t"]': "a condition is true or false, not text",
    'loose("list")[loose("text")]': "a condition is true or false, not text",
    'loose("empty")[loose("text")]': "a condition is true or false, not text",
    'n in (loose("texts"), 7)': "text and number have no order",
}
EXPRESSIONS = [*CAME_TO, *FAILS]
BOOK = f"""
# Sheet: Rules
Input: turn
  field | type
  n | whole number

Formulas: each
  name | type | is
  loose(kind: text) | any | get value({{{KINDS}}}, kind)
"""
TEXT = BOOK + "\n".join(f"  case {n} | any | {text}" for n, text in enumerate(EXPRESSIONS))
ENGINE = evaluator(TEXT)


def worked_out(expression: str) -> Any:
    return ENGINE.call(f"case {EXPRESSIONS.index(expression)}", {"n": 3})


@pytest.mark.parametrize("expression", CAME_TO)
def test_comes_to(expression: str) -> None:
    found, wanted = worked_out(expression), CAME_TO[expression]
    assert (found, type(found)) == (wanted, type(wanted))


@pytest.mark.parametrize("expression", FAILS)
def test_fails(expression: str) -> None:
    with pytest.raises(RuleError) as caught:
        worked_out(expression)
    assert caught.value.message == FAILS[expression]
