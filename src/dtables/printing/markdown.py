"""Markdown, as little of it as the manual needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def anchor(heading: str) -> str:
    kept = (c for c in heading.lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def fenced(text: str) -> Iterator[str]:
    yield "```json"
    yield text
    yield "```"


def as_table(headers: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(headers) + " |"
    yield "|" + " --- |" * len(headers)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |"
