"""Which turns a log has used: a set far smaller than one of Python's own.

A turn is kept as 16 bytes of a cryptographic digest, so that two different turns never pass for one.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

KEY = 16
_FREE = bytes(KEY)
_FEWEST = 1 << 10


@lru_cache(maxsize=1, typed=True)
def turn_key(game: str | None, turn: str | int) -> bytes:
    """Turn 1 and turn "1" are two turns. A record's key is asked for several times in a row."""
    return blake2b(repr((game, turn)).encode(), digest_size=KEY).digest()


def record_key(turn: object, game: object) -> bytes:
    """The key of what a record gives as its turn; empty where that is none."""
    if isinstance(turn, bool) or not isinstance(turn, (str, int)):
        return b""
    return turn_key(game, turn) if game is None or isinstance(game, str) else b""


class Turns:
    """Open addressing in one block of bytes: a Python set would take four times as much."""

    __slots__ = ("_count", "_mask", "_slots")

    def __init__(self) -> None:
        self._count = 0
        self._mask = _FEWEST - 1
        self._slots = bytearray(_FEWEST * KEY)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, key: bytes) -> bool:
        return self._slots[(at := self._place(key)) : at + KEY] == key

    def add(self, key: bytes) -> bool:
        """False where it was there before."""
        if 3 * (self._count + 1) > 2 * self._mask:
            self._grow()
        at = self._place(key)
        if self._slots[at : at + KEY] == key:
            return False
        self._slots[at : at + KEY] = key
        self._count += 1
        return True

    def make_room(self, more: int) -> None:
        """Grows now, so that adding so many keys moves none of those that are there: `take_back` relies on
        it."""
        while 3 * (self._count + more) > 2 * self._mask:
            self._grow()

    def take_back(self, key: bytes) -> None:
        """Forget the key that was added last: no other was put in its way since."""
        at = self._place(key)
        self._slots[at : at + KEY] = _FREE
        self._count -= 1

    def _place(self, key: bytes) -> int:
        """Where a key stands, or the free slot where it would."""
        slots, mask = self._slots, self._mask
        slot = int.from_bytes(key[:8], "little") & mask
        while (held := slots[slot * KEY : slot * KEY + KEY]) != key and held != _FREE:
            slot = (slot + 1) & mask
        return slot * KEY

    def _grow(self) -> None:
        old = self._slots
        self._mask = 2 * self._mask + 1
        self._slots = bytearray((self._mask + 1) * KEY)
        for start in range(0, len(old), KEY):
            key = bytes(old[start : start + KEY])
            if key != _FREE:
                at = self._place(key)
                self._slots[at : at + KEY] = key
