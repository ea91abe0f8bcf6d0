"""The face of a compiled module: a record goes in, an answer comes out, or the finding that says why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dtables import failures
from dtables.feel.types import Type
from dtables.feel.values import LimitError, Plain, as_plain
from dtables.merging import Reply
from dtables.provenance import location
from dtables.records.findings import (
    Findings,
    Places,
    RecordError,
    RuleError,
    unknown_ask,
    wrong_text,
)
from dtables.records.reader import At, PartialReading, RecordReader, read_arguments, read_state
from dtables.records.shapes import Misread, Shapes
from dtables.runtime.asks import Ask
from dtables.runtime.checks import Check, broken
from dtables.runtime.failing import attempt
from dtables.runtime.records import Turn

UNREAD = (Misread, KeyError, TypeError)
"""How quick reading gives up: by its own word, where a parameter is missing, where a list stands for a name.
Careful reading then says what is wrong. What is only unusual is given up by the word alone: where the quick
reading stumbled over anything else, and nothing is wrong with it, the mistake is ours and comes out."""
NOT_FOUND = (KeyError, TypeError, Misread, LimitError)
"""How a look-up by what was given, as it was given, finds nothing."""


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table as it is called by itself. `function` takes the turn and the parameters in order."""

    function: Callable[..., Any]
    parameters: tuple[tuple[str, Type], ...]
    place: str


@dataclass(frozen=True, slots=True)
class Rules:
    """`asks` are those that a log may ask for, the main one first, `checks` those that concern each of them.
    `read` is the quick reading of a state; `complete` makes the turn of one whose values were read by their
    types, and counts its keys."""

    turn: type[Turn]
    shapes: Shapes
    read: Callable[[object, str], Turn]
    complete: Callable[[Any, str, object], tuple[Turn, int]]
    asks: Mapping[str, Ask]
    checks: Mapping[str, tuple[Check, ...]]
    wrong: Callable[[Turn, str], bool]
    tables: Mapping[str, TableEntry]
    played: Mapping[str, Mapping[str, Type]]

    def answer(self, ask: str | None, state: object) -> dict[str, Any]:
        return self.reply(ask, state).answer

    def reply(self, ask: str | None, state: object) -> Reply:
        """What is wrong is looked for in phases: the record itself, what the ask needs, the checks."""
        asked = self._ask(ask)
        try:
            turn = self._turn(state, "state")
            try:
                asked.unmet(turn).refuse()
                return self.reply_to(asked, turn)
            finally:
                turn.release()
        except RecursionError:
            raise RuleError(failures.too_deep(), None) from None

    def reply_to(self, asked: Ask, turn: Turn) -> Reply:
        """Of a turn that has what the ask needs."""
        self._refuse_broken(asked.name, turn)
        return asked.reply(turn)

    def call(self, table: str, given: Mapping[str, object], unread: Exception | None = None) -> Plain:
        """One table, with its parameters and the input fields it reads, by name; read with care. `unread` is
        how the quick reading gave up."""
        entry = self.tables[table]
        try:
            arguments = self._arguments(entry, given)
            _hold_to_its_word(unread)
            return attempt(table, entry.place, as_plain, entry.function(*arguments))
        except RecursionError:
            raise RuleError(failures.too_deep(), None) from None

    def is_sound(self, path: str, given: Mapping[str, object], table: str | None = None) -> bool:
        """Whether the value at a path of a state, or of what a table is given, may stand there, whatever is
        missing elsewhere."""
        reading = RecordReader(self.shapes, self.turn(""), "", findings=Places())
        parameters = {} if table is None else dict(self.tables[table].parameters)
        reading.state({name: value for name, value in given.items() if name not in parameters})
        for name, value in given.items():
            if name in parameters:
                reading.value(value, parameters[name], At(name))
        assert isinstance(reading.findings, Places)
        return path not in reading.findings.paths

    def misplayed(self, ask: str, played: Mapping[str, object]) -> Findings:
        """What cannot be an answer's value."""
        reading = PartialReading(self.shapes, self.turn(""), "")
        for name, of in self.played[ask].items():
            value = played.get(name)
            if value is not None:
                reading.value(value, of, At(f"played.{name}"))
        return reading.findings

    def _ask(self, name: object) -> Ask:
        if name is None and self.asks:
            return next(iter(self.asks.values()))
        if name is not None and not isinstance(name, str):
            raise RecordError([wrong_text("ask", name)])
        if name is None or name not in self.asks:
            raise RecordError([unknown_ask(name or "", self.asks)])
        return self.asks[name]

    def _refuse_broken(self, ask: str, turn: Turn) -> None:
        """Sound records pay for one look. One that the look cannot finish is looked at row by row."""
        try:
            if not self.wrong(turn, ask):
                return
        except (RecordError, RuleError):
            pass
        broken(self.checks[ask], turn).refuse()

    # -- reading -------------------------------------------------------------------------------

    def _turn(self, state: object, path: str) -> Turn:
        try:
            return self.read(state, path)
        except UNREAD as unread:
            turn = self._carefully(state, path)
            _hold_to_its_word(unread)
            return turn

    def _carefully(self, state: object, path: str) -> Turn:
        turn = self.turn(path)
        turn.fill(read_state(state, self.shapes, turn, path))
        return turn

    def _arguments(self, entry: TableEntry, given: Mapping[str, object]) -> list[Any]:
        turn = self.turn("")
        where = location(entry.place)
        arguments, values = read_arguments(given, dict(entry.parameters), where, self.shapes, turn)
        turn.fill(values)
        return [turn, *arguments]


def _hold_to_its_word(unread: Exception | None) -> None:
    """Nothing is wrong with what the quick reading could not read."""
    if unread is not None and not isinstance(unread, Misread):
        raise unread
