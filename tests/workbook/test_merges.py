"""Merged cells are one cell, however the file says it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl
import pytest

from dtables.workbook.cells import read_sheets, read_workbook

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
def test_what_they_cover_is_not_there(book: Path, old: bytes, new: bytes) -> None:
    sheets, _ = read_sheets(changed(book, old, new))
    assert sheets is not None
    for sheet in sheets:
        assert [(merge.first, merge.last) for merge in sheet.merges] == [
            ((1, 5), (1, 7)), ((2, 2), (3, 3)), ((5, 1), (9, 1)),
        ]  # fmt: skip
        covered = {at for merge in sheet.merges for at in merge.positions() if at != merge.first}
        every = {(row, column) for row in range(1, 10) for column in range(1, 8)}
        assert sheet.cells.keys() == every - covered


def test_an_area_off_the_sheet_is_damage(book: Path) -> None:
    _, found = read_workbook(changed(book, b'ref="A5:A9"', b'ref="A9:A5"'))
    assert [d.code for d in found] == ["damaged"]
