"""An explanation as plain data, for programs: every step with its kind, its cell and what is inside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, assert_never

from dtables.evaluator.trace import (
    Answered,
    Arguments,
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
from dtables.explanations.causes import in_words
from dtables.explanations.phrases import Voice, voice_in
from dtables.feel.values import FeelError, Plain
from dtables.feel.values import as_plain as plain_value
from dtables.model.tables import Words

Json = dict[str, Any]


def as_plain(explanation: Explanation) -> Json:
    """Return an explanation as JSON in no language: ids, fields and cells as programs spell them."""
    rendering = _Rendering(voice_in(explanation.ruleset, ""))
    return {
        "ask": explanation.ask,
        "answer": explanation.answer,
        **({"next": list(explanation.next)} if explanation.next else {}),
        "steps": rendering.steps(explanation.steps),
    }


@dataclass(frozen=True)
class _Rendering:
    """`written` are the steps that stand further up: what is inside them is not written twice."""

    voice: Voice
    written: set[Step] = field(default_factory=set)

    def steps(self, steps: tuple[Step, ...]) -> list[Json]:
        plain = []
        for step in dict.fromkeys(steps):
            match step:
                case Filtered(items=items, tried_by=None) if all(judged.kept for judged in items):
                    pass
                case Computed(inside=inside):
                    plain += [] if step in self.written else self.steps(inside)
                    self.written.add(step)
                case _:
                    plain.append(_step(step, self))
        return plain

    def inside(self, step: Step, steps: tuple[Step, ...]) -> Json:
        """Under `inside`, and only where there is something."""
        if step in self.written:
            return {"as_above": True} if steps else {}
        self.written.add(step)
        plain = self.steps(steps)
        return {"inside": plain} if plain else {}

    def within(self, steps: tuple[Step, ...]) -> Json:
        plain = self.steps(steps)
        return {"inside": plain} if plain else {}


def _step(step: Step, rendering: _Rendering) -> Json:
    """Keys in a fixed order; `inside` last."""
    match step:
        case Reckoned(name="", arguments=arguments):
            plain = {"kind": "item", "item": {name: _value(item) for name, item in arguments}}
            value = {"cell": str(step.cell), "value": _value(step.result)}
            return {**plain, **value, **rendering.inside(step, step.inside)}
        case Reckoned():
            plain = _named("formula", step.name, step.arguments, step.words)
            value = {"cell": str(step.cell), "value": _value(step.result)}
            return {
                **plain,
                **value,
                **_because(step.reasons, rendering),
                **rendering.inside(step, step.inside),
            }
        case Computed():
            plain = _named("field", step.name, (), ())
            return {**plain, "cell": str(step.cell), "value": _value(step.result)}
        case Filtered():
            items = [_judged(judged, rendering) for judged in step.items]
            kind = "filter" if step.tried_by is None else "items tried"
            return {"kind": kind, "cell": str(step.cell), "items": items}
        case Decided():
            return _decided(step, rendering)
        case Chosen():
            return _chosen(step, rendering)
        case Ranked(heading=heading, result=result):
            cell = str(heading.where.cell)
            return {"kind": "ranking", "name": heading.name, "cell": cell, "value": _value(result)}
        case LookedUp():
            plain = _named("look-up", step.heading.name, step.arguments, ())
            return {**plain, "cell": str(step.cell), "value": _value(step.result)}
        case SwitchRead():
            plain = _named("switch", step.name, (), step.words)
            value = {"value": _value(step.result), "recorded": step.recorded}
            return {**plain, "cell": str(step.cell), **value}
        case Drawn():
            return _drawn(step, rendering)
        case Stopped(cell=cell):
            return {"kind": "stop", "cell": str(cell)}
        case Answered():
            return _answered(step, rendering)
        case Demanded():
            plain = _named("next", step.heading.name, (), step.words)
            return {**plain, "cell": str(step.cell), **rendering.inside(step, step.inside)}
        case _:
            assert_never(step)


def _judged(judged: Judged, rendering: _Rendering) -> Json:
    item = {"item": _value(judged.item), "kept": judged.kept}
    return {**item, **_because(judged.reasons, rendering), **rendering.within(judged.inside)}


def _because(reasons: Reasons, rendering: _Rendering) -> Json:
    """Under `because`: the parts of a condition that made it what it is, and the values they look at."""
    plain = [
        {
            "cell": str(r.part.where.cell),
            "text": in_words(r, rendering.voice),
            "seen": [_value(one) for one in r.seen],
            "holds": r.holds,
        }
        for r in reasons
    ]
    return {"because": plain} if plain else {}


def _decided(step: Decided, rendering: _Rendering) -> Json:
    plain = _named("decision", step.heading.name, step.arguments, ())
    otherwise = {} if step.otherwise is None else {"otherwise": str(step.otherwise)}
    known = step in rendering.written
    return {
        **plain,
        "policy": step.policy.value,
        "cell": str(step.heading.where.cell),
        "value": _value(step.result),
        "rows": [_tried(row, () if known else row.inside, rendering) for row in step.tried],
        **otherwise,
        **rendering.inside(step, step.inside),
    }


def _tried(row: Tried, inside: tuple[Step, ...], rendering: _Rendering) -> Json:
    plain: Json = {"row": row.number, **_text(row.words)}
    return {**plain, **_outcome(row, rendering), **_failed(row, rendering), **rendering.within(inside)}


def _failed(row: Tried, rendering: _Rendering) -> Json:
    """Under `failed`, of a step that did not work: what the workbook says then, by language."""
    step = rendering.voice.labels.index.turn_steps.get(row.where)
    if step is None or isinstance(row.outcome, Fired) or not step.failed:
        return {}
    return {"failed": {language or "any": text for language, text in step.failed}}


def _outcome(row: Tried, rendering: _Rendering) -> Json:
    match row.outcome:
        case Fired(cell=cell, written=written):
            return {"fired": True, "cell": str(cell), "outcome": written}
        case NothingToTake(cell=cell):
            return {"fired": False, "cell": str(cell), "outcome": None}
        case Failed(column=column, seen=seen, wanted=wanted, reasons=reasons, cell=cell):
            found = {} if seen is None else {"seen": _value(seen)}
            failure = {"column": column, **found, "wanted": wanted}
            return {"fired": False, "cell": str(cell), **failure, **_because(reasons, rendering)}
        case _:
            assert_never(row.outcome)


def _chosen(step: Chosen, rendering: _Rendering) -> Json:
    decided = {} if step.decided is None else {"decided": _row(step.decided)}
    known = step in rendering.written
    return {
        **_named("scale", step.heading.name, step.arguments, ()),
        "cell": str(step.heading.where.cell),
        "value": _value(step.result),
        "candidates": [_value(candidate) for candidate in step.candidates],
        "rows": [_narrowed(row, () if known else row.inside, rendering) for row in step.rows],
        "left": list(step.left),
        **decided,
        **rendering.inside(step, step.inside),
    }


def _narrowed(row: Narrowed, inside: tuple[Step, ...], rendering: _Rendering) -> Json:
    """Candidates are given by their position in the list, from 0."""
    return {
        **_row(row),
        **_text(row.criterion.words),
        "prefer": row.criterion.written,
        "seen": {str(position): _value(value) for position, value in row.seen},
        "left": list(row.left),
        "dropped": list(row.dropped),
        **rendering.within(inside),
    }


def _row(row: Narrowed) -> Json:
    return {"scale": row.scale, "row": row.number, "cell": str(row.cell)}


def _drawn(step: Drawn, rendering: _Rendering) -> Json:
    return {
        **_named("draw", step.name, (), step.words),
        "cell": str(step.cell),
        "options": [_value(option) for option in step.options],
        "value": None if step.taken is None else _value(step.taken),
        "recorded": step.recorded,
        "open": step.taken is None and bool(step.options),
        **rendering.inside(step, step.inside),
    }


def _answered(step: Answered, rendering: _Rendering) -> Json:
    any_of = {"any_of": [_value(value) for value in step.any_of]} if step.any_of else {}
    return {
        **_named("answer", step.name, (), step.words),
        "cell": str(step.cell),
        "value": _value(step.result),
        **any_of,
        **rendering.inside(step, step.inside),
    }


def _named(kind: str, name: str, arguments: Arguments, words: Words) -> Json:
    given = {"given": {name: _value(value) for name, value in arguments}} if arguments else {}
    return {"kind": kind, "name": name, **given, **_text(words)}


def _text(words: Words) -> Json:
    return {"text": {language or "any": word for language, word in words}} if words else {}


def _value(shown: Shown) -> Plain:
    """What has no plain form (a function) is given as text."""
    try:
        return plain_value(shown.value)
    except FeelError:
        return str(shown.value)
