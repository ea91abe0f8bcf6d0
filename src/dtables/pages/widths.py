"""How wide what a block holds is, in ems, before it is set: below which width words run out of their cells,
and how a table's columns share what they get."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest

from dtables.pages.document import (
    Block,
    Body,
    Chip,
    Entries,
    Entry,
    Grid,
    GridSection,
    Icon,
    Inline,
    Mark,
    Orders,
    Part,
    Pointer,
    Procedure,
    ProcedureRow,
    Ring,
    Run,
    Steps,
    drawn_text,
    texts_in,
)
from dtables.pages.letters import text_width
from dtables.pages.rings import ring_size

BADGE_WIDTH, SPLIT_WIDTH = 1.3, 1.62
POINTER_WIDTH = 2.3
CELL_MARGIN = 0.86
TITLE_SIZE = 1.12
"""In ems: how large the titles of blocks are."""
LONG_LABEL = 14.0
"""Labels longer than this many ems share the width with the cells and may break."""
LABEL_SHARE = 1.6
"""Of all the cells together."""
NAME_WIDTH = 11.0
"""What is shorter stays on one line, if there is room at all."""
MOST_IN_A_LINE = 40.0
LEAST = 12.0
"""No block is narrower."""
FRAME = 1.2
"""Around what a block of a sheet holds."""
LABEL_LEAST = 5.0
"""Labels are not broken into narrower columns."""
MOST_ASIDE = 9.0
"""Outcomes that are wider stand in the text."""
MOST_BESIDE, MANY_LABELS, LONG_WORDING = 6.5, 2, 100
"""Labels stand in a column of their own where they are no wider, at least so many, and the wordings no longer
(in characters)."""
MEASURED = 24
"""Of a column so many of its longest texts are measured."""


def narrowest(block: Block, *, on_card: bool = False) -> float:
    """In ems: below this, words would run out of their cells. On cards columns share as they need, and
    labels break."""
    return _of_block(block, 0.0, on_card, shrunk=on_card)


def comfortable(block: Block, *, on_card: bool = False) -> float:
    """In ems: below this, names in cells would be broken."""
    return _of_block(block, NAME_WIDTH, on_card)


def _of_block(block: Block, whole: float, on_card: bool, *, shrunk: bool = False) -> float:
    """On sheets a frame stands around what a block holds."""
    head = max((text_width(word) * TITLE_SIZE for word in block.title.split()), default=0.0) + 3
    return max(LEAST, head, _narrowest(block.body, whole, shrunk) + (0.0 if on_card else FRAME))


def _narrowest(body: Body, whole: float = 0.0, shrunk: bool = False) -> float:
    match body:
        case Grid(sections=sections, folded=folded) as grid:
            width = _shrunk_grid(grid) if shrunk else _narrowest_grid(grid, whole)
            return width * (len(sections) if folded else 1)
        case Steps() as steps:
            return 2 + _longest_word(text for text in texts_in(steps)) + outcome_width(steps)
        case Entries(rows=rows):
            words = _longest_word(text for row in rows for text in (row.text, row.example))
            inside = _inside(rows, shrunk)
            return max(label_beside(body) + words, _longest_word(row.label for row in rows), inside)
        case Orders() as orders:
            return _longest_word(texts_in(orders))
        case Ring() as ring:
            return ring_size(ring)[0]
        case Procedure(rows=steps):
            return 2.5 + max(_longest_word(row.text for row in steps), _inside(steps, shrunk))


def _inside(rows: Sequence[Entry] | Sequence[ProcedureRow], shrunk: bool) -> float:
    return max((_narrowest(inner, shrunk=shrunk) for row in rows for inner in row.inside), default=0.0)


def _shrunk_grid(grid: Grid) -> float:
    least = [
        width if column.grow else fixed
        for column, width, fixed in zip(grid.columns, narrow_widths(grid), column_widths(grid), strict=True)
    ]
    return _narrow_label(grid) + sum(least)


def _narrowest_grid(grid: Grid, whole: float) -> float:
    label = _label(grid)
    widths = column_widths(grid, whole)
    growing = [width for width, column in zip(widths, grid.columns, strict=True) if column.grow]
    fixed = sum(width for width, column in zip(widths, grid.columns, strict=True) if not column.grow)
    if by_choice(grid):
        growing = [max(growing, default=0.0)] * len(growing)
    if label > LONG_LABEL:
        return max(LONG_LABEL, sum(growing) * (1 + LABEL_SHARE)) + fixed
    return label + CELL_MARGIN + fixed + sum(growing)


# -- parts ---------------------------------------------------------------------------------------


def outcome_width(steps: Steps) -> float:
    """Of a column for the outcomes; none where they are too wide for one."""
    widest = _widest([row.outcome for row in steps.rows if row.outcome], width)
    return widest + 0.8 if 0 < widest <= MOST_ASIDE else 0.0


def label_beside(entries: Entries) -> float:
    """Of a column for the labels; none where they are long, or the wordings are: labels lead them then."""
    rows = entries.rows
    if len(rows) < MANY_LABELS or not all(row.label or row.marks for row in rows):
        return 0.0
    if sum(len(drawn_text(row.text)) for row in rows) > LONG_WORDING * len(rows):
        return 0.0
    widest = _widest([(*row.marks, *row.label) for row in rows], width)
    return widest + 0.3 if widest <= MOST_BESIDE else 0.0


def steps_width(steps: Steps) -> float:
    """The widest row, on one line."""
    rows = [
        (*row.marks, *(p for c in row.conditions for p in c), *row.text, *row.outcome) for row in steps.rows
    ]
    return _widest(rows, width)


def order_width(orders: Sequence[Sequence[Inline]]) -> float:
    """The widest order, on one line: its names one after another."""
    apart = 1.0 if any(isinstance(p, Run) for order in orders for name in order for p in name) else 0.1
    return max((sum(map(width, order)) + apart * (len(order) - 1) for order in orders), default=0.0)


# -- columns of a table --------------------------------------------------------------------------


def by_choice(grid: Grid) -> bool:
    """Columns to choose from are all as wide; others as what they hold."""
    return any(column.choice is not None for column in grid.columns)


def column_widths(grid: Grid, whole: float = NAME_WIDTH) -> list[float]:
    """Of each column without the labels: what it needs at least."""

    def needed(text: Inline) -> float:
        own = width(text)
        return own if own <= whole else _word(text)

    return [_widest(column, needed) + CELL_MARGIN for column in _columns(grid)]


def narrow_widths(grid: Grid) -> list[float]:
    """What each column needs so that no word is broken."""
    return [_widest(column, _word) + CELL_MARGIN for column in _columns(grid)]


def _narrow_label(grid: Grid) -> float:
    """What labels need so that no word is broken; nothing where there are none."""
    whole = _label(grid)
    words = _longest_word([(Run(grid.corner),), *_labels(grid)])
    return max(words, min(whole, LABEL_LEAST)) + CELL_MARGIN if whole else 0.0


def full_widths(grid: Grid) -> list[float]:
    """With no line broken, but of sentences no more than is read easily."""
    return [
        _widest(column, lambda text: min(width(text), MOST_IN_A_LINE)) + CELL_MARGIN
        for column in _columns(grid)
    ]


def shared(grid: Grid) -> dict[str, object]:
    """What a template needs to give each column its share: what the columns need at least, what they
    would take to break no line, and what they take where there is no room for either."""
    label = _label(grid) + CELL_MARGIN
    if by_choice(grid):
        least = full = [max(full_widths(grid))] * len(grid.columns)
        wanted = LABEL_SHARE * sum(full) if label > LONG_LABEL else label
    else:
        least, full, wanted = column_widths(grid), full_widths(grid), label
    share = LABEL_SHARE * (sum(least) or 1.0)
    return {
        "least": least,
        "narrow": narrow_widths(grid),
        "label_narrow": _narrow_label(grid),
        "wanted": full,
        "spread": by_choice(grid),
        "label_least": min(share, wanted),
        "label_wanted": wanted,
        "label_grows": label > LONG_LABEL,
        "labelled": any(row.label for section in grid.sections for row in section.rows) or bool(grid.corner),
        "headed": bool(grid.corner) or any(column.head for column in grid.columns),
    }


def _label(grid: Grid) -> float:
    """The widest label, in bold."""
    return max(text_width(grid.corner), _widest(_labels(grid), width))


def _labels(grid: Grid) -> list[Inline]:
    return [row.label for section in grid.sections for row in section.rows]


def _columns(grid: Grid) -> list[list[Inline]]:
    """The texts of each column, its head first."""
    rows = [row for section in grid.sections for row in section.rows if len(row.cells) == len(grid.columns)]
    return [[column.head, *(row.cells[n].text for row in rows)] for n, column in enumerate(grid.columns)]


def rows_of(sections: Sequence[GridSection]) -> int:
    """How many rows the sections have, with their titles."""
    return sum(len(section.rows) + bool(section.title) for section in sections)


# -- texts ---------------------------------------------------------------------------------------


def width(inline: Inline) -> float:
    """Of a text on one line."""
    return sum(map(_part, inline))


def _part(part: Part) -> float:
    match part:
        case Mark(letter=letter):
            return SPLIT_WIDTH if "/" in letter else BADGE_WIDTH
        case Icon():
            return BADGE_WIDTH
        case Pointer(elsewhere=""):
            return POINTER_WIDTH
        case Pointer(elsewhere=text):
            return POINTER_WIDTH + text_width(text)
        case Run(text=text) | Chip(text=text):
            return text_width(text)


def _longest_word(texts: Iterable[Inline]) -> float:
    return _widest(list(texts), _word)


def _word(inline: Inline) -> float:
    """The longest word of a text, or its widest drawing; what no line is broken in is a word."""
    words = max((text_width(word) for word in drawn_text(inline).split(" ")), default=0.0)
    drawn = max((_part(part) for part in inline if isinstance(part, Mark | Icon | Pointer)), default=0.0)
    return max(words, drawn)


def _widest(texts: Sequence[Inline], of: Callable[[Inline], float]) -> float:
    """Where there are many texts the longest are measured."""
    if len(texts) > MEASURED:
        texts = [*nlargest(MEASURED, texts, key=_length), *nlargest(MEASURED, texts, key=_longest)]
    return max(map(of, texts), default=0.0)


def _length(inline: Inline) -> int:
    return sum(len(part.text) if hasattr(part, "text") else 3 for part in inline)


def _longest(inline: Inline) -> int:
    return max(
        (len(word) for part in inline if hasattr(part, "text") for word in part.text.split()), default=0
    )
