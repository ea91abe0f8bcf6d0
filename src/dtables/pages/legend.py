"""Badges and icons as they are met on a face: their letters, and the legend of those that stand alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dtables.pages.badges import PageLabels
from dtables.pages.document import (
    Block,
    Icon,
    Inline,
    Legend,
    Mark,
    Orders,
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


def legend_of(blocks: Sequence[Block], signs: Mapping[str, str] | None = None) -> tuple[Legend, ...]:
    """What is drawn somewhere without its word beside it, in the order in which it is met, badges of two
    names after those of one, icons last; then the letters of `signs`, where the texts have them."""
    texts = [inline for block in blocks for inline in inlines(block)]
    alone = dict.fromkeys(mark for inline in texts for mark in marks_alone(inline))
    icons = dict.fromkeys(icon for inline in texts for icon in _icons_alone(inline))
    single_first = sorted(alone, key=lambda mark: len(mark.colours) > 1)
    found = [*(Legend(mark, mark.alt) for mark in single_first), *(Legend(icon, icon.alt) for icon in icons)]
    spelled = _spelled(texts, blocks, signs or {})
    return (*(found if len(found) <= LONGEST_LEGEND else ()), *spelled)


def signs_of(names: PageLabels) -> dict[str, str]:
    """The letters of codes whose labels spell them: `MS: Military, Science` says what M is, and S."""
    found: dict[str, str] = {}
    for vocabulary in names.ruleset.vocabularies:
        spelled = [_spelling(name, names.name(vocabulary.name, name)) for name in vocabulary.ids]
        pairs = {pair for pairs in spelled for pair in pairs}
        if len(spelled) > 1 and all(spelled) and len({letter for letter, _ in pairs}) == len(pairs):
            found.update(sorted(pairs, key=lambda pair: _first_place(pair[0], vocabulary.ids)))
    return found


def _spelling(code: str, label: str) -> tuple[tuple[str, str], ...]:
    words = [word.strip() for word in label.removeprefix(code).strip(" :·–-").split(",")]
    fits = code.isupper() and len(code) == len(words) > 1 and label.startswith(code) and all(words)
    return tuple(zip(code, words, strict=True)) if fits else ()


def _first_place(letter: str, codes: Sequence[str]) -> int:
    return "".join(codes).index(letter)


def _spelled(texts: Sequence[Inline], blocks: Sequence[Block], signs: Mapping[str, str]) -> Iterator[Legend]:
    """All the letters, where two of them stand alone somewhere, or orders are made of them."""
    said = " ".join(part.text for text in texts for part in text if isinstance(part, Run))
    alone = {word for word in re.findall(r"\b\w\b", said) if word in signs}
    listed = {each.sign for block in blocks if isinstance(block.body, Orders) for each in block.body.lists}
    if len(alone | (listed & set(signs))) > 1:
        yield from (Legend(Icon("letter", sign, sign), word) for sign, word in signs.items())


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
