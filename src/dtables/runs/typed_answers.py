"""The quick way from a line of JSON to its answer: of a record that is sound in every way.

It only ever says yes. Where it says nothing, the line is read and answered with care, from its beginning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dtables.findings import RecordError, RuleError
from dtables.runs.answers import Engine, played_findings, reply_keys
from dtables.runs.jsonlines import Refused, decoded, may_be_large, to_json_line
from dtables.runs.quick_json import ESCAPED_COLON
from dtables.runs.turns import Turns, turn_key
from dtables.runs.typed_json import TypedRecords
from dtables.runtime.rules import Rules

if TYPE_CHECKING:
    from dtables.runtime.asks import Ask
    from dtables.runtime.records import Turn

_UNSOUND = (RecordError, RuleError, RecursionError, Refused)


@dataclass(frozen=True, slots=True)
class TypedAnswers:
    engine: Engine
    rules: Rules
    records: TypedRecords

    def line(self, raw: bytes, used: Turns) -> tuple[bytes, bytes] | None:
        """The turn's key, which is used from now on, and the line of the answer."""
        if ESCAPED_COLON in raw or may_be_large(raw):
            return None
        try:
            record = self.records.decode(raw)
            turn, keys = self.rules.complete(record.state, "state", self.records.absent)
        except self.records.refusals:
            return None
        try:
            if not self._each_key_once(raw, record, keys):
                return None
            game = None if record.game is self.records.absent else record.game
            key = turn_key(game, record.turn)
            if not used.add(key):
                return None
            answered = self._answered(raw, record, turn, game)
            if answered is None:
                used.take_back(key)
                return None
            return key, to_json_line(answered)
        finally:
            turn.release()

    def _each_key_once(self, raw: bytes, record: Any, keys: int) -> bool:
        """Every colon of the line belongs to a key or stands in a text. Where the line has more of them
        than that, the decoder has dropped a doubled key."""
        absent = self.records.absent
        said = [given for given in (record.game, record.ask, record.played) if given is not absent]
        colons = raw.count(b":") - keys - len(said) - 2
        return colons == 0 or colons == repr((record.turn, said)).count(":")

    def _answered(self, raw: bytes, record: Any, turn: Turn, game: str | None) -> dict[str, Any] | None:
        absent = self.records.absent
        name = self.engine.main_ask if record.ask is absent or record.ask is None else record.ask
        if name is None or name not in self.rules.asks:
            return None
        try:
            asked = self.rules.asks[name]
            self._look_for_needs(asked, raw, record.state, turn)
            reply = self.rules.reply_to(asked, turn)
        except _UNSOUND:
            return None
        played = None if record.played is absent else record.played
        if played and played_findings(self.engine, name, played):
            return None
        if game is None:
            return {"turn": record.turn, "ask": name, **reply_keys(reply)}
        return {"turn": record.turn, "game": game, "ask": name, **reply_keys(reply)}

    def _look_for_needs(self, asked: Ask, raw: bytes, state: object, turn: Turn) -> None:
        """Where a need is not plainly met, what was given is looked at as it was written."""
        if self.records.has(asked.name, state):
            return
        given = decoded(raw)
        turn.given = given["state"] if isinstance(given, dict) else None
        asked.unmet(turn).refuse()
