"""What the reader made of a drawing, as text to compare with."""

from __future__ import annotations

from dtables.diagnostics import Diagnostic, render
from dtables.workbook.tables import BookText, ColumnText, TableText
from tests.support.drawing import book_text


def tables_of(text: str) -> str:
    """The canonical form of every table in the drawing; there must be nothing to complain about."""
    book, diagnostics = book_text(text)
    assert render(diagnostics) == ""
    return book_as_text(book)


def problems_of(text: str) -> str:
    return render(book_text(text)[1])


def short_problems(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    """Cell, code and message of each, without quotation and hint."""
    return [f"{str(d.where).partition('!')[2]} {d.code}: {d.message}" for d in diagnostics]


def book_as_text(book: BookText) -> str:
    return "\n".join(_table(table) for table in book.tables)


def _table(table: TableText) -> str:
    marker = table.marker
    parameters = ", ".join(f"{p.name.text}: {p.type.text}" for p in marker.parameters)
    head = f"{table.kind} {marker.name.text}" + (f"({parameters})" if parameters else "")
    head += f" -> {marker.result.text}" if marker.result else ""
    lines = [head]
    lines += [f"  {p.word}{_in(p.language)} = {p.value.text}" for p in table.properties]
    lines.append("  [" + " | ".join(_column(c) for c in table.columns) + "]")
    lines += ["  " + " | ".join(cell.code for cell in row.cells) for row in table.rows]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _column(column: ColumnText) -> str:
    named = f" {column.name.code}" if column.name and not column.name.empty else ""
    return f"{column.role}{_in(column.language)}{named}"


def _in(language: str | None) -> str:
    return f" {language}" if language else ""
