"""The quick way from a line of JSON to its answer: of a record that is sound in every way.

It only ever says yes. Where it says nothing, the line is read and answered with care, from its beginning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dtables.findings import RecordError, RuleError
from dtables.runs.answers import Answered, Engine, played_findings
from dtables.runs.jsonlines import LONGEST_LINE, Refused, decoded
from dtables.runs.turns import Turns, turn_key
from dtables.runs.typed_json import TypedRecords
from dtables.runtime.asks import refuse
from dtables.runtime.rules import Rules

if TYPE_CHECKING:
    from dtables.runtime import Turn
    from dtables.runtime.asks import Ask

_UNSOUND = (RecordError, RuleError, RecursionError, Refused)


@dataclass(frozen=True, slots=True)
class TypedAnswers:
    engine: Engine
    rules: Rules
    records: TypedRecords

    def answer(self, number: int, raw: bytes, used: Turns) -> Answered | None:
        if b"\\" in raw or len(raw) > LONGEST_LINE:
            return None
        try:
            record = self.records.decode(raw)
            turn, keys = self.rules.complete(record.state, "state", self.records.absent)
        except self.records.refusals:
            return None
        try:
            return self._answered(number, raw, used, record, turn, keys)
        except _UNSOUND:
            return None
        finally:
            turn.release()

    def _answered(
        self, number: int, raw: bytes, used: Turns, record: Any, turn: Turn, keys: int
    ) -> Answered | None:
        game, ask, played = map(self._said, (record.game, record.ask, record.played))
        if raw.count(b":") != keys + self._colons(record) or turn_key(game, record.turn) in used:
            return None
        name: str | None = self.engine.main_ask if ask is None else ask
        if name is None or name not in self.rules.asks:
            return None
        asked = self.rules.asks[name]
        self._refuse_unmet(asked, raw, record.state, turn)
        answer = self.rules.answer_turn(asked, turn)
        if played is not None and any(played_findings(self.engine, name, played)):
            return None
        return Answered(number, record.turn, game, name, answer, played)

    def _said(self, given: Any) -> Any:
        return None if given is self.records.absent else given

    def _colons(self, record: Any) -> int:
        """Each key has its colon, each colon in a text stays; a key that was doubled has taken one along."""
        absent = self.records.absent
        said = [given for given in (record.game, record.ask, record.played) if given is not absent]
        return 2 + len(said) + repr((record.turn, said)).count(":")

    def _refuse_unmet(self, asked: Ask, raw: bytes, state: object, turn: Turn) -> None:
        """Where a need is not plainly met, what was given is looked at as it was written."""
        if self.records.has(asked.name, state):
            return
        given = decoded(raw)
        turn.given = given["state"] if isinstance(given, dict) else None
        refuse(asked.unmet(turn))
