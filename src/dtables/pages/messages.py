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


def page_overflow(where: Location, what: str, paper: str) -> Diagnostic:
    """A table or a side of a card is larger than its paper at the smallest type."""
    message = f"{what} does not fit {paper}, even in the smallest type"
    hint = "move a table to another page, or shorten its wording"
    return Diagnostic(where, Severity.ERROR, "page-overflow", message, hint=hint)


def typesetting(where: CellRef, severity: Severity, message: str) -> Diagnostic:
    """What the typesetter reports, on one line."""
    return Diagnostic(Location(where), severity, "typesetting", " ".join(message.split()))


def unknown_style(where: CellRef, file: str, known: tuple[str, ...]) -> Diagnostic:
    """A file in the folder of own templates has the name of none: it is ignored."""
    message = f"`{file}` replaces no template"
    hint = "the templates are " + ", ".join(known)
    return Diagnostic(Location(where), Severity.WARNING, "unknown-style", message, hint=hint)
