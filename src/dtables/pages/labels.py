"""What things are called on a page: with badges where names have some."""

from __future__ import annotations

from dtables.model.tables import Label, Ruleset
from dtables.pages.badges import mark_of
from dtables.pages.document import Inline, Mark, Run, upper_first
from dtables.wording.labels import Labels, spaced


class PageLabels(Labels):
    """On pages the value of a switch is said by its whole phrase."""

    def __init__(self, ruleset: Ruleset, language: str) -> None:
        super().__init__(ruleset, language, switches_by_phrase=True)
        self._badged: dict[tuple[str, str], tuple[Label, int]] = {}
        for vocabulary in ruleset.vocabularies:
            for place, label in enumerate(vocabulary.names):
                self._badged.setdefault((vocabulary.root, label.id), (label, place))
                self._badged.setdefault((vocabulary.name, label.id), (label, place))

    def mark(self, vocabulary: str, name: str) -> Mark | None:
        found = self._badged.get((vocabulary, name))
        if found is None:
            return None
        label, place = found
        return mark_of(label, self.name(vocabulary, name), place, self.language)

    def inline(self, vocabulary: str, name: str) -> Inline:
        """The badge, if there is one, and the label."""
        mark, text = self.mark(vocabulary, name), Run(self.name(vocabulary, name))
        return (text,) if mark is None else (mark, Run("\u202f"), text)

    def corner(self, name: str) -> str:
        """Over labels that explain themselves nothing is better than a bare id."""
        text = self.vocabulary(name)
        return "" if text == spaced(name) else upper_first(text)
