"""The ruleset of tables drawn as text, and what is said of them."""

from __future__ import annotations

from dtables.checker import check_book
from dtables.checker.unread import without_echoes
from dtables.diagnostics import Diagnostic, errors_in, in_order, render
from dtables.model.tables import Ruleset
from dtables.workbook.tables import BookText
from tests.support.drawing import book_text


def checked(text: str, name: str = "book.xlsx") -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
    return checked_book(*book_text(text, name))


def checked_book(
    book: BookText, found: tuple[Diagnostic, ...]
) -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
    """`found` when the book was read."""
    model, more = check_book(book)
    return model, in_order((*found, *without_echoes(book, found, more)), book.sheets)


def ruleset(text: str, name: str = "book.xlsx") -> Ruleset:
    """Nothing in it may be an error."""
    model, found = checked(text, name)
    assert model is not None and not errors_in(found), render(found)
    return model


def sound(text: str) -> Ruleset | None:
    """None where the checker refuses what was drawn."""
    model, found = checked(text)
    return None if errors_in(found) else model
