"""Paper: PDF and PNG through typst, in all languages at once.

Data goes in as JSON beside a static template, so that no cell of a workbook is ever read as code. Sheets are
laid out once for all languages of a request, so that every block stands in the same place in each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dtables.diagnostics import Diagnostic, Severity, errors_in
from dtables.files import temporary_folder
from dtables.pages import messages
from dtables.pages.deck import dated
from dtables.pages.document import Block, Card, Document, Legend, Paper, Sheet
from dtables.pages.drawing import Drawing
from dtables.pages.faces import (
    Editions,
    Flow,
    LaidOut,
    SheetLayout,
    gaps_in,
    inner_width,
    laid_out,
    measured_card,
    page_size,
)
from dtables.pages.heights import Heights, Measured
from dtables.pages.imposition import (
    CARD_SIZES,
    EASY,
    LEGEND,
    OVER,
    PROOF_SIZES,
    SIZES,
    UNDER_STRIP,
    WORTH_BREAKING,
    Content,
    Side,
    Unfit,
    imposed,
    is_uneven,
    size_of,
    table_of,
    with_bleed,
    with_short_head,
)
from dtables.pages.layout import GAP, Face
from dtables.pages.legend import legend_of
from dtables.pages.letters import FONTS, text_width
from dtables.pages.pointers import lettered, over
from dtables.pages.typesetting import PaperFormat, Source, Typesetter, TypesettingError, typesetter
from dtables.pages.widths import comfortable, narrowest
from dtables.pages.words import furniture
from dtables.provenance import Location, whole_book

TEMPLATES = Path(__file__).parent / "templates"
MAIN = "pages.typ"
TYPST_FILES = ("pages.typ", "blocks.typ", "style.typ")
FOOT, FOOT_GAP = 7.0, 8.0
CARD_FOOT, CARD_FOOT_GAP = 6.0, 4.0
"""Type of the foot lines of sheets and cards, and the gap before what leads over, in points."""
PAPERS = {Paper.A4: (210.0, 297.0), Paper.LETTER: (215.9, 279.4)}

Diagnostics = tuple[Diagnostic, ...]
Watch = Callable[[str, int, int], None]
"""Told what is done next, how much is done and how much there is to do."""


@dataclass(slots=True)
class Work:
    """How far printing has come; who watches is told."""

    watch: Watch | None = None
    total: int = 0
    done: int = 0

    def begin(self, what: str) -> None:
        """Say what is done next."""
        if self.watch is not None:
            self.watch(what, self.done, max(self.total, self.done + 1))
        self.done += 1


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
    """How documents are set. A paper replaces the workbook's."""

    formats: tuple[PaperFormat, ...] = ("pdf",)
    paper: Paper | None = None
    styles: Path | None = None
    date: str = ""
    pixels_per_inch: float = 144.0
    purpose: Purpose = Purpose.HOME
    grey: bool = False
    work: Work = field(default_factory=Work)

    @property
    def folder(self) -> str:
        """Editions other than the usual one stand in folders of their own."""
        parts = [self.purpose.value] if self.purpose is not Purpose.HOME else []
        return "/".join([*parts, *(["grey"] if self.grey else [])])


def print_paper(
    documents: Sequence[Document], setting: Setting, others: Sequence[Document] = ()
) -> tuple[tuple[Printed, ...], Diagnostics]:
    """Sheets and cards of a workbook's documents, one for each language, as PDF and PNG. The layout is that
    of the `others` too, which are not printed."""
    book = whole_book(documents[0].book)
    if setting.purpose is Purpose.BLEED and not any(document.cards for document in documents):
        return (), (messages.no_cards(book),)
    with _templates(setting.styles) as folder, typesetter() as process:
        try:
            return _Press(documents, Workspace(process, folder), setting, others).printed()
        except TypesettingError as error:
            return (), (messages.typesetting(book, Severity.ERROR, str(error)),)


def lettered_as_on_paper(
    documents: Sequence[Document], setting: Setting, others: Sequence[Document] = ()
) -> list[Document]:
    """The documents with the letters that their blocks have on paper: every edition speaks of the same B."""
    with _templates(setting.styles) as folder, typesetter() as process:
        return _Press(documents, Workspace(process, folder), setting, others).lettered()


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
    """All documents of a workbook on their way to paper; the first ones are asked for."""

    def __init__(
        self,
        documents: Sequence[Document],
        room: Workspace,
        setting: Setting,
        others: Sequence[Document] = (),
    ) -> None:
        self.room, self.setting, self.asked = room, setting, len(documents)
        self.documents = [lettered(_on_paper(document, setting)) for document in (*documents, *others)]
        self.heights = Heights(room.heights, room.state, documents[0].name.encode())
        self.found: list[Diagnostic] = []

    def printed(self) -> tuple[tuple[Printed, ...], Diagnostics]:
        asked = self.documents[: self.asked]
        kinds = [(bool(document.sheets) + bool(document.cards)) for document in asked]
        self.setting.work.total = self.setting.work.done + 1 + sum(kinds) * len(self.setting.formats)
        self.setting.work.begin(self.documents[0].book)
        layouts = self._sheets()
        sides = self._decks()
        self.heights.keep()
        if errors_in(self.found):
            return (), self._once()
        files: list[Printed] = []
        for n, document in enumerate(self.documents[: self.asked]):
            files += self._files(document, layouts[n], sides[n])
        return (() if errors_in(self.found) else tuple(files)), self._once()

    def lettered(self) -> list[Document]:
        """The documents with their letters, once it is known where blocks stand."""
        self._sheets()
        self.heights.keep()
        return self.documents[: self.asked]

    def _once(self) -> Diagnostics:
        return tuple(dict.fromkeys(self.found))

    # -- sheets ----------------------------------------------------------------------------------

    def _sheets(self) -> list[list[LaidOut]]:
        """Of each document a layout for each sheet; documents get their letters by them."""
        groups = self._groups()
        layouts = [SheetLayout(self._editions(group), self.heights) for group in groups]
        self.heights.need(wanted for layout in layouts for wanted in layout.measures())
        found: list[dict[int, LaidOut]] = [{} for _ in self.documents]
        for group, layout in zip(groups, layouts, strict=True):
            result, diagnostics = laid_out(layout.editions, self.heights)
            self.found += diagnostics
            if result is not None:
                for document, sheet in group:
                    alone = SheetLayout(
                        self._editions([(document, sheet)]), self.heights, narrowest, dense=result.dense
                    )
                    found[document][sheet] = alone.filled(result)
        if errors_in(self.found):
            return [[] for _ in self.documents]
        ordered = [[by_sheet[n] for n in sorted(by_sheet)] for by_sheet in found]
        self.documents = [
            lettered(
                document,
                [[s.blocks[b].key for b in own.order] for s, own in zip(document.sheets, laid, strict=True)],
            )
            for document, laid in zip(self.documents, ordered, strict=True)
        ]
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
        sizes = (*SIZES, *PROOF_SIZES) if self.setting.purpose is Purpose.PROOF else SIZES
        decks = [
            [_Card(document, card, self.heights, sizes) for card in document.cards]
            for document in self.documents
        ]
        sides = [side for deck in decks for card in deck for side in (card.front, card.back) if side]
        looking = [side.look() for side in sides]
        while looking:
            asked = [(look, next(look, None)) for look in looking]
            looking = [look for look, wanted in asked if wanted is not None]
            self.heights.need(each for _, wanted in asked if wanted is not None for each in wanted)
        self.found += [found for deck in decks[: self.asked] for card in deck for found in card.unfit()]
        if errors_in(self.found):
            return [[] for _ in decks]
        alike = _alike(decks, self.asked)
        if self.setting.purpose is not Purpose.PROOF:
            self.found += self._uneven(alike)
        return alike

    def _uneven(self, decks: list[list[tuple[Side, Side | None]]]) -> Iterator[Diagnostic]:
        """Cards of which one side is crowded, each once for all languages."""
        met: set[Location] = set()
        for document, sides in zip(self.documents[: self.asked], decks, strict=True):
            for card, (front, back) in zip(document.cards, sides, strict=True):
                if is_uneven(front, back) and card.where not in met:
                    met.add(card.where)
                    yield messages.card_uneven(card.where, card.name, _in_points(front, back))

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
            self.setting.work.begin(stem)
            source = self.room.source(data, **inputs)
            pages, warnings = self.room.typesetter.pages(source, format_, self.setting.pixels_per_inch)
            place = whole_book(document.book)
            self.found += [messages.typesetting(place, Severity.WARNING, text) for text in warnings]
            for n, content in enumerate(pages, 1):
                number = f".{n}" if format_ == "png" else ""
                made = with_bleed(content) if mode == "cards" and format_ == "pdf" else content
                yield Printed(f"{stem}{number}.{format_}", made, self.setting.folder)


def _on_paper(document: Document, setting: Setting) -> Document:
    """The same document, its sheets on the paper that is asked for."""
    cards = tuple(with_short_head(dated(card, setting.date)) for card in document.cards)
    paper = setting.paper
    sheets = tuple(replace(s, paper=paper or s.paper) for s in document.sheets)
    return replace(document, sheets=sheets, cards=cards)


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
                    "foot": self._foot(sheet, len(pages) + 1, face.size, landscape=layout.landscape),
                }
                pages.append({**page, **self._content(sheet, face), "dense": layout.dense})
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

    def _foot(self, sheet: Sheet, number: int, size: float, *, landscape: bool) -> dict[str, str]:
        """One line: where there is no room for all, the game's name goes, which stands in the head, then that
        of the other face. Of several sheets of paper each has its number, by which pointers call it."""
        document = self.document
        several = len({each.leaf for each in document.sheets}) > 1
        paper = self.words["sheet"].format(sheet.leaf).capitalize() + " · " if several and sheet.leaf else ""
        of = paper + self.words["face_of"]
        face = self.words["single_face"] if self.count == 1 else of.format(n=number, m=self.count)
        right = face + self._other_side(sheet)
        game = " · ".join(filter(None, (document.title, document.subtitle)))
        whole, bare = (self._imprint(sheet, size, title) for title in (game, ""))
        room = inner_width(sheet, landscape) - FOOT_GAP
        lines = ((whole, right), (bare, right), (bare, face))
        fitting = (line for line in lines if sum(map(text_width, line)) * FOOT <= room)
        left, right = next(fitting, lines[-1])
        return {"left": left, "right": right, "flow": of}

    def _imprint(self, sheet: Sheet, size: float, title: str) -> str:
        """What the page is made of and by whom, after the key of its signs."""
        document = self.document
        version = f"{self.words['build']} {document.version}"
        made_of = ", ".join(filter(None, (document.book, version, self.setting.date)))
        made = ". ".join(part.removesuffix(".") for part in (title, document.credit, made_of) if part)
        proof = f"{size:g} pt" if self.setting.purpose is Purpose.PROOF else ""
        return " · ".join(filter(None, (document.key(sheet.blocks), made, proof)))

    def _other_side(self, sheet: Sheet) -> str:
        """What the other face of the sheet of paper is called."""
        others = [s for s in self.document.sheets if s.leaf == sheet.leaf and s is not sheet and s.title]
        if len(others) != 1 or not sheet.face:
            return ""
        where = self.words["front" if others[0].face < sheet.face else "over"]
        return f" · {where}: {others[0].title}"


def _gap(face: Face, more: float) -> float:
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
                    "gutter": table.gutter, "over": OVER, "spots": spots,
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
        return {
            "width": size.width,
            "height": size.height,
            "strip": size.strip,
            "under": UNDER_STRIP,
            "index": size.index,
            "colour": card.colour,
            "head": self.drawing.card_head(self.document, card, count, side),
            **self._foot(card, side, numbered),
        }

    def _foot(self, card: Card, side: str, numbered: str) -> dict[str, str]:
        """A front ends with what is over. Where there is no room for all, the game's name goes first, then
        the titles of what is over, then the authors."""
        document = self.document
        key = document.key(card.back if side == "back" else card.front)
        turned = over(card, self.words) if side == "front" else ""
        place = " · ".join(filter(None, (numbered, self.words[side] if side == "back" else "")))
        choices = (
            ((document.title, place, key, document.credit), turned),
            ((place, key, document.credit), turned),
            ((place, key, document.credit), turned.split(":")[0]),
            ((document.title, place, key), turned),
            ((place, key), turned),
            ((place, key), turned.split(":")[0]),
        )
        lines = [(" · ".join(filter(None, left)), right) for left, right in choices]
        room = size_of(card).inner - CARD_FOOT_GAP
        wide = [(text_width(left) + text_width(right)) * CARD_FOOT for left, right in lines]
        left, right = next(
            (line for line, width in zip(lines, wide, strict=True) if width <= room), lines[-1]
        )
        return {"foot": left, "over": right, "credit": document.credit}

    def _face(self, card: Card, side: str, blocks: tuple[Block, ...], set_: Side) -> dict[str, Any]:
        return {
            "kind": "face",
            **self._card(card, side),
            "blocks": [self.drawing.block(block) for block in blocks],
            "size": set_.size,
            "air": set_.air,
            "gap": set_.gap,
            "tight": set_.tight,
        }


class _CardSide:
    """A side of a card, on its way to the largest type that fits."""

    def __init__(
        self,
        document: Document,
        card: Card,
        blocks: tuple[Block, ...],
        heights: Heights,
        sizes: Sequence[float],
    ) -> None:
        self.sizes = sizes
        self.things = {
            tight: [measured_card(document, block, tight=tight) for block in blocks]
            for tight in (False, True)
        }
        entries = legend_of(blocks)
        self.legend = _legend(document, entries) if entries else None
        self.heights = heights
        whole, broken = ([of(b, on_card=True) for b in blocks] for of in (comfortable, narrowest))
        self.contents = [
            self._content(card, blocks, whole),
            self._content(card, blocks, broken),
            self._content(card, blocks, broken, tight=True),
        ]
        self.content = self.contents[-1]
        self.found: Side | Unfit | None = None

    def _content(
        self, card: Card, blocks: tuple[Block, ...], least: list[float], *, tight: bool = False
    ) -> Content:
        small = size_of(card).inner / LEGEND
        return Content(
            blocks,
            size_of(card),
            least,
            [gaps_in(block) for block in blocks],
            lambda n, width: self.heights.of(self.things[tight][n], width),
            lambda: 0.0 if self.legend is None else self.heights.of(self.legend, small) * LEGEND,
            tight,
        )

    def look(self) -> Iterator[list[tuple[Measured, list[float]]]]:
        """What has to be measured next: names in cells unbroken, unless the type is much larger with them
        broken; lines near each other only where nothing else fits."""
        best = 0.0
        for content in self.contents:
            if best >= EASY or (best and content.tight):
                break
            sizes = [size for size in self.sizes if content.fits_across(size)]
            low, high = 0, len(sizes)
            while low < high:
                middle = (low + high) // 2
                yield self._measures(content, sizes[middle])
                low, high = (low, middle) if content.fits(sizes[middle]) else (middle + 1, high)
            if low < len(sizes) and (not best or sizes[low] >= best + WORTH_BREAKING):
                best, self.content = sizes[low], content
        if best:
            self.found = self.content.set_in(best)
            return
        if self.content.fits_across(SIZES[-1]):
            yield self._measures(self.content, SIZES[-1])
        self.found = self.content.unfit()

    def _measures(self, content: Content, size: float) -> list[tuple[Measured, list[float]]]:
        return [(thing, [content.width(size)]) for thing in self.things[content.tight]]

    def in_size(self, size: float) -> Side:
        """The side in smaller type than it could have."""
        return self.content.set_in(size)


class _Card:
    """A card with its sides; there is no back where nothing stands on it."""

    def __init__(self, document: Document, card: Card, heights: Heights, sizes: Sequence[float]) -> None:
        self.card = card
        self.front = _CardSide(document, card, card.front, heights, sizes)
        self.back = _CardSide(document, card, card.back, heights, sizes) if card.back else None

    def unfit(self) -> Iterator[Diagnostic]:
        """What is said of sides that do not fit."""
        for name, side in (("front", self.front), ("back", self.back)):
            if side is not None and isinstance(side.found, Unfit):
                yield _unfit(self.card, name, side.found)


def _legend(document: Document, entries: Sequence[Legend]) -> Measured:
    drawn = Drawing(furniture(document.language), bare=True).legend(entries)
    return Measured("legend", document.language, {"legend": drawn})


def _alike(decks: list[list[_Card]], asked: int) -> list[list[tuple[Side, Side | None]]]:
    """The smaller type of the languages for each side of a card of the first decks."""
    same = len({len(deck) for deck in decks}) == 1
    result: list[list[tuple[Side, Side | None]]] = []
    for deck in decks[:asked]:
        others = decks if same else [deck]
        sides: list[tuple[Side, Side | None]] = []
        for n, card in enumerate(deck):
            back = None if card.back is None else _smallest([other[n].back for other in others], card.back)
            sides.append((_smallest([other[n].front for other in others], card.front), back))
        result.append(sides)
    return result


def _smallest(sides: Sequence[_CardSide | None], own: _CardSide) -> Side:
    sizes = [side.found.size for side in sides if side is not None and isinstance(side.found, Side)]
    assert isinstance(own.found, Side)
    return own.found if min(sizes) >= own.found.size else own.in_size(min(sizes))


def _in_points(front: Side, back: Side | None) -> str:
    if back is None:
        return f"the front is set in {front.size:g} pt, and nothing stands on the back"
    sides = (f"the {name} is set in {side.size:g} pt and {side.full:.0%} full"
             for name, side in (("front", front), ("back", back)))  # fmt: skip
    return ", ".join(sides)


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
