"""Steps that were tried, in words: of each that failed why, and that the last one was done.

The author's wording comes first (`failed`, in which `{item}` is the item that was tried), else the condition
that failed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dtables.evaluator.trace import Decided, Failed, Filtered, Fired, Judged, Step, Tried
from dtables.explanations.causes import because, causes
from dtables.explanations.sentences import Rendering, essence, failed_as, given_by_rows
from dtables.model.expressions import Switch
from dtables.model.reach import nodes
from dtables.model.tables import TurnStep
from dtables.model.vocabularies import Words
from dtables.wording.phrases import MOST_LISTED

ITEM = "{item}"
_END_OF_LEAD = re.compile(r"[.:?](?:\s|$)")
_CODE = re.compile(r"\s*→?\s*\{[^}]*\}")
_NUMBER = re.compile("[0-9]+[a-z]?")
_LONGEST_LEAD = 60


def steps_tried(step: Decided, rendering: Rendering) -> str:
    """What came of them."""
    name, _, _ = essence(step, rendering)
    worked = any(isinstance(row.outcome, Fired) for row in step.tried)
    phrase = rendering.phrases.is_worked_out if worked else rendering.phrases.no_step_works
    return phrase.format(name=name, value=given_by_rows(step, rendering))


def step_tried(row: Tried, rendering: Rendering) -> str:
    """`Build: no empty city`, or `Take: done`."""
    phrases, step = rendering.phrases, _step(row, rendering)
    name = lead(step, row, rendering)
    reasons = list(_of_items(row, step, rendering))
    if isinstance(row.outcome, Fired):
        taken = _taken(row)
        item = "" if taken is None else rendering.values.value(taken.item)
        reasons.append(phrases.item_done.format(item=item) if item else phrases.done)
        return phrases.step_failed.format(step=name, reason="; ".join(reasons))
    if reasons:
        return phrases.step_failed.format(step=name, reason="; ".join(reasons))
    wording = "" if step is None or _speaks_of_items(step) else _wording(step.failed, "", rendering)
    if wording and not _by_house_rule(row):
        return phrases.step_failed.format(step=name, reason=wording)
    if isinstance(row.outcome, Failed):
        return failed_as(name, row.outcome, row, rendering)
    nothing = phrases.nothing_to_try if items_of(row) is not None else phrases.not_possible
    return phrases.step_failed.format(step=name, reason=nothing)


def _by_house_rule(row: Tried) -> bool:
    """It is not tried by the rules in force: that is not what the author's wording speaks of."""
    match row.outcome:
        case Failed(subject=subject, reasons=()):
            return isinstance(subject.value, Switch)
        case Failed(reasons=reasons):
            return all(any(isinstance(node, Switch) for node in nodes(one.part)) for one in reasons)
        case _:
            return False


def lead(step: TurnStep | None, row: Tried, rendering: Rendering) -> str:
    """How a step is called: by the first words of its wording, else by its name, else by its number."""
    text = _CODE.sub("", rendering.labels.words(step.words if step else row.words))
    name = _END_OF_LEAD.split(text, maxsplit=1)[0].strip()
    if name and len(name) <= _LONGEST_LEAD:
        return name
    is_number = _NUMBER.fullmatch(row.number) is not None
    return rendering.phrases.step.format(number=row.number) if is_number else row.number


def details(row: Tried) -> tuple[Step, ...]:
    """What was worked out for a step, but for the items that its sentence tells of; what was worked out for
    those stands in their place."""
    tried = items_of(row)
    if tried is None:
        return row.inside
    of_items = tuple(step for judged in tried.items for step in judged.inside)
    return tuple(one for step in row.inside for one in (of_items if step is tried else (step,)))


def items_of(row: Tried) -> Filtered | None:
    """The items that a step has tried, told like those of a filter that drops what does not work."""
    return next((s for s in row.inside if isinstance(s, Filtered) and s.tried_by == row.where), None)


def _step(row: Tried, rendering: Rendering) -> TurnStep | None:
    return rendering.labels.index.turn_steps.get(row.where)


def _taken(row: Tried) -> Judged | None:
    tried = items_of(row)
    return None if tried is None else next((judged for judged in tried.items if judged.kept), None)


def _of_items(row: Tried, step: TurnStep | None, rendering: Rendering) -> Iterator[str]:
    """Why the items failed, each reason once."""
    tried = items_of(row)
    if tried is None:
        return
    failed = [judged for judged in tried.items if not judged.kept]
    reasons = (_of_item(judged, step, rendering) for judged in failed[:MOST_LISTED])
    yield from dict.fromkeys(reasons)
    if len(failed) > MOST_LISTED:
        yield rendering.phrases.more_dropped.format(count=len(failed) - MOST_LISTED)


def _of_item(judged: Judged, step: TurnStep | None, rendering: Rendering) -> str:
    item = rendering.values.value(judged.item)
    wording = _wording(step.failed, item, rendering) if step else ""
    if wording:
        return wording
    reason = because(causes(judged.reasons, judged.inside, rendering.voice), rendering.voice, item)
    return rendering.phrases.item_failed.format(item=item, reason=reason or rendering.phrases.not_possible)


def _speaks_of_items(step: TurnStep) -> bool:
    return any(ITEM in text for _, text in step.failed)


def _wording(words: Words, item: str, rendering: Rendering) -> str:
    """In the language, or in any: another language would be worse than the condition itself."""
    known = (rendering.labels.language, "")
    spoken = tuple((spoken, text.replace(ITEM, item)) for spoken, text in words if spoken in known)
    return rendering.labels.words(spoken).rstrip(".")
