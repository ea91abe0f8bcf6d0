"""Texts in files that a spreadsheet opens: none of them is taken for a formula, whichever of comma, semicolon
and tab the spreadsheet separates by.
"""

from __future__ import annotations

import re

_RUNS = "=+\\-@＝＋－＠"
"""What makes a spreadsheet take a text for a formula."""
_BEGINS = "(?:^|(?<=[;\t\r\n]))"
"""Where a spreadsheet may see a cell begin, though the file has none there."""
_BEFORE = "[ \u00a0'\"]*"
"""What some spreadsheets pass over."""
_SUSPECT = re.compile(f"[{_RUNS}\t\r]").search
_ALIVE = re.compile(f"{_BEGINS}(?={_BEFORE}[{_RUNS}])|^(?='*[\t\r])")
_GUARDED = re.compile(f"{_BEGINS}'(?={_BEFORE}[{_RUNS}])|^'(?='*[\t\r])")
_MAYBE_GUARDED = re.compile(f"'{_BEFORE}[\t\r{_RUNS}]".encode())
_SEPARATES = re.compile(f";(?={_BEFORE[:-2]}\\\\]*[{_RUNS}])")
_QUOTED = re.compile('[",;\t\r\n]|^ | $').search


def guarded(text: str) -> str:
    """With an apostrophe in front of what would run, as spreadsheets mark text; where there is one already,
    another."""
    return _ALIVE.sub("'", text) if _SUSPECT(text) else text


def unguarded(text: str) -> str:
    return _GUARDED.sub("", text) if "'" in text else text


def may_be_guarded(raw: bytes) -> bool:
    """Whether a file's bytes have a cell that reads otherwise than it stands there."""
    return b"'" in raw and _MAYBE_GUARDED.search(raw) is not None


def guarded_json(text: str) -> str:
    """JSON of the same value, that no semicolon cuts into what would run."""
    return _SEPARATES.sub(r"\\u003b", text) if ";" in text else text


def csv_cell(text: str) -> str:
    """As it stands in the file."""
    return '"' + text.replace('"', '""') + '"' if _QUOTED(text) else text
