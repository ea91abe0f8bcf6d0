"""The sentence for each kind of step; `explain` puts them in order."""

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
from dtables.explanations.causes import because, causes
from dtables.explanations.phrases import Sentences, Voice
from dtables.feel.types import NULL
from dtables.feel.values import Value
from dtables.provenance import CellRef
from dtables.wording.labels import Labels
from dtables.wording.values import Values

_NOTHING = Shown(None, NULL)


@dataclass(frozen=True)
class Rendering:
    """`written` are the steps and switches that stand above already: they are not written twice."""

    voice: Voice
    written: set[object] = field(default_factory=set)
    switches: set[str] = field(default_factory=set)

    @property
    def labels(self) -> Labels:
        return self.voice.labels

    @property
    def values(self) -> Values:
        return self.voice.values

    @property
    def phrases(self) -> Sentences:
        return self.voice.sentences

    def is_written(self, step: Step) -> bool:
        return self._identity(step) in self.written

    def note(self, step: Step) -> None:
        self.written.add(self._identity(step))

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


def _key(value: Value) -> object:
    match value:
        case list():
            return tuple(map(_key, value))
        case dict():
            return tuple((name, _key(entry)) for name, entry in value.items())
        case _:
            return value


def essence(step: Step, rendering: Rendering) -> tuple[str, Shown, CellRef]:
    """What a step is about, what it came to, and where it stands."""
    labels, values = rendering.labels, rendering.values
    match step:
        case Reckoned(name="", arguments=items):
            return (
                rendering.voice.phrases.listed(values.brief(item) for _, item in items),
                step.result,
                step.cell,
            )
        case Reckoned():
            name = labels.words(step.words, labels.table(step.name))
            return values.called(name, step.arguments), step.result, step.cell
        case Computed():
            return labels.anything(step.name), step.result, step.cell
        case LookedUp():
            return values.called(labels.heading(step.heading), step.arguments), step.result, step.cell
        case Decided() | Chosen():
            name = values.called(labels.heading(step.heading), step.arguments)
            return name, step.result, step.heading.where.cell
        case Ranked():
            return labels.heading(step.heading), step.result, step.heading.where.cell
        case SwitchRead():
            return labels.term(step.name), step.result, step.cell
        case Drawn():
            return labels.anything(step.name), step.taken or _NOTHING, step.cell
        case Answered():
            return labels.row(step.name, step.words), step.result, step.cell
        case Demanded():
            return labels.heading(step.heading), _NOTHING, step.cell
        case Stopped(cell=cell) | Filtered(cell=cell):
            return rendering.phrases.stopped, _NOTHING, cell
        case _:
            assert_never(step)


def as_above(step: Step, rendering: Rendering) -> str:
    name, result, _ = essence(step, rendering)
    return rendering.phrases.as_above.format(name=name, value=rendering.values.value(result))


def reckoned(step: Reckoned, rendering: Rendering) -> str:
    name, result, _ = essence(step, rendering)
    value = rendering.values.value(result)
    reason = reason_of(step.reasons, step.inside, rendering) if isinstance(result.value, bool) else ""
    text = rendering.phrases.because.format(value=value, reason=reason) if reason else value
    return rendering.phrases.is_worked_out.format(name=name, value=text)


def reason_of(reasons: Reasons, steps: tuple[Step, ...], rendering: Rendering) -> str:
    return because(causes(reasons, steps, rendering.voice), rendering.voice)


def ranked(step: Ranked, rendering: Rendering) -> str:
    name, result, _ = essence(step, rendering)
    return rendering.phrases.ranked.format(name=name, value=rendering.values.value(result))


def looked_up(step: LookedUp, rendering: Rendering) -> str:
    name, result, _ = essence(step, rendering)
    return rendering.phrases.looked_up.format(name=name, value=rendering.values.value(result))


def switch(step: SwitchRead, rendering: Rendering) -> str:
    phrase = rendering.phrases.switch_recorded if step.recorded else rendering.phrases.switch_default
    return phrase.format(name=rendering.labels.term(step.name), value=rendering.values.value(step.result))


def drawn(step: Drawn, rendering: Rendering) -> str:
    labels, phrases, values = rendering.labels, rendering.phrases, rendering.values
    name = labels.row(step.name, step.words)
    options = values.values(step.options)
    if not step.options:
        return phrases.draw_nothing.format(name=name)
    if step.taken is None:
        return phrases.draw_open.format(name=name, values=options)
    if step.recorded:
        return phrases.draw_recorded.format(name=name, values=options, value=values.value(step.taken))
    return phrases.draw_one.format(name=name, value=values.value(step.taken))


def answered(step: Answered, rendering: Rendering) -> str:
    name, result, _ = essence(step, rendering)
    value = rendering.values.value(result)
    if step.any_of:
        value = rendering.phrases.open_field.format(values=rendering.values.values(step.any_of))
    return rendering.phrases.is_worked_out.format(name=name, value=value)


def demanded(step: Demanded, rendering: Rendering) -> str:
    name, _, _ = essence(step, rendering)
    reason = rendering.labels.words(step.words, "")
    if not reason:
        return rendering.phrases.next_ask.format(name=name)
    return rendering.phrases.next_ask_because.format(name=name, reason=reason)


# -- decisions -----------------------------------------------------------------------------------


def decided(step: Decided, rendering: Rendering) -> str:
    name, result, _ = essence(step, rendering)
    phrases = rendering.phrases
    value = rendering.values.value(result)
    rows = [numbered(row, rendering) for row in step.tried if isinstance(row.outcome, Fired)]
    if len(rows) == 1:
        return phrases.row_applies.format(name=name, row=rows[0], value=value)
    if rows:
        return phrases.rows_apply.format(name=name, rows=rendering.voice.phrases.listed(rows), value=value)
    return phrases.no_row_applies.format(name=name, value=value)


def decided_at(step: Decided) -> CellRef:
    """The cell that gave the value."""
    fired = [row.outcome.cell for row in step.tried if isinstance(row.outcome, Fired)]
    return fired[0] if fired else step.otherwise or step.heading.where.cell


def tried(row: Tried, rendering: Rendering) -> str:
    phrases, name = rendering.phrases, numbered(row, rendering)
    match row.outcome:
        case Fired():
            return phrases.row_fires.format(row=name)
        case NothingToTake():
            return phrases.row_gives_nothing.format(row=name)
        case Failed() as failed:
            return _failed(failed, row, rendering)
        case _:
            assert_never(row.outcome)


def _failed(failed: Failed, row: Tried, rendering: Rendering) -> str:
    return failed_as(numbered(row, rendering), failed, row, rendering)


def failed_as(name: str, failed: Failed, row: Tried, rendering: Rendering) -> str:
    """Of a row that is called so, which condition failed."""
    phrases, labels = rendering.phrases, rendering.labels
    if failed.seen is None:
        written = phrases.not_true.format(condition=rendering.voice.expressions.either(failed.tests))
        expected = reason_of(failed.reasons, row.inside, rendering) or written
        return phrases.row_expects_condition.format(row=name, expected=expected)
    known, column = rendering.values.value(failed.seen), labels.anything(failed.column)
    expected = rendering.voice.expressions.either(failed.tests)
    return phrases.row_expects.format(row=name, column=column, seen=known, expected=expected)


def rows_failed(rows: list[Tried], rendering: Rendering) -> str:
    """Rows that fail for what was seen in one column: all that would have been required there."""
    failed = [row.outcome for row in rows if isinstance(row.outcome, Failed)]
    voice, phrases = rendering.voice, rendering.phrases
    expected = dict.fromkeys(voice.expressions.test_alone(test) for one in failed for test in one.tests)
    return phrases.row_expects.format(
        row=phrases.rows.format(numbers=voice.phrases.listed(row.number for row in rows)),
        column=voice.labels.anything(failed[0].column),
        seen=voice.values.values(one.seen for one in failed[:1] if one.seen is not None),
        expected=voice.phrases.joined("or", *expected),
    )


def numbered(row: Tried, rendering: Rendering) -> str:
    """A row: its number, and its wording in quotes, or else its conditions."""
    number = rendering.phrases.row.format(number=row.number)
    wording = rendering.labels.words(row.words) or _conditions(row, rendering)
    return f"{number} {rendering.voice.phrases.quoted(wording)}" if wording else number


def _conditions(row: Tried, rendering: Rendering) -> str:
    either = rendering.voice.expressions.either
    columns = ((rendering.labels.anything(column), either(tests)) for column, tests in row.conditions)
    return ", ".join(f"{column} {expected}".strip() for column, expected in columns)


# -- scales --------------------------------------------------------------------------------------


def chosen(step: Chosen, rendering: Rendering) -> str:
    name, _, _ = essence(step, rendering)
    values, phrases = rendering.values, rendering.phrases
    match len(step.candidates):
        case 0:
            return phrases.nobody.format(name=name)
        case 1:
            return phrases.only_one.format(name=name, value=values.value(step.candidates[0]))
        case count:
            return phrases.among.format(name=name, count=count, values=values.values(step.candidates))


def narrowed(row: Narrowed, step: Chosen, rendering: Rendering) -> str:
    """Who is left, and what was seen of each."""
    phrases = rendering.phrases
    names = rendering.values.apart(step.candidates)
    embedded = "" if row.scale == step.heading.name else ","
    wording = rendering.voice.phrases.quoted(rendering.voice.expressions.criterion(row.criterion))
    if row.dropped:
        phrase = phrases.left_one if len(row.left) == 1 else phrases.left_many
        outcome = phrase.format(values=rendering.voice.phrases.listed(names[p] for p in row.left))
    else:
        outcome = phrases.separates_nobody
    text = f"{_criterion(row, step, rendering)}{embedded} {wording}: {outcome}"
    seen = [f"{names[p]}: {rendering.values.value(value)}" for p, value in row.seen]
    return f"{text} – {', '.join(seen)}" if seen else text


def decides(row: Narrowed, step: Chosen, rendering: Rendering) -> str:
    value = rendering.values.value(step.candidates[step.left[0]])
    return rendering.phrases.decides.format(criterion=_criterion(row, step, rendering), value=value)


def equals(step: Chosen, rendering: Rendering) -> str:
    left = rendering.values.values(step.candidates[position] for position in step.left)
    return rendering.phrases.chance_decides.format(values=left)


def _criterion(row: Narrowed, step: Chosen, rendering: Rendering) -> str:
    """A criterion of another scale, gone through here, is named with its scale."""
    number, phrases = row.number, rendering.phrases
    if row.scale == step.heading.name:
        return phrases.criterion.format(number=number)
    scale = rendering.voice.phrases.quoted(rendering.labels.table(row.scale))
    return phrases.criterion_of.format(number=number, scale=scale)
