"""The oracle of a ruleset: asks answered, single tables called, on values that are read already."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from dtables import failures
from dtables.feel.values import Plain, Value
from dtables.model.tables import Ask, Ruleset
from tests.oracle import tables
from tests.oracle.asks import Reply, answer_of, reply, unmet
from tests.oracle.checks import broken
from tests.oracle.conditions import passes
from tests.oracle.expressions import value_of
from tests.oracle.failing import Failed
from tests.oracle.names import Index
from tests.oracle.values import DataRow, Meaning, Mode, RecordValue, Turn, leaving

Result = TypeVar("Result")
DEEPEST = 6_000
MEANING = Meaning(value_of, passes, tables.call, tables.ranking, answer_of)


class Oracle:
    """Rows of data are made once; nothing else outlives a turn."""

    def __init__(self, ruleset: Ruleset, mode: Mode = Mode.STRICT) -> None:
        self.ruleset = ruleset
        self.index = Index(ruleset)
        self._mode = mode
        self._constants: dict[object, Value] = {}

    def turn(self, path: str) -> Turn:
        """A turn whose state is yet to be read."""
        home = self.home
        return Turn(
            home.meaning, home.index, home.mode, home.rows, home.vocabularies, home.constants, path=path
        )

    def reply(self, ask: Ask, turn: Turn) -> Reply:
        """What is wrong is looked for in phases: what the ask needs, the checks."""
        unmet(ask, turn).refuse()
        broken(ask.heading.name, turn).refuse()
        return reply(ask, (), turn)

    def call(self, table: str, arguments: Sequence[Value], turn: Turn) -> Plain:
        """One table, as it leaves the rules."""
        return leaving(self.value(table, arguments, turn), self.index.tables[table].heading.where, table)

    def value(self, table: str, arguments: Sequence[Value], turn: Turn) -> Value:
        return tables.call(table, arguments, turn)

    @cached_property
    def home(self) -> Turn:
        """The turn without state, in which data are read. Rows are made first and filled then: their cells
        may name one another."""
        names: dict[str, Mapping[str, Value]] = {
            v.name: {label.id: label.id for label in v.names} for v in self.index.vocabularies.values()
        }
        rows: dict[str, dict[str, DataRow]] = {}
        turn = Turn(MEANING, self.index, self._mode, rows, names, self._constants)
        keyed = [v for v in self.ruleset.vocabularies if v.record is not None and v.root == v.name]
        for vocabulary in keyed:
            assert vocabulary.record is not None
            rows[vocabulary.name] = {
                label.id: DataRow(label.id, order, vocabulary.name, vocabulary.record, turn)
                for order, label in enumerate(vocabulary.names)
            }
        names.update(rows)
        for vocabulary in keyed:
            for row, cells in zip(rows[vocabulary.name].values(), vocabulary.rows, strict=True):
                row.values.update((name, turn.scope(None).value(cell)) for name, cell in cells.values)
        return turn


def state_of(turn: Turn, values: Mapping[str, Value]) -> RecordValue:
    """The turn's state, of stored fields by name."""
    return RecordValue(turn.index.state, values, turn)


def bounded(work: Callable[[], Result]) -> Result:
    """Rules nest as deep as tables call one another, several Python frames for each: more than a program
    usually may, but never without end."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, DEEPEST))
    try:
        return work()
    except RecursionError:
        raise Failed(failures.too_deep(), None) from None
    finally:
        sys.setrecursionlimit(usual)
