"""One look at a record for all checks: is anything wrong? Only then the rows say what and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dtables.compilers.python.code import TRUE, Level, Module, Site, indented, literal
from dtables.compilers.python.conditions import TestedValue, passing, truth
from dtables.compilers.python.functions import at_cell, open_function, written
from dtables.compilers.python.walking import ItemNames, clauses_to
from dtables.feel.types import NumberType, TextType, VocabularyType, may_be_null, plain
from dtables.model.expressions import Read
from dtables.model.reach import nodes
from dtables.model.tables import Checks, Consistency, Counted, Place

FOUND = "    return True"
Row = Counted | Consistency


def write_look(module: Module) -> Iterator[str]:
    """A function of the turn and the ask."""
    ground = module.ground
    if not ground.check_tables:
        return
    site = open_function(module, None)
    ask = site.fresh("ask")
    lines: list[str] = []
    for checks, name in zip(ground.ruleset.checks, ground.check_tables, strict=True):
        site.function.table = checks.heading.name
        for rows in _grouped(checks):
            lines += _for_asks(rows[0].asks, ask, _look(checks, name, rows, site))
    yield f"def anything_wrong(turn, {ask}):"
    yield '    """Do the checks find anything? They are told apart only then."""'
    yield from (*written(site, [*lines, "return False"]), "", "")


def _grouped(checks: Checks) -> Iterator[tuple[Row, ...]]:
    """Rows that look at the same items one by one do so together."""
    groups: dict[object, list[Row]] = {}
    for number, row in enumerate(checks.rows):
        each: object = number
        if isinstance(row, Consistency) and row.each and not _reads_place(row):
            each = tuple(place.fields for place in row.each)
        groups.setdefault((row.asks, each), []).append(row)
    return (tuple(group) for group in groups.values())


def _reads_place(row: Consistency) -> bool:
    """Does it ask where in a list or map the item stands?"""
    read = {node.variable for node in nodes(row.wrong_if) if isinstance(node, Read)}
    return row.position in read or row.key in read


def _for_asks(asks: tuple[str, ...], ask: str, lines: Iterable[str]) -> Iterator[str]:
    if not asks:
        yield from lines
        return
    yield f"if {ask} in {literal(asks).text}:"
    yield from indented(lines)


def _look(checks: Checks, name: str, rows: tuple[Row, ...], site: Site) -> Iterator[str]:
    first = rows[0]
    lines = _counted(first, site) if isinstance(first, Counted) else _consistent(rows, site)
    if lines is not None:
        yield from lines
        return
    for row in rows:
        yield f"if {site.uses('broken')}(({name}[{checks.rows.index(row)}],), turn):{at_cell(row.where)}"
        yield FOUND


# -- counted -----------------------------------------------------------------------------------


def _counted(row: Counted, site: Site) -> list[str] | None:
    """None where Python cannot count such values, or the way to them is not known beforehand."""
    if not isinstance(plain(row.by.type), (NumberType, TextType, VocabularyType)):
        return None
    parts = []
    for place in row.places:
        part = _values(row, place, site)
        if part is None:
            return None
        parts.append(part)
    seen = site.fresh("seen")
    often = f"{site.uses('too_often')}({seen}, {row.at_most})"
    if row.at_most == 1:
        often = f"len({seen}) > len(set({seen}))"
    together = parts[0].removeprefix("*") if len(parts) == 1 else f"[{', '.join(parts)}]"
    return [f"{seen} = {together}{at_cell(row.where)}", f"if {often}:", FOUND]


def _values(row: Counted, place: Place, site: Site) -> str | None:
    """What is counted at a place, as a part of a list."""
    item, inside = site.bind(row.item)
    site.function.variables[row.subject.number] = site.function.variables[row.item.number]
    clauses = clauses_to(place, ItemNames(item), site)
    if clauses is None:
        return None
    test = passing(
        row.only_for, TestedValue(site.function.variables[row.item.number], row.subject.type), inside
    )
    if test != TRUE:
        clauses = (*clauses, f"if {test.within(Level.OR)}")
    value = inside.code(row.by).whole
    if value == item and len(clauses) == 1:
        return _spread(clauses[0], item)
    if value != item and may_be_null(row.by.type):
        name = site.fresh("by")
        clauses = (*clauses, f"for {name} in ({value},)", f"if {name} is not None")
        value = name
    return f"*[{value} {' '.join(clauses)}]"


def _spread(clause: str, item: str) -> str:
    source = clause.removeprefix(f"for {item} in ")
    return f"*({source})" if " " in source else f"*{source}"


# -- consistent --------------------------------------------------------------------------------


def _consistent(rows: tuple[Row, ...], site: Site) -> list[str] | None:
    """Of rows that look at the same items."""
    together = [row for row in rows if isinstance(row, Consistency)]
    first = together[0]
    if not first.each:
        return [line for row in together for line in _test(row, site)]
    wanted, inside = _names(first, site)
    for row in together[1:]:
        if row.item is not None:
            inside = replace(inside, inner=(*inside.inner, row.item))
            site.function.variables[row.item.number] = site.function.variables[_item(first)]
    ways = [clauses_to(place, wanted, site) for place in first.each]
    lines: list[str] = []
    tests = [line for row in together for line in _test(row, inside)]
    for clauses in ways:
        if clauses is None:
            return None
        lines += _nested(clauses, tests)
    return lines


def _item(row: Consistency) -> int:
    assert row.item is not None
    return row.item.number


def _names(row: Consistency, site: Site) -> tuple[ItemNames, Site]:
    """Names for the item, and for where it stands if the row reads that."""
    read = {node.variable for node in nodes(row.wrong_if) if isinstance(node, Read)}
    names: list[str | None] = []
    for variable in (row.item, row.position, row.key):
        if variable is None or (variable is not row.item and variable not in read):
            names.append(None)
        else:
            name, site = site.bind(variable)
            names.append(name)
    item, position, key = names
    return ItemNames(item or site.fresh("item"), position, key), site


def _test(row: Consistency, site: Site) -> Iterator[str]:
    yield f"if {truth(site.ground.lowered.value(row.wrong_if), site).whole}:{at_cell(row.where)}"
    yield FOUND


def _nested(clauses: tuple[str, ...], lines: list[str]) -> Iterator[str]:
    for depth, clause in enumerate(clauses):
        yield from indented([f"{clause}:"], depth)
    yield from indented(lines, len(clauses))
