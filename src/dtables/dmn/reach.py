"""Several files as one: elements by namespace and id, and how one file calls another's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from dtables.dmn import elements as dmn
from dtables.dmn.types import Allowed, Types
from dtables.feel.lexer import tidy_name

Key = tuple[str, str]
"""Namespace and id."""


@dataclass(frozen=True)
class Files:
    """The model's own file first."""

    all: Sequence[dmn.Definitions]
    allowed: Allowed = field(default_factory=Allowed)
    _known: dict[str, Types] = field(default_factory=dict)

    @cached_property
    def elements(self) -> Mapping[Key, dmn.Element]:
        return {(f.namespace, e.id): e for f in reversed(self.all) for e in f.elements}

    @cached_property
    def by_namespace(self) -> Mapping[str, dmn.Definitions]:
        return {f.namespace: f for f in reversed(self.all)}

    def find(self, reference: dmn.Reference) -> tuple[Key, dmn.Element] | None:
        key = (reference.namespace, reference.id)
        return (key, self.elements[key]) if key in self.elements else None

    def written(self, key: Key, home: str) -> str:
        """What an expression in the file with namespace `home` calls an element."""
        return tidy_name(self.prefix(key[0], home) + self.elements[key].name)

    def prefix(self, namespace: str, home: str) -> str:
        if namespace == home:
            return ""
        imports = self.by_namespace[home].imports
        name = next((i.name for i in imports if i.namespace == namespace), "")
        return f"{name}." if name else ""

    def types(self, home: str) -> Types:
        if home not in self._known:
            self._known[home] = Types(dict(self._types(home)), self.allowed)
        return self._known[home]

    def _types(self, home: str) -> Iterator[tuple[str, dmn.ItemDefinition]]:
        """Imported ones by their prefix; also without it, since they name one another so."""
        for file in reversed(self.all):
            prefix = self.prefix(file.namespace, home)
            for item in file.types:
                yield item.name, item
                yield prefix + item.name, item
        yield from ((item.name, item) for item in self.by_namespace[home].types)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names that an expression may hold wherever it stands. One with a full stop in it is read so
        only where it is in scope."""
        return frozenset(name for file in self.all for name in file.names if "." not in name)
