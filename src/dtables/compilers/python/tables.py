"""Formulas, matrices and dice tables as functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dtables.compilers.python.code import Module, Site, both, indented, literal
from dtables.compilers.python.conditions import truth
from dtables.compilers.python.decisions import write_decision
from dtables.compilers.python.failing import is_constant
from dtables.compilers.python.functions import at_cell, doc, head, open_function, write_steps, written
from dtables.compilers.python.identifiers import constant_case
from dtables.compilers.python.keeping import formula_lines
from dtables.compilers.python.scales import write_scale
from dtables.compilers.python.spreading import write_spread_formula, write_spread_steps
from dtables.feel.types import NumberType, may_be_null, plain
from dtables.model.tables import Decision, Dice, Formula, Matrix, Scale, Table

MOST_TOTALS = 500


def write_table(table: Table, module: Module) -> list[str]:
    """Two empty lines stand before it already."""
    match table:
        case Formula():
            return write_formula(table, module)
        case Decision():
            return write_decision(table, module)
        case Scale():
            return write_scale(table, module)
        case Matrix():
            return write_matrix(table, module)
        case Dice():
            return write_dice(table, module)
        case _:
            assert_never(table)


def _signature(table: Formula | Matrix | Dice, site: Site) -> str:
    name = table.heading.name
    return head(site.ground.functions[name], name in site.ground.turned, table.parameters, site)


# -- formulas ----------------------------------------------------------------------------------


def write_formula(formula: Formula, module: Module) -> list[str]:
    spread = module.ground.spread.get(formula.heading.name)
    if spread is not None:
        return write_spread_formula(formula, spread, module)
    write_spread_steps(formula, module)
    site = open_function(module, formula.heading.name)
    signature = _signature(formula, site)
    names = [site.function.variables[p.variable.number].text for p in formula.parameters]
    steps = list(write_steps(formula.steps, formula.result, site))
    value = f"{site.code(formula.result).whole}{at_cell(formula.cell)}"
    lines = formula_lines(formula, names, value, steps, site)
    title = doc("Formula", formula.heading.name, formula.heading.where)
    cached = (
        [] if formula.parameters or _turned(formula, module) else [f"@{module.uses('cache', 'functools')}"]
    )
    return [*cached, signature, title, *written(site, lines), ""]


def _turned(table: Table, module: Module) -> bool:
    return table.heading.name in module.ground.turned


# -- matrices ----------------------------------------------------------------------------------


def write_matrix(matrix: Matrix, module: Module) -> list[str]:
    """A dict by the key, or by all keys together; values that are worked out stand in the function."""
    site = open_function(module, matrix.heading.name)
    signature = _signature(matrix, site)
    title = doc("Matrix", matrix.heading.name, matrix.heading.where)
    keys = [site.function.variables[p.variable.number].text for p in matrix.parameters]
    place = site.place(matrix.heading.where)
    missing = f"raise {site.uses('no_entry')}({place}, {', '.join(keys)})"
    if not is_constant(tuple(e.value for e in matrix.entries), module.ground):
        return [signature, title, *written(site, [*_tried(matrix, site), missing]), ""]
    table = module.ground.names.new(constant_case(matrix.heading.name))
    module.ground.matrices[matrix.heading.name] = table
    lines = [f"{table} = {{"]
    for entry in matrix.entries:
        wanted = ", ".join(site.code(k).whole for k in entry.keys)
        wanted = wanted if len(entry.keys) == 1 else f"({wanted})"
        lines.append(f"    {wanted}: {site.code(entry.value).whole},{at_cell(entry.cells[0])}")
    read = f"    return {table}[{', '.join(keys)}]"
    body = ["try:", read, "except KeyError:", f"    {missing} from None"]
    return [*lines, "}", "", "", signature, title, *written(site, body), ""]


def _tried(matrix: Matrix, site: Site) -> Iterator[str]:
    for row in site.ground.lowered.choose(matrix).rows:
        yield f"if {both(truth(cell.condition, site) for cell in row.cells).whole}:"
        yield from indented([f"return {site.code(row.outcomes[0].value).whole}{at_cell(row.where)}"])


# -- dice --------------------------------------------------------------------------------------


def write_dice(dice: Dice, module: Module) -> list[str]:
    site = open_function(module, dice.heading.name)
    signature = _signature(dice, site)
    *kinds, total = [site.function.variables[p.variable.number].text for p in dice.parameters]
    die = f"{site.value_helper('as_plain')}({kinds[0]})" if kinds else literal(dice.dice[0]).text
    title = doc("Dice", dice.heading.name, dice.heading.where)
    place = site.place(dice.heading.where)
    missing = f"raise {site.uses('no_entry')}({place}, {', '.join([*kinds, total])})"
    if _by_total(dice, module):
        before, body = _dice_by_total(dice, die, total, missing, site)
    else:
        before, body = [], [*_dice_rows(dice, die, total, site), missing]
    return [*before, signature, title, *written(site, body), ""]


def _by_total(dice: Dice, module: Module) -> bool:
    """Every total a key of a dict: whole numbers, not too many, known outcomes."""
    kind = dice.parameters[-1].type
    found = plain(kind)
    few = sum(entry.high - entry.low + 1 for entry in dice.entries) <= MOST_TOTALS
    whole = isinstance(found, NumberType) and found.whole and not may_be_null(kind)
    return few and whole and is_constant(tuple(e.outcome for e in dice.entries), module.ground)


def _dice_by_total(dice: Dice, die: str, total: str, missing: str, site: Site) -> tuple[list[str], list[str]]:
    table = site.ground.names.new(constant_case(dice.heading.name))
    lines = [f"{table} = {{"]
    known: set[tuple[str, int]] = set()
    for entry in dice.entries:
        totals = [t for t in range(entry.low, entry.high + 1) if (entry.die, t) not in known]
        known |= {(entry.die, t) for t in totals}
        value = site.code(entry.outcome).whole
        for one in totals:
            lines.append(f"    ({entry.die!r}, {one}): {value},{at_cell(entry.cell)}")
    body = ["try:", f"    return {table}[{die}, {total}]", "except KeyError:", f"    {missing} from None"]
    return [*lines, "}", "", ""], body


def _dice_rows(dice: Dice, die: str, total: str, site: Site) -> Iterator[str]:
    name = site.fresh("die")
    yield f"{name} = {die}"
    for entry in dice.entries:
        yield f"if {name} == {entry.die!r} and {entry.low} <= {total} <= {entry.high}:"
        yield from indented([f"return {site.code(entry.outcome).whole}{at_cell(entry.cell)}"])
