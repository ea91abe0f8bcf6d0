"""A turn that was played otherwise than the rules say, told in each language.

Everything is put into words where the turn is audited: what travels to whoever writes a page or a table is
texts, and the details of a turn as packed bytes.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from dtables.audit.context import Context, ContextValue, context_label, context_text
from dtables.audit.faults import Faults, Found, Sought
from dtables.audit.played import Difference, PlayedComparison
from dtables.audit.reasons import DecisionView, EliminationView, Reasons, reasons
from dtables.audit.sentences import RuleKey, RuleText, Speaker, rule_key
from dtables.evaluator import Evaluator, Explanation
from dtables.evaluator.trace import Shown
from dtables.explanations.phrases import voice_of
from dtables.feel.types import vocabulary_of
from dtables.model.index import Index
from dtables.model.tables import AnswerField, Ruleset, Words
from dtables.wording.labels import Labels

FASTEST = 1
"""How hard details are packed on their way: they are packed once more for a page."""


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


@dataclass(frozen=True, slots=True)
class MoveText:
    """A field of the move; `differs` where the played value is not right."""

    name: str
    field: str
    played: str
    right: str
    differs: bool


@dataclass(frozen=True, slots=True)
class MisplayText:
    """In one language. `field`, `played` and `right` are what the sentence is about; `details` is packed
    JSON, empty where nobody wants them."""

    sentence: str
    rule: RuleText
    moves: tuple[MoveText, ...]
    about: MoveText
    context: tuple[tuple[str, str], ...]
    house_rules: tuple[str, ...]
    details: bytes


@dataclass(frozen=True, slots=True)
class Misplay:
    """`differences` has the fields as plain values, `context` what stood beside them in the record."""

    file: str | None
    line: int
    turn: str | int
    game: str | None
    ask: str
    differences: tuple[Difference, ...]
    context: tuple[ContextValue, ...]
    rule: RuleKey
    texts: Mapping[str, MisplayText]


@dataclass(frozen=True)
class Teller:
    """Tells misplays of one ruleset."""

    model: Ruleset
    languages: tuple[str, ...]

    @cached_property
    def comparison(self) -> PlayedComparison:
        return PlayedComparison(self.model)

    @cached_property
    def context(self) -> Context:
        return Context(self.model, self.comparison)

    @cached_property
    def _faults(self) -> Faults:
        return Faults(self.model)

    @cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(self.model)

    @cached_property
    def _index(self) -> Index:
        return Index(self.model)

    def _recorded(self, state: object, sought: Sought, field: str) -> bool:
        """Whether a name stands somewhere in a field of the state."""
        values = [state.get(field)] if isinstance(state, Mapping) else []
        while values:
            value = values.pop()
            match value:
                case str():
                    if self.comparison.canonical(value, sought.type) in sought.values:
                        return True
                case list():
                    values += value
                case dict():
                    values += value.values()
        return False

    @cached_property
    def _labels(self) -> dict[str, Labels]:
        return {language: AuditLabels(self.model, language) for language in self.languages}

    def put_into_words(
        self,
        ask: str,
        state: object,
        played: dict[str, Any],
        differences: tuple[Difference, ...],
        detailed: Callable[[RuleKey], bool],
    ) -> tuple[RuleKey, dict[str, MisplayText]]:
        """Which rule a move breaks, and why, in every language; with details, if they are wanted of a move
        that breaks this rule."""
        explanation = self._evaluator.explain_sound(ask, state)
        move = self.comparison.move(ask, played)
        meant = tuple(Difference(one.field, move[one.field], one.answered, one.any_of) for one in differences)
        found = self._faults.find(explanation, meant, move, partial(self._recorded, state))
        about = meant[0] if found is None else found.difference
        rule = rule_key(found, self._index.answers[ask][about.field])
        wanted = detailed(rule)
        texts = {
            language: _Telling(self, labels, explanation, found, move, meant).text(ask, state, wanted)
            for language, labels in self._labels.items()
        }
        return rule, texts


@dataclass(frozen=True)
class _Telling:
    """One misplay in one language. Values remember what records are called, so that each has its own."""

    teller: Teller
    labels: Labels
    explanation: Explanation
    found: Found | None
    move: dict[str, Any]
    differences: tuple[Difference, ...]

    @cached_property
    def speaker(self) -> Speaker:
        return Speaker(voice_of(self.labels))

    def text(self, ask: str, state: object, detailed: bool) -> MisplayText:
        fields = self.labels.index.answers[ask]
        difference = self.differences[0] if self.found is None else self.found.difference
        field = fields[difference.field]
        moves = tuple(self._moves(fields))
        about = next(move for move in moves if move.name == difference.field)
        return MisplayText(
            self.speaker.sentence(self.found, difference, field, self._beside(fields, difference)),
            self.speaker.rule(self.found, field),
            moves,
            about,
            tuple(self._context(ask, state)),
            tuple(self._house_rules(state)),
            self._details(moves, about.played) if detailed else b"",
        )

    def _details(self, moves: tuple[MoveText, ...], played: str) -> bytes:
        differing = set(self._differing)
        return packed(reasons(self.explanation, self.found, differing, played, self.speaker), moves)

    @cached_property
    def _differing(self) -> dict[str, Difference]:
        return {one.field: one for one in self.differences}

    def _moves(self, fields: Mapping[str, AnswerField]) -> Iterator[MoveText]:
        """What was played or would have been right, field by field; what is nothing in both is left out."""
        answer = self.explanation.answer
        for name, field in fields.items():
            any_of = tuple(answer.get("any_of", {}).get(name, ()))
            if self.move.get(name) is None and answer.get(name) is None and not any_of:
                continue
            one = Difference(name, self.move.get(name), answer.get(name), any_of)
            right = self.speaker.voice.phrases.joined("or", *self.speaker.right(one, field))
            played = self.speaker.played(one, field) if name in self.move else ""
            yield MoveText(name, self.speaker.field(field), played, right, name in self._differing)

    def _beside(self, fields: Mapping[str, AnswerField], about: Difference) -> str:
        """The first name in the right move that the played one does not have."""
        for name, field in fields.items():
            value = self.explanation.answer.get(name)
            if name == about.field or not isinstance(value, str) or self.move.get(name) == value:
                continue
            if vocabulary_of(field.value.type) is not None:
                return self.speaker.voice.values.value(Shown(value, field.value.type))
        return ""

    def _context(self, ask: str, state: object) -> Iterator[tuple[str, str]]:
        for one in self.teller.context.values(ask, state):
            yield context_label(self.labels, one.field), context_text(self.labels, one.field, one.value)

    def _house_rules(self, state: object) -> Iterator[str]:
        for one in self.teller.context.house_rules(state):
            rule, _ = self.labels.index.switches[one.name]
            value = self.labels.name(rule.values.name, one.value)
            name = self.labels.words(rule.words) or self.labels.term(one.name)
            yield f"{name}: {value}"


# -- details -------------------------------------------------------------------------------------------


def packed(shown: Reasons, moves: tuple[MoveText, ...]) -> bytes:
    """What the page makes its tables of: lists in an order that its script knows."""
    plain = [
        [[one.field, one.played, one.right, int(one.differs)] for one in moves],
        None if shown.decision is None else _decision(shown.decision),
        [_matrix(one) for one in shown.matrices],
        [[one.deep, one.text] for one in shown.steps],
    ]
    return zlib.compress(json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode(), FASTEST)


def _decision(view: DecisionView) -> list[object]:
    rows = [[one.number, one.words, one.state.value, one.reason, int(one.played)] for one in view.rows]
    return [view.title, view.cell, rows]


def _matrix(view: EliminationView) -> list[object]:
    criteria = [[one.number, one.words, one.cell] for one in view.criteria]
    candidates = [
        [
            one.name,
            int(one.left),
            int(one.played),
            [[entry.standing.value[0], entry.seen] for entry in one.entries],
        ]
        for one in view.candidates
    ]
    return [view.title, view.cell, criteria, candidates, view.decided, view.missing]


# -- as a table ------------------------------------------------------------------------------------
# Turns that were played otherwise as a table: a row for each field that differs, all of them.


def mismatch_rows(misplay: Misplay, language: str) -> Iterator[dict[str, Any]]:
    """Values as records and answers have them; the rule and the reason in a language."""
    text = misplay.texts[language]
    context = {f"state.{one.field.name}": one.value for one in misplay.context}
    for one in misplay.differences:
        yield {
            "turn": misplay.turn,
            "game": misplay.game,
            "ask": misplay.ask,
            "file": misplay.file,
            "line": misplay.line,
            "field": one.field,
            "played": one.played,
            "answered": one.answered,
            "any of": list(one.any_of) or None,
            "rule": text.rule.sentence,
            "place": text.rule.place or None,
            "cell": text.rule.cell,
            "why": text.sentence,
            **context,
            "house rules": "; ".join(text.house_rules) or None,
        }
