"""Answers as a table: CSV, Parquet or Excel, made of the JSON Lines that a run wrote.

A column for every key that an answer has, in the order in which asks and keys first come; lists and
records are JSON in their cell.
"""

from __future__ import annotations

import gzip
import io
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Context, Decimal
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

from dtables.answers.columns import ALWAYS, Kind, heads_of, kinds_that_fit, stored
from dtables.answers.parts import Answers, Finish
from dtables.files import temporary_folder, whole_file
from dtables.logs.csv import csv_cell, guarded, guarded_json
from dtables.logs.files import PLAIN_ENDINGS
from dtables.logs.jsonlines import LogError
from dtables.logs.parquet import parquet_library
from dtables.records.json import to_json, to_json_line

ROWS = 10_000
MOST_DIGITS = 15
"""As many does a spreadsheet keep."""
LARGEST = 10**MOST_DIGITS
_EXACT = Context(prec=10_000)
_ENDINGS: tuple[tuple[str, Finish], ...]


def finish_for(out: Path, kinds: Mapping[str, Kind]) -> Finish | None:
    """Choose the form of the output by the file's ending; None is JSON Lines. `kinds` are those of columns,
    as far as they are declared. LogError for an ending that is not written."""
    finish = next((finish for ending, finish in _ENDINGS if out.name.endswith(ending)), None)
    if finish is None and out.suffix not in ("", *PLAIN_ENDINGS):
        known = ", ".join((PLAIN_ENDINGS[0], *(ending for ending, _ in _ENDINGS)))
        raise LogError(f"{out}: answers cannot be written as `{out.suffix}`, only as {known}")
    return partial(write_parquet, kinds=kinds) if finish is write_parquet else finish


def write_csv(answers: Answers, to: IO[bytes]) -> None:
    """Write answers as CSV in UTF-8: a column for every key that one of them has."""
    file = io.TextIOWrapper(to, "utf-8", newline="")
    _csv(answers, file)
    file.detach()


def write_packed_csv(answers: Answers, to: IO[bytes]) -> None:
    """Without the time of day: the same answers, the same bytes."""
    with (
        gzip.GzipFile("", "wb", fileobj=to, mtime=0) as packed,
        io.TextIOWrapper(packed, "utf-8", newline="") as file,
    ):
        _csv(answers, file)


def write_packed_lines(answers: Answers, to: IO[bytes]) -> None:
    """Write answers as JSON Lines packed by gzip; the same answers make the same bytes."""
    with answers() as plain, gzip.GzipFile("", "wb", fileobj=to, mtime=0) as packed:
        while piece := plain.read(1 << 20):
            packed.write(piece)


def write_parquet(answers: Answers, to: IO[bytes], kinds: Mapping[str, Kind] = MappingProxyType({})) -> None:
    """Write answers as Parquet; `kinds` are the types of columns, kept where all values fit them."""
    parquet = parquet_library()
    import pyarrow

    heads = heads_of(_rows(answers))
    kinds = kinds_that_fit(_rows(answers), heads, kinds)
    types = {"whole": pyarrow.int64(), "boolean": pyarrow.bool_(), "text": pyarrow.string()}
    schema = pyarrow.schema([pyarrow.field(h, types[kinds[h]], h not in ALWAYS) for h in heads])
    with parquet.ParquetWriter(to, schema) as writer:
        rows = _rows(answers)
        while some := list(islice(rows, ROWS)):
            columns = [[stored(row.get(head), kinds[head]) for row in some] for head in heads]
            arrays = [pyarrow.array(c, type=field.type) for c, field in zip(columns, schema, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))


def write_xlsx(answers: Answers, to: IO[bytes]) -> None:
    """LogError where a sheet cannot hold all of it."""
    from dtables.spreadsheet.writer import SheetError, write_sheet

    heads = heads_of(_rows(answers))
    rows = (tuple(_cell(row.get(head)) for head in heads) for row in _rows(answers))
    try:
        write_sheet(to, "answers", heads, rows)
    except SheetError as error:
        raise LogError(f"{error}: write these answers as CSV, Parquet or JSON Lines") from None


@contextmanager
def rows_written(out: Path) -> Iterator[Callable[[dict[str, Any]], None]]:
    """A table of other rows than answers, by the file's ending as answers are. Rows are handed to what is
    yielded, as they come; the file appears when all of them are there. LogError for an ending that is not
    written."""
    finish = finish_for(out, {})
    is_table = finish is not None and finish is not write_packed_lines
    with temporary_folder() as folder:
        with folder.open_to_write("rows") as part:

            def add(row: dict[str, Any]) -> None:
                part.write(to_json_line({"answer": row} if is_table else row))

            yield add
        with whole_file(out) as to:
            (finish or _copied)(partial(folder.open, "rows"), to)


def _copied(lines: Answers, to: IO[bytes]) -> None:
    with lines() as file:
        shutil.copyfileobj(file, to)


# -- rows --------------------------------------------------------------------------------------


def _csv(answers: Answers, file: IO[str]) -> None:
    heads = heads_of(_rows(answers))
    _csv_row(map(guarded, heads), file)
    for row in _rows(answers):
        first, *others = (row.get(head) for head in heads)
        # To a spreadsheet that separates otherwise the whole row is one cell, and may begin with a minus.
        turn = guarded(str(first)) if isinstance(first, int) else _text(first)
        _csv_row((turn, *map(_text, others)), file)


def _csv_row(cells: Iterable[str], file: IO[str]) -> None:
    file.write(",".join(map(csv_cell, cells)) + "\n")


def _rows(answers: Answers) -> Iterator[dict[str, Any]]:
    """`any_of`, `next` and `reasons` stand beside the answer's own keys."""
    with answers() as file:
        for line in file:
            row = json.loads(line, parse_float=Decimal)
            yield {**{k: v for k, v in row.items() if k != "answer"}, **row["answer"]}


def _cell(value: object) -> object:
    """A number that a spreadsheet would round is text."""
    match value:
        case None | str() | bool():
            return value
        case int() if -LARGEST < value < LARGEST:
            return value
        case Decimal() if len(value.normalize(_EXACT).as_tuple().digits) <= MOST_DIGITS:
            return value
        case _:
            return to_json(value)


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return guarded(value)
        case dict() | list():
            return guarded_json(to_json(value))
        case _:
            return to_json(value)


_ENDINGS = (
    (".jsonl.gz", write_packed_lines),
    (".csv.gz", write_packed_csv),
    (".csv", write_csv),
    (".parquet", write_parquet),
    (".xlsx", write_xlsx),
)
