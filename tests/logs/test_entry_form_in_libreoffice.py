"""The workbook for writing turns down, filled in with LibreOffice: read back it gives what JSON gives."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
from click.testing import CliRunner

from dtables.cli import main
from dtables.logs.entry_form import write_recording
from dtables.ruleset import load
from tests.games.duel.labels import in_words, labels
from tests.games.duel.turns import sound_turn
from tests.logs.test_entry_form import BOOK, DUEL, SAMPLE, answers, fill, sample
from tests.support import office


def test_typed_into_libreoffice_it_gives_what_json_gives(tmp_path: Path) -> None:
    rules, form = load(BOOK), tmp_path / "my game.xlsx"
    write_recording(rules.model, form, "en")
    typed = office.edited(form, tmp_path / "typed.xlsx", *typed_cells(form, sample(), tmp_path))
    expected = answers(rules, SAMPLE, tmp_path / "expected.jsonl")
    assert answers(rules, typed, tmp_path / "out.jsonl") == expected


def typed_cells(form: Path, records: list[dict[str, Any]], folder: Path) -> list[tuple[str, str, str]]:
    """Sheet, cell and what a person types there."""
    filled = folder / "filled.xlsx"
    filled.write_bytes(form.read_bytes())
    fill(filled, records)
    return [
        (
            sheet.title,
            cell.coordinate,
            str(cell.value).upper() if isinstance(cell.value, bool) else str(cell.value),
        )
        for sheet in openpyxl.load_workbook(filled).worksheets[:-1]
        for row in sheet.iter_rows(2)
        for cell in row
        if cell.value is not None
    ]


def test_a_game_of_twenty_turns_recorded_in_libreoffice(tmp_path: Path) -> None:
    """With the labels of the drop-downs, lists on their sheets, and what lies in a list's item as JSON."""
    form, log = tmp_path / "game.xlsx", tmp_path / "game.jsonl"
    assert CliRunner().invoke(main, ["log", str(DUEL), "-o", str(form), "--lang", "it"]).exit_code == 0
    random, known = Random(20), labels()
    records = [
        {"turn": turn, "state": in_words(random, sound_turn(random, "turn")[1], known)}
        for turn in range(1, 21)
    ]
    log.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    typed = office.edited(form, tmp_path / "typed.xlsx", *typed_cells(form, records, tmp_path))
    rules = load(DUEL)
    expected = answers(rules, log, tmp_path / "expected.jsonl")
    assert len(expected) == 20
    assert answers(rules, typed, tmp_path / "out.jsonl") == expected
