"""Garbage is looked for later, not never; whoever froze objects keeps them frozen."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from dtables.collector import MANY, held_back


@pytest.fixture(autouse=True)
def nothing_frozen() -> Iterator[None]:
    """What tests have imported is frozen otherwise."""
    gc.unfreeze()
    yield
    gc.freeze()


class Circular:
    def __init__(self) -> None:
        self.own = self


def made() -> list[list[object]]:
    with held_back():
        return [[] for _ in range(2 * MANY)]


def test_held_back__what_was_made_is_old() -> None:
    kept = made()
    young = {id(thing) for generation in (0, 1) for thing in gc.get_objects(generation)}
    assert not any(id(thing) in young for thing in kept)
    assert gc.isenabled()


def test_held_back__circles_are_found_when_all_is_gone_through() -> None:
    with held_back():
        gone = weakref.ref(Circular())
        kept = made()
    assert gone() is not None
    gc.collect()
    assert gone() is None
    assert kept


def test_held_back__frozen_before() -> None:
    frozen = Circular()
    gc.freeze()
    try:
        kept = made()
        assert not any(thing is frozen for thing in gc.get_objects())
        assert kept
    finally:
        gc.unfreeze()


def test_held_back__switched_off_before() -> None:
    gc.disable()
    try:
        made()
        assert not gc.isenabled()
    finally:
        gc.enable()
