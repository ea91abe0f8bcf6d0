"""Expressions of the model as the program has them. Python has names for variables: a variable's place is its
number, which is unique in the ruleset, so one frame serves all tables, asks and checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import overload

from dtables.feel.types import may_be_null, without_null
from dtables.model import expressions as model
from dtables.model.reach import outermost
from dtables.model.tables import Decision, Matrix, Rule, Scale, Subject
from dtables.program import nodes as p
from dtables.program.lowering import Lowering, Program


class Lowered(Lowering):
    """`variables` by their places. What is lowered once stays the same node."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.variables: dict[p.Slot, model.Variable] = {}
        self._lowered: dict[int, tuple[model.Expression, p.Expression]] = {}
        self._chosen: dict[str, p.Choose] = {}

    def bind(self, variable: model.Variable) -> p.Slot:
        self.variables[variable.number] = variable
        return variable.number

    def slot(self, variable: model.Variable) -> p.Slot:
        return variable.number

    def value(self, node: model.Expression) -> p.Expression:
        known = self._lowered.get(id(node))
        if known is not None:
            return known[1]
        lowered = _in_order(super().value(node))
        if not isinstance(node, (model.Constant, model.NameOf)):
            self._lowered[id(node)] = (node, lowered)
        return lowered

    def narrow(self, scale: Scale) -> p.Narrow:
        body = self.table(scale).body
        assert isinstance(body, p.Narrow)
        return body

    def choose(self, table: Decision | Matrix) -> p.Choose:
        """Rows are looked at many times, and stay."""
        if table.heading.name not in self._chosen:
            body = self.table(table).body
            assert isinstance(body, p.Choose)
            rows = (replace(row, outcomes=tuple(row.outcomes)) for row in body.rows)
            self._chosen[table.heading.name] = replace(body, rows=tuple(rows))
        return self._chosen[table.heading.name]

    def column(self, subject: Subject) -> p.Column:
        """What it tests has a name of its own wherever that is quicker."""
        value = None if subject.value is None else self.value(subject.value)
        return p.Column(self.bind(subject.variable), value, subject)

    def cells(self, rule: Rule, columns: tuple[p.Column, ...]) -> Sequence[p.Cell]:
        return _Cells(super().cells(rule, columns))

    def of_present(self, cell: p.Cell, column: p.Column) -> p.Expression:
        """A cell's condition where the value is known not to be null."""
        assert cell.source is not None and column.source is not None, "a cell of a decision"
        type_, tests = column.source.variable.type, cell.source.tests
        if not may_be_null(type_):
            return cell.condition
        return self.passes(tests, p.Local(column.slot, type=without_null(type_), where=tests[0].where))

    def repeats(self, cell: p.Cell) -> bool:
        """Is what is tested read more than once?"""
        assert cell.source is not None, "a cell of a decision"
        return len(cell.source.tests) > 1 or bool(self.reads(cell.source.tests))

    def test(self, tests: tuple[model.Test, ...], variable: model.Variable) -> p.Expression:
        """Does the variable pass?"""
        return self.passes(tests, p.Local(variable.number, type=variable.type, where=tests[0].where))

    def nodes(self, holder: object) -> Iterator[p.Node]:
        """Every node of expressions, of the model or lowered, and of whatever holds such."""
        if isinstance(holder, p.Node):
            yield from p.nodes(holder)
        elif isinstance(holder, tuple):
            for part in holder:
                yield from self.nodes(part)
        else:
            for expression in outermost(holder):
                yield from p.nodes(self.value(expression))

    def reads(self, holder: object) -> set[p.Slot]:
        """The variables that are read there."""
        return {node.slot for node in self.nodes(holder) if isinstance(node, p.Local)}


class _Cells(Sequence[p.Cell]):
    """Made when they are first looked at, and kept: an index wants their regions alone."""

    def __init__(self, cells: Sequence[p.Cell]) -> None:
        self._lowered = cells

    @cached_property
    def _cells(self) -> tuple[p.Cell, ...]:
        return tuple(self._lowered)

    def __len__(self) -> int:
        return len(self._lowered)

    @overload
    def __getitem__(self, number: int) -> p.Cell: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[p.Cell]: ...

    def __getitem__(self, number: int | slice) -> p.Cell | Sequence[p.Cell]:
        return self._cells[number]


def _in_order(node: p.Expression) -> p.Expression:
    """Entries of a context are worked out before those that read them."""
    if isinstance(node, p.LazyLocal):
        return p.Local(node.slot, type=node.type, where=node.where, source=node.source)
    return node
