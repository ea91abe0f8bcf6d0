"""Rows of a decision as lines of JSON: what their cells let through, and what they give."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import assert_never

from dtables.compilers.python.boxes import Cell, Intervals, Names, Part, first_whole
from dtables.compilers.python.code import Site
from dtables.model.expressions import Constant, Expression, NameOf


def cell_text(cell: Cell | None, whole: Cell | None, is_whole: bool) -> str:
    """null: any value. Names as a list; of whole numbers the least and the greatest, of others the ends and
    whether they are in; several stretches as a list of them."""
    assert cell is not None
    if cell == whole:
        return "null"
    match cell:
        case Names(values=values):
            return json.dumps(sorted(values, key=str))
        case Intervals(parts=parts):
            written = [text for part in parts if (text := _whole_part(part) if is_whole else _part(part))]
            return written[0] if len(written) == 1 else f"[{', '.join(written)}]"
        case _:
            assert_never(cell)


def _whole_part(part: Part) -> str:
    """Empty where no whole number lies in it."""
    low, high = (None if cut is None else first_whole(cut) for cut in part)
    if low is not None and high is not None and low >= high:
        return ""
    return f"[{_number(low)}, {_number(None if high is None else high - 1)}]"


def _part(part: Part) -> str:
    low, high = part
    ends = ("(" if low is None or low[1] else "[") + ("]" if high is not None and high[1] else ")")
    return f'[{_number(low and low[0])}, {_number(high and high[0])}, "{ends}"]'


def _number(number: int | Decimal | None) -> str:
    return "null" if number is None else str(number)


def outcome_text(value: Expression, site: Site) -> str | None:
    """None where JSON has no word for it."""
    match value:
        case NameOf(vocabulary=vocabulary, id=id_):
            return None if site.ground.keyed(vocabulary) else json.dumps(id_)
        case Constant(value=None | bool() | int() | str() as plain):
            return json.dumps(plain)
        case Constant(value=Decimal() as number) if number.is_finite():
            return str(number) if set(str(number)) & set(".Ee") else None
        case _:
            return None
