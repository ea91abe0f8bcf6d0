"""What may be given as a log: a file, a folder, a pattern; each read by its kind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from glob import has_magic
from os.path import commonpath
from pathlib import Path
from typing import IO, TYPE_CHECKING

from dtables.files import identity
from dtables.runs.chunks import CHUNK, Chunk, JsonChunk, LogError, json_chunks, read_json_chunks
from dtables.runs.piped import Piped

if TYPE_CHECKING:
    from dtables.model.tables import Ruleset

STANDARD_INPUT = "-"
PLAIN_ENDINGS = (".jsonl", ".ndjson", ".json")
JSON_ENDINGS = (*PLAIN_ENDINGS, *(f"{ending}.gz" for ending in PLAIN_ENDINGS))
CSV_ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
PARQUET_ENDINGS = (".parquet",)
EXCEL_ENDINGS = (".xlsx",)
TYPED_ENDINGS = (*CSV_ENDINGS, *PARQUET_ENDINGS, *EXCEL_ENDINGS)
LOG_ENDINGS = (*JSON_ENDINGS, *TYPED_ENDINGS)


@dataclass(frozen=True, slots=True)
class Log:
    """Files in the order in which they are read: by name, so that a folder is always the same log."""

    name: str
    files: tuple[Path, ...]
    model: Ruleset | None = None
    """Declares the types of columns; JSON Lines need none."""
    piped: Piped | None = None
    """Instead of files: JSON Lines that can be read once."""

    @property
    def first(self) -> str:
        """What it is called where it is one file."""
        return self.files[0].name if self.files else self.name

    def kept(self) -> Log:
        """A log that can be read as often as it takes."""
        return self if self.piped is None else replace(self, files=(self.piped.kept(),), piped=None)

    def reads(self, place: Path) -> bool:
        """Whether that is one of its files, however it is spelled."""
        found = identity(place)
        return found is not None and any(identity(file) == found for file in self.files)

    @property
    def bytes(self) -> int:
        """As they stand on the disk, packed or not."""
        return sum(file.stat().st_size for file in self.files)

    @property
    def measured(self) -> bool:
        """Whether its pieces are as large as they stand on the disk: plain JSON Lines."""
        return bool(self.files) and all(file.name.endswith(PLAIN_ENDINGS) for file in self.files)

    @property
    def typed(self) -> bool:
        """Whether columns have to be read by the types that the model declares."""
        return any(file.name.endswith(TYPED_ENDINGS) for file in self.files)

    def chunks(self, size: int = CHUNK) -> Iterator[Chunk]:
        if self.piped is not None:
            yield from json_chunks(self.piped.lines(), self.name, None, size, False)
        before = 0
        for file in self.files:
            for chunk in self.read(file, self.told(file), size):
                if before and isinstance(chunk, JsonChunk) and chunk.end is not None:
                    chunk = replace(chunk, end=before + chunk.end)
                yield chunk
            before += file.stat().st_size

    def told(self, file: Path) -> str | None:
        """What rejects tell of one of several files: its place below the folder that all are in."""
        if len(self.files) == 1:
            return None
        return file.relative_to(commonpath(file.parent for file in self.files)).as_posix()

    def read(self, file: Path, name: str | None, size: int) -> Iterator[Chunk]:
        """One of its files; `name` is what rejects tell of it."""
        if not file.name.endswith(TYPED_ENDINGS):
            return read_json_chunks(file, name, size)
        if self.model is None:
            raise no_types(file)
        if file.name.endswith(CSV_ENDINGS):
            from dtables.runs.csv_logs import read_csv_chunks

            return read_csv_chunks(file, self.model, name)
        if file.name.endswith(EXCEL_ENDINGS):
            from dtables.runs.sheet_logs import read_sheet_chunks

            return read_sheet_chunks(file, self.model, name)
        from dtables.runs.parquet_logs import read_parquet_chunks

        return read_parquet_chunks(file, self.model, name)


def no_types(file: Path) -> LogError:
    return LogError(f"{file}: columns have the types that a workbook declares, and none is given")


def find_log(given: str | Path, model: Ruleset | None = None) -> Log:
    """`-` is the standard input. LogError where there is nothing to read. Hidden files of a folder, and those
    whose ending says that they are no logs, are none; a file that is named is read whatever its ending."""
    if given == STANDARD_INPUT:
        return _piped("standard input", sys.stdin.buffer, model)
    place = _place(given) if isinstance(given, str) else given
    if place.is_fifo() or place.is_char_device():
        return _piped(str(given), place.open("rb"), model)
    if place.is_file():
        return Log(str(given), (place,), model)
    if place.is_dir():
        return _several(str(given), list(place.iterdir()), model)
    if has_magic(str(place)):
        anchor = Path(place.anchor)
        return _several(str(given), list(anchor.glob(str(place.relative_to(anchor)))), model)
    raise LogError(f"{given}: no such file or folder")


def _piped(name: str, stream: IO[bytes], model: Ruleset | None) -> Log:
    piped = Piped(stream)
    lines = piped.ending.endswith(JSON_ENDINGS)
    return Log(name, (), model, piped) if lines else Log(name, (piped.kept(),), model)


def _place(given: str) -> Path:
    """Also by an address as `file:///logs/may.jsonl`."""
    scheme, found, path = given.partition("://")
    if not found:
        return Path(given)
    if scheme == "file" and path.startswith("/"):
        from urllib.parse import unquote

        return Path(unquote(path))
    raise LogError(
        f"{given}: logs are read from this machine's file systems, storage that is mounted among them; what "
        "only Spark can read is answered by `answer_spark` (docs/scale.md)"
    )


def _several(name: str, found: list[Path], model: Ruleset | None) -> Log:
    files = tuple(sorted(f for f in found if f.is_file() and _is_log(f.name)))
    if not files:
        raise LogError(f"{name}: no log there (files that end with {', '.join(LOG_ENDINGS)})")
    return Log(name, files, model)


def _is_log(name: str) -> bool:
    rejects = any(name.endswith(f".rejected{ending}") for ending in LOG_ENDINGS)
    return name.endswith(LOG_ENDINGS) and not name.startswith(".") and not rejects
