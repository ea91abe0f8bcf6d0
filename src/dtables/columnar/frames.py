"""Answers to the rows of a pandas frame, as a frame: the same rows in the same order.

Rows that the columnar engine vouches for are answered by it; every other row is a record like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa

from dtables.answers.answering import NEXT, AnsweredRecord, Engine, answer_log
from dtables.answers.columns import Kind, column_kind, column_kinds, fits
from dtables.columnar import FlatEngine, Why
from dtables.columnar.cells import Coded, WholeNumbers, from_series
from dtables.columnar.engine import DOUBT, CodedAnswers
from dtables.feel.types import TEXT, ContextType, ListType, Type, plain
from dtables.logs.columns import (
    LogColumn,
    NumberedRow,
    UnreadableCell,
    columns_of,
    parameter_columns,
    typed_line,
)
from dtables.logs.parquet import values_of
from dtables.merging import Reply
from dtables.model.index import Index
from dtables.model.tables import Ruleset, Table, table_name
from dtables.records.findings import Findings, moment_out_of_reach, value_out_of_reach
from dtables.records.json import DEEPEST, LogLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtables.columnar.log import Answering

REJECTED = "rejected"
OUT_OF_REACH = (ValueError, OverflowError, RuntimeError)
"""How a library says that Python's calendar has no such day."""
AT_ONCE = 10_000
"""Rows that are made Python's."""


def answer_frame(engine: Engine, model: Ruleset, frame: pd.DataFrame, flat: Answering | Why) -> pd.DataFrame:
    """Columns as in a CSV log; without a `turn` column the index is the turn. What comes out has the
    frame's index, a column for every key of an answer, `next` where other asks may come next, and in
    `rejected` what is wrong with a row. An Arrow table is a frame too. What answered the rows stands in the
    attribute `engine` of what comes out."""
    frame = _as_pandas(frame)
    named = "turn" in map(str, frame.columns)
    turns = pd.Index(frame["turn"]) if named else frame.index
    data = frame.drop(columns="turn") if named else frame
    columns = columns_of(["turn", *map(str, data.columns)], model, "the frame")
    records = _FrameRecords(engine, data, turns, columns)
    many = "ask" in data.columns
    types = {} if many else _answer_types(model, engine.main_ask)
    leads_on = any(ask.leads_on for ask in model.open_asks if many or ask.heading.name == engine.main_ask)
    flat = records.fitting(flat)
    codes, replies = records.by_columns(flat)
    rejected = records.one_by_one(codes, replies)
    answers = [reply.answer for reply in replies]
    if leads_on:
        types |= {NEXT: ListType(TEXT)}
        answers = [{**reply.answer, NEXT: list(reply.next) or None} for reply in replies]
    return _by(flat, _as_frame(frame.index, codes, answers, rejected, types))


def _by(flat: Answering | Why, frame: pd.DataFrame) -> pd.DataFrame:
    frame.attrs["engine"] = f"python ({flat})" if isinstance(flat, Why) else flat.name
    return frame


def table_frame(
    model: Ruleset, table: Table, call: Callable[[Mapping[str, object]], Any], frame: pd.DataFrame,
    flat: FlatEngine | Why,
) -> pd.DataFrame:  # fmt: skip
    """One table for every row: its parameters and the input fields it reads are columns. Its value stands
    in a column of the table's name, or in one for each of its outcomes."""
    frame = _as_pandas(frame)
    name = table_name(table)
    turns = pd.RangeIndex(len(frame))
    columns = parameter_columns(map(str, frame.columns), model, table)
    types = _outcome_types(table)
    records = _FrameRecords(_Called(name, call, types), frame, turns, columns)
    codes, values = records.by_columns(records.fitting(flat))
    replies = [Reply(_by_name(types, value)) for value in values]
    rejected = records.one_by_one(codes, replies)
    return _as_frame(frame.index, codes, [reply.answer for reply in replies], rejected, types)


def _as_pandas(frame: Any) -> pd.DataFrame:
    """Whatever can make a frame of itself is one."""
    if isinstance(frame, pd.DataFrame):
        return frame
    if not hasattr(frame, "to_pandas"):
        raise TypeError(f"a frame is wanted, of pandas or Arrow, not a {type(frame).__name__}")
    return frame.to_pandas(types_mapper=pd.ArrowDtype)


@dataclass(frozen=True, slots=True)
class _FrameRecords:
    """A frame's rows as records. `columns` begin with the turn's; the others are `data`'s, in order."""

    engine: Engine
    data: pd.DataFrame
    turns: pd.Index[Any]
    columns: tuple[LogColumn, ...]

    def fitting(self, flat: Answering | Why) -> Answering | Why:
        """What works on columns of the state, each with a name of its own."""
        if isinstance(flat, Why):
            return flat
        for column in self.columns[1:]:
            if column.path[0] != "state" or len(column.path) == 1:
                return Why(f"`{column.head}` says more than the state")
        paths = [column.path for column in self.columns]
        return Why("two columns have one name") if len(set(paths)) < len(paths) else flat

    def by_columns(self, flat: Answering | Why) -> tuple[NDArray[Any], list[Any]]:
        """A code for every row, and what the codes stand for."""
        if isinstance(flat, Why):
            return np.full(len(self.data), DOUBT, np.int32), []
        paths = [column.path for column in self.columns[1:]]
        cells = {path[1:]: from_series(self.data.iloc[:, i]) for i, path in enumerate(paths)}
        coded = flat.answer(cells, len(self.data))
        coded.codes[_doubtful_turns(self.turns)] = DOUBT
        return coded.codes, list(coded.answers)

    def one_by_one(self, codes: NDArray[Any], replies: list[Reply]) -> dict[int, str]:
        """The rows in doubt: their replies are added to the others, what is wrong is given by row."""
        doubtful = CodedAnswers(codes, replies).doubtful
        rejected: dict[int, str] = {}
        for row, result in zip(
            doubtful.tolist(), answer_log(self.engine, self._lines(doubtful)), strict=True
        ):
            if isinstance(result, AnsweredRecord):
                codes[row] = len(replies)
                replies.append(result.reply)
            else:
                rejected[row] = str(result.findings[0])
        return rejected

    def _lines(self, rows: NDArray[Any]) -> Iterator[LogLine]:
        """Rows are numbered from 1."""
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE]
            parts = [self.data.iloc[some, place] for place in range(self.data.shape[1])]
            cells = zip(*map(_values, (self.turns[some].to_series(), *parts)), strict=True)
            for row, values in zip(some.tolist(), cells, strict=True):
                yield typed_line(NumberedRow(row + 1, tuple(map(_plain, values))), self.columns)


@dataclass(frozen=True, slots=True)
class _Called:
    """A table as what answers a record."""

    main_ask: str | None
    call: Callable[[Mapping[str, object]], Any]
    types: Mapping[str, Type]

    @property
    def quick(self) -> None:
        return None

    @property
    def kinds(self) -> dict[str, Kind]:
        return column_kinds([self.types])

    def answer_fields(self, ask: str) -> tuple[str, ...] | None:
        return () if ask == self.main_ask else None

    def reply(self, ask: str | None, state: object) -> Reply:
        del ask
        assert isinstance(state, dict) or state is None
        return Reply(_by_name(self.types, self.call(state or {})))

    def misplayed(self, ask: str, played: Mapping[str, object]) -> Findings:
        del ask, played
        return Findings()

    def reasons(self, ask: str, state: object) -> tuple[str, ...]:
        del ask, state
        return ()


def _by_name(types: Mapping[str, Type], value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    return dict.fromkeys(types) | dict.fromkeys(list(types)[:1], value)


def _values(series: pd.Series[Any]) -> list[Any]:
    """What Python has no value for is `UnreadableCell`."""
    if isinstance(series.dtype, pd.ArrowDtype):
        array = pa.array(series.array)
        return values_of(array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array)
    try:
        return list(series)
    except OUT_OF_REACH:
        return [_value(series, place) for place in range(len(series))]


def _value(series: pd.Series[Any], place: int) -> Any:
    try:
        return series.iloc[place]
    except OUT_OF_REACH:
        return UnreadableCell(value_out_of_reach(series.dtype))


def _plain(cell: Any) -> object:
    """What pandas has for nothing is nothing, but within a list or a record."""
    return None if _is_nothing(cell) else _unpacked(cell, 0)


def _is_nothing(cell: Any) -> bool:
    """pandas asks a signalling NaN, which answers with an error."""
    if isinstance(cell, Decimal):
        return cell.is_qnan()
    return pd.api.types.is_scalar(cell) and bool(pd.isna(cell))


def _unpacked(cell: Any, deep: int) -> object:
    """As Python's own. A list that comes from Parquet is an array, also one within another; one that is
    within itself is looked into no deeper than a record may be."""
    match cell:
        case np.ndarray() if cell.ndim == 0:
            return cell.item()
        case list() | tuple() | np.ndarray() if deep <= DEEPEST:
            return [_unpacked(one, deep + 1) for one in cell]
        case dict() if deep <= DEEPEST:
            return {key: _unpacked(value, deep + 1) for key, value in cell.items()}
        case np.datetime64():
            return _moment(cell)
        case np.generic():
            return cell.item()
        case _:
            return cell


def _moment(cell: np.datetime64) -> object:
    try:
        return pd.Timestamp(cell)
    except OUT_OF_REACH:
        return UnreadableCell(moment_out_of_reach())


def _doubtful_turns(turns: pd.Index[Any]) -> NDArray[np.bool_] | slice:
    """Those that are there twice, and those that may be no turns."""
    if isinstance(turns, pd.RangeIndex):
        return slice(0)
    cells = from_series(turns.to_series(index=pd.RangeIndex(len(turns))))
    if not isinstance(cells, (WholeNumbers, Coded)):
        return slice(None)
    doubtful = np.zeros(len(turns), bool)
    if not turns.is_unique:
        doubtful = turns.duplicated(keep=False)
    if isinstance(cells, Coded):
        return doubtful | np.isin(cells.codes, [-1, *(i for i, text in enumerate(cells.values) if not text)])
    return doubtful if cells.null is None else doubtful | cells.null


# -- columns that come out ---------------------------------------------------------------------


def _answer_types(model: Ruleset, main: str | None) -> dict[str, Type]:
    fields = Index(model).answers.get(main or "", {})
    return {name: field.value.type for name, field in fields.items()}


def _outcome_types(table: Table) -> dict[str, Type]:
    of = plain(table.type)
    return dict(of.fields) if isinstance(of, ContextType) else {table_name(table): table.type}


def _as_frame(
    index: pd.Index[Any], codes: NDArray[Any], answers: list[Any], rejected: Mapping[int, str],
    types: Mapping[str, Type],
) -> pd.DataFrame:  # fmt: skip
    """`codes` are numbers of answers; whole numbers and truths have columns that hold nothing but them."""
    keys = dict.fromkeys(types)
    if any(answer.keys() != keys.keys() for answer in answers):
        met = [answers[code] for code in np.unique(codes[codes >= 0]).tolist()]
        keys |= dict.fromkeys(key for answer in met for key in answer)
    if NEXT in types:
        keys = {key: None for key in keys if key != NEXT} | {NEXT: None}
    columns = {key: _column([a.get(key) for a in answers], codes, types.get(key)) for key in keys}
    return _with_rejects(index, columns, rejected)


def _with_rejects(
    index: pd.Index[Any], columns_by_key: Mapping[str, Any], rejected: Mapping[int, str]
) -> pd.DataFrame:
    reasons = np.empty(len(index), object)
    reasons[list(rejected)] = list(rejected.values())
    columns = {**columns_by_key, REJECTED: reasons}
    series = {key: pd.Series(column, index, column.dtype, copy=False) for key, column in columns.items()}
    return pd.DataFrame(series, index, copy=False)


def _column(values: list[Any], codes: NDArray[Any], of: Type | None) -> Any:
    """A list that several rows have is theirs alone: what the rules keep cannot be changed through it."""
    match "text" if of is None else column_kind(of):
        case "whole" if all(fits(value, "whole") for value in values):
            return pd.arrays.IntegerArray(*_picked(values, codes, np.dtype(np.int64)))
        case "boolean":
            return pd.arrays.BooleanArray(*_picked(values, codes, np.dtype(bool)))
        case _:
            table = np.empty(len(values) + 1, object)
            for number, value in enumerate(values):
                table[number] = deepcopy(value)
            return table[codes]


def _picked(
    values: list[Any], codes: NDArray[Any], kind: np.dtype[Any]
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Values and where there is none; a row without an answer takes the last, which is none."""
    table = np.array([*(value or 0 for value in values), 0], kind)
    missing = np.array([*(value is None for value in values), True])
    some_missing = missing[:-1].any() or (len(codes) > 0 and codes.min() < 0)
    null = missing[codes] if some_missing else np.zeros(len(codes), bool)
    return np.take(table, codes, mode="wrap"), null
