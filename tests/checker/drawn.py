"""Tables drawn as text, checked: what was found, and the ruleset."""

from __future__ import annotations

from dtables.checker import check_book
from dtables.diagnostics import Diagnostic, Severity, render
from dtables.model.tables import Ruleset, Table, table_name
from tests.support.drawing import book_text


def diagnostics(text: str) -> tuple[Diagnostic, ...]:
    book, found = book_text(text)
    assert render(found) == "", "the drawing itself is wrong"
    return check_book(book)[1]


def found(text: str) -> list[str]:
    """Errors and warnings, each as `B4 code: message`."""
    shown = (d for d in diagnostics(text) if d.severity is not Severity.NOTE)
    return [f"{d.where.cell.address} {d.code}: {d.message}" for d in shown]


def ruleset(text: str) -> Ruleset:
    book, told = book_text(text)
    assert render(told) == "", "the drawing itself is wrong"
    model, more = check_book(book)
    assert render(d for d in more if d.severity is Severity.ERROR) == ""
    assert model is not None
    return model


def table(text: str, name: str) -> Table:
    return next(t for t in ruleset(text).tables if table_name(t) == name)
