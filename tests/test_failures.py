"""What is said of a value that is not of the type that is needed."""

from __future__ import annotations

from dtables.failures import type_here
from dtables.feel.types import NUMBER
from dtables.feel.values import Misfit


def test_a_long_value_is_shown_in_part() -> None:
    def shown(length: int) -> str:
        return type_here((NUMBER,), Misfit("x" * length)).removeprefix("expected number, found ")

    assert shown(58) == f'"{"x" * 58}"'
    assert shown(59) == f'"{"x" * 58}…'
    assert shown(5_000) == f'"{"x" * 58}…'
