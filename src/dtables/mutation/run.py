"""All of it: the changes of a workbook, the records, the trials on all cores, and what is reported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from dtables.answers.processes import cores, in_order
from dtables.logs.files import Log
from dtables.mutation.changes import Mutant
from dtables.mutation.gathering import Gathering, Pool
from dtables.mutation.hunt import Hunt, ShortExample, TriedChange
from dtables.mutation.mistakes import mistakes_in
from dtables.mutation.records import AnsweredQuestion, Question, RecordMaker, Typing, Verdict
from dtables.mutation.suggestions import Suggesting, Suggestion
from dtables.mutation.trial import Workbook
from dtables.mutation.values import ValueMaker

RECORDS = 2000
PIECE = 4
"""Changes that are handed to a process at a time."""
MOST_OF_A_LOG = 20_000
"""Records of a log that are used."""
TOGETHER = 40
"""Changes that one example is to tell at most."""

Watch = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""


@dataclass(frozen=True, slots=True)
class MutationRequest:
    """What is asked for. `only` are tables and sheets, `limit` is how many changes are tried at most."""

    records: int = RECORDS
    seed: int = 0
    only: tuple[str, ...] = ()
    limit: int | None = None
    processes: int | None = None


@dataclass(frozen=True, slots=True)
class SuggestedExample:
    """A row to be typed, and what the unchanged rules say to it."""

    row: Suggestion
    question: Question
    outcome: Verdict


@dataclass(frozen=True, slots=True)
class Unnoticed:
    """A change that nobody notices, an example that would, and what the changed rules say to that."""

    change: Mutant
    example: SuggestedExample
    outcome: Verdict


@dataclass(frozen=True, slots=True)
class NoticedChange:
    """A change that is noticed: by `check` or by an `example`, where and in which words."""

    change: Mutant
    by: str
    where: str
    message: str


@dataclass(slots=True)
class Report:
    """What came of it. `alike` are changes that no record tells from the unchanged rules."""

    records: int
    seed: int
    by_check: int = 0
    by_example: int = 0
    unnoticed: list[Unnoticed] = field(default_factory=list)
    alike: list[Mutant] = field(default_factory=list)
    examples: list[SuggestedExample] = field(default_factory=list)
    noticed: list[NoticedChange] = field(default_factory=list)

    @property
    def counted(self) -> int:
        """How many changes there are but for those that change no answer."""
        return self.by_check + self.by_example + len(self.unnoticed)

    @property
    def share(self) -> float:
        """How many hundredths of the changes that count are noticed."""
        return 100.0 * (self.by_check + self.by_example) / self.counted if self.counted else 100.0


def tried_all(
    workbook: Workbook,
    given: Iterable[Question],
    wish: MutationRequest,
    watch: Watch = lambda _w, _d, _o: None,
) -> Report:
    """Try every change of a workbook whose examples hold. `given` are records that are used besides those of
    the examples and the random ones."""
    ruleset = workbook.rules.ruleset
    changes = _selected(tuple(mistakes_in(workbook.book, workbook.sheets, ruleset)), wish)
    records = RecordMaker(ruleset, workbook.rules, Random(wish.seed))
    gathering = Gathering(records, wish.records)
    first = (*questions_of(workbook), *given)
    pool = gathering.gathered(first, lambda done: watch("records", done, 3 * wish.records))
    hunt = Hunt(workbook.name, workbook.sheets, workbook.found, changes, pool, wish.seed)
    processes = wish.processes or min(cores(), max(1, len(changes) // (2 * PIECE)))
    tried = list(_tried(hunt, processes, watch))
    return _report(hunt, workbook, tried, processes, watch)


def questions_of(workbook: Workbook) -> Iterator[Question]:
    """What the workbook's own examples ask."""
    for table in workbook.rules.ruleset.examples:
        for example in table.rows:
            given = example.given if isinstance(example.given, dict) else {}
            yield Question(table.ask, table.table, {**given, **dict(example.arguments)})


def records_of(log: Log, main_ask: str | None) -> Iterator[Question]:
    """The records of a log that can be asked, the first of them where it has very many."""
    lines = (line for chunk in log.chunks() for line in chunk.lines())
    for line in islice(lines, MOST_OF_A_LOG):
        record = line.record or {}
        ask, state = record.get("ask") or main_ask, record.get("state")
        if isinstance(ask, str) and isinstance(state, dict):
            yield Question(ask, None, state)


def _selected(changes: tuple[Mutant, ...], wish: MutationRequest) -> tuple[Mutant, ...]:
    """Those of the tables and sheets that are named; of many as many as are asked for, from all over."""
    if wish.only:
        changes = tuple(c for c in changes if c.table in wish.only or c.where.cell.sheet in wish.only)
    if wish.limit is None or wish.limit >= len(changes):
        return changes
    places = sorted(Random(wish.seed).sample(range(len(changes)), wish.limit))
    return tuple(changes[n] for n in places)


def _tried(hunt: Hunt, processes: int, watch: Watch) -> Iterator[TriedChange]:
    total = len(hunt.changes)
    pieces = (range(n, min(n + PIECE, total)) for n in range(0, total, PIECE))
    for piece, tried in in_order(processes, hunt.tried, pieces):
        yield from tried
        watch("changes", piece.stop, total)


# -- the report ----------------------------------------------------------------------------------


def _report(
    hunt: Hunt, workbook: Workbook, tried: Sequence[TriedChange], processes: int, watch: Watch
) -> Report:
    report = Report(len(hunt.pool.answered), hunt.seed)
    for one in tried:
        change = hunt.changes[one.number]
        if one.noticed is not None:
            report.by_check += one.noticed.by == "check"
            report.by_example += one.noticed.by == "example"
            report.noticed.append(
                NoticedChange(change, one.noticed.by, one.noticed.where, one.noticed.message)
            )
        elif not one.counts and not one.same:
            report.alike.append(change)
    left = [one for one in tried if one.noticed is None and one.counts]
    tasks = _chosen(left, hunt.pool)
    suggesting = Suggesting(workbook.book, workbook.rules.ruleset, Typing(_values(workbook)))
    found: dict[int, Unnoticed] = {}
    for shown in _shown(hunt, tasks, processes, watch):
        row = suggesting.row(shown.question, shown.outcome, (outcome for _, outcome in shown.changed))
        example = SuggestedExample(row, shown.question, shown.outcome)
        report.examples.append(example)
        for number, outcome in shown.changed:
            found[number] = Unnoticed(hunt.changes[number], example, outcome)
    report.unnoticed += [found[number] for number in sorted(found)]
    return report


def _chosen(left: Sequence[TriedChange], pool: Pool) -> list[tuple[Question, tuple[int, ...]]]:
    """Few records that together tell all changes: the one that tells most first."""
    every: tuple[AnsweredQuestion, ...] = pool.all
    noticing: dict[int, set[int]] = {}
    for one in left:
        for place in one.distinguished_by:
            noticing.setdefault(place, set()).add(one.number)
    chosen = []
    while noticing:
        place = max(noticing, key=lambda p: (len(noticing[p]), -p))
        numbers = sorted(noticing[place])[:TOGETHER]
        chosen.append((every[place].question, tuple(numbers)))
        noticing = {p: rest for p, some in noticing.items() if (rest := some.difference(numbers))}
    return [*chosen, *((one.record.question, (one.number,)) for one in left if one.record is not None)]


def _shown(
    hunt: Hunt, tasks: Sequence[tuple[Question, tuple[int, ...]]], processes: int, watch: Watch
) -> Iterator[ShortExample]:
    for n, (_, shown) in enumerate(in_order(min(processes, max(1, len(tasks))), hunt.shown, tasks)):
        yield shown
        watch("examples", n + 1, len(tasks))


def _values(workbook: Workbook) -> ValueMaker:
    return ValueMaker(workbook.rules.ruleset, Random(0))
