"""Expressions that are worth the same whenever they are read: they become constants of the module."""

from __future__ import annotations

from dtables.compilers.python.ground import Ground
from dtables.program import nodes as p

FIXED = (p.Constant, p.Name, p.EachName, p.MakeList, p.MakeRange, p.MakeContext, p.MakeRecord)


def is_constant(thing: object, ground: Ground) -> bool:
    return all(_is_fixed(node, ground) for node in ground.lowered.nodes(thing))


def _is_fixed(node: p.Node, ground: Ground) -> bool:
    if isinstance(node, p.MakeRecord):
        return not ground.keeps_turn(node.record)
    return isinstance(node, FIXED)
