"""Which engine is taken, and that it says so."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from dtables.cli import main
from dtables.logs.jsonlines import LogError
from dtables.ruleset import load
from tests.support.drawing import write_book

TABLES = Path(__file__).parents[2] / "tables"
FLAT = """
Types: names
  name | names
  wish | red, green

Input: turn
  field | type
  spare | whole number
  wish | wish

Decision: level ; policy: first
  if | if | then
  spare | wish | out
  < 3 | red | 1
  - | green | 5
  - | - | 2

Ask: turn ; main: yes
  role | name | is
  answer | level | level
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["eval", *map(str, arguments)])


@pytest.fixture
def book(tmp_path: Path) -> Path:
    write_book(FLAT, tmp_path / "flat.xlsx")
    return tmp_path / "flat.xlsx"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    rows = {
        "turn": [1, 2, 2, 4, 5],
        "spare": [1, 2, 3, 4, None],
        "wish": ["red", "Green", "red", "blue", "red"],
    }
    pd.DataFrame(rows).astype({"spare": "Int64"}).to_parquet(tmp_path / "log.parquet")
    return tmp_path / "log.parquet"


def test_auto__takes_columns_where_rules_only_compare(book: Path, log: Path) -> None:
    found, wanted = run(book, log), run(book, log, "--engine", "python")
    assert found.stderr.startswith("engine: columns (the rules only compare, and every field has a column)\n")
    assert found.stdout == wanted.stdout
    assert found.stderr.splitlines()[1:] == wanted.stderr.splitlines()
    assert "5 records: 3 answered, 2 rejected" in found.stderr


def test_auto__into_parquet_too(book: Path, log: Path, tmp_path: Path) -> None:
    for engine in ("auto", "python"):
        assert run(book, log, "--engine", engine, "-o", tmp_path / f"{engine}.parquet").exit_code == 1
    found, wanted = (pd.read_parquet(tmp_path / f"{engine}.parquet") for engine in ("auto", "python"))
    pd.testing.assert_frame_equal(found, wanted)
    rejects = [(tmp_path / f"{engine}.rejected.jsonl").read_bytes() for engine in ("auto", "python")]
    assert rejects[0] == rejects[1] != b""


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("log.jsonl",), "JSON Lines are read record by record"),
        (("log.csv",), "log.csv has quotes: it is read record by record"),
        (("mac.csv",), "mac.csv has line ends of other or of several kinds: it is read record by record"),
        (("log.parquet", "--explain"), "reasons are found record by record"),
        (("game.parquet",), "game.parquet has a column `game`, which says more than the state"),
    ],
)
def test_columns__say_why_they_cannot(
    book: Path, log: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], why: str
) -> None:
    monkeypatch.chdir(log.parent)
    Path("log.jsonl").write_text('{"turn": 1, "state": {"spare": 1, "wish": "red"}}\n', encoding="utf-8")
    Path("log.csv").write_text('turn,spare,wish\n1,1,"red"\n', encoding="utf-8")
    Path("mac.csv").write_bytes(b"turn,spare,wish\r1,1,red\r")
    pd.DataFrame({"turn": [1], "spare": [1], "game": ["x"]}).to_parquet("game.parquet")
    refused = run(book, *arguments, "--engine", "columns", "-o", "out.jsonl")
    assert refused.exit_code == 1 and not Path("out.jsonl").exists()
    assert refused.stderr.startswith(f"Error: the engine columns cannot answer this log: {why}")
    chosen = run(book, *arguments)
    assert chosen.stderr.startswith(f"engine: python on 1 process ({why}")


def test_columns__name_the_cell_in_the_way(log: Path) -> None:
    result = run(TABLES / "duel.xlsx", log, "--engine", "columns")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: the engine columns cannot answer this log: duel.xlsx!")


def test_auto__leaves_columns_of_lists_to_python(log: Path) -> None:
    pd.DataFrame({"turn": [1], "opponent_stages": ["[1, 2]"]}).to_parquet(log)
    book = TABLES / "architects.xlsx"
    result = run(book, log)
    assert "(log.parquet has a column `opponent_stages`, which holds lists or records)" in result.stderr
    assert run(book, log, "--engine", "columns").stdout == result.stdout


def test_frames__every_engine_gives_the_same(book: Path, log: Path) -> None:
    rules, frame = load(book), pd.read_parquet(log)
    told = {name: rules.answer_frame(frame, name) for name in ("auto", "python", "columns")}
    for found in told.values():
        pd.testing.assert_frame_equal(found, told["auto"])
    assert list(told["auto"]["rejected"].notna()) == [False, False, True, True, False]
    engines = [found.attrs["engine"] for found in told.values()]
    assert engines == ["columns", "python (it was asked for)", "columns"]
    named = rules.answer_frame(frame.assign(game="x"))
    assert named.attrs["engine"] == "python (`game` says more than the state)"


def test_frames__an_engine_that_cannot_says_why(log: Path) -> None:
    rules = load(TABLES / "duel.xlsx")
    with pytest.raises(LogError, match=r"the engine columns cannot answer a frame: duel\.xlsx!"):
        rules.answer_frame(pd.read_parquet(log), "columns")
    with pytest.raises(LogError, match="answer_spark"):
        rules.answer_frame(pd.read_parquet(log), "spark")
