"""The words of the table language in the other language: kinds, roles, properties, closed words.

What a table means does not change, and neither does anything that its author named or worded. A word that
is the language's already stays as it is typed; any other becomes its first spelling there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from dtables.authoring.dressing.choices import cells_of
from dtables.authoring.dressing.languages import LANGUAGES, first_spelling, role_of, spellings_in
from dtables.provenance import CellRef
from dtables.workbook.kinds import BY_NAME, EVERYWHERE
from dtables.workbook.language import NEEDED, TURNS, ClosedWord, Kind, Spelled, plain, spelled
from dtables.workbook.markers import marker_start, read_marker, read_property
from dtables.workbook.tables import (
    BookText,
    Cell,
    ColumnText,
    Marker,
    Property,
    RowText,
    TableText,
    text_cell,
)


def translated(book: BookText, language: str) -> BookText:
    """Return the tables of a workbook, with all of their words in the language."""
    return replace(book, tables=tuple(_table(table, language) for table in book.tables))


def edits(before: BookText, after: BookText) -> dict[CellRef, str]:
    """Return what is to be typed into which cells to make one of the other."""
    old, new = _typed(before), _typed(after)
    return {ref: text for ref, text in new.items() if text != old[ref]}


def _typed(book: BookText) -> dict[CellRef, str]:
    """What the cells say that are texts. Properties behind a marker stand in its cell."""
    found: dict[CellRef, list[str]] = defaultdict(list)
    for table in book.tables:
        heads = (table.marker.cell, *(p.cell for p in table.properties))
        roles = (column.role_cell for column in table.columns)
        for cell in (*heads, *roles, *(cell for row in table.rows for cell in row.cells)):
            if isinstance(cell.value, str):
                found[cell.ref].append(cell.typed.strip())
    return {ref: "; ".join(texts) for ref, texts in found.items()}


# -- one table ---------------------------------------------------------------------------------


def _table(table: TableText, language: str) -> TableText:
    kind = BY_NAME[table.kind]
    places = [(place, _closed_words(kind, column)) for place, column in enumerate(table.columns)]
    steps = {cell.typed for cell in cells_of(table, "step")}
    rows = tuple(_row(row, places, steps, language) for row in table.rows)
    properties = tuple(_property(kind, one, table.marker.cell, language) for one in table.properties)
    columns = tuple(_column(kind, column, language) for column in table.columns)
    marker = _marker(kind, table.marker, language)
    return replace(table, marker=marker, properties=properties, columns=columns, rows=rows)


def _marker(kind: Kind, marker: Marker, language: str) -> Marker:
    cell = marker.cell
    start = marker_start(cell)
    if start is None or start.kind is None:
        return marker
    typed = cell.typed[start.word.start : start.word.end]
    # A procedure is called by one of two words, which do not mean the same.
    word = (spelled(TURNS, typed) if kind.name == "turn" else None) or kind
    new = _retyped(
        cell, _at(cell.typed, start.word.start, start.word.end, _translation(word, typed, language))
    )
    again = marker_start(new)
    return read_marker(new, again, kind)[0] if again is not None else marker


def _property(kind: Kind, one: Property, marker: Cell, language: str) -> Property:
    spec = next(spec for spec in (*kind.properties, *EVERYWHERE) if spec.name == one.word)
    start, cell = marker_start(one.cell), one.cell
    if start is None:
        return one
    typed = cell.typed
    if spec.words:
        typed = typed[: start.rest] + _closed(spec.words, typed[start.rest :], language)
    typed = _at(typed, start.word.start, start.word.end, _spoken(spec, typed, start.word.end, language))
    read = read_property(_retyped(cell, typed), kind, marker)
    return read if isinstance(read, Property) else one


def _column(kind: Kind, column: ColumnText, language: str) -> ColumnText:
    role = role_of(kind, column.role)
    cell = column.role_cell
    if role is None or not isinstance(cell.value, str):
        return column
    return replace(column, role_cell=_retyped(cell, _spoken(role, cell.typed, len(cell.typed), language)))


def _closed_words(kind: Kind, column: ColumnText) -> tuple[ClosedWord, ...]:
    role = role_of(kind, column.role)
    if column.role == "default" and kind.name == "record":
        return NEEDED
    return role.words if role is not None else ()


def _row(
    row: RowText,
    places: Iterable[tuple[int, tuple[ClosedWord, ...]]],
    names: Collection[str],
    language: str,
) -> RowText:
    """`names` are the author's, which may stand where a closed word does."""
    cells = list(row.cells)
    for place, words in places:
        cell = cells[place]
        if not isinstance(cell.value, str):
            continue
        if words and cell.typed not in names:
            cells[place] = _retyped(cell, _closed(words, cell.typed, language))
    return replace(row, cells=tuple(cells))


# -- one word ----------------------------------------------------------------------------------


def _translation(word: Spelled, typed: str, language: str) -> str:
    """The word as it is said in the language; as it is typed where it is said so there and nowhere else."""
    other = next(one for one in LANGUAGES if one != language)
    here, there = (set(map(plain, spellings_in(word, one))) for one in (language, other))
    if plain(typed) in here - there:
        return typed
    said = first_spelling(word, language)
    return said[0].upper() + said[1:] if typed[:1].isupper() else said


def _spoken(word: Spelled, typed: str, end: int, language: str) -> str:
    """The same of one that a language may follow (`text it`), and may stand for something else."""
    base, *spoken = _with_languages(typed[:end].strip())
    known = {plain(s) for s in (*word.en, *word.it)}
    for head, tail in ((typed[:end].strip(), ""), (base, " ".join(spoken))):
        if plain(head) in known:
            return " ".join(filter(None, (_translation(word, head, language), tail)))
    return typed[:end].strip()


def _with_languages(typed: str) -> tuple[str, ...]:
    base, _, last = typed.rpartition(" ")
    return (base.strip(), last) if base else (typed,)


def _closed(words: tuple[ClosedWord, ...], typed: str, language: str) -> str:
    """A cell's closed word, which may go on with what is the author's: `first in colours`."""
    lead = typed[: len(typed) - len(typed.lstrip())]
    for head in _heads(typed.strip()):
        word = spelled(words, head)
        if word is not None:
            return lead + _translation(word, head, language) + typed.strip()[len(head) :]
    return typed


def _heads(text: str) -> Iterator[str]:
    """The whole text, then without its last word, and so on."""
    yield text
    for place in range(len(text) - 1, 0, -1):
        if text[place].isspace() and not text[place - 1].isspace():
            yield text[:place]


def _at(typed: str, start: int, end: int, new: str) -> str:
    return typed[:start] + new + typed[end:]


def _retyped(cell: Cell, typed: str) -> Cell:
    """A piece of a cell keeps the blanks before it, which say where it stands."""
    if typed == cell.typed:
        return cell
    made = text_cell(cell.ref, typed.strip())
    lead = typed[: len(typed) - len(typed.lstrip())]
    return made._replace(code=lead + made.code, typed=lead + made.typed)
