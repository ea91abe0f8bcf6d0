"""What setup fixes is resolved away: on a card for one name only what concerns that name is left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dtables.feel.types import Type, vocabulary_of
from dtables.model.expressions import (
    Comparison,
    EqualTo,
    Expression,
    Guard,
    Holds,
    InputField,
    Matches,
    Read,
    Test,
)
from dtables.model.index import Index
from dtables.model.tables import Parameter
from dtables.pages.house_rules import any_of, test_holds


@dataclass(frozen=True, slots=True)
class SetUp:
    """One name for each of some vocabularies, by root."""

    names: tuple[tuple[str, str], ...] = ()

    def of(self, type_: Type) -> str | None:
        root = vocabulary_of(type_)
        return next((name for vocabulary, name in self.names if vocabulary == root), None)


NOTHING_FIXED = SetUp()


@dataclass(frozen=True, slots=True)
class Resolver:
    """`parameters` are those of the table that is looked at."""

    index: Index
    fixed: SetUp
    parameters: tuple[Parameter, ...] = ()

    def value(self, node: Expression | None) -> str | None:
        """The name a node stands for. Only where no second field or parameter has the vocabulary: two
        could be of different names."""
        match node:
            case Guard(operand=operand):
                return self.value(operand)
            case InputField(type=type_):
                fields = (field.type for field in self.index.inputs.values())
                return self._only(type_, fields)
            case Read(type=type_, variable=variable):
                if variable in (p.variable for p in self.parameters):
                    return self._only(type_, (p.type for p in self.parameters))
        return None

    def _only(self, type_: Type, all_types: Iterable[Type]) -> str | None:
        found = self.fixed.of(type_)
        root = vocabulary_of(type_)
        alone = sum(vocabulary_of(other) == root for other in all_types) == 1
        return found if alone else None

    def holds(self, subject: Expression | None, tests: tuple[Test, ...]) -> bool | None:
        """Whether a condition is true or false of the fixed name; None where that is not known."""
        name = self.value(subject)
        return None if name is None else any_of([test_holds(test, name) for test in tests])

    def holds_whole(self, condition: Expression) -> bool | None:
        """Return the same for a condition that is one expression."""
        return self.holds(*whole(condition))

    def is_for(self, vocabulary: str, name: str) -> bool:
        """Say whether what concerns a name has a place where setup fixed what it did."""
        found = self.index.vocabularies.get(vocabulary)
        only = dict(self.fixed.names).get(found.root if found else vocabulary)
        return only in (None, name)


def whole(condition: Expression) -> tuple[Expression | None, tuple[Test, ...]]:
    """`direction = MS` as a subject and its test."""
    match condition:
        case Comparison(operator="=", left=left, right=right):
            return left, (EqualTo(right, type=condition.type, where=condition.where),)
        case Matches(value=value, tests=tests):
            return value, tests
        case _:
            return None, (Holds(condition, type=condition.type, where=condition.where),)
