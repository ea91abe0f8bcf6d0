"""What a number is made of, on one line: `5 − 1`, `2 + 3 + 2`, each value as it was."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from dtables.evaluator.trace import Seen, Shown, Step, is_made
from dtables.explanations.causes import named, source_of
from dtables.explanations.phrases import Voice
from dtables.feel.types import NumberType, plain
from dtables.feel.values import Value
from dtables.model.expressions import (
    Arithmetic,
    CallBuiltin,
    Conditional,
    Constant,
    Expression,
    Guard,
    Negation,
)
from dtables.wording.expressions import BINDS, LAST
from dtables.wording.phrases import sign_of
from dtables.wording.values import number_in

MOST_OPERANDS = 4
CALLED = "called"
BINDING = {**BINDS, CALLED: 0}


def made_of(worked_out: Expression, seen: Seen | None, inside: tuple[Step, ...], voice: Voice) -> str:
    """Return the numbers that a number was made of; "" where there are none to show, or too many."""
    if not seen or not is_made(worked_out):
        return ""
    making = _Making(seen, inside, voice)
    part = _reached(worked_out, seen)
    if not _has_operands(part, seen):
        return ""
    text = making.text(part)
    if making.operands > MOST_OPERANDS or making.lacking:
        making = _Making(seen, inside, voice, deep=False)
        text = making.text(part)
    shows = making.something and not making.lacking and making.operands <= MOST_OPERANDS
    return text if shows else ""


def _reached(part: Expression, seen: Seen) -> Expression:
    """The branch that was taken, without guards."""
    match part:
        case Guard(operand=operand):
            return _reached(operand, seen)
        case Conditional(then=then, otherwise=otherwise):
            taken = next((one for one in (then, otherwise) if _is_known(one, seen)), None)
            return part if taken is None else _reached(taken, seen)
        case _:
            return part


def _is_known(part: Expression, seen: Seen) -> bool:
    return id(part) in seen or (isinstance(part, Guard) and _is_known(part.operand, seen))


def _has_operands(part: Expression, seen: Seen) -> bool:
    """A value alone, or one made of what is written there, needs no words."""
    match part:
        case Arithmetic(left=left, right=right):
            return not (isinstance(left, Constant) and isinstance(right, Constant))
        case Negation():
            return False
        case CallBuiltin(builtin="sum", arguments=(one,)):
            return len(_summands(value_of(one, seen))) > 1
        case CallBuiltin(builtin="count"):
            return False
        case CallBuiltin(builtin="min" | "max", arguments=arguments):
            return len(arguments) > 1
        case CallBuiltin():
            return is_made(part) and any(is_made(one) for one in part.arguments)
        case _:
            return False


def _summands(listed: Value) -> list[int | Decimal]:
    """The numbers of a list that add anything."""
    items = listed if isinstance(listed, list) else []
    return [one for one in items if isinstance(one, int | Decimal) and not isinstance(one, bool) and one != 0]


def _sign(made: Expression) -> str:
    """The operator that a number is made with: what is added up is a sum, whatever else a call."""
    match made:
        case Arithmetic(operator=operator):
            return operator
        case CallBuiltin(builtin="sum"):
            return "+"
        case _:
            return CALLED


def value_of(part: Expression, seen: Seen) -> Value:
    """What a part came to, with or without its guard; null where it is not known."""
    while id(part) not in seen and isinstance(part, Guard):
        part = part.operand
    return seen.get(id(part))


class _Making:
    """One number. `operands` are counted on the way; `lacking`: one of them is not known;
    `something`: not all are 0."""

    def __init__(self, seen: Seen, inside: tuple[Step, ...], voice: Voice, *, deep: bool = True) -> None:
        self.seen, self.inside, self.voice, self.deep = seen, inside, voice, deep
        self.operands = 0
        self.lacking = False
        self.something = False

    def text(self, part: Expression) -> str:
        match part:
            case Guard(operand=operand):
                return self.text(operand)
            case Arithmetic(operator=operator, left=left, right=right):
                sign = sign_of(operator)
                return f"{self._operand(left, operator)} {sign} {self._operand(right, operator, LAST)}"
            case CallBuiltin(builtin="sum", arguments=(one,)):
                return " + ".join(self._summands(one))
            case CallBuiltin(builtin="min" | "max" as builtin, arguments=(one, other)):
                return self._bounded(builtin, one, other)
            case CallBuiltin(builtin=builtin, arguments=arguments):
                parts = [self._apart(one) for one in arguments]
                return self.voice.expressions.called(builtin, (self.voice.phrases.joined("and", *parts),))
            case _:
                return self._value(part)

    def _bounded(self, builtin: str, one: Expression, other: Expression) -> str:
        """`3 − 5, but at least 0`, where that mattered; of two values that are worked out the smaller or the
        greater."""
        phrases = self.voice.phrases
        if isinstance(one, Constant):
            one, other = other, one
        if not isinstance(other, Constant):
            parts = (self._apart(one), self._apart(other))
            return self.voice.expressions.called(builtin, (phrases.joined("and", *parts),))
        value, bound = value_of(one, self.seen), other.value
        if not isinstance(value, int | Decimal) or not isinstance(bound, int | Decimal):
            self.lacking = True
        elif value >= bound if builtin == "max" else value <= bound:
            return self._part(one)
        return phrases.phrase(
            "at least" if builtin == "max" else "at most", self._part(one), self._value(other)
        )

    def _apart(self, part: Expression) -> str:
        """In brackets where it is made of others."""
        return f"({self._part(part)})" if self._goes_on(part) else self._part(part)

    def _summands(self, listed: Expression) -> Iterator[str]:
        numbers = _summands(value_of(listed, self.seen))
        self.operands += len(numbers)
        self.something = self.something or bool(numbers)
        for number in numbers[: MOST_OPERANDS + 1]:
            text = number_in(self.voice.phrases, number)
            yield f"({text})" if number < 0 else text

    def _operand(self, part: Expression, operator: str, closer: int = 0) -> str:
        """Brackets around what binds less, and around what is taken away or divided by."""
        text = self._part(part)
        if self._goes_on(part):
            inner = _reached(part, self.seen)
            binds = BINDING[_sign(inner)]
            return text if binds >= BINDS[operator] + closer else f"({text})"
        return f"({text})" if closer and self._is_negative(part) else text

    def _is_negative(self, part: Expression) -> bool:
        value = part.value if isinstance(part, Constant) else value_of(part, self.seen)
        return isinstance(value, int | Decimal) and value < 0

    def _part(self, part: Expression) -> str:
        if self._goes_on(part):
            return self.text(_reached(part, self.seen))
        return self._value(part)

    def _goes_on(self, part: Expression) -> bool:
        """Of many numbers only what is added and taken away, not what those are made of in turn."""
        inner = _reached(part, self.seen)
        if not is_made(inner) or not _has_operands(inner, self.seen):
            return False
        return self.deep or (isinstance(inner, Arithmetic) and inner.operator in ("+", "-"))

    def _value(self, part: Expression) -> str:
        """A value, with what it is called where no line below says so."""
        self.operands += 1
        if isinstance(part, Constant):
            self.something = self.something or part.value != 0
            return self.voice.values.value(Shown(part.value, part.type))
        if id(part) not in self.seen:
            self.lacking = True
            return ""
        shown = Shown(self.seen[id(part)], part.type)
        if (
            shown.value is None
            or isinstance(shown.value, bool)
            or not isinstance(plain(part.type), NumberType)
        ):
            self.lacking = True
        text = self.voice.values.value(shown)
        if source_of(part, shown, self.inside) is not None:
            return text
        is_sum = isinstance(_reached(part, self.seen), Arithmetic | Negation)
        name = "" if is_sum else named(part, self.voice)
        self.something = self.something or shown.value != 0
        return f"{name} {text}" if name else text
