"""Every change that is tried, in each kind of table; golden, for its order is a part of it."""

from __future__ import annotations

from pathlib import Path

from dtables.mutation.slips import Mistake
from dtables.workbook.kinds import KINDS
from tests.mutation.books import changes
from tests.support.golden import golden
from tests.support.pages import KIND_EXAMPLES

HERE = Path(__file__).parent
_NO_RULES = {"examples", "pages", "glossary", "cases", "terms", "ticks"}
ITALIAN = """
Scala: scelta(candidati: list of number) ; gli altri: restano
  n. | solo per | preferisci | per
  n. | item | |
  1 | > 3 | il più alto | item
  2 | | primo |

Decisione: sconto(x: number) ; regola: prima
  se | allora | nota
  x | r |
  >= 3 | sì | tre
  - | no | altro
"""


def test_changes_of_every_kind() -> None:
    tried = changes(KIND_EXAMPLES.read_text(encoding="utf-8"))
    golden(HERE / "kinds.txt", "".join(f"{change}\n" for change in tried))
    assert {change.kind for change in tried} == {k.name for k in KINDS} - _NO_RULES
    assert {change.mistake for change in tried} == set(Mistake) - {Mistake.TEXT}


def test_words_are_changed_in_their_own_language() -> None:
    assert [str(change).partition(": ")[2] for change in changes(ITALIAN) if change.row != "row 2"] == [
        "Scale scelta, others: restano → ultimi",
        "Scale scelta, others: restano → salta",
        "Scale scelta, row 1, only for item: > 3 → >= 3",
        "Scale scelta, row 1, only for item: > 3 → < 3",
        "Scale scelta, row 1, only for item: > 3 → > 4",
        "Scale scelta, row 1, only for item: > 3 → > 2",
        "Scale scelta, row 1, only for item: > 3 → (empty)",
        "Scale scelta, row 1, prefer: il più alto → il più basso",
        "Scale scelta, row 1 gone: 1 | > 3 | il più alto | item",
        "Scale scelta, rows 1 and 2 swapped: 1 | > 3 | il più alto | item / 2 |  | primo | ",
        "Decision sconto, policy: prima → unica",
        "Decision sconto, row 1, if x: >= 3 → > 3",
        "Decision sconto, row 1, if x: >= 3 → <= 3",
        "Decision sconto, row 1, if x: >= 3 → >= 4",
        "Decision sconto, row 1, if x: >= 3 → >= 2",
        "Decision sconto, row 1, if x: >= 3 → (empty)",
        "Decision sconto, row 1, then r: sì → no",
        "Decision sconto, row 1 gone: >= 3 | sì",
        "Decision sconto, rows 1 and 2 swapped: >= 3 | sì / - | no",
    ]


def test_a_property_with_a_row_of_its_own_goes_with_its_row() -> None:
    book = """
Decision: fee(x: number) -> number
  policy: first
  otherwise: 0
  if | then
  x | r
  > 3 | 1
"""
    (gone,) = [c for c in changes(book) if c.column == "otherwise" and c.after == ""]
    assert [(cell.ref.address, cell.typed) for cell in gone.cells if cell.ref.column == 1] == [
        ("A3", "if"), ("A4", "x"), ("A5", "> 3"), ("A6", ""),
    ]  # fmt: skip


def test_what_stands_twice_in_a_cell_is_changed_place_by_place() -> None:
    book = """
Formulas: sums
  name | type | is
  total | number | 2 + 2
"""
    assert [change.after for change in changes(book)] == ["2 - 2", "3 + 2", "1 + 2", "2 + 3", "2 + 1"]


def test_quotes_and_accents_stay_as_they_are_typed() -> None:
    book = """
Formulas: sums
  name | type | is
  total | boolean | “caffè” = “tè”
"""
    assert [change.after for change in changes(book)] == [
        "“caffè” != “tè”", "“caff” = “tè”", "“caffè” = “t”",
    ]  # fmt: skip


WHOLE = """
Input: state
  field | type
  late | boolean
  sizes | list of number

Formulas: tests
  name | is
  long(x: number) | x > 3

Decision: fee(x: number) -> number ; policy: first
  if | then
   | r
  late | 1
  long(x) | 2
  list contains(sizes, 5) | 3
  not(late) | 4
"""


def test_whole_conditions_are_turned_round_and_changed_inside() -> None:
    told = [str(change).partition(", if: ")[2] for change in changes(WHOLE) if ", if: " in str(change)]
    for wanted in ("late → not(late)", "long(x) → not(long(x))", "not(late) → late"):
        assert wanted in told
    inside = [one for one in told if one.startswith("list contains(sizes, 5) → list contains(sizes, ")]
    assert "list contains(sizes, 5) → not(list contains(sizes, 5))" in told and inside
