"""What of our own workbooks can be said in SQL, by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtables.compilers.sql import Dialect, to_script
from dtables.ruleset import load
from tests.support.golden import golden

ROOT = Path(__file__).parent.parent.parent
BOOKS = ["architects", "concordia", "terra_mystica", "comics", "duel"]


@pytest.mark.parametrize("book", BOOKS)
def test_what_compiles(book: str) -> None:
    script = to_script(load(ROOT / "tables" / f"{book}.xlsx").model, Dialect.DUCKDB)
    lines = ["compiles:", *(f"  {name}" for name in script.said), "", "does not:"]
    lines += [f"  {name}" for name in script.unsaid]
    reasons = dict.fromkeys(f"{d.where}: {d.message}" for d in script.diagnostics)
    lines += ["", "because:", *(f"  {reason}" for reason in reasons)]
    golden(Path(__file__).parent / "golden" / f"{book}.txt", "\n".join(lines) + "\n")
