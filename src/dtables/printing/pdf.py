"""Paper: PDF and PNG through typst. The one door to it.

Data goes in as JSON beside a static template, so that no cell of a workbook is ever read as code.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import typst

from dtables.diagnostics import Diagnostic, Severity
from dtables.printing import problems
from dtables.printing.fonts import FONTS
from dtables.printing.view_json import PAPER_SIZES, POINTS, as_data, sheet_size
from dtables.printing.view_layout import (
    CARD_SCALES,
    DENSITIES,
    Measures,
    PageLayout,
    TooBig,
    comfortable,
    lay_out,
    narrowest,
)
from dtables.printing.view_parts import Block, Card, Document, Paper, Sheet
from dtables.provenance import Location, whole_book

TEMPLATES = Path(__file__).parent / "templates"
MAIN = "pages.typ"
TYPST_FILES = ("pages.typ", "blocks.typ", "style.typ")
BODY_SIZE = 9.6
HAIR = 1.0
"""Points left free at the foot of a page, for what rounding adds."""
EPOCH = 0
"""Pages have no time of their own: the same input gives the same bytes."""
ON_A_SHEET = 4
PIXELS_PER_INCH = 144.0

Found = tuple[Diagnostic, ...]
PaperFormat = Literal["pdf", "png"]
Layout = tuple[PageLayout, ...] | TooBig


@dataclass(frozen=True, slots=True)
class Printed:
    """A PDF, or one PNG per page."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Press:
    """A document with its data and own templates, ready to be set. `date` is printed where it is given."""

    document: Document
    templates: Path
    data: dict[str, Any]

    def run(self, plan: dict[str, Any], format_: PaperFormat) -> tuple[list[bytes], Found]:
        place = whole_book(self.document.book)
        try:
            made, warnings = self._compiler(plan).compile_with_warnings(
                format=format_,
                ppi=PIXELS_PER_INCH,
                timestamp=EPOCH,
                pdf_standards=["ua-1"] if format_ == "pdf" else [],
            )
        except typst.TypstError as error:
            return [], (problems.typesetting(place, Severity.ERROR, error.message),)
        found = tuple(problems.typesetting(place, Severity.WARNING, w.message) for w in warnings)
        return (made if isinstance(made, list) else [made or b""]), found

    def measure(self) -> tuple[dict[str, Any], Found]:
        plan = {"mode": "measure", "densities": DENSITIES, "scales": CARD_SCALES}
        try:
            answer = self._compiler(plan).query("<measures>", field="value", one=True)
        except typst.TypstError as error:
            place = whole_book(self.document.book)
            return {}, (problems.typesetting(place, Severity.ERROR, error.message),)
        measures: dict[str, Any] = json.loads(answer)
        return measures, ()

    def _compiler(self, plan: dict[str, Any]) -> typst.Compiler:
        return typst.Compiler(
            input=str(self.templates / MAIN),
            root=str(self.templates),
            font_paths=[str(FONTS)],
            ignore_system_fonts=True,
            sys_inputs={"data": _json(self.data), "plan": _json(plan)},
        )


def print_paper(
    document: Document, paper: Paper | None, format_: PaperFormat, styles: Path | None = None, date: str = ""
) -> tuple[tuple[Printed, ...], Found]:
    """Sheets and cards of a document as PDF or PNG. A paper of one's own replaces the workbook's; `tarot`
    prints cards alone, one on a page."""
    document = on_paper(document, paper)
    if paper is Paper.TAROT and not document.cards:
        return (), (problems.no_cards(whole_book(document.book)),)
    with _templates(styles) as folder:
        settled, found = _settled(document, folder, date)
        if settled is None:
            return (), found
        plans, too_big = _plans(settled, paper)
        if too_big:
            return (), too_big
        return _print(settled.press, plans, format_)


@dataclass(frozen=True, slots=True)
class Settled:
    """A document whose sheets lie as they fit best, with a layout for each of them."""

    press: Press
    layouts: tuple[Layout, ...]
    cards: list[dict[str, Any]]


def _settled(document: Document, folder: Path, date: str) -> tuple[Settled | None, Found]:
    """Sheets that may be turned are laid out both ways; fewer pages win, then larger type."""
    turned = replace(document, sheets=tuple(replace(s, landscape=not s.landscape) for s in document.sheets))
    ways = [document, turned] if any(sheet.turns for sheet in document.sheets) else [document]
    presses = [Press(way, folder, as_data(way, date)) for way in ways]
    answers = [press.measure() for press in presses]
    if not all(measures for measures, _ in answers):
        return None, tuple(d for _, found in answers for d in found)
    chosen: list[tuple[Sheet, Layout]] = []
    for n, sheet in enumerate(document.sheets):
        tried = [
            (way.sheets[n], _lay_out(way.sheets[n], measures["sheets"][n]))
            for way, (measures, _) in zip(ways, answers, strict=True)
        ]
        chosen.append(min(tried if sheet.turns else tried[:1], key=lambda pair: _rank(pair[1])))
    best = replace(document, sheets=tuple(sheet for sheet, _ in chosen))
    press = Press(best, folder, as_data(best, date))
    return Settled(press, tuple(layout for _, layout in chosen), answers[0][0]["cards"]), ()


def _rank(layout: Layout) -> tuple[float, float]:
    if isinstance(layout, TooBig):
        return (float("inf"), 0.0)
    return (len(layout), -min(page.density for page in layout))


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
) -> tuple[tuple[Printed, ...], Found]:
    printed: list[Printed] = []
    found: list[Diagnostic] = []
    for suffix, plan in plans.items():
        made, said = press.run(plan, format_)
        found += said
        stem = f"{press.document.name}.{press.document.language}{suffix}"
        for n, content in enumerate(made, 1):
            number = f".{n}" if format_ == "png" else ""
            printed.append(Printed(f"{stem}{number}.{format_}", content))
    return tuple(printed), tuple(dict.fromkeys(found))


# -- plans -------------------------------------------------------------------------------------


def _plans(settled: Settled, paper: Paper | None) -> tuple[dict[str, dict[str, Any]], Found]:
    """What to set: sheets in one file, cards in another; or what does not fit."""
    document = settled.press.document
    plans: dict[str, dict[str, Any]] = {}
    found: list[Diagnostic] = []
    sheets = []
    for index, (sheet, layout) in enumerate(zip(document.sheets, settled.layouts, strict=True)):
        if isinstance(layout, TooBig):
            found += [_overflow(sheet, sheet.blocks[n]) for n in layout.blocks]
        else:
            sheets.append({"index": index, "pages": [_page_plan(page) for page in layout]})
    if sheets:
        plans[""] = {"mode": "sheets", "sheets": sheets}
    if document.cards:
        spots, too_big = _spots(document.cards, settled.cards)
        found += too_big
        plans[".cards"] = _card_plan(spots, paper)
    return plans, tuple(found)


def _lay_out(sheet: Sheet, data: dict[str, Any]) -> Layout:
    """Names unbroken, unless that takes more pages."""
    with_whole_names = _laid_out(sheet, data, comfortable)
    densest = _laid_out(sheet, data, narrowest)
    if isinstance(with_whole_names, TooBig) or isinstance(densest, TooBig):
        return densest
    return with_whole_names if len(with_whole_names) <= len(densest) else densest


def _laid_out(sheet: Sheet, data: dict[str, Any], least_width: Callable[[Block], float]) -> Layout:
    size = sheet_size(sheet)
    units = int(size["units"])
    unit = (size["width"] - (units - 1) * data["gap"]) / units
    heights = tuple(
        tuple(
            tuple(
                height if least_width(block) * BODY_SIZE * k <= unit * n + data["gap"] * (n - 1) else None
                for k, height in zip(DENSITIES, row, strict=True)
            )
            for n, row in enumerate(by_units, 1)
        )
        for block, by_units in zip(sheet.blocks, data["heights"], strict=True)
    )
    room = size["height"] - data["title"] - HAIR
    wishes = [None if block.units is None else min(block.units, units) for block in sheet.blocks]
    return lay_out(Measures(heights, data["gap"]), wishes, units, room)


def _page_plan(page: PageLayout) -> dict[str, Any]:
    bands = [
        {"lanes": [{"units": lane.units, "blocks": list(lane.blocks)} for lane in band.lanes]}
        for band in page.bands
    ]
    return {"density": page.density, "bands": bands}


def _overflow(sheet: Sheet, block: Block) -> Diagnostic:
    what = f"`{block.title}` on page {sheet.name or '1'}"
    return problems.page_overflow(block.where, what, sheet.paper.value)


@dataclass(frozen=True, slots=True)
class Spot:
    """A card with the scale that fits each side."""

    card: int
    front: float
    back: float | None


def _spots(cards: tuple[Card, ...], measures: list[dict[str, Any]]) -> tuple[list[Spot], list[Diagnostic]]:
    spots: list[Spot] = []
    found: list[Diagnostic] = []
    for n, (card, sides) in enumerate(zip(cards, measures, strict=True)):
        front = _scale(sides["front"])
        back = _scale(sides["back"]) if card.back else None
        if front is None or (card.back and back is None):
            side = "front" if front is None else "back"
            found.append(problems.page_overflow(_place(card), f"card `{card.name}` ({side})", "the card"))
        else:
            spots.append(Spot(n, front, back))
    return spots, found


def _place(card: Card) -> Location:
    return card.where


def _scale(side: dict[str, Any]) -> float | None:
    pairs = zip(CARD_SCALES, side["heights"], strict=True)
    return next((scale for scale, height in pairs if height <= side["room"]), None)


def _card_plan(spots: list[Spot], paper: Paper | None) -> dict[str, Any]:
    if paper is Paper.TAROT:
        return {"mode": "cards", "faces": [[face for spot in spots for face in _single(spot)]]}
    width, height = PAPER_SIZES[paper or Paper.A4]
    faces = [face for n in range(0, len(spots), ON_A_SHEET) for face in _faces(spots[n : n + ON_A_SHEET])]
    return {
        "mode": "card-sheets",
        "page_width": width * POINTS,
        "page_height": height * POINTS,
        "faces": faces,
    }


def _single(spot: Spot) -> Iterator[dict[str, Any]]:
    yield _face(spot.card, "front", spot.front, 0, 0)
    if spot.back is not None:
        yield _face(spot.card, "back", spot.back, 0, 0)


def _faces(spots: list[Spot]) -> Iterator[list[dict[str, Any]]]:
    """Fronts, and backs where there are some, mirrored left to right for printing on both sides."""
    yield [_face(s.card, "front", s.front, n % 2, n // 2) for n, s in enumerate(spots)]
    if any(s.back is not None for s in spots):
        yield [
            _face(s.card, "back", s.back, 1 - n % 2, n // 2)
            for n, s in enumerate(spots)
            if s.back is not None
        ]


def _face(card: int, side: str, scale: float, column: int, row: int) -> dict[str, Any]:
    return {"card": card, "side": side, "scale": scale, "column": column, "row": row}


# -- templates ---------------------------------------------------------------------------------


@contextmanager
def _templates(styles: Path | None) -> Iterator[Path]:
    """The bundled templates, with own ones in place of those of the same name."""
    own = [file for file in TYPST_FILES if styles is not None and (styles / file).is_file()]
    if not own or styles is None:
        yield TEMPLATES
        return
    with tempfile.TemporaryDirectory(prefix="dtables-") as folder:
        for file in TYPST_FILES:
            source = styles / file if file in own else TEMPLATES / file
            (Path(folder) / file).write_bytes(source.read_bytes())
        yield Path(folder)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
