"""The evaluator on closures of the program: it answers, traces every step, or marks what decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from dtables.collector import held_back
from dtables.evaluator.deciding import Deciding
from dtables.evaluator.index import Index
from dtables.evaluator.nesting import bounded, in_one_piece
from dtables.evaluator.planning import Planner
from dtables.evaluator.reading import Reader
from dtables.evaluator.reporting import ReadingPlanner, ReportingPlanner
from dtables.evaluator.shapes import shapes_of
from dtables.evaluator.state import DataRow, RecordValue, Turn, leaving
from dtables.evaluator.tape import Tape
from dtables.evaluator.trace import Explanation
from dtables.evaluator.tracing import TracingPlanner
from dtables.evaluator.watching import Watch
from dtables.feel.values import Plain, Value
from dtables.merging import Reply
from dtables.model.tables import Ask, Row, Ruleset
from dtables.program import Program
from dtables.provenance import CellRef
from dtables.records.findings import RecordError, unknown_ask, wrong_text
from dtables.records.reader import read_arguments, read_state
from dtables.records.shapes import Shapes


class Evaluator:
    """Works a ruleset out; by the standard (not `strict`) what fails is null. Rows of data, and what their
    computed fields come to without a state, are made once; nothing else outlives an answer."""

    def __init__(self, ruleset: Ruleset, strict: bool = True) -> None:
        self.ruleset = ruleset
        self._index = Index(ruleset)
        self._program = Program(ruleset, strict)
        self._rows: dict[str, dict[str, DataRow]] = {}
        self._constants: dict[object, Value] = {}

    # -- the face ------------------------------------------------------------------------------

    def answer(self, ask: str | None, state: object, watch: Watch | None = None) -> dict[str, Any]:
        """Plain values by answer row, and `any_of`. RecordError for a bad record, RuleError where the
        rules fail on a sound one."""
        return self.reply(ask, state, watch).answer

    def reply(self, ask: str | None, state: object, watch: Watch | None = None) -> Reply:
        """The answer, and the asks that the rules demand next."""
        return self._reply(ask, state, self._turn(self._planner, "state", watch))

    def explain(self, ask: str | None, state: object) -> Explanation:
        """The same answer, and every step that led to it."""
        return self._explanation(ask, state, self._reply)

    def explain_sound(self, ask: str | None, state: object) -> Explanation:
        """The explanation of a record that is known to be sound."""
        return self._explanation(ask, state, self._reply_sound)

    def deciding(self, ask: str | None, state: object) -> frozenset[CellRef]:
        """The cells of the rows that decide something while a sound record is answered."""
        watch = Deciding()
        self._reply_sound(ask, state, self._turn(self._reporting, "state", watch))
        return frozenset(watch.cells)

    def call(self, table: str, given: Mapping[str, object], watch: Watch | None = None) -> Plain:
        """One table, with its parameters and the input fields it reads, by name; read like a record."""
        return self._call(table, given, self._turn(self._planner, "", watch))

    def explain_table(self, table: str, given: Mapping[str, object]) -> Explanation:
        """Call one table as `call` does, and return its value with every step and cell."""
        tape = Tape()
        value = self._call(table, given, self._turn(self._tracing, "", tape=tape))
        heading = self._index.tables[table].heading
        return Explanation(table, value, tuple(tape.steps), self.ruleset, heading)

    def deciding_in_table(self, table: str, given: Mapping[str, object]) -> frozenset[CellRef]:
        """The cells of the rows that decide something while a table is called."""
        watch = Deciding()
        self._call(table, given, self._turn(self._reporting, "", watch))
        return frozenset(watch.cells)

    def value(
        self,
        table: str,
        arguments: Sequence[Value],
        inputs: Mapping[str, Value],
        watch: Watch | None = None,
    ) -> Value:
        """One table on typed values, as they are: nothing is read or checked."""
        turn = self._turn(self._planner, "", watch)
        turn.state = RecordValue(self._index.state, dict(inputs), turn)
        return bounded(lambda: turn.planner.call(table, arguments, turn))

    def held(self) -> Iterator[tuple[Row, Value]]:
        """Every row of data, as the workbook has it and as it is held while rules are worked out."""
        home = self._home
        for vocabulary in self.ruleset.vocabularies:
            if vocabulary.name in home.rows:
                yield from zip(vocabulary.rows, home.rows[vocabulary.name].values(), strict=True)
        for data in self.ruleset.data:
            yield from zip(data.rows, home.planner.rows(data.heading.name, home), strict=True)

    # -- answering -----------------------------------------------------------------------------

    def _reply(self, name: str | None, state: object, turn: Turn) -> Reply:
        """What is wrong is looked for in phases: the record itself, what the ask needs, the checks."""
        ask = self._ask(name)

        def work() -> Reply:
            turn.state = RecordValue(
                self._index.state, read_state(state, self._shapes, turn, turn.path), turn
            )
            turn.given = state
            mark = turn.tape.open()
            turn.planner.ask(ask).unmet(turn).refuse()
            turn.planner.checks.broken(ask.heading.name, turn).refuse()
            turn.tape.drop(mark)
            return turn.planner.ask(ask).reply((), turn)

        return bounded(lambda: in_one_piece(work))

    def _reply_sound(self, name: str | None, state: object, turn: Turn) -> Reply:
        """Neither what it needs nor the checks are looked at."""

        def work() -> Reply:
            turn.state, turn.given = self._reader.state(state, turn), state
            return turn.planner.ask(self._ask(name)).reply((), turn)

        return bounded(lambda: in_one_piece(work))

    @held_back()
    def _explanation(
        self, name: str | None, state: object, reply: Callable[[str | None, object, Turn], Reply]
    ) -> Explanation:
        tape = Tape()
        replied = reply(name, state, self._turn(self._tracing, "state", tape=tape))
        heading = self._ask(name).heading
        return Explanation(
            heading.name, replied.answer, tuple(tape.steps), self.ruleset, heading, replied.next
        )

    def _call(self, name: str, given: Mapping[str, object], turn: Turn) -> Plain:
        table = self._index.tables[name]
        where = table.heading.where

        def work() -> Value:
            parameters = {parameter.name: parameter.type for parameter in table.parameters}
            arguments, values = read_arguments(given, parameters, where, self._shapes, turn)
            turn.state = RecordValue(self._index.state, values, turn)
            return turn.planner.call(name, arguments, turn)

        return leaving(bounded(work), where, name)

    def _ask(self, name: object) -> Ask:
        if name is not None and not isinstance(name, str):
            raise RecordError([wrong_text("ask", name)])
        asks = self._index.open_asks
        for ask in asks.values():
            if name in (None, ask.heading.name):
                return ask
        raise RecordError([unknown_ask(name or "", asks)])

    # -- what is made once ---------------------------------------------------------------------

    @cached_property
    def _planner(self) -> Planner:
        return Planner(self._program, self._index)

    @cached_property
    def _tracing(self) -> TracingPlanner:
        return TracingPlanner(self._program, self._index)

    @cached_property
    def _reporting(self) -> ReportingPlanner:
        return ReportingPlanner(self._program, self._index)

    @cached_property
    def _shapes(self) -> Shapes:
        return shapes_of(self._home)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._index, self._shapes)

    def _turn(
        self, planner: Planner, path: str, watch: Watch | None = None, tape: Tape | None = None
    ) -> Turn:
        home = self._home
        turn = Turn(planner, home.index, home.rows, home.vocabularies, home.constants, path=path)
        if watch is not None:
            turn.watch = watch
        if tape is not None:
            turn.tape = tape
        return turn

    @cached_property
    def _home(self) -> Turn:
        """The turn without state, in which data are read. Rows are made first and filled then: their cells
        may name one another."""
        names: dict[str, Mapping[str, Value]] = {
            v.name: {label.id: label.id for label in v.names} for v in self._index.vocabularies.values()
        }
        turn = Turn(self._planner, self._index, self._rows, names, self._constants)
        keyed = [v for v in self.ruleset.vocabularies if v.record is not None and v.root == v.name]
        for vocabulary in keyed:
            assert vocabulary.record is not None
            self._rows[vocabulary.name] = {
                label.id: DataRow(label.id, order, vocabulary.name, vocabulary.record, turn)
                for order, label in enumerate(vocabulary.names)
            }
        names.update(self._rows)
        for vocabulary in keyed:
            rows = self._rows[vocabulary.name].values()
            for row, cells in zip(rows, vocabulary.rows, strict=True):
                row.values.update((name, self._planner.worked_out(cell, turn)) for name, cell in cells.values)
        return turn


class _Watched(Evaluator):
    @cached_property
    def _planner(self) -> Planner:
        return ReadingPlanner(self._program, self._index)


def watching(ruleset: Ruleset) -> Evaluator:
    """An evaluator that reports to the given watch everything that a watch can receive."""
    return _Watched(ruleset)
