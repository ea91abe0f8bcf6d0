"""Decisions as functions: rows in order, or a look-up where their conditions are known beforehand.

Rows are read exactly as the rules say: cell by cell, what a column tests worked out when the first
cell asks for it. Only where nothing can fail and the rows are known to be apart may a row end it all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dtables.compilers.python.behind import condition
from dtables.compilers.python.boxes import Boxes, boxes_of, subjects_may_fail
from dtables.compilers.python.code import Function, Module, Site, indented
from dtables.compilers.python.dispatch import write_dispatch
from dtables.compilers.python.functions import at_cell, doc, head, open_function, written
from dtables.compilers.python.hits import bind_subjects, combined, has_values_alone, resolved, without_hit
from dtables.compilers.python.identifiers import lower_snake
from dtables.compilers.python.indexed import write_index
from dtables.limits import LIMITS
from dtables.model.tables import Decision, OutcomeKind, Policy, Rule


@dataclass(frozen=True)
class Shape:
    """A decision with the boxes of its rows. `known`: what every cell lets through is known beforehand, and
    nothing can go wrong on the way to the columns' values."""

    decision: Decision
    boxes: Boxes
    known: bool

    @property
    def ends_at_first(self) -> bool:
        """Is the first row that fires the whole answer?"""
        if self.decision.policy is Policy.FIRST:
            return True
        alike = self.decision.policy in (Policy.UNIQUE, Policy.ANY, Policy.PRIORITY)
        few = len(self.decision.rules) < LIMITS.dispatched_rows
        return alike and few and self.known and self.has_key_for_all and self.boxes.apart

    @property
    def has_key_for_all(self) -> bool:
        """Has every value that may come a key? Only such always compare."""
        return all(column is None or column.has_key_for_all for column in self.boxes.columns)

    @property
    def is_indexed(self) -> bool:
        """Few rows that Python's own words tell apart need none."""
        if len(self.decision.rules) >= LIMITS.dispatched_rows:
            return True
        return self.known and not all(column is None or column.is_plain for column in self.boxes.columns)

    @property
    def takes(self) -> bool:
        return any(column.kind is OutcomeKind.TAKE for column in self.decision.outcomes)


def shape_of(decision: Decision, site: Site) -> Shape:
    boxes = boxes_of(decision, site.ground)
    return Shape(decision, boxes, boxes.known and not subjects_may_fail(decision, site.ground))


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
    if shape.takes or len(decision.rules) < LIMITS.tried_rows:
        return [], list(_rows(shape, site))
    if shape.is_indexed:
        return _indexed(shape, site) or ([], list(_rows(shape, site)))
    if not (shape.known and shape.ends_at_first):
        return [], list(_rows(shape, site))
    lines = bind_subjects(decision, site)
    inner = replace(site, function=replace(site.function, variables=dict(site.function.variables)))
    before, body, present = write_dispatch(decision, shape.boxes, inner)
    if not present:
        return before, [*lines, *body]
    test = " and ".join(f"{name} is not None" for name in present)
    return before, [*lines, f"if {test}:", *indented(body), *_read_rows(shape, site)]


def _indexed(shape: Shape, site: Site) -> tuple[list[str], list[str]] | None:
    inner = replace(site, function=_copy(site.function))
    return write_index(shape.decision, shape.boxes, lambda: _read_rows(shape, inner), inner)


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


def _row_that_ends(decision: Decision, rule: Rule, site: Site) -> Iterator[str]:
    test = condition(decision, rule, range(len(decision.subjects)), site)
    lines = list(_outcome(decision, rule, "return {}", site))
    if test is None:
        yield from lines
    else:
        yield f"if {test.whole}:{at_cell(rule.where)}"
        yield from indented(lines)


def _row_that_counts(decision: Decision, number: int, rule: Rule, site: Site) -> Iterator[str]:
    test = condition(decision, rule, range(len(decision.subjects)), site)
    lines = list(_outcome(decision, rule, _counting(decision, number), site))
    if test is None:
        yield from lines
    else:
        yield f"if {test.whole}:{at_cell(rule.where)}"
        yield from indented(lines)


def _counting(decision: Decision, number: int) -> str:
    return "hits.append({})" if has_values_alone(decision.policy) else f"hits.append(({number}, {{}}))"


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
