"""Items of lists, kept by their turn until it comes: on the disk, for memory may not hold all of them."""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import blake2b
from types import TracebackType
from typing import Self

from dtables.findings import Finding
from dtables.runs.columns import Path as Steps
from dtables.runs.turns import KEY, Turns

Key = tuple[object, object]
"""A game and its turn, as they stand in their cells."""


@dataclass(frozen=True, slots=True)
class Item:
    """A row of a list's sheet: what it adds to the list at `place`, or what is wrong with it."""

    sheet: str
    row: int
    turn: object
    place: Steps
    value: object
    finding: Finding | None


class Items(AbstractContextManager["Items"]):
    """In a file that nobody else sees, gone with it; what fits into its cache is never written."""

    def __init__(self) -> None:
        self._met = Turns()
        self._kept = sqlite3.connect("", isolation_level=None)
        for statement in ("PRAGMA journal_mode = OFF", "CREATE TABLE items (turn BLOB, item BLOB)", "BEGIN"):
            self._kept.execute(statement)

    def keep(self, items: Iterable[tuple[Key, Item]]) -> None:
        rows = ((_digest(key), pickle.dumps(item)) for key, item in items)
        self._kept.executemany("INSERT INTO items VALUES (?, ?)", rows)

    def sort(self) -> None:
        """After the last one is kept."""
        self._kept.execute("CREATE INDEX by_turn ON items (turn)")

    def of(self, key: Key) -> list[Item]:
        """Those of a turn, in their order."""
        digest = _digest(key)
        self._met.add(digest)
        found = self._kept.execute("SELECT item FROM items WHERE turn = ? ORDER BY rowid", (digest,))
        return [pickle.loads(item) for (item,) in found]

    def nobodys(self) -> Iterator[Item]:
        """Those whose turn was never asked for."""
        for digest, item in self._kept.execute("SELECT turn, item FROM items ORDER BY rowid"):
            if digest not in self._met:
                yield pickle.loads(item)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kept.close()


def _digest(key: Key) -> bytes:
    return blake2b(repr(key).encode(errors="backslashreplace"), digest_size=KEY).digest()
