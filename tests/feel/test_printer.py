"""What is printed reads as the same node again; and reads well."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.feel.syntax import ast
from dtables.feel.syntax.parser import KnownNames, parse_expression, parse_tests, parse_type
from dtables.feel.syntax.printer import print_expression, print_tests, print_type
from dtables.provenance import Span
from tests.support.thinned import draws

NOWHERE = Span(0, 0)
POOL = ["x", "y", "wonder cap", "A2-01", "2d6", "Statua di Zeus", "a+b", "not seen", "città", "🐎 1.1"]
KEYS = ["k", "key two", "odd: key", "with, comma", "è"]
KNOWN = KnownNames(POOL)
UNIQUE = st.integers(0, 3)


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("1+2*3", "1 + 2 * 3"),
        ("(1+2)*3", "(1 + 2) * 3"),
        ("1-(2-3)-4", "1 - (2 - 3) - 4"),
        ("-(a+b)", "-a+b"),
        ("-( x + y )", "-(x + y)"),
        ("-x ** 2", "-x ** 2"),
        ("-(x ** 2)", "-(x ** 2)"),
        ("x and (y or x)", "x and (y or x)"),
        ("(x and y) or x", "x and y or x"),
        ("(x<y)=(y<x)", "x < y = (y < x)"),
        ("x in(1,2)", "x in (1, 2)"),
        ("x in [1,2]", "x in [1, 2]"),
        ("x in ((>5))", "x in ((> 5))"),
        ("x in not( 1 )", "x in not(1)"),
        ("]1..5[", "(1..5)"),
        ("(if x then y else 1)+1", "(if x then y else 1) + 1"),
        ("{'k': 1}".replace("'", '"'), "{k: 1}"),
        ('{"odd: key": 1}', '{"odd: key": 1}'),
        ('"a\\n\\"b\\u00e8"', '"a\\n\\"bè"'),
        ("yes", "true"),
        ("1.50", "1.50"),
        ("1e3", "1000"),
        ("(x instance of list<number>)", "x instance of list of number"),
        ("function(a:number,b)a", "function(a: number, b) a"),
        ("for i in 1..x,j in y return i", "for i in 1..x, j in y return i"),
    ],
)
def test_print_expression(typed: str, printed: str) -> None:
    node, problems = parse_expression(typed, KNOWN)
    assert problems == () and node is not None
    assert print_expression(node) == printed


@pytest.mark.parametrize("typed", ["-", "< 3, [1..4]", "not(x, > 3)", "(not(x))", "? > 3", "(> 5)"])
def test_print_tests__as_typed(typed: str) -> None:
    tests, problems = parse_tests(typed, KNOWN)
    assert problems == () and tests is not None
    assert print_tests(tests) == typed


# -- the property ------------------------------------------------------------------------------

names = st.sampled_from(POOL)
keys = st.sampled_from(KEYS)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
numbers = st.integers(0, 10**30) | st.decimals(0, 1000, places=3).filter(lambda d: d != d.to_integral_value())


def node(kind, *parts, **named):
    return st.builds(kind, *parts, span=st.just(NOWHERE), **named)


def types() -> st.SearchStrategy[ast.TypeName]:
    named = node(ast.NamedType, st.sampled_from(["number", "text", "days and time duration", "god"]))

    def extend(inner):
        fields = st.lists(st.tuples(keys.filter(str.isalpha), inner), min_size=1, max_size=2)
        return (
            node(ast.ListOfType, inner)
            | node(ast.RangeOfType, inner)
            | node(ast.ByType, inner.filter(lambda t: not isinstance(t, ast.FunctionOfType)), named)
            | node(ast.OptionalOfType, inner.filter(lambda t: not isinstance(t, ast.FunctionOfType)))
            | node(ast.ContextOfType, fields.map(tuple))
            | node(ast.FunctionOfType, st.lists(inner, max_size=2).map(tuple), inner)
        )

    return st.recursive(named, extend, max_leaves=4)


def arguments(inner):
    named = st.lists(node(ast.Argument, names.filter(str.isalpha), inner), max_size=2)
    positional = st.lists(node(ast.Argument, st.none(), inner), max_size=2)
    return (named | positional).map(tuple)


def cell_tests(inner):
    test = node(ast.ComparisonTest, st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), inner)
    return st.lists(test | node(ast.ExpressionTest, inner), min_size=1, max_size=3).map(tuple)


def compound(inner):
    iteration = node(ast.Iteration, st.sampled_from(["i", "each one"]), inner, st.none() | inner)
    iterations = st.lists(iteration, min_size=1, max_size=2).map(tuple)
    entry = node(ast.ContextEntry, keys, inner)
    entries = st.lists(entry, max_size=3, unique_by=lambda e: e.name).map(tuple)
    parameter = node(ast.FunctionParameter, st.sampled_from(["p", "q r"]), st.none() | types())
    parameters = st.lists(parameter, max_size=2, unique_by=lambda p: p.name).map(tuple)
    closed = st.tuples(inner, inner, st.booleans(), st.booleans(), st.none())
    half = st.one_of(
        inner.map(lambda e: (e, None, False, False, ">")),
        inner.map(lambda e: (e, None, True, False, ">=")),
        inner.map(lambda e: (None, e, False, True, "<=")),
        inner.map(lambda e: (e, e, True, True, "=")),
    )
    named_path = node(ast.Path, inner, names | st.just("odd one"), name_span=st.just(NOWHERE))
    not_test = node(ast.NotTest, cell_tests(inner)).map(lambda t: (t,))
    return st.one_of(
        named_path,
        node(ast.Filter, inner, inner),
        node(ast.Invocation, inner, arguments(inner)),
        node(ast.Ranking, names, arguments(inner)),
        node(ast.Negation, inner),
        node(ast.Arithmetic, st.sampled_from(["+", "-", "*", "/", "**"]), inner, inner),
        node(ast.Comparison, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), inner, inner),
        node(ast.Logic, st.sampled_from(["and", "or"]), inner, inner),
        node(ast.Between, inner, inner, inner),
        node(ast.In, inner, cell_tests(inner) | not_test),
        node(ast.InstanceOf, inner, types()),
        node(ast.Conditional, inner, inner, inner),
        node(ast.For, iterations, inner),
        node(ast.Quantified, st.sampled_from(["some", "every"]), iterations, inner),
        node(ast.ListLiteral, st.lists(inner, max_size=3).map(tuple)),
        node(ast.ContextLiteral, entries),
        node(ast.FunctionLiteral, parameters, inner),
        (closed | half).map(lambda e: ast.RangeLiteral(*e, span=NOWHERE)),
    )


leaves = (
    node(ast.NumberLiteral, numbers)
    | node(ast.TextLiteral, texts)
    | node(ast.AtLiteral, st.sampled_from(["2026-11-18", "P1D"]))
    | node(ast.BooleanLiteral, st.booleans())
    | node(ast.NullLiteral)
    | node(ast.Name, names | st.sampled_from(["?", "unknown words"]))
    | node(ast.Each, names, vocabulary_span=st.just(NOWHERE))
)
expressions = st.recursive(leaves, compound, max_leaves=12)


# The strategy is recursive and its description long; that is no fault of the test.
@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@settings(max_examples=draws(300), deadline=None)
@given(expressions)
def test_parse__of_what_is_printed(expression: ast.Expression) -> None:
    assert parse_expression(print_expression(expression), KNOWN) == (expression, ())


@settings(max_examples=draws(100), deadline=None)
@given(types())
def test_parse_type__of_what_is_printed(type_: ast.TypeName) -> None:
    assert parse_type(print_type(type_), KNOWN) == (type_, ())


def test_print_expression__small_numbers_have_no_exponent() -> None:
    tiny = ast.NumberLiteral(Decimal("1E-7"), span=NOWHERE)
    assert print_expression(tiny) == "0.0000001"
