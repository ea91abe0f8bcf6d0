"""Expressions: text in, nodes out."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

import pytest

from dtables.feel.syntax import ast
from dtables.feel.syntax.parser import (
    Dialect,
    KnownNames,
    names_read,
    parse_expression,
    parse_tests,
    parse_type,
)
from dtables.provenance import Span

KNOWN = KnownNames(
    re.split(
        ",",
        "x,y,f,price,wonder cap,wonder,a-b,a,b,A2-01,2d6,not seen,choice,date and time,offering set,"
        "Statua di Zeus,città,S,if only,card,god",
    )
)


def shape(node: object) -> str:
    """A node in brackets: kind, then its parts; what stands for itself is left bare."""
    match node:
        case ast.NumberLiteral(value=value):
            return str(value)
        case ast.TextLiteral(value=text):
            return repr(text)
        case ast.BooleanLiteral(value=value):
            return str(value).lower()
        case ast.NullLiteral():
            return "null"
        case ast.Name(name=name):
            return f"<{name}>"
        case None:
            return "_"
        case bool() | str():
            return str(node)
        case tuple():
            return "[" + " ".join(shape(part) for part in node) + "]"
        case _:
            fields = [name for name in type(node).__dataclass_fields__ if "span" not in name]
            return f"({type(node).__name__} {' '.join(shape(getattr(node, name)) for name in fields)})"


def read(text: str, dialect: Dialect = Dialect.WORKBOOK) -> ast.Expression:
    node, problems = parse_expression(text, KNOWN, dialect)
    assert problems == ()
    assert node is not None
    return node


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # names
        ("wonder  cap", "<wonder cap>"),
        ("wonder\ncap + wonder", "(Arithmetic + <wonder cap> <wonder>)"),
        ("a-b", "<a-b>"),
        ("a - b", "(Arithmetic - <a> <b>)"),
        ("a-b2", "(Arithmetic - <a> <b2>)"),
        ("A2-01 = 2d6", "(Comparison = <A2-01> <2d6>)"),
        ("2d7", "<2d7>"),
        ("not seen(x)", "(Invocation <not seen> [(Argument _ <x>)])"),
        ("if only", "<if only>"),
        ("uncovrs a token and x", "(Logic and <uncovrs a token> <x>)"),
        ("wonder cup = 3", "(Comparison = <wonder cup> 3)"),
        ("slot 3", "<slot 3>"),
        ("x.time offset = 1", "(Comparison = (Path <x> time offset) 1)"),
        ("x.wonder cap[y]", "(Filter (Path <x> wonder cap) <y>)"),
        ("Statua di Zeus in y", "(In <Statua di Zeus> [(ExpressionTest <y>)])"),
        # literals
        ("1.50", "1.50"),
        (".5", "0.5"),
        ("1e3", "1000"),
        ("1.5E-3", "0.0015"),
        ("10.0", "10"),
        (r'"a\"b\\\n\u00e8\U01F40E\uD83D\uDC0E"', repr('a"b\\\nè🐎🐎')),
        ("yes", "true"),
        ("No", "false"),
        ("SÌ", "true"),
        ("TRUE", "true"),
        ("no cards", "<no cards>"),
        ("null", "null"),
        ('@"2026-11-18"', "(AtLiteral 2026-11-18)"),
        ("1 // one\n + /* two */ 2", "(Arithmetic + 1 2)"),
        # operators
        ("1 + 2 * 3 - 4", "(Arithmetic - (Arithmetic + 1 (Arithmetic * 2 3)) 4)"),
        ("-2 ** 2", "(Arithmetic ** (Negation 2) 2)"),
        ("2 ** 3 ** 2", "(Arithmetic ** (Arithmetic ** 2 3) 2)"),
        ("2 ** -1", "(Arithmetic ** 2 (Negation 1))"),
        ("--x", "(Negation (Negation <x>))"),
        ("a or b and x = y", "(Logic or <a> (Logic and <b> (Comparison = <x> <y>)))"),
        ("x = y = true", "(Comparison = (Comparison = <x> <y>) true)"),
        ("x between 1 and 2 and y", "(Logic and (Between <x> 1 2) <y>)"),
        ("x in 1", "(In <x> [(ExpressionTest 1)])"),
        ("x in > 3 or y", "(Logic or (In <x> [(ComparisonTest > 3)]) <y>)"),
        ("x in (1, > 3)", "(In <x> [(ExpressionTest 1) (ComparisonTest > 3)])"),
        ("x in (a) and y", "(Logic and (In <x> [(ExpressionTest <a>)]) <y>)"),
        ("x in (a + b) * 2", "(In <x> [(ExpressionTest (Arithmetic * (Arithmetic + <a> <b>) 2))])"),
        ("x in (1..3)", "(In <x> [(ExpressionTest (RangeLiteral 1 3 False False _))])"),
        ("x in not(a, b)", "(In <x> [(NotTest [(ExpressionTest <a>) (ExpressionTest <b>)])])"),
        ("x instance of list<number>", "(InstanceOf <x> (ListOfType (NamedType number)))"),
        ("-1 instance of number", "(InstanceOf (Negation 1) (NamedType number))"),
        (
            "x instance of days and time duration and y",
            "(Logic and (InstanceOf <x> (NamedType days and time duration)) <y>)",
        ),
        # ranges
        ("[1..5)", "(RangeLiteral 1 5 True False _)"),
        ("]1..5[", "(RangeLiteral 1 5 False False _)"),
        (
            "x in [1..y[ and a",
            "(Logic and (In <x> [(ExpressionTest (RangeLiteral 1 <y> True False _))]) <a>)",
        ),
        ("[1..y[1]]", "(RangeLiteral 1 (Filter <y> 1) True True _)"),
        ("(> 5)", "(RangeLiteral 5 _ False False >)"),
        ("(<= 5)", "(RangeLiteral _ 5 False True <=)"),
        ("[a..b].start", "(Path (RangeLiteral <a> <b> True True _) start)"),
        # what hangs on values
        ("x.y[1](2).a", "(Path (Invocation (Filter (Path <x> y) 1) [(Argument _ 2)]) a)"),
        ("[1, 2][1]", "(Filter (ListLiteral [1 2]) 1)"),
        ("(x).y", "(Path <x> y)"),
        ('"abc".x', "(Path 'abc' x)"),
        ("f(from: x, range start: 1)", "(Invocation <f> [(Argument from <x>) (Argument range start 1)])"),
        ("f()", "(Invocation <f> [])"),
        ("each offering set[x > 1]", "(Filter (Each offering set) (Comparison > <x> 1))"),
        ("ogni god", "(Each god)"),
        ("each = 1", "(Comparison = <each> 1)"),
        ("choice ranking(x)[1]", "(Filter (Ranking choice [(Argument _ <x>)]) 1)"),
        # forms
        ("if a then b else if x then y else 1", "(Conditional <a> <b> (Conditional <x> <y> 1))"),
        ("1 + if a then b else x + 2", "(Arithmetic + 1 (Conditional <a> <b> (Arithmetic + <x> 2)))"),
        ("for i in 1..3 return i", "(For [(Iteration i 1 3)] <i>)"),
        (
            "for my own in x, b in my own return my own.b",
            "(For [(Iteration my own <x> _) (Iteration b <my own> _)] (Path <my own> b))",
        ),
        (
            "every t in x satisfies t in y",
            "(Quantified every [(Iteration t <x> _)] (In <t> [(ExpressionTest <y>)]))",
        ),
        ("[]", "(ListLiteral [])"),
        (
            '{one key: 1, "c": one key}',
            "(ContextLiteral [(ContextEntry one key 1) (ContextEntry c <one key>)])",
        ),
        ("{a+c: 1}.a+c", "(Path (ContextLiteral [(ContextEntry a+c 1)]) a+c)"),
        (
            "function(my p: number, q) my p + q",
            "(FunctionLiteral [(FunctionParameter my p (NamedType number)) (FunctionParameter q _)]"
            " (Arithmetic + <my p> <q>) False)",
        ),
        (
            "function(q) external {x: 1}",
            "(FunctionLiteral [(FunctionParameter q _)] (ContextLiteral [(ContextEntry x 1)]) True)",
        ),
    ],
)
def test_parse_expression(text: str, expected: str) -> None:
    assert shape(read(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes", "<yes>"),
        ("each god", "<each god>"),
        ("S ranking(x)", "(Invocation <S ranking> [(Argument _ <x>)])"),
        ("x in not(a)", "(In <x> [(ExpressionTest (Invocation <not> [(Argument _ <a>)]))])"),
        (r'"\d"', repr(r"\d")),
        ("(!= 10)", "(RangeLiteral 10 10 True True !=)"),
    ],
)
def test_parse_expression__the_standards_dialect(text: str, expected: str) -> None:
    assert shape(read(text, Dialect.STANDARD)) == expected


def test_parse_expression__a_known_name_is_no_boolean() -> None:
    assert parse_expression("no", KnownNames(["no"])) == (ast.Name("no", span=Span(0, 2)), ())


def test_parse_expression__accents_are_compared_composed() -> None:
    assert shape(read(unicodedata.normalize("NFD", "città + x"))) == "(Arithmetic + <città> <x>)"


def test_parse_expression__numbers_are_exact() -> None:
    assert read("0.1") == ast.NumberLiteral(Decimal("0.1"), span=Span(0, 0))
    thousand = read("1e3")
    assert isinstance(thousand, ast.NumberLiteral)
    assert type(thousand.value) is int


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("x + wonder  cap", (4, 15)),
        ("x + f(y)[1]", (4, 11)),
        ("(x + y).a", (0, 9)),
        (" if x then 1 else y ", (1, 19)),
    ],
)
def test_parse_expression__spans(text: str, span: tuple[int, int]) -> None:
    node = read(text)
    inner = node.right if isinstance(node, ast.Arithmetic) else node
    assert (inner.span.start, inner.span.end) == span


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-", "[(AnyTest )]"),
        ("", "[(AnyTest )]"),
        (" \n", "[(AnyTest )]"),
        ("not(a, > 3)", "[(NotTest [(ExpressionTest <a>) (ComparisonTest > 3)])]"),
        ("not(a) and b", "[(ExpressionTest (Logic and (Invocation <not> [(Argument _ <a>)]) <b>))]"),
        (
            "< 3, [5..8], a",
            "[(ComparisonTest < 3) (ExpressionTest (RangeLiteral 5 8 True True _)) (ExpressionTest <a>)]",
        ),
        ("? > 3 and ? < 5", "[(ExpressionTest (Logic and (Comparison > <?> 3) (Comparison < <?> 5)))]"),
        ("= 3", "[(ComparisonTest = 3)]"),
        ("-1", "[(ExpressionTest (Negation 1))]"),
        (
            "some x in y satisfies x = ?",
            "[(ExpressionTest (Quantified some [(Iteration x <y> _)] (Comparison = <x> <?>)))]",
        ),
        ("null", "[(ExpressionTest null)]"),
    ],
)
def test_parse_tests(text: str, expected: str) -> None:
    tests, problems = parse_tests(text, KNOWN)
    assert problems == ()
    assert shape(tests) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("number", "(NamedType number)"),
        ("list of god by wonder", "(ByType (ListOfType (NamedType god)) (NamedType wonder))"),
        ("list of god?", "(OptionalOfType (ListOfType (NamedType god)))"),
        ("list of (god?)", "(ListOfType (OptionalOfType (NamedType god)))"),
        ("price of a god", "(NamedType price of a god)"),
        (
            "context<a: number, b: list<string>>",
            "(ContextOfType [[a (NamedType number)] [b (ListOfType (NamedType string))]])",
        ),
        (
            "function<number, string> -> number",
            "(FunctionOfType [(NamedType number) (NamedType string)] (NamedType number))",
        ),
        ("range<date and time>", "(RangeOfType (NamedType date and time))"),
        ("my.own type", "(NamedType my.own type)"),
    ],
)
def test_parse_type(text: str, expected: str) -> None:
    found, problems = parse_type(text, KNOWN)
    assert problems == ()
    assert shape(found) == expected


def test_names_read() -> None:
    text = "f(x) + (for i in y return i + z w) + choice ranking(card) + {k: a, m: k}.k"
    assert [name for name, _ in names_read(read(text))] == ["f", "x", "y", "z w", "choice", "card", "a"]


def test_names__longest_at() -> None:
    names = KnownNames(["wonder", "wonder cap"]) | KnownNames(["wonder cap of x"])
    assert names.longest_at("wonder  cap of y", 0) == 11
    assert names.longest_at("wonderful", 0) is None
    assert names.longest_at("a wonder", 2) == 8
    assert "wonder cap" in names and "cap" not in names
