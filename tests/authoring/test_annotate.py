"""A copy with what was found in it; the workbook is as it was, and so is what its author put there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest
from click.testing import CliRunner, Result
from openpyxl.comments import Comment
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import PatternFill

from dtables.authoring.annotating import MARK, SIGN, TITLE
from dtables.cli import main
from dtables.workbook.cells import read_workbook
from tests.support.drawing import write_book

FEES = """
# Sheet: Fees
Decision: fee(age: number) -> number
if | then
age |
< 12 | 5
> 12 | 8

Decision: other(age: number) -> number
if | then
age |
- | eight

Examples: fees ; table: fee
given | expect
age | fee
10 | 6
"""
SOUND = FEES.replace("eight", "8").replace("> 12", ">= 12").replace("10 | 6", "10 | 5")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    place = tmp_path / "fees.xlsx"
    write_book(FEES, place)
    return place


def annotated(book: Path, *options: str) -> tuple[Result, Any]:
    copy = book.with_name("copy.xlsx")
    result = CliRunner().invoke(main, ["annotate", str(book), "-o", str(copy), *options])
    return result, openpyxl.load_workbook(copy) if copy.exists() else None


def test_annotate__comments_marks_and_links(book: Path) -> None:
    before = book.read_bytes()
    result, copy = annotated(book)
    assert result.exit_code == 0
    assert result.stdout == f"{book.with_name('copy.xlsx')}: 1 error\n"
    assert book.read_bytes() == before
    sheet = copy["Fees"]
    assert sheet["B10"].comment.text.startswith(f"{SIGN}\nerror: ")
    assert [str(found.sqref) for found in sheet.conditional_formatting] == ["B10"]
    listed = copy[TITLE]
    assert copy.active is listed
    assert [cell.value for cell in listed[5]][:3] == ["› Fees B10", "error", "unknown-name"]
    assert listed["A5"].hyperlink.location == "'Fees'!B10"


def test_annotate__what_is_proved_and_tried(book: Path) -> None:
    write_book(FEES.replace("eight", "8"), book)
    _, copy = annotated(book, "--test")
    listed = [[cell.value for cell in row][:3] for row in copy[TITLE].iter_rows(min_row=5)]
    assert listed == [["› Fees A1", "warning", "gap"], ["› Fees B15", "error", "example"]]
    assert "example: age = 12" in copy["Fees"]["A1"].comment.text


def test_annotate__says_the_same_as_its_original(book: Path) -> None:
    annotated(book, "--notes")
    texts = [read_workbook(place)[0] for place in (book, book.with_name("copy.xlsx"))]
    assert texts[0] is not None and texts[1] is not None
    assert [t.rows for t in texts[0].tables] != []
    assert len(texts[1].tables) == len(texts[0].tables)
    assert [[c.code for row in t.rows for c in row.cells] for t in texts[0].tables] == [
        [c.code for row in t.rows for c in row.cells] for t in texts[1].tables
    ]


def test_annotate__what_the_author_put_there_stays(book: Path) -> None:
    opened = openpyxl.load_workbook(book)
    sheet = opened["Fees"]
    sheet["B10"].comment = Comment("ask Anna", "Bob")
    sheet["B10"].fill = PatternFill("solid", start_color="00FF00", end_color="00FF00")
    own = FormulaRule(formula=["B4>6"], fill=PatternFill("solid", end_color="0000FF"))
    sheet.conditional_formatting.add("B4:B5", own)
    sheet.merge_cells("D1:E1")
    opened.save(book)
    _, copy = annotated(book)
    cell = copy["Fees"]["B10"]
    assert cell.comment.text.startswith(f"ask Anna\n{SIGN}\nerror: ")
    assert cell.fill.start_color.rgb == "0000FF00"
    rules = [(str(f.sqref), r.formula) for f in copy["Fees"].conditional_formatting for r in f.rules]
    assert sorted(rules) == [("B10", [MARK]), ("B4:B5", ["B4>6"])]


def test_annotate__a_copy_of_a_copy_has_its_own_findings_only(book: Path) -> None:
    opened = openpyxl.load_workbook(book)
    opened["Fees"]["B10"].comment = Comment("ask Anna", "Bob")
    opened.save(book)
    annotated(book)
    first = openpyxl.load_workbook(book.with_name("copy.xlsx"))
    first["Fees"]["B10"].value = 8
    first["Fees"]["A5"].value = ">= 12"
    first.save(book)
    result, copy = annotated(book)
    assert result.stdout.endswith("no problems\n")
    assert copy.sheetnames == [TITLE, "Fees"]
    assert copy["Fees"]["B10"].comment.text == "ask Anna"
    assert list(copy["Fees"].conditional_formatting) == []


def test_annotate__nothing_found(book: Path) -> None:
    write_book(SOUND, book)
    result, copy = annotated(book)
    assert result.exit_code == 0 and result.stdout.endswith("no problems\n")
    assert copy[TITLE].max_row == 4
    assert CliRunner().invoke(main, ["check", str(book.with_name("copy.xlsx"))]).exit_code == 0


def test_annotate__notes_say_what_no_example_reaches(book: Path) -> None:
    write_book(SOUND, book)
    result, copy = annotated(book, "--notes")
    listed = [[cell.value for cell in row][:3] for row in copy[TITLE].iter_rows(min_row=5)]
    assert listed == [["› Fees A1", "note", "no-example"], ["› Fees A7", "note", "no-example"]]
    assert result.stdout.endswith(": 2 notes\n")


def test_annotate__misuse(book: Path) -> None:
    same = CliRunner().invoke(main, ["annotate", str(book), "-o", str(book)])
    assert same.exit_code == 2
    book.write_bytes(b"nothing")
    result, copy = annotated(book)
    assert result.exit_code == 1 and copy is None and "not-a-workbook" in result.stderr


@pytest.mark.parametrize("command", ["annotate", "dress"])
def test_what_is_read_and_cannot_be_written_anew(book: Path, command: str) -> None:
    """A font is nothing to a check; a copy would have to have it."""
    with ZipFile(book) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(book, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, re.sub(rb"<sz [^>]*>", b'<sz val="large"/>', content))
    assert read_workbook(book)[0] is not None
    copy = book.with_name("copy.xlsx")
    result = CliRunner().invoke(main, [command, str(book), "-o", str(copy)])
    assert result.exit_code == 1 and "its parts contradict each other" in result.stderr
    assert not copy.exists()
