"""Surface nodes to text: what is printed reads as the same node again, with as few brackets as that takes."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import assert_never

from dtables.feel.syntax.ast import (
    AnyTest,
    Argument,
    Arithmetic,
    AtLiteral,
    Between,
    BooleanLiteral,
    ByType,
    Comparison,
    ComparisonTest,
    Conditional,
    ContextEntry,
    ContextLiteral,
    ContextOfType,
    Each,
    Expression,
    ExpressionTest,
    Filter,
    For,
    FunctionLiteral,
    FunctionOfType,
    FunctionParameter,
    In,
    InstanceOf,
    Invocation,
    Iteration,
    ListLiteral,
    ListOfType,
    Logic,
    Name,
    NamedType,
    Negation,
    NotTest,
    NullLiteral,
    NumberLiteral,
    OptionalOfType,
    Path,
    Quantified,
    RangeLiteral,
    RangeOfType,
    Ranking,
    Test,
    TextLiteral,
    TypeName,
)
from dtables.feel.syntax.parser import AND, COMPARISON, INSTANCE, OR, POWER, PRODUCT, SUM
from dtables.feel.syntax.scanner import NAME, tidy_name

FORM, SIGN, HANGING = 0, INSTANCE + 1, INSTANCE + 2
_ARITHMETIC = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "**": POWER}
_LOGIC = {"and": AND, "or": OR}
_ORDERED = ("<", "<=", ">", ">=")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_PLAIN_KEY = re.compile(NAME)


def print_expression(node: Expression) -> str:
    """Write a node so that it parses to an equal one, with as few brackets as that takes."""
    match node:
        case NumberLiteral():
            return print_number(node.value)
        case TextLiteral():
            return print_text(node.value)
        case BooleanLiteral():
            return "true" if node.value else "false"
        case NullLiteral():
            return "null"
        case AtLiteral():
            return "@" + print_text(node.text)
        case Name():
            return node.name
        case Path():
            return f"{_operand(node.of, HANGING)}.{node.name}"
        case Filter():
            return f"{_operand(node.of, HANGING)}[{print_expression(node.condition)}]"
        case Invocation():
            return f"{_operand(node.function, HANGING)}({_print_arguments(node.arguments)})"
        case Each():
            return f"each {node.vocabulary}"
        case Ranking():
            return f"{node.scale} ranking({_print_arguments(node.arguments)})"
        case Negation():
            return f"-{_operand(node.operand, SIGN)}"
        case Arithmetic() | Comparison() | Logic():
            return _print_joined(node)
        case Between():
            low, high = _operand(node.low, SUM), _operand(node.high, SUM)
            return f"{_operand(node.value, COMPARISON)} between {low} and {high}"
        case In():
            return f"{_operand(node.value, COMPARISON)} in {_print_in(node.tests)}"
        case InstanceOf():
            return f"{_operand(node.value, INSTANCE)} instance of {print_type(node.type)}"
        case Conditional() | For() | Quantified() | FunctionLiteral():
            return _print_form(node)
        case ListLiteral():
            return "[" + ", ".join(print_expression(item) for item in node.items) + "]"
        case ContextLiteral():
            return "{" + ", ".join(_print_entry(entry) for entry in node.entries) + "}"
        case RangeLiteral():
            return _print_range(node)
        case _:
            assert_never(node)


def print_tests(tests: tuple[Test, ...]) -> str:
    """Write a condition cell's tests so that they parse to equal ones."""
    return ", ".join(print_test(test) for test in tests)


def print_test(test: Test) -> str:
    """Write one test so that it parses to an equal one, among others too."""
    match test:
        case AnyTest():
            return "-"
        case ComparisonTest():
            return f"{test.operator} {_operand(test.value, SUM)}"
        case ExpressionTest(value=Invocation(function=Name("not"))):
            return f"({print_expression(test.value)})"
        case ExpressionTest():
            return print_expression(test.value)
        case NotTest():
            return f"not({print_tests(test.tests)})"
        case _:
            assert_never(test)


def print_type(node: TypeName) -> str:
    """Write a type as workbooks do: `list of T`, not `list<T>`."""
    match node:
        case NamedType():
            return node.name
        case ListOfType():
            return f"list of {_one_type(node.item)}"
        case RangeOfType():
            return f"range<{print_type(node.item)}>"
        case ByType():
            return f"{print_type(node.value)} by {node.key.name}"
        case ContextOfType():
            return "context<" + ", ".join(f"{n}: {print_type(t)}" for n, t in node.fields) + ">"
        case FunctionOfType():
            parameters = ", ".join(print_type(p) for p in node.parameters)
            return f"function<{parameters}> -> {_one_type(node.result)}"
        case OptionalOfType():
            return f"{print_type(node.of)}?"
        case _:
            assert_never(node)


def print_number(value: int | Decimal) -> str:
    """Write a number without exponent."""
    return str(value) if isinstance(value, int) else format(value, "f")


def print_text(value: str) -> str:
    """Write a text in quotes, its special characters escaped."""
    return '"' + "".join(_ESCAPES.get(character, character) for character in value) + '"'


# -- operators ---------------------------------------------------------------------------------


def _operand(node: Expression, least: int) -> str:
    """In brackets, unless it binds at least so strongly."""
    text = print_expression(node)
    return text if _strength(node) >= least else f"({text})"


def _strength(node: Expression) -> int:
    match node:
        case Conditional() | For() | Quantified() | FunctionLiteral():
            return FORM
        case Logic():
            return _LOGIC[node.operator]
        case Comparison() | Between() | In():
            return COMPARISON
        case Arithmetic():
            return _ARITHMETIC[node.operator]
        case InstanceOf():
            return INSTANCE
        case Negation():
            return SIGN
        case _:
            return HANGING


def _print_joined(node: Arithmetic | Comparison | Logic) -> str:
    level = _strength(node)
    left = _operand(node.left, level + _in_a_row(node))
    return f"{left} {node.operator} {_operand(node.right, level + 1)}"


def _in_a_row(node: Arithmetic | Comparison | Logic) -> int:
    """`(1 < x) < y` keeps its brackets: without them it is refused."""
    match node:
        case Comparison(left=Comparison(operator=first)) if first in _ORDERED and node.operator in _ORDERED:
            return 1
        case _:
            return 0


def _print_in(tests: tuple[Test, ...]) -> str:
    match tests:
        case (NotTest() as alone,):
            return print_test(alone)
        case (ExpressionTest(value=ListLiteral() as value),):
            return print_expression(value)
        case (ExpressionTest(value=RangeLiteral(operator=None) as value),):
            return print_expression(value)
        case _:
            return f"({print_tests(tests)})"


# -- forms -------------------------------------------------------------------------------------


def _print_form(node: Conditional | For | Quantified | FunctionLiteral) -> str:
    match node:
        case Conditional():
            then, otherwise = print_expression(node.then), print_expression(node.otherwise)
            return f"if {print_expression(node.condition)} then {then} else {otherwise}"
        case For():
            return f"for {_print_iterations(node.iterations)} return {print_expression(node.result)}"
        case Quantified():
            iterations = _print_iterations(node.iterations)
            return f"{node.quantifier} {iterations} satisfies {print_expression(node.condition)}"
        case FunctionLiteral():
            parameters = ", ".join(_print_parameter(p) for p in node.parameters)
            external = "external " if node.external else ""
            return f"function({parameters}) {external}{print_expression(node.body)}"
        case _:
            assert_never(node)


def _print_iterations(iterations: tuple[Iteration, ...]) -> str:
    return ", ".join(_print_iteration(iteration) for iteration in iterations)


def _print_iteration(iteration: Iteration) -> str:
    source = f"{iteration.variable} in {print_expression(iteration.source)}"
    return source if iteration.end is None else f"{source}..{print_expression(iteration.end)}"


def _print_parameter(parameter: FunctionParameter) -> str:
    return parameter.name if parameter.type is None else f"{parameter.name}: {print_type(parameter.type)}"


def _print_arguments(arguments: tuple[Argument, ...]) -> str:
    return ", ".join(_print_argument(argument) for argument in arguments)


def _print_argument(argument: Argument) -> str:
    value = print_expression(argument.value)
    return value if argument.name is None else f"{argument.name}: {value}"


def _print_entry(entry: ContextEntry) -> str:
    plain = _PLAIN_KEY.fullmatch(entry.name) and tidy_name(entry.name) == entry.name
    key = entry.name if plain else print_text(entry.name)
    return f"{key}: {print_expression(entry.value)}"


def _print_range(node: RangeLiteral) -> str:
    """Half a range is a comparison in brackets."""
    end = node.low or node.high
    if node.operator is not None and end is not None:
        return f"({node.operator} {_operand(end, SUM)})"
    assert node.low is not None and node.high is not None, "a range that is no comparison has two ends"
    opening, closing = "[" if node.low_included else "(", "]" if node.high_included else ")"
    return f"{opening}{print_expression(node.low)}..{print_expression(node.high)}{closing}"


def _one_type(node: TypeName) -> str:
    text = print_type(node)
    return f"({text})" if isinstance(node, OptionalOfType | ByType) else text
