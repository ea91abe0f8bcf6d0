"""Tables as functions; scales stand by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from dtables.compilers.python.boxes import Shape, shape_of
from dtables.compilers.python.code import Function, Module, Site, both, indented, literal
from dtables.compilers.python.conditions import truth
from dtables.compilers.python.dispatch import write_dispatch
from dtables.compilers.python.failing import is_constant
from dtables.compilers.python.functions import at_cell, doc, head, open_function, write_steps, written
from dtables.compilers.python.hits import bind_columns, combined, condition, resolved, without_hit
from dtables.compilers.python.identifiers import constant_case, lower_snake
from dtables.compilers.python.indexed import write_index
from dtables.compilers.python.keeping import formula_lines, write_spread_formula, write_spread_steps
from dtables.compilers.python.scales import write_scale
from dtables.feel.types import NumberType, may_be_null, plain
from dtables.limits import LIMITS
from dtables.model.tables import Decision, Dice, Formula, Matrix, Scale, Table
from dtables.program.nodes import Row

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
        key = ", ".join(site.code(k).whole for k in entry.keys)
        key = key if len(entry.keys) == 1 else f"({key})"
        lines.append(f"    {key}: {site.code(entry.value).whole},{at_cell(entry.cells[0])}")
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


# -- decisions ---------------------------------------------------------------------------------
# Rows in order, or a look-up where their conditions are known beforehand. Rows are read exactly as the rules
# are: cell by cell, what a column tests worked out when the first cell asks for it. Only where nothing can
# fail and the rows are known to be apart may a row end it all.


def write_decision(decision: Decision, module: Module) -> list[str]:
    site = open_function(module, decision.heading.name)
    shape = shape_of(decision, site.ground)
    name = decision.heading.name
    signature = head(module.ground.functions[name], name in module.ground.turned, decision.parameters, site)
    before, body = _body(shape, site)
    title = doc("Decision", name, decision.heading.where).strip()
    return [*before, signature, *written(site, [title, *body]), ""]


def _body(shape: Shape, site: Site) -> tuple[list[str], list[str]]:
    """Lines before the function, and its own."""
    if shape.takes or len(shape.rows) < LIMITS.tried_rows:
        return [], list(_rows(shape, site))
    if shape.is_indexed:
        return _indexed(shape, site) or ([], list(_rows(shape, site)))
    if not (shape.known and shape.ends_at_first):
        return [], list(_rows(shape, site))
    lines = bind_columns(shape, site)
    inner = replace(site, function=replace(site.function, variables=dict(site.function.variables)))
    before, body, present = write_dispatch(shape, inner)
    if not present:
        return before, [*lines, *body]
    test = " and ".join(f"{name} is not None" for name in present)
    return before, [*lines, f"if {test}:", *indented(body), *_read_rows(shape, site)]


def _indexed(shape: Shape, site: Site) -> tuple[list[str], list[str]] | None:
    inner = replace(site, function=_copy(site.function))
    return write_index(shape, lambda: _read_rows(shape, inner), inner)


def _copy(function: Function) -> Function:
    """To write in and perhaps to throw away."""
    return replace(function, variables=dict(function.variables), prelude=[])


# -- rows --------------------------------------------------------------------------------------


def _rows(shape: Shape, site: Site) -> Iterator[str]:
    yield from bind_columns(shape, site)
    yield from _read_rows(shape, site)


def _read_rows(shape: Shape, site: Site) -> Iterator[str]:
    if shape.ends_at_first:
        for number, row in enumerate(shape.rows):
            yield from _row(shape, row, "return {}", site)
            if not (shape.boxes.asked[number] or shape.takes):
                return
        yield from without_hit(shape, site)
        return
    yield "hits = []"
    for number, row in enumerate(shape.rows):
        alone = "hits.append({})" if shape.choose.fold.gathers else f"hits.append(({number}, {{}}))"
        yield from _row(shape, row, alone, site)
    yield from resolved(shape, site)


def _row(shape: Shape, row: Row, ending: str, site: Site) -> Iterator[str]:
    test = condition(row, range(len(shape.columns)), site)
    lines = list(_outcome(shape, row, ending, site))
    if test is None:
        yield from lines
    else:
        yield f"if {test.whole}:{at_cell(row.where)}"
        yield from indented(lines)


def _outcome(shape: Shape, row: Row, ending: str, site: Site) -> Iterator[str]:
    """The lines of a row that fires. A `take` that gives null ends them."""
    if len(row.outcomes) == 1 and not row.outcomes[0].taken:
        yield ending.format(site.code(row.outcomes[0].value).whole) + at_cell(row.outcomes[0].cell)
        return
    values: list[tuple[str, str]] = []
    depth = 0
    for number, (column, outcome) in enumerate(zip(shape.outcome_names, row.outcomes, strict=True)):
        code = site.code(outcome.value)
        if not any(one.taken for one in row.outcomes[number:]):
            values.append((column, code.whole))
            continue
        name = site.fresh(lower_snake(column) if shape.choose.names else "taken")
        yield from indented([f"{name} = {code.whole}{at_cell(outcome.cell)}"], depth)
        values.append((column, name))
        if outcome.taken:
            yield from indented([f"if {name} is not None:"], depth)
            depth += 1
    yield from indented([ending.format(combined(values))], depth)
