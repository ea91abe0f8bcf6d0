"""Whatever a log holds: each record is answered or rejected, or one line says what is wrong with the file."""

from __future__ import annotations

import datetime
import gzip
import json
import sys
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from dtables.answers.engines import EngineName, compiled_engine
from dtables.answers.run import answer_into, rejects_path
from dtables.checker import check_book
from dtables.choosing import EngineRequest, choose
from dtables.logs.files import find_log
from dtables.logs.jsonlines import LogError
from dtables.ruleset import Ruleset
from tests.support import hostile
from tests.support.drawing import book_text
from tests.support.missing import needs_spark
from tests.support.thinned import draws, swept

LONGEST_REJECT = 8_000
"""Bytes: twenty findings in words."""
FLAT = """
# Sheet: Rules

Types: words
  name | names
  colour | red, green, blue, yellow

Input: state
  field | type | default
  n | number | 0
  whole | whole number | 0
  text | text | ""
  yes | boolean | false
  day | date? |
  colour | colour | red

Ask: pick ; main: yes
  role | name | is
  answer | many | n > 2 and colour = blue
  answer | early | day != null and day < date("2020-01-01")
"""
seeds = st.integers(0, 2**32)
ENGINES = (EngineName.PYTHON, EngineName.COLUMNS)


def some_examples(count: int) -> Any:
    return settings(max_examples=draws(count), deadline=None, suppress_health_check=list(HealthCheck))


@cache
def rules(book: str) -> Ruleset:
    model, _ = check_book(book_text(book)[0])
    assert model is not None
    return Ruleset(model)


def answered(
    log: Path, engine: EngineName = EngineName.PYTHON, book: str = FLAT
) -> tuple[bytes, bytes] | str:
    """Answers and rejects, or the line that says what is wrong with the file."""
    of = rules(book)
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out.jsonl"
        compiled = compiled_engine(of.model, of.source)
        try:
            found = find_log(log, of.model)
            way = choose(EngineRequest(engine), compiled, found, out, lambda: of.model).way
            counts = answer_into(compiled, found, out, manner=way)
        except LogError as error:
            assert log.name in str(error) and "\n" not in str(error) and len(str(error)) < 500, error
            return str(error)
        assert counts.records == counts.answers + counts.rejects
        rejects = rejects_path(out)
        lines = out.read_bytes(), rejects.read_bytes() if rejects.exists() else b""
        assert [part.count(b"\n") for part in lines] == [counts.answers, counts.rejects]
        assert all(len(line) < LONGEST_REJECT for line in lines[1].splitlines())
        return lines


# -- columns of any type -----------------------------------------------------------------------


FIELDS = ("n", "whole", "text", "yes", "day", "colour", "state", "none")
TEXTS = (
    "",
    "red",
    "Blue",
    "b\u0301",
    "\U0001f600",
    "1",
    "1٢",
    "NaN",
    "2020-01-01",
    "x" * 300,
    "[]",
    '{"n": 1}',
)


def any_column(random: Random, rows: int) -> Any:
    """An Arrow array; some of its values are ones that Python cannot hold."""
    kind = random.choice(list(COLUMNS))
    return COLUMNS[kind](random, rows)


def _some(random: Random, of: Any, make: Callable[[], Any], rows: int) -> Any:
    return pa.array([None if random.random() < 0.2 else make() for _ in range(rows)], of)


def _texts(random: Random, rows: int) -> Any:
    return _some(random, pa.string(), lambda: random.choice(TEXTS), rows)


def _bad_texts(random: Random, rows: int) -> Any:
    raw = (b"red", b"\xff", b"met\xe0", b"\xed\xa0\x80", b"")
    return _some(random, pa.binary(), lambda: random.choice(raw), rows).view(pa.string())


def _numbers(random: Random, rows: int) -> Any:
    values = (0.0, -0.0, 2.5, 3.0, 1e300, float("inf"), float("-inf"), float("nan"), 0.1)
    return _some(random, random.choice((pa.float64(), pa.float32())), lambda: random.choice(values), rows)


def _wholes(random: Random, rows: int) -> Any:
    of = random.choice((pa.int8(), pa.int64(), pa.uint64(), pa.uint16()))
    largest = {pa.uint64(): 2**64 - 1, pa.int64(): 2**63 - 1}.get(of, 100)
    return _some(random, of, lambda: random.choice((0, 3, largest)), rows)


def _decimals(random: Random, rows: int) -> Any:
    values = ("0", "3", "-2.5", "9" * 70)
    return _some(random, pa.decimal256(76, 3), lambda: Decimal(random.choice(values)), rows)


def _days(random: Random, rows: int) -> Any:
    return _some(random, pa.int32(), lambda: random.choice((0, 18_262, -720_000, 2**31 - 1)), rows).view(
        pa.date32()
    )


def _moments(random: Random, rows: int) -> Any:
    of = pa.timestamp(random.choice(("s", "ms", "us", "ns")), random.choice((None, "UTC", "Europe/Rome")))
    values = (0, 86_400_000_000, 1, 2**62, -(2**62))
    return _some(random, pa.int64(), lambda: random.choice(values), rows).view(of)


def _others(random: Random, rows: int) -> Any:
    of, value = random.choice(
        (
            (pa.time64("us"), datetime.time(1, 2)),
            (pa.duration("s"), datetime.timedelta(1)),
            (pa.binary(2), b"ab"),
            (pa.bool_(), True),
            (pa.null(), None),
        )
    )
    return _some(random, of, lambda: value, rows)


def _lists(random: Random, rows: int) -> Any:
    items = any_column(random, 3 * rows)
    ends = sorted(random.randrange(3 * rows + 1) for _ in range(rows - 1))
    return pa.ListArray.from_arrays(pa.array([0, *ends, 3 * rows], pa.int32()), items)


def _structs(random: Random, rows: int) -> Any:
    names = [random.choice((*FIELDS, "a", "a.b")) for _ in range(random.randint(1, 3))]
    return pa.StructArray.from_arrays([any_column(random, rows) for _ in names], names)


def _maps(random: Random, rows: int) -> Any:
    """Keys come twice."""
    keys = pa.array([random.choice(("red", "n", "", "x")) for _ in range(2 * rows)])
    return pa.MapArray.from_arrays(range(0, 2 * rows + 1, 2), keys, any_column(random, 2 * rows))


def _coded(random: Random, rows: int) -> Any:
    return random.choice((_texts, _bad_texts, _wholes))(random, rows).dictionary_encode()


COLUMNS: dict[str, Callable[[Random, int], Any]] = {
    "texts": _texts, "bad texts": _bad_texts, "numbers": _numbers, "wholes": _wholes, "decimals": _decimals,
    "days": _days, "moments": _moments, "others": _others, "lists": _lists, "structs": _structs,
    "maps": _maps, "coded": _coded,
}  # fmt: skip


def any_table(seed: int, rows: int) -> Any:
    random = Random(seed)
    heads = random.sample(FIELDS, random.randint(1, 4))
    columns = {head: any_column(random, rows) for head in heads}
    if random.random() < 0.7:
        turns = pa.array([random.randrange(2 * rows) for _ in range(rows)])
        columns["turn"] = turns if random.random() < 0.6 else any_column(random, rows)
    return pa.table(columns)


@some_examples(150)
@given(seeds, st.integers(1, 12))
def test_parquet__columns_of_any_type(seed: int, rows: int) -> None:
    table = any_table(seed, rows)
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log.parquet"
        try:
            parquet.write_table(table, log, row_group_size=5)
        except (pa.ArrowException, OverflowError):
            return
        one_by_one = answered(log)
        found = answered(log, EngineName.COLUMNS)
        if not isinstance(found, str):
            assert found == one_by_one


@some_examples(150)
@given(seeds, st.integers(1, 12))
def test_frames__columns_of_any_type(seed: int, rows: int) -> None:
    """Of Arrow, and of pandas with its own types."""
    of = rules(FLAT)
    table = any_table(seed, rows)
    frames = [lambda: table, lambda: table.to_pandas()]
    for make in frames:
        try:
            frame = make()
        except (pa.ArrowException, ValueError, OverflowError, KeyError, TypeError):
            continue
        told = [_told(of, frame, engine) for engine in ("python", "auto")]
        assert told[0] == told[1]


ODD_CELLS = {
    "a signalling NaN": Decimal("sNaN"), "half a pair": "\ud800", "half a pair in JSON": '["\ud800"]',
    "a column": pd.Series([1, 2]), "an index": pd.Index([1]), "an array": pd.array([1, None]),
    "a period": pd.Period("2020"), "a type": int, "a class of texts": np.str_("red"),
}  # fmt: skip


@pytest.mark.parametrize("field", ["n", "text", "colour", "day", "state", "turn", "none"])
@pytest.mark.parametrize("cell", ODD_CELLS.values(), ids=ODD_CELLS)
def test_frames__odd_cells(cell: object, field: str) -> None:
    frame = pd.DataFrame({"turn": [1, 2], field: [None, 1]}, dtype=object)
    frame.at[0, field] = cell
    told = rules(FLAT).answer_frame(frame)
    assert len(told) == 2
    assert all((row["rejected"] is None) != pd.isna(row["many"]) for _, row in told.iterrows())


def _told(of: Ruleset, frame: Any, engine: str) -> object:
    try:
        told = of.answer_frame(frame, engine)
    except LogError as error:
        return str(error)
    assert len(told) == len(frame)
    assert all((row["rejected"] is None) != pd.isna(row["many"]) for _, row in told.iterrows())
    return [tuple(map(repr, row)) for row in told.itertuples(index=False)]


@pytest.mark.xdist_group("servers")
def test_spark__columns_that_no_record_can_have() -> None:
    needs_spark()
    from pyspark.sql.types import (
        BinaryType,
        DoubleType,
        IntegerType,
        MapType,
        StringType,
        StructField,
        StructType,
    )  # fmt: skip

    from tests.support.spark import spark_session

    schema = StructType(
        [
            StructField("turn", IntegerType()),
            StructField("n", DoubleType()),
            StructField("state", MapType(StringType(), DoubleType())),
            StructField("text", BinaryType()),
        ]
    )
    rows = [
        (1, float("nan"), None, None),
        (2, 1.0, None, b"\xff"),
        (3, 3.0, None, None),
        (4, None, {"n": 9.0}, None),
    ]
    frame = spark_session().createDataFrame(rows, schema)
    told = {row["turn"]: row["rejected"] for row in rules(FLAT).answer_spark(frame).collect()}
    assert told[3] is None and all(told[turn] for turn in (1, 2))
    assert len(told) == 4


@pytest.mark.xdist_group("servers")
@some_examples(30)
@given(seeds, st.integers(1, 12))
def test_spark__columns_of_any_type(seed: int, rows: int) -> None:
    """What becomes of them in Parquet; Spark promises no order, so a turn twice is no part of this."""
    needs_spark()
    from pyspark.errors import PySparkException
    from pyspark.sql.types import LongType

    from tests.support.spark import spark_session

    numbered = [name for name in any_table(seed, rows).column_names if name != "turn"]
    table = any_table(seed, rows).select(numbered).append_column("turn", pa.array(range(rows), pa.int64()))
    try:
        frame = spark_session().createDataFrame(table)
        held = frame.toArrow()
    except (PySparkException, pa.ArrowException, ValueError):
        return
    assert frame.schema["turn"].dataType == LongType()
    found = rules(FLAT).answer_spark(frame).select("turn", "many", "rejected").collect()
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log.parquet"
        parquet.write_table(held, log)
        one_by_one = answered(log)
    assert not isinstance(one_by_one, str)
    answers, rejects = ([json.loads(line) for line in lines.splitlines()] for lines in one_by_one)
    wanted = {row["turn"]: (row["answer"]["many"], None) for row in answers}
    for row in rejects:
        words = f"{row['path']}: found {row['found']}, wanted {row['wanted']}"
        wanted[row["turn"]] = (None, words + (f" ({row['note']})" if "note" in row else ""))
    assert {row["turn"]: (row["many"], row["rejected"]) for row in found} == wanted


# -- bytes -------------------------------------------------------------------------------------


def sound(folder: Path, kind: str) -> Path:
    """A small log of records that can be answered."""
    file = folder / f"log.{kind}"
    rows = [{"turn": n, "n": n % 4, "colour": ("red", "blue")[n % 2], "text": f"t{n}"} for n in range(40)]
    lines = b"".join(
        json.dumps({"turn": row.pop("turn"), "state": row}).encode() + b"\n"
        for row in [dict(r) for r in rows]
    )
    cells = "turn,n,colour,text\n" + "".join(",".join(map(str, row.values())) + "\n" for row in rows)
    match kind:
        case "jsonl":
            file.write_bytes(lines)
        case "jsonl.gz":
            file.write_bytes(gzip.compress(lines, mtime=0))
        case "csv":
            file.write_text(cells)
        case "csv.gz":
            file.write_bytes(gzip.compress(cells.encode(), mtime=0))
        case "parquet":
            parquet.write_table(pa.Table.from_pylist(rows), file, row_group_size=10)
        case _:
            book = openpyxl.Workbook()
            for cells_of in (list(rows[0]), *(list(row.values()) for row in rows)):
                book.active.append(cells_of)
            book.save(file)
    return file


def spoilt(raw: bytes, random: Random) -> bytes:
    """Cut, doubled, or with some other bytes in it."""
    found = bytearray(raw)
    for _ in range(random.randint(1, 3)):
        at, length = random.randrange(len(found) + 1), random.choice((1, 2, 9, 60))
        match random.randrange(6):
            case 0:
                del found[at:]
            case 1:
                del found[at : at + length]
            case 2:
                found[at:at] = found[at : at + length] * 3
            case 3:
                found[at:at] = random.choice((b'"', b"\0", b"\xff", b"\r", b"[" * 40, b"\xef\xbb\xbf", b"'"))
            case 4:
                found[at:at] = random.randbytes(length)
            case _:
                found[at : at + length] = random.randbytes(length)
    return bytes(found)


KINDS = ("jsonl", "jsonl.gz", "csv", "csv.gz", "parquet", "xlsx")


@pytest.mark.parametrize(
    ("column", "path"), [(1, "turn"), (2, "state.n"), (3, "state.text"), (4, "$"), (6, "$")]
)
def test_excel__a_cell_that_cannot_be_read_is_named(column: int, path: str, tmp_path: Path) -> None:
    """Beyond the columns that have names the row is said."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["turn", "state.n", "state.text"])
    sheet.append([1, 2, "a"])
    sheet.cell(2, column, "#DIV/0!").data_type = "e"
    book.save(tmp_path / "log.xlsx")
    found = answered(tmp_path / "log.xlsx")
    assert not isinstance(found, str) and found[0] == b""
    (reject,) = found[1].splitlines()
    assert json.loads(reject)["path"] == path and b"the error #DIV/0!" in reject


@pytest.mark.parametrize("kind", KINDS)
@some_examples(60)
@given(seed=seeds)
def test_bytes_that_are_spoilt(kind: str, seed: int) -> None:
    random = Random(seed)
    with TemporaryDirectory() as folder:
        log = sound(Path(folder), kind)
        log.write_bytes(spoilt(log.read_bytes(), random))
        one_by_one = answered(log)
        if kind in ("csv", "parquet"):
            found = answered(log, EngineName.COLUMNS)
            assert isinstance(found, str) or isinstance(one_by_one, str) or found == one_by_one


@pytest.mark.parametrize("engine", ENGINES)
def test_parquet__each_byte_of_a_column_of_texts(engine: EngineName, tmp_path: Path) -> None:
    """Texts stand there once, and rows have their numbers: a number may be that of no text."""
    log = tmp_path / "log.parquet"
    table = pa.table({"n": [1, 2, 3], "text": ["a", "b", "c"], "colour": ["red", "blue", "green"]})
    parquet.write_table(table, log, compression="none")
    raw, damaged = log.read_bytes(), 0
    for column in (1, 2):
        chunk = parquet.read_metadata(log).row_group(0).column(column)
        start = chunk.dictionary_page_offset
        for at in range(start, start + chunk.total_compressed_size):
            log.write_bytes(raw[:at] + bytes([raw[at] ^ 0xFF]) + raw[at + 1 :])
            found = answered(log, engine)
            damaged += isinstance(found, str) and "it is damaged" in found
        log.write_bytes(raw)
    assert damaged


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "raw", [b"", b"\x1f\x8b", b"\x1f\x8b\x08\0", b"PAR1", b"PK\x03\x04", b"\xff\xfe{\0", b"\0" * 99]
)
def test_another_kind_of_file(kind: str, raw: bytes, tmp_path: Path) -> None:
    log = tmp_path / f"log.{kind}"
    log.write_bytes(raw)
    found = answered(log)
    assert isinstance(found, str) or kind.startswith("jsonl")


# -- what it takes -----------------------------------------------------------------------------


MEASURED = {
    "jsonl": ("unknown names", "doubled key last", "unknown keys", "texts that double", "brackets within"),
    "csv": ("a wide line", "a long line", "an open quote", "cells of JSON"),
    "parquet": ("a long text in every row", "long texts in lists", "a list of nulls", "packed pages"),
    "packed": ("packed: a long line", "packed: brackets"),
    "xlsx": ("a long cell", "wide rows"),
}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="what a process takes is asked of Linux")
@pytest.mark.parametrize(
    ("kind", "name"), swept((kind, name) for kind, names in MEASURED.items() for name in names)
)
def test_what_a_file_takes(kind: str, name: str, record_property: Callable[[str, object], None]) -> None:
    told = hostile.measured(kind, name, 2.0 if kind == "jsonl" else 1.0)
    record_property("seconds", told.seconds)
    record_property("megabytes", told.megabytes)
    assert not hostile.is_wrong(told), told
    assert told.reject_bytes < LONGEST_REJECT


@pytest.mark.skipif(sys.platform != "linux", reason="what a process takes is asked of Linux")
def test_long_texts_are_not_kept_by_columns() -> None:
    told = hostile.measured("parquet", "texts that begin alike", 8.0, ("--engine", "columns"))
    assert not hostile.is_wrong(told), told


@pytest.mark.skipif(sys.platform != "linux", reason="what a process takes is asked of Linux")
@pytest.mark.parametrize("name", swept(("doubled key last", "unknown names", "unknown keys")))
def test_twice_the_file_takes_about_twice_the_time(name: str) -> None:
    """In processor time, and as far as a line may be long."""
    found = hostile.grown("jsonl", name, 4.0)
    assert found.times <= hostile.MOST_GROWTH, found


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "PLAIN"])
@pytest.mark.parametrize("engine", ENGINES)
def test_parquet__texts_however_they_are_kept(encoding: str, engine: EngineName, tmp_path: Path) -> None:
    log = tmp_path / "log.parquet"
    table = pa.table({"n": [5, 5], "colour": ["blue", "blues"], "text": ["abc", "abd"]})
    texts = dict.fromkeys(("colour", "text"), encoding)
    parquet.write_table(table, log, use_dictionary=False, column_encoding=texts)
    answers, rejects = answered(log, engine)
    assert b'{"many": true' in answers and b"blues" in rejects
