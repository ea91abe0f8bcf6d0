"""All engines at once: whatever the evaluator is asked, the oracle, closures of the program and compiled code
are asked too, and every engine must say what the oracle says.

As a pytest plugin (`-p tests.agreement.engines`) it puts `Both` in the evaluator's place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import dtables.evaluator
from dtables.compilers.python import load_source, to_python
from dtables.evaluator import Evaluator, Mode, Planned
from dtables.evaluator.observer import Observer
from dtables.feel.values import Function, Value
from dtables.merging import Reply
from dtables.model.tables import Ruleset
from dtables.records.findings import RecordError, RuleError
from tests.oracle import Mode as OracleMode
from tests.support.oracle import OracleEngine

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


def comparable(value: Value) -> Any:
    """Functions are alike where they take the same."""
    match value:
        case dict():
            return {key: comparable(item) for key, item in value.items()}
        case list():
            return [comparable(item) for item in value]
        case Function():
            return "function", value.parameters, value.types, value.result
        case _:
            return type(value), value


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
        self._oracle = OracleEngine(ruleset, OracleMode(mode.value))
        self._planned = Planned(ruleset, mode)
        self._module = compiled(ruleset) if mode is Mode.STRICT else None

    def reply(self, ask: str | None, state: object, observer: Observer | None = None) -> Reply:
        self.compare_answer(ask, state)
        return super().reply(ask, state, observer)

    def call(self, table: str, given: Mapping[str, object]) -> Any:
        self.compare_call(table, given)
        return super().call(table, given)

    def value(
        self,
        table: str,
        arguments: Sequence[Value],
        inputs: Mapping[str, Value],
        observer: Observer | None = None,
    ) -> Value:
        """Of the standard's models, which are asked so."""
        if self._module is None:
            self._agree(
                lambda: comparable(self._oracle.value(table, arguments, inputs)),
                evaluator=lambda: comparable(Evaluator.value(self, table, arguments, inputs)),
                planned=lambda: comparable(self._planned.value(table, arguments, inputs)),
            )
        return super().value(table, arguments, inputs, observer)

    def compare_answer(self, ask: str | None, state: object) -> None:
        module = self._module
        compiled = {} if module is None else {"compiled": lambda: module.reply(ask, state)}
        self._agree(
            lambda: self._oracle.reply(ask, state),
            evaluator=lambda: Evaluator.reply(self, ask, state),
            planned=lambda: self._planned.reply(ask, state),
            **compiled,
        )

    def compare_call(self, table: str, given: Mapping[str, object]) -> None:
        function = None if self._module is None else self._module.TABLES[table]
        compiled = {} if function is None else {"compiled": lambda: function(given)}
        self._agree(
            lambda: self._oracle.call(table, given),
            evaluator=lambda: Evaluator.call(self, table, given),
            planned=lambda: self._planned.call(table, given),
            **compiled,
        )

    def _agree(self, oracle: Callable[[], Any], **engines: Callable[[], Any]) -> None:
        wanted = outcome(oracle)
        for name, engine in engines.items():
            found = outcome(engine)
            assert found == wanted, f"\noracle: {wanted}\n{name}: {found}"


def pytest_configure() -> None:
    dtables.evaluator.Evaluator = Both  # type: ignore[misc]
