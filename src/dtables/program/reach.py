"""Going through a program without knowing its nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import cast

from dtables.program.nodes import Binding, Node


def nodes(thing: object) -> Iterator[Node]:
    """Every node in a node or a tuple of them, outermost first."""
    waiting = [thing]
    while waiting:
        current = waiting.pop()
        kind = type(current)
        if kind is tuple:
            waiting.extend(reversed(cast("tuple[object, ...]", current)))
            continue
        names = _NAMES.get(kind)
        if names is None:
            names = _names_of(kind)
        if isinstance(current, Node):
            yield current
        for name in reversed(names):
            waiting.append(getattr(current, name))


def children(thing: object) -> Iterator[Node]:
    """The nodes right below, in the order in which they are worked out."""
    if isinstance(thing, tuple):
        parts = cast("tuple[object, ...]", thing)
    else:
        parts = tuple(getattr(thing, name) for name in _names_of(type(thing)))
    for part in parts:
        if isinstance(part, Node):
            yield part
        else:
            yield from children(part)


def _names_of(kind: type) -> tuple[str, ...]:
    """The fields that hold nodes."""
    found: tuple[str, ...] = ()
    if is_dataclass(kind) and issubclass(kind, (Node, Binding)):
        found = tuple(f.name for f in fields(kind) if "Expression" in f.type or "Binding" in f.type)
    _NAMES[kind] = found
    return found


_NAMES: dict[type, tuple[str, ...]] = {}
