"""Decisions by look-up: a dict on the columns with closed lists, and what is left of the rows behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from dtables.compilers.python.boxes import Boxes, KeyColumn, Name, limits_of
from dtables.compilers.python.code import Code, Level, Site, both, indented
from dtables.compilers.python.conditions import TestedValue as Tested
from dtables.compilers.python.conditions import passing
from dtables.compilers.python.failing import is_constant
from dtables.compilers.python.functions import at_cell, defined
from dtables.compilers.python.ground import Dispatch
from dtables.compilers.python.hits import combined, tested, without_hit
from dtables.compilers.python.identifiers import constant_case, lower_snake
from dtables.compilers.python.thresholds import ThresholdRow, write_tree
from dtables.feel.types import VocabularyType, may_be_null, plain, without_null
from dtables.limits import LIMITS
from dtables.model.expressions import Read
from dtables.model.reach import nodes
from dtables.model.regions import Span
from dtables.model.tables import Decision, Rule, Subject

MOST_ENTRIES = 400


@dataclass(frozen=True)
class DispatchPlan:
    """A dict `table` by the columns `keys`, whose values are `domains`. `handed` are the names that the
    functions in the dict are given; None where values stand there."""

    table: str
    keys: tuple[int, ...]
    domains: tuple[tuple[Name, ...], ...]
    handed: tuple[str, ...] | None


Combination = tuple[Name, ...]


def write_dispatch(decision: Decision, boxes: Boxes, site: Site) -> tuple[list[str], list[str], list[str]]:
    """Lines before the function, its body, and what must not be null there. The columns have their names."""
    keys = _key_columns(decision, boxes)
    present = _present(decision, keys, site)
    lines = list(_local_names(decision, keys, site))
    if not keys:
        return [], [*lines, *_chain(decision, boxes, tuple(range(len(decision.rules))), (), site)], present
    columns = _closed(boxes, keys)
    domains = tuple(column.names for column in columns)
    rests = {c: _rest(decision, boxes, keys, c) for c in product(*domains)}
    table = site.ground.names.new(constant_case(decision.heading.name))
    names = tuple(name_of(subject, site) for subject in decision.subjects)
    if all(_is_value(decision, rest, keys, site) for rest in rests.values()):
        plan = DispatchPlan(table, keys, domains, None)
        before: list[str] = []
        entries = {c: _value(decision, rest[0], site) for c, rest in rests.items()}
    else:
        plan = DispatchPlan(table, keys, domains, _handed(decision, keys, site))
        before, entries = _behind(decision, boxes, plan, rests, site)
    path = "".join(f"[{key_of(decision.subjects[k], site)}]" for k in keys)
    call = "" if plan.handed is None else f"({', '.join(plan.handed)})"
    sure = tuple(key for key, column in zip(keys, columns, strict=True) if not column.widened)
    site.ground.dispatches[decision.heading.name] = Dispatch(
        keys,
        lambda path, plain: [f"return {plain(f'{table}{path}{call}')}"],
        names,
        plan.handed or (),
        sure,
        (),
        {n: helper for n, helper in given_helpers(boxes).items() if names[n] not in (plan.handed or ())},
    )
    return [*before, *_nested(plan, entries)], [*lines, f"return {table}{path}{call}"], present


def _present(decision: Decision, keys: tuple[int, ...], site: Site) -> list[str]:
    """What is compared with numbers and may be null: the rows alone know what null lets through."""
    return [
        site.function.variables[subject.variable.number].text
        for number, subject in enumerate(decision.subjects)
        if number not in keys
        and subject.value is not None
        and may_be_null(subject.value.type)
        and _tests_on(decision, number)
    ]


def _local_names(decision: Decision, keys: tuple[int, ...], site: Site) -> Iterator[str]:
    """What the functions behind the dict are handed has a name of its own."""
    for number, subject in enumerate(decision.subjects):
        code = site.function.variables.get(subject.variable.number)
        if code is not None and number not in keys and "." in code.text and _tests_on(decision, number):
            name = site.function.names.new(lower_snake(subject.name))
            site.function.variables[subject.variable.number] = Code(name)
            yield f"{name} = {code.text}"


def given_helpers(boxes: Boxes) -> dict[int, str]:
    helpers = {n: column.given_helper for n, column in enumerate(boxes.columns) if column is not None}
    return {n: helper for n, helper in helpers.items() if helper is not None}


def name_of(subject: Subject, site: Site) -> str:
    """A column that no row tests has a name of its own, where it is no parameter."""
    variables = site.function.variables
    code = variables.get(subject.variable.number)
    if code is None and isinstance(subject.value, Read):
        code = variables.get(subject.value.variable.number)
    name = code.text if code is not None else lower_snake(subject.name)
    return name if name.isidentifier() else lower_snake(subject.name)


def key_of(subject: Subject, site: Site) -> str:
    """Rows of keyed data are looked up by their ids."""
    code = site.function.variables[subject.variable.number]
    assert subject.value is not None
    kind = plain(subject.value.type)
    if not isinstance(kind, VocabularyType) or not site.ground.keyed(kind.root):
        return code.whole
    if may_be_null(subject.value.type):
        return f"None if {code.within(Level.SUM)} is None else {code.atom}.id"
    return f"{code.atom}.id"


def _key_columns(decision: Decision, boxes: Boxes) -> tuple[int, ...]:
    """Columns with a closed list of values, the most tested first, as long as the dict stays small."""
    chosen: list[int] = []
    size = 1
    for number in sorted(range(len(decision.subjects)), key=lambda n: -_tests_on(decision, n)):
        column = boxes.columns[number]
        names = () if column is None else column.names
        if names and _tests_on(decision, number) and size * len(names) <= MOST_ENTRIES:
            chosen.append(number)
            size *= len(names)
    return tuple(sorted(chosen))


def _closed(boxes: Boxes, keys: tuple[int, ...]) -> list[KeyColumn]:
    return [column for key in keys if (column := boxes.columns[key]) is not None]


def _tests_on(decision: Decision, number: int) -> int:
    return sum(bool(rule.conditions[number].tests) for rule in decision.rules)


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
    columns = _closed(boxes, keys)
    for number, row in enumerate(boxes.rows):
        cells = zip(columns, (row[key] for key in keys), values, strict=True)
        if all(cell is not None and column.line.passes(cell, value) for column, cell, value in cells):
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
    decision: Decision,
    boxes: Boxes,
    plan: DispatchPlan,
    rests: dict[Combination, tuple[int, ...]],
    site: Site,
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
            body = _chain(decision, boxes, rest, plan.keys, inner)
            lines += defined(f"{functions[rest]}({', '.join(plan.handed)})", body, inner)
    return lines, {combination: functions[rest] for combination, rest in rests.items()}


def _chain(
    decision: Decision, boxes: Boxes, rest: tuple[int, ...], keys: tuple[int, ...], site: Site
) -> list[str]:
    """What is left of the rows: a tree of questions on ranges of numbers, else one row after another."""
    if len(rest) >= LIMITS.chained_rows:
        tree = _tree(decision, boxes, rest, keys, site)
        if tree is not None:
            return tree
    return list(_rows(decision, rest, keys, site))


def _ending(decision: Decision, number: int, site: Site) -> str:
    return f"return {_value(decision, number, site)}{at_cell(decision.rules[number].outcomes[0].cell)}"


def _rows(decision: Decision, rest: tuple[int, ...], keys: tuple[int, ...], site: Site) -> Iterator[str]:
    for number in rest:
        rule = decision.rules[number]
        parts = [
            passing(rule.conditions[n].tests, _tested(decision.subjects[n], site), site)
            for n in _open_columns(rule, keys)
        ]
        if not parts:
            yield _ending(decision, number, site)
            return
        yield f"if {both(parts).whole}:"
        yield from indented([_ending(decision, number, site)])
    yield from without_hit(decision, site)


def _tested(subject: Subject, site: Site) -> Tested:
    """Behind the dict nothing is null."""
    found = tested(subject, site)
    return Tested(found.code, without_null(found.type))


def _tree(
    decision: Decision, boxes: Boxes, rest: tuple[int, ...], keys: tuple[int, ...], site: Site
) -> list[str] | None:
    columns = sorted({n for number in rest for n in _open_columns(decision.rules[number], keys)})
    names = [_tested(decision.subjects[n], site).code for n in columns]
    limits = tuple(_limits(boxes.columns[n], decision.subjects[n], site) for n in columns)
    rows = []
    for number in rest:
        cells = [boxes.rows[number][n] for n in columns]
        plain_cells = tuple(cell for cell in cells if cell is not None and _has_plain_cuts(cell.spans))
        if len(plain_cells) < len(cells):
            return None
        rows.append(ThresholdRow(plain_cells, _ending(decision, number, site)))
    if None in limits or not all(name.is_name for name in names):
        return None
    spans = tuple(limit for limit in limits if limit is not None)
    return write_tree(rows, tuple(n.text for n in names), spans, lambda: list(without_hit(decision, site)))


def _has_plain_cuts(spans: Iterable[Span]) -> bool:
    return all(cut is None or isinstance(cut.key, int) for span in spans for cut in span)


def _limits(column: KeyColumn | None, subject: Subject, site: Site) -> Span | None:
    """None of a column that holds no numbers."""
    if column is None or not column.is_number or subject.value is None:
        return None
    limits = limits_of(column, subject.value.type, site.ground)
    return limits if _has_plain_cuts((limits,)) else Span(None, None)


def _nested(plan: DispatchPlan, entries: dict[Combination, str]) -> Iterator[str]:
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
