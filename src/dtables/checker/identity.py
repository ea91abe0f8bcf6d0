"""Which workbook this is: the languages it speaks, and a version that changes when a cell does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import TypeVar

from dtables.model.tables import Record, Vocabulary
from dtables.workbook.tables import BookText, TableText

VERSION_LENGTH = 12

Placed = TypeVar("Placed", Vocabulary, Record)


def languages_of(book: BookText) -> tuple[str, ...]:
    """In the order in which they are met."""
    found: dict[str | None, None] = {}
    for table in book.tables:
        found |= dict.fromkeys(column.language for column in table.columns)
        found |= dict.fromkeys(given.language for given in table.properties)
    return tuple(language for language in found if language)


def in_book_order(book: BookText, things: Iterable[Placed]) -> tuple[Placed, ...]:
    """As they stand in the workbook, whatever kind of table tells of them."""
    rank = {sheet: n for n, sheet in enumerate(book.sheets)}

    def place(thing: Placed) -> tuple[int, int, int]:
        cell = thing.where.cell
        return rank.get(cell.sheet, len(rank)), cell.row, cell.column

    return tuple(sorted(things, key=place))


def version_of(book: BookText) -> str:
    """Of what the tables say, wherever they stand: moving a table changes nothing."""
    digest = sha256()
    for text in sorted("\x1e".join(_said(table)) for table in book.tables):
        digest.update(text.encode())
        digest.update(b"\x1d")
    return digest.hexdigest()[:VERSION_LENGTH]


def _said(table: TableText) -> Iterator[str]:
    marker = table.marker
    yield table.kind
    yield marker.name.text
    yield from (f"{p.name.text}: {p.type.text}" for p in marker.parameters)
    yield marker.result.text if marker.result else ""
    yield from (f"{p.word} {p.language or ''}: {p.value.text}" for p in table.properties)
    for column in table.columns:
        named = column.name.typed if column.name else ""
        yield f"{column.role} {column.language or ''} {column.role_cell.typed} {named}"
    for row in table.rows:
        yield "\x1f".join(cell.typed for cell in row.cells)
