"""What the words of rows are read for: labels of asks and steps, wordings of entries, help of terms."""

from __future__ import annotations

from dtables.contract import contract_of
from dtables.explanations.render import render
from dtables.model.tables import Ruleset
from tests.evaluator.books import evaluator

TABLES = """
Types: w
name | names
colour | red, green

Glossary: w
kind | id | label en | text en | help en
colour | red | | scarlet |
field | coins | | money at hand | what you have now

Input: state
field | type | default
coins | whole number | 3
colour | colour | red

Matrix: fare(colour) -> whole number
key | value | text en
colour | fare |
red | 5 | the dear one
green | 1 |

Dice: storm -> whole number
# | die | then
| d6 | storm
calm | 1..3 | 0
gale | 4..6 | 2

Formula: bill -> whole number
step | is | label en
base | fare(colour) | the base
result | base + storm(5) |

Ask: turn ; main: yes
role | name | is | label en
answer | pay | bill | what is paid
"""


def told() -> str:
    return render(evaluator(TABLES).explain("turn", {}), "en")


def test_labels_of_asks_and_steps_are_what_they_are_called() -> None:
    assert "what is paid: 7" in told()
    assert "the base: 5" in told()


def test_entries_are_said_by_their_row() -> None:
    assert "fare (scarlet): 5, “the dear one”" in told()
    assert "storm (5): 2, by row gale" in told()


def test_glossary_says_what_a_field_is_called_and_helps_with_it() -> None:
    model: Ruleset = evaluator(TABLES).ruleset
    (coins,) = [field for field in contract_of(model, "en").state if field.path == "coins"]
    assert (coins.title, coins.help) == ("money at hand", "what you have now")
