"""Looks at a file before the spreadsheet library does, so that reading is bounded whatever it holds.

What passes is a zip archive of well-formed XML of bounded size, without DTD, with a bounded number of
elements, cells and merged cells. Whether it makes sense as a workbook is left to the reader.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

from dtables.diagnostics import Diagnostic
from dtables.workbook import problems
from dtables.workbook.parts import Limit, PartError, PartScan, Suspicious

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
_WORKBOOK_PART = re.compile(r"(.*/)?workbook\d*\.xml")
_CHUNK = 1 << 16

UNZIPPING = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OSError)
"""What unpacking a damaged archive may raise; RuntimeError where a part has a password of its own."""


def guard(path: Path) -> bytes | Diagnostic:
    """The file's bytes if they are safe to open as a workbook."""
    content = _content(path)
    if isinstance(content, Diagnostic):
        return content
    if not content.startswith(_ZIP):
        return _other_file(path.name, content)
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            refused = _archive(path.name, archive)
    except UNZIPPING:
        return problems.damaged(path.name, "its archive cannot be unpacked")
    return refused or content


def _content(path: Path) -> bytes | Diagnostic:
    book = path.name
    if book.startswith("~$"):
        return problems.lock_file(book, book[2:])
    if book.startswith(".~lock.") and book.endswith("#"):
        return problems.lock_file(book, book[len(".~lock.") : -1])
    try:
        if path.is_dir():
            return problems.is_a_directory(book)
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return problems.no_such_file(book)
    except PermissionError:
        return problems.not_readable(book)
    except OSError as error:
        return problems.unreadable_disk(book, error.strerror or "unknown reason")
    if len(content) > MOST_BYTES:
        return problems.too_large(book, f"more than {MOST_BYTES // MEBIBYTE} MB")
    return content


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


def _archive(book: str, archive: zipfile.ZipFile) -> Diagnostic | None:
    entries = archive.infolist()
    refused = _size(book, entries) or _kind(book, archive)
    if refused:
        return refused
    scan = PartScan()
    for entry in entries:
        if entry.filename.endswith((".xml", ".rels", ".vml")):
            refused = _part(book, archive, entry, scan)
            if refused:
                return refused
    return None


def _size(book: str, entries: list[zipfile.ZipInfo]) -> Diagnostic | None:
    """By what the archive declares: unpacking never gives more than that."""
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if len(entries) > MOST_ENTRIES:
        return problems.too_large(book, f"it has {len(entries)} parts")
    if unpacked > MOST_UNPACKED:
        return problems.too_large(book, f"unpacked it has {unpacked // MEBIBYTE} MB")
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


def _part(book: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, scan: PartScan) -> Diagnostic | None:
    part = scan.part()
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
    return None
