"""What several views say of a row: its badges, its wording and condition, its number."""

from __future__ import annotations

import re
from dataclasses import replace

from dtables.model.expressions import Test
from dtables.printing.names import Names, names_tested
from dtables.printing.view_parts import Inline, Mark, StepRow
from dtables.printing.view_text import upper_first


def marks_of(names: Names, tests: tuple[Test, ...]) -> list[Mark]:
    """The badges of all names in a cell; none where one of them has no badge."""
    groups = [names_tested(test) for test in tests]
    if not all(groups):
        return []
    marks = [names.mark(name.vocabulary, name.id) for group in groups for name in group]
    known = [mark for mark in marks if mark is not None]
    return known if len(known) == len(marks) else []


LONGEST_CONDITION = 60
"""Where a row has its own wording, a condition that takes more letters than this is left to the wording."""
_TAILS = {
    "it": re.compile(r"^(.+?),\s+se\s+(.+)$", re.DOTALL),
    "en": re.compile(r"^(.+?),\s+if\s+(.+)$", re.DOTALL),
}
_HEADS = {
    "it": re.compile(r"^se\s+([^:]+):\s+(.+)$", re.DOTALL | re.IGNORECASE),
    "en": re.compile(r"^if\s+([^:]+):\s+(.+)$", re.DOTALL | re.IGNORECASE),
}
STEM, LONG_WORD = 5, 4


def split_condition(said: str, language: str) -> tuple[str, str]:
    """`Reveals a card, if it is late`, `If it is late: a card`: the wording, and its condition."""
    if language not in _TAILS:
        return said, ""
    tail, head = _TAILS[language].match(said), _HEADS[language].match(said)
    if head is not None:
        return upper_first(head.group(2)), head.group(1)
    return (said, "") if tail is None else (tail.group(1), tail.group(2).rstrip("."))


def mentions(said: str, label: str) -> bool:
    """Does the wording speak of the name, in whatever form its grammar wants?"""
    words = [word for word in label.casefold().split() if len(word) >= LONG_WORD]
    if not words:
        return re.search(rf"\b{re.escape(label.casefold())}\b", said.casefold()) is not None
    return all(word[:STEM].rstrip("aeio") in said.casefold() for word in words)


def pill(condition: Inline) -> tuple[Inline, ...]:
    return (condition,) if condition else ()


def under_one_number(rows: list[StepRow]) -> tuple[StepRow, ...]:
    """Rows that share a number show it once, with no line between them."""
    result: list[StepRow] = []
    for n, row in enumerate(rows):
        repeated = n > 0 and row.number != "" and row.number == rows[n - 1].number
        going_on = n + 1 < len(rows) and row.number != "" and row.number == rows[n + 1].number
        result.append(replace(row, number="" if repeated else row.number, ruled=not going_on))
    return tuple(result)
