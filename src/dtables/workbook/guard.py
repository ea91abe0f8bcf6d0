"""Looks at a file before the spreadsheet library does, so that reading is bounded whatever it holds.

What passes is a zip archive of well-formed XML of bounded size, without DTD, with a bounded number of
elements, cells and merged cells, in which every sheet that the workbook lists is there and is one. Whether
the rest makes sense as a workbook is left to the reader.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO

from dtables.diagnostics import Diagnostic
from dtables.files import plain_file
from dtables.workbook import problems
from dtables.workbook.package import Incomplete, NoWorksheet, SheetKind, SheetPart, sheets_of
from dtables.workbook.parts import Limit, PartError, PartScan, SheetScan, Suspicious

MEBIBYTE = 1 << 20
MOST_BYTES = 64 * MEBIBYTE
MOST_UNPACKED = 192 * MEBIBYTE
MOST_ENTRIES = 4_000
MOST_RATIO = 250
"""Unpacked by packed size. Sheets of equal rows reach about 100; it counts only above `RATIO_FROM`."""
RATIO_FROM = 16 * MEBIBYTE

_ZIP = b"PK\x03\x04"
_COMPOUND = bytes.fromhex("d0cf11e0a1b11ae1")
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_STRICT = b"purl.oclc.org/ooxml"
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_WORKBOOK_PART = re.compile(r"(.*/)?workbook[0-9]*\.xml")
_SHEET_PART = re.compile(r"(.*/)?worksheets/[^/]+\.xml")
_XML = (".xml", ".rels", ".vml")
_CHUNK = 1 << 16

UNZIPPING = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OSError)
"""What unpacking a damaged archive may raise; RuntimeError where a part has a password of its own."""


@dataclass(frozen=True, slots=True)
class WholeFile:
    """`worksheets` are the names of the sheets with cells, all of them, in their order."""

    content: bytes
    worksheets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowsFile:
    """`merged` are the areas that are one cell each, as each part names them."""

    stream: IO[bytes]
    worksheets: tuple[str, ...]
    merged: Mapping[str, tuple[str, ...]]


def guard(path: Path) -> WholeFile | Diagnostic:
    """The file's bytes if they are safe to open as a workbook, and whole."""
    content = _content(path)
    if isinstance(content, Diagnostic):
        return content
    if not content.startswith(_ZIP):
        return _other_file(path.name, content)
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            sheets = _archive(path.name, archive, None)
    except UNZIPPING:
        return problems.damaged(path.name, "its archive cannot be unpacked")
    return sheets if isinstance(sheets, Diagnostic) else WholeFile(content, _worksheets(sheets))


def _worksheets(sheets: tuple[SheetPart, ...]) -> tuple[str, ...]:
    return tuple(sheet.name for sheet in sheets if sheet.kind is SheetKind.WORKSHEET)


def guard_rows(path: Path) -> RowsFile | Diagnostic:
    """The file if its sheets are safe to go through row by row. They may be as large as sheets can be; what
    else it holds is bounded as ever."""
    stream = _opened(path)
    if isinstance(stream, Diagnostic):
        return stream
    scan = SheetScan()
    try:
        sheets = _rows_of(path.name, stream, scan)
    except OSError as error:
        sheets = _on_disk(path.name, error)
    if isinstance(sheets, Diagnostic):
        stream.close()
        return sheets
    merged = {part: tuple(areas) for part, areas in scan.merged.items()}
    return RowsFile(stream, _worksheets(sheets), merged)


def _rows_of(book: str, stream: IO[bytes], scan: SheetScan) -> tuple[SheetPart, ...] | Diagnostic:
    start = stream.read(len(_ZIP))
    if start != _ZIP:
        return _other_file(book, start + stream.read(MOST_BYTES))
    try:
        with zipfile.ZipFile(stream) as archive:
            return _archive(book, archive, scan)
    except UNZIPPING:
        return problems.damaged(book, "its archive cannot be unpacked")


def _content(path: Path) -> bytes | Diagnostic:
    stream = _opened(path)
    if isinstance(stream, Diagnostic):
        return stream
    try:
        with stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        return _on_disk(path.name, error)
    if len(content) > MOST_BYTES:
        return problems.too_large(path.name, f"more than {MOST_BYTES // MEBIBYTE} MB")
    return content


def _opened(path: Path) -> IO[bytes] | Diagnostic:
    book = path.name
    if book.startswith("~$"):
        return problems.lock_file(book, book[2:])
    if book.startswith(".~lock.") and book.endswith("#"):
        return problems.lock_file(book, book[len(".~lock.") : -1])
    try:
        if path.is_dir():
            return problems.is_a_directory(book)
        return plain_file(path) or problems.no_plain_file(book)
    except FileNotFoundError:
        return problems.no_such_file(book)
    except PermissionError:
        return problems.not_readable(book)
    except OSError as error:
        return _on_disk(book, error)


def _on_disk(book: str, error: OSError) -> Diagnostic:
    return problems.unreadable_disk(book, error.strerror or "unknown reason")


def _other_file(book: str, content: bytes) -> Diagnostic:
    if not content:
        return problems.damaged(book, "the file is empty")
    if content.startswith(_COMPOUND):
        if _ENCRYPTED in content:
            return problems.password(book)
        return problems.not_a_workbook(book, "this is a workbook of the old kind (.xls)")
    if b"\0" in content[:_CHUNK]:
        return problems.not_a_workbook(book, "this is no workbook")
    return problems.not_a_workbook(book, "this is plain text (CSV, HTML or the like)")


def _archive(
    book: str, archive: zipfile.ZipFile, rows: SheetScan | None
) -> tuple[SheetPart, ...] | Diagnostic:
    """Its sheets. `rows` counts what stands on those that are gone through row by row."""
    entries = archive.infolist()
    streamed = [] if rows is None else [entry for entry in entries if _SHEET_PART.fullmatch(entry.filename)]
    refused = _size(book, entries, streamed) or _kind(book, archive)
    if refused:
        return refused
    scan = PartScan()
    roots: dict[str, str] = {}
    for entry in entries:
        if entry.filename.endswith(_XML):
            root = _root(book, archive, entry, rows if rows and entry in streamed else scan)
            if isinstance(root, Diagnostic):
                return root
            roots[entry.filename] = root
    sheets = _sheets(book, archive, roots)
    used = scan.formats.styles | (rows.formats.styles if rows else set())
    unknown = scan.formats.unknown(used)
    return problems.unknown_format(book, unknown) if unknown and isinstance(sheets, tuple) else sheets


def _sheets(
    book: str, archive: zipfile.ZipFile, roots: Mapping[str, str]
) -> tuple[SheetPart, ...] | Diagnostic:
    """`roots` are the outermost elements of the parts."""
    try:
        sheets = sheets_of(archive)
    except Incomplete as incomplete:
        return problems.incomplete(book, str(incomplete))
    except NoWorksheet as other:
        return problems.no_worksheet(book, str(other))
    for sheet in sheets:
        if roots.get(sheet.part) != sheet.kind.value:
            said = f"the sheet `{sheet.name}`, {sheet.part}, is not a {sheet.kind.value}"
            return problems.incomplete(book, said)
    return sheets


def _size(book: str, entries: list[zipfile.ZipInfo], rows: list[zipfile.ZipInfo]) -> Diagnostic | None:
    """By what the archive declares: unpacking never gives more than that. `rows` need not fit into memory."""
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    kept = unpacked - sum(entry.file_size for entry in rows)
    if len(entries) > MOST_ENTRIES:
        return problems.too_large(book, f"it has {len(entries)} parts")
    if kept > MOST_UNPACKED:
        return problems.too_large(book, f"unpacked it has {kept // MEBIBYTE} MB")
    if unpacked > RATIO_FROM and unpacked > MOST_RATIO * max(packed, 1):
        return problems.too_large(book, f"it unpacks to {unpacked // max(packed, 1)} times its size")
    if any(entry.compress_type not in _PACKINGS for entry in entries):
        return problems.damaged(book, "it is packed in a way no spreadsheet packs")
    return None


def _kind(book: str, archive: zipfile.ZipFile) -> Diagnostic | None:
    names = archive.namelist()
    part = next((name for name in names if _WORKBOOK_PART.fullmatch(name)), None)
    if part is not None:
        with archive.open(part) as file:
            strict = _STRICT in file.read(_CHUNK)
        found = "this is a workbook of the strict kind (Strict Open XML)"
        return problems.not_a_workbook(book, found) if strict else None
    if "mimetype" in names and b"opendocument" in archive.read("mimetype")[:100]:
        return problems.not_a_workbook(book, "this is an OpenDocument file (.ods)")
    if any(name.endswith("workbook.bin") for name in names):
        return problems.not_a_workbook(book, "this is a binary workbook (.xlsb)")
    return problems.not_a_workbook(book, "this is an archive without a workbook in it")


def _root(book: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, scan: PartScan) -> str | Diagnostic:
    """The outermost element of a part that has been gone through."""
    part = scan.part(entry.filename)
    try:
        with archive.open(entry) as file:
            while chunk := file.read(_CHUNK):
                part.feed(chunk)
        part.close()
    except Limit as limit:
        return problems.too_large(book, str(limit))
    except Suspicious:
        return problems.external_entities(book, entry.filename)
    except PartError:
        return problems.damaged(book, f"{entry.filename} cannot be read")
    return part.root
