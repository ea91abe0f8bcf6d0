"""Functions whose parameters have types, in the standard's models: arguments are converted at the call."""

from __future__ import annotations

from dtables.checker.here import Here
from dtables.checker.types import type_of
from dtables.feel import ast
from dtables.feel.types import ANY
from dtables.feel.values import Function, Value, conforming
from dtables.model.expressions import CallFunction, Constant, Expression, MakeFunction


def converting(here: Here, made: MakeFunction, node: ast.FunctionLiteral) -> Expression:
    """The function itself where its types are known before it runs, or none is written."""
    written = [parameter.type for parameter in node.parameters]
    if not here.standard or all(type_ is None for type_ in written):
        return made
    quiet = here.quietly().sink
    types = tuple(ANY if t is None else type_of(t, here.symbols, here.text, quiet) for t in written)

    def wrap(function: Value) -> Function:
        return conforming(function, types)

    where = here.where(node.span)
    return CallFunction(
        Constant(Function(("function",), wrap), type=ANY, where=where), (made,), type=ANY, where=where
    )
