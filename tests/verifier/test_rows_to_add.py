"""A gap comes with the row that closes it, in the order of the sheet and the words of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dtables.checker import check_book
from dtables.diagnostics import Diagnostic, Severity, render
from dtables.model.tables import Decision
from dtables.verifier.columns import PossibleValues
from dtables.verifier.decisions import verify_decision
from dtables.workbook.cells import read_workbook
from dtables.workbook.tables import BookText, RowText, TableText, text_cell
from tests.verifier.books import found

BOOKS = Path(__file__).parents[2] / "tables"

DATA = """
Data: card ; key: card
  key | tier | number | label it
  card | tier | points |
  ace | gold | 1 | Asso
  king | silver | 2 | Re
  jack | silver | 1 | Fante

Types: seasons
  name | names
  month | jan, feb, mar
  hand | right, up, both, none

Glossary: words
  kind | id | label it
  month | jan | gennaio
  month | feb | febbraio
  month | mar | marzo
  hand | right | destra
  hand | up | su, in alto
  hand | both | fronte
  hand | none | Fronte
"""


def rows(text: str) -> list[str]:
    """Of all gaps, with a bar for each tab."""
    return [row.replace("\t", " | ") for d in found(DATA + text) if d.code == "gap" for row in d.rows]


def closed(text: str) -> bool:
    """Are there no gaps any more once the rows are added, and no overlaps?"""
    roles = [cell.strip() for cell in text.strip().splitlines()[1].split("|")]
    added = [row.split(" | ") for row in rows(text)]
    for row in added:
        assert row[roles.index("then")] == ""
        row[roles.index("then")] = "1"
    whole = text.rstrip() + "\n" + "\n".join(" | ".join(row) for row in added)
    return not any(d.code in ("gap", "overlap") for d in found(DATA + whole))


CASES = {
    "numbers": (
        "d(x: number) -> number\n # | if | then\n # | x | r\n 1 | < 2.5 | 0\n 2 | > 7 | 1",
        ["3 | [2.5..7] | "],
    ),
    "negative numbers": (
        "d(x: whole number) -> number\n # | if | then\n # | x | r\n 1 | < -5 | 0\n 2 | > -2 | 1",
        ["3 | [-5..-2] | "],
    ),
    "no numbers of rows": (
        "d(x: number) -> number\n if | then\n x | r\n < 3 | 0", [">= 3 | "],
    ),
    "outcome in front": (
        "d(x: number) -> number\n # | then | if\n # | r | x\n 1 | 0 | < 3", ["2 |  | >= 3"],
    ),
    "columns for people": (
        "d(x: number, t: tier) -> number\n # | if | text en | if | then | note\n # | x | | t | r | \n"
        " a | < 3 | few | - | 0 | \n b | - | all | not(gold) | 1 | once",
        [" | >= 3 |  | gold |  | "],
    ),
    "names": (
        "d(t: tier, b: boolean) -> number\n if | if | then\n t | b | r\n"
        " gold | no | 0\n silver, bronze | - | 1",
        ["gold | yes | "],
    ),
    "truth as it is typed": (
        "d(t: tier, b: boolean) -> number\n if | if | then\n t | b | r\n gold | false | 0\n gold | true | 1\n"
        " silver | false | 2\n bronze | - | 0",
        ["silver | true | "],
    ),
    "null": (
        "d(x: number?) -> number\n if | then\n x | r\n < 3 | 0", [">= 3, null | "],
    ),
    "anything but null": ("d(x: number?) -> number\n if | then\n x | r\n null | 0", ["not(null) | "]),
    "labels in the table's language": (
        "d(m: month) -> number\n if | then\n m | r\n febbraio | 0", ["gennaio, marzo | "],
    ),
    "ids where ids are written": ("d(m: month) -> number\n if | then\n m | r\n feb | 0", ["jan, mar | "]),
    "ids where labels could be misread": (
        "d(h: hand) -> number\n if | then\n h | r\n destra | 0", ["up, both, none | "],
    ),
    "texts": ('d(s: text) -> number\n if | then\n s | r\n "a b", "c" | 0', ['not("a b", "c") | ']),
    "dates with a sign": (
        'd(x: date) -> number\n if | then\n x | r\n < @"2026-02-01" | 0', ['>= @"2026-02-01" | '],
    ),
    "durations": (
        'd(x: days and time duration) -> number\n if | then\n x | r\n < duration("P2D") | 0',
        ['>= duration("P2D") | '],
    ),
    "fields of data": (
        "d(c: card) -> number\n if | if | then\n c.tier | c.points | r\n gold | - | 0\n silver | 2 | 1",
        ["silver | 1 | "],
    ),
    "whole conditions": (
        "d(x: number, t: tier) -> number\n if | then\n | r\n x < 3 and t = gold | 0",
        ["x < 3 and t in (silver, bronze) | ", "x >= 3 | "],
    ),
    "a cell that says more": (
        "d(x: number, y: number) -> number\n if | then\n x | r\n < 3 | 0\n > y | 1",
        ["? >= 3 and not(? > y) | "],
    ),
    "a whole condition that does not hold": (
        "d(x: number?, t: tier) -> number\n if | if | then\n | t | r\n x > 3 or t = gold | silver | 0",
        ["x > 3 or t = gold | gold, bronze | ", "not(x > 3 or t = gold) | - | "],
    ),
    "all but one of many": (
        "d(x: number, m: month) -> number\n if | then\n | r\n x = 1 and m = jan | 0",
        ["x < 1 | ", "x > 1 | ", "x in (1) and m in (feb, mar) | "],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("table", "expected"), CASES.values(), ids=CASES)
def test_rows_to_add(table: str, expected: list[str]) -> None:
    text = f"\nDecision: {table}\n".replace("number\n", "number ; policy: first\n", 1)
    assert rows(text) == expected
    assert closed(text)


# -- tables of the games, with a row taken out -------------------------------------------------


def proved(book: BookText, name: str) -> tuple[Diagnostic, ...]:
    model, said = check_book(book)
    assert model is not None, render(d for d in said if d.severity is Severity.ERROR)
    decision = next(t for t in model.tables if isinstance(t, Decision) and t.heading.name == name)
    return tuple(verify_decision(decision, model, PossibleValues(model)))


def with_rows(book: BookText, table: TableText, rows: Sequence[RowText]) -> BookText:
    """Without its `otherwise`, which would close all gaps."""
    said = tuple(p for p in table.properties if p.word != "otherwise")
    changed = replace(table, rows=tuple(rows), properties=said)
    return replace(book, tables=tuple(changed if t is table else t for t in book.tables))


def typed(table: TableText, line: str, number: int, given: RowText) -> RowText:
    """The line as a row of the sheet, with the outcome of another row."""
    texts, first = line.split("\t"), table.where.cell.column
    assert len(texts) == len(table.columns)
    cells = []
    for column, cell in zip(table.columns, given.cells, strict=True):
        ref = cell.ref._replace(row=number)
        outcome = column.role in ("then", "take")
        cells.append(cell._replace(ref=ref) if outcome else text_cell(ref, texts[column.number - first]))
    return RowText(number, tuple(cells))


@pytest.mark.parametrize(
    ("game", "name", "taken"),
    [
        ("duel", "may pay", 2), ("terra_mystica", "prize", 3), ("comics", "failure", 4),
        ("concordia", "places a colonist", 1), ("architects", "extra card", 0),
        ("architects", "card priority", 3),
    ],
)  # fmt: skip
def test_rows_to_add__to_tables_of_the_games(game: str, name: str, taken: int) -> None:
    book, _ = read_workbook(BOOKS / f"{game}.xlsx")
    assert book is not None
    table = next(t for t in book.tables if t.name == name)
    given, others = table.rows[taken], [row for n, row in enumerate(table.rows) if n != taken]
    before = proved(with_rows(book, table, others), name)
    lines = [line for d in before if d.code == "gap" for line in d.rows]
    assert lines
    added = [typed(table, line, 5_000 + n, given) for n, line in enumerate(lines)]
    after = proved(with_rows(book, table, [*others, *added]), name)
    assert [d.code for d in after if d.code in ("gap", "overlap")] == [
        d.code for d in before if d.code == "overlap"
    ]
