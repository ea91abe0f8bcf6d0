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
            gc.enable()
