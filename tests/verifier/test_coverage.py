"""What no example of a workbook reaches."""

from __future__ import annotations

from dtables.diagnostics import Diagnostic, Severity, in_order
from dtables.verifier import unreached
from tests.verifier.books import TYPES, ruleset

BOOK = """
Formulas: sums
  name | type | is
  double(n: number) | number | 2 * n
  triple(n: number) | number | 3 * n

Decision: fare(tier: tier) -> number ; policy: first ; otherwise: 9
  # | if | then
  # | tier | r
  1 | gold | double(1)
  2 | silver | 2

Scale: best(candidates: list of number)
  # | prefer | by
    | |
  1 | yes | fare(gold) < item
  2 | lowest | item
  3 | chance |
"""


def notes(text: str) -> tuple[Diagnostic, ...]:
    model = ruleset(TYPES + BOOK + text)
    return in_order(unreached(model), model.sheets)


def test_unreached__rows_and_tables() -> None:
    found = notes("""
Examples: fares ; table: fare
  given | expect
  tier | value
  gold | 2
""")
    assert {d.severity for d in found} == {Severity.NOTE}
    assert [d.message for d in found] == [
        "no example reaches `triple`",
        "no example makes row 2, `otherwise` of `fare` fire",
        "no example reaches `best`",
    ]
    assert [r.where.cell.address for r in found[1].remarks] == ["A19", "C15"]


def test_unreached__what_is_worked_out_for_one_of_many_counts() -> None:
    found = notes("""
Examples: fares ; table: fare
  given | expect
  tier | value
  silver | 2
  bronze | 9

Examples: picks ; table: best
  given | expect
  candidates | value
  1, 5, 7 | [5]
""")
    assert [d.message for d in found] == ["no example reaches `triple`"]


def test_unreached__a_workbook_without_examples() -> None:
    (note,) = notes("")
    assert str(note.where) == "book.xlsx"
    assert note.code == "no-example"
