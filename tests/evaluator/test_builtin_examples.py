"""Every example of a built-in function is worth what it says."""

from __future__ import annotations

import pytest

from dtables.evaluator import Evaluator
from dtables.feel.builtins import BUILTINS
from dtables.feel.values import Value, same
from dtables.model.expressions import Expression
from dtables.model.tables import Formula
from tests.checker.small_world import lowered as in_scope
from tests.checker.small_world import standard_scope
from tests.evaluator.models import CELL, heading, ruleset

EXAMPLES = [(b.name, text, expected) for b in BUILTINS for text, expected in b.examples]


def lowered(text: str) -> Expression:
    return in_scope(text, None, standard_scope())[0]


def value(text: str) -> Value:
    expression = lowered(text)
    made = ruleset(Formula(heading("value"), (), expression.type, (), expression, CELL))
    return Evaluator(made, strict=False).value("value", (), {})


@pytest.mark.parametrize(("name", "text", "expected"), EXAMPLES, ids=[f"{n}: {t}" for n, t, _ in EXAMPLES])
def test_example(name: str, text: str, expected: str) -> None:
    found, wanted = value(text), value(expected)
    assert same(found, wanted), f"{name}: {text} is {found!r}, not {wanted!r}"
