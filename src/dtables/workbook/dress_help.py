"""Help: one comment on each marker, in the sheet's language, out of the words of the language."""

from __future__ import annotations

from typing import Any

from dtables.workbook.dress_lists import comment
from dtables.workbook.roles import BY_NAME, EVERYWHERE
from dtables.workbook.tables import TableText
from dtables.workbook.words import Kind, PropertySpec, Role, Spelled, plain

AUTHOR = "dtables"
_HEADINGS = {"en": ("Columns", "Beside or under the marker"), "it": ("Colonne", "Accanto o sotto il titolo")}


def language_of(table: TableText) -> str:
    """`it` where more of the table's own words are Italian than English."""
    kind = BY_NAME[table.kind]
    typed = [table.marker.cell.typed.partition(":")[0], *(c.role_cell.typed for c in table.columns)]
    typed += [p.cell.typed.partition(":")[0] for p in table.properties]
    words: list[Kind | Role | PropertySpec] = [kind, *kind.roles, *kind.properties, *EVERYWHERE]
    english = {plain(s) for word in words for s in word.en}
    italian = {plain(s) for word in words for s in word.it}
    said = [_bare(text) for text in typed]
    return "it" if _only(said, italian, english) > _only(said, english, italian) else "en"


def add_help(sheet: Any, table: TableText) -> None:
    """A comment that somebody else wrote there stays."""
    kind, language = BY_NAME[table.kind], language_of(table)
    marker = sheet.cell(table.marker.cell.ref.row, table.marker.cell.ref.column)
    firsts = (kind.doc_en, kind.doc_it)
    if marker.comment is not None and not marker.comment.text.startswith(firsts):
        return
    marker.comment = comment(help_text(kind, language), AUTHOR)


def help_text(kind: Kind, language: str) -> str:
    columns, beside = _HEADINGS[language]
    lines = [_doc(kind, language), "", columns]
    lines += [_line(role, language) for role in kind.roles]
    lines += ["", beside]
    lines += [_line(spec, language) for spec in (*kind.properties, *EVERYWHERE)]
    return "\n".join(lines)


def _line(word: Role | PropertySpec, language: str) -> str:
    listed = ", ".join(first_spelling(closed, language) for closed in word.words)
    words = f" ({listed})" if listed else ""
    return f"  {first_spelling(word, language)}: {_doc(word, language)}{words}"


def _doc(word: Kind | Role | PropertySpec, language: str) -> str:
    return word.doc_it if language == "it" else word.doc_en


def first_spelling(word: Spelled, language: str) -> str:
    """The one that is offered; a word that Italian has not is the English one there too."""
    return (word.it if language == "it" and word.it else word.en)[0]


def _bare(text: str) -> str:
    """Without the language that may follow a role: `text it`."""
    words = plain(text).split()
    return " ".join(words[:-1]) if len(words) > 1 and words[-1] in ("it", "en") else " ".join(words)


def _only(said: list[str], these: set[str], those: set[str]) -> int:
    return sum(word in these and word not in those for word in said)
