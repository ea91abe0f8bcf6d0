"""Decisions as functions: rows in order, or a look-up where their conditions are known beforehand.

Rows are read exactly as the rules say: cell by cell, what a column tests worked out when the first
cell asks for it. Only where nothing can fail and the rows are known to be apart may a row end it all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dtables.compilers.python.boxes import Cell, apart, domain, row_cell
from dtables.compilers.python.code import Code, Function, Module, Site, both, indented
from dtables.compilers.python.dispatch import write_dispatch
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.functions import at_cell, doc, head, open_function, written
from dtables.compilers.python.hits import PLAIN_LISTS, bind_subjects, combined, resolved, tested, without_hit
from dtables.compilers.python.identifiers import lower_snake
from dtables.compilers.python.indexed import write_index
from dtables.compilers.python.tests import passing
from dtables.feel.types import ANY
from dtables.model.tables import Decision, OutcomeKind, Policy, Rule

FEW_ROWS = 6
MANY_ROWS = 48


@dataclass(frozen=True)
class Shape:
    """A decision with the boxes of its rows. `known`: what every cell lets through is known beforehand, and
    nothing can go wrong on the way."""

    decision: Decision
    boxes: tuple[tuple[Cell | None, ...], ...]
    known: bool

    @property
    def ends_at_first(self) -> bool:
        """Is the first row that fires the whole answer?"""
        if self.decision.policy is Policy.FIRST:
            return True
        alike = self.decision.policy in (Policy.UNIQUE, Policy.ANY, Policy.PRIORITY)
        return alike and self.known and len(self.boxes) < MANY_ROWS and apart(self.boxes)

    @property
    def takes(self) -> bool:
        return any(column.kind is OutcomeKind.TAKE for column in self.decision.outcomes)


def shape_of(decision: Decision, site: Site) -> Shape:
    types = [s.value.type if s.value is not None else ANY for s in decision.subjects]
    wholes = [domain(type_, site.ground) for type_ in types]
    boxes = tuple(
        tuple(
            row_cell(cell.tests, type_, whole)
            for cell, type_, whole in zip(rule.conditions, types, wholes, strict=True)
        )
        for rule in decision.rules
    )
    known = all(cell is not None for row in boxes for cell in row)
    return Shape(
        decision, boxes, known and not any(may_fail(s.value, site.ground) for s in decision.subjects)
    )


def write_decision(decision: Decision, module: Module) -> list[str]:
    site = open_function(module, decision.heading.name)
    shape = shape_of(decision, site)
    name = decision.heading.name
    signature = head(module.ground.functions[name], name in module.ground.turned, decision.parameters, site)
    before, body = _body(shape, site)
    title = doc("Decision", name, decision.heading.where).strip()
    return [*before, signature, *written(site, [title, *body]), ""]


def _body(shape: Shape, site: Site) -> tuple[list[str], list[str]]:
    """Lines before the function, and its own."""
    decision = shape.decision
    if not shape.known or shape.takes or len(decision.rules) < FEW_ROWS:
        return [], list(_rows(shape, site))
    if len(decision.rules) >= MANY_ROWS:
        inner = replace(site, function=_copy(site.function))
        return write_index(decision, shape.boxes, inner) or ([], list(_rows(shape, site)))
    if not shape.ends_at_first:
        return [], list(_rows(shape, site))
    lines = bind_subjects(decision, site)
    inner = replace(site, function=replace(site.function, variables=dict(site.function.variables)))
    before, body, present = write_dispatch(decision, shape.boxes, inner)
    if not present:
        return before, [*lines, *body]
    test = " and ".join(f"{name} is not None" for name in present)
    return before, [*lines, f"if {test}:", *indented(body), *_read_rows(shape, site)]


def _copy(function: Function) -> Function:
    """To write in and perhaps to throw away."""
    return replace(function, variables=dict(function.variables), prelude=[])


# -- rows --------------------------------------------------------------------------------------


def _rows(shape: Shape, site: Site) -> Iterator[str]:
    yield from bind_subjects(shape.decision, site)
    yield from _read_rows(shape, site)


def _read_rows(shape: Shape, site: Site) -> Iterator[str]:
    decision = shape.decision
    if shape.ends_at_first:
        for rule in decision.rules:
            yield from _row_that_ends(decision, rule, site)
            if not any(c.tests for c in rule.conditions) and not shape.takes:
                return
        yield from without_hit(decision, site)
        return
    yield "hits = []"
    for number, rule in enumerate(decision.rules):
        yield from _row_that_counts(decision, number, rule, site)
    yield from resolved(decision, site)


def condition(decision: Decision, rule: Rule, site: Site) -> Code | None:
    parts = [
        passing(cell.tests, tested(subject, site), site)
        for subject, cell in zip(decision.subjects, rule.conditions, strict=True)
        if cell.tests
    ]
    return both(parts) if parts else None


def _row_that_ends(decision: Decision, rule: Rule, site: Site) -> Iterator[str]:
    test = condition(decision, rule, site)
    lines = list(_outcome(decision, rule, "return {}", site))
    if test is None:
        yield from lines
    else:
        yield f"if {test.whole}:{at_cell(rule.where)}"
        yield from indented(lines)


def _row_that_counts(decision: Decision, number: int, rule: Rule, site: Site) -> Iterator[str]:
    test = condition(decision, rule, site)
    lines = list(_outcome(decision, rule, _counting(decision, number), site))
    if test is None:
        yield from lines
    else:
        yield f"if {test.whole}:{at_cell(rule.where)}"
        yield from indented(lines)


def _counting(decision: Decision, number: int) -> str:
    return "hits.append({})" if decision.policy in PLAIN_LISTS else f"hits.append(({number}, {{}}))"


def _outcome(decision: Decision, rule: Rule, ending: str, site: Site) -> Iterator[str]:
    """The lines of a row that fires. A `take` that gives null ends them."""
    cells = at_cell(rule.outcomes[0].cell)
    if len(decision.outcomes) == 1 and decision.outcomes[0].kind is OutcomeKind.THEN:
        yield ending.format(site.code(rule.outcomes[0].value).whole) + cells
        return
    values: list[tuple[str, str]] = []
    depth = 0
    for column, outcome in zip(decision.outcomes, rule.outcomes, strict=True):
        code = site.code(outcome.value)
        if column.kind is OutcomeKind.THEN and not _later_take(decision, column.name):
            values.append((column.name, code.whole))
            continue
        name = site.fresh(lower_snake(column.name) if len(decision.outcomes) > 1 else "taken")
        yield from indented([f"{name} = {code.whole}{at_cell(outcome.cell)}"], depth)
        values.append((column.name, name))
        if column.kind is OutcomeKind.TAKE:
            yield from indented([f"if {name} is not None:"], depth)
            depth += 1
    yield from indented([ending.format(combined(values))], depth)


def _later_take(decision: Decision, name: str) -> bool:
    """Does a `take` stand after the column? Then its value comes first."""
    names = [column.name for column in decision.outcomes]
    return any(c.kind is OutcomeKind.TAKE for c in decision.outcomes[names.index(name) :])
