"""Wording as it is typed, made into runs of text."""

from __future__ import annotations

from dtables.model.vocabularies import STARRED
from dtables.printing.view_parts import Inline, Mark, Run, Style

LEADING_WORDS = 10
LONGEST_LABEL = 36


def plain(text: str, style: Style = Style.PLAIN) -> Inline:
    return (Run(text, style),) if text else ()


def starred(text: str) -> Inline:
    """`*word*` is bold; any other asterisk is printed as typed."""
    runs: list[Run] = []
    end = 0
    for found in STARRED.finditer(text):
        runs += [Run(text[end : found.start()]), Run(found.group(1), Style.BOLD)]
        end = found.end()
    runs.append(Run(text[end:]))
    return tuple(run for run in runs if run.text)


def worded(text: str) -> Inline:
    """A rule's wording. Without a starred word what leads it before a colon is bold."""
    if STARRED.search(text):
        return starred(text)
    head, colon, rest = text.partition(":")
    if not rest or len(head.split()) > LEADING_WORDS:
        return plain(text)
    return (Run(head, Style.BOLD), *plain(colon + rest))


def bold(inline: Inline) -> Inline:
    """Labels of rows; what is quiet stays so, and so does a sentence."""
    if sum(len(part.text) for part in inline if isinstance(part, Run)) > LONGEST_LABEL:
        return inline
    return tuple(
        Run(part.text, Style.BOLD) if isinstance(part, Run) and part.style is Style.PLAIN else part
        for part in inline
    )


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def joined(parts: tuple[Inline, ...], separator: str) -> Inline:
    result: list[Run | Mark] = []
    for n, part in enumerate(parts):
        if n:
            result.append(Run(separator, Style.QUIET))
        result.extend(part)
    return tuple(result)


def text_of(inline: Inline) -> str:
    """As it is read aloud."""
    return "".join(part.text if isinstance(part, Run) else part.alt for part in inline)
