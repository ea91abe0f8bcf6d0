"""However a cell is nested, it is checked in a moment."""

from __future__ import annotations

import time

import pytest

from tests.checker.small_world import check_cell

DEEP = 60


@pytest.mark.parametrize(
    "text",
    [
        "if age = 1 then red else " * DEEP + "blue",
        "if age = 1 then order[1] else " * DEEP + "blue",
        "[" * DEEP + "red" + "]" * DEEP,
        "numbers[" * DEEP + "1" + "]" * DEEP,
        "(" * DEEP + "colour = red" + ") = true" * DEEP,
        "append(order, " * DEEP + "red" + ")" * DEEP,
        "if age = 1 then red else reverse([" * (DEEP // 2) + "red" + "])[1]" * (DEEP // 2),
        "for i in 1..2 return partial[1] = [" * (DEEP // 3) + "1" + "]" * (DEEP // 3),
        "1" + " + 1" * 2 * DEEP,
        "structure" + "[open]" * DEEP,
    ],
    ids=range(10),
)
def test_nesting_is_bounded(text: str) -> None:
    start = time.process_time()
    assert check_cell(text) != ""
    assert time.process_time() - start < 2
