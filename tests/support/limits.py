"""Limits set for a while, and proof that the code under test has asked for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from dtables.limits import LIMITS, Limits

_asked: set[str] = set()


class Watched(Limits):
    """The same object, which tells what it was asked for."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> object:
        _asked.add(name)
        return super().__getattribute__(name)


@contextmanager
def limited(*, perhaps: bool = False, **values: int) -> Iterator[None]:
    """Inside, or in a test that it decorates, each of the limits must be asked for: else another way was
    taken than the test means. `perhaps`: drawn tables do not all come to where a limit is."""
    before = {name: object.__getattribute__(LIMITS, name) for name in values}
    plain, seen = type(LIMITS), set(_asked)
    _asked.clear()
    _set(Watched, values)
    try:
        yield
        missed = values.keys() - _asked
        assert perhaps or not missed, f"nobody asked for {sorted(missed)}"
    finally:
        _set(plain, before)
        _asked.update(seen)


def _set(kind: type[Limits], values: Mapping[str, int]) -> None:
    LIMITS.__class__ = kind
    for name, value in values.items():
        setattr(LIMITS, name, value)
