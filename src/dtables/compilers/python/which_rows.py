"""A decision that gives, in place of its outcomes, the numbers of the rows that fire.

It is the same decision otherwise, so it compiles to the same code and finds its rows in the same way: what it
gives says where an answer comes from.
"""

from __future__ import annotations

from dataclasses import replace

from dtables.feel.types import WHOLE, ListType
from dtables.model.expressions import CallTable, Constant
from dtables.model.reach import nodes
from dtables.model.tables import (
    Decision,
    Outcome,
    OutcomeColumn,
    OutcomeKind,
    Policy,
    Ruleset,
    Table,
    table_name,
)
from dtables.provenance import CellRef, Location

NO_ROW = -1


def with_row_numbers(ruleset: Ruleset) -> tuple[Ruleset, dict[str, str]]:
    """The ruleset whose decisions give numbers of rows, and under which name each does: one that other tables
    call keeps its own name and meaning."""
    called = {node.table for node in nodes(_callers(ruleset)) if isinstance(node, CallTable)}
    taken = {table_name(table) for table in ruleset.tables}
    names: dict[str, str] = {}
    tables: list[Table] = []
    for table in ruleset.tables:
        name = table_name(table)
        if not (isinstance(table, Decision) and gives_row_numbers(table)):
            tables.append(table)
            continue
        names[name] = _free(name, taken) if name in called else name
        tables += [table] if name in called else []
        tables.append(row_numbers(table, names[name]))
    return replace(ruleset, tables=tuple(tables)), names


def gives_row_numbers(decision: Decision) -> bool:
    """Where outcomes are taken, whether a row fires depends on what it gives."""
    return all(column.kind is not OutcomeKind.TAKE for column in decision.outcomes)


def _callers(ruleset: Ruleset) -> tuple[object, ...]:
    return (ruleset.tables, ruleset.asks, ruleset.checks, ruleset.records, ruleset.input)


def _free(name: str, taken: set[str]) -> str:
    wanted = f"rows of {name}"
    while wanted in taken:
        wanted = f"rows of {wanted}"
    taken.add(wanted)
    return wanted


def row_numbers(decision: Decision, name: str) -> Decision:
    """Where one row is the answer its number, from 0, or NO_ROW; else those of all that fire, in order."""
    one = decision.policy in (Policy.FIRST, Policy.UNIQUE)
    column = OutcomeColumn("row", OutcomeKind.THEN, WHOLE, decision.outcomes[0].where)
    otherwise = decision.otherwise.cell if decision.otherwise is not None else None
    if otherwise is None and not decision.strict:
        otherwise = decision.heading.where.cell
    return replace(
        decision,
        heading=replace(decision.heading, name=name),
        policy=decision.policy if one else Policy.COLLECT,
        outcomes=(column,),
        rules=tuple(
            replace(rule, outcomes=(_number(number, rule.outcomes[0].cell),))
            for number, rule in enumerate(decision.rules)
        ),
        otherwise=_number(NO_ROW, otherwise) if one and otherwise is not None else None,
        type=WHOLE if one else ListType(WHOLE),
        strict=True,
    )


def _number(number: int, cell: CellRef) -> Outcome:
    return Outcome(Constant(number, type=WHOLE, where=Location(cell)), cell, str(number))
