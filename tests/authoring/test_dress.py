"""A dressed copy says what the original says, and is pleasant to work in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest

from dtables.authoring.dressing.dress import dress
from dtables.authoring.dressing.look import INK, MUTED, WHITE, contrast, hue
from dtables.authoring.dressing.map import SUBTITLES
from dtables.workbook.cells import read_workbook
from dtables.workbook.kinds import KINDS
from dtables.workbook.tables import BookText
from tests.support.drawing import write_book

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
    assert sheet["A2"].value == SUBTITLES["en"]
    links = {cell.value: cell.hyperlink.location for (cell,) in sheet["A5:A20"] if cell.hyperlink}
    for table in read.tables:
        where = table.marker.cell.ref
        assert links[f"› {table.name}"] == f"'{where.sheet}'!{where.address}"
        assert book[where.sheet][where.address].value.endswith(table.marker.cell.typed)


def test_dress__map_speaks_the_language_of_the_tables(tmp_path: Path) -> None:
    book, _ = dressed(tmp_path, ITALIAN)
    assert book.sheetnames[0] == "Mappa"
    assert book.worksheets[0]["A2"].value == SUBTITLES["it"]


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


def test_hue__letters_are_read_well_on_it() -> None:
    for kind in KINDS:
        shades = hue(kind.name)
        assert contrast(WHITE, shades.band) >= 4.5, kind.name
        assert contrast(INK, shades.names) >= 7, kind.name
        assert contrast(MUTED, shades.roles) >= 4.3, kind.name


def test_dress__what_is_broken_is_dressed_as_far_as_it_is_understood(tmp_path: Path) -> None:
    broken = (
        "# Sheet: One\nScale: none\n\nTypes: odd\n  of | plus\n  side |\n\nDecision: d\n  if | so\n  x | y\n"
    )
    write_book(broken, tmp_path / "in.xlsx")
    text, found = dress(tmp_path / "in.xlsx", tmp_path / "out.xlsx")
    assert text is not None
    _, again = read_workbook(tmp_path / "out.xlsx")
    assert [d.code for d in again] == [d.code for d in found] != []
