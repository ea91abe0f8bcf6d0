"""Lists as they are gone through: what is worked out for an item, and read more than once, is a field of a
row that is made for it beforehand, step by step.

Databases take twice as long for each lambda inside a lambda, so a row grows in one list after another; and
a value and what is wrong with it read the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from dtables.compilers.sql.neutral import Variable, XGet, XMap, XRecord, going
from dtables.compilers.sql.plan import Held, Scope, free, is_cheap, reads, replaced
from dtables.compilers.sql.terms import Tree, typed
from dtables.compilers.sql.types import TEXT, list_of, struct_of

Bodies = tuple[Tree | None, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """The bodies read `row`, which is the item itself where nothing is made beforehand."""

    rows: Tree
    row: Variable
    bodies: Bodies


def gone(items: Tree, item: Variable, inner: Scope, *bodies: Tree | None) -> Gone:
    """`inner` is the scope of the bodies, whose innermost lambda has the variable `item`."""
    kept, bodies = _settled(inner.frames[-1].kept, bodies)
    outside = replace(inner, frames=inner.frames[:-1])
    fields = {item.this.this: Held(item.this.this, item, item.type or TEXT)}
    rows, row, kind = items, item, list_of(TEXT)
    levels = _levels(kept)
    for depth, level in enumerate(levels):
        later = [*(one.tree for more in levels[depth + 1 :] for one in more), *_there(bodies)]
        variables = [
            *(one for one in fields.values() if any(one.name in free(tree) for tree in later)),
            *level,
        ]
        step = _Step(variables, fields)
        kind = list_of(step.type)
        rows = typed(XMap(this=rows, expression=going(row.this.this, step.record)), kind)
        row = inner.plan.variable("step", step.type)
        fields = step.read_from(row)
    if levels:
        rows = outside.held_as("steps", rows, kind)
    return Gone(rows, row, tuple(body and _with(fields, body) for body in bodies))


def _there(bodies: Bodies) -> list[Tree]:
    return [body for body in bodies if body is not None]


def _with(fields: dict[str, Held], tree: Tree) -> Tree:
    return replaced(tree, {name: one.tree for name, one in fields.items()})


class _Step:
    """A row of the values; `before` holds where those of earlier steps are read."""

    def __init__(self, values: Sequence[Held], before: dict[str, Held]) -> None:
        self._names = dict(zip((one.name for one in values), _field_names(values), strict=True))
        self._values = values
        self.type = struct_of((self._names[one.name], one.type) for one in values)
        entries = [
            exp.PropertyEQ(this=exp.to_identifier(self._names[one.name]), expression=_with(before, one.tree))
            for one in values
        ]
        self.record = typed(XRecord(expressions=entries), self.type)

    def read_from(self, row: Variable) -> dict[str, Held]:
        return {
            one.name: replace(one, tree=typed(XGet(this=row, expression=exp.to_identifier(name)), one.type))
            for one, name in zip(self._values, self._names.values(), strict=True)
        }


def _field_names(values: Sequence[Held]) -> Iterator[str]:
    """The same for two rows of the same values, whatever the numbers of their variables."""
    for number, one in enumerate(values):
        yield f"{one.name.rpartition('_')[0]} {number}"


def _settled(held: Sequence[Held], bodies: Bodies) -> tuple[list[Held], Bodies]:
    """Without what is never read; what is read once, or is hardly any work, stands in its place."""
    kept: list[Held] = []
    for one in reversed(held):
        often = sum(reads(tree, one.name) for tree in (*_there(bodies), *(other.tree for other in kept)))
        if often == 1 or (often and is_cheap(one.tree)):
            value = {one.name: one.tree}
            bodies = tuple(body and replaced(body, value) for body in bodies)
            kept = [replace(other, tree=replaced(other.tree, value)) for other in kept]
        elif often:
            kept.insert(0, one)
    return kept, bodies


def _levels(held: Sequence[Held]) -> list[list[Held]]:
    """By what they read of one another."""
    depths: dict[str, int] = {}
    levels: list[list[Held]] = []
    for one in held:
        depth = 1 + max((depths[name] for name in free(one.tree) if name in depths), default=-1)
        depths[one.name] = depth
        levels[depth:] = levels[depth:] or [[]]
        levels[depth].append(one)
    return levels
