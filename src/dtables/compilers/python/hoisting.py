"""What a loop works out again and again though it stays the same: worked out once, before the loop.

Only lists that are made by going through others are worth it, and only where nobody can tell: nothing
in them may fail, since a loop over nothing would never have read them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.site import Site
from dtables.model.expressions import (
    Expression,
    Filter,
    For,
    MakeContext,
    MakeFunction,
    Matches,
    Node,
    Quantified,
    Read,
    Select,
    Variable,
)
from dtables.model.walk import nodes


def hoisted(part: Expression, site: Site) -> tuple[str, Site]:
    """Clauses ` for name in (list,)` that go before the loop's own, and where its part reads the names."""
    clauses = ""
    names = dict(site.hoisted)
    for node in _steady(part, site):
        if id(node) not in names:
            code = site.in_iterable().code(node)
            names[id(node)] = site.fresh("known")
            clauses += f" for {names[id(node)]} in ({code.whole},)"
    return clauses, replace(site, hoisted=names)


def _steady(part: Expression, site: Site) -> Iterator[Expression]:
    """The outermost lists that read nothing of what the loop or anything in it binds."""
    known = set(site.function.variables) | set(site.function.inlined)
    covered: set[int] = set()
    for node in nodes(part):
        if id(node) in covered or not isinstance(node, (For, Filter)):
            continue
        if _free(node) <= known and not may_fail(node, site.ground):
            covered |= {id(inner) for inner in nodes(node)}
            yield node


def _free(node: Node) -> set[int]:
    read = {n.variable.number for n in nodes(node) if isinstance(n, Read)}
    return read - {variable.number for n in nodes(node) for variable in _bound(n)}


def _bound(node: Node) -> Iterator[Variable]:
    match node:
        case Filter(item=item) | Select(item=item):
            yield item
        case For(bindings=bindings, partial=partial):
            yield from (binding.variable for binding in bindings)
            if partial is not None:
                yield partial
        case Quantified(bindings=bindings):
            yield from (binding.variable for binding in bindings)
        case Matches(subject=subject):
            yield subject
        case MakeFunction(parameters=parameters):
            yield from parameters
        case MakeContext(entries=entries):
            yield from (entry.variable for entry in entries)
        case _:
            return
