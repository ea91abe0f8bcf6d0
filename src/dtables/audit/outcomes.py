"""What a row of a decision can give in a field of the answer, as far as the workbook alone says it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from dtables.model.expressions import (
    CallStep,
    CallTable,
    Conditional,
    Constant,
    Expression,
    FieldOf,
    Guard,
    MakeContext,
    MakeRecord,
    NameOf,
    Read,
)
from dtables.model.index import Index
from dtables.model.tables import Decision, Formula, Rule, Ruleset, Step

Values = frozenset[object]
Path = tuple[str, ...]
"""Fields that are read of a value, one of another."""
DEEPEST = 12


class Unforeseen(Exception):
    """Raised where only the rules at work can say what an expression comes to."""


@dataclass(frozen=True)
class Outcomes:
    """Remembers what rows can give."""

    model: Ruleset
    _known: dict[tuple[int, Path], Values | None] = field(default_factory=dict)

    def of(self, rule: Rule, decision: Decision, path: Path) -> Values | None:
        """The values at `path` that a row can give, names by their ids; None where it depends."""
        key = (id(rule), path)
        if key not in self._known:
            self._known[key] = self._of(rule, decision, path)
        return self._known[key]

    def _of(self, rule: Rule, decision: Decision, path: Path) -> Values | None:
        """Several outcome columns make a context, of which the path names one."""
        columns = [column.name for column in decision.outcomes]
        outcome = rule.outcomes[0]
        if len(columns) > 1:
            if not path or path[0] not in columns:
                return None
            outcome, path = rule.outcomes[columns.index(path[0])], path[1:]
        try:
            return frozenset(self._values(outcome.value, path, DEEPEST))
        except (Unforeseen, TypeError):
            return None

    def _values(self, node: Expression, path: Path, deep: int) -> Iterator[object]:
        """`path` are the fields that are still read of the value; a plain value has none of them, and is
        what the field holds."""
        if deep == 0:
            raise Unforeseen
        match node:
            case Constant(value=None) if path:
                return
            case Constant(value=value):
                yield value
            case NameOf(id=id):
                yield id
            case Guard(operand=operand):
                yield from self._values(operand, path, deep - 1)
            case Conditional(then=then, otherwise=otherwise):
                yield from self._values(then, path, deep - 1)
                yield from self._values(otherwise, path, deep - 1)
            case FieldOf(of=of, name=name):
                yield from self._values(of, (name, *path), deep - 1)
            case MakeRecord() | MakeContext():
                yield from self._entry(node, path, deep)
            case CallTable(table=table):
                yield from self._table(table, path, deep)
            case CallStep(step=variable) | Read(variable=variable) if variable.number in self._steps:
                yield from self._values(self._steps[variable.number].value, path, deep - 1)
            case _:
                raise Unforeseen

    def _entry(self, node: MakeRecord | MakeContext, path: Path, deep: int) -> Iterator[object]:
        pairs = node.fields if isinstance(node, MakeRecord) else [(e.name, e.value) for e in node.entries]
        fields = dict(pairs)
        if not path or path[0] not in fields:
            raise Unforeseen
        yield from self._values(fields[path[0]], path[1:], deep - 1)

    def _table(self, name: str, path: Path, deep: int) -> Iterator[object]:
        match self._index.tables.get(name):
            case Formula(result=result):
                yield from self._values(result, path, deep - 1)
            case Decision(rules=rules, otherwise=otherwise, outcomes=columns) if len(columns) == 1:
                for rule in rules:
                    yield from self._values(rule.outcomes[0].value, path, deep - 1)
                if otherwise is not None:
                    yield from self._values(otherwise.value, path, deep - 1)
            case _:
                raise Unforeseen

    @cached_property
    def _index(self) -> Index:
        return Index(self.model)

    @cached_property
    def _steps(self) -> dict[int, Step]:
        formulas = [table for table in self.model.tables if isinstance(table, Formula)]
        asked = (row for ask in self.model.asks for row in ask.rows if isinstance(row, Step))
        every = (*(step for table in formulas for step in table.steps), *asked)
        return {step.variable.number: step for step in every}
