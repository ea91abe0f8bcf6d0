"""The tables of the benchmarks: few rows, a cross table, thousands of rows."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise, product
from typing import Any

from benchmarks.grids import Above, Between, Cell, Column, Except, Grid, Kind, Row, Stretch

PLACES = ("harbour", "hills", "market", "north", "old town", "river")
TRADES = ("baker", "cooper", "dyer", "mason", "smith", "weaver")
YEARS = Column("years", low=0, high=99)
WORTH = Column("worth", low=0, high=9999)
FEW = (Column("place", PLACES), Column("trade", TRADES), YEARS, WORTH)

CODES = tuple(f"K{number:02}" for number in range(20))
AREAS = tuple(f"R{number:02}" for number in range(25))
LENGTH = 1_000_000
RANKS = 5
"""So many different answers where the best answer counts: the smallest."""

KEYS = (Column("code", CODES), Column("area", AREAS))


def _day(number: int) -> date:
    return date.fromordinal(number + 1)


def _time(second: int) -> time:
    return time(second // 3600, second // 60 % 60, second % 60)


def _moment(minute: int) -> datetime:
    return datetime(2000, 1, 1) + timedelta(minutes=minute)


def _hours(number: int) -> str:
    days, hours = divmod(number, 24)
    return f"P{days}DT{hours}H"


def _months(number: int) -> str:
    return f"P{number // 12}Y{number % 12}M"


def _kind(type_: str, given: Callable[[int], Any]) -> Kind:
    return Kind(type_, given, lambda number: f'@"{_iso(given(number))}"')


def in_json(kind: Kind) -> Kind:
    """The same values as texts."""
    return replace(kind, given=lambda number: _iso(kind.given(number)))


def _iso(value: Any) -> str:
    return value if isinstance(value, str) else str(value.isoformat())


NUMBERS = Kind("whole number", int, str)
DATES = _kind("date", _day)
TIMES = _kind("time", _time)
MOMENTS = _kind("date and time", _moment)
DAYS = _kind("days and time duration", _hours)
MONTHS = _kind("years and months duration", _months)
DAY = 24 * 3600


def stretches(count: int) -> tuple[Column, ...]:
    return tuple(Column(name, low=0, high=LENGTH - 1) for name in ("length", "width", "height")[:count])


# -- few rows ----------------------------------------------------------------------------------


def overlapping_rows(seed: int = 5) -> Grid:
    """24 rows, the first that fires counts, the last takes all."""
    shuffler = random.Random(seed)
    rows = [Row(tuple(_some_cell(column, shuffler) for column in FEW), 100 + number) for number in range(23)]
    return Grid(FEW, (*rows, Row((None,) * 4, 999)), "first")


def _some_cell(column: Column, shuffler: random.Random) -> Cell:
    if shuffler.random() < 0.35:
        return None
    if column.names:
        return tuple(shuffler.sample(column.names, shuffler.choice((1, 1, 2, 3))))
    step = (column.high + 1) // 20
    low = shuffler.randrange(0, column.high, step)
    return Stretch(low, min(column.high, low + step * shuffler.choice((4, 6, 9)) - 1))


def splitting_rows(seed: int = 6) -> Grid:
    """24 rows that share the whole space between them: one part after another is split in two."""
    shuffler = random.Random(seed)
    boxes: list[list[Any]] = [[PLACES, TRADES, Stretch(0, 99), Stretch(0, 9999)]]
    while len(boxes) < 24:
        box = boxes.pop(shuffler.randrange(len(boxes)))
        boxes += _split(box, shuffler) or [box]
    shuffler.shuffle(boxes)
    return Grid(FEW, tuple(Row(tuple(box), 200 + number) for number, box in enumerate(boxes)), "unique")


def _split(box: list[Any], shuffler: random.Random) -> list[list[Any]]:
    place = shuffler.randrange(4)
    whole = box[place]
    if place < 2:
        if len(whole) < 2:
            return []
        at = shuffler.randrange(1, len(whole))
        parts: tuple[Any, Any] = (whole[:at], whole[at:])
    else:
        if whole.high - whole.low < 8:
            return []
        cut = shuffler.randrange(whole.low + 2, whole.high - 2)
        parts = (Stretch(whole.low, cut), Stretch(cut + 1, whole.high))
    return [[*box[:place], part, *box[place + 1 :]] for part in parts]


def cross_table(seed: int = 7) -> Grid:
    """Five by six, each entry an ordered list of six."""
    shuffler = random.Random(seed)
    columns = (Column("place", PLACES[:5]), Column("trade", TRADES))
    keys = product(columns[0].names, columns[1].names)
    rows = tuple(Row(((a,), (b,)), [shuffler.randint(1, 60) for _ in range(6)]) for a, b in keys)
    return Grid(columns, rows, "unique")


# -- thousands of rows -------------------------------------------------------------------------


def keyed_rows(count: int, seed: int = 8) -> Grid:
    """Names in two columns and two stretches of numbers; under each pair of names the stretches share the
    whole plane between them. Of two areas the code does not count."""
    shuffler = random.Random(seed)
    pairs: list[tuple[Cell, Cell]] = [((code,), (area,)) for area in AREAS[2:] for code in CODES]
    pairs += [(None, (area,)) for area in AREAS[:2]]
    boxes: list[tuple[Cell, ...]] = []
    for number, pair in enumerate(pairs):
        share = count // len(pairs) + (number < count % len(pairs))
        boxes += [(*pair, *plane) for plane in _shared(2, share, shuffler)]
    return _grid((*KEYS, *stretches(2)), boxes, "unique", shuffler)


def plain_rows(count: int, columns: int, seed: int = 9) -> Grid:
    """Stretches of numbers only, which share the whole space between them."""
    shuffler = random.Random(seed)
    return _grid(stretches(columns), _shared(columns, count, shuffler), "unique", shuffler)


def of_kind(kind: Kind, count: int, length: int = LENGTH, seed: int = 12) -> Grid:
    """Under each code stretches of values of a kind, which share what there is between them."""
    shuffler = random.Random(seed)
    boxes: list[tuple[Cell, ...]] = [
        ((code,), part) for code in CODES for part in _parts(count // len(CODES), shuffler, length)
    ]
    return _grid((KEYS[0], Column("value", high=length - 1, kind=kind)), boxes, "unique", shuffler)


def texts(count: int, seed: int = 13) -> Grid:
    """A text in each row, and a last one for all others."""
    shuffler = random.Random(seed)
    known = tuple(f"article {number:06}" for number in range(count - 1))
    boxes: list[tuple[Cell, ...]] = [((text,),) for text in known]
    return _grid((Column("article", known=(*known, "another")),), boxes, "first", shuffler, last=True)


def texts_in_order(count: int, seed: int = 15) -> Grid:
    """Single texts, and behind them stretches of texts that share the alphabet between them."""
    shuffler = random.Random(seed)
    codes = sorted({f"article {shuffler.randrange(LENGTH):06}" for _ in range(count // 2)})
    single: list[tuple[Cell, ...]] = [((f"{code} new",),) for code in codes]
    between: list[tuple[Cell, ...]] = [(Between(*ends),) for ends in pairwise(["", *codes, "b"])]
    shuffler.shuffle(single)
    shuffler.shuffle(between)
    column = Column("article", known=tuple(f"{code} new" for code in codes))
    return _grid((column,), [*single, *between], "first", None)


def this_or_not(cells: Callable[[random.Random], Cell], count: int, seed: int = 16) -> Grid:
    """Of each article one row for some numbers, and one for all others."""
    shuffler = random.Random(seed)
    known = tuple(f"article {number:06}" for number in range(count // 2))
    boxes: list[tuple[Cell, ...]] = []
    for article in known:
        cell = cells(shuffler)
        assert isinstance(cell, tuple | Stretch)
        boxes += [((article,), cell), ((article,), Except(cell))]
    return _grid((Column("article", known=known), Column("size", high=99)), boxes, "unique", shuffler)


def one_number(shuffler: random.Random) -> Stretch:
    number = shuffler.randint(0, 99)
    return Stretch(number, number)


def some_numbers(shuffler: random.Random) -> Stretch:
    low = shuffler.randint(1, 50)
    return Stretch(low, low + shuffler.randint(1, 40))


def of_many_types(count: int, seed: int = 17) -> Grid:
    """A code, an article or any other, a stretch of dates, and one of numbers or all but that one."""
    shuffler = random.Random(seed)
    articles = tuple(f"article {number:02}" for number in range(5))
    pairs: list[tuple[Cell, Cell]] = [((code,), (article,)) for code in CODES for article in articles]
    boxes: list[tuple[Cell, ...]] = []
    for pair in pairs:
        for part in _parts(count // len(pairs) // 2, shuffler):
            some = some_numbers(shuffler)
            boxes += [(*pair, part, some), (*pair, part, Except(some))]
    columns = (KEYS[0], Column("article", known=articles), Column("day", high=LENGTH - 1, kind=DATES))
    return _grid((*columns, Column("size", high=99)), boxes, "unique", shuffler)


def rows_with_limits(count: int, seed: int = 14) -> Grid:
    """Under each name stretches that share the line between them; in each, one row asks for more than what
    another column is given, and the next takes all."""
    shuffler = random.Random(seed)
    columns = (KEYS[0], *stretches(1), Column("weight", high=999), Column("limit", high=999))
    rows = []
    for code in CODES:
        for part in _parts(count // (2 * len(CODES)), shuffler):
            rows += [((code,), part, Above("limit"), None), ((code,), part, None, None)]
    return Grid(columns, tuple(Row(cells, number) for number, cells in enumerate(rows)), "first")


def keyed_overlapping_rows(count: int, policy: str, seed: int = 10) -> Grid:
    """As `keyed_rows`, but the stretches lie anywhere; a last row takes all. About four fire."""
    shuffler = random.Random(seed)
    pairs = list(product(CODES, AREAS))
    side = LENGTH * (3 * len(pairs) / count) ** 0.5
    boxes: list[tuple[Cell, ...]] = []
    for number in range(count - 1):
        code, area = pairs[number % len(pairs)]
        boxes.append(((code,), (area,), _anywhere(side, shuffler), _anywhere(side, shuffler)))
    return _grid((*KEYS, *stretches(2)), boxes, policy, shuffler, last=True)


def plain_overlapping_rows(count: int, columns: int, policy: str, seed: int = 11) -> Grid:
    """Stretches of numbers that lie anywhere; a last row takes all. About four fire."""
    shuffler = random.Random(seed)
    side = LENGTH * (3 / count) ** (1 / columns)
    boxes: list[tuple[Cell, ...]] = [
        tuple(_anywhere(side, shuffler) for _ in range(columns)) for _ in range(count - 1)
    ]
    return _grid(stretches(columns), boxes, policy, shuffler, last=True)


def _anywhere(side: float, shuffler: random.Random) -> Stretch:
    low = shuffler.randrange(0, LENGTH)
    return Stretch(low, min(LENGTH - 1, low + int(shuffler.uniform(0.5, 1.5) * min(side, LENGTH))))


def _shared(columns: int, count: int, shuffler: random.Random) -> list[tuple[Cell, ...]]:
    """So many boxes that cover everything and never meet: stretches, each divided again by itself."""
    if columns == 1 or count < 2:
        return [(part, *(Stretch(0, LENGTH - 1),) * (columns - 1)) for part in _parts(count, shuffler)]
    parts = _parts(max(1, round(count ** (1 / columns))), shuffler)
    boxes: list[tuple[Cell, ...]] = []
    for number, part in enumerate(parts):
        share = count // len(parts) + (number < count % len(parts))
        boxes += [(part, *inner) for inner in _shared(columns - 1, share, shuffler)]
    return boxes


def _parts(count: int, shuffler: random.Random, length: int = LENGTH) -> list[Stretch]:
    cuts = [0, *sorted(shuffler.sample(range(1, length), count - 1)), length]
    return [Stretch(low, high - 1) for low, high in pairwise(cuts)]


def _grid(
    columns: tuple[Column, ...],
    boxes: list[tuple[Cell, ...]],
    policy: str,
    shuffler: random.Random | None,
    last: bool = False,
) -> Grid:
    if shuffler is not None:
        shuffler.shuffle(boxes)
    boxes += [(None,) * len(columns)] if last else []
    different = RANKS if policy == "priority" else len(boxes)
    rows = (Row(tuple(box), number % different) for number, box in enumerate(boxes))
    return Grid(columns, tuple(rows), policy)
