"""What no example of a workbook reaches."""

from __future__ import annotations

import pytest

from dtables.diagnostics import Diagnostic, Severity, in_order
from dtables.verifier import unreached
from dtables.verifier.parts import coverage
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


# -- parts of every kind, and the example that reaches them -------------------------------------

PARTS = """
Record: parcel
  field | type | is
  weight | whole number |
  toll | number | fare(tier of weight(weight))

Record: route
  field | type
  zone | zone
  fee | number

Data: route ; key: route
  key | zone | number
  route | zone | fee
  near | north | 1
  far | south | 7

Input: state
  field | type | default
  years | age | 0
  heavy | parcel? |
  to | route? |

Decision: fare(tier: tier) -> number ; policy: first ; otherwise: 9
  # | if | then
  # | tier | r
  1 | gold | 1
  2 | silver | 2

Formula: tier of weight(weight: whole number) -> tier
  step | type | is
  light | boolean | weight < 5
  result | tier | if light then gold else bronze

Checks: sound
  # | wrong if | at | text en
  1 | years = 98 | years | ninety-eight

Ask: turn ; main: yes
  role | name | is
  stop | | years > 90
  need | to |
  answer | fee | to.fee
  answer | toll | if heavy = null then 0 else heavy.toll
  next | other | years > 40

Ask: other
  role | name | is
  answer | x | years
"""


def reached_by(examples: str) -> set[str]:
    model = ruleset(TYPES + PARTS + examples)
    return {f"{p.row} {p.name} {p.does}".strip() for one in coverage(model) for p in one.parts if p.reached}


EXAMPLES = """
Examples: some ; ask: turn
  given | given | given | expect | rejected at
  years | to | heavy.weight | fee |
"""


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ("95 | near | | null |", {"stop stops"}),
        ("3 | | | | to", {"need to rejects a record"}),
        ("98 | near | | | years", {"row 1 rejects a record"}),
        ("3 | near | | 1 |", {"near fee read"}),
        ("41 | far | | 7 |", {"far fee read", "next other comes next"}),
        (
            "3 | near | 4 | 1 |",
            {"near fee read", "toll computed", "light computed", "tier of weight computed", "row 1 applies"},
        ),
        (
            "3 | near | 5 | 1 |",
            {
                "near fee read",
                "toll computed",
                "light computed",
                "tier of weight computed",
                "otherwise applies",
            },
        ),
    ],
)
def test_coverage__parts_of_every_kind(row: str, wanted: set[str]) -> None:
    assert reached_by(f"{EXAMPLES}  {row}\n") == wanted
