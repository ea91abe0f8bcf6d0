"""An explanation as a person would give it: short sentences, each with its cell.

First what the answer is, field by field, then below each what led to it. What stands above already is not
repeated, and the fields that came to nothing share one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import assert_never

from dtables.evaluator.nesting import bounded
from dtables.evaluator.trace import (
    Answered,
    Chosen,
    Computed,
    Decided,
    Demanded,
    Drawn,
    Explanation,
    Failed,
    Filtered,
    Fired,
    Judged,
    LookedUp,
    Ranked,
    Reckoned,
    Shown,
    Step,
    Stopped,
    SwitchRead,
    Tried,
    steps_of,
)
from dtables.explanations import attempts, sentences
from dtables.explanations.causes import Cause, because, causes
from dtables.explanations.phrases import Voice, voice_in
from dtables.explanations.sentences import Rendering
from dtables.feel.values import Fields, Row, Value
from dtables.model.tables import Policy
from dtables.provenance import CellRef
from dtables.wording.phrases import MOST_LISTED

INDENT = "  "
NEW_LINE = "\n"
"""In a name or a label it is a blank."""


def render(explanation: Explanation, language: str, voice: Voice | None = None) -> str:
    """One sentence per line, what led to it indented below; ends with a new line. A voice may have labels of
    its own."""
    rendering = Rendering(voice or voice_in(explanation.ruleset, language))
    title = rendering.labels.heading(explanation.heading)
    lines = bounded(lambda: [title, "", *_whole(explanation.steps, rendering)])
    return "".join(f"{line.replace(NEW_LINE, ' ')}{NEW_LINE}" for line in lines)


def _whole(steps: tuple[Step, ...], rendering: Rendering) -> Iterator[str]:
    """A draw is explained where the answer reads it; one that nothing reads, after the answer. What comes
    next comes last."""
    fields = [step for step in steps if isinstance(step, Answered)]
    empty = [step for step in fields if step.result.value is None and not step.any_of]
    yield from _lines((step for step in fields if step not in empty), rendering, 0)
    for step in steps:
        if not isinstance(step, Answered | Demanded):
            yield from _lines(_new([step], rendering), rendering, 0)
    if len(empty) == 1 or len(empty) == len(fields):
        yield from _lines(empty, rendering, 0)
    elif empty:
        yield _nothing_for(empty, rendering)
    yield from _lines((step for step in steps if isinstance(step, Demanded)), rendering, 0)


def _nothing_for(empty: list[Answered], rendering: Rendering) -> str:
    names = [sentences.essence(step, rendering)[0] for step in empty]
    cells = _cells((step.cell for step in empty), rendering)
    return f"{rendering.phrases.nothing_for.format(names=', '.join(names))} [{cells}]"


def _cells(cells: Iterable[CellRef], rendering: Rendering) -> str:
    """Cells of one sheet."""
    first, *others = cells
    return ", ".join([rendering.labels.cell(first), *(cell.address for cell in others)])


# -- steps ---------------------------------------------------------------------------------------


def _lines(steps: Iterable[Step], rendering: Rendering, depth: int) -> Iterator[str]:
    for step in dict.fromkeys(steps):
        yield from _step_lines(step, rendering, depth)


def _step_lines(step: Step, rendering: Rendering, depth: int) -> Iterator[str]:
    match step:
        case SwitchRead():
            yield from _switch(step, rendering, depth)
        case Computed() | Drawn(options=()):
            yield from _hoisted(step, rendering, depth)
        case Filtered():
            yield from _filtered(step, rendering, depth)
        case Reckoned(name="") if not _has_details(step, rendering):
            return
        case _ if rendering.is_written(step):
            yield from _as_above(step, rendering, depth)
        case _:
            rendering.note(step)
            yield from _new_lines(step, rendering, depth)


def _new_lines(
    step: Reckoned | Decided | Chosen | Ranked | LookedUp | Drawn | Stopped | Answered | Demanded,
    rendering: Rendering,
    depth: int,
) -> Iterator[str]:
    match step:
        case Reckoned():
            yield _line(sentences.reckoned(step, rendering), step.cell, rendering, depth)
            yield from _lines(step.inside, rendering, depth + 1)
        case Decided():
            yield from _decided(step, rendering, depth)
        case Chosen():
            yield from _chosen(step, rendering, depth)
        case Ranked():
            yield _line(sentences.ranked(step, rendering), step.heading.where.cell, rendering, depth)
            for text, cell in sentences.partings(step, rendering):
                yield _line(text, cell, rendering, depth + 1)
        case LookedUp():
            yield _line(sentences.looked_up(step, rendering), step.cell, rendering, depth)
        case Drawn():
            yield _line(sentences.drawn(step, rendering), step.cell, rendering, depth)
            yield from _lines(step.inside, rendering, depth + 1)
        case Stopped(cell=cell):
            if not rendering.stops:
                rendering.stops.append(cell)
                yield _line(rendering.phrases.stopped, cell, rendering, depth)
        case Answered():
            yield _line(sentences.answered(step, rendering), step.cell, rendering, depth)
            yield from _lines(_new(step.inside, rendering), rendering, depth + 1)
        case Demanded():
            yield _line(sentences.demanded(step, rendering), step.cell, rendering, depth)
            yield from _lines(_new(step.inside, rendering), rendering, depth + 1)
        case _:
            assert_never(step)


def _new(steps: Iterable[Step], rendering: Rendering) -> Iterator[Step]:
    return (step for step in steps if not rendering.is_written(step))


def _line(text: str, cell: CellRef, rendering: Rendering, depth: int) -> str:
    return f"{INDENT * depth}{text} [{rendering.labels.cell(cell)}]"


def _as_above(step: Step, rendering: Rendering, depth: int) -> Iterator[str]:
    """A step stands near by, and a formula that only leads from one record to another adds nothing new."""
    _, result, cell = sentences.essence(step, rendering)
    is_record = isinstance(result.value, Fields) and not isinstance(result.value, Row)
    if rendering.is_local(step) or (is_record and not steps_of(step)):
        return
    yield _line(sentences.as_above(step, rendering), cell, rendering, depth)


def _switch(step: SwitchRead, rendering: Rendering, depth: int) -> Iterator[str]:
    """Once: a switch is the same wherever it is read."""
    if step.name not in rendering.switches:
        rendering.switches.add(step.name)
        yield _line(sentences.switch(step, rendering), step.cell, rendering, depth)


def _hoisted(step: Computed | Drawn, rendering: Rendering, depth: int) -> Iterator[str]:
    """A field of one of many records, or a draw of nothing, gets no line; what led to it gets one, once."""
    if not rendering.is_written(step):
        rendering.note(step)
        yield from _lines(_new(step.inside, rendering), rendering, depth)


# -- filters -------------------------------------------------------------------------------------


def _filtered(step: Filtered, rendering: Rendering, depth: int) -> Iterator[str]:
    """Whom the filter dropped and why, if it is known, those with the same reason together. Of a long
    list that is sifted by what its items are, and not by tables, the result is enough."""
    dropped = [judged for judged in step.items if not judged.kept]
    if rendering.is_written(step) or (len(dropped) > MOST_LISTED and not step.calls):
        return
    rendering.note(step)
    alike: dict[str, list[tuple[Judged, tuple[Cause, ...]]]] = {}
    for judged in dropped[:MOST_LISTED]:
        found = causes(judged.reasons, judged.inside, rendering.voice)
        reason = because(found, rendering.voice, rendering.values.value(judged.item))
        alike.setdefault(reason, []).append((judged, found))
    for reason, some in alike.items():
        if not reason:
            continue
        items = rendering.values.values(judged.item for judged, _ in some)
        text = rendering.phrases.dropped.format(items=items, reason=reason)
        yield _line(text, step.cell, rendering, depth)
        sources = (one for _, found in some for cause in found for one in cause.sources())
        yield from _lines((one for one in sources if _has_more(one, rendering)), rendering, depth + 1)
    if len(dropped) > MOST_LISTED:
        text = rendering.phrases.more_dropped.format(count=len(dropped) - MOST_LISTED)
        yield _line(text, step.cell, rendering, depth)


def _has_more(step: Step, rendering: Rendering) -> bool:
    """The value itself stands in the reason; a line of its own is for what led to it."""
    if rendering.is_written(step) or isinstance(step, Computed):
        return False
    return isinstance(step, Decided) or any(_is_rendered(one, rendering) for one in steps_of(step))


def _has_details(item: Reckoned, rendering: Rendering) -> bool:
    """Of a loop the items that came to something, where there are details besides; of those that came to
    nothing the ones of which a decision says why."""
    if item.result.value is None:
        decided = (step for step in item.inside if isinstance(step, Decided))
        return any(isinstance(row.outcome, Failed) for step in decided for row in step.tried)
    return item.result.value not in (None, False, 0, []) and any(
        _is_rendered(one, rendering) for one in item.inside
    )


def _is_rendered(step: Step, rendering: Rendering) -> bool:
    match step:
        case Filtered(items=items):
            return not all(judged.kept for judged in items)
        case Computed(inside=inside) | Drawn(options=(), inside=inside):
            return any(_is_rendered(one, rendering) for one in inside)
        case SwitchRead(name=name):
            return name not in rendering.switches
        case Reckoned(name=""):
            return _has_details(step, rendering)
        case _:
            return True


# -- decisions and scales ------------------------------------------------------------------------


def _decided(step: Decided, rendering: Rendering, depth: int) -> Iterator[str]:
    """Where the first row counts, the rows above it give the reason why they did not."""
    if step.decision.tries_steps:
        yield from _steps_tried(step, rendering, depth)
        return
    yield _line(sentences.decided(step, rendering), sentences.decided_at(step), rendering, depth)
    fired = [row for row in step.tried if isinstance(row.outcome, Fired)]
    in_order = step.policy is Policy.FIRST or not fired
    for rows in _runs(step.tried):
        first = rows[0]
        if not in_order or (first in fired and not (first.inside and len(step.tried) > 1)):
            yield from _lines((one for row in rows for one in row.inside), rendering, depth + 1)
        elif len(rows) > 1:
            cells = (row.outcome.cell for row in rows)
            failed = sentences.rows_failed(rows, rendering)
            yield f"{INDENT * (depth + 1)}{failed} [{_cells(cells, rendering)}]"
        else:
            yield _line(sentences.tried(first, rendering), first.outcome.cell, rendering, depth + 1)
            yield from _lines(first.inside, rendering, depth + 2)
    yield from _lines(step.inside, rendering, depth + 1)


def _steps_tried(step: Decided, rendering: Rendering, depth: int) -> Iterator[str]:
    """One after the other, why they failed; the last one was done."""
    yield _line(attempts.steps_tried(step, rendering), sentences.decided_at(step), rendering, depth)
    for row in step.tried:
        yield _line(attempts.step_tried(row, rendering), row.outcome.cell, rendering, depth + 1)
        yield from _lines(_new(attempts.details(row), rendering), rendering, depth + 2)
    yield from _lines(step.inside, rendering, depth + 1)


def _runs(tried: tuple[Tried, ...]) -> Iterator[list[Tried]]:
    """Rows one after the other that fail for what was seen in the same column share one line."""
    for _, rows in groupby(tried, key=_failing):
        yield list(rows)


def _failing(row: Tried) -> object:
    match row.outcome:
        case Failed(column=column, seen=Shown(value=value)) if not row.inside and _is_plain(value):
            return (column, value)
        case _:
            return row.where


def _is_plain(value: Value) -> bool:
    return not isinstance(value, (list, dict))


def _chosen(step: Chosen, rendering: Rendering, depth: int) -> Iterator[str]:
    yield _line(sentences.chosen(step, rendering), step.heading.where.cell, rendering, depth)
    for row in step.rows:
        yield _line(sentences.narrowed(row, step, rendering), row.cell, rendering, depth + 1)
        yield from _lines(row.inside, rendering, depth + 2)
    yield from _lines(_new(step.inside, rendering), rendering, depth + 1)
    if step.decided is not None:
        yield _line(sentences.decides(step.decided, step, rendering), step.decided.cell, rendering, depth + 1)
    elif len(step.left) > 1:
        yield _line(sentences.equals(step, rendering), step.heading.where.cell, rendering, depth + 1)
