"""What a printed page holds, decided and plain: templates only draw it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dtables.model.vocabularies import STARRED
from dtables.provenance import CellRef, Location


class Style(StrEnum):
    """How a run of text is printed."""

    PLAIN = "plain"
    BOLD = "bold"
    QUIET = "quiet"
    RANK = "rank"
    """A place in an ordered list."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text."""

    text: str
    style: Style = Style.PLAIN


@dataclass(frozen=True, slots=True)
class Mark:
    """A badge: colours (two: split), shape and letter; `alt` is what a screen reader speaks."""

    colours: tuple[str, ...]
    shape: str
    letter: str
    alt: str


Inline = tuple[Run | Mark, ...]


# -- bodies ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StepRow:
    """A row of a scale or decision. Rows that go on under the same number have none."""

    number: str
    marks: Inline
    conditions: tuple[Inline, ...]
    text: Inline
    outcome: Inline
    cell: CellRef
    ruled: bool = True
    """Followed by a line; not between rows of one number."""
    variant: bool = False
    """Holds only under a house rule that is not the usual one."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Rows read from the top down. `heads` name the badges, the text and the outcome, where that helps."""

    rows: tuple[StepRow, ...]
    heads: tuple[str, str, str] | None = None


class Align(StrEnum):
    """How the cells of a column are aligned."""

    START = "start"
    CENTER = "center"


@dataclass(frozen=True, slots=True)
class GridCell:
    """`span` columns of the grid; `tinted` where it differs from what is usual."""

    text: Inline
    span: int
    tinted: bool


@dataclass(frozen=True, slots=True)
class GridRow:
    """`choice` is set where the row is for one name of a vocabulary only."""

    label: Inline
    cells: tuple[GridCell, ...]
    choice: str | None = None
    closes: bool = False
    """The last of several rows under one label."""


@dataclass(frozen=True, slots=True)
class GridSection:
    """Rows of one table; only grids of several tables have titles in them."""

    title: str
    note: str
    source: str
    rows: tuple[GridRow, ...]
    align: Align


@dataclass(frozen=True, slots=True)
class GridColumn:
    """`grow`: takes its share of the width; the others are as wide as what they hold."""

    head: Inline
    sub: str
    choice: str | None = None
    grow: bool = True


@dataclass(frozen=True, slots=True)
class Grid:
    """`vocabulary` names what columns (or rows with a choice) are chosen by. A `folded`
    grid has its sections side by side."""

    corner: str
    columns: tuple[GridColumn, ...]
    sections: tuple[GridSection, ...]
    vocabulary: str | None = None
    folded: bool = False


Body = Steps | Grid


# -- blocks and pages --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """One table, or several on one grid. `units` is how many columns of the page it fills, where given."""

    key: str
    title: str
    subtitle: str
    source: str
    body: Body
    where: Location
    units: int | None = None


class Paper(StrEnum):
    """What a sheet is printed on; cards are `tarot`."""

    A4 = "a4"
    LETTER = "letter"
    TAROT = "tarot"


@dataclass(frozen=True, slots=True)
class Legend:
    """A badge and the name it stands for."""

    mark: Mark
    label: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """Blocks of one page of the workbook; they may need more than one page of paper."""

    name: str
    title: str
    paper: Paper
    landscape: bool
    turns: bool
    """May be turned, where it fits better so."""
    blocks: tuple[Block, ...]
    where: Location
    legend: tuple[Legend, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card; its back is empty where nothing stands on it."""

    name: str
    title: str
    subtitle: str
    marks: Inline
    front: tuple[Block, ...]
    back: tuple[Block, ...]
    where: Location


@dataclass(frozen=True, slots=True)
class SetupChoice:
    """What setup fixes: the reader of a phone page picks one name and sees nothing of the others."""

    vocabulary: str
    label: str
    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Document:
    """All printed pages of a workbook in one language."""

    name: str
    language: str
    title: str
    subtitle: str
    book: str
    version: str
    sheets: tuple[Sheet, ...]
    cards: tuple[Card, ...]
    cards_only: tuple[Block, ...]
    """Tables that stand on cards and on no sheet, with nothing resolved: a phone page shows them so."""
    choices: tuple[SetupChoice, ...]


# -- wording as runs of text ------------------------------------------------------------------------
# Wording as it is typed, made into runs of text.

LEADING_WORDS = 10
LONGEST_LABEL = 36


def plain(text: str, style: Style = Style.PLAIN) -> Inline:
    """Return the text as one run; nothing for an empty one."""
    return (Run(text, style),) if text else ()


def starred(text: str) -> Inline:
    """`*word*` is bold; any other asterisk is printed as typed."""
    runs: list[Run] = []
    end = 0
    for found in STARRED.finditer(text):
        runs += [Run(text[end : found.start()]), Run(found.group(1), Style.BOLD)]
        end = found.end()
    runs.append(Run(text[end:]))
    return tuple(run for run in runs if run.text)


def worded(text: str) -> Inline:
    """A rule's wording. Without a starred word what leads it before a colon is bold."""
    if STARRED.search(text):
        return starred(text)
    head, colon, rest = text.partition(":")
    if not rest or len(head.split()) > LEADING_WORDS:
        return plain(text)
    return (Run(head, Style.BOLD), *plain(colon + rest))


def bold(inline: Inline) -> Inline:
    """Labels of rows; what is quiet stays so, and so does a sentence."""
    if sum(len(part.text) for part in inline if isinstance(part, Run)) > LONGEST_LABEL:
        return inline
    return tuple(
        Run(part.text, Style.BOLD) if isinstance(part, Run) and part.style is Style.PLAIN else part
        for part in inline
    )


def upper_first(text: str) -> str:
    """Return the text with its first letter in capitals, the others as they are."""
    return text[:1].upper() + text[1:]


def joined(parts: tuple[Inline, ...], separator: str) -> Inline:
    """Return the parts in a row, with a quiet separator between them."""
    result: list[Run | Mark] = []
    for n, part in enumerate(parts):
        if n:
            result.append(Run(separator, Style.QUIET))
        result.extend(part)
    return tuple(result)


def text_of(inline: Inline) -> str:
    """Return the text as it is read aloud."""
    return "".join(part.text if isinstance(part, Run) else part.alt for part in inline)
