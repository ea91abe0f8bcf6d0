"""What may be given as a log: a file, a folder, a pattern; each read by its kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path

from dtables.runs.chunks import CHUNK, Chunk, LogError, read_json_chunks

JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
LOG_ENDINGS = (*JSON_ENDINGS, *(f"{ending}.gz" for ending in JSON_ENDINGS))


@dataclass(frozen=True, slots=True)
class Log:
    """Files in the order in which they are read: by name, so that a folder is always the same log."""

    name: str
    files: tuple[Path, ...]

    @property
    def bytes(self) -> int:
        """As they stand on the disk, packed or not."""
        return sum(file.stat().st_size for file in self.files)

    @property
    def packed(self) -> bool:
        return any(file.name.endswith(".gz") for file in self.files)

    def chunks(self, size: int = CHUNK) -> Iterator[Chunk]:
        several = len(self.files) > 1
        for file in self.files:
            yield from read_json_chunks(file, file.name if several else None, size)


def find_log(given: str | Path) -> Log:
    """LogError where there is nothing to read. Hidden files of a folder, and those whose ending says that
    they are no logs, are none; a file that is named is read whatever its ending."""
    place = Path(given)
    if place.is_file():
        return Log(str(given), (place,))
    if place.is_dir():
        return _several(str(given), list(place.iterdir()))
    if has_magic(str(given)):
        anchor = Path(place.anchor)
        return _several(str(given), list(anchor.glob(str(place.relative_to(anchor)))))
    raise LogError(f"{given}: no such file or folder")


def _several(name: str, found: list[Path]) -> Log:
    files = tuple(sorted(f for f in found if f.is_file() and _is_log(f.name)))
    if not files:
        raise LogError(f"{name}: no log there (files that end with {', '.join(LOG_ENDINGS)})")
    return Log(name, files)


def _is_log(name: str) -> bool:
    rejects = any(name.endswith(f".rejected{ending}") for ending in LOG_ENDINGS)
    return name.endswith(LOG_ENDINGS) and not name.startswith(".") and not rejects
