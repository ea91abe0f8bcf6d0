"""Printed pages of the workbooks in tables/: every entry of every scale and matrix, in order, on paper."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import openpyxl
import pytest
from pypdf import PdfReader

from dtables.model.expressions import Expression, MakeList, NameOf
from dtables.model.tables import Data, Decision, Definitions, Matrix, Ruleset, Scale
from dtables.pages.badges import PageLabels
from dtables.pages.compose import BlockMaker, Keyed, PageItem, Printable, printables
from dtables.pages.document import Inline, Orders, Run, inlines
from dtables.pages.document import text_of as text_of_inline
from dtables.pages.house_rules import resolved
from dtables.pages.letters import missing_characters
from dtables.pages.resolve import NOTHING_FIXED
from dtables.pages.steps import split_condition
from dtables.pages.turns import is_sign
from tests.pages.browser import PHONE, seen_in_browser
from tests.pages.pdf_text import letters, text_of
from tests.support.reports import BOOKS, REPORTS, languages, model_of

EDITIONS = [(book, language) for book in BOOKS for language in ("it", "en")]


def name(edition: tuple[Path, str]) -> str:
    return f"{edition[0].stem}.{edition[1]}"


@cache
def printed(stem: str) -> str:
    """All text of the sheets and cards as they lie in reports/, which another test keeps fresh."""
    files = [REPORTS / f"{stem}.pdf", REPORTS / f"{stem}.cards.pdf"]
    return letters(" ".join(text_of(file.read_bytes()) for file in files if file.exists()))


def on_pages(model: Ruleset) -> set[str]:
    return {row.table for pages in model.pages for row in pages.rows}


# -- wording, straight from the cells ----------------------------------------------------------

ORDERED = ("Scale",)
WORDED = (*ORDERED, "Turn", "Attempts", "Cases", "Terms")


def worded_tables(book: Path, language: str) -> Iterator[tuple[str, str, list[str]]]:
    """Of each table on a page: its kind, its name and the cells of its text column, top down, from the file;
    not those that house rules leave out."""
    model = model_of(book)
    shown, gone = on_pages(model), left_out(model)
    for sheet in openpyxl.load_workbook(book).worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                kind, colon, rest = str(cell.value or "").partition(": ")
                title = rest.split("(")[0].split("->")[0].strip()
                if kind in WORDED and colon and title in shown:
                    cells = column_of(sheet, cell.row, cell.column, f"text {language}")
                    texts = [text for at, text in cells if (sheet.title, at) not in gone]
                    yield kind, title, texts


def left_out(model: Ruleset) -> set[tuple[str, int]]:
    """Sheets and lines of rows that hold under another house rule alone."""
    return set(lines_of(model)) - set(lines_of(resolved(model, {})))


def lines_of(model: Ruleset) -> Iterator[tuple[str, int]]:
    for table in model.tables:
        rows = table.criteria if isinstance(table, Scale) else ()
        for row in table.rules if isinstance(table, Decision) else rows:
            yield row.where.sheet, row.where.row


def column_of(sheet: object, row: int, column: int, role: str) -> Iterator[tuple[int, str]]:
    """Cells under a role with their lines, from below the marker to the table's first blank row."""
    at: int | None = None
    while any(sheet.cell(row, c).value is not None for c in range(column, column + 12)):
        values = [sheet.cell(row, c).value for c in range(column, column + 12)]
        if at is None and role in values:
            at = column + values.index(role)
        elif at is not None and sheet.cell(row, at).value is not None:
            yield row, str(sheet.cell(row, at).value)
        row += 1


@pytest.mark.parametrize("edition", EDITIONS, ids=name)
def test_wordings__all_on_the_page(edition: tuple[Path, str]) -> None:
    """Those of a scale in their order, the others each by itself."""
    book, language = edition
    text = printed(name(edition))
    tables = list(worded_tables(book, language))
    assert len(tables) >= 4
    for kind, title, wordings in tables:
        parts = [pieces(wording, language if kind in ORDERED else "") for wording in wordings]
        for group in [[piece for part in parts for piece in part]] if kind in ORDERED else parts:
            assert not group or in_order(text, group), f"{title}: {group}"


def pieces(wording: str, language: str) -> list[str]:
    """As it is printed: of a criterion the condition first; between its pieces stand letters of tables,
    badges and icons."""
    said, condition = split_condition(wording.replace("*", ""), language)
    return [
        letters(piece)
        for part in (condition, said)
        for piece in re.split(r"\{[^}]*\}", part)
        if letters(piece)
    ]


def in_order(text: str, parts: list[str]) -> bool:
    """Near each other, one after the other: some start of the first begins them all."""
    start = text.find(parts[0])
    while start >= 0:
        at = start
        for part in parts:
            found = text.find(part, at)
            if found < 0 or found - at > 400:
                break
            at = found + len(part)
        else:
            return True
        start = text.find(parts[0], start + 1)
    return False


# -- matrices ----------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS, ids=name)
def test_matrices__every_list_in_order(edition: tuple[Path, str]) -> None:
    """An ordered matrix, row by row: a place, then the name in each column, once where they are equal. One
    whose columns are the same lists in other orders is printed as these lists; on cards each column stands
    by itself."""
    book, language = edition
    model = model_of(book)
    names = PageLabels(model, language)
    maker = BlockMaker(model, language)
    for table in model.tables:
        if isinstance(table, Matrix) and table.down and table.heading.name in on_pages(model):
            columns = [[label(names, item) for item in items(entry.value)] for entry in table.entries]
            rows = [[column[n] for column in columns] for n in range(len(columns[0]))]
            wanted = [
                f"{n}{''.join(row[:1] if len(set(row)) == 1 else row)}" for n, row in enumerate(rows, 1)
            ]
            (block,) = maker.blocks((PageItem(table),), NOTHING_FIXED)
            if isinstance(block.body, Orders):
                assert list(expanded(block.body)) == columns, table.heading.name
                for listed in block.body.lists:
                    assert in_order(printed(name(edition)), [read(item) for item in listed.items])
            elif "".join(wanted) not in printed(name(edition)):
                on_cards = [in_order(printed(name(edition)), column) for column in columns]
                assert all(on_cards), table.heading.name


def expanded(orders: Orders) -> Iterator[list[str]]:
    """The columns that a factored matrix stands for."""
    lists = {listed.sign: listed.items for listed in orders.lists}
    for order in orders.orders:
        between = (item for sign in order.signs for item in lists[sign])
        yield [read(item) for item in (*orders.first, *between, *orders.last)]


def read(inline: Inline) -> str:
    """What is read of it: a badge stands beside its word."""
    return letters("".join(part.text for part in inline if isinstance(part, Run)))


@pytest.mark.parametrize("edition", EDITIONS, ids=name)
def test_matrices__every_value_of_a_look_up(edition: tuple[Path, str]) -> None:
    book, language = edition
    model = model_of(book)
    names = PageLabels(model, language)
    for table in model.tables:
        if isinstance(table, Matrix) and not table.down and len(table.parameters) == 1:
            if table.heading.name not in on_pages(model):
                continue
            for entry in table.entries:
                key = label(names, entry.keys[0])
                values = "".join(label(names, item) for item in items(entry.value))
                assert key + values in printed(name(edition)), f"{table.heading.name}: {key}"


def items(value: Expression) -> tuple[Expression, ...]:
    return value.items if isinstance(value, MakeList) else (value,)


def label(names: PageLabels, node: Expression) -> str:
    if isinstance(node, NameOf):
        mark = names.mark(node.vocabulary, node.id)
        assert mark is None or mark.alt
        return letters(names.name(node.vocabulary, node.id))
    value = getattr(node, "value", None)
    return "" if value is None else letters(str(value))


# -- pages -------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS, ids=name)
def test_pages__none_is_empty_and_each_is_numbered(edition: tuple[Path, str]) -> None:
    book, language = edition
    assert language in languages(book)
    reader = PdfReader(io.BytesIO((REPORTS / f"{name(edition)}.pdf").read_bytes()))
    count = len(reader.pages)
    sheets = {
        row.setting("page")
        for pages in model_of(book).pages
        for row in pages.rows
        if row.setting("size") != "tarot"
    }
    assert count >= len(sheets)
    for n, page in enumerate(reader.pages, 1):
        text = page.extract_text()
        assert len(letters(text)) > 250, f"page {n} is nearly empty"
        assert re.search(rf"(Faccia|Face) {n} (di|of) {count}|Faccia unica|One face", text)
        assert model_of(book).version in text


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_phone_pages__fit_a_phone(book: Path, tmp_path: Path) -> None:
    page = (REPORTS / f"{book.stem}.it.html").read_text(encoding="utf-8")
    seen = seen_in_browser(page, tmp_path, "dark")
    assert seen["problems"] == [] and seen["requests"] == [] and seen["small"] == []
    assert max(step["right"] for step in seen["steps"]) <= PHONE


@pytest.mark.parametrize("edition", EDITIONS, ids=name)
def test_every_table_can_be_a_block(edition: tuple[Path, str]) -> None:
    """Those too that no page shows today: questions, checks, reckonings, vocabularies, every data table."""
    book, language = edition
    model = model_of(book)
    maker = BlockMaker(model, language)
    things = printables(model)
    assert len(things) >= 20
    for title, thing in things.items():
        made = maker.blocks((PageItem(thing),), NOTHING_FIXED)
        if not rows_of(thing):
            assert not made, "an empty table needs no block"
            continue
        (block,) = made
        assert block.title and block.source, title
        own = replace(block, foot=())
        said = "".join(text_of_inline(inline) for inline in inlines(own))
        assert "null" not in said and "Variable(" not in said and "(expression" not in said, (
            f"{title}: {said}"
        )
        assert not missing_characters(said), title


def rows_of(thing: Printable) -> int:
    """Of data; of terms without signs, which are explained at the foot; of everything else more than none."""
    match thing:
        case Keyed(vocabulary=vocabulary):
            return len(vocabulary.rows)
        case Data(rows=rows):
            return len(rows)
        case Definitions(rows=terms):
            return sum(not is_sign(row) for row in terms)
        case _:
            return 1
