"""Help: one comment on each marker, in the sheet's language, out of the words of the language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from openpyxl.comments import Comment
from openpyxl.utils import quote_sheetname
from openpyxl.worksheet.hyperlink import Hyperlink

from dtables.authoring.dressing.look import BODY, HEADLINE, INK, MUTED, SMALL, letters, underline
from dtables.spreadsheet.writer import set_text, writable
from dtables.workbook.kinds import BY_NAME, EVERYWHERE
from dtables.workbook.language import Kind, PropertySpec, Role, Spelled, plain
from dtables.workbook.tables import TableText

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
    texts = [_bare(text) for text in typed]
    return "it" if _only(texts, italian, english) > _only(texts, english, italian) else "en"


def add_help(sheet: Any, table: TableText) -> None:
    """A comment that somebody else wrote there stays."""
    kind, language = BY_NAME[table.kind], language_of(table)
    marker = sheet.cell(table.marker.cell.ref.row, table.marker.cell.ref.column)
    firsts = (kind.doc_en, kind.doc_it)
    if marker.comment is not None and not marker.comment.text.startswith(firsts):
        return
    marker.comment = comment(help_text(kind, language), AUTHOR)


def help_text(kind: Kind, language: str) -> str:
    columns, note = _HEADINGS[language]
    lines = [_doc(kind, language), "", columns]
    lines += [_line(role, language) for role in kind.roles]
    lines += ["", note]
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


def _only(text: list[str], these: set[str], those: set[str]) -> int:
    return sum(word in these and word not in those for word in text)


# -- lists and links --------------------------------------------------------------------------------
# A sheet of ours that comes first and lists things, each with a link to where it stands.

TOP = 4
"""The row of heads."""
LINK = "2F5D8A"

_WIDTH, _LINE, _LETTERS_A_LINE = 420, 17, 62


def first_sheet(book: Any, name: str, title: str, subtitle: str, heads: Sequence[tuple[str, float]]) -> Any:
    """Empty below its heads, which come with the widths of their columns."""
    sheet = book.create_sheet(_free_name(book, name), 0)
    book.active = 0
    for other in book.worksheets:
        other.sheet_view.tabSelected = other is sheet
    set_text(sheet["A1"], title)
    set_text(sheet["A2"], subtitle)
    sheet["A1"].font, sheet["A2"].font = letters(HEADLINE, INK, bold=True), letters(BODY, MUTED)
    for column, (head, width) in enumerate(heads, 1):
        cell = sheet.cell(TOP, column)
        set_text(cell, head)
        cell.font = letters(SMALL, MUTED, italic=True)
        cell.border = underline("medium", MUTED)
        sheet.column_dimensions[cell.column_letter].width = width
    sheet.freeze_panes = sheet.cell(TOP + 1, 1)
    sheet.sheet_view.showGridLines = False
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    return sheet


def _free_name(book: Any, first: str) -> str:
    taken = {name.casefold() for name in book.sheetnames}
    names = (first, *(f"{first} {n}" for n in range(2, len(taken) + 3)))
    return next(name for name in names if name.casefold() not in taken)


def without_first_sheet(book: Any, subtitles: Sequence[str]) -> None:
    """Takes away the one that was made before, which its subtitle tells."""
    for sheet in list(book.worksheets):
        if sheet["A2"].value in subtitles and len(book.worksheets) > 1:
            book.remove(sheet)


def link(cell: Any, sheet: str, address: str) -> None:
    cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quote_sheetname(sheet)}!{address}")
    cell.font = letters(int(cell.font.size), LINK, bold=cell.font.bold, underline="single")


def comment(text: str, author: str) -> Comment:
    """Large enough for its text."""
    lines = sum(1 + len(line) // _LETTERS_A_LINE for line in text.split("\n"))
    return Comment(writable(text), author, width=_WIDTH, height=_LINE * (lines + 1))
