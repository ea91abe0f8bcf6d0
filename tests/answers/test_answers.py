"""Records in = answers + rejects, in the log's order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dtables.answers.answering import AnsweredRecord, answer_log
from dtables.answers.run import answer_into, rejects_path
from dtables.logs.files import find_log
from dtables.records.json import parse_line
from tests.answers.doubler import Doubler


def results(*records: object) -> list[Any]:
    lines = [parse_line(n, json.dumps(r).encode()) for n, r in enumerate(records, 1)]
    return list(answer_log(Doubler(), lines))


def paths(*records: object) -> list[str | None]:
    return [None if isinstance(r, AnsweredRecord) else r.findings[0].path for r in results(*records)]


def test_an_answer_has_turn_game_and_ask() -> None:
    (answered,) = results({"turn": "a", "game": "g", "state": {"n": 2}})
    assert answered.as_plain() == {"turn": "a", "game": "g", "ask": "double", "answer": {"result": 4}}


def test_a_reject_has_line_turn_path_found_wanted() -> None:
    (reject,) = results({"turn": 3, "state": {}})
    assert reject.as_plain() == {
        "line": 1, "turn": 3, "path": "state.n", "found": "nothing", "wanted": "number",
        "also": [{"path": "state.m", "found": "1", "wanted": "2"}],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("record", "path"),
    [
        ([], "$"),
        ({"state": {"n": 1}}, "turn"),
        ({"turn": True, "state": {"n": 1}}, "turn"),
        ({"turn": 1.5, "state": {"n": 1}}, "turn"),
        ({"turn": 1, "ask": 5, "state": {"n": 1}}, "ask"),
        ({"turn": 1, "ask": "half", "state": {"n": 1}}, "ask"),
        ({"turn": 1, "ask": "", "state": {"n": 1}}, "ask"),
        ({"turn": 1, "game": 5, "state": {"n": 1}}, "game"),
        ({"turn": 1, "stat": {"n": 1}}, "stat"),
        ({"turn": 1}, "state.n"),
        ({"turn": 1, "state": {"n": 13}}, "state"),
        ({"turn": 1, "state": {"n": 1}, "played": {"resul": 2}}, "played.resul"),
        ({"turn": 1, "state": {"n": 1}, "played": 2}, "played"),
        ({"turn": 1, "state": {"n": 1}, "played": {"result": 2}}, None),
        ({"turn": 1, "ask": None, "state": {"n": 1}}, None),
    ],
)
def test_where_a_record_is_rejected(record: object, path: str | None) -> None:
    assert paths(record) == [path]


def test_a_turn_may_be_used_once_by_an_accepted_record() -> None:
    good, bad = {"turn": 1, "state": {"n": 1}}, {"turn": 1, "state": {}}
    assert paths(bad, good, good, {**good, "game": "b"}, {**good, "turn": "1"}) == [
        "state.n", None, "turn", None, None,
    ]  # fmt: skip


def test_files_hold_every_record(tmp_path: Path) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "out.jsonl"
    log.write_text('{"turn": 1, "state": {"n": 1}}\nnonsense\n{"turn": 2, "state": {"n": 2}}\n')
    counts = answer_into(Doubler(), find_log(log), out)
    assert str(counts) == "3 records: 2 answered, 1 rejected"
    assert [json.loads(line)["turn"] for line in out.read_text().splitlines()] == [1, 2]
    (reject,) = rejects_path(out).read_text().splitlines()
    assert json.loads(reject)["line"] == 2
    log.write_text('{"turn": 1, "state": {"n": 1}}\n')
    answer_into(Doubler(), find_log(log), out)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["log.jsonl", "out.jsonl"]
