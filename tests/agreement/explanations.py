"""The evaluator and closures of the program at once: the same explanations, the same rows that decide."""

from __future__ import annotations

from collections.abc import Mapping

from dtables.evaluator import Evaluator, Explanation, deciding, explaining
from dtables.explanations.plain import as_plain
from dtables.explanations.render import render
from dtables.model.tables import Ruleset
from tests.agreement.engines import outcome, spelled

LANGUAGES = ("it", "en")


class Together:
    """Raises AssertionError where they differ."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.evaluator = Evaluator(ruleset)
        self.explaining = explaining(ruleset)
        self.deciding = deciding(ruleset)

    def compare_ask(self, ask: str | None, state: object) -> None:
        reference, planned = self.evaluator, self.explaining
        wanted = outcome(lambda: said(reference.explain(ask, state)))
        assert outcome(lambda: said(planned.explain(ask, state))) == wanted
        if wanted[0] != "value":
            return
        assert outcome(lambda: said(planned.explain_sound(ask, state))) == wanted
        assert self.deciding.deciding(ask, state) == reference.deciding(ask, state)

    def compare_table(self, table: str, given: Mapping[str, object]) -> None:
        reference, planned = self.evaluator, self.explaining
        wanted = outcome(lambda: said(reference.explain_table(table, given)))
        assert outcome(lambda: said(planned.explain_table(table, given))) == wanted


def said(explanation: Explanation) -> tuple[str, ...]:
    return (spelled(as_plain(explanation)), *(render(explanation, language) for language in LANGUAGES))
