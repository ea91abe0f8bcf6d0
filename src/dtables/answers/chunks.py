"""What became of a chunk: lines of answers, lines of rejects, and the turns it used."""

from __future__ import annotations

from dataclasses import dataclass, field

from dtables.answers.answering import Answered, Engine, Rejected, answer_line
from dtables.answers.engines import CompiledEngine
from dtables.logs.jsonlines import Chunk, JsonChunk, read_line
from dtables.logs.turns import KEY, Turns, record_key
from dtables.records.json import to_json

_NO_TURN = bytes(KEY)


@dataclass(frozen=True, slots=True)
class Settled:
    """`keys` has the key of every record's turn, `accepted` a 1 for every answer and a 0 for every
    reject, in the log's order."""

    answers: bytes
    rejects: bytes
    answered: int
    rejected: int
    keys: bytes
    accepted: bytes


def settle(engine: Engine, chunk: Chunk, used: Turns) -> Settled:
    """`used` are the turns of earlier chunks; those of this one are added to it."""
    outcome = _Outcome(chunk.file, used)
    typed = engine.typed if isinstance(engine, CompiledEngine) else None
    if typed is None or not isinstance(chunk, JsonChunk):
        for line in chunk.lines():
            outcome.note(answer_line(engine, line, used))
        return outcome.settled()
    for number, raw in chunk.raw_lines():
        answered = typed.line(raw, used)
        if answered is None:
            outcome.note(answer_line(engine, read_line(number, raw), used))
        else:
            outcome.note_answer(*answered)
    return outcome.settled()


@dataclass(slots=True)
class _Outcome:
    file: str | None
    used: Turns
    answers: list[bytes] = field(default_factory=list)
    rejects: list[bytes] = field(default_factory=list)
    keys: list[bytes] = field(default_factory=list)
    accepted: bytearray = field(default_factory=bytearray)

    def note(self, result: Answered | Rejected) -> None:
        key = record_key(result.turn, result.game) or _NO_TURN
        if isinstance(result, Answered):
            self.used.add(key)
            self.note_answer(key, _line(result.as_plain()))
        else:
            self.keys.append(key)
            self.accepted.append(0)
            self.rejects.append(_line(result.as_plain(self.file)))

    def note_answer(self, key: bytes, line: bytes) -> None:
        self.keys.append(key)
        self.accepted.append(1)
        self.answers.append(line)

    def settled(self) -> Settled:
        answers, rejects, keys = map(b"".join, (self.answers, self.rejects, self.keys))
        return Settled(answers, rejects, len(self.answers), len(self.rejects), keys, bytes(self.accepted))


def settle_alone(engine: Engine, chunk: Chunk) -> Settled:
    """Without knowing what came before; `repeats` tells whether that made a difference."""
    return settle(engine, chunk, Turns())


def repeats(settled: Settled, used: Turns) -> bool:
    """Whether a turn of the chunk was used before the chunk began. If not, its turns are added to `used`;
    if so, `used` is left as it was."""
    keys = [settled.keys[at : at + KEY] for at in range(0, len(settled.keys), KEY)]
    used.make_room(len(keys))
    added: list[bytes] = []
    for key, accepted in zip(keys, settled.accepted, strict=True):
        if accepted and used.add(key):
            added.append(key)
        elif accepted or (key != _NO_TURN and key in used and key not in added):
            for one in reversed(added):
                used.take_back(one)
            return True
    return False


def _line(plain: dict[str, object]) -> bytes:
    return f"{to_json(plain)}\n".encode()
