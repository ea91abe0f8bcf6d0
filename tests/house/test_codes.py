"""Each code of docs/problems.md stands in a golden file, with its message and its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "problems.md"
NEVER = {
    "no-such-table": "`dtables compile` looks for the table itself, and says so in words of its own",
    "repeated-field": "the parser refuses a name that stands twice before, as `repeated-name`",
}
"""No workbook and no command brings them out, and why."""
EXAMPLE = "example"
"""One that does not hold: `dtables test` says it, which the page is not about."""


def golden_files() -> Iterator[Path]:
    for name in ("problems.txt", "proof.txt"):
        yield from (TESTS / "cases").rglob(name)
    yield from (TESTS / "cases_of_files").glob("*.txt")
    yield from (TESTS / "transcripts").glob("*.txt")


def golden_codes() -> set[str]:
    text = "".join(path.read_text(encoding="utf-8") for path in golden_files())
    return set(re.findall(r": (?:error|warning|note)\[([a-z-]+)\]: ", text))


def documented_codes() -> set[str]:
    return set(re.findall(r"^\| `([a-z-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))


def test_every_code_is_said_in_a_golden_file() -> None:
    assert documented_codes() - golden_codes() == set(NEVER)


def test_every_code_that_is_said_is_documented() -> None:
    assert golden_codes() - documented_codes() <= {EXAMPLE}
