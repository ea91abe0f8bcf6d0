"""What may be wrong with printed pages: one function per message."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from dtables.diagnostics import Diagnostic, Severity
from dtables.provenance import CellRef, Location

PROBLEMS = {
    "not-printable": "A table of a kind that has no place on a page: examples, glossary, input, record.",
    "no-pages": "A workbook with nothing that could be printed.",
    "pages-of-another-language": "A language without pages of its own: those of another are printed in it.",
    "no-cards": "Cards are wanted, and no row of `Pages` has the size of a card.",
    "term-undefined": "A word between stars that has no home on its face: no term, title, label or legend.",
    "term-unused": "A term that no wording of its face uses.",
    "missing-key": "A ° on a face, where no term says what it means.",
    "starred-words": "Words between stars on a page without a turn and terms: they are only bold.",
    "pointer-off-face": "A step that points to a table of another face, or of no page.",
    "too-many-pointers": "A step that sends its reader to more than three tables.",
    "decision-unreached": "A table that an answer may depend on, and that no step of the pages leads to.",
    "turn-open-end": "A step from which the turn never ends.",
    "text-code": "A name for programs, a cell or an expression in a wording that is printed.",
    "missing-wording": "Rows that pages cannot word well by themselves.",
    "badge-clash": "Badges of one face that are mistaken for one another.",
    "row-is-number": "A printed row that is called by a number.",
    "outcome-yes-no": "A printed column that says only yes or no.",
    "deck-incomplete": "A step that points to a table of no card.",
    "missing-character": "A character that the pages' fonts do not have.",
    "no-badge": "A badge, an icon or the colour of a deck that cannot be drawn.",
    "page-overflow": "A table or card that does not fit its paper, even in the smallest type.",
    "face-overflow": "A face of the workbook that takes more than one page in the smallest type.",
    "face-thin": "A face that is less than 70 % full.",
    "column-blank": "A column that is less than 85 % full beside a full one.",
    "card-uneven": "A card with one side crowded and the other nearly empty.",
    "lang-length": "One language forces type that is 0.6 points smaller than the other's, or more.",
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
    hint = "write `tarot`, `poker` or `mini` under `size`"
    return Diagnostic(
        Location(where), Severity.ERROR, "no-cards", "no page of this workbook is a card", hint=hint
    )


def missing_character(where: Location, character: str, text: str) -> Diagnostic:
    """`where` may be that of the name whose label is printed."""
    message = f"the pages' fonts have no `{character}` (U+{ord(character):04X}), which stands in `{text}`"
    return Diagnostic(where, Severity.ERROR, "missing-character", message)


def no_colour(where: CellRef, colour: str, what: str = "a badge") -> Diagnostic:
    """A badge or a deck has a colour that is neither a known name nor `#rrggbb`."""
    message = f"`{colour}` is no colour of {what}"
    hint = "write a colour's name or `#rrggbb`"
    return Diagnostic(Location(where), Severity.ERROR, "no-badge", message, hint=hint)


def no_icon(where: CellRef, icon: str) -> Diagnostic:
    """The corner of a card shows neither an icon nor a badge."""
    message = f"`{icon}` is not an icon or a badge"
    hint = "write the name of an icon, such as `coin`, or of a name with a badge"
    return Diagnostic(Location(where), Severity.ERROR, "no-badge", message, hint=hint)


def no_shape(where: CellRef, shape: str, known: tuple[str, ...]) -> Diagnostic:
    """A badge has a shape that is not drawn."""
    message = f"`{shape}` is no shape of a badge"
    hint = "write one of " + ", ".join(known)
    return Diagnostic(Location(where), Severity.ERROR, "no-badge", message, hint=hint)


def too_wide(where: Location, table: str, what: str, needed: float, room: float) -> Diagnostic:
    """A table is wider than its page at the smallest type; widths in millimetres."""
    message = (
        f"`{table}` does not fit {what}: it needs {ceil(needed)} mm in the smallest type, of {floor(room)} mm"
    )
    hint = "turn the table (rows for columns), print fewer columns, or let the page lie: `A4 landscape`"
    return Diagnostic(where, Severity.ERROR, "page-overflow", message, hint=hint)


def card_overflow(
    where: Location, card: str, side: str, table: str, wide: bool, needed: float, room: float
) -> Diagnostic:
    """A side of a card is too wide because of a table, or too high; in millimetres."""
    if wide:
        message = (
            f"card `{card}` ({side}): `{table}` is too wide. It needs {ceil(needed)} mm in the smallest "
            f"type, of {floor(room)} mm"
        )
        hint = "turn the matrix (rows for columns), or print a card for each of its columns: `for`"
    else:
        message = (
            f"card `{card}` ({side}) is too full: it needs {ceil(needed)} mm in the smallest type, of "
            f"{floor(room)} mm. The longest table is `{table}`"
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
    message = f"face `{face}` is only {int(fill * 100)}% full"
    hint = "move a table here from another face"
    return Diagnostic(where, Severity.WARNING, "face-thin", message, hint=hint)


def column_blank(where: Location, face: str, fill: float) -> Diagnostic:
    """A column ends well above the one beside it."""
    message = f"a column of face `{face}` is only {int(fill * 100)}% full"
    hint = "change the order of its tables, or say with `place` which column they stand in"
    return Diagnostic(where, Severity.WARNING, "column-blank", message, hint=hint)


def language_length(where: Location, language: str, points: float, table: str, text: str) -> Diagnostic:
    """Type could be larger if one language were shorter: where it is longest."""
    message = (
        f"the wording in `{language}` makes type {points:.1f} points smaller than the other language needs"
    )
    hint = f"shorten `{table}`: “{text if len(text) <= 90 else text[:89].rstrip() + '…'}”"
    return Diagnostic(where, Severity.WARNING, "lang-length", message, hint=hint)


def card_uneven(where: Location, card: str, sides: str) -> Diagnostic:
    """One side of a card is in small type while the other has room."""
    message = f"the sides of card `{card}` are uneven: {sides}"
    hint = "give the other side a table (`side`), or a part of one"
    return Diagnostic(where, Severity.WARNING, "card-uneven", message, hint=hint)


def typesetting(where: CellRef, severity: Severity, message: str) -> Diagnostic:
    """What the typesetter reports, on one line."""
    return Diagnostic(Location(where), severity, "typesetting", " ".join(message.split()))


def unknown_style(where: CellRef, file: str, known: tuple[str, ...]) -> Diagnostic:
    """A file in the folder of own templates has the name of none: it is ignored."""
    message = f"`{file}` replaces no template"
    hint = "the templates are " + ", ".join(known)
    return Diagnostic(Location(where), Severity.WARNING, "unknown-style", message, hint=hint)


# -- what a reader would stumble over ---------------------------------------------------------------


def term_undefined(where: CellRef, word: str, face: str, *, elsewhere: bool) -> Diagnostic:
    """A starred word has no home on its face; on another face of the same paper it may have one."""
    message = f"`{word}` is explained nowhere on page {face}"
    if elsewhere:
        message = f"`{word}` is explained on the other face of page {face}"
    hint = "add it to the terms of that page, or remove the stars"
    severity = Severity.WARNING if elsewhere else Severity.ERROR
    return Diagnostic(Location(where), severity, "term-undefined", message, hint=hint)


def starred_words(where: CellRef, words: Sequence[str]) -> Diagnostic:
    """Pages without turns and terms have starred words."""
    message = f"words between stars are bold, and explained nowhere: {_listed(words)}"
    hint = "add a table `Terms:` that says what they mean"
    return Diagnostic(Location(where), Severity.NOTE, "starred-words", message, hint=hint)


def term_unused(where: CellRef, term: str, face: str) -> Diagnostic:
    """A term is defined where no wording uses it."""
    message = f"no wording on page {face} uses the term `{term}`"
    return Diagnostic(Location(where), Severity.NOTE, "term-unused", message)


def missing_key(where: Location, sign: str, face: str) -> Diagnostic:
    """A sign that marks words is explained by no term."""
    message = f"`{sign}` is explained nowhere on page {face}"
    hint = f"add a row whose term is `{sign}` to a table `Terms:`, for example: our reading"
    return Diagnostic(where, Severity.WARNING, "missing-key", message, hint=hint)


def pointer_off_face(where: CellRef, table: str, face: str) -> Diagnostic:
    """A step on one face needs a table of another."""
    message = f"this step on page {face} points to `{table}`, which is on another face"
    hint = "move the table to the face of the step"
    return Diagnostic(Location(where), Severity.ERROR, "pointer-off-face", message, hint=hint)


def pointer_to_no_page(where: CellRef, table: str) -> Diagnostic:
    """A row names a table that is printed nowhere."""
    message = f"this row points to `{table}`, which is on no page"
    hint = "add it to `Pages`, or give it the property `print: inside NAME` with the name of this table"
    return Diagnostic(Location(where), Severity.ERROR, "pointer-off-face", message, hint=hint)


def too_many_pointers(where: CellRef, step: str, count: int, most: int) -> Diagnostic:
    """A step has more pointers than a reader follows."""
    message = f"step {step} points to {count} tables: at most {most} are allowed"
    hint = "split the step, or put short tables inside it"
    return Diagnostic(Location(where), Severity.ERROR, "too-many-pointers", message, hint=hint)


def decision_unreached(where: Location, table: str, turn: str, ask: str) -> Diagnostic:
    """The engine may consult a table for the turn's ask, and a reader is never led to it."""
    message = f"no step, case or term of the pages leads to `{table}`, on which `{ask}` may depend"
    hint = f"name it under `with` in the step of `{turn}` that uses it, or of the table that does"
    return Diagnostic(where, Severity.ERROR, "decision-unreached", message, hint=hint)


def turn_open_end(where: CellRef, step: str) -> Diagnostic:
    """Neither an end nor the last step can be reached from a step."""
    message = f"from step {step} the turn never ends"
    hint = "write `end` or a later step under `next`"
    return Diagnostic(Location(where), Severity.ERROR, "turn-open-end", message, hint=hint)


def text_code(where: CellRef, code: str, *, strict: bool) -> Diagnostic:
    """A wording that its author typed holds code."""
    message = f"`{code}` is no word for a reader"
    hint = "write it in words; braces hold a pointer, an icon or the name of a badge"
    return Diagnostic(Location(where), _held_to(strict), "text-code", message, hint=hint)


def made_with_code(where: CellRef, code: str) -> Diagnostic:
    """A wording that was made from an expression holds code."""
    message = f"the wording made for this row holds `{code}`"
    return Diagnostic(Location(where), Severity.WARNING, "missing-wording", message, hint=WORDS)


def missing_wording(where: Location, table: str, rows: Sequence[str], language: str, why: str) -> Diagnostic:
    """Rows of a table are hard to read as they are worded by themselves."""
    what = "row" if len(rows) == 1 else "rows"
    message = f"`{table}` needs a wording in `{language}`: {what} {_listed(rows)}"
    hint = f"{why}; write a wording under `text it`, `text en`" if why else WORDS
    return Diagnostic(where, Severity.NOTE, "missing-wording", message, hint=hint)


def badge_clash(where: Location, one: str, other: str, face: str, *, strict: bool) -> Diagnostic:
    """Two badges are alike in two of letter, shape and grey."""
    message = f"the badges of `{one}` and `{other}` on page {face} are mistaken for one another"
    hint = "give them other letters or shapes"
    return Diagnostic(where, _held_to(strict), "badge-clash", message, hint=hint)


def badge_letter(
    where: Location, letter: str, labels: tuple[str, str], face: str, *, strict: bool
) -> Diagnostic:
    """The letter of one badge is the beginning of another's label."""
    one, other = labels
    message = f"`{letter}` is the badge of `{one}` on page {face}, and begins `{other}` too"
    hint = "leave the letter blank: the shortest beginning that tells them apart is taken"
    return Diagnostic(where, _held_to(strict), "badge-clash", message, hint=hint)


def row_is_number(where: Location, row: str, block: str) -> Diagnostic:
    """A row has no name but a number."""
    message = f"`{block}` has a row that is called `{row}`"
    hint = "give its names labels, or leave the table out of the pages"
    return Diagnostic(where, Severity.WARNING, "row-is-number", message, hint=hint)


def outcome_yes_no(where: Location, block: str) -> Diagnostic:
    """A column of outcomes says only yes or no."""
    message = f"every outcome of `{block}` is yes or no"
    hint = "list the cases in which it holds, and the rest under `otherwise`"
    return Diagnostic(where, Severity.WARNING, "outcome-yes-no", message, hint=hint)


def deck_incomplete(where: CellRef, table: str) -> Diagnostic:
    """A step on a card points to what no card shows."""
    message = f"this step points to `{table}`, which is on no card"
    hint = "add a card with it, or move it to this one"
    return Diagnostic(Location(where), Severity.ERROR, "deck-incomplete", message, hint=hint)


def _held_to(strict: bool) -> Severity:
    """Pages that one plays from are held to more than others."""
    return Severity.ERROR if strict else Severity.WARNING


WORDS = "write it under `text it`, `text en`"
MOST_LISTED = 8


def _listed(names: Sequence[str]) -> str:
    return ", ".join([*names[:MOST_LISTED], *(["…"] if len(names) > MOST_LISTED else [])])
