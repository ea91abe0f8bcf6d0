"""Calls: of tables, of steps, of function values, and reading by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from dtables.checker import problems
from dtables.checker.builtin_calls import call_builtin, named_nodes
from dtables.checker.fit import expect, fitted
from dtables.checker.function_values import called_by_names
from dtables.checker.here import Here
from dtables.checker.names import Step, called, meanings, reach, signature, step_signature
from dtables.checker.nulls import narrowed
from dtables.checker.operators import lower_not
from dtables.checker.reading import lower_by_key, readable
from dtables.checker.scope import FunctionSymbol, Local
from dtables.checker.types import item_of
from dtables.diagnostics import Remark
from dtables.feel import ast
from dtables.feel.builtins import BY_NAME, Builtin
from dtables.feel.types import ANY, FunctionType, ListType, Type, UnknownType, describe, plain
from dtables.model.expressions import CallFunction, CallStep, Expression, Ranking, Variable
from dtables.provenance import Span


def lower_invocation(here: Here, node: ast.Invocation, wanted: Type | None) -> Expression:
    if not isinstance(node.function, ast.Name):
        return _apply(here, here.lower(node.function), node)
    name = node.function.name
    value: Expression | None = None
    for meaning in meanings(here, name, node.function.span):
        match meaning:
            case Step(local=local):
                return _call_step(here, local, node)
            case FunctionSymbol():
                return _call_table(here, meaning, node)
            case Builtin():
                return _call_builtin(here, meaning, node, wanted)
            case Variable():
                continue
            case _ if _callable(here, meaning, node):
                return _apply(here, narrowed(here, meaning), node)
            case _:
                value = meaning if value is None else value
    if value is not None:
        return here.poison(node.function.span, problems.not_a_function(name, value.type))
    words = problems.unknown_function(name, (*reach(here), *BY_NAME))
    return here.poison(node.function.span, words)


def lower_ranking(here: Here, node: ast.Ranking) -> Expression:
    """`S ranking(list)`: tiers of equals."""
    function = here.symbols.functions.get(node.scale)
    if function is None or function.kind != "scale":
        scales = [f.name for f in here.symbols.functions.values() if f.kind == "scale"]
        return here.poison(node.span, problems.not_a_scale(node.scale, scales))
    arguments = _arguments(here, node.arguments, _called_table(function), node.span)
    if arguments is None:
        return here.unknown(node.span)
    item = item_of(function.parameters[0][1]) or ANY
    return Ranking(node.scale, arguments, type=ListType(ListType(item)), where=here.where(node.span))


def _callable(here: Here, value: Expression, node: ast.Invocation) -> bool:
    """Fields that cannot be called do not hide tables that can."""
    return not node.arguments or isinstance(plain(value.type), FunctionType) or readable(here, value)


def _apply(here: Here, value: Expression, node: ast.Invocation) -> Expression:
    kind = plain(value.type)
    if isinstance(kind, UnknownType):
        return here.unknown(node.span)
    if isinstance(kind, FunctionType):
        return _call_function(here, value, kind, node)
    if kind == ANY:
        return _call_anything(here, value, node)
    if not node.arguments and isinstance(node.function, ast.Name):
        return value
    if not readable(here, value):
        words = problems.not_a_function(here.written(node.function), value.type)
        return here.poison(node.function.span, words)
    if len(node.arguments) != 1:
        words = problems.argument_count(f"{here.written(node.function)}(name)", len(node.arguments))
        return here.poison(node.span, words)
    return lower_by_key(here, value, node.arguments[0].value, node.span)


def _call_anything(here: Here, value: Expression, node: ast.Invocation) -> Expression:
    arguments = tuple(here.lower(a.value) for a in node.arguments)
    names = [a.name for a in node.arguments if a.name is not None]
    if names and len(names) == len(arguments):
        return called_by_names(value, names, arguments)
    if names:
        return here.poison(node.span, problems.mixed_arguments())
    return CallFunction(value, arguments, type=ANY, where=here.where(node.span))


def _call_function(here: Here, value: Expression, kind: FunctionType, node: ast.Invocation) -> Expression:
    names = kind.names or tuple(f"argument {n}" for n in range(1, len(kind.parameters) + 1))
    parameters = tuple(zip(names, kind.parameters, strict=True))
    shown = f"{here.written(node.function)}({', '.join(describe(t) for t in kind.parameters)})"
    arguments = _arguments(here, node.arguments, _Called(shown, parameters), node.span)
    if arguments is None:
        return here.unknown(node.span)
    return CallFunction(value, arguments, type=kind.result, where=here.where(node.span))


def _call_step(here: Here, local: Local, node: ast.Invocation) -> Expression:
    types = local.parameters or ()
    unnamed = tuple((f"argument {n}", t) for n, t in enumerate(types, 1))
    arguments = _arguments(here, node.arguments, _Called(step_signature(local), unnamed), node.span)
    if arguments is None:
        return here.unknown(node.span)
    result = local.variable.type
    call = CallStep(local.variable, arguments, type=result, where=here.where(node.span))
    return narrowed(here, call)


def _call_table(here: Here, function: FunctionSymbol, node: ast.Invocation) -> Expression:
    arguments = _arguments(here, node.arguments, _called_table(function), node.span)
    if arguments is None:
        return replace(here.unknown(node.span), type=ANY) if here.standard else here.unknown(node.span)
    return narrowed(here, called(here, function, arguments, node.span))


def _call_builtin(here: Here, builtin: Builtin, node: ast.Invocation, wanted: Type | None) -> Expression:
    if builtin.name == "not" and len(node.arguments) == 1:
        return lower_not(here, node.arguments[0].value, node.span)
    return call_builtin(here, builtin, node, wanted)


# -- arguments ---------------------------------------------------------------------------------


class _Called(NamedTuple):
    """What is called: how it is written, its parameters, and where it stands."""

    signature: str
    parameters: Sequence[tuple[str, Type]]
    remarks: tuple[Remark, ...] = ()


def _called_table(function: FunctionSymbol) -> _Called:
    remarks = (Remark(function.where, f"`{function.name}` stands here"),)
    return _Called(signature(function), function.parameters, remarks)


def _arguments(
    here: Here, given: Sequence[ast.Argument], wanted: _Called, span: Span
) -> tuple[Expression, ...] | None:
    """Each of its parameter's type, in the order of the parameters; None where they do not match."""
    if any(argument.name is not None for argument in given):
        return _named_arguments(here, given, wanted, span)
    if len(given) != len(wanted.parameters):
        words = problems.argument_count(wanted.signature, len(given), wanted.remarks)
        here.poison(span, words)
        return None
    pairs = zip(given, wanted.parameters, strict=True)
    return tuple(expect(here, argument.value, type_) for argument, (_, type_) in pairs)


def _named_arguments(
    here: Here, given: Sequence[ast.Argument], wanted: _Called, span: Span
) -> tuple[Expression, ...] | None:
    types = dict(wanted.parameters)
    named = named_nodes(here, given, tuple(types), wanted.signature)
    if named is None:
        return None
    missing = [name for name in types if name not in named]
    if missing and not here.standard:
        here.poison(span, problems.missing_parameter(missing[0], wanted.signature))
        return None
    return tuple(
        fitted(here, here.lower(named[name], type_), type_, named[name].span)
        if name in named
        else here.null(span, ANY)
        for name, type_ in types.items()
    )
