"""The example of docs/dmn.md works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.dmn_text import decision, input_data, knowledge, service, written

PAGE = Path(__file__).parents[2] / "docs" / "dmn.md"


def test_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, knowledge("rate", "amount", "amount * 0.02"), "rates.dmn", "rates")
    body = '<import name="r" namespace="rates" importType="dmn"/>' + input_data("Amount", "number")
    body += decision("Rate", "r.rate(Amount)", "input:Amount knowledge:rates#rate")
    body += service("Offer", "Rate", data="Amount")
    written(tmp_path, body, "loan.dmn")
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line.partition("  #")[0] for line in code.strip().splitlines() if line]
    known: dict[str, object] = {}
    exec("\n".join(lines[:2]), known)
    worth = [eval(line, known) for line in lines[2:]]
    assert worth == [20, 20, ("Rate",), ()]
