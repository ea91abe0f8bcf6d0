"""What is decided about pages before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from dtables.diagnostics import errors_in
from dtables.model.tables import Badge, Label
from dtables.pages.badges import COLOURS, SHAPES, is_colour, is_shape, mark_of, svg
from dtables.pages.compose import Print, print_view
from dtables.pages.document import Block, Document, Edition, Grid, Mark, Paper, Run, Steps, inlines, text_of
from dtables.pages.letters import FONTS, check_characters, missing_characters
from dtables.provenance import CellRef, Location
from tests.pages.books import DEPOT, depot, drawn

HERE = CellRef("book.xlsx", "Words", 3, 2)


def document(language: str = "en", text: str = DEPOT) -> Document:
    made, found = print_view(drawn(text, "depot.xlsx"), language)
    assert not errors_in(found)
    return made


def block(made: Document, title: str) -> Block:
    return next(b for sheet in made.sheets for b in sheet.blocks if b.title == title)


def grid(made: Document, title: str) -> Grid:
    body = block(made, title).body
    assert isinstance(body, Grid)
    return body


def shown(body: Grid) -> list[list[str]]:
    """Label and cells of each row; `*` tinted, `xN` over N columns."""
    return [
        [text_of(row.label)]
        + [text_of(c.text) + "*" * c.tinted + (f" x{c.span}" if c.span > 1 else "") for c in row.cells]
        for section in body.sections
        for row in section.rows
    ]


def test_pages() -> None:
    made = document()
    assert [(s.name, s.paper, s.landscape, s.turns) for s in made.sheets] == [
        ("1", Paper.A4, False, True),
        ("2", Paper.A4, True, False),
    ]
    assert [card.title for card in made.cards] == [
        "North-South", "South-North", "East-West", "West-East", "What to load",
    ]  # fmt: skip
    assert (made.title, made.subtitle) == ("The depot", "Driver's aid")


def test_grid_by_column__merges_and_tints() -> None:
    body = grid(document(), "Read only your column")
    assert [section.title for section in body.sections] == ["The colours", "Bays"]
    assert [section.source for section in body.sections] == ["Rules!A24:E30", "Rules!A32:E36"]
    assert shown(body) == [
        ["1", "red\u202fred x4"],
        ["2", "green\u202fgreen", "blue\u202fblue", "amber\u202famber", "amber\u202famber"],
        ["3", "blue\u202fblue", "green\u202fgreen", "blue\u202fblue", "green\u202fgreen"],
        ["4", "amber\u202famber", "amber\u202famber", "green\u202fgreen", "blue\u202fblue"],
        ["small", "1 › 2 › 3 x4"],
        ["large", "1 › 2 › 3", "3 › 2 › 1*", "1 › 2 › 3", "2 › 1 › 3*"],
    ]


def test_levels__tint_what_is_new() -> None:
    assert shown(grid(document(), "Levels")) == [
        ["Stops a day", "8", "8", "12*"],
        ["Night runs", "–", "●*", "●"],
    ]


def test_data__a_label_leads_its_rows() -> None:
    body = grid(document(), "Stops")
    assert [row[0] for row in shown(body)] == ["North-South", "", "East-West"]
    assert [row.closes for section in body.sections for row in section.rows] == [False, True, False]


def test_choices__of_the_phone_page() -> None:
    assert [(c.vocabulary, [label for _, label in c.names]) for c in document().choices] == [
        ("route", ["North-South", "South-North", "East-West", "West-East"]),
        ("level", ["easy", "normal", "hard"]),
    ]


def test_rows_of_one_number_show_it_once() -> None:
    text = DEPOT.replace("  2 | | | highest | weight | |", "  1 | | | highest | weight | |")
    body = block(document(text=text), "What to load").body
    assert isinstance(body, Steps)
    assert [(row.number, row.ruled) for row in body.rows][:3] == [("1", False), ("", True), ("3", True)]


@pytest.mark.parametrize(
    ("language", "outcomes", "otherwise", "wanted"),
    [
        ("en", "1, 2", "7", ["Heavy ", "Light ", "Otherwise 7"]),
        ("en", "5, 5", "9", ["Heavy 5", "Light 5", "Otherwise 9"]),
        ("en", "5, 5", "5", ["Heavy 5", "Light 5", "Otherwise 5"]),
        ("it", "4, 5", "9", ["Pesante 4", "Leggero 5", "Altrimenti 9"]),
        ("en", '"heavy load", "no"', '"other"', ["Heavy heavy load", "Light no", "Otherwise other"]),
        ("en", "4, 5", "null", ["Heavy 4", "Light 5", "Otherwise nothing"]),
        ("en", "5, 5", "null", ["Heavy 5", "Light 5", "Otherwise nothing"]),
        ("en", '"Heavy", "Light"', "null", ["Heavy ", "Light "]),
        ("en", '"Heavy", "Light"', '"none"', ["Heavy ", "Light ", "Otherwise none"]),
    ],
)
def test_otherwise__is_said_with_its_outcome(
    language: str, outcomes: str, otherwise: str, wanted: list[str]
) -> None:
    first, second = outcomes.split(", ")
    text = f"""
Decision: crate(weight: whole number) -> any ; policy: first ; otherwise: {otherwise}
  # | if | then | text it | text en
  | weight | crate | |
  1 | > 3 | {first} | *Pesante* | *Heavy*
  2 | < 0 | {second} | *Leggero* | *Light*
"""
    body = block(document(language, text), "Crate").body
    assert isinstance(body, Steps)
    assert [f"{text_of(row.text)} {text_of(row.outcome)}" for row in body.rows] == wanted


def test_outcomes__that_are_alike_are_said_where_a_row_has_no_words() -> None:
    text = """
Decision: crate(weight: whole number) -> number ; policy: first
  # | if | then | text en
  | weight | crate |
  1 | > 3 | 5 | *Heavy*
  2 | < 0 | 5 |
"""
    body = block(document(text=text), "Crate").body
    assert isinstance(body, Steps)
    assert [text_of(row.outcome) for row in body.rows] == ["5", "5"]


@pytest.mark.parametrize(("size", "lies"), [("A4 landscape", True), ("A4 portrait", False), ("A4", None)])
def test_pages__lie_or_stand_as_they_are_told(size: str, lies: bool | None) -> None:
    """Or as they fit better, where nothing is said."""
    text = DEPOT.replace("| A4 landscape |", f"| {size} |")
    (sheet,) = (sheet for sheet in document(text=text).sheets if sheet.name == "2")
    assert sheet.turns is (lies is None)
    assert lies is None or sheet.landscape is lies


@pytest.mark.parametrize(
    ("language", "otherwise", "last"),
    [
        ("en", "7", ["", "Otherwise x2", "7"]),
        ("it", "7", ["", "Altrimenti x2", "7"]),
        ("en", "0", ["", "Otherwise x2", "0"]),
        ("en", "[]", ["", "Otherwise x2", "none"]),
        ("en", "null", ["", "Otherwise x2", "nothing"]),
        ("en", "no", ["", "Otherwise x2", "no"]),
    ],
)
def test_otherwise__is_a_row_of_a_grid(language: str, otherwise: str, last: list[str]) -> None:
    text = f"""
Types: names
  name | names
  tier | gold, silver, bronze
  zone | north, south

Decision: crate(tier: tier, zone: zone) -> any ; policy: unique ; otherwise: {otherwise}
  if | if | then
  tier | zone | crate
  gold | north | 1
  silver | south | 2
"""
    assert shown(grid(document(language, text), "Crate"))[-1] == last


@pytest.mark.parametrize("words", ["", " | *From {tier}*"])
@pytest.mark.parametrize("policy", ["unique", "first"])
def test_otherwise__of_several_outcomes_stands_below_all_of_them(policy: str, words: str) -> None:
    head = (" | text en", " |") if words else ("", "")
    text = f"""
Types: names
  name | names
  tier | gold, silver, bronze

Decision: crate(tier: tier) ; policy: {policy} ; otherwise: {{size: 7, weight: 8}}
  # | if | then | then{head[0]}
  # | tier | size | weight{head[1]}
  1 | gold | 1 | 3{words.format(tier="gold")}
  2 | silver | 2 | 4{words.format(tier="silver")}
"""
    *_, last = shown(grid(document(text=text), "Crate"))
    assert last[-1] == "size: 7, weight: 8 x2" and "Otherwise" in last[-2]


def test_several_outcomes__are_a_grid() -> None:
    text = DEPOT.replace(
        "  if | if | then\n  route | season | shift",
        "  if | if | then | then\n  route | season | shift | crew",
    )
    text = (
        text.replace('"early"', '"early" | 2')
        .replace('"late"', '"late" | 3')
        .replace('"split"', '"split" | 4')
    )
    body = grid(document(text=text.replace("-> text ; policy: unique", "; policy: unique")), "Shift")
    assert [text_of(column.head) for column in body.columns] == ["Route", "Season", "Shift", "Crew"]
    assert shown(body)[2] == ["", "East-West, West-East", "–", "split", "4"]


def test_several_conditions_without_wording__are_a_grid() -> None:
    body = grid(document(), "Shift")
    assert [text_of(column.head) for column in body.columns] == ["Route", "Season", "Shift"]
    assert shown(body)[0] == ["", "North-South, South-North", "summer", "early"]


def test_one_condition_and_several_outcomes__the_condition_leads() -> None:
    text = """
Decision: titles(p: whole number) ; policy: unique ; title en: Titles
if | then | then
p | name | row
>= 10 | "heavy" | 1
[5..9] | "middling" | 2
< 5 | null | null
"""
    body = grid(document(text=text), "Titles")
    assert body.corner == "P"
    assert shown(body) == [["≥ 10", "heavy", "1"], ["5–9", "middling", "2"], ["< 5", "–", "–"]]


@pytest.mark.parametrize(
    ("wish", "rows"),
    [
        (Print(), ["1", "2", "3", "4"]),
        (Print({"WEIGH": "NEVER"}), ["1", "2", "3", "4", "5"]),
        (Print(edition=Edition.PROOF), ["1", "2 (variant)", "3", "4", "5"]),
    ],
)
def test_rows_of_a_house_rule__are_there_where_it_holds(wish: Print, rows: list[str]) -> None:
    """The author sees them all."""
    text = DEPOT.replace("  2 | | | highest | weight | |", "  2 | | WEIGH = NEVER | highest | weight | |")
    made, _ = print_view(drawn(text, "depot.xlsx"), "en", wish)
    body = block(made, "What to load").body
    assert isinstance(body, Steps)
    assert [row.number + " (variant)" * row.variant for row in body.rows] == rows


def test_without_a_pages_table__what_players_read() -> None:
    made = document(text=DEPOT[: DEPOT.index("Pages: aid")])
    (sheet,) = made.sheets
    assert [b.title for b in sheet.blocks] == [
        "What to load", "Toll", "Shift", "Read only your column", "Gate", "Levels", "Weather",
    ]  # fmt: skip


def test_every_text_can_be_printed() -> None:
    for language in ("it", "en"):
        for sheet in document(language).sheets:
            for one in sheet.blocks:
                assert not missing_characters("".join(text_of(inline) for inline in inlines(one)))


NOT_PRINTED = {
    "Document.name", "Document.language", "Document.version", "Sheet.name", "Sheet.paper", "Card.name",
    "Block.key", "Mark.colours", "Mark.shape", "Mark.alt", "Run.style", "Grid.vocabulary",
    "GridColumn.choice", "GridRow.choice", "GridSection.align", "Document.edition", "Sheet.face",
    "Card.paper", "Card.colour", "Block.place", "Block.phase", "Block.keys", "Pointer.key", "Chip.kind",
    "Icon.name", "Icon.alt", "Order.choice",
}  # fmt: skip
SHOWN_ELSEWHERE = {"Document.choices", "Document.cards_only"}
"""On screens, which have more characters."""


def spoilt(thing: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The same with one printed text changed, and what that is; each text once."""
    if name in NOT_PRINTED | SHOWN_ELSEWHERE or isinstance(thing, (CellRef, Location)):
        return
    if isinstance(thing, str):
        yield name, f"{thing}漢"
    elif isinstance(thing, tuple):
        for n, item in enumerate(thing):
            yield from ((what, (*thing[:n], new, *thing[n + 1 :])) for what, new in spoilt(item, name))
    elif is_dataclass(thing) and not isinstance(thing, type):
        for one in fields(thing):
            inner = f"{type(thing).__name__}.{one.name}"
            for what, new in spoilt(getattr(thing, one.name), inner):
                yield what, replace(thing, **{one.name: new})


def test_a_character_that_cannot_be_printed_is_found_wherever_it_stands() -> None:
    ruleset = drawn(DEPOT, "depot.xlsx")
    met = set()
    for what, made in spoilt(document()):
        met.add(what)
        found = check_characters(ruleset, made)
        assert ["`漢`" in d.message for d in found] == [True], what
    assert met >= {
        "Legend.label",
        "Mark.letter",
        "Card.title",
        "Block.title",
        "Block.source",
        "GridSection.title",
    }


# -- what setup fixes --------------------------------------------------------------------------


def card(text: str, title: str) -> list[str]:
    """Texts of a card's front, row by row."""
    made = next(c for c in document(text=text).cards if c.title == title)
    rows: list[str] = []
    for one in made.front:
        if isinstance(one.body, Grid):
            rows += [" | ".join(cells) for cells in shown(one.body)]
        else:
            rows += [
                " | ".join(filter(None, map(text_of, (*row.conditions, row.text, row.outcome))))
                for row in one.body.rows
            ]
    return rows


def test_cards_by_level__one_column_of_the_settings() -> None:
    text = DEPOT.replace(
        "  Load | tarot | it, en | load | | | | |", "  L | tarot | it, en | level | level | | | |"
    )
    assert card(text, "Hard") == ["Stops a day | 12", "Night runs | ●"]


def test_cards_by_route__its_list_its_rows_its_rules() -> None:
    assert card(DEPOT, "West-East") == [
        " | red\u202fred › amber\u202famber › green\u202fgreen › blue\u202fblue",
        "small | 1 › 2 › 3",
        "large | 2 › 1 › 3",
        "split",
    ]


def test_cards__a_second_field_of_the_vocabulary_keeps_conditions() -> None:
    """With two routes in the state nobody knows which of them the card is for."""
    text = DEPOT.replace(
        "  late | boolean |", "  other route | route | altro percorso | other route\n  late | boolean |"
    )
    assert " | East-West, West-East | – | split" in card(text, "West-East")


def test_cards_with_a_back__have_the_page_as_their_title() -> None:
    row = "  Load | tarot | it, en | load | | | | |"
    both = DEPOT.replace(row, f"{row}\n  Load | tarot | it, en | toll | | back | | |").replace(
        "Load | tarot", "Lot | tarot"
    )
    both = both.replace("  term | Route |", "  term | Lot | Il carico | The load\n  term | Route |")
    made = document(text=both).cards[-1]
    assert (made.title, [b.title for b in made.front]) == ("The load", ["What to load"])
    alone = document().cards[-1]
    assert (alone.title, [b.title for b in alone.front]) == ("What to load", [""])


def test_lists_of_sentences_have_no_heading() -> None:
    text = (
        DEPOT
        + """
Data: step ; key: step ; title en: Start
  key | label en
  step |
  one | Shuffle
  two | Deal
"""
    )
    text = text.replace("  1 | A4 | it, en | shift | | | | |", "  1 | A4 | it, en | step | | | | |")
    (one, _) = grid(document(text=text), "Start").sections[0].rows
    assert one.label == (Run("Shuffle"),)


# -- badges ------------------------------------------------------------------------------------


def test_mark__what_is_left_open_is_filled_in() -> None:
    label = Label("red", (), (), HERE, Badge("red"))
    assert mark_of(label, "rossa", 2, "it") == Mark((COLOURS["red"],), "shield", "R", "rossa")
    other = replace(label, badge=Badge("#123456"))
    assert mark_of(other, "rossa", 2, "it") == Mark(("#123456",), list(SHAPES)[2], "R", "rossa")
    assert mark_of(replace(label, badge=Badge()), "rossa", 2, "it") is None
    split = replace(label, badge=Badge("giallo/marrone", "scudo", (("", "GM"), ("en", "YB"))))
    assert mark_of(split, "x", 0, "it") == Mark((COLOURS["yellow"], COLOURS["brown"]), "shield", "GM", "x")
    assert mark_of(split, "x", 0, "en") == Mark((COLOURS["yellow"], COLOURS["brown"]), "shield", "YB", "x")


def test_svg__says_its_name_and_reads_on_its_colour() -> None:
    dark, light = (svg(Mark((c,), "circle", "A", "<a & b>")) for c in ("#1d4f9f", "#f4c20d"))
    assert "<title>&lt;a &amp; b&gt;</title>" in dark
    assert 'fill="#ffffff"' in dark and 'fill="#111111"' in light
    assert "<text" not in dark, "letters are outlines: no font is needed to show them"


def test_shapes_and_colours() -> None:
    assert all(is_shape(shape) for shape in SHAPES)
    assert all(is_colour(colour) for colour in COLOURS.values())
    assert not is_colour("reddish") and not is_colour("#12345g")


def test_fonts__small_and_with_their_licences() -> None:
    assert sum(font.stat().st_size for font in FONTS.glob("*.ttf")) < 400_000
    assert {path.name for path in FONTS.glob("LICENSE*")} == {"LICENSE-DejaVu.txt", "LICENSE-Roboto.txt"}
    assert not missing_characters("àèéìòùÀÈÉÌÒÙ «»“”‘’ … – — × ÷ ≤ ≥ ≠ ± → ← ↑ ↓ ★ ● ✓ ✔ ½ ¼ €")
    assert missing_characters("a漢b🚚") == ("漢", "🚚")


def test_depot_is_the_book_of_these_tests() -> None:
    assert depot().languages == ("it", "en")


TITLES = """
Types: words
  name | names
  rank | editor, reader, clerk

Glossary: words
  kind | id | label en | label it
  term | points | points | punti
  term | title | title | titolo

Decision: title(points: whole number) -> rank? ; policy: {policy} ; title en: Your title
  if | then
  points | title
  >= 110 | editor
  [100..109] | reader
  [50..99] | clerk
  {last} | null

Pages: aid
  page | size | table
  1 | A4 | title
"""


def test_decision__ranges_of_one_number_are_a_table() -> None:
    body = block(document(text=TITLES.format(policy="unique", last="< 50")), "Your title").body
    assert isinstance(body, Grid)
    assert (body.corner, [text_of(column.head) for column in body.columns]) == ("Points", ["Title"])
    assert [(text_of(row.label), text_of(row.cells[0].text)) for row in body.sections[0].rows] == [
        ("≥ 110", "editor"),
        ("100–109", "reader"),
        ("50–99", "clerk"),
        ("< 50", "–"),
    ]


def test_decision__ranges_whose_order_matters_are_steps() -> None:
    body = block(document(text=TITLES.format(policy="first", last="-")), "Your title").body
    assert isinstance(body, Steps) and [row.number for row in body.rows] == ["1", "2", "3", "4"]


REASONS = """
Types: words
  name | names
  act | build, buy, sell
  reason | full, poor, none

Glossary: words
  kind | id | label en
  act | build | Build
  act | buy | Buy
  act | sell | Sell

Decision: failure(act: act, coins: whole number) -> reason? ; policy: first ; title en: It fails if
  if | if | then | text en
  act | coins | |
  - | > 90 | full | The purse is full
  build | < 3 | poor | Build: three coins are short
  build | < 9 | none | Build: no land
  {third} | < 2 | poor | Buy: two coins are short

Decision: houses(act: act) -> whole number ; policy: first ; title en: Houses
  if | then
  act | houses
  build | 1
  buy | 3
  - | 2

Pages: aid
  page | size | table
  1 | A4 | failure
  1 | A4 | houses
"""


def test_decision__rows_of_the_same_names_stand_under_one_name() -> None:
    body = block(document(text=REASONS.format(third="buy")), "It fails if").body
    assert isinstance(body, Grid)
    assert [(text_of(row.label), text_of(row.cells[0].text)) for row in body.sections[0].rows] == [
        ("", "The purse is full"),
        ("Build", "three coins are short"),
        ("", "no land"),
        ("Buy", "two coins are short"),
    ]
    assert [row.closes for row in body.sections[0].rows] == [True, False, True, False]


def test_decision__rows_of_several_names_keep_their_numbers() -> None:
    body = block(document(text=REASONS.format(third="build, buy")), "It fails if").body
    assert isinstance(body, Steps) and [row.number for row in body.rows] == ["1", "2", "3", "4"]


def test_decision__rows_of_different_names_have_no_order() -> None:
    body = block(document(text=REASONS.format(third="buy")), "Houses").body
    assert isinstance(body, Steps) and [row.number for row in body.rows] == ["", "", ""]
    assert [text_of(row.text) for row in body.rows][-1] == "Otherwise"


RISES = """
Types: words
  name | names
  step | up, down

Decision: rise(n: whole number) -> {result} ; policy: {policy}{more}
  if | then
  n | rise
  < 3 | {low}
  < 6 | {high}
  - | {low}

Pages: aid
  page | size | table
  1 | A4 | rise
"""


@pytest.mark.parametrize(
    ("policy", "wanted"),
    [
        ("first", "the first row that fits counts"),
        ("any", ""),
        ("priority", "of the rows that fit, the one with the best outcome counts: up, down"),
        ("output order", "every row that fits counts, the best outcome first: up, down"),
        ("rule order", "every row that fits counts, in the order of the rows"),
        ("collect", "every row that fits counts"),
        ("collect sum", "the outcomes of all rows that fit are added up"),
        ("collect min", "of all rows that fit, only the smallest outcome counts; nothing is added up"),
        ("collect max", "of all rows that fit, only the largest outcome counts; nothing is added up"),
        ("collect count", "the result is the number of rows that fit"),
    ],
)
def test_decision__says_which_of_the_rows_that_fit_count(policy: str, wanted: str) -> None:
    named = policy in ("priority", "output order", "any")
    low, high, result = ("down", "up", "step") if named else ("1", "2", "whole number")
    if policy in ("collect", "rule order", "output order"):
        result = f"list of {result}"
    more = " ; priorities: [up, down]" if policy in ("priority", "output order") else ""
    made = document(text=RISES.format(policy=policy, result=result, more=more, low=low, high=high))
    assert block(made, "Rise").subtitle == wanted


@pytest.mark.parametrize(
    ("policy", "wanted"),
    [
        ("first", "one is enough"),
        ("rule order", "one is enough"),
        ("collect sum", "one is enough · the outcomes of all rows that fit are added up"),
    ],
)
def test_decision__rows_in_their_order_need_no_word_beside_the_authors(policy: str, wanted: str) -> None:
    result = "list of whole number" if policy == "rule order" else "whole number"
    text = RISES.format(policy=policy, result=result, more="", low="1", high="2")
    text = text.replace("page | size | table", "page | size | table | note en")
    made = document(text=text.replace("1 | A4 | rise", "1 | A4 | rise | one is enough"))
    assert block(made, "Rise").subtitle == wanted
