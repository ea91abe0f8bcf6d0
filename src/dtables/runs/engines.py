"""Compiled rules as an engine that can travel to another process: as text, compiled where it arrives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

from dtables.compilers.python import load_source
from dtables.model.tables import AnswerField, Ruleset


@dataclass(frozen=True)
class CompiledEngine:
    """`fields` are the answer's keys of each ask that a log may ask for, the main one first."""

    name: str
    version: str
    source: str
    fields: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def main_ask(self) -> str | None:
        return self.fields[0][0] if self.fields else None

    def answer_fields(self, ask: str) -> tuple[str, ...] | None:
        return self._by_ask.get(ask)

    def answer(self, ask: str | None, state: object) -> dict[str, Any]:
        answered: dict[str, Any] = self._module.answer(ask, state)
        return answered

    @cached_property
    def _by_ask(self) -> dict[str, tuple[str, ...]]:
        return dict(self.fields)

    @cached_property
    def _module(self) -> ModuleType:
        return load_source(self.source, self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledEngine, (self.name, self.version, self.source, self.fields)


def compiled_engine(model: Ruleset, source: str) -> CompiledEngine:
    asks = sorted((ask for ask in model.asks if not ask.parameters), key=lambda ask: not ask.main)
    fields = tuple(
        (ask.heading.name, tuple(row.name for row in ask.rows if isinstance(row, AnswerField)))
        for ask in asks
    )
    return CompiledEngine(model.name, model.version, source, fields)
