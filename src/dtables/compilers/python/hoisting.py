"""What a loop works out again and again though it stays the same: worked out once, before the loop.

Only lists that are made by going through others are worth it, and only where nobody can tell: nothing
in them may fail, since a loop over nothing would never have read them. A list that depends on the turn
alone is worked out once per turn, whoever reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dtables.compilers.python.code import Function, Module, Site, indented
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.identifiers import Identifiers, lower_snake
from dtables.program.nodes import (
    EachName,
    Expression,
    Filter,
    For,
    Input,
    Let,
    Local,
    MakeContext,
    MakeFunction,
    Node,
    Quantified,
    Select,
    Slot,
)
from dtables.program.reach import nodes


def hoisted(part: Expression, site: Site) -> tuple[str, Site]:
    """Clauses ` for name in (list,)` that go before the loop's own, and where its part reads the names."""
    clauses = ""
    names = dict(site.hoisted)
    for node in _steady(part, site):
        if id(node) in names:
            continue
        if is_of_the_turn(node, site):
            names[id(node)] = list_of_the_turn(node, site)
        else:
            code = site.in_iterable().code(node)
            names[id(node)] = site.fresh("known")
            clauses += f" for {names[id(node)]} in ({code.whole},)"
    return clauses, replace(site, hoisted=names)


def is_of_the_turn(node: Expression, site: Site) -> bool:
    """Does it depend on the turn alone, and never fails?"""
    return not free(node) and site.ground.needs_turn(node) and not may_fail(node, site.ground)


def list_of_the_turn(node: Expression, site: Site) -> str:
    """The turn's attribute that holds the list. Lists whose code is the same share one attribute."""
    module = site.function.module
    alone = Site(Function(module, site.function.table, "turn", module.ground.names.inner()), site.emit)
    value = alone.code(node).whole
    body = tuple(indented([*alone.function.prelude, f"return {value}"]))
    if body not in module.turn_lists:
        module.turn_lists[body] = _turn_names(module).new(f"known_{_stem(node)}")
    return f"{site.turn}.{module.turn_lists[body]}"


def _turn_names(module: Module) -> Identifiers:
    return module.ground.own_names[module.ground.ruleset.input.state.name]


def _stem(node: Expression) -> str:
    """The input field or the vocabulary that it reads, if it does so itself."""
    for part in nodes(node):
        match part:
            case Input(field=name) | EachName(vocabulary=name):
                return lower_snake(name)
            case _:
                pass
    return "list"


def write_turn_lists(module: Module, state: str) -> Iterator[str]:
    functions: dict[str, str] = {}
    for body, attribute in module.turn_lists.items():
        functions[attribute] = module.ground.names.new(f"{attribute}_in_turn")
        yield from (f"def {functions[attribute]}(turn):", *body, "", "")
    if functions:
        listed = ", ".join(f"{attribute!r}: {function}" for attribute, function in functions.items())
        yield f"{module.uses('computes')}({state}, {{{listed}}})"


def _steady(part: Expression, site: Site) -> Iterator[Expression]:
    """The outermost lists that read nothing of what the loop or anything in it binds."""
    known = set(site.function.variables) | set(site.function.inlined)
    covered: set[int] = set()
    for node in nodes(part):
        if id(node) in covered or not isinstance(node, (For, Filter)):
            continue
        if free(node) <= known and not may_fail(node, site.ground):
            covered |= {id(inner) for inner in nodes(node)}
            yield node


def free(node: Node) -> set[Slot]:
    """Variables that it reads and does not bind."""
    read = {n.slot for n in nodes(node) if isinstance(n, Local)}
    return read - {slot for n in nodes(node) for slot in _bound(n)}


def _bound(node: Node) -> Iterator[Slot]:
    match node:
        case Filter(item=item) | Select(item=item):
            yield item
        case For(bindings=bindings, partial=partial):
            yield from (binding.slot for binding in bindings)
            if partial is not None:
                yield partial
        case Quantified(bindings=bindings):
            yield from (binding.slot for binding in bindings)
        case Let(slot=slot):
            yield slot
        case MakeFunction(parameters=parameters):
            yield from (slot for _, slot, _ in parameters)
        case MakeContext(entries=entries):
            yield from (slot for _, slot, _ in entries)
        case _:
            return
