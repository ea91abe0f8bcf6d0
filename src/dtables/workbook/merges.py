"""Merged cells, read apart: the spreadsheet library makes a formatted cell of each that they cover."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO

from openpyxl.worksheet.cell_range import CellRange

from dtables.workbook.cells import Merge
from dtables.workbook.package import sheets_of

_ELEMENT = re.compile(rb"<mergeCells\b[^>]*>(.*?)</mergeCells>", re.DOTALL)
_AREA = re.compile(rb'<mergeCell ref="([A-Z0-9:]+)"\s*/>')
MOST_BYTES = 32 * 1024 * 1024
"""Unpacked."""
_ODD = (b"<!--", b"<![CDATA[")


@dataclass(frozen=True, slots=True)
class Apart:
    """A workbook without merged cells, and by sheet those that were in it."""

    content: bytes
    merges: Mapping[str, tuple[Merge, ...]]


def merges_apart(content: bytes) -> Apart:
    """Where a sheet says it in another way than spreadsheets do, its merged cells stay where they are; so do
    those of very large workbooks, which would be held twice."""
    with zipfile.ZipFile(BytesIO(content)) as given:
        if sum(entry.file_size for entry in given.infolist()) > MOST_BYTES:
            return Apart(content, {})
        sheets = {sheet.part: sheet.name for sheet in sheets_of(given)}
        thin = {part: _without(given.read(part)) for part in sheets}
        if not any(merges for _, merges in thin.values()):
            return Apart(content, {})
        stream = BytesIO()
        with zipfile.ZipFile(stream, "w") as made:
            for part in given.namelist():
                made.writestr(zipfile.ZipInfo(part), thin[part][0] if part in thin else given.read(part))
    return Apart(stream.getvalue(), {name: thin[part][1] for part, name in sheets.items()})


def _without(part: bytes) -> tuple[bytes, tuple[Merge, ...]]:
    """They stand behind the rows."""
    rows, end, behind = part.rpartition(b"</sheetData>")
    element = _ELEMENT.search(behind)
    if not end or element is None or any(odd in behind for odd in _ODD):
        return part, ()
    areas = _AREA.findall(element[1])
    if _AREA.sub(b"", element[1]).strip():
        return part, ()
    merges = tuple(sorted(_merge(area.decode()) for area in areas))
    return rows + end + behind[: element.start()] + behind[element.end() :], merges


def _merge(area: str) -> Merge:
    found = CellRange(area)
    return Merge((found.min_row, found.min_col), (found.max_row, found.max_col))
