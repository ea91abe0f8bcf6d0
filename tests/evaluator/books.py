"""Small workbooks drawn as text, checked and ready to answer."""

from __future__ import annotations

from dtables.evaluator import Evaluator
from tests.support.rulesets import ruleset


def evaluator(text: str) -> Evaluator:
    return Evaluator(ruleset(text))
