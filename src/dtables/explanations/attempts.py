"""Steps that were tried, in words: of each that failed why, and that the last one was done.

The author's wording comes first (`failed`, in which `{item}` is the item that was tried), else the condition
that failed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dtables.evaluator.trace import Decided, Failed, Filtered, Fired, Judged, Step, Tried
from dtables.explanations.causes import because, causes
from dtables.explanations.sentences import Rendering, essence, failed_as
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
    name, result, _ = essence(step, rendering)
    worked = any(isinstance(row.outcome, Fired) for row in step.tried)
    phrase = rendering.phrases.is_worked_out if worked else rendering.phrases.no_step_works
    return phrase.format(name=name, value=rendering.values.value(result))


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
    wording = _wording(step.failed, rendering) if step else ""
    if wording and ITEM not in wording:
        return phrases.step_failed.format(step=name, reason=wording)
    if isinstance(row.outcome, Failed):
        return failed_as(name, row.outcome, row, rendering)
    nothing = phrases.nothing_to_try if items_of(row) is not None else phrases.not_possible
    return phrases.step_failed.format(step=name, reason=nothing)


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
    wording = _wording(step.failed, rendering) if step else ""
    failed = [judged for judged in tried.items if not judged.kept]
    reasons = (_of_item(judged, wording, rendering) for judged in failed[:MOST_LISTED])
    yield from dict.fromkeys(reasons)
    if len(failed) > MOST_LISTED:
        yield rendering.phrases.more_dropped.format(count=len(failed) - MOST_LISTED)


def _of_item(judged: Judged, wording: str, rendering: Rendering) -> str:
    item = rendering.values.value(judged.item)
    if wording:
        return wording.replace(ITEM, item)
    reason = because(causes(judged.reasons, judged.inside, rendering.voice), rendering.voice, item)
    return rendering.phrases.item_failed.format(item=item, reason=reason or rendering.phrases.not_possible)


def _wording(words: Words, rendering: Rendering) -> str:
    """In the language, or in any: another language would be worse than the condition itself."""
    spoken = {language: text for language, text in words if language in (rendering.labels.language, "")}
    return rendering.labels.words(tuple(spoken.items())).rstrip(".")
