"""Logs as CSV: read by what the workbook declares, written so that no cell can run in a spreadsheet."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from dtables.runs.apostrophes import unguarded
from dtables.runs.chunks import Chunk, LogError, opened
from dtables.runs.columns import Column, Row, columns_of, text_line
from dtables.runs.jsonlines import LONGEST_LINE, Line

if TYPE_CHECKING:
    from dtables.model.tables import Ruleset

ROWS = 1_000
_SEPARATORS = (",", ";", "\t")


@dataclass(frozen=True, slots=True)
class CsvChunk:
    file: str | None
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def records(self) -> int:
        return len(self.rows)

    def lines(self) -> Iterator[Line]:
        return (text_line(row, self.columns) for row in self.rows)


def read_csv_chunks(path: Path, model: Ruleset, file: str | None = None) -> Iterator[Chunk]:
    """Also gzip. The separator is the one that makes a column called `turn`: comma, semicolon or tab."""
    csv.field_size_limit(LONGEST_LINE)
    try:
        with opened(path) as packed, io.TextIOWrapper(packed, "utf-8-sig", newline="") as text:
            yield from _chunks(text, path, model, file)
    except UnicodeDecodeError as error:
        raise LogError(f"{path}: no UTF-8 ({error.reason})") from None
    except csv.Error as error:
        raise LogError(f"{path}: no CSV: {error}") from None
    except EOFError:
        raise LogError(f"{path}: the gzip file breaks off") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise LogError(f"{path}: a damaged gzip file: {error}") from None


def _chunks(text: IO[str], path: Path, model: Ruleset, file: str | None) -> Iterator[Chunk]:
    first = text.readline()
    heads, separator = _head(first)
    columns = columns_of(heads, model, str(path))
    rows = _rows(csv.reader(text, delimiter=separator, strict=True))
    while some := tuple(islice(rows, ROWS)):
        yield CsvChunk(file, columns, some)


def _head(line: str) -> tuple[list[str], str]:
    read = [(next(csv.reader([line], delimiter=s, strict=True), []), s) for s in _SEPARATORS]
    return next((found for found in read if "turn" in found[0]), read[0])


def _rows(reader: Iterable[list[str]]) -> Iterator[Row]:
    """A row's number is that of its first line; a blank line is no row."""
    number = 1
    for cells in reader:
        started, number = number + 1, 1 + getattr(reader, "line_num", number)
        if cells:
            yield Row(started, tuple(map(unguarded, cells)))
