"""The standard's models: nothing is known before they run, and nothing is an error."""

from __future__ import annotations

import pytest

from dtables.feel.types import ANY
from tests.checker.small_world import check_cell, standard_scope

STANDARD = standard_scope(x=ANY, y=ANY)


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        ("x + 1", "(x + 1) : any"),
        ("x.y.z", "x.y.z : any"),
        ("x[1]", "x[select 1] : any"),
        ("x[y > 3]", "x[select ((item.y else y) > 3)] : any"),
        ("x[z > 3]", None),
        ("[1, 2, 3][item > 1]", "[1, 2, 3][(item > 1)] : list of whole number"),
        ("x(1, y)", "x·(1, y) : any"),
        ("x in [1..2]", "x in (holds ((? >= 1) and (? <= 2))) : boolean"),
        ("x in (y, > 3)", "x in (belongs y, > 3) : boolean"),
        ('if x then 1 else "a"', 'if x then 1 else "a" : any'),
        ('[1, "a", null]', '[1, "a", null] : list of any'),
        ("for i in x return i + y", "for i in x return (i + y) : list of any"),
        ("some i in x satisfies i", "some i in x satisfies i : boolean"),
        ("{a: 1, b: a}.b", "{a: 1, b: a}.b : whole number"),
        ("if null then 1 else 2", "if null then 1 else 2 : whole number"),
        ("sort(x, function(a, b) a < b)", "sort·(x, function(a, b) (a < b)) : any"),
        ("not(x)", "not·(x) : boolean?"),
        ("sum(x, y)", "sum·(x, y) : any"),
    ],
)
def test_standard__nothing_is_known(text: str, checked: str | None) -> None:
    found = check_cell(text, None, STANDARD)
    if checked is None:
        assert "item.z else null" in found
    else:
        assert found == checked


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('1 + "a"', "type-mismatch"),
        ("foo", "unknown-name"),
        ("foo(1)", "unknown-function"),
        ("count()", "argument-count"),
        ('"a" < 1', "type-mismatch"),
        ('@"foo"', "not-a-date"),
        ("x instance of foo", "unknown-type"),
    ],
)
def test_standard__what_is_wrong_is_a_warning(text: str, code: str) -> None:
    found = check_cell(text, None, STANDARD)
    assert f"warning[{code}]" in found
    assert "error[" not in found
