"""Spark's frames answered where they lie: answers and rejects as everywhere, for rows and for lines."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pytest
from hypothesis import Phase, given, settings

from dtables.answers.answering import AnsweredRecord, Rejected, answer_log, reply_row
from dtables.answers.output import stored
from dtables.logs.files import Log, find_log
from dtables.logs.jsonlines import LogError
from dtables.ruleset import Ruleset, load
from tests.agreement import worlds
from tests.agreement.frames import any_frame
from tests.agreement.test_logs import as_parquet, plain_records, seeds, some_examples
from tests.agreement.test_logs_by_columns import written
from tests.answers.any_log import SOURCES, Reference, Source, any_log
from tests.columnar.test_frames import ruleset
from tests.spark.test_logs import bare_python, called
from tests.support.drawing import write_book
from tests.support.missing import needs_spark
from tests.support.spark import spark_session

pytestmark = pytest.mark.xdist_group("servers")

TABLES = Path(__file__).parents[2] / "tables"
BOOK, SAMPLE = TABLES / "architects.xlsx", TABLES / "architects.sample.jsonl"
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
"""Each try is a job of Spark's."""

Results = Iterable[AnsweredRecord | Rejected]
each_source = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.game.name)


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load(BOOK)


def results(rules: Ruleset, log: Log) -> Results:
    """As the evaluator gives them."""
    return answer_log(Reference(rules), (line for chunk in log.chunks() for line in chunk.lines()))


def same(found: Any, wanted: Results) -> None:
    """Row for row, whatever their order; what is no column's own is text in it."""
    texts = {field.name for field in found.schema if field.dataType.typeName() == "string"}
    told = Counter(as_text(row.asDict(), texts, found.columns) for row in found.collect())
    assert told == Counter(as_text(as_row(result), texts, found.columns) for result in wanted)


def as_text(row: dict[str, Any], texts: set[str], heads: list[str]) -> str:
    assert set(row) - set(heads) <= {"game"}
    cells = {key: stored(row.get(key), "text" if key in texts else "whole") for key in heads}
    return json.dumps({**cells, "rejected_line": None})


def as_row(result: AnsweredRecord | Rejected) -> dict[str, Any]:
    if isinstance(result, Rejected):
        return {"turn": result.turn, "game": result.game, "rejected": str(result.findings[0])}
    return {"turn": result.turn, "game": result.game, "ask": result.ask, **reply_row(result.reply)}


@settings(some_examples(4), phases=UNSHRUNK)
@given(worlds.flat_decision(), worlds.flat_ask(), any_frame())
def test_rows(decision: str, ask: str, frame: pd.DataFrame) -> None:
    rules = ruleset(decision, ask)
    session = spark_session()
    with TemporaryDirectory() as folder:
        path = written(frame, Path(folder) / "log.parquet")
        found = rules.answer_spark(session.read.parquet(str(path)))
        same(found, results(rules, find_log(path, rules.model)))


@each_source
@settings(some_examples(1), phases=UNSHRUNK)
@given(seed=seeds)
def test_states_in_a_column(source: Source, seed: int) -> None:
    session = spark_session()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.parquet"
        as_parquet(path, plain_records(any_log(source, Random(seed), 60)))
        found = source.rules.answer_spark(session.read.parquet(str(path)))
        wanted = results(source.rules, find_log(path, source.rules.model))
        same(found, wanted)


@each_source
@settings(some_examples(1), phases=UNSHRUNK)
@given(seed=seeds)
def test_lines(source: Source, seed: int) -> None:
    """As Spark reads them from wherever it can read."""
    session = spark_session()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        path.write_bytes(any_log(source, Random(seed), 60))
        found = source.rules.answer_spark(session.read.text(str(path), lineSep="\n"))
        same(found, results(source.rules, find_log(path)))


def test_lines_that_have_no_turn_are_kept(rules: Ruleset, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'\xef\xbb\xbfnonsense\r\n\n{"turn": "\xff"}\n' + SAMPLE.read_bytes())
    found = rules.answer_spark(spark_session().read.text(str(path), lineSep="\n")).collect()
    assert len(found) == 2 + SAMPLE.read_bytes().count(b"\n")
    assert {(row["rejected_line"], row["rejected"]) for row in found if row["rejected"]} == {
        ("nonsense\r", "$: found no JSON: expecting value at character 1, wanted a JSON object"),
        ('{"turn": "\ufffd"}', "$: found bytes that are no UTF-8 at character 11, wanted UTF-8 text"),
    }


def test_a_key_that_none_may_have_is_wrong_before_its_turn(rules: Ruleset, tmp_path: Path) -> None:
    record = json.loads(SAMPLE.read_text(encoding="utf-8").splitlines()[0])
    path = tmp_path / "log.jsonl"
    path.write_text(f"{json.dumps(record)}\n{json.dumps({'stat': 1, **record})}\n", encoding="utf-8")
    found = rules.answer_spark(spark_session().read.text(str(path), lineSep="\n"))
    same(found, results(rules, find_log(path)))
    assert [row["rejected"] for row in found.collect() if row["rejected"]] == [
        'stat: found the unknown key "stat", wanted a key; did you mean "state"?'
    ]


def test_a_column_for_each_field(rules: Ruleset) -> None:
    """Lists and maps as Spark has them; another ask where no row names one; the first answer has its turn."""
    session = spark_session()
    token_rows = [(7, ["strategy", "tactics", "decor"]), (8, ["nobody's"]), (7, ["nobody's"])]
    frame = session.createDataFrame(token_rows, "turn long, token_row array<string>")
    found = rules.answer_spark(frame.coalesce(1), ask="progress")
    assert found.dtypes == [
        ("turn", "bigint"), ("ask", "string"), ("token", "string"), ("position", "bigint"),
        ("value", "bigint"), ("any_of", "string"), ("rejected", "string"),
    ]  # fmt: skip
    rows = sorted((row["turn"], row["position"] or 0, row["rejected"] or "") for row in found.collect())
    wanted = rules.answer("progress", {"token_row": token_rows[0][1]})
    assert rows[1] == (7, wanted["position"], "")
    assert rows[0] == (7, 0, "turn: found 7, which an earlier line has, wanted a turn of its own")
    assert rows[2][:2] == (8, 0) and rows[2][2].startswith('state.token_row[0]: found "nobody\'s"')


WIDE = """
# Sheet: Rules

Input: state
  field | type
  much | whole number

Ask: turn ; main: yes
  role | name | is
  answer | more | much * 9000000000000000000
  answer | part | much / 2
"""


def test_what_no_column_can_hold_is_told(tmp_path: Path) -> None:
    write_book(WIDE, tmp_path / "wide.xlsx")
    frame = spark_session().createDataFrame([(1, 1), (2, 2)], "turn long, much long")
    rows = sorted(load(tmp_path / "wide.xlsx").answer_spark(frame).collect())
    assert [(row["more"], row["part"]) for row in rows] == [(9 * 10**18, "0.5"), (None, None)]
    assert rows[1]["rejected"].startswith(
        "answer.more: found 18000000000000000000, wanted a whole number of 64"
    )


def test_nothing_happens_before_rows_are_asked_for(rules: Ruleset) -> None:
    session = spark_session()
    from pyspark.sql import functions

    frame = session.range(2).select(functions.raise_error(functions.lit("too soon")).alias("turn"))
    answered = rules.answer_spark(frame)
    with pytest.raises(Exception, match="too soon"):
        answered.collect()


def test_what_cannot_be_answered_is_told(rules: Ruleset) -> None:
    frame = spark_session().range(1)
    with pytest.raises(LogError, match="the frame: no column is called `turn`"):
        rules.answer_spark(frame)
    with pytest.raises(LogError, match='architects has no ask "trun"; did you mean "turn"'):
        rules.answer_spark(frame, ask="trun")


IN_PLACE = """
import sys
import dtables
from pyspark.sql import SparkSession
book, log, out = sys.argv[1:]
session = SparkSession.builder.master("local-cluster[2,1,1024]").getOrCreate()
frame = session.read.text(log, lineSep="\\n").repartition(4)
dtables.load(book).answer_spark(frame).write.json(out)
session.stop()
"""


def test_machines_of_a_cluster(rules: Ruleset, tmp_path: Path) -> None:
    """Two executors, whose Python cannot import dtables; nothing comes back but files that they wrote."""
    needs_spark()
    records = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    log, out = tmp_path / "log.jsonl", tmp_path / "out"
    log.write_text("".join(json.dumps({**r, "game": str(n)}) + "\n" for n in range(20) for r in records))
    elsewhere = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    there = {**elsewhere, "PYSPARK_PYTHON": str(bare_python(tmp_path))}
    done = called(there, sys.executable, "-c", IN_PLACE, BOOK, log, out)
    assert done.returncode == 0, done.stderr
    written = [json.loads(line) for part in out.glob("*.json") for line in part.read_text().splitlines()]
    wanted = [result for result in results(rules, find_log(log)) if isinstance(result, AnsweredRecord)]
    assert len(written) == len(records) * 20
    assert {(r["turn"], r["game"], r.get("card"), r.get("stage")) for r in written} == {
        (str(r.turn), r.game, r.answer.get("card"), r.answer.get("stage")) for r in wanted
    }
