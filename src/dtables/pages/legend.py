"""Badges and icons as they are met on a face: their letters, and the legend of those that stand alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dtables.pages.document import (
    Block,
    Icon,
    Inline,
    Legend,
    Mark,
    Run,
    inlines,
    mapped,
)
from dtables.pages.markup import PLAIN_ICONS
from dtables.pages.steps import mentions

LONGEST_LEGEND = 16
"""Names with badges that are more than this are no colours: they stand with their words."""
SHORT = 2


def legend_of(blocks: Sequence[Block]) -> tuple[Legend, ...]:
    """What is drawn somewhere without its word beside it, in the order in which it is met; badges of two
    names after those of one, icons last."""
    texts = [inline for block in blocks for inline in inlines(block)]
    alone = dict.fromkeys(mark for inline in texts for mark in marks_alone(inline))
    icons = dict.fromkeys(icon for inline in texts for icon in _icons_alone(inline))
    single_first = sorted(alone, key=lambda mark: len(mark.colours) > 1)
    found = [*(Legend(mark, mark.alt) for mark in single_first), *(Legend(icon, icon.alt) for icon in icons)]
    return tuple(found) if len(found) <= LONGEST_LEGEND else ()


def marks_alone(inline: Inline) -> Iterator[Mark]:
    """Badges without their word right after them."""
    for n, part in enumerate(inline):
        if isinstance(part, Mark) and not _names(inline[n + 1 : n + 3], part.alt):
            yield part


def _names(after: Inline, label: str) -> bool:
    text = "".join(part.text for part in after if isinstance(part, Run))
    return text.lstrip().casefold().startswith(label.casefold())


def _icons_alone(inline: Inline) -> Iterator[Icon]:
    """Icons that the text around them does not name."""
    said = "".join(part.text for part in inline if isinstance(part, Run))
    for part in inline:
        if isinstance(part, Icon) and part.name not in PLAIN_ICONS and not mentions(said, part.alt):
            yield replace(
                part, text="", alt=part.alt.removesuffix(f" {part.text}") if part.text else part.alt
            )


def marks_in(blocks: Iterable[Block]) -> Iterator[Mark]:
    """Go through the badges in the texts of blocks, in their order, each as often as it stands there."""
    for block in blocks:
        for inline in inlines(block):
            yield from (part for part in inline if isinstance(part, Mark))


# -- letters ----------------------------------------------------------------------------------------


def letters_of(marks: Iterable[Mark]) -> dict[str, str]:
    """Letters for the labels of badges that have none of their author's: the shortest beginning that no other
    label shares, at most two letters. Two names in one badge are no label of their own."""
    met = {mark.alt: mark for mark in marks if len(mark.colours) < 2 or not mark.given}
    return {
        label: _letter(label, [other for other in met if other != label])
        for label, mark in met.items()
        if not mark.given
    }


def _letter(label: str, others: Sequence[str]) -> str:
    folded = [other.casefold() for other in others]
    length = next(
        (n for n in range(1, len(label) + 1) if not any(f.startswith(label[:n].casefold()) for f in folded)),
        len(label),
    )
    beginning = label[:length]
    short = beginning if length <= SHORT else beginning[0] + beginning[-1]
    return short[:1].upper() + short[1:]


def relettered(blocks: tuple[Block, ...], letters: Mapping[str, str]) -> tuple[Block, ...]:
    """Return blocks with these letters in their badges."""

    def change(inline: Inline) -> Inline:
        return with_letters(inline, letters)

    return tuple(replace(b, body=mapped(b.body, change), foot=change(b.foot)) for b in blocks)


def with_letters(inline: Inline, letters: Mapping[str, str]) -> Inline:
    """Return a text with these letters in its badges."""
    if not any(isinstance(part, Mark) for part in inline):
        return inline
    return tuple(
        replace(part, letter=letters.get(part.alt, part.letter))
        if isinstance(part, Mark) and not part.given
        else part
        for part in inline
    )
