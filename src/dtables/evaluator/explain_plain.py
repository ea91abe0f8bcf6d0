"""An explanation as plain data, for programs: every step with its kind, its cell and what is inside it."""

from __future__ import annotations

from typing import Any, assert_never

from dtables.evaluator.trace import (
    Answered,
    Arguments,
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
from dtables.feel.values import FeelError, Plain
from dtables.feel.values import as_plain as plain_value
from dtables.model.tables import Words

Json = dict[str, Any]


def as_plain(explanation: Explanation) -> Json:
    return {
        "ask": explanation.ask,
        "answer": explanation.answer,
        "steps": [_step(step) for step in explanation.steps],
    }


def _step(step: Step) -> Json:
    """Keys in a fixed order; `inside` last and only where there is something."""
    match step:
        case Reckoned():
            plain = _named("formula", step.name, step.arguments, step.words)
            return {**plain, "cell": str(step.cell), "value": _value(step.result), **_inside(step.inside)}
        case Decided():
            return _decided(step)
        case Chosen():
            return _chosen(step)
        case Ranked(heading=heading, result=result):
            cell = str(heading.where.cell)
            return {"kind": "ranking", "name": heading.name, "cell": cell, "value": _value(result)}
        case LookedUp():
            plain = _named("look-up", step.heading.name, step.arguments, ())
            return {**plain, "cell": str(step.cell), "value": _value(step.result)}
        case SwitchRead():
            plain = _named("switch", step.name, (), step.words)
            value = _value(step.result)
            return {**plain, "cell": str(step.cell), "value": value, "recorded": step.recorded}
        case Drawn():
            return _drawn(step)
        case Stopped(cell=cell):
            return {"kind": "stop", "cell": str(cell)}
        case Answered():
            return _answered(step)
        case _:
            assert_never(step)


def _decided(step: Decided) -> Json:
    plain = _named("decision", step.heading.name, step.arguments, ())
    otherwise = {} if step.otherwise is None else {"otherwise": str(step.otherwise)}
    return {
        **plain,
        "policy": step.policy.value,
        "cell": str(step.heading.where.cell),
        "value": _value(step.result),
        "rows": [_tried(row) for row in step.tried],
        **otherwise,
        **_inside(step.inside),
    }


def _tried(row: Tried) -> Json:
    plain: Json = {"row": row.number or row.where.address, **_text(row.words)}
    match row.outcome:
        case Fired(cell=cell, written=written):
            return {**plain, "fired": True, "cell": str(cell), "outcome": written}
        case NothingToTake(cell=cell):
            return {**plain, "fired": False, "cell": str(cell), "outcome": None}
        case Failed(column=column, seen=seen, wanted=wanted, cell=cell):
            found = {} if seen is None else {"seen": _value(seen)}
            return {**plain, "fired": False, "cell": str(cell), "column": column, **found, "wanted": wanted}
        case _:
            assert_never(row.outcome)


def _chosen(step: Chosen) -> Json:
    decided = {} if step.decided is None else {"decided": _row(step.decided)}
    return {
        **_named("scale", step.heading.name, step.arguments, ()),
        "cell": str(step.heading.where.cell),
        "value": _value(step.result),
        "candidates": [_value(candidate) for candidate in step.candidates],
        "rows": [_narrowed(row) for row in step.rows],
        "left": list(step.left),
        **decided,
        **_inside(step.inside),
    }


def _narrowed(row: Narrowed) -> Json:
    """Candidates are told by their position in the list, from 0."""
    return {
        **_row(row),
        **_text(row.words),
        "prefer": row.written,
        "seen": {str(position): _value(value) for position, value in row.seen},
        "left": list(row.left),
        "dropped": list(row.dropped),
    }


def _row(row: Narrowed) -> Json:
    return {"scale": row.scale, "row": row.number, "cell": str(row.cell)}


def _drawn(step: Drawn) -> Json:
    return {
        **_named("draw", step.name, (), step.words),
        "cell": str(step.cell),
        "options": [_value(option) for option in step.options],
        "value": None if step.taken is None else _value(step.taken),
        "recorded": step.recorded,
        "open": step.taken is None and bool(step.options),
        **_inside(step.inside),
    }


def _answered(step: Answered) -> Json:
    any_of = {"any_of": [_value(value) for value in step.any_of]} if step.any_of else {}
    return {
        **_named("answer", step.name, (), step.words),
        "cell": str(step.cell),
        "value": _value(step.result),
        **any_of,
        **_inside(step.inside),
    }


def _named(kind: str, name: str, arguments: Arguments, words: Words) -> Json:
    given = {"given": {name: _value(value) for name, value in arguments}} if arguments else {}
    return {"kind": kind, "name": name, **given, **_text(words)}


def _text(words: Words) -> Json:
    return {"text": {language or "any": word for language, word in words}} if words else {}


def _inside(steps: tuple[Step, ...]) -> Json:
    return {"inside": [_step(step) for step in steps]} if steps else {}


def _value(shown: Shown) -> Plain:
    """What has no plain form (a function) is told as text."""
    try:
        return plain_value(shown.value)
    except FeelError:
        return str(shown.value)
