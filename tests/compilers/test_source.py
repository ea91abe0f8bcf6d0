"""What compiled modules look like and how they behave as modules."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dtables.checker import check_book
from dtables.compilers.python import load_source, to_python
from dtables.compilers.python.dispatch import ThresholdRow, write_tree
from dtables.model.regions import Cut, Region, Span
from dtables.model.tables import Ruleset
from dtables.records.findings import RecordError, RuleError
from tests.support.drawing import book_text

CASES = Path(__file__).parent.parent / "cases"


def ruleset(text: str) -> Ruleset:
    book, _ = book_text(text, name="book.xlsx")
    model, diagnostics = check_book(book)
    assert model is not None, diagnostics
    return model


def source(text: str) -> str:
    return to_python(ruleset(text))[0]


def module(text: str) -> Any:
    return load_source(source(text), "book")


def function(text: str, name: str) -> str:
    """One function of the compiled module, as it is written."""
    code = source(text)
    lines = code.splitlines()
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return "\n".join(lines[node.lineno - 1 : node.end_lineno])
    raise AssertionError(f"no function {name} in\n{code}")


WORDS = """
Types: words
name | names
colour | red, green, blue
size | small, large

Types: ranges
name | of | allowed
age | whole number | [0..99]

Input: state
field | type | default
age | age |
level | whole number | 1
wish | colour |
"""

SHIPPED = (CASES / "compiled" / "book.txt").read_text(encoding="utf-8")


def test_same_input_same_bytes() -> None:
    assert source(SHIPPED) == source(SHIPPED)


def test_a_module_needs_no_workbook(tmp_path: Path) -> None:
    """Imported from a file by a Python that loads neither the checker nor the reader of workbooks."""
    (tmp_path / "rules.py").write_text(source(SHIPPED), encoding="utf-8")
    script = (
        "import sys, rules\n"
        "assert rules.TABLES['class of']({'t': 'gold', 'z': 'far', 'grams': 6000}) == 2\n"
        "from importlib.util import find_spec\n"
        "heavy = ('workbook', 'checker', 'evaluator', 'model', 'compilers')\n"
        "assert all(find_spec(f'dtables.{name}') for name in heavy)\n"
        "loaded = [m for m in sys.modules if m.startswith('dtables.') and m.split('.')[1] in heavy]\n"
        "assert not loaded, loaded\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_face() -> None:
    made = module(SHIPPED)
    assert made.RULESET == "book"
    assert list(made.ASKS) == ["shipping"]
    assert made.TABLES["fee"]({"zone": "near", "p": {"weight": 3000, "fragile": True}}) == 10


def test_formula__an_expression_is_an_expression() -> None:
    text = WORDS + "\nFormulas: f\nname | type | is\ntwice(n: whole number) | whole number | 2 * n + level"
    assert function(text, "twice") == (
        'def twice(turn, n):\n    """Formula: twice (Sheet1!A18)."""\n'
        "    return 2 * n + turn.level  # Sheet1!C18"
    )


def test_formula__steps_are_worked_out_when_they_are_read() -> None:
    text = WORDS + (
        "\nFormula: f(n: whole number) -> number\nstep | type | is\n"
        "never | number | 1 / 0\ntwice | number | 10 / n\n"
        "result | number | if n = 0 then 0 else twice + twice"
    )
    made = module(text)
    assert "never" not in function(text, "f")
    assert "once(" in function(text, "f")
    assert made.TABLES["f"]({"n": 0}) == 0
    assert made.TABLES["f"]({"n": 5}) == 4


def test_decision__few_rows_are_ifs() -> None:
    text = WORDS + "\nDecision: d(n: whole number) ; policy: first\nif | then\nn | out\n< 3 | 1\n- | 2"
    assert function(text, "d").splitlines()[2:] == [
        "    if n < 3:  # Sheet1!A19",
        "        return 1  # Sheet1!B19",
        "    return 2  # Sheet1!B20",
    ]


def test_decision__equality_columns_are_a_dict() -> None:
    rows = "\n".join(
        f"{c} | {s} | {n}"
        for n, (c, s) in enumerate((c, s) for c in ("red", "green", "blue") for s in ("small", "large"))
    )
    text = WORDS + f"\nDecision: d(c: colour, s: size) ; policy: unique\nif | if | then\nc | s | out\n{rows}"
    assert function(text, "d").splitlines()[-1] == "    return D[c][s]"
    assert "D = {\n    'red': {'small': 0, 'large': 1},\n" in source(text)


def test_decision__many_rows_have_an_index() -> None:
    rows = "\n".join(f"{c} | [{n * 10}..{n * 10 + 9}] | {n}" for n in range(40) for c in ("red", "blue"))
    marker = "Decision: d(c: colour, n: whole number) ; policy: unique ; otherwise: -1"
    text = WORDS + f"\n{marker}\nif | if | then\nc | n | out\n{rows}"
    asked = [("red", 0), ("blue", 399), ("green", 5), ("red", 400)]
    made = module(text)
    assert "cuts, between = D_FIND[c]" in function(text, "d")
    assert '["A19", "1", ["red"], [0, 9], 0]' in source(text).splitlines()
    assert [made.TABLES["d"]({"c": c, "n": n}) for c, n in asked] == [0, 39, -1, -1]


def test_decision__a_caller_may_change_what_it_gets() -> None:
    rows = "\n".join(f"{n} | {n} | a" for n in range(60))
    for count in (3, 60):
        lines = "\n".join(rows.split("\n")[:count])
        marker = "Decision: d(n: whole number) ; policy: unique"
        made = module(
            WORDS + f"\n{marker}\nif | then | then\nn | out | word\n{lines}".replace("| a", '| "a"')
        )
        first = made.TABLES["d"]({"n": 2})
        first["out"] = 99
        assert made.TABLES["d"]({"n": 2}) == {"out": 2, "word": "a"}


def test_decision__two_rows_fire() -> None:
    text = WORDS + "\nDecision: d(n: whole number) ; policy: unique\nif | then\nn | out\n< 3 | 1\n> 1 | 2"
    made = module(text)
    assert made.TABLES["d"]({"n": 1}) == 1
    with pytest.raises(RuleError, match="rows 1 and 2 both fire"):
        made.TABLES["d"]({"n": 2})


@pytest.mark.parametrize(
    ("given", "finding"),
    [
        ({}, "c: found nothing, wanted colour"),
        ({"c": "red"}, "a: found nothing, wanted age"),
        ({"c": "red", "a": None}, "a: found nothing, wanted age"),
        ({"c": "rde", "a": 3}, 'c: found "rde", wanted colour; did you mean "red"?'),
        ({"c": "red", "a": True}, "a: found true, wanted whole number"),
        ({"c": "red", "a": 3.0}, "a: found 3.0, wanted whole number"),
        ({"c": "red", "a": 100}, "a: found 100, wanted whole number [0..99]"),
        ({"c": ["red"], "a": 3}, 'c: found ["red"], wanted colour'),
        ({"c": "red", "a": 3, "b": 1}, 'b: found the unknown key "b", wanted one of c, a, age, level, wish'),
    ],
)
def test_called_with_something_wrong(given: dict[str, Any], finding: str) -> None:
    rows = "\n".join(
        f"{c} | {a} | {n}"
        for n, (c, a) in enumerate((c, a) for c in ("red", "green", "blue") for a in ("< 20", ">= 20"))
    )
    text = WORDS + f"\nDecision: d(c: colour, a: age) ; policy: unique\nif | if | then\nc | a | out\n{rows}"
    with pytest.raises(RecordError) as caught:
        module(text).TABLES["d"](given)
    assert str(caught.value).startswith(finding)


def test_labels_and_unusual_mappings_are_read() -> None:
    made = module(SHIPPED)
    assert made.TABLES["class of"]({"t": " GOLD", "z": "Far", "grams": 6000}) == 2


def test_the_answers_are_the_callers_own() -> None:
    """What an answer hands out is no constant of the module."""
    made = module(SHIPPED)
    made.TABLES["favourites"]({"zone": "home"}).append("mine")
    assert made.TABLES["favourites"]({"zone": "home"}) == ["snail", "hare", "swift"]


def test_an_error_names_table_and_cell() -> None:
    text = WORDS + "\nFormulas: f\nname | type | is\nhalf(n: whole number) | number | 1 / n"
    with pytest.raises(RuleError) as caught:
        module(text).TABLES["half"]({"n": 0})
    assert (caught.value.table, str(caught.value)) == ("half", "book.xlsx!Sheet1!C18: division by zero")


def test_a_missing_field_of_the_state() -> None:
    text = WORDS + "\nFormulas: f\nname | type | is\nolder | whole number | age + 1"
    with pytest.raises(RecordError) as caught:
        module(text).TABLES["older"]({"level": 3})
    assert caught.value.path == "age"


def test_tree__questions_that_halve() -> None:
    spans = Span(Cut(0, False), Cut(5, False)), Span(Cut(5, False), Cut(10, False))
    rows = [ThresholdRow((Region((span,)),), ending) for span, ending in zip(spans, "ab", strict=True)]
    limits = (Span(Cut(0, False), Cut(10, False)),)
    lines = write_tree(rows, ("n",), limits, lambda: ["none"])
    assert lines == ["if n < 5:", "    a", "b"]
    unbounded = write_tree(rows, ("n",), (Span(None, None),), lambda: ["none"])
    assert unbounded == ["if n < 5:", "    if n < 0:", "        none", "    a", "if n < 10:", "    b", "none"]


def test_whom_a_row_does_not_concern_stands_last_whatever_its_value_would_be() -> None:
    text = """
# Sheet: Rules
Types: words
  name | names
  colour | red, blue

Record: card
  field | type | default
  colour | colour | needed
  rank | whole number | needed

Scale: best(cards: list of card) ; others: last ; decides: yes
  # | only for | prefer | by
    | colour | |
  1 | red | lowest | if rank > 5 then -rank else rank
"""
    cards = [{"colour": "red", "rank": 3}, {"colour": "blue", "rank": 9}]
    assert module(text).TABLES["best"]({"cards": cards}) == cards[0]


def test_chance_below_chance_that_may_not_apply_is_still_chance() -> None:
    text = """
# Sheet: Rules
Types: words
  name | names
  colour | red, blue

Input: state
  field | type | default
  even | boolean | no

Scale: any of(candidates: list of colour)
  # | only if | prefer | by
    | | |
  1 | even | chance |
  2 | | chance |
"""
    for even in (True, False):
        given = {"candidates": ["blue", "red"], "even": even}
        assert module(text).TABLES["any of"](given) == ["blue", "red"]


CARDS = """
# Sheet: Rules
Types: words
name | names
colour | red, blue

Data: card ; key: card
key | colour | whole number
card | colour | rank
rose | red | 3
sea | blue | 4
sky | blue | 5

Record: place
field | type | default
card | card | needed

Input: state
field | type | default
table | list of place | []
"""


def test_a_list_that_depends_on_the_turn_alone_is_made_once_per_turn() -> None:
    text = CARDS + "\nFormulas: f\nname | type | is\nlying(wanted: list of card) | list of card | "
    text += "wanted[item in table.card]"
    assert "if item in turn.known_table]" in function(text, "lying")
    lying = module(text).TABLES["lying"]
    assert lying({"wanted": ["sea", "sky"], "table": [{"card": "sky"}]}) == ["sky"]
    assert lying({"wanted": ["sea", "sky"], "table": [{"card": "sea"}]}) == ["sea"]
    assert lying({"wanted": ["sea", "sky"]}) == []


def test_rows_of_one_group_are_found_without_a_loop() -> None:
    text = CARDS + "\nFormulas: f\nname | type | is\nof(wanted: colour?) | list of card | "
    text += "each card[colour = wanted]"
    assert "EACH_CARD_BY_COLOUR.get(wanted, [])" in function(text, "of")
    of = module(text).TABLES["of"]
    assert [of({"wanted": "red"}), of({"wanted": "blue"}), of({})] == [["rose"], ["sea", "sky"], []]


def test_a_step_that_is_called_in_one_place_is_written_there() -> None:
    text = CARDS + (
        "\nFormula: worth(cards: list of card) -> whole number\nstep | type | is\n"
        "twice(c: card) | whole number | c.rank * 2\n"
        "more(c: card) | whole number | twice(c) + 1\n"
        "result | whole number | total(for c in cards return more(c))"
    )
    assert "return sum([c.rank * 2 + 1 for c in cards])" in function(text, "worth")
    assert module(text).TABLES["worth"]({"cards": ["rose", "sky"]}) == 18


def test_rows_that_the_turn_picks_are_picked_once_per_turn() -> None:
    text = CARDS + (
        "\nFormulas: f\nname | type | is\n"
        "lies(c: card) | boolean | some p in table satisfies p.card = c\n"
        "high(least: whole number) | list of card | each card[lies(item) and rank >= least]"
    )
    assert "for item in turn.known_card if item.rank >= least" in function(text, "high")
    high = module(text).TABLES["high"]
    given = {"table": [{"card": "rose"}, {"card": "sky"}]}
    assert [high({"least": n, **given}) for n in (0, 4, 6)] == [["rose", "sky"], ["sky"], []]


def test_a_turn_has_the_fields_it_has() -> None:
    """What it lacks is missing in the record only where a value is needed."""
    state = module(
        "Input: turn\n  field | type\n  n | number\n\nFormulas: f\n  name | is\n  a | n + 1"
    ).State("")
    assert not hasattr(state, "m")
    with pytest.raises(RecordError) as caught:
        _ = state.n
    assert [finding.path for finding in caught.value.findings] == ["n"]


@pytest.mark.parametrize(
    ("value", "looked_at"),
    [
        ("count(sizes)", False), ("3", False), ("if a > 1 then count(sizes) else 3", False),
        ("a + a", True), ("if a > 1 then a else count(sizes)", True), ("total(sizes)", True),
    ],
)  # fmt: skip
def test_only_numbers_that_may_be_very_long_are_looked_at_when_they_leave(
    value: str, looked_at: bool
) -> None:
    made = source(
        "# Sheet: Rules\nInput: state\n  field | type\n  a | whole number\n  sizes | list of whole number\n\n"
        f"Ask: turn ; main: yes\n  role | name | is\n  answer | x | {value}"
    )
    assert ("limit(" in made) is looked_at
