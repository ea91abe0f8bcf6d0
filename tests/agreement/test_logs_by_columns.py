"""Random flat tables over random Parquet logs, some of it spoilt: every engine says the same of each row."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pyarrow
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyarrow import parquet

from dtables.answers.answering import Engine
from dtables.answers.engines import EngineName, compiled_engine
from dtables.answers.run import OnCores, Strategy, answer_into, rejects_path
from dtables.choosing import EngineRequest, choose
from dtables.logs.files import Log, find_log
from dtables.spark.logs import OnSpark
from tests.agreement import worlds
from tests.agreement.frames import any_frame
from tests.agreement.test_logs import some_examples
from tests.answers.any_log import Reference
from tests.columnar.test_frames import ruleset
from tests.support.spark import spark_session


def answered(engine: Engine, log: Log, way: Strategy) -> tuple[bytes, bytes]:
    with TemporaryDirectory() as folder:
        out = Path(folder) / "answers.jsonl"
        answer_into(engine, log, out, manner=way)
        rejects = rejects_path(out)
        return out.read_bytes(), rejects.read_bytes() if rejects.exists() else b""


def written(frame: pd.DataFrame, path: Path) -> Path:
    """Turns come twice now and then."""
    if "turn" not in frame:
        frame = frame.assign(turn=[n if n % 5 else n // 2 for n in range(len(frame))])
    try:
        table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    except (pyarrow.ArrowException, OverflowError):
        assume(False)
    parquet.write_table(table, path, row_group_size=6)
    return path


@some_examples(40)
@given(worlds.flat_decision(), worlds.flat_ask(), any_frame())
def test_columns_and_evaluator(decision: str, ask: str, frame: pd.DataFrame) -> None:
    rules = ruleset(decision, ask)
    engine = compiled_engine(rules.model, rules.source)
    with TemporaryDirectory() as folder:
        log = find_log(written(frame, Path(folder) / "log.parquet"), rules.model)
        columns = choose(EngineRequest(EngineName.COLUMNS), engine, log, None, lambda: rules.model)
        assert answered(engine, log, columns.way) == answered(Reference(rules), log, OnCores(1))


@pytest.mark.xdist_group("servers")
@some_examples(3)
@given(st.lists(st.tuples(worlds.flat_decision(), worlds.flat_ask(), any_frame()), min_size=1, max_size=2))
def test_spark_and_evaluator(tried: list[tuple[str, str, pd.DataFrame]]) -> None:
    spark_session()
    for decision, ask, frame in tried:
        rules = ruleset(decision, ask)
        engine = compiled_engine(rules.model, rules.source)
        with TemporaryDirectory() as folder:
            log = find_log(written(frame, Path(folder) / "log.parquet"), rules.model)
            wanted = answered(Reference(rules), log, OnCores(1))
            assert answered(engine, log, OnCores(1)) == wanted
            assert answered(engine, log, OnSpark(share=400, chunk=100, wave=2)) == wanted
