"""Texts in files that a spreadsheet opens: none of them is taken for a formula."""

from __future__ import annotations

_RUNS = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet take a text for a formula."""


def guarded(text: str) -> str:
    """With an apostrophe in front, as spreadsheets mark text; one that has it already gets another."""
    return f"'{text}" if text.lstrip("'").startswith(_RUNS) else text


def unguarded(text: str) -> str:
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(_RUNS) else text
