"""Labels as sentences have them: what pages draw in a wording is said in words."""

from __future__ import annotations

import re
from functools import cached_property

from dtables.digits import whole_in
from dtables.model.tables import Ruleset, Words
from dtables.wording.labels import Labels

_POINTER = re.compile(r"\s*→?\s*\{[0-9]+\}")
_CODE = re.compile(r"\{([^{}]*)\}")


class SentenceLabels(Labels):
    """Values of switches by their phrases. `{1}` points to a block of the page, and is left out; a table, a
    name or an icon in braces is said."""

    def __init__(self, ruleset: Ruleset, language: str) -> None:
        super().__init__(ruleset, language, switches_by_phrase=True)

    def words(self, words: Words, otherwise: str = "") -> str:
        """What stands in the workbook, without what only a page can show."""
        text = super().words(words, otherwise)
        if "{" not in text:
            return text
        return " ".join(_CODE.sub(self._said, _POINTER.sub("", text)).split())

    def in_glossary(self, name: str) -> str:
        """A switch by what it decides."""
        return super().in_glossary(name) or self._switch(name)

    def _called(self, name: str) -> Words:
        rule, _ = self.index.switches.get(name, (None, None))
        return super()._called(name) or (rule.words if rule is not None else ())

    def _switch(self, name: str) -> str:
        rule, _ = self.index.switches.get(name, (None, None))
        return self.words(rule.words) if rule is not None else ""

    def _said(self, found: re.Match[str]) -> str:
        return "/".join(self._part(part.strip()) for part in found.group(1).split("/"))

    def _part(self, code: str) -> str:
        """An icon stands beside its word; one with a number is the number of what the glossary calls it."""
        if self.is_table(code):
            return self.table(code)
        known = self._by_code.get(code.casefold())
        if known is not None:
            return self.name(*known)
        name, _, number = code.rpartition(" ")
        return f"{number} {self.in_glossary(name)}".strip() if name and whole_in(number) is not None else ""

    @cached_property
    def _by_code(self) -> dict[str, tuple[str, str]]:
        """Names of vocabularies by their ids, also with the vocabulary before them, and by their labels."""
        found: dict[str, tuple[str, str]] = {}
        for vocabulary in self.ruleset.vocabularies:
            for label in vocabulary.names:
                key = vocabulary.name, label.id
                for written in (
                    f"{vocabulary.name}.{label.id}",
                    label.id,
                    *(text for _, text in label.words),
                ):
                    found.setdefault(written.casefold(), key)
        return found
