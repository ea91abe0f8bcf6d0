"""Expressions that hold others: if, for, some and every, lists, contexts, records, ranges, functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from dtables.checker import messages
from dtables.checker.expressions.context import SMALL, Here
from dtables.checker.expressions.fit import condition, expect, fitted, joined, strict
from dtables.checker.expressions.names import peers, peers_in
from dtables.checker.expressions.nulls import assuming, present_if_false, present_if_true, present_in_items
from dtables.checker.expressions.operators import order_problem
from dtables.checker.expressions.types import is_dynamic, item_of, type_names, type_of, vocabulary_in
from dtables.feel.external import external_function
from dtables.feel.syntax import ast
from dtables.feel.syntax.ast import deepest, names_read
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    UNKNOWN,
    AnyType,
    DateType,
    FunctionType,
    ListType,
    NumberType,
    RangeType,
    Type,
    UnknownType,
    join,
    optional,
    plain,
)
from dtables.feel.values import ByNames, FeelError, Function, Value, conforming
from dtables.model.expressions import (
    Binding,
    CallFunction,
    Conditional,
    Constant,
    Expression,
    For,
    InstanceOf,
    MakeFunction,
    MakeList,
    MakeRange,
    Quantified,
    Quantifier,
    Variable,
)
from dtables.provenance import Location

PARTIAL = "partial"


def lower_conditional(here: Here, node: ast.Conditional, expected: Type | None) -> Expression:
    test = condition(here, node.condition)
    yes = here.inside(assuming(here.scope, present_if_true(test)))
    no = here.inside(assuming(here.scope, present_if_false(test)))
    then, otherwise = _branches(yes, no, node, expected)
    type_ = joined(here, (then, otherwise), "the branches are", node.span)
    if type_ is None:
        return here.unknown(node.span)
    return Conditional(test, then, otherwise, type=type_, where=here.where(node.span))


def _branches(
    yes: Here, no: Here, node: ast.Conditional, expected: Type | None
) -> tuple[Expression, Expression]:
    if expected is not None and not is_dynamic(plain(expected)):
        return expect(yes, node.then, expected), expect(no, node.otherwise, expected)
    then, otherwise = peers_in(((yes, node.then), (no, node.otherwise)), expected)
    return then, otherwise


# -- loops -------------------------------------------------------------------------------------


def lower_for(here: Here, node: ast.For, expected: Type | None) -> Expression:
    inside, bindings = _bound(here, node.iterations)
    item = item_of(expected)
    partial = _partial(inside, node, item)
    if partial is not None:
        inside = inside.binding(partial)
    result = inside.lower(node.result) if item is None else expect(inside, node.result, item)
    return For(bindings, result, partial, type=ListType(result.type), where=here.where(node.span))


def _partial(here: Here, node: ast.For, item: Type | None) -> Variable | None:
    """The results so far. Their type is that of a first reading, in which nothing is known of them."""
    if all(name != PARTIAL for name, _ in names_read(node.result)):
        return None
    if item is None and deepest(node.result) <= SMALL and not here.standard:
        first = here.binding(here.variable(PARTIAL, ListType(UNKNOWN)))
        item = first.trial(node.result).type
    return here.variable(PARTIAL, ListType(ANY if item is None else item))


def lower_quantified(here: Here, node: ast.Quantified) -> Expression:
    inside, bindings = _bound(here, node.iterations)
    test = condition(inside, node.condition)
    quantifier = Quantifier(node.quantifier)
    return Quantified(quantifier, bindings, test, type=BOOLEAN, where=here.where(node.span))


def _bound(here: Here, iterations: Sequence[ast.Iteration]) -> tuple[Here, tuple[Binding, ...]]:
    """Later sources see earlier variables."""
    bindings: list[Binding] = []
    for iteration in iterations:
        binding = _binding(here, iteration)
        bindings.append(binding)
        here = here.binding(binding.variable)
        here = here.inside(assuming(here.scope, present_in_items(binding.source, binding.variable)))
    return here, tuple(bindings)


def _binding(here: Here, node: ast.Iteration) -> Binding:
    source = strict(here, here.lower(node.source), node.source.span)
    if node.end is None:
        source, type_ = _items(here, source, node)
        return Binding(here.variable(node.variable, type_), source)
    end = strict(here, here.lower(node.end), node.end.span)
    type_ = join([source.type, end.type])
    if not (isinstance(plain(type_), NumberType | DateType) or (is_dynamic(plain(type_)) and here.standard)):
        words = messages.wrong_operands("..", source.type, end.type)
        if not isinstance(source.type, UnknownType) and not isinstance(end.type, UnknownType):
            source = here.mismatch(node.source.span.to(node.end.span), words, source)
        type_ = UNKNOWN
    elif _descends(source, end):
        here.warning(node.source.span.to(node.end.span), _descending(here, node))
    return Binding(here.variable(node.variable, type_), source, end)


def _descends(source: Expression, end: Expression) -> bool:
    if not (isinstance(source, Constant) and isinstance(end, Constant)):
        return False
    numbers = isinstance(source.type, NumberType) and isinstance(end.type, NumberType)
    return numbers and bool(source.value > end.value)


def _descending(here: Here, node: ast.Iteration) -> messages.Wording:
    assert node.end is not None
    return messages.descending_range(here.text.written(node.source.span.to(node.end.span)))


def _items(here: Here, source: Expression, node: ast.Iteration) -> tuple[Expression, Type]:
    listed = plain(source.type)
    match listed:
        case ListType(item=item):
            return source, item
        case AnyType() | UnknownType():
            return source, listed
        case _ if here.standard:
            return source, listed.item if isinstance(listed, RangeType) else listed
        case _:
            words = messages.not_a_list(here.written(node.source), source.type)
            return here.poison(node.source.span, words), UNKNOWN


# -- lists and ranges --------------------------------------------------------------------------


def lower_list_literal(here: Here, node: ast.ListLiteral, expected: Type | None) -> Expression:
    return make_list(here, node.items, expected, node)


def make_list(
    here: Here, items: Sequence[ast.Expression], expected: Type | None, node: ast.Syntax
) -> Expression:
    item = item_of(expected)
    if item is not None and is_dynamic(plain(item)):
        item = None
    if item is not None:
        values = tuple(expect(here, part, item) for part in items)
    else:
        vocabulary = vocabulary_in(expected)
        values = peers(here, items, None if vocabulary is None else optional(vocabulary))
    if not values:
        return MakeList((), type=ListType(item or UNKNOWN), where=here.where(node.span))
    type_ = joined(here, values, "the list has", node.span)
    if type_ is None:
        return here.unknown(node.span)
    return MakeList(values, type=ListType(type_), where=here.where(node.span))


def lower_range(here: Here, node: ast.RangeLiteral, expected: Type | None) -> Expression:
    goal = None if expected is None else plain(expected)
    hint = goal.item if isinstance(goal, RangeType) else None
    written = [end for end in (node.low, node.high) if end is not None]
    ends = [strict(here, e, n.span) for e, n in zip(peers(here, written, hint), written, strict=True)]
    type_ = join(end.type for end in ends)
    low = ends[0] if node.low is not None else None
    high = ends[-1] if node.high is not None else None
    range_ = MakeRange(
        low, high, node.low_included, node.high_included, type=RangeType(type_), where=here.where(node.span)
    )
    if here.standard and node.operator is not None:
        return compared_range(range_, node.operator)
    warn_of_nothing_between(here, node, low, high)
    words = order_problem("..", ends[0].type, ends[-1].type) if ends else None
    return range_ if words is None else here.mismatch(node.span, words, range_)


def warn_of_nothing_between(
    here: Here, node: ast.RangeLiteral, low: Expression | None, high: Expression | None
) -> None:
    """Ends that are written the wrong way round."""
    match low, high:
        case Constant(value=int() | Decimal() as least), Constant(value=int() | Decimal() as most):
            if least > most:
                here.warning(node.span, messages.empty_range(here.text.written(node.span)))


# -- functions and types -----------------------------------------------------------------------


def lower_function(here: Here, node: ast.FunctionLiteral, expected: Type | None) -> Expression:
    if node.external and here.standard:
        return converting(here, external(here, node), node)
    if node.external:
        return here.poison(node.span, messages.external_function())
    goal = None if expected is None else plain(expected)
    hints = goal.parameters if isinstance(goal, FunctionType) else ()
    variables = []
    inside = here
    for n, parameter in enumerate(node.parameters):
        type_ = _parameter_type(here, parameter, hints[n] if n < len(hints) else ANY)
        variables.append(here.variable(parameter.name, type_))
        inside = inside.binding(variables[-1])
    result = goal.result if isinstance(goal, FunctionType) else None
    body = fitted(inside, inside.lower(node.body, result), result, node.body.span)
    type_ = FunctionType(tuple(v.type for v in variables), body.type, tuple(v.name for v in variables))
    function = MakeFunction(tuple(variables), body, type=type_, where=here.where(node.span))
    return converting(here, function, node)


def _parameter_type(here: Here, parameter: ast.FunctionParameter, hint: Type) -> Type:
    if parameter.type is None:
        return hint
    declared = type_of(parameter.type, here.symbols, here.text, here.sink)
    return ANY if here.standard else declared


def lower_instance_of(here: Here, node: ast.InstanceOf) -> Expression:
    value = here.lower(node.value)
    quiet = here.quietly()
    expected = type_of(node.type, here.symbols, here.text, quiet.sink)
    if quiet.sink.failed:
        written = here.text.written(node.type.span)
        return here.poison(node.type.span, messages.unknown_type(written, type_names(here.symbols)))
    return InstanceOf(value, expected, type=BOOLEAN, where=here.where(node.span))


# -- functions as values ----------------------------------------------------------------------------
# Function values of the standard's models, of which nothing is known before they run: arguments are
# converted to the types of the parameters, and may be given by name.


def converting(here: Here, literal: Expression, node: ast.FunctionLiteral) -> Expression:
    """The function itself where its types are known before it runs, or none is written."""
    written = [parameter.type for parameter in node.parameters]
    if not here.standard or all(type_ is None for type_ in written):
        return literal
    quiet = here.quietly().sink
    types = tuple(ANY if t is None else type_of(t, here.symbols, here.text, quiet) for t in written)
    result = _result(here, node, types)

    def wrap(function: Value) -> Function:
        return replace(conforming(function, types), result=result)

    where = here.where(node.span)
    return CallFunction(
        Constant(Function(("function",), wrap), type=ANY, where=where), (literal,), type=ANY, where=where
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


def compared_range(range_: MakeRange, operator: str) -> Expression:
    """`(< 10)` as a value, which the standard tells from `(null..10)`."""

    def mark(value: Value) -> Value:
        return replace(value, operator=operator)

    where = range_.where
    marked = Constant(Function(("range",), mark), type=ANY, where=where)
    return CallFunction(marked, (range_,), type=range_.type, where=where)


def called_by_names(function: Expression, names: Sequence[str], values: Sequence[Expression]) -> Expression:
    """`function(x: a)`, where only the value tells what its parameters are called; one that is left out
    is null."""
    call = Function(("function", *names), ByNames(tuple(names)))
    by_names = Constant(call, type=ANY, where=function.where)
    return CallFunction(by_names, (function, *values), type=ANY, where=function.where)
