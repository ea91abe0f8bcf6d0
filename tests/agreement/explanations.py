"""What explanations hold to: the oracle's answers, what is known of sound records, the rows that decide."""

from __future__ import annotations

from collections.abc import Mapping

from dtables.evaluator import Evaluator, Explanation
from dtables.evaluator.deciding import in_order
from dtables.explanations.plain import as_plain
from dtables.explanations.render import render
from dtables.merging import Reply
from dtables.model.tables import Ruleset
from tests.agreement.engines import outcome, spelled
from tests.support.oracle import OracleEngine

LANGUAGES = ("it", "en")


class Together:
    """Raises AssertionError where they differ."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.oracle = OracleEngine(ruleset)
        self.evaluator = Evaluator(ruleset)

    def compare_ask(self, ask: str | None, state: object) -> None:
        evaluator, found = self.evaluator, list[Explanation]()

        def explained() -> Reply:
            found.append(evaluator.explain(ask, state))
            return Reply(found[0].answer, found[0].next)

        wanted = outcome(lambda: self.oracle.reply(ask, state))
        assert outcome(explained) == wanted
        if found:
            again = evaluator.explain_sound(ask, state)
            assert in_words(again) == in_words(found[0])
            assert set(in_order(again.steps)) <= evaluator.deciding(ask, state)

    def compare_table(self, table: str, given: Mapping[str, object]) -> None:
        evaluator, found = self.evaluator, list[Explanation]()

        def explained() -> object:
            found.append(evaluator.explain_table(table, given))
            return found[0].answer

        wanted = outcome(lambda: self.oracle.call(table, given))
        assert outcome(explained) == wanted
        if found:
            assert in_words(evaluator.explain_table(table, given)) == in_words(found[0])
            assert set(in_order(found[0].steps)) <= evaluator.deciding_in_table(table, given)


def in_words(explanation: Explanation) -> tuple[str, ...]:
    return (spelled(as_plain(explanation)), *(render(explanation, language) for language in LANGUAGES))
