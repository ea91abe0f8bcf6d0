"""What may be wrong with printed pages: one function per message."""

from __future__ import annotations

from dtables.diagnostics import Diagnostic, Severity
from dtables.provenance import CellRef, Location

PROBLEMS = {
    "not-printable": "A table of a kind that has no place on a page: examples, glossary, input, record.",
    "no-pages": "A workbook with nothing that could be printed.",
    "pages-of-another-language": "A language without pages of its own: those of another are printed in it.",
    "no-cards": "Cards are wanted, and no row of `Pages` has the size `tarot`.",
    "missing-character": "A character that the pages' fonts do not have.",
    "no-badge": "A badge's colour or shape that cannot be drawn.",
    "page-overflow": "A table or card that does not fit its paper, even in the smallest type.",
    "face-overflow": "A face of the workbook that takes more than one page in the smallest type.",
    "face-thin": "A face that is less than 70 % full.",
    "column-blank": "A column that is less than 85 % full beside a full one.",
    "lang-length": "One language forces type that is 0.6 points smaller than the other's, or more.",
    "deck-incomplete": "A step on a card leads to a table that no card of the deck has.",
    "typesetting": "What the typesetting program says of a page.",
    "unknown-style": "A file among own templates that replaces nothing.",
}


def not_printable(where: CellRef, table: str) -> Diagnostic:
    """A row of `Pages` names a table of a kind that pages do not show."""
    message = f"`{table}` is no table that can be printed"
    return Diagnostic(Location(where), Severity.ERROR, "not-printable", message)


def no_pages(where: CellRef) -> Diagnostic:
    """The workbook has no table of a kind that pages show."""
    return Diagnostic(Location(where), Severity.ERROR, "no-pages", "nothing in this workbook can be printed")


def pages_of_another_language(where: CellRef, language: str, other: str) -> Diagnostic:
    """No row of `Pages` is for the language that is printed."""
    message = f"no page is in `{language}`: the pages of `{other}` are printed in it"
    hint = f"add rows for `{language}` to the table of pages, or leave the column `language` blank"
    return Diagnostic(Location(where), Severity.NOTE, "pages-of-another-language", message, hint=hint)


def no_cards(where: CellRef) -> Diagnostic:
    """Cards are asked for, and no page of the workbook is one."""
    hint = "write `tarot` under `size`"
    return Diagnostic(
        Location(where), Severity.ERROR, "no-cards", "no page of this workbook is a card", hint=hint
    )


def missing_character(where: Location, character: str, text: str) -> Diagnostic:
    """`where` may be that of the name whose label is printed."""
    message = f"the pages' fonts have no `{character}` (U+{ord(character):04X}), which stands in `{text}`"
    return Diagnostic(where, Severity.ERROR, "missing-character", message)


def no_colour(where: CellRef, colour: str) -> Diagnostic:
    """A badge has a colour that is neither a known name nor `#rrggbb`."""
    message = f"`{colour}` is no colour of a badge"
    hint = "write a colour's name or `#rrggbb`"
    return Diagnostic(Location(where), Severity.ERROR, "no-badge", message, hint=hint)


def no_shape(where: CellRef, shape: str, known: tuple[str, ...]) -> Diagnostic:
    """A badge has a shape that is not drawn."""
    message = f"`{shape}` is no shape of a badge"
    hint = "write one of " + ", ".join(known)
    return Diagnostic(Location(where), Severity.ERROR, "no-badge", message, hint=hint)


def too_wide(where: Location, table: str, what: str, needed: float, room: float) -> Diagnostic:
    """A table is wider than its page at the smallest type; widths in millimetres."""
    message = (
        f"`{table}` does not fit {what}: it needs {needed:.0f} mm in the smallest type, of {room:.0f} mm"
    )
    hint = "turn the table (rows for columns), print fewer columns, or let the page lie: `A4 landscape`"
    return Diagnostic(where, Severity.ERROR, "page-overflow", message, hint=hint)


def card_overflow(
    where: Location, card: str, side: str, table: str, wide: bool, needed: float, room: float
) -> Diagnostic:
    """A side of a card is too wide because of a table, or too high; in millimetres."""
    if wide:
        message = (
            f"card `{card}` ({side}): `{table}` is too wide. It needs {needed:.0f} mm in the smallest type, "
            f"of {room:.0f} mm"
        )
        hint = "turn the matrix (rows for columns), or print a card for each of its columns: `for`"
    else:
        message = (
            f"card `{card}` ({side}) is too full: it needs {needed:.0f} mm in the smallest type, of "
            f"{room:.0f} mm. The longest table is `{table}`"
        )
        hint = "move a table to the back or to another card, or shorten its wording"
    return Diagnostic(where, Severity.ERROR, "page-overflow", message, hint=hint)


def face_overflow(where: Location, face: str, pages: int, size: float) -> Diagnostic:
    """What the workbook puts on one face takes several."""
    message = f"face `{face}` takes {pages} pages in type of {size:g} points"
    hint = "move a table to another face, or shorten its wording"
    return Diagnostic(where, Severity.WARNING, "face-overflow", message, hint=hint)


def face_thin(where: Location, face: str, fill: float) -> Diagnostic:
    """Much of a face stays blank even in the largest type."""
    message = f"face `{face}` is only {fill:.0%} full"
    hint = "move a table here from another face"
    return Diagnostic(where, Severity.WARNING, "face-thin", message, hint=hint)


def column_blank(where: Location, face: str, fill: float) -> Diagnostic:
    """A column ends well above the one beside it."""
    message = f"a column of face `{face}` is only {fill:.0%} full"
    hint = "change the order of its tables, or say with `place` which column they stand in"
    return Diagnostic(where, Severity.WARNING, "column-blank", message, hint=hint)


def language_length(where: Location, language: str, points: float, table: str, text: str) -> Diagnostic:
    """Type could be larger if one language were shorter: where it is longest."""
    message = (
        f"the wording in `{language}` makes type {points:.1f} points smaller than the other language needs"
    )
    hint = f"shorten `{table}`: “{text if len(text) <= 90 else text[:89].rstrip() + '…'}”"
    return Diagnostic(where, Severity.WARNING, "lang-length", message, hint=hint)


def deck_incomplete(where: Location, turn: str, table: str) -> Diagnostic:
    """A step on a card cannot be carried out with the deck alone."""
    message = f"a step of `{turn}` leads to `{table}`, which stands on no card"
    hint = "print the table on a card, too"
    return Diagnostic(where, Severity.ERROR, "deck-incomplete", message, hint=hint)


def typesetting(where: CellRef, severity: Severity, message: str) -> Diagnostic:
    """What the typesetter reports, on one line."""
    return Diagnostic(Location(where), severity, "typesetting", " ".join(message.split()))


def unknown_style(where: CellRef, file: str, known: tuple[str, ...]) -> Diagnostic:
    """A file in the folder of own templates has the name of none: it is ignored."""
    message = f"`{file}` replaces no template"
    hint = "the templates are " + ", ".join(known)
    return Diagnostic(Location(where), Severity.WARNING, "unknown-style", message, hint=hint)
