"""Logs and answers as tables: nothing is coerced on the way in, nothing can run on the way out."""

from __future__ import annotations

import csv
import gzip
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow
import pytest
from pyarrow import parquet

from dtables.answers.engines import EngineName, compiled_engine
from dtables.answers.output import finish_for
from dtables.answers.run import answer_into, rejects_path
from dtables.choosing import EngineRequest, choose
from dtables.logs.columns import LogColumn, columns_of, path_of
from dtables.logs.csv import read_csv_chunks
from dtables.logs.files import find_log
from dtables.logs.jsonlines import LogError
from dtables.records.json import LogLine
from dtables.ruleset import Ruleset, load
from tests.support.drawing import write_book

TABLES = Path(__file__).parents[2] / "tables"
BOOK, SAMPLE = TABLES / "architects.xlsx", TABLES / "architects.sample.jsonl"


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load(BOOK)


def csv_lines(rules: Ruleset, tmp_path: Path, text: str) -> list[LogLine]:
    path = tmp_path / "log.csv"
    path.write_text(text, encoding="utf-8")
    return [line for chunk in read_csv_chunks(path, rules.model) for line in chunk.lines()]


def sample() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def answers(rules: Ruleset, log: Path, out: Path) -> bytes:
    engine = compiled_engine(rules.model, rules.source)
    answer_into(engine, find_log(log, rules.model), out)
    return out.read_bytes()


def as_csv(path: Path, columns: list[str], rows: list[list[str]], separator: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=separator).writerows([columns, *rows])
    return path


def flat(state: dict[str, Any], prefix: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in state.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = value if isinstance(value, str) else json.dumps(value)
    return found


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_log_as_csv_gives_the_same_answers(rules: Ruleset, tmp_path: Path, separator: str) -> None:
    expected = answers(rules, SAMPLE, tmp_path / "expected.jsonl")
    records = sample()
    cells = [[str(r["turn"]), r.get("ask", ""), json.dumps(r["state"])] for r in records]
    whole = as_csv(tmp_path / "whole.csv", ["turn", "ask", "state"], cells, separator)
    states = [flat(r["state"]) for r in records]
    heads = list(dict.fromkeys(key for state in states for key in state))
    rows = [[c[0], c[1], *(s.get(h, "") for h in heads)] for c, s in zip(cells, states, strict=True)]
    wide = as_csv(tmp_path / "flat.csv", ["turn", "ask", *heads], rows, separator)
    packed = tmp_path / "packed.csv.gz"
    packed.write_bytes(gzip.compress(wide.read_bytes()))
    for log in (whole, wide, packed):
        assert answers(rules, log, tmp_path / "out.jsonl") == expected


@pytest.mark.parametrize(
    ("head", "cell", "value"),
    [
        ("shields_opponent", "5", 5),
        ("shields_opponent", "05", "05"),
        ("shields_opponent", "5 ", "5 "),
        ("shields_opponent", "3,7", "3,7"),
        ("shields_opponent", "3.70", Decimal("3.70")),
        ("shields_opponent", "NaN", "NaN"),
        ("no_such_field", "5", "5"),
        ("top_player", "Oro", "Oro"),
    ],
)
def test_the_declared_type_reads_a_cell(
    rules: Ruleset, tmp_path: Path, head: str, cell: str, value: object
) -> None:
    path = as_csv(tmp_path / "log.csv", ["turn", f"state.{head}"], [["1", cell]])
    (line,) = csv_lines(rules, tmp_path, path.read_text(encoding="utf-8"))
    assert line.record is not None
    read = line.record["state"][head]
    assert read == value and type(read) is type(value)


def test_rows_that_are_no_records_are_rejects_with_their_line(rules: Ruleset, tmp_path: Path) -> None:
    text = 'turn,state\n1,"{""a"": \n1}"\n,\n2\n3,"{""a"": 1, ""a"": 2}"\n'
    lines = csv_lines(rules, tmp_path, text)
    assert [(line.number, line.record is None) for line in lines] == [(2, False), (5, True), (6, True)]
    assert [line.finding.found for line in lines if line.finding] == ["a row of 1 cells", 'the key "a" twice']


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("turn,turn\n1,2\n", 'two columns are called "turn"'),
        ("number,state\n1,{}\n", 'no column is called `turn`, but "number", "state"'),
        ("", "no column is called `turn`"),
        ('turn,state\n1,{}\n2,"{}\n', "no CSV: unexpected end of data, in the row that begins in line 3"),
        ("turn,state.a,a\n1,2,3\n", 'two columns are called "state.a"'),
    ],
)
def test_a_table_that_is_no_log_is_an_error(rules: Ruleset, tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LogError, match=message):
        csv_lines(rules, tmp_path, text)


@pytest.mark.parametrize(
    ("head", "cell", "found", "wanted"),
    [
        (
            "state.token_row",
            "decor",
            '"decor", which is no JSON: expecting value at character 1',
            "list of token",
        ),
        ("state.token_row", '["a", NaN]', "NaN", "a number"),
        ("state", "{'a': 1}", "no JSON", "a JSON object"),
    ],
)
def test_a_cell_that_cannot_be_read_tells_its_turn(
    rules: Ruleset, tmp_path: Path, head: str, cell: str, found: str, wanted: str
) -> None:
    path = as_csv(tmp_path / "log.csv", ["turn", "game", head], [["7", "g", cell]])
    (line,) = csv_lines(rules, tmp_path, path.read_text(encoding="utf-8"))
    assert line.finding is not None and (line.turn, line.game, line.finding.path) == (7, "g", head)
    assert found in line.finding.found and line.finding.wanted.startswith(wanted)


def test_a_table_of_another_encoding_says_where_and_what_to_do(rules: Ruleset, tmp_path: Path) -> None:
    """A row of it is a reject like any other; without its head nothing can be read."""
    path = tmp_path / "log.csv"
    path.write_bytes("turn,top_player\n1,metà\n2,gold\n".encode("latin-1"))
    bad, good = (line for chunk in read_csv_chunks(path, rules.model) for line in chunk.lines())
    assert bad.turn == 1 and good.record == {"turn": 2, "state": {"top_player": "gold"}}
    assert str(bad.finding) == (
        'state.top_player: found bytes that are no UTF-8 after "met", '
        "wanted UTF-8 text; in a spreadsheet, save it as CSV UTF-8"
    )
    path.write_bytes("turn,città\n1,a\n".encode("latin-1"))
    with pytest.raises(
        LogError, match='no UTF-8 after "turn,citt", not UTF-8 text; in a spreadsheet, save it as CSV'
    ):
        list(read_csv_chunks(path, rules.model))


def test_columns_say_where_they_belong() -> None:
    assert path_of("solo.coins") == path_of("state.solo.coins") == ("state", "solo", "coins")
    assert path_of("played.card") == ("played", "card") and path_of("game") == ("game",)


def test_what_was_played_is_read_by_the_type_of_the_answer(rules: Ruleset) -> None:
    columns: tuple[LogColumn, ...] = columns_of(["turn", "played.card", "played.stage"], rules.model, "log")
    assert columns[1].type(None) is not None and columns[2].type("stage") is not None


@pytest.mark.parametrize(
    ("name", "engine"),
    [
        *((name, EngineName.PYTHON) for name in ("log.csv", "log.parquet", "log.xlsx")),
        *((name, EngineName.COLUMNS) for name in ("log.csv", "log.parquet")),
    ],
)
def test_columns_that_are_all_empty_are_a_state_that_says_nothing(
    tmp_path: Path, name: str, engine: EngineName
) -> None:
    """As `{"turn": 1, "state": {}}` does; a table without columns of a state has none."""
    write_book(ANYTHING, tmp_path / "book.xlsx")
    rules, frame = (
        load(tmp_path / "book.xlsx"),
        pd.DataFrame({"turn": [1, 2], "spare": [None, 3]}, dtype="Int64"),
    )
    for columns, wanted in ((["turn", "spare"], ["none", "some"]), (["turn"], [])):
        as_log(frame[columns], tmp_path / name)
        log, asked = find_log(tmp_path / name, rules.model), compiled_engine(rules.model, rules.source)
        way = choose(EngineRequest(engine), asked, log, None, lambda: rules.model).way
        counts = answer_into(asked, log, tmp_path / "out.jsonl", manner=way)
        told = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
        assert [one["answer"]["stock"] for one in told] == wanted
        assert (counts.records, counts.rejects) == (2, 2 - len(wanted))
        assert list(rules.answer_frame(frame[columns])["rejected"].isna()) == [bool(wanted)] * 2


ANYTHING = """
Input: turn
  field | type
  spare | whole number?

Decision: stock ; policy: first
  if | then
  spare | out
  null | "none"
  - | "some"

Ask: turn ; main: yes
  role | name | is
  answer | stock | stock
"""


OF_EVERY_KIND = """
Input: turn
  field | type
  spare | whole number?

Ask: turn ; main: yes
  role | name | is
  answer | stock | if spare = null then null else if spare > 2 then 7 else if spare > 0 then 2 else null
  answer | half | if spare = null then null else if spare > 4 then 1.5 else if spare > 0 then 1 else null
  answer | large | if spare = null then null else spare > 1
  answer | name | if spare = null then null else "x"
"""


@pytest.mark.parametrize("engine", [EngineName.PYTHON, EngineName.COLUMNS])
@pytest.mark.parametrize("given", [[], [None], [2, None], [2, 4], [3]], ids=str)
def test_parquet__columns_are_of_the_declared_kind(
    tmp_path: Path, given: list[int | None], engine: EngineName
) -> None:
    """Whatever they hold: nothing, nulls, whole numbers where decimals may stand."""
    write_book(OF_EVERY_KIND, tmp_path / "book.xlsx")
    rules = load(tmp_path / "book.xlsx")
    frame = pd.DataFrame({"turn": range(1, len(given) + 1), "spare": pd.array(given, "Int64")})
    schema = columns_out(rules, frame, engine, tmp_path)
    kinds = {"ask": "string"} | (
        {"stock": "int64", "half": "string", "large": "bool", "name": "string"} if given else {}
    )
    assert {name: kind for name, kind in schema.items() if name != "turn"} == kinds


@pytest.mark.parametrize("engine", [EngineName.PYTHON, EngineName.COLUMNS])
def test_parquet__a_number_that_no_column_holds_makes_its_column_text(
    tmp_path: Path, engine: EngineName
) -> None:
    write_book(OF_EVERY_KIND.replace("7", "1" + "0" * 19), tmp_path / "book.xlsx")
    rules = load(tmp_path / "book.xlsx")
    schema = columns_out(rules, pd.DataFrame({"turn": [1, 2], "spare": [1, 3]}), engine, tmp_path)
    assert (schema["stock"], schema["large"]) == ("string", "bool")
    assert parquet.read_table(tmp_path / "out.parquet")["stock"].to_pylist() == ["2", "1" + "0" * 19]


def columns_out(rules: Ruleset, frame: pd.DataFrame, engine: EngineName, folder: Path) -> dict[str, str]:
    as_log(frame, folder / "log.parquet")
    log, asked = find_log(folder / "log.parquet", rules.model), compiled_engine(rules.model, rules.source)
    way = choose(EngineRequest(engine), asked, log, folder / "out.parquet", lambda: rules.model).way
    answer_into(asked, log, folder / "out.parquet", manner=way)
    return {field.name: str(field.type) for field in parquet.read_schema(folder / "out.parquet")}


def write(part: Path, to: Path) -> None:
    """The lines of answers as the ending says."""
    finish = finish_for(to, {})
    assert finish is not None
    with to.open("wb") as file:
        finish(lambda: part.open("rb"), file)


def test_numbers_that_a_spreadsheet_would_round_are_text(tmp_path: Path) -> None:
    answers = ["1", "123456789012345678", "0.1", "0.1234567890123456789", "-1e3", "true"]
    part = tmp_path / "part"
    part.write_text("".join(f'{{"turn": {n}, "answer": {{"x": {a}}}}}\n' for n, a in enumerate(answers)))
    write(part, tmp_path / "out.xlsx")
    rows = list(openpyxl.load_workbook(tmp_path / "out.xlsx").active.values)[1:]
    assert [row[1] for row in rows] == [
        1, "123456789012345678", 0.1, "0.1234567890123456789", -1000, True,
    ]  # fmt: skip


def as_log(frame: pd.DataFrame, path: Path) -> None:
    match path.suffix:
        case ".csv":
            frame.to_csv(path, index=False)
        case ".parquet":
            frame.to_parquet(path)
        case _:
            frame.to_excel(path, index=False)


def test_values_that_would_run_in_a_spreadsheet_are_text(tmp_path: Path) -> None:
    told = ["=1+1", "+1", "-1", "@sum", "'=1", "plain", -1, None]
    part = tmp_path / "part"
    part.write_text(
        "".join(json.dumps({"turn": t or 0, "ask": "a", "answer": {"=x;+": t}}) + "\n" for t in told)
    )
    for name in ("out.csv", "out.xlsx"):
        write(part, tmp_path / name)
    head, *cells = (row[2] for row in csv.reader((tmp_path / "out.csv").read_text().splitlines()))
    assert head == "'=x;'+"
    assert cells == ["'=1+1", "'+1", "'-1", "'@sum", "''=1", "plain", "-1", ""]
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx").active
    assert sheet is not None
    found = [(cell.value, cell.data_type) for (cell,) in sheet.iter_rows(2, 8, 3, 3)]
    assert found[:5] == [(text, "s") for text in told[:5]] and found[6] == (-1, "n")


@pytest.mark.parametrize("name", ["out.csv", "out.xlsx", "out.parquet", "out.csv.gz", "out.jsonl.gz"])
def test_answers_as_a_table_are_the_same_bytes_each_time(rules: Ruleset, tmp_path: Path, name: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(SAMPLE.read_text(encoding="utf-8") + '{"turn": "bad"}\n', encoding="utf-8")
    (tmp_path / "again").mkdir()
    assert answers(rules, log, tmp_path / name) == answers(rules, log, tmp_path / "again" / name)
    assert rejects_path(tmp_path / name).name == "out.rejected.jsonl"
    assert rejects_path(tmp_path / name).exists()


def test_a_log_as_parquet_gives_the_same_answers(rules: Ruleset, tmp_path: Path) -> None:
    expected = answers(rules, SAMPLE, tmp_path / "expected.jsonl")
    records = sample()
    nested = pyarrow.table({
        "turn": [r["turn"] for r in records],
        "ask": [r.get("ask") for r in records],
        "state": pyarrow.array([r["state"] for r in records]),
    })  # fmt: skip
    cells = pyarrow.table({
        "turn": [r["turn"] for r in records],
        "ask": [r.get("ask") for r in records],
        "state": [json.dumps(r["state"]) for r in records],
    })  # fmt: skip
    for table in (nested, cells):
        parquet.write_table(table, tmp_path / "log.parquet")
        assert answers(rules, tmp_path / "log.parquet", tmp_path / "out.jsonl") == expected
    (tmp_path / "log.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(LogError, match="no Parquet"):
        answers(rules, tmp_path / "log.parquet", tmp_path / "out.jsonl")


def test_a_frame_goes_in_and_comes_out(rules: Ruleset) -> None:
    records = sample()
    frame = pd.DataFrame(
        {"ask": [r.get("ask") for r in records], "state": [r["state"] for r in records]},
        index=[f"t{r['turn']}" for r in records],
    )
    frame.loc["bad"] = [None, {"shields_opponent": "5"}]
    answered = rules.answer_frame(frame)
    assert list(answered.index) == list(frame.index)
    for (_, row), record in zip(answered.iloc[:-1].iterrows(), records, strict=True):
        expected = rules.answer(record.get("ask"), record["state"])
        assert {key: None if row[key] is pd.NA else row[key] for key in expected} == expected
        assert row["rejected"] is None
    assert "state.shields_opponent" in answered.loc["bad", "rejected"]


def test_a_frame_s_numbers_are_not_coerced(rules: Ruleset) -> None:
    frame = pd.DataFrame({"turn": [1, 2, 3], "shields_opponent": ["5", True, 3.7]}, dtype=object)
    told = list(rules.answer_frame(frame)["rejected"])
    assert [t.split(", wanted")[0] for t in told] == [
        'state.shields_opponent: found "5"', "state.shields_opponent: found true",
        'state.shields_opponent: found 3.7',
    ]  # fmt: skip


def test_a_frame_s_lists_may_be_arrays_as_parquet_gives_them(rules: Ruleset, tmp_path: Path) -> None:
    rows = [["strategy", "tactics", "decor"], ["decor"], [], None]
    frame = pd.DataFrame({"ask": "progress", "token_row": rows})
    frame.to_parquet(tmp_path / "log.parquet")
    told = rules.answer_frame(pd.read_parquet(tmp_path / "log.parquet"))
    assert told.equals(rules.answer_frame(frame))
    assert list(told["token"]) == ["decor", "decor", "face_down", None]


def test_what_is_no_frame_is_told(rules: Ruleset) -> None:
    for given in (pd.Series([1]), {"turn": [1]}):
        with pytest.raises(TypeError, match="a frame is wanted, of pandas or Arrow, not a"):
            rules.answer_frame(given)


def test_a_table_is_called_with_an_arrow_table_too(rules: Ruleset) -> None:
    table = pyarrow.table({"wonder": ["Rodi", "giza"]})
    told = rules.table_frame("start options", table)
    assert told.equals(rules.table_frame("start options", table.to_pandas()))
    assert told["start options"].iloc[0] == ["crafts", "propaganda", "urbanism"]


def test_a_decimal_without_places_is_a_whole_number(rules: Ruleset, tmp_path: Path) -> None:
    for places, rejected in ((0, 0), (2, 1)):
        cells = pyarrow.array([Decimal(5)], pyarrow.decimal128(10, places))
        table = pyarrow.table({"turn": [1], "ask": ["turn"], "shields_opponent": cells})
        parquet.write_table(table, tmp_path / "log.parquet")
        answers(rules, tmp_path / "log.parquet", tmp_path / "out.jsonl")
        told = rejects_path(tmp_path / "out.jsonl").read_text()
        assert told.count("state.shields_opponent: ") + told.count('"state.shields_opponent"') == rejected


def test_what_stands_in_a_frame_s_list_is_not_coerced(rules: Ruleset) -> None:
    told = rules.answer_frame(
        pd.DataFrame({"ask": "progress", "dice": [np.array([1.5]), np.array(["2020-01-01"], "M8[ns]")]})
    )
    assert [t.split(", wanted")[0] for t in told["rejected"]] == [
        "state.dice[0]: found 1.5", 'state.dice[0]: found "2020-01-01T00:00:00"',
    ]  # fmt: skip
