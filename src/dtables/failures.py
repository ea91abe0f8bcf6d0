"""Every message of rules that fail while they are answering, in words that every engine shares."""

from __future__ import annotations

from collections.abc import Iterable

from dtables.feel.values import FeelError, Value, as_plain


def null_here(wanted: str) -> str:
    said = f"this is null, and a value is needed here ({wanted})"
    return f"{said}; an empty list is `[]`" if wanted.startswith("list of ") else said


def two_rows_fire(first: str, second: str) -> str:
    return f"rows {first} and {second} both fire, and the policy is unique"


def rows_differ(first: str, second: str) -> str:
    return f"rows {first} and {second} fire with different values, and the policy is any"


def no_row_fires() -> str:
    return "no row fires, and there is no otherwise"


def undecided(left: Iterable[str]) -> str:
    return f"the last row leaves more than one: {', '.join(left)}"


def no_entry(keys: Iterable[Value]) -> str:
    return f"there is no entry for {', '.join(map(_named, keys))}"


def too_many_iterations(most: int) -> str:
    return f"the loop runs more than {most:,} times"


def too_many_outcomes(most: int) -> str:
    return f"the open draws have more than {most:,} outcomes together"


def too_deep() -> str:
    return "the rules nest too deeply to be worked out"


def _named(value: Value) -> str:
    try:
        plain = as_plain(value)
    except FeelError:
        return str(value)
    return "null" if plain is None else str(plain)
