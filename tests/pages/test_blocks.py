"""The face of blocks: chips, badges, heads and numbers, by what is measured and what is drawn."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from dtables.pages import icons
from dtables.pages.document import (
    Align,
    Block,
    Chip,
    ChipKind,
    Grid,
    GridCell,
    GridColumn,
    GridRow,
    GridSection,
    Icon,
    Inline,
    Mark,
    Order,
    OrderList,
    Orders,
    Pointer,
    Run,
    StepRow,
    Steps,
    plain,
    text_of,
    texts_in,
)
from dtables.pages.drawing import Drawing
from dtables.pages.files import Request, print_files
from dtables.pages.legend import legend_of
from dtables.pages.letters import FONTS
from dtables.pages.paper import TEMPLATES, Setting, Workspace, print_paper
from dtables.pages.typesetting import typesetter
from dtables.pages.typography import well_set
from dtables.pages.words import furniture
from tests.pages.books import depot
from tests.pages.pdf_text import pages_of
from tests.pages.pictures import Pixel, pixels
from tests.pages.sheets import CELL, MARKS, block, document, face, turn

GREEN, RED, RAW = MARKS["v"], MARKS["r"], MARKS["m"]
PAWN = Icon("pawn", "", "pawn")


@pytest.fixture(scope="module")
def room() -> Iterator[Workspace]:
    with typesetter() as process:
        yield Workspace(process, TEMPLATES)


def height(room: Workspace, it: Block, kind: str = "block", width: float = 26.0) -> float:
    """In ems."""
    data = Drawing(furniture("en"), bare=True).block(it)
    ((found,),) = room.heights([{"kind": kind, "language": "en", "widths": [width], "it": data}])
    return found


def row(*marks: Mark, text: str = "Some row", condition: Inline = ()) -> StepRow:
    return StepRow("1", marks, (condition,) if condition else (), plain(text), (), CELL)


def listed(*rows: StepRow) -> Block:
    return block("list", "List", Steps(rows))


def said(*blocks: Block) -> str:
    """What stands on a face, as a reader's program finds it."""
    sheet = face("1a", "Turn", block("turn", "Turn", turn("One", "Two")), *blocks)
    files, found = print_paper([document(sheet, language="en")], Setting())
    assert files, found
    return pages_of(files[0].content)[0]


# -- chips and badges ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Probe:
    """Functions of the templates, called by themselves."""

    room: Workspace
    folder: Path

    def source(self, document: str, data: object, drawing: Drawing) -> dict[str, object]:
        (self.folder / "probe.typ").write_text(f'#import "blocks.typ": *\n{document}\n')
        return {
            "input": str(self.folder / "probe.typ"),
            "root": str(self.folder),
            "font_paths": [str(FONTS)],
            "ignore_system_fonts": True,
            "sys_inputs": {
                "data": json.dumps(data),
                "drawings": json.dumps({name: svg for svg, name in drawing.drawings.items()}),
            },
        }

    def picture(self, call: str, data: object, drawing: Drawing) -> list[list[Pixel]]:
        document = (
            "#set page(width: 240pt, height: 50pt, margin: 15pt)\n#set text(font: families, size: 16pt)\n"
            f"#{call}"
        )
        source = self.source(document, data, drawing)
        pages, warnings = self.room.typesetter.pages(source, "png", 72.0)
        assert not warnings
        return pixels(pages[0])

    def black(self, parts: Inline, how: str) -> int:
        """How many pixels are as dark as ink."""
        drawing = Drawing(furniture("en"))
        data = drawing.inline(parts)
        picture = self.picture(f"{how}(json(bytes(sys.inputs.data)))", data, drawing)
        return sum(max(pixel) < 90 for line in picture for pixel in line)

    def width(self, parts: Inline) -> float:
        """In ems."""
        drawing = Drawing(furniture("en"))
        data = drawing.inline(parts)
        document = (
            "#set text(font: families, size: 10pt)\n"
            "#context [#metadata(measure(inline(json(bytes(sys.inputs.data)))).width / 10pt) <measures>]"
        )
        return float(json.loads(self.room.typesetter.measures(self.source(document, data, drawing))))


@pytest.fixture
def probe(tmp_path: Path, room: Workspace) -> Probe:
    for name in ("blocks.typ", "style.typ"):
        shutil.copy(TEMPLATES / name, tmp_path)
    return Probe(room, tmp_path)


@pytest.mark.parametrize("between", [" or ", "i", ""])
def test_condition__nothing_in_it_is_painted_over(probe: Probe, between: str) -> None:
    """Its ground stands under its words and what is drawn in it, wherever that is."""
    pawn = probe.black((PAWN,), "inline")
    assert pawn > 50, "it is black"
    parts = (PAWN, Run(between), PAWN, Run(between), PAWN)
    words = probe.black((Run(between), Run(between)), "condition-chip") if between else 0
    assert probe.black(parts, "condition-chip") >= 3 * pawn + 0.9 * words


def test_condition__letters_of_pointers_stay_readable(probe: Probe) -> None:
    pointer: Inline = (Pointer("b", "B", ""),)
    assert probe.black(pointer, "condition-chip") >= 0.9 * probe.black(pointer, "inline")


def test_condition__comes_first_and_what_follows_begins_anew(probe: Probe) -> None:
    drawing = Drawing(furniture("en"))
    (step,) = drawing.body(Steps((row(GREEN, text="one more", condition=plain("if late")),)))["rows"]
    assert [step["conditions"][0][0]["text"], step["text"][0]["text"]] == ["If late", "One more"]
    picture = probe.picture("step-said(json(bytes(sys.inputs.data)), false)", step, drawing)
    columns = list(zip(*picture, strict=True))
    tinted, green, last = (
        [n for n, column in enumerate(columns) if any(is_it(pixel) for pixel in column)]
        for is_it in (lambda p: p == (255, 238, 196), lambda p: p == (31, 122, 61), lambda p: max(p) < 90)
    )
    assert max(tinted) < min(green) < max(green) < max(last), "then the badge, then the text"


def test_chips__stand_apart_from_what_follows(probe: Probe) -> None:
    """A condition, what ends a turn, where to go on: three tenths of an em at least, typed or not."""
    for kind in ChipKind:
        chip = Chip("late", kind)
        ends = [probe.width((chip, *after)) for after in ((), (Run(" i"),), (Run("i"),), (PAWN,))]
        alone = probe.width((Run("i"),))
        assert ends[1] - ends[0] >= alone + 0.29
        assert ends[3] - ends[0] >= probe.width((PAWN,)) + 0.29


def test_rows_with_badges__stand_further_apart(room: Workspace) -> None:
    """Badges are higher than a line: rows that have some are one and a half ems apart."""
    for make in (lambda n: listed(*[row(GREEN)] * n), lambda n: block("grid", "Grid", badges_in_cells(n))):
        assert height(room, make(3)) - height(room, make(2)) >= 1.5 - 0.001
    plain_rows = [listed(*[row()] * n) for n in (2, 3)]
    assert height(room, plain_rows[1]) - height(room, plain_rows[0]) < 1.3


def badges_in_cells(count: int) -> Grid:
    cells = (GridCell((GREEN,), 1, False), GridCell((RED,), 1, False))
    rows = (GridRow((), cells),) * count
    columns = (GridColumn(plain("A"), ""), GridColumn(plain("B"), ""))
    return Grid("", columns, (GridSection("", "", "", rows, Align.START),))


# -- heads and numbers -------------------------------------------------------------------------------

RULE = "a rule that is far too long to stand beside the title of a table in a head of one line"


def test_subtitle__a_long_one_is_the_first_row(room: Workspace) -> None:
    assert "List A rule that is far" in said(replace(listed(row(), row()), subtitle=RULE))
    assert "List a rule" in said(replace(listed(row(), row()), subtitle="a rule"))
    short, long = (replace(listed(row()), subtitle=text) for text in ("a rule", RULE))
    head = height(room, short) - height(room, listed(row()))
    assert head == pytest.approx(0, abs=0.01), "the head has one line"
    assert height(room, long) - height(room, short) > 1.2


def test_subtitle__never_goes_on_under_its_title(room: Workspace) -> None:
    """At every width it stands beside the title or in a row of its own."""
    bare = replace(listed(row()), title="How many goods", letter="G")
    ruled = replace(bare, subtitle="the first line that fits")
    beside, apart = height(room, bare, "card"), height(room, ruled, "card", 13.5)
    assert apart - beside > 1.2
    found = [height(room, ruled, "card", 13.5 + n / 4) for n in range(32)]
    assert all(min(abs(each - beside), abs(each - apart)) < 0.01 for each in found)
    assert found[-1] == pytest.approx(beside), "in the end there is room"


def test_legend__a_little_too_long_stays_on_its_line(room: Workspace) -> None:
    codes = ("v", "r", "m", "b", "g")
    sheet = face("1a", "Turn", listed(row()), legend=" ".join(code for code in codes if code in MARKS))
    head = Drawing(furniture("en"), bare=True).head(document(sheet), sheet)
    widths = [14 + n / 2 for n in range(60)]
    (found,) = room.heights([{"kind": "head", "language": "en", "widths": widths, "it": head}])
    one_line = found[-1]
    assert found[0] - one_line > 1, "two lines where there is far too little room"
    first = next(each for each in found if each - one_line < 0.1)
    assert first < one_line, "one line in smaller type where there is a little too little"


def test_names__leave_room_for_the_sentences_beside_them(room: Workspace) -> None:
    def refused(name: str) -> Block:
        said_ = GridCell(plain("no dwelling of that colour is there"), 1, False)
        rows = tuple(GridRow(plain(label), (said_,), CELL) for label in (name, "", ""))
        return block(
            "no", "No", Grid("", (GridColumn((), ""),), (GridSection("", "", "", rows, Align.START),))
        )

    long, short = (
        height(room, refused(name), "card", 17) for name in ("Upgrade to a trading post", "Upgrade")
    )
    assert long < 1.4 * short


@pytest.mark.parametrize("kind", ["block", "card"])
def test_title__a_long_one_stays_beside_its_letter(room: Workspace, kind: str) -> None:
    title = "A title of several words that takes two lines of a head"
    long = replace(listed(row()), title=title)
    lettered = height(room, replace(long, letter="B"), kind, 22.0)
    assert lettered == pytest.approx(height(room, long, kind, 20.2), abs=0.35)


def test_numbers__large_ones_are_of_turns(room: Workspace) -> None:
    steps = turn("One", "Two", "Three")
    led, pointed = block("turn", "Turn", steps, phase="turn"), block("turn", "Turn", steps)
    assert height(room, led) > height(room, pointed) + 0.5
    data = Drawing(furniture("en")).block(led)
    assert data["large"] and not Drawing(furniture("en")).block(pointed)["large"]


# -- orders ------------------------------------------------------------------------------------------


def orders(*heads: str) -> Orders:
    lists = (OrderList("1", ((RED, Run(" red")),)), OrderList("2", ((GREEN, Run(" green")),)))
    return Orders(lists, tuple(Order(plain(head), ("1", "2")) for head in heads), (), ())


def named(*heads: str) -> Orders:
    lists = tuple(OrderList(str(n), (plain(name),)) for n, name in enumerate(("Roman", "Greek"), 1))
    return Orders(lists, tuple(Order(plain(head), ("1", "2")) for head in heads), (), ())


def test_orders__a_line_for_each(room: Workspace) -> None:
    for make, pitch in ((orders, 1.5), (named, 1.23)):
        two, three = (height(room, block("o", "Orders", make(*"ABC"[:n])), width=14.0) for n in (2, 3))
        assert three - two == pytest.approx(pitch, abs=0.02)
    assert "A Roman › Greek" in said(block("o", "Orders", named("A", "B")))


def test_orders__no_line_begins_with_their_sign() -> None:
    it = block("o", "Orders", Steps((row(text="Roman › Greek › Gaul"),)))
    (sheet,) = well_set(document(face("1a", "Turn", it), language="en")).sheets
    (text,) = filter(None, texts_in(sheet.blocks[0].body))
    assert text_of(text) == "Roman\u00a0› Greek\u00a0› Gaul"


def test_legend__badges_that_stand_for_names_in_orders() -> None:
    """Orders show names with badges by these alone; badges of two names come after those of one."""
    blocks = [listed(StepRow("1", (), (), (RAW, Run(" raises")), (), CELL)), block("o", "O", orders("A"))]
    assert [entry.label for entry in legend_of(blocks)] == ["rossa", "verde", "marrone o grigia"]


def test_die__without_a_number_is_no_card() -> None:
    die, card = icons.svg(Icon("die", "", "die")), icons.svg(Icon("card", "", "card"))
    assert "<rect" in card and "<rect" not in die and die.count("<circle") == 6
    assert icons.svg(Icon("die", "6", "die")) != die


# -- one face for all languages --------------------------------------------------------------------


def test_language__alone_is_printed_as_beside_the_others() -> None:
    """The same bytes: how faces lie, sizes and letters do not depend on what else is asked for."""
    both, found = print_files(depot(), Request(languages=("en", "it")))
    assert not found
    for language in ("en", "it"):
        alone, _ = print_files(depot(), Request(languages=(language,)))
        assert alone == tuple(file for file in both if f".{language}." in file.name)
