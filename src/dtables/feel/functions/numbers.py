"""Built-ins on numbers."""

from __future__ import annotations

from dtables.feel import numbers
from dtables.feel.errors import FeelError
from dtables.feel.functions.arguments import number_in, single, whole_in
from dtables.feel.functions.entry import Builtin, all_whole, always, first, takes
from dtables.feel.kinds import Value
from dtables.feel.numbers import Number
from dtables.feel.temporal import DaysDuration, YearsDuration
from dtables.feel.types import (
    BOOLEAN,
    DAYS_DURATION,
    NUMBER,
    WHOLE,
    YEARS_DURATION,
    NumberType,
    Type,
)


def decimal_of(n: Value, scale: Value) -> Number:
    return numbers.round_even(number_in(n), whole_in(scale))


def floor_of(n: Value, *scale: Value) -> Number:
    return numbers.floor(number_in(n), _scale(scale))


def ceiling_of(n: Value, *scale: Value) -> Number:
    return numbers.ceiling(number_in(n), _scale(scale))


def _scale(scale: tuple[Value, ...]) -> int:
    """Left out it is 0; given as null it is a mistake."""
    return whole_in(scale[0]) if scale else 0


def round_up_of(n: Value, scale: Value) -> Number:
    return numbers.round_up(number_in(n), whole_in(scale))


def round_down_of(n: Value, scale: Value) -> Number:
    return numbers.round_down(number_in(n), whole_in(scale))


def round_half_up_of(n: Value, scale: Value) -> Number:
    return numbers.round_half_up(number_in(n), whole_in(scale))


def round_half_down_of(n: Value, scale: Value) -> Number:
    return numbers.round_half_down(number_in(n), whole_in(scale))


def absolute(n: Value) -> Value:
    n = single(n)
    if isinstance(n, DaysDuration):
        return DaysDuration(abs(n.nanos))
    if isinstance(n, YearsDuration):
        return YearsDuration(abs(n.months))
    number = number_in(n)
    return numbers.negate(number) if number < 0 else number


def modulo_of(dividend: Value, divisor: Value) -> Number:
    return numbers.modulo(number_in(dividend), number_in(divisor))


def square_root_of(number: Value) -> Number:
    return numbers.square_root(number_in(number))


def logarithm_of(number: Value) -> Number:
    return numbers.logarithm(number_in(number))


def exponential_of(number: Value) -> Number:
    return numbers.exponential(number_in(number))


def is_odd(number: Value) -> bool:
    """A number that is not whole is neither odd nor even."""
    checked = number_in(number)
    return type(checked) is int and checked % 2 == 1


def is_even(number: Value) -> bool:
    checked = number_in(number)
    return type(checked) is int and checked % 2 == 0


def clamp(n: Value, low: Value, high: Value) -> Number:
    checked, least, most = number_in(n), number_in(low), number_in(high)
    if least > most:
        raise FeelError("the lower bound is above the upper one")
    return min(max(checked, least), most)


def _rounded(types: tuple[Type, ...]) -> Type:
    """Whole without a scale; with one it depends on the scale's value, unless the number is whole."""
    return WHOLE if len(types) < 2 else NumberType(whole=all_whole(types[0]))


def _whole_if_all(types: tuple[Type, ...]) -> Type:
    return NumberType(whole=bool(types) and all(all_whole(given) for given in types))


_TO_SCALE = takes(("n", NUMBER), ("scale", WHOLE))
_ONE = (takes(("number", NUMBER)),)

NUMERIC = (
    Builtin(
        "decimal",
        (_TO_SCALE,),
        _rounded,
        "n rounded to `scale` digits after the point; a half goes to the even neighbour",
        (("decimal(1/3, 2)", "0.33"), ("decimal(2.5, 0)", "2")),
        decimal_of,
    ),
    Builtin(
        "floor",
        (takes(("n", NUMBER)), _TO_SCALE),
        _rounded,
        "the greatest number not above n with `scale` digits after the point (0 if left out)",
        (("floor(1.5)", "1"), ("floor(-1.56, 1)", "-1.6")),
        floor_of,
    ),
    Builtin(
        "ceiling",
        (takes(("n", NUMBER)), _TO_SCALE),
        _rounded,
        "the least number not below n with `scale` digits after the point (0 if left out)",
        (("ceiling(1.5)", "2"), ("ceiling(-1.56, 1)", "-1.5")),
        ceiling_of,
    ),
    Builtin(
        "round up",
        (_TO_SCALE,),
        _rounded,
        "n rounded to `scale` digits, away from zero",
        (("round up(5.1, 0)", "6"), ("round up(-1.126, 2)", "-1.13")),
        round_up_of,
    ),
    Builtin(
        "round down",
        (_TO_SCALE,),
        _rounded,
        "n rounded to `scale` digits, towards zero",
        (("round down(5.9, 0)", "5"), ("round down(-1.126, 2)", "-1.12")),
        round_down_of,
    ),
    Builtin(
        "round half up",
        (_TO_SCALE,),
        _rounded,
        "n rounded to `scale` digits, a half away from zero",
        (("round half up(5.5, 0)", "6"), ("round half up(-5.5, 0)", "-6")),
        round_half_up_of,
    ),
    Builtin(
        "round half down",
        (_TO_SCALE,),
        _rounded,
        "n rounded to `scale` digits, a half towards zero",
        (("round half down(5.5, 0)", "5"), ("round half down(-5.5, 0)", "-5")),
        round_half_down_of,
    ),
    Builtin(
        "abs",
        (takes(("n", NUMBER)), takes(("n", DAYS_DURATION)), takes(("n", YEARS_DURATION))),
        first,
        "n without its sign; also of durations",
        (("abs(-3)", "3"), ('abs(@"-P1D")', '@"P1D"')),
        absolute,
    ),
    Builtin(
        "modulo",
        (takes(("dividend", NUMBER), ("divisor", NUMBER)),),
        _whole_if_all,
        "the rest of a division, with the divisor's sign",
        (("modulo(12, 5)", "2"), ("modulo(-12, 5)", "3"), ("modulo(10.1, 4.5)", "1.1")),
        modulo_of,
    ),
    Builtin("sqrt", _ONE, always(NUMBER), "the square root", (("sqrt(16)", "4"),), square_root_of),
    Builtin("log", _ONE, always(NUMBER), "the natural logarithm", (("log(1)", "0"),), logarithm_of),
    Builtin("exp", _ONE, always(NUMBER), "e to the power of a number", (("exp(0)", "1"),), exponential_of),
    Builtin(
        "odd", _ONE, always(BOOLEAN), "is the number odd?", (("odd(5)", "true"), ("odd(2)", "false")), is_odd
    ),
    Builtin("even", _ONE, always(BOOLEAN), "is the number even?", (("even(2)", "true"),), is_even),
    Builtin(
        "clamp",
        (takes(("n", NUMBER), ("low", NUMBER), ("high", NUMBER)),),
        _whole_if_all,
        "n, but at least `low` and at most `high`",
        (("clamp(12, 0, 9)", "9"), ("clamp(-1, 0, 9)", "0")),
        clamp,
        standard=False,
    ),
)
