"""Formulas, decisions, scales, matrices, dice."""

from __future__ import annotations

import pytest

from dtables.feel.types import describe
from dtables.model.constants import constant_of
from dtables.model.tables import Decision, Dice, Formula, Matrix, Policy, Prefer, Scale, table_name
from tests.checker.drawn import diagnostics, found, ruleset, table

WORDS = """
Types:
  name | names
  colour | red, green, blue
  size | small, large

Record: card
  field | type | default
  colour | colour | red
  points | number | 0
  twin | colour |

Input:
  field | type | default
  age | number | 1
  hand | list of card | []
"""


# -- formulas --------------------------------------------------------------------------------------


def test_formulas__rows_are_functions() -> None:
    text = (
        WORDS
        + """
Formulas: worth ; source: A-1, A-2
  name | type | is | text it
  worth(c: card, twice: boolean) | number | if twice then 2 * c.points else c.points | il valore
  best | | max(hand.points) |
"""
    )
    worth = table(text, "worth")
    assert isinstance(worth, Formula)
    assert [(p.name, describe(p.type)) for p in worth.parameters] == [("c", "card"), ("twice", "boolean")]
    assert (describe(worth.type), worth.group, worth.words) == ("number", "worth", (("it", "il valore"),))
    assert worth.heading.source == ("A-1", "A-2")
    assert describe(table(text, "best").type) == "number?"


def test_formula__steps_and_result() -> None:
    text = (
        WORDS
        + """
Formula: bill(c: card) -> number
  step | type | is
  price(k: colour) | number | if k = red then 1 else 2
  left | | max(0, c.points)
  result | | left + price(c.colour)
"""
    )
    bill = table(text, "bill")
    assert isinstance(bill, Formula)
    assert [(s.variable.name, describe(s.variable.type), len(s.parameters)) for s in bill.steps] == [
        ("price", "number", 1), ("left", "number", 0),
    ]  # fmt: skip


def test_formula__without_result_is_the_record_of_its_steps() -> None:
    text = (
        WORDS
        + """
Formula: deal(c: card) -> deal of a card
  step | type | is
  due | number | c.points
  half(n: number) | number | n / 2
  paid | boolean | due = 0

Formulas: g
  name | type | is
  f(d: deal of a card) | number | d.due
  ok | boolean | deal({points: 3}).paid
"""
    )
    assert describe(table(text, "deal").type) == "deal of a card"
    (record,) = [r for r in ruleset(text).records if r.name == "deal of a card"]
    assert [(f.name, describe(f.type)) for f in record.fields] == [("due", "number"), ("paid", "boolean")]


def test_formula__steps_read_what_stands_above() -> None:
    text = (
        "Formula: f -> number\n  step | type | is\n  a | number | b + 1\n"
        "  b | number | 2\n  result | number | a\n  c | number | 1\n"
    )
    assert found(text) == [
        "C3 unknown-name: nothing here is called `b`",
        "A6 after-result: nothing can read a row of `f` after its result",
    ]


def test_formula__one_result_type() -> None:
    text = "Formula: f -> number\n  step | type | is\n  result | text | 3\n"
    assert found(text) == ["B3 no-result: the marker says number, and this row text"]


def test_formulas__without_expression_or_name() -> None:
    text = "Formulas: f\n  name | type | is\n  a | number |\n  | number | 3\n"
    assert found(text) == [
        "A3 incomplete-row: the row has no expression",
        "A4 incomplete-row: the row has no name",
    ]


def test_circles__show_their_path() -> None:
    text = (
        WORDS
        + """
Formulas: f
  name | type | is
  a | number | b + 1
  b | number | c(1)

Decision: c(n: number) -> number
  if | then
  n | worth
  - | a
"""
    )
    (problem,) = diagnostics(text)
    assert problem.code == "circle"
    assert problem.message == "these call one another in a circle: `a` → `b` → `c` → `a`"
    assert [r.message for r in problem.remarks] == ["`b` is here", "`c` is here"]


def test_circles__through_computed_fields() -> None:
    text = """
Record: thing
  field | type | is
  a | number | b + 1
  b | number | f(this)

Formulas: g
  name | type | is
  f(t: thing) | number | t.a
"""
    (line,) = found(text)
    assert "circle" in line and "`thing.a` → `thing.b` → `f` → `thing.a`" in line


def test_formulas__in_any_order() -> None:
    text = WORDS + "\nFormulas: f\n  name | is\n  c | b + 1\n  b | a + 1\n  a | 1\n"
    assert [table_name(t) for t in ruleset(text).tables] == ["a", "b", "c"]
    assert describe(table(text, "c").type) == "whole number"


def test_formulas__a_field_called_as_a_table_is_no_circle() -> None:
    text = """
Types:
  name | names
  colour | red, blue
  paint | red, green

Record: thing
  field | type | default
  first | number | 1

Formulas: f
  name | is
  second(t: list of thing) | t[first = 1][1] != null and third = red
  first | if second([]) then 1 else 2
  third | each colour[1]
"""
    assert found(text) == []
    assert describe(table(text, "first").type) == "whole number"


# -- decisions -------------------------------------------------------------------------------------


def decision(text: str) -> Decision:
    made = table(text, "d")
    assert isinstance(made, Decision)
    return made


def test_decisions__conditions_and_outcomes() -> None:
    made = decision(WORDS + """
Decision: d(c: card) ; policy: prima
  # | if | if | then | text en
  | c.colour | | worth |
  a | red, green | c.points > 2 | 10 | many
  b | - | - | age + 0.5 |
""")  # fmt: skip
    assert made.policy is Policy.FIRST
    assert [(s.name, s.value is None) for s in made.subjects] == [("c.colour", False), ("", True)]
    assert [r.number for r in made.rules] == ["a", "b"]
    assert [len(c.tests) for c in made.rules[0].conditions] == [2, 1]
    assert [c.tests for c in made.rules[1].conditions] == [(), ()]
    assert describe(made.type) == "number"
    assert made.rules[0].words == (("en", "many"),)
    assert made.rules[0].conditions[0].written == "red, green"


@pytest.mark.parametrize(
    ("policy", "type_"),
    [
        ("unique", "whole number"), ("A", "whole number"), ("C", "list of whole number"),
        ("C+", "whole number"),
        ("C<", "whole number"), ("C#", "whole number"), ("rule order", "list of whole number"),
        ("collect max", "whole number"), ("raccogli", "list of whole number"),
    ],
)  # fmt: skip
def test_decisions__type_by_policy(policy: str, type_: str) -> None:
    text = WORDS + f"\nDecision: d ; policy: {policy}\n  if | then\n  age | n\n  1 | 3\n  > 1 | 4\n"
    assert describe(decision(text).type) == type_


def test_decisions__ranked_by_the_order_of_a_vocabulary() -> None:
    text = WORDS + "\nDecision: d -> colour ; policy: P\n  if | then\n  age | c\n  1 | red\n  > 1 | blue\n"
    assert [constant_of(p) for p in decision(text).outcomes[0].priorities] == ["red", "green", "blue"]


def test_decisions__ranked_by_their_own_list() -> None:
    text = WORDS + (
        "\nDecision: d ; policy: output order ; priorities: 5, 3\n"
        "  if | then\n  age | n\n  1 | 3\n  > 1 | 5\n"
    )
    made = decision(text)
    assert [constant_of(p) for p in made.outcomes[0].priorities] == [5, 3]
    assert describe(made.type) == "list of whole number"
    unranked = text.replace(" ; priorities: 5, 3", "")
    assert [line.split(":")[0] for line in found(unranked)] == ["A17 no-priorities"]


def test_decisions__several_outcomes_are_a_context() -> None:
    text = WORDS + "\nDecision: d\n  if | then | then\n  age | n | c\n  1 | 3 | yes\n  > 1 | 5 | no\n"
    assert describe(decision(text).type) == "{n: whole number, c: boolean}"


def test_decisions__several_outcomes_of_a_context() -> None:
    text = WORDS + (
        "\nDecision: d -> context<n: number, c: colour>\n  if | then | then\n  age | n | c\n"
        "  1 | 3 | green\n  > 1 | 5 | red\n"
    )
    assert describe(decision(text).type) == "{n: number, c: colour}"
    assert [line.split(":")[0] for line in found(text.replace("age | n | c", "age | n | x"))] == [
        "C19 outcome-field"
    ]


def test_decisions__several_outcomes_of_a_record() -> None:
    text = WORDS + (
        "\nDecision: d -> card\n  if | then | then\n  age | points | colour\n"
        "  1 | 3 | green\n  > 1 | 5 | red\n"
    )
    made = decision(text)
    assert (describe(made.type), [o.name for o in made.outcomes]) == ("card", ["d"])
    assert [constant_of(rule.outcomes[0].value) for rule in made.rules] == [
        {"colour": "green", "points": 3, "twin": None}, {"colour": "red", "points": 5, "twin": None},
    ]  # fmt: skip
    assert [line.split(":")[0] for line in found(text.replace("points | colour", "pionts | colour"))] == [
        "B19 outcome-field"
    ]


def test_decisions__what_a_call_gives_is_what_is_declared() -> None:
    several = "\nDecision: d -> number\n  if | then | then\n  age | n | m\n  1 | 3 | 2\n"
    assert [line.split(":")[0] for line in found(WORDS + several)] == ["A17 decision-result"]
    listed = "\nDecision: d -> number ; policy: C\n  if | then\n  age | n\n  1 | 3\n"
    assert [line.split(":")[0] for line in found(WORDS + listed)] == ["A17 decision-result"]


def test_decisions__take_passes_over_null() -> None:
    text = (
        WORDS
        + """
Decision: d ; policy: first ; otherwise: null
  # | if | take
  | age | card
  1 | > 1 | hand[colour = red][1]
  2 | - | hand[1]
"""
    )
    made = decision(text)
    assert (describe(made.type), describe(made.outcomes[0].type)) == ("card?", "card")
    assert describe(decision(text.replace(" ; otherwise: null", "")).type) == "card"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Decision: d ; policy: C\n  if | take\n  age | n\n  1 | 3\n", "B18 unfit-policy"),
        ("Decision: d ; policy: fisrt\n  if | then\n  age | n\n  1 | 3\n", "B17 unknown-policy"),
        ("Decision: d\n  if | then\n  age | n\n  1 |\n", "B20 blank-outcome"),
        ("Decision: d\n  if | then\n  age | n\n  1 | 3\n  2 | yes\n", "B19 mixed-outcomes"),
        ("Decision: d ; policy: C+\n  if | then\n  age | n\n  1 | yes\n", "A17 unfit-policy"),
        ("Decision: d\n  if\n  age\n  1\n", "A17 no-outcome"),
        ("Decision: d\n  if | then\n  age | n\n  red | 3\n", "A20 type-mismatch"),
        ("Decision: d\n  if | then\n  aeg | n\n  1 | 3\n", "A19 unknown-name"),
    ],
)  # fmt: skip
def test_decisions__wrong(text: str, code: str) -> None:
    assert [line.split(":")[0] for line in found(WORDS + "\n" + text)] == [code]


def test_decisions__anything_where_the_marker_says_so() -> None:
    text = WORDS + "\nDecision: d -> any\n  if | then\n  age | n\n  1 | {n: 3}\n  > 1 | yes\n"
    assert found(text) == []
    assert describe(decision(text).type) == "any"


def test_decisions__null_is_an_outcome_like_others() -> None:
    text = WORDS + "\nDecision: d\n  if | then\n  age | n\n  1 | null\n  > 1 | 5\n"
    assert describe(decision(text).type) == "whole number?"


# -- scales ----------------------------------------------------------------------------------------


def scale(text: str, name: str = "s") -> Scale:
    made = table(text, name)
    assert isinstance(made, Scale)
    return made


CHOICE = (
    WORDS
    + """
Scale: s(from: list of card) ; others: gli altri
"""
)

SCALES = (
    WORDS
    + """
Scale: s(candidates: list of card) ; others: stay ; decides: yes
  # | only for | only if | prefer | by | text it
  | colour | | | |
  1 | red, green | age > 2 | yes | points > 3 | più di tre
  2 | | | highest | points |
  2 | blue | | meno | item.points |
  3 | | | first in [green, red] | colour |
"""
)


def test_scales__criteria() -> None:
    made = scale(SCALES)
    assert [(c.number, c.prefer, len(c.concerns), c.only_if is not None) for c in made.criteria] == [
        ("1", Prefer.YES, 1, True), ("2", Prefer.HIGHEST, 0, False), ("2", Prefer.LOWEST, 1, False),
        ("3", Prefer.FIRST_IN, 0, False),
    ]  # fmt: skip
    assert (made.others.value, made.decides, describe(made.type)) == ("stay", "claimed", "card?")
    assert made.criteria[0].words == (("it", "più di tre"),)


def test_scales__may_not_decide() -> None:
    assert found(SCALES.replace(" ; decides: yes", "")) == [
        "A17 may-not-decide: several candidates may be left after the last row, 3"
    ]


def test_scales__what_holds_for_the_others_is_wanted() -> None:
    assert found(SCALES.replace(" ; others: stay", "")) == [
        "A17 others-open: row 1 may concern some of the candidates left and not others: what holds for those?"
    ]


def test_scales__chance_gives_the_equals() -> None:
    text = WORDS + "\nScale: s(l: list of card)\n  prefer | by\n  highest | points\n  chance |\n"
    made = scale(text)
    assert (made.decides, describe(made.type)) == ("proved", "list of card")


def test_scales__first_decides() -> None:
    text = (
        WORDS
        + "\nScale: s(l: list of card)\n  prefer | by\n  highest | points\n  il primo |\n  lowest | points\n"
    )
    assert found(text) == ["A21 never-reached: row 3 is never reached: row 2 always decides"]


@pytest.mark.parametrize(
    ("order", "proved"),
    [("[red, green, blue]", True), ("[red, green]", False), ("each colour", True), ("ranks(age)", True)],
)
def test_scales__a_list_of_every_name_decides(order: str, proved: bool) -> None:
    text = (
        WORDS
        + f"""
Types:
  name | of | allowed
  number of an age | whole number | [1..2]

Matrix: ranks(age: number of an age) -> list of colour ; down: ordered
  rank | key | key
  # | 1 | 2
  1 | red | blue
  2 | green | red
  3 | blue | green

Scale: s(l: list of colour)
  prefer | by
  first in {order} | item
"""
    )
    text = text.replace("ranks(age)", "ranks(2)")
    assert [line.split(":")[0] for line in found(text)] == ([] if proved else ["A28 may-not-decide"])


def test_scales__alike_after_first_in() -> None:
    text = (
        WORDS
        + """
Scale: s(l: list of card)
  only for | prefer | by
  colour | |
  | first in [red, green, blue] | colour
  red | highest | points
  red | chance |
  not(red) | chance |
"""
    )
    assert found(text) == []
    assert scale(text).decides == "claimed"


def test_scales__rows_of_others_are_read_with_this_candidate() -> None:
    text = (
        WORDS
        + """
Record: place
  field | type | default
  card | card | {}
  points | number | 0

Scale: s(l: list of card, least: number) ; decides: yes ; others: last
  # | only for | prefer | by
  | colour | |
  1 | red | yes | points > least
  2 | | highest | points
  3 | | lowest | points
  4 | | first in each colour | colour

Scale: t(l: list of place) ; decides: yes
  prefer | by
  scala | s(age + 1) 2..3

Scale: u(l: list of place) ; decides: yes
  prefer | by
  scale | s(1)

Scale: v(l: list of card)
  prefer | by
  scale | s(1) 1, 4
  scale s(2) |
"""
    )
    assert found(text) == [
        "B36 embedded-row: a row of `s` does not fit these candidates",
    ]
    embedded = (
        scale(text.replace("  scale | s(1)\n\nScale: v", "  scale | s(1) 2\n\nScale: v"), "t")
        .criteria[0]
        .embedded
    )
    assert embedded is not None
    assert (embedded.numbers, embedded.others.value) == (("2", "3"), "last")
    assert [describe(v.type) for v, _ in embedded.bindings] == ["list of place", "number"]
    assert [c.number for c in embedded.criteria] == ["2", "3"]


def test_scales__a_mistake_in_an_embedded_row_is_told_there_only() -> None:
    text = (
        WORDS
        + """
Scale: a(l: list of card) ; decides: yes
  prefer | by
  highest | pionts

Scale: b(l: list of card)
  prefer | by
  scale | a

Scale: c(l: list of card)
  prefer | by
  scale | b
"""
    )
    assert [line.split(":")[0] for line in found(text)] == ["B19 unknown-name"]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("scale | s 9", "unknown-row"),
        ("scale | z", "unknown-scale"),
        ("scale | t", "scale-in-itself"),
        ("scale | s(1)", "scale-arguments"),
        ("scale |", "criterion"),
        ("highest |", "criterion"),
        ("chance | points", "criterion"),
        ("first in | colour", "criterion"),
        ("best | points", "stray-name stray-name"),
        ("highest | colour", "not-ordered"),
        ("yes | points", "type-mismatch"),
        ("first in [1] | colour", "type-mismatch"),
    ],
)
def test_scales__wrong_rows(row: str, code: str) -> None:
    text = (
        WORDS
        + f"""
Scale: s(l: list of card) ; decides: yes
  prefer | by
  highest | points

Scale: t(l: list of card)
  prefer | by
  {row}
  first |
"""
    )
    codes = [line.split(":")[0].split()[1] for line in found(text)]
    assert [c for c in codes if c != "never-reached"] == code.split()


def test_scales__that_need_not_decide_have_no_value() -> None:
    text = (
        WORDS
        + """
Scale: s(l: list of card) ; decides: no
  prefer | by
  highest | points

Formulas: f
  name | is
  tiers | s ranking(hand)
  best | s(hand)
"""
    )
    assert [line.split(":")[0] for line in found(text)] == ["B24 undecided-call"]


def test_scales__null_comes_last_is_said() -> None:
    text = WORDS + (
        "\nScale: s(l: list of card)\n  prefer | by\n  highest | if twin = null then null else 1\n  first |\n"
    )
    assert [d.code for d in diagnostics(text)] == ["null-last"]


# -- matrices --------------------------------------------------------------------------------------


def matrix(text: str) -> Matrix:
    made = table(text, "m")
    assert isinstance(made, Matrix)
    return made


TWO_KEYS = (
    WORDS
    + """
Matrix: m(colour, size) -> list of number
  key | key | key
  colour | small | large
  red | 1 > 2 | 3
  green | 1 | 2 > 1
  blue | null | 2
"""
)


@pytest.mark.parametrize(
    ("allowed", "codes"),
    [("[1..2]", []), ("1, 2", []), ("(0..3)", []), ("1, 2, 4", ["missing-keys"]), (">= 1", ["open-keys"])],
)
def test_matrices__a_key_of_few_numbers_has_all_of_them(allowed: str, codes: list[str]) -> None:
    text = f"""
Types: words
  name | names
  colour | red

Types: narrowed
  name | of | allowed
  few | whole number | {allowed}

Matrix: m(colour, few) -> number
  key | key | key
  colour | 1 | 2
  red | 3 | 4
"""
    assert [d.code for d in diagnostics(text)] == codes


@pytest.mark.parametrize(
    ("narrowed", "codes"),
    [
        ("few | number | [1..2]", ["open-keys"]),
        ("few | number | 1, 2", []),
        ("few | number | 1, 2, 2.5", ["missing-keys"]),
        ("wide | number | 0, 1, 2, 3\n  few | wide | [1..2]", []),
        ("wide | whole number | [1..2]\n  few | wide | >= 0", []),
        ("wide | whole number | [1..3]\n  few | wide | < 4", ["missing-keys"]),
    ],
)
def test_matrices__numbers_between_two_whole_ones_are_keys_too(narrowed: str, codes: list[str]) -> None:
    types = f"\nTypes: narrowed\n  name | of | allowed\n  {narrowed}\n"
    matrix = "\nMatrix: m(few) -> number\n  key | value\n  few |\n  1 | 3\n  2 | 4\n"
    assert [d.code for d in diagnostics(WORDS + types + matrix)] == codes


def test_matrices__rows_and_columns() -> None:
    made = matrix(TWO_KEYS)
    assert describe(made.type) == "list of number?"
    assert [([constant_of(k) for k in e.keys], constant_of(e.value)) for e in made.entries[:2]] == [
        (["red", "small"], [1, 2]), (["red", "large"], [3]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "instead", "lines"),
    [
        ("  blue | null | 2\n", "", ["A17 missing-keys: nothing stands for `blue, small`, `blue, large`"]),
        ("  blue |", "  red |", ["A22 double-key: the key red, small stands there twice"]),
        ("null | 2", "| 2", ["B22 blank-value: the value is blank"]),
    ],
)
def test_matrices__every_key_once(written: str, instead: str, lines: list[str]) -> None:
    assert found(TWO_KEYS.replace(written, instead)) == lines


def test_matrices__both_values_of_a_boolean() -> None:
    matrix = WORDS + "\nMatrix: m(b: boolean) -> number\n  key | number\n  b | n\n  yes | 1\n"
    assert [line.split(": ")[1:] for line in found(matrix)] == [["nothing stands for `no`"]]
    assert found(matrix + "  no | 2\n") == []


@pytest.mark.parametrize(
    ("written", "instead", "code"),
    [
        ("  blue |", "  bleu |", "A22 unknown-name"),
        ("m(colour, size)", "m(colour, size, n: number)", "B19 matrix-shape"),
    ],
)
def test_matrices__columns_and_keys(written: str, instead: str, code: str) -> None:
    (line,) = found(TWO_KEYS.replace(written, instead))
    assert line.startswith(code)


def test_matrices__one_key() -> None:
    text = WORDS + (
        "\nMatrix: m(c: colour) -> size\n  key | size\n  c | size\n"
        "  red | small\n  green | large\n  blue | small\n"
    )
    made = matrix(text)
    assert [constant_of(e.value) for e in made.entries] == ["small", "large", "small"]


def test_matrices__keys_that_cannot_be_listed() -> None:
    text = WORDS + "\nMatrix: m(n: number) -> number\n  key | value\n  n |\n  1 | 3\n"
    assert [line.split(":")[0] for line in found(text)] == ["A17 open-keys"]


ORDERED = (
    WORDS
    + """
Matrix: m(size) -> list of colour ; down: ordered
  rank | key | key
  # | small | large
  1 | red | blue
  2 | green | red
  3 | blue |
"""
)


def test_matrices__lists_down_the_columns() -> None:
    made = matrix(ORDERED)
    assert made.down
    assert [constant_of(e.value) for e in made.entries] == [["red", "green", "blue"], ["blue", "red"]]
    assert [len(e.cells) for e in made.entries] == [3, 2]


def test_matrices__lists_that_rank_different_things() -> None:
    assert found(ORDERED) == ["C19 other-set: compared with `small` this list lacks `green`"]


def test_matrices__something_twice_in_a_list() -> None:
    assert found(ORDERED.replace("3 | blue |", "3 | red | green")) == [
        "B22 twice-in-list: `red` stands in this list twice",
    ]


def test_matrices__gaps_and_ranks() -> None:
    text = ORDERED.replace("2 | green | red", "2 | green |").replace("3 | blue |", "4 | blue | red")
    assert [line.split(":")[0] for line in found(text)] == ["C21 gap-in-list", "A22 rank-order"]


def test_matrices__a_list_with_a_mistake_in_it_is_not_compared() -> None:
    text = ORDERED.replace("3 | blue |", "3 | blue | gren")
    assert [line.split(":")[0] for line in found(text)] == ["C22 unknown-name"]


# -- dice ------------------------------------------------------------------------------------------


DICE = (
    WORDS
    + """
Types:
  name | names
  die kind | d4, 2d3

Dice: m(die: die kind, total: whole number) -> colour
  die | die | then
  2d3 | d4 |
  2-3 | 1 | red
  4 | 2..3 | green
  5, 6 | [4..4] | blue
"""
)


def dice(text: str) -> Dice:
    made = table(text, "m")
    assert isinstance(made, Dice)
    return made


def test_dice__totals_and_exact_chances() -> None:
    made = dice(DICE)
    assert made.dice == ("2d3", "d4")
    assert dict(made.chances) == {
        "2d3": ((2, 1), (3, 2), (4, 3), (5, 2), (6, 1)), "d4": ((1, 1), (2, 1), (3, 1), (4, 1)),
    }  # fmt: skip
    assert [(e.die, e.low, e.high, constant_of(e.outcome)) for e in made.entries][:4] == [
        ("2d3", 2, 3, "red"), ("d4", 1, 1, "red"), ("2d3", 4, 4, "green"), ("d4", 2, 3, "green"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "instead", "lines"),
    [
        ("5, 6", "5", ["A23 totals-missing: 2d3 may throw `6`, which has no outcome"]),
        ("5, 6", "4-6", ["A26 total-twice: 4 of 2d3 has two outcomes"]),
        ("5, 6", "5-7", ["A26 totals: 2d3 throws 2 to 6, not 5-7"]),
        ("2d3 | d4 |", "2d3 | dx |", ["B23 no-die: `dx` is no die"]),
        ("d4, 2d3", "d4, 2d6", [("A21 dice-parameters: the dice of this table "
"are 2d3, d4, those of `die kind` are 2d6, d4")]),
    ],
)  # fmt: skip
def test_dice__every_total_once(written: str, instead: str, lines: list[str]) -> None:
    text = DICE.replace(written, instead, 1)
    if "dx" in instead:
        assert found(text)[0].startswith("B23 no-die")
    else:
        assert found(text) == lines


def test_dice__one_kind_needs_only_the_total() -> None:
    text = "Dice: m\n  total | then\n  d6 |\n  1-5 | yes\n  6 | no\n\nFormulas: f\n  name | is\n  g | m(3)\n"
    made = dice(text)
    assert [p.name for p in made.parameters] == ["total"]
    assert describe(table(text, "g").type) == "boolean"
