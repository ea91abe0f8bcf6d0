"""Decision tables of the standard's models that are written badly, and aggregations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.dmn_text import decision, input_data, model


def worth(folder: Path, table: str, x: Any) -> Any:
    return model(folder, input_data("x") + decision("asked", table, "input:x")).evaluate("asked", {"x": x})


def table(inputs: int, outputs: tuple[str, ...], *rules: str, attributes: str = "") -> str:
    """A rule is `test | test : outcome | outcome`; every column tests `x`."""
    columns = "<input><inputExpression><text>x</text></inputExpression></input>" * inputs
    columns += "".join(f'<output name="{name}"/>' for name in outputs)
    return f"<decisionTable {attributes}>{columns}{''.join(map(_rule, rules))}</decisionTable>"


def _rule(written: str) -> str:
    tests, _, outcomes = written.partition(" : ")
    return f"<rule>{_entries('inputEntry', tests)}{_entries('outputEntry', outcomes)}</rule>"


def _entries(tag: str, written: str) -> str:
    entries = [one.strip() for one in written.split("|") if one.strip()]
    return "".join(f"<{tag}><text>{one}</text></{tag}>" for one in entries)


@pytest.mark.parametrize(
    "test", ["in [1..2]", "== 1", "not(-)", "1 1", "1; 2", "(1, 2", "? == 1", "? = 1 AND ? = 1"]
)
@pytest.mark.parametrize("x", [1, None])
def test_table__no_value_passes_what_cannot_be_read(tmp_path: Path, test: str, x: Any) -> None:
    assert worth(tmp_path, table(1, ("",), f'{test} : "fires"'), x) is None


def test_table__entries_too_few_and_too_many(tmp_path: Path) -> None:
    assert worth(tmp_path, table(2, ("",), "1 : 5"), 1) == 5
    assert worth(tmp_path, table(2, ("",), "1 : 5"), 2) is None
    assert worth(tmp_path, table(1, ("",), "1 | 2 : 5 | 6"), 1) == 5
    assert worth(tmp_path, table(1, ("a", "b"), "1 : 5"), 1) == {"a": 5, "b": None}
    assert worth(tmp_path, table(1, ("",), "1 : "), 1) is None
    assert worth(tmp_path, table(1, (), "1 : "), 1) is None
    assert worth(tmp_path, "<decisionTable/>", 1) is None


@pytest.mark.parametrize(
    ("outcomes", "sums"),
    [
        (["1", "2"], 3),
        (['"a"', '"b"'], None),
        (["1", "null"], None),
        (["duration(&quot;P1D&quot;)", "duration(&quot;P1D&quot;)"], None),
    ],
)
def test_table__collects_a_sum_of_numbers_only(tmp_path: Path, outcomes: list[str], sums: Any) -> None:
    rules = [f"- : {one}" for one in outcomes]
    attributes = 'hitPolicy="COLLECT" aggregation="SUM"'
    assert worth(tmp_path, table(1, ("",), *rules, attributes=attributes), 1) == sums


def test_table__null_is_unlike_a_value(tmp_path: Path) -> None:
    assert worth(tmp_path, table(1, ("",), "!= 1 : 5"), None) == 5
