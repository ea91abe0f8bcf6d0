"""Where blocks stand on a face, and how large the type is.

A face is a column of bands; a band is one block across the whole width, or blocks in lanes side by side.
Blocks keep their order: down the first lane, then down the next. Of all ways the one with the largest type is
taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise

POINTS = 72 / 25.4
GUTTER = 3.0 * POINTS
"""Between lanes."""
GAP = 0.55
"""Between blocks one under another, in ems."""
HAIR = 1.0
"""Points left free at the foot of a page, for what rounding adds."""
SPARE = 0.2
"""Points of a face that are left free: what is worked out of heights may be that much off."""
LARGEST = 12.0
TURN_LEAST, LEAST = 10.0, 9.2
"""The smallest type of a face with a turn, and of others."""
STEP = 0.1
SHARES = (0.5, 0.51, 0.49, 0.52, 0.48, 0.53, 0.47, 0.54, 0.46, 0.55, 0.45, 0.57, 0.43)
"""How much of the width the first of two lanes has."""
BAND_COST = 0.25
"""So much larger must type be for one more band, in points."""
ALIKE = 0.15
"""Type that is smaller by less is as large."""
MOST_AIR = 3.0
"""Points between rows that fill a face, at most."""
EVEN_AIR = 1.5
"""So many more, where lanes side by side end together with them."""
MOST_GAP = 0.5
"""Ems more between blocks, at most."""

INFINITE = 1e9
"""The height of a block that does not fit the width."""
Height = Callable[[float], float]
"""By width, both in ems."""


@dataclass(frozen=True, slots=True)
class Item:
    """A block as far as layout looks at it. `gaps` are where air may go; a `turn` leads its face."""

    height: Height
    gaps: int
    place: str = ""
    turn: bool = False
    whole: bool | None = None
    """Across the whole width, or not; None: as fits best."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What a face offers, in points. `lanes` is how many stand side by side at most."""

    width: float
    room: float
    least: float
    lanes: int = 2


@dataclass(frozen=True, slots=True)
class Lane:
    """Blocks one under another. `air` is added between rows, `gap` between blocks, in points."""

    width: float
    blocks: tuple[int, ...]
    air: float = 0.0
    gap: float = 0.0
    fill: float = 1.0
    """How much of its band's height it fills."""


@dataclass(frozen=True, slots=True)
class Band:
    lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Face:
    """`gap` is between bands, in points; `fill` how much of the face is filled."""

    size: float
    bands: tuple[Band, ...]
    gap: float = 0.0
    fill: float = 1.0

    @property
    def order(self) -> tuple[int, ...]:
        """The blocks as they are read."""
        return tuple(n for band in self.bands for lane in band.lanes for n in lane.blocks)


@dataclass(frozen=True, slots=True)
class TooWide:
    """Blocks that are wider than a face even in the smallest type."""

    blocks: tuple[int, ...]


def arranged(items: Sequence[Item], frame: Frame) -> tuple[Face, ...] | TooWide:
    """As few faces as the smallest type allows, then the largest type that needs no more of them."""
    order = reading_order(items)
    wide = tuple(n for n in order if items[n].height(frame.width / frame.least) >= INFINITE)
    if wide:
        return TooWide(wide)
    share = SHARES[0]
    parts = _parts(items, order, frame, frame.least, share)
    if len(parts) > 1:
        least, share = min(
            ((_parts(items, order, frame, frame.least, share), share) for share in SHARES),
            key=lambda found: len(found[0]),
        )

        def as_few(size: float) -> bool:
            tried = _parts(items, order, frame, size, share)
            return len(tried) <= len(least) and all(_fits(items, p, frame, share, size) for p in tried)

        size = _largest(frame, as_few)
        parts = _parts(items, order, frame, size, share)
        frame = replace(frame, least=min(size, frame.least + 0.4))
    return tuple(_best(items, part, frame, share) for part in parts)


def reading_order(items: Sequence[Item]) -> tuple[int, ...]:
    """The workbook's order, but what has a place of its own: top, left, right, foot."""
    places = {"top": 0, "left": 2, "": 3, "right": 4, "foot": 5}
    return tuple(sorted(range(len(items)), key=lambda n: 1 if items[n].turn else places[items[n].place]))


def _largest(frame: Frame, fits: Callable[[float], bool]) -> float:
    """The largest size of type that fits, by tenths of a point; the least one is known to."""
    low, high = 0, round((LARGEST - frame.least) / STEP)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(frame.least + middle * STEP) else (low, middle - 1)
    return round(frame.least + low * STEP, 2)


def _parts(
    items: Sequence[Item], order: Sequence[int], frame: Frame, size: float, share: float
) -> list[tuple[int, ...]]:
    """The blocks cut into faces, each as full as it gets."""
    parts: list[tuple[int, ...]] = []
    start = 0
    while start < len(order):
        lowest = _Bands(items, tuple(order[start:]), frame, size, share).lowest
        end = max((n for n, way in enumerate(lowest) if n and way.height <= frame.room - SPARE), default=1)
        parts.append(tuple(order[start : start + end]))
        start += end
    return parts


def _best(items: Sequence[Item], part: tuple[int, ...], frame: Frame, known: float) -> Face:
    """The largest type; of what is nearly as large the way with the most even lanes. With the share `known`
    the part fits a face, with others perhaps not."""
    found = []
    for share in SHARES if frame.lanes == 2 else (known,):
        fits = partial(_fits, items, part, frame, share)
        if share != known and not fits(frame.least):
            continue
        size = _largest(frame, fits)
        bands = _lowest(items, part, frame, size, share).bands
        face = Face(size, _merged(bands))
        blank = sum(1 - min(fills(band, items, size)) for band in face.bands)
        found.append((size - BAND_COST * (len(bands) - 1), blank, face))
    most = max(size for size, _, _ in found)
    return min((f for f in found if f[0] >= most - ALIKE), key=lambda f: (round(f[1], 2), -f[0]))[2]


def _merged(bands: tuple[Band, ...]) -> tuple[Band, ...]:
    """Bands of the same lanes are one: down the whole first lane, then down the next."""
    merged: list[Band] = []
    for band in bands:
        before = merged[-1].lanes if merged else ()
        same = len(band.lanes) > 1 and [lane.width for lane in before] == [lane.width for lane in band.lanes]
        if same:
            lanes = zip(before, band.lanes, strict=True)
            merged[-1] = Band(tuple(replace(one, blocks=one.blocks + more.blocks) for one, more in lanes))
        else:
            merged.append(band)
    return tuple(merged)


def _fits(items: Sequence[Item], part: tuple[int, ...], frame: Frame, share: float, size: float) -> bool:
    return _lowest(items, part, frame, size, share).height <= frame.room - SPARE


def _lowest(items: Sequence[Item], part: tuple[int, ...], frame: Frame, size: float, share: float) -> _Way:
    return _Bands(items, part, frame, size, share).lowest[-1]


@dataclass(frozen=True, slots=True)
class _Way:
    """To stand the first blocks of a face: `cost` is the height, and something for every band."""

    cost: float
    height: float
    bands: tuple[Band, ...]


class _Bands:
    """The lowest way to stand blocks in bands, at one size and share; for each number of first blocks."""

    def __init__(
        self, items: Sequence[Item], part: tuple[int, ...], frame: Frame, size: float, share: float
    ) -> None:
        self.part, self.frame = part, frame
        self.items = [items[n] for n in part]
        self.gap = GAP * size
        self.widths = lane_widths(frame, share)
        self._whole = [item.height(frame.width / size) * size for item in self.items]
        own = {width for widths in self.widths for width in widths}
        self._tops = {width: self._sums(width, size) for width in own}
        self.lowest = self._lowest_ways()

    def _sums(self, width: float, size: float) -> list[float]:
        """How high the first blocks are one under another, with a gap after each."""
        sums = [0.0]
        for item in self.items:
            sums.append(sums[-1] + item.height(width / size) * size + self.gap)
        return sums

    def _lowest_ways(self) -> list[_Way]:
        best = [_Way(0.0, 0.0, ())]
        for end in range(1, len(self.part) + 1):
            ways = []
            for start in range(end):
                before = best[start]
                gap = self.gap if before.bands else 0.0
                for height, band in self._bands(start, end):
                    cost = before.cost + height + 3 * gap
                    ways.append(_Way(cost, before.height + height + gap, (*before.bands, band)))
            best.append(min(ways, key=lambda way: way.cost))
        return best

    def _bands(self, start: int, end: int) -> Iterator[tuple[float, Band]]:
        """A run of blocks side by side; a single one across the width, or in a lane if it is asked for."""
        run = self.items[start:end]
        if end - start == 1:
            width = self.widths[0][0]
            narrow = self._lane(start, end, width)
            beside = run[0].whole is False or run[0].place in ("left", "right")
            if beside and narrow < INFINITE:
                yield narrow, Band((Lane(width, self.part[start:end]),))
            else:
                yield self._whole[start], Band((Lane(self.frame.width, self.part[start:end]),))
            return
        if any(item.whole for item in run):
            return
        bound = {item.place for item in run if item.place in ("top", "foot")}
        if bound and any(item.place not in bound for item in run):
            return
        for widths in self.widths:
            if len(widths) <= end - start:
                height, cuts = self._cut(start, end, widths)
                lanes = zip(widths, pairwise((start, *cuts, end)), strict=True)
                yield height, Band(tuple(Lane(width, self.part[a:b]) for width, (a, b) in lanes))

    def _lane(self, start: int, end: int, width: float) -> float:
        sums = self._tops[width]
        return sums[end] - sums[start] - self.gap

    def _cut(self, start: int, end: int, widths: tuple[float, ...]) -> tuple[float, tuple[int, ...]]:
        """The lowest way to cut a run into lanes; of those as low the most even one."""

        def rank(cuts: tuple[int, ...]) -> tuple[float, float]:
            ends = pairwise((start, *cuts, end))
            heights = [self._lane(a, b, width) for (a, b), width in zip(ends, widths, strict=True)]
            return max(heights), sum(height * height for height in heights)

        if len(widths) == 3:
            ways = [(a, b) for a in range(start + 1, end - 1) for b in range(a + 1, end)]
            chosen: tuple[int, ...] = min(ways, key=rank)
            return rank(chosen)[0], chosen
        run = self.items[start:end]
        low = max((start + n + 1 for n, item in enumerate(run) if item.place == "left"), default=start + 1)
        high = min((start + n for n, item in enumerate(run) if item.place == "right"), default=end - 1)
        low, high = max(low, start + 1), min(high, end - 1)
        while low < high:
            middle = (low + high) // 2
            higher = self._lane(start, middle, widths[0]) >= self._lane(middle, end, widths[1])
            low, high = (low, middle) if higher else (middle + 1, high)
        near = [(at,) for at in (low - 1, low) if start < at < end and self._may_cut(run, at - start)]
        chosen = min(near or [(low,)], key=rank)
        return rank(chosen)[0], chosen

    @staticmethod
    def _may_cut(run: Sequence[Item], at: int) -> bool:
        return all(item.place != "right" for item in run[:at]) and all(
            item.place != "left" for item in run[at:]
        )


@cache
def lane_widths(frame: Frame, share: float) -> tuple[tuple[float, ...], ...]:
    """Widths of lanes side by side: of two, of three."""
    ways = []
    for lanes in range(2, frame.lanes + 1):
        inner = frame.width - GUTTER * (lanes - 1)
        ways.append((inner * share, inner * (1 - share)) if lanes == 2 else tuple([inner / lanes] * lanes))
    return tuple(ways)


# -- one face, measured exactly -------------------------------------------------------------------


def height_of(face: Face, items: Sequence[Item], size: float) -> float:
    """In points, in another size of type, without air."""
    return sum(max(_lane_heights(band, items, size)) for band in face.bands) + GAP * size * (
        len(face.bands) - 1
    )


def fills(band: Band, items: Sequence[Item], size: float) -> list[float]:
    """How much of the band's height each lane fills."""
    heights = _lane_heights(band, items, size)
    return [height / (max(heights) or 1.0) for height in heights]


def _lane_heights(band: Band, items: Sequence[Item], size: float) -> list[float]:
    return [
        sum(items[n].height(lane.width / size) for n in lane.blocks) * size
        + GAP * size * (len(lane.blocks) - 1)
        for lane in band.lanes
    ]


def aired(face: Face, items: Sequence[Item], room: float) -> Face:
    """What is left at the foot goes between rows, then between blocks; lanes side by side end together."""
    bare = [_lane_heights(band, items, face.size) for band in face.bands]
    height = sum(map(max, bare)) + GAP * face.size * (len(bare) - 1)
    gaps = [[sum(items[n].gaps for n in lane.blocks) for lane in band.lanes] for band in face.bands]
    air = _largest_that_fits(MOST_AIR, room, lambda a: _with_air(face, bare, gaps, a, 0.0))
    more = _largest_that_fits(MOST_GAP * face.size, room, lambda g: _with_air(face, bare, gaps, air, g))
    bands = tuple(
        _even(band, heights, own, air, more)
        for band, heights, own in zip(face.bands, bare, gaps, strict=True)
    )
    return replace(face, bands=bands, gap=GAP * face.size + more, fill=height / room)


def _with_air(
    face: Face, bare: Sequence[Sequence[float]], gaps: Sequence[Sequence[int]], air: float, more: float
) -> float:
    bands = [
        max(_airy(h, n, air, more, lane) for h, n, lane in zip(hs, ns, band.lanes, strict=True))
        for band, hs, ns in zip(face.bands, bare, gaps, strict=True)
    ]
    return sum(bands) + (GAP * face.size + more) * (len(bands) - 1)


def _airy(height: float, gaps: int, air: float, more: float, lane: Lane) -> float:
    return height + gaps * air + more * (len(lane.blocks) - 1)


def _even(band: Band, heights: Sequence[float], gaps: Sequence[int], air: float, more: float) -> Band:
    """Lanes that are nearly as high as the highest become as high."""
    airy = [_airy(h, n, air, more, lane) for h, n, lane in zip(heights, gaps, band.lanes, strict=True)]
    highest = max(airy)
    lanes = []
    for lane, own, rows in zip(band.lanes, airy, gaps, strict=True):
        between = len(lane.blocks) - 1
        wanting = highest - own
        by_rows = min(wanting, (MOST_AIR - air + EVEN_AIR) * rows)
        by_gaps = min(wanting - by_rows, MOST_AIR * 3 * between)
        lanes.append(replace(
            lane,
            air=air + (by_rows / rows if rows else 0.0),
            gap=more + (by_gaps / between if between else 0.0),
            fill=(own + by_rows + by_gaps) / (highest or 1.0),
        ))  # fmt: skip
    return replace(band, lanes=tuple(lanes))


def _largest_that_fits(most: float, room: float, height: Callable[[float], float]) -> float:
    """By halves of what is still open."""
    if height(most) <= room:
        return most
    low, high = 0.0, most
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if height(middle) <= room else (low, middle)
    return low


# -- heights between those that were measured ---------------------------------------------------------

UPRIGHT = (19.0, 21.5, 24.0, 26.5, 29.0, 31.5, 34.5, 46.0, 52.0, 60.0)
"""Widths in ems at which blocks are measured: lanes, then the whole width."""
LYING = (21.5, 24.0, 26.5, 29.0, 33.0, 38.0, 44.0, 49.5, 66.0, 76.0, 87.0)


def between(measured: Sequence[tuple[float, float]], least: float) -> Height:
    """Heights in between are guessed from the nearest ones; below `least` a block does not fit."""

    def height(width: float) -> float:
        if width < least:
            return INFINITE
        for (near, high), (far, low) in pairwise(measured):
            if near <= width <= far:
                return high + (low - high) * (width - near) / (far - near)
        return measured[0][1] * measured[0][0] / width if width < measured[0][0] else measured[-1][1]

    return height
