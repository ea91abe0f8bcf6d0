"""Numbers: whole ones are Python ints, others Decimals of 34 digits; never a binary float.

A result that is whole is an int again. The decimal context is this module's own, so that nothing a
host program sets in its thread changes an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import (
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_DOWN,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    ROUND_UP,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    Overflow,
)

from dtables.feel.errors import FeelError, LimitError

Number = int | Decimal

DIGITS = 34
"""Of a number that is not whole."""
MOST_DIGITS = 4_000
"""Whole numbers are exact beyond 34 digits, but not without end: Python spells ints of 4,300 digits."""

MOST_BITS = 13_287
TOO_LARGE = f"the result is too large: a number has at most {MOST_DIGITS:,} digits"

CONTEXT = Context(
    prec=DIGITS,
    rounding=ROUND_HALF_EVEN,
    Emin=-6143,
    Emax=MOST_DIGITS - 1,
    traps=[DivisionByZero, InvalidOperation, Overflow],
)

LEAST_SCALE, MOST_SCALE = -6111, 6176

_EXACT = Context(prec=20_000, Emin=-99_999, Emax=99_999, traps=[InvalidOperation, Overflow])


def is_number(value: object) -> bool:
    """Say whether a value is exactly an int or a Decimal; a bool is none."""
    kind = type(value)
    return kind is int or kind is Decimal


def normal(number: Number) -> Number:
    """An int where the number is whole, else as it is."""
    if type(number) is int:
        return number
    whole = int(number)
    return whole if whole == number else number


def from_text(text: str) -> Number:
    """A number in FEEL's spelling; the caller has looked at the characters."""
    try:
        return normal(CONTEXT.create_decimal(text))
    except (InvalidOperation, Overflow):
        raise FeelError(f"{text[:40]} is no number") from None


def to_text(number: Number) -> str:
    """Plain digits, no exponent, no zeros at the end."""
    return str(bounded(number)) if type(number) is int else f"{plain_decimal(number):f}"


def plain_decimal(number: Number) -> Decimal:
    """Without zeros at the end: one spelling for equal numbers."""
    return number.normalize(_EXACT) if isinstance(number, Decimal) else Decimal(number)


# -- operators -----------------------------------------------------------------------------------


def add(a: Number, b: Number) -> Number:
    """Return the sum, an int if it is whole. Sums of ints are not bounded here."""
    if type(a) is int and type(b) is int:
        return a + b
    return _decimal(CONTEXT.add, a, b)


def subtract(a: Number, b: Number) -> Number:
    """Return the difference, an int if it is whole. Those of ints are not bounded here."""
    if type(a) is int and type(b) is int:
        return a - b
    return _decimal(CONTEXT.subtract, a, b)


def multiply(a: Number, b: Number) -> Number:
    """Return the product, an int if it is whole; LimitError where it is too large."""
    if type(a) is int and type(b) is int:
        return bounded(a * b)
    return _decimal(CONTEXT.multiply, a, b)


def divide(a: Number, b: Number) -> Number:
    """Return the quotient, an int if it is whole; FeelError by zero."""
    if b == 0:
        raise FeelError("division by zero")
    if type(a) is int and type(b) is int:
        quotient, rest = divmod(a, b)
        if rest == 0:
            return quotient
    return _decimal(CONTEXT.divide, a, b)


def power(a: Number, b: Number) -> Number:
    """Return `a` to the power of `b`; FeelError where there is none, LimitError where it is too large."""
    if type(a) is int and type(b) is int and b >= 0:
        if abs(a) > 1 and a.bit_length() * b > 2 * MOST_BITS:
            raise LimitError(TOO_LARGE)
        return bounded(a**b)
    if a == 0 and b < 0:
        raise FeelError("division by zero")
    return _decimal(CONTEXT.power, a, b)


def negate(a: Number) -> Number:
    """Return the number with the other sign."""
    return -a if type(a) is int else CONTEXT.minus(a)


def modulo(a: Number, b: Number) -> Number:
    """With the sign of the divisor: `a - b * floor(a / b)`."""
    if b == 0:
        raise FeelError("division by zero")
    if type(a) is int and type(b) is int:
        return a % b
    try:
        rest = _EXACT.remainder(a, b)
        if rest != 0 and (rest < 0) != (b < 0):
            rest = _EXACT.add(rest, b)
        return normal(CONTEXT.plus(rest))
    except InvalidOperation:
        raise LimitError("the numbers are too far apart for modulo") from None
    except Overflow:
        raise LimitError(TOO_LARGE) from None


def _decimal(operation: Callable[[Number, Number], Decimal], a: Number, b: Number) -> Number:
    try:
        return normal(operation(a, b))
    except (InvalidOperation, DivisionByZero):
        raise FeelError("the calculation has no result") from None
    except Overflow:
        raise LimitError(TOO_LARGE) from None


def bounded(number: int) -> int:
    """Sums grow a digit at a time and are not looked at; what is multiplied, becomes a text or leaves the
    rules is."""
    if number.bit_length() > MOST_BITS:
        raise LimitError(TOO_LARGE)
    return number


# -- rounding ------------------------------------------------------------------------------------


def floor(number: Number, scale: int = 0) -> Number:
    """Round towards minus infinity, to `scale` digits after the point."""
    return round_at(number, scale, ROUND_FLOOR)


def ceiling(number: Number, scale: int = 0) -> Number:
    """Round towards plus infinity, to `scale` digits after the point."""
    return round_at(number, scale, ROUND_CEILING)


def round_even(number: Number, scale: int) -> Number:
    """Round to the nearest, from the middle to the even digit."""
    return round_at(number, scale, ROUND_HALF_EVEN)


def round_up(number: Number, scale: int) -> Number:
    """Round away from zero."""
    return round_at(number, scale, ROUND_UP)


def round_down(number: Number, scale: int) -> Number:
    """Round towards zero."""
    return round_at(number, scale, ROUND_DOWN)


def round_half_up(number: Number, scale: int) -> Number:
    """Round to the nearest, from the middle away from zero."""
    return round_at(number, scale, ROUND_HALF_UP)


def round_half_down(number: Number, scale: int) -> Number:
    """Round to the nearest, from the middle towards zero."""
    return round_at(number, scale, ROUND_HALF_DOWN)


def round_at(number: Number, scale: int, rounding: str) -> Number:
    """Round to `scale` digits after the point; a negative scale rounds tens, hundreds and so on. FeelError
    for a scale out of range."""
    if not LEAST_SCALE <= scale <= MOST_SCALE:
        raise FeelError(f"the scale {scale} is not in [{LEAST_SCALE}..{MOST_SCALE}]")
    if type(number) is int and scale >= 0:
        return number
    exact = Decimal(number)
    if scale >= -int(exact.as_tuple().exponent):
        return number
    try:
        rounded = normal(exact.quantize(Decimal(1).scaleb(-scale, _EXACT), rounding, _EXACT))
    except InvalidOperation:
        raise LimitError(TOO_LARGE) from None
    return bounded(rounded) if type(rounded) is int else rounded


# -- functions of analysis -----------------------------------------------------------------------


def square_root(number: Number) -> Number:
    """Return the root to 34 digits; FeelError below zero."""
    if number < 0:
        raise FeelError("the square root of a number below zero")
    return normal(CONTEXT.sqrt(Decimal(number)))


def logarithm(number: Number) -> Number:
    """Return the natural logarithm; FeelError for zero and below."""
    if number <= 0:
        raise FeelError("the logarithm of a number that is not above zero")
    return normal(CONTEXT.ln(Decimal(number)))


def exponential(number: Number) -> Number:
    """Return e to this power; LimitError where it is too large."""
    try:
        return normal(CONTEXT.exp(Decimal(number)))
    except Overflow:
        raise LimitError(TOO_LARGE) from None
