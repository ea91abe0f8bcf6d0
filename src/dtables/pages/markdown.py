"""Markdown, as little of it as the manual needs. What comes from a workbook goes in through `prose`,
`paragraph` and `code`, and is text there: no link, no HTML, no heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_ALIVE = re.compile(r"[\\`\[\]~]|(?<!\w)_|_(?!\w)")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_ENDS = re.compile(r"[`|\t-\r]|<[\w/!?]")
_TAG = re.compile(r"<(?=[\w/!?])")
_NUMBERED = re.compile(r"([0-9]{1,9})([.)])(?=\s|$)")


def prose(text: str) -> str:
    """On one line. What stands between asterisks is set off, as on printed pages; between backticks it is
    code."""
    parts = re.split("`([^`]+)`", " ".join(text.split()))
    return "".join(code(part) if n % 2 else _plain(part) for n, part in enumerate(parts))


def _plain(text: str) -> str:
    return _ENTITY.sub("&amp;", _ALIVE.sub(r"\\\g<0>", text)).replace("<", "&lt;")


def paragraph(text: str) -> str:
    """Beginning a line, where some characters make a list, a heading or a rule."""
    line = prose(text)
    if re.match(r"[#>+=|-]|\*[\s*]", line):
        return f"\\{line}"
    return _NUMBERED.sub(r"\1\\\2", line, count=1) if _NUMBERED.match(line) else line


def code(text: str) -> str:
    """In the form of HTML where something would end it, or where a careless reader takes it for HTML."""
    if _ENDS.search(text):
        spelled = (c if c.isalnum() or c == " " else f"&#{ord(c)};" for c in " ".join(text.split()))
        return f"<code>{''.join(spelled)}</code>"
    return f"`{text}`"


def anchor(heading: str) -> str:
    kept = (c for c in heading.lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def fenced(json: str) -> Iterator[str]:
    """On one line."""
    yield "```json"
    yield _TAG.sub(r"\\u003c", json)
    yield "```"


def as_table(headers: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Cells are Markdown."""
    yield "| " + " | ".join(headers) + " |"
    yield "|" + " --- |" * len(headers)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
