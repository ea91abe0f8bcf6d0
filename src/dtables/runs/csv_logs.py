"""Logs as CSV: read by what the workbook declares, written so that no cell can run in a spreadsheet."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from dtables.findings import quoted
from dtables.runs.apostrophes import unguarded
from dtables.runs.chunks import Chunk, LogError, opened
from dtables.runs.columns import Row, columns_of, text_line
from dtables.runs.jsonlines import LONGEST_LINE
from dtables.runs.row_chunks import ROWS, RowChunk

if TYPE_CHECKING:
    from dtables.model.tables import Ruleset

_SEPARATORS = (",", ";", "\t")


def read_csv_chunks(path: Path, model: Ruleset, file: str | None = None) -> Iterator[Chunk]:
    """Also gzip. The separator is the one that makes a column called `turn`: comma, semicolon or tab."""
    csv.field_size_limit(LONGEST_LINE)
    with opened_csv(path) as packed, io.TextIOWrapper(packed, "utf-8-sig", newline="") as text:
        yield from _chunks(text, path, model, file)


@contextmanager
def opened_csv(path: Path) -> Iterator[IO[bytes]]:
    """LogError where it turns out to be damaged, or no UTF-8."""
    try:
        with opened(path) as stream:
            yield stream
    except UnicodeDecodeError as error:
        raise LogError(f"{path}: {_no_utf8(error)}") from None
    except EOFError:
        raise LogError(f"{path}: the gzip file breaks off") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise LogError(f"{path}: a damaged gzip file: {error}") from None


def _no_utf8(error: UnicodeDecodeError) -> str:
    """With what stands before, by which it can be found."""
    before = error.object[: error.start].decode("utf-8", "replace")[-20:].splitlines()
    after = f" after {quoted(before[-1])}" if before else ""
    return f"bytes that are no UTF-8{after}; in a spreadsheet, save it as CSV UTF-8"


def _chunks(text: IO[str], path: Path, model: Ruleset, file: str | None) -> Iterator[Chunk]:
    first = text.readline()
    heads, separator = csv_head(first, path)
    columns = columns_of(heads, model, str(path))
    rows = _rows(csv.reader(text, delimiter=separator, strict=True), path)
    while some := tuple(islice(rows, ROWS)):
        yield RowChunk(file, columns, some, text_line)


def csv_head(line: str, path: Path) -> tuple[list[str], str]:
    read: list[tuple[list[str], str]] = []
    wrong: list[csv.Error] = []
    for separator in _SEPARATORS:
        try:
            read.append((next(csv.reader([line], delimiter=separator, strict=True), []), separator))
        except csv.Error as error:
            wrong.append(error)
    if not read:
        raise LogError(f"{path}: no CSV: {wrong[0]}, in the first line")
    cells, separator = next((found for found in read if "turn" in found[0]), read[0])
    return [unguarded(cell) for cell in cells], separator


def _rows(reader: Iterator[list[str]], path: Path) -> Iterator[Row]:
    """A row's number is that of its first line; a blank line is no row, nor is one of empty cells."""
    number = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise LogError(f"{path}: no CSV: {error}, in the row that begins in line {number + 1}") from None
        if cells is None:
            return
        started, number = number + 1, 1 + getattr(reader, "line_num", number)
        if any(cells):
            yield Row(started, tuple(map(unguarded, cells)))
