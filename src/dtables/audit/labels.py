"""Labels as an audit has them: house rules by what they decide."""

from __future__ import annotations

from dtables.model.tables import Ruleset, Words
from dtables.wording.labels import Labels


class AuditLabels(Labels):
    """A switch is called by its wording, its values by their phrases: an audit is for people, who never write
    them down."""

    def __init__(self, ruleset: Ruleset, language: str) -> None:
        super().__init__(ruleset, language, switches_by_phrase=True)

    def in_glossary(self, name: str) -> str:
        """What the glossary calls a word, or a switch what it decides."""
        return super().in_glossary(name) or self.words(self._decides(name))

    def _called(self, name: str) -> Words:
        return super()._called(name) or self._decides(name)

    def _decides(self, name: str) -> Words:
        rule, _ = self.index.switches.get(name, (None, None))
        return rule.words if rule is not None else ()
