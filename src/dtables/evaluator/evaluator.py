"""The reference meaning of a ruleset: answers, single tables, explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from dtables.evaluator import asks, tables
from dtables.evaluator.checks import broken
from dtables.evaluator.conditions import passes
from dtables.evaluator.deciding import Deciding
from dtables.evaluator.expressions import data_rows, value_of
from dtables.evaluator.index import Index
from dtables.evaluator.nesting import bounded
from dtables.evaluator.observer import Observer, Recorder
from dtables.evaluator.shapes import shapes_of
from dtables.evaluator.state import DataRow, Meaning, Mode, RecordValue, Turn, leaving
from dtables.evaluator.trace import Explanation
from dtables.evaluator.watching import Watch
from dtables.feel.values import Plain, Value
from dtables.merging import Reply
from dtables.model.tables import Ask, Row, Ruleset
from dtables.provenance import CellRef
from dtables.records.findings import RecordError, unknown_ask, wrong_text
from dtables.records.reader import read_arguments, read_state
from dtables.records.shapes import Shapes


class Evaluator:
    """Works a ruleset out. Rows of data, and what their computed fields come to without a state, are made
    once; nothing else outlives an answer."""

    def __init__(self, ruleset: Ruleset, mode: Mode = Mode.STRICT, strict: bool = True) -> None:
        self.ruleset = ruleset
        self._index = Index(ruleset)
        self._mode = mode if strict else Mode.STANDARD
        self._rows: dict[str, dict[str, DataRow]] = {}
        self._constants: dict[object, Value] = {}

    # -- the face ------------------------------------------------------------------------------

    def answer(self, ask: str | None, state: object, watch: Watch | None = None) -> dict[str, Any]:
        """Plain values by answer row, and `any_of`. RecordError for a bad record, RuleError where the
        rules fail on a sound one."""
        return self.reply(ask, state, watch).answer

    def reply(self, ask: str | None, state: object, watch: Watch | None = None) -> Reply:
        """The answer, and the asks that the rules demand next."""
        return self._reply(self._ask(ask), state, self._turn("state", watch))

    def explain(self, ask: str | None, state: object) -> Explanation:
        """The same answer, and every step that led to it."""
        recorder = Recorder()
        return self._explanation(ask, self.reply(ask, state, recorder), recorder)

    def deciding(self, ask: str | None, state: object) -> frozenset[CellRef]:
        """The cells of the rows that decide something while a sound record is answered."""
        deciding = Deciding()
        self._reply_sound(ask, state, deciding)
        return frozenset(deciding.cells)

    def explain_sound(self, ask: str | None, state: object) -> Explanation:
        """The explanation of a record that is known to be sound."""
        recorder = Recorder()
        return self._explanation(ask, self._reply_sound(ask, state, recorder), recorder)

    def _explanation(self, ask: str | None, reply: Reply, recorder: Recorder) -> Explanation:
        heading, steps = self._ask(ask).heading, tuple(recorder.steps)
        return Explanation(heading.name, reply.answer, steps, self.ruleset, heading, reply.next)

    def call(self, table: str, given: Mapping[str, object], watch: Watch | None = None) -> Plain:
        """One table, with its parameters and the input fields it reads, by name; read like a record."""
        return self._plain(table, self._call(table, given, watch))

    def explain_table(self, table: str, given: Mapping[str, object]) -> Explanation:
        """Call one table as `call` does, and return its value with every step and cell."""
        recorder = Recorder()
        value = self._plain(table, self._call(table, given, recorder))
        heading = self._index.tables[table].heading
        return Explanation(table, value, tuple(recorder.steps), self.ruleset, heading)

    def value(
        self,
        table: str,
        arguments: Sequence[Value],
        inputs: Mapping[str, Value],
        watch: Watch | None = None,
    ) -> Value:
        """One table on typed values, as they are: nothing is read or checked."""
        turn = self._turn("", watch)
        turn.state = RecordValue(self._index.state, dict(inputs), turn)
        return bounded(lambda: turn.meaning.call(table, arguments, turn))

    def held(self) -> Iterator[tuple[Row, Value]]:
        """Every row of data, as the workbook has it and as it is held while rules are worked out."""
        home = self._home
        for vocabulary in self.ruleset.vocabularies:
            if vocabulary.name in home.rows:
                yield from zip(vocabulary.rows, home.rows[vocabulary.name].values(), strict=True)
        for data in self.ruleset.data:
            yield from zip(data.rows, data_rows(data.heading.name, home.scope(None)), strict=True)

    # -- answering -----------------------------------------------------------------------------

    def _reply(self, ask: Ask, state: object, turn: Turn) -> Reply:
        """What is wrong is looked for in phases: the record itself, what the ask needs, the checks."""

        def work() -> Reply:
            turn.state, turn.given = self._read(state, turn), state
            mark = turn.observer.open()
            asks.unmet(ask, turn).refuse()
            broken(ask.heading.name, turn).refuse()
            turn.observer.drop(mark)
            return turn.meaning.reply(ask, (), turn)

        return bounded(work)

    def _reply_sound(self, ask: str | None, state: object, watch: Watch | None) -> Reply:
        """Neither what it needs nor the checks are looked at."""
        turn = self._turn("state", watch)

        def work() -> Reply:
            turn.state, turn.given = self._read_sound(state, turn), state
            return turn.meaning.reply(self._ask(ask), (), turn)

        return bounded(work)

    def _read(self, state: object, turn: Turn) -> RecordValue:
        return RecordValue(self._index.state, read_state(state, self._shapes, turn, turn.path), turn)

    def _read_sound(self, state: object, turn: Turn) -> RecordValue:
        return self._read(state, turn)

    @cached_property
    def _shapes(self) -> Shapes:
        return shapes_of(self._home)

    def _plain(self, table: str, value: Value) -> Plain:
        return leaving(value, self._index.tables[table].heading.where, table)

    def _call(self, name: str, given: Mapping[str, object], watch: Watch | None) -> Value:
        table = self._index.tables[name]
        turn = self._turn("", watch)

        def work() -> Value:
            parameters = {parameter.name: parameter.type for parameter in table.parameters}
            where = table.heading.where
            arguments, values = read_arguments(given, parameters, where, self._shapes, turn)
            turn.state = RecordValue(self._index.state, values, turn)
            return turn.meaning.call(name, arguments, turn)

        return bounded(work)

    def _ask(self, name: object) -> Ask:
        if name is not None and not isinstance(name, str):
            raise RecordError([wrong_text("ask", name)])
        asks = self._index.open_asks
        for ask in asks.values():
            if name in (None, ask.heading.name):
                return ask
        raise RecordError([unknown_ask(name or "", asks)])

    # -- turns ---------------------------------------------------------------------------------

    def _turn(self, path: str, watch: Watch | None) -> Turn:
        home = self._home
        observer = watch if isinstance(watch, Observer) else Observer()
        return Turn(
            home.meaning, home.index, home.mode, home.rows, home.vocabularies, home.constants, observer,
            watch or observer, path=path,
        )  # fmt: skip

    def _meaning(self) -> Meaning:
        return Meaning(value_of, passes, tables.call, tables.ranking, answer_of, asks.reply)

    @cached_property
    def _home(self) -> Turn:
        """The turn without state, in which data are read. Rows are made first and filled then: their cells
        may name one another."""
        names: dict[str, Mapping[str, Value]] = {
            v.name: {label.id: label.id for label in v.names} for v in self._index.vocabularies.values()
        }
        turn = Turn(self._meaning(), self._index, self._mode, self._rows, names, self._constants)
        keyed = [v for v in self.ruleset.vocabularies if v.record is not None and v.root == v.name]
        for vocabulary in keyed:
            assert vocabulary.record is not None
            self._rows[vocabulary.name] = {
                label.id: DataRow(label.id, order, vocabulary.name, vocabulary.record, turn)
                for order, label in enumerate(vocabulary.names)
            }
        names.update(self._rows)
        for vocabulary in keyed:
            made = self._rows[vocabulary.name].values()
            for row, cells in zip(made, vocabulary.rows, strict=True):
                row.values.update((name, turn.scope(None).value(cell)) for name, cell in cells.values)
        return turn


def answer_of(ask: str, arguments: Sequence[Value], turn: Turn) -> dict[str, Any]:
    """Another ask inside an answer: what it needs is looked at when it is reached."""
    called = turn.index.asks[ask]
    mark = turn.observer.open()
    asks.unmet(called, turn).refuse()
    turn.observer.drop(mark)
    return turn.meaning.reply(called, arguments, turn).answer
