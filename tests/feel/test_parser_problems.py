"""Mistakes: the text with a caret line under it, and the words."""

from __future__ import annotations

import pytest

from dtables.diagnostics import Problem
from dtables.feel.syntax.messages import PROBLEMS
from dtables.feel.syntax.parser import KnownNames, parse_expression, parse_list, parse_tests, parse_type

KNOWN = KnownNames(["x", "y", "wonder cap", "f"])


def drawn(text: str, problem: Problem) -> str:
    marks = " " * problem.span.start + "^" * max(1, problem.span.end - problem.span.start)
    hint = f" | {problem.hint}" if problem.hint else ""
    return f"{text}\n{marks} {problem.code}: {problem.message}{hint}"


EXPRESSIONS = """
1 +
  ^ missing-operand: a value is missing after `+`
x and
  ^^^ missing-operand: a value is missing after `and`
* 2
^ unexpected: found `*`, wanted a value
and x
^^^ missing-operand: a value is missing before `and`
f(x,)
    ^ missing-operand: a value is missing after `,`
(x + y
^ unclosed-bracket: `(` is never closed | write )
[x, (y]
      ^ unclosed-bracket: `(` is closed by `]` | write )
x)
 ^ unexpected: `)` closes a bracket that nothing opens
f(x "a")
    ^^^ unexpected: found `"a"`, wanted an operator or `)`
"abc
^^^^ unclosed-text: the text that begins here has no closing quote | write " at its end
x /* y
  ^^^^ unclosed-comment: the comment that begins here has no end | write */
"a\\q"
  ^^ unknown-escape: `\\q` stands for nothing in a text | write \\\\ for a backslash
x == y
  ^^ operator-spelling: `==` is no operator | write =
x <> y
  ^^ operator-spelling: `<>` is no operator | write !=
x && y
  ^^ operator-spelling: `&&` is no operator | write and
x ^ 2
  ^ operator-spelling: `^` is no operator | write **
x & "a"
  ^ operator-spelling: `&` is no operator | write +
x AND y
  ^^^ upper-case-word: `AND` is written in capitals | write and
AND(x, y)
^^^ excel-function: AND is no function here | write a and b
IF(x, 1, 2)
^^ excel-function: IF is no function here | write if a then b else c
f(x; y)
   ^ separator: found `;` between items | write a comma
= x
^ unexpected: found `=`, wanted a value | write the expression without = before it
not x
^^^ not-needs-brackets: `not` wants brackets around what it denies | write not(…)
1 < x < 5
      ^ chained-comparison: a second comparison `<` in a row | write a < x and x < b, or x in (a..b)
6,90
^^^^ decimal-comma: `6,90` has a comma for the decimal point | write 6.90
≥ 3
^ unexpected: found `≥`, wanted a value | write >=
50%
  ^ unexpected: found `%`, wanted an operator | write modulo(a, b), or 0.5 for 50 per cent
'x'
^ unexpected: found `'`, wanted a value | write a text between double quotes: "…"
if x then 1
           ^ missing-word: the expression ends where `else` is wanted | write if … then … else …
for i in x y
            ^ missing-word: the expression ends where `return` is wanted | write for … in … return …
for i return 1
      ^^^^^^ missing-word: found `return` where `in` is wanted | write for … in … return …
some i in x return i
            ^^^^^^ missing-word: found `return` where `satisfies` is wanted | write some … in … satisfies …
x between 1
           ^ missing-word: the expression ends where `and` is wanted | write x between a and b
x.
  ^ missing-name: the expression ends where a name is wanted after `.`
{a: 1, a: 2}
       ^ repeated-name: `a` stands here twice
{a 1}
    ^ missing-word: found `}` where `:` is wanted | write {name: value}
1e7000
^^^^^^ number-too-large: the number is larger or longer than numbers can be
1.2345678901234567890123456789012345
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ number-too-large: the number is larger or longer than numbers can be
"""


def cases(block: str) -> list[str]:
    lines = block.strip("\n").split("\n")
    return ["\n".join(lines[n : n + 2]) for n in range(0, len(lines), 2)]


@pytest.mark.parametrize("case", cases(EXPRESSIONS))
def test_parse_expression__problem(case: str) -> None:
    text = case.split("\n")[0]
    _, problems = parse_expression(text, KNOWN)
    assert [drawn(text, problem) for problem in problems] == [case]
    assert problems[0].code in PROBLEMS


TESTS = """
1..3
^^^^ bare-range: a range stands in brackets | write [1..3]
3-4
^^^ dash-list: 3-4 is 3 minus 4 | write [3..4] for a range
x; y
 ^ separator: found `;` between items | write a comma
>=
^^ missing-operand: a value is missing after `>=`
x,
 ^ missing-operand: a value is missing after `,`
x, ), y
   ^ unexpected: found `)`, wanted a value
"""


@pytest.mark.parametrize("case", cases(TESTS))
def test_parse_tests__problem(case: str) -> None:
    text = case.split("\n")[0]
    _, problems = parse_tests(text, KNOWN)
    assert [drawn(text, problem) for problem in problems] == [case]


def test_parse_tests__joined_by_and() -> None:
    _, (problem,) = parse_tests("> 3 and < 5", KNOWN)
    assert (problem.code, problem.span.start, problem.span.end) == ("joined-tests", 4, 7)
    assert problem.hint == "write a range such as [3..5], or conditions on ? such as ? >= 3 and ? <= 5"


def test_parse_tests__each_test_has_its_own_problem() -> None:
    tests, problems = parse_tests("1 +, x, == 3, y y)", KNOWN)
    assert tests is not None and len(tests) == 1
    assert [(p.code, p.span.start) for p in problems] == [
        ("unexpected", 3),
        ("unexpected", 8),
        ("unexpected", 17),
    ]


def test_parse_list__problems() -> None:
    assert [p.code for p in parse_list("x,, y", KNOWN)[1]] == ["empty-expression"]
    assert [p.hint for p in parse_list("3-4", KNOWN)[1]] == ["write 3 > 4 for a list"]
    assert parse_list("x, (y", KNOWN)[1][0].span.start == 3


def test_parse_type__problems() -> None:
    assert [p.code for p in parse_type("list<number", KNOWN)[1]] == ["unclosed-bracket"]
    assert [p.code for p in parse_type("", KNOWN)[1]] == ["empty-expression"]
    assert [p.message for p in parse_type("number 3", KNOWN)[1]] == ["found `3`, wanted an operator"]


TOO_DEEP = ["(" * 5000, "[" * 70 + "]" * 70, "1" + " + 1" * 3000, "-" * 30000 + "1", "x" + ".y" * 9000]
TOO_DEEP += [
    "if x then 1 else " * 1500 + "1",
    "x" + "[1]" * 9000,
    "not(" * 3000,
    "{a:" * 3000,
    "1 in (" * 3000,
]


@pytest.mark.parametrize("text", TOO_DEEP, ids=lambda text: text[:8])
def test_parse_expression__too_deep(text: str) -> None:
    node, problems = parse_expression(text, KNOWN)
    assert node is None
    assert [p.code for p in problems] == ["too-deep"]


def test_parse__too_long() -> None:
    for parse in (parse_expression, parse_tests, parse_list, parse_type):
        assert [p.code for p in parse("x" * 32_768, KNOWN)[1]] == ["too-long"]


def test_parse_expression__as_deep_as_allowed() -> None:
    for text in (
        "(1+" * 60 + "1" + ")" * 60,
        "[" * 60 + "]" * 60,
        "1" + " + 1" * 120,
        "list(" * 60 + ")" * 60,
    ):
        assert parse_expression(text, KNOWN)[1] == ()
