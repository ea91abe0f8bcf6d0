"""Badges and icons as they are met on a face: their letters, and the legend of those that stand alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
"""So many letters a badge has room for."""
VOWELS = "aeiouàèéìòù"


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
    """Letters for the labels of badges that have none of their author's, one or two: the shortest beginning
    that no other label shares. The two names of a split badge are labels like others."""
    met = {own.alt: own for mark in marks for own in mark.names if len(own.colours) < 2 or not own.given}
    found = {label: mark.letter for label, mark in met.items() if mark.given}
    for label, mark in met.items():
        if not mark.given:
            others = [other.casefold() for other in met if other != label]
            taken = {letter.casefold() for letter in found.values()}
            found[label] = _letter(label, others, taken)
    return {label: letter for label, letter in found.items() if not met[label].given}


def _letter(label: str, others: Sequence[str], taken: Collection[str]) -> str:
    """The first that is nobody's: of what tells the label apart, or a longer beginning of it."""
    for sign in (*_signs(label, others), *(label[:n] for n in range(3, len(label)))):
        if sign.casefold() not in taken:
            return sign[:1].upper() + sign[1:]
    return label


def _signs(label: str, others: Sequence[str]) -> Iterator[str]:
    """Beginnings that no other label shares; then the first letter with one that the words it might be taken
    for have not: their last such consonant (`Bk`), else their first such vowel (`Bu`)."""
    for length in range(1, SHORT + 1):
        if not any(other.startswith(label[:length].casefold()) for other in others):
            yield label[:length]
    alike = [other for other in others if other.startswith(label[:SHORT].casefold())]
    own = [c for c in label[1:].casefold() if c.isalpha() and not any(c in other for other in alike)]
    consonants = [c for c in own if c not in VOWELS]
    for letter in (*reversed(consonants), *own, *(c for c in label[1:].casefold() if c.isalpha())):
        sign = label[:1] + letter
        if not any(other.startswith(sign.casefold()) for other in others):
            yield sign


def relettered(blocks: tuple[Block, ...], letters: Mapping[str, str]) -> tuple[Block, ...]:
    """Return blocks with these letters in their badges."""

    def change(inline: Inline) -> Inline:
        return with_letters(inline, letters)

    return tuple(replace(b, body=mapped(b.body, change), foot=change(b.foot)) for b in blocks)


def with_letters(inline: Inline, letters: Mapping[str, str]) -> Inline:
    """Return a text with these letters in its badges."""
    return tuple(_with_letter(part, letters) if isinstance(part, Mark) else part for part in inline)


def _with_letter(mark: Mark, letters: Mapping[str, str]) -> Mark:
    if mark.given:
        return mark
    halves = tuple(_with_letter(half, letters) for half in mark.halves)
    letter = "/".join(half.letter for half in halves) or letters.get(mark.alt, mark.letter)
    return replace(mark, letter=letter, halves=halves)
