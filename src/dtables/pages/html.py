"""The phone page: one self-contained HTML file per workbook and language. The one door to Jinja2."""

from __future__ import annotations

from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from dtables.pages import icons
from dtables.pages.badges import svg
from dtables.pages.document import (
    Block,
    Document,
    Grid,
    GridCell,
    GridColumn,
    Icon,
    Inline,
    Mark,
    Part,
    Run,
    text_of,
)
from dtables.pages.paper import Printed
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
    return environment.get_template(PAGE).render(
        document=document,
        words=furniture(document.language),
        blocks=_blocks(document),
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
    environment.filters["badge"] = _badge
    environment.filters["kind"] = _kind
    environment.filters["said"] = _said
    environment.filters["style"] = _style
    environment.globals["is_mark"] = _is_mark
    environment.globals["is_grid"] = _is_grid
    environment.globals["shown_in"] = _shown_in
    environment.globals["labelled"] = _labelled
    environment.globals["headed"] = _headed
    return environment


def _source(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _blocks(document: Document) -> list[Block]:
    """Each table once, in the order of the pages; the tables of cards after those of sheets."""
    found: dict[str, Block] = {}
    for sheet in document.sheets:
        for block in sheet.blocks:
            found.setdefault(block.key, block)
    for block in document.cards_only:
        found.setdefault(block.key, block)
    return list(found.values())


# -- what templates may ask --------------------------------------------------------------------


def _badge(mark: Mark | Icon) -> Markup:
    return Markup(icons.svg(mark) if isinstance(mark, Icon) else svg(mark))


def _said(part: Part) -> str:
    return text_of((part,))


def _style(part: Part) -> str:
    """What the style sheet calls a part: runs by their style, others by their kind."""
    return part.style.value if isinstance(part, Run) else type(part).__name__.casefold()


def _kind(block: Block) -> str:
    return type(block.body).__name__.casefold()


def _is_mark(part: object) -> bool:
    return isinstance(part, Mark | Icon)


def _is_grid(block: Block) -> bool:
    return isinstance(block.body, Grid)


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


# -- the page of an audit ---------------------------------------------------------------------------
# The page of an audit: one self-contained HTML file, its view filled into a template.


def print_report(report: object) -> str:
    """`report` has what `report.html.j2` shows; whoever audits logs makes it."""
    css = Markup((TEMPLATES / "report.css").read_text(encoding="utf-8"))
    return environment_of(None).get_template("report.html.j2").render(report=report, css=css)
