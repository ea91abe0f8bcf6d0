"""Goes through a file once, so that reading is bounded whatever it holds, and hands over what its cells say.

What passes is a zip archive of well-formed XML of bounded size, without DTD, with a bounded number of
elements, cells and merged cells, in which every sheet that the workbook lists is there and is one. Whether
the rest makes sense as a workbook is left to the reader."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import IO
from xml.parsers import expat

from dtables.diagnostics import Diagnostic
from dtables.digits import whole_in
from dtables.files import plain_file
from dtables.limits import LIMITS, MEBIBYTE
from dtables.spreadsheet import messages
from dtables.spreadsheet.formats import BUILT_IN, FIRST_OWN, GENERAL, SINCE_1900, SINCE_1904
from dtables.spreadsheet.package import (
    MAIN,
    STYLES,
    Contents,
    Incomplete,
    NoWorksheet,
    SheetKind,
    SheetPart,
    contents_of,
    is_true,
)
from dtables.spreadsheet.written import (
    LAST_COLUMN,
    LAST_ROW,
    RANGE,
    PlainRows,
    Written,
    WrittenFormula,
    WrittenSheet,
    column_number,
)

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
    """`worksheets` are the sheets with cells, all of them, in their order; `texts` those that cells share;
    `epoch` the day from which days are counted."""

    worksheets: Mapping[str, WrittenSheet]
    hidden: frozenset[str]
    texts: list[str]
    formats: Formats
    epoch: datetime


@dataclass(frozen=True, slots=True)
class RowsFile:
    """`merged` are the areas that are one cell each, as each part names them."""

    stream: IO[bytes]
    worksheets: tuple[str, ...]
    merged: Mapping[str, tuple[str, ...]]


def guard(path: Path) -> WholeFile | Diagnostic:
    """What a file says, if it is safe to read as a workbook, and whole."""
    content = _content(path)
    if isinstance(content, Diagnostic):
        return content
    if not content.startswith(_ZIP):
        return _other_file(path.name, content)
    scan = PartScan()
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            found = _archive(path.name, archive, scan, None)
    except UNZIPPING:
        return messages.damaged(path.name, "its archive cannot be unpacked")
    if isinstance(found, Diagnostic):
        return found
    listed = _worksheets(found)
    return WholeFile(
        {sheet.name: scan.sheets[sheet.part] for sheet in listed},
        frozenset(sheet.name for sheet in listed if sheet.hidden),
        scan.texts.get(found.texts or "", []),
        scan.formats,
        SINCE_1904 if found.since_1904 else SINCE_1900,
    )


def _worksheets(contents: Contents) -> tuple[SheetPart, ...]:
    return tuple(sheet for sheet in contents.sheets if sheet.kind is SheetKind.WORKSHEET)


def guard_rows(path: Path) -> RowsFile | Diagnostic:
    """The file if its sheets are safe to go through row by row. They may be as large as sheets can be; what
    else it holds is bounded as ever."""
    stream = _opened(path)
    if isinstance(stream, Diagnostic):
        return stream
    scan = SheetScan()
    try:
        found = _rows_of(path.name, stream, scan)
    except OSError as error:
        found = _on_disk(path.name, error)
    if isinstance(found, Diagnostic):
        stream.close()
        return found
    merged = {part: tuple(areas) for part, areas in scan.merged.items()}
    return RowsFile(stream, tuple(sheet.name for sheet in _worksheets(found)), merged)


def _rows_of(book: str, stream: IO[bytes], scan: SheetScan) -> Contents | Diagnostic:
    start = stream.read(len(_ZIP))
    if start != _ZIP:
        return _other_file(book, start + stream.read(LIMITS.workbook_bytes))
    try:
        with zipfile.ZipFile(stream) as archive:
            return _archive(book, archive, OtherParts(), scan)
    except UNZIPPING:
        return messages.damaged(book, "its archive cannot be unpacked")


def _content(path: Path) -> bytes | Diagnostic:
    stream = _opened(path)
    if isinstance(stream, Diagnostic):
        return stream
    try:
        with stream:
            content = stream.read(LIMITS.workbook_bytes + 1)
    except OSError as error:
        return _on_disk(path.name, error)
    if len(content) > LIMITS.workbook_bytes:
        return messages.too_large(path.name, f"more than {LIMITS.workbook_bytes // MEBIBYTE} MB")
    return content


def _opened(path: Path) -> IO[bytes] | Diagnostic:
    book = path.name
    if book.startswith("~$"):
        return messages.lock_file(book, book[2:])
    if book.startswith(".~lock.") and book.endswith("#"):
        return messages.lock_file(book, book[len(".~lock.") : -1])
    try:
        if path.is_dir():
            return messages.is_a_directory(book)
        return plain_file(path) or messages.no_plain_file(book)
    except FileNotFoundError:
        return messages.no_such_file(book)
    except PermissionError:
        return messages.not_readable(book)
    except OSError as error:
        return _on_disk(book, error)


def _on_disk(book: str, error: OSError) -> Diagnostic:
    return messages.unreadable_disk(book, error.strerror or "unknown reason")


def _other_file(book: str, content: bytes) -> Diagnostic:
    if not content:
        return messages.damaged(book, "the file is empty")
    if content.startswith(_COMPOUND):
        if _ENCRYPTED in content:
            return messages.password(book)
        return messages.not_a_workbook(book, "this is a workbook of the old kind (.xls)")
    if b"\0" in content[:_CHUNK]:
        return messages.not_a_workbook(book, "this is no workbook")
    return messages.not_a_workbook(book, "this is plain text (CSV, HTML or the like)")


def _archive(
    book: str, archive: zipfile.ZipFile, scan: PartScan, rows: SheetScan | None
) -> Contents | Diagnostic:
    """Its sheets. `rows` counts what stands on those that are gone through row by row."""
    entries = archive.infolist()
    streamed = [] if rows is None else [entry for entry in entries if _SHEET_PART.fullmatch(entry.filename)]
    refused = _size(book, entries, streamed) or _kind(book, archive)
    if refused:
        return refused
    roots: dict[str, str] = {}
    for entry in entries:
        if entry.filename.endswith(_XML):
            root = _root(book, archive, entry, rows if rows and entry in streamed else scan)
            if isinstance(root, Diagnostic):
                return root
            roots[entry.filename] = root
    contents = _contents(book, archive, roots)
    used = scan.formats.styles.keys() | (rows.formats.styles.keys() if rows else set())
    unknown = scan.formats.unknown(used)
    return messages.unknown_format(book, unknown) if unknown and isinstance(contents, Contents) else contents


def _contents(book: str, archive: zipfile.ZipFile, roots: Mapping[str, str]) -> Contents | Diagnostic:
    """`roots` are the outermost elements of the parts."""
    try:
        contents = contents_of(archive)
    except Incomplete as incomplete:
        return messages.incomplete(book, str(incomplete))
    except NoWorksheet as other:
        return messages.no_worksheet(book, str(other))
    for sheet in contents.sheets:
        if roots.get(sheet.part) != sheet.kind.value:
            reason = f"the sheet `{sheet.name}`, {sheet.part}, is not a {sheet.kind.value}"
            return messages.incomplete(book, reason)
    return contents


def _size(book: str, entries: list[zipfile.ZipInfo], rows: list[zipfile.ZipInfo]) -> Diagnostic | None:
    """By what the archive declares: unpacking never gives more than that. `rows` need not fit into memory."""
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    kept = unpacked - sum(entry.file_size for entry in rows)
    if len(entries) > MOST_ENTRIES:
        return messages.too_large(book, f"it has {len(entries)} parts")
    if kept > LIMITS.unpacked_bytes:
        return messages.too_large(book, f"unpacked it has {kept // MEBIBYTE} MB")
    if unpacked > RATIO_FROM and unpacked > MOST_RATIO * max(packed, 1):
        return messages.too_large(book, f"it unpacks to {unpacked // max(packed, 1)} times its size")
    if any(entry.compress_type not in _PACKINGS for entry in entries):
        return messages.damaged(book, "it is packed in a way no spreadsheet packs")
    return None


def _kind(book: str, archive: zipfile.ZipFile) -> Diagnostic | None:
    names = archive.namelist()
    part = next((name for name in names if _WORKBOOK_PART.fullmatch(name)), None)
    if part is not None:
        with archive.open(part) as file:
            strict = _STRICT in file.read(_CHUNK)
        found = "this is a workbook of the strict kind (Strict Open XML)"
        return messages.not_a_workbook(book, found) if strict else None
    if "mimetype" in names and b"opendocument" in archive.read("mimetype")[:100]:
        return messages.not_a_workbook(book, "this is an OpenDocument file (.ods)")
    if any(name.endswith("workbook.bin") for name in names):
        return messages.not_a_workbook(book, "this is a binary workbook (.xlsb)")
    return messages.not_a_workbook(book, "this is an archive without a workbook in it")


def _root(book: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, scan: PartScan) -> str | Diagnostic:
    """The outermost element of a part that has been gone through."""
    part = scan.part(entry.filename)
    try:
        with archive.open(entry) as file:
            while chunk := file.read(_CHUNK):
                part.feed(chunk)
        part.close()
    except Limit as limit:
        return messages.too_large(book, str(limit))
    except Suspicious:
        return messages.external_entities(book, entry.filename)
    except PartError:
        return messages.damaged(book, f"{entry.filename} cannot be read")
    return part.root


# -- the parts of the archive -----------------------------------------------------------------------
# One pass over a workbook's XML that counts and measures, and keeps what cells say.

MOST_OTHERS = 250_000
MOST_SPREAD_CELLS = 100_000
"""Merges and links over ranges: the spreadsheet library makes an object for each cell of them."""
MOST_FORMULA_TEXT = 20_000_000
"""Cells that share a formula times its length: the library spells it out for each of them."""
DEEPEST = 200
LONGEST_TAG = 1024 * 1024
"""Bytes."""

_BULK = frozenset(("v", "f", "is", "t", "si", "r", "rPr"))
"""Elements that come with cells and texts; those bound them."""
_OWN = f"{MAIN} "
_OWN_CELL, _OWN_VALUE, _OWN_TEXT = f"{_OWN}c", f"{_OWN}v", f"{_OWN}t"
_IN_ROWS, _IN_CELLS = 4, 5
"""How many elements are open there in a worksheet."""
_WITH_TEXT = ("is", "si", "r")
_AMONG_ROWS = ["", "worksheet", "sheetData"]
_ROWS_BEGIN, _ROW_ENDS = b"<sheetData>", b"</row>"
_TRIED = 100
"""After so many rows, if most are for the parser, it is given all that follow."""
_KNOWN_COLUMNS: dict[str, int] = {}
_PIECES = ("t", "r", "rPh", "phoneticPr", "extLst")
_INSIDE: dict[str, dict[str, tuple[str, ...]]] = {
    "worksheet": {
        "sheetData": ("row",), "row": ("c", "extLst"), "c": ("f", "v", "is", "extLst"), "is": _PIECES,
        "v": (), "f": (), "t": (),
    },
    "sst": {"sst": ("si", "extLst"), "si": _PIECES, "t": ()},
}  # fmt: skip
"""By the outermost element, what may be in those that hold cells and texts: anything else would be passed
over, and a cell or its text with it."""
_CELL_TYPES = {name: name for name in ("b", "d", "e", "inlineStr", "n", "s", "str")}
_SPACE = r"[ \t\r\n]*"
_VALUES = {
    "s": re.compile(rf"{_SPACE}[0-9]+{_SPACE}"),
    "b": re.compile(rf"{_SPACE}[01]?{_SPACE}"),
    "d": re.compile(rf"{_SPACE}[-+:.0-9TZ]*{_SPACE}"),
    "n": re.compile(rf"{_SPACE}([-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]*)?{_SPACE})?"),
}
"""How a value begins, by the type of its cell: Python reads other digits and underscores too."""
_LOOKED_AT = 40
_LONGEST_NAMESPACE = 500
"""Each name of an element has it in front."""

DATES_OF_LANGUAGES = (range(27, 37), range(50, 59), range(71, 82))


class Limit(Exception):
    """More of something than is read; the message says of what."""


class Suspicious(Exception):
    """A document type or an entity."""


class PartError(Exception):
    """Not well-formed XML."""


@dataclass
class Formats:
    """`defined` are the number formats that the workbook spells out, by their numbers; `of_styles` the
    numbers that its styles have, `styles` what cells name."""

    defined: dict[str, str] = field(default_factory=dict)
    of_styles: list[str] = field(default_factory=list)
    styles: dict[str, str] = field(default_factory=dict)

    def unknown(self, styles: Set[str]) -> str | None:
        """A number format that nobody knows: its cells may be dates or numbers."""
        for style in sorted(styles - {"0"}):
            known = whole_in(style)
            if known is None or known >= len(self.of_styles):
                return f"of style {style}"
            number = self.of_styles[known]
            if number not in self.defined and (
                (built_in := whole_in(number)) is None or _spelled_out(built_in)
            ):
                return number
        return None

    def of_style(self, style: str) -> str:
        """Return the number format of what cells name. Raises ValueError where there is none."""
        if style == "0" and not self.of_styles:
            return GENERAL
        number = self.of_styles[int(style)]
        spelled_out = self.defined.get(number)
        if spelled_out is not None:
            return spelled_out
        if int(number) >= FIRST_OWN:
            raise ValueError(number)
        return BUILT_IN.get(int(number), GENERAL)


def _spelled_out(number: int | None) -> bool:
    """Must it be defined? Others are the same everywhere; some dates are what the spreadsheet's language
    makes of them."""
    return number is None or number >= FIRST_OWN or any(number in dates for dates in DATES_OF_LANGUAGES)


class PartScan:
    """The counts over all parts of a workbook, and what its sheets and shared texts hold."""

    def __init__(self) -> None:
        self.cells = self.rows = self.others = self.spread = 0
        self.sharing = self.longest_formula = 0
        self.formats = Formats()
        self.sheets: dict[str, WrittenSheet] = {}
        self.texts: dict[str, list[str]] = {}

    def part(self, name: str) -> Part:
        self.sheets[name] = WrittenSheet()
        self.texts[name] = []
        return Part(self, name, self.sheets[name], self.texts[name])

    def cell(self, reference: str | None) -> None:
        del reference
        self.cells += 1
        if self.cells > LIMITS.workbook_cells:
            _within("cells", self.cells, LIMITS.workbook_cells)

    def row(self, number: str | None) -> None:
        del number
        self.rows += 1
        _within("rows", self.rows, LIMITS.workbook_rows)

    def cells_of_row(self, columns: Sequence[int]) -> None:
        """All cells of a row, which come in their order."""
        self.cells += len(columns)
        _within("cells", self.cells, LIMITS.workbook_cells)

    def element(self, name: str, attributes: Mapping[str, str]) -> None:
        match name:
            case "c":
                self.cell(attributes.get("r"))
                _on_a_sheet(attributes.get("r"))
            case "row":
                self.row(attributes.get("r"))
            case "mergeCell" | "hyperlink" | "comment":
                self.spread += _area(attributes.get("ref", ""))
                _within("merged or linked cells", self.spread, MOST_SPREAD_CELLS)
            case "f" if attributes.get("t") == "shared":
                self.sharing += 1
                self._shared_formulas()
            case _ if name not in _BULK:
                self.others += 1
                _within("elements besides cells", self.others, MOST_OTHERS)
            case _:
                return

    def formula(self, length: int) -> None:
        self.longest_formula = max(self.longest_formula, length)
        self._shared_formulas()

    def _shared_formulas(self) -> None:
        spelled_out = self.sharing * self.longest_formula
        _within("characters of shared formulas", spelled_out, MOST_FORMULA_TEXT)


class OtherParts(PartScan):
    """The same where the cells are read by somebody else."""

    def part(self, name: str) -> Part:
        return Part(self, name, None, None)


class SheetScan(OtherParts):
    """The counts over sheets of which only some rows are held at a time. They must come in their order, for
    the library passes over those that do not; and it has not met the merged cells when it comes to a row."""

    def __init__(self) -> None:
        super().__init__()
        self.merged: dict[str, list[str]] = {}
        self._part = ""
        self._row = self._cell = 0

    def part(self, name: str) -> Part:
        self._part, self._row, self._cell = name, 0, 0
        return super().part(name)

    def cell(self, reference: str | None) -> None:
        self._cell = self._moved(self._cell, self._next_cell(reference))

    def row(self, number: str | None) -> None:
        self._row = self._moved(self._row, self._next_row(number))
        self._cell = 0

    def cells_of_row(self, columns: Sequence[int]) -> None:
        if columns:
            self._cell = self._moved(self._cell, columns[-1])

    def element(self, name: str, attributes: Mapping[str, str]) -> None:
        match name:
            case "c":
                self.cell(attributes.get("r"))
            case "mergeCell":
                super().element(name, attributes)
                self.merged.setdefault(self._part, []).append(attributes.get("ref", ""))
            case "si":
                raise PartError("texts among rows")
            case _:
                super().element(name, attributes)

    def _moved(self, before: int, here: int) -> int:
        """Blank ones are gone through too."""
        self.cells += here - before
        _within("cells", self.cells, LIMITS.streamed_cells)
        return here

    def _next_row(self, number: str | None) -> int:
        row = self._row + 1 if number is None else whole_in(number) or 0
        if not self._row < row <= LAST_ROW:
            raise PartError(f"row {number} after row {self._row}")
        return row

    def _next_cell(self, reference: str | None) -> int:
        match = None if reference is None else RANGE.fullmatch(reference)
        column = (
            self._cell + 1 if reference is None else 0 if match is None else column_number(match.group(1))
        )
        elsewhere = match is not None and (int(match.group(2)) != self._row or match.group(3) is not None)
        if elsewhere or not self._cell < column <= LAST_COLUMN:
            raise PartError(f"{reference} in row {self._row}")
        return column


class Part:
    """One XML part; `feed` raises Limit, Suspicious or PartError. `root` is its outermost element. What it
    says of cells goes to `sheet` and `texts`, where somebody wants them."""

    def __init__(
        self, scan: PartScan, name: str, sheet: WrittenSheet | None, texts: list[str] | None
    ) -> None:
        self._scan = scan
        self._name = name
        self._sheet = sheet
        self._texts = texts
        self._open = [""]
        self._names: dict[str, tuple[str, str]] = {}
        self._inside: Mapping[str, tuple[str, ...]] = {}
        self._of_root: Callable[[str, str, dict[str, str]], None] | None = None
        self._at_end: Mapping[str, Callable[[str, str], None]] = {}
        self._in_rows = self._in_cells = 0
        self._formula: int | None = None
        self._pieces: list[str] | None = None
        self._cell_type, self._style, self._text = "n", "0", ""
        self._inside_cell: set[str] = set()
        self._of_cell: WrittenFormula | None = None
        self._runs: list[str] = []
        self._row = self._column = self._sheet_data = self._fed = 0
        self._row_digits: str | None = None
        self._spaces: set[str] = set()
        self._in_utf_8 = True
        self._plain_rows: PlainRows | None = None
        self._waiting = b""
        self._highest_row = self._row_end = self._others = 0
        self.root = ""
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartNamespaceDeclHandler = self._namespace
        self._parser.XmlDeclHandler = self._declaration

    def feed(self, chunk: bytes) -> None:
        if self._plain_rows is not None:
            self._rows(self._waiting + chunk)
        elif self._fed:
            self._pass_on(chunk)
        else:
            self._begins(chunk)

    def _pass_on(self, content: bytes) -> None:
        """A tag that does not end is read anew with each chunk: no longer ones are waited for."""
        self._parse(content, last=False)
        self._fed += len(content)
        if self._fed - self._parser.CurrentByteIndex > LONGEST_TAG:
            raise Limit(f"it has a tag of more than {LONGEST_TAG // 1024} KiB")

    def close(self) -> None:
        self._pass_on(self._waiting)
        self._parse(b"", last=True)
        if self.root == "worksheet" and self._sheet_data != 1:
            raise PartError("a worksheet has its cells in one element")

    def _parse(self, chunk: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            raise PartError(str(error)) from error

    # -- rows that need no parser ----------------------------------------------------------------

    def _begins(self, chunk: bytes) -> None:
        """Where the rows of a worksheet begin, those that need no parser can be passed over by it."""
        before, rows, behind = chunk.partition(_ROWS_BEGIN)
        self._pass_on(before)
        others = self._sheet_data
        self._pass_on(rows)
        if self._sheet_data > others and self._open == _AMONG_ROWS and self._in_utf_8:
            self._plain_rows = PlainRows(self._scan.formats.styles, self._spaces)
            self._rows(behind)
        else:
            self._pass_on(behind)

    def _rows(self, content: bytes) -> None:
        """All rows that have come whole. The parser never meets those that it need not read, and goes on
        behind them as if they were not there."""
        rows, end, self._waiting = content.rpartition(_ROW_ENDS)
        for row in (rows + end).split(_ROW_ENDS)[:-1]:
            if self._plain_rows is None:
                self._pass_on(row + _ROW_ENDS)
            elif not self._is_plain(self._plain_rows, row):
                self._pass_on(row + _ROW_ENDS)
                self._others += 1
                ends_there = self._open == _AMONG_ROWS and self._row_end == self._fed - len(_ROW_ENDS)
                if not ends_there or self._others > _TRIED + self._row // 2:
                    self._plain_rows = None
        if self._plain_rows is None or len(self._waiting) > LONGEST_TAG:
            self._plain_rows = None
            waiting, self._waiting = self._waiting, b""
            self._pass_on(waiting)

    def _is_plain(self, rows: PlainRows, content: bytes) -> bool:
        """Whether the row is one of those, and is taken in."""
        try:
            row = rows.row(content.decode())
        except UnicodeDecodeError:
            return False
        if row is None or row.number <= self._highest_row:
            return False
        self._scan.row(row.digits)
        self._row = self._highest_row = row.number
        self._column, self._row_digits = 0, row.digits
        self._scan.cells_of_row(row.columns)
        if self._sheet is not None:
            rows.take(row, self._sheet.cells)
            if is_true(row.hidden):
                self._sheet.hidden_rows.add(row.number)
        return True

    # -- all others --------------------------------------------------------------------------------

    def _start(self, full: str, attributes: dict[str, str]) -> None:
        """Most elements are cells of rows and their values: they are met first."""
        open_ = self._open
        outer = open_[-1]
        if outer == "c" and full == _OWN_VALUE and len(open_) == self._in_cells:
            open_.append("v")
            self._value_begins()
        elif outer == "is" and full == _OWN_TEXT and self._in_rows:
            open_.append("t")
            self._formula, self._pieces = None, []
        elif outer == "row" and full == _OWN_CELL and len(open_) == self._in_rows:
            open_.append("c")
            self._scan.cell(attributes.get("r"))
            self._cell(attributes)
        else:
            self._start_any(full, attributes)

    def _start_any(self, full: str, attributes: dict[str, str]) -> None:
        known = self._names.get(full)
        if known is None:
            local = full.rpartition(" ")[2]
            known = self._names[full] = local, local if full.startswith(_OWN) else f"another's {local}"
        local, name = known
        outer = self._open[-1]
        self._open.append(name)
        if len(self._open) > DEEPEST:
            raise Limit(f"it has more than {DEEPEST} levels of XML")
        self._formula = 0 if local == "f" else None
        self._scan.element(local, attributes)
        if not outer:
            self._begin(name)
        allowed = self._inside.get(outer)
        if allowed is not None and name not in allowed:
            raise PartError(f"{name} inside {outer}")
        if self._of_root is not None:
            self._of_root(outer, name, attributes)

    def _begin(self, root: str) -> None:
        self.root = root
        self._inside = _INSIDE.get(root, {})
        match root:
            case "worksheet":
                self._of_root = self._of_worksheet
                self._at_end = {
                    "c": self._cell_ends, "v": self._value_ends, "is": self._inline_ends,
                    "t": self._run_ends, "f": self._formula_ends, "sheetData": self._rows_end,
                    "row": self._row_ends,
                }  # fmt: skip
            case "sst" if self._texts is not None:
                self._of_root = self._of_texts
                self._at_end = {"t": self._run_ends, "si": self._shared_ends}
            case "styleSheet" if self._name == STYLES:
                self._of_root = self._of_styles

    def _end(self, _name: str) -> None:
        name = self._open.pop()
        self._formula = None
        at_end = self._at_end.get(name)
        if at_end is not None:
            pieces, self._pieces = self._pieces, None
            at_end(self._open[-1], "".join(pieces) if pieces else "")

    def _characters(self, text: str) -> None:
        if self._pieces is not None:
            self._pieces.append(text)
        if self._formula is not None:
            self._formula += len(text)
            self._scan.formula(self._formula)

    def _doctype(self, *_: object) -> None:
        raise Suspicious

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        self._in_utf_8 = encoding is None or encoding.upper() == "UTF-8"

    def _namespace(self, prefix: str | None, uri: str | None) -> None:
        if prefix is not None and len(self._open) == 1:
            self._spaces.add(prefix)
        if len(uri or "") > _LONGEST_NAMESPACE:
            raise PartError("the name of a namespace is too long")

    # -- what begins -----------------------------------------------------------------------------

    def _of_worksheet(self, outer: str, name: str, attributes: dict[str, str]) -> None:
        if outer == "c":
            if len(self._open) - 1 == self._in_cells:
                self._begins_in_cell(name, attributes)
        elif outer == "sheetData":
            self._row_begins(attributes)
        elif name == "sheetData" and outer == "worksheet":
            self._sheet_data += 1
            self._in_rows, self._in_cells = _IN_ROWS, _IN_CELLS
        elif name == "t" and outer in _WITH_TEXT:
            self._pieces = []
        elif self._sheet is not None and outer == "mergeCells" and name == "mergeCell":
            self._sheet.merged.append(attributes.get("ref", ""))
        elif self._sheet is not None and outer == "cols" and name == "col":
            self._columns(self._sheet, attributes)

    def _row_begins(self, attributes: Mapping[str, str]) -> None:
        given = attributes.get("r")
        number = None if given is None else whole_in(given)
        self._row, self._column = self._row + 1 if number is None else number, 0
        self._highest_row = max(self._highest_row, self._row)
        self._row_digits = str(self._row) if 1 <= self._row <= LAST_ROW else None
        if self._sheet is not None:
            self._sheet.numbered = self._sheet.numbered and (given is None or number is not None)
            if is_true(attributes.get("hidden", "")):
                self._sheet.hidden_rows.add(self._row)

    def _columns(self, sheet: WrittenSheet, attributes: dict[str, str]) -> None:
        first, last = whole_in(attributes.get("min", "")), whole_in(attributes.get("max", "0"))
        if first is None or last is None:
            raise PartError("columns without a number")
        sheet.hidden_columns.pop(first, None)
        if is_true(attributes.get("hidden", "")):
            sheet.hidden_columns[first] = last

    def _cell(self, attributes: dict[str, str]) -> None:
        """One that comes later would take the place of one that was there."""
        given = attributes.get("t", "n")
        type_ = _CELL_TYPES.get(given)
        if type_ is None:
            raise PartError(f"{given} is no type of a cell")
        self._cell_type = type_
        self._column = self._place(attributes.get("r"))
        if self._sheet is not None and (self._row, self._column) in self._sheet.cells:
            raise PartError(f"row {self._row}, column {self._column} comes twice")
        style = attributes.get("s", "0")
        self._style = self._scan.formats.styles.setdefault(style, style)
        self._formula = self._of_cell = None
        self._text = ""
        if self._inside_cell:
            self._inside_cell = set()

    def _place(self, reference: str | None) -> int:
        if reference is None:
            return self._column + 1
        letters = reference.rstrip("0123456789")
        column = _KNOWN_COLUMNS.get(letters)
        if column is None or reference[len(letters) :] != self._row_digits:
            _on_a_sheet(reference)
            if int(reference[len(letters) :] or 0) != self._row:
                raise PartError(f"{reference} in row {self._row}")
            column = column_number(letters)
            if letters.isalpha():
                _KNOWN_COLUMNS[letters] = column
        return column

    def _begins_in_cell(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "v":
                self._value_begins()
            case "is":
                if self._cell_type != "inlineStr":
                    raise PartError(f"is in a cell of type {self._cell_type}")
                self._once(name)
                self._runs = []
            case "f":
                self._once(name)
                self._of_cell = WrittenFormula("", attributes.get("t"), attributes.get("si"))
                self._pieces = []
            case _:
                self._inside_cell.add(name)

    def _value_begins(self) -> None:
        if self._cell_type == "inlineStr":
            raise PartError("v in a cell of type inlineStr")
        self._once("v")
        self._formula, self._pieces = None, []

    def _once(self, name: str) -> None:
        if name in self._inside_cell:
            raise PartError(f"{name} comes twice in a cell")
        self._inside_cell.add(name)

    def _of_texts(self, outer: str, name: str, _attributes: dict[str, str]) -> None:
        if name == "t" and outer in _WITH_TEXT:
            self._pieces = []
        elif name == "si" and outer == "sst":
            self._runs = []

    def _of_styles(self, outer: str, name: str, attributes: dict[str, str]) -> None:
        number = attributes.get("numFmtId", "0")
        match outer, name:
            case "cellXfs", "xf":
                self._scan.formats.of_styles.append(number)
            case "numFmts", "numFmt":
                self._number_format(number, attributes.get("formatCode"))

    def _number_format(self, number: str, code: str | None) -> None:
        if code is None:
            raise PartError(f"number format {number} is not spelled out")
        self._scan.formats.defined[number] = code

    # -- what ends -------------------------------------------------------------------------------

    def _row_ends(self, _outer: str, _text: str) -> None:
        self._row_end = self._parser.CurrentByteIndex

    def _rows_end(self, outer: str, _text: str) -> None:
        if outer == "worksheet":
            self._in_rows = self._in_cells = 0

    def _value_ends(self, _outer: str, text: str) -> None:
        if len(self._open) == self._in_cells:
            form = _VALUES.get(self._cell_type)
            if form is not None and not form.fullmatch(text[:_LOOKED_AT]):
                raise PartError(f"a cell of type {self._cell_type} holds {text[:_LOOKED_AT]}")
            self._text = text

    def _run_ends(self, outer: str, text: str) -> None:
        if outer in _WITH_TEXT:
            self._runs.append(text)

    def _inline_ends(self, _outer: str, _text: str) -> None:
        if len(self._open) == self._in_cells:
            self._text = "".join(self._runs)

    def _shared_ends(self, outer: str, _text: str) -> None:
        if outer == "sst" and self._texts is not None:
            self._texts.append("".join(self._runs))

    def _formula_ends(self, _outer: str, text: str) -> None:
        if len(self._open) == self._in_cells and self._of_cell is not None:
            self._of_cell = self._of_cell._replace(text=text)

    def _cell_ends(self, _outer: str, _text: str) -> None:
        if len(self._open) == self._in_rows and self._inside_cell and self._sheet is not None:
            self._sheet.cells[self._row, self._column] = Written(
                self._cell_type, self._style, self._text, self._of_cell
            )


def _within(what: str, count: int, most: int) -> None:
    if count > most:
        raise Limit(f"it has more than {most:,} {what}")


def _on_a_sheet(reference: str | None) -> None:
    if reference is None:
        return
    match = RANGE.fullmatch(reference)
    if match is None or match.group(3):
        raise PartError(f"{reference} is no cell")
    row, column = int(match.group(2)), column_number(match.group(1))
    if not (1 <= row <= LAST_ROW and column <= LAST_COLUMN):
        raise PartError(f"{reference} is off the sheet")


def _area(reference: str) -> int:
    match = RANGE.fullmatch(reference)
    if match is None:
        raise PartError(f"{reference} is no range of cells")
    if match.group(3) is None:
        return 1
    rows = abs(int(match.group(4)) - int(match.group(2))) + 1
    return rows * (abs(column_number(match.group(3)) - column_number(match.group(1))) + 1)
