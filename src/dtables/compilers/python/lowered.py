"""Expressions of the model as the program has them. Python has names for variables: a variable's place is its
number, which is unique in the ruleset, so one frame serves all tables, asks and checks."""

from __future__ import annotations

from collections.abc import Iterator

from dtables.feel.types import Type
from dtables.model import expressions as model
from dtables.model.reach import outermost
from dtables.model.tables import Matrix, Scale
from dtables.program import nodes as p
from dtables.program import reach
from dtables.program.lowering import Lowering, Program

CELL = -1
"""The place of what a cell tests."""


class Lowered(Lowering):
    """`variables` by their places. What is lowered once stays the same node."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.variables: dict[p.Slot, model.Variable] = {}
        self._lowered: dict[int, tuple[model.Expression, p.Expression]] = {}

    def bind(self, variable: model.Variable) -> p.Slot:
        self.variables[variable.number] = variable
        return variable.number

    def slot(self, variable: model.Variable) -> p.Slot:
        return variable.number

    def value(self, node: model.Expression) -> p.Expression:
        known = self._lowered.get(id(node))
        if known is not None:
            return known[1]
        made = _in_order(super().value(node))
        if not isinstance(node, (model.Constant, model.NameOf)):
            self._lowered[id(node)] = (node, made)
        return made

    def narrow(self, scale: Scale) -> p.Narrow:
        body = self.table(scale).body
        assert isinstance(body, p.Narrow)
        return body

    def choose(self, matrix: Matrix) -> p.Choose:
        body = self.table(matrix).body
        assert isinstance(body, p.Choose)
        return body

    def cell(self, tests: tuple[model.Test, ...], type_: Type) -> p.Expression:
        """The condition that a cell makes of a value of the type."""
        return self.passes(tests, p.Local(CELL, type=type_, where=tests[0].where))

    def nodes(self, thing: object) -> Iterator[p.Node]:
        """Every node of expressions, of the model or lowered, and of whatever holds such."""
        if isinstance(thing, p.Node):
            yield from reach.nodes(thing)
        elif isinstance(thing, tuple):
            for part in thing:
                yield from self.nodes(part)
        else:
            for expression in outermost(thing):
                yield from reach.nodes(self.value(expression))

    def reads(self, thing: object) -> set[p.Slot]:
        """The variables that are read there."""
        return {node.slot for node in self.nodes(thing) if isinstance(node, p.Local)}


def _in_order(node: p.Expression) -> p.Expression:
    """Entries of a context are worked out before those that read them."""
    if isinstance(node, p.LazyLocal):
        return p.Local(node.slot, type=node.type, where=node.where, source=node.source)
    return node
