"""Decisions as functions: rows in order, or a look-up where their conditions are known beforehand.

Rows are read exactly as the rules say: cell by cell, what a column tests worked out when the first
cell asks for it. Only where nothing can fail and the rows are known to be apart may a row end it all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dtables.compilers.python.behind import condition
from dtables.compilers.python.boxes import Shape, shape_of
from dtables.compilers.python.code import Function, Module, Site, indented
from dtables.compilers.python.dispatch import write_dispatch
from dtables.compilers.python.functions import at_cell, doc, head, open_function, written
from dtables.compilers.python.hits import bind_columns, combined, resolved, without_hit
from dtables.compilers.python.identifiers import lower_snake
from dtables.compilers.python.indexed import write_index
from dtables.limits import LIMITS
from dtables.model.tables import Decision
from dtables.program.nodes import Row


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
