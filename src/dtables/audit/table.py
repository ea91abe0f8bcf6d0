"""Turns that were played otherwise as a table: a row for each field that differs, all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dtables.audit.misplays import Misplay


def mismatch_rows(misplay: Misplay, language: str) -> Iterator[dict[str, Any]]:
    """Values as records and answers have them; the rule and the reason in a language."""
    text = misplay.texts[language]
    context = {f"state.{one.field.name}": one.value for one in misplay.context}
    for one in misplay.differences:
        yield {
            "turn": misplay.turn,
            "game": misplay.game,
            "ask": misplay.ask,
            "file": misplay.file,
            "line": misplay.line,
            "field": one.field,
            "played": one.played,
            "answered": one.answered,
            "any of": list(one.any_of) or None,
            "rule": text.rule.sentence,
            "place": text.rule.place or None,
            "cell": text.rule.cell,
            "why": text.sentence,
            **context,
            "house rules": "; ".join(text.house_rules) or None,
        }
