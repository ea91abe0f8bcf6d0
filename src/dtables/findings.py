"""What is wrong with a record, and the errors that carry it to the caller.

Every engine words its findings here, so that a reject reads the same whichever of them found it.
Paths join keys with dots and count list elements from 0: `state.solo.cards[2]`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from difflib import get_close_matches

from dtables.provenance import Location

NOTHING = "nothing"
MOST_QUOTED = 120
MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class Finding:
    """`found` quotes the record, `wanted` says what would have been right. `where` is the workbook's
    cell that wants it, if one does."""

    path: str
    found: str
    wanted: str
    where: Location | None = None

    def __str__(self) -> str:
        return f"{self.path}: found {self.found}, wanted {self.wanted}"


class RecordError(ValueError):
    """A record that cannot be answered; the first finding, and all of them."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        first = self.findings[0]
        self.path, self.found, self.wanted = first.path, first.found, first.wanted
        super().__init__(str(first))


class RuleError(RuntimeError):
    """The workbook's rules fail on a sound record: two rows fire under unique, a null where none may
    be. `where` is the cell, `table` the table it stands in."""

    def __init__(self, message: str, where: Location | None, table: str | None = None) -> None:
        self.message, self.where, self.table = message, where, table
        place = f"{where}: " if where else ""
        super().__init__(f"{place}{message}")


# -- words -------------------------------------------------------------------------------------


def quoted(value: object) -> str:
    """A value of a record as JSON, cut where it is long."""
    if isinstance(value, Decimal):
        return str(value)
    try:
        text = json.dumps(value, ensure_ascii=False, default=_as_json)
    except ValueError:
        text = str(value)
    return text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 1] + "…"


def _as_json(value: object) -> float | str:
    """A decimal without the quotes of a text, if a float says the same; what no log can hold by its kind."""
    match value:
        case Decimal():
            return float(value) if Decimal(repr(float(value))) == value else str(value)
        case date() | time():
            return value.isoformat()
        case _:
            return f"{value} ({type(value).__name__})"


def left_out(given: object, fields: Iterable[str]) -> bool:
    """Whether a record as it was given says nothing at a place, whatever stands there by default."""
    for name in fields:
        if not isinstance(given, dict):
            return False
        given = given.get(name)
        if given is None:
            return True
    return False


def missing(path: str, wanted: str, where: Location | None = None) -> Finding:
    """`wanted` describes the type: `whole number`, `list of card`."""
    return Finding(path, NOTHING, wanted, where)


def empty(path: str, wanted: str, where: Location | None = None) -> Finding:
    return Finding(path, "an empty list", f"{wanted}, not empty", where)


def wrong_type(path: str, value: object, wanted: str, where: Location | None = None) -> Finding:
    return Finding(path, quoted(value), wanted, where)


def null_in_list(path: str, wanted: str, where: Location | None = None) -> Finding:
    return Finding(path, "null", wanted, where)


def unknown_key(path: str, key: str, known: Iterable[str], where: Location | None = None) -> Finding:
    """`path` includes the key."""
    names = list(known)
    meant = _one_of("a key", key, names)
    wanted = f"one of {_listed(names)}" if meant == "a key" and names else meant
    return Finding(path, f"the unknown key {quoted(key)}", wanted, where)


def unknown_name(
    path: str, value: str, vocabulary: str, names: Iterable[str], where: Location | None = None
) -> Finding:
    """`names` are the ids and labels of the vocabulary, for a suggestion."""
    return Finding(path, quoted(value), _one_of(vocabulary, value, names), where)


def ambiguous_name(path: str, value: str, ids: Iterable[str], where: Location | None = None) -> Finding:
    return Finding(path, f"{quoted(value)}, which names {' and '.join(ids)}", "one of them by its id", where)


def not_allowed(
    path: str, value: object, type_name: str, written: str, where: Location | None = None
) -> Finding:
    """`written` are the tests as the workbook has them: `[1..3]`."""
    return Finding(path, quoted(value), f"{type_name.removesuffix('?')} {written}".strip(), where)


def repeated_key(path: str, key: str, where: Location | None = None) -> Finding:
    return Finding(path, f"{quoted(key)} twice", "each name once", where)


def not_an_option(path: str, value: object, options: Iterable[str], where: Location | None = None) -> Finding:
    """A recorded outcome of chance that chance cannot have given."""
    return Finding(path, quoted(value), f"one of {_listed(list(options))}", where)


def broken_check(path: str, value: object, message: str, where: Location | None = None) -> Finding:
    """`message` is the check's own wording."""
    return Finding(path, NOTHING if value is None else quoted(value), message, where)


def rules_fail(message: str, table: str | None, where: Location | None = None) -> Finding:
    """A sound record on which the rules have no answer; `message` says how they fail."""
    place = f" of table {table}" if table else ""
    found = f"no answer, for the rules{place} fail: {message}"
    return Finding("state", found, "a state that they answer", where)


def _listed(names: list[str]) -> str:
    return ", ".join(names[:MOST_LISTED]) + (", …" if len(names) > MOST_LISTED else "")


def _one_of(what: str, typed: str, known: Iterable[str]) -> str:
    close = get_close_matches(typed.casefold(), {k.casefold(): k for k in known}, n=1, cutoff=0.6)
    if not close:
        return what
    spelled = {k.casefold(): k for k in known}[close[0]]
    return f"{what}; did you mean {quoted(spelled)}?"
