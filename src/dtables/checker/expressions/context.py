"""What every step of the lowering knows: names in reach, the text it stands in, where messages go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dtables.checker.messages import Wording
from dtables.checker.report import Sink, Text
from dtables.checker.symbols import Local, Scope, Symbols
from dtables.diagnostics import Severity
from dtables.feel.syntax import ast
from dtables.feel.syntax.parser import Dialect
from dtables.feel.types import ANY, UNKNOWN, Type, optional
from dtables.model.expressions import Constant, Expression, Variable
from dtables.provenance import Location, Span

SMALL = 12
"""Deeper expressions are not read on trial first: nested ones would be read over and over."""


@dataclass(frozen=True, slots=True)
class Here:
    """`read` is the lowering of any expression: the modules of single constructs call it for parts."""

    scope: Scope
    text: Text
    sink: Sink
    read: Callable[[Here, ast.Expression, Type | None], Expression] = field(repr=False)

    @property
    def symbols(self) -> Symbols:
        return self.scope.symbols

    @property
    def standard(self) -> bool:
        return self.scope.symbols.dialect is Dialect.STANDARD

    def lower(self, node: ast.Expression, hint: Type | None = None) -> Expression:
        """`hint` helps names along; what comes out need not be of that type."""
        return self.read(self, node, hint)

    def trial(self, node: ast.Expression, hint: Type | None = None) -> Expression:
        """The same, telling nobody."""
        return self.quietly().lower(node, hint)

    def quietly(self) -> Here:
        return replace(self, sink=Sink())

    # -- surroundings ------------------------------------------------------------------------------

    def inside(self, scope: Scope) -> Here:
        return replace(self, scope=scope)

    def variable(self, name: str, type_: Type) -> Variable:
        return self.scope.numbers.variable(name, type_)

    def binding(self, variable: Variable) -> Here:
        """A name bound here hides all that stands further out."""
        return self.inside(self.scope.with_local(Local(variable, depth=len(self.scope.items))))

    # -- places and messages -----------------------------------------------------------------------

    def where(self, span: Span) -> Location:
        return self.text.where(span)

    def written(self, node: ast.Syntax) -> str:
        return self.text.written(node.span)

    def error(self, span: Span, words: Wording) -> None:
        self.sink.report(self.text, span, Severity.ERROR, words)

    def warning(self, span: Span, words: Wording) -> None:
        self.sink.report(self.text, span, Severity.WARNING, words)

    def poison(self, span: Span, words: Wording) -> Expression:
        """What is wrong becomes a value that fits everywhere; in the standard's models it is null."""
        if self.standard:
            self.warning(span, words)
            return self.null(span, ANY)
        self.error(span, words)
        return self.unknown(span)

    def mismatch(self, span: Span, words: Wording, otherwise: Expression) -> Expression:
        """Types that do not fit: the standard's models find out when they run."""
        if not self.standard:
            return self.poison(span, words)
        self.warning(span, words)
        return replace(otherwise, type=ANY)

    def unknown(self, span: Span) -> Expression:
        return Constant(None, type=UNKNOWN, where=self.where(span))

    def null(self, span: Span, type_: Type) -> Expression:
        return Constant(None, type=optional(type_), where=self.where(span))
