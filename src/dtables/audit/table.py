"""Turns that were played otherwise as a table: a row for each field that differs, all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from dtables.audit.misplays import Misplay
from dtables.records.json import to_json_line


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


class MismatchTable:
    """Lines of JSON, from which a table is written as answers are; `flat` lines are the table."""

    def __init__(self, to: IO[bytes], language: str, flat: bool) -> None:
        self._to, self._language, self._flat = to, language, flat

    def add(self, misplay: Misplay) -> None:
        for row in mismatch_rows(misplay, self._language):
            self._to.write(to_json_line(row if self._flat else {"answer": row}))
