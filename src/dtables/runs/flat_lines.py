"""From Parquet to lines by columns: each answer is written once, each row takes it with its turn in front."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dtables.flat.cube import DOUBT
from dtables.runs.answers import Engine, reply_keys
from dtables.runs.arrow_rows import values_of
from dtables.runs.flat_logs import Block, Columns
from dtables.runs.jsonlines import to_json
from dtables.runs.logs import Piece
from dtables.runs.settled import Settled
from dtables.runs.sources import Log
from dtables.runs.turns import Turns


@dataclass(frozen=True, slots=True)
class IntoLines:
    columns: Columns

    @property
    def words(self) -> dict[str, object]:
        return {"the engine": "columns into lines"}

    @property
    def reads_here(self) -> bool:
        return True

    def pieces(self, engine: Engine, log: Log, done: int, used: Turns) -> Iterator[Piece]:
        assert log == self.columns.log
        ends: list[str] = []
        for block in self.columns.blocks(engine, done, used):
            for reply in self.columns.flat.answers[len(ends) :]:
                ends.append(f", {to_json({'ask': engine.main_ask, **reply_keys(reply)})[1:]}\n")
            yield Piece(block.records, _settled(block, ends), block.noted, block.batch.bytes)


def _settled(block: Block, ends: list[str]) -> Settled:
    rows = zip(values_of(block.batch.arrays[0]), block.codes.tolist(), strict=True)
    answers = [f'{{"turn": {to_json(turn)}{ends[code]}' for turn, code in rows if code != DOUBT]
    rejects = [f"{line}\n" for line in block.rejects]
    counted = len(answers), len(rejects)
    return Settled("".join(answers).encode(), "".join(rejects).encode(), *counted, b"", b"")
