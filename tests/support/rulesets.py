"""The ruleset of tables drawn as text, and what is said of them."""

from __future__ import annotations

from dtables.checker import Memory, check_book
from dtables.checker.unread import without_echoes
from dtables.diagnostics import Diagnostic, errors_in, in_order, render
from dtables.model.tables import Ruleset
from dtables.workbook.tables import BookText
from tests.support.drawing import book_text


def drawn(text: str, name: str = "book.xlsx") -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
    return checked_book(*book_text(text, name))


def checked_book(
    book: BookText, found: tuple[Diagnostic, ...], memory: Memory | None = None
) -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
    """`found` when the book was read."""
    model, more = check_book(book, memory)
    assert (model is None) == errors_in(more)
    return model, in_order((*found, *without_echoes(book, found, more)), book.sheets)


def ruleset(text: str, name: str = "book.xlsx") -> Ruleset:
    """Nothing in it may be an error."""
    model, found = drawn(text, name)
    assert model is not None and not errors_in(found), render(found)
    return model


def sound(text: str) -> Ruleset | None:
    """None where the checker refuses what was drawn."""
    model, found = drawn(text)
    return None if errors_in(found) else model
