"""Answers to the rows of a pandas frame, as a frame: the same rows in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from dtables.model.tables import Ruleset
from dtables.runs.answers import Answered, Engine, Rejected, answer_log
from dtables.runs.columns import Row, columns_of, typed_line

REJECTED = "rejected"


def answer_frame(engine: Engine, model: Ruleset, frame: pd.DataFrame) -> pd.DataFrame:
    """Columns as in a CSV log; without a `turn` column the index is the turn. What comes out has the
    frame's index, a column for every key of an answer, and in `rejected` what is wrong with a row."""
    heads = [str(head) for head in frame.columns]
    numbered = "turn" in heads
    columns = columns_of(heads if numbered else ["turn", *heads], model, "the frame")
    lines = (typed_line(row, columns) for row in _rows(frame, numbered))
    results = [_told(result) for result in answer_log(engine, lines)]
    keys = dict.fromkeys(key for result in results for key in result if key != REJECTED)
    made = {key: pd.Series([r.get(key) for r in results], frame.index, object) for key in (*keys, REJECTED)}
    return pd.DataFrame(made, index=frame.index)


def _rows(frame: pd.DataFrame, numbered: bool) -> Iterator[Row]:
    """Rows are numbered from 1."""
    for number, (index, *cells) in enumerate(frame.itertuples(name=None), 1):
        turn = () if numbered else (_plain(index),)
        yield Row(number, (*turn, *map(_plain, cells)))


def _plain(cell: Any) -> object:
    """What pandas has for nothing is nothing; its numbers are Python's."""
    if isinstance(cell, (list, dict, tuple)):
        return cell
    if pd.api.types.is_scalar(cell) and pd.isna(cell):
        return None
    return cell.item() if hasattr(cell, "item") else cell


def _told(result: Answered | Rejected) -> dict[str, Any]:
    match result:
        case Answered():
            return dict(result.answer)
        case Rejected():
            return {REJECTED: str(result.findings[0])}
