"""Formulas whose values a turn keeps: those that go through lists and are asked the same thing again.

What they are asked with must be told apart by Python at once: names, rows, numbers, texts, and records,
each of which is itself only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from dtables.compilers.python.code import Site, literal
from dtables.compilers.python.failing import node_may_fail
from dtables.compilers.python.ground import Ground
from dtables.compilers.python.operators import is_boolean
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
from dtables.model.tables import Formula
from dtables.program.nodes import (
    Call,
    Comparison,
    Computed,
    Constant,
    Expression,
    Filter,
    For,
    Local,
    Logic,
    Node,
    Not,
    Quantified,
    Slot,
    Stored,
)
from dtables.program.reach import nodes

MOST_BRIEF = 8
Loop = Filter | For | Quantified


def find_kept(ground: Ground) -> None:
    again = _asked_again(ground)
    working: set[str] = set()
    thin: set[str] = set()
    for name, table in ground.tables.items():
        if not isinstance(table, Formula) or not works((table.steps, table.result), ground, working):
            continue
        working.add(name)
        if _only_asks(table, ground, working, ground.kept | thin):
            thin.add(name)
        elif name in again and table.parameters and _turn(table, ground) is not None:
            ground.kept.add(name)


def _only_asks(formula: Formula, ground: Ground, working: Collection[str], known: Collection[str]) -> bool:
    """Does it go through no lists itself, and ask only one that does, which the turn keeps? Looking that one
    up is as quick as looking up its own value."""
    parts = list(ground.lowered.nodes((formula.steps, formula.result)))
    asked = [part.table for part in parts if isinstance(part, Call) and part.table in working]
    return len(asked) == 1 and asked[0] in known and not any(isinstance(part, Loop) for part in parts)


def find_brief(ground: Ground) -> None:
    """Computed fields that only compare what stands in the record: not worth keeping."""
    for record in ground.records.values():
        if record is not ground.ruleset.input.state:
            for f in record.fields:
                key = (record.name, f.name)
                if f.computed is None or key in ground.turned:
                    continue
                if _is_brief(ground.lowered.value(f.computed), ground):
                    ground.brief.add(key)


def _is_brief(computed: Expression, ground: Ground) -> bool:
    parts = list(nodes(computed))
    return len(parts) <= MOST_BRIEF and is_boolean(computed.type) and all(_is_plain(n, ground) for n in parts)


def _is_plain(node: Node, ground: Ground) -> bool:
    """Read as often as one likes, at no cost."""
    match node:
        case (
            Stored(of=Local() | Stored() | Computed() as of)
            | Computed(of=Local() | Stored() | Computed() as of)
        ):
            return not may_be_null(of.type) and not node_may_fail(node, ground)
        case Comparison(operator="=" | "!=", left=left, right=right):
            return any(isinstance(side, Constant) for side in (left, right))
        case Not() | Logic() | Constant() | Local():
            return True
        case _:
            return False


def formula_lines(formula: Formula, names: list[str], value: str, steps: list[str], site: Site) -> list[str]:
    """A formula's body. `names` are those of its parameters, `steps` stand before its value."""
    if formula.heading.name not in site.ground.kept:
        return [*steps, f"return {value}"]
    turn = _turn(formula, site.ground)
    assert turn is not None
    holder = "turn" if turn < 0 else f"{names[turn]}.turn"
    return kept_lines(site.ground.functions[formula.heading.name], holder, names, value, site, steps)


def kept_lines(
    function: str, turn: str, names: list[str], value: str, site: Site, steps: Iterable[str] = ()
) -> list[str]:
    """The value that the turn knows, or else has from now on."""
    kept, key, known = (site.fresh(name) for name in ("kept", "key", "value"))
    asked = ", ".join([literal(function).text, *names])
    return [
        f"{kept}, {key} = {turn}.kept, ({asked})",
        f"if {key} in {kept}:",
        f"    return {kept}[{key}]",
        *steps,
        f"{kept}[{key}] = {known} = {value}",
        f"return {known}",
    ]


# -- which of them -----------------------------------------------------------------------------


def works(thing: object, ground: Ground, working: Collection[str] = ()) -> bool:
    """Does it go through lists, or call what does? Callees come before their callers."""
    return any(
        isinstance(node, Loop) or (isinstance(node, Call) and node.table in working)
        for node in ground.lowered.nodes(thing)
    )


def _turn(formula: Formula, ground: Ground) -> int | None:
    """Where the turn is at hand: -1 as an argument, or the parameter that carries it; None: nowhere, or the
    arguments are no key."""
    if not all(_is_key(parameter.type) for parameter in formula.parameters):
        return None
    if formula.heading.name in ground.turned:
        return -1
    return next((at for at, p in enumerate(formula.parameters) if carries_turn(p.type, ground)), None)


def _is_key(type_: Type) -> bool:
    return isinstance(plain(type_), (VocabularyType, RecordType, BooleanType, NumberType, TextType))


def carries_turn(type_: Type, ground: Ground) -> bool:
    found = plain(type_)
    return isinstance(found, RecordType) and not may_be_null(type_) and ground.keeps_turn(found.name)


# -- asked again -------------------------------------------------------------------------------


def _asked_again(ground: Ground) -> set[str]:
    """Called in two places, or in a loop with what stays the same in it."""
    calls = Counter(node.table for node in ground.working if isinstance(node, Call))
    steady = {
        call.table
        for node in ground.working
        if isinstance(node, Loop)
        for call in _calls(_part(node))
        if _reads(call).isdisjoint(_bound(node))
    }
    return {name for name, count in calls.items() if count > 1} | steady


def _calls(part: Node) -> Iterator[Call]:
    return (node for node in nodes(part) if isinstance(node, Call))


def _part(loop: Loop) -> Node:
    return loop.result if isinstance(loop, For) else loop.condition


def _reads(call: Call) -> set[Slot]:
    return {node.slot for node in nodes(call.arguments) if isinstance(node, Local)}


def _bound(loop: Loop) -> Iterable[Slot]:
    if isinstance(loop, Filter):
        return (loop.item,)
    return tuple(binding.slot for binding in loop.bindings)
