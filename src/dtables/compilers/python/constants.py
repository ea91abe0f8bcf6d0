"""Expressions that are worth the same whenever they are read: they become constants of the module."""

from __future__ import annotations

from dtables.compilers.python.ground import Ground
from dtables.model.expressions import (
    Constant,
    EachOf,
    Entry,
    MakeContext,
    MakeList,
    MakeRange,
    MakeRecord,
    NameOf,
    Node,
)
from dtables.model.reach import nodes

FIXED = (Constant, NameOf, EachOf, MakeList, MakeRange, MakeContext, MakeRecord)


def is_constant(thing: object, ground: Ground) -> bool:
    return all(_is_fixed(node, ground) for node in nodes(thing))


def _is_fixed(node: Node | Entry, ground: Ground) -> bool:
    if isinstance(node, MakeRecord):
        return not ground.keeps_turn(node.record)
    return isinstance(node, FIXED)
