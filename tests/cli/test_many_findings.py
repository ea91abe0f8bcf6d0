"""What is shown of many findings: few at once, errors first, alike ones together; all of them on request."""

from __future__ import annotations

import json
import re
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result

import dtables
from dtables.cli import main
from dtables.diagnostics import LONGEST, Diagnostic, Severity, overview
from dtables.provenance import CellRef, Location, Span
from tests.support.drawing import write_book
from tests.support.thinned import swept

TYPES = "Types: names\n name | names\n tier | gold, silver, bronze\n"
GAPS = f"""
{TYPES}
Decision: fare(years: whole number, tier: tier) -> number ; policy: unique
  # | if | if | then
  # | years | tier | fare
""" + "\n".join(f"  {n} | {10 * n} | gold | {n}" for n in range(1, 9))
OVERLAPS = (
    f"""
{TYPES}
Decision: fare(years: whole number) -> number ; policy: unique
  # | if | then
  # | years | fare
"""
    + "\n".join(f"  {n} | >= {n} | {n % 2}" for n in range(1, 7))
    + "\n  7 | < 1 | 0"
)


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def written(text: str, folder: Path) -> Path:
    path = folder / "book.xlsx"
    write_book(text, path)
    return path


def in_json(path: Path, code: str) -> list[dict[str, object]]:
    (checked,) = json.loads(run("check", "--json", path).output)
    return [d for d in checked["diagnostics"] if d["code"] == code]


def in_copy(path: Path, code: str) -> int:
    copy = path.with_name("copy.xlsx")
    assert run("annotate", path, "-o", copy).exit_code == 0
    listed = openpyxl.load_workbook(copy)["Findings"]
    return sum(row[2].value == code for row in listed.iter_rows())


def blocks(output: str) -> list[str]:
    return [line for line in output.splitlines() if re.match(r"book\.xlsx!", line)]


# -- gaps and overlaps -------------------------------------------------------------------------


def test_every_gap_is_an_entry_with_its_example_and_its_row(tmp_path: Path) -> None:
    """Nine stretches of years between eight of them, and those eight with two tiers that no row has."""
    book = written(GAPS, tmp_path)
    gaps = in_json(book, "gap")
    assert len(gaps) == 17
    assert len({gap["example"] for gap in gaps}) == len({gap["message"] for gap in gaps}) == len(gaps)
    assert all(len(gap["rows"]) == 1 for gap in gaps)
    shown = run("check", "--all", book).output
    assert len(blocks(shown)) == shown.count("example:") == shown.count("row to add:") == len(gaps)
    assert in_copy(book, "gap") == len(gaps)


def test_overlaps_say_whether_their_outcomes_differ(tmp_path: Path) -> None:
    book = written(OVERLAPS, tmp_path)
    overlaps = [str(one["message"]) for one in in_json(book, "overlap")]
    assert len(overlaps) == 15
    differ = [message.endswith("; their outcomes differ") for message in overlaps]
    same = [message.endswith("; their outcomes are the same") for message in overlaps]
    assert (sum(differ), sum(same)) == (9, 6)
    assert len(blocks(run("check", "--all", book).output)) == 15
    assert in_copy(book, "overlap") == 15


def test_of_a_table_some_are_shown_and_the_others_counted(tmp_path: Path) -> None:
    lines = run("check", written(OVERLAPS, tmp_path)).output.splitlines()
    assert [line for line in lines if not line.startswith("  ") or "more" in line][3:] == [
        "  and 12 more of this table",
        "each of them: dtables check --all book.xlsx",
        "book.xlsx: 1 table, 0 asks, 0 examples; 15 warnings, 1 note",
    ]


def test_a_table_with_more_gaps_than_are_listed_says_so(tmp_path: Path) -> None:
    rows = "\n".join(f" {n} | {n} | {n}" for n in range(1_200))
    text = (
        f"Decision: d(x: number, y: number) -> number ; policy: unique\n if | if | then\n x | y | r\n{rows}\n"
    )
    gaps = in_json(written(text, tmp_path), "gap")
    assert len(gaps) > 900
    assert "the table has more gaps than the 1,000 that are listed" in [gap["message"] for gap in gaps]


# -- mistakes ----------------------------------------------------------------------------------


def test_alike_mistakes_are_one_message(tmp_path: Path) -> None:
    rows = "\n".join(f"  Z{n:04} | {n}" for n in range(400))
    book = written(f"Decision: d(x: text) -> number ; policy: first\n if | then\n x | r\n{rows}\n", tmp_path)
    shown = run("check", book)
    assert shown.exit_code == 1
    assert shown.output == (
        "book.xlsx!Sheet1!A4: error[unknown-name]: nothing here is called `Z0000`\n"
        "  A4 | Z0000\n"
        "     | ^^^^^\n"
        "  and 399 more like it: A5, A6, A7, A8, A9, …\n"
        "each of them: dtables check --all book.xlsx\n"
        "book.xlsx: 400 errors\n"
    )
    assert len(blocks(run("check", "--all", book).output)) == len(in_json(book, "unknown-name")) == 400
    assert in_copy(book, "unknown-name") == 400
    assert run("eval", book, "-").output in shown.output


def test_errors_come_first_and_no_more_than_twenty(tmp_path: Path) -> None:
    tables = [
        f"Decision: d{n}(x: whole number) -> number ; policy: unique\n if | then\n x | r\n 1 | {n}\n"
        for n in range(30)
    ]
    broken = "\nDecision: last(x: number) -> number ; policy: first\n if | then\n x | r\n - | childs\n"
    book = written("\n".join(tables), tmp_path)
    lines = run("check", book).output.splitlines()
    assert len(blocks("\n".join(lines))) == 20
    assert lines[-3:-1] == ["and 40 more", "each of them: dtables check --all book.xlsx"]
    book = written("\n".join(tables) + broken + broken.replace("last", "worst"), tmp_path)
    shown = blocks(run("check", "--all", book).output)
    severities = [severity for line in shown for severity in re.findall(r": (error|warning)\[", line)]
    assert len(severities) == len(shown)
    assert severities == sorted(severities)


def test_few_alike_are_said_one_by_one() -> None:
    def finding(row: int, name: str, severity: Severity = Severity.ERROR) -> Diagnostic:
        where = Location(CellRef("b.xlsx", "S", row, 1))
        return Diagnostic(where, severity, "unknown-name", f"nothing here is called `{name}`")

    three = [finding(n, f"x{n}") for n in range(1, 4)]
    assert len(blocks(overview(three).replace("b.xlsx", "book.xlsx"))) == 3
    assert "each of them" not in overview(three)
    mixed = [finding(1, "w", Severity.WARNING), *three]
    assert overview(mixed).splitlines()[0].startswith("b.xlsx!S!A1: error")
    assert overview(()) == ""


# -- long cells --------------------------------------------------------------------------------


LONG = {
    "one word": "x" * 30_000, "words": "word " * 6_000, "an open text": '"' + "a" * 30_000,
    "a sum": "1 + " * 7_000, "quoted": "`ab` + " * 4_000, "a list": "gold, " * 5_000,
}  # fmt: skip


@pytest.mark.parametrize("long", swept(LONG.values()), ids=swept(LONG))
def test_a_long_cell_is_never_said_whole(long: str, tmp_path: Path) -> None:
    tables = "".join(
        f"Decision: d{n}(x: number) -> number ; policy: first\n if | then\n x | r\n {long} | {long}\n\n"
        for n in range(5)
    )
    book = written(tables, tmp_path)
    for arguments in (["check"], ["check", "--all"], ["check", "--all", "--notes"], ["check", "--json"]):
        shown = run(*arguments, book)
        assert shown.exit_code == 1
        assert long[:2_000] not in shown.output
        assert len(shown.output) < 40_000
    copy = book.with_name("copy.xlsx")
    run("annotate", book, "-o", copy)
    for row in openpyxl.load_workbook(copy)["Findings"].iter_rows():
        assert all(len(str(cell.value)) < 3 * LONGEST for cell in row if cell.value)


def test_a_long_cell_is_quoted_where_it_is_wrong() -> None:
    typed = "a + " * 500 + "childs" + " + b" * 500
    where = Location(CellRef("b.xlsx", "S", 1, 1), Span(2_000, 2_006))
    finding = Diagnostic(where, Severity.ERROR, "unknown-name", "there is no `childs`", typed)
    lines = overview([finding]).splitlines()
    start = lines[2].index("^")
    assert lines[1][start : start + lines[2].count("^")] == "childs"
    assert "…" in lines[1] and len(lines[1]) < 160
    plain = dtables.diagnostics.as_plain(finding)
    first, last = plain["span"]
    assert plain["typed"][first:last] == "childs"


# -- what other commands say of findings -------------------------------------------------------


def test_examples_that_do_not_hold(tmp_path: Path) -> None:
    examples = "\n".join(f"  {n} | {n}" for n in range(50))
    book = written(
        "Decision: d(x: number) -> number ; policy: first\n if | then\n x | r\n - | 1\n\n"
        f"Examples: e ; table: d\n given | expect\n x | value\n{examples}\n",
        tmp_path,
    )
    shown = run("test", book)
    assert shown.exit_code == 1
    assert len(blocks(shown.output)) == 20
    assert shown.output.splitlines()[-3:] == [
        "and 29 more", "each of them: dtables test --all book.xlsx", "book.xlsx: 1 of 50 examples hold",
    ]  # fmt: skip
    assert len(blocks(run("test", "--all", book).output)) == 49
    (plain,) = json.loads(run("test", "--json", book).output)
    assert (plain["examples"], len(plain["failures"])) == (50, 49)
