"""Where blocks go: order kept, nothing lost, nothing too high, the largest type, one layout for all
languages."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dtables.diagnostics import Severity
from dtables.pages.document import Block, Document, Grid, Steps, text_of, texts_in
from dtables.pages.faces import Editions, LaidOut, SheetLayout
from dtables.pages.heights import Heights
from dtables.pages.layout import (
    EVEN_AIR,
    GAP,
    LARGEST,
    MOST_AIR,
    Face,
    Frame,
    Height,
    Item,
    Lane,
    TooWide,
    aired,
    arranged,
    between,
    height_of,
)
from dtables.pages.paper import Purpose, Setting, print_paper
from dtables.pages.widths import comfortable, narrowest
from tests.pages.books import depot
from tests.pages.pdf_text import pages_of
from tests.pages.sheets import DUEL_A, DUEL_C, DUEL_D, DUEL_E, DUEL_FACE, block, document, face, scale, turn
from tests.support.thinned import draws

FRAME = Frame(540.0, 780.0, 9.2)


def text_of_letters(count: int) -> Height:
    """So many lines in a width of ten ems, fewer where it is wider, under a head."""
    return lambda width: 2 + count * 10 / width


def item(count: int, **more: object) -> Item:
    return replace(Item(text_of_letters(count), 4), **more)  # type: ignore[arg-type]


def shape(face: Face) -> list[list[tuple[int, ...]]]:
    return [[lane.blocks for lane in band.lanes] for band in face.bands]


def one(found: tuple[Face, ...] | TooWide) -> Face:
    assert not isinstance(found, TooWide)
    assert len(found) == 1
    return found[0]


# -- one face ------------------------------------------------------------------------------------


def test_arranged__blocks_stand_side_by_side_in_their_order() -> None:
    found = one(arranged([item(60) for _ in range(6)], FRAME))
    assert shape(found) == [[(0, 1, 2), (3, 4, 5)]]
    assert found.size > FRAME.least


def test_arranged__little_stands_in_the_largest_type() -> None:
    assert one(arranged([item(10), item(10)], FRAME)).size == LARGEST


def test_arranged__a_wide_block_stands_across() -> None:
    wide = Item(between([(40.0, 10.0), (70.0, 8.0)], 40.0), 4)
    found = one(arranged([item(40), item(40), wide], FRAME))
    assert shape(found) == [[(0,), (1,)], [(2,)]]


def test_arranged__lanes_have_shares_that_let_them_end_together() -> None:
    """What cannot be cut evenly gets lanes of uneven width."""
    found = one(arranged([item(190), item(170)], FRAME))
    left, right = (lane for band in found.bands for lane in band.lanes)
    assert left.width > right.width


def test_arranged__places_of_the_authors() -> None:
    items = [
        item(40),
        item(40, place="foot"),
        item(40, place="right"),
        item(40, place="left"),
        item(30, place="top"),
    ]
    found = one(arranged(items, FRAME))
    assert found.order[0] == 4 and found.order[-1] == 1
    middle = next(band for band in found.bands if len(band.lanes) == 2 and 3 in band.lanes[0].blocks)
    assert 2 in middle.lanes[1].blocks


def test_arranged__a_turn_leads_its_face() -> None:
    found = one(arranged([item(40), item(60, turn=True), item(40)], FRAME))
    assert found.order[0] == 1


def test_arranged__two_phases_may_stand_side_by_side() -> None:
    items = [item(60, turn=True, place="top"), item(60, turn=True, place="top"), item(90), item(90)]
    found = one(arranged(items, FRAME))
    assert [lane.blocks[0] for lane in found.bands[0].lanes] == [0, 1]


def test_arranged__too_wide() -> None:
    wide = Item(between([(70.0, 10.0), (80.0, 8.0)], 70.0), 4)
    assert arranged([item(10), wide], FRAME) == TooWide((1,))


def test_arranged__as_many_faces_as_it_takes() -> None:
    found = arranged([item(400) for _ in range(8)], FRAME)
    assert not isinstance(found, TooWide)
    assert len(found) > 1
    assert [n for face in found for n in face.order] == list(range(8))


@settings(deadline=None, max_examples=draws(60))
@given(st.lists(st.integers(20, 420), min_size=1, max_size=12), st.integers(2, 3))
@example([209, 262], 3)
@example([209, 262], 2)
def test_arranged__nothing_is_lost_and_nothing_is_too_high(counts: list[int], lanes: int) -> None:
    items = [item(count) for count in counts]
    frame = replace(FRAME, lanes=lanes)
    found = arranged(items, frame)
    assert not isinstance(found, TooWide)
    assert sorted(n for face in found for n in face.order) == list(range(len(items)))
    for each, other in pairwise(found):
        assert max(each.order) < min(other.order)
    for each in found:
        assert frame.least <= each.size <= LARGEST
        assert height_of(each, items, each.size) <= frame.room + 0.1
        for band in each.bands:
            assert sum(lane.width for lane in band.lanes) <= frame.width + 0.1


# -- room that is left ---------------------------------------------------------------------------


def heights_with_air(face: Face, items: list[Item]) -> float:
    def high(lane: Lane) -> float:
        own = sum(items[n].height(lane.width / face.size) * face.size for n in lane.blocks)
        between_blocks = (GAP * face.size + lane.gap) * (len(lane.blocks) - 1)
        return own + between_blocks + lane.air * sum(items[n].gaps for n in lane.blocks)

    return sum(max(map(high, band.lanes)) for band in face.bands) + face.gap * (len(face.bands) - 1)


@settings(deadline=None, max_examples=draws(60))
@given(st.lists(st.integers(20, 300), min_size=1, max_size=9))
def test_aired__never_more_than_the_page_has(counts: list[int]) -> None:
    items = [item(count) for count in counts]
    found = arranged(items, FRAME)
    assert not isinstance(found, TooWide)
    for each in found:
        filled = aired(each, items, FRAME.room)
        assert heights_with_air(filled, items) <= max(FRAME.room, height_of(each, items, each.size)) + 0.2
        assert all(0 <= lane.air <= MOST_AIR + EVEN_AIR for band in filled.bands for lane in band.lanes)


def test_aired__lanes_side_by_side_end_together_where_little_is_wanting() -> None:
    items = [item(180, gaps=20), item(176, gaps=20)]
    left, right = aired(one(arranged(items, FRAME)), items, FRAME.room).bands[0].lanes
    assert min(left.fill, right.fill) > 0.98


# -- between heights -----------------------------------------------------------------------------


def test_between() -> None:
    height = between([(20.0, 30.0), (30.0, 20.0)], 18.0)
    assert height(25.0) == 25.0
    assert height(17.0) > 1e6
    assert height(19.0) > 30.0


# -- how narrow blocks may get ---------------------------------------------------------------------


def test_narrowest__grows_with_the_columns() -> None:
    from dtables.pages.compose import print_view

    made, _ = print_view(depot(), "en")
    by_title = {block.title: block for sheet in made.sheets for block in sheet.blocks}
    grid, steps = by_title["Read only your column"], by_title["Toll"]
    assert isinstance(grid.body, Grid) and isinstance(steps.body, Steps)
    assert narrowest(grid) > narrowest(steps) >= 12
    assert comfortable(grid) >= narrowest(grid)


# -- faces, set --------------------------------------------------------------------------------------


@cache
def printed(*documents: Document) -> tuple[tuple[bytes, ...], tuple[str, ...]]:
    files, found = print_paper(documents, Setting())
    assert not any(d.severity is Severity.ERROR for d in found), found
    return tuple(file.content for file in files), tuple(d.code for d in found)


def test_face__the_whole_turn_on_one_page_in_ten_points() -> None:
    (pdf,), found = printed(document(DUEL_FACE))
    assert found == ()
    (page,) = pages_of(pdf)
    for each in DUEL_FACE.blocks:
        for text in texts_in(each.body):
            said = " ".join(text_of(tuple(part for part in text if hasattr(part, "style"))).split())[:30]
            assert said.split("(")[0].strip()[:12] in " ".join(page.split())


def test_face__letters_in_reading_order() -> None:
    """A second column begins where the first one ends."""
    (pdf,), _ = printed(document(DUEL_FACE))
    (page,) = pages_of(pdf)
    places = [page.index(f"{letter} {title}") for letter, title in (
        ("A", "Quanto costa"), ("B", "Ordine dei tipi"), ("C", "Parole"), ("D", "Quale costruire"),
        ("E", "Quale scartare"), ("F", "Rosse e verdi"), ("G", "Indirizzo"), ("H", "Pantheon"),
    )]  # fmt: skip
    assert places == sorted(places)


def longer(each: Block) -> Block:
    body = each.body
    assert isinstance(body, Steps)
    rows = tuple(replace(row, text=(*row.text, *row.text, *row.text)) for row in body.rows)
    return replace(each, body=replace(body, rows=rows))


def test_face__one_layout_for_all_languages() -> None:
    """The longer language decides, and the shorter one has the same letters in the same places."""
    sheet = face(
        "1a", "Turno", block("turn", "Turno", turn("Uno {D}", "Due {E}")), DUEL_A, DUEL_C, DUEL_D, DUEL_E
    )
    english = replace(sheet, blocks=(*sheet.blocks[:3], longer(DUEL_D), sheet.blocks[4]))
    (italian, other), _ = printed(document(sheet), document(english, language="en"))
    (alone,), _ = printed(document(sheet))

    def lettered(pdf: bytes) -> list[str]:
        (page,) = pages_of(pdf)
        heads = sorted((page.index(each.title), each.title) for each in sheet.blocks)
        return [title for _, title in heads]

    assert lettered(italian) == lettered(other)
    assert italian != alone, "set smaller than it would have to be"


def test_face__each_language_has_its_own_white() -> None:
    """The shorter one is not set with the gaps that the longer one leaves."""
    sheet = face("1a", "Turno", DUEL_D, DUEL_E, replace(DUEL_D, key="more"), replace(DUEL_E, key="last"))
    english = replace(sheet, blocks=tuple(map(longer, sheet.blocks)))
    both = document(sheet), document(english, language="en")
    heights = Heights(
        lambda jobs: [[len(json.dumps(job["it"])) / width * 0.6 for width in job["widths"]] for job in jobs],
        b"each language has its own white",
    )
    found, _ = SheetLayout(Editions(both, (sheet, english)), heights).lay_out()
    assert found is not None
    own = SheetLayout(Editions(both[:1], (sheet,)), heights, narrowest).filled(found)

    def lanes(laid_out: LaidOut) -> list[Lane]:
        return [
            lane for one in laid_out.faces if isinstance(one, Face) for b in one.bands for lane in b.lanes
        ]

    assert [lane.blocks for lane in lanes(own)] == [lane.blocks for lane in lanes(found)]
    white = [sum(lane.air + lane.gap for lane in lanes(each)) for each in (found, own)]
    assert white[0] < white[1]


def test_foot__is_one_line() -> None:
    """Where there is no room for all, the game's name stands in the head alone."""
    game = "7 Wonders Duel + Pantheon"
    for credit, count in (("By Ada", 2), ("By " + "Ada and Charles, " * 9, 1)):
        (pdf,), _ = printed(replace(document(DUEL_FACE), credit=credit))
        assert pages_of(pdf)[0].count(game) == count


def test_foot__of_several_sheets_each_has_its_number() -> None:
    """Pointers call a sheet by it."""
    three = [replace(DUEL_FACE, face=name) for name in ("1a", "1b", "2a")]
    (pdf,), _ = printed(document(*three))
    first, second, third = pages_of(pdf)
    assert "Foglio 1" in first and "Foglio 1" in second and "Foglio 2" in third
    (pdf,), _ = printed(document(*three[:2]))
    assert all("Foglio" not in page for page in pages_of(pdf))


def test_lints__thin_faces_and_blank_columns() -> None:
    few = face("1a", "Turno", block("turn", "Turno", turn("Uno", "Due")))
    _, found = printed(document(few))
    assert found == ("face-thin",)


def test_lints__a_face_that_takes_two_pages() -> None:
    sheet = replace(DUEL_FACE, blocks=(*DUEL_FACE.blocks, *(replace(DUEL_C, key=f"C{n}") for n in range(3))))
    _, found = printed(document(sheet))
    assert "face-overflow" in found


def test_lints__one_language_is_longer() -> None:
    blocks = [
        block(f"b{n}", f"Riquadro {n}", scale(*(f"riga {n} di questa tabella" for n in range(12))))
        for n in range(6)
    ]
    sheet = face("1a", "Turno", block("turn", "Turno", turn("Uno", "Due")), *blocks)
    english = replace(sheet, blocks=(*sheet.blocks[:5], longer(longer(blocks[4])), sheet.blocks[6]))
    _, found = printed(document(sheet), document(english, language="en"))
    assert "lang-length" in found


@pytest.mark.parametrize("purpose", [Purpose.HOME, Purpose.PROOF])
def test_sheet__the_same_bytes_twice(purpose: Purpose) -> None:
    first, second = (print_paper([document(DUEL_FACE)], Setting(purpose=purpose))[0] for _ in range(2))
    assert first == second
