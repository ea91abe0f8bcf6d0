"""Elements of the standard's models: names in reach, how types are written, long chains."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtables.dmn import DmnError, load
from tests.support.dmn_text import decision, input_data, literal, model, service, written


def test_names__only_what_is_required_is_one_name(tmp_path: Path) -> None:
    """`a-b` is an input's name only where that input is required (DMN 1.5, 10.3.1.3)."""
    body = input_data("a-b") + input_data("a") + input_data("b")
    body += decision("difference", "a-b", "input:a input:b") + decision("name", "a-b", "input:a-b")
    asked = model(tmp_path, body)
    given = {"a": 5, "b": 3, "a-b": 100}
    assert [asked.evaluate(name, given) for name in ("difference", "name")] == [2, 100]


def test_names__outputs_of_a_service_are_entries(tmp_path: Path) -> None:
    body = decision("net-price", "1") + decision("rate", "2") + service("offer", "net-price rate")
    body += decision("asked", "offer().net-price + offer().rate", "knowledge:offer")
    assert model(tmp_path, body).evaluate("asked", {}) == 3


def test_relation__cells_conform_to_their_columns(tmp_path: Path) -> None:
    cells = [[literal("1"), literal('"x"')], [literal('"1"'), literal('["y"]')], [literal("2")]]
    rows = "".join(f"<row>{''.join(row)}</row>" for row in cells)
    columns = '<column name="a" typeRef="number"/><column name="b" typeRef="string"/>'
    asked = model(tmp_path, decision("asked", f"<relation>{columns}{rows}</relation>"))
    assert asked.evaluate("asked", {}) == [{"a": 1, "b": "x"}, {"a": None, "b": "y"}, {"a": 2, "b": None}]


@pytest.mark.parametrize("prefix", ["", "feel:", "my-model:"])
def test_types__prefixes_of_old_files(tmp_path: Path, prefix: str) -> None:
    """DMN 1.1 names types as XML does."""
    body = f'<itemDefinition name="colour"><typeRef>{prefix}string</typeRef></itemDefinition>'
    body += input_data("x", f"{prefix}colour") + decision("asked", "x", "input:x")
    asked = model(tmp_path, body)
    assert [asked.evaluate("asked", {"x": x}) for x in ("red", 1)] == ["red", None]


def test_evaluate__a_long_chain(tmp_path: Path) -> None:
    chain = "".join(decision(f"d{n}", f"d{n - 1} + 1", f"decision:d{n - 1}") for n in range(1, 2000))
    assert model(tmp_path, decision("d0", "1") + chain).evaluate("d1999", {}) == 2000


def test_evaluate__a_circle_behind_a_chain(tmp_path: Path) -> None:
    body = decision("a", "b", "decision:b") + decision("b", "c", "decision:c")
    body += decision("c", "b", "decision:b")
    with pytest.raises(DmnError, match="decisions need one another in a circle: a → b → c → b"):
        model(tmp_path, body).evaluate("a", {})


def test_diagnostics__what_nobody_has(tmp_path: Path) -> None:
    body = '<import name="o" namespace="their" importType="dmn"/>'
    body += decision("asked", "[x, o.double(1)]", "input:x knowledge:their#double") + service("s", "nobody")
    asked = model(tmp_path, body)
    assert asked.evaluate("asked", {}) == [None, None]
    assert [(d.code, d.message) for d in asked.diagnostics if d.code.startswith("missing")] == [
        ("missing-import", "the import 'o' names 'their', and no file that was given has this namespace"),
        ("missing-element", "'asked' requires an element with the id 'x', and 'own' has none"),
        ("missing-element", "'asked' requires an element with the id 'double', and 'their' has none"),
        ("missing-element", "'s' requires an element with the id 'nobody', and 'own' has none"),
    ]


def test_load__what_editors_add_is_passed_over(tmp_path: Path) -> None:
    body = '<e:DMNDI xmlns:e="di"><e:DMNShape name="a - b"/></e:DMNDI><knowledgeSource name="law"/>'
    body += "<extensionElements><decision id='asked' name='asked'/></extensionElements><nobodyKnowsIt/>"
    inner = "<extensionElements><literalExpression><text>1</text></literalExpression></extensionElements>"
    inner += '<variable name="asked"/>' + literal("{a: 3, b: 1, c: a - b}.c")
    body += f'<decision id="asked" name="asked">{inner}</decision>'
    assert model(tmp_path, body).evaluate("asked", {}) == 2


def test_expression__longer_than_any_cell(tmp_path: Path) -> None:
    """Time and length grow with the text, not with its square."""
    texts = ", ".join(f'"text {n}"' for n in range(4000))
    contexts = ", ".join(f"{{a: {n}, b: {n}}}" for n in range(2000))
    body = decision("texts", f"count([{texts}])") + decision("contexts", f"[{contexts}][a = 7].b")
    asked = model(tmp_path, body)
    assert [asked.evaluate(name, {}) for name in ("texts", "contexts")] == [4000, [7]]


def test_types__of_an_import_in_an_expression(tmp_path: Path) -> None:
    other = '<itemDefinition name="price"><typeRef>number</typeRef></itemDefinition>'
    imported = written(tmp_path, other, "other.dmn", "their")
    body = '<import name="o" namespace="their" importType="dmn"/>'
    body += decision(
        "asked", '[1 instance of o.price, "1" instance of o.price, (function(x: o.price) x)("1")]'
    )
    asked = load(written(tmp_path, body), imports=[imported])
    assert asked.evaluate("asked", {}) == [True, False, None]
