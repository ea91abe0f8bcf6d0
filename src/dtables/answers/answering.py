"""A log's records, answered one by one: every record becomes an answer or a reject, and uses its turn.

Nothing here knows what a rule means: the engine answers, this counts, names and orders. What is sound in
every way is answered quickly where the engine can; all else is read and answered with care."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from types import NoneType
from typing import TYPE_CHECKING, Any, Protocol

from dtables.feel.types import RecordType, plain
from dtables.logs.jsonlines import Given, RawLine, line_of
from dtables.logs.turns import Turns, turn_key
from dtables.merging import Reply
from dtables.records.findings import (
    MOST_QUOTED,
    Finding,
    Findings,
    RecordError,
    Refused,
    RuleError,
    cut,
    key_in_path,
    quoted,
    repeated_turn,
    rules_fail,
    unknown_key,
    whole,
    wrong_played,
    wrong_text,
    wrong_turn,
)
from dtables.records.json import (
    ENVELOPE,
    ENVELOPE_KEYS,
    ESCAPED_COLON,
    LogLine,
    decoded,
    may_be_large,
)

if TYPE_CHECKING:
    from dtables.answers.columns import Kind
    from dtables.records.quick import TypedRecords
    from dtables.records.shapes import RecordShape, Shapes
    from dtables.runtime.asks import Ask, Need
    from dtables.runtime.records import Turn
    from dtables.runtime.rules import Rules

NEXT = "next"


class Engine(Protocol):
    """What answers: compiled code, or the evaluator."""

    @property
    def main_ask(self) -> str | None:
        """The ask of records that name none; None where there is no main ask."""

    @property
    def quick(self) -> QuickAnswers | None:
        """How it answers lines that are sound in every way, if it can."""
        ...

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """What columns of answers hold."""
        ...

    def answer_fields(self, ask: str) -> tuple[str, ...] | None:
        """Return the keys of an ask's answers in order; None where no record may ask it."""

    def reply(self, ask: str | None, state: object) -> Reply:
        """Answer one state. RecordError where it is invalid, RuleError where the rules fail."""

    def misplayed(self, ask: str, played: Mapping[str, object]) -> Iterable[Finding]:
        """What was played and cannot be an answer: a name that nobody knows, a text for a number."""
        ...

    def reasons(self, ask: str, state: object) -> tuple[str, ...]:
        """The sentences that go with an answer; none, if none were asked for."""
        ...


@dataclass(slots=True)
class AnsweredRecord:
    """One is made for every record: to freeze it would take longer than to make it."""

    line: int
    turn: str | int
    game: str | None
    ask: str
    reply: Reply
    played: dict[str, Any] | None
    reasons: tuple[str, ...] = ()

    @property
    def answer(self) -> dict[str, Any]:
        """The answer alone, without what comes next."""
        return self.reply.answer

    def as_plain(self) -> dict[str, Any]:
        """Return the record as it is written as JSON; keys without content are left out."""
        keys: dict[str, Any] = {"turn": self.turn}
        if self.game is not None:
            keys["game"] = self.game
        keys["ask"] = self.ask
        keys["answer"] = self.reply.answer
        if self.reply.next:
            keys[NEXT] = list(self.reply.next)
        if self.reasons:
            keys["reasons"] = list(self.reasons)
        return keys


def reply_keys(reply: Reply) -> dict[str, Any]:
    """What comes next stands beside the answer, where there is something."""
    return {"answer": reply.answer, NEXT: list(reply.next)} if reply.next else {"answer": reply.answer}


def reply_row(reply: Reply) -> dict[str, Any]:
    """Return the reply as the row of a table: a column for every key of the answer."""
    return {NEXT: list(reply.next), **reply.answer} if reply.next else reply.answer


@dataclass(frozen=True, slots=True)
class Rejected:
    """`findings` are the first that were found, and `more` how many others; the first is the one a row
    shows."""

    line: int
    turn: object
    game: object
    findings: tuple[Finding, ...]
    more: int = 0

    def as_plain(self, file: str | None = None) -> dict[str, Any]:
        """`file` is given where a log has several."""
        first = self.findings[0]
        keys: dict[str, Any] = {} if file is None else {"file": file}
        keys |= {"line": self.line, "turn": _shown(self.turn)}
        if self.game is not None:
            keys["game"] = _shown(self.game)
        keys |= {"path": first.path, "found": first.found, "wanted": first.wanted}
        if first.where is not None:
            keys["cell"] = str(first.where)
        if len(self.findings) > 1:
            keys["also"] = [{"path": f.path, "found": f.found, "wanted": f.wanted} for f in self.findings[1:]]
        if self.more:
            keys["more"] = self.more
        return keys


def _shown(given: object) -> object:
    """What a record gives as its turn or game may be anything, and of any length."""
    if isinstance(given, str):
        return cut(whole(given), MOST_QUOTED)
    if given is None or isinstance(given, (bool, int)):
        return given
    text = quoted(given)
    return given if len(text) < MOST_QUOTED else text


def answer_log(
    engine: Engine, records: Iterable[Given], used: Turns | None = None
) -> Iterator[AnsweredRecord | Rejected]:
    """Answer a log in its order. A turn that an accepted record has used rejects a later one."""
    used = Turns() if used is None else used
    return (answer(engine, given, used) for given in records)


def answer(engine: Engine, given: Given, used: Turns | None) -> AnsweredRecord | Rejected:
    """The turn of a record that is answered is used from now on. `used` None: whoever asks minds turns."""
    quick = engine.quick
    if quick is not None and isinstance(given, RawLine):
        answered = quick.answer(given)
        if answered is not None and _is_first(answered, used):
            return answered
    result = _answer_with_care(engine, line_of(given), used)
    if isinstance(result, AnsweredRecord):
        _is_first(result, used)
    return result


def _is_first(answered: AnsweredRecord, used: Turns | None) -> bool:
    """To use its turn."""
    return used is None or used.add(turn_key(answered.game, answered.turn))


def _answer_with_care(engine: Engine, line: LogLine, used: Turns | None) -> AnsweredRecord | Rejected:
    record = line.record
    if record is None:
        assert line.finding is not None
        return Rejected(line.number, line.turn, line.game, (line.finding,))
    turn, game = record.get("turn"), record.get("game")
    if not _is_plain(record, turn, game) or _is_used(game, turn, used):
        found = _envelope_findings(record, used)
        if found:
            return Rejected(line.number, turn, game, tuple(found), found.more)
    text = record.get("ask")
    ask = engine.main_ask if text is None else text
    try:
        reply = engine.reply(ask, record.get("state"))
        assert isinstance(turn, (str, int)) and isinstance(ask, str)
        played = record.get("played")
        found = played_findings(engine, ask, played)
        if found:
            return Rejected(line.number, turn, game, tuple(found), found.more)
        reasons = engine.reasons(ask, record.get("state"))
    except RecordError as error:
        return Rejected(line.number, turn, game, error.findings, error.more)
    except RuleError as error:
        return Rejected(line.number, turn, game, (rules_fail(error.message, error.table, error.where),))
    return AnsweredRecord(line.number, turn, game, ask, reply, played, reasons)


def _is_used(game: Any, turn: Any, used: Turns | None) -> bool:
    return used is not None and turn_key(game, turn) in used


def _is_plain(record: dict[str, Any], turn: object, game: object) -> bool:
    """Is every key of the envelope known, and of the kind it must be?"""
    return (
        record.keys() <= ENVELOPE_KEYS
        and type(turn) in (int, str)
        and (game is None or type(game) is str)
        and type(record.get("ask")) in (str, NoneType)
    )


def _envelope_findings(record: dict[str, Any], used: Turns | None) -> Findings:
    findings = Findings()
    for key in record:
        if key not in ENVELOPE:
            findings.add(unknown_key, key_in_path(key), key, ENVELOPE)
    game, turn = record.get("game"), record.get("turn")
    if game is not None and not isinstance(game, str):
        findings.take([wrong_text("game", game)])
    if isinstance(turn, bool) or not isinstance(turn, (str, int)):
        findings.take([wrong_turn(turn)])
    elif (game is None or isinstance(game, str)) and _is_used(game, turn, used):
        findings.add(repeated_turn, "turn", quoted(turn))
    ask = record.get("ask")
    if ask is not None and not isinstance(ask, str):
        findings.take([wrong_text("ask", ask)])
    return findings


def played_findings(engine: Engine, ask: str, played: object) -> Findings:
    """`played` may hold any of the answer's keys; only those are audited."""
    findings = Findings()
    if played is None:
        return findings
    if not isinstance(played, dict):
        findings.take([wrong_played(played)])
        return findings
    fields = engine.answer_fields(ask) or ()
    for key in played:
        if key not in fields:
            findings.add(unknown_key, f"played.{key_in_path(key)}", key, fields)
    found = engine.misplayed(ask, played)
    findings.take(found, found.more if isinstance(found, Findings) else 0)
    return findings


# -- the quick way -----------------------------------------------------------------------------

Getter = Callable[[Any], object]
Ways = tuple[tuple[Getter, bool], ...]
"""To what an ask needs, and whether that must not be an empty list."""

_UNSOUND = (RecordError, RuleError, RecursionError, Refused)


@dataclass(frozen=True, slots=True)
class QuickAnswers:
    """How compiled rules answer a line of JSON that is sound in every way. It only ever says yes: where it
    gives None, the line is read and answered with care, from its beginning."""

    engine: Engine
    rules: Rules
    records: TypedRecords
    needs: Mapping[str, Ways | None]

    def answer(self, line: RawLine) -> AnsweredRecord | None:
        """Answer a line as it stands in its file; None leaves it to the careful way."""
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


# -- what an ask needs, in the objects of a line -----------------------------------------------


def ways_to_needs(shapes: Shapes, needs: Iterable[Need]) -> Ways | None:
    """Return the ways to what an ask needs; None where one leads through a list or a map."""
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
