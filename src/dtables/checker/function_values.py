"""Function values of the standard's models, of which nothing is known before they run: arguments are
converted to the types of the parameters, and may be given by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dtables.checker.here import Here
from dtables.checker.types import type_of
from dtables.feel import ast
from dtables.feel.external import external_function
from dtables.feel.types import ANY, Type
from dtables.feel.values import FeelError, Function, Value, conforming
from dtables.model.expressions import CallFunction, Constant, Expression, MakeRange
from dtables.provenance import Location


def converting(here: Here, made: Expression, node: ast.FunctionLiteral) -> Expression:
    """The function itself where its types are known before it runs, or none is written."""
    written = [parameter.type for parameter in node.parameters]
    if not here.standard or all(type_ is None for type_ in written):
        return made
    quiet = here.quietly().sink
    types = tuple(ANY if t is None else type_of(t, here.symbols, here.text, quiet) for t in written)
    result = _result(here, node, types)

    def wrap(function: Value) -> Function:
        return replace(conforming(function, types), result=result)

    where = here.where(node.span)
    return CallFunction(
        Constant(Function(("function",), wrap), type=ANY, where=where), (made,), type=ANY, where=where
    )


def _result(here: Here, node: ast.FunctionLiteral, types: Sequence[Type]) -> Type:
    """What its body gives, if the parameters are what they say; functions within are not looked into, since
    each would be looked at twice as often as the one around it."""
    if node.external or "function" in here.text.written(node.body.span):
        return ANY
    inside = here.quietly()
    for parameter, type_ in zip(node.parameters, types, strict=True):
        inside = inside.binding(here.variable(parameter.name, type_))
    return inside.lower(node.body).type


def external(here: Here, node: ast.FunctionLiteral) -> Expression:
    """`function(x) external {java: {class: "…", method signature: "…"}}`; null where nobody knows it."""
    match node.body:
        case ast.ContextLiteral(entries=(ast.ContextEntry("java", ast.ContextLiteral() as java),)):
            named = {entry.name: entry.value for entry in java.entries}
        case _:
            named = {}
    match named.get("class"), named.get("method signature"):
        case ast.TextLiteral(value=java_class), ast.TextLiteral(value=signature):
            return known_external(
                here.where(node.span), java_class, signature, [p.name for p in node.parameters]
            )
        case _:
            return here.null(node.span, ANY)


def known_external(where: Location, java_class: str, signature: str, parameters: Sequence[str]) -> Expression:
    try:
        function: Value = external_function(java_class, signature, tuple(parameters))
    except FeelError:
        function = None
    return Constant(function, type=ANY, where=where)


def compared_range(made: MakeRange, operator: str) -> Expression:
    """`(< 10)` as a value, which the standard tells from `(null..10)`."""

    def mark(value: Value) -> Value:
        return replace(value, operator=operator)

    where = made.where
    marked = Constant(Function(("range",), mark), type=ANY, where=where)
    return CallFunction(marked, (made,), type=made.type, where=where)


def called_by_names(function: Expression, names: Sequence[str], values: Sequence[Expression]) -> Expression:
    """`function(x: a)`, where only the value tells what its parameters are called; one that is left out
    is null."""

    def call(target: Value, *arguments: Value) -> Value:
        return _call(target, dict(zip(names, arguments, strict=True)))

    by_names = Constant(Function(("function", *names), call), type=ANY, where=function.where)
    return CallFunction(by_names, (function, *values), type=ANY, where=function.where)


def _call(function: Value, given: Mapping[str, Value]) -> Value:
    if not isinstance(function, Function):
        raise FeelError("only functions can be called")
    if set(given) - set(function.parameters):
        raise FeelError(f"the function takes {', '.join(function.parameters)}, not {', '.join(given)}")
    return function(*(given.get(parameter) for parameter in function.parameters))
