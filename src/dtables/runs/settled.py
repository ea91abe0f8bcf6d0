"""What became of a chunk: lines of answers, lines of rejects, and the turns it used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dtables.runs.answers import Answered, Engine, Rejected, answer_line
from dtables.runs.chunks import Chunk, JsonChunk, read_line
from dtables.runs.engines import CompiledEngine
from dtables.runs.jsonlines import to_json
from dtables.runs.turns import KEY, Turns, record_key

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
    answers: list[str] = []
    rejects: list[str] = []
    keys: list[bytes] = []
    accepted = bytearray()
    for result in _results(engine, chunk, used):
        key = record_key(result.turn, result.game) or _NO_TURN
        keys.append(key)
        if isinstance(result, Answered):
            used.add(key)
            accepted.append(1)
            answers.append(to_json(result.as_plain()))
        else:
            accepted.append(0)
            rejects.append(to_json(result.as_plain(chunk.file)))
    return Settled(
        _lines(answers), _lines(rejects), len(answers), len(rejects), b"".join(keys), bytes(accepted)
    )


def _results(engine: Engine, chunk: Chunk, used: Turns) -> Iterator[Answered | Rejected]:
    """Line by line: the one that comes back is dealt with before the next is asked for."""
    typed = engine.typed if isinstance(engine, CompiledEngine) else None
    if typed is None or not isinstance(chunk, JsonChunk):
        yield from (answer_line(engine, line, used) for line in chunk.lines())
        return
    for number, raw in chunk.raw_lines():
        yield typed.answer(number, raw, used) or answer_line(engine, read_line(number, raw), used)


def settle_alone(engine: Engine, chunk: Chunk) -> Settled:
    """Without knowing what came before; `repeats` tells whether that made a difference."""
    return settle(engine, chunk, Turns())


def repeats(settled: Settled, used: Turns) -> bool:
    """Whether a record's turn was used before the chunk began. If none was, its turns are used now."""
    keys = [settled.keys[at : at + KEY] for at in range(0, len(settled.keys), KEY)]
    if any(key in used for key in keys if key != _NO_TURN):
        return True
    for key, accepted in zip(keys, settled.accepted, strict=True):
        if accepted:
            used.add(key)
    return False


def _lines(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
