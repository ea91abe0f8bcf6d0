"""Columns of answers: which there are, in which order, and what they hold as their fields are declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from dtables.answers.answering import NEXT
from dtables.feel.types import BooleanType, NumberType, Type, join, plain
from dtables.records.json import to_json

Kind = Literal["whole", "boolean", "text"]
ALWAYS = ("turn", "ask")
"""Columns in which no row says nothing."""
BEYOND = 2**63


def column_kind(of: Type) -> Kind:
    """Decimals are text: no column holds 34 digits wherever the point is."""
    match plain(of):
        case NumberType(whole=True):
            return "whole"
        case BooleanType():
            return "boolean"
        case _:
            return "text"


def column_kinds(answers: Iterable[Mapping[str, Type]]) -> dict[str, Kind]:
    """Of asks that may stand in one table: what has one name has one column."""
    types: dict[str, list[Type]] = {}
    for fields in answers:
        for name, of in fields.items():
            types.setdefault(name, []).append(of)
    return {name: column_kind(join(several)) for name, several in types.items()}


def fits(value: object, kind: Kind) -> bool:
    """A whole number may be greater than a column can hold."""
    return kind != "whole" or value is None or (type(value) is int and -BEYOND <= value < BEYOND)


def kinds_that_fit(
    rows: Iterable[Mapping[str, Any]], heads: Iterable[str], declared: Mapping[str, Kind]
) -> dict[str, Kind]:
    """As declared; text where a number is too great for a column. Turns are numbers where all of them are."""
    kinds: dict[str, Kind] = {head: declared.get(head, "text") for head in heads}
    waiting = {head for head, kind in kinds.items() if kind == "whole"} | {"turn"}
    seen = False
    for row in rows:
        seen = True
        waiting -= {head for head in waiting if not fits(row.get(head), "whole")}
    for head in kinds:
        if kinds[head] == "whole" and head not in waiting:
            kinds[head] = "text"
    return kinds | {"turn": "whole" if seen and "turn" in waiting else "text"}


def heads_of(rows: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    """The log's own columns first, what is beside the answer last."""
    seen: dict[str, None] = {}
    for row in rows:
        seen.update(dict.fromkeys(row))
    first, last = ("turn", "game", "ask"), ("any_of", NEXT, "reasons")
    middle = [head for head in seen if head not in (*first, *last)]
    return (*(h for h in first if h in seen), *middle, *(h for h in last if h in seen)) or ("turn", "ask")


def stored(value: object, kind: str) -> object:
    if kind != "text" or value is None or isinstance(value, str):
        return value
    return to_json(value)
