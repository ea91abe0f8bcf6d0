"""Functions outside FEEL that a model of the standard may name: a closed list, nothing is ever loaded.

The standard names them by a Java class and a method signature, `java.lang.Math`, `cos(double)`. Those
here only reckon with numbers and texts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

from dtables.feel import numbers
from dtables.feel.errors import FeelError
from dtables.feel.kinds import Function, Value, kind_of
from dtables.feel.spelling import to_text

_MATH: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "acos": math.acos,
    "asin": math.asin,
    "atan": math.atan,
    "atan2": math.atan2,
    "cbrt": math.cbrt,
    "ceil": math.ceil,
    "cos": math.cos,
    "cosh": math.cosh,
    "exp": math.exp,
    "floor": math.floor,
    "floorMod": lambda a, b: a % b,
    "hypot": math.hypot,
    "log": math.log,
    "log10": math.log10,
    "max": max,
    "min": min,
    "pow": math.pow,
    "round": lambda a: math.floor(a + 0.5),
    "signum": lambda a: math.copysign(1, a) if a else a,
    "sin": math.sin,
    "sinh": math.sinh,
    "sqrt": math.sqrt,
    "tan": math.tan,
    "tanh": math.tanh,
    "toDegrees": math.degrees,
    "toRadians": math.radians,
}
_WHOLE = {
    "byte": 8, "Byte": 8, "short": 16, "Short": 16, "int": 32, "Integer": 32, "long": 64, "Long": 64,
    "BigInteger": None,
}  # fmt: skip
"""How many bits they have."""
_FRACTION = frozenset({"float", "double", "Float", "Double", "BigDecimal"})
_BOXES = {
    "Byte": "byte", "Short": "short", "Integer": "int", "Long": "long", "Float": "float",
    "Double": "double", "Boolean": "boolean", "Character": "char",
}  # fmt: skip
_PARSERS = {
    "parseByte": "Byte", "parseShort": "Short", "parseInt": "Integer", "parseLong": "Long",
    "parseFloat": "Float", "parseDouble": "Double", "parseBoolean": "Boolean",
}  # fmt: skip
_WHOLE_TEXT = re.compile(r"[+-]?[0-9]+")
_FRACTION_TEXT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?[dDfF]?")
_SIGNATURE = re.compile(r"\s*(\w+)\s*\(([^()]*)\)\s*")
_PLACE = re.compile(r"%(?:([sd])|%)")


def external_function(java_class: str, signature: str, parameters: tuple[str, ...]) -> Function:
    """FeelError where nobody knows it. `parameters` are the model's own names for them."""
    matched = _SIGNATURE.fullmatch(signature)
    if matched is None:
        raise FeelError(f"{signature} is no method signature")
    types = tuple(_short(t) for t in matched[2].split(",") if t.strip())
    meaning = _meaning(java_class, matched[1], types)
    if meaning is None or len(types) != len(parameters):
        raise FeelError(f"{java_class} {signature} is not among the functions that are known")

    def body(*arguments: Value) -> Value:
        given = [_argument(a, t) for a, t in zip(arguments, types, strict=True)]
        return _result(meaning, given)

    return Function(parameters, body)


def _meaning(java_class: str, method: str, types: tuple[str, ...]) -> Callable[..., Any] | None:
    match java_class, method, types:
        case "java.lang.Math" | "java.lang.StrictMath", _, _:
            return _MATH.get(method) if all(t in _WHOLE or t in _FRACTION for t in types) else None
        case "java.lang.String", "valueOf", (type_,):
            return _double_text if type_ in ("float", "double") else to_text
        case "java.lang.String", "format", ("String", "Object[]"):
            return _format
        case "java.math.BigDecimal" | "java.math.BigInteger", "valueOf", ("long" | "double",):
            return _same
        case _:
            return _of_box(java_class.removeprefix("java.lang."), method, types)


def _of_box(box: str, method: str, types: tuple[str, ...]) -> Callable[..., Any] | None:
    """Static methods of `Integer` and its like: made of a text or a plain value, or the larger of two."""
    plain = _BOXES.get(box)
    match method, types:
        case "valueOf", ("String",) if plain not in (None, "char"):
            return partial(_parsed, box)
        case _, ("String",) if _PARSERS.get(method) == box:
            return partial(_parsed, box)
        case "valueOf", (type_,) if type_ == plain:
            return _same
        case (("max" | "min"), (a, b)) if a == b == plain and box in ("Integer", "Long", "Float", "Double"):
            return _MATH[method]
        case _:
            return None


def _same(value: Value) -> Value:
    return value


def _parsed(box: str, text: str) -> Value:
    if box == "Boolean":
        return text.lower() == "true"
    pattern, spaced = (_WHOLE_TEXT, text) if box in _WHOLE else (_FRACTION_TEXT, text.strip())
    if pattern.fullmatch(spaced) is None:
        raise FeelError(f'"{text[:60]}" is no {box}')
    return _held(numbers.from_text(spaced.rstrip("dDfF")), box)


def _double_text(number: float) -> str:
    """As Java writes it: with a point, and with an exponent where it is large or small."""
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        digits = f"{Decimal(repr(number)):f}"
        return digits if "." in digits else f"{digits}.0"
    sign, found, exponent = Decimal(repr(number)).normalize().as_tuple()
    assert isinstance(exponent, int)
    first, *rest = map(str, found)
    return f"{'-' * sign}{first}.{''.join(rest) or 0}E{exponent + len(rest)}"


def _short(type_: str) -> str:
    """`java.lang.String` is String; `[Ljava.lang.Object;` and `Object...` are Object[]."""
    bare = type_.strip()
    if bare.startswith("[L") or bare.endswith(("...", "[]")):
        return bare.removeprefix("[L").rstrip(";.[]").rpartition(".")[2] + "[]"
    return bare.rpartition(".")[2]


def _argument(value: Value, type_: str) -> Any:
    if type_ in _WHOLE or type_ in _FRACTION:
        if not numbers.is_number(value):
            raise FeelError(f"a number was wanted, not {kind_of(value)}")
        return _held(int(value), type_) if type_ in _WHOLE else float(value)
    if type_ in ("boolean", "Boolean") and type(value) is not bool:
        raise FeelError(f"a boolean was wanted, not {kind_of(value)}")
    if type_ in ("String", "char", "Character") and type(value) is not str:
        raise FeelError(f"text was wanted, not {kind_of(value)}")
    if type_ in ("char", "Character") and len(value) != 1:
        raise FeelError("a single character was wanted")
    if type_.endswith("[]"):
        return value if type(value) is list else [value]
    return value


def _held(number: numbers.Number, type_: str) -> numbers.Number:
    """Java would go on at the other end."""
    bits = _WHOLE.get(type_)
    if bits is not None and not -(1 << bits - 1) <= number < 1 << bits - 1:
        raise FeelError(f"{number} is no {type_}")
    return number


def _result(meaning: Callable[..., Any], arguments: list[Any]) -> Value:
    try:
        found = meaning(*arguments)
    except (ArithmeticError, ValueError, IndexError) as error:
        raise FeelError(f"the function has no result: {error}") from None
    if isinstance(found, float):
        if not math.isfinite(found):
            raise FeelError("the function has no finite result")
        return numbers.add(Decimal(repr(found)), 0)
    return found


def _format(pattern: str, values: list[Value]) -> str:
    """`%s` and `%d`, in order."""
    left = list(values)
    return _PLACE.sub(lambda place: to_text(left.pop(0)) if place[1] else "%", pattern)
