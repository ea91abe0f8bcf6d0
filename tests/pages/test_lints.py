"""What a reader of the pages would stumble over is found before anything is laid out."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from dtables.cli import main
from dtables.diagnostics import Severity
from dtables.pages.compose import print_view
from dtables.pages.messages import PROBLEMS
from tests.pages.books import DEPOT, drawn
from tests.pages.solo import SOLO
from tests.support.drawing import write_book

LAID_OUT = {
    "not-printable", "no-pages", "no-cards", "missing-character", "no-badge", "page-overflow", "typesetting",
    "unknown-style", "face-overflow", "pages-of-another-language", "column-blank", "face-thin", "card-uneven",
    "lang-length",
}  # fmt: skip
"""What other tests show."""

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

CASES = {
    "term-undefined": (
        ERROR,
        ("Counts {coin 1}.", "Counts {coin 1} for *valour*."),
        ["`valour` is explained nowhere on page 1a", "`valour` is explained nowhere on page 4"],
    ),
    "term-unused": (
        NOTE,
        ("pedina | pawn |", "scudo | shield |"),
        ["no wording on page 1a uses the term `shield`"],
    ),
    "missing-key": (
        WARNING,
        ("Put away what is left.", "Put away what is left°."),
        ["`°` is explained nowhere on page 1a"],
    ),
    "pointer-off-face": (
        ERROR,
        ("  1a | A4 | what cards do", "  1b | A4 | what cards do"),
        ["this step on page 1a points to `what cards do`, which is on another face"],
    ),
    "too-many-pointers": (
        ERROR,
        ("what cards do, actions | end if", "what cards do, actions, which card, order | end if"),
        ["step 4 points to 4 tables: at most 3 are allowed"],
    ),
    "decision-unreached": (
        ERROR,
        ("Several decks? | die for decks |", "Several decks? | |"),
        ["no step, case or term of the pages leads to `die for decks`, on which `turn` may depend"],
    ),
    "turn-open-end": (
        ERROR,
        (
            "Extra. Di nuovo. | Extra. Once more. | | again 2",
            "Extra. Di nuovo. | Extra. Once more. | | again 5",
        ),
        ["from step 5 the turn never ends"],
    ),
    "text-code": (ERROR, ("Put away what is left.", "Put away LIMIT."), ["`LIMIT` is no word for a reader"]),
    "missing-wording": (
        NOTE,
        ("Metti via quello che resta. | Put away what is left.", "Metti via quello che resta. | "),
        ["`rival` needs a wording in `en`: row 6"],
    ),
    "badge-clash": (
        ERROR,
        ("green | verde | green | green | Gn", "green | verde | green | green | Gr"),
        [f"`Gr` is the badge of `green` on page {page}, and begins `grey` too" for page in ("1a", "3")],
    ),
    "deck-incomplete": (
        ERROR,
        ("  4 | tarot | actions | | |\n", ""),
        ["this step points to `actions`, which is on no card"],
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_what_a_reader_would_stumble_over(code: str) -> None:
    severity, (old, new), messages = CASES[code]
    assert old in SOLO
    _, found = print_view(drawn(SOLO.replace(old, new), "solo.xlsx"), "en")
    assert [(d.code, d.severity) for d in found if d.code == code] == [(code, severity)] * len(messages)
    assert [d.message for d in found if d.code == code] == messages


def test_missing_wording__says_what_does_not_read_well() -> None:
    row = "  4 | | age > 1 | first in order(way) | colour | per verso | by way"
    hard = (
        "  4 | | age > 1 | highest | sum(for c in cards, d in cards return c.points * d.points) | per verso |"
    )
    assert row in SOLO
    _, found = print_view(drawn(SOLO.replace(row, hard)), "en")
    assert [(d.code, d.hint) for d in found] == [
        (
            "missing-wording",
            "it goes through several lists at once; write a wording under `text it`, `text en`",
        )
    ]
    assert print_view(drawn(SOLO.replace(row, hard)), "it")[1] == ()


@pytest.mark.parametrize("language", ["it", "en"])
def test_a_good_workbook_has_nothing_to_say(language: str) -> None:
    assert print_view(drawn(SOLO), language)[1] == ()


def test_unreached__a_table_that_is_never_printed_is_not_excused() -> None:
    text = SOLO.replace("Several decks? | die for decks |", "Several decks? | |")
    never = text.replace("Dice: die for decks -> deck ;", "Dice: die for decks -> deck ; print: never ;")
    assert [d.code for d in print_view(drawn(never), "en")[1]] == ["decision-unreached"]


def test_unreached__a_row_may_word_a_table_that_is_not_printed() -> None:
    never = SOLO.replace("Dice: die for decks -> deck ;", "Dice: die for decks -> deck ; print: never ;")
    assert print_view(drawn(never), "en")[1] == ()


def test_unreached__through_a_printed_table() -> None:
    """A scale that reads a decision leads to it, if both are printed."""
    more = """
Decision: rank(c: colour) -> whole number ; policy: unique ; otherwise: 0 ; title en: Rank
  if | then | text en
  c | rank |
  red | 1 | red first
"""
    text = SOLO.replace("Dice: die for decks", more + "\nDice: die for decks")
    text = text.replace(
        "  2 | grey, green | | highest | points |", "  2 | grey, green | | highest | rank(colour) |"
    )
    assert [d.code for d in print_view(drawn(text), "en")[1]] == ["decision-unreached"]
    printed = text.replace("  1b | A4 | order", "  1a | A4 | rank | | |\n  1b | A4 | order")
    assert print_view(drawn(printed), "en")[1] == ()


def test_pointers__to_a_table_of_no_page() -> None:
    text = SOLO.replace("Several decks? | die for decks", "Several decks? → {1} | die for decks")
    found = print_view(drawn(text), "en")[1]
    assert [d.message for d in found if d.severity is ERROR] == [
        "this row points to `die for decks`, which is on no page"
    ]


def test_pointers__a_step_may_send_its_reader_over() -> None:
    """If all that it points to is on the other face."""
    text = SOLO.replace("  1a | A4 | what cards do", "  1b | A4 | what cards do")
    text = text.replace("  1a | A4 | actions", "  1b | A4 | actions")
    codes = [d.code for d in print_view(drawn(text), "en")[1]]
    assert "pointer-off-face" not in codes


def test_without_turns_and_terms__little_is_said() -> None:
    text = DEPOT.replace("Fragile before all", "*Fragile* before all of WEIGH")
    found = print_view(drawn(text), "en")[1]
    assert [(d.code, d.severity) for d in found] == [("starred-words", NOTE), ("text-code", WARNING)] or [
        (d.code, d.severity) for d in found
    ] == [("starred-words", NOTE), ("text-code", WARNING), ("text-code", WARNING)]


YES_NO = """
Decision: free(n: whole number) -> boolean ; policy: {policy} ; otherwise: {otherwise}
  # | if | then | text en
  # | n | free |
  1 | > 5 | {one} | more than five
  2 | < 2 | {two} | less than two

Data: row ; key: row
  key | whole number
  row | coins
  row1 | 5
  row2 | 6

Pages: aid
  page | size | table
  1 | A4 | free
  1 | A4 | row
"""


def blocks(**cells: str) -> tuple[list[str], list[str]]:
    made, found = print_view(drawn(YES_NO.format(**cells)), "en")
    block = made.sheets[0].blocks[0]
    assert hasattr(block.body, "rows")
    lines = [block.subtitle, *(f"{row.number} {row.text[0].text}".strip() for row in block.body.rows)]
    return lines, [d.code for d in found]


@pytest.mark.parametrize(
    ("cells", "lines", "codes"),
    ids=["cases of yes", "cases of no", "in order", "mixed"],
    argvalues=[
        (
            {"policy": "unique", "otherwise": "no", "one": "yes", "two": "yes"},
            ["in these cases, in no other", "more than five", "less than two"],
            ["row-is-number"],
        ),
        (
            {"policy": "first", "otherwise": "yes", "one": "no", "two": "no"},
            ["always but in these cases", "more than five", "less than two"],
            ["row-is-number"],
        ),
        (
            {"policy": "first", "otherwise": "no", "one": "yes", "two": "no"},
            ["in these cases, in no other", "more than five"],
            ["row-is-number"],
        ),
        (
            {"policy": "first", "otherwise": "yes", "one": "yes", "two": "no"},
            ["the first row that fits counts", "1 more than five", "2 less than two", "Otherwise"],
            ["outcome-yes-no", "row-is-number"],
        ),
    ],
)
def test_yes_and_no__are_a_list_of_cases(cells: dict[str, str], lines: list[str], codes: list[str]) -> None:
    assert blocks(**cells) == (lines, codes)


def hint(book: str, *, note: str = "") -> str:
    """What stands beside the title of a list of cases."""
    pages = ("page | size | table", "  1 | A4 | free\n")
    noted = ("page | size | table | note en", f"  1 | A4 | free | {note}\n")
    for old, new in zip(pages, noted, strict=True):
        book = book.replace(old, new)
    return print_view(drawn(book), "en")[0].sheets[0].blocks[0].subtitle


def test_cases__the_hint_stands_beside_no_note_and_no_sentences() -> None:
    cases = YES_NO.format(policy="unique", otherwise="no", one="yes", two="yes")
    assert hint(cases) == "in these cases, in no other"
    assert hint(cases, note="only then") == "only then"
    sentences = cases.replace("more than five", "Many: it rolls").replace("less than two", "Few: it rolls")
    assert hint(sentences) == ""
    exceptions = YES_NO.format(policy="first", otherwise="yes", one="no", two="no")
    assert hint(exceptions) == "always but in these cases"


def test_every_code_has_a_case() -> None:
    here = {*CASES, "starred-words", "row-is-number", "outcome-yes-no"}
    assert here | LAID_OUT == set(PROBLEMS) | {"column-blank", "face-thin", "lang-length"}


def test_check__says_it_of_a_workbook_with_a_turn(tmp_path: Path) -> None:
    path = tmp_path / "solo.xlsx"
    write_book(SOLO.replace("Several decks? | die for decks |", "Several decks? | |"), path)
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 1 and result.output.count("error[decision-unreached]") == 1
    write_book(SOLO, path)
    assert CliRunner().invoke(main, ["check", str(path)]).exit_code == 0
