"""Every engine that answers a record alone: the evaluator, closures of the program, the compiled module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dtables.evaluator import Evaluator, explaining
from dtables.model.tables import Ruleset
from tests.agreement.engines import Outcome, compiled, outcome
from tests.support.rulesets import sound


def ruleset(text: str) -> Ruleset | None:
    """None where the checker refuses the workbook."""
    return sound(f"# Sheet: Rules\n{text}")


class Everywhere:
    """Raises AssertionError where one of them says something else."""

    def __init__(self, model: Ruleset) -> None:
        self.model = model
        self.evaluator = Evaluator(model)
        self.planned = explaining(model)
        self.module = compiled(model)

    def call(self, table: str, given: Mapping[str, Any]) -> Outcome:
        return self._agreed(
            table,
            given,
            lambda: self.evaluator.call(table, given),
            lambda: self.planned.call(table, given),
            lambda: self.module.TABLES[table](given),
        )

    def answer(self, state: Mapping[str, Any], ask: str | None = None) -> Outcome:
        return self._agreed(
            ask,
            state,
            lambda: self.evaluator.answer(ask, state),
            lambda: self.planned.answer(ask, state),
            lambda: self.module.answer(ask, state),
        )

    def _agreed(self, what: str | None, given: Mapping[str, Any], *works: Callable[[], Any]) -> Outcome:
        wanted, *others = map(outcome, works)
        for name, found in zip(("planned", "compiled"), others, strict=True):
            assert found == wanted, f"\n{what} of {given}\nevaluator: {wanted}\n{name}:  {found}"
        return wanted
