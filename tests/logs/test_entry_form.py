"""The workbook for writing turns down: filled in by hand and read back it gives what JSON gives."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

from dtables.answers.engines import compiled_engine
from dtables.answers.run import answer_into, rejects_path
from dtables.cli import main
from dtables.logs.entry_form import recording_form, write_recording
from dtables.logs.files import find_log
from dtables.logs.jsonlines import LogError
from dtables.ruleset import Ruleset, load
from tests.support.drawing import write_book
from tests.support.thinned import swept

TABLES = Path(__file__).parents[2] / "tables"
DUEL = TABLES / "duel.xlsx"
BOOK, SAMPLE = TABLES / "architects.xlsx", TABLES / "architects.sample.jsonl"


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load(BOOK)


@pytest.fixture
def form(rules: Ruleset, tmp_path: Path) -> Path:
    path = tmp_path / "my game.xlsx"
    write_recording(rules.model, path, "en")
    return path


def sample() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def fill(path: Path, records: list[dict[str, Any]]) -> None:
    """As a person would: a cell for each value, a row on a list's sheet for each item."""
    book = openpyxl.load_workbook(path)
    places = {
        cell.value: (sheet, cell.column)
        for sheet in reversed(book.worksheets)
        for cell in sheet[1]
        if sheet.title != "names" and cell.value not in ("turn", "game")
    }
    rows = dict.fromkeys((sheet.title for sheet in book.worksheets), 1)

    def new_row(sheet: Any, turn: object) -> int:
        rows[sheet.title] += 1
        sheet.cell(rows[sheet.title], 1, turn)
        return rows[sheet.title]

    def write(head: str, value: Any, row: int, turn: object) -> None:
        match value:
            case dict():
                for key, below in value.items():
                    write(f"{head}.{key}", below, row, turn)
            case list() if value:
                for item in value:
                    fields = item if isinstance(item, dict) else {} if item is None else {"": item}
                    sheet = book[lists[head]]
                    at = new_row(sheet, turn)
                    for key, below in fields.items():
                        column = next(c.column for c in sheet[1] if c.value == f"{head}.{key}".rstrip("."))
                        sheet.cell(
                            at, column, json.dumps(below) if isinstance(below, (list, dict)) else below
                        )
            case _:
                sheet, column = places[head]
                sheet.cell(row, column, "[]" if value == [] else value)

    lists = {sheet.title: sheet.title for sheet in book.worksheets[1:-1]}
    for record in records:
        row = new_row(book["turns"], record["turn"])
        book["turns"].cell(row, 3, record.get("ask"))
        for head, value in record["state"].items():
            write(head, value, row, record["turn"])
    book.save(path)


def answers(rules: Ruleset, log: Path, out: Path) -> list[dict[str, Any]]:
    engine = compiled_engine(rules.model, rules.source)
    answer_into(engine, find_log(log, rules.model), out)
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def rejects(out: Path) -> list[tuple[int, str, str]]:
    told = map(json.loads, rejects_path(out).read_text(encoding="utf-8").splitlines())
    return [(reject["line"], reject["path"], reject["found"]) for reject in told]


@pytest.mark.parametrize(
    "log", swept(sorted(TABLES.glob("*.sample.jsonl"))), ids=lambda path: path.name.split(".")[0]
)
def test_filled_in_by_hand_it_gives_what_json_gives(log: Path, tmp_path: Path) -> None:
    rules = load(log.with_name(log.name.replace(".sample.jsonl", ".xlsx")))
    form = tmp_path / "game.xlsx"
    write_recording(rules.model, form, "it")
    fill(form, [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()])
    assert answers(rules, form, tmp_path / "out.jsonl") == answers(rules, log, tmp_path / "expected.jsonl")


def test_every_column_has_help_and_every_vocabulary_its_drop_down(form: Path) -> None:
    book = openpyxl.load_workbook(form)
    assert book.sheetnames[0] == "turns" and book.sheetnames[-1] == "names"
    for sheet in book.worksheets[:-1]:
        assert all(cell.comment is not None for cell in sheet[1])
    heads = {cell.value: cell.column_letter for cell in book["turns"][1]}
    lists = {str(v.sqref).split(":")[0]: v.formula1 for v in book["turns"].data_validations.dataValidation}
    place = lists[f"{heads['top_central']}2"]
    sheet, cells = place.replace("$", "").split("!")
    offered = [cell.value for (cell,) in book[sheet.strip("'")][cells]]
    assert "Gold" in offered or "gold" in [str(o).casefold() for o in offered]


def test_labels_of_the_chosen_language_are_offered(rules: Ruleset) -> None:
    italian = dict(recording_form(rules.model, "it").lists)
    assert "Oro" in italian["card"]


def test_help_says_what_may_stand_there_and_fixed_fields_have_no_column() -> None:
    turns = recording_form(load(DUEL).model, "en").sheets[0]
    told = {column.head: column.help for column in turns.columns}
    assert told["solo.coins"].endswith("(coins: whole number [0..999])") and "?" not in told["minerva"]
    assert "solo.cards" in told and "solo.who" not in told


def test_the_same_workbook_gives_the_same_bytes(rules: Ruleset, form: Path, tmp_path: Path) -> None:
    write_recording(rules.model, tmp_path / "again.xlsx", "en")
    assert form.read_bytes() == (tmp_path / "again.xlsx").read_bytes()


def edited(form: Path, change: Any) -> Path:
    book = openpyxl.load_workbook(form)
    change(book)
    book.save(form)
    return form


def test_formulas_errors_and_strays_are_rejects(rules: Ruleset, form: Path, tmp_path: Path) -> None:
    fill(form, sample()[:1])

    def change(book: Any) -> None:
        turns, tokens = book["turns"], book["opponent_tokens"]
        column = next(cell.column for cell in turns[1] if cell.value == "shields_player")
        for row, value in ((3, "=1+1"), (4, "5"), (5, True), (6, 2.5)):
            turns.cell(row, 1, row)
            turns.cell(row, column, value)
        tokens.cell(2, 1, 99)
        tokens.cell(2, 3, "economy")

    out = tmp_path / "out.jsonl"
    assert len(answers(rules, edited(form, change), out)) == 1
    assert rejects(out) == [
        (3, "state.shields_player", "the formula =1+1"),
        (4, "state.shields_player", '"5"'),
        (5, "state.shields_player", "true"),
        (6, "state.shields_player", "2.5"),
        (2, "turn", '99 in row 2 of sheet "opponent_tokens"'),
    ]


def test_a_turn_is_not_answered_without_an_item_that_cannot_be_read(
    rules: Ruleset, form: Path, tmp_path: Path
) -> None:
    fill(form, sample()[:1])

    def change(book: Any) -> None:
        tokens = book["opponent_tokens"]
        row = tokens.max_row + 1
        tokens.cell(row, 1, 1)
        tokens.cell(row, 3, "=A1")

    out = tmp_path / "out.jsonl"
    assert answers(rules, edited(form, change), out) == []
    (said,) = rejects(out)
    assert said[1] == "state.opponent_tokens" and 'of sheet "opponent_tokens"' in said[2]


def test_a_turn_that_cannot_be_read_is_told_once_and_by_its_turn(
    rules: Ruleset, form: Path, tmp_path: Path
) -> None:
    fill(form, sample()[:1])

    def change(book: Any) -> None:
        turns, tokens = book["turns"], book["opponent_tokens"]
        turns.cell(2, next(cell.column for cell in turns[1] if cell.value == "shields_player"), "=1+1")
        row = tokens.max_row + 1
        tokens.cell(row, 1, turns.cell(2, 1).value)
        tokens.cell(row, 3, "economy")

    out = tmp_path / "out.jsonl"
    assert answers(rules, edited(form, change), out) == []
    assert rejects(out) == [(2, "state.shields_player", "the formula =1+1")]
    assert json.loads(rejects_path(out).read_text())["turn"] == sample()[0]["turn"]


LISTS = """
Input: turn
  field | type | default
  boxes | list of whole number | []
  words | list of text | []

Formulas: told
  name | type | is
  all told | text | string join(for b in boxes return string(b), "") + string join(words, "")

Ask: turn ; main: yes
  role | name | is
  answer | told | all told
"""


def test_items_find_their_turn_wherever_they_stand(tmp_path: Path) -> None:
    """Among other turns' they keep their order; a turn without items has a state; strays are told."""
    write_book(LISTS, tmp_path / "book.xlsx")
    rules, chance = load(tmp_path / "book.xlsx"), Random(1)
    turns: list[int | str] = [1, "1", 3, 4, "a", 6, 2500]
    book, wanted = openpyxl.Workbook(), []
    sheets = {name: book.create_sheet(name) for name in ("boxes", "words")}
    for name, sheet in sheets.items():
        items = [(turn, item) for turn in (*turns, 99)[1:] for item in (1, 2, 3)]
        chance.shuffle(items)
        sheet.append(["turn", name])
        for turn, item in items:
            sheet.append([turn, item if name == "boxes" else f"n{item}"])
        wanted.append({t: [i if name == "boxes" else f"n{i}" for u, i in items if u == t] for t in turns})
    main = book.worksheets[0]
    main.title = "turns"
    main.append(["turn"])
    for turn in turns:
        main.append([turn])
    book.save(tmp_path / "log.xlsx")
    found = answers(rules, tmp_path / "log.xlsx", tmp_path / "out.jsonl")
    assert [(one["turn"], one["answer"]["told"]) for one in found] == [
        (turn, "".join(map(str, [*wanted[0][turn], *wanted[1][turn]]))) for turn in turns
    ]
    strays = rejects(tmp_path / "out.jsonl")
    assert [path for _, path, _ in strays] == ["turn"] * 6
    assert ['"boxes"' in said for _, _, said in strays] == [True] * 3 + [False] * 3


def test_sheets_that_are_no_log_are_errors(rules: Ruleset, form: Path) -> None:
    def add(book: Any) -> None:
        book.create_sheet("notes").append(["what we ate"])

    with pytest.raises(LogError, match='the first row of sheet "notes" has no column `turn`'):
        list(find_log(edited(form, add), rules.model).chunks())
    form.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(LogError, match=r"my game\.xlsx"):
        list(find_log(form, rules.model).chunks())


def test_the_command_does_not_write_over_turns(tmp_path: Path) -> None:
    file = str(tmp_path / "game.xlsx")
    assert CliRunner().invoke(main, ["log", str(BOOK), "-o", file, "--lang", "it"]).exit_code == 0
    assert CliRunner().invoke(main, ["log", str(BOOK), "-o", file]).exit_code == 2
    assert CliRunner().invoke(main, ["log", str(BOOK), "-o", str(tmp_path / "game.csv")]).exit_code == 2
