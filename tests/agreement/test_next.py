"""The asks that come next: beside the answer in every engine, output and explanation, never in it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import dtables
from dtables.cli import main
from dtables.compilers.python import load_source
from dtables.compilers.sql import Dialect, to_sql
from dtables.explanations.plain import as_plain
from dtables.explanations.render import render
from dtables.merging import Reply
from dtables.pages.manual import manual
from dtables.ruleset import Ruleset
from tests.compilers_sql.duck import KEY, answers
from tests.support.drawing import write_book
from tests.support.spark import spark_session

BOOK = """
Types: names
  name | names
  fruit | apple, grape, plum
  wish | more, less

Input: state
  field | type | default
  fruit | fruit |
  wish | wish |
  level | whole number |
  drawn | fruit |

Ask: turn ; main: yes ; title it: Il turno ; title en: The turn
  role | name | is | text it | text en
  need | fruit
  need | level
  answer | picked | fruit
  answer | high | level > 3
  next | bonus | fruit = grape | spetta un premio | a bonus is due
  next | turn | level > 3 | |
  next | bonus | fruit = plum | |

Ask: bonus ; title it: Il premio ; title en: The bonus
  role | name | is | recorded in
  need | wish |
  draw | one | if wish = more then [apple, grape] else [apple] | drawn
  answer | one | one |
  next | turn | one = apple |

Ask: stopped
  role | name | is
  need | level
  next | turn |
  answer | level | level
  stop | | level > 3
  answer | below | level
  next | bonus |

Ask: plain
  role | name | is
  answer | nothing | null

Examples: what comes next ; ask: turn
  # | given | given | expect | expect next
    | fruit | level | picked |
  1 | grape | 5 | grape | bonus, turn
  2 | apple | 1 | apple | []
  3 | plum | 1 | plum |
"""
CASES: list[tuple[str, dict[str, Any], Reply]] = [
    ("turn", {"fruit": "apple", "level": 1}, Reply({"picked": "apple", "high": False})),
    ("turn", {"fruit": "grape", "level": 1}, Reply({"picked": "grape", "high": False}, ("bonus",))),
    ("turn", {"fruit": "grape", "level": 4}, Reply({"picked": "grape", "high": True}, ("bonus", "turn"))),
    ("turn", {"fruit": "plum", "level": 4}, Reply({"picked": "plum", "high": True}, ("turn", "bonus"))),
    ("bonus", {"wish": "less"}, Reply({"one": "apple"}, ("turn",))),
    ("bonus", {"wish": "more", "drawn": "apple"}, Reply({"one": "apple"}, ("turn",))),
    ("bonus", {"wish": "more", "drawn": "grape"}, Reply({"one": "grape"})),
    ("bonus", {"wish": "more"}, Reply({"one": None, "any_of": {"one": ["apple", "grape"]}})),
    ("stopped", {"level": 1}, Reply({"level": 1, "below": 1}, ("turn", "bonus"))),
    ("stopped", {"level": 5}, Reply({"level": 5, "below": None}, ("turn",))),
    ("plain", {}, Reply({"nothing": None})),
]
TURNS = [(state, reply) for ask, state, reply in CASES if ask == "turn"]
each_case = pytest.mark.parametrize(("ask", "state", "wanted"), CASES)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("next") / "fruit.xlsx"
    write_book(BOOK, path)
    return path


@pytest.fixture(scope="module")
def rules(book: Path) -> Ruleset:
    return dtables.load(book)


@each_case
def test_reply__says_what_comes_next_beside_the_answer(
    rules: Ruleset, ask: str, state: dict[str, Any], wanted: Reply
) -> None:
    assert rules.reply(ask, state) == wanted
    assert rules.answer(ask, state) == wanted.answer
    assert rules.evaluator.reply(ask, state) == wanted
    assert load_source(rules.source, "fruit").reply(ask, state) == wanted


@each_case
def test_explain__ends_with_what_comes_next(
    rules: Ruleset, ask: str, state: dict[str, Any], wanted: Reply
) -> None:
    explained = rules.explain(ask, state)
    assert (explained.answer, explained.next) == wanted
    assert as_plain(explained).get("next", []) == list(wanted.next)
    lines = render(explained, "en").splitlines()
    following = [line for line in lines if line.startswith("next: ")]
    assert len(following) == len(wanted.next) and lines[len(lines) - len(following) :] == following


def test_explain__names_the_ask_and_the_reason(rules: Ruleset) -> None:
    explained = rules.explain("turn", {"fruit": "grape", "level": 4})
    wanted = {
        "en": ["next: The bonus (a bonus is due) [", "next: The turn ["],
        "it": ["poi: Il premio (spetta un premio) [", "poi: Il turno ["],
    }
    for language, beginnings in wanted.items():
        last = render(explained, language).splitlines()[-2:]
        assert [line[: line.index("[") + 1] for line in last] == beginnings


# -- logs --------------------------------------------------------------------------------------


def evaluated(book: Path, log: Path, out: Path, *options: str) -> Path:
    done = CliRunner().invoke(main, ["eval", str(book), str(log), "-o", str(out), *options])
    assert done.exit_code == 0, done.output
    return out


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def record(turn: int, ask: str, reply: Reply) -> dict[str, Any]:
    following = {"next": list(reply.next)} if reply.next else {}
    return {"turn": turn, "ask": ask, "answer": reply.answer, **following}


@pytest.mark.parametrize("options", [(), ("--explain", "--lang", "en")], ids=["plain", "explained"])
def test_eval__next_stands_behind_the_answer(book: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    log = tmp_path / "log.jsonl"
    records = [{"turn": n, "ask": ask, "state": state} for n, (ask, state, _) in enumerate(CASES)]
    log.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    found = lines_of(evaluated(book, log, tmp_path / "out.jsonl", *options))
    for one in found:
        one.pop("reasons", None)
    wanted = [record(n, ask, reply) for n, (ask, _, reply) in enumerate(CASES)]
    assert [json.dumps(one) for one in found] == [json.dumps(one) for one in wanted]


def table_log(folder: Path, ending: str) -> Path:
    frame = pd.DataFrame([{"turn": n, **state} for n, (state, _) in enumerate(TURNS)])
    log = folder / f"log.{ending}"
    if ending == "csv":
        frame.to_csv(log, index=False)
    else:
        frame.to_parquet(log)
    return log


@pytest.mark.parametrize("engine", ["python", "columns", "auto"])
@pytest.mark.parametrize("source", ["csv", "parquet"])
def test_eval__tables(book: Path, tmp_path: Path, engine: str, source: str) -> None:
    """Parquet has a column for it, lines the key, whichever engine answers."""
    log = table_log(tmp_path, source)
    out = evaluated(book, log, tmp_path / "out.jsonl", "--engine", engine)
    wanted = [record(n, "turn", reply) for n, (_, reply) in enumerate(TURNS)]
    assert lines_of(out) == wanted
    out = evaluated(book, log, tmp_path / "out.parquet", "--engine", engine)
    frame = pd.read_parquet(out)
    assert list(frame.columns) == ["turn", "ask", "picked", "high", "next"]
    texts = [json.dumps(list(reply.next)) if reply.next else None for _, reply in TURNS]
    assert [None if pd.isna(one) else one for one in frame["next"]] == texts


def test_eval__csv_out(book: Path, tmp_path: Path) -> None:
    out = evaluated(book, table_log(tmp_path, "csv"), tmp_path / "out.csv")
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["next"] for row in rows] == ["", '["bonus"]', '["bonus", "turn"]', '["turn", "bonus"]']


# -- frames, SQL -------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["python", "columns"])
def test_answer_frame__a_column(rules: Ruleset, engine: str) -> None:
    frame = pd.DataFrame([state for state, _ in TURNS])
    told = rules.answer_frame(frame, engine)
    assert list(told.columns) == ["picked", "high", "next", "rejected"]
    assert told["next"].tolist() == [list(reply.next) or None for _, reply in TURNS]


def test_answer_frame__several_asks(rules: Ruleset) -> None:
    frame = pd.DataFrame([{"ask": ask, **state} for ask, state, _ in CASES]).astype({"level": "Int64"})
    told = rules.answer_frame(frame)
    assert list(told.columns)[-2:] == ["next", "rejected"]
    assert told["next"].tolist() == [list(reply.next) or None for _, _, reply in CASES]


@pytest.mark.xdist_group("servers")
def test_answer_spark__a_column(rules: Ruleset) -> None:
    frame = spark_session().createDataFrame([{"turn": n, **state} for n, (state, _) in enumerate(TURNS)])
    told = sorted(rules.answer_spark(frame).collect(), key=lambda row: row["turn"])
    assert [row["next"] for row in told] == [
        json.dumps(list(reply.next)) if reply.next else None for _, reply in TURNS
    ]


@pytest.mark.parametrize("ask", ["turn", "bonus", "stopped"])
def test_sql__a_column_of_lists(rules: Ruleset, ask: str) -> None:
    cases = [(state, reply) for name, state, reply in CASES if name == ask]
    compiled = to_sql(rules.model, ask, Dialect.DUCKDB, keys=(KEY,))
    found = answers(compiled, [state for state, _ in cases])
    assert compiled.next == "next"
    assert [row["next"] for row in found] == [list(reply.next) or None for _, reply in cases]


@pytest.mark.parametrize("dialect", list(Dialect))
def test_sql__in_every_dialect(rules: Ruleset, dialect: Dialect) -> None:
    compiled = to_sql(rules.model, "turn", dialect)
    assert compiled.diagnostics == () and compiled.answers[-1].name == "next"
    assert to_sql(rules.model, "plain", dialect).next is None


# -- examples, manual --------------------------------------------------------------------------


def test_examples__hold_what_comes_next(book: Path) -> None:
    done = CliRunner().invoke(main, ["test", str(book)])
    assert done.exit_code == 0, done.output


def test_examples__tell_what_came_instead(tmp_path: Path) -> None:
    path = tmp_path / "fruit.xlsx"
    write_book(BOOK.replace("| grape | bonus, turn", "| grape | turn"), path)
    done = CliRunner().invoke(main, ["test", str(path)])
    assert done.exit_code == 1
    assert 'next should be ["turn"], but is ["bonus", "turn"]' in " ".join(done.output.split())


def test_manual__says_what_may_come_next(rules: Ruleset) -> None:
    text = manual(rules.model, "en")
    section = text[text.index("## turn") : text.index("## bonus")]
    assert "**May come next**" in section and "| [`bonus`](#bonus) | a bonus is due |" in section
    assert "May come next" not in text[text.index("## plain") :]


# -- diff --------------------------------------------------------------------------------------


def test_diff__tells_that_something_else_comes_next(book: Path, tmp_path: Path) -> None:
    changed, log = tmp_path / "fruit.xlsx", tmp_path / "log.jsonl"
    write_book(BOOK.replace("next | turn | level > 3", "next | turn | level > 4"), changed)
    state = {"fruit": "grape", "level": 4}
    log.write_text(json.dumps({"turn": 1, "state": state}) + "\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["diff", str(book), str(changed), "--log", str(log)])
    assert 'next: ["bonus", "turn"] → ["bonus"]' in done.output
