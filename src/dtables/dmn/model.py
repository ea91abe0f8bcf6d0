"""A DMN model that can be asked: decisions by name, services by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import UnionType
from typing import Any

from dtables.diagnostics import Diagnostic, Severity
from dtables.dmn import elements as dmn
from dtables.dmn.lower import lower_files, table_of
from dtables.dmn.messages import DmnError, circle, limit_met, not_readable, unknown_element
from dtables.dmn.read import read_definitions
from dtables.dmn.surroundings import Files, Key
from dtables.dmn.values import value_in, value_out
from dtables.evaluator import Evaluator, Watch
from dtables.feel.builtins import clock_at
from dtables.feel.values import DateTime, FeelError, LimitError, Value
from dtables.provenance import CellRef, Location
from dtables.records.findings import LimitReached, RuleError


class Model:
    """What is wrong in a model becomes null where it happens, as the standard wants."""

    def __init__(self, files: Files) -> None:
        self._files = files
        ruleset, sink = lower_files(files)
        self._found = sink.diagnostics
        self._limits = Limits()
        self._evaluator = Evaluator(ruleset, strict=False)
        files.allowed.passes = self._passes

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was seen beforehand, and the limits that were met since: what met one is null."""
        return (*self._found, *self._limits.met)

    @property
    def decisions(self) -> tuple[str, ...]:
        """The names of the model's own decisions, in the file's order; those of imports are left out."""
        return tuple(e.name for e in self._files.all[0].elements if isinstance(e, dmn.Decision))

    def evaluate(self, decision: str, inputs: Mapping[str, Any], now: datetime | None = None) -> Any:
        """The decision's value. `inputs` gives input data and, where one is to be taken as given,
        decisions, by name; what is missing is null. `now` is the clock, the system's unless given.
        A knowledge model is asked likewise, with its parameters as inputs."""
        key = self._key(decision, dmn.Decision | dmn.KnowledgeModel, "decision")
        return value_out(self._run(inputs, now).value(key))

    def evaluate_service(self, service: str, inputs: Mapping[str, Any], now: datetime | None = None) -> Any:
        """The value of its output decision; of several, a dict."""
        key = self._key(service, dmn.Service, "decision service")
        return value_out(self._run(inputs, now).service(key))

    def _passes(self, restriction: str, value: Value) -> bool:
        return self._evaluator.value(restriction, [value], {}, self._limits) is True

    def _run(self, inputs: Mapping[str, Any], now: datetime | None) -> _Run:
        clock = value_in(now or datetime.now(UTC))
        return _Run(self._files, self._evaluator, self._limits, inputs, clock)

    def _key(self, name: str, kind: type[dmn.Element] | UnionType, word: str) -> Key:
        known = {e.name: k for k, e in self._files.elements.items() if isinstance(e, kind)}
        if name not in known:
            raise DmnError(unknown_element(word, name, known))
        return known[name]


def load(path: str | Path, imports: Iterable[str | Path] = ()) -> Model:
    """DmnError where a file is no DMN model. `imports` are the files that the model's imports name."""
    try:
        return Model(Files([read_definitions(Path(one)) for one in (path, *imports)]))
    except RecursionError:
        raise DmnError(not_readable(Path(path), "its elements are nested too deeply")) from None


class Limits(Watch):
    """Notes where a limit is met, each once."""

    def __init__(self) -> None:
        self.met: dict[Diagnostic, None] = {}

    def failed(self, error: FeelError | RuleError, where: Location) -> None:
        if isinstance(error, (LimitError, LimitReached)):
            self.met[Diagnostic(where, Severity.WARNING, "limit", limit_met(error.message))] = None


class _Run:
    """One question: every decision is worked out once."""

    def __init__(
        self,
        files: Files,
        evaluator: Evaluator,
        limits: Limits,
        inputs: Mapping[str, Any],
        now: DateTime,
    ) -> None:
        self._files, self._evaluator, self._limits = files, evaluator, limits
        self._inputs, self._now = inputs, now
        self._known: dict[Key, Value] = {}

    def value(self, key: Key) -> Value:
        element = self._files.elements[key]
        if isinstance(element, dmn.KnowledgeModel):
            parameters = () if element.logic is None else element.logic.parameters
            return self._call(key, [self._raw(parameter.name) for parameter in parameters])
        return self.decision(key)

    def decision(self, key: Key) -> Value:
        """What it needs comes first, by a list of what waits: a chain of decisions may be long."""
        path = [key]
        while path:
            waiting = next((one for one in self._needed(path[-1]) if one not in self._known), None)
            if waiting is None:
                last = path.pop()
                self._known[last] = self._worked_out(last)
            elif waiting in path:
                raise DmnError(circle(self._files.elements[one].name for one in (*path, waiting)))
            else:
                path.append(waiting)
        return self._known[key]

    def service(self, key: Key) -> Value:
        element = self._files.elements[key]
        assert isinstance(element, dmn.Service)
        references = (*element.input_data, *element.input_decisions)
        found = [one for reference in references if (one := self._files.find(reference)) is not None]
        return self._call(key, [self._raw(other.name) for _, other in found])

    def _needed(self, key: Key) -> list[Key]:
        """The decisions without which it cannot be worked out."""
        return [one for one, element in self._required(key) if isinstance(element, dmn.Decision)]

    def _required(self, key: Key) -> list[tuple[Key, dmn.Element]]:
        element = self._files.elements[key]
        assert isinstance(element, dmn.Decision)
        if element.name in self._inputs:
            return []
        found = (self._files.find(reference) for reference in (*element.inputs, *element.decisions))
        return [one for one in found if one is not None]

    def _worked_out(self, key: Key) -> Value:
        element = self._files.elements[key]
        if element.name in self._inputs:
            return self._given(key, element)
        return self._call(key, [self._argument(*one) for one in self._required(key)])

    def _argument(self, key: Key, element: dmn.Element) -> Value:
        return self._known[key] if isinstance(element, dmn.Decision) else self._given(key, element)

    def _given(self, key: Key, element: dmn.Element) -> Value:
        """What the caller gives, converted to the element's type; null where it does not conform."""
        try:
            expected = self._files.types(key[0]).named(element.type)
            return self._files.allowed.conform(self._raw(element.name), expected)
        except FeelError:
            return None

    def _raw(self, name: str) -> Value:
        """As it is given; null where it is no value of the language."""
        try:
            return value_in(self._inputs.get(name))
        except FeelError:
            return None

    def _call(self, key: Key, arguments: list[Value]) -> Value:
        try:
            with clock_at(self._now):
                return self._evaluator.value(table_of(key), arguments, {}, self._limits)
        except RuleError as error:
            name = self._files.elements[key].name
            self._limits.failed(error, Location(CellRef(self._files.by_namespace[key[0]].name, name, 1, 1)))
            return None
