"""Models of the DMN standard: elements, boxed expressions, types, files."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dtables.dmn import DmnError, load
from tests.support.dmn_text import (
    decision,
    entry,
    formal,
    input_data,
    knowledge,
    literal,
    model,
    service,
    written,
)


def worth(folder: Path, logic: str, **inputs: Any) -> Any:
    """Of one decision that needs all the inputs given."""
    body = "".join(input_data(name) for name in inputs)
    needs = " ".join(f"input:{name}" for name in inputs)
    return model(folder, body + decision("asked", logic, needs)).evaluate("asked", inputs)


# -- requirements ------------------------------------------------------------------------------


def test_evaluate__inputs_and_decisions(tmp_path: Path) -> None:
    body = input_data("price") + decision("tax", "price * 0.25", "input:price")
    body += decision("total", "price + tax", "input:price decision:tax")
    asked = model(tmp_path, body)
    assert asked.decisions == ("tax", "total")
    assert asked.evaluate("total", {"price": 100}) == 125
    assert asked.evaluate("total", {"price": 100, "tax": 1}) == 101
    assert asked.evaluate("total", {}) is None


def test_evaluate__only_what_is_required_is_in_reach(tmp_path: Path) -> None:
    body = input_data("x") + input_data("y") + decision("asked", "[x, y]", "input:x")
    assert model(tmp_path, body).evaluate("asked", {"x": 1, "y": 2}) == [1, None]


def test_evaluate__names_with_signs(tmp_path: Path) -> None:
    body = '<inputData id="n" name="a+b - c\'s"><variable name="a+b - c\'s"/></inputData>'
    body += decision("asked", "a+b - c's + 1", "input:n")
    assert model(tmp_path, body).evaluate("asked", {"a+b - c's": 1}) == 2


def test_evaluate__a_circle(tmp_path: Path) -> None:
    body = decision("a", "b", "decision:b") + decision("b", "a", "decision:a")
    with pytest.raises(DmnError, match="decisions need one another in a circle: a → b → a"):
        model(tmp_path, body).evaluate("a", {})


def test_evaluate__no_such_decision(tmp_path: Path) -> None:
    asked = model(tmp_path, decision("discount", "1"))
    with pytest.raises(DmnError, match=r"no decision 'discuont'; did you mean 'discount'\?"):
        asked.evaluate("discuont", {})


def test_evaluate__without_logic(tmp_path: Path) -> None:
    body = '<decision id="d" name="d"/>' + decision("asked", "d", "decision:d")
    asked = model(tmp_path, body)
    assert asked.evaluate("asked", {}) is None
    assert asked.evaluate("asked", {"d": 5}) == 5


# -- knowledge and services --------------------------------------------------------------------


def test_knowledge__called_by_place_by_name_and_boxed(tmp_path: Path) -> None:
    body = knowledge("less", "a: number, b: number", "a - b")
    body += decision("by place", "less(5, 3)", "knowledge:less")
    body += decision("by name", "less(b: 5, a: 3)", "knowledge:less")
    binding = '<binding><parameter name="b"/>' + literal("5") + "</binding>"
    binding += '<binding><parameter name="a"/>' + literal("3") + "</binding>"
    body += decision("boxed", f"<invocation>{literal('less')}{binding}</invocation>", "knowledge:less")
    body += decision("as a value", "sort([1, 3], function(x, y) less(x, y) > 0)", "knowledge:less")
    asked = model(tmp_path, body)
    values = [asked.evaluate(name, {}) for name in ("by place", "by name", "boxed", "as a value")]
    assert values == [2, -2, -2, [3, 1]]


@pytest.mark.parametrize(
    ("called", "names", "expected"),
    [
        ("less", ["b", "a"], -2),
        ("less", ["a", "c"], None),
        ("less", ["a"], None),
        ("nobody", ["a", "b"], None),
        ("function(a, b) 10 * a + b", ["b", "a"], 35),
        ("function(a, b) 10 * a + b", ["a", "c"], None),
    ],
)
def test_boxed_invocation__binds_by_name(
    tmp_path: Path, called: str, names: list[str], expected: int | None
) -> None:
    """What has no binding is null; a binding of nothing makes all of it null."""
    body = knowledge("less", "a: number, b: number", "a - b")
    bindings = "".join(
        f'<binding><parameter name="{name}"/>{literal(value)}</binding>'
        for name, value in zip(names, ("5", "3"), strict=False)
    )
    boxed = f"<invocation>{literal(called)}{bindings}</invocation>"
    body += decision("boxed", boxed, "knowledge:less" if called == "less" else "")
    assert model(tmp_path, body).evaluate("boxed", {}) == expected


def test_knowledge__handed_on_and_recursive(tmp_path: Path) -> None:
    body = knowledge("factorial", "n", "if n <= 1 then 1 else n * factorial(n - 1)")
    body += knowledge("twice", "f, x", "f(f(x))")
    body += decision("asked", "twice(factorial, 3)", "knowledge:factorial knowledge:twice")
    assert model(tmp_path, body).evaluate("asked", {}) == 720


def test_knowledge__that_never_ends_is_null(tmp_path: Path) -> None:
    body = knowledge("loop", "n", "loop(n + 1)") + decision("asked", "loop(1)", "knowledge:loop")
    assert model(tmp_path, body).evaluate("asked", {}) is None


def test_knowledge__arguments_are_converted_or_the_call_is_null(tmp_path: Path) -> None:
    body = knowledge("echo", "x: string", "x != null") + decision("good", 'echo(["a"])', "knowledge:echo")
    body += decision("bad", "echo(1)", "knowledge:echo")
    asked = model(tmp_path, body)
    assert (asked.evaluate("good", {}), asked.evaluate("bad", {})) == (True, None)


def test_knowledge__can_be_asked_itself(tmp_path: Path) -> None:
    assert model(tmp_path, knowledge("sum of", "a, b", "a + b")).evaluate("sum of", {"a": 1, "b": 2}) == 3


def test_service(tmp_path: Path) -> None:
    body = input_data("x") + decision("inner", "x + 1", "input:x")
    body += decision("given", "1") + decision("out", "inner * given", "decision:inner decision:given")
    body += decision("other", "x", "input:x")
    body += service("one", "out", "inner", "given", "x") + service("two", "out other", "inner", "given", "x")
    body += decision("calls it", "one(2, 10) + one(given: 1, x: 0)", "knowledge:one")
    asked = model(tmp_path, body)
    assert asked.evaluate_service("one", {"x": 2, "given": 10}) == 30
    assert asked.evaluate_service("two", {"x": 2, "given": 10}) == {"out": 30, "other": 2}
    assert asked.evaluate("calls it", {}) == 31


# -- boxed expressions -------------------------------------------------------------------------


def test_boxed__context(tmp_path: Path) -> None:
    body = f"<functionDefinition>{formal('n: number')}{literal('n + a')}</functionDefinition>"
    plain = entry("a", "1") + entry("b c", "a + 1")
    assert worth(tmp_path, f"<context>{plain}</context>") == {"a": 1, "b c": 2}
    with_result = f"<context>{plain}{entry('f', body)}{entry('', 'f(b c)')}</context>"
    assert worth(tmp_path, with_result) == 3


def test_boxed__typed_entries_are_converted(tmp_path: Path) -> None:
    logic = f"<context>{entry('a', '[1]', 'number')}{entry('b', '1', 'string')}</context>"
    assert worth(tmp_path, logic) == {"a": 1, "b": None}


def test_boxed__list_and_relation(tmp_path: Path) -> None:
    assert worth(tmp_path, f"<list>{literal('1')}{literal('x')}</list>", x=2) == [1, 2]
    rows = "".join(f"<row>{literal(a)}{literal(b)}</row>" for a, b in [("1", '"x"'), ("2", '"y"')])
    relation = f'<relation><column name="a"/><column name="b c"/>{rows}</relation>'
    assert worth(tmp_path, relation) == [{"a": 1, "b c": "x"}, {"a": 2, "b c": "y"}]


def test_boxed__flow(tmp_path: Path) -> None:
    def part(tag: str, text: str) -> str:
        return f"<{tag}>{literal(text)}</{tag}>"

    chosen = f"<conditional>{part('if', 'x > 1')}{part('then', '1')}{part('else', '2')}</conditional>"
    assert [worth(tmp_path, chosen, x=x) for x in (2, 1, None)] == [1, 2, 2]
    kept = f"<filter>{part('in', '[1, 2, 3]')}{part('match', 'item > x')}</filter>"
    assert worth(tmp_path, kept, x=1) == [2, 3]
    doubled = part("in", "1..3") + part("return", "i * 2 + count(partial)")
    assert worth(tmp_path, f'<for iteratorVariable="i">{doubled}</for>') is None
    doubled = part("in", "[1..3]") + part("return", "i * 2 + count(partial)")
    assert worth(tmp_path, f'<for iteratorVariable="i">{doubled}</for>') == [2, 5, 8]
    asked = part("in", "[1, 2]") + part("satisfies", "i > x")
    assert worth(tmp_path, f'<some iteratorVariable="i">{asked}</some>', x=1) is True
    assert worth(tmp_path, f'<every iteratorVariable="i">{asked}</every>', x=1) is False


def test_boxed__what_is_not_feel_is_null(tmp_path: Path) -> None:
    assert worth(tmp_path, "<literalExpression/>") is None
    foreign = '<literalExpression expressionLanguage="python"><text>1</text></literalExpression>'
    assert worth(tmp_path, foreign) is None
    java = f'<functionDefinition kind="Java">{formal("x")}{literal("{}")}</functionDefinition>'
    assert worth(tmp_path, f"<context>{entry('f', java)}{entry('', 'f(1)')}</context>") is None


COSINE = '{java: {class: "java.lang.Math", method signature: "cos(double)"}}'


def test_external__a_closed_list_of_functions(tmp_path: Path) -> None:
    assert worth(tmp_path, f"(function(x) external {COSINE})(0)") == 1
    assert worth(tmp_path, f'(function(x) external {COSINE})("0")') is None
    maximum = entry("class", '"java.lang.Math"') + entry("method signature", '"max(int, int)"')
    java = (
        f'<functionDefinition kind="Java">{formal("a, b")}<context>{maximum}</context></functionDefinition>'
    )
    assert worth(tmp_path, f"<context>{entry('f', java)}{entry('', 'f(1, 2)')}</context>") == 2


@pytest.mark.parametrize(
    ("java_class", "signature", "arguments", "expected"),
    [
        ("java.lang.Math", "pow(double, double)", "2, 0.5", Decimal("1.4142135623730951")),
        ("java.lang.Math", "sqrt(double)", "-1", None),
        ("java.lang.Math", "cos(double)", "1, 2", None),
        ("java.lang.Integer", "parseInt(java.lang.String)", '"12"', 12),
        ("java.lang.Integer", "parseInt(java.lang.String)", '"twelve"', None),
        ("java.lang.String", "valueOf(java.lang.Object)", "1.50", "1.5"),
        (
            "java.lang.String",
            "format(java.lang.String, [Ljava.lang.Object;)",
            '"%s: %d %%", ["a", 1]',
            "a: 1 %",
        ),
        ("java.lang.Short", "valueOf(short)", "12", 12),
        ("java.lang.Short", "valueOf(short)", "32768", None),
        ("java.lang.Short", "valueOf(short)", '"12"', None),
        ("java.lang.Byte", "valueOf(byte)", "-128", -128),
        ("java.lang.Byte", "valueOf(byte)", "128", None),
        ("java.lang.Byte", "valueOf(java.lang.String)", '"300"', None),
        ("java.lang.Integer", "valueOf(int)", "7", 7),
        ("java.lang.Long", "valueOf(long)", "7", 7),
        ("java.lang.Double", "valueOf(double)", "7.5", Decimal("7.5")),
        ("java.lang.Float", "valueOf(java.lang.String)", '" 7.5f"', Decimal("7.5")),
        ("java.lang.Integer", "valueOf(java.lang.String)", '"7.5"', None),
        ("java.lang.Boolean", "valueOf(boolean)", "true", True),
        ("java.lang.Boolean", "valueOf(boolean)", '"true"', None),
        ("java.lang.Boolean", "parseBoolean(java.lang.String)", '"TRUE"', True),
        ("java.lang.Character", "valueOf(char)", '"a"', "a"),
        ("java.lang.String", "valueOf(char)", '"a"', "a"),
        ("java.lang.String", "valueOf(char)", '"ab"', None),
        ("java.lang.String", "valueOf(char)", "1", None),
        ("java.lang.String", "valueOf(int)", "1", "1"),
        ("java.lang.String", "valueOf(double)", "1", "1.0"),
        ("java.lang.String", "valueOf(double)", "12345678.9", "1.23456789E7"),
        ("java.lang.String", "valueOf(double)", "0.00025", "2.5E-4"),
        ("java.lang.String", "valueOf(boolean)", "false", "false"),
        ("java.lang.Integer", "max(int, int)", "1, 2", 2),
        ("java.lang.Integer", "max(byte, byte)", "1, 2", None),
        ("java.lang.Runtime", "exec(java.lang.String)", '"ls"', None),
        ("java.lang.Math", "nobody(double)", "1", None),
    ],
)
def test_external__functions(
    tmp_path: Path, java_class: str, signature: str, arguments: str, expected: object
) -> None:
    names = "a" if "," not in signature else "a, b"
    java = f'{{java: {{class: "{java_class}", method signature: "{signature}"}}}}'
    assert worth(tmp_path, f"(function({names}) external {java})({arguments})") == expected


# -- decision tables ---------------------------------------------------------------------------


def table(policy: str, rules: list[tuple[str, str]], attributes: str = "", output: str = "") -> str:
    rows = "".join(
        f"<rule><inputEntry><text>{test}</text></inputEntry><outputEntry><text>{outcome}</text></outputEntry></rule>"
        for test, outcome in rules
    )
    condition = "<input><inputExpression><text>x</text></inputExpression></input>"
    inner = f"{condition}<output>{output}</output>{rows}"
    return f'<decisionTable hitPolicy="{policy}" {attributes}>{inner}</decisionTable>'


RULES = [("[1..3]", "10"), ("&gt; 2", "20"), ("3", "30"), ("-", "5")]


@pytest.mark.parametrize(
    ("policy", "attributes", "expected"),
    [
        ("FIRST", "", 10),
        ("UNIQUE", "", None),
        ("ANY", "", None),
        ("RULE ORDER", "", [10, 20, 30, 5]),
        ("COLLECT", "", [10, 20, 30, 5]),
        ("COLLECT", 'aggregation="SUM"', 65),
        ("COLLECT", 'aggregation="MIN"', 5),
        ("COLLECT", 'aggregation="MAX"', 30),
        ("COLLECT", 'aggregation="COUNT"', 4),
        ("PRIORITY", "", 20),
        ("OUTPUT ORDER", "", [20, 5, 30, 10]),
    ],
)
def test_decision_table__hit_policies(tmp_path: Path, policy: str, attributes: str, expected: object) -> None:
    ranked = "<outputValues><text>20, 5, 30, 10</text></outputValues>"
    assert worth(tmp_path, table(policy, RULES, attributes, ranked), x=3) == expected


@pytest.mark.parametrize(
    ("test", "x", "expected"),
    [
        ("y &gt; 1", "anything", 10),
        ("y &gt; 2", "anything", None),
        ("y &gt; 1", True, 10),
        ("y &gt; 1", False, None),
        ("true", "anything", None),
        ("true", None, None),
        ("? = &quot;a&quot; and y = 2", "a", 10),
        ("y", 2, 10),
        ("[y, 5]", 5, 10),
        ("not(y)", 2, None),
        ("null", None, 10),
    ],
)
def test_decision_table__tests_that_read_other_inputs(
    tmp_path: Path, test: str, x: object, expected: object
) -> None:
    assert worth(tmp_path, table("UNIQUE", [(test, "10")]), x=x, y=2) == expected


def test_decision_table__default_and_nothing(tmp_path: Path) -> None:
    default = f"<defaultOutputEntry>{'<text>7</text>'}</defaultOutputEntry>"
    assert worth(tmp_path, table("UNIQUE", [("1", "10")], output=default), x=2) == 7
    assert worth(tmp_path, table("UNIQUE", [("1", "10")]), x=2) is None


# -- types -------------------------------------------------------------------------------------

TYPES = """
<itemDefinition name="colour"><typeRef>string</typeRef>
  <allowedValues><text>"red", "blue"</text></allowedValues></itemDefinition>
<itemDefinition name="colours" isCollection="true"><typeRef>colour</typeRef></itemDefinition>
<itemDefinition name="car">
  <itemComponent name="doors"><typeRef>number</typeRef></itemComponent>
  <itemComponent name="paint"><typeRef>colours</typeRef></itemComponent>
</itemDefinition>
"""


@pytest.mark.parametrize(
    ("type_", "given", "expected"),
    [
        ("colour", "red", "red"),
        ("colour", "green", None),
        ("colour", ["red"], "red"),
        ("colours", ["red", "blue"], ["red", "blue"]),
        ("colours", ["green"], None),
        ("colours", "red", ["red"]),
        ("car", {"doors": 3, "paint": ["red"]}, {"doors": 3, "paint": ["red"]}),
        ("car", {"doors": 3, "paint": ["green"]}, None),
        ("car", {"doors": 3}, None),
        ("feel:number", 1, 1),
        ("days and time duration", timedelta(1), timedelta(1)),
        ("nobody knows it", 1, 1),
    ],
)
def test_types__inputs_conform(tmp_path: Path, type_: str, given: object, expected: object) -> None:
    body = TYPES + input_data("x", type_) + decision("asked", "x", "input:x")
    assert model(tmp_path, body).evaluate("asked", {"x": given}) == expected


def test_types__results_conform(tmp_path: Path) -> None:
    body = TYPES + decision("good", '"red"', type_="colours") + decision("bad", "1", type_="colour")
    body += decision("instance", '["red"] instance of colours')
    asked = model(tmp_path, body)
    assert [asked.evaluate(name, {}) for name in ("good", "bad", "instance")] == [["red"], None, True]


# -- values ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("0.5", Decimal("0.5")),
        ('date("2026-11-18")', date(2026, 11, 18)),
        ('time("10:20:30Z")', time(10, 20, 30, tzinfo=UTC)),
        ('date and time("2026-11-18T10:20:30")', datetime(2026, 11, 18, 10, 20, 30)),
        ('duration("P1DT1H")', timedelta(1, 3600)),
    ],
)
def test_values__are_pythons_own(tmp_path: Path, text: str, expected: object) -> None:
    value = worth(tmp_path, text)
    assert (value, type(value)) == (expected, type(expected))
    assert worth(tmp_path, f"given = {text}", given=expected) is True


@pytest.mark.parametrize("text", ["-0044-03-15", "P1Y2M", "10:20:30@Europe/Rome", "10:20:30.123456789"])
def test_values__that_python_lacks_are_iso_texts(tmp_path: Path, text: str) -> None:
    value = worth(tmp_path, f'@"{text}"')
    assert str(value) == text
    assert worth(tmp_path, f'given = @"{text}"', given=value) is True


def test_clock__is_an_input(tmp_path: Path) -> None:
    asked = model(tmp_path, decision("asked", "today()"))
    assert asked.evaluate("asked", {}, now=datetime(2026, 11, 18, tzinfo=UTC)) == date(2026, 11, 18)


# -- files -------------------------------------------------------------------------------------


def test_load__imports(tmp_path: Path) -> None:
    other = TYPES + input_data("x", "colour") + decision("echo", "x", "input:x")
    other += knowledge("double", "n", "n * 2")
    imported = written(tmp_path, other, "other.dmn", "their")
    body = '<import name="o" namespace="their" importType="dmn"/>'
    body += decision("a", "o.double(4)", "knowledge:their#double")
    body += decision("b", 'o.echo + "!"', "decision:their#echo")
    body += decision("c", '"red"', type_="o.colours")
    asked = load(written(tmp_path, body), imports=[imported])
    assert [asked.evaluate(name, {"x": "red"}) for name in "abc"] == [8, "red!", ["red"]]


def test_load__refuses_what_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "x.dmn"
    for text, why in [
        ("no xml", "x.dmn cannot be read: syntax error"),
        ("<html/>", "x.dmn is no DMN model: it begins with <html>, wanted <definitions>"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><definitions/>', "x.dmn cannot be read: DTDForbidden"),
    ]:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DmnError, match=why):
            load(path)


def test_load__refuses_what_is_not_there_or_too_deep(tmp_path: Path) -> None:
    with pytest.raises(DmnError, match=r"none\.dmn cannot be read: .*No such file"):
        load(tmp_path / "none.dmn")
    deep = "<list>" * 3000 + "</list>" * 3000
    with pytest.raises(DmnError, match=r"model\.dmn cannot be read: its elements are nested too deeply"):
        model(tmp_path, f'<decision id="d" name="d">{deep}</decision>')


def test_load__what_a_model_requires_may_be_missing(tmp_path: Path) -> None:
    body = decision("asked", "[x, f(1)]", "input:x decision:y knowledge:f") + service("s", "nobody")
    asked = model(tmp_path, body)
    assert asked.evaluate("asked", {}) == [None, None]
    assert asked.evaluate_service("s", {}) == {}


def test_diagnostics__say_what_was_seen(tmp_path: Path) -> None:
    asked = model(tmp_path, decision("asked", "1 +"))
    assert asked.evaluate("asked", {}) is None
    assert [(d.code, d.message) for d in asked.diagnostics] == [
        ("missing-operand", "a value is missing after `+`")
    ]


# -- limits ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("logic", "expected", "limit"),
    [
        ("f(5)", 5, None),
        ("f(900)", None, "asked: the rules nest too deeply to be worked out"),
        ("[1, for i in 1..2000000 return 1]", [1, None], "asked: the loop runs more than 1,000,000 times"),
        ("count(longer(500001))", None, "longer: a list has at most 1,000,000 items"),
        ("2 ** 100000", None, "asked: the result is too large: a number has at most 4,000 digits"),
        ('matches("a", "a{2000}")', None, "asked: a pattern repeats at most 1,000 times"),
        ("1 / 0", None, None),
    ],
)
def test_limits__are_reported(tmp_path: Path, logic: str, expected: object, limit: str | None) -> None:
    body = knowledge("f", "n", "if n = 0 then 0 else 1 + f(n - 1)")
    body += knowledge("longer", "n", "concatenate(for i in 1..n return 0, for i in 1..n return 0)")
    asked = model(tmp_path, body + decision("asked", logic, "knowledge:f knowledge:longer"))
    assert asked.diagnostics == ()
    assert [asked.evaluate("asked", {}), asked.evaluate("asked", {})] == [expected, expected]
    told = [f"{d.where.cell.sheet}: {d.message}" for d in asked.diagnostics]
    words = "this is null because a limit was reached: "
    assert [one.replace(words, "") for one in told] == ([] if limit is None else [limit])
    assert all(words in one for one in told)


# -- conditionals ------------------------------------------------------------------------------


@pytest.mark.parametrize(("condition", "expected"), [("true", "then"), ("false", "else"), ("null", "else")])
def test_conditional__one_part_or_the_other(tmp_path: Path, condition: str, expected: str) -> None:
    parts = (("if", condition), ("then", '"then"'), ("else", '"else"'))
    boxed = "".join(f"<{tag}>{literal(text)}</{tag}>" for tag, text in parts)
    assert worth(tmp_path, f"<conditional>{boxed}</conditional>") == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("https://www.omg.org/spec/DMN/20230324/FEEL/", 3),
        ("https://www.omg.org/spec/DMN/20230324/FEEL", 3),
        ("feel", 3),
        ("FEEL", 3),
        ("javascript", None),
        ("https://www.omg.org/spec/DMN/20230324/S-FEEL-not/", None),
    ],
)
def test_literals__in_another_language_are_null(tmp_path: Path, language: str, expected: int | None) -> None:
    boxed = f'<literalExpression expressionLanguage="{language}"><text>1 + 2</text></literalExpression>'
    assert worth(tmp_path, boxed) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("true", 1), ("false", 2), ("null", 2), ('"true"', None), ("1", None), ("[]", None), ("{}", None)],
)
def test_conditional__the_condition_is_a_boolean(tmp_path: Path, condition: str, expected: object) -> None:
    parts = zip(("if", "then", "else"), (condition, "1", "2"), strict=True)
    boxed = "".join(f"<{tag}>{literal(text)}</{tag}>" for tag, text in parts)
    assert worth(tmp_path, f"<conditional>{boxed}</conditional>") == expected
