"""Paper: what stands on it is what stands in the cells, all of it fits, and it is the same every time."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader

from dtables.diagnostics import Diagnostic, Severity
from dtables.model.tables import Ruleset
from dtables.pages.document import Paper
from dtables.pages.files import Format, Request, print_files
from dtables.pages.paper import Purpose
from tests.pages.books import DEPOT, depot, drawn
from tests.pages.pdf_text import pages_of, text_of
from tests.pages.solo import SOLO


def printed(ruleset: Ruleset, request: Request) -> dict[str, bytes]:
    files, found = print_files(ruleset, request)
    assert not found, found
    return {"/".join(filter(None, (file.folder, file.name))): file.content for file in files}


@pytest.fixture(scope="module")
def english() -> dict[str, bytes]:
    return printed(depot(), Request(languages=("en",)))


@pytest.fixture(scope="module")
def italian() -> dict[str, bytes]:
    return printed(depot(), Request(languages=("it",)))


# -- what stands there -------------------------------------------------------------------------


def test_first_sheet__steps_in_order(english: dict[str, bytes]) -> None:
    page = pages_of(english["depot.en.pdf"])[0]
    for part in (
        "What to load chance breaks ties",
        "1 If late Fragile before all "
        "2 Highest weight "
        "3 First: not fragile "
        "4 Colour in this order: blue › red › green › amber "
        "5 By chance",
        "Toll the first row that fits counts If weight > 10 5 Green or blue, light 3 Otherwise 1 ",
        "Shift Route Season Shift "
        "North-South, South-North summer early "
        "North-South, South-North winter late "
        "East-West, West-East – split ",
        "Weather 2d6 2–5 cold 6–12 warm",
    ):
        assert part in page
    assert "!A" not in page, "players see no cells"


def test_first_sheet__in_italian(italian: dict[str, bytes]) -> None:
    page = pages_of(italian["depot.it.pdf"])[0]
    for part in (
        "Foglio di bordo Il deposito rossa verde blu ambra",
        "1 Se in ritardo Fragile prima di tutto 2 Maggior peso 3 Prima: non fragile",
        "4 Colore in quest'ordine: blu › rossa › verde › ambra 5 A caso",
        "Verde o blu, leggera 3 Altrimenti 1",
    ):
        assert part in page


def test_second_sheet__every_cell_of_the_grid(english: dict[str, bytes]) -> None:
    page = pages_of(english["depot.en.pdf"])[1]
    assert (
        "Read only your column NS North-South SN South-North EW East-West WE West-East "
        "The colours 1 red 2 green blue amber amber 3 blue green blue green "
        "4 amber amber green blue "
        "Bays small 1 › 2 › 3 large 1 › 2 › 3 3 › 2 › 1 1 › 2 › 3 2 › 1 › 3 "
    ) in page
    for part in (
        "Gate North-South A South-North B East-West C West-East D",
        "Levels easy normal hard Stops a day 8 8 12 Night runs – ● ●",
        "Van 4 – Lorry 12 ●",
        "When parcels are weighed ALWAYS NEVER, ONCE",
        "Heavy parcels: parcels with weight > 10 Count heavy: number of heavy parcels",
    ):
        assert part in page


def test_cells_print_as_typed(english: dict[str, bytes]) -> None:
    page = pages_of(english["depot.en.pdf"])[1]
    assert "North-South 12 #import x * @b $y$ 15 Two * three * four East-West 7 Mill" in page


def test_footer(english: dict[str, bytes]) -> None:
    first, second = pages_of(english["depot.en.pdf"])
    footer = "The depot · Driver's aid. depot.xlsx, build "
    assert footer in first and first.endswith("Face 1 of 2") and second.endswith("Face 2 of 2")


def test_signs__are_explained_where_they_stand() -> None:
    """In the foot line of each face and side of a card, and once on a phone page; in no block."""
    book = SOLO.replace("Put away what is left.", "Put away what's left°.").replace(
        "  pedina | pawn", "  ° | ° | lettura nostra. | the player's reading. | | |\n  pedina | pawn"
    )
    kinds, made = (Format.PDF, Format.HTML), drawn(book, "solo.xlsx")
    files = {file.name: file.content for file in print_files(made, Request(kinds, ("en",)))[0]}
    (cards,) = print_files(made, Request(languages=("en",), purpose=Purpose.BLEED))[0]
    key = "° the player's reading"
    front, scale = pages_of(files["solo.en.pdf"])[0], pages_of(cards.content)[2]
    assert front.count(key) == 1 and key + " · The rival" in front
    assert pages_of(cards.content)[0].count(key) == 1 and key not in scale
    page = files["solo.en.html"].decode("utf-8")
    assert page.count("° the player’s reading") == 1 and "what’s left" in page and "what's left" not in page


def test_proof__cells_and_switches() -> None:
    proof = printed(depot(), Request(languages=("en",), purpose=Purpose.PROOF))
    assert list(proof) == ["proof/depot.en.pdf", "proof/depot.en.cards.pdf"]
    text = text_of(proof["proof/depot.en.pdf"])
    for cells in ("Rules!A1:G8", "Rules!A10:F15", "Rest!A7:E9", "B4", "C20"):
        assert cells in text


def test_grey__no_colour() -> None:
    grey = printed(depot(), Request((Format.PDF,), ("en",), grey=True))
    assert list(grey) == ["grey/depot.en.pdf", "grey/depot.en.cards.pdf"]
    for page in PdfReader(io.BytesIO(grey["grey/depot.en.pdf"])).pages:
        content = page.get_contents()
        assert content is not None
        assert not re.findall(rb"(?:[0-9.]+ ){3}(?:scn?|SCN?|rg|RG)\b", _uneven(content.get_data()))


def _uneven(drawing: bytes) -> bytes:
    """What is set in colours whose parts differ."""
    found = re.findall(rb"([0-9.]+) ([0-9.]+) ([0-9.]+) (scn?|SCN?|rg|RG)\b", drawing)
    return b"\n".join(b" ".join(colour) for colour in found if len(set(colour[:3])) > 1)


# -- cards -----------------------------------------------------------------------------------------


def test_cards__resolve_what_setup_fixes(english: dict[str, bytes]) -> None:
    fronts, backs, alone, its_back = pages_of(english["depot.en.cards.pdf"])
    assert "South-North Route Colours red › blue › green › amber " in fronts
    assert "Bays small 1 › 2 › 3 large 3 › 2 › 1 " in fronts
    assert fronts.count("If season: summer early If season: winter late") == 2
    assert fronts.count("Shift split") == 2
    assert "East-West Route Stops Minutes Name 7 Mill" in backs
    assert "South-North" not in backs, "nothing of the table is for that name"
    assert "The depot 2" in backs, "a card without a back has the game's name and its number"
    assert "What to load" in alone and its_back.startswith("The depot 5")
    assert all("50 mm · print at 100 %, flip on the long edge" in page for page in (fronts, backs, alone))


def test_backs_are_mirrored(english: dict[str, bytes]) -> None:
    fronts, backs, *_ = PdfReader(io.BytesIO(english["depot.en.cards.pdf"])).pages
    middle = float(fronts.mediabox.width) / 2
    assert _left_of(fronts, "North-South") < middle < _left_of(backs, "North-South")


def test_bleed__a_card_on_a_page_with_its_boxes() -> None:
    """3 mm on each side; fronts and backs in pairs."""
    bleed = printed(depot(), Request(languages=("en",), purpose=Purpose.BLEED))
    assert list(bleed) == ["bleed/depot.en.cards.pdf"], "no sheets"
    pages = PdfReader(io.BytesIO(bleed["bleed/depot.en.cards.pdf"])).pages
    assert len(pages) == 2 * 5
    for page in pages:
        assert _millimetres(page) == (76, 126)
        assert page.bleedbox == page.mediabox
        left, bottom, right, top = (round(float(side) / 72 * 25.4, 1) for side in page.trimbox)
        assert (left, bottom, right, top) == (3.0, 3.0, 73.0, 123.0)
    assert "North-South" in pages[0].extract_text() and "Stops" in pages[1].extract_text()


def _left_of(page: PageObject, wanted: str) -> float:
    found: list[float] = []

    def visit(text: str, outer: list[float], inner: list[float], *_: object) -> None:
        if wanted in text:
            found.append(outer[4] + outer[0] * inner[4])

    page.extract_text(visitor_text=visit)
    return found[0]


# -- sizes and bytes ---------------------------------------------------------------------------


def test_sizes(english: dict[str, bytes]) -> None:
    sheets = PdfReader(io.BytesIO(english["depot.en.pdf"])).pages
    assert [_millimetres(p) for p in sheets] == [(210, 297), (297, 210)], (
        "the second one as the workbook says"
    )
    cards = PdfReader(io.BytesIO(english["depot.en.cards.pdf"])).pages
    assert [_millimetres(p) for p in cards] == [(210, 297)] * 4


def test_other_papers() -> None:
    letter = printed(depot(), Request(languages=("en",), paper=Paper.LETTER))
    sheets = PdfReader(io.BytesIO(letter["depot.en.pdf"])).pages
    assert [_millimetres(p) for p in sheets] == [(216, 279), (279, 216)]
    cards = PdfReader(io.BytesIO(letter["depot.en.cards.pdf"])).pages
    assert [_millimetres(p) for p in cards] == [(216, 279)] * 4


def _millimetres(page: PageObject) -> tuple[int, int]:
    box = page.mediabox
    return round(float(box.width) / 72 * 25.4), round(float(box.height) / 72 * 25.4)


def test_same_bytes_twice(english: dict[str, bytes]) -> None:
    assert printed(depot(), Request(languages=("en",))) == english


def test_date__only_where_given(english: dict[str, bytes]) -> None:
    dated = printed(depot(), Request(languages=("en",), date="18 May 2031"))
    assert "18 May 2031" in text_of(dated["depot.en.pdf"])
    information = PdfReader(io.BytesIO(english["depot.en.pdf"])).metadata
    assert information is not None and "/CreationDate" not in information


def test_accessible(italian: dict[str, bytes]) -> None:
    reader = PdfReader(io.BytesIO(italian["depot.it.pdf"]))
    catalog = reader.trailer["/Root"]
    assert catalog["/Lang"] == "it"
    assert catalog["/MarkInfo"]["/Marked"]
    assert reader.metadata is not None and reader.metadata.title == "Il deposito · Foglio di bordo"
    assert b"pdfuaid" in catalog["/Metadata"].get_data()
    assert {"rossa", "ambra", "verde", "blu"} <= set(_alternatives(catalog["/StructTreeRoot"]))


def _alternatives(node: object) -> list[str]:
    if isinstance(node, list):
        return [alt for kid in node for alt in _alternatives(kid)]
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        return _alternatives(node)
    if not isinstance(node, dict):
        return []
    own = [str(node["/Alt"])] if "/Alt" in node else []
    return own + (_alternatives(node["/K"]) if "/K" in node else [])


def test_pictures__one_for_each_page() -> None:
    names = printed(depot(), Request((Format.PNG,), ("en",)))
    assert list(names) == [
        "depot.en.1.png", "depot.en.2.png",
        "depot.en.cards.1.png", "depot.en.cards.2.png", "depot.en.cards.3.png", "depot.en.cards.4.png",
    ]  # fmt: skip
    assert all(content.startswith(b"\x89PNG") for content in names.values())


# -- what cannot be printed --------------------------------------------------------------------


def refused(ruleset: Ruleset, request: Request) -> Diagnostic:
    files, found = print_files(ruleset, request)
    assert files == ()
    assert found[0].severity is Severity.ERROR
    return found[0]


LONG = "| " + "fragile things come long before all others " * 60


def test_overflow__names_the_card_and_its_longest_table() -> None:
    long = DEPOT.replace("| Fragile before all", LONG)
    found = refused(drawn(long, "depot.xlsx"), Request(languages=("en",)))
    assert found.code == "page-overflow"
    assert found.message.startswith("card `Load` (front) is too full: it needs ")
    assert found.message.endswith(" mm. The longest table is `What to load`")
    assert str(found.where) == "depot.xlsx!Rest!A47"


def test_overflow__names_the_table_that_is_too_wide() -> None:
    """What helps is said, too: a card for each column."""
    names = ", ".join(f"N{n}" for n in range(9))
    far = [f'"Constantinople{n}"' for n in range(9)]
    columns = " | ".join(f"N{n}" for n in range(9))
    text = f"""
Types: w
  name | names
  place | {names}
  kind | first, second

Matrix: far(kind: kind, place: place) -> text ; title en: How far
  key | {" | ".join(["key"] * 9)}
  kind | {columns}
  first | {" | ".join(far)}
  second | {" | ".join(['"Alexandria"'] * 9)}

Pages: aid
  page | size | table
  1 | tarot | far
"""
    found = refused(drawn(text), Request(languages=("en",)))
    assert found.code == "page-overflow"
    assert found.message.startswith("card `1` (front): `How far` is too wide. It needs ")
    assert found.hint == "turn the matrix (rows for columns), or print a card for each of its columns: `for`"


def test_long_rows__go_on_on_the_next_page() -> None:
    wording = "when parcels are weighed " * 900
    long = DEPOT.replace("| when parcels are weighed", "| " + wording)
    pages = pages_of(printed(drawn(long, "depot.xlsx"), Request(languages=("en",)))["depot.en.pdf"])
    assert len(pages) > 3
    assert " ".join(pages).count("weighed") == 900, "nothing is cut"


def test_missing_character__with_its_cell() -> None:
    found = refused(drawn(DEPOT.replace("Nord-Sud", "Nord 🚚"), "depot.xlsx"), Request(languages=("it",)))
    assert found.code == "missing-character"
    assert found.message == "the pages' fonts have no `🚚` (U+1F69A), which stands in `Nord 🚚`"
    assert str(found.where) == "depot.xlsx!Words!B3"


def test_badge_that_cannot_be_drawn() -> None:
    book = DEPOT.replace("red | red | shield | R", "red | reddish | shild | R")
    _, found = print_files(drawn(book, "depot.xlsx"), Request(languages=("en",)))
    assert [d.message for d in found] == [
        "`reddish` is no colour of a badge",
        "`shild` is no shape of a badge",
    ]


def test_no_cards() -> None:
    book = "\n".join(line for line in DEPOT.splitlines() if "| tarot |" not in line)
    assert refused(drawn(book), Request(languages=("en",), purpose=Purpose.BLEED)).code == "no-cards"


def test_table_that_has_no_place_on_a_page() -> None:
    book = DEPOT.replace("| house rules | | | | |", "| state | | | | |")
    found = refused(drawn(book), Request(languages=("en",)))
    assert found.message == "`state` is no table that can be printed"


# -- own styles --------------------------------------------------------------------------------


def own_style(folder: Path, before: str, after: str) -> Path:
    from dtables.pages.paper import TEMPLATES

    styles = folder / "depot.templates"
    styles.mkdir()
    text = (TEMPLATES / "style.typ").read_text(encoding="utf-8")
    assert before in text
    (styles / "style.typ").write_text(text.replace(before, after), encoding="utf-8")
    return styles


def test_own_style__replaces_the_bundled_one(tmp_path: Path, english: dict[str, bytes]) -> None:
    styles = own_style(tmp_path, "#1f3550", "#552a24")
    made = printed(depot(), Request(languages=("en",), styles=styles))
    assert made != english
    assert pages_of(made["depot.en.pdf"]) == pages_of(english["depot.en.pdf"])


def test_own_style__warnings_are_told(tmp_path: Path) -> None:
    styles = own_style(tmp_path, '"Roboto", "DejaVu Sans")', '"Nowhere Sans", "Roboto", "DejaVu Sans")')
    (styles / "styel.typ").write_text("", encoding="utf-8")
    files, found = print_files(depot(), Request(languages=("en",), styles=styles))
    assert files
    assert [(d.code, d.severity) for d in found] == [
        ("unknown-style", Severity.WARNING),
        ("typesetting", Severity.WARNING),
    ]
    assert found[1].message == "unknown font family: nowhere sans"


def test_own_style__mistakes_are_errors(tmp_path: Path) -> None:
    styles = own_style(tmp_path, "#let pale", "#let pael")
    assert refused(depot(), Request(languages=("en",), styles=styles)).code == "typesetting"


def test_long_cells__take_the_width_that_short_ones_leave() -> None:
    """Were all columns as wide, the sentences would need far more lines than a page has."""
    sentence = "call the doctor on duty at once, keep the patient lying down and note the time " * 2
    rows = "\n".join(f'{n} | > {n} | {n} | "{sentence}{n}"' for n in range(1, 21))
    head = "Decision: triage(a: number, b: number) ; policy: first\n"
    head += "if | if | then | then\na | b | minutes | what to do"
    text = f"{head}\n{rows}"
    pages = pages_of(printed(drawn(text), Request(languages=("en",)))["book.en.pdf"])
    assert len(pages) == 1
    assert f"{sentence}20" in pages[0]
