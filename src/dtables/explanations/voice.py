"""One language, and what is said in it of one explanation."""

from __future__ import annotations

from dataclasses import dataclass

from dtables.explanations.phrases import Sentences, sentences_in
from dtables.model.tables import Ruleset
from dtables.wording.expressions import Expressions
from dtables.wording.labels import Labels, labels_of
from dtables.wording.phrases import Phrases
from dtables.wording.values import Values


@dataclass(frozen=True, slots=True)
class Voice:
    """Names, values, expressions and whole sentences."""

    labels: Labels
    values: Values
    expressions: Expressions
    sentences: Sentences

    @property
    def phrases(self) -> Phrases:
        return self.labels.phrases


def voice_in(ruleset: Ruleset, language: str) -> Voice:
    labels = labels_of(ruleset, language)
    return Voice(labels, Values(labels), Expressions(labels), sentences_in(language))
