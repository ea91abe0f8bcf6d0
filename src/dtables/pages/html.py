"""The phone page: one self-contained HTML file per workbook and language. The one door to Jinja2."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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
    Pointer,
    Procedure,
    Run,
    text_of,
    texts_in,
)
from dtables.pages.paper import Printed
from dtables.pages.rings import ring_svg
from dtables.pages.typesetting import TypesettingError
from dtables.pages.words import furniture

TEMPLATES = Path(__file__).parent / "templates"
PAGE = "page.html.j2"
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
    anchors = {key: f"b{n}" for n, block in enumerate(blocks, 1) for key in (block.key, *block.keys)}
    homes = _homes(blocks)
    environment.globals["anchor"] = lambda key: anchors.get(key, "")
    environment.tests["term"] = lambda part: _is_explained(part) and _folded(part.text) in homes
    environment.filters["home"] = lambda run: homes[_folded(run.text)]
    environment.filters["own_home"] = lambda entry: next(filter(None, map(homes.get, _forms(entry))), "")
    return environment.get_template(PAGE).render(
        document=document,
        faces=faces,
        titles={block.key: block.title for block in blocks},
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
    environment.filters["kind"] = lambda body: type(body).__name__.casefold()
    for kind in (Mark, Icon, Pointer, Chip):
        environment.tests[kind.__name__.casefold()] = _is_a(kind)
    environment.tests["box"] = _is_box
    environment.tests["ticked"] = lambda body: any(_is_box(part) for text in texts_in(body) for part in text)
    environment.globals["shown_in"] = _shown_in
    environment.globals["labelled"] = _labelled
    environment.globals["headed"] = _headed
    return environment


def _source(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


@dataclass(frozen=True, slots=True)
class _Face:
    """A page of the workbook, each of its tables once."""

    title: str
    legend: tuple[Legend, ...]
    blocks: tuple[Block, ...]


def _faces(document: Document) -> list[_Face]:
    """Each table once, in the order of the pages; the tables of cards after those of sheets."""
    met: set[str] = set()
    pages = [(sheet.title, sheet.legend, sheet.blocks) for sheet in document.sheets]
    faces = []
    for title, legend, blocks in (*pages, ("", (), document.cards_only)):
        new = tuple(block for block in blocks if block.key not in met)
        met |= {block.key for block in new}
        if new:
            faces.append(_Face(title, legend, new))
    return faces


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


# -- what templates may ask --------------------------------------------------------------------


def _shown_in(columns: tuple[GridColumn, ...], cells: tuple[GridCell, ...], n: int) -> str:
    """The choice that a cell belongs to: that of the column it stands in."""
    if cells[n].span > 1:
        return ""
    place = sum(cell.span for cell in cells[:n])
    return columns[place].choice or ""


def _labelled(grid: Grid) -> bool:
    return bool(grid.corner) or any(row.label for section in grid.sections for row in section.rows)


def _headed(grid: Grid) -> bool:
    return bool(grid.corner) or any(_filled(column.head) for column in grid.columns)


def _filled(inline: Inline) -> bool:
    return len(inline) > 0
