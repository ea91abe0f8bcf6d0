"""Every engine that answers a record alone: the oracle, the evaluator, the compiled module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dtables.evaluator import Evaluator
from dtables.model.tables import Ruleset
from tests.agreement.engines import Outcome, compiled, outcome
from tests.support.oracle import OracleEngine
from tests.support.rulesets import sound


def ruleset(text: str) -> Ruleset | None:
    """None where the checker refuses the workbook."""
    return sound(f"# Sheet: Rules\n{text}")


class Everywhere:
    """Raises AssertionError where one of them says something else."""

    def __init__(self, model: Ruleset) -> None:
        self.model = model
        self.oracle = OracleEngine(model)
        self.evaluator = Evaluator(model)
        self.module = compiled(model)

    def call(self, table: str, given: Mapping[str, Any]) -> Outcome:
        return self._agreed(
            table,
            given,
            lambda: self.oracle.call(table, given),
            lambda: self.evaluator.call(table, given),
            lambda: self.evaluator.explain_table(table, given).answer,
            lambda: self.module.TABLES[table](given),
        )

    def answer(self, state: Mapping[str, Any], ask: str | None = None) -> Outcome:
        return self._agreed(
            ask,
            state,
            lambda: self.oracle.answer(ask, state),
            lambda: self.evaluator.answer(ask, state),
            lambda: self.evaluator.explain(ask, state).answer,
            lambda: self.module.answer(ask, state),
        )

    def _agreed(self, what: str | None, given: Mapping[str, Any], *works: Callable[[], Any]) -> Outcome:
        wanted, *others = map(outcome, works)
        for name, found in zip(("evaluator", "explained", "compiled"), others, strict=True):
            assert found == wanted, f"\n{what} of {given}\noracle: {wanted}\n{name}: {found}"
        return wanted
