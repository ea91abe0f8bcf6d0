"""The hunt for what nobody notices: changes are tried one by one, each in the same way in any process."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from dtables.collector import held_back
from dtables.diagnostics import Diagnostic
from dtables.feel.values import Plain
from dtables.model.tables import Decision
from dtables.mutation.changes import Mutant
from dtables.mutation.gathering import Pool
from dtables.mutation.records import AnsweredQuestion, Question, RecordMaker, State, Verdict, outcome_of
from dtables.mutation.slips import Mistake
from dtables.mutation.trial import CompiledRules, Noticed, Workbook
from dtables.mutation.values import words_in
from dtables.provenance import CellRef
from dtables.verifier import never_meet
from dtables.workbook.tables import Sheet

PARENTS = 12
"""Records of each ask that those made for a change are like."""
SEARCHED = 0.4
"""Records that are made for a change that none of the pool tells, for each in the pool."""
COLLECTED = 40
"""After so many changes what they left behind is collected."""
_CELLS = re.compile(r"  # [^\n]*$|^ *\"\"\"[^\n]*\"\"\"$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TriedChange:
    """What came of a change: who notices it; whether it says the same in other words; the records of the pool
    that are answered otherwise, by their places, or one that was made for it."""

    number: int
    noticed: Noticed | None = None
    same: bool = False
    distinguished_by: tuple[int, ...] = ()
    record: AnsweredQuestion | None = None

    @property
    def counts(self) -> bool:
        """Somebody notices it, or some record is answered otherwise."""
        return self.noticed is not None or bool(self.distinguished_by) or self.record is not None


@dataclass(frozen=True, slots=True)
class ShortExample:
    """A record made short, and what the rules say to it: the unchanged ones, and each of the changed."""

    question: Question
    outcome: Verdict
    changed: tuple[tuple[int, Verdict], ...]


@dataclass(frozen=True)
class Hunt:
    """Travels to other processes with what it is made of."""

    name: str
    sheets: tuple[Sheet, ...]
    found: tuple[Diagnostic, ...]
    changes: tuple[Mutant, ...]
    pool: Pool
    seed: int

    def __reduce__(self) -> tuple[type[Hunt], tuple[Any, ...]]:
        return Hunt, (self.name, self.sheets, self.found, self.changes, self.pool, self.seed)

    @cached_property
    def workbook(self) -> Workbook:
        """Made once; from then on the collector looks at what changes leave behind, and at nothing else."""
        workbook = Workbook(self.name, self.sheets, self.found)
        workbook.prepare()
        gc.collect()
        gc.freeze()
        return workbook

    @cached_property
    def _meaning(self) -> str:
        return meaning_of(self.workbook.rules)

    # -- trying ----------------------------------------------------------------------------------

    @held_back()
    def tried(self, numbers: Sequence[int]) -> list[TriedChange]:
        results = []
        for number in numbers:
            results.append(self._tried(number))
            if number % COLLECTED == 0:
                gc.collect()
        return results

    def _tried(self, number: int) -> TriedChange:
        change = self.changes[number]
        changed = self.workbook.changed(change)
        if isinstance(changed, Noticed):
            return TriedChange(number, changed)
        noticed = self.workbook.example(changed)
        if noticed is not None:
            return TriedChange(number, noticed)
        if meaning_of(changed) == self._meaning or self._proved_same(change):
            return TriedChange(number, same=True)
        noticed = self.workbook.proof(changed)
        if noticed is not None:
            return TriedChange(number, noticed)
        distinguished_by = tuple(n for n, one in enumerate(self.pool.all) if notices(changed, one))
        record = None if distinguished_by else self._searched(number, changed)
        return TriedChange(number, distinguished_by=distinguished_by, record=record)

    def _proved_same(self, change: Mutant) -> bool:
        """Rows that never apply together may change places, and say so by their policy or not."""
        if change.kind != "decision" or change.mistake not in (Mistake.ROWS_SWAPPED, Mistake.OPPOSITE):
            return False
        ruleset = self.workbook.rules.ruleset
        decision = next(t for t in ruleset.tables if t.heading.name == change.table)
        assert isinstance(decision, Decision)
        if change.mistake is Mistake.OPPOSITE:
            return change.column == "policy" and never_meet(decision, ruleset)
        places = (change.where.cell.row, change.where.last.row if change.where.last else 0)
        rules = tuple(rule for rule in decision.rules if rule.where.row in places)
        return never_meet(replace(decision, rules=rules), ruleset)

    def _searched(self, number: int, changed: CompiledRules) -> AnsweredQuestion | None:
        """A record made for the change: like those that come to its row, with the names that stand in it."""
        change = self.changes[number]
        random = Random(f"{self.seed} {number}")
        rules = self.workbook.rules
        records = RecordMaker(rules.ruleset, rules, random)
        records.values.favoured = frozenset(self._named(change))
        parents = self._near(change) or self._like(records)
        for _ in range(int(SEARCHED * len(self.pool.answered)) if parents else 0):
            question = records.varied(random.choice(parents), parents)
            outcome = outcome_of(rules, question)
            if notices(changed, AnsweredQuestion(question, outcome)):
                return AnsweredQuestion(question, outcome)
            if outcome.refused is not None:
                question, outcome = records.settled(question)
                if notices(changed, AnsweredQuestion(question, outcome)):
                    return AnsweredQuestion(question, outcome)
        return None

    def _near(self, change: Mutant) -> list[Question]:
        """The records of the pool that come to the row."""
        cell, last = change.where.cell, change.where.last or change.where.cell
        near = (a for a in self.pool.answered if any(_in_rows(c, cell, last) for c in a.cells))
        return [answered.question for answered in near]

    def _like(self, records: RecordMaker) -> list[Question]:
        """Some of every ask, with the names that stand in the row."""
        by_name: dict[str, list[Question]] = {}
        for answered in self.pool.answered:
            by_name.setdefault(answered.question.name, []).append(answered.question)
        some = [records.random.sample(found, min(PARENTS, len(found))) for found in by_name.values()]
        return [records.towards(question) for questions in some for question in questions]

    def _named(self, change: Mutant) -> Iterator[str]:
        """The names and numbers of its row, before and afterwards."""
        first, last = change.where.cell, change.where.last or change.where.cell
        sheet = next(sheet for sheet in self.sheets if sheet.name == first.sheet)
        rows = (sheet.cells[at] for at in sheet.cells if first.row <= at[0] <= last.row)
        for text in (change.after, *(cell.typed for cell in rows)):
            yield from words_in(text)

    # -- showing ---------------------------------------------------------------------------------

    @held_back()
    def shown(self, task: tuple[Question, tuple[int, ...]]) -> ShortExample:
        """The record made as short as it can be so that it still tells the changes."""
        question, numbers = task
        rules = self.workbook.rules
        changed = {
            n: c for n in numbers if isinstance(c := self.workbook.changed(self.changes[n]), CompiledRules)
        }

        def still(one: Question) -> bool:
            answered = AnsweredQuestion(one, outcome_of(rules, one))
            return answered.outcome.fails is None and all(
                notices(other, answered) for other in changed.values()
            )

        short = shortened(question, still)
        outcomes = ((n, outcome_of(other, short)) for n, other in changed.items())
        return ShortExample(short, outcome_of(rules, short), tuple(outcomes))


def notices(changed: CompiledRules, one: AnsweredQuestion) -> bool:
    """Whether the changed rules answer otherwise. What the unchanged ones fail on is no example."""
    if one.outcome.fails is not None:
        return False
    return not outcome_of(changed, one.question).is_as(one.outcome)


def meaning_of(rules: CompiledRules) -> str:
    """The compiled rules without their cells: the same text means the same."""
    text = _CELLS.sub("", rules.source.partition("\nVERSION = ")[2].partition("\n")[2])
    return re.sub(rf"'{re.escape(rules.ruleset.book)}![^'\n]*'", "''", text)


def _in_rows(cell: CellRef, first: CellRef, last: CellRef) -> bool:
    return cell.sheet == first.sheet and first.row <= cell.row <= last.row


# -- shorter examples -------------------------------------------------------------------------------
# A record made short: what is not needed is left out, piece by piece, as long as it still serves.

MOST_STEPS = 400
"""Records that are tried on the way."""


def shortened(question: Question, serves: Callable[[Question], bool]) -> Question:
    """The larger pieces go first; each step that still serves is taken, and the next begins there."""
    left = MOST_STEPS
    going = True
    while going and left > 0:
        going = False
        for state in _shorter(question.given):
            left -= 1
            if left <= 0:
                break
            candidate = replace(question, given=state)
            if serves(candidate):
                question, going = candidate, True
                break
    return question


def _shorter(state: State) -> Iterator[State]:
    """Without one of the fields, then with one of the values made shorter."""
    for name in sorted(state, key=lambda name: -len(repr(state[name]))):
        yield {key: value for key, value in state.items() if key != name}
    for name, value in state.items():
        for other in _shorter_value(value):
            yield {**state, name: other}


def _shorter_value(value: Plain) -> Iterator[Plain]:
    match value:
        case list():
            if len(value) > 3:
                yield value[: len(value) // 2]
                yield value[len(value) // 2 :]
            for n in range(len(value)):
                yield value[:n] + value[n + 1 :]
            for n, item in enumerate(value):
                for other in _shorter_value(item):
                    yield [*value[:n], other, *value[n + 1 :]]
        case dict():
            for key in value:
                yield {name: one for name, one in value.items() if name != key}
            for key, item in value.items():
                for other in _shorter_value(item):
                    yield {**value, key: other}
        case _:
            return
