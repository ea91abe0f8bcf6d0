"""An explanation as a person would give it: short sentences, each with its cell; or as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

from dtables.evaluator.explain_plain import as_plain
from dtables.evaluator.labels import Labels
from dtables.evaluator.trace import (
    Answered,
    Chosen,
    Decided,
    Drawn,
    Explanation,
    Failed,
    Fired,
    LookedUp,
    Narrowed,
    NothingToTake,
    Ranked,
    Reckoned,
    Shown,
    Step,
    Stopped,
    SwitchRead,
    Tried,
)
from dtables.evaluator.words import LANGUAGES, Phrases
from dtables.feel.types import NULL
from dtables.model.tables import Policy
from dtables.provenance import CellRef

__all__ = ["as_plain", "render"]

INDENT = "  "
_NOTHING = Shown(None, NULL)


def render(explanation: Explanation, language: str) -> str:
    """One sentence per line, what led to it indented below it; ends with a new line."""
    phrases = LANGUAGES[language]
    telling = _Telling(Labels(explanation.ruleset, language, phrases), phrases)
    title = telling.labels.heading(explanation.heading)
    lines = [title, "", *_lines(explanation.steps, telling, 0)]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class _Telling:
    """`told` are the steps and switches that stand above already: they are not told twice."""

    labels: Labels
    phrases: Phrases
    told: set[int] = field(default_factory=set)
    switches: set[str] = field(default_factory=set)

    def numbered(self, row: Tried) -> str:
        """A row: its number, and its wording in quotes, or else its conditions."""
        number = self.phrases.row.format(number=row.number or row.where.row)
        written = ", ".join(f"{self.labels.term(column)} {cell}".strip() for column, cell in row.conditions)
        wording = self.labels.word(row.words, written)
        return f"{number} {self.quoted(wording)}" if wording else number

    def quoted(self, text: str) -> str:
        opening, closing = self.phrases.quotes
        return f"{opening}{text}{closing}"


def _lines(steps: tuple[Step, ...], telling: _Telling, depth: int) -> Iterator[str]:
    for step in dict.fromkeys(steps):
        yield from _step_lines(step, telling, depth)


def _step_lines(step: Step, telling: _Telling, depth: int) -> Iterator[str]:
    if isinstance(step, SwitchRead):
        yield from _switch(step, telling, depth)
        return
    if id(step) in telling.told:
        name, result, cell = _essence(step, telling)
        said = telling.phrases.as_above.format(name=name, value=telling.labels.value(result))
        yield _line(said, cell, telling, depth)
        return
    telling.told.add(id(step))
    match step:
        case Reckoned():
            yield from _reckoned(step, telling, depth)
        case Decided():
            yield from _decided(step, telling, depth)
        case Chosen():
            yield from _chosen(step, telling, depth)
        case Ranked() | LookedUp():
            phrase = telling.phrases.ranked if isinstance(step, Ranked) else telling.phrases.looked_up
            name, result, cell = _essence(step, telling)
            said = phrase.format(name=name, value=telling.labels.value(result))
            yield _line(said, cell, telling, depth)
        case Drawn():
            yield _drawn(step, telling, depth)
            yield from _lines(step.inside, telling, depth + 1)
        case Stopped(cell=cell):
            yield _line(telling.phrases.stopped, cell, telling, depth)
        case Answered():
            yield from _answered(step, telling, depth)
        case _:
            assert_never(step)


def _line(said: str, cell: CellRef, telling: _Telling, depth: int) -> str:
    return f"{INDENT * depth}{said} [{telling.labels.cell(cell)}]"


def _essence(step: Step, telling: _Telling) -> tuple[str, Shown, CellRef]:
    """What a step is about, what it came to, and where it stands."""
    labels = telling.labels
    match step:
        case Reckoned():
            name = labels.word(step.words, labels.term(step.name))
            return labels.called(name, step.arguments), step.result, step.cell
        case LookedUp():
            return labels.called(labels.heading(step.heading), step.arguments), step.result, step.cell
        case Decided() | Chosen():
            name = labels.called(labels.heading(step.heading), step.arguments)
            return name, step.result, step.heading.where.cell
        case Ranked():
            return labels.heading(step.heading), step.result, step.heading.where.cell
        case SwitchRead():
            return step.name, step.result, step.cell
        case Drawn():
            return labels.term(step.name), step.taken or _NOTHING, step.cell
        case Answered():
            return labels.word(step.words, labels.term(step.name)), step.result, step.cell
        case Stopped(cell=cell):
            return telling.phrases.stopped, _NOTHING, cell
        case _:
            assert_never(step)


# -- each kind of step ---------------------------------------------------------------------------


def _reckoned(step: Reckoned, telling: _Telling, depth: int) -> Iterator[str]:
    name, result, cell = _essence(step, telling)
    said = telling.phrases.is_worked_out.format(name=name, value=telling.labels.value(result))
    yield _line(said, cell, telling, depth)
    yield from _lines(step.inside, telling, depth + 1)


def _answered(step: Answered, telling: _Telling, depth: int) -> Iterator[str]:
    name, result, cell = _essence(step, telling)
    labels, phrases = telling.labels, telling.phrases
    value = labels.value(result)
    if step.any_of:
        value = phrases.open_field.format(values=labels.values(step.any_of))
    yield _line(phrases.is_worked_out.format(name=name, value=value), cell, telling, depth)
    yield from _lines(step.inside, telling, depth + 1)


def _decided(step: Decided, telling: _Telling, depth: int) -> Iterator[str]:
    """Where the first row counts, the rows above it say why they did not."""
    name, result, where = _essence(step, telling)
    phrases = telling.phrases
    value = telling.labels.value(result)
    fired = [(row, row.outcome) for row in step.tried if isinstance(row.outcome, Fired)]
    rows = [telling.numbered(row) for row, _ in fired]
    if len(rows) == 1:
        said = phrases.row_applies.format(name=name, row=rows[0], value=value)
    elif rows:
        said = phrases.rows_apply.format(name=name, rows=telling.labels.listed(rows), value=value)
    else:
        said = phrases.no_row_applies.format(name=name, value=value)
    cell = fired[0][1].cell if fired else step.otherwise or where
    yield _line(said, cell, telling, depth)
    if step.policy is Policy.FIRST or not fired:
        for row in step.tried:
            yield from _tried(row, telling, depth + 1)
    yield from _lines(step.inside, telling, depth + 1)


def _tried(row: Tried, telling: _Telling, depth: int) -> Iterator[str]:
    phrases = telling.phrases
    name = telling.numbered(row)
    match row.outcome:
        case Fired():
            return
        case NothingToTake(cell=cell):
            yield _line(phrases.row_gives_nothing.format(row=name), cell, telling, depth)
        case Failed(column=column, seen=seen, cell=cell) as failed:
            wanted = telling.labels.wanted(failed.tests, failed.wanted)
            if seen is None:
                said = phrases.row_wants_condition.format(row=name, wanted=wanted)
            else:
                known = telling.labels.value(seen)
                column = telling.labels.term(column)
                said = phrases.row_wants.format(row=name, column=column, seen=known, wanted=wanted)
            yield _line(said, cell, telling, depth)
        case _:
            assert_never(row.outcome)


def _chosen(step: Chosen, telling: _Telling, depth: int) -> Iterator[str]:
    name, _, cell = _essence(step, telling)
    labels, phrases = telling.labels, telling.phrases
    match len(step.candidates):
        case 0:
            said = phrases.nobody.format(name=name)
        case 1:
            said = phrases.only_one.format(name=name, value=labels.value(step.candidates[0]))
        case count:
            said = phrases.among.format(name=name, count=count, values=labels.values(step.candidates))
    yield _line(said, cell, telling, depth)
    yield from _lines(step.inside, telling, depth + 1)
    for row in step.rows:
        yield _narrowed(row, step, telling, depth + 1)
    if step.decided is not None:
        chosen = labels.value(step.candidates[step.left[0]])
        said = phrases.decides.format(criterion=_criterion(step.decided, step, phrases), value=chosen)
        yield _line(said, step.decided.cell, telling, depth + 1)
    elif len(step.left) > 1:
        equals = labels.values(step.candidates[position] for position in step.left)
        yield _line(phrases.chance_decides.format(values=equals), cell, telling, depth + 1)


def _narrowed(row: Narrowed, step: Chosen, telling: _Telling, depth: int) -> str:
    """Who is left, and what was seen of each."""
    labels, phrases = telling.labels, telling.phrases
    wording = telling.quoted(labels.word(row.words, row.written))
    if row.dropped:
        phrase = phrases.left_one if len(row.left) == 1 else phrases.left_many
        outcome = phrase.format(values=labels.values(step.candidates[p] for p in row.left))
    else:
        outcome = phrases.separates_nobody
    said = f"{_criterion(row, step, phrases)} {wording}: {outcome}"
    seen = [f"{labels.value(step.candidates[p])}: {labels.value(value)}" for p, value in row.seen]
    return _line(f"{said} – {', '.join(seen)}" if seen else said, row.cell, telling, depth)


def _criterion(row: Narrowed, step: Chosen, phrases: Phrases) -> str:
    """A criterion of another scale, gone through here, is named with its scale."""
    number = str(row.number or row.cell.row)
    own = row.scale == step.heading.name
    return phrases.criterion.format(number=number if own else f"{row.scale} {number}")


def _switch(step: SwitchRead, telling: _Telling, depth: int) -> Iterator[str]:
    """Once: a switch is the same wherever it is read."""
    if step.name in telling.switches:
        return
    telling.switches.add(step.name)
    phrases = telling.phrases
    phrase = phrases.switch_recorded if step.recorded else phrases.switch_default
    said = phrase.format(name=step.name, value=telling.labels.value(step.result))
    yield _line(said, step.cell, telling, depth)


def _drawn(step: Drawn, telling: _Telling, depth: int) -> str:
    labels, phrases = telling.labels, telling.phrases
    name = labels.term(step.name)
    values = labels.values(step.options)
    if not step.options:
        said = phrases.draw_nothing.format(name=name)
    elif step.taken is None:
        said = phrases.draw_open.format(name=name, values=values)
    elif step.recorded:
        said = phrases.draw_recorded.format(name=name, values=values, value=labels.value(step.taken))
    else:
        said = phrases.draw_one.format(name=name, value=labels.value(step.taken))
    return _line(said, step.cell, telling, depth)
