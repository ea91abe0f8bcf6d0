"""Help: one comment on each marker, in the workbook's language, out of the words of the table language."""

from __future__ import annotations

from typing import Any

from dtables.authoring.dressing.languages import first_spelling, words_language
from dtables.authoring.dressing.listing import comment
from dtables.workbook.kinds import BY_NAME, EVERYWHERE
from dtables.workbook.language import Kind, PropertySpec, Role
from dtables.workbook.tables import TableText

AUTHOR = "dtables"
_HEADINGS = {"en": ("Columns", "Beside or under the marker"), "it": ("Colonne", "Accanto o sotto il titolo")}


def add_help(sheet: Any, table: TableText, language: str) -> None:
    """Told in one language with the words of the table's own; a comment that somebody else wrote stays."""
    kind = BY_NAME[table.kind]
    marker = sheet.cell(table.marker.cell.ref.row, table.marker.cell.ref.column)
    ours = (kind.doc_en, kind.doc_it)
    there = marker.comment
    if there is not None and there.author != AUTHOR and not there.text.startswith(ours):
        return
    marker.comment = comment(help_text(kind, language, words_language(table)), AUTHOR)


def help_text(kind: Kind, language: str, words: str) -> str:
    """What a kind of table is, and what its roles and properties are, these by their words in a language."""
    columns, note = _HEADINGS[language]
    lines = [_doc(kind, language), "", columns]
    lines += [_line(role, language, words) for role in kind.roles]
    lines += ["", note]
    lines += [_line(spec, language, words) for spec in (*kind.properties, *EVERYWHERE)]
    return "\n".join(lines)


def _line(word: Role | PropertySpec, language: str, words: str) -> str:
    listed = ", ".join(first_spelling(closed, words) for closed in word.words)
    closed = f" ({listed})" if listed else ""
    return f"  {first_spelling(word, words)}: {_doc(word, language)}{closed}"


def _doc(word: Kind | Role | PropertySpec, language: str) -> str:
    return word.doc_it if language == "it" else word.doc_en
