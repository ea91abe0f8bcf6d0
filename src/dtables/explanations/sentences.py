"""The sentence for each kind of step; in which order they stand, `explain` says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from dtables.evaluator.trace import (
    Answered,
    Chosen,
    Computed,
    Decided,
    Demanded,
    Drawn,
    Failed,
    Filtered,
    Fired,
    LookedUp,
    Narrowed,
    NothingToTake,
    Ranked,
    Reasons,
    Reckoned,
    Shown,
    Step,
    Stopped,
    SwitchRead,
    Tried,
)
from dtables.explanations.causes import because, grounds
from dtables.feel.types import NULL
from dtables.feel.values import Value
from dtables.provenance import CellRef
from dtables.wording.labels import Labels
from dtables.wording.phrases import Phrases

_NOTHING = Shown(None, NULL)


@dataclass(frozen=True)
class Telling:
    """`told` are the steps and switches that stand above already: they are not told twice."""

    labels: Labels
    phrases: Phrases
    told: set[object] = field(default_factory=set)
    switches: set[str] = field(default_factory=set)

    def is_told(self, step: Step) -> bool:
        return self._identity(step) in self.told

    def tell(self, step: Step) -> None:
        self.told.add(self._identity(step))

    def is_local(self, step: Step) -> bool:
        """A step of a formula or ask stands near by; what a table came to may stand far up."""
        return isinstance(step, Drawn) or (isinstance(step, Reckoned) and not self.labels.is_table(step.name))

    def _identity(self, step: Step) -> object:
        """A table called again with the same arguments comes to the same in the same way."""
        match step:
            case Reckoned(name=name, arguments=arguments) if arguments and not self.is_local(step):
                return (name, *(_key(shown.value) for _, shown in arguments))
            case Decided(heading=heading, arguments=arguments) if arguments:
                return (heading.name, *(_key(shown.value) for _, shown in arguments))
            case Chosen(heading=heading, arguments=arguments, candidates=candidates):
                given = (*candidates, *(shown for _, shown in arguments))
                return (heading.name, *(_key(shown.value) for shown in given))
            case _:
                return step

    def quoted(self, text: str) -> str:
        opening, closing = self.phrases.quotes
        return f"{opening}{text}{closing}"


def _key(value: Value) -> object:
    match value:
        case list():
            return tuple(map(_key, value))
        case dict():
            return tuple((name, _key(entry)) for name, entry in value.items())
        case _:
            return value


def essence(step: Step, telling: Telling) -> tuple[str, Shown, CellRef]:
    """What a step is about, what it came to, and where it stands."""
    labels = telling.labels
    match step:
        case Reckoned(name="", arguments=items):
            return labels.listed(labels.brief(item) for _, item in items), step.result, step.cell
        case Reckoned():
            name = labels.word(step.words, labels.table(step.name))
            return labels.called(name, step.arguments), step.result, step.cell
        case Computed():
            return labels.term(step.name), step.result, step.cell
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
        case Demanded():
            return labels.heading(step.heading), _NOTHING, step.cell
        case Stopped(cell=cell) | Filtered(cell=cell):
            return telling.phrases.stopped, _NOTHING, cell
        case _:
            assert_never(step)


def as_above(step: Step, telling: Telling) -> str:
    name, result, _ = essence(step, telling)
    return telling.phrases.as_above.format(name=name, value=telling.labels.value(result))


def reckoned(step: Reckoned, telling: Telling) -> str:
    name, result, _ = essence(step, telling)
    value = telling.labels.value(result)
    reason = reason_of(step.reasons, step.inside, telling) if isinstance(result.value, bool) else ""
    said = telling.phrases.because.format(value=value, reason=reason) if reason else value
    return telling.phrases.is_worked_out.format(name=name, value=said)


def reason_of(reasons: Reasons, steps: tuple[Step, ...], telling: Telling) -> str:
    return because(grounds(reasons, steps, telling.labels), telling.labels)


def ranked(step: Ranked, telling: Telling) -> str:
    name, result, _ = essence(step, telling)
    return telling.phrases.ranked.format(name=name, value=telling.labels.value(result))


def looked_up(step: LookedUp, telling: Telling) -> str:
    name, result, _ = essence(step, telling)
    return telling.phrases.looked_up.format(name=name, value=telling.labels.value(result))


def switch(step: SwitchRead, telling: Telling) -> str:
    phrase = telling.phrases.switch_recorded if step.recorded else telling.phrases.switch_default
    return phrase.format(name=step.name, value=telling.labels.value(step.result))


def drawn(step: Drawn, telling: Telling) -> str:
    labels, phrases = telling.labels, telling.phrases
    name = labels.word(step.words, labels.term(step.name))
    values = labels.values(step.options)
    if not step.options:
        return phrases.draw_nothing.format(name=name)
    if step.taken is None:
        return phrases.draw_open.format(name=name, values=values)
    if step.recorded:
        return phrases.draw_recorded.format(name=name, values=values, value=labels.value(step.taken))
    return phrases.draw_one.format(name=name, value=labels.value(step.taken))


def answered(step: Answered, telling: Telling) -> str:
    name, result, _ = essence(step, telling)
    labels, phrases = telling.labels, telling.phrases
    value = labels.value(result)
    if step.any_of:
        value = phrases.open_field.format(values=labels.values(step.any_of))
    return phrases.is_worked_out.format(name=name, value=value)


def demanded(step: Demanded, telling: Telling) -> str:
    name, _, _ = essence(step, telling)
    reason = telling.labels.word(step.words, "")
    if not reason:
        return telling.phrases.next_ask.format(name=name)
    return telling.phrases.next_ask_because.format(name=name, reason=reason)


# -- decisions -----------------------------------------------------------------------------------


def decided(step: Decided, telling: Telling) -> str:
    name, result, _ = essence(step, telling)
    phrases = telling.phrases
    value = telling.labels.value(result)
    rows = [numbered(row, telling) for row in step.tried if isinstance(row.outcome, Fired)]
    if len(rows) == 1:
        return phrases.row_applies.format(name=name, row=rows[0], value=value)
    if rows:
        return phrases.rows_apply.format(name=name, rows=telling.labels.listed(rows), value=value)
    return phrases.no_row_applies.format(name=name, value=value)


def decided_at(step: Decided) -> CellRef:
    """The cell that gave the value."""
    fired = [row.outcome.cell for row in step.tried if isinstance(row.outcome, Fired)]
    return fired[0] if fired else step.otherwise or step.heading.where.cell


def tried(row: Tried, telling: Telling) -> str:
    phrases, name = telling.phrases, numbered(row, telling)
    match row.outcome:
        case Fired():
            return phrases.row_fires.format(row=name)
        case NothingToTake():
            return phrases.row_gives_nothing.format(row=name)
        case Failed() as failed:
            return _failed(failed, row, telling)
        case _:
            assert_never(row.outcome)


def _failed(failed: Failed, row: Tried, telling: Telling) -> str:
    phrases, labels, name = telling.phrases, telling.labels, numbered(row, telling)
    if failed.seen is None:
        written = phrases.not_true.format(written=failed.wanted)
        wanted = reason_of(failed.reasons, row.inside, telling) or written
        return phrases.row_wants_condition.format(row=name, wanted=wanted)
    known, column = labels.value(failed.seen), labels.term(failed.column)
    wanted = labels.wanted(failed.tests, failed.wanted)
    return phrases.row_wants.format(row=name, column=column, seen=known, wanted=wanted)


def rows_failed(rows: list[Tried], telling: Telling) -> str:
    """Rows that fail for what was seen in one column: all that would have been wanted there."""
    failed = [row.outcome for row in rows if isinstance(row.outcome, Failed)]
    labels, phrases = telling.labels, telling.phrases
    wanted = dict.fromkeys(labels.wanted(one.tests, one.wanted) for one in failed)
    return phrases.row_wants.format(
        row=phrases.rows.format(numbers=labels.listed(row.number for row in rows)),
        column=labels.term(failed[0].column),
        seen=labels.values(one.seen for one in failed[:1] if one.seen is not None),
        wanted=f" {phrases.or_} ".join(wanted),
    )


def numbered(row: Tried, telling: Telling) -> str:
    """A row: its number, and its wording in quotes, or else its conditions."""
    number = telling.phrases.row.format(number=row.number)
    columns = ((telling.labels.term(column), cell) for column, cell in row.conditions)
    written = ", ".join(f"{column} {cell}".strip() for column, cell in columns)
    wording = telling.labels.word(row.words, written)
    return f"{number} {telling.quoted(wording)}" if wording else number


# -- scales --------------------------------------------------------------------------------------


def chosen(step: Chosen, telling: Telling) -> str:
    name, _, _ = essence(step, telling)
    labels, phrases = telling.labels, telling.phrases
    match len(step.candidates):
        case 0:
            return phrases.nobody.format(name=name)
        case 1:
            return phrases.only_one.format(name=name, value=labels.value(step.candidates[0]))
        case count:
            return phrases.among.format(name=name, count=count, values=labels.values(step.candidates))


def narrowed(row: Narrowed, step: Chosen, telling: Telling) -> str:
    """Who is left, and what was seen of each."""
    labels, phrases = telling.labels, telling.phrases
    names = labels.apart(step.candidates)
    embedded = "" if row.scale == step.heading.name else ","
    wording = telling.quoted(labels.word(row.words, row.written))
    if row.dropped:
        phrase = phrases.left_one if len(row.left) == 1 else phrases.left_many
        outcome = phrase.format(values=labels.listed(names[p] for p in row.left))
    else:
        outcome = phrases.separates_nobody
    said = f"{_criterion(row, step, telling)}{embedded} {wording}: {outcome}"
    seen = [f"{names[p]}: {labels.value(value)}" for p, value in row.seen]
    return f"{said} – {', '.join(seen)}" if seen else said


def decides(row: Narrowed, step: Chosen, telling: Telling) -> str:
    value = telling.labels.value(step.candidates[step.left[0]])
    return telling.phrases.decides.format(criterion=_criterion(row, step, telling), value=value)


def equals(step: Chosen, telling: Telling) -> str:
    left = telling.labels.values(step.candidates[position] for position in step.left)
    return telling.phrases.chance_decides.format(values=left)


def _criterion(row: Narrowed, step: Chosen, telling: Telling) -> str:
    """A criterion of another scale, gone through here, is named with its scale."""
    number, phrases = row.number, telling.phrases
    if row.scale == step.heading.name:
        return phrases.criterion.format(number=number)
    scale = telling.quoted(telling.labels.table(row.scale))
    return phrases.criterion_of.format(number=number, scale=scale)
