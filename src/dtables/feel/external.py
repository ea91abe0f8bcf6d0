"""Functions outside FEEL that a model of the standard may name: a closed list, nothing is ever loaded.

The standard names them by a Java class and a method signature, `java.lang.Math`, `cos(double)`. Those
here only reckon with numbers and texts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from dtables.feel import numbers
from dtables.feel.errors import FeelError
from dtables.feel.kinds import Function, Value, kind_of
from dtables.feel.value_text import to_text

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
_WHOLE = frozenset({"byte", "short", "int", "long", "Byte", "Short", "Integer", "Long", "BigInteger"})
_FRACTION = frozenset({"float", "double", "Float", "Double", "BigDecimal"})
_PARSED = {
    "Byte": ("parseByte", "valueOf"),
    "Short": ("parseShort", "valueOf"),
    "Integer": ("parseInt", "valueOf"),
    "Long": ("parseLong", "valueOf"),
    "Float": ("parseFloat", "valueOf"),
    "Double": ("parseDouble", "valueOf"),
}
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
            return _MATH.get(method) if all(t in _WHOLE | _FRACTION for t in types) else None
        case "java.lang.String", "valueOf", (_,):
            return to_text
        case "java.lang.String", "format", ("String", "Object[]"):
            return _format
        case _, _, ("String",) if method in _PARSED.get(java_class.removeprefix("java.lang."), ()):
            return numbers.from_text
        case _:
            return None


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
        return int(value) if type_ in _WHOLE else float(value)
    if type_ == "String" and type(value) is not str:
        raise FeelError(f"text was wanted, not {kind_of(value)}")
    if type_.endswith("[]"):
        return value if type(value) is list else [value]
    return value


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
