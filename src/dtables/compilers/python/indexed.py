"""Decisions of very many rows: the rows as data, and an index of them that is built when the module loads."""

from __future__ import annotations

from typing import assert_never

from dtables.compilers.python.boxes import Cell, Intervals, Names, domain
from dtables.compilers.python.constants import is_constant
from dtables.compilers.python.dispatch import Boxes, key_of
from dtables.compilers.python.functions import at_cell
from dtables.compilers.python.hits import PLAIN_LISTS, bind_subjects, combined, resolved, without_hit
from dtables.compilers.python.names import constant_case
from dtables.compilers.python.site import Site, constant_value
from dtables.feel.types import NumberType, plain
from dtables.model.tables import Decision, Policy, Rule, Subject


def write_index(decision: Decision, boxes: Boxes, site: Site) -> tuple[list[str], list[str]] | None:
    """Lines before the function, and its body; None where an outcome needs local functions."""
    lines = bind_subjects(decision, site)
    read = [s for s in decision.subjects if s.variable.number in site.function.variables]
    name = constant_case(decision.heading.name)
    rows, index = site.ground.names.new(f"{name}_ROWS"), site.ground.names.new(f"{name}_INDEX")
    columns = [decision.subjects.index(s) for s in read]
    handed = None if is_constant(tuple(r.outcomes for r in decision.rules), site.ground) else _handed(site)
    before = [f"{rows} = ("]
    for rule, row in zip(decision.rules, boxes, strict=True):
        cells = "".join(f"{_cell_text(row[c], decision.subjects[c], site)}, " for c in columns)
        before.append(f"    (({cells}), {_value(decision, rule, handed, site)}),{at_cell(rule.where)}")
    if site.function.prelude:
        return None
    kinds = tuple(_kind(s, site) for s in read)
    before += [")", f"{index} = {site.uses('RowIndex')}({kinds!r}, [cells for cells, _ in {rows}])", "", ""]
    looked_up = ", ".join(_looked_up(s, site) for s in read)
    return before, [*lines, f"found = {index}.rows({looked_up})", *_body(decision, rows, handed, site)]


def _body(decision: Decision, rows: str, handed: str | None, site: Site) -> list[str]:
    value = f"{rows}[row][1]" if handed is None else f"{rows}[row][1]({handed})"
    lines: list[str] = []
    if decision.policy is Policy.FIRST:
        return [
            *lines,
            "if found:",
            "    row = found[0]",
            f"    return {value}",
            *without_hit(decision, site),
        ]
    if decision.policy in (Policy.UNIQUE, Policy.ANY, Policy.PRIORITY):
        lines += ["if len(found) == 1:", "    row = found[0]", f"    return {value}"]
    hit = value if decision.policy in PLAIN_LISTS else f"(row, {value})"
    return [*lines, f"hits = [{hit} for row in found]", *resolved(decision, site)]


def _handed(site: Site) -> str:
    """What an outcome may read: the turn and every name that is bound before the rows."""
    names = [code.text for code in site.function.variables.values() if code.text.isidentifier()]
    return ", ".join(dict.fromkeys([*(["turn"] if site.function.turned else []), *names]))


def _value(decision: Decision, rule: Rule, handed: str | None, site: Site) -> str:
    """The row's outcome, or a function of what is handed."""
    outcomes = zip(decision.outcomes, rule.outcomes, strict=True)
    text = combined([(column.name, site.code(o.value).whole) for column, o in outcomes])
    return text if handed is None else f"lambda {handed}: {text}"


def _kind(subject: Subject, site: Site) -> str:
    assert subject.value is not None
    found = plain(subject.value.type)
    if isinstance(domain(subject.value.type, site.ground), Names):
        return "names"
    return "whole" if isinstance(found, NumberType) and found.whole else "number"


def _looked_up(subject: Subject, site: Site) -> str:
    if _kind(subject, site) == "names":
        return key_of(subject, site)
    return site.function.variables[subject.variable.number].whole


def _cell_text(cell: Cell | None, subject: Subject, site: Site) -> str:
    """None: any value. Names as a tuple; stretches of numbers as pairs of cuts, each a number and
    whether the cut lies before (0) or after (1) it."""
    assert subject.value is not None and cell is not None
    if cell == domain(subject.value.type, site.ground):
        return "None"
    match cell:
        case Names(values=values):
            return repr(tuple(sorted(values, key=str)))
        case Intervals(parts=parts):
            stretches = ", ".join(f"({_cut(low, site)}, {_cut(high, site)})" for low, high in parts)
            return f"({stretches},)" if parts else "()"
        case _:
            assert_never(cell)


def _cut(cut: tuple[object, int] | None, site: Site) -> str:
    if cut is None:
        return "None"
    return f"({constant_value(site.function.module, cut[0]).text}, {cut[1]})"
