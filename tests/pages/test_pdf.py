"""Paper: what stands on it is what stands in the cells, all of it fits, and it is the same every time."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader

from dtables.diagnostics import Diagnostic, Severity
from dtables.model.tables import Ruleset
from dtables.pages.document import Paper
from dtables.pages.files import Format, Request, print_files
from tests.pages.books import DEPOT, depot, drawn
from tests.pages.pdf_text import pages_of, text_of


def printed(ruleset: Ruleset, request: Request) -> dict[str, bytes]:
    files, found = print_files(ruleset, request)
    assert not found, found
    return {file.name: file.content for file in files}


@pytest.fixture(scope="module")
def english() -> dict[str, bytes]:
    return printed(depot(), Request(languages=("en",)))


@pytest.fixture(scope="module")
def italian() -> dict[str, bytes]:
    return printed(depot(), Request(languages=("it",)))


# -- what stands there -------------------------------------------------------------------------


def test_first_sheet__steps_in_order(english: dict[str, bytes]) -> None:
    page = pages_of(english["depot.en.pdf"])[0]
    assert (
        "What to load chance breaks ties Rules!A1:G8 "
        "1 IF late Fragile before all "
        "2 Highest weight "
        "3 First: not fragile "
        "4 Colour in this order: blue › red › green › amber "
        "5 By chance "
        "Toll the first row that fits counts Rules!A10:F15 "
        "1 IF weight > 10 5 "
        "2 Green or blue, light 3 "
        "3 Otherwise 1 "
        "Shift Rules!A17:C22 "
        "Route Season Shift "
        "North-South, South-North summer early "
        "North-South, South-North winter late "
        "East-West, West-East – split "
        "Weather Rest!A11:D15 2d6 outcome odds 2–5 cold 5/18 28 % 6–12 warm 13/18 72 %"
    ) in page


def test_first_sheet__in_italian(italian: dict[str, bytes]) -> None:
    page = pages_of(italian["depot.it.pdf"])[0]
    for part in (
        "Il deposito Foglio di bordo rossa ambra verde blu",
        "1 SE in ritardo Fragile prima di tutto 2 Maggior peso 3 Prima: non fragile",
        "4 Colore in quest'ordine: blu › rossa › verde › ambra 5 A caso",
        "2 Verde o blu, leggera 3 3 Altrimenti 1",
    ):
        assert part in page


def test_second_sheet__every_cell_of_the_grid(english: dict[str, bytes]) -> None:
    page = pages_of(english["depot.en.pdf"])[1]
    assert (
        "Read only your column NS North-South SN South-North EW East-West WE West-East "
        "The colours Rules!A24:E30 1 red 2 green blue amber amber 3 blue green blue green "
        "4 amber amber green blue "
        "Bays Rules!A32:E36 small 1 › 2 › 3 large 1 › 2 › 3 3 › 2 › 1 1 › 2 › 3 2 › 1 › 3 "
    ) in page
    for part in (
        "Gate Rules!A38:B44 North-South A South-North B East-West C West-East D",
        "Levels Rest!A1:E5 easy normal hard Stops a day 8 8 12 Night runs – ● ●",
        "Van 4 – Lorry 12 ●",
        "when parcels are weighed WEIGH ALWAYS NEVER, ONCE",
        "Heavy parcels: parcels with weight > 10 Count heavy: number of heavy parcels",
    ):
        assert part in page


def test_cells_print_as_typed(english: dict[str, bytes]) -> None:
    page = pages_of(english["depot.en.pdf"])[1]
    assert "North-South 12 #import x * @b $y$ 15 Two * three * four East-West 7 Mill" in page


def test_cards__resolve_what_setup_fixes(english: dict[str, bytes]) -> None:
    fronts, backs, alone = pages_of(english["depot.en.cards.pdf"])
    assert "South-North Route Colours red › blue › green › amber " in fronts
    assert "Bays small 1 › 2 › 3 large 3 › 2 › 1 " in fronts
    assert fronts.count("IF season: summer early IF season: winter late") == 2
    assert fronts.count("Shift split") == 2
    assert "East-West Route Stops Minutes Name 7 Mill" in backs
    assert "South-North" not in backs, "nothing of the table is for that name"
    assert alone.startswith("What to load")
    assert all("50 mm · print at 100 %, flip on the long edge" in page for page in (fronts, backs, alone))


def test_backs_are_mirrored(english: dict[str, bytes]) -> None:
    fronts, backs, _ = PdfReader(io.BytesIO(english["depot.en.cards.pdf"])).pages
    middle = float(fronts.mediabox.width) / 2
    assert _left_of(fronts, "North-South") < middle < _left_of(backs, "North-South")


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
    assert [_millimetres(p) for p in sheets] == [(297, 210)] * 2, "both lie alike"
    cards = PdfReader(io.BytesIO(english["depot.en.cards.pdf"])).pages
    assert [_millimetres(p) for p in cards] == [(210, 297)] * 3


def test_other_papers() -> None:
    letter = printed(depot(), Request(languages=("en",), paper=Paper.LETTER))
    assert [_millimetres(p) for p in PdfReader(io.BytesIO(letter["depot.en.pdf"])).pages] == [
        (279, 216),
        (279, 216),
    ]
    tarot = printed(depot(), Request(languages=("en",), paper=Paper.TAROT))
    assert list(tarot) == ["depot.en.cards.pdf"]
    pages = PdfReader(io.BytesIO(tarot["depot.en.cards.pdf"])).pages
    assert [_millimetres(p) for p in pages] == [(70, 120)] * 7


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
        "depot.en.cards.1.png", "depot.en.cards.2.png", "depot.en.cards.3.png",
    ]  # fmt: skip
    assert all(content.startswith(b"\x89PNG") for content in names.values())


# -- what cannot be printed --------------------------------------------------------------------


def refused(ruleset: Ruleset, request: Request) -> Diagnostic:
    files, found = print_files(ruleset, request)
    assert files == ()
    assert found[0].severity is Severity.ERROR
    return found[0]


def test_overflow__names_the_card() -> None:
    long = DEPOT.replace("| *Fragile* before all", "| " + "fragile things come long before all others " * 60)
    found = refused(drawn(long, "depot.xlsx"), Request(languages=("en",)))
    assert found.code == "page-overflow"
    assert found.message == "card `Load` (front) does not fit the card, even in the smallest type"
    assert str(found.where) == "depot.xlsx!Rest!A47"


def test_overflow__names_the_table_of_a_sheet() -> None:
    long = DEPOT.replace("| when parcels are weighed", "| " + "when parcels are weighed " * 900)
    found = refused(drawn(long, "depot.xlsx"), Request(languages=("en",)))
    assert found.message == "`House rules` on page 2 does not fit a4, even in the smallest type"
    assert str(found.where) == "depot.xlsx!Rest!A7:E9"


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
    assert refused(drawn(book), Request(languages=("en",), paper=Paper.TAROT)).code == "no-cards"


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
    styles = own_style(tmp_path, "#243a55", "#552a24")
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
