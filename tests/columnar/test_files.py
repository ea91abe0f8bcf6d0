"""Parquet logs by columns and record by record: the same tables, the same rejects, also after a break."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtables.answers.engines import CompiledEngine, compiled_engine
from dtables.answers.parts import RunStart
from dtables.answers.run import OnCores, Strategy, answer_into, rejects_path
from dtables.columnar import Why, flat_engine
from dtables.columnar.log import columns_of_log
from dtables.columnar.output import IntoColumns
from dtables.logs.files import Log, find_log
from dtables.ruleset import Ruleset
from tests.agreement import worlds
from tests.agreement.frames import any_frame
from tests.columnar.test_frames import QUICK, ruleset
from tests.support.limits import limited


def by_columns(rules: Ruleset, log: Log) -> IntoColumns:
    columns = columns_of_log(log, rules.model, flat_engine(rules.model, rules.source))
    assert not isinstance(columns, Why), columns
    return IntoColumns(columns)


def answered(rules: Ruleset, log: Log, out: Path, way: Strategy) -> tuple[pa.Table, str, str]:
    counts = answer_into(compiled_engine(rules.model, rules.source), log, out, manner=way)
    rejects = rejects_path(out).read_text() if rejects_path(out).exists() else ""
    return pq.read_table(out), rejects, str(counts)


def written(frame: pd.DataFrame, path: Path, rows: int) -> bool:
    try:
        table = pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, OverflowError):
        return False
    pq.write_table(table, path, row_group_size=rows)
    return True


@QUICK
@given(worlds.flat_decision(), worlds.flat_ask(), any_frame(), st.integers(1, 50), st.booleans())
def test_files(decision: str, ask: str, frame: pd.DataFrame, rows: int, checked: bool) -> None:
    rules = ruleset(decision, ask, worlds.FLAT_CHECKS if checked else "")
    with TemporaryDirectory() as folder:
        place = Path(folder)
        if not written(frame, place / "log.parquet", rows):
            return
        log = find_log(place / "log.parquet", rules.model)
        wanted = answered(rules, log, place / "one.parquet", OnCores(1))
        found = answered(rules, log, place / "two.parquet", by_columns(rules, log))
        assert found[1:] == wanted[1:]
        assert found[0].schema == wanted[0].schema
        assert found[0].equals(wanted[0])


def nested(frame: pd.DataFrame, chance: Random) -> pa.Table | None:
    """Columns of records as structs, or the whole state as one; now and then there is none."""
    heads = [name for name in frame if name != "turn"]
    try:
        columns = {name: spelled_out(pa.array(frame[name], from_pandas=True)) for name in frame}
    except (pa.ArrowException, OverflowError):
        return None
    inside = [name for name in heads if name.startswith("chest.")]
    if "chest" in heads or "toy" in heads or not heads or not len(frame):
        return None
    made = {name: columns[name] for name in heads if name not in inside}
    if inside:
        made["chest"] = struct(chance, {name.removeprefix("chest."): columns[name] for name in inside})
    if chance.random() < 0.6:
        made = {"state": struct(chance, made)}
    turns = {"turn": columns["turn"]} if "turn" in columns else {}
    return pa.table({**turns, **made})


def spelled_out(array: pa.Array) -> pa.Array:
    """Arrow does not read dictionaries inside structs again."""
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def struct(chance: Random, fields: dict[str, pa.Array]) -> pa.Array:
    count = len(next(iter(fields.values())))
    missing = [chance.random() < 0.1 for _ in range(count)]
    return pa.StructArray.from_arrays(list(fields.values()), list(fields), mask=pa.array(missing))


@QUICK
@given(worlds.flat_decision(), worlds.flat_ask(), any_frame(), st.randoms(use_true_random=False))
def test_structs(decision: str, ask: str, frame: pd.DataFrame, chance: Random) -> None:
    rules = ruleset(decision, ask)
    table = nested(frame, chance)
    if table is None:
        return
    with TemporaryDirectory() as folder:
        place = Path(folder)
        pq.write_table(table, place / "log.parquet", row_group_size=7)
        log = find_log(place / "log.parquet", rules.model)
        wanted = answered(rules, log, place / "one.parquet", OnCores(1))
        assert answered(rules, log, place / "two.parquet", by_columns(rules, log)) == wanted


def test_structs_are_answered_at_once(tmp_path: Path) -> None:
    rules = ruleset(RULES, ASK)
    state = [{"spare": 1, "wish": "red", "level": 2}, {"spare": 5, "wish": "green", "level": 3}, None, {}]
    pq.write_table(pa.table({"state": pa.array(state)}), tmp_path / "log.parquet")
    log = find_log(tmp_path / "log.parquet", rules.model)
    (source,) = by_columns(rules, log).columns.sources
    (batch,) = source.batches(0, 0, 0)
    read = batch.form.column(batch.columns[1], batch.arrays[1])
    assert sorted(read.cells) == [("level",), ("spare",), ("wish",)] and source.slow == ()
    assert read.doubtful is not None and read.doubtful.tolist() == [False, False, True, False]


def test_an_empty_text_in_a_struct_is_a_text(tmp_path: Path) -> None:
    """Where a column of its own has nothing."""
    rules = ruleset(RULES, ASK)
    state = [{"spare": 1, "wish": "", "level": 2}, {"spare": 1, "wish": "red", "level": 2}]
    pq.write_table(pa.table({"state": pa.array(state)}), tmp_path / "log.parquet")
    log = find_log(tmp_path / "log.parquet", rules.model)
    _, rejects, counts = answered(rules, log, tmp_path / "out.parquet", by_columns(rules, log))
    assert (json.loads(rejects)["path"], counts) == ("state.wish", "2 records: 1 answered, 1 rejected")


def test_a_struct_beside_a_part_of_it_is_not_read_by_columns(tmp_path: Path) -> None:
    rules = ruleset(RULES, ASK)
    pq.write_table(pa.table({"state": pa.array([{"spare": 1}]), "wish": ["red"]}), tmp_path / "log.parquet")
    log = find_log(tmp_path / "log.parquet", rules.model)
    why = columns_of_log(log, rules.model, flat_engine(rules.model, rules.source))
    assert isinstance(why, Why) and "`wish` beside `state`" in why.reason


RULES = """
Decision: tried ; policy: first
  if | if | then
  spare | wish | out
  < 3 | red | 1
  - | green | level
  - | - | 2
"""
ASK = "Ask: turn ; main: yes\n  role | name | is\n  answer | out | tried\n  answer | wished | wish"


def a_log(place: Path, turns: list[int] | None = None) -> pd.DataFrame:
    chance = Random(3)
    made = pd.DataFrame(
        {
            "spare": [chance.choice([1, 2, 3, 4]) for _ in range(300)],
            "wish": [chance.choice(["red", "green", "Blue", "violet"]) for _ in range(300)],
            "level": [chance.choice([1, 2, 12]) for _ in range(300)],
        }
    )
    if turns is not None:
        made.insert(0, "turn", turns)
    made.to_parquet(place, row_group_size=20, index=False)
    return made


class Broken(Exception):
    pass


@pytest.mark.parametrize(
    "turns", [None, list(range(300)), [n % 250 for n in range(300)]], ids=["no turns", "rising", "some twice"]
)
@limited(batch_rows=7, rows_per_note=15)
def test_a_run_that_broke_off_goes_on(turns: list[int] | None, tmp_path: Path) -> None:
    rules = ruleset(RULES, ASK)
    a_log(tmp_path / "log.parquet", turns)
    log = find_log(tmp_path / "log.parquet", rules.model)
    wanted = answered(rules, log, tmp_path / "one.parquet", OnCores(1))
    out, chance = tmp_path / "two.parquet", Random(1)
    engine = compiled_engine(rules.model, rules.source)

    def broken_off(_records: int, _bytes: int) -> None:
        if chance.random() < 0.05:
            raise Broken

    for _ in range(100):
        try:
            answer_into(engine, log, out, RunStart.CONTINUED, by_columns(rules, log), broken_off)
            break
        except Broken:
            assert not out.exists()
    rejects = rejects_path(out).read_text()
    assert (pq.read_table(out), rejects) == wanted[:2]


def test_rows_without_turns_are_their_own(tmp_path: Path) -> None:
    rules = ruleset(RULES, ASK)
    frame = a_log(tmp_path / "log.parquet")
    log = find_log(tmp_path / "log.parquet", rules.model)
    table, rejects, counts = answered(rules, log, tmp_path / "out.parquet", by_columns(rules, log))
    bad = [json.loads(line)["turn"] for line in rejects.splitlines()]
    assert bad == [n + 1 for n, row in frame.iterrows() if row.wish == "violet" or row.level == 12]
    assert table["turn"].to_pylist() == [n for n in range(1, 301) if n not in bad]
    assert counts == f"300 records: {300 - len(bad)} answered, {len(bad)} rejected"


def test_a_column_that_says_more_is_no_column_of_the_state(tmp_path: Path) -> None:
    rules = ruleset(RULES, ASK)
    frame = a_log(tmp_path / "log.parquet")
    frame.assign(game="x").to_parquet(tmp_path / "log.parquet")
    log = find_log(tmp_path / "log.parquet", rules.model)
    flat = flat_engine(rules.model, rules.source)
    assert "`game`" in str(columns_of_log(log, rules.model, flat))
    assert isinstance(compiled_engine(rules.model, rules.source), CompiledEngine)
