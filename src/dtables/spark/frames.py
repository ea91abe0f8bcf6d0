"""Answers to the rows of a Spark data frame, as a data frame: worked out where the rows lie.

Nothing is gathered here, and nothing happens before somebody asks for the rows that come out.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeAlias

from dtables.answers.answering import NEXT
from dtables.answers.columns import Kind, column_kinds
from dtables.answers.engines import compiled_engine
from dtables.logs.columns import columns_of
from dtables.logs.jsonlines import LogError
from dtables.model.tables import AnswerField, Ask, Draw, Ruleset
from dtables.records.findings import quoted, repeated_turn
from dtables.spark.archive import packed_package
from dtables.spark.worker import Batches
from dtables.spark.worker_frames import (
    KEY,
    LINE,
    PLACE,
    REJECTED,
    TURN_QUOTED,
    FrameJob,
    FrameRows,
    Lines,
    answered_batches,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    SparkFrame: TypeAlias = DataFrame

ANY_OF = "any_of"
WHOSE = ("turn", "game")
REJECTED_LINE = "rejected_line"
_STORED: dict[Kind, str] = {"whole": "long", "boolean": "boolean", "text": "string"}
_MARK = "\x00"


def answer_spark(model: Ruleset, source: str, frame: DataFrame, ask: str | None = None) -> DataFrame:
    """Columns as in a Parquet log, or `value` alone: JSON Lines, as `spark.read.text` gives them. `ask` is
    answered where a row names none; None: the main one. A row comes out for every row: `turn` and `game` as
    they were, the `ask` answered, a column for every key of an answer, and in `rejected` what is wrong."""
    from pyspark.sql import functions

    given = _given(frame, _asking(model, ask))
    job = FrameJob(compiled_engine(given.model, source), given.rows, _answer_columns(given))
    packed = pickle.dumps(job)

    def far(batches: Batches) -> Batches:
        return answered_batches(packed, batches)

    frame.sparkSession.sparkContext.addPyFile(str(packed_package()))
    numbered = given.frame.toDF(*map(str, range(len(given.frame.columns))))
    placed = numbered.withColumn(PLACE, functions.monotonically_increasing_id())
    return _each_turn_once(placed.mapInArrow(far, _schema(given, job)), job)


# -- what comes in -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Given:
    """`asks` are those that a row may put, first the one that it puts without a word; `kept` the fields
    that tell whose answer it is."""

    model: Ruleset
    frame: DataFrame
    rows: FrameRows | Lines
    asks: tuple[Ask, ...]
    kept: tuple[Any, ...]


def _asking(model: Ruleset, main: str | None) -> Ruleset:
    if main is None:
        return model
    names = [ask.heading.name for ask in model.open_asks]
    if main not in names:
        close = get_close_matches(main, names, n=1)
        hint = f"; did you mean {quoted(close[0])}?" if close else ""
        raise LogError(f"{model.name} has no ask {quoted(main)}{hint}")
    return replace(model, asks=tuple(replace(ask, main=ask.heading.name == main) for ask in model.asks))


def _given(frame: DataFrame, model: Ruleset) -> _Given:
    from pyspark.sql.types import BinaryType, StringType, StructField

    asks = model.open_asks
    if frame.columns == [LINE]:
        texts = [StructField(name, StringType()) for name in WHOSE]
        reported = (*texts, StructField(REJECTED_LINE, BinaryType()))
        return _Given(model, frame.select(frame[LINE].cast("binary")), Lines(), asks, reported)
    columns = columns_of(frame.columns, model, "the frame")
    places = {column.path: place for place, column in enumerate(columns)}
    kept = {name: places[name,] for name in WHOSE if (name,) in places}
    fields = tuple(StructField(name, frame.schema.fields[place].dataType) for name, place in kept.items())
    asks = asks if ("ask",) in places else asks[:1]
    return _Given(model, frame, FrameRows(columns, tuple(kept.values())), asks, fields)


# -- what comes out ----------------------------------------------------------------------------


def _answer_columns(given: _Given) -> tuple[tuple[str, Kind], ...]:
    """What is open stands in a column of its own, where there is anything to draw; so do the asks that may
    come next."""
    answers = ((row for row in ask.rows if isinstance(row, AnswerField)) for ask in given.asks)
    kinds = column_kinds({row.name: row.value.type for row in rows} for rows in answers)
    leads_on = any(ask.leads_on for ask in given.asks)
    _refuse_clashes(kinds, (NEXT,) if leads_on else ())
    drawn = any(isinstance(row, Draw) for ask in given.model.asks for row in ask.rows)
    further: list[tuple[str, Kind]] = [(ANY_OF, "text")] if drawn else []
    if leads_on:
        further.append((NEXT, "text"))
    return (*kinds.items(), *further)


def _refuse_clashes(names: Iterable[str], also: Iterable[str]) -> None:
    taken = (*WHOSE, "ask", ANY_OF, REJECTED, REJECTED_LINE, *also)
    for name in names:
        if name.casefold() in taken:
            raise LogError(f"an answer has a field {quoted(name)}, and the frame a column of that name")


def _schema(given: _Given, job: FrameJob) -> Any:
    from pyspark.sql.types import BinaryType, LongType, StringType, StructField, StructType

    kinds = StructType().add("ask", StringType())
    for name, kind in job.columns:
        kinds.add(name, _STORED[kind])
    kinds.add(REJECTED, StringType())
    way = (
        StructField(KEY, BinaryType()),
        StructField(TURN_QUOTED, StringType()),
        StructField(PLACE, LongType()),
    )
    return StructType([*given.kept, *kinds.fields, *way])


def _each_turn_once(reported: DataFrame, job: FrameJob) -> DataFrame:
    """The first row that was answered has its turn; in every later one it is wrong before anything else."""
    from pyspark.sql import Window
    from pyspark.sql.functions import coalesce, concat, lit, when
    from pyspark.sql.functions import min as least

    place, rejected = reported[PLACE], reported[REJECTED]
    first = least(when(rejected.isNull(), place)).over(Window.partitionBy(reported[KEY]))
    late = coalesce(place > first, lit(False))
    before, after = (lit(part) for part in str(repeated_turn("turn", _MARK)).split(_MARK))
    names = ["ask", *(name for name, _ in job.columns)]
    changed = {
        **{name: when(~late, reported[f"`{name}`"]) for name in names},
        REJECTED: when(late, concat(before, reported[TURN_QUOTED], after)).otherwise(rejected),
    }
    if isinstance(job.rows, Lines):
        changed[REJECTED_LINE] = reported[REJECTED_LINE].cast("string")
    return reported.withColumns(changed).drop(KEY, TURN_QUOTED, PLACE)
