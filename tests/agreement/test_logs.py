"""Every engine gives the same answers and the same rejects, in the log's order."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
import pyarrow
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from dtables.answers.run import OnCores, Strategy, answer_into, rejects_path
from dtables.logs.files import find_log
from dtables.logs.jsonlines import LogError
from dtables.records.json import parse_line, to_json
from dtables.spark.logs import OnSpark
from tests.answers.any_log import SOURCES, Source, any_log, reference
from tests.support.spark import spark_session
from tests.support.thinned import draws

servers = pytest.mark.xdist_group("servers")
each_source = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.game.name)
seeds = st.integers(0, 2**32)
ONE = OnCores(1, chunk=3_000)
SPARK = OnSpark(share=20_000, chunk=6_000, wave=3)


def some_examples(count: int) -> Any:
    return settings(max_examples=draws(count), deadline=None, suppress_health_check=list(HealthCheck))


def answered(source: Source, log: Path, way: Strategy) -> tuple[bytes, bytes]:
    """What stands in the files of answers and of rejects."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "answers.jsonl"
        counts = answer_into(source.engine, find_log(log, source.rules.model), out, manner=way)
        rejects = rejects_path(out)
        found = out.read_bytes(), rejects.read_bytes() if rejects.exists() else b""
        assert (found[0].count(b"\n"), found[1].count(b"\n")) == (counts.answers, counts.rejects)
        assert counts.records == counts.answers + counts.rejects
        return found


def written(folder: Path, name: str, content: bytes) -> Path:
    (folder / name).write_bytes(content)
    return folder / name


@each_source
@some_examples(12)
@given(seed=seeds, records=st.integers(1, 12))
def test_python__answers_as_the_evaluator(source: Source, seed: int, records: int) -> None:
    log = any_log(source, Random(seed), records)
    with TemporaryDirectory() as folder:
        assert answered(source, written(Path(folder), "log.jsonl", log), ONE) == reference(source, log)


@each_source
@some_examples(1)
@given(seed=seeds)
def test_processes__give_the_same_bytes(source: Source, seed: int) -> None:
    log = any_log(source, Random(seed), 150)
    with TemporaryDirectory() as folder:
        path = written(Path(folder), "log.jsonl", log)
        packed = written(Path(folder), "log.gz", gzip.compress(log))
        assert answered(source, path, OnCores(2, chunk=8_000)) == answered(source, path, ONE)
        assert answered(source, packed, OnCores(1, chunk=5_000)) == answered(source, path, ONE)


@servers
@each_source
@some_examples(2)
@given(seed=seeds)
def test_spark__gives_the_same_bytes(source: Source, seed: int) -> None:
    """Of a folder in which plain files, packed ones and tables follow one another."""
    spark_session()
    random = Random(seed)
    with TemporaryDirectory() as name:
        folder = Path(name)
        written(folder, "a.jsonl", any_log(source, random, 80))
        written(folder, "b.jsonl.gz", gzip.compress(any_log(source, random, 30)))
        records = plain_records(any_log(source, random, 30))
        as_csv(folder / "c.csv", records)
        as_parquet(folder / "d.parquet", records)
        assert answered(source, folder, SPARK) == answered(source, folder, ONE)


# -- other forms -------------------------------------------------------------------------------


@each_source
@some_examples(5)
@given(seed=seeds)
def test_tables__give_the_same_answers_and_rejects(source: Source, seed: int) -> None:
    """What a table can hold: a state and what was played, each as JSON in a cell."""
    records = plain_records(any_log(source, Random(seed), 12))
    lines = "".join(to_json(record) + "\n" for record in records)
    with TemporaryDirectory() as name:
        folder = Path(name)
        wanted = without_lines(answered(source, written(folder, "log.jsonl", lines.encode()), ONE))
        for write, path in ((as_csv, "log.csv"), (as_parquet, "log.parquet"), (as_excel, "log.xlsx")):
            write(folder / path, records)
            assert without_lines(answered(source, folder / path, ONE)) == wanted, path


@each_source
@some_examples(8)
@given(seed=seeds)
def test_tables__a_column_for_each_field(source: Source, seed: int) -> None:
    """Text is read by the type that the workbook declares."""
    random = Random(seed)
    states = [source.good(random) for _ in range(8)]
    records = [{"turn": n, "ask": ask, "state": state} for n, (ask, state) in enumerate(states)]
    stored = next(f.name for f in source.rules.model.input.state.fields if f.computed is None)
    fields = sorted({stored, *(field for _, state in states for field in state)})
    rows = [[str(n), ask or "", *(in_cell(s.get(f)) for f in fields)] for n, (ask, s) in enumerate(states)]
    with TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "log.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["turn", "ask", *(f"state.{field}" for field in fields)], *rows])
        lines = written(folder, "log.jsonl", "".join(to_json(r) + "\n" for r in records).encode())
        assert answered(source, folder / "log.csv", ONE) == answered(source, lines, ONE)


def in_cell(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else to_json(value)


def plain_records(log: bytes) -> list[dict[str, Any]]:
    """Those that a table can hold, numbered by whole numbers."""
    read = [parse_line(0, line).record for line in log.split(b"\n") if line.strip()]
    return [
        record
        for record in read
        if record is not None
        and type(record.get("turn")) is int
        and record["turn"] >= 0
        and set(record) <= {"turn", "game", "ask", "state", "played"}
        and all(
            record.get(key) is None or (type(record[key]) is str and record[key]) for key in ("game", "ask")
        )
        and isinstance(record.get("state"), (dict, type(None)))
        and isinstance(record.get("played"), (dict, type(None)))
    ]


HEADS = ("turn", "game", "ask", "state", "played")


def cells(record: dict[str, Any]) -> list[Any]:
    return [in_cell(record.get(key)) or None if key != "turn" else record[key] for key in HEADS]


def as_csv(path: Path, records: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEADS, *map(cells, records)])


def as_parquet(path: Path, records: list[dict[str, Any]]) -> None:
    columns = list(zip(*map(cells, records), strict=True)) or [()] * len(HEADS)
    types = [pyarrow.int64(), *[pyarrow.string()] * 4]
    arrays = [pyarrow.array(column, type=kind) for column, kind in zip(columns, types, strict=True)]
    parquet.write_table(pyarrow.Table.from_arrays(arrays, names=list(HEADS)), path, row_group_size=5)


def as_excel(path: Path, records: list[dict[str, Any]]) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(HEADS)
    for record in records:
        sheet.append(cells(record))
    book.save(path)


def without_lines(found: tuple[bytes, bytes]) -> tuple[bytes, list[Any]]:
    """Tables number their rows as they number them."""
    rejects = [json.loads(line) for line in found[1].splitlines()]
    return found[0], [{key: value for key, value in r.items() if key != "line"} for r in rejects]


# -- what cannot be read -----------------------------------------------------------------------


@pytest.mark.parametrize("way", ["one", "two", pytest.param("spark", marks=servers)])
def test_a_packed_log_that_breaks_off__is_an_error_of_every_engine(tmp_path: Path, way: str) -> None:
    source = SOURCES[0]
    log = gzip.compress(any_log(source, Random(1), 300))
    path = written(tmp_path, "log.jsonl.gz", log[: len(log) // 2])
    if way == "spark":
        spark_session()
    ways: dict[str, Strategy] = {"one": ONE, "two": OnCores(2, chunk=5_000), "spark": SPARK}
    with pytest.raises(LogError, match="the gzip file breaks off"):
        answer_into(source.engine, find_log(path), tmp_path / "out.jsonl", manner=ways[way])
    assert not (tmp_path / "out.jsonl").exists()
