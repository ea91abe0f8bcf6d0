"""Paper: PDF and PNG through typst, in all languages at once.

Data goes in as JSON beside a static template, so that no cell of a workbook is ever read as code. Sheets are laid
out once for all languages of a request: only letters of the alphabet differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dtables.diagnostics import Diagnostic, Severity, errors_in
from dtables.files import temporary_folder
from dtables.pages import messages
from dtables.pages.document import Block, Card, Document, Paper, Pointer, Procedure, Sheet, inlines, lettered
from dtables.pages.drawing import Drawing
from dtables.pages.faces import (
    Editions,
    Flow,
    LaidOut,
    SheetLayout,
    gaps_in,
    laid_out,
    measured_card,
    page_size,
)
from dtables.pages.heights import Heights, Measured
from dtables.pages.imposition import CARD_SIZES, Side, Unfit, fitted, imposed, size_of, table_of, with_bleed
from dtables.pages.layout import Face
from dtables.pages.letters import FONTS
from dtables.pages.typesetting import PaperFormat, Source, Typesetter, TypesettingError, typesetter
from dtables.pages.widths import comfortable, narrowest
from dtables.pages.words import furniture
from dtables.provenance import whole_book

TEMPLATES = Path(__file__).parent / "templates"
MAIN = "pages.typ"
TYPST_FILES = ("pages.typ", "blocks.typ", "style.typ")
PAPERS = {Paper.A4: (210.0, 297.0), Paper.LETTER: (215.9, 279.4)}

Diagnostics = tuple[Diagnostic, ...]
Progress = Callable[[str], None]
"""Called with what is done next."""


class Purpose(StrEnum):
    """What is printed for whom: players at home, a print shop, the author."""

    HOME = "home"
    BLEED = "bleed"
    PROOF = "proof"


@dataclass(frozen=True, slots=True)
class Printed:
    """A PDF, or one PNG per page; `folder` is where it belongs, beside the others."""

    name: str
    content: bytes
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """How documents are set. A paper replaces the workbook's; `steps` is told of every run."""

    formats: tuple[PaperFormat, ...] = ("pdf",)
    paper: Paper | None = None
    styles: Path | None = None
    date: str = ""
    pixels_per_inch: float = 144.0
    purpose: Purpose = Purpose.HOME
    grey: bool = False
    progress: Progress | None = None

    @property
    def folder(self) -> str:
        """Editions other than the usual one stand in folders of their own."""
        parts = [self.purpose.value] if self.purpose is not Purpose.HOME else []
        return "/".join([*parts, *(["grey"] if self.grey else [])])


def print_paper(documents: Sequence[Document], setting: Setting) -> tuple[tuple[Printed, ...], Diagnostics]:
    """Sheets and cards of a workbook's documents, one for each language, as PDF and PNG."""
    book = whole_book(documents[0].book)
    if setting.purpose is Purpose.BLEED and not any(document.cards for document in documents):
        return (), (messages.no_cards(book),)
    with _templates(setting.styles) as folder, typesetter() as process:
        try:
            return _Press(documents, Workspace(process, folder), setting).printed()
        except TypesettingError as error:
            return (), (messages.typesetting(book, Severity.ERROR, str(error)),)


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where pages are set: typst's process, and the templates."""

    typesetter: Typesetter
    templates: Path

    def source(self, data: dict[str, Any], **inputs: str) -> Source:
        """The data as typst takes it."""
        return {
            "input": str(self.templates / MAIN),
            "root": str(self.templates),
            "font_paths": [str(FONTS)],
            "ignore_system_fonts": True,
            "sys_inputs": {"data": json.dumps(data, ensure_ascii=False), **inputs},
        }

    def heights(self, jobs: list[dict[str, Any]]) -> list[list[float]]:
        """How high things are, in one run."""
        source = self.source({"mode": "measure", "jobs": jobs}, measuring="yes")
        found: list[list[float]] = json.loads(self.typesetter.measures(source))
        return found

    @property
    def state(self) -> bytes:
        """What heights depend on beside what is measured."""
        files = b"".join((self.templates / name).read_bytes() for name in TYPST_FILES)
        return files + version("typst").encode()


class _Press:
    """All documents of a workbook on their way to paper."""

    def __init__(self, documents: Sequence[Document], room: Workspace, setting: Setting) -> None:
        self.room, self.setting = room, setting
        self.documents = [lettered(_on_paper(document, setting)) for document in documents]
        self.heights = Heights(room.heights, room.state, documents[0].name.encode())
        self.found: list[Diagnostic] = []

    def printed(self) -> tuple[tuple[Printed, ...], Diagnostics]:
        self._tell("layout")
        layouts = self._sheets()
        sides = self._decks()
        self.heights.keep()
        if errors_in(self.found):
            return (), self._once()
        files: list[Printed] = []
        for n, document in enumerate(self.documents):
            files += self._files(document, layouts[n], sides[n])
        return (() if errors_in(self.found) else tuple(files)), self._once()

    def _once(self) -> Diagnostics:
        return tuple(dict.fromkeys(self.found))

    def _tell(self, what: str) -> None:
        if self.setting.progress is not None:
            self.setting.progress(what)

    # -- sheets ----------------------------------------------------------------------------------

    def _sheets(self) -> list[list[LaidOut]]:
        """Of each document a layout for each sheet; documents get their letters by them."""
        groups = self._groups()
        layouts = [SheetLayout(self._editions(group), self.heights) for group in groups]
        self.heights.need(wanted for layout in layouts for wanted in layout.wanted())
        found: list[dict[int, LaidOut]] = [{} for _ in self.documents]
        for group, layout in zip(groups, layouts, strict=True):
            result, diagnostics = laid_out(layout.editions, self.heights)
            self.found += diagnostics
            if result is not None:
                self.found += layout.lints(result)
                for document, sheet in group:
                    found[document][sheet] = result
        if errors_in(self.found):
            return [[] for _ in self.documents]
        ordered = [[by_sheet[n] for n in sorted(by_sheet)] for by_sheet in found]
        for n, (document, laid) in enumerate(zip(self.documents, ordered, strict=True)):
            order = [
                [sheet.blocks[b].key for b in layout.order]
                for sheet, layout in zip(document.sheets, laid, strict=True)
            ]
            self.documents[n] = lettered(document, order)
        return ordered

    def _groups(self) -> list[list[tuple[int, int]]]:
        """Sheets that are the same in several languages: the same blocks in the same order."""
        groups: dict[tuple[object, ...], list[tuple[int, int]]] = {}
        for n, document in enumerate(self.documents):
            for m, sheet in enumerate(document.sheets):
                keys = tuple(block.key for block in sheet.blocks)
                groups.setdefault((sheet.name, sheet.face, sheet.paper, keys), []).append((n, m))
        return list(groups.values())

    def _editions(self, group: list[tuple[int, int]]) -> Editions:
        documents = tuple(self.documents[n] for n, _ in group)
        return Editions(documents, tuple(self.documents[n].sheets[m] for n, m in group))

    # -- cards -----------------------------------------------------------------------------------

    def _decks(self) -> list[list[tuple[Side, Side | None]]]:
        """Of each document how its cards are set; the same card has the same type in every language."""
        self.heights.need(self._wanted_of_cards())
        decks = [
            [(self._side(d, card, card.front), self._side(d, card, card.back)) for card in d.cards]
            for d in self.documents
        ]
        for document, deck in zip(self.documents, decks, strict=True):
            for card, sides in zip(document.cards, deck, strict=True):
                self.found += [_unfit(card, name, s) for name, s in zip(("front", "back"), sides, strict=True)
                               if isinstance(s, Unfit)]  # fmt: skip
            self.found += _incomplete(document)
        if errors_in(self.found):
            return [[] for _ in decks]
        return _alike(decks)

    def _wanted_of_cards(self) -> Iterator[tuple[Measured, list[float]]]:
        for document in self.documents:
            for card in document.cards:
                widths = _widths(card)
                for block in card.blocks:
                    least = narrowest(block)
                    yield measured_card(document, block), [w for w in widths if w >= least]
                if card.legend:
                    yield _legend(document, card), widths

    def _side(self, document: Document, card: Card, blocks: tuple[Block, ...]) -> Side | Unfit | None:
        """Names unbroken, if they fit so."""
        if not blocks:
            return None
        things = [measured_card(document, block) for block in blocks]
        legend = _legend(document, card)

        def height(n: int, width: float) -> float:
            return self.heights.of(things[n], width)

        def line(width: float) -> float:
            return self.heights.of(legend, width) if card.legend else 0.0

        gaps = [gaps_in(block) for block in blocks]
        whole = fitted(blocks, size_of(card), height, list(map(comfortable, blocks)), gaps, line)
        if isinstance(whole, Side):
            return whole
        return fitted(blocks, size_of(card), height, list(map(narrowest, blocks)), gaps, line)

    # -- files -----------------------------------------------------------------------------------

    def _files(
        self, document: Document, layouts: list[LaidOut], sides: list[tuple[Side, Side | None]]
    ) -> Iterator[Printed]:
        if document.sheets and self.setting.purpose is not Purpose.BLEED:
            pages = _SheetPages(document, layouts, self.setting)
            yield from self._set(document, "", "sheets", pages.plan(), pages.drawing)
        if document.cards:
            deck = _Deck(document, sides, self.setting)
            bleeds = self.setting.purpose is Purpose.BLEED
            mode, plan = ("cards", deck.single()) if bleeds else ("card-sheets", deck.imposed())
            yield from self._set(document, ".cards", mode, plan, deck.drawing)

    def _set(
        self, document: Document, suffix: str, mode: str, plan: list[dict[str, Any]], drawing: Drawing
    ) -> Iterator[Printed]:
        stem = f"{document.name}.{document.language}{suffix}"
        words = furniture(document.language)
        title = " · ".join(filter(None, (document.title, document.subtitle)))
        data = {"mode": mode, "title": title, "language": document.language, "words": words, "pages": plan}
        inputs = {
            "drawings": json.dumps({name: svg for svg, name in drawing.drawings.items()}),
            "grey": "yes" if self.setting.grey else "no",
            "proofs": "yes" if self.setting.purpose is Purpose.PROOF else "no",
        }
        for format_ in self.setting.formats:
            self._tell(stem)
            source = self.room.source(data, **inputs)
            pages, warnings = self.room.typesetter.pages(source, format_, self.setting.pixels_per_inch)
            place = whole_book(document.book)
            self.found += [messages.typesetting(place, Severity.WARNING, text) for text in warnings]
            for n, content in enumerate(pages, 1):
                number = f".{n}" if format_ == "png" else ""
                made = with_bleed(content) if mode == "cards" and format_ == "pdf" else content
                yield Printed(f"{stem}{number}.{format_}", made, self.setting.folder)


def _on_paper(document: Document, setting: Setting) -> Document:
    """The same document, its sheets on another paper."""
    if setting.paper is None:
        return document
    return replace(document, sheets=tuple(replace(s, paper=setting.paper) for s in document.sheets))


# -- sheets as templates take them ------------------------------------------------------------------


class _SheetPages:
    """The pages of a document's sheets."""

    def __init__(self, document: Document, layouts: list[LaidOut], setting: Setting) -> None:
        self.document, self.layouts, self.setting = document, layouts, setting
        self.words = furniture(document.language)
        self.drawing = Drawing(self.words, grey=setting.grey)
        self.count = sum(len(layout.faces) for layout in layouts)

    def plan(self) -> list[dict[str, Any]]:
        pages: list[dict[str, Any]] = []
        for sheet, layout in zip(self.document.sheets, self.layouts, strict=True):
            width, height = page_size(sheet, layout.landscape)
            for face in layout.faces:
                page = {
                    "width": width,
                    "height": height,
                    "head": self.drawing.head(self.document, sheet),
                    "foot": self._foot(sheet, len(pages) + 1),
                }
                pages.append({**page, **self._content(sheet, face)})
        return pages

    def _content(self, sheet: Sheet, face: Face | Flow) -> dict[str, Any]:
        if isinstance(face, Flow):
            return {"kind": "flow", "size": face.size, "block": self.drawing.block(sheet.blocks[face.block])}
        bands = [
            {
                "lanes": [
                    {
                        "width": lane.width,
                        "air": lane.air,
                        "gap": _gap(face, lane.gap),
                        "blocks": [self.drawing.block(sheet.blocks[n]) for n in lane.blocks],
                    }
                    for lane in band.lanes
                ]
            }
            for band in face.bands
        ]
        return {"kind": "face", "size": face.size, "gap": face.gap, "bands": bands}

    def _foot(self, sheet: Sheet, number: int) -> dict[str, str]:
        document = self.document
        title = " · ".join(filter(None, (document.title, document.subtitle)))
        version = f"{self.words['build']} {document.version}"
        left = f"{title}. {document.book}, {version}" + (
            f", {self.setting.date}" if self.setting.date else ""
        )
        of = self.words["face_of"]
        right = self.words["single_face"] if self.count == 1 else of.format(n=number, m=self.count)
        return {"left": left, "right": right + self._other_side(sheet), "flow": of}

    def _other_side(self, sheet: Sheet) -> str:
        """What the other face of the sheet of paper is called."""
        others = [s for s in self.document.sheets if s.leaf == sheet.leaf and s is not sheet and s.title]
        if len(others) != 1 or not sheet.face:
            return ""
        where = self.words["front" if others[0].face < sheet.face else "over"]
        return f" · {where}: {others[0].title}"


def _gap(face: Face, more: float) -> float:
    from dtables.pages.layout import GAP

    return GAP * face.size + more


# -- cards as templates take them -------------------------------------------------------------------


class _Deck:
    """The faces of a document's cards."""

    def __init__(self, document: Document, sides: list[tuple[Side, Side | None]], setting: Setting) -> None:
        self.document, self.sides, self.setting = document, sides, setting
        self.words = furniture(document.language)
        self.drawing = Drawing(self.words, grey=setting.grey)

    def single(self) -> list[dict[str, Any]]:
        """Fronts and backs in pairs."""
        return [face for _, pair in self._pairs() for face in pair]

    def imposed(self) -> list[dict[str, Any]]:
        """Cards of one size lie together on a sheet of paper."""
        width, height = PAPERS[self.setting.paper or Paper.A4]
        pages = []
        for paper, size in CARD_SIZES.items():
            pairs = [pair for card, pair in self._pairs() if card.paper is paper]
            table = table_of(size, width, height)
            for spots in imposed(pairs, table):
                pages.append({
                    "width": width * 72 / 25.4, "height": height * 72 / 25.4, "columns": table.columns,
                    "rows": table.rows, "card_width": size.width, "card_height": size.height,
                    "up": min(3.0, (height - table.rows * size.height) / 2 - 6.0), "spots": spots,
                })  # fmt: skip
        return pages

    def _pairs(self) -> Iterator[tuple[Card, tuple[dict[str, Any], dict[str, Any]]]]:
        for card, (front, back) in zip(self.document.cards, self.sides, strict=True):
            plain = {**self._card(card, "back"), "kind": "plain"}
            second = plain if back is None else self._face(card, "back", card.back, back)
            yield card, (self._face(card, "front", card.front, front), second)

    def _card(self, card: Card, side: str) -> dict[str, Any]:
        size, count = size_of(card), len(self.document.cards)
        numbered = self.words["card_of"].format(n=card.number, m=count) if card.number else card.name
        foot = " · ".join(
            filter(None, (self.document.title, numbered, self.words[side] if card.back else ""))
        )
        return {
            "width": size.width,
            "height": size.height,
            "strip": size.strip,
            "index": size.index,
            "colour": card.colour,
            "head": self.drawing.card_head(self.document, card, count),
            "foot": foot,
        }

    def _face(self, card: Card, side: str, blocks: tuple[Block, ...], set_: Side) -> dict[str, Any]:
        return {
            "kind": "face",
            **self._card(card, side),
            "blocks": [self.drawing.block(block) for block in blocks],
            "size": set_.size,
            "air": set_.air,
            "gap": set_.gap,
        }


def _widths(card: Card) -> list[float]:
    from dtables.pages.imposition import SIZES

    return [size_of(card).inner / size for size in SIZES]


def _legend(document: Document, card: Card) -> Measured:
    entries = Drawing(furniture(document.language), bare=True).legend(card.legend)
    return Measured("legend", document.language, {"legend": entries})


def _alike(
    decks: list[list[tuple[Side | Unfit | None, Side | Unfit | None]]],
) -> list[list[tuple[Side, Side | None]]]:
    """The smaller type of the languages for each side of a card."""
    same = len({len(deck) for deck in decks}) == 1
    result: list[list[tuple[Side, Side | None]]] = []
    for deck in decks:
        sides: list[tuple[Side, Side | None]] = []
        for n, (front, back) in enumerate(deck):
            assert isinstance(front, Side) and not isinstance(back, Unfit)
            others = [other[n] for other in decks] if same else [deck[n]]
            sides.append(
                (_smaller(front, [o[0] for o in others]), back and _smaller(back, [o[1] for o in others]))
            )
        result.append(sides)
    return result


def _smaller(side: Side, others: Sequence[Side | Unfit | None]) -> Side:
    sizes = [other.size for other in others if isinstance(other, Side)]
    return side if min(sizes) >= side.size else replace(side, size=min(sizes))


def _unfit(card: Card, side: str, unfit: Unfit) -> Diagnostic:
    mm = 25.4 / 72
    return messages.card_overflow(
        card.where,
        card.name,
        side,
        unfit.block.title or card.title,
        unfit.wide,
        unfit.needed * mm,
        unfit.room * mm,
    )


def _incomplete(document: Document) -> Iterator[Diagnostic]:
    """Steps on cards that lead to a block which no card has."""
    keys = {key for card in document.cards for block in card.blocks for key in (block.key, *block.keys)}
    for card in document.cards:
        for block in card.blocks:
            if isinstance(block.body, Procedure):
                for inline in inlines(block):
                    for part in inline:
                        if isinstance(part, Pointer) and part.key not in keys:
                            yield messages.deck_incomplete(card.where, block.title, part.key)


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
