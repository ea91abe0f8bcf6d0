"""Compiled rules as an engine that can travel to another process: as text, compiled where it arrives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dtables.answers.answering import QuickAnswers, ways_to_needs
from dtables.answers.columns import Kind, column_kinds
from dtables.compilers.python import load_source
from dtables.merging import Reply
from dtables.records.findings import Findings
from dtables.records.quick import typed_records

if TYPE_CHECKING:
    from dtables.evaluator import Evaluator
    from dtables.feel.types import Type
    from dtables.model.tables import Ruleset


class EngineName(Enum):
    """The engines of `--engine`; `auto` leaves the choice to what suits the log."""

    AUTO = "auto"
    PYTHON = "python"
    COLUMNS = "columns"
    SPARK = "spark"


@dataclass(frozen=True)
class CompiledEngine:
    """`answers` are the answer's keys of each ask that a log may ask for, the main one first."""

    name: str
    version: str
    source: str
    answers: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def main_ask(self) -> str | None:
        """The first ask of those that a log may ask for."""
        return self.answers[0][0] if self.answers else None

    def answer_fields(self, ask: str) -> tuple[str, ...] | None:
        """Return the keys of an ask's answers in order; None where no record may ask it."""
        return self._by_ask.get(ask)

    def reply(self, ask: str | None, state: object) -> Reply:
        """Answer one state. RecordError where it is invalid, RuleError where the rules fail."""
        replied: Reply = self._module.reply(ask, state)
        return replied

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """What columns of answers hold, by their heads, as far as the asks agree."""
        types: Mapping[str, Mapping[str, Type]] = self._module.RULES.played
        return column_kinds(types[ask] for ask, _ in self.answers)

    def reasons(self, ask: str, state: object) -> tuple[str, ...]:
        """Return nothing: compiled rules tell no reasons."""
        del ask, state
        return ()

    def misplayed(self, ask: str, played: Mapping[str, object]) -> Findings:
        """Return what was played and cannot be an answer of the ask."""
        found: Findings = self._module.RULES.misplayed(ask, played)
        return found

    def quiet(self) -> CompiledEngine:
        """Return the same rules without reasons."""
        return CompiledEngine(self.name, self.version, self.source, self.answers)

    @cached_property
    def _by_ask(self) -> dict[str, tuple[str, ...]]:
        return dict(self.answers)

    @cached_property
    def quick(self) -> QuickAnswers | None:
        """The quick way from a line of JSON to its answer, if there is one."""
        rules = self._module.RULES
        records = typed_records(rules.shapes)
        if records is None:
            return None
        needs = {name: ways_to_needs(rules.shapes, ask.needs) for name, ask in rules.asks.items()}
        return QuickAnswers(self, rules, records, needs)

    @cached_property
    def _module(self) -> ModuleType:
        return load_source(self.source, self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        """What is made from its fields stays behind."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True)
class ExplainingEngine(CompiledEngine):
    """Tells with every answer what led to it, in `language`: many times slower than the answer alone."""

    model: Ruleset
    language: str

    @cached_property
    def quick(self) -> None:
        """What is explained is read by the evaluator."""
        return None

    def reasons(self, ask: str, state: object) -> tuple[str, ...]:
        """Return the sentences of the answer's explanation, without its title."""
        from dtables.explanations.render import render

        text = render(self._explaining.explain_sound(ask, state), self.language)
        return tuple(line for line in text.split("\n")[1:] if line)

    @cached_property
    def _explaining(self) -> Evaluator:
        from dtables.evaluator import Evaluator

        return Evaluator(self.model)


def compiled_engine(model: Ruleset, source: str) -> CompiledEngine:
    """Make the engine of compiled Python from a model and its compiled `source`."""
    return CompiledEngine(model.name, model.version, source, answers_of(model))


def explaining_engine(model: Ruleset, source: str, language: str) -> ExplainingEngine:
    """Make the engine that adds to each answer its reasons, in words of the language."""
    return ExplainingEngine(model.name, model.version, source, answers_of(model), model, language)


def answers_of(model: Ruleset) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The answer's keys of each ask that a log may ask for, the main one first."""
    from dtables.model.tables import AnswerField

    return tuple(
        (ask.heading.name, tuple(row.name for row in ask.rows if isinstance(row, AnswerField)))
        for ask in model.open_asks
    )
