"""The sentence for each kind of step; `explain` puts them in order."""

from __future__ import annotations

from collections.abc import Iterator
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
    Seen,
    Shown,
    Step,
    Stopped,
    SwitchRead,
    Tried,
)
from dtables.explanations.causes import because, causes
from dtables.explanations.making import MOST_OPERANDS, made_of
from dtables.explanations.phrases import Sentences, Voice
from dtables.feel.types import NULL, AnyType, ListType, RecordType, Type, plain
from dtables.feel.values import FeelError, Fields, Value, as_plain
from dtables.model.expressions import (
    Arithmetic,
    CallBuiltin,
    Comparison,
    Conditional,
    Expression,
    For,
    Logic,
    Matches,
)
from dtables.model.tables import Dice, Policy, Prefer, Subject
from dtables.provenance import CellRef
from dtables.wording.labels import Labels
from dtables.wording.phrases import MOST_LISTED
from dtables.wording.values import Values, number_in

_NOTHING = Shown(None, NULL)


@dataclass(frozen=True)
class Rendering:
    """`written` are the steps and switches that stand above already: they are not written twice; nor is it
    that the answer stops."""

    voice: Voice
    written: set[object] = field(default_factory=set)
    switches: set[str] = field(default_factory=set)
    stops: list[CellRef] = field(default_factory=list)

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
            case Reckoned() if step.given and not (isinstance(step.of, For) or self.is_local(step)):
                return (step.name, *map(_key, step.given))
            case Decided() if step.given:
                return (step.heading.name, *map(_key, step.given))
            case Chosen():
                return (step.heading.name, *map(_key, step.listed), *map(_key, step.given))
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
            name = rendering.voice.phrases.listed(values.brief(item) for _, item in items)
            return name, _typed(step.result, step.worked_out, rendering), step.cell
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
            return labels.row(step.name, step.words), said_of(step, rendering), step.cell
        case Demanded():
            return labels.heading(step.heading), _NOTHING, step.cell
        case Stopped(cell=cell) | Filtered(cell=cell):
            return rendering.phrases.stopped, _NOTHING, cell
        case _:
            assert_never(step)


def said_of(step: Answered, rendering: Rendering) -> Shown:
    """A field's value with all that is known of its type. An answer has plain values: what a table gave says
    of which records."""
    shown = _typed(step.result, step.of.value, rendering)
    if isinstance(shown.value, (list, dict)) and isinstance(plain(shown.type), AnyType):
        for one in reversed(step.inside):
            if isinstance(one, Reckoned | Decided | Chosen) and _is_same(one.value, shown.value):
                return Shown(shown.value, _type_of(one.result))
    return shown


def _type_of(shown: Shown) -> Type:
    """The type of records by the records themselves."""
    match shown.value:
        case Fields(record_type=name):
            return RecordType(name)
        case [Fields(record_type=name), *_]:
            return ListType(RecordType(name))
        case _:
            return shown.type


def _typed(shown: Shown, value: Expression, rendering: Rendering) -> Shown:
    """With the types of the fields of other asks' answers."""
    if not isinstance(shown.value, (list, dict)):
        return shown
    return Shown(shown.value, rendering.labels.answered(value))


def _is_same(value: Value, answered: Value) -> bool:
    try:
        return bool(as_plain(value) == answered)
    except FeelError:
        return False


def as_above(step: Step, rendering: Rendering) -> str:
    name, result, _ = essence(step, rendering)
    return rendering.phrases.as_above.format(name=name, value=rendering.values.value(result))


def reckoned(step: Reckoned, rendering: Rendering) -> str:
    name, result, _ = essence(step, rendering)
    value = rendering.values.value(result)
    if isinstance(result.value, bool):
        reason = reason_of(step.reasons, step.inside, rendering)
        text = rendering.phrases.because.format(value=value, reason=reason) if reason else value
    else:
        text = _with_numbers(value, step.worked_out, step.parts, step.inside, rendering)
    return rendering.phrases.is_worked_out.format(name=name, value=text)


def _with_numbers(
    value: str, worked_out: Expression, seen: Seen | None, inside: tuple[Step, ...], rendering: Rendering
) -> str:
    """A number with those it is made of: `5 − 1 = 4`."""
    made = made_of(worked_out, seen, inside, rendering.voice) if seen else ""
    return rendering.phrases.made.format(made=made, value=value) if made else value


def reason_of(reasons: Reasons, steps: tuple[Step, ...], rendering: Rendering) -> str:
    return because(causes(reasons, steps, rendering.voice), rendering.voice)


def ranked(step: Ranked, rendering: Rendering) -> str:
    name, result, _ = essence(step, rendering)
    return rendering.phrases.ranked.format(name=name, value=rendering.values.value(result))


def partings(step: Ranked, rendering: Rendering) -> Iterator[tuple[str, CellRef]]:
    """Why neighbours in a ranking stand in that order: the criterion that separated them, and its cell."""
    names = rendering.values.apart(step.candidates)
    listed = rendering.voice.phrases.listed
    for tier in range(min(len(step.places) - 1, MOST_LISTED)):
        row = step.parting(tier)
        if row is None:
            continue
        (first, _), (second, _) = step.places[tier : tier + 2]
        met = {place: rendering.values.value(value) for place, value in met_by(row)}
        seen = _listed_by(names, {place: met[place] for place in (first[0], second[0]) if place in met})
        wording = rendering.voice.phrases.quoted(rendering.voice.expressions.criterion(row.criterion))
        embedded = "" if row.scale == step.heading.name else ","
        criterion = f"{_criterion(row, step, rendering)}{embedded} {wording}"
        text = rendering.phrases.parted.format(
            first=listed(names[place] for place in first),
            second=listed(names[place] for place in second),
            criterion=criterion,
        )
        yield f"{text} – {seen}" if seen else text, row.cell


def looked_up(step: LookedUp, rendering: Rendering) -> str:
    name, result, _ = essence(step, rendering)
    value, phrases = rendering.values.value(result), rendering.phrases
    entry = rendering.labels.entry(step.cell)
    if not entry:
        return phrases.looked_up.format(name=name, value=value)
    is_row = isinstance(step.table, Dice)
    row = phrases.row.format(number=entry) if is_row else rendering.voice.phrases.quoted(entry)
    return (phrases.row_applies if is_row else phrases.worded).format(name=name, row=row, value=value)


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
    value = _with_numbers(rendering.values.value(result), step.of.value, step.parts, step.inside, rendering)
    if step.any_of:
        listed = (one if step.of.listed else _typed(one, step.of.value, rendering) for one in step.any_of)
        value = rendering.phrases.open_field.format(values=rendering.values.values(listed))
    return rendering.phrases.is_worked_out.format(name=name, value=value)


def demanded(step: Demanded, rendering: Rendering) -> str:
    name, _, _ = essence(step, rendering)
    reason = rendering.labels.words(step.words, "")
    if not reason:
        return rendering.phrases.next_ask.format(name=name)
    return rendering.phrases.next_ask_because.format(name=name, reason=reason)


# -- decisions -----------------------------------------------------------------------------------


def decided(step: Decided, rendering: Rendering) -> str:
    name, _, _ = essence(step, rendering)
    phrases = rendering.phrases
    value = given_by_rows(step, rendering)
    rows = [numbered(row, rendering) for row in step.tried if isinstance(row.outcome, Fired)]
    if len(rows) == 1:
        return phrases.row_applies.format(name=name, row=rows[0], value=value)
    if rows:
        return phrases.rows_apply.format(name=name, rows=rendering.voice.phrases.listed(rows), value=value)
    return phrases.no_row_applies.format(name=name, value=value)


def given_by_rows(step: Decided, rendering: Rendering) -> str:
    """What a decision gives, with the numbers that its row or rows made of it."""
    value, phrases = rendering.values.value(step.result), rendering.phrases
    fired = [row for row in step.tried if isinstance(row.outcome, Fired)]
    if isinstance(step.result.value, (bool, dict, list)) or len(step.decision.outcomes) > 1:
        return value
    if step.policy is Policy.COLLECT_SUM and 1 < len(fired) <= MOST_OPERANDS:
        given = (number_in(rendering.voice.phrases, given) for (given,) in step.rows.given)
        return phrases.made.format(made=" + ".join(given), value=value)
    if len(fired) != 1 or not isinstance(fired[0].outcome, Fired):
        return value
    (row,) = fired
    (outcome,) = row.rule.outcomes
    return _with_numbers(value, outcome.value, fired[0].outcome.parts, row.inside, rendering)


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
    phrases = rendering.phrases
    if failed.seen is None:
        written = phrases.not_true.format(condition=rendering.voice.expressions.either(failed.tests))
        expected = reason_of(failed.reasons, row.inside, rendering) or written
        return phrases.row_expects_condition.format(row=name, expected=expected)
    known, column = rendering.values.value(failed.seen), column_of(failed.subject, rendering)
    if isinstance(failed.seen.value, bool):
        return phrases.row_expects_condition.format(row=name, expected=f"{column}: {known}")
    expected = rendering.voice.expressions.either(failed.tests)
    return phrases.row_expects.format(row=name, column=column, seen=known, expected=expected)


def rows_failed(rows: list[Tried], rendering: Rendering) -> str:
    """Rows that fail for what was seen in one column: all that would have been required there."""
    failed = [row.outcome for row in rows if isinstance(row.outcome, Failed)]
    voice, phrases = rendering.voice, rendering.phrases
    expected = dict.fromkeys(voice.expressions.test_alone(test) for one in failed for test in one.tests)
    return phrases.rows_expect.format(
        row=phrases.rows.format(numbers=voice.phrases.listed(row.number for row in rows)),
        column=column_of(failed[0].subject, rendering),
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
    pairs = zip(row.decision.subjects, row.rule.conditions, strict=True)
    columns = ((subject, condition.tests) for subject, condition in pairs if condition.tests)
    parts = (f"{column_of(subject, rendering)} {either(tests)}" for subject, tests in columns)
    return ", ".join(part.strip() for part in parts)


def column_of(subject: Subject, rendering: Rendering) -> str:
    """What a column of conditions is about: by what its head names, or in words; never as it is written."""
    match subject.value:
        case None:
            return ""
        case CallBuiltin() | Arithmetic() | Comparison() | Logic() | Matches() | Conditional() if (
            rendering.labels.language
        ):
            return rendering.voice.expressions.say(subject.value)
        case _:
            name = rendering.labels.anything(subject.name)
            own = name == subject.name and rendering.labels.language
            return rendering.labels.as_read(name.rpartition(".")[2]) if own else name


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
    met = {place: rendering.values.value(value) for place, value in met_by(row)}
    if row.dropped:
        phrase = phrases.left_one if len(row.left) == 1 else phrases.left_many
        outcome = phrase.format(values=rendering.voice.phrases.listed(names[p] for p in row.left))
        seen = _listed_by(names, met)
    elif len(set(met.values())) == 1 and len(met) == len(row.left):
        outcome, seen = phrases.all_tied_with.format(value=next(iter(met.values()))), ""
    else:
        outcome, seen = (
            phrases.all_tied,
            ", ".join(f"{names[place]}: {value}" for place, value in met.items()),
        )
    text = f"{_criterion(row, step, rendering)}{embedded} {wording}: {outcome}"
    return f"{text} – {seen}" if seen else text


def _listed_by(names: list[str], met: dict[int, str]) -> str:
    """Candidates with what a criterion saw of them; nothing where it looked at themselves."""
    if all(names[place] == value for place, value in met.items()):
        return ""
    return ", ".join(f"{names[place]}: {value}" for place, value in met.items())


def met_by(row: Narrowed) -> Iterator[tuple[int, Shown]]:
    """The values a criterion saw of candidates; where it prefers no, whether they are as it prefers them."""
    for place, shown in row.seen:
        if row.criterion.prefer is Prefer.NO and isinstance(shown.value, bool):
            yield place, Shown(not shown.value, shown.type)
        else:
            yield place, shown


def decides(row: Narrowed, step: Chosen, rendering: Rendering) -> str:
    value = rendering.values.value(step.candidates[step.left[0]])
    return rendering.phrases.decides.format(criterion=_criterion(row, step, rendering), value=value)


def equals(step: Chosen, rendering: Rendering) -> str:
    left = rendering.values.values(step.candidates[position] for position in step.left)
    return rendering.phrases.chance_decides.format(values=left)


def _criterion(row: Narrowed, step: Chosen | Ranked, rendering: Rendering) -> str:
    """A criterion of another scale, gone through here, is named with its scale."""
    number, phrases = row.number, rendering.phrases
    if row.scale == step.heading.name:
        return phrases.criterion.format(number=number)
    scale = rendering.voice.phrases.quoted(rendering.labels.table(row.scale))
    return phrases.criterion_of.format(number=number, scale=scale)
