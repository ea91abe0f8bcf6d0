"""Calls: of tables, of steps, of function values, and reading by key."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from dtables.checker import messages
from dtables.checker.expressions.context import Here
from dtables.checker.expressions.fit import empty_list, expect, fitted, require, strict
from dtables.checker.expressions.forms import called_by_names
from dtables.checker.expressions.literals import constant_call
from dtables.checker.expressions.names import (
    CallableStep,
    called,
    is_open,
    meanings,
    peers,
    reach,
    signature,
    step_signature,
)
from dtables.checker.expressions.nulls import filled, guarded_items, narrowed
from dtables.checker.expressions.operators import lower_not
from dtables.checker.expressions.paths import lower_by_key, readable
from dtables.checker.expressions.types import is_dynamic, item_of, ordered, vocabulary_in
from dtables.checker.symbols import FunctionSymbol, Local
from dtables.diagnostics import Remark
from dtables.feel.builtins import BY_NAME, Builtin, Parameter, Signature
from dtables.feel.functions.contexts import CONTEXTS
from dtables.feel.syntax import ast
from dtables.feel.types import (
    ANY,
    NULL,
    NUMBER,
    WHOLE,
    AnyType,
    ContextType,
    FunctionType,
    ListType,
    MapType,
    NullType,
    OptionalType,
    RecordType,
    Type,
    UnknownType,
    VocabularyType,
    describe,
    fits,
    plain,
    without_null,
)
from dtables.model.expressions import (
    CallBuiltin,
    CallFunction,
    CallStep,
    Expression,
    MakeList,
    Ranking,
    Variable,
)
from dtables.provenance import Span


def lower_invocation(here: Here, node: ast.Invocation, expected: Type | None) -> Expression:
    if not isinstance(node.function, ast.Name):
        return _apply(here, here.lower(node.function), node)
    name = node.function.name
    value: Expression | None = None
    for meaning in meanings(here, name, node.function.span):
        match meaning:
            case CallableStep(local=local):
                return _call_step(here, local, node)
            case FunctionSymbol():
                return _call_table(here, meaning, node)
            case Builtin():
                return _call_builtin(here, meaning, node, expected)
            case Variable():
                continue
            case _ if _callable(here, meaning, node):
                return _apply(here, narrowed(here, meaning), node)
            case _:
                value = meaning if value is None else value
    if value is not None:
        return here.poison(node.function.span, messages.not_a_function(name, value.type))
    words = messages.unknown_function(name, (*reach(here), *BY_NAME))
    return here.poison(node.function.span, words)


def lower_ranking(here: Here, node: ast.Ranking) -> Expression:
    """`S ranking(list)`: tiers of equals."""
    function = here.symbols.functions.get(node.scale)
    if function is None or function.kind != "scale":
        scales = [f.name for f in here.symbols.functions.values() if f.kind == "scale"]
        return here.poison(node.span, messages.not_a_scale(node.scale, scales))
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
        words = messages.not_a_function(here.written(node.function), value.type)
        return here.poison(node.function.span, words)
    if len(node.arguments) != 1:
        words = messages.argument_count(f"{here.written(node.function)}(name)", len(node.arguments))
        return here.poison(node.span, words)
    return lower_by_key(here, value, node.arguments[0].value, node.span)


def _call_anything(here: Here, value: Expression, node: ast.Invocation) -> Expression:
    arguments = tuple(here.lower(a.value) for a in node.arguments)
    names = [a.name for a in node.arguments if a.name is not None]
    if names and len(names) == len(arguments):
        return called_by_names(value, names, arguments)
    if names:
        return here.poison(node.span, messages.mixed_arguments())
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


def _call_builtin(here: Here, builtin: Builtin, node: ast.Invocation, expected: Type | None) -> Expression:
    if builtin.name == "not" and len(node.arguments) == 1:
        return lower_not(here, node.arguments[0].value, node.span)
    return call_builtin(here, builtin, node, expected)


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
    here: Here, given: Sequence[ast.Argument], expected: _Called, span: Span
) -> tuple[Expression, ...] | None:
    """Each of its parameter's type, in the order of the parameters; None where they do not match."""
    if any(argument.name is not None for argument in given):
        return _named_arguments(here, given, expected, span)
    if len(given) != len(expected.parameters):
        words = messages.argument_count(expected.signature, len(given), expected.remarks)
        here.poison(span, words)
        return None
    pairs = zip(given, expected.parameters, strict=True)
    return tuple(expect(here, argument.value, type_) for argument, (_, type_) in pairs)


def _named_arguments(
    here: Here, given: Sequence[ast.Argument], expected: _Called, span: Span
) -> tuple[Expression, ...] | None:
    types = dict(expected.parameters)
    named = named_nodes(here, given, tuple(types), expected.signature)
    if named is None:
        return None
    missing = [name for name in types if name not in named]
    if missing and not here.standard:
        here.poison(span, messages.missing_parameter(missing[0], expected.signature))
        return None
    return tuple(
        fitted(here, here.lower(named[name], type_), type_, named[name].span)
        if name in named
        else here.null(span, ANY)
        for name, type_ in types.items()
    )


# -- built-ins --------------------------------------------------------------------------------------
# Calls of built-ins: which of their signatures is meant, and what comes out.

Nodes = Sequence[ast.Expression | None]
"""What is given for each parameter, in order; None for one that is left out."""


COMPARING = ("max", "min")
KEYS = ("key", "keys")
NULL_OF_NOTHING = ("max", "mean", "median", "min", "product", "stddev", "sum")


def call_builtin(here: Here, builtin: Builtin, node: ast.Invocation, expected: Type | None) -> Expression:
    found = _matching(here, builtin, node)
    if found is None:
        return here.null(node.span, ANY) if here.standard else here.unknown(node.span)
    signatures, nodes = found
    values = _values(here, builtin, signatures, nodes, vocabulary_in(expected))
    if any(isinstance(value.type, UnknownType) for value in values) and not here.standard:
        return here.unknown(node.span)
    return _call(here, builtin, signatures, nodes, values, node)


# -- which signature ---------------------------------------------------------------------------


def _matching(
    here: Here, builtin: Builtin, node: ast.Invocation
) -> tuple[tuple[Signature, ...], Nodes] | None:
    """The signatures whose number and names of arguments are right."""
    if any(argument.name is not None for argument in node.arguments):
        return _matching_names(here, builtin, node)
    count = len(node.arguments)
    right = tuple(s for s in builtin.signatures if _takes(s, count))
    if not right:
        here.poison(node.span, messages.argument_count(_shown(builtin), count))
        return None
    return right, [argument.value for argument in node.arguments]


def _takes(signature: Signature, count: int) -> bool:
    required = sum(not p.optional for p in signature.parameters)
    variadic = any(p.variadic for p in signature.parameters)
    return required <= count and (variadic or count <= len(signature.parameters))


def _matching_names(
    here: Here, builtin: Builtin, node: ast.Invocation
) -> tuple[tuple[Signature, ...], Nodes] | None:
    known = {p.name for s in builtin.signatures for p in s.parameters}
    given = named_nodes(here, node.arguments, known, _shown(builtin))
    if given is None:
        return None
    right = next((s for s in builtin.signatures if _has(s, given)), None)
    if right is None and here.standard:
        right = next((s for s in builtin.signatures if _has(s, given, some=True)), None)
    if right is None:
        here.poison(node.span, messages.argument_count(_shown(builtin), len(given)))
        return None
    first = [given.get(p.name) for p in right.parameters]
    while first and first[-1] is None and right.parameters[len(first) - 1].optional:
        first.pop()
    return (right,), first


def named_nodes(
    here: Here, given: Sequence[ast.Argument], names: Collection[str], shown: str
) -> dict[str, ast.Expression] | None:
    """Arguments by name; None where one has no name, one that is not known, or one that came before."""
    named: dict[str, ast.Expression] = {}
    for argument in given:
        words: messages.Wording | None = None
        if argument.name is None:
            words = messages.mixed_arguments()
        elif argument.name not in names:
            words = messages.unknown_parameter(argument.name, shown, names)
        elif argument.name in named:
            words = messages.repeated_argument(argument.name)
        if words is not None:
            here.poison(argument.span, words)
            return None
        assert argument.name is not None
        named[argument.name] = argument.value
    return named


def _has(signature: Signature, given: Mapping[str, ast.Expression], some: bool = False) -> bool:
    """`some` of the parameters: to the standard one that is left out is null."""
    known = given.keys() <= {p.name for p in signature.parameters}
    return known and all(
        p.name in given or p.optional or (some and not p.variadic) for p in signature.parameters
    )


# -- arguments ---------------------------------------------------------------------------------


def _values(
    here: Here, builtin: Builtin, signatures: Sequence[Signature], nodes: Nodes, vocabulary: Type | None
) -> tuple[Expression, ...]:
    """Where any value may stand, names are looked up in the vocabulary that is expected of the call, or
    in that of the arguments beside; keys only in the latter, for the call gives none of them. A context, its
    keys and what is put into it have nothing in common."""
    lowered: dict[int, Expression] = {}
    apart = builtin in CONTEXTS
    free = [(n, node) for n, node in enumerate(nodes) if node is not None and _takes_any(signatures[0], n)]
    named = [(n, node) for n, node in free if _parameter(signatures[0], n).name in KEYS]
    keys = named if vocabulary or apart else []
    others = [one for one in free if one not in keys]
    for some in [[one] for one in others] if apart else [others]:
        values = peers(here, [node for _, node in some], vocabulary)
        lowered.update(zip((n for n, _ in some), values, strict=True))
    for n, key in keys:
        lowered[n] = here.lower(key, _key_of(lowered[others[0][0]].type) if others else None)
    for n, node in enumerate(nodes):
        if node is None:
            lowered[n] = here.null(here.text.all, ANY)
        elif n not in lowered:
            expected = [_parameter(s, n).type for s in signatures]
            lowered[n] = here.lower(node, _hint(node, expected, lowered))
    return tuple(lowered[n] for n in range(len(nodes)))


def _key_of(type_: Type) -> Type | None:
    map_ = plain(type_)
    return map_.key if isinstance(map_, MapType) else None


def _takes_any(signature: Signature, n: int) -> bool:
    type_ = _parameter(signature, n).type
    return type_ == ANY or type_ == ListType(ANY)


def _hint(node: ast.Expression, expected: Sequence[Type], lowered: Mapping[int, Expression]) -> Type | None:
    """A function's parameters are of the type of the items of the list beside it."""
    functions = [t for t in expected if isinstance(t, FunctionType)]
    if functions and isinstance(node, ast.FunctionLiteral):
        return _of_items(functions[0], {n: value.type for n, value in lowered.items()})
    return None if is_open(node) and len(expected) > 1 else expected[0]


def _parameter(signature: Signature, n: int) -> Parameter:
    return signature.parameters[min(n, len(signature.parameters) - 1)]


# -- types -------------------------------------------------------------------------------------


def _call(
    here: Here,
    builtin: Builtin,
    signatures: Sequence[Signature],
    nodes: Nodes,
    values: Sequence[Expression],
    node: ast.Invocation,
) -> Expression:
    right = [s for s in signatures if _suits_all(s, values)]
    if not right and not here.standard and len(signatures) > 1:
        shown = [_written(builtin.name, s) for s in signatures]
        types = [value.type for value in values]
        return here.poison(node.span, messages.no_signature(builtin.name, shown, types))
    right = right or list(signatures)
    signature = right[0]
    named = any(argument.name for argument in node.arguments)
    if here.standard and named and _never_fits(builtin, signature, values):
        return here.null(node.span, ANY)
    given = tuple(_argument(here, builtin, right, n, nodes[n], values) for n in range(len(values)))
    if any(isinstance(value.type, UnknownType) for value in given) and not here.standard:
        return here.unknown(node.span)
    known = constant_call(here, builtin.name, given, node.span)
    if known is not None:
        return known
    type_ = _result(here, builtin, given, node)
    return CallBuiltin(builtin.name, given, type=type_, where=here.where(node.span))


def _never_fits(builtin: Builtin, signature: Signature, values: Sequence[Expression]) -> bool:
    """A parameter's name says which signature is meant: `key` is one, a list of them are `keys`."""
    lists = [s for s in builtin.signatures if s is not signature]
    return any(
        isinstance(value, MakeList)
        and len(value.items) > 1
        and any(_wants_list(other, n) and not _wants_list(signature, n) for other in lists)
        for n, value in enumerate(values)
    )


def _wants_list(signature: Signature, n: int) -> bool:
    return isinstance(_parameter(signature, n).type, ListType)


def _result(here: Here, builtin: Builtin, given: Sequence[Expression], node: ast.Invocation) -> Type:
    if here.standard:
        return ANY
    if builtin.name in NULL_OF_NOTHING and any(empty_list(value) for value in given):
        here.warning(node.span, messages.null_of_nothing(here.written(node)))
        return NULL
    type_ = builtin.result(tuple(value.type for value in given))
    surely = builtin.name in NULL_OF_NOTHING and len(given) == 1 and filled(here, given[0])
    return without_null(type_) if surely else type_


def _suits_all(signature: Signature, values: Sequence[Expression]) -> bool:
    return all(suits(value.type, _parameter(signature, n).type) for n, value in enumerate(values))


def suits(given: Type, expected: Type) -> bool:
    """Right but for null, which a guard looks after."""
    if isinstance(given, NullType):
        return isinstance(expected, OptionalType | AnyType | NullType)
    given, expected = without_null(given), _widened(without_null(expected))
    if expected == ContextType(()):
        return isinstance(plain(given), ContextType | RecordType | MapType | VocabularyType) or is_dynamic(
            given
        )
    if isinstance(plain(given), ListType) and isinstance(expected, ListType):
        item = plain(given)
        assert isinstance(item, ListType)
        return suits(item.item, expected.item) or isinstance(item.item, NullType)
    return fits(given, expected)


def _widened(type_: Type) -> Type:
    """Where a built-in expects a whole number it checks that itself when it runs."""
    return NUMBER if type_ == WHOLE else type_


def _argument(
    here: Here,
    builtin: Builtin,
    signatures: Sequence[Signature],
    n: int,
    node: ast.Expression | None,
    values: Sequence[Expression],
) -> Expression:
    """What is given for a parameter. Of a value of unknown type its kind tells which signature is meant."""
    value = values[n]
    if node is None or here.standard:
        return value
    if builtin.name in COMPARING:
        return _compared(here, builtin, value, node)
    expected = tuple(dict.fromkeys(_expected(_parameter(s, n).type, values) for s in signatures))
    if without_null(expected[0]) == ContextType(()) and suits(value.type, expected[0]):
        return strict(here, value, node.span)
    if isinstance(value.type, AnyType):
        return require(value, *expected)
    return fitted(here, value, expected[0], node.span)


def _expected(type_: Type, values: Sequence[Expression]) -> Type:
    match type_:
        case OptionalType(of=of):
            return replace(type_, of=_widened(of))
        case FunctionType():
            return _of_items(type_, {n: value.type for n, value in enumerate(values)})
        case _:
            return _widened(type_)


def _of_items(function: FunctionType, given: Mapping[int, Type]) -> FunctionType:
    """It is called with items of the list that comes first, and with what is to stand in their place."""
    item = (item_of(given[0]) if 0 in given else None) or ANY
    taken = (item, given.get(2, item))
    types = tuple(t if p == ANY else p for p, t in zip(function.parameters, taken, strict=False))
    return FunctionType(types, function.result)


def _compared(here: Here, builtin: Builtin, value: Expression, node: ast.Expression) -> Expression:
    """Values that are held against each other: null is none of them."""
    value = strict(here, value, node.span)
    listed = plain(value.type)
    item = listed.item if isinstance(listed, ListType) else listed
    if not ordered(item) and not isinstance(plain(item), NullType):
        return here.poison(node.span, messages.not_ordered(builtin.name, item))
    if isinstance(listed, ListType) and isinstance(item, OptionalType):
        return guarded_items(here, value, node.span)
    return value


def _shown(builtin: Builtin) -> str:
    return " or ".join(_written(builtin.name, s) for s in builtin.signatures)


def _written(name: str, signature: Signature) -> str:
    return f"{name}({', '.join(_described(p) for p in signature.parameters)})"


def _described(parameter: Parameter) -> str:
    dots = ", …" if parameter.variadic else ""
    mark = "?" if parameter.optional else ""
    return f"{parameter.name}{mark}: {describe(parameter.type)}{dots}"
