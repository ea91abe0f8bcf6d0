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
from dtables.explanations.voice import Voice, voice_in
from dtables.feel.values import FeelError, Plain
from dtables.feel.values import as_plain as plain_value
from dtables.model.tables import Words

Json = dict[str, Any]


def as_plain(explanation: Explanation) -> Json:
    """Return an explanation as JSON in no language: ids, fields and cells as programs spell them."""
    telling = _Telling(voice_in(explanation.ruleset, ""))
    return {
        "ask": explanation.ask,
        "answer": explanation.answer,
        **({"next": list(explanation.next)} if explanation.next else {}),
        "steps": telling.steps(explanation.steps),
    }


@dataclass(frozen=True)
class _Telling:
    """`told` are the steps that stand further up: what is inside them is not told twice."""

    voice: Voice
    told: set[Step] = field(default_factory=set)

    def steps(self, steps: tuple[Step, ...]) -> list[Json]:
        told = []
        for step in dict.fromkeys(steps):
            match step:
                case Filtered(items=items) if all(judged.kept for judged in items):
                    pass
                case Computed(inside=inside):
                    told += [] if step in self.told else self.steps(inside)
                    self.told.add(step)
                case _:
                    told.append(_step(step, self))
        return told

    def inside(self, step: Step, steps: tuple[Step, ...]) -> Json:
        """Under `inside`, and only where there is something."""
        if step in self.told:
            return {"as_above": True} if steps else {}
        self.told.add(step)
        told = self.steps(steps)
        return {"inside": told} if told else {}

    def within(self, steps: tuple[Step, ...]) -> Json:
        told = self.steps(steps)
        return {"inside": told} if told else {}


def _step(step: Step, telling: _Telling) -> Json:
    """Keys in a fixed order; `inside` last."""
    match step:
        case Reckoned(name="", arguments=arguments):
            plain = {"kind": "item", "item": {name: _value(item) for name, item in arguments}}
            value = {"cell": str(step.cell), "value": _value(step.result)}
            return {**plain, **value, **telling.inside(step, step.inside)}
        case Reckoned():
            plain = _named("formula", step.name, step.arguments, step.words)
            value = {"cell": str(step.cell), "value": _value(step.result)}
            return {**plain, **value, **_because(step.reasons, telling), **telling.inside(step, step.inside)}
        case Computed():
            plain = _named("field", step.name, (), ())
            return {**plain, "cell": str(step.cell), "value": _value(step.result)}
        case Filtered():
            items = [_judged(judged, telling) for judged in step.items]
            return {"kind": "filter", "cell": str(step.cell), "items": items}
        case Decided():
            return _decided(step, telling)
        case Chosen():
            return _chosen(step, telling)
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
            return _drawn(step, telling)
        case Stopped(cell=cell):
            return {"kind": "stop", "cell": str(cell)}
        case Answered():
            return _answered(step, telling)
        case Demanded():
            plain = _named("next", step.heading.name, (), step.words)
            return {**plain, "cell": str(step.cell), **telling.inside(step, step.inside)}
        case _:
            assert_never(step)


def _judged(judged: Judged, telling: _Telling) -> Json:
    item = {"item": _value(judged.item), "kept": judged.kept}
    return {**item, **_because(judged.reasons, telling), **telling.within(judged.inside)}


def _because(reasons: Reasons, telling: _Telling) -> Json:
    """Under `because`: the parts of a condition that made it what it is, and the values they look at."""
    told = [
        {
            "cell": str(r.part.where.cell),
            "text": in_words(r, telling.voice),
            "seen": [_value(one) for one in r.seen],
            "holds": r.holds,
        }
        for r in reasons
    ]
    return {"because": told} if told else {}


def _decided(step: Decided, telling: _Telling) -> Json:
    plain = _named("decision", step.heading.name, step.arguments, ())
    otherwise = {} if step.otherwise is None else {"otherwise": str(step.otherwise)}
    known = step in telling.told
    return {
        **plain,
        "policy": step.policy.value,
        "cell": str(step.heading.where.cell),
        "value": _value(step.result),
        "rows": [_tried(row, () if known else row.inside, telling) for row in step.tried],
        **otherwise,
        **telling.inside(step, step.inside),
    }


def _tried(row: Tried, inside: tuple[Step, ...], telling: _Telling) -> Json:
    plain: Json = {"row": row.number, **_text(row.words)}
    return {**plain, **_outcome(row, telling), **telling.within(inside)}


def _outcome(row: Tried, telling: _Telling) -> Json:
    match row.outcome:
        case Fired(cell=cell, written=written):
            return {"fired": True, "cell": str(cell), "outcome": written}
        case NothingToTake(cell=cell):
            return {"fired": False, "cell": str(cell), "outcome": None}
        case Failed(column=column, seen=seen, wanted=wanted, reasons=reasons, cell=cell):
            found = {} if seen is None else {"seen": _value(seen)}
            wants = {"column": column, **found, "wanted": wanted}
            return {"fired": False, "cell": str(cell), **wants, **_because(reasons, telling)}
        case _:
            assert_never(row.outcome)


def _chosen(step: Chosen, telling: _Telling) -> Json:
    decided = {} if step.decided is None else {"decided": _row(step.decided)}
    known = step in telling.told
    return {
        **_named("scale", step.heading.name, step.arguments, ()),
        "cell": str(step.heading.where.cell),
        "value": _value(step.result),
        "candidates": [_value(candidate) for candidate in step.candidates],
        "rows": [_narrowed(row, () if known else row.inside, telling) for row in step.rows],
        "left": list(step.left),
        **decided,
        **telling.inside(step, step.inside),
    }


def _narrowed(row: Narrowed, inside: tuple[Step, ...], telling: _Telling) -> Json:
    """Candidates are told by their position in the list, from 0."""
    return {
        **_row(row),
        **_text(row.criterion.words),
        "prefer": row.criterion.written,
        "seen": {str(position): _value(value) for position, value in row.seen},
        "left": list(row.left),
        "dropped": list(row.dropped),
        **telling.within(inside),
    }


def _row(row: Narrowed) -> Json:
    return {"scale": row.scale, "row": row.number, "cell": str(row.cell)}


def _drawn(step: Drawn, telling: _Telling) -> Json:
    return {
        **_named("draw", step.name, (), step.words),
        "cell": str(step.cell),
        "options": [_value(option) for option in step.options],
        "value": None if step.taken is None else _value(step.taken),
        "recorded": step.recorded,
        "open": step.taken is None and bool(step.options),
        **telling.inside(step, step.inside),
    }


def _answered(step: Answered, telling: _Telling) -> Json:
    any_of = {"any_of": [_value(value) for value in step.any_of]} if step.any_of else {}
    return {
        **_named("answer", step.name, (), step.words),
        "cell": str(step.cell),
        "value": _value(step.result),
        **any_of,
        **telling.inside(step, step.inside),
    }


def _named(kind: str, name: str, arguments: Arguments, words: Words) -> Json:
    given = {"given": {name: _value(value) for name, value in arguments}} if arguments else {}
    return {"kind": kind, "name": name, **given, **_text(words)}


def _text(words: Words) -> Json:
    return {"text": {language or "any": word for language, word in words}} if words else {}


def _value(shown: Shown) -> Plain:
    """What has no plain form (a function) is told as text."""
    try:
        return plain_value(shown.value)
    except FeelError:
        return str(shown.value)
