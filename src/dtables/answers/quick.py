"""The quick way from a line of JSON to its answer: of a record that is sound in every way.

It only ever says yes. Where it says nothing, the line is read and answered with care, from its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from dtables.answers.answering import AnsweredRecord, Engine, played_findings
from dtables.feel.types import RecordType, plain
from dtables.logs.jsonlines import RawLine
from dtables.records.findings import RecordError, Refused, RuleError
from dtables.records.json import ESCAPED_COLON, decoded, may_be_large
from dtables.records.quick import TypedRecords
from dtables.records.shapes import RecordShape, Shapes
from dtables.runtime.rules import Rules

if TYPE_CHECKING:
    from dtables.runtime.asks import Ask, Need
    from dtables.runtime.records import Turn

Getter = Callable[[Any], object]
Ways = tuple[tuple[Getter, bool], ...]
"""To what an ask needs, and whether that must not be an empty list."""

_UNSOUND = (RecordError, RuleError, RecursionError, Refused)


@dataclass(frozen=True, slots=True)
class QuickAnswers:
    engine: Engine
    rules: Rules
    records: TypedRecords
    needs: Mapping[str, Ways | None]

    def answer(self, line: RawLine) -> AnsweredRecord | None:
        raw = line.raw
        if ESCAPED_COLON in raw or may_be_large(raw):
            return None
        try:
            record, colons = self.records.line(raw)
            turn, keys = self.rules.complete(record.state, "state", self.records.absent)
        except self.records.refusals:
            return None
        except _UNSOUND:
            return None
        try:
            return (
                self._answered(line, record, turn)
                if self._each_key_once(raw, record, keys + colons)
                else None
            )
        finally:
            turn.release()

    def _each_key_once(self, raw: bytes, record: Any, known: int) -> bool:
        """Every colon of the line belongs to a key or stands in a text. Where the line has more of them
        than are known, the decoder has dropped a doubled key."""
        absent = self.records.absent
        parts = [given for given in (record.game, record.ask, record.played) if given is not absent]
        colons = raw.count(b":") - known - len(parts) - 2
        return colons == 0 or colons == repr((record.turn, parts)).count(":")

    def _answered(self, line: RawLine, record: Any, turn: Turn) -> AnsweredRecord | None:
        absent = self.records.absent
        name = self.engine.main_ask if record.ask is absent or record.ask is None else record.ask
        if name is None or name not in self.rules.asks:
            return None
        try:
            asked = self.rules.asks[name]
            self._look_for_needs(asked, line.raw, record.state, turn)
            reply = self.rules.reply_to(asked, turn)
        except _UNSOUND:
            return None
        played = None if record.played is absent else record.played
        if played and played_findings(self.engine, name, played):
            return None
        game = None if record.game is absent else record.game
        return AnsweredRecord(line.number, record.turn, game, name, reply, played)

    def _look_for_needs(self, asked: Ask, raw: bytes, state: object, turn: Turn) -> None:
        """Where a need is not plainly met, what was given is looked at as it was written."""
        if self._has(asked.name, state):
            return
        given = decoded(raw)
        turn.given = given["state"] if isinstance(given, dict) else None
        asked.unmet(turn).refuse()

    def _has(self, ask: str, state: object) -> bool:
        """Whether a state plainly says all that the ask needs."""
        needs = self.needs[ask]
        return needs is not None and all(self._is_met(state, way, some) for way, some in needs)

    def _is_met(self, state: object, way: Getter, some: bool) -> bool:
        try:
            value = way(state)
        except AttributeError:
            return False
        return not (value is self.records.absent or value is None or (some and value == []))


# -- needs -------------------------------------------------------------------------------------


def ways_to_needs(shapes: Shapes, needs: Iterable[Need]) -> Ways | None:
    ways: list[tuple[Getter, bool]] = []
    for need in needs:
        attributes = list(_attributes(shapes, need.fields))
        if need.names is not None or len(attributes) < len(need.fields):
            return None
        ways.append((attrgetter(".".join(attributes)), need.some))
    return tuple(ways)


def _attributes(shapes: Shapes, names: Iterable[str]) -> Iterator[str]:
    """From record to record; it ends where a list or a map stands in between."""
    shape: RecordShape | None = shapes.records[shapes.state]
    for name in names:
        if shape is None or name not in shape.kind.STORED:
            return
        yield shape.kind.STORED[name]
        of = plain(next(f.type for f in shape.fields if f.name == name))
        shape = shapes.records[of.name] if isinstance(of, RecordType) else None
