"""Rows of a decision as lines of JSON: what their cells let through, and what they give."""

from __future__ import annotations

import json
from decimal import Decimal

from dtables.compilers.python.boxes import KeyColumn
from dtables.compilers.python.code import Site
from dtables.model.regions import Cut, Key, Region, Span
from dtables.program.nodes import Constant, Expression, Name


def cell_text(cell: Region, column: KeyColumn) -> str:
    """null: any value. Names and single texts as a list; of whole keys the least and the greatest, of others
    the ends and whether they are in; several stretches as a list of them, an empty one for null."""
    if cell == column.full:
        return "null"
    if column.names:
        return json.dumps(sorted(column.named_by(cell), key=str))
    if column.only_points:
        return _points(cell, column)
    part = _whole_part if column.line.whole else _part
    written = ["[]"] if cell.null else []
    written += [part(_open(span, column)) for span in cell.spans]
    return written[0] if len(written) == 1 and not cell.null else f"[{', '.join(written)}]"


def _points(cell: Region, column: KeyColumn) -> str:
    """Single texts, or all but some."""
    points = column.points_of(cell)
    if points is not None:
        return json.dumps([*points, None] if cell.null else points)
    without = column.full - cell
    others = column.points_of(without) or []
    return json.dumps({"not": [*others, None] if without.null else others})


def _open(span: Span, column: KeyColumn) -> Span:
    """Where all that can come ends, nothing is cut off."""
    ends = zip(span, column.full.spans[0], strict=True)
    return Span(*(None if end == last else end for end, last in ends))


def _whole_part(span: Span) -> str:
    low, high = span
    return f"[{_number(low)}, {'null' if high is None else int(high.key) - 1}]"


def _part(span: Span) -> str:
    low, high = span
    ends = ("(" if low is None or low.behind else "[") + ("]" if high is not None and high.behind else ")")
    return f'[{_number(low)}, {_number(high)}, "{ends}"]'


def _number(cut: Cut | None) -> str:
    return "null" if cut is None else _spelled(cut.key)


def _spelled(key: Key) -> str:
    return json.dumps(key) if isinstance(key, str) else str(key)


def outcome_text(value: Expression, site: Site) -> str | None:
    """None where JSON has no word for it."""
    match value:
        case Name(vocabulary=vocabulary, id=id_):
            return None if site.ground.keyed(vocabulary) else json.dumps(id_)
        case Constant(value=None | bool() | int() | str() as plain):
            return json.dumps(plain)
        case Constant(value=Decimal() as number) if number.is_finite():
            return str(number) if set(str(number)) & set(".Ee") else None
        case _:
            return None
