"""A log's records, answered one by one: every record becomes an answer or a reject, and uses its turn.

Nothing here knows what a rule means: the engine answers, this counts, names and orders. What is sound in
every way is answered quickly where the engine can; all else is read and answered with care."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any, Protocol

from dtables.logs.jsonlines import Given, RawLine, line_of
from dtables.logs.turns import Turns, turn_key
from dtables.merging import Reply
from dtables.records.findings import (
    MOST_QUOTED,
    Finding,
    Findings,
    RecordError,
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
    LogLine,
)

if TYPE_CHECKING:
    from dtables.answers.columns import Kind

NEXT = "next"


class Quick(Protocol):
    """A way to answer a line as it stands in its file, which may always leave it to the careful one."""

    def answer(self, line: RawLine) -> AnsweredRecord | None:
        """None: nobody knows yet."""
        ...


class Engine(Protocol):
    """What answers: compiled code, or the evaluator."""

    @property
    def main_ask(self) -> str | None:
        """The ask of records that name none; None where there is no main ask."""

    @property
    def quick(self) -> Quick | None:
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
        plain: dict[str, Any] = {"turn": self.turn}
        if self.game is not None:
            plain["game"] = self.game
        plain["ask"] = self.ask
        plain["answer"] = self.reply.answer
        if self.reply.next:
            plain[NEXT] = list(self.reply.next)
        if self.reasons:
            plain["reasons"] = list(self.reasons)
        return plain


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
        plain: dict[str, Any] = {} if file is None else {"file": file}
        plain |= {"line": self.line, "turn": _shown(self.turn)}
        if self.game is not None:
            plain["game"] = _shown(self.game)
        plain |= {"path": first.path, "found": first.found, "wanted": first.wanted}
        if first.where is not None:
            plain["cell"] = str(first.where)
        if len(self.findings) > 1:
            plain["also"] = [
                {"path": f.path, "found": f.found, "wanted": f.wanted} for f in self.findings[1:]
            ]
        if self.more:
            plain["more"] = self.more
        return plain


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
