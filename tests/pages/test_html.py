"""The phone page: everything in one file, for thumbs, in light and dark."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dtables.pages.document import (
    Block,
    Body,
    Chip,
    ChipKind,
    Document,
    Entries,
    Entry,
    Icon,
    Order,
    OrderList,
    Orders,
    Paper,
    Part,
    Pointer,
    Procedure,
    ProcedureRow,
    Run,
    SetupChoice,
    Sheet,
    StepRow,
    Steps,
    Style,
)
from dtables.pages.files import Format, Request, print_files
from dtables.pages.html import print_html
from dtables.provenance import CellRef, Location
from tests.pages.books import depot
from tests.pages.browser import PHONE, seen_in_browser

VOID = {"meta", "link", "br"}


@pytest.fixture(scope="module")
def page() -> str:
    files, found = print_files(depot(), Request((Format.HTML,), ("it",)))
    assert not found
    (file,) = files
    assert file.name == "depot.it.html"
    return file.content.decode("utf-8")


class Outline(HTMLParser):
    """Checks that what is opened is closed; keeps the text by element."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "h3" in self.open and "small" not in self.open:
            self.headings += [data.strip()] if data.strip() else []
        if "td" in self.open and "title" not in self.open:
            self.cells[-1] += data


def test_page__every_table_once_and_every_cell(page: str) -> None:
    outline = Outline()
    outline.feed(page)
    assert outline.open == []
    assert outline.headings == [
        "Che cosa caricare", "Pedaggio", "Turno", "Tempo", "Leggi solo la tua colonna", "Cancello", "Livelli",
        "Mezzi", "Fermate", "Regole della casa", "Conti",
    ]  # fmt: skip
    cells = [cell.replace("\u202f", "").strip() for cell in outline.cells]
    order = ["rossa", "verde", "blu", "ambra", "ambra", "blu", "verde", "blu", "verde", "ambra", "ambra"]
    assert ",".join(order) in ",".join(cells)
    assert "#import x * @b $y$" in cells


def test_page__has_room_for_the_odds_of_dice(page: str) -> None:
    outline = Outline()
    outline.feed(page)
    assert [cell for cell in outline.cells if "%" in cell] == ["5/18  28\u202f%", "13/18  72\u202f%"]


def test_page__needs_no_network(page: str) -> None:
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\(|@import|src=", page)


def test_page__data_are_no_markup() -> None:
    from tests.pages.books import DEPOT, drawn

    book = DEPOT.replace("Foglio di bordo", "Foglio <script>alert(1)</script> & co")
    files, _ = print_files(drawn(book), Request((Format.HTML,), ("it",)))
    text = files[0].content.decode("utf-8")
    assert "Foglio &lt;script&gt;alert(1)&lt;/script&gt; &amp; co" in text
    assert text.count("<script>") == 1


def test_page__own_style(tmp_path: Path) -> None:
    (tmp_path / "page.css").write_text("body { color: rebeccapurple }", encoding="utf-8")
    files, found = print_files(depot(), Request((Format.HTML,), ("it",), styles=tmp_path))
    assert not found
    assert "<style>\nbody { color: rebeccapurple }\n</style>" in files[0].content.decode("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_browser(page: str, tmp_path: Path, scheme: str) -> None:
    seen = seen_in_browser(page, tmp_path, scheme)
    assert seen["problems"] == []
    assert seen["requests"] == []
    assert seen["small"] == [], "targets of less than 44 points"
    assert seen["dark"] is (scheme == "dark")
    assert brightness(seen["paper"]) < 60 if scheme == "dark" else brightness(seen["paper"]) > 200
    assert brightness(seen["ink"]) > 200 if scheme == "dark" else brightness(seen["ink"]) < 60
    assert max(step["right"] for step in seen["steps"]) <= PHONE, "the page scrolls sideways"


@pytest.mark.parametrize("made", ["depot", "turn"])
def test_in_a_browser__twice_as_large_type_fits(page: str, tmp_path: Path, made: str) -> None:
    shown = page if made == "depot" else turn_page()
    seen = seen_in_browser(shown.replace("<html", '<html style="font-size: 200%"', 1), tmp_path, "light")
    assert max(step["right"] for step in seen["steps"]) <= PHONE


def test_in_a_browser__a_choice_hides_the_other_columns(page: str, tmp_path: Path) -> None:
    seen = seen_in_browser(page, tmp_path, "light")
    cells = {step["name"]: step["cells"] for step in seen["steps"]}
    # Of 24 cells of the grid by route 2 stand for all; the gate has 4 rows, the stops have 3.
    assert cells[""] - cells["Nord-Sud"] == 3 * 4 + 3 + 1 * 2
    assert seen["hash"] == "#?route=WE&level=hard"


def test_in_a_browser__without_script_everything_is_there(page: str, tmp_path: Path) -> None:
    still = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    seen = seen_in_browser(still, tmp_path, "light", """
        const shown = (part) => part.getClientRects().length > 0;
        return {idle: [...document.querySelectorAll(".choices, .next")].filter(shown).length,
                hidden: [...document.querySelectorAll(".block *")].filter((part) => !shown(part)
                            && part.textContent.trim() && !part.closest("svg, .next")).length};
    """)  # fmt: skip
    assert seen["result"] == {"idle": 0, "hidden": 0}


# -- a turn ----------------------------------------------------------------------------------------


def turn_page() -> str:
    return print_html(turn_document()).content.decode("utf-8")


def turn_document() -> Document:
    """A turn with pointers, a word that is explained, a die and a factored matrix; a setup, and what stands
    on cards alone."""
    cell = CellRef("solo.xlsx", "Turn", 3, 1)
    where = Location(cell)
    which, words, direction = Pointer("which", "A"), Pointer("words", "B"), Pointer("direction", "C")
    available = Run("available", Style.BOLD, term=True)

    def block(key: str, letter: str, body: Body, phase: str = "") -> Block:
        return Block(
            key, key.title(), "", "Turn!A1", body, where, letter=letter, phase=phase, lettered=bool(letter)
        )

    def step(number: str, *text: Part) -> ProcedureRow:
        return ProcedureRow(number, None, "", text, (), cell)

    turn = Procedure((
        step("1", Icon("cat", "", "Cat"), Run("Compare by "), which),
        step("2", Chip("two decks", ChipKind.CONDITION), Run("an "), available, Run(" one "), words),
        step("3", Run("Order "), direction, Run(", then "), Pointer("deal"), Chip("Turn over", ChipKind.END)),
    ))  # fmt: skip
    deal = Procedure((step("1", Run("Deal.")),))
    rows = (StepRow("1", (), (), (Run("an "), available, Run(" stage")), (), cell),)
    meaning = Entry(
        (), (Run("Available", Style.BOLD),), (Run("not built yet."),), (Run("E.g. 2."),), (), cell
    )
    lists = (OrderList("M", ((Run("Colossus"),),)), OrderList("S", ((Run("Sphinx"),),)))
    orders = (Order((Run("MS"),), ("M", "S"), "MS"), Order((Run("SM"),), ("S", "M"), "SM"))
    blocks = (
        block("setup", "", deal, "setup"),
        block("words", "B", Entries((meaning,))),
        block("turn", "", turn, "turn"),
        block("direction", "C", Orders(lists, orders, (), (), "direction")),
        block("which", "A", Steps(rows)),
        block("rounds", "", deal, "round"),
        block("deal", "D", deal),
    )
    index = block("the cards", "", Entries((meaning,)))
    sheet = Sheet("1", "The turn", Paper.A4, False, True, blocks, where, (), "1a")
    choice = SetupChoice("direction", "direction", (("MS", "MS: Military, Science"), ("SM", "SM")))
    return Document(
        "solo", "en", "The turn", "Solo", "solo.xlsx", "5d3001a6", (sheet,), (), (index,), (choice,)
    )


def test_a_turn__no_cells_for_players() -> None:
    assert "Turn!A1" not in turn_page()


def test_a_turn__tables_and_words_open_where_they_are_needed(tmp_path: Path) -> None:
    seen = seen_in_browser(turn_page(), tmp_path, "light", """
        const step = (n) => document.querySelectorAll("[data-box='turn'] .procedure > li")[n];
        const opened = (n) => [...step(n).querySelectorAll(".opened")].map((panel) => panel.innerText.trim());
        step(0).querySelector("a.pointer").click();
        const once = opened(0);
        step(0).querySelector(".opened a.term").click();
        const within = opened(0).length;
        step(0).querySelector("a.pointer").click();
        step(1).querySelector("a.term").click();
        step(1).querySelector(".number").click();
        const word = opened(1);
        const ticked = step(1).querySelector(".number").getAttribute("aria-pressed");
        document.querySelector("[data-box='turn'] button.again").click();
        return {once, within, shut: opened(0), word, ticked, after: opened(1),
                again: step(1).querySelector(".number").getAttribute("aria-pressed"),
                doubled: document.querySelectorAll("[id]").length
                         - new Set([...document.querySelectorAll("[id]")].map((part) => part.id)).size};
    """)  # fmt: skip
    assert seen["problems"] == []
    result = seen["result"]
    (table,) = result.pop("once")
    (word,) = result.pop("word")
    assert table.split() == ["A", "Which", "×", "1", "an", "available", "stage"]
    assert word.split() == ["×", "Available:", "not", "built", "yet.", "E.g.", "2."]
    assert result == {"within": 2, "shut": [], "ticked": "true", "after": [], "again": "false", "doubled": 0}


def test_a_turn__a_choice_leaves_one_order(tmp_path: Path) -> None:
    seen = seen_in_browser(turn_page(), tmp_path, "light", """
        document.querySelector('button[data-name="SM"]').click();
        return [...document.querySelectorAll(".sequences li")].filter((part) => part.offsetParent)
            .map((part) => part.innerText);
    """)  # fmt: skip
    assert seen["result"] == ["SM S › M"]


def test_a_turn__tables_in_the_order_of_their_letters() -> None:
    headings = re.findall(r"<h3.*?</h3>", turn_page())
    titles = [re.sub(r"<.*?>", "", heading).strip() for heading in headings]
    assert titles == ["Setup", "A Which", "Turn", "B Words", "C Direction", "Rounds", "D Deal"]


def test_a_turn__a_pointer_says_where_it_leads() -> None:
    assert 'title="Which" aria-label="A: Which">→&#8239;<b>A</b></a>' in turn_page()


def test_a_turn__a_new_one_leaves_the_round_and_the_setup_alone(tmp_path: Path) -> None:
    seen = seen_in_browser(turn_page(), tmp_path, "light", """
        const numbers = () => [...document.querySelectorAll("main > .face > .block button.number")];
        const on = (number) => number.getAttribute("aria-pressed") === "true";
        const ticked = () => numbers().map((number) => on(number) ? "x" : ".").join("");
        for (const number of numbers()) number.click();
        const steps = [ticked()];
        for (const button of document.querySelectorAll("button.again")) {
            button.click();
            steps.push(ticked());
        }
        return {steps, kept: sessionStorage.getItem("solo 5d3001a6"),
                words: [...document.querySelectorAll("button.again")].map((button) => button.textContent)};
    """)  # fmt: skip
    # Setup, three steps of the turn, the rounds, what the turn leads to.
    assert seen["result"] == {
        "steps": ["xxxxxx", "x...x.", "x....."],
        "kept": '["0"]',
        "words": ["new turn", "start again"],
    }


def test_a_turn__a_round_is_no_turn() -> None:
    """Where a game has rounds and no turns, the button says nothing of turns."""
    made = turn_document()
    sheets = tuple(
        replace(s, blocks=tuple(replace(b, phase="round start") if b.phase else b for b in s.blocks))
        for s in made.sheets
    )
    page = print_html(replace(made, sheets=sheets)).content.decode("utf-8")
    assert ">new turn<" not in page and ">start again<" in page and 'data-box="turn"' in page


def test_a_turn__ticks_outlast_reloading(tmp_path: Path) -> None:
    kept = """<script>sessionStorage.setItem("solo 5d3001a6", '["1", "3"]');</script><header>"""
    seen = seen_in_browser(turn_page().replace("<header>", kept, 1), tmp_path, "light", """
        return [...document.querySelectorAll("button.number")]
            .map((each) => each.getAttribute("aria-pressed"));
    """)  # fmt: skip
    assert seen["result"] == ["false", "true", "false", "true", "false", "false"]


def test_a_turn__a_tick_counts_where_its_steps_are_opened_too(tmp_path: Path) -> None:
    seen = seen_in_browser(turn_page(), tmp_path, "light", """
        const link = [...document.querySelectorAll("[data-box='turn'] a.pointer")].pop();
        link.click();
        document.querySelector(".opened button.number").click();
        const steps = [...document.querySelectorAll("button.number[aria-pressed='true']")];
        return [steps.length, new Set(steps.map((each) => each.dataset.tick)).size];
    """)  # fmt: skip
    assert seen["result"] == [2, 1]


def test_a_turn__by_keyboard(tmp_path: Path) -> None:
    seen = seen_in_browser(turn_page(), tmp_path, "light", """
        const press = (key) =>
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        const link = document.querySelector("[data-box='turn'] a.pointer");
        const where = () => document.activeElement.className || document.activeElement.tagName;
        link.focus();
        link.click();
        const label = document.activeElement.getAttribute("aria-label");
        const inside = [where(), label, link.getAttribute("aria-expanded")];
        document.querySelector(".opened a.term").click();
        const within = document.querySelectorAll(".opened").length;
        press("Escape");
        const first = [where(), document.querySelectorAll(".opened").length];
        press("Escape");
        const second = [document.activeElement === link, document.querySelectorAll(".opened").length];
        document.querySelector("nav a").click();
        return {inside, within, first, second, jumped: where(), address: location.hash};
    """)  # fmt: skip
    assert seen["result"] == {
        "inside": ["opened", "A: Which", "true"], "within": 2, "first": ["term", 1], "second": [True, 0],
        "jumped": "H3", "address": "",
    }  # fmt: skip


def test_a_turn__what_only_lists_the_cards_is_left_out() -> None:
    assert "The Cards" not in turn_page()
    document = turn_document()
    (sheet,) = document.sheets
    no_turn = tuple(block for block in sheet.blocks if not isinstance(block.body, Procedure))
    alone = replace(document, sheets=(replace(sheet, blocks=no_turn),))
    assert "The Cards" in print_html(alone).content.decode("utf-8")


def test_conditions__begin_as_on_paper() -> None:
    """With a capital, and with one `if`."""
    cell = CellRef("solo.xlsx", "Turn", 3, 1)
    rows = tuple(
        StepRow(str(n), (), ((Run(text),),), (Run("Take it"),), (), cell)
        for n, text in enumerate(("both are there", "if one is there"), 1)
    )
    block = Block("which", "Which", "", "", Steps(rows), Location(cell), lettered=False)
    sheet = replace(turn_document().sheets[0], blocks=(block,))
    page = print_html(replace(turn_document(), sheets=(sheet,))).content.decode("utf-8")
    found = [re.sub(r"<.*?>", "", each) for each in re.findall(r'<p class="if">(.*?)</p>', page)]
    assert found == ["If both are there", "If one is there"]


def test_a_turn__a_choice_has_its_code_on_the_button(tmp_path: Path) -> None:
    assert 'title="MS: Military, Science" aria-label="MS: Military, Science">MS</button>' in turn_page()
    seen = seen_in_browser(turn_page(), tmp_path, "light", """
        document.querySelector('button[data-name="MS"]').click();
        return document.querySelector("legend output").textContent;
    """)  # fmt: skip
    assert seen["result"] == "MS: Military, Science"


def test_lines__a_stop_stays_with_the_drawing_before_it() -> None:
    coin, fixed = Icon("coin", "", "coin"), "\u00a0"
    cell = CellRef("solo.xlsx", "Turn", 3, 1)

    def shown(*text: Part) -> list[str]:
        row = ProcedureRow("1", None, "", text, (), cell)
        block = Block("turn", "Turn", "", "", Procedure((row,)), Location(cell), lettered=False)
        sheet = replace(turn_document().sheets[0], blocks=(block,))
        page = print_html(replace(turn_document(), sheets=(sheet,))).content.decode("utf-8")
        (line,) = re.findall(r'<div class="say">\s*<p>(.*?)</p>', page, re.DOTALL)
        line = re.sub(r"<svg.*?</svg>", "o", line, flags=re.DOTALL)
        return [re.sub(r"<.*?>", "", tied) for tied in re.findall(r'class="tied">(.*?</span>)</span>', line)]

    assert shown(Run("pay "), coin, Run(". Then")) == ["o."]
    assert shown(coin, Run(f"{fixed}gold and ("), coin, Run(")")) == [f"o{fixed}gold", "(o)"]
    assert shown(coin, Run("\u202f"), Run("gold", Style.BOLD), Run(" or not")) == ["o\u202fgold"]
    assert shown(Run("It takes: "), Run("1", Style.RANK), Run(fixed), Run("Lowest cost")) == [
        f"1{fixed}Lowest"
    ]
    assert shown(Run("one or "), coin, Run(" two"), Chip("over", ChipKind.END), Run(".")) == []


def brightness(colour: str) -> float:
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3]) / 3
