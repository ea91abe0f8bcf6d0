"""Decisions by look-up: a dict on the columns with closed lists, and what is left of the rows behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from dtables.compilers.python.boxes import Cell, Names, domain
from dtables.compilers.python.code import both, indented
from dtables.compilers.python.constants import is_constant
from dtables.compilers.python.functions import at_cell
from dtables.compilers.python.ground import Dispatch
from dtables.compilers.python.hits import bind_subjects, combined, tested, without_hit
from dtables.compilers.python.names import constant_case
from dtables.compilers.python.site import Site
from dtables.compilers.python.tests import passing
from dtables.feel.types import VocabularyType, plain
from dtables.model.expressions import Read
from dtables.model.tables import Decision, Rule, Subject
from dtables.model.walk import nodes

MOST_ENTRIES = 400

Boxes = tuple[tuple[Cell | None, ...], ...]
Value = str | bool
Combination = tuple[Value, ...]


def write_dispatch(decision: Decision, boxes: Boxes, site: Site) -> tuple[list[str], list[str]]:
    """Lines before the function, and its body."""
    lines = bind_subjects(decision, site)
    keys = _key_columns(decision, site)
    if not keys:
        return [], [*lines, *_chain(decision, tuple(range(len(decision.rules))), (), site)]
    domains = tuple(_values(decision.subjects[k], site) for k in keys)
    rests = {c: _rest(decision, boxes, keys, c) for c in product(*domains)}
    table = site.ground.names.new(constant_case(decision.heading.name))
    if all(_is_value(decision, rest, keys, site) for rest in rests.values()):
        plan = Dispatch(table, keys, domains, None)
        before: list[str] = []
        entries = {c: _value(decision, rest[0], site) for c, rest in rests.items()}
    else:
        plan = Dispatch(table, keys, domains, _handed(decision, keys, site))
        before, entries = _behind(decision, plan, rests, site)
    site.ground.dispatches[decision.heading.name] = plan
    path = "".join(f"[{key_of(decision.subjects[k], site)}]" for k in keys)
    call = "" if plan.handed is None else f"({', '.join(plan.handed)})"
    return [*before, *_nested(plan, entries)], [*lines, f"return {table}{path}{call}"]


def key_of(subject: Subject, site: Site) -> str:
    """Rows of keyed data are looked up by their ids."""
    code = site.function.variables[subject.variable.number]
    assert subject.value is not None
    kind = plain(subject.value.type)
    if isinstance(kind, VocabularyType) and site.ground.keyed(kind.root):
        return f"{code.atom}.id"
    return code.whole


def _key_columns(decision: Decision, site: Site) -> tuple[int, ...]:
    """Columns with a closed list of values, the most tested first, as long as the dict stays small."""
    chosen: list[int] = []
    size = 1
    for number in sorted(range(len(decision.subjects)), key=lambda n: -_tests_on(decision, n)):
        values = _values(decision.subjects[number], site)
        if values and _tests_on(decision, number) and size * len(values) <= MOST_ENTRIES:
            chosen.append(number)
            size *= len(values)
    return tuple(sorted(chosen))


def _tests_on(decision: Decision, number: int) -> int:
    return sum(bool(rule.conditions[number].tests) for rule in decision.rules)


def _values(subject: Subject, site: Site) -> tuple[Value, ...]:
    """In the vocabulary's order."""
    if subject.value is None or not isinstance(domain(subject.value.type, site.ground), Names):
        return ()
    kind = plain(subject.value.type)
    if isinstance(kind, VocabularyType):
        return tuple(label.id for label in site.ground.vocabularies[kind.name].names)
    return (True, False)


def _handed(decision: Decision, keys: tuple[int, ...], site: Site) -> tuple[str, ...]:
    """The turn, and the names that tests and outcomes behind the dict read."""
    variables = site.function.variables
    tests = [s.variable.number for n, s in enumerate(decision.subjects) if n not in keys]
    outcomes = [rule.outcomes for rule in decision.rules]
    read = [n.variable.number for n in nodes((*outcomes, decision.otherwise)) if isinstance(n, Read)]
    read += [
        n.variable.number
        for rule in decision.rules
        for cell in _open_columns(rule, keys)
        for n in nodes(rule.conditions[cell].tests)
        if isinstance(n, Read)
    ]
    turn = ["turn"] if site.ground.needs_turn((*outcomes, decision.otherwise)) else []
    return tuple(dict.fromkeys([*turn, *(variables[n].text for n in (*tests, *read) if n in variables)]))


# -- behind the dict ---------------------------------------------------------------------------


def _rest(decision: Decision, boxes: Boxes, keys: tuple[int, ...], values: Combination) -> tuple[int, ...]:
    """The rows that can still fire, up to one that certainly does."""
    left: list[int] = []
    for number, row in enumerate(boxes):
        cells = [row[k] for k in keys]
        if all(isinstance(c, Names) and v in c.values for c, v in zip(cells, values, strict=True)):
            left.append(number)
            if not _open_columns(decision.rules[number], keys):
                break
    return tuple(left)


def _open_columns(rule: Rule, keys: tuple[int, ...]) -> list[int]:
    return [n for n, cell in enumerate(rule.conditions) if cell.tests and n not in keys]


def _is_value(decision: Decision, rest: tuple[int, ...], keys: tuple[int, ...], site: Site) -> bool:
    if len(rest) != 1 or _open_columns(decision.rules[rest[0]], keys):
        return False
    return is_constant(decision.rules[rest[0]].outcomes, site.ground)


def _value(decision: Decision, number: int, site: Site) -> str:
    outcomes = zip(decision.outcomes, decision.rules[number].outcomes, strict=True)
    return combined([(column.name, site.code(o.value).whole) for column, o in outcomes])


def _behind(
    decision: Decision, plan: Dispatch, rests: dict[Combination, tuple[int, ...]], site: Site
) -> tuple[list[str], dict[Combination, str]]:
    """A function for each different rest of the rows."""
    assert plan.handed is not None
    lines: list[str] = []
    functions: dict[tuple[int, ...], str] = {}
    stem = f"{site.ground.functions[decision.heading.name]}_case"
    for rest in rests.values():
        if rest not in functions:
            functions[rest] = site.ground.names.new(stem)
            inner = replace(site, function=replace(site.function, prelude=[]))
            body = list(_chain(decision, rest, plan.keys, inner))
            lines.append(f"def {functions[rest]}({', '.join(plan.handed)}):")
            lines += [*indented([*inner.function.prelude, *body]), "", ""]
    return lines, {combination: functions[rest] for combination, rest in rests.items()}


def _chain(decision: Decision, rest: tuple[int, ...], keys: tuple[int, ...], site: Site) -> Iterator[str]:
    """What is left of the rows, one after another."""
    for number in rest:
        rule = decision.rules[number]
        ending = f"return {_value(decision, number, site)}{at_cell(rule.outcomes[0].cell)}"
        parts = [
            passing(rule.conditions[n].tests, tested(decision.subjects[n], site), site)
            for n in _open_columns(rule, keys)
        ]
        if not parts:
            yield ending
            return
        yield f"if {both(parts).whole}:"
        yield from indented([ending])
    yield from without_hit(decision, site)


def _nested(plan: Dispatch, entries: dict[Combination, str]) -> Iterator[str]:
    """`{a: {b: entry}}`, a line for each innermost dict."""

    def write(prefix: Combination) -> Iterator[str]:
        *outer, last = plan.domains[len(prefix) :]
        if not outer:
            yield ", ".join(f"{value!r}: {entries[(*prefix, value)]}" for value in last)
            return
        for value in outer[0]:
            inside = list(write((*prefix, value)))
            if len(outer) == 1:
                yield f"{value!r}: {{{inside[0]}}},"
            else:
                yield from (f"{value!r}: {{", *indented(inside), "},")

    yield f"{plan.table} = {{"
    yield from indented(write(()))
    yield from ("}", "", "")
