"""Small workbooks drawn as text, checked and verified; and one decision made of its rows."""

from __future__ import annotations

from dtables.diagnostics import Diagnostic, in_order, render
from dtables.verifier import verify
from tests.support.rulesets import ruleset

TYPES = """
Types: names
  name | names
  tier | gold, silver, bronze
  zone | north, south

Types: restricted
  name | of | allowed
  age | whole number | [0..99]
"""


def found(text: str) -> tuple[Diagnostic, ...]:
    """What is proved of the tables of a text, which may use the types above."""
    model = ruleset(TYPES + "\n" + text)
    return in_order(verify(model), model.sheets)


def told(text: str) -> str:
    return render(found(text)).replace("book.xlsx!Sheet1!", "")
