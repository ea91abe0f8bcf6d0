"""House rules on a page: they are decided before it is made, and the page of other rules says so in words."""

from __future__ import annotations

import pytest

from dtables.diagnostics import errors_in
from dtables.pages.compose import Print, print_view
from dtables.pages.document import Document, Edition, Entries, Steps, text_of
from tests.pages.books import drawn

SHOP = """
Types:
name | names
good | milk, tea

Input:
field | type
price | whole number

Settings: house rules
switch | default | other values | text en
ROUND | DOWN | UP, NEVER | how prices are rounded
OPEN | WEEK | DAILY | when the shop is open

Glossary:
kind | id | label it | label en
switch ROUND | UP | si arrotonda in su | prices are rounded up

Decision: step -> whole number ; policy: first ; title it: Passo ; title en: Step
# | if | if | then
 | ROUND | price |
1 | DOWN | > 5 | 1
2 | UP | > 5 | 2
3 | UP, NEVER | - | 3
4 | not(UP) | - | 4

Scale: pick(candidates: list of good) ; title it: Scelta ; title en: Pick
# | only if | prefer | by
1 | ROUND = DOWN | first in each good | item
2 | OPEN = DAILY | yes | item = tea
3 | | first |

Pages: p
page | size | table
1 | A4 | step
1 | A4 | pick
"""


def made(language: str, wish: Print) -> Document:
    document, found = print_view(drawn(SHOP), language, wish)
    assert not errors_in(found)
    return document


def rows(document: Document, title: str) -> list[tuple[str, list[str]]]:
    body = next(b.body for sheet in document.sheets for b in sheet.blocks if b.title == title)
    assert isinstance(body, Steps)
    return [(row.number, [text_of(c) for c in row.conditions]) for row in body.rows]


@pytest.mark.parametrize(
    ("rules", "title", "expected"),
    [
        ({}, "Step", [("1", ["price > 5"]), ("4", [])]),
        ({"ROUND": "UP"}, "Step", [("2", ["price > 5"]), ("3", [])]),
        ({"ROUND": "NEVER"}, "Step", [("3", []), ("4", [])]),
        ({}, "Pick", [("1", []), ("2", [])]),
        ({"ROUND": "UP", "OPEN": "DAILY"}, "Pick", [("1", []), ("2", [])]),
    ],
)
def test_house_rules__are_resolved_away(
    rules: dict[str, str], title: str, expected: list[tuple[str, list[str]]]
) -> None:
    assert rows(made("en", Print(rules)), title) == expected


FAIR = """
Types:
name | names
good | milk, tea, salt

Settings: house rules
switch | default | other values
ROUND | DOWN | UP

Scale: pick(candidates: list of good)
# | only if | prefer | by | text en
1 | | yes | item = tea | Tea
2 | ROUND = UP | yes | item = salt | Salt
3a | | yes | item = milk | Milk
3b | | yes | item = salt | Salt, with row 3b
4 | | first | | As row 2, or rows 1 and 4: the first

Cases: buying
key | text en | with
Dear | Row 4 of {1}, else rows 1 and 3a of {pick}. Row 4 stays. | pick
Cheap | The last row: 4 of all. | pick

Pages: p
page | size | table
1 | A4 | pick
1 | A4 | buying
"""


def test_house_rules__numbers_have_no_gaps_and_wordings_follow() -> None:
    document, _ = print_view(drawn(FAIR), "en")
    pick, buying = (block.body for block in document.sheets[0].blocks)
    assert isinstance(pick, Steps) and isinstance(buying, Entries)
    assert [(row.number, text_of(row.text)) for row in pick.rows] == [
        ("1", "Tea"),
        ("2a", "Milk"),
        ("2b", "Salt, with row 2b"),
        ("3", "As row 2, or rows 1 and 3: the first"),
    ]
    assert [text_of(row.text) for row in buying.rows] == [
        "Row 3 of → A, else rows 1 and 2a of → A. Row 4 stays.",
        "The last row: 4 of all → A.",
    ]
    other, _ = print_view(drawn(FAIR), "en", Print({"ROUND": "UP"}))
    assert rows(other, "Pick")[3][0] == "3b"


def test_house_rules__a_page_of_other_rules_says_so() -> None:
    assert made("en", Print()).band == made("en", Print({"ROUND": "DOWN"})).band == ""
    assert (
        made("en", Print({"ROUND": "UP"})).band
        == "House edition: how prices are rounded: prices are rounded up"
    )
    assert (
        made("it", Print({"ROUND": "UP"})).band
        == "Edizione della casa: how prices are rounded: si arrotonda in su"
    )


def test_house_rules__a_value_without_words_is_read_as_it_is() -> None:
    assert made("en", Print({"OPEN": "DAILY"})).band == "House edition: when the shop is open: daily"


def test_house_rules__the_author_sees_every_row() -> None:
    proof = made("en", Print(edition=Edition.PROOF))
    assert rows(proof, "Step") == [
        ("1", ["price > 5"]),
        ("2", ["house rule: prices are rounded up and price > 5"]),
        ("3", ["house rule: ROUND: prices are rounded up or NEVER"]),
        ("4", []),
    ]
    assert rows(proof, "Pick") == [("1", []), ("2", ["house rule: OPEN: DAILY"]), ("3", [])]
