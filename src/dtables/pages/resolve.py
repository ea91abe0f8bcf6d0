"""What setup fixes is resolved away: on a card for one name only what concerns that name is left, and what
holds by default needs no condition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dtables.feel.types import Type, vocabulary_of
from dtables.model.expressions import (
    EqualTo,
    Expression,
    Guard,
    InList,
    InputField,
    MakeList,
    NameOf,
    NoneOf,
    Read,
    Switch,
    Test,
)
from dtables.model.index import Index
from dtables.model.tables import Parameter


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
        """Whether a condition is true or false of the fixed name; None where that is not known. What a house
        rule asks for is true where that is the default, and else a variant that is shown."""
        if isinstance(subject, Switch):
            default = self.index.switches[subject.name][0].default
            return True if any_of(_test_holds(test, default) for test in tests) else None
        name = self.value(subject)
        return None if name is None else any_of(_test_holds(test, name) for test in tests)


def any_of(results: Iterable[bool | None]) -> bool | None:
    known = list(results)
    if any(result is True for result in known):
        return True
    return None if any(result is None for result in known) else False


def _test_holds(test: Test, name: str) -> bool | None:
    match test:
        case EqualTo(value=NameOf(id=id_)):
            return id_ == name
        case InList(list=MakeList(items=items)):
            ids = [item.id for item in items if isinstance(item, NameOf)]
            return name in ids if len(ids) == len(items) else None
        case NoneOf(tests=tests):
            inner = any_of(_test_holds(t, name) for t in tests)
            return None if inner is None else not inner
        case _:
            return None
