"""All engines at once: whatever the evaluator is asked, the oracle and compiled code are asked too, and every
engine must say what the oracle says.

As a pytest plugin (`-p tests.agreement.engines`) it puts a `ComparedEvaluator` in the evaluator's place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import dtables.evaluator
from dtables.compilers.python import load_source, to_python
from dtables.evaluator import Evaluator, Watch
from dtables.feel.values import Function, Value
from dtables.merging import Reply
from dtables.model.tables import Ruleset
from dtables.records.findings import RecordError, RuleError
from tests.oracle import Mode
from tests.support.oracle import OracleEngine
from tests.support.rulesets import sound

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


def ruleset(text: str) -> Ruleset | None:
    """None where the checker refuses the workbook."""
    return sound(f"# Sheet: Rules\n{text}")


def compiled(ruleset: Ruleset) -> ModuleType:
    return load_source(source_of(ruleset), ruleset.name)


def source_of(ruleset: Ruleset) -> str:
    source, problems = to_python(ruleset)
    assert not problems
    return source


class Engines:
    """The oracle, the evaluator and the compiled module; with `explained` also the evaluator's explanations.

    Each method raises AssertionError where one of them says something else than the oracle."""

    def __init__(self, model: Ruleset, strict: bool = True, explained: bool = True) -> None:
        self.model = model
        self.explained = explained
        self.oracle = OracleEngine(model, Mode.STRICT if strict else Mode.STANDARD)
        self.evaluator = Evaluator(model, strict)
        self.module = compiled(model) if strict else None

    def call(self, table: str, given: Mapping[str, Any]) -> Outcome:
        engines = {"evaluator": lambda: self.evaluator.call(table, given)}
        if self.explained:
            engines["explained"] = lambda: self.evaluator.explain_table(table, given).answer
        if self.module is not None:
            function = self.module.TABLES[table]
            engines["compiled"] = lambda: function(given)
        return _agreed((table, given), lambda: self.oracle.call(table, given), engines)

    def answer(self, state: Any, ask: str | None = None) -> Outcome:
        """Return the outcome of the oracle's answer; replies agree, with what comes next."""
        module = self.module
        engines = {"evaluator": lambda: self.evaluator.reply(ask, state)}
        if module is not None:
            engines["compiled"] = lambda: module.reply(ask, state)
        replies: list[Reply] = []

        def reply() -> Reply:
            replies.append(self.oracle.reply(ask, state))
            return replies[0]

        expected = _agreed((ask, state), reply, engines)
        answer = ("value", spelled(replies[0].answer)) if replies else expected
        if self.explained:
            found = outcome(lambda: self.evaluator.explain(ask, state).answer)
            assert found == answer, f"\n{ask} of {state}\noracle: {answer}\nexplained: {found}"
        return answer

    def value(self, table: str, arguments: Sequence[Value], inputs: Mapping[str, Value]) -> Outcome:
        """Of the standard's models, which are asked so."""
        return _agreed(
            (table, arguments),
            lambda: comparable(self.oracle.value(table, list(arguments), inputs)),
            {"evaluator": lambda: comparable(self.evaluator.value(table, arguments, inputs))},
        )


def _agreed(
    asked: tuple[str | None, Any], oracle: Callable[[], Any], engines: Mapping[str, Callable[[], Any]]
) -> Outcome:
    expected = outcome(oracle)
    for name, engine in engines.items():
        found = outcome(engine)
        assert found == expected, f"\n{asked[0]} of {asked[1]}\noracle: {expected}\n{name}: {found}"
    return expected


class ComparedEvaluator(Evaluator):
    """An evaluator that asks the other engines too, whatever it is asked."""

    def __init__(self, ruleset: Ruleset, strict: bool = True) -> None:
        super().__init__(ruleset, strict)
        self._strict = strict
        self._engines = Engines(ruleset, strict, explained=False)

    def reply(self, ask: str | None, state: object, watch: Watch | None = None) -> Reply:
        self._engines.answer(state, ask)
        return super().reply(ask, state, watch)

    def call(self, table: str, given: Mapping[str, object], watch: Watch | None = None) -> Any:
        self._engines.call(table, given)
        return super().call(table, given, watch)

    def value(
        self,
        table: str,
        arguments: Sequence[Value],
        inputs: Mapping[str, Value],
        watch: Watch | None = None,
    ) -> Value:
        if not self._strict:
            self._engines.value(table, arguments, inputs)
        return super().value(table, arguments, inputs, watch)


def pytest_configure() -> None:
    dtables.evaluator.Evaluator = ComparedEvaluator  # type: ignore[misc]
