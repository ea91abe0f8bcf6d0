"""What the lowering of an element's logic knows: names in reach, types, and where new tables go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from dtables.checker.expressions.lower import lower, lower_parsed_tests
from dtables.checker.report import Sink, Text
from dtables.checker.symbols import Local, Scope
from dtables.dmn import elements as dmn
from dtables.dmn.types import Allowed, Types
from dtables.feel.syntax.parser import Dialect, parse_expression, parse_tests
from dtables.feel.syntax.scanner import KnownNames, tidy_name
from dtables.feel.types import ANY, Type
from dtables.feel.values import Function, Value, conforming
from dtables.model.expressions import CallFunction, Constant, Expression, Holds, Test, Variable
from dtables.model.tables import Table
from dtables.provenance import CellRef, Location
from dtables.workbook.tables import Cell


@dataclass(frozen=True)
class Around:
    """`place` names the file and the element: diagnostics have no better cell. `tables` collects the
    decision tables met on the way."""

    place: CellRef
    names: KnownNames
    types: Types
    scope: Scope
    sink: Sink
    tables: list[Table]

    @property
    def where(self) -> Location:
        return Location(self.place)

    def variable(self, name: str) -> Variable:
        return self.scope.numbers.variable(name, ANY)

    def binding(self, *variables: Variable) -> Around:
        scope = self.scope
        for variable in variables:
            scope = scope.with_local(Local(variable, depth=len(scope.items)))
        return replace(self, scope=scope)

    def item(self, item: Variable) -> Around:
        return replace(self, scope=self.scope.with_item(item))

    # -- texts ---------------------------------------------------------------------------------

    def expression(self, text: str) -> Expression:
        """Null where it cannot be read, as the standard has it."""
        node, problems = parse_expression(text, self._known(), Dialect.STANDARD)
        piece = self._piece(text)
        for problem in problems:
            self.sink.problem(piece.cell, problem)
        if node is None or problems:
            return self.null()
        return lower(node, self.scope, None, piece, self.sink)

    def tests(self, text: str, subject: Variable) -> tuple[Test, ...]:
        """No value passes what cannot be read."""
        found, problems = parse_tests(text, self._known(), Dialect.STANDARD)
        piece = self._piece(text)
        for problem in problems:
            self.sink.problem(piece.cell, problem)
        if found is None or problems:
            return (Holds(self.null(), type=ANY, where=self.where),)
        return lower_parsed_tests(found, subject, self.scope, piece, self.sink)

    def null(self) -> Expression:
        return self.constant(None)

    def constant(self, value: Value) -> Expression:
        return Constant(value, type=ANY, where=self.where)

    def _known(self) -> KnownNames:
        return self.names | KnownNames(self.scope.locals) | KnownNames(self.scope.symbols.functions)

    def _piece(self, text: str) -> Text:
        return Text(text, Cell(self.place, text, text, text))

    # -- types ---------------------------------------------------------------------------------

    def conformed(self, value: Expression, type_: str | None) -> Expression:
        """The value, converted to the type if the standard says how; null where it does not conform."""
        return self.conformed_to(value, self.types.named(type_))

    def conformed_to(self, value: Expression, expected: Type) -> Expression:
        if expected == ANY:
            return value

        def convert(given: Value) -> Value:
            return self.types.allowed.conform(given, expected)

        function = self.constant(Function(("value",), convert))
        return CallFunction(function, (value,), type=ANY, where=self.where)

    def typed_function(self, function: Expression, types: Iterable[str | None]) -> Expression:
        """The function, which converts its arguments to their types when it is called."""
        expected = tuple(self.types.named(type_) for type_ in types)
        if all(type_ == ANY for type_ in expected):
            return function
        wrap = self.constant(
            Function(
                ("function",), partial(conforming, expected=expected, convert=self.types.allowed.conform)
            )
        )
        return CallFunction(wrap, (function,), type=ANY, where=self.where)


# -- several files as one ---------------------------------------------------------------------------
# Several files as one: elements by namespace and id, and how one file calls another's.

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
