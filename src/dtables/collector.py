"""The collector of circular garbage, held back where much is made and all of it is kept."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_back() -> Iterator[None]:
    """Reading makes millions of objects and hardly a circle: looking for them over and over would take a
    third of the time. Also a decorator."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            _count_as_old()
            gc.enable()


MANY = 50_000


def _count_as_old() -> None:
    """Else the first object made afterwards has all of them gone through, which takes a tenth of what making
    them took. Whoever has frozen objects of their own keeps them so."""
    if gc.get_count()[0] > MANY and not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()
