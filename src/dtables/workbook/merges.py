"""Merged cells, read apart: the spreadsheet library makes a formatted cell of each that they cover."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from posixpath import join, normpath
from xml.etree import ElementTree

from openpyxl.worksheet.cell_range import CellRange

from dtables.workbook.cells import Merge, Position

_WORKBOOK, _LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}sheet"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_ELEMENT = re.compile(rb"<mergeCells\b[^>]*>(.*?)</mergeCells>", re.DOTALL)
_AREA = re.compile(rb'<mergeCell ref="([A-Z0-9:]+)"\s*/>')
_ODD = (b"<!--", b"<![CDATA[")


@dataclass(frozen=True, slots=True)
class Apart:
    """A workbook without merged cells, and by sheet those that were in it."""

    content: bytes
    merges: Mapping[str, tuple[Merge, ...]]


def merges_apart(content: bytes) -> Apart:
    """Where a sheet says it in another way than spreadsheets do, its merged cells stay where they are."""
    found: dict[str, tuple[Merge, ...]] = {}
    stream = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as given, zipfile.ZipFile(stream, "w") as made:
        names = set(given.namelist())
        if not {_WORKBOOK, _LINKS} <= names or len(names) < len(given.namelist()):
            return Apart(content, {})
        sheets = _sheets(given)
        for name in given.namelist():
            part = given.read(name)
            if name in sheets:
                part, found[sheets[name]] = _without(part)
            made.writestr(zipfile.ZipInfo(name), part)
    return Apart(stream.getvalue(), found)


def _sheets(archive: zipfile.ZipFile) -> dict[str, str]:
    """The sheets' names by their parts."""
    links = ElementTree.fromstring(archive.read(_LINKS))
    parts = {link.get("Id"): normpath(join("/xl", link.get("Target", ""))).lstrip("/") for link in links}
    sheets = ElementTree.fromstring(archive.read(_WORKBOOK)).iter(_SHEET)
    return {parts[sheet.get(_ID)]: sheet.get("name", "") for sheet in sheets if sheet.get(_ID) in parts}


def _without(part: bytes) -> tuple[bytes, tuple[Merge, ...]]:
    """They stand behind the rows."""
    rows, end, behind = part.rpartition(b"</sheetData>")
    element = _ELEMENT.search(behind)
    if not end or element is None or any(odd in behind for odd in _ODD):
        return part, ()
    areas = _AREA.findall(element[1])
    if _AREA.sub(b"", element[1]).strip():
        return part, ()
    merges = tuple(sorted((_merge(area.decode()) for area in areas), key=_place))
    return rows + end + behind[: element.start()] + behind[element.end() :], merges


def _merge(area: str) -> Merge:
    found = CellRange(area)
    return Merge((found.min_row, found.min_col), (found.max_row, found.max_col))


def _place(merge: Merge) -> tuple[Position, Position]:
    return merge.first, merge.last
