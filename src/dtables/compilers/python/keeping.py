"""Formulas whose values a turn keeps: those that go through lists and are asked the same thing again.

What they are asked with must be told apart by Python at once: names, rows, numbers, texts, and records,
each of which is itself only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from dtables.compilers.python.code import literal
from dtables.compilers.python.ground import Ground
from dtables.compilers.python.site import Site
from dtables.feel.types import (
    BooleanType,
    NumberType,
    RecordType,
    TextType,
    Type,
    VocabularyType,
    may_be_null,
    plain,
)
from dtables.model.expressions import CallTable, Filter, For, Node, Quantified, Read
from dtables.model.tables import Formula
from dtables.model.walk import nodes

Loop = Filter | For | Quantified


def find_kept(ground: Ground) -> None:
    again = _asked_again(ground)
    working: set[str] = set()
    for name, table in ground.tables.items():
        if isinstance(table, Formula) and _works(table, working):
            working.add(name)
            if name in again and table.parameters and _turn(table, ground) is not None:
                ground.kept.add(name)


def kept_lines(formula: Formula, names: list[str], value: str, site: Site) -> tuple[list[str], list[str]]:
    """What stands before a formula is worked out, and what is done with its value. `names` are those of its
    parameters."""
    if formula.heading.name not in site.ground.kept:
        return [], [f"return {value}"]
    turn = _turn(formula, site.ground)
    assert turn is not None
    kept, key = site.fresh("kept"), site.fresh("key")
    holder = "turn" if turn < 0 else f"{names[turn]}.turn"
    asked = ", ".join([literal(site.ground.functions[formula.heading.name]).text, *names])
    before = [f"{kept}, {key} = {holder}.kept, ({asked})", f"if {key} in {kept}:"]
    known = site.fresh("value")
    return [*before, f"    return {kept}[{key}]"], [f"{kept}[{key}] = {known} = {value}", f"return {known}"]


# -- which of them -----------------------------------------------------------------------------


def _works(formula: Formula, working: set[str]) -> bool:
    """Callees come before their callers."""
    return any(
        isinstance(node, Loop) or (isinstance(node, CallTable) and node.table in working)
        for node in nodes((formula.steps, formula.result))
    )


def _turn(formula: Formula, ground: Ground) -> int | None:
    """Where the turn is at hand: -1 as an argument, or the parameter that carries it; None: nowhere, or the
    arguments are no key."""
    if not all(_is_key(parameter.type) for parameter in formula.parameters):
        return None
    if formula.heading.name in ground.turned:
        return -1
    return next((at for at, p in enumerate(formula.parameters) if _carries(p.type, ground)), None)


def _is_key(type_: Type) -> bool:
    return isinstance(plain(type_), (VocabularyType, RecordType, BooleanType, NumberType, TextType))


def _carries(type_: Type, ground: Ground) -> bool:
    found = plain(type_)
    return isinstance(found, RecordType) and not may_be_null(type_) and ground.keeps_turn(found.name)


# -- asked again -------------------------------------------------------------------------------


def _asked_again(ground: Ground) -> set[str]:
    """Called in two places, or in a loop with what stays the same in it."""
    everything = (ground.ruleset.tables, ground.ruleset.asks, ground.ruleset.records, ground.ruleset.checks)
    calls = Counter(node.table for node in nodes(everything) if isinstance(node, CallTable))
    steady = {
        call.table
        for node in nodes(everything)
        if isinstance(node, Loop)
        for call in _calls(_part(node))
        if _reads(call).isdisjoint(_bound(node))
    }
    return {name for name, count in calls.items() if count > 1} | steady


def _calls(part: Node) -> Iterator[CallTable]:
    return (node for node in nodes(part) if isinstance(node, CallTable))


def _part(loop: Loop) -> Node:
    return loop.result if isinstance(loop, For) else loop.condition


def _reads(call: CallTable) -> set[int]:
    return {node.variable.number for node in nodes(call.arguments) if isinstance(node, Read)}


def _bound(loop: Loop) -> Iterable[int]:
    if isinstance(loop, Filter):
        return (loop.item.number,)
    return tuple(binding.variable.number for binding in loop.bindings)
