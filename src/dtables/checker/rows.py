"""What stands in a table as written: its cells by role, its properties, its words; nothing understood yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dtables.checker.report import Text
from dtables.model.tables import Badge, Heading, Words
from dtables.provenance import CellRef, Location, Span
from dtables.workbook.language import PRINTED, RINGS, closed_word
from dtables.workbook.tables import Cell, ColumnText, Property, RowText, TableText

BADGES = ("colour", "shape", "letter")
BLOCK, INSIDE = "block", "inside"

text_of = Text.of


def marker_name(table: TableText) -> Text:
    return Text.of_word(table.marker.name, table.marker.cell)


def part(text: Text, start: int, end: int) -> Text:
    """Some characters of a text, without the spaces around them."""
    piece = text.text[start:end]
    lead = len(piece) - len(piece.lstrip())
    return Text(piece.strip(), text.cell, text.start + start + lead)


def stripped(text: Text) -> Text:
    return part(text, 0, len(text.text))


def place(text: Text) -> Location:
    return Location(text.cell.ref, Span(text.start, text.start + max(1, len(text.text))))


def parts(text: Text, separators: str = ",;\n") -> tuple[Text, ...]:
    """A list of plain words; separators inside brackets and quotes do not count."""
    return tuple(piece for piece in pieces(text, separators) if piece.text)


def pieces(text: Text, separators: str) -> tuple[Text, ...]:
    """Blank ones too."""
    found, start, depth, quoted = [], 0, 0, False
    for position, character in enumerate(text.text):
        if character == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character in separators and depth <= 0:
            found.append(part(text, start, position))
            start = position + 1
    found.append(part(text, start, len(text.text)))
    return tuple(found)


# -- columns and cells -------------------------------------------------------------------------


def columns(table: TableText, *roles: str) -> tuple[int, ...]:
    """Which places of a row have one of these roles."""
    return tuple(n for n, column in enumerate(table.columns) if column.role in roles)


def column(table: TableText, role: str) -> int | None:
    found = columns(table, role)
    return found[0] if found else None


def cell_at(row: RowText, place_in_row: int | None) -> Cell | None:
    """The cell, or None where there is no such column or nothing in it."""
    if place_in_row is None:
        return None
    cell = row.cells[place_in_row]
    return None if cell.empty else cell


def cell_of(table: TableText, row: RowText, role: str) -> Cell | None:
    return cell_at(row, column(table, role))


def text_at(table: TableText, row: RowText, role: str) -> Text | None:
    cell = cell_of(table, row, role)
    return None if cell is None else text_of(cell)


def first_cell(row: RowText) -> CellRef:
    """Where a row begins: its first cell that holds something."""
    return next((c.ref for c in row.cells if not c.empty), row.cells[0].ref)


def filled_rows(table: TableText) -> Iterator[RowText]:
    for row in table.rows:
        for cell in row.cells:
            if cell.code:
                yield row
                break


def name_cell(column: ColumnText) -> Cell:
    """The cell that names a column; its role cell where it has no name."""
    return column.role_cell if column.name is None or column.name.empty else column.name


def column_name(column: ColumnText) -> str:
    return "" if column.name is None else column.name.code.strip()


def is_any(cell: Cell) -> bool:
    return cell.code.strip() in ("", "-")


# -- words -------------------------------------------------------------------------------------


def words_at(table: TableText, row: RowText, role: str) -> Words:
    """Wording per language, as typed: what people read keeps its typography."""
    return words_in(table, row, columns(table, role))


def called_at(table: TableText, row: RowText) -> Words:
    """What a row's thing is called: its label, and in other languages its wording."""
    return words_of_both(words_at(table, row, "label"), words_at(table, row, "text"))


def worded_at(table: TableText, row: RowText) -> Words:
    """How a row is said: its wording, and in other languages its label."""
    return words_of_both(words_at(table, row, "text"), words_at(table, row, "label"))


def words_in(table: TableText, row: RowText, places: Iterable[int]) -> Words:
    found = []
    for n in places:
        if not row.cells[n].empty:
            found.append((table.columns[n].language or "", row.cells[n].typed.strip()))
    return tuple(found)


def words_of_both(own: Words, glossary: Words) -> Words:
    """The table's own words come first; a language it has is not said twice."""
    languages = {language for language, _ in own}
    return (*own, *(word for word in glossary if word[0] not in languages))


def row_number(table: TableText, row: RowText) -> str:
    return number_at(table, row, column(table, "#"))


def number_at(table: TableText, row: RowText, place_in_row: int | None) -> str:
    """What stands under `#`, else the row's place in the table."""
    cell = cell_at(row, place_in_row)
    return cell.code.strip() if cell else str(row.number - table.rows[0].number + 1)


def badge_at(table: TableText, row: RowText) -> Badge | None:
    badge = badge_of([(table.columns[n], row.cells[n].typed) for n in columns(table, *BADGES)])
    return None if badge == Badge() else badge


def badge_of(written: Iterable[tuple[ColumnText, str]]) -> Badge:
    """Of what columns of badges say of one name."""
    filled = [(column, text.strip()) for column, text in written if text.strip()]
    named = {column.role: text for column, text in filled}
    letters = tuple((column.language or "", text) for column, text in filled if column.role == "letter")
    return Badge(named.get("colour"), named.get("shape"), letters)


def spellings_at(table: TableText, row: RowText) -> tuple[str, ...]:
    written = text_at(table, row, "also")
    return tuple(p.text for p in parts(written)) if written else ()


# -- properties --------------------------------------------------------------------------------


def property_of(table: TableText, word: str) -> Property | None:
    return next((p for p in table.properties if p.word == word), None)


def property_text(table: TableText, word: str) -> Text | None:
    found = property_of(table, word)
    if found is None or not found.value.text.strip():
        return None
    return Text.of_word(found.value, found.cell)


def property_words(table: TableText, word: str) -> Words:
    found = [p for p in table.properties if p.word == word]
    return tuple((p.language or "", p.value.text.strip()) for p in found if p.value.text.strip())


def heading(table: TableText) -> Heading:
    title, note = property_words(table, "title"), property_words(table, "note")
    return Heading(
        table.name, table.where, title, note, listed(property_text(table, "source")), printed(table)
    )


def listed(text: Text | None) -> tuple[str, ...]:
    """The plain words of a list, blank where there is no text."""
    return tuple(p.text for p in parts(text)) if text else ()


def printed(table: TableText) -> str:
    """Where pages show the table, in canonical words; a block where that is not said, or said wrongly."""
    written = property_text(table, "print")
    if written is None:
        return BLOCK
    word = closed_word(RINGS, written.text)
    inside = inside_of(written)
    if inside is not None:
        return f"{INSIDE} {inside.text}" if inside.text else BLOCK
    return BLOCK if word in (None, INSIDE) else str(word)


def inside_of(written: Text) -> Text | None:
    """The name after `inside`; None where another word stands there."""
    first, _, rest = written.text.partition(" ")
    if closed_word(PRINTED, first) != INSIDE:
        return None
    return part(written, len(first), len(first) + 1 + len(rest))
