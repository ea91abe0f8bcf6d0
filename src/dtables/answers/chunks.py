"""What became of a chunk: lines of answers, lines of rejects, and the turns it used; and chunks on all cores,
each turn accepted once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeVar

from dtables.answers.answering import AnsweredRecord, Engine, Rejected, answer_log
from dtables.answers.processes import in_order
from dtables.logs.jsonlines import Chunk
from dtables.logs.turns import KEY, Turns, record_key
from dtables.records.json import to_json, to_json_line

_NO_TURN = bytes(KEY)


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """`keys` has the key of every record's turn, `accepted` a 1 for every answer and a 0 for every
    reject, in the log's order."""

    answers: bytes
    rejects: bytes
    answered: int
    rejected: int
    keys: bytes
    accepted: bytes


def settle(engine: Engine, chunk: Chunk, used: Turns) -> ChunkResult:
    """`used` are the turns of earlier chunks; those of this one are added to it."""
    answers: list[bytes] = []
    rejects: list[bytes] = []
    turns = ChunkTurns()
    for result in answer_log(engine, chunk.given(), used):
        turns.note(result)
        if isinstance(result, AnsweredRecord):
            answers.append(to_json_line(result.as_plain()))
        else:
            rejects.append(f"{to_json(result.as_plain(chunk.file))}\n".encode())
    return ChunkResult(b"".join(answers), b"".join(rejects), len(answers), len(rejects), *turns.packed())


@dataclass(slots=True)
class ChunkTurns:
    """The turns of a piece of a log, one for each record, and which of them were answered."""

    keys: list[bytes] = field(default_factory=list)
    accepted: bytearray = field(default_factory=bytearray)

    def note(self, result: AnsweredRecord | Rejected) -> None:
        self.keys.append(record_key(result.turn, result.game) or _NO_TURN)
        self.accepted.append(isinstance(result, AnsweredRecord))

    def packed(self) -> tuple[bytes, bytes]:
        return b"".join(self.keys), bytes(self.accepted)


class Turned(Protocol):
    """What became of a chunk, as far as its turns go: `keys` has the key of every record's turn, `accepted` a
    1 for every answer and a 0 for every reject, in the log's order."""

    @property
    def keys(self) -> bytes: ...

    @property
    def accepted(self) -> bytes: ...


Result = TypeVar("Result", bound=Turned)


def each_chunk(
    work: Callable[[Chunk, Turns], Result], chunks: Iterable[Chunk], processes: int, used: Turns
) -> Iterator[tuple[Chunk, Result]]:
    """In the log's order: the same on one process and on many. `used` are the turns of earlier chunks; one
    that uses a turn of those is worked on again, here."""
    if processes == 1:
        yield from ((chunk, work(chunk, used)) for chunk in chunks)
        return
    for chunk, result in in_order(processes, partial(_alone, work), chunks, _weight):
        yield chunk, work(chunk, used) if repeats(result, used) else result


def _alone(work: Callable[[Chunk, Turns], Result], chunk: Chunk) -> Result:
    """Without knowing what came before; `repeats` tells whether that made a difference."""
    return work(chunk, Turns())


def _weight(chunk: Chunk) -> int:
    return chunk.weight


def settle_alone(engine: Engine, chunk: Chunk) -> ChunkResult:
    return settle(engine, chunk, Turns())


def repeats(settled: Turned, used: Turns) -> bool:
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
