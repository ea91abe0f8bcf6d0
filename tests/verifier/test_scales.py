"""Scales, lists of preferences and matrices of lists."""

from __future__ import annotations

from dtables.diagnostics import Severity
from tests.verifier.books import found

ITEMS = """
Record: thing
  field | type
  tier | tier
  zone | zone?
  cost | number
  new | boolean

"""


def scale(*rows: str, header: str = "", item: str = "thing") -> str:
    lines = "\n".join("  " + row for row in rows)
    return (
        f"{ITEMS}Scale: pick(candidates: list of {item}){header}\n"
        f"  # | only for | only if | prefer | by\n    | tier | | |\n{lines}\n"
    )


def messages(text: str, *codes: str) -> list[str]:
    return [d.message for d in found(text) if d.code in codes]


def test_scale__the_same_row_again() -> None:
    text = scale("1 | | | yes | new", "2 | | | lowest | cost", "3 | | | yes | new", "4 | | | chance |")
    (finding,) = found(text)
    assert (finding.severity, finding.code, finding.where.cell.address) == (
        Severity.WARNING,
        "repeats",
        "A22",
    )
    assert finding.message == "row 3 never decides: row 1 says the same"
    assert [r.where.cell.address for r in finding.remarks] == ["A20"]


def test_scale__the_same_value_the_other_way_round() -> None:
    text = scale("1 | | | highest | cost", "2 | | | lowest | cost", "3 | | | chance |")
    assert messages(text, "repeats") == [
        "row 2 never decides: after row 1 all that are left have the same `cost`"
    ]


def test_scale__behind_a_list_of_some_values_others_are_left() -> None:
    for later in ("highest", "lowest", "last in [7, 8]"):
        text = f"""
Scale: pick(candidates: list of number)
  # | prefer | by
    | |
  1 | first in [1, 2] | item
  2 | {later} | item
  3 | chance |
"""
        assert not messages(text, "never-decides", "repeats"), later


def test_scale__only_for_others_it_is_no_repetition() -> None:
    for rows in (
        ("1 | gold | | highest | cost", "2 | | | lowest | cost"),
        ("1 | | cost of all > 3 | highest | cost", "2 | | | lowest | cost"),
        ("1 | | | first in [gold] | tier", "2 | | | first in [silver, bronze] | tier"),
    ):
        text = scale(*rows, "3 | | | chance |", header=" ; others: last")
        formula = "\nFormulas: sums\n  name | type | is\n  cost of all | number | 4\n"
        assert not messages(text + formula, "repeats"), rows


def test_scale__nothing_is_left_behind_a_list_with_every_name() -> None:
    text = """
Scale: pick(candidates: list of tier)
  # | prefer | by
    | |
  1 | first in [bronze, silver, gold] | item
  2 | last in [gold, silver, bronze] | item
"""
    assert messages(text, "never-decides", "repeats") == [
        "row 2 never decides: row 1 tells all candidates apart"
    ]


def test_list__twice_and_missing() -> None:
    text = scale("1 | | | first in [gold, silver, gold] | tier", "2 | | | chance |")
    assert [(d.severity, d.code, d.message) for d in found(text)] == [
        (Severity.WARNING, "listed-twice", "`gold` stands in this list twice: only the first place counts"),
        (Severity.NOTE, "not-listed", "`bronze` is not in this list: such candidates come last"),
    ]


def test_list__names_that_the_row_does_not_concern_are_not_missing() -> None:
    text = scale(
        "1 | gold, silver | | first in [silver, gold] | tier", "2 | | | chance |", header=" ; others: stay"
    )
    assert not found(text)


DATA = """
Data: card ; key: card
  key | number | number
  card | points | shields
  ace | 3 | 1
  king | 2 | 1
  queen | 3 | {queen}

Scale: best(candidates: list of card) ; decides: yes
  # | prefer | by
    | |
  1 | highest | points
  2 | highest | shields
"""


def test_ties__two_names_that_a_claim_overlooks() -> None:
    (finding,) = found(DATA.replace("{queen}", "1"))
    assert (finding.severity, finding.code) == (Severity.WARNING, "undecided-tie")
    assert finding.message == "no row of `best` tells `ace` and `queen` apart"
    assert finding.example == "candidates = [ace, queen]"


def test_ties__a_claim_that_holds_for_all_names() -> None:
    assert not found(DATA.replace("{queen}", "2"))


def test_ties__a_claim_over_records_is_not_proved() -> None:
    (note,) = found(scale("1 | | | lowest | cost", header=" ; decides: yes"))
    assert (note.severity, note.code) == (Severity.NOTE, "not-verified")
    assert "is claimed, not proved" in note.message


# -- matrices ----------------------------------------------------------------------------------


MATRIX = """
Types: names
  name | names
  way | a, b, c, d

Matrix: order(way: way) -> list of tier ; down: ordered
  rank | key | key | key | key
  # | a | b | c | d
  1 | gold | silver | gold | bronze
  2 | silver | gold | bronze | gold
  3 | bronze | bronze | silver | {last}
"""


def test_matrix__a_column_that_lacks_what_the_others_have() -> None:
    (finding,) = found(MATRIX.replace("{last}", ""))
    assert (finding.severity, finding.code) == (Severity.WARNING, "different-lists")
    assert finding.message == "this list lacks silver, unlike most lists of the matrix"
    assert str(finding.where) == "book.xlsx!Sheet1!E17:E18"


def test_matrix__columns_with_the_same_names() -> None:
    assert not found(MATRIX.replace("{last}", "silver"))


def test_matrix__lists_that_need_not_be_alike() -> None:
    assert not found("""
Matrix: near(tier: tier) -> list of tier
  key | list of tier
  tier | near
  gold | silver
  silver | gold, bronze
  bronze | silver
""")


def test_matrix__a_name_twice_in_one_cell() -> None:
    text = """
Matrix: near(tier: tier) -> list of tier
  key | list of tier
  tier | near
  gold | silver, silver
  silver | gold, bronze
  bronze | silver
"""
    assert messages(text, "listed-twice") == ["silver stands in this list twice"]
