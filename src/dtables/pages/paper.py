"""Paper: PDF and PNG through typst.

Data goes in as JSON beside a static template, so that no cell of a workbook is ever read as code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from dtables.diagnostics import Diagnostic, Severity
from dtables.files import temporary_folder
from dtables.pages import messages
from dtables.pages.document import Document, Paper, Sheet
from dtables.pages.imposition import Diagnostics, Layout, as_data, chosen_ways, lay_out_sheet, plans_of
from dtables.pages.layout import CARD_SCALES, DENSITIES, TooBig, in_halves
from dtables.pages.letters import FONTS
from dtables.pages.typesetting import PaperFormat, Source, Typesetter, TypesettingError, typesetter
from dtables.provenance import whole_book

TEMPLATES = Path(__file__).parent / "templates"
MAIN = "pages.typ"
TYPST_FILES = ("pages.typ", "blocks.typ", "style.typ")


@dataclass(frozen=True, slots=True)
class Printed:
    """A PDF, or one PNG per page."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where pages are set: typst's process, and the templates."""

    typesetter: Typesetter
    templates: Path


@dataclass(frozen=True, slots=True)
class Press:
    """A document with its data, ready to be set. `date` is printed where it is given."""

    document: Document
    room: Workspace
    data: dict[str, Any]
    pixels_per_inch: float = 144.0

    def run(self, plan: dict[str, Any], format_: PaperFormat) -> tuple[list[bytes], Diagnostics]:
        pages, warnings = self.room.typesetter.pages(self._source(plan), format_, self.pixels_per_inch)
        place = whole_book(self.document.book)
        return pages, tuple(messages.typesetting(place, Severity.WARNING, text) for text in warnings)

    def measure(self, plan: dict[str, Any]) -> Any:
        return json.loads(self.room.typesetter.measures(self._source(plan)))

    def _source(self, plan: dict[str, Any]) -> Source:
        return {
            "input": str(self.room.templates / MAIN),
            "root": str(self.room.templates),
            "font_paths": [str(FONTS)],
            "ignore_system_fonts": True,
            "sys_inputs": {"data": _json(self.data), "plan": _json(plan)},
        }


class Measured:
    """How high what stands on a sheet is in each size of type: few sizes are ever asked for."""

    def __init__(self, press: Press, sheet: int) -> None:
        self.press, self.number = press, sheet
        self._in = cache(self._measure)

    @property
    def sheet(self) -> Sheet:
        return self.press.document.sheets[self.number]

    @property
    def title(self) -> float:
        """The same in every size."""
        height: float = self._in(DENSITIES[-1])["title"]
        return height

    def heights(self, density: float) -> Sequence[Sequence[float | None]]:
        found: Sequence[Sequence[float | None]] = self._in(density)["heights"]
        return found

    def _measure(self, density: float) -> dict[str, Any]:
        measures: dict[str, Any] = self.press.measure(
            {"mode": "heights", "sheet": self.number, "density": density}
        )
        return measures


@dataclass(frozen=True, slots=True)
class Setting:
    """How a document is set. A paper replaces the workbook's; `tarot` prints cards alone, one on a page."""

    formats: tuple[PaperFormat, ...] = ("pdf",)
    paper: Paper | None = None
    styles: Path | None = None
    date: str = ""
    pixels_per_inch: float = 144.0


def print_paper(document: Document, setting: Setting) -> tuple[tuple[Printed, ...], Diagnostics]:
    """Sheets and cards of a document as PDF and PNG."""
    document = on_paper(document, setting.paper)
    if setting.paper is Paper.TAROT and not document.cards:
        return (), (messages.no_cards(whole_book(document.book)),)
    with _templates(setting.styles) as folder, typesetter() as process:
        try:
            return _printed(document, Workspace(process, folder), setting)
        except TypesettingError as error:
            return (), (messages.typesetting(whole_book(document.book), Severity.ERROR, str(error)),)


def _printed(
    document: Document, room: Workspace, setting: Setting
) -> tuple[tuple[Printed, ...], Diagnostics]:
    settled = _settled(document, room, setting)
    plans, too_big = plans_of(settled.press.document, settled.layouts, settled.cards, setting.paper)
    if too_big:
        return (), too_big
    results = [_print(settled.press, plans, format_) for format_ in setting.formats]
    found = tuple(dict.fromkeys(d for _, diagnostics in results for d in diagnostics))
    return tuple(file for files, _ in results for file in files), found


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A document whose sheets lie as they fit best, with a layout for each of them."""

    press: Press
    layouts: tuple[Layout, ...]
    cards: list[dict[str, Any]]

    @property
    def too_big(self) -> tuple[tuple[int, ...], ...]:
        """By sheet: the blocks that are longer than a page."""
        return tuple(layout.blocks if isinstance(layout, TooBig) else () for layout in self.layouts)


def _settled(document: Document, room: Workspace, setting: Setting) -> LaidOut:
    """What is longer than a page is cut in two, until it fits or is a single row."""
    settled = _laid_out(document, room, setting)
    while any(settled.too_big):
        halved = in_halves(settled.press.document, settled.too_big)
        if halved is None:
            break
        settled = _laid_out(halved, room, setting)
    return settled


def _laid_out(document: Document, room: Workspace, setting: Setting) -> LaidOut:
    """Sheets that may be turned are laid out both ways; fewer pages win, then larger type; nearly as good is
    good enough where all lie alike then."""
    sheets = tuple(replace(s, landscape=not s.landscape) for s in document.sheets)
    turned = replace(document, sheets=sheets, cards=())
    ways = [_press(way, room, setting) for way in (document, turned)]
    chosen = chosen_ways(
        [
            [_laid_out_sheet(Measured(way, n)) for way in (ways if sheet.turns else ways[:1])]
            for n, sheet in enumerate(document.sheets)
        ]
    )
    press = _press(replace(document, sheets=tuple(sheet for sheet, _ in chosen)), room, setting)
    cards = press.measure({"mode": "card-heights", "scales": CARD_SCALES}) if document.cards else []
    return LaidOut(press, tuple(layout for _, layout in chosen), cards)


def _press(document: Document, room: Workspace, setting: Setting) -> Press:
    return Press(document, room, as_data(document, setting.date), setting.pixels_per_inch)


def _laid_out_sheet(way: Measured) -> tuple[Sheet, Layout]:
    return way.sheet, lay_out_sheet(way.sheet, way.title, way.heights)


def on_paper(document: Document, paper: Paper | None) -> Document:
    """The same document, its sheets on another paper, or without them."""
    match paper:
        case None:
            return document
        case Paper.TAROT:
            return replace(document, sheets=())
        case _:
            return replace(document, sheets=tuple(replace(s, paper=paper) for s in document.sheets))


def _print(
    press: Press, plans: dict[str, dict[str, Any]], format_: PaperFormat
) -> tuple[tuple[Printed, ...], Diagnostics]:
    printed: list[Printed] = []
    found: list[Diagnostic] = []
    for suffix, plan in plans.items():
        pages, diagnostics = press.run(plan, format_)
        found += diagnostics
        stem = f"{press.document.name}.{press.document.language}{suffix}"
        for n, content in enumerate(pages, 1):
            number = f".{n}" if format_ == "png" else ""
            printed.append(Printed(f"{stem}{number}.{format_}", content))
    return tuple(printed), tuple(dict.fromkeys(found))


# -- templates ---------------------------------------------------------------------------------


@contextmanager
def _templates(styles: Path | None) -> Iterator[Path]:
    """The bundled templates, with own ones in place of those of the same name."""
    own = [file for file in TYPST_FILES if styles is not None and (styles / file).is_file()]
    if not own or styles is None:
        yield TEMPLATES
        return
    with temporary_folder() as folder:
        for name in TYPST_FILES:
            source = styles / name if name in own else TEMPLATES / name
            with folder.open_to_write(name) as file:
                file.write(source.read_bytes())
        yield folder.path


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
