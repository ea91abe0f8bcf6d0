"""Steps that were tried: why each failed, in the author's words or by the condition that failed."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.evaluator import Evaluator
from dtables.explanations.plain import as_plain
from dtables.explanations.render import render
from tests.support.rulesets import sound

BOOK = """
# Sheet: Rules
Types: words
  name | names
  move | build, buy, take
  city | roma, ostia, capua

Glossary: words
  kind | id | label it | label en
  city | roma | Roma | Roma
  city | ostia | Ostia | Ostia
  city | capua | Capua | Capua
  move | take | prendere | take

Input: state
  field | type | default
  coins | whole number | 0
  cities | list of city | []
  cloth | boolean | no

Attempts: action -> move
  step | if | if | then | text it | text en | failed it | failed en
  | | coins | | | | |
  build | cloth | - | build | *Costruire.* Qui. | *Build.* Here. | nessuna città libera | no free city
  buy | | >= 2 | buy | *Comprare* → {1}. | *Buy* → {1}. | | two coins short
  take | | | take | *Prendere.* Ciò che resta. | *Take.* What is left. | |

Attempts: site
  step | each | if | if | then | then | failed en
  | | item | coins | city | before |
  near | cities | roma | >= 1 | item | tried | {item} is too far
  far | [capua] | not(roma) | >= 3 | item | tried | not enough for the journey
  last | cities | | | if coins > 4 then item else null | tried |
"""


def explained(table: str, language: str, **given: Any) -> list[str]:
    model = sound(BOOK)
    assert model is not None
    lines = render(Evaluator(model).explain_table(table, given), language).splitlines()[2:]
    return [line.partition(" [")[0] for line in lines]


def test_the_failed_steps_and_the_one_that_was_done() -> None:
    assert explained("action", "en", coins=1) == [
        "action: take",
        "  Build: no free city",
        "  Buy: two coins short",
        "  Take: done",
    ]
    assert explained("action", "it", coins=2) == [
        "action: buy",
        "  Costruire: nessuna città libera",
        "  Comprare: fatto",
    ]


def test_without_a_wording_the_condition_that_failed() -> None:
    """Another language's wording would be worse."""
    assert explained("action", "it", coins=1) == [
        "action: prendere",
        "  Costruire: nessuna città libera",
        "  Comprare: no, richiede ≥ 2 (coins: 1)",
        "  Prendere: fatto",
    ]


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        (
            {"coins": 1, "cities": ["ostia", "capua", "roma"]},
            [
                "site: city Roma; before Ostia and Capua",
                "  near: Ostia is too far; Capua is too far; Roma: done",
            ],
        ),
        (
            {"coins": 3, "cities": ["ostia"]},
            ["site: city Capua; before Ostia", "  near: Ostia is too far", "  far: Capua: done"],
        ),
        (
            {"coins": 2, "cities": []},
            [
                "site: nothing, as no step works",
                "  near: nothing to try",
                "  far: not enough for the journey",
                "  last: nothing to try",
            ],
        ),
        (
            {"coins": 2, "cities": ["ostia", "capua"]},
            [
                "site: nothing, as no step works",
                "  near: Ostia is too far; Capua is too far",
                "  far: not enough for the journey",
                "  last: Ostia: coins 2 ≤ 4; Capua: coins 2 ≤ 4",
            ],
        ),
    ],
)
def test_items_are_told_one_by_one(given: dict[str, Any], lines: list[str]) -> None:
    assert explained("site", "en", **given) == lines


def test_as_plain_data() -> None:
    model = sound(BOOK)
    assert model is not None
    (step,) = as_plain(Evaluator(model).explain_table("action", {"coins": 1}))["steps"]
    assert [(row["row"], row["fired"], row.get("failed", {}).get("en")) for row in step["rows"]] == [
        ("build", False, "no free city"),
        ("buy", False, "two coins short"),
        ("take", True, None),
    ]
    (step,) = as_plain(Evaluator(model).explain_table("site", {"coins": 3, "cities": ["ostia"]}))["steps"]
    tried = [row["inside"][0] for row in step["rows"]]
    assert [(one["kind"], [(item["item"], item["kept"]) for item in one["items"]]) for one in tried] == [
        ("items tried", [("ostia", False)]),
        ("items tried", [("capua", True)]),
    ]
