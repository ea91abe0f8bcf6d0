"""Which engine answers a log: the one that was asked for, or the one that suits rules and log; and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from dtables.answers.engines import CompiledEngine, EngineName, ExplainingEngine
from dtables.answers.run import OnCores, Strategy
from dtables.logs.files import PARQUET_ENDINGS, Log
from dtables.logs.jsonlines import LogError

if TYPE_CHECKING:
    from dtables.columnar import Why
    from dtables.columnar.log import Answering
    from dtables.columnar.output import IntoColumns, IntoLines
    from dtables.model.tables import Ruleset

    ByColumns = IntoLines | IntoColumns


@dataclass(frozen=True, slots=True)
class EngineRequest:
    """`processes` are python's, `master` is Spark's."""

    engine: EngineName
    processes: int | None = None
    master: str | None = None


@dataclass(frozen=True, slots=True)
class ChosenEngine:
    """`words` tell what was chosen and why; None where it was asked for."""

    way: Strategy
    words: str | None


def choose(
    wish: EngineRequest, engine: CompiledEngine, log: Log, out: Path | None, model: Callable[[], Ruleset]
) -> ChosenEngine:
    """LogError where the engine that was asked for cannot answer the log. The model is asked for only where
    there are columns."""
    match wish.engine:
        case EngineName.PYTHON:
            return ChosenEngine(OnCores(wish.processes), None)
        case EngineName.COLUMNS:
            way = _by_columns(engine, log, out, model)
            if isinstance(way, _Unfit):
                raise LogError(f"the engine columns cannot answer this log: {way.why}")
            return ChosenEngine(way, None)
        case EngineName.SPARK:
            from dtables.spark.logs import OnSpark

            return ChosenEngine(OnSpark(wish.master), None)
        case EngineName.AUTO:
            return _chosen(_suited(engine, log, out, model), log, OnCores(wish.processes))
        case other:
            assert_never(other)


def _chosen(columns: Strategy | _Unfit, log: Log, manner: OnCores) -> ChosenEngine:
    if not isinstance(columns, _Unfit):
        return ChosenEngine(columns, "engine: columns (the rules only compare, and every field has a column)")
    count = manner.processes_for(log)
    processes = "1 process" if count == 1 else f"{count} processes"
    return ChosenEngine(manner, f"engine: python on {processes} ({columns.why})")


@dataclass(frozen=True, slots=True)
class _Unfit:
    why: str | Why


def _suited(
    engine: CompiledEngine, log: Log, out: Path | None, model: Callable[[], Ruleset]
) -> ByColumns | _Unfit:
    """Only where no column leaves every row to be read by itself."""
    way = _by_columns(engine, log, out, model)
    if isinstance(way, _Unfit):
        return way
    for file, source in zip(log.files, way.columns.sources, strict=True):
        for head in source.slow:
            return _Unfit(f"{file.name} has a column `{head}`, which holds lists or records")
    return way


def _by_columns(
    engine: CompiledEngine, log: Log, out: Path | None, model: Callable[[], Ruleset]
) -> ByColumns | _Unfit:
    if not log.typed:
        return _Unfit("JSON Lines are read record by record")
    if isinstance(engine, ExplainingEngine):
        return _Unfit("reasons are found record by record")
    from dtables.columnar import Why, flat_engine
    from dtables.columnar.log import columns_of_log
    from dtables.columnar.output import IntoColumns, IntoLines

    columns = columns_of_log(log, model(), flat_engine(model(), engine.source))
    if isinstance(columns, Why):
        return _Unfit(columns)
    into_columns = out is not None and out.name.endswith(PARQUET_ENDINGS)
    return IntoColumns(columns) if into_columns else IntoLines(columns)


def frame_engine(engine: EngineName, columns: Callable[[], Answering | Why]) -> Answering | Why:
    """What answers a frame's rows at once, or why they are answered one by one. LogError where the engine
    that was asked for cannot."""
    from dtables.columnar import Why

    match engine:
        case EngineName.AUTO:
            return columns()
        case EngineName.PYTHON:
            return Why("it was asked for")
        case EngineName.COLUMNS:
            found = columns()
            if isinstance(found, Why):
                raise LogError(f"the engine columns cannot answer a frame: {found}")
            return found
        case EngineName.SPARK:
            raise LogError("the engine spark answers Spark's frames: see `answer_spark`")
        case other:
            assert_never(other)
