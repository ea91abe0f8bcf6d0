"""One cell changed in LibreOffice changes what follows from it: answer, examples, explanation."""

from __future__ import annotations

import json
from pathlib import Path

import dtables
from dtables.answers.examples import run_examples
from dtables.explanations.render import render
from tests.support.office import edited

TABLES = Path(__file__).parents[2] / "tables"


def test_a_changed_cell_changes_the_answer(tmp_path: Path) -> None:
    first = json.loads((TABLES / "architects.sample.jsonl").read_text().splitlines()[0])["state"]
    before = dtables.load(TABLES / "architects.xlsx")
    book = edited(TABLES / "architects.xlsx", tmp_path / "architects.xlsx", ("Priorities", "D10", "8"))
    after = dtables.load(book)

    assert before.answer("turn", first)["deck"] == "player"
    assert after.answer("turn", first)["deck"] == "opponent"
    assert after.answer("turn", first)["priorities"] == {"player": 8, "opponent": 3, "central": None}
    assert "Priorities!D10" in render(after.explain("turn", first), "it")

    broken = [r for r in run_examples(after.model, (after,)) if r.failures]
    assert broken and not [r for r in run_examples(before.model, (before,)) if r.failures]
    assert before.model.version != after.model.version


def test_a_mistake_typed_there_is_found_there(tmp_path: Path) -> None:
    book = edited(TABLES / "architects.xlsx", tmp_path / "architects.xlsx", ("Priorities", "B10", "yelow"))
    checked = dtables.check(book)
    (error,) = [d for d in checked.diagnostics if d.severity == "error"]
    assert str(error.where) == "architects.xlsx!Priorities!B10"
    assert error.hint == "did you mean `yellow`?"
