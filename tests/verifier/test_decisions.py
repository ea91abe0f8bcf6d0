"""Decisions: what is found, where, and with which example. Tables stand from row 10 on."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from dtables.diagnostics import Severity
from dtables.verifier import messages
from tests.support.limits import limited
from tests.verifier.books import found, told


def codes(text: str) -> list[str]:
    return [d.code for d in found(text)]


def says(text: str, expected: str) -> None:
    assert told(text) == dedent(expected).lstrip("\n")


# -- gaps --------------------------------------------------------------------------------------


def test_gaps__a_stretch_of_numbers_for_one_name() -> None:
    says(
        """
Decision: discount(points: number, tier: tier) -> number ; policy: unique
  # | if | if | then
  # | points | tier | r
  1 | < 100 | - | 0
  2 | [100..200) | silver, bronze | 1
  3 | >= 200 | - | 2
""",
        """
        A10:D15: warning[gap]: no row fires when points is in [100..200) and tier is gold
          example: points = 100, tier = gold
          row to add: 4\t[100..200)\tgold\t
        """,
    )


def test_gaps__whole_numbers_have_none_between_neighbours() -> None:
    table = """
Decision: rank(points: {}) -> number ; policy: unique
  # | if | then
  # | points | r
  1 | <= 9 | 1
  2 | >= 10 | 2
"""
    assert codes(table.format("whole number")) == []
    assert codes(table.format("number")) == ["gap"]
    assert "points is in (9..10)\n  example: points = 9.5\n" in told(table.format("number"))


def test_gaps__what_a_type_does_not_allow_is_no_gap() -> None:
    assert not codes("""
Decision: fare(years: age) -> number ; policy: unique
  # | if | then
  # | years | r
  1 | [0..11] | 1
  2 | [12..99] | 2
""")


def test_null_and_not_null_are_everything_once() -> None:
    text = """
Decision: lid(chest: tier?) -> number ; policy: unique
  # | if | then
  # | | r
  1 | chest = null | 0
  2 | chest {} null | 1
"""
    assert codes(text.format("!=")) == []
    assert codes(text.format("=")) == ["gap", "overlap"]


def test_a_value_that_a_condition_knows_to_be_there_is_the_same_value() -> None:
    text = """
Decision: fare(years: number?) -> number ; policy: unique
  # | if | then
  # | | r
  1 | years != null and years > 2 | 1
  2 | years != null and years <= {} | 2
  3 | years = null | 3
"""
    assert codes(text.format(2)) == []
    assert codes(text.format(3)) == ["overlap"]

    beside = """
Decision: fare(years: number?, member: boolean) -> number ; policy: unique
  # | if | if | then
  # | years | | r
  1 | > 2 | member | 1
  2 | [1..2] | - | 2
  3 | - | years != null and years < 1 | 3
  4 | null | - | 4
"""
    assert "A10:D16: warning[gap]: no row fires when years > 2 and member is no\n" in told(beside)
    assert codes(beside) == ["gap"]


def test_gaps__null_of_a_type_that_has_it() -> None:
    text = """
Decision: fare(tier: tier?) -> number ; policy: unique
  # | if | then
  # | tier | r
  1 | gold | 1
  2 | {} | 2
"""
    assert "no row fires when tier is null\n  example: tier = null\n" in told(text.format("silver, bronze"))
    assert codes(text.format("not(gold)")) == []


def test_gaps__a_field_that_a_record_may_lack_is_only_a_note() -> None:
    (note,) = found("""
Input: state
  field | type
  tier | tier

Decision: fare -> number ; policy: unique
  # | if | then
  # | tier | r
  1 | gold, silver, bronze | 1
""")
    assert (note.severity, note.code, note.example) == (Severity.NOTE, "gap", "tier = null")


@pytest.mark.parametrize(
    "policy", ["unique ; otherwise: 0", "collect", "rule order", "collect sum", "collect count"]
)
def test_gaps__not_where_no_row_has_to_fire(policy: str) -> None:
    result = "list of number" if policy in ("collect", "rule order") else "number"
    assert not codes(f"""
Decision: fare(tier: tier) -> {result} ; policy: {policy}
  # | if | then
  # | tier | r
  1 | gold | 1
""")


def test_gaps__dates() -> None:
    says(
        """
Decision: season(day: date) -> number ; policy: unique
  # | if | then
  # | day | r
  1 | < date("2026-03-01") | 1
  2 | > date("2026-03-02") | 2
""",
        """
        A10:C14: warning[gap]: no row fires when day is in [2026-03-01..2026-03-02]
          example: day = 2026-03-01
          row to add: 3\t[date("2026-03-01")..date("2026-03-02")]\t
        """,
    )


def test_gaps__texts_that_no_cell_names() -> None:
    assert 'no row fires when word is not "a"\n  example: word = "other"\n' in told("""
Decision: kind(word: text) -> number ; policy: unique
  # | if | then
  # | word | r
  1 | "a" | 1
""")


def test_gaps__rows_of_data_have_only_the_values_they_have() -> None:
    assert not codes("""
Data: card ; key: card
  key | tier
  card | tier
  ace | gold
  king | silver

Decision: worth(c: card) -> number ; policy: unique
  # | if | then
  # | c.tier | r
  1 | gold | 1
  2 | silver | 2
""")


def test_gaps__fields_of_one_row_go_together() -> None:
    text = """
Data: card ; key: card
  key | tier | number
  card | tier | points
  ace | gold | 3
  king | silver | 2
  ten | silver | 1

Decision: worth(c: card, tier: tier) -> number ; policy: unique
  # | if | if | if | then
  # | c.tier | c.points | tier | r
  1 | gold | 3 | - | 1
  2 | silver | > {} | - | 2
"""
    assert codes(text.format(0)) == []
    (gap,) = found(text.format(1))
    assert (gap.code, gap.message) == ("gap", "no row fires when c is ten")
    assert gap.example == "c = ten"


def test_gaps__a_whole_condition_is_read_as_tests_of_its_values() -> None:
    (gap,) = found("""
Decision: worth(x: number, y: number) -> number ; policy: first
  # | if | then
  # | | r
  1 | x > 3 and y > 3 | 1
  2 | x <= 3 | 2
  3 | not(y in [2..3]) | 3
""")
    assert (gap.code, gap.message) == ("gap", "no row fires when x > 3 and y is in [2..3]")


def test_gaps__times_and_durations() -> None:
    (gap,) = found("""
Decision: fare(t: time, p: days and time duration) -> number ; policy: unique
  # | if | if | then
  # | t | p | r
  1 | < time("08:00:00") | - | 1
  2 | >= time("08:00:00") | < duration("P1D") | 2
  3 | >= time("08:00:00") | > duration("P1D") | 3
""")
    assert gap.message == "no row fires when t >= 08:00:00 and p is P1D"


def test_gaps__a_column_of_any_type_is_what_its_cells_are() -> None:
    gaps = found("""
Decision: fare(x: any) -> number ; policy: first
  # | if | then
  # | x | r
  1 | > 3 | 1
  2 | [0..2] | 2
""")
    assert [(gap.message, gap.example, gap.rows) for gap in gaps] == [
        ("no row fires when x < 0", "x = -1", ("3\t< 0\t",)),
        ("no row fires when x is in (2..3] (or null)", "x = 2.5", ("4\t(2..3], null\t",)),
    ]


def test_rows__a_range_upside_down_is_told_once() -> None:
    assert not codes("""
Decision: fare(years: age) -> number ; policy: first
  # | if | then
  # | years | r
  1 | [4..1] | 1
  2 | - | 2
""")


def test_gaps__switches() -> None:
    (gap,) = found("""
Settings: house
  switch | default | other values
  MODE | A | B, C

Decision: fare -> number ; policy: unique
  # | if | then
  # | MODE | r
  1 | A, B | 1
""")
    assert (gap.severity, gap.example) == (Severity.WARNING, "MODE = C")


def test_gaps__a_table_too_large_says_so() -> None:
    rows = "\n".join(f"  {n} | {n} in l | {n}" for n in range(250))
    (note,) = found(f"""
Decision: pick(l: list of number) -> number ; policy: first
  # | if | then
  # | | r
{rows}
""")
    assert note.code == "not-verified"
    assert note.message.startswith("250 rows: tables with over")


@limited(verified_bits=3)
def test_gaps__a_table_too_fine_says_so() -> None:
    (note,) = found("""
Decision: pick(n: number) -> number ; policy: unique
  # | if | then
  # | n | r
  1 | < 3 | 1
  2 | >= 3 | 2
""")
    assert note.code == "not-verified"
    assert note.message == "2 rows that tell 2 stretches of values apart are not looked into"


@limited(meeting_pairs=40)
def test_overlaps__a_table_too_entangled_tells_what_it_found() -> None:
    rows = "\n".join(f"  {n} | < {n} | {n}" for n in range(1, 20))
    told = found(f"""
Decision: pick(n: number) -> number ; policy: unique
  # | if | then
  # | n | r
{rows}
""")
    assert sorted(one.code for one in told) == ["gap", "not-verified", "overlap", "overlap", "overlap"]
    assert "the table is too entangled to look for rows that fire together to the end" in {
        one.message for one in told
    }


def test_gaps__conditions_that_say_the_same_are_one() -> None:
    text = """
Decision: pick(l: list of number) -> number ; policy: unique
  # | if | then
  # | | r
  1 | {} | 1
  2 | {} | 2
"""
    assert codes(text.format("5 in l", "not(5 in l)")) == []
    assert codes(text.format("count(l) < 3", "count(l) >= 3")) == []
    gap, overlap = found(text.format("5 in l", "not(6 in l)"))
    assert (gap.severity, gap.code) == (Severity.WARNING, "gap")
    assert gap.message == "no row fires when `5 in l` is no and `6 in l` is yes"
    assert (overlap.severity, overlap.code) == (Severity.WARNING, "overlap")


def test_gaps__what_hangs_on_a_cell_that_is_not_read_is_found_with_a_whole_input() -> None:
    (gap,) = found("""
Decision: pick(l: list of number, tier: tier) -> number ; policy: first
  # | if | if | then
  # | | tier | r
  1 | 5 in l | - | 1
  2 | - | gold | 2
""")
    assert (gap.severity, gap.code) == (Severity.WARNING, "gap")
    assert gap.message == "no row fires when `5 in l` is no and tier is not gold"
    assert gap.example is not None and re.fullmatch(r"l = \[[^5]*\], tier = (silver|bronze)", gap.example)


def test_gaps__that_hang_on_a_switch_are_found_with_it_set() -> None:
    text = """
Settings: house ; overridden by: state.house
  switch | default | other values
  MODE | SOFT | HARD, HARDEST

Input: state
  field | type
  years | age

Formulas: tests
  name | type | is
  soft(x: number) | boolean | MODE = SOFT or x < 0

Decision: pick(x: age, tier: tier) -> number ; policy: first
  # | if | if | then
  # | | tier | r
  1 | soft(x) | - | 1
  2 | - | gold | 2
"""
    (gap,) = found(text)
    assert (gap.severity, gap.code) == (Severity.WARNING, "gap")
    assert gap.example is not None and "HARD" in gap.example


def test_gaps__of_records_within_records_come_to_an_end() -> None:
    (note,) = found("""
Record: node
  field | type
  name | text
  nodes | list of node

Formulas: tests
  name | type | is
  depth(x: node) | number | count(x.nodes) * count(x.nodes.name)

Decision: pick(n: node, tier: tier) -> number ; policy: first
  # | if | if | then
  # | | tier | r
  1 | depth(n) >= 0 | - | 1
  2 | - | gold | 2
""")
    assert (note.severity, note.code) == (Severity.NOTE, "not-verified")


def test_gaps__where_no_input_shows_it_what_was_tried_is_said() -> None:
    (note,) = found("""
Decision: pick(x: number, tier: tier) -> number ; policy: first
  # | if | if | then
  # | | tier | r
  1 | x * x >= 0 | - | 1
  2 | - | gold | 2
""")
    assert (note.severity, note.code) == (Severity.NOTE, "not-verified")
    assert note.message == (
        "no row fires when `x * x` < 0 and tier is not gold; whether that can be depends on `x * x`:"
        " none of 250 inputs that were tried does it"
    )


def test_gaps__of_one_row_among_very_many_is_sure() -> None:
    """What every row of data can be is known: nothing has to be tried."""
    rows = "\n".join(f"  c{n} | {n}" for n in range(300))
    text = f"""
Data: crate ; key: crate
  key | number
  crate | cost
{rows}

Decision: fee(c: crate, years: age) -> number ; policy: first
  # | if | if | then
  # | c.cost | years | r
  1 | < 150 | - | 1
  2 | > 150 | - | 2
  3 | - | < 98 | 3
"""
    (gap,) = found(text)
    assert (gap.severity, gap.code) == (Severity.WARNING, "gap")
    assert gap.message == "no row fires when c.cost is 150 and years is in [98..99]"


def test_gaps__over_a_computed_column() -> None:
    text = """
Formulas: sums
  name | type | is
  total cost(a: age, b: age) | whole number | a + b

Decision: pick(a: age, b: age) -> number ; policy: unique
  # | if | then
  # | total cost(a, b) | r
  1 | < 10 | 1
  2 | {} | 2
"""
    assert codes(text.format(">= 10")) == []
    gap, overlap = (found(text.format(cell))[0] for cell in ("> 10", "> 8"))
    assert (gap.severity, gap.code) == (Severity.WARNING, "gap")
    assert gap.message == "no row fires when `total cost(a, b)` is 10"
    assert gap.example is not None
    assert sum(map(int, re.findall(r"\d+", gap.example))) == 10
    assert overlap.message.startswith("row 2 and row 1 both fire when `total cost(a, b)` is 9, under")
    assert overlap.example is not None
    assert sum(map(int, re.findall(r"\d+", overlap.example))) == 9


def test_gaps__two_columns_that_never_come_together() -> None:
    (note,) = found("""
Decision: pick(a: age) -> number ; policy: unique
  # | if | if | then
  # | a + 1 | a + 2 | r
  1 | < 10 | - | 1
  2 | >= 10 | >= 10 | 2
""")
    assert note.code == "not-verified"
    assert "none of 250 inputs that were tried does it" in note.message


def test_gaps__records_are_made_up_field_by_field() -> None:
    (gap,) = found("""
Record: person
  field | type | is
  years | age |
  tiers | list of tier |
  first | tier? | tiers[1]

Decision: pick(p: person, m: number by tier) -> number ; policy: first
  # | if | if | then
  # | p.first | m(silver) | r
  1 | gold, silver, bronze | - | 1
  2 | null | null | 2
""")
    assert (gap.severity, gap.code) == (Severity.WARNING, "gap")
    assert gap.example is not None and "tiers: []" in gap.example


def test_gaps__a_take_that_may_be_null_need_not_fire() -> None:
    (gap,) = found("""
Decision: pick(l: list of number) -> number? ; policy: first
  # | take
  # | r
  1 | l[1]
""")
    assert (gap.severity, gap.code, gap.example) == (Severity.WARNING, "gap", "l = []")


# -- overlaps ----------------------------------------------------------------------------------


def test_overlaps__two_rows_under_unique() -> None:
    first, second = found("""
Decision: fare(years: age, tier: tier) -> number ; policy: unique
  # | if | if | then
  # | years | tier | r
  1 | <= 12 | - | 1
  2 | > 12 | - | 2
  3 | >= 10 | gold | 3
""")
    assert (first.where.cell.address, second.where.cell.address) == ("A15", "A15")
    assert first.message == (
        "row 3 and row 1 both fire when years is in [10..12] and tier is gold, under `policy: unique`;"
        " their outcomes differ"
    )
    assert [str(r.where) for r in first.remarks] == ["book.xlsx!Sheet1!A13:D13"]
    assert (first.example, second.example) == ("years = 10, tier = gold", "years = 13, tier = gold")


def test_overlaps__under_any_only_where_outcomes_differ() -> None:
    text = """
Decision: fare(tier: tier) -> number ; policy: any
  # | if | then
  # | tier | r
  1 | gold, silver | 1
  2 | silver, bronze | {}
"""
    assert codes(text.format("1")) == ["mergeable"]
    assert codes(text.format("2")) == ["overlap"]
    assert codes(text.format("count([tier])")) == ["not-verified"]


# -- rows --------------------------------------------------------------------------------------


def test_rows__one_that_no_value_passes() -> None:
    says(
        """
Decision: fare(years: age) -> number ; policy: first
  # | if | then
  # | years | r
  1 | > 99 | 1
  2 | - | 2
""",
        """
        B13: warning[never-fires]: row 1 never fires: its cells let no value of years through
        """,
    )


def test_rows__masked_by_several() -> None:
    says(
        """
Decision: fare(years: age, tier: tier) -> number ; policy: first
  # | if | if | then
  # | years | tier | r
  1 | <= 20 | gold | 1
  2 | > 20 | - | 2
  3 | [10..30] | gold | 3
  4 | - | - | 4
""",
        """
        A15:D15: warning[masked]: row 3 never fires: rows that come before it take all its values
          note: A13:D13: this row fires first
          note: A14:D14: this row fires first
          example: years = 10, tier = gold
        """,
    )


def test_rows__behind_one_that_takes_everything() -> None:
    (masked,) = found("""
Decision: fare(tier: tier) -> number ; policy: first
  # | if | then
  # | tier | r
  1 | - | 1
  2 | gold | 2
""")
    assert masked.code == "masked"
    assert masked.message == "row 2 never fires: row 1, which comes before it, takes all its values"


def test_rows__without_effect() -> None:
    text = """
Decision: fare(tier: tier, zone: zone) -> number ; policy: first
  # | if | if | then
  # | tier | zone | r
  1 | gold | north | 1
  2 | {} | south | 2
  3 | - | - | 1
"""
    assert codes(text.format("silver")) == ["no-effect"]
    assert codes(text.format("-")) == ["no-effect"]
    assert "without row 1 nothing would change: row 3 gives the same there" in told(text.format("-"))


def test_rows__a_row_between_may_give_something_else() -> None:
    assert not codes("""
Decision: fare(tier: tier, zone: zone) -> number ; policy: first
  # | if | if | then
  # | tier | zone | r
  1 | gold | - | 1
  2 | - | south | 2
  3 | - | - | 1
""")


def test_rows__that_could_be_one() -> None:
    says(
        """
Decision: fare(tier: tier, zone: zone) -> number ; policy: unique
  # | if | if | then
  # | tier | zone | r
  1 | gold | north | 1
  2 | silver | north | 1
  3 | bronze | north | 2
  4 | - | south | 3
""",
        """
        A13:D13: note[mergeable]: row 1 could be one with row 2: tier is not bronze
          note: A14:D14: this row differs in that column only
          example: tier = silver, zone = north
        """,
    )


@pytest.mark.parametrize(
    "outcome",
    [
        "total(for x in [1, 2] return x * years)",
        "if some x in [1, 2] satisfies x > years then 1 else 2",
        "total([1, 2][item > years])",
        "{part: years, whole: part + 1}.whole",
        "(function(x: number) x + years)(1)",
        "if years in (1, ? > 4) then 1 else 2",
    ],
)
def test_rows__that_say_the_same_with_names_of_their_own_could_be_one(outcome: str) -> None:
    (note,) = found(f"""
Decision: fare(tier: tier, years: age) -> number ; policy: unique
  # | if | then
  # | tier | r
  1 | gold | {outcome}
  2 | silver | {outcome}
  3 | bronze | {outcome.replace("1", "3")}
""")
    assert note.code == "mergeable" and note.where.cell.row == 13


MANY = {
    "mergeable": """
Decision: fare(tier: tier, years: age) -> number ; policy: unique
  # | if | if | then
  # | tier | years | r
  1 | gold | < 3 | 1
  2 | silver | < 3 | 1
  3 | bronze | < 3 | 2
  4 | gold | >= 3 | 3
  5 | silver | >= 3 | 3
  6 | bronze | >= 3 | 4
""",
    "masked": """
Decision: fare(tier: tier, years: age) -> number ; policy: first
  # | if | if | then
  # | tier | years | r
  1 | - | - | 1
  2 | silver | < 3 | 2
  3 | bronze | < 3 | 3
  4 | gold | < 3 | 4
""",
    "overlap": """
Decision: fare(tier: tier, years: age) -> number ; policy: unique
  # | if | if | then
  # | tier | years | r
  1 | - | - | 1
  2 | silver | < 3 | 2
  3 | bronze | < 3 | 3
  4 | gold | < 3 | 4
""",
    "no-effect": """
Decision: fare(tier: tier, years: age) -> number ; policy: first
  # | if | if | then
  # | tier | years | r
  1 | silver | 3 | 2
  2 | bronze | 4 | 2
  3 | gold | 5 | 2
  4 | - | - | 2
""",
    "any-value": """
Decision: fare(tier: tier, years: age) -> number ; policy: first
  # | if | if | then
  # | tier | years | r
  1 | silver | >= 0 | 1
  2 | bronze | <= 99 | 2
  3 | gold, silver, bronze | > 7 | 3
  4 | - | - | 4
""",
    "given-twice": """
Decision: fares(tier: tier, years: age) -> list of number ; policy: collect
  # | if | if | then
  # | tier | years | r
  1 | - | - | 1
  2 | silver | < 3 | 1
  3 | bronze | < 3 | 1
""",
}


@pytest.mark.parametrize("code", MANY)
def test_rows__those_that_are_not_listed_are_counted(code: str) -> None:
    notes = [note for note in found(MANY[code]) if note.code == code]
    assert len(notes) > 1
    with limited(listed_findings=1):
        cut = [note for note in found(MANY[code]) if note.code == code]
    (counted,) = [note for note in cut if note.message == messages.MORE[code].format(len(notes) - 1)]
    (listed,) = [note for note in cut if note in notes]
    assert counted.severity is listed.severity


def test_rows__names_that_none_gives() -> None:
    (note,) = found("""
Decision: fare(years: age) -> tier ; policy: first
  # | if | then
  # | years | r
  1 | < 10 | gold
  2 | - | silver
""")
    assert (note.code, note.message) == ("never-given", "the decision never gives bronze")


def test_rows__priority_goes_by_outcome() -> None:
    text = """
Types: names
  name | names
  answer | refuse, ask, accept

Decision: verdict(years: age, tier: tier) -> answer ; policy: priority
  # | if | if | then
  # | years | tier | r
  1 | - | gold | accept
  2 | < 18 | - | refuse
  3 | >= 18 | - | ask
"""
    assert [(d.code, d.where.cell.row) for d in found(text)] == [("masked", 17)]


# -- the end -----------------------------------------------------------------------------------


def test_a_complete_table_has_nothing_to_tell() -> None:
    assert (
        told("""
Decision: fare(years: age, tier: tier, zone: zone?, member: boolean) -> number ; policy: unique
  # | if | if | if | if | then
  # | years | tier | zone | member | r
  1 | < 18 | - | - | - | 1
  2 | >= 18 | gold, silver | - | yes | 2
  3 | >= 18 | bronze | - | yes | 3
  4 | >= 18 | - | north, south | no | 4
  5 | >= 18 | - | null | no | 5
""")
        == ""
    )
