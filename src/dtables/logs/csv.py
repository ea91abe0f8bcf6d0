"""Logs as CSV: read by what the workbook declares, written so that no cell can run in a spreadsheet."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from dtables.logs.columns import (
    EACH,
    MOST_COLUMNS,
    LogColumn,
    NumberedRow,
    columns_of,
    row_chunks,
    text_line,
)
from dtables.logs.jsonlines import Chunk, LogError, opened, unpacking
from dtables.records.findings import (
    Finding,
    long_row,
    no_csv,
    no_utf8_in_csv,
    wrong_length,
)
from dtables.records.json import BYTE_ORDER_MARK, LONGEST_LINE, is_text

if TYPE_CHECKING:
    from dtables.model.tables import Ruleset

_SEPARATORS = (",", ";", "\t")
_BLOCK = 64 * 1024
_ENDS = (b"\n", b"\r")


def read_csv_chunks(path: Path, model: Ruleset, file: str | None = None) -> Iterator[Chunk]:
    """Also gzip. The separator is the one that makes a column called `turn`: comma, semicolon or tab."""
    csv.field_size_limit(LONGEST_LINE)
    with opened_csv(path) as stream:
        lines = _Lines(stream, path)
        heads, separator = csv_head(lines.head(), path)
        columns = columns_of(heads, model, str(path))
        yield from row_chunks(file, columns, _rows(lines, separator, columns), text_line)


@contextmanager
def opened_csv(path: Path) -> Iterator[IO[bytes]]:
    """LogError where it turns out to be damaged, or its head no UTF-8."""
    try:
        with unpacking(str(path)), opened(path) as stream:
            yield stream
    except UnicodeDecodeError as error:
        found, wanted = no_utf8_in_csv(error.object[: error.start])
        raise LogError(f"{path}: {found}, not {wanted}") from None


def csv_head(line: str, path: Path) -> tuple[list[str], str]:
    """Return the heads of a first line and the separator; LogError where no separator can read it."""
    read: list[tuple[list[str], str]] = []
    wrong: list[csv.Error] = []
    if any(line.count(separator) > MOST_COLUMNS for separator in _SEPARATORS):
        raise LogError(f"{path}: more than {MOST_COLUMNS:,} columns")
    for separator in _SEPARATORS:
        try:
            read.append((next(csv.reader([line], delimiter=separator, strict=True), []), separator))
        except csv.Error as error:
            wrong.append(error)
    if not read:
        raise LogError(f"{path}: no CSV: {wrong[0]}, in the first line")
    cells, separator = next((found for found in read if "turn" in found[0]), read[0])
    return [unguarded(cell) for cell in cells], separator


# -- rows --------------------------------------------------------------------------------------


def _rows(lines: _Lines, separator: str, columns: tuple[LogColumn, ...]) -> Iterator[tuple[NumberedRow, int]]:
    """With the bytes of each. A row's number is that of its first line; a blank line is no row, nor is one of
    empty cells."""
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while lines.begin():
        number = lines.number + 1
        finding = lines.finding(separator.encode(), len(columns))
        cells: list[str] = []
        if finding is None:
            try:
                cells = next(reader)
            except csv.Error as error:
                if lines.ended:
                    raise LogError(
                        f"{lines.path}: no CSV: {error}, in the row that begins in line {number}"
                    ) from None
                finding = no_csv(error).at("$")
        else:
            lines.skip()
        if finding is None and lines.broken:
            finding = _broken(cells, columns)
        if finding is not None or any(cells):
            readable = (unguarded(cell) if is_text(cell) else None for cell in cells)
            yield NumberedRow(number, tuple(readable), finding), lines.size + EACH * len(cells)


def _broken(cells: list[str], columns: tuple[LogColumn, ...]) -> Finding:
    for place, cell in enumerate(cells):
        if not is_text(cell):
            path = ".".join(columns[place].path) if place < len(columns) else "$"
            before = cell.encode("utf-8", "surrogateescape")
            return no_utf8_in_csv(before[: _first_broken(before)]).at(path)
    return no_utf8_in_csv().at("$")


def _first_broken(raw: bytes) -> int:
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return error.start
    return 0


class _Lines:
    """A file's lines, whatever they end with, for a reader that takes some of them for a row. `number` counts
    those that are read, `size` is the bytes of the row's, `broken` says that some of them are no UTF-8."""

    def __init__(self, stream: IO[bytes], path: Path) -> None:
        self.path = path
        self.number = self.size = 0
        self.broken = self.ended = False
        self._started = 0
        self._lines = _lines_of(stream)
        self._waiting: bytes | None = None

    def head(self) -> str:
        """The first line, without a byte-order mark."""
        raw = next(self._lines, b"").removeprefix(BYTE_ORDER_MARK)
        self.number = 1
        if len(raw) > LONGEST_LINE:
            raise LogError(f"{self.path}: no CSV: the first line is over 16 MiB")
        return raw.decode()

    def begin(self) -> bool:
        """A row; False where there is none."""
        self.size, self.broken, self._started = 0, False, self.number + 1
        if self._waiting is None:
            self._waiting = next(self._lines, None)
        return self._waiting is not None

    def finding(self, separator: bytes, columns: int) -> Finding | None:
        """What is wrong with the row as it begins, before memory is taken for its cells."""
        line = self._waiting or b""
        if len(line) > LONGEST_LINE:
            return long_row(columns).at("$")
        cells = line.count(separator) + 1
        if cells <= MOST_COLUMNS or b'"' in line or not line.strip(separator + b"\r\n"):
            return None
        return wrong_length(cells, columns).at("$")

    def skip(self) -> None:
        self.number, self.size, self._waiting = self.number + 1, 0, None

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        raw = next(self._lines, None) if self._waiting is None else self._waiting
        self._waiting = None
        if raw is None:
            self.ended = True
            raise StopIteration
        self.number, self.size = self.number + 1, self.size + len(raw)
        if self.size > LONGEST_LINE:
            row = f"the row that begins in line {self._started}"
            raise LogError(f"{self.path}: no CSV: {row} is over 16 MiB; a quote is not closed")
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.broken = True
            return raw.decode("utf-8", "surrogateescape")


def _lines_of(stream: IO[bytes]) -> Iterator[bytes]:
    """With their ends. Of a line that is too long only a beginning that is too long."""
    held: list[bytes] = []
    size = 0
    while block := stream.read(_BLOCK):
        if block.endswith(b"\r"):
            block += stream.read(1)
        for line in block.splitlines(keepends=True):
            if size <= LONGEST_LINE:
                held.append(line)
                size += len(line)
            if line.endswith(_ENDS):
                yield line if len(held) == 1 else b"".join(held)
                held, size = [], 0
    if held:
        yield b"".join(held)


# -- apostrophes ---------------------------------------------------------------------------------
# Texts in files that a spreadsheet opens: none of them is taken for a formula, whichever of comma,
# semicolon and tab the spreadsheet separates by.

_RUNS = "=+\\-@＝＋－＠"
"""What makes a spreadsheet take a text for a formula."""
_BEGINS = "(?:^|(?<=[;\t\r\n]))"
"""Where a spreadsheet may see a cell begin, though the file has none there."""
_BEFORE = "[ \u00a0'\"]*"
"""What some spreadsheets pass over."""
_SUSPECT = re.compile(f"[{_RUNS}\t\r]").search
_ALIVE = re.compile(f"{_BEGINS}(?={_BEFORE}[{_RUNS}])|^(?='*[\t\r])")
_GUARDED = re.compile(f"{_BEGINS}'(?={_BEFORE}[{_RUNS}])|^'(?='*[\t\r])")
_MAYBE_GUARDED = re.compile(f"'{_BEFORE}[\t\r{_RUNS}]".encode())
_SEPARATES = re.compile(f";(?={_BEFORE[:-2]}\\\\]*[{_RUNS}])")
_QUOTED = re.compile('[",;\t\r\n]|^ | $').search


def guarded(text: str) -> str:
    """With an apostrophe in front of what would run, as spreadsheets mark text; where there is one already,
    another."""
    return _ALIVE.sub("'", text) if _SUSPECT(text) else text


def unguarded(text: str) -> str:
    """Return a cell without the apostrophes that `guarded` puts in."""
    return _GUARDED.sub("", text) if "'" in text else text


def may_be_guarded(raw: bytes) -> bool:
    """Whether a file's bytes have a cell that reads otherwise than it stands there."""
    return b"'" in raw and _MAYBE_GUARDED.search(raw) is not None


def guarded_json(text: str) -> str:
    """JSON of the same value, that no semicolon cuts into what would run."""
    return _SEPARATES.sub(r"\\u003b", text) if ";" in text else text


def csv_cell(text: str) -> str:
    """As it stands in the file."""
    return '"' + text.replace('"', '""') + '"' if _QUOTED(text) else text
