"""Texts that rules make end before memory does: one limit, told alike by every engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from dtables.checker import check_book
from dtables.diagnostics import render
from dtables.evaluator import explaining
from dtables.feel.limits import MOST_TEXT
from dtables.records.findings import RuleError
from dtables.ruleset import Ruleset
from tests.support.drawing import book_text

BOOK = """
# Sheet: Rules

Input: state
  field | type | default
  text | text | ""
  more | text? |
  texts | list of text | []
  any | any |

Formulas: made
  name | type | is
  made | text | {formula}

Ask: pick ; main: yes
  role | name | is
  answer | length | string length(made)
"""

HALF = "x" * (MOST_TEXT // 2)
MADE: list[tuple[str, dict[str, Any], int]] = [
    ("text + text", {"text": HALF}, MOST_TEXT),
    ("text + text + text", {"text": HALF}, 0),
    ('text + text + ""', {"text": HALF}, MOST_TEXT),
    ('text + (text + "y")', {"text": HALF}, 0),
    ('if more = null then text else text + more', {"text": HALF, "more": HALF + "y"}, 0),
    ('string join(texts)', {"texts": [HALF] * 2}, MOST_TEXT),
    ('string join(texts, "-")', {"texts": [HALF] * 2}, 0),
    ('string join(texts, text)', {"texts": [""] * 1_000, "text": "x" * 10_000}, 0),
    ('replace(text, "x", "yyyyyyyyyy")', {"text": "x" * 100_000}, MOST_TEXT),
    ('replace(text, "x", "yyyyyyyyyyy")', {"text": "x" * 100_000}, 0),
    ('replace(text, "y", "x") + text', {"text": "x" * 100_000}, 200_000),
    ("upper case(text)", {"text": "ß" * (MOST_TEXT // 2)}, MOST_TEXT),
    ("upper case(text)", {"text": "ß" * (MOST_TEXT // 2 + 1)}, 0),
    ("upper case(text)", {"text": "x" * (2 * MOST_TEXT)}, 2 * MOST_TEXT),
    ("lower case(text)", {"text": "İ" * MOST_TEXT}, 0),
    ("substring(text, 2)", {"text": "x" * (2 * MOST_TEXT)}, 2 * MOST_TEXT - 1),
    ("string(texts)", {"texts": ["x" * 10] * 10_000}, 140_000),
    ("string(texts)", {"texts": [HALF] * 100}, 0),
    ("string(any)", {"any": {"a": [{"b": HALF}] * 100}}, 0),
    ("string(text)", {"text": "x" * (2 * MOST_TEXT)}, 2 * MOST_TEXT),
    ('string join(for t in texts return text + t)', {"texts": ["y"] * 1_000, "text": "x" * 1_001}, 0),
]  # fmt: skip


@cache
def rules(formula: str) -> Ruleset:
    book, found = book_text(BOOK.format(formula=formula))
    model, more = check_book(book)
    assert model is not None, render((*found, *more))
    return Ruleset(model)


def engines(formula: str) -> list[Callable[[Any], Any]]:
    found = rules(formula)
    planned = explaining(found.model)
    return [
        lambda state: found.evaluator.answer(None, state),
        lambda state: found.answer(None, state),
        lambda state: planned.explain_sound(None, state).answer,
    ]


@pytest.mark.parametrize("case", MADE, ids=[f"{n} {formula}" for n, (formula, *_) in enumerate(MADE)])
def test_a_text_that_is_too_long(case: tuple[str, dict[str, Any], int]) -> None:
    """Its length where it fits; 0 where it does not."""
    formula, state, length = case
    for answer in engines(formula):
        try:
            assert answer(state)["length"] == length
        except RuleError as error:
            assert length == 0 and error.message == "the text is too long: at most 1,000,000 characters"
            assert error.where is not None and error.where.cell.sheet == "Rules"


def test_a_text_that_doubles() -> None:
    """33 times a text of ten characters would be more than any memory holds."""
    lines = "\n".join(f"  t{n} | text | t{n - 1} + t{n - 1}" for n in range(1, 34))
    text = BOOK.format(formula="t33").replace(
        "  made | text", f"  t0 | text | text + text\n{lines}\n  made | text"
    )
    book, found = book_text(text)
    model, more = check_book(book)
    assert model is not None, render((*found, *more))
    made = Ruleset(model)
    for answer in (made.answer, made.evaluator.answer):
        with pytest.raises(RuleError, match="the text is too long"):
            answer(None, {"text": "abcdefghij"})
