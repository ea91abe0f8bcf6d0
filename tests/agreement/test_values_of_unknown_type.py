"""Values of every type in every place that wants one, where nothing is known of them before they run:
what is wanted, or a failure of the rules in the same words in every engine, with the cell."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, get_args

import pandas as pd
import pytest

from dtables.answers.engines import compiled_engine
from dtables.columnar.frames import answer_frame
from dtables.compilers.sql import to_sql
from dtables.feel.builtins import BUILTINS, Builtin
from dtables.feel.types import Type, UnknownType, describe, without_null
from dtables.feel.values import parse_date, parse_duration
from dtables.ruleset import Ruleset
from tests.agreement.engines import Engines, ruleset, source_of, spelled
from tests.columnar.test_frames import ONE_BY_ONE, same
from tests.support.thinned import swept

WORDS = """
Types: words
  name | names
  colour | red, green, blue

Types: narrowed
  name | of | allowed
  warm | colour | not(blue)
  score | whole number | [0..9]

Data: toy ; key: toy
  key | whole number
  toy | points
  ball | 1
  kite | 3

Record: box
  field | type | is
  tint | colour |
  size | whole number |
  double | whole number | 2 * size

Input: state
  field | type
  chest | box
  stock | number by colour
  free | any
  ready | any
"""

VALUES = {
    "null": "null",
    "true": "true",
    "3": "3",
    "2.5": "2.5",
    "text": '"abc"',
    "id of a name": '"red"',
    "id of a row": '"ball"',
    "date": '@"2024-02-29"',
    "time": '@"10:30:00"',
    "date and time": '@"2024-02-29T10:30:00"',
    "days": '@"P1D"',
    "months": '@"P1M"',
    "name": "colours[1]",
    "row": "ball",
    "record": "chest",
    "numbers": "[1, 2]",
    "texts": '["a", "b"]',
    "names": "colours",
    "empty list": "[]",
    "list with null": "[1, null]",
    "list of lists": "[[1], [2]]",
    "context": "{a: 1, b: 2}",
    "other context": '{a: "x"}',
    "empty context": "{}",
    "map": "stock",
    "range": "[1..3]",
    "range of texts": '["a".."c"]',
    "function": "function(x: number) x + 1",
    "function of two": "function(x, y) x",
}
STATE: dict[str, Any] = {
    "chest": {"tint": "red", "size": 2},
    "stock": {"red": 1, "blue": 2.5},
    "free": 1,
    "ready": True,
}


@dataclass(frozen=True)
class Wanted:
    """A type, and by hand which of the values are of it."""

    type: str
    fitting: str

    def takes(self, value: str) -> bool:
        return value in [one.strip() for one in self.fitting.split(",")]


TEXTS = "text, id of a name, id of a row, name"
WANTED = [
    Wanted("number", "3, 2.5"),
    Wanted("whole number", "3"),
    Wanted("score", "3"),
    Wanted("text", TEXTS),
    Wanted("boolean", "true"),
    Wanted("date", "date"),
    Wanted("time", "time"),
    Wanted("date and time", "date and time"),
    Wanted("days and time duration", "days"),
    Wanted("years and months duration", "months"),
    Wanted("colour", "name, id of a name"),
    Wanted("warm", "name, id of a name"),
    Wanted("toy", "row"),
    Wanted("box", "record"),
    Wanted("list of number", "numbers, empty list"),
    Wanted("list of text", "texts, names, empty list"),
    Wanted("list of colour", "names, empty list"),
    Wanted("list of (whole number?)", "numbers, empty list, list with null"),
    Wanted("list of list of number", "list of lists, empty list"),
    Wanted("number by colour", "map, empty context"),
    Wanted("context<a: number>", "context"),
    Wanted("context<a: text?>", "other context, empty context, map"),
    Wanted("range<number>", "range"),
    Wanted("function<number> -> number", "function"),
    Wanted("any", ", ".join(VALUES)),
]
OPTIONAL = [
    Wanted(f"{one.type}?", f"{one.fitting}, null")
    for one in WANTED
    if one.type.startswith(("number", "whole", "text", "colour", "toy", "box", "date", "list of number"))
]


def unknown(value: str) -> str:
    """Nothing is known of what a context holds under a name."""
    return f'get value({{v: {value}}}, "v")'


PLACES = {
    "result of a formula": """
Formula: {name} -> {type}
  step | type | is
  result | | {value}
""",
    "type of a result": """
Formula: {name}
  step | type | is
  result | {type} | {value}
""",
    "result of any in one of a type": """
Formula: {name} -> {type}
  step | type | is
  result | any | {value}
""",
    "formula among others": """
Formulas: of {name}
  name | type | is
  {name} | {type} | {value}
""",
    "step": """
Formula: {name}
  step | type | is
  inner | {type} | {value}
  result | | inner
""",
    "step with a parameter": """
Formula: {name}
  step | type | is
  inner(x: {type}) | | x
  result | | inner({value})
""",
    "parameter": """
Formula: inner {name}(x: {type})
  step | type | is
  result | | x

Formula: {name}
  step | type | is
  result | | inner {name}({value})
""",
    "field of a record": """
Record: holder {name}
  field | type | default
  held | {type} | {needed}

Formula: {name}
  step | type | is
  result | holder {name} | {{held: {value}}}
""",
    "computed field": """
Record: holder {name}
  field | type | is
  own | whole number |
  held | {type} | {value}

Formula: {name}
  step | type | is
  made | holder {name} | {{own: 1}}
  result | | made.held
""",
    "record of steps": """
Record: holder {name}
  field | type | default
  held | {type} | {needed}

Formula: {name} -> holder {name}
  step | type | is
  held | | {value}
""",
    "outcome": """
Decision: {name} -> {type} ; policy: first
  if | then
  ready | out
  - | {value}
""",
    "otherwise": """
Decision: {name} -> {type} ; policy: first ; otherwise: {value}
  if | then
  ready | out
  "never" | {value}
""",
    "collected outcomes": """
Decision: {name} -> list of ({type}) ; policy: collect
  if | then
  ready | out
  - | {value}
""",
    "one of several outcomes": """
Record: holder {name}
  field | type | default
  held | {type} | {needed}
  other | whole number |

Decision: {name} -> holder {name} ; policy: first
  if | then | then
  ready | held | other
  - | {value} | 1
""",
    "item of a list": """
Formula: {name} -> list of ({type})
  step | type | is
  result | | [{value}]
""",
    "list that a loop makes": """
Formula: {name} -> list of ({type})
  step | type | is
  result | | for i in 1..2 return {value}
""",
    "list of unknown items": """
Formula: {name} -> list of ({type})
  step | type | is
  result | | append([], {value})
""",
    "branch": """
Formula: {name} -> {type}
  step | type | is
  result | | if free = 1 then {value} else {value}
""",
    "entry of a map": """
Formula: {name}
  step | type | is
  result | ({type}) by colour | {{red: {value}}}
""",
    "parameter of a function": """
Formula: {name}
  step | type | is
  take | | get value({{f: function(x: {type}) x}}, "f")
  result | | take({value})
""",
}
NO_MAP = ("context<a: number>", "context<a: text?>")
"""A map is a context with other words here: its numbers are no texts."""


def tables(place: str, wanted: Wanted) -> list[tuple[str, str, str]]:
    """The names of the tables, of the values in them, and how they are written."""
    needed = "" if wanted.type.endswith("?") else "needed"
    return [
        (
            name,
            value,
            PLACES[place].format(name=name, type=wanted.type, value=unknown(written), needed=needed),
        )
        for number, (value, written) in enumerate(VALUES.items())
        for name in [f"{place} {number}"]
    ]


COLOURS = "Formulas: words\n  name | type | is\n  colours | list of colour | [red, green]"


@pytest.mark.parametrize("wanted", [*WANTED, *OPTIONAL], ids=lambda wanted: wanted.type)
def test_a_value_is_of_the_type_or_the_rules_fail(wanted: Wanted) -> None:
    places = swept(PLACES, [*WANTED, *OPTIONAL].index(wanted))
    written = {place: tables(place, wanted) for place in places}
    written = {place: made for place, made in written.items() if ruleset(world(made[0][2])) is not None}
    assert len(written) > len(places) - 4, [place for place in places if place not in written]
    model = ruleset(world(*(text for made in written.values() for _, _, text in made)))
    assert model is not None
    engines = Engines(model)
    for place, made in written.items():
        for name, value, text in made:
            found = engines.call(name, STATE)
            if wanted.takes(value):
                leaves = found[0] == "value" or "cannot leave the rules" in found[1]
                assert leaves, (place, value, found)
            else:
                assert_fails(found, (place, value), text)


def assert_fails(found: Any, what: object, text: str) -> None:
    assert found[0] == "failure", (what, found)
    _, message, where, _ = found
    assert message.startswith(("expected ", "this is null, and a value is needed here")), (what, found)
    assert where is not None and where.cell.sheet == "Rules", (what, text, found)


def world(*tables: str) -> str:
    return "\n\n".join([WORDS, COLOURS, *tables])


# -- conditions, operators, loops, keys: what wants a type without a name ---------------------------

WORKED_WITH = [
    "if {v} then 1 else 2", "{v} and free = 1", "free = 2 or {v}", "not({v})", "-({v})", "{v} + 1",
    "1 - ({v})", "{v} * 2", '"x" + {v}', "{v} < 3", "3 >= {v}", "{v} = 3", '{v} != "abc"', "3 in {v}",
    "{v} in (1, 2, null)", "{v} in [1..5]", "{v} in not(3)", '{v} in (!= "abc")', "{v} between 1 and 5",
    "3 between {v} and 5", "[1, 2, 3][{v}]", "[1, 2, 3][item = {v}]",
    '[1, 2, 3][get value({{i: item}}, "i") > 1]', "({v})[1]", "({v})[item = 1]", "({v})[a = 1]",
    "({v})[{v}]", "({v}).a", "({v}).points", "({v}).year", "({v}).size", "for x in {v} return x",
    "for x in {v} return x + 1", "some x in [1, 2] satisfies {v}", "every x in [1, 2] satisfies {v}",
    "some x in {v} satisfies x", "every x in {v} satisfies x = 1", "stock({v})", "{v} instance of number",
    "{v} instance of colour", "{v} instance of toy", "{v} instance of list<number>", "({v})(1)",
    "({v})(1, 2)", '({v})("x")', "count({v})", "sum({v})", "max({v})", "max({v}, 2)", "min([1, 2], {v})",
    "sort({v}, function(x, y) x < y)", "sort({v}, function(x: number, y: number) x < y)",
    "sort([2, 1], {v})", "list replace([1, 2], {v}, 3)", "concatenate({v}, [1])", "append({v}, 1)",
    "flatten([{v}])", "distinct values([{v}, 3])", "string({v})", "string join({v})", "get entries({v})",
    'get value({v}, "a")', "get value(stock, {v})", 'context put({v}, "a", 1)',
    "context put({{}}, {v}, 1)", "context merge([{v}, {{b: 1}}])", "context([{{key: {v}, value: 1}}])",
    'context put({{}}, "__class__", {v})', "[{v}]", "{{a: {v}}}", "{v}", "date({v})", "time({v})",
    "date and time({v})", "duration({v})", "number({v})", "date({v}, 1, 1)", "choice({v})", "tiers({v})",
    "price({v})", "thrown({v})", "chosen({v})", "held({v}).double",
]  # fmt: skip

TABLES = """
Scale: best(options: list of box, limit: whole number) ; others: last ; decides: yes
  # | only for | only if | prefer | by
    | size | | |
  1 | < 5 | | lowest | size + limit
  2 | | limit > 0 | first |

Formulas: of scales
  name | type | is
  choice(x: any) | box? | best([chest], x)
  tiers(x: any) | list of list of box | best ranking(x, 1)

Matrix: price(c: colour) -> whole number
  key | value
  c |
  red | 1
  green | 2
  blue | 3

Dice: thrown
  total | then
  1d6 |
  1-3 | 1
  4-6 | 2

Decision: chosen(x: any) ; policy: first
  if | then
  x | out
  3 | "three"
  "abc" | "text"
  red | "name"
  ball | "row"
  [1..2] | "range"
  not(yes, null) | "other"
  - | "rest"

Formula: held(b: box) -> box
  step | type | is
  result | | b
"""


@pytest.mark.parametrize("value", VALUES)
def test_what_is_done_with_a_value_comes_to_the_same(value: str) -> None:
    """A result or a failure with its cell, but never anything else."""
    some = swept(WORKED_WITH, [*VALUES].index(value))
    written = [one.format(v=unknown(VALUES[value])) for one in some]
    rows = "\n".join(f"  worked {number} | | {one}" for number, one in enumerate(written))
    model = ruleset(world(TABLES, f"Formulas: worked\n  name | type | is\n{rows}"))
    assert model is not None
    engines = Engines(model)
    for number in range(len(written)):
        found = engines.call(f"worked {number}", STATE)
        assert found[0] == "value" or found[2] is not None, (written[number], found)


def test_all_of_them_can_be_written() -> None:
    """The types that are known do not keep them from being tried."""
    for one in WORKED_WITH:
        text = f"Formula: tried\n  step | type | is\n  result | | {one.format(v=unknown('1'))}"
        assert ruleset(world(TABLES, text)) is not None, one


SAMPLES = {
    "number": "2", "whole number": "1", "text": '"abc"', "boolean": "true", "date": '@"2024-02-29"',
    "time": '@"10:30:00"', "date and time": '@"2024-02-29T10:30:00"', "days and time duration": '@"P1D"',
    "years and months duration": '@"P1M"', "any": "1", "list of any": "[1, 2]", "list of number": "[1, 2]",
    "list of boolean?": "[true]", "list of text?": '["a"]', "range of any": "[1..3]",
    "function(any, any) -> boolean": "function(x, y) true",
}  # fmt: skip
CLOCK = ("now", "today")


def calls(builtin: Builtin) -> list[str]:
    """With each argument in turn of every kind, the others as they should be."""
    made: list[str] = []
    for signature in builtin.signatures:
        samples = [SAMPLES[describe(without_null(p.type))] for p in signature.parameters]
        for place in range(len(samples)):
            for value in swept(VALUES.values(), place + len(builtin.name)):
                given = [*samples[:place], unknown(value), *samples[place + 1 :]]
                made.append(f"{builtin.name}({', '.join(given)})")
    return list(dict.fromkeys(made))


@pytest.mark.parametrize("builtin", [b for b in BUILTINS if b.name not in CLOCK], ids=lambda b: b.name)
def test_arguments_of_built_ins(builtin: Builtin) -> None:
    written = calls(builtin)
    rows = "\n".join(f"  called {number} | | {one}" for number, one in enumerate(written))
    model = ruleset(world(f"Formulas: called\n  name | type | is\n{rows}"))
    assert model is not None
    engines = Engines(model)
    for number, one in enumerate(written):
        found = engines.call(f"called {number}", STATE)
        assert found[0] == "value" or found[2] is not None, (one, found)


# -- functions of which nothing is known ----

FUNCTIONS = {
    **VALUES,
    "function in a loop": "(for n in [1, 2] return function(x: number) x + n)[1]",
    "function of a function": "function(f: function<number> -> number) f(1)",
    "function of a list": "function(x: list of number) x",
}
CALLED = [
    "{v}(10)", "{v}(x: 10)", "{v}(n: 10)", "{v}(x: 1, y: 2)", "{v}(y: 2, x: 1)", "{v}(y: 2)", '{v}(x: "a")',
    "{v}(1, 2)", "{v}(null)", "{v}(x: null)", "{v}([1, 2])", '{v}("a")', "for f in {v} return f(1)",
    "sort([2, 1], {v})", "{v} instance of number", "{v} = [{v}][1]", "{v} + 1", "{v} in [1, 2]",
    "string({v})", "{{a: {v}}}.a(n: 1)", "for n in [1, 2] return {v}(n: n)",
]  # fmt: skip


@pytest.mark.parametrize("value", FUNCTIONS)
def test_functions_and_what_is_called_as_if_it_were_one(value: str) -> None:
    """By places and by names, from a context and out of a table whose type is open."""
    made = FUNCTIONS[value]
    written = [one.format(v=v) for v in (unknown(made), "tools.made") for one in CALLED]
    rows = "\n".join(f"  called {number} | | {one}" for number, one in enumerate(written))
    tools = f"  tools | any | {{made: {made}}}"
    words = world(f"Formulas: called\n  name | type | is\n{tools}\n{rows}")
    if ruleset(world(f"Formulas: called\n  name | type | is\n{tools}")) is None:
        pytest.skip("no such value can be written")
    model = ruleset(words)
    assert model is not None
    engines = Engines(model)
    for number, one in enumerate(written):
        found = engines.call(f"called {number}", STATE)
        assert found[0] == "value" or found[2] is not None, (one, found)


@pytest.mark.parametrize("value", ["null", "3", "function", "function of two", "function in a loop"])
def test_functions_go_through_columns_as_record_by_record(value: str) -> None:
    """Called in a cell of a decision, in some rows of the frame."""
    frame = pd.DataFrame([{**STATE, "free": free} for free in (1, 2, 1, "a")], dtype=object)
    for one in swept(CALLED, len(value)):
        rows = f"  if | then\n  free | out\n  1 | {one.format(v='tools.made')}\n  - | 7"
        tools = f"Formulas: these\n  name | type | is\n  tools | any | {{made: {FUNCTIONS[value]}}}"
        tried = f"Decision: tried -> any ; policy: first\n{rows}"
        model = ruleset(world(tools, tried, asking(ROWS["answer"].format(v="tried"))))
        assert model is not None, one
        rules = Ruleset(model)
        engine = compiled_engine(model, rules.source)
        same(rules.answer_frame(frame), answer_frame(engine, model, frame, ONE_BY_ONE))


TYPES_WRITTEN = [
    "any", "number", "text", "boolean", "date", "time", "date and time", "days and time duration",
    "years and months duration", "colour", "warm", "score", "box", "list<score>", "range<number>",
    "context<a: number, b: list<colour>>", "function<number, colour> -> range<date>",
]  # fmt: skip


def test_all_types_can_be_named_in_a_compiled_module() -> None:
    """As a parameter, in `instance of`, as a guard: the module imports what it names."""
    rows = [f"  asked {n} | | free instance of {one}" for n, one in enumerate(TYPES_WRITTEN)]
    rows += [f"  made {n} | any | function(x: {one}) x" for n, one in enumerate(TYPES_WRITTEN)]
    rows.append("  mapped | number by colour | {v}".replace("{v}", unknown("stock")))
    rows.append("  perhaps | list of number? | {v}".replace("{v}", unknown("[1, null]")))
    answers = asking(ROWS["answer"].format(v="null"))
    model = ruleset(world("\n".join(["Formulas: these", "  name | type | is", *rows]), answers))
    assert model is not None
    engines = Engines(model)
    for kind in get_args(Type):
        assert kind is UnknownType or f"{kind.__name__}(" in source_of(model), kind
    for n in range(len(TYPES_WRITTEN)):
        engines.call(f"asked {n}", STATE)


# -- rows of asks, checks and scales ---------------------------------------------------------------

ROWS = {
    "need": "  need | stock | {v} | |\n  answer | a | 1 | |",
    "need each": "  need each | stock | {v} | |\n  answer | a | 1 | |",
    "step": "  step | s | {v} | |\n  answer | a | s | |",
    "stop": "  stop | | {v} | |\n  answer | a | 1 | |",
    "draw": "  draw | d | {v} | |\n  answer | a | d | |",
    "recorded draw": "  draw | d | {v} | free |\n  answer | a | d | |",
    "answer": "  answer | a | {v} | |",
    "answer that is a list": "  answer | a | [{v}, {v}] | |",
    "answer while open": "  draw | d | each colour | |\n  answer | a | if d = red then {v} else 1 | |",
    "listed": "  draw | d | each colour | |\n  answer | a | d | | if d = red then {v} else []",
    "another's answer": "  answer | a | other({v}).b | |",
    "another's argument": "  answer | a | typed({v}) | |",
}
OTHERS = """
Ask: other(x: any)
  role | name | is
  answer | b | x

Ask: typed(x: whole number)
  role | name | is
  answer | b | x + 1
"""
CHECKS = {
    "wrong if": "Checks: these\n  # | wrong if | text en\n  1 | {v} | wrong",
    "by": "Checks: these\n  # | places | by | at most | text en\n  1 | boxes | {v} | 1 | wrong",
    "each": "Checks: these\n  # | each | wrong if | text en\n  1 | boxes | size = {v} | wrong",
}
SCALES = {
    "yes": "1 | | | yes | {v}",
    "highest": "1 | | | highest | {v}",
    "highest of items": "1 | | | highest | if size = 2 then {v} else 1",
    "only if": "1 | | {v} | lowest | size",
    "only for": "1 | {v} | | lowest | size",
    "first in": "1 | | | first in {v} | size",
    "by of a list": "1 | | | first in [1, 2] | {v}",
}


def asking(rows: str) -> str:
    return f"Ask: turn ; main: yes\n  role | name | is | recorded in | when open\n{rows}"


def scale(row: str) -> str:
    lines = ["Scale: best(options: list of box) ; others: last", "  # | only for | only if | prefer | by"]
    return "\n".join([*lines, "    | size | | |", f"  {row}", "  2 | | | first |", "", asking(CHOICE)])


CHOICE = "  answer | a | best(boxes) | |\n  answer | b | best ranking(boxes) | |"
READING = ("need", "need each", *CHECKS)
"""What SQL leaves to those who read records."""
BOXES = [{"tint": "red", "size": 2}, {"tint": "blue", "size": 1}, {"tint": "red", "size": 2}]
IN_ASKS = {
    **{name: lambda v, rows=rows: f"{OTHERS}\n{asking(rows.format(v=v))}" for name, rows in ROWS.items()},
    **{
        name: lambda v, rows=rows: f"{rows.format(v=v)}\n\n{asking(ROWS['answer'].format(v=1))}"
        for name, rows in CHECKS.items()
    },
    **{name: lambda v, row=row: scale(row.format(v=v)) for name, row in SCALES.items()},
}


@pytest.mark.parametrize("place", IN_ASKS)
def test_rows_of_asks_and_checks_and_scales(place: str) -> None:
    """A value, a reject or a failure with its cell; SQL says that it cannot say it."""
    words = f"{WORDS.rstrip()}\n  boxes | list of box"
    for value, written in VALUES.items():
        model = ruleset("\n\n".join([words, COLOURS, IN_ASKS[place](unknown(written))]))
        assert model is not None, (place, value)
        found = Engines(model).answer({**STATE, "boxes": BOXES})
        assert found[0] != "failure" or found[2] is not None, (place, value, found)
        assert place in READING or to_sql(model, "turn").sql is None, (place, value)


def test_an_open_field_goes_through_columns_as_record_by_record() -> None:
    """Of numbers and texts in one column, some of them fail where a type is wanted."""
    text = """
Input: state
  field | type
  free | any
  limit | whole number

Decision: tried -> whole number ; policy: first
  if | if | then
  limit | free | out
  < 3 | > 1 | free
  - | 1, 2 | 5
  - | - | free + limit

Ask: turn ; main: yes
  role | name | is
  answer | a | tried
  answer | b | if free = 1 then "one" else "other"
"""
    model = ruleset(text)
    assert model is not None
    rules = Ruleset(model)
    cells = [1, 2, 5, "a", None, True, 2.5, "1"]
    records = [{"free": free, "limit": limit} for free in cells for limit in (1, 4)]
    engine = compiled_engine(model, rules.source)
    for some in (records, records[:6], records[6:8], [records[12]] * 3):
        frame = pd.DataFrame(some, dtype=object)
        same(rules.answer_frame(frame), answer_frame(engine, model, frame, ONE_BY_ONE))
    engines = Engines(model)
    for record in records:
        engines.answer(record)


# -- what Python programs hand in ------------------------------------------------------------------


class Odd:
    """No value of any language."""


HANDED_IN = [
    (date(2024, 2, 29), "2024-02-29"),
    (datetime(2024, 2, 29), "2024-02-29T00:00:00"),
    (datetime(2024, 2, 29, 10, 30), "2024-02-29T10:30:00"),
    (pd.Timestamp("2024-02-29"), "2024-02-29T00:00:00"),
    (time(10, 30), "10:30:00"),
    (parse_duration("P1D"), "P1D"),
    (parse_date("2024-02-29"), "2024-02-29"),
    (2.5, Decimal("2.5")),
    ([date(2024, 2, 29), None], ["2024-02-29", None]),
    ({"a": [True]}, {"a": [True]}),
]
NO_VALUES = [
    Odd(),
    b"a",
    {1, 2},
    float("nan"),
    Decimal("Infinity"),
    1j,
    object,
    [1, Odd()],
    {"a": {"b": Odd()}},
]


def handed() -> Engines:
    model = ruleset(f"{WORDS}\n{asking(ROWS['answer'].format(v='free'))}")
    assert model is not None
    return Engines(model)


@pytest.mark.parametrize(("given", "wanted"), HANDED_IN, ids=lambda one: str(one))
def test_what_a_program_hands_in_is_the_value_it_looks_like(given: Any, wanted: Any) -> None:
    assert handed().answer({**STATE, "free": given}) == ("value", spelled({"a": wanted}))


@pytest.mark.parametrize("given", NO_VALUES, ids=lambda one: type(one).__name__)
def test_what_is_no_value_is_rejected_where_it_stands(given: Any) -> None:
    found = handed().answer({**STATE, "free": given})
    assert found[0] == "findings", found


# -- a typed value beside one of unknown type ----------------------------------------------------

TYPED = {
    "whole number": [0, 1],
    "number": [1, 2.5],
    "boolean": [True, False],
    "text": ["1", "red", ""],
    "c": ["red"],
}
LOOSE: list[Any] = [None, True, False, 0, 1, 2.5, "1", "red", "", [1], [True], ["red"], {"a": 1}]
HELD = [
    "typed = free", "free = typed", "typed != free", "typed in (free)", "typed in [free]", "free in [typed]",
    "list contains([free], typed)", "[free][item = typed] = []", "[typed][item = free] = []",
]  # fmt: skip


@pytest.mark.parametrize("type_", TYPED)
@pytest.mark.parametrize("asked", HELD)
def test_held_against_a_typed_value_it_is_equal_to_its_like_alone(asked: str, type_: str) -> None:
    model = ruleset(
        f"Types: names\n  name | names\n  c | red, blue\n\nInput: state\n  field | type\n"
        f"  typed | {type_}\n  free | any\n\nFormula: tried\n  step | type | is\n  result | | {asked}"
    )
    assert model is not None
    engines = Engines(model)
    for typed in TYPED[type_]:
        for free in LOOSE:
            engines.call("tried", {"typed": typed, "free": free})
