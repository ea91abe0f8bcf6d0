"""The phone page: one self-contained HTML file per workbook and language. The one door to Jinja2."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from dtables.pages import icons
from dtables.pages.badges import svg
from dtables.pages.document import (
    Block,
    Body,
    Chip,
    Document,
    Edition,
    Entries,
    Entry,
    Grid,
    GridCell,
    GridColumn,
    Icon,
    Inline,
    Legend,
    Mark,
    Part,
    Pointer,
    Procedure,
    Run,
    Style,
    pointers_in,
    text_of,
    texts_in,
)
from dtables.pages.drawing import with_if
from dtables.pages.faces import is_turn
from dtables.pages.paper import Printed
from dtables.pages.rings import ring_svg
from dtables.pages.typesetting import TypesettingError
from dtables.pages.words import furniture

TEMPLATES = Path(__file__).parent / "templates"
PAGE = "page.html.j2"
LONGEST_CODE = 4
HTML_FILES = ("page.html.j2", "page.css", "page.js")


def print_html(document: Document, styles: Path | None = None, date: str = "") -> Printed:
    """TypesettingError where a template of the author's own fails."""
    try:
        text = _filled_in(document, styles, date)
    except (TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        if styles is None:
            raise
        raise TypesettingError(f"the templates in {styles}: {error}") from None
    return Printed(f"{document.name}.{document.language}.html", text.encode("utf-8"))


def _filled_in(document: Document, styles: Path | None, date: str) -> str:
    environment = environment_of(styles)
    faces = _faces(document)
    blocks = [block for face in faces for block in face.blocks]
    blocks_by_key = {key: block for block in blocks for key in (block.key, *block.keys)}
    anchors = {key: f"b{n}" for n, block in enumerate(blocks, 1) for key in (block.key, *block.keys)}
    homes = _homes(blocks)
    environment.globals["anchor"] = lambda key: anchors.get(key, "")
    environment.globals["block_of"] = blocks_by_key.get
    environment.globals["box"] = _boxes(blocks).get
    environment.tests["term"] = lambda part: _is_explained(part) and _folded(part.text) in homes
    environment.filters["home"] = lambda run: homes[_folded(run.text)]
    environment.filters["own_home"] = lambda entry: next(filter(None, map(homes.get, _forms(entry))), "")
    return environment.get_template(PAGE).render(
        document=document,
        faces=faces,
        proof=document.edition is Edition.PROOF,
        words=furniture(document.language),
        css=Markup(_source(environment, "page.css")),
        js=Markup(_source(environment, "page.js")),
        date=date,
    )


def environment_of(styles: Path | None) -> Environment:
    """What is filled in is escaped. Templates see what they are given and nothing of Python."""
    folders = [FileSystemLoader(str(folder)) for folder in (styles, TEMPLATES) if folder is not None]
    environment = ImmutableSandboxedEnvironment(
        loader=ChoiceLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["badge"] = lambda mark: Markup(svg(mark))
    environment.filters["ring"] = lambda ring: Markup(ring_svg(ring))
    environment.filters["icon"] = lambda icon: Markup(icons.svg(icon))
    environment.filters["tied"] = _tied
    environment.filters["code"] = _code
    environment.filters["with_if"] = with_if
    environment.filters["kind"] = lambda body: type(body).__name__.casefold()
    for kind in (Mark, Icon, Pointer, Chip):
        environment.tests[kind.__name__.casefold()] = _is_a(kind)
    environment.tests["box"] = _is_box
    environment.tests["ticked"] = _is_ticked
    environment.globals["shown_in"] = _shown_in
    environment.globals["labelled"] = _labelled
    environment.globals["headed"] = _headed
    return environment


def _source(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


@dataclass(frozen=True, slots=True)
class _Face:
    """A page of the workbook, each of its tables once. `key` says what signs mean that stand there."""

    title: str
    legend: tuple[Legend, ...]
    blocks: tuple[Block, ...]
    key: str


def _faces(document: Document) -> list[_Face]:
    """Each table once, in the order of the pages and of their letters; the tables of cards after those of
    sheets."""
    met: set[str] = set()
    pages = [(sheet.title, sheet.legend, sheet.blocks) for sheet in document.sheets]
    faces = []
    for title, legend, blocks in (*pages, ("", (), _of_cards_alone(document))):
        new = [block for block in blocks if block.key not in met]
        met |= {block.key for block in new}
        if new:
            faces.append(_Face(title, legend, tuple(_by_letter(new)), document.key(new)))
    return faces


def _by_letter(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks with letters in the order of these, the others where they stand."""
    lettered = iter(sorted((b for b in blocks if b.letter), key=lambda b: (len(b.letter), b.letter)))
    for block in blocks:
        yield next(lettered) if block.letter else block


def _of_cards_alone(document: Document) -> tuple[Block, ...]:
    """Where a turn stands on sheets, they lead to all that it needs: what is left on cards is a list of the
    cards, or stands in a step; boxes to tick are kept."""
    on_sheets = [block for sheet in document.sheets for block in sheet.blocks]
    if not any(isinstance(block.body, Procedure) for block in on_sheets):
        return document.cards_only
    keys = {pointer.key for block in on_sheets for pointer in pointers_in(block)}
    return tuple(
        block
        for block in document.cards_only
        if any(block.is_of(key) for key in keys) or _is_ticked(block.body)
    )


class Box(StrEnum):
    """What a box of steps is played for: its button takes the ticks off again."""

    TURN = "turn"
    """The turn, with the steps it leads to."""
    ROUND = "round"
    """A round, an Age: on its own."""
    ONCE = "once"
    """Setup, the end of the game: on its own, and never again."""


def _boxes(blocks: Sequence[Block]) -> Mapping[str, Box]:
    """By key. Steps that others lead to belong to the turn and have no box of their own."""
    alone = [block for block in blocks if isinstance(block.body, Procedure) and not block.lettered]
    turns = [block for block in alone if is_turn(block)]
    first = next((block for block in turns if block.phase == "turn"), turns[0] if turns else None)
    return {
        block.key: Box.TURN if block is first else Box.ROUND if block in turns else Box.ONCE
        for block in alone
    }


# -- words that are explained ------------------------------------------------------------------


def _homes(blocks: Sequence[Block]) -> dict[str, str]:
    """Where each word is explained: its entry, by every form of the word, or the table that is called so."""
    homes: dict[str, str] = {}
    entries = (entry for block in blocks for entry in _entries(block.body))
    for n, entry in enumerate(entries, 1):
        for form in _forms(entry):
            homes.setdefault(form, f"t{n}")
    for n, block in enumerate(blocks, 1):
        homes.setdefault(_folded(block.title), f"b{n}")
    return homes


def _entries(body: Body) -> Iterator[Entry]:
    match body:
        case Entries(rows=rows):
            yield from rows
        case Procedure(rows=steps):
            for step in steps:
                for inner in step.inside:
                    yield from _entries(inner)
        case _:
            return


def _forms(entry: Entry) -> tuple[str, ...]:
    return tuple(filter(None, map(_folded, entry.forms or (text_of(entry.label),))))


def _folded(text: str) -> str:
    return text.casefold().strip(" .,:;?!")


def _is_explained(part: object) -> bool:
    return isinstance(part, Run) and part.term


def _is_a(kind: type) -> Callable[[object], bool]:
    return lambda part: isinstance(part, kind)


def _is_box(part: object) -> bool:
    return isinstance(part, Icon) and part.name == icons.TICK_BOX


def _is_ticked(body: Body) -> bool:
    """Say whether there are boxes to tick in it."""
    return any(_is_box(part) for text in texts_in(body) for part in text)


# -- what stays on a line ------------------------------------------------------------------------

CLINGS_BEFORE = re.compile(r"[.,:;!?)\]»”’°%\u00a0\u202f\u2060][^ ]*")
WORD = re.compile(r"[^ ]+")
CLINGS_AFTER = re.compile(r"[^ ]*[(\[«“\u00a0\u202f\u2060]$")
"""Browsers break a line on either side of a drawing, whatever stands there: a full stop, a fixed space."""


def _tied(parts: Inline) -> list[Inline]:
    """The parts in groups that stay on one line each: a drawing, with the word or stop that clings to it."""
    groups: list[list[Part]] = []
    for part, clings in _pieces(parts):
        if clings:
            groups[-1].append(part)
        else:
            groups.append([part])
    return [tuple(group) for group in groups]


def _pieces(parts: Inline) -> Iterator[tuple[Part, bool]]:
    """Each part, or what of its text clings apart from the rest, and whether it clings to the one before; to
    a row's number as to a drawing."""
    drawn = held = False
    for part in parts:
        if not isinstance(part, Run) or part.term:
            drawn = isinstance(part, (Mark, Icon, Pointer))
            yield part, held and not isinstance(part, Chip)
            held = False
            continue
        head = WORD.match(part.text) if held else CLINGS_BEFORE.match(part.text) if drawn else None
        if head:
            yield replace(part, text=head.group()), True
        for text in _end_apart(part.text[head.end() :] if head else part.text):
            yield replace(part, text=text), False
        drawn, held = part.style is Style.RANK, CLINGS_AFTER.search(part.text) is not None


def _end_apart(text: str) -> Iterator[str]:
    tail = CLINGS_AFTER.search(text)
    cut = tail.start() if tail else len(text)
    yield from filter(None, (text[:cut], text[cut:]))


# -- what templates may ask --------------------------------------------------------------------


def _shown_in(columns: tuple[GridColumn, ...], cells: tuple[GridCell, ...], n: int) -> str:
    """The choice that a cell belongs to: that of the column it stands in."""
    if cells[n].span > 1:
        return ""
    place = sum(cell.span for cell in cells[:n])
    return columns[place].choice or ""


def _code(label: str) -> str:
    """What is enough on a button: of `MS: Military, Science` the letters before the colon."""
    code, colon, _ = label.partition(":")
    return code if colon and len(code) <= LONGEST_CODE else label


def _labelled(grid: Grid) -> bool:
    return bool(grid.corner) or any(row.label for section in grid.sections for row in section.rows)


def _headed(grid: Grid) -> bool:
    return bool(grid.corner) or any(_filled(column.head) for column in grid.columns)


def _filled(inline: Inline) -> bool:
    return len(inline) > 0
