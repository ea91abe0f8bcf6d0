"""Looks at a file before the spreadsheet library does, so that reading is bounded whatever it holds.

What passes is a zip archive of well-formed XML of bounded size, without DTD, with a bounded number of
elements, cells and merged cells, in which every sheet that the workbook lists is there and is one. Whether
the rest makes sense as a workbook is left to the reader."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import IO
from xml.parsers import expat

from dtables.diagnostics import Diagnostic
from dtables.digits import whole_in
from dtables.files import plain_file
from dtables.limits import LIMITS, MEBIBYTE
from dtables.spreadsheet import messages
from dtables.spreadsheet.package import MAIN, Incomplete, NoWorksheet, SheetKind, SheetPart, sheets_of

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
        return messages.damaged(path.name, "its archive cannot be unpacked")
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
        return _other_file(book, start + stream.read(LIMITS.workbook_bytes))
    try:
        with zipfile.ZipFile(stream) as archive:
            return _archive(book, archive, scan)
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
    return messages.unknown_format(book, unknown) if unknown and isinstance(sheets, tuple) else sheets


def _sheets(
    book: str, archive: zipfile.ZipFile, roots: Mapping[str, str]
) -> tuple[SheetPart, ...] | Diagnostic:
    """`roots` are the outermost elements of the parts."""
    try:
        sheets = sheets_of(archive)
    except Incomplete as incomplete:
        return messages.incomplete(book, str(incomplete))
    except NoWorksheet as other:
        return messages.no_worksheet(book, str(other))
    for sheet in sheets:
        if roots.get(sheet.part) != sheet.kind.value:
            said = f"the sheet `{sheet.name}`, {sheet.part}, is not a {sheet.kind.value}"
            return messages.incomplete(book, said)
    return sheets


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
# One pass over a workbook's XML that counts and measures, and keeps nothing.

MOST_OTHERS = 250_000
MOST_SPREAD_CELLS = 100_000
"""Merges and links over ranges: the spreadsheet library makes an object for each cell of them."""
MOST_FORMULA_TEXT = 20_000_000
"""Cells that share a formula times its length: the library spells it out for each of them."""
DEEPEST = 200
LONGEST_TAG = 1024 * 1024
"""Bytes."""
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384

_BULK = frozenset(("v", "f", "is", "t", "si", "r", "rPr"))
"""Elements that come with cells and texts; those bound them."""
_OWN = f"{MAIN} "
_PIECES = ("t", "r", "rPh", "phoneticPr", "extLst")
_INSIDE: dict[str, dict[str, tuple[str, ...]]] = {
    "worksheet": {
        "sheetData": ("row",), "row": ("c", "extLst"), "c": ("f", "v", "is", "extLst"), "is": _PIECES,
    },
    "sst": {"sst": ("si", "extLst"), "si": _PIECES},
}  # fmt: skip
"""By the outermost element, what may be in those that hold cells and texts: anything else would be passed
over, and a cell or its text with it."""
_CELL_TYPES = ("b", "d", "e", "inlineStr", "n", "s", "str")
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
_RANGE = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})(?::\$?([A-Z]{1,3})\$?([0-9]{1,7}))?")


FIRST_OWN_FORMAT = 164
DATES_OF_LANGUAGES = (range(27, 37), range(50, 59), range(71, 82))


class Limit(Exception):
    """More of something than is read; the message says of what."""


class Suspicious(Exception):
    """A document type or an entity."""


class PartError(Exception):
    """Not well-formed XML."""


@dataclass
class Formats:
    """`defined` are the number formats that the workbook spells out, `of_styles` those that its styles have,
    `styles` what cells name."""

    defined: set[str] = field(default_factory=set)
    of_styles: list[str] = field(default_factory=list)
    styles: set[str] = field(default_factory=set)

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


def _spelled_out(number: int | None) -> bool:
    """Must it be defined? Others are the same everywhere; some dates are what the spreadsheet's language
    makes of them."""
    return (
        number is None or number >= FIRST_OWN_FORMAT or any(number in dates for dates in DATES_OF_LANGUAGES)
    )


class PartScan:
    """The counts over all parts of a workbook."""

    def __init__(self) -> None:
        self.cells = self.rows = self.others = self.spread = 0
        self.sharing = self.longest_formula = 0
        self._filled: set[tuple[int, int]] = set()
        self.formats = Formats()

    def part(self, name: str) -> Part:
        del name
        self._filled = set()
        return Part(self)

    def cell(self, row: int, column: int) -> None:
        """One that comes later takes the place of one that was there."""
        if self._filled and (row, column) in self._filled:
            raise PartError(f"row {row}, column {column} comes twice")

    def fill(self, row: int, column: int) -> None:
        self._filled.add((row, column))

    def element(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "c":
                self.cells += 1
                _within("cells", self.cells, LIMITS.workbook_cells)
                _on_a_sheet(attributes.get("r"))
            case "row":
                self.rows += 1
                _within("rows", self.rows, LIMITS.workbook_rows)
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


class SheetScan(PartScan):
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

    def element(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "c":
                self._cell = self._gone_on(self._cell, self._next_cell(attributes.get("r")))
            case "row":
                self._row = self._gone_on(self._row, self._next_row(attributes.get("r")))
                self._cell = 0
            case "mergeCell":
                super().element(name, attributes)
                self.merged.setdefault(self._part, []).append(attributes.get("ref", ""))
            case "si":
                raise PartError("texts among rows")
            case _:
                super().element(name, attributes)

    def cell(self, row: int, column: int) -> None:
        """None comes twice where all come in order."""

    def fill(self, row: int, column: int) -> None:
        """Not kept either."""

    def _gone_on(self, before: int, here: int) -> int:
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
        match = None if reference is None else _RANGE.fullmatch(reference)
        column = self._cell + 1 if reference is None else 0 if match is None else _column(match.group(1))
        elsewhere = match is not None and (int(match.group(2)) != self._row or match.group(3) is not None)
        if elsewhere or not self._cell < column <= LAST_COLUMN:
            raise PartError(f"{reference} in row {self._row}")
        return column


class Part:
    """One XML part; `feed` raises Limit, Suspicious or PartError. `root` is its outermost element."""

    def __init__(self, scan: PartScan) -> None:
        self._scan = scan
        self._open = [""]
        self._names: dict[str, tuple[str, str]] = {}
        self._inside: Mapping[str, tuple[str, ...]] = {}
        self._of_root: Callable[[str, str, dict[str, str]], None] | None = None
        self._formula: int | None = None
        self._value: str | None = None
        self._cell_type = "n"
        self._row = self._column = self._sheet_data = self._fed = 0
        self.root = ""
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartNamespaceDeclHandler = self._namespace

    def feed(self, chunk: bytes) -> None:
        """A tag that does not end is read anew with each chunk: no longer ones are waited for."""
        self._parse(chunk, last=False)
        self._fed += len(chunk)
        if self._fed - self._parser.CurrentByteIndex > LONGEST_TAG:
            raise Limit(f"it has a tag of more than {LONGEST_TAG // 1024} KiB")

    def close(self) -> None:
        self._parse(b"", last=True)
        if self.root == "worksheet" and self._sheet_data != 1:
            raise PartError("a worksheet has its cells in one element")

    def _parse(self, chunk: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            raise PartError(str(error)) from error

    def _start(self, full: str, attributes: dict[str, str]) -> None:
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
        self._of_root = {"worksheet": self._of_worksheet, "styleSheet": self._of_styles}.get(root)

    def _of_worksheet(self, outer: str, name: str, attributes: dict[str, str]) -> None:
        if outer == "c":
            self._scan.fill(self._row, self._column)
            inline = name == "is"
            if (inline or name == "v") and inline != (self._cell_type == "inlineStr"):
                raise PartError(f"{name} in a cell of type {self._cell_type}")
            self._value = "" if name == "v" else None
        elif outer == "row" and name == "c":
            self._cell(attributes)
        elif outer == "sheetData":
            self._row, self._column = _number(attributes.get("r"), self._row + 1), 0
        elif name == "sheetData" and outer == "worksheet":
            self._sheet_data += 1

    def _cell(self, attributes: dict[str, str]) -> None:
        self._cell_type = attributes.get("t", "n")
        if self._cell_type not in _CELL_TYPES:
            raise PartError(f"{self._cell_type} is no type of a cell")
        self._row, self._column = self._place(attributes.get("r"))
        self._scan.cell(self._row, self._column)
        self._scan.formats.styles.add(attributes.get("s", "0"))

    def _of_styles(self, outer: str, name: str, attributes: dict[str, str]) -> None:
        number = attributes.get("numFmtId", "0")
        match outer, name:
            case "cellXfs", "xf":
                self._scan.formats.of_styles.append(number)
            case "numFmts", "numFmt":
                self._scan.formats.defined.add(number)

    def _place(self, reference: str | None) -> tuple[int, int]:
        if reference is None:
            return self._row, self._column + 1
        letters = reference.rstrip("0123456789")
        if int(reference[len(letters) :] or 0) != self._row:
            raise PartError(f"{reference} in row {self._row}")
        return self._row, _column(letters)

    def _end(self, _name: str) -> None:
        self._open.pop()
        self._formula = None
        if self._value is not None:
            form = _VALUES.get(self._cell_type)
            if form is not None and not form.fullmatch(self._value):
                raise PartError(f"a cell of type {self._cell_type} holds {self._value}")
            self._value = None

    def _characters(self, text: str) -> None:
        if self._formula is not None:
            self._formula += len(text)
            self._scan.formula(self._formula)
        if self._value is not None:
            self._value = (self._value + text)[:_LOOKED_AT]

    def _doctype(self, *_: object) -> None:
        raise Suspicious

    def _namespace(self, _prefix: str | None, uri: str | None) -> None:
        if len(uri or "") > _LONGEST_NAMESPACE:
            raise PartError("the name of a namespace is too long")


def _number(text: str | None, otherwise: int) -> int:
    """Of a row; where it says none that can be, the library says so."""
    number = whole_in(text) if text else None
    return otherwise if number is None else number


def _within(what: str, count: int, most: int) -> None:
    if count > most:
        raise Limit(f"it has more than {most:,} {what}")


def _on_a_sheet(reference: str | None) -> None:
    if reference is None:
        return
    match = _RANGE.fullmatch(reference)
    if match is None or match.group(3):
        raise PartError(f"{reference} is no cell")
    row, column = int(match.group(2)), _column(match.group(1))
    if not (1 <= row <= LAST_ROW and column <= LAST_COLUMN):
        raise PartError(f"{reference} is off the sheet")


def _area(reference: str) -> int:
    match = _RANGE.fullmatch(reference)
    if match is None:
        raise PartError(f"{reference} is no range of cells")
    if match.group(3) is None:
        return 1
    rows = abs(int(match.group(4)) - int(match.group(2))) + 1
    return rows * (abs(_column(match.group(3)) - _column(match.group(1))) + 1)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
