"""`dtables test --mutants` and `--coverage`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dtables.cli import main
from tests.mutation.books import STALL
from tests.support.drawing import write_book

QUICK = ("--records", "100", "--processes", "1")


@pytest.fixture(scope="module")
def stall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    book = tmp_path_factory.mktemp("stall") / "stall.xlsx"
    write_book(STALL, book)
    return book


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["test", *map(str, arguments)])


def test_mutants__what_goes_unnoticed_and_the_share(stall: Path) -> None:
    result = run(stall, "--mutants", "--only", "discount", *QUICK)
    assert result.exit_code == 0, result.output
    first, *told, last = result.stdout.splitlines()
    assert first == "stall.xlsx: 2 of 2 examples hold"
    assert told[0].startswith("not noticed: Sheet1!")
    assert last.startswith("stall.xlsx: ") and "noticed by check or examples (" in last


@pytest.mark.parametrize(("percent", "code"), [("10", 0), ("100", 1)])
def test_mutants__fail_below_a_share(stall: Path, percent: str, code: int) -> None:
    result = run(stall, "--mutants", "--only", "discount", "--at-least", percent, *QUICK)
    assert result.exit_code == code
    assert (f"and --at-least needs {percent} %" in result.stderr) == bool(code)


def test_mutants__for_programs(stall: Path) -> None:
    result = run(stall, "--mutants", "--json", "--only", "discount", *QUICK)
    (told,) = json.loads(result.stdout)
    mutants = told["mutants"]
    noticed = mutants["noticed by check"] + mutants["noticed by examples"]
    assert mutants["changes"] == noticed + len(mutants["unnoticed"])
    assert len(mutants["noticed"]) == noticed
    one = mutants["unnoticed"][0]
    example = mutants["examples"][one["example"]]
    assert {"sheet", "cell", "before", "after", "mistake"} <= set(one)
    assert example["ask"] == "buy" and example["answer"] != one["changed answer"]
    assert example["row"]["table"] == "buying"


def test_mutants__a_log_is_used_too(stall: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"turn": 1, "state": {"baskets": ["a", "b"], "coins": 10}}\n', encoding="utf-8")
    result = run(stall, "--mutants", "--only", "discount", "--log", log, "--records", "0", "--processes", "1")
    assert result.exit_code == 0
    assert "records" in result.stdout
    missing = run(stall, "--mutants", "--log", tmp_path / "none.jsonl", *QUICK)
    assert missing.exit_code == 1 and "no such file" in missing.stderr


def test_mutants__nothing_is_called_so(stall: Path) -> None:
    result = run(stall, "--mutants", "--only", "discuont", *QUICK)
    assert result.exit_code == 2
    assert "no table or sheet `discuont`; did you mean `discount`?" in result.stderr


def test_mutants__examples_must_hold_first(tmp_path: Path) -> None:
    book = tmp_path / "broken.xlsx"
    write_book(STALL.replace("| b | 20 |", "| a | 20 |"), book)
    result = run(book, "--mutants", *QUICK)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "broken.xlsx: 1 of 2 examples hold"
    assert "the examples must hold before the rules are changed" in result.stderr


def test_coverage__tables_and_shares(stall: Path) -> None:
    result = run(stall, "--coverage")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "stall.xlsx: 2 of 2 examples hold",
        "Sheet1!A6:D11 basket: 6 of 9 (66.7 %)",
        "  Sheet1!B9 never read: a: fruit",
        "  Sheet1!B10 never read: b: fruit",
        "  Sheet1!B11 never read: c: fruit",
        "Sheet1!A18:D23 discount: 2 of 4 (50.0 %)",
        "  Sheet1!C18 never applies: otherwise",
        "  Sheet1!A22 never applies: row 2",
        "Sheet1!A25:D30 best: 2 of 3 (66.7 %)",
        "  Sheet1!C30 never separates candidates: row 3",
        "Sheet1!A32:D34 sound: 0 of 1 (0.0 %)",
        "  Sheet1!A34 never rejects a record: row 1",
        "Sheet1!A36:C41 buy: 0 of 1 (0.0 %)",
        "  Sheet1!A38 never rejects a record: need baskets",
        "stall.xlsx: examples reach 10 of 18 rows and cells (55.6 %)",
    ]


@pytest.mark.parametrize(("percent", "code"), [("10", 0), ("99.5", 1)])
def test_coverage__fails_below_a_share(stall: Path, percent: str, code: int) -> None:
    result = run(stall, "--coverage", "--at-least", percent)
    assert result.exit_code == code
    assert (f"and --at-least needs {percent} %" in result.stderr) == bool(code)


def test_coverage__for_programs(stall: Path) -> None:
    (told,) = json.loads(run(stall, "--coverage", "--json").stdout)
    coverage = told["coverage"]
    assert coverage["parts"] == sum(table["parts"] for table in coverage["tables"])
    discount = next(table for table in coverage["tables"] if table["table"] == "discount")
    assert [one["name"] for one in discount["unreached"]] == ["otherwise", "row 2"]


def test_options_of_mutants_need_it(stall: Path) -> None:
    result = run(stall, "--at-least", "90")
    assert result.exit_code == 2
    assert "--at-least needs --mutants or --coverage" in result.stderr
