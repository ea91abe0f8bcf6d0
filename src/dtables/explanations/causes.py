"""Why a condition is what it is, in one breath: the parts that settled it, with the values they look at.

A part that is itself a condition worked out elsewhere (a formula, a step, a computed field) gives way to
its own reasons: `payable: no` explains less than `bill 5 > cap 4`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import assert_never

from dtables.evaluator.trace import (
    Chosen,
    Computed,
    Decided,
    LookedUp,
    Reason,
    Reasons,
    Reckoned,
    Shown,
    Step,
    all_steps,
    looked_at,
)
from dtables.explanations.phrases import Voice
from dtables.model.expressions import (
    Arithmetic,
    ByKey,
    CallBuiltin,
    CallStep,
    CallTable,
    Comparison,
    Constant,
    EqualTo,
    Expression,
    FieldOf,
    Filter,
    For,
    Guard,
    InList,
    InputField,
    MakeList,
    Matches,
    NameOf,
    Negation,
    Read,
    Switch,
    Test,
)
from dtables.wording.expressions import OPPOSITE
from dtables.wording.labels import MOST_KEPT, shortened
from dtables.wording.phrases import sign_of

LONGEST_NAME = 60
"""Letters of what a count is called within a sentence."""
CIRCULAR = re.compile(r"\b(\w+) = \1\b")
STOPS = re.compile(r"[:;] ")

Source = Reckoned | Computed | Decided | Chosen | LookedUp


@dataclass(frozen=True, slots=True)
class Cause:
    """A reason, and the steps among which what it looks at was worked out."""

    reason: Reason
    steps: tuple[Step, ...]

    def sources(self) -> tuple[Source, ...]:
        """The steps that gave the values it looks at."""
        parts = zip(looked_at(self.reason.part), self.reason.seen, strict=True)
        found = (source_of(part, seen, self.steps) for part, seen in parts)
        return tuple(step for step in found if step is not None)


def causes(reasons: Reasons, steps: tuple[Step, ...], voice: Voice) -> tuple[Cause, ...]:
    """The reasons behind reasons, as far as they are known."""
    return tuple(cause for reason in reasons for cause in _causes_behind(reason, steps, voice))


def _causes_behind(reason: Reason, steps: tuple[Step, ...], voice: Voice) -> tuple[Cause, ...]:
    source = None
    if not isinstance(reason.part, (Comparison, Matches)):
        source = source_of(reason.part, reason.seen[0], steps)
    if isinstance(source, (Reckoned, Computed)):
        found = causes(source.reasons, source.inside, voice)
        if because(found, voice):
            return found
    return (Cause(reason, steps),)


def because(found: tuple[Cause, ...], voice: Voice, about: str = "") -> str:
    """In words; nothing where no part has a name. What the item in question is called, is known."""
    words = (in_words(cause.reason, voice, about) for cause in found)
    return "; ".join(dict.fromkeys(text for text in words if text))


# -- where a value comes from --------------------------------------------------------------------


def source_of(part: Expression, seen: Shown, steps: tuple[Step, ...]) -> Source | None:
    """The last of them, where a table was called several times. What is read of a table's record stands
    among the steps of that table."""
    if isinstance(part, Guard):
        return source_of(part.operand, seen, steps)
    for step in reversed(steps):
        if isinstance(step, Source) and _name_of(step) == _called(part) and _gave(step, seen):
            return step
    if isinstance(part, FieldOf):
        tables = [s for s in steps if isinstance(s, Source) and _name_of(s) == _called(part.of)]
        inner = tuple(step for step in all_steps(tables) if isinstance(step, Reckoned))
        return next((step for step in inner if step.name == part.name and _gave(step, seen)), None)
    return None


def _name_of(step: Source) -> str:
    match step:
        case Reckoned(name=name) | Computed(name=name):
            return name
        case Decided(heading=heading) | Chosen(heading=heading) | LookedUp(heading=heading):
            return heading.name
        case _:
            assert_never(step)


def _gave(step: Source, seen: Shown) -> bool:
    return step.result.value is seen.value or step.result.value == seen.value


def _called(part: Expression) -> str | None:
    match part:
        case CallTable(table=name) | FieldOf(name=name):
            return name
        case CallStep(step=variable) | Read(variable=variable):
            return variable.name
        case _:
            return None


# -- in words --------------------------------------------------------------------------------------


def in_words(reason: Reason, voice: Voice, about: str = "") -> str:
    part, seen = reason.part, [voice.values.value(shown) for shown in reason.seen]
    names = [named(one, voice) for one in looked_at(part)]
    if not any(names) and not _is_the_item(part, seen[0], about):
        return ""
    match part:
        case Comparison():
            return _compared(part, reason.holds, names, seen, voice, about)
        case Matches(tests=(InList(),)):
            text = "" if seen[0] == about and not names[0] else seen[0]
            return _among(reason.holds, names, [text, seen[1]], voice)
        case Matches(tests=tests) if reason.holds is not True and names_of(tests, voice):
            return _unequal(names[0], seen[0], names_of(tests, voice), voice)
        case _:
            return f"{names[0]}: {seen[0]}"


def names_of(tests: tuple[Test, ...], voice: Voice) -> str:
    """What a plain list of names requires; else nothing."""
    for test in tests:
        match test:
            case EqualTo(value=NameOf() | Constant(value=bool())):
                continue
            case _:
                return ""
    return voice.expressions.either(tests)


def _is_the_item(part: Expression, seen: str, about: str) -> bool:
    """Is what the item is called compared with a name that stands in the cell?"""
    return isinstance(part, Comparison) and isinstance(part.right, NameOf) and seen in about


def _among(holds: bool | None, names: list[str], seen: list[str], voice: Voice) -> str:
    phrase = voice.sentences.is_among if holds else voice.sentences.is_not_among
    listed = f"{names[1]}: {seen[1]}" if names[1] else seen[1]
    return phrase.format(seen=f"{names[0]} {seen[0]}".strip(), expected=listed).strip()


def _unequal(name: str, seen: str, expected: str, voice: Voice) -> str:
    """Something is other than required."""
    text = voice.sentences.not_that.format(seen=seen, expected=expected).removeprefix(", ")
    return f"{name}: {text}" if name else text


def _compared(
    part: Comparison, holds: bool | None, names: list[str], seen: list[str], voice: Voice, about: str
) -> str:
    """As it is, not as it was required. A value that equals one written in the cell is shown once, one that
    the item is called by not at all."""
    left, right = (f"{name} {value}".strip() for name, value in zip(names, seen, strict=True))
    sign = sign_of(part.operator) if holds else OPPOSITE[part.operator]
    is_written = isinstance(part.right, (Constant, NameOf))
    is_nothing = _is_nothing(part.right)
    if holds is None or is_nothing or (sign == "=" and is_written):
        return f"{names[0]}: {seen[0]}" if names[0] else seen[0]
    if sign == sign_of("!="):
        expected = f"{seen[1]} ({names[1]})" if names[1] not in ("", names[0]) else seen[1]
        return _unequal(names[0], "" if _is_the_item(part, seen[0], about) else seen[0], expected, voice)
    return f"{left} {sign} {right}"


def _is_nothing(part: Expression) -> bool:
    """Null or the empty list: what is compared with it says by itself whether it is."""
    match part:
        case Constant(value=None) | MakeList(items=()):
            return True
        case _:
            return False


def named(part: Expression, voice: Voice) -> str:
    """What an expression is about, or nothing; a value that stands in the cell needs no name."""
    match part:
        case Guard(operand=operand) | Negation(operand=operand):
            return named(operand, voice)
        case CallTable(table=name):
            return _within(voice.labels.table(name), voice)
        case CallStep(step=variable) | Read(variable=variable):
            return _within(voice.labels.variable(variable), voice)
        case FieldOf(of=InputField(name=whole), name=name):
            owner = _within(voice.labels.anything(whole), voice)
            return voice.phrases.phrase("of", _within(voice.labels.anything(name), voice), owner)
        case FieldOf(name=name) | InputField(name=name):
            return _within(voice.labels.anything(name), voice)
        case Switch(name=name):
            return voice.labels.term(name)
        case ByKey(of=of) | Filter(of=of):
            return named(of, voice)
        case For(result=result):
            return named(result, voice)
        case CallBuiltin(arguments=(Filter(), *_)) if voice.labels.language:
            text = voice.expressions.say(part)
            return "" if len(text) > LONGEST_NAME or CIRCULAR.search(text) else text
        case CallBuiltin(builtin=builtin, arguments=(first, *_)):
            inner = named(first, voice)
            return voice.expressions.called(builtin, (inner,)) if inner else ""
        case Arithmetic(operator=operator, left=left, right=right):
            sides = [
                named(left, voice) or _value(left, voice),
                named(right, voice) or _value(right, voice),
            ]
            return f"{sides[0]} {sign_of(operator)} {sides[1]}" if all(sides) else ""
        case _:
            return ""


def _within(label: str, voice: Voice) -> str:
    """A label in the middle of a sentence: without what explains it; in quotes where it has stops itself."""
    known = voice.labels.within.get(label)
    if known is None:
        stops = STOPS.search(label) is not None
        known = voice.phrases.quoted(label) if stops else voice.expressions.small(shortened(label))
        if len(voice.labels.within) < MOST_KEPT:
            voice.labels.within[label] = known
    return known


def _value(part: Expression, voice: Voice) -> str:
    return voice.values.value(Shown(part.value, part.type)) if isinstance(part, Constant) else ""
