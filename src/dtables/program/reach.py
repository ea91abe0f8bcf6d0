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
        if isinstance(current, Node):
            yield current
        waiting.extend(reversed(_parts(current)))


def children(thing: object) -> Iterator[Node]:
    """The nodes right below, in the order in which they are worked out."""
    for part in _parts(thing):
        if isinstance(part, Node):
            yield part
        else:
            yield from children(part)


def _parts(thing: object) -> tuple[object, ...]:
    kind = type(thing)
    if kind is tuple:
        return cast("tuple[object, ...]", thing)
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = _names_of(kind)
    return tuple(getattr(thing, name) for name in names)


def _names_of(kind: type) -> tuple[str, ...]:
    """The fields that hold nodes."""
    if not (is_dataclass(kind) and issubclass(kind, (Node, Binding))):
        return ()
    return tuple(f.name for f in fields(kind) if "Expression" in f.type or "Binding" in f.type)


_NAMES: dict[type, tuple[str, ...]] = {}
