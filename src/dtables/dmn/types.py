"""Item definitions to types, and what makes a value conform to one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dtables.checker.types import STANDARD_TYPES
from dtables.dmn import elements as dmn
from dtables.feel import ast
from dtables.feel.knownnames import Names
from dtables.feel.parser import Dialect, parse_type
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

# Written by tools that follow the first versions of the standard: `feel:number`.
_OLD_PREFIX = "feel:"


@dataclass(frozen=True)
class Types:
    """The item definitions in reach of a model, by the names it writes for them."""

    definitions: Mapping[str, dmn.ItemDefinition]
    _known: dict[str, Type] = field(default_factory=dict)
    _open: set[str] = field(default_factory=set)

    @property
    def by_name(self) -> Mapping[str, Type]:
        return {name: self.named(name) for name in self.definitions}

    def named(self, written: str | None) -> Type:
        """A type as a `typeRef` has it; what nobody knows is Any."""
        if written is None or not written.strip():
            return ANY
        node, _ = parse_type(
            written.strip().removeprefix(_OLD_PREFIX), Names(self.definitions), Dialect.STANDARD
        )
        return ANY if node is None else self._type_of(node)

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
        one = self._one(item)
        if item.allowed is not None and not item.collection:
            one = RestrictedType(item.name, one)
        return ListType(one) if item.collection else one

    def _one(self, item: dmn.ItemDefinition) -> Type:
        if item.function is not None:
            parameters = tuple(self.named(p.type) for p in item.function.parameters)
            return FunctionType(parameters, self.named(item.function.result))
        if item.components:
            return ContextType(tuple((part.name, self._item(part)) for part in item.components))
        return self.named(item.type)
