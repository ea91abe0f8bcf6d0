"""Both engines at once: whatever the evaluator is asked, compiled code is asked too, and must say the same.

As a pytest plugin (`-p tests.compilers.both`) it puts `Both` in the evaluator's place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import dtables.evaluator
from dtables.compilers.python import load_source, to_python
from dtables.evaluator import Evaluator, Mode
from dtables.evaluator.observer import Observer
from dtables.merging import Reply
from dtables.model.tables import Ruleset
from dtables.records.findings import RecordError, RuleError

Outcome = tuple[Any, ...]


def outcome(work: Callable[[], Any]) -> Outcome:
    """What came out, with its kind: a value, the findings, or the rules' failure."""
    try:
        return "value", spelled(work())
    except RecordError as error:
        return "findings", error.findings
    except RuleError as error:
        return "failure", error.message, error.where, error.table


def spelled(value: Any) -> str:
    """Tells 1 from true and 1.0; keys in their order."""
    match value:
        case dict():
            return "{" + ", ".join(f"{key!r}: {spelled(item)}" for key, item in value.items()) + "}"
        case Reply():
            return f"{spelled(value.answer)} then {value.next}"
        case list():
            return "[" + ", ".join(map(spelled, value)) + "]"
        case _:
            return repr(value)


def compiled(ruleset: Ruleset) -> ModuleType:
    return load_source(source_of(ruleset), ruleset.name)


def source_of(ruleset: Ruleset) -> str:
    source, problems = to_python(ruleset)
    assert not problems
    return source


class Both(Evaluator):
    """Raises AssertionError where compiled code differs."""

    def __init__(self, ruleset: Ruleset, mode: Mode = Mode.STRICT) -> None:
        super().__init__(ruleset, mode)
        self._module = compiled(ruleset) if mode is Mode.STRICT else None

    def reply(self, ask: str | None, state: object, observer: Observer | None = None) -> Reply:
        self.compare_answer(ask, state)
        return super().reply(ask, state, observer)

    def call(self, table: str, given: Mapping[str, object]) -> Any:
        self.compare_call(table, given)
        return super().call(table, given)

    def compare_answer(self, ask: str | None, state: object) -> None:
        if self._module is not None:
            module = self._module
            self._agree(lambda: Evaluator.reply(self, ask, state), lambda: module.reply(ask, state))

    def compare_call(self, table: str, given: Mapping[str, object]) -> None:
        if self._module is not None:
            function = self._module.TABLES[table]
            self._agree(lambda: Evaluator.call(self, table, given), lambda: function(given))

    def _agree(self, reference: Callable[[], Any], other: Callable[[], Any]) -> None:
        wanted, found = outcome(reference), outcome(other)
        assert found == wanted, f"\nevaluator: {wanted}\ncompiled:  {found}"


def pytest_configure() -> None:
    dtables.evaluator.Evaluator = Both  # type: ignore[misc]
