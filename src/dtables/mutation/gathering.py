"""Many random valid records, that reach as many rows of the rules as can be found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import assert_never

from dtables.evaluator import Evaluator
from dtables.model.expressions import Constant, NameOf
from dtables.model.tables import Decision, Dice, Formula, Matrix, Scale, Table
from dtables.mutation.records import (
    AnsweredQuestion,
    Query,
    Question,
    RecordMaker,
    Verdict,
    outcome_of,
    try_question,
)
from dtables.mutation.values import words_in
from dtables.provenance import CellRef

EXPLORED = 3
"""Valid records that are looked at for each that is kept."""
FRESH = 0.08
"""How many records are made anew; the others are like one that is there."""
AIMED = 0.3
"""How many records are made with the names and numbers of a row that none has come to."""
ATTEMPTS = 25
"""Records that are tried for each that is needed, before there are fewer."""
REFUSED = 12
"""Records that are kept of those that one row refuses."""
_DIGITS = re.compile("[0-9]+")


@dataclass
class Pool:
    """Valid records with their answers, and some that are refused, each of another kind."""

    answered: list[AnsweredQuestion] = field(default_factory=list)
    refused: list[AnsweredQuestion] = field(default_factory=list)

    @property
    def all(self) -> tuple[AnsweredQuestion, ...]:
        return (*self.answered, *self.refused)


class Gathering:
    """Gathers records; those that come to a new row have more others like them."""

    def __init__(self, records: RecordMaker, needed: int) -> None:
        self._records, self._needed = records, needed
        self._evaluator = Evaluator(records.ruleset)
        self._pool = Pool()
        self._met: set[str] = set()
        self._news: list[int] = []
        self._refusals: dict[str, int] = {}
        self._parents: dict[str, list[Question]] = {name: [] for name in records.subjects}
        self._reached: dict[str, set[CellRef]] = {name: set() for name in records.subjects}
        self._goals = {cell: words for table in records.ruleset.tables for cell, words in _rows(table)}

    def gathered(self, given: Iterable[Question], watch: Callable[[int], None] = lambda _: None) -> Pool:
        """Gather as many as are needed. Those given come first; they count as all others do."""
        for question in given:
            self._take(question, outcome_of(self._records.rules, question))
        first = len(self._pool.answered)
        explored = first + EXPLORED * self._needed
        for _ in range(ATTEMPTS * self._needed if self._parents else 0):
            if len(self._pool.answered) >= explored:
                break
            self._try()
            watch(len(self._pool.answered) - first)
        return Pool(self._chosen(first), self._pool.refused)

    def _chosen(self, first: int) -> list[AnsweredQuestion]:
        """Those given, those that reach something first, and as many of the others as are needed."""
        found = self._pool.answered
        new = [n for n in self._news if n >= first][: self._needed]
        others = sorted(set(range(first, len(found))) - set(new))
        more = self._records.random.sample(others, min(len(others), self._needed - len(new)))
        return [*found[:first], *(found[n] for n in sorted((*new, *more)))]

    # -- one after the other -----------------------------------------------------------------------

    def _try(self) -> None:
        records, subject = self._records, self._next_subject()
        question = self._vary(subject, self._parents[subject.name])
        outcome = outcome_of(records.rules, question)
        if outcome.refused is not None:
            self._take(question, outcome)
            question, outcome = records.settled(question)
        self._take(question, outcome)
        records.values.favoured = frozenset()

    def _vary(self, subject: Query, parents: list[Question]) -> Question:
        records, random = self._records, self._records.random
        if random.random() < AIMED and self._goals:
            records.values.favoured = self._goals[random.choice(list(self._goals))]
        if not parents or random.random() < FRESH:
            return records.fresh(subject)
        return records.varied(random.choice(parents), parents)

    def _next_subject(self) -> Query:
        """The more rows one has led to, the more often its turn comes."""
        subjects = list(self._records.subjects.values())
        weights = [4 + len(self._reached[subject.name]) for subject in subjects]
        return self._records.random.choices(subjects, weights)[0]

    def _take(self, question: Question, outcome: Verdict) -> None:
        key = repr(question)
        if key in self._met or outcome.fails is not None or question.name not in self._parents:
            return
        self._met.add(key)
        if outcome.refused is not None:
            self._take_refused(question, outcome)
            return
        cells = self._decided(question)
        new = cells - self._reached[question.name]
        self._reached[question.name] |= cells
        for cell in cells:
            self._goals.pop(cell, None)
        self._news += [len(self._pool.answered)] if new else []
        self._pool.answered.append(AnsweredQuestion(question, outcome, cells))
        self._parents[question.name] += [question] * (8 if new else 1)

    def _take_refused(self, question: Question, outcome: Verdict) -> None:
        _, findings = try_question(self._records.rules, question)
        kind = f"{question.name} {findings[0].where} {_DIGITS.sub('', findings[0].path)}"
        self._refusals[kind] = self._refusals.get(kind, 0) + 1
        if self._refusals[kind] <= REFUSED:
            self._pool.refused.append(AnsweredQuestion(question, outcome))

    def _decided(self, question: Question) -> frozenset[CellRef]:
        if question.ask is not None:
            return self._evaluator.deciding(question.ask, question.given)
        return self._evaluator.deciding_in_table(question.table or "", question.given)


def _rows(table: Table) -> Iterator[tuple[CellRef, frozenset[str]]]:
    """The names and numbers of each row, by the cell that is reported when it decides."""
    match table:
        case Decision(rules=rules):
            for rule in rules:
                cells = (*(c.written for c in rule.conditions), *(o.written for o in rule.outcomes))
                written = " , ".join(cells)
                yield rule.outcomes[0].cell, frozenset(words_in(written))
        case Scale(criteria=criteria):
            for row in criteria:
                written = " , ".join((row.written, *(concern.written for concern in row.concerns)))
                yield row.cell, frozenset(words_in(written))
        case Matrix(entries=entries):
            for entry in entries:
                keys = (k.id if isinstance(k, NameOf) else str(k.value) if isinstance(k, Constant) else ""
                        for k in entry.keys)  # fmt: skip
                yield entry.cells[0], frozenset(keys)
        case Dice(entries=faces):
            yield from ((face.cell, frozenset((str(face.low), str(face.high)))) for face in faces)
        case Formula():
            return
        case _:
            assert_never(table)
