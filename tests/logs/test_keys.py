"""Keys of a map, and of a record whose fields are names of a vocabulary: by id, label or spelling, from every
source."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import dtables
from dtables.answers.engines import compiled_engine
from dtables.audit.audit import Auditor
from dtables.cli import main
from dtables.records.findings import RecordError
from dtables.ruleset import Ruleset
from tests.support.drawing import write_book
from tests.support.spark import spark_session

BOOK = """
Types: words
  name | names
  cult | fire, water, deep_sea
  side | north, south

Glossary: words
  kind | id | label it | label en | also
  cult | fire | Fuoco | Fire | blaze
  cult | water | Acqua | Water | wet
  cult | deep_sea | Mare profondo | Deep sea | wet
  side | north | nord | north |
  side | south | sud | south |

Record: levels
  field | type | default
  fire | whole number | needed
  water | whole number | 0
  deep_sea | whole number | 0
  coins | whole number | 0

Input: state
  field | type | default
  cults | levels | {fire: 1}
  stock | whole number by cult | {}
  north | whole number | 0
  south | whole number | 0

Ask: turn ; main: yes
  role | name | is
  answer | fire | cults.fire
  answer | sea | cults.deep_sea
  answer | coins | cults.coins
  answer | stock | stock(fire)
  answer | cults | cults

Ask: asked
  role | name | is
  need | cults.water |
  answer | water | cults.water
"""
SPELLED = [
    {"fire": 7, "deep_sea": 2, "coins": 3},
    {"Fuoco": 7, "Mare profondo": 2, "coins": 3},
    {"FIRE": 7, "deep sea": 2, "coins": 3},
    {"blaze": 7, "mare PROFONDO": 2, "coins": 3},
    {"fire": 7, "Fuoco": None, "Deep Sea": 2, "coins": 3},
]
WRONG: list[tuple[dict[str, Any], str, str, str]] = [
    ({"fire": 7, "Fuoco": 7}, "state.cults.Fuoco", '"Fuoco" twice', "each name once"),
    ({"Fuocco": 7}, "state.cults.Fuocco", 'the unknown key "Fuocco"', 'a key; did you mean "Fuoco"?'),
    ({"xyz": 7}, "state.cults.xyz", 'the unknown key "xyz"', "one of fire, water, deep_sea, coins"),
    ({"wet": 7}, "state.cults.wet", '"wet", which names water and deep_sea', "one of them by its id"),
    ({"Fuoco": "7"}, "state.cults.Fuoco", '"7"', "whole number"),
    ({"Monete": 7}, "state.cults.Monete", 'the unknown key "Monete"', "one of fire, water, deep_sea, coins"),
]
WANTED = {"fire": 7, "sea": 2, "coins": 3}
each_spelling = pytest.mark.parametrize("cults", SPELLED)
each_mistake = pytest.mark.parametrize(("cults", "path", "found", "wanted"), WRONG)
each_engine = pytest.mark.parametrize("engine", ["compiled", "evaluator"])


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "cults.xlsx"
    write_book(BOOK, path)
    return path


@pytest.fixture(scope="module")
def rules(book: Path) -> Ruleset:
    return dtables.load(book)


def answering(rules: Ruleset, engine: str) -> Callable[[str, object], dict[str, Any]]:
    return rules.answer if engine == "compiled" else rules.evaluator.answer


def main_part(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: answer[name] for name in WANTED}


@each_spelling
@each_engine
def test_a_key_is_read_as_a_name_is(rules: Ruleset, engine: str, cults: dict[str, Any]) -> None:
    answer = answering(rules, engine)("turn", {"cults": cults})
    assert main_part(answer) == WANTED
    assert answer["cults"] == {"fire": 7, "water": 0, "deep_sea": 2, "coins": 3}


@each_mistake
@each_engine
def test_what_is_wrong_with_a_key(
    rules: Ruleset, engine: str, cults: dict[str, Any], path: str, found: str, wanted: str
) -> None:
    with pytest.raises(RecordError) as error:
        answering(rules, engine)("turn", {"cults": cults})
    assert (error.value.path, error.value.found, error.value.wanted) == (path, found, wanted)


@each_engine
def test_a_map_likewise(rules: Ruleset, engine: str) -> None:
    answer = answering(rules, engine)
    assert answer("turn", {"stock": {"Fuoco": 4}})["stock"] == 4
    for stock, found in (
        ({"Fuoco": 4, "blaze": 4}, '"blaze" twice'),
        ({"wet": 1}, '"wet", which names water and deep_sea'),
    ):
        with pytest.raises(RecordError) as error:
            answer("turn", {"stock": stock})
        assert error.value.found == found


@each_engine
def test_the_state_is_no_map(rules: Ruleset, engine: str) -> None:
    """Its fields happen to be all the names of `side`."""
    with pytest.raises(RecordError) as error:
        answering(rules, engine)("turn", {"nord": 1})
    assert error.value.found == 'the unknown key "nord"'


@each_engine
def test_a_need_is_met_by_a_label(rules: Ruleset, engine: str) -> None:
    answer = answering(rules, engine)
    assert answer("asked", {"cults": {"Fuoco": 1, "Acqua": 2}}) == {"water": 2}
    for cults in ({"Fuoco": 1}, {"Fuoco": 1, "Acqua": None}):
        with pytest.raises(RecordError) as error:
            answer("asked", {"cults": cults})
        assert (error.value.path, error.value.found) == ("state.cults.water", "nothing")


@each_spelling
def test_what_is_explained(rules: Ruleset, cults: dict[str, Any]) -> None:
    answer = rules.evaluator.explain_sound("turn", {"cults": cults}).answer
    assert answer is not None and main_part(answer) == WANTED


def test_what_was_played_may_be_spelled_so_too(rules: Ruleset) -> None:
    answer = rules.answer("turn", {"cults": {"fire": 7, "deep_sea": 2}})
    comparison = Auditor(compiled_engine(rules.model, rules.source), rules.model).teller.comparison
    played = {"cults": {"Fuoco": 7, "Mare profondo": 2, "water": 0, "coins": 0}}
    assert not [*comparison.differences("turn", played, answer)]
    assert [*comparison.differences("turn", {"cults": {"Fuoco": 6}}, answer)]


# -- sources -----------------------------------------------------------------------------------


def logged(book: Path, log: Path, *options: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    out = log.with_name("out.jsonl")
    done = CliRunner().invoke(main, ["eval", str(book), str(log), "-o", str(out), *options])
    assert done.exit_code in (0, 1), done.output
    answers, rejects = ([], []) if not out.exists() else (_lines(out), [])
    beside = out.with_name("out.rejected.jsonl")
    return answers, _lines(beside) if beside.exists() else rejects


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def agreeing(answers: list[dict[str, Any]], rejects: list[dict[str, Any]]) -> None:
    """Each spelling is answered, each mistake rejected at its path."""
    assert [main_part(one["answer"]) for one in answers] == [WANTED] * len(SPELLED)
    assert [(one["path"], one["found"]) for one in rejects] == [(path, found) for _, path, found, _ in WRONG]


ROWS = [*SPELLED, *(cults for cults, *_ in WRONG)]


def test_lines(book: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    records = [{"turn": n, "state": {"cults": cults}} for n, cults in enumerate(ROWS)]
    log.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    agreeing(*logged(book, log))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_cells_with_json(book: Path, tmp_path: Path, ending: str) -> None:
    frame = pd.DataFrame({"turn": range(len(ROWS)), "cults": [json.dumps(cults) for cults in ROWS]})
    log = tmp_path / f"log.{ending}"
    frame.to_csv(log, index=False) if ending == "csv" else frame.to_parquet(log)
    agreeing(*logged(book, log))


@pytest.mark.parametrize("engine", ["python", "auto"])
@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
def test_columns_for_each_key(book: Path, tmp_path: Path, ending: str, engine: str) -> None:
    """A head spells a key; its cells are read by the field's type."""
    heads = ["Fuoco", "deep sea", "coins"]
    frame = pd.DataFrame(
        {"turn": [1], **{f"cults.{head}": [n] for head, n in zip(heads, (7, 2, 3), strict=True)}}
    )
    log = tmp_path / f"log.{ending}"
    writer = {"csv": frame.to_csv, "parquet": frame.to_parquet, "xlsx": frame.to_excel}[ending]
    writer(log, index=False)
    answers, rejects = logged(book, log, "--engine", engine)
    assert [main_part(one["answer"]) for one in answers] == [WANTED] and not rejects


def test_structs_of_parquet(book: Path, tmp_path: Path) -> None:
    cults = pa.array([{"Fuoco": 7, "Mare profondo": 2, "coins": 3}])
    pq.write_table(pa.table({"turn": pa.array([1]), "cults": cults}), tmp_path / "log.parquet")
    answers, rejects = logged(book, tmp_path / "log.parquet")
    assert [main_part(one["answer"]) for one in answers] == [WANTED] and not rejects


@pytest.mark.parametrize("engine", ["python", "columns"])
def test_frames(rules: Ruleset, engine: str) -> None:
    frame = pd.DataFrame({"cults.Fuoco": [7, 7], "cults.Deep sea": [2, 2], "cults.coins": [3, 3]})
    told = rules.answer_frame(frame, "python" if engine == "python" else "auto")
    assert [main_part(row) for row in told.to_dict("records")] == [WANTED] * 2
    told = rules.answer_frame(pd.DataFrame({"cults": ROWS}), "python")
    assert told["rejected"].notna().tolist() == [False] * len(SPELLED) + [True] * len(WRONG)


@pytest.mark.xdist_group("servers")
def test_spark(rules: Ruleset) -> None:
    frame = spark_session().createDataFrame(
        [{"turn": n, "cults": json.dumps(cults)} for n, cults in enumerate(ROWS)]
    )
    told = sorted(rules.answer_spark(frame).collect(), key=lambda row: row["turn"])
    assert [row["fire"] for row in told] == [7] * len(SPELLED) + [None] * len(WRONG)
    assert all(
        f"found {found}" in row["rejected"] for row, (_, _, found, _) in zip(told[5:], WRONG, strict=True)
    )
