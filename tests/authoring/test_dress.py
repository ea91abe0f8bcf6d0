"""A dressed copy says what the original says, and is pleasant to work in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest

from dtables.authoring.dressing.dress import dress
from dtables.authoring.dressing.look import lines_of
from dtables.workbook.cells import read_workbook
from dtables.workbook.kinds import KINDS
from dtables.workbook.tables import BookText
from tests.support.drawing import write_book
from tests.support.pages import KIND_EXAMPLES

ENGLISH = """
# Sheet: Words
Types: words
  name | names
  side | north, south
  size | small, large

Data: boat ; key: boat
  key | size | boolean | whole number | list of side
  boat | size | fast | weight | may land
  raft | small | no | 2 | north
  ship | large | yes | 40 | north, south

# Sheet: Rules
Decision: fee(b: boat, s: side) -> whole number ; policy: first ; note en: The longer, the dearer.
  # | if | if | then | text en
  # | b.size | s | fee |
  1 | small | - | 1 | small boats
  2a | - | north | 3 | large boats in the north, where the berths are few and the wind is strong
  2b | - | - | 2 | large boats elsewhere

# Sheet: Harbour
Scale: berth(candidates: list of boat) ; decides: yes
  # | prefer | by
  # | |
  1 | highest | weight
  2 | first in each boat | item
"""

ITALIAN = """
# Sheet: Porto
Vocabolari: parole
  nome | nomi
  lato | nord, sud

Dati: barca ; chiave: barca
  chiave | lato | boolean
  barca | lato | veloce
  zattera | nord | no

Scala: ormeggio(barche: list of barca) ; decide: sì
  # | preferisci | per
  # | |
  1 | il più alto | veloce
"""


def dressed(tmp_path: Path, text: str) -> tuple[Any, BookText]:
    """The copy, opened, and what it reads to."""
    write_book(text, tmp_path / "in.xlsx")
    (tmp_path / "out").mkdir()
    _, found = dress(tmp_path / "in.xlsx", tmp_path / "out" / "in.xlsx")
    assert found == ()
    read, found = read_workbook(tmp_path / "out" / "in.xlsx")
    assert read is not None
    assert found == ()
    return openpyxl.load_workbook(tmp_path / "out" / "in.xlsx"), read


def offered(sheet: Any, address: str) -> list[Any]:
    return [v for v in sheet.data_validations.dataValidation if address in v.sqref]


@pytest.mark.parametrize("text", [ENGLISH, ITALIAN], ids=["english", "italian"])
def test_dress__copy_reads_the_same(tmp_path: Path, text: str) -> None:
    _, read = dressed(tmp_path, text)
    original, _ = read_workbook(tmp_path / "in.xlsx")
    assert original is not None
    assert read.tables == original.tables
    assert read.sheets[1:] == original.sheets


def test_dress__source_stays_as_it_is(tmp_path: Path) -> None:
    write_book(ENGLISH, tmp_path / "in.xlsx")
    before = (tmp_path / "in.xlsx").read_bytes()
    dress(tmp_path / "in.xlsx", tmp_path / "out.xlsx")
    assert (tmp_path / "in.xlsx").read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.xlsx", "out.xlsx"]


def test_dress__nothing_is_written_for_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "in.xlsx").write_bytes(b"no workbook")
    text, found = dress(tmp_path / "in.xlsx", tmp_path / "out.xlsx")
    assert text is None
    assert len(found) == 1
    assert not (tmp_path / "out.xlsx").exists()


def test_dress__again_changes_nothing_and_keeps_one_map(tmp_path: Path) -> None:
    book, read = dressed(tmp_path, ENGLISH)
    (tmp_path / "again").mkdir()
    dress(tmp_path / "out" / "in.xlsx", tmp_path / "again" / "in.xlsx")
    again = openpyxl.load_workbook(tmp_path / "again" / "in.xlsx")
    assert again.sheetnames == book.sheetnames == ["Map", "Words", "Rules", "Harbour"]
    for sheet in book.worksheets:
        other = again[sheet.title]
        assert len(other.data_validations.dataValidation) == len(sheet.data_validations.dataValidation)
        assert {k: v.height for k, v in other.row_dimensions.items() if v.height} == {
            k: v.height for k, v in sheet.row_dimensions.items() if v.height
        }
    twice, _ = read_workbook(tmp_path / "again" / "in.xlsx")
    assert twice == read


def test_dress__map_leads_to_every_table(tmp_path: Path) -> None:
    book, read = dressed(tmp_path, ENGLISH)
    sheet = book.worksheets[0]
    assert sheet["A2"].value == "The tables of this workbook; a click on a name leads there."
    links = {cell.value: cell.hyperlink.location for (cell,) in sheet["A5:A20"] if cell.hyperlink}
    for table in read.tables:
        where = table.marker.cell.ref
        assert links[f"› {table.name}"] == f"'{where.sheet}'!{where.address}"
        assert book[where.sheet][where.address].value.endswith(table.marker.cell.typed)


def test_dress__map_speaks_the_language_of_the_tables(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, ITALIAN)
    assert book.sheetnames[0] == "Mappa"
    assert book.worksheets[0]["A2"].value == "Le tabelle di questa cartella; un clic su un nome ci porta."


def test_dress__map_has_the_name_that_the_glossary_gives_the_workbook(tmp_path: Path) -> None:
    glossary = "# Sheet: S\nGlossary: names\n  kind | id | label en\n  term | in | Small boats\n"
    book, _ = dressed(tmp_path, glossary)
    assert book["Map"]["A1"].value == "Small boats"


def test_dress__name_of_the_map_may_be_taken(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, ENGLISH.replace("# Sheet: Harbour", "# Sheet: map"))
    assert book.sheetnames == ["Map 2", "Words", "Rules", "map"]


# -- drop-downs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sheet", "address", "listed", "style"),
    [
        ("Words", "B9", '"small,large"', "stop"),
        ("Words", "C9", '"yes,no"', "stop"),
        ("Words", "E9", '"north,south"', "warning"),
        ("Rules", "C4", '"north,south"', "warning"),
        ("Harbour", "B4", '"yes,no,highest,lowest,first in,last in,scale,first,chance"', "warning"),
    ],
)
def test_dress__drop_down(tmp_path: Path, sheet: str, address: str, listed: str, style: str) -> None:
    book, _ = dressed(tmp_path, ENGLISH)
    (validation,) = offered(book[sheet], address)
    assert (validation.formula1, validation.errorStyle or "stop") == (listed, style)


def test_dress__keyed_data_are_offered_from_their_cells(tmp_path: Path) -> None:
    text = ENGLISH + "\nInput: state\n  field | type\n  boat | boat\n"
    text += "\nExamples: fees ; table: fee\n  given | expect\n  boat | fee\n  raft | 1\n"
    book, read = dressed(tmp_path, text)
    cell = read.tables[-1].rows[0].cells[0].ref
    (validation,) = offered(book[cell.sheet], cell.address)
    assert validation.formula1 == "'Words'!$A$9:$A$10"


def test_dress__cells_under_one_another_share_a_drop_down(tmp_path: Path) -> None:
    """So a row that is put in between has it too."""
    more = "\nData: crew\n  key | side | size\n  crew | side | size\n"
    more += "  a | north | small\n  b | |\n  c | south | small\n"
    more += more.replace("crew", "port").replace("side | size", "side | side").replace("small", "south")
    book, _ = dressed(tmp_path, ENGLISH + more)
    ranges = {v.formula1: str(v.sqref) for v in book["Harbour"].data_validations.dataValidation}
    assert (ranges['"north,south"'], ranges['"small,large"']) == ("B10:B12 B17:B19 C17:C19", "C10:C12")


def test_dress__types_are_offered(tmp_path: Path) -> None:
    text = ENGLISH + "\nRecord: load\n  field | type\n  of | boat\n\nTypes: limits\n  name | of | allowed\n"
    text += "  small number | number | < 10\n\nInput: state\n  field | type\n  boat | boat\n"
    book, read = dressed(tmp_path, text)
    cell = read.tables[-1].rows[0].cells[1].ref
    (validation,) = offered(book[cell.sheet], cell.address)
    offered_types = validation.formula1.strip('"').split(",")
    assert {"number", "text", "side", "size", "boat", "load", "small number"} <= set(offered_types)
    assert validation.errorStyle == "warning"


def test_dress__policy_is_offered_beside_its_word(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, ENGLISH)
    (validation,) = offered(book["Rules"], "B1")
    assert validation.formula1.startswith('"policy: unique,policy: any,')


def test_dress__roles_are_offered(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, ENGLISH)
    (validation,) = offered(book["Harbour"], "B2")
    assert validation.formula1 == '"#,only for,only if,prefer,by,text it,text en,note it,note en"'


def test_dress__numbers_get_no_list(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, ENGLISH)
    assert offered(book["Words"], "D9") == []


# -- help, look, paper -------------------------------------------------------------------------


def test_dress__help_in_the_language_of_the_sheet(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, ENGLISH)
    assert "keeps" in book["Harbour"]["A1"].comment.text
    (tmp_path / "it").mkdir()
    book, read = dressed(tmp_path / "it", ITALIAN)
    marker = read.tables[2].marker.cell.ref
    assert "quali candidati" in book["Porto"][marker.address].comment.text


def test_dress__a_comment_of_the_author_stays(tmp_path: Path) -> None:
    write_book(ENGLISH, tmp_path / "in.xlsx")
    book = openpyxl.load_workbook(tmp_path / "in.xlsx")
    book["Rules"]["A1"].comment = openpyxl.comments.Comment("ask Ada", "Ben")
    book.save(tmp_path / "in.xlsx")
    dress(tmp_path / "in.xlsx", tmp_path / "out.xlsx")
    assert openpyxl.load_workbook(tmp_path / "out.xlsx")["Rules"]["A1"].comment.text == "ask Ada"


def test_dress__text_is_text_and_numbers_stay_numbers(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, ENGLISH)
    assert book["Rules"]["A5"].number_format == "@"
    assert book["Rules"]["D4"].value == 1
    assert book["Rules"]["D4"].number_format == "General"


def test_dress__a_percentage_is_refused_in_the_copy_too(tmp_path: Path) -> None:
    write_book(ENGLISH, tmp_path / "in.xlsx")
    book = openpyxl.load_workbook(tmp_path / "in.xlsx")
    book["Words"]["D9"].value, book["Words"]["D9"].number_format = 0.5, "0%"
    book.save(tmp_path / "in.xlsx")
    _, found = dress(tmp_path / "in.xlsx", tmp_path / "out.xlsx")
    _, again = read_workbook(tmp_path / "out.xlsx")
    assert [d.code for d in found] == [d.code for d in again] != []


def test_dress__a_formula_leaves_what_it_said(tmp_path: Path) -> None:
    write_book(ENGLISH, tmp_path / "in.xlsx")
    book = openpyxl.load_workbook(tmp_path / "in.xlsx")
    book["Words"]["C9"].value = "=TRUE()"
    book.save(tmp_path / "in.xlsx")
    dress(tmp_path / "in.xlsx", tmp_path / "out.xlsx")
    read, _ = read_workbook(tmp_path / "out.xlsx")
    assert read is not None
    assert read.tables[1].rows[0].cells[2].value is True


def test_dress__header_stays_in_sight_and_is_repeated_on_paper(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, ENGLISH)
    assert book["Rules"].freeze_panes == "B4"
    assert book["Rules"].print_title_rows == "$2:$3"
    assert book["Words"].freeze_panes == "B1"
    for sheet in book.worksheets:
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert (sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (1, 0)


LEVELS = """
# Sheet: Rules
Types: words
  name | names
  size | small, large

Settings: sizes ; key: size
  parameter | type | level | level | text en
  | | small | large |
  fee | whole number | 1 | 2 | the fee that a boat of this size pays in the harbour
"""


def test_dress__columns_stand_apart(tmp_path: Path) -> None:
    """Text that fills its column does not run into the next one."""
    for at, text in enumerate((ENGLISH, LEVELS)):
        (tmp_path / str(at)).mkdir()
        book, read = dressed(tmp_path / str(at), text)
        for table in read.tables:
            sheet = book[table.marker.cell.ref.sheet]
            for row in (table.columns[0].role_cell.ref.row, *(row.number for row in table.rows)):
                setting = [sheet.cell(row, column.number).alignment for column in table.columns]
                assert [int(one.indent) for one in setting] == [0, *[1] * (len(setting) - 1)]
                assert {one.horizontal for one in setting[1:]} <= {"left"}
        assert {int(book["Map"].cell(4, column).alignment.indent) for column in range(2, 6)} == {1}


def test_dress__row_of_names_has_one_ground(tmp_path: Path) -> None:
    """Beside the names of levels too, where settings have none."""
    book, read = dressed(tmp_path, LEVELS)
    table = read.tables[1]
    named = next(column.name for column in table.columns if column.name is not None)
    row = [book[named.ref.sheet].cell(named.ref.row, column.number) for column in table.columns]
    assert len({cell.fill.start_color.rgb for cell in row}) == 1
    assert {cell.alignment.horizontal for cell in row} == {"left"}
    assert {cell.border.bottom.style for cell in row} == {"medium"}


def test_dress__a_column_added_since_is_as_wide_as_it_needs(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, "# Sheet: S\nFormulas: a\n  name | is\n  b | 1\n")
    book["S"]["C2"], book["S"]["C3"] = "text it", "una frase"
    book["S"]["D2"], book["S"]["D3"] = "text en", "a wording that is longer than others"
    book.save(tmp_path / "out" / "in.xlsx")
    dress(tmp_path / "out" / "in.xlsx", tmp_path / "again.xlsx")
    columns = openpyxl.load_workbook(tmp_path / "again.xlsx")["S"].column_dimensions
    assert columns["D"].width > 30 and columns["D"].max == 4


def test_dress__lines_of_an_earlier_dressing_go(tmp_path: Path) -> None:
    """Roles have a line under them only where no names stand there."""
    one = "# Sheet: S\nFormulas: a\n  name | is\n  b | 1\n"
    book, _ = dressed(tmp_path, one)
    sheet = book["S"]
    assert sheet["A2"].border.bottom.style == "medium"
    for place, value in {
        "A1": "Decision: a",
        "A2": "if",
        "B2": "then",
        "A3": "true",
        "B3": "c",
        "A4": "-",
        "B4": "1",
    }.items():
        sheet[place].value = value
    book.save(tmp_path / "out" / "in.xlsx")
    dress(tmp_path / "out" / "in.xlsx", tmp_path / "again.xlsx")
    assert openpyxl.load_workbook(tmp_path / "again.xlsx")["S"]["A2"].border.bottom.style is None


def test_dress__what_an_earlier_dressing_repeats_on_paper_goes(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, ENGLISH)
    for row, cell in enumerate(("Formulas: more", "name", "a"), 12):
        book["Rules"].cell(row, 1).value = cell
    book["Rules"]["B13"], book["Rules"]["B14"] = "is", "1"
    book.save(tmp_path / "out" / "in.xlsx")
    dress(tmp_path / "out" / "in.xlsx", tmp_path / "again.xlsx")
    assert openpyxl.load_workbook(tmp_path / "again.xlsx")["Rules"].print_title_rows is None


def test_dress__a_longer_band_of_an_earlier_dressing_goes(tmp_path: Path) -> None:
    long = "Formulas: a name that is so long that its band goes on beside the table"
    text = f"# Sheet: S\n{long}\n  name | is\n  a | 1\n"
    book, _ = dressed(tmp_path, text)
    sheet = book["S"]
    assert sheet["D1"].fill.start_color.rgb != "00000000"
    sheet["A1"].value = "Formulas: short"
    book.save(tmp_path / "out" / "in.xlsx")
    dress(tmp_path / "out" / "in.xlsx", tmp_path / "again.xlsx")
    assert openpyxl.load_workbook(tmp_path / "again.xlsx")["S"]["D1"].fill.start_color.rgb == "00000000"


def test_dress__letters_are_read_well(tmp_path: Path) -> None:
    """Of every kind: how well a colour is read on another is from 1 to 21 (WCAG 2.1)."""
    book, read = dressed(tmp_path, "# Sheet: All\n" + KIND_EXAMPLES.read_text(encoding="utf-8"))
    assert {table.kind for table in read.tables} == {kind.name for kind in KINDS}
    for table in read.tables:
        names = [(column.name, 7.0) for column in table.columns if column.name is not None]
        heads = [(table.marker.cell, 4.3), *((column.role_cell, 4.3) for column in table.columns), *names]
        for cell, least in heads:
            painted = book[cell.ref.sheet][cell.ref.address]
            letters, ground = painted.font.color.rgb[-6:], painted.fill.start_color.rgb[-6:]
            assert contrast(letters, ground) >= least, (table.kind, cell.typed)


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def test_dress__what_is_broken_is_dressed_as_far_as_it_is_understood(tmp_path: Path) -> None:
    broken = (
        "# Sheet: One\nScale: none\n\nTypes: odd\n  of | plus\n  side |\n\nDecision: d\n  if | so\n  x | y\n"
    )
    write_book(broken, tmp_path / "in.xlsx")
    text, found = dress(tmp_path / "in.xlsx", tmp_path / "out.xlsx")
    assert text is not None
    _, again = read_workbook(tmp_path / "out.xlsx")
    assert [d.code for d in again] == [d.code for d in found] != []


# -- links, and where tables are printed -------------------------------------------------------

CITED = """
# Sheet: Rules of play
Decision: fee(size: text) -> number ; source: R-02..R-04, R-9
  # | if | then | note
  # | size | fee | note
  1 | "small" | 1 | R-03
  2 | - | 2 | R-9, R-11
  3 | - | 2 | see R-9

Matrix: ways(season: text) -> list of season ; print: never
  key | value
  season | ways
  "x" | autumn

Types: words
  name | names
  season | spring, autumn

# Sheet: Paper
Pages: aid
  page | size | table | side
  1a | A4 | fee |
  card first | tarot | fee | back

Glossary: words
  kind | id | label en
  term | card first | First
  season | spring | the spring
  season | autumn | Fall
"""


def places(sheet: Any) -> dict[str, str]:
    return {c.value: c.hyperlink.location for row in sheet.rows for c in row if c.hyperlink and c.value}


def test_dress__markers_lead_to_their_lines_of_the_map_and_back(tmp_path: Path) -> None:
    book, read = dressed(tmp_path, CITED)
    overview = book["Map"]
    for table in read.tables:
        where = table.marker.cell.ref
        marker = book[where.sheet][where.address]
        sheet, _, address = marker.hyperlink.location.partition("!")
        assert sheet == "'Map'"
        assert overview[address].hyperlink.location == f"'{where.sheet}'!{where.address}"
        assert (marker.value, marker.number_format) == (table.marker.cell.typed, '@"  ↖"')


def test_dress__a_marker_with_a_property_beside_it_folds_and_its_title_leads_back(tmp_path: Path) -> None:
    marker = "Decision: a decision with a long name ; policy: first"
    rows = "  title en: Fee\n  # | if | then\n  # | age | fee\n  1 | - | 1\n"
    book, _ = dressed(tmp_path, f"# Sheet: S\n{marker}\n{rows}")
    sheet = book["S"]
    assert sheet["A1"].hyperlink is None and sheet["A2"].hyperlink.location == "'Map'!A6"
    assert sheet["A1"].alignment.wrap_text and sheet.row_dimensions[1].height > 30
    assert sheet.column_dimensions["A"].width == 24


def test_dress__a_folded_marker_has_room_for_its_lines(tmp_path: Path) -> None:
    """Three of eighteen points: bold letters, and those of programs without our font, take more room."""
    marker = "Decision: abcdefghijk lmnopqrstu vwxyz ; policy: first"
    book, _ = dressed(tmp_path, f"# Sheet: S\n{marker}\n  # | if | then\n  # | age | fee\n  1 | - | 1\n")
    assert book["S"].row_dimensions[1].height > 22 + 2 * 18


def test_dress__map_says_where_tables_are_printed(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, CITED)
    said = {row[0]: row[4] for row in book["Map"].iter_rows(min_row=5, values_only=True) if row[4]}
    assert said == {"› fee": "face 1a, card «First» (back)", "› ways": "never"}


def test_dress__examples_are_not_printed_where_their_namesake_is(tmp_path: Path) -> None:
    book, _ = dressed(
        tmp_path,
        f"{CITED}\n# Sheet: Tried\nExamples: fee ; table: fee\n  # | given | expect\n  # | s | fee\n",
    )
    said = [(row[0], row[1]) for row in book["Map"].iter_rows(min_row=5, values_only=True) if row[4]]
    assert [kind for name, kind in said if name == "› fee"] == ["· Decision"]


def test_dress__ids_of_rules_lead_to_their_sentences(tmp_path: Path) -> None:
    book, read = dressed(tmp_path, CITED)
    rules = book["Rules"]
    ids = {rules.cell(row, 1).value: f"'Rules'!A{row}" for row in range(5, rules.max_row + 1)}
    assert list(ids) == ["R-02", "R-03", "R-04", "R-9", "R-11"]
    lead = places(book["Rules of play"])
    assert lead["source: R-02..R-04, R-9"] == ids["R-02"]
    assert (lead["R-03"], lead["R-9, R-11"], lead.get("see R-9")) == (ids["R-03"], ids["R-9"], None)
    where = read.tables[0].marker.cell.ref
    assert places(rules) == {"› fee": f"'{where.sheet}'!{where.address}"}


def test_dress__sentences_of_rules_and_further_columns_are_kept(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, CITED)
    rules = book["Rules"]
    assert [rules.cell(4, column).value for column in (1, 2, 3, 4)] == [
        "rule",
        "in English",
        "in Italian",
        "where",
    ]
    rules["B6"], rules["C6"], rules["E4"], rules["E6"] = (
        "=Small boats pay 1.",
        "Le piccole pagano 1.",
        "page",
        12,
    )
    rules["B6"].data_type = "s"
    rules["A12"], rules["C12"] = "R-99", "Nessuno la cita."
    book.save(tmp_path / "out" / "in.xlsx")
    (tmp_path / "again").mkdir()
    dress(tmp_path / "out" / "in.xlsx", tmp_path / "again" / "in.xlsx", "it")
    again = openpyxl.load_workbook(tmp_path / "again" / "in.xlsx")
    assert again.sheetnames == ["Mappa", "Rules of play", "Paper", "Regole"]
    rows = {row[0]: row[1:] for row in again["Regole"].iter_rows(min_row=4, values_only=True)}
    assert rows["regola"] == ("in italiano", "in inglese", "dove", "page")
    assert rows["R-03"] == ("Le piccole pagano 1.", "=Small boats pay 1.", "› fee", 12)
    assert rows["R-99"][:3] == ("Nessuno la cita.", None, None)
    tips = {c.hyperlink.tooltip for row in again["Rules of play"].rows for c in row if c.hyperlink}
    assert "R-03: Le piccole pagano 1." in tips


def test_dress__rules_come_before_their_tests_and_readings(tmp_path: Path) -> None:
    text = "# Sheet: S\nFormulas: a ; source: X-T-01, GT-01, T-10, T-9\n  name | is\n  a | 1\n"
    rules = dressed(tmp_path, text)[0]["Rules"]
    assert [rules.cell(row, 1).value for row in range(5, 9)] == ["T-9", "T-10", "GT-01", "X-T-01"]


def test_dress__sentences_of_rules_may_stand_in_a_table(tmp_path: Path) -> None:
    cases = "Cases: readings ; print: never\n  key | text it | text en\n  R-03 | Una lettura. | A reading.\n"
    book, read = dressed(tmp_path, f"{CITED}\n# Sheet: Readings\n{cases}")
    rules = book["Rules"]
    assert [rules.cell(6, column).value for column in (1, 2, 3)] == ["R-03", "A reading.", "Una lettura."]
    key = read.tables[-1].rows[0].cells[0].ref
    assert rules["D6"].hyperlink.location == f"'Readings'!{key.address}"


def test_dress__a_sentence_that_begins_as_a_table_stands_behind_a_sign(tmp_path: Path) -> None:
    book, read = dressed(tmp_path, CITED)
    book["Rules"]["B5"], book["Rules"]["B6"] = "Example: small boats.", "Small boats: 1."
    book.save(tmp_path / "out" / "in.xlsx")
    (tmp_path / "again").mkdir()
    for source, target in (("out", "again"), ("again", "out")):
        dress(tmp_path / source / "in.xlsx", tmp_path / target / "in.xlsx")
        again, found = read_workbook(tmp_path / target / "in.xlsx")
        assert again is not None and (again.tables, found) == (read.tables, ())
        rules = openpyxl.load_workbook(tmp_path / target / "in.xlsx")["Rules"]
        assert [rules["B5"].value, rules["B6"].value] == ["› Example: small boats.", "Small boats: 1."]


def test_dress__no_rules_no_sheet(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, ENGLISH)
    assert book.sheetnames == ["Map", "Words", "Rules", "Harbour"]


# -- what is shown, folds, is locked -----------------------------------------------------------


def test_dress__matrices_show_labels_beside_names(tmp_path: Path) -> None:
    """Where they say more; what the cells hold stays the name."""
    book, read = dressed(tmp_path, CITED)
    sheet = book["Rules of play"]
    shown = {
        (rule.formula[0], rule.dxf.numFmt.formatCode): str(found.sqref)
        for found in sheet.conditional_formatting
        for rule in found.rules
    }
    (cell,) = (row.cells[1] for row in read.tables[1].rows)
    assert shown == {
        ('"spring"', '@"  · the spring"'): cell.ref.address,
        ('"autumn"', '@"  · Fall"'): cell.ref.address,
    }
    assert cell.typed == "autumn"


def test_dress__markers_and_roles_are_locked_and_nothing_else(tmp_path: Path) -> None:
    book, read = dressed(tmp_path, CITED)
    for sheet in book.worksheets[1:-1]:
        assert sheet.protection.sheet and not sheet.protection.password
        assert not (sheet.protection.insertRows or sheet.protection.deleteRows or sheet.protection.sort)
    locked = {
        (sheet.title, cell.coordinate)
        for sheet in book.worksheets[1:-1]
        for cell in sheet._cells.values()
        if cell.protection.locked
    }
    heads = (c for t in read.tables for c in (t.marker.cell, *(one.role_cell for one in t.columns)))
    assert locked == {(cell.ref.sheet, cell.ref.address) for cell in heads}
    last = max(d.max for d in book["Paper"].column_dimensions.values())
    assert last == 16_384
    assert all(not d.protection.locked for d in book["Paper"].column_dimensions.values())


def test_dress__what_an_author_locks_with_a_password_stays_so(tmp_path: Path) -> None:
    write_book(ENGLISH, tmp_path / "in.xlsx")
    book = openpyxl.load_workbook(tmp_path / "in.xlsx")
    book["Rules"].protection.set_password("x")
    book["Rules"].protection.sheet = True
    book.save(tmp_path / "in.xlsx")
    dress(tmp_path / "in.xlsx", tmp_path / "out.xlsx")
    out = openpyxl.load_workbook(tmp_path / "out.xlsx")["Rules"]
    assert out.protection.password and out.protection.insertRows
    assert out["D5"].protection.locked


def test_dress__notes_and_examples_fold(tmp_path: Path) -> None:
    tried = 'Examples: fees ; table: fee\n  # | given | expect\n  # | size | fee\n  1 | "a" | 2\n'
    text = f"{CITED}\n# Sheet: Tried\n{tried}"
    book, read = dressed(tmp_path, text)
    assert book["Rules of play"].column_dimensions["D"].outlineLevel == 1
    assert book["Rules of play"].column_dimensions["C"].outlineLevel == 0
    (row,) = read.tables[-1].rows
    levels = {n: d.outlineLevel for n, d in book["Tried"].row_dimensions.items() if d.outlineLevel}
    assert levels == {row.number: 1}
    assert not book["Tried"].sheet_properties.outlinePr.summaryBelow


def test_dress__wide_data_are_narrow_and_keep_their_keys_in_sight(tmp_path: Path) -> None:
    kinds = " | ".join(["key", *["whole number"] * 28])
    names = " | ".join(["card", *(f"cost.gold {n}" for n in range(28))])
    text = f"# Sheet: Cards\nData: card ; key: card\n{kinds}\n{names}\nlumber_yard | 1 | 2\n"
    book, _ = dressed(tmp_path, text)
    sheet = book["Cards"]
    assert sheet.freeze_panes == "B4"
    assert sheet.column_dimensions["A"].width > len("lumber_yard")
    assert {sheet.column_dimensions[letter].width for letter in "CDEFGH"} == {10.5}
    assert sheet["C3"].alignment.wrap_text and sheet.row_dimensions[3].height > 15
    assert (sheet.page_setup.orientation, sheet.page_setup.paperSize) == ("landscape", 8)


def wide(columns: int, tables: int) -> str:
    """Examples of so many columns."""
    names = [f"a_name_it_has_{n}" for n in range(columns)]
    row = " | ".join("a_value_it_has" for _ in names)
    lines = [
        "# Sheet: S",
        "Input: state",
        "  field | type",
        *(f"  {name} | text" for name in names),
        "",
        "# Sheet: E",
    ]
    for number in range(tables):
        lines += [
            f"Examples: those of a long name, the {number}th",
            "  # | " + " | ".join("given" for _ in names),
            "  # | " + " | ".join(names),
            f"  1 | {row}",
            "",
        ]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("columns", "tables", "pages", "repeated"), [(17, 2, 1, None), (30, 2, 2, None), (30, 1, 2, "$A:$A")]
)
def test_dress__no_marker_is_repeated_in_part_on_paper(
    tmp_path: Path, columns: int, tables: int, pages: int, repeated: str | None
) -> None:
    """Nor does a column or two go onto a page of their own."""
    book, _ = dressed(tmp_path, wide(columns, tables))
    assert (book["E"].page_setup.fitToWidth or 1, book["E"].print_title_cols) == (pages, repeated)


def test_dress__a_long_list_is_offered_from_a_hidden_sheet(tmp_path: Path) -> None:
    """Its names stand in a row, so that nothing there reads like a table."""
    names = ", ".join(f"name number {n}" for n in range(40))
    text = f"# Sheet: S\nTypes: words\n  name | names\n  long | {names}\n"
    text += "\nInput: state\n  field | type\n  x | long\n"
    text += "\nExamples: some ; table: f\n  given | expect\n  x | f\n  name number 1 | 1\n"
    text += "\nFormulas: f\n  name | type | is\n  f | number | 1\n"
    book, read = dressed(tmp_path, text)
    cell = next(t for t in read.tables if t.kind == "examples").rows[0].cells[0].ref
    (validation,) = offered(book["S"], cell.address)
    sheet, _, area = validation.formula1.replace("$", "").partition("!")
    assert (sheet, book["Lists"].sheet_state) == ("'Lists'", "hidden")
    assert [c.value for c in book["Lists"][area][0]] == [f"name number {n}" for n in range(40)]


def test_dress__tables_are_not_torn_apart_on_paper(tmp_path: Path) -> None:
    rows = "\n".join(f"  {n} | 1" for n in range(30))
    text = "# Sheet: S\n" + "\n\n".join(
        f"Decision: d{n}(a: number)\n  if | then\n  a | x\n{rows}" for n in range(3)
    )
    book, read = dressed(tmp_path, text)
    tops = [table.marker.cell.ref.row - 1 for table in read.tables]
    assert [one.id for one in book["S"].row_breaks.brk] == tops[1:]


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 10.0, 1),
        ("one two", 10.0, 1),
        ("one_longer and_another more", 10.0, 3),
        ("one\ntwo", 10.0, 2),
        ("a_name_of_twenty_six_letters_", 10.0, 3),
        ("a_name_of_twenty_six_letters_ then", 10.0, 4),
    ],
)
def test_lines__fold_between_words(text: str, width: float, lines: int) -> None:
    """A column of this width has room for eleven letters."""
    assert lines_of(text, width) == lines


def test_dress__no_row_is_taller_than_a_row_can_be(tmp_path: Path) -> None:
    text = (
        "# Sheet: S\nDecision: d(a: text)\n  if | then | text en\n  a | x | text\n  - | 1 | "
        + "many words " * 400
    )
    book, _ = dressed(tmp_path, text)
    assert max(d.height or 0 for d in book["S"].row_dimensions.values()) <= 409
    assert book["S"].column_dimensions["C"].width * 409 / 13.5 * 1.25 > 11 * 400


@pytest.mark.parametrize("language", [None, "it", "en"])
@pytest.mark.parametrize("text", [ENGLISH, ITALIAN, CITED], ids=["english", "italian", "cited"])
def test_dress__twice_makes_the_same_bytes(tmp_path: Path, text: str, language: str | None) -> None:
    for folder in ("in", "once", "twice"):
        (tmp_path / folder).mkdir()
    write_book(text, tmp_path / "in" / "book.xlsx")
    dress(tmp_path / "in" / "book.xlsx", tmp_path / "once" / "book.xlsx", language)
    dress(tmp_path / "once" / "book.xlsx", tmp_path / "twice" / "book.xlsx", language)
    assert (tmp_path / "once" / "book.xlsx").read_bytes() == (tmp_path / "twice" / "book.xlsx").read_bytes()


def test_dress__help_has_the_words_of_the_table_in_the_language_of_the_workbook(tmp_path: Path) -> None:
    book, _ = dressed(
        tmp_path, ENGLISH.replace("note en: The", "note it: Più ; note en: The").replace("text en", "text it")
    )
    assert book.sheetnames[0] == "Mappa"
    assert "prefer: quali candidati la riga tiene (yes, no," in book["Harbour"]["A1"].comment.text
