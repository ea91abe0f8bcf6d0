"""A workbook that LibreOffice has saved says what it said before."""

from __future__ import annotations

import subprocess
from pathlib import Path

import openpyxl
import pytest

from dtables.workbook.cells import read_workbook
from tests.support.drawing import write_book
from tests.support.missing import needs_libreoffice
from tests.support.tables_as_text import book_as_text
from tests.support.thinned import swept

TABLES = Path(__file__).parents[2] / "tables"


def saved_by_libreoffice(path: Path, folder: Path) -> Path:
    needs_libreoffice()
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    convert = ["--headless", "--convert-to", "xlsx", "--outdir", str(folder / "out"), str(path)]
    subprocess.run(["soffice", profile, *convert], check=True, capture_output=True, timeout=120)
    return folder / "out" / path.name


@pytest.mark.parametrize("path", swept(sorted(TABLES.glob("[!.~]*.xlsx"))), ids=lambda path: path.stem)
def test_read_workbook__a_whole_workbook_after_libreoffice(path: Path, tmp_path: Path) -> None:
    assert read_workbook(saved_by_libreoffice(path, tmp_path)) == read_workbook(path)


def test_read_workbook__the_same_after_libreoffice(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    write_book(
        "# Sheet: Uno\nDecisione: d(x: number) ; regola: prima\n # | se | allora | testo it\n # | x | y |\n"
        " 1 | [1..4] | 0.5 | «uno» – città\n 2 | 3-4-5 | 3 > 4 |\n 3 | - | TRUE |\n 4 | 1e3 | 3/4 |\n"
        " 5 | #N/A | 12 |\n 6 | = rossa | 007 |\n\n# Sheet: Due è\nTypes: t\n name | names\n x | a,⏎b\n",
        path,
    )
    book = openpyxl.load_workbook(path)
    book["Uno"]["C6"] = True
    book["Uno"]["B8"] = "#N/A"
    book["Uno"].row_dimensions[5].hidden = True
    book["Uno"].merge_cells("A1:A1")
    book.create_sheet("Hidden").append(["Types: h"])
    book["Hidden"].append(["name"])
    book["Hidden"].append(["x"])
    book["Hidden"].sheet_state = "hidden"
    book.save(path)
    ours, theirs = read_workbook(path), read_workbook(saved_by_libreoffice(path, tmp_path))
    assert ours[0] and theirs[0]
    assert book_as_text(ours[0]) == book_as_text(theirs[0])
    assert ours == theirs
    assert len(ours[1]) == 3
    assert [d.where.cell.sheet for d in ours[1] if d.code == "hidden-sheet"] == ["Hidden"]
