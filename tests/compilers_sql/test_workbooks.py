"""What of our own workbooks can be said in SQL, by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtables.compilers.sql import unsupported
from dtables.ruleset import load
from tests.support.golden import golden
from tests.support.thinned import swept

ROOT = Path(__file__).parent.parent.parent
BOOKS = ["architects", "concordia", "terra_mystica", "comics", "duel"]


@pytest.mark.parametrize("book", swept(BOOKS))
def test_what_compiles(book: str) -> None:
    model = load(ROOT / "tables" / f"{book}.xlsx").model
    things = (*model.tables, *(ask for ask in model.asks if not ask.parameters))
    found = [(thing.heading.name, unsupported(model, thing)) for thing in things]
    lines = ["compiles:", *(f"  {name}" for name, problems in found if not problems), "", "does not:"]
    lines += [f"  {name}" for name, problems in found if problems]
    reasons = dict.fromkeys(f"{d.where}: {d.message}" for _, problems in found for d in problems)
    lines += ["", "because:", *(f"  {reason}" for reason in reasons)]
    golden(Path(__file__).parent / "golden" / f"{book}.txt", "\n".join(lines) + "\n")
