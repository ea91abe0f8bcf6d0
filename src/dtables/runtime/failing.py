"""Where compiled code stands when it fails: places written as text become cells again, but only then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from dtables import failures
from dtables.feel.errors import FeelError
from dtables.feel.limits import MOST_TEXT, text_too_long
from dtables.feel.values import Value, bounded, multiply
from dtables.provenance import Written, location
from dtables.records.findings import RuleError

QUICK = 1 << 60
"""What is smaller is a number of sensible size."""


def failed(message: str, table: str | None, place: Written) -> RuleError:
    return RuleError(message, location(place), table)


def attempt(table: str | None, place: str, operation: Callable[..., Any], *operands: Value) -> Any:
    """The operation's result; where it has none, an error with the cell that asked for it."""
    try:
        return operation(*operands)
    except FeelError as error:
        raise failed(error.message, table, place) from None


def product(a: int, b: int, table: str | None, place: str) -> Any:
    """Of whole numbers."""
    result = a * b
    return result if -QUICK < result < QUICK else attempt(table, place, multiply, a, b)


def text_sum(a: str, b: str, table: str | None, place: str) -> str:
    """Join two texts; an error with its cell where the result is too long."""
    joined = a + b
    if len(joined) > MOST_TEXT:
        raise failed(text_too_long(), table, place)
    return joined


def limit(value: Value, table: str | None, place: str) -> Any:
    """A value that is no number of more digits than there may be."""
    if type(value) is not int or -QUICK < value < QUICK:
        return value
    return attempt(table, place, bounded, value)


def absent(table: str | None, place: str, wanted: str) -> NoReturn:
    """Raise the error of a null that stands where a value is needed."""
    raise failed(failures.null_here(wanted), table, place)


def present(value: Value, table: str | None, place: str, wanted: str) -> Any:
    """Return the value; a null is an error with its cell."""
    if value is None:
        absent(table, place, wanted)
    return value


def no_row_fires(table: str, place: str) -> RuleError:
    """Make the error of a decision without a row that fires; the caller raises it."""
    return failed(failures.no_row_fires(), table, place)


def no_entry(table: str, place: str, *keys: Value) -> RuleError:
    """Make the error of keys that a table does not have; the caller raises it."""
    return failed(failures.no_entry(keys), table, place)
