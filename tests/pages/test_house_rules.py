"""House rules on a page: what holds by default is plain, the rest is a variant that says so in words."""

from __future__ import annotations

import pytest

from dtables.pages.compose import print_view
from dtables.pages.document import Steps, text_of
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


def rows(language: str, title: str) -> list[tuple[str, list[str]]]:
    document, found = print_view(drawn(SHOP), language)
    assert not [d for d in found if d.severity.value == "error"]
    body = next(b.body for sheet in document.sheets for b in sheet.blocks if b.title == title)
    assert isinstance(body, Steps)
    return [(row.number, [text_of(c) for c in row.conditions]) for row in body.rows]


@pytest.mark.parametrize(
    ("language", "title", "expected"),
    [
        (
            "en",
            "Step",
            [
                ("1", ["price > 5"]),
                ("2", ["house rule: prices are rounded up and price > 5"]),
                ("3", ["house rule: ROUND: prices are rounded up or NEVER"]),
                ("4", []),
            ],
        ),
        ("it", "Passo", [("2", ["regola della casa: si arrotonda in su e price > 5"])]),
        ("en", "Pick", [("1", []), ("2", ["house rule: OPEN: DAILY"]), ("3", [])]),
    ],
)
def test_house_rules(language: str, title: str, expected: list[tuple[str, list[str]]]) -> None:
    found = rows(language, title)
    assert [row for row in found if row in expected] == expected, found
    assert language != "en" or found == expected
