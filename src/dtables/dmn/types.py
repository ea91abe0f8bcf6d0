"""Item definitions to types, and what makes a value conform to one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from dtables.checker.expressions.types import STANDARD_TYPES
from dtables.dmn import elements as dmn
from dtables.feel.syntax import ast
from dtables.feel.syntax.parser import Dialect, parse_type
from dtables.feel.syntax.scanner import KnownNames
from dtables.feel.types import (
    ANY,
    NAMED_TYPES,
    ContextType,
    FunctionType,
    ListType,
    RangeType,
    RestrictedType,
    Type,
)
from dtables.feel.values import FeelError, Value, coerce

# Written by tools that follow the first versions of the standard: `feel:number`, `model:customer`.
_OLD_PREFIX = re.compile(r"[A-Za-z_][\w.-]*:(?=[^\s:])")


class Allowed:
    """The tests of restricted types, by the name under which a table says whether a value passes."""

    def __init__(self) -> None:
        self.tests: dict[str, str] = {}
        self.passes: Callable[[str, Value], bool] = _any_value
        """Set when there is somebody to ask."""

    def name(self, item: str, tests: str) -> str:
        name = f"{item}: {tests}"
        self.tests[name] = tests
        return name

    def conform(self, value: Value, expected: Type) -> Value:
        """The value, converted to the type if the standard says how; FeelError where it does not conform."""
        converted = coerce(value, expected)
        self._check(converted, expected)
        return converted

    def _check(self, value: Value, expected: Type) -> None:
        match expected:
            case RestrictedType(name=name, of=of):
                self._check(value, of)
                if value is not None and not self.passes(name, value):
                    raise FeelError(f"the value is none of {name}")
            case ListType(item=item) if isinstance(value, list):
                for one in value:
                    self._check(one, item)
            case ContextType(fields=fields) if isinstance(value, dict):
                for name, of in fields:
                    self._check(value.get(name), of)
            case _:
                pass


def _without_prefix(written: str) -> str:
    prefix = _OLD_PREFIX.match(written)
    return written if prefix is None else written[prefix.end() :]


def _any_value(_name: str, _value: Value) -> bool:
    return True


@dataclass(frozen=True)
class Types:
    """The item definitions in reach of a model, by the names it writes for them."""

    definitions: Mapping[str, dmn.ItemDefinition]
    allowed: Allowed
    _known: dict[str, Type] = field(default_factory=dict)
    _written: dict[str, Type] = field(default_factory=dict)
    _open: set[str] = field(default_factory=set)

    @cached_property
    def _names(self) -> KnownNames:
        return KnownNames(self.definitions)

    @cached_property
    def by_name(self) -> Mapping[str, Type]:
        return {name: self.named(name) for name in self.definitions}

    def named(self, written: str | None) -> Type:
        """A type as a `typeRef` has it; what nobody knows is Any."""
        if written is None or not written.strip():
            return ANY
        if written not in self._written:
            node, _ = parse_type(_without_prefix(written.strip()), self._names, Dialect.STANDARD)
            self._written[written] = ANY if node is None else self._type_of(node)
        return self._written[written]

    def _type_of(self, node: ast.TypeName) -> Type:
        match node:
            case ast.NamedType(name=name) if name in self.definitions:
                return self._defined(name)
            case ast.NamedType(name=name):
                return STANDARD_TYPES.get(name) or NAMED_TYPES.get(name, ANY)
            case ast.ListOfType(item=item):
                return ListType(self._type_of(item))
            case ast.RangeOfType(item=item):
                return RangeType(self._type_of(item))
            case ast.ContextOfType(fields=fields):
                return ContextType(tuple((name, self._type_of(type_)) for name, type_ in fields))
            case ast.FunctionOfType(parameters=parameters, result=result):
                return FunctionType(tuple(map(self._type_of, parameters)), self._type_of(result))
            case _:
                return ANY

    def _defined(self, name: str) -> Type:
        """A definition that holds itself is Any where it does."""
        if name in self._known:
            return self._known[name]
        if name in self._open:
            return ANY
        self._open.add(name)
        self._known[name] = self._item(self.definitions[name])
        self._open.discard(name)
        return self._known[name]

    def _item(self, item: dmn.ItemDefinition) -> Type:
        one = self._restricted(item, self._one(item), item.allowed)
        if not item.collection:
            return self._restricted(item, one, item.constraint)
        return self._restricted(item, ListType(one), item.constraint)

    def _restricted(self, item: dmn.ItemDefinition, of: Type, tests: str | None) -> Type:
        return of if tests is None else RestrictedType(self.allowed.name(item.name, tests), of)

    def _one(self, item: dmn.ItemDefinition) -> Type:
        if item.function is not None:
            parameters = tuple(self.named(p.type) for p in item.function.parameters)
            return FunctionType(parameters, self.named(item.function.result))
        if item.components:
            return ContextType(tuple((part.name, self._item(part)) for part in item.components))
        return self.named(item.type)
