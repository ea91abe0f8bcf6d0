"""What SQL cannot say is said with its cell; everything else of the workbook is written all the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from dtables.cli import main
from dtables.compilers.sql import Dialect, messages, to_script, to_sql
from dtables.diagnostics import Severity
from tests.agreement import worlds

CASES = {
    "an answer above another draw that is not merged": (
        "Ask: turn ; main: yes\n  role | name | is | when open\n  draw | d | each toy |\n"
        "  answer | a | d | null\n  draw | e | d.likes |\n  answer | b | e |"
    ),
    "`partial`, the results so far, of several lists": ("for i in 1..3, j in 1..2 return count(partial)"),
    "the built-in `sort`": "sort(marks, function(x: number, y: number) x < y)",
    "the built-in `mean`": "mean(marks)",
    "`**` of rate and whole number": "rate ** 2",
    "`instance of`": "level instance of number",
    "the built-in `time`": "time(note).hour",
    "`/` of days and time duration and whole number": '@"P1D" / 3',
    "a value of type number as text": "string(rate)",
    "a value of type time": '@"10:00:00" < @"11:00:00"',
    "a date and time with an offset": 'date and time("2024-02-28T10:00:00Z").hour',
    "a value of type date and time": '@"2024-02-28T10:00:00.5" < @"2024-02-28T10:00:01"',
}


def table(expression: str) -> str:
    return f"Formula: turn\n  step | type | is\n  result | | {expression}"


@pytest.mark.parametrize("construct", CASES)
def test_to_sql__cannot_say(construct: str) -> None:
    written = CASES[construct]
    ruleset = worlds.ruleset(written if written.startswith("Ask") else table(written))
    assert ruleset is not None
    compiled = to_sql(ruleset, "turn")
    assert compiled.sql is None
    said = [(d.code, d.message, d.where.cell.sheet) for d in compiled.diagnostics]
    assert ("no-sql", f"{construct} cannot be said in SQL", "Rules") in said, said


def test_to_sql__one_mistake_one_message() -> None:
    ruleset = worlds.ruleset(table("time(note).hour"))
    assert ruleset is not None
    assert len(to_sql(ruleset, "turn").diagnostics) == 1


def test_to_sql__no_such_table() -> None:
    ruleset = worlds.ruleset(table("1"))
    assert ruleset is not None
    compiled = to_sql(ruleset, "tunr")
    assert [d.code for d in compiled.diagnostics] == ["no-such-table"]
    assert {"no-sql", "no-such-table"} == set(messages.PROBLEMS)


def test_to_script__leaves_out_what_cannot_be_said() -> None:
    ruleset = worlds.ruleset(
        table("mean(marks)"), "Formulas: more\n  name | type | is\n  twice | | 2 * level"
    )
    assert ruleset is not None
    script = to_script(ruleset, Dialect.DUCKDB, "turns", ("game", "turn"))
    assert (script.compiled, script.omitted) == (("twice",), ("turn",))
    assert "-- table twice, Rules!A7\n--   reads level BIGINT\n--   gives twice BIGINT\n" in script.text
    assert [problem.severity for problem in script.diagnostics] == [Severity.WARNING]


def test_to_script__nothing_is_left() -> None:
    ruleset = worlds.ruleset(table("mean(marks)"))
    assert ruleset is not None
    script = to_script(ruleset, Dialect.DUCKDB)
    assert (script.compiled, script.omitted) == ((), ("turn",))
    assert [problem.severity for problem in script.diagnostics] == [Severity.ERROR]


def test_to_sql__same_input_same_bytes() -> None:
    ruleset = worlds.ruleset(table("count(boxes[heavy]) + total(each toy.points)"))
    assert ruleset is not None
    first, second = to_sql(ruleset, "turn"), to_sql(ruleset, "turn")
    assert first.sql is not None
    assert first == second


TABLES = Path(__file__).parent.parent.parent / "tables"


def test_compile__one_table(tmp_path: Path) -> None:
    out = tmp_path / "names.sql"
    command = [
        "compile",
        str(TABLES / "concordia.xlsx"),
        "-o",
        str(out),
        "--to",
        "sql",
        "--table",
        "types down",
    ]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    assert out.read_text().startswith("-- table types down, ")
    assert out.read_text().count("\n-- table ") == 0
    assert f"{out}: {len(out.read_text().splitlines())} lines of sql" in result.stderr


def test_compile__one_ask(tmp_path: Path) -> None:
    out = tmp_path / "dice.sql"
    book = str(TABLES / "concordia.xlsx")
    command = ["compile", book, "-o", str(out), "--to", "sql", "--dialect", "spark", "--ask", "dice"]
    result = CliRunner().invoke(main, [*command, "--key", "turn"])
    assert result.exit_code == 0, result.output
    assert out.read_text().startswith("-- ask dice, ")


def test_compile__a_relation_in_a_schema(tmp_path: Path) -> None:
    out = tmp_path / "dice.sql"
    command = ["compile", str(TABLES / "concordia.xlsx"), "-o", str(out), "--to", "sql", "--ask", "dice"]
    assert CliRunner().invoke(main, [*command, "--from", 'logs.my "turns"']).exit_code == 0
    assert 'FROM "logs"."my ""turns"""\n' in out.read_text()


def test_compile__what_cannot_be_said_is_no_file(tmp_path: Path) -> None:
    out = tmp_path / "turn.sql"
    book = str(TABLES / "comics.xlsx")
    result = CliRunner().invoke(main, ["compile", book, "-o", str(out), "--to", "sql", "--ask", "turn"])
    assert result.exit_code == 1
    assert "a value of type any cannot be said in SQL" in result.output
    assert not out.exists()


def test_compile__a_whole_book_without_what_cannot_be_said(tmp_path: Path) -> None:
    out = tmp_path / "comics.sql"
    result = CliRunner().invoke(main, ["compile", str(TABLES / "comics.xlsx"), "-o", str(out), "--to", "sql"])
    assert result.exit_code == 0
    assert ": warning[no-sql]: " in result.stderr and ": error[" not in result.stderr
    assert re.search(r"^left out: \d+ of \d+ tables and asks: .*\bturn\b", result.stderr, re.MULTILINE)
    assert out.read_text().count("\n-- ask ") >= 4


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--ask", "trun"], "concordia.xlsx has no ask `trun`; did you mean `turn`?"),
        (["--table", "turn"], "concordia.xlsx has no table `turn`"),
    ],
)
def test_compile__of_what_is_not_there(more: list[str], says: str, tmp_path: Path) -> None:
    command = ["compile", str(TABLES / "concordia.xlsx"), "-o", str(tmp_path / "x"), "--to", "sql", *more]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 1 and says in result.stderr


@pytest.mark.parametrize(
    "more", [["--table", "dice"], ["--dialect", "spark"], ["--to", "sql", "--table", "a", "--ask", "b"]]
)
def test_compile__misuse(more: list[str], tmp_path: Path) -> None:
    command = ["compile", str(TABLES / "concordia.xlsx"), "-o", str(tmp_path / "x"), *more]
    assert CliRunner().invoke(main, command).exit_code == 2
