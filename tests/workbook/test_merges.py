"""Merged cells read apart are the merged cells that the spreadsheet library reads."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest

from dtables.workbook import cells
from dtables.workbook.cells import Apart, merges_apart
from dtables.workbook.tables import Sheet
from tests.support.limits import limited

AREAS = ("B2:C3", "A5:A9", "E1:G1")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    made = openpyxl.Workbook()
    for name in ("Rules & more", "Second"):
        sheet = made.create_sheet(name)
        for row in range(1, 10):
            sheet.append([f"{name} {row} {column}" for column in range(1, 8)])
        for area in AREAS:
            sheet.merge_cells(area)
    made.remove(made.worksheets[0])
    made.save(tmp_path / "book.xlsx")
    return tmp_path / "book.xlsx"


def sheets(path: Path, monkeypatch: pytest.MonkeyPatch, apart: Callable[[bytes], Apart]) -> list[Sheet]:
    met: list[Sheet] = []
    with monkeypatch.context() as patched:
        patched.setattr(cells, "merges_apart", apart)
        patched.setattr(cells, "book_of", lambda _name, found, _more: (met.extend(found), ()))
        cells.read_workbook(path)
    return met


def changed(path: Path, old: bytes, new: bytes) -> Path:
    with zipfile.ZipFile(path) as given:
        parts = {name: given.read(name) for name in given.namelist()}
    assert any(old in part for part in parts.values())
    with zipfile.ZipFile(path, "w") as made:
        for name, part in parts.items():
            made.writestr(name, part.replace(old, new))
    return path


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"</sheetData>", b"</sheetData>"),
        (b'<c r="D2"', b'<c r="C2"><v>7</v></c><c r="D2"'),
        (b"<mergeCells", b"<!-- odd --><mergeCells"),
        (b'<mergeCell ref="B2:C3"', b'<mergeCell  ref="B2:C3"'),
        (b"/xl/worksheets/sheet1.xml", b"worksheets/sheet1.xml"),
    ],
)
def test_merges_apart__reads_the_same(
    book: Path, monkeypatch: pytest.MonkeyPatch, old: bytes, new: bytes
) -> None:
    path = changed(book, old, new)
    wanted = sheets(path, monkeypatch, lambda content: Apart(content, {}))
    assert sheets(path, monkeypatch, merges_apart) == wanted
    assert [len(sheet.merges) for sheet in wanted] == [3, 3]


def test_merges_apart__what_it_takes_is_gone(book: Path) -> None:
    apart = merges_apart(book.read_bytes())
    assert set(apart.merges) == {"Rules & more", "Second"}
    left = openpyxl.load_workbook(BytesIO(apart.content))
    assert [list(sheet.merged_cells.ranges) for sheet in left.worksheets] == [[], []]


def test_merges_apart__nothing_is_copied_without_need(book: Path) -> None:
    content = book.read_bytes()
    with limited(merges_bytes=1_000):
        assert merges_apart(content).content is content
    assert merges_apart(content).content is not content
    plain = changed(book, b"mergeCell", b"noMerges").read_bytes()
    assert merges_apart(plain).content is plain


def test_an_area_off_the_sheet_is_damage(book: Path) -> None:
    _, found = cells.read_workbook(changed(book, b'ref="A5:A9"', b'ref="A9:A5"'))
    assert [d.code for d in found] == ["damaged"]
