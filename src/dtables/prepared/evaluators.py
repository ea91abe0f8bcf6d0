"""Evaluators that work with prepared functions."""

from __future__ import annotations

from functools import cached_property

from dtables.evaluator import Evaluator
from dtables.evaluator.evaluator import answer_of
from dtables.evaluator.state import Meaning, RecordValue, Turn
from dtables.model.tables import Ruleset
from dtables.prepared.deciding import CellsThatDecide
from dtables.prepared.preparation import Preparation, Watching
from dtables.prepared.reading import Reader
from dtables.prepared.tables import ranking
from dtables.prepared.telling import EveryStep


class Prepared(Evaluator):
    """The reference's answers and steps, sooner."""

    def __init__(self, ruleset: Ruleset, watching: type[Watching]) -> None:
        super().__init__(ruleset)
        self._watching = watching

    @cached_property
    def _preparation(self) -> Preparation:
        return Preparation(self._index, self._watching)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._preparation, self._shapes)

    def _read_sound(self, state: object, turn: Turn) -> RecordValue:
        return self._reader.state(state, turn)

    def _meaning(self) -> Meaning:
        all_ = self._preparation
        return Meaning(all_.value, all_.passes, all_.call, ranking, answer_of, all_.reply)


def explaining(ruleset: Ruleset) -> Prepared:
    """For `explain` and `explain_table`."""
    return Prepared(ruleset, EveryStep)


def deciding(ruleset: Ruleset) -> Prepared:
    """For `deciding`."""
    return Prepared(ruleset, CellsThatDecide)
