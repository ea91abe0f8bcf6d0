"""Rows that could be one: the same outcome, and the same cells in all columns but one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import assert_never

from dtables.diagnostics import Diagnostic
from dtables.model.tables import Policy
from dtables.verifier import problems
from dtables.verifier.columns import Plan
from dtables.verifier.grid import Bits, Box, members, takes_all
from dtables.verifier.judge import Judge
from dtables.verifier.shown import example, point, values


def find_mergeable(plan: Plan, judge: Judge, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    rules, found = plan.decision.rules, list(_mergeable(plan, meet))
    for column, together, box in found[: problems.MOST_LISTED]:
        spot = point(plan.columns, plan.grid.rows[together[1]])
        if judge.fire(spot, together[1]):
            said = values(plan.columns[column], box[column])
            shown = example(plan.columns, spot, box)
            yield problems.mergeable([rules[row] for row in together], said, shown)
    if len(found) > problems.MOST_LISTED:
        yield problems.more(plan.decision.heading.where, "mergeable", len(found) - problems.MOST_LISTED)


def _mergeable(plan: Plan, meet: Sequence[Bits]) -> Iterator[tuple[int, list[int], Box]]:
    """With each group of rows the column in which they differ, and the box of the row they would be."""
    done: set[int] = set()
    for n, column in enumerate(plan.columns):
        if column.expression is None:
            continue
        groups: dict[object, list[int]] = {}
        for row, box in enumerate(plan.grid.rows):
            if all(box) and row not in done:
                outcome = tuple(o.value for o in plan.decision.rules[row].outcomes)
                groups.setdefault((outcome, box[:n], box[n + 1 :]), []).append(row)
        for alike in groups.values():
            if len(alike) == 1:
                continue
            rows = _widest(plan, alike, meet)
            together = _together(plan, rows, meet)
            if len(together) > 1:
                done.update(together)
                bits = reduce(or_, (plan.grid.rows[row][n] for row in together))
                yield n, together, (*plan.grid.rows[rows[0]][:n], bits, *plan.grid.rows[rows[0]][n + 1 :])


def _widest(plan: Plan, rows: list[int], meet: Sequence[Bits]) -> list[int]:
    """Without those that another takes all of: they are told as rows that change nothing."""
    boxes, all_of_them = plan.grid.rows, sum(1 << row for row in rows)
    return [
        row
        for row in rows
        if not any(takes_all(boxes, other, row) for other in members(meet[row] & all_of_them))
    ]


def _together(plan: Plan, rows: list[int], meet: Sequence[Bits]) -> list[int]:
    """Where each row counts they may not meet; where their order counts no row may stand between."""
    first = rows[0]
    match plan.decision.policy:
        case Policy.ANY | Policy.PRIORITY | Policy.COLLECT_MIN | Policy.COLLECT_MAX:
            return rows
        case Policy.UNIQUE | Policy.COLLECT_SUM | Policy.COLLECT_COUNT | Policy.OUTPUT_ORDER:
            all_of_them = sum(1 << row for row in rows)
            return [row for row in rows if not meet[row] & all_of_them]
        case Policy.FIRST:
            return [row for row in rows if not meet[row] & _between(first + 1, row)]
        case Policy.COLLECT | Policy.RULE_ORDER:
            return [row for row in rows if not meet[row] & _between(first, row)]
        case _:
            assert_never(plan.decision.policy)


def _between(start: int, end: int) -> Bits:
    """The rows from `start` up to the one before `end`."""
    return ((1 << end) - 1) >> start << start
