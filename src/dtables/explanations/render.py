"""An explanation as a person would give it: short sentences, each with its cell.

First what the answer is, field by field, then below each what led to it. What stands above already is not
told again, and the fields that came to nothing share one line.
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
from dtables.explanations import sentences
from dtables.explanations.causes import Ground, because, grounds
from dtables.explanations.sentences import Telling
from dtables.explanations.voice import voice_in
from dtables.feel.values import Fields, Row, Value
from dtables.model.tables import Policy
from dtables.provenance import CellRef
from dtables.wording.phrases import MOST_LISTED

INDENT = "  "
NEW_LINE = "\n"
"""In a name or a label it is a blank."""


def render(explanation: Explanation, language: str) -> str:
    """One sentence per line, what led to it indented below it; ends with a new line."""
    telling = Telling(voice_in(explanation.ruleset, language))
    title = telling.labels.heading(explanation.heading)
    lines = bounded(lambda: [title, "", *_whole(explanation.steps, telling)])
    return "".join(f"{line.replace(NEW_LINE, ' ')}{NEW_LINE}" for line in lines)


def _whole(steps: tuple[Step, ...], telling: Telling) -> Iterator[str]:
    """A draw is told where the answer reads it; one that nothing reads, after the answer. What comes next is
    told last."""
    fields = [step for step in steps if isinstance(step, Answered)]
    empty = [step for step in fields if step.result.value is None and not step.any_of]
    yield from _lines((step for step in fields if step not in empty), telling, 0)
    for step in steps:
        if not isinstance(step, Answered | Demanded):
            yield from _lines(_new([step], telling), telling, 0)
    if len(empty) == 1 or len(empty) == len(fields):
        yield from _lines(empty, telling, 0)
    elif empty:
        yield _nothing_for(empty, telling)
    yield from _lines((step for step in steps if isinstance(step, Demanded)), telling, 0)


def _nothing_for(empty: list[Answered], telling: Telling) -> str:
    names = [sentences.essence(step, telling)[0] for step in empty]
    cells = _cells((step.cell for step in empty), telling)
    return f"{telling.phrases.nothing_for.format(names=', '.join(names))} [{cells}]"


def _cells(cells: Iterable[CellRef], telling: Telling) -> str:
    """Cells of one sheet."""
    first, *others = cells
    return ", ".join([telling.labels.cell(first), *(cell.address for cell in others)])


# -- steps ---------------------------------------------------------------------------------------


def _lines(steps: Iterable[Step], telling: Telling, depth: int) -> Iterator[str]:
    for step in dict.fromkeys(steps):
        yield from _step_lines(step, telling, depth)


def _step_lines(step: Step, telling: Telling, depth: int) -> Iterator[str]:
    match step:
        case SwitchRead():
            yield from _switch(step, telling, depth)
        case Computed() | Drawn(options=()):
            yield from _hoisted(step, telling, depth)
        case Filtered():
            yield from _filtered(step, telling, depth)
        case Reckoned(name="") if not _is_worth_telling(step, telling):
            return
        case _ if telling.is_told(step):
            yield from _told_above(step, telling, depth)
        case _:
            telling.tell(step)
            yield from _new_lines(step, telling, depth)


def _new_lines(
    step: Reckoned | Decided | Chosen | Ranked | LookedUp | Drawn | Stopped | Answered | Demanded,
    telling: Telling,
    depth: int,
) -> Iterator[str]:
    match step:
        case Reckoned():
            yield _line(sentences.reckoned(step, telling), step.cell, telling, depth)
            yield from _lines(step.inside, telling, depth + 1)
        case Decided():
            yield from _decided(step, telling, depth)
        case Chosen():
            yield from _chosen(step, telling, depth)
        case Ranked():
            yield _line(sentences.ranked(step, telling), step.heading.where.cell, telling, depth)
        case LookedUp():
            yield _line(sentences.looked_up(step, telling), step.cell, telling, depth)
        case Drawn():
            yield _line(sentences.drawn(step, telling), step.cell, telling, depth)
            yield from _lines(step.inside, telling, depth + 1)
        case Stopped(cell=cell):
            yield _line(telling.phrases.stopped, cell, telling, depth)
        case Answered():
            yield _line(sentences.answered(step, telling), step.cell, telling, depth)
            yield from _lines(_new(step.inside, telling), telling, depth + 1)
        case Demanded():
            yield _line(sentences.demanded(step, telling), step.cell, telling, depth)
            yield from _lines(_new(step.inside, telling), telling, depth + 1)
        case _:
            assert_never(step)


def _new(steps: Iterable[Step], telling: Telling) -> Iterator[Step]:
    return (step for step in steps if not telling.is_told(step))


def _line(said: str, cell: CellRef, telling: Telling, depth: int) -> str:
    return f"{INDENT * depth}{said} [{telling.labels.cell(cell)}]"


def _told_above(step: Step, telling: Telling, depth: int) -> Iterator[str]:
    """A step stands near by, and a formula that only leads from one record to another says nothing new."""
    _, result, cell = sentences.essence(step, telling)
    is_record = isinstance(result.value, Fields) and not isinstance(result.value, Row)
    if telling.is_local(step) or (is_record and not steps_of(step)):
        return
    yield _line(sentences.as_above(step, telling), cell, telling, depth)


def _switch(step: SwitchRead, telling: Telling, depth: int) -> Iterator[str]:
    """Once: a switch is the same wherever it is read."""
    if step.name not in telling.switches:
        telling.switches.add(step.name)
        yield _line(sentences.switch(step, telling), step.cell, telling, depth)


def _hoisted(step: Computed | Drawn, telling: Telling, depth: int) -> Iterator[str]:
    """A field of one of many records, or a draw of nothing, is not worth a line; what led to it is, once."""
    if not telling.is_told(step):
        telling.tell(step)
        yield from _lines(_new(step.inside, telling), telling, depth)


# -- filters -------------------------------------------------------------------------------------


def _filtered(step: Filtered, telling: Telling, depth: int) -> Iterator[str]:
    """Whom the filter dropped and why, if it can be said, those with the same reason together. Of a long
    list that is sifted by what its items are, and not by tables, the result is enough."""
    dropped = [judged for judged in step.items if not judged.kept]
    if telling.is_told(step) or (len(dropped) > MOST_LISTED and not step.calls):
        return
    telling.tell(step)
    alike: dict[str, list[tuple[Judged, tuple[Ground, ...]]]] = {}
    for judged in dropped[:MOST_LISTED]:
        found = grounds(judged.reasons, judged.inside, telling.voice)
        reason = because(found, telling.voice, telling.values.value(judged.item))
        alike.setdefault(reason, []).append((judged, found))
    for reason, some in alike.items():
        if not reason:
            continue
        items = telling.values.values(judged.item for judged, _ in some)
        said = telling.phrases.dropped.format(items=items, reason=reason)
        yield _line(said, step.cell, telling, depth)
        sources = (one for _, found in some for ground in found for one in ground.sources())
        yield from _lines((one for one in sources if _has_more(one, telling)), telling, depth + 1)
    if len(dropped) > MOST_LISTED:
        said = telling.phrases.more_dropped.format(count=len(dropped) - MOST_LISTED)
        yield _line(said, step.cell, telling, depth)


def _has_more(step: Step, telling: Telling) -> bool:
    """The value itself stands in the reason; a line of its own is for what led to it."""
    if telling.is_told(step) or isinstance(step, Computed):
        return False
    return isinstance(step, Decided) or any(_tells(one, telling) for one in steps_of(step))


def _is_worth_telling(item: Reckoned, telling: Telling) -> bool:
    """Of a loop the items that came to something, where there is more to say than that."""
    return item.result.value not in (None, False, 0, []) and any(_tells(one, telling) for one in item.inside)


def _tells(step: Step, telling: Telling) -> bool:
    match step:
        case Filtered(items=items):
            return not all(judged.kept for judged in items)
        case Computed(inside=inside) | Drawn(options=(), inside=inside):
            return any(_tells(one, telling) for one in inside)
        case SwitchRead(name=name):
            return name not in telling.switches
        case Reckoned(name=""):
            return _is_worth_telling(step, telling)
        case _:
            return True


# -- decisions and scales ------------------------------------------------------------------------


def _decided(step: Decided, telling: Telling, depth: int) -> Iterator[str]:
    """Where the first row counts, the rows above it say why they did not."""
    yield _line(sentences.decided(step, telling), sentences.decided_at(step), telling, depth)
    fired = [row for row in step.tried if isinstance(row.outcome, Fired)]
    in_order = step.policy is Policy.FIRST or not fired
    for rows in _runs(step.tried):
        first = rows[0]
        if not in_order or (first in fired and not (first.inside and len(step.tried) > 1)):
            yield from _lines((one for row in rows for one in row.inside), telling, depth + 1)
        elif len(rows) > 1:
            cells = (row.outcome.cell for row in rows)
            yield f"{INDENT * (depth + 1)}{sentences.rows_failed(rows, telling)} [{_cells(cells, telling)}]"
        else:
            yield _line(sentences.tried(first, telling), first.outcome.cell, telling, depth + 1)
            yield from _lines(first.inside, telling, depth + 2)
    yield from _lines(step.inside, telling, depth + 1)


def _runs(tried: tuple[Tried, ...]) -> Iterator[list[Tried]]:
    """Rows one after the other that fail for what was seen in the same column are told together."""
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


def _chosen(step: Chosen, telling: Telling, depth: int) -> Iterator[str]:
    yield _line(sentences.chosen(step, telling), step.heading.where.cell, telling, depth)
    for row in step.rows:
        yield _line(sentences.narrowed(row, step, telling), row.cell, telling, depth + 1)
        yield from _lines(row.inside, telling, depth + 2)
    yield from _lines(_new(step.inside, telling), telling, depth + 1)
    if step.decided is not None:
        yield _line(sentences.decides(step.decided, step, telling), step.decided.cell, telling, depth + 1)
    elif len(step.left) > 1:
        yield _line(sentences.equals(step, telling), step.heading.where.cell, telling, depth + 1)
