"""A timestamp at midnight is that day where a date is wanted, whatever it comes from; any other is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from dtables.checker import check_book
from dtables.cli import main
from dtables.diagnostics import render
from dtables.records.findings import RecordError
from dtables.ruleset import Ruleset
from dtables.spreadsheet.writer import write_sheet
from tests.support.drawing import book_text, write_book
from tests.support.spark import spark_session

BOOK = """
# Sheet: Rules

Input: state
  field | type
  day | date
  moment | date and time?

Ask: pick ; main: yes
  role | name | is
  need | day |
  answer | late | day >= @"2026-06-01"
"""

EARLY, LATE = datetime(2026, 5, 31), datetime(2026, 6, 1)
NOON = datetime(2026, 6, 1, 12)
TOLD = [False, True, None]
"""Of the three of them; None: rejected."""


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    book, found = book_text(BOOK)
    model, more = check_book(book)
    assert model is not None, render((*found, *more))
    return Ruleset(model)


MIDNIGHTS = (LATE, date(2026, 6, 1), "2026-06-01", "2026-06-01T00:00:00", "2026-06-01T00:00:00.000",
             "2026-05-31T24:00:00", pd.Timestamp(LATE))  # fmt: skip
OTHERS = (NOON, LATE.replace(tzinfo=UTC), "2026-06-01T00:00:01", "2026-06-01T00:00:00Z", "00:00:00",
          "2026-06-01T00:00:00+02:00", "2026-06-01T00:00:00@Europe/Rome", "2026-06-01 00:00:00",
          "2026-06-01T00:00:00.000000001", pd.Timestamp("2026-06-01T00:00:00.000000001"), pd.NaT,
          "2026-06-01T00:00")  # fmt: skip


@pytest.mark.parametrize("given", MIDNIGHTS, ids=str)
def test_midnights(rules: Ruleset, given: object) -> None:
    for answer in (rules.answer, rules.evaluator.answer):
        assert answer(None, {"day": given}) == {"late": True}


@pytest.mark.parametrize("given", OTHERS, ids=str)
def test_what_is_no_midnight_or_somebodys(rules: Ruleset, given: object) -> None:
    for answer in (rules.answer, rules.evaluator.answer):
        with pytest.raises(RecordError) as error:
            answer(None, {"day": given})
        assert (error.value.path, error.value.wanted) == ("state.day", "date")


def _csv(path: Path) -> Iterator[Path]:
    rows = "".join(f"{turn},{moment.isoformat()}\n" for turn, moment in enumerate((EARLY, LATE, NOON), 1))
    yield _written(path / "log.csv", f"turn,day\n{rows}")


def _lines(path: Path) -> Iterator[Path]:
    states = [{"turn": n, "state": {"day": m.isoformat()}} for n, m in enumerate((EARLY, LATE, NOON), 1)]
    yield _written(path / "log.jsonl", "".join(f"{json.dumps(state)}\n" for state in states))


def _sheets(path: Path) -> Iterator[Path]:
    for number, form in enumerate(("YYYY-MM-DD", "YYYY-MM-DD HH:MM")):
        import openpyxl

        book = openpyxl.Workbook()
        book.active.append(["turn", "day"])
        for turn, moment in enumerate((EARLY, LATE, NOON), 1):
            book.active.append([turn, moment])
            book.active.cell(turn + 1, 2).number_format = form
        book.save(path / f"log{number}.xlsx")
        yield path / f"log{number}.xlsx"


def _parquet(path: Path) -> Iterator[Path]:
    for unit in ("s", "ms", "us", "ns"):
        for nested in (False, True):
            file = path / f"log_{unit}_{nested}.parquet"
            days = pa.array([EARLY, LATE, NOON], pa.timestamp(unit))
            state = pa.StructArray.from_arrays([days], ["day"])
            pq.write_table(pa.table({"state": state} if nested else {"day": days}), file)
            yield file


def _written(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("source", [_csv, _lines, _sheets, _parquet])
@pytest.mark.parametrize("engine", ["python", "columns"])
def test_in_every_kind_of_log(tmp_path: Path, source: Callable[[Path], Iterator[Path]], engine: str) -> None:
    book = tmp_path / "book.xlsx"
    write_book(BOOK, book)
    for log in source(tmp_path):
        if engine != "python" and source in (_lines, _sheets):
            continue
        out = tmp_path / f"{log.name}.{engine}.jsonl"
        CliRunner().invoke(main, ["eval", str(book), str(log), "-o", str(out), "--engine", engine])
        told = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        assert [(one["turn"], one["answer"]["late"]) for one in told] == [(1, False), (2, True)], log
        rejects = out.with_name(f"{log.name}.{engine}.rejected.jsonl").read_text("utf-8")
        assert json.loads(rejects)["path"] == "state.day"


MOMENTS = pd.Series([EARLY, LATE, NOON])
FRAMES: dict[str, Any] = {
    "datetime64[s]": MOMENTS.astype("datetime64[s]"),
    "datetime64[ns]": MOMENTS.astype("datetime64[ns]"),
    "objects": pd.Series([pd.Timestamp(EARLY), LATE, NOON], dtype=object),
    "dates among them": pd.Series([EARLY.date(), LATE.date(), NOON], dtype=object),
    "texts": pd.Series([moment.isoformat() for moment in (EARLY, LATE, NOON)]),
    "Arrow": pd.Series(pa.array([EARLY, LATE, NOON], pa.timestamp("us"))).astype("timestamp[us][pyarrow]"),
}


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("engine", ["python", "columns"])
def test_in_every_kind_of_frame(rules: Ruleset, name: str, engine: str) -> None:
    told = rules.answer_frame(pd.DataFrame({"day": FRAMES[name]}), engine)
    assert [None if pd.isna(late) else bool(late) for late in told["late"]] == TOLD
    midnights = rules.answer_frame(pd.DataFrame({"day": FRAMES[name][:2]}), engine)
    assert list(midnights["late"]) == TOLD[:2] and midnights["rejected"].isna().all()


def test_in_frames_with_zones_and_gaps(rules: Ruleset) -> None:
    zoned = pd.Series([EARLY, LATE]).dt.tz_localize("UTC")
    gaps = pd.Series([EARLY, pd.NaT])
    beyond = pd.Series(pa.array([2_932_897, -800_000, 0], pa.date32())).astype("date32[pyarrow]")
    for engine in ("python", "columns"):
        assert rules.answer_frame(pd.DataFrame({"day": zoned}), engine)["late"].isna().all()
        assert rules.answer_frame(pd.DataFrame({"day": gaps}), engine)["late"].tolist() == [False, pd.NA]
        if engine == "columns":
            told = rules.answer_frame(pd.DataFrame({"day": beyond[2:]}), engine)
            assert told["late"].tolist() == [False]


def test_in_a_frame_of_spark(rules: Ruleset) -> None:
    session = spark_session()
    moments = [(f"{moment:%Y-%m-%d %H:%M:%S}",) for moment in (EARLY, LATE, NOON)]
    frame = session.createDataFrame(moments, ["day"])
    for kind, told in (("timestamp_ntz", TOLD), ("date", [False, True, True]), ("timestamp", [None] * 3)):
        rows = rules.answer_spark(
            frame.selectExpr("row_number() over (order by day) as turn", f"cast(day as {kind})")
        )
        assert [row["late"] for row in rows.orderBy("turn").collect()] == told


def test_a_moment_stays_a_moment(rules: Ruleset, tmp_path: Path) -> None:
    """Where a date and time is wanted, the day alone is its midnight."""
    told = rules.answer_frame(pd.DataFrame({"day": [LATE] * 2, "moment": [LATE, NOON]}))
    assert told["rejected"].isna().all()
    write_sheet(
        tmp_path / "log.xlsx", "turns", ("turn", "day", "moment"), iter([(1, LATE.date(), LATE.date())])
    )
    write_book(BOOK, tmp_path / "book.xlsx")
    result = CliRunner().invoke(main, ["eval", str(tmp_path / "book.xlsx"), str(tmp_path / "log.xlsx")])
    assert result.exit_code == 0, result.output
