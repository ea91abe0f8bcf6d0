"""Names of a vocabulary as a log may spell them: the id, or any label or spelling, however it is typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dtables.feel.names import fold
from dtables.model.tables import Label, Vocabulary


@dataclass(frozen=True, slots=True)
class Spellings:
    """`folded` tells, for each spelling, which ids it may mean, in the vocabulary's order."""

    vocabulary: str
    ids: frozenset[str]
    folded: Mapping[str, tuple[str, ...]]
    known: tuple[str, ...]

    def meant(self, typed: str) -> tuple[str, ...]:
        """The ids that `typed` may mean; an id spelled exactly means itself."""
        return (typed,) if typed in self.ids else self.folded.get(fold(typed), ())


def spellings_of(vocabulary: Vocabulary) -> Spellings:
    if vocabulary.exact:
        return exact_spellings(vocabulary)
    folded: dict[str, tuple[str, ...]] = {}
    for label in vocabulary.names:
        for spelled in dict.fromkeys(map(fold, _spelled(label))):
            folded[spelled] = (*folded.get(spelled, ()), label.id)
    known = dict.fromkeys(spelled for label in vocabulary.names for spelled in _spelled(label))
    return Spellings(vocabulary.name, frozenset(label.id for label in vocabulary.names), folded, tuple(known))


def exact_spellings(vocabulary: Vocabulary) -> Spellings:
    """Of a switch: its values are spelled as the workbook has them."""
    ids = tuple(label.id for label in vocabulary.names)
    return Spellings(vocabulary.name, frozenset(ids), {}, ids)


def _spelled(label: Label) -> tuple[str, ...]:
    return (label.id, *(word for _, word in label.words if word), *label.spellings)
