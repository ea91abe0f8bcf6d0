"""Sheets laid out once for all languages: every block with its greatest height over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from dtables.diagnostics import Diagnostic
from dtables.pages import messages
from dtables.pages.document import (
    Block,
    Document,
    Edition,
    Grid,
    Orders,
    Paper,
    Procedure,
    Ring,
    Sheet,
    text_of,
    texts_in,
)
from dtables.pages.drawing import Drawing
from dtables.pages.heights import EM, Heights, Measured
from dtables.pages.layout import (
    HAIR,
    INFINITE,
    LARGEST,
    LEAST,
    LYING,
    POINTS,
    STEP,
    TURN_LEAST,
    UPRIGHT,
    Face,
    Frame,
    Item,
    TooWide,
    aired,
    arranged,
    between,
    height_of,
)
from dtables.pages.widths import comfortable, narrowest, rows_of
from dtables.pages.words import furniture

PAPER_SIZES = {Paper.A4: (210.0, 297.0), Paper.LETTER: (215.9, 279.4)}
"""Upright, in millimetres."""
SIDE_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 8.0, 6.5, 8.5
HEAD_GAP = 5.5
"""Points under the head line."""
LONG = 160
"""Tables of more rows go on from page to page; they are not measured."""
FLOW_SIZE = 9.6
GUESSES = (1.02, 1.0, 0.98, 0.95, 0.9)
"""Of the room of a face: heights are guessed, and a face that comes out too high is laid out again."""
SMALLEST = 7.0
"""Points of type, where all guesses were wrong."""
FACE_LEAST, COLUMN_LEAST = 0.70, 0.85
LANGUAGE_LOSS = 0.6
"""Points of type: so much smaller because of one language is worth a word."""
BEFORE_TURNS = ("setup", "game end")
"""Phases whose steps need not lead their face."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A long table, which goes on from page to page."""

    block: int
    size: float = FLOW_SIZE


@dataclass(frozen=True, slots=True)
class LaidOut:
    """How a sheet lies, and what stands on each of its faces."""

    landscape: bool
    faces: tuple[Face | Flow, ...]
    dense: bool = False
    """Blocks give up some of their white."""

    @property
    def order(self) -> tuple[int, ...]:
        """The blocks as they are read."""
        return tuple(
            n for face in self.faces for n in ((face.block,) if isinstance(face, Flow) else face.order)
        )


@dataclass(frozen=True, slots=True)
class Editions:
    """The same sheet in several languages."""

    documents: tuple[Document, ...]
    sheets: tuple[Sheet, ...]

    @property
    def first(self) -> Sheet:
        """The sheet in the first language."""
        return self.sheets[0]


Found = tuple[LaidOut | None, tuple[Diagnostic, ...]]


def laid_out(editions: Editions, heights: Heights) -> Found:
    """Names in cells unbroken and lines well apart, unless that takes more faces. With lints."""
    chosen = SheetLayout(editions, heights)
    found = chosen.lay_out()
    for least, dense in ((comfortable, True), (narrowest, False), (narrowest, True)):
        if found[0] is not None and len(found[0].faces) == 1:
            break
        other = SheetLayout(editions, heights, least, dense=dense)
        tried = other.lay_out()
        if found[0] is None or (tried[0] is not None and len(tried[0].faces) < len(found[0].faces)):
            chosen, found = other, tried
    lints = () if found[0] is None else tuple(chosen.lints(found[0]))
    return found[0], (*found[1], *lints)


def page_size(sheet: Sheet, landscape: bool) -> tuple[float, float]:
    """Width and height of the paper, in points."""
    width, height = PAPER_SIZES.get(sheet.paper, PAPER_SIZES[Paper.A4])
    if landscape:
        width, height = height, width
    return width * POINTS, height * POINTS


def inner_width(sheet: Sheet, landscape: bool) -> float:
    """The width of what is printed, in points."""
    return page_size(sheet, landscape)[0] - 2 * SIDE_MARGIN * POINTS


class SheetLayout:
    """Lays out one sheet in all its languages."""

    def __init__(
        self,
        editions: Editions,
        heights: Heights,
        least: Callable[[Block], float] = comfortable,
        *,
        dense: bool = False,
    ) -> None:
        self.editions, self.heights, self.dense = editions, heights, dense
        self.blocks = editions.first.blocks
        self.measured = [
            [_measured(document, block, "dense" if dense else "block") for block in sheet.blocks]
            for document, sheet in zip(editions.documents, editions.sheets, strict=True)
        ]
        same = list(zip(*(sheet.blocks for sheet in editions.sheets), strict=True))
        self.least = [max(map(least, blocks)) for blocks in same]
        self.long = [max(map(rows_in, blocks)) > LONG for blocks in same]

    @property
    def smallest(self) -> float:
        """The smallest type: larger where a turn is played from the sheet."""
        return TURN_LEAST if any(is_turn(block) for block in self.blocks) else LEAST

    def measures(self) -> Iterator[tuple[Measured, Sequence[float]]]:
        """What has to be measured first, however the sheet comes to lie."""
        sheet = self.editions.first
        widths = LYING if sheet.landscape and not sheet.turns else UPRIGHT
        for measured in self.measured:
            for thing, least, long in zip(measured, self.least, self.long, strict=True):
                if not long:
                    yield thing, [width for width in widths if width >= least] or [widths[-1]]
        for head in self._heads():
            yield head, [inner_width(sheet, sheet.landscape and not sheet.turns) / EM]

    def lay_out(self) -> Found:
        """Upright, but where the workbook says otherwise or lying down takes fewer faces."""
        sheet = self.editions.first
        first = self._lying(sheet.landscape and not sheet.turns)
        if not sheet.turns or (first[0] is not None and len(first[0].faces) == 1):
            return first
        if first[0] is not None and (sheet.face or any(self.long) or self._fits_badly_lying()):
            return first
        second = self._lying(True)
        if second[0] is None or (first[0] is not None and len(first[0].faces) <= len(second[0].faces)):
            return first
        return second

    def _fits_badly_lying(self) -> bool:
        return all(
            least * self.smallest <= inner_width(self.editions.first, False) / 2 for least in self.least
        )

    def filled(self, laid_out: LaidOut) -> LaidOut:
        """What was laid out for several languages, its white spread as this sheet's own words leave it."""
        frame = self._frame(laid_out.landscape)
        every = list(range(len(self.blocks)))
        items = self._items(every, self._exact)
        faces: list[Face | Flow] = []
        for face in laid_out.faces:
            if isinstance(face, Face):
                self._need(face, every, face.size)
                face = aired(face, items, frame.room)
            faces.append(face)
        return replace(laid_out, faces=tuple(faces))

    # -- one way of lying ------------------------------------------------------------------------

    def _lying(self, landscape: bool) -> Found:
        widths = LYING if landscape else UPRIGHT
        self.heights.need(
            (thing, [width for width in widths if width >= least] or [widths[-1]])
            for measured in self.measured
            for thing, least, long in zip(measured, self.least, self.long, strict=True)
            if not long
        )
        frame = self._frame(landscape)
        faces: list[Face | Flow] = []
        wide: list[int] = []
        for flows, run in groupby(range(len(self.blocks)), key=lambda n: self._flows(n, frame)):
            part = list(run)
            if flows:
                faces += [Flow(n) for n in part]
                wide += [n for n in part if self.least[n] * FLOW_SIZE > frame.width]
                continue
            found = self._faces(part, frame, widths)
            if isinstance(found, TooWide):
                wide += [part[n] for n in found.blocks]
            else:
                faces += found
        if wide:
            return None, tuple(self._too_wide(n, frame) for n in wide)
        return LaidOut(landscape, tuple(faces), self.dense), ()

    def _frame(self, landscape: bool) -> Frame:
        sheet = self.editions.first
        width = inner_width(sheet, landscape)
        self.heights.need((head, [width / EM]) for head in self._heads())
        title = max(self.heights.of(head, width / EM) for head in self._heads()) * EM
        height = page_size(sheet, landscape)[1] - (TOP_MARGIN + BOTTOM_MARGIN) * POINTS
        return Frame(width, height - title - HEAD_GAP - HAIR, self.smallest, 3 if landscape else 2)

    def _heads(self) -> list[Measured]:
        pairs = zip(self.editions.documents, self.editions.sheets, strict=True)
        return [
            Measured("head", d.language, Drawing(furniture(d.language), bare=True).head(d, s))
            for d, s in pairs
        ]

    def _flows(self, n: int, frame: Frame) -> bool:
        """Too long to be measured, or longer than a page across its whole width."""
        if self.long[n]:
            return True
        if self.least[n] * frame.least > frame.width:
            return False
        height = self._guessed(n, UPRIGHT if frame.lanes == 2 else LYING)(frame.width / frame.least)
        return height * frame.least > frame.room

    def _guessed(
        self, n: int, widths: Sequence[float], document: int | None = None
    ) -> Callable[[float], float]:
        """The greatest height over the languages, between those that were measured."""
        known = [width for width in widths if width >= self.least[n]] or [widths[-1]]
        things = [self.measured[document][n]] if document is not None else [m[n] for m in self.measured]
        points = [(width, max(self.heights.of(thing, width) for thing in things)) for width in known]
        return between(points, self.least[n])

    def _exact(self, n: int) -> Callable[[float], float]:
        things = [measured[n] for measured in self.measured]
        least = self.least[n]
        return lambda width: INFINITE if width < least else max(self.heights.of(t, width) for t in things)

    def _items(self, part: Sequence[int], of: Callable[[int], Callable[[float], float]]) -> list[Item]:
        return [_item(self.blocks[n], of(n)) for n in part]

    def _faces(self, part: list[int], frame: Frame, widths: Sequence[float]) -> list[Face] | TooWide:
        """Laid out by guessed heights, then set in the largest type that truly fits."""
        guessed = self._items(part, lambda n: self._guessed(n, widths))
        exact = self._items(part, self._exact)
        for share in GUESSES:
            found = arranged(guessed, replace(frame, room=frame.room * share))
            if isinstance(found, TooWide):
                return found
            smaller = replace(frame, least=SMALLEST) if share == GUESSES[-1] else frame
            faces = [self._sized(face, part, exact, smaller) for face in found]
            whole = [face for face in faces if face is not None]
            if len(whole) == len(faces):
                return [_numbered(aired(face, exact, frame.room), part) for face in whole]
        raise AssertionError("a face that fits in no size of type was guessed to fit")

    def _sized(self, face: Face, part: list[int], items: Sequence[Item], frame: Frame) -> Face | None:
        """The largest size near the guessed one; None where even the smallest is too large."""
        size = face.size
        best: float | None = None
        for _ in range(6):
            self._need(face, part, size)
            height = height_of(face, items, size)
            if height <= frame.room:
                best = size
                more = STEP * max(1, int((frame.room / height - 1) * size * 0.5 / STEP))
                size = round(size + more, 2)
            elif best is not None or size <= frame.least:
                break
            else:
                less = STEP * max(1, int((1 - frame.room / height) * size * 0.5 / STEP))
                size = round(max(frame.least, size - less), 2)
            if size > LARGEST:
                break
        return None if best is None else replace(face, size=best)

    def _need(self, face: Face, part: list[int], size: float) -> None:
        self.heights.need(
            (measured[part[n]], [lane.width / size])
            for band in face.bands
            for lane in band.lanes
            for n in lane.blocks
            for measured in self.measured
        )

    # -- what there is to say --------------------------------------------------------------------

    def lints(self, laid_out: LaidOut) -> Iterator[Diagnostic]:
        """Of faces that the author has named: what is thin, blank, or small because of one language."""
        sheet = self.editions.first
        faces = [face for face in laid_out.faces if isinstance(face, Face)]
        proof = self.editions.documents[0].edition is Edition.PROOF
        if proof or sheet.leaf == sheet.face or not sheet.face:
            return
        if len(laid_out.faces) > 1:
            yield messages.face_overflow(sheet.where, sheet.face, len(laid_out.faces), self.smallest)
        for face in faces:
            if face.fill < FACE_LEAST:
                yield messages.face_thin(sheet.where, sheet.face, face.fill)
            for band in face.bands:
                for lane in band.lanes:
                    if lane.fill < COLUMN_LEAST and len(faces) == 1:
                        yield messages.column_blank(sheet.where, sheet.face, lane.fill)
            yield from self._losses(face, laid_out.landscape)

    def _losses(self, face: Face, landscape: bool) -> Iterator[Diagnostic]:
        """The language without which type would be larger, and the block where it is longest."""
        if len(self.measured) < 2:
            return
        widths = LYING if landscape else UPRIGHT
        frame = self._frame(landscape)
        sizes = [self._alone(face, n, frame, widths) for n in range(len(self.measured))]
        low = min(range(len(sizes)), key=lambda n: sizes[n])
        if max(sizes) - sizes[low] < LANGUAGE_LOSS:
            return
        other = max(range(len(sizes)), key=lambda n: sizes[n])
        block = max(face.order, key=lambda n: self._more(n, low, other, widths))
        longer = self.editions.sheets[low].blocks[block]
        text = _longest_against(longer, self.editions.sheets[other].blocks[block])
        language = self.editions.documents[low].language
        yield messages.language_length(longer.where, language, max(sizes) - sizes[low], longer.title, text)

    def _alone(self, face: Face, document: int, frame: Frame, widths: Sequence[float]) -> float:
        """The type that one language could have without the others."""
        items = [_item(self.blocks[n], self._guessed(n, widths, document)) for n in face.order]
        found = arranged(items, frame)
        return face.size if isinstance(found, TooWide) else min(each.size for each in found)

    def _more(self, n: int, document: int, other: int, widths: Sequence[float]) -> float:
        width = widths[len(widths) // 2]
        if width < self.least[n]:
            width = widths[-1]
        return self._guessed(n, widths, document)(width) - self._guessed(n, widths, other)(width)

    def _too_wide(self, n: int, frame: Frame) -> Diagnostic:
        block, sheet = self.blocks[n], self.editions.first
        needed = self.least[n] * frame.least / POINTS
        return messages.too_wide(
            block.where, block.title, f"page {sheet.face or sheet.name}", needed, frame.width / POINTS
        )


def _longest_against(block: Block, other: Block) -> str:
    """The text of a block that is longest beside its counterpart in another language."""
    pairs = zip(texts_in(block.body), texts_in(other.body), strict=False)
    texts = [(len(text_of(one)) - len(text_of(two)), text_of(one)) for one, two in pairs]
    return max(texts, default=(0, block.title))[1]


def _numbered(face: Face, part: list[int]) -> Face:
    """Blocks by their numbers on the sheet."""
    return replace(face, bands=tuple(
        replace(band, lanes=tuple(
            replace(lane, blocks=tuple(part[n] for n in lane.blocks)) for lane in band.lanes
        ))
        for band in face.bands
    ))  # fmt: skip


def _measured(document: Document, block: Block, kind: str) -> Measured:
    return Measured(kind, document.language, Drawing(furniture(document.language), bare=True).block(block))


def measured_card(document: Document, block: Block, *, tight: bool = False) -> Measured:
    """A block as it is set on a card, its lines near each other where it is `tight`."""
    return _measured(document, block, "tight card" if tight else "card")


def is_turn(block: Block) -> bool:
    """Say whether a turn is played from the block."""
    return isinstance(block.body, Procedure) and block.phase not in BEFORE_TURNS


def _item(block: Block, height: Callable[[float], float]) -> Item:
    place = block.place if block.place in ("top", "left", "right", "foot") else ""
    turn = is_turn(block) and place in ("", "left")
    whole = None if block.units is None else block.units > 1
    return Item(height, gaps_in(block), place, turn, whole)


def gaps_in(block: Block) -> int:
    """Where a block may be given air: between its rows, and above its foot."""
    foot = 1 if block.foot else 0
    match block.body:
        case Grid(sections=sections, folded=True):
            return max(len(section.rows) for section in sections) + 1 + foot
        case Grid(sections=sections):
            return rows_of(sections) + 1 + foot
        case Orders() | Ring():
            return foot
        case body:
            return len(body.rows) - 1 + foot


def rows_in(block: Block) -> int:
    """How many rows a block has."""
    match block.body:
        case Grid(sections=sections):
            return rows_of(sections)
        case Orders(lists=lists):
            return len(lists)
        case Ring():
            return 1
        case body:
            return len(body.rows)
