"""What an expression without input is worth: enough of an interpreter to try values and built-ins.

It reads surface nodes directly, with the standard's null for errors; names are the bound ones and the
built-ins. What needs a checked model is not here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dtables.feel.builtins import BY_NAME, Builtin, Signature, as_function
from dtables.feel.syntax import ast
from dtables.feel.syntax.parser import Dialect, KnownNames, parse_expression
from dtables.feel.values import (
    FeelError,
    Function,
    Range,
    arithmetic,
    belongs,
    compare,
    conjunction,
    disjunction,
    entry,
    has_entry,
    item_at,
    less_or_equal,
    negate,
    parse_temporal,
)

NAMES = KnownNames(BY_NAME)
Bound = Mapping[str, Any]


def value_of(text: str, bound: Bound | None = None) -> Any:
    """A mistake in the text is an AssertionError, an error while working it out null."""
    given = bound or {}
    node, problems = parse_expression(text, NAMES | KnownNames(given), Dialect.STANDARD)
    assert node is not None and not problems, (text, problems)
    return value(node, given)


def value(node: ast.Expression, bound: Bound) -> Any:
    try:
        return strict(node, bound)
    except FeelError:
        return None


def strict(node: ast.Expression, bound: Bound) -> Any:
    match node:
        case ast.NumberLiteral() | ast.TextLiteral() | ast.BooleanLiteral():
            return node.value
        case ast.NullLiteral():
            return None
        case ast.AtLiteral():
            return parse_temporal(node.text)
        case ast.Name():
            return bound[node.name] if node.name in bound else _function(node.name)
        case ast.Path():
            return entry(value(node.of, bound), node.name)
        case ast.ListLiteral():
            return [value(item, bound) for item in node.items]
        case ast.ContextLiteral():
            return _context(node, bound)
        case ast.RangeLiteral():
            low, high = (None if e is None else value(e, bound) for e in (node.low, node.high))
            if (node.low is not None and low is None) or (node.high is not None and high is None):
                raise FeelError("a range with null for an end")
            return Range(low, high, node.low_included, node.high_included)
        case ast.FunctionLiteral():
            names = tuple(parameter.name for parameter in node.parameters)
            body = node.body
            return Function(
                names, lambda *given: value(body, {**bound, **dict(zip(names, given, strict=True))})
            )
        case ast.Invocation():
            return _call(node, bound)
        case _:
            return _operation(node, bound)


def _operation(node: ast.Expression, bound: Bound) -> Any:
    match node:
        case ast.Negation():
            return negate(value(node.operand, bound))
        case ast.Arithmetic():
            return arithmetic(node.operator, value(node.left, bound), value(node.right, bound))
        case ast.Comparison():
            return compare(node.operator, value(node.left, bound), value(node.right, bound))
        case ast.Logic():
            join = conjunction if node.operator == "and" else disjunction
            return join(value(node.left, bound), value(node.right, bound))
        case ast.Between():
            x = value(node.value, bound)
            low = less_or_equal(value(node.low, bound), x)
            return conjunction(low, less_or_equal(x, value(node.high, bound)))
        case ast.In():
            return _in(node, bound)
        case ast.Conditional():
            chosen = node.then if value(node.condition, bound) is True else node.otherwise
            return value(chosen, bound)
        case ast.Filter():
            return _filter(node, bound)
        case ast.For():
            return [value(node.result, inner) for inner in _rounds(node.iterations, bound)]
        case ast.Quantified():
            answers = [value(node.condition, inner) for inner in _rounds(node.iterations, bound)]
            return BY_NAME["any" if node.quantifier == "some" else "all"].meaning(answers)
        case _:
            raise AssertionError(f"not in this interpreter: {node}")


def _in(node: ast.In, bound: Bound) -> Any:
    x = value(node.value, bound)
    answers: list[bool | None] = []
    for test in node.tests:
        match test:
            case ast.ComparisonTest():
                answers.append(compare(test.operator, x, value(test.value, bound)))
            case ast.ExpressionTest():
                answers.append(belongs(x, value(test.value, bound)))
            case _:
                raise AssertionError(f"not in this interpreter: {test}")
    return BY_NAME["any"].meaning(answers)


def _context(node: ast.ContextLiteral, bound: Bound) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for given in node.entries:
        made[given.name] = value(given.value, {**bound, **made})
    return made


def _filter(node: ast.Filter, bound: Bound) -> Any:
    of = value(node.of, bound)
    items = of if isinstance(of, list) else [of]
    try:
        position = value(node.condition, bound)
    except KeyError:
        position = None
    if isinstance(position, int) and not isinstance(position, bool):
        return item_at(items, position)
    return [item for item in items if value(node.condition, _inside(item, bound)) is True]


def _inside(item: Any, bound: Bound) -> Bound:
    own = (
        {name: entry(item, name) for name in item if has_entry(item, name)} if isinstance(item, dict) else {}
    )
    return {**bound, "item": item, **own}


def _rounds(iterations: tuple[ast.Iteration, ...], bound: Bound) -> Iterator[Bound]:
    if not iterations:
        yield bound
        return
    first, *rest = iterations
    for item in _items(first, bound):
        yield from _rounds(tuple(rest), {**bound, first.variable: item})


def _items(iteration: ast.Iteration, bound: Bound) -> list[Any]:
    source = value(iteration.source, bound)
    if iteration.end is None:
        return source if isinstance(source, list) else [source]
    end = value(iteration.end, bound)
    step = 1 if source <= end else -1
    return list(range(source, end + step, step))


# -- calls ---------------------------------------------------------------------------------------


def _function(name: str) -> Any:
    return as_function(BY_NAME[name])


def _call(node: ast.Invocation, bound: Bound) -> Any:
    called = node.function
    if isinstance(called, ast.Name) and called.name in BY_NAME and called.name not in bound:
        return _call_builtin(BY_NAME[called.name], node.arguments, bound)
    function = value(called, bound)
    if not isinstance(function, Function):
        raise FeelError("no function")
    names = [argument.name for argument in node.arguments]
    values = [value(argument.value, bound) for argument in node.arguments]
    if names and names[0] is not None:
        given = dict(zip(names, values, strict=True))
        if set(given) != set(function.parameters):
            raise FeelError("other parameters")
        values = [given[name] for name in function.parameters]
    if len(values) != len(function.parameters) and not function.variadic:
        raise FeelError("other arguments")
    return function(*values)


def _call_builtin(builtin: Builtin, arguments: tuple[ast.Argument, ...], bound: Bound) -> Any:
    values = [value(argument.value, bound) for argument in arguments]
    if arguments and arguments[0].name is not None:
        given = {str(a.name): v for a, v in zip(arguments, values, strict=True)}
        signature = _named(builtin, given)
        values = [given[p.name] for p in signature.parameters if p.name in given]
    elif not any(_takes(signature, len(values)) for signature in builtin.signatures):
        raise FeelError("a wrong number of arguments")
    return builtin.meaning(*values)


def _named(builtin: Builtin, given: Mapping[str, Any]) -> Signature:
    for signature in builtin.signatures:
        names = {parameter.name for parameter in signature.parameters}
        needed = {parameter.name for parameter in signature.parameters if not parameter.optional}
        if needed <= set(given) <= names:
            return signature
    raise FeelError("no such parameters")


def _takes(signature: Signature, count: int) -> bool:
    needed = sum(not parameter.optional for parameter in signature.parameters)
    variadic = any(parameter.variadic for parameter in signature.parameters)
    return needed <= count and (variadic or count <= len(signature.parameters))
