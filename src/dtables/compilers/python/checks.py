"""Checks as functions, each with the places it goes through, and one look at a record for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from dtables.compilers.python.code import TRUE, Level, Module, Site, indented, literal, place_text
from dtables.compilers.python.conditions import truth
from dtables.compilers.python.functions import at_cell, defined, open_function, written
from dtables.compilers.python.ground import Ground
from dtables.compilers.python.identifiers import lower_snake
from dtables.feel.types import (
    ListType,
    MapType,
    NumberType,
    TextType,
    Type,
    VocabularyType,
    may_be_null,
    plain,
    without_null,
)
from dtables.program.nodes import Check, Checks, Consistency, Counted, Place
from dtables.provenance import Location


def write_checks(checks: Checks, module: Module) -> Iterator[str]:
    """Functions for what the rows read, then the rows as data."""
    rows: list[str] = []
    for row in checks.rows:
        lines, text = _row(checks, row, module)
        yield from lines
        rows.append(text)
    name = module.ground.names.new(f"{lower_snake(checks.name).upper()}_CHECKS")
    module.ground.check_tables.append(name)
    yield f"{name} = ("
    yield from indented([f"{row}," for row in rows])
    yield ")"
    yield from ("", "")


def _row(checks: Checks, row: Check, module: Module) -> tuple[list[str], str]:
    stem = f"{lower_snake(checks.name)}_{lower_snake(row.source.number)}"
    match row:
        case Counted():
            return _counted(checks, row, stem, module)
        case Consistency():
            return _consistency(checks, row, stem, module)
        case _:
            assert_never(row)


def _counted(checks: Checks, row: Counted, stem: str, module: Module) -> tuple[list[str], str]:
    """The function gives what a value is counted by; None: not at all."""
    site = open_function(module, checks.name)
    item = site.name(row.item)
    test, by = truth(row.concerns, site), site.code(row.by).whole
    text = f"return {by}" if test == TRUE else f"return {by} if {test.text} else None"
    name = module.ground.names.new(stem)
    lines = list(defined(f"{name}(turn, {item})", [text], site))
    places = ", ".join(_place(place, module) for place in row.places)
    return lines, f"{module.uses('Counted')}({_head(row)}, ({places},), {name}, {row.at_most})"


def _consistency(checks: Checks, row: Consistency, stem: str, module: Module) -> tuple[list[str], str]:
    """The function decides whether an item is wrong."""
    site = open_function(module, checks.name)
    names = [
        site.name(slot) if slot is not None else site.fresh(unused)
        for slot, unused in ((row.item, "_item"), (row.key, "_key"), (row.position, "_position"))
    ]
    test = truth(row.wrong_if, site).whole
    name = module.ground.names.new(stem)
    lines = list(defined(f"{name}(turn, {', '.join(names)})", [f"return {test}"], site))
    places = "".join(f"{_place(place, module)}, " for place in row.each)
    at = literal(row.source.at).text
    return lines, f"{module.uses('Consistency')}({_head(row)}, ({places}), {name}, {at})"


def _head(row: Check) -> str:
    """Which asks it concerns, and what a finding expects."""
    source = row.source
    return f"{source.asks!r}, {source.wanted!r}, {place_text(Location(source.where))!r}"


def _place(place: Place, module: Module) -> str:
    """The path, and the vocabulary of the keys where a map stands at its end."""
    kind = plain(place.type)
    keys = module.ground.constants[kind.key.root] if isinstance(kind, MapType) else "None"
    return f"{module.uses('Place')}({place.fields!r}, {keys})"


# -- one look for all --------------------------------------------------------------------------
# Is anything wrong? Only then the rows report what and where.


FOUND = "    return True"


def write_look(module: Module) -> Iterator[str]:
    """A function of the turn and the ask."""
    ground = module.ground
    if not ground.check_tables:
        return
    site = open_function(module, None)
    ask = site.fresh("ask")
    lines: list[str] = []
    for checks, name in zip(ground.checks, ground.check_tables, strict=True):
        site.function.table = checks.name
        for rows in _grouped(checks, ground):
            lines += _for_asks(rows[0].source.asks, ask, _look(checks, name, rows, site))
    yield f"def anything_wrong(turn, {ask}):"
    yield '    """Do the checks find anything? They are told apart only then."""'
    yield from (*written(site, [*lines, "return False"]), "", "")


def _grouped(checks: Checks, ground: Ground) -> Iterator[tuple[Check, ...]]:
    """Rows that look at the same items one by one do so together."""
    groups: dict[object, list[Check]] = {}
    for number, row in enumerate(checks.rows):
        each: object = number
        if isinstance(row, Consistency) and row.each and not _reads_place(row, ground):
            each = tuple(place.fields for place in row.each)
        groups.setdefault((row.source.asks, each), []).append(row)
    return (tuple(group) for group in groups.values())


def _reads_place(row: Consistency, ground: Ground) -> bool:
    """Does it ask where in a list or map the item stands?"""
    read = ground.lowered.reads(row.wrong_if)
    return row.position in read or row.key in read


def _for_asks(asks: tuple[str, ...], ask: str, lines: Iterable[str]) -> Iterator[str]:
    if not asks:
        yield from lines
        return
    yield f"if {ask} in {literal(asks).text}:"
    yield from indented(lines)


def _look(checks: Checks, name: str, rows: tuple[Check, ...], site: Site) -> Iterator[str]:
    first = rows[0]
    lines = _too_often(first, site) if isinstance(first, Counted) else _consistent(rows, site)
    if lines is not None:
        yield from lines
        return
    for row in rows:
        found = f"{site.uses('broken')}(({name}[{checks.rows.index(row)}],), turn)"
        yield f"if {found}:{at_cell(row.source.where)}"
        yield FOUND


# -- counted -----------------------------------------------------------------------------------


def _too_often(row: Counted, site: Site) -> list[str] | None:
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
    return [f"{seen} = {together}{at_cell(row.source.where)}", f"if {often}:", FOUND]


def _values(row: Counted, place: Place, site: Site) -> str | None:
    """What is counted at a place, as a part of a list."""
    item, inside = site.bind(row.item)
    clauses = clauses_to(place, ItemNames(item), site)
    if clauses is None:
        return None
    test = truth(row.concerns, inside)
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


def _consistent(rows: tuple[Check, ...], site: Site) -> list[str] | None:
    """Of rows that look at the same items."""
    together = [row for row in rows if isinstance(row, Consistency)]
    first = together[0]
    if not first.each:
        return [line for row in together for line in _test(row, site)]
    names, inside = _names(first, site)
    assert first.item is not None
    for row in together[1:]:
        if row.item is not None:
            inside = replace(inside, inner=(*inside.inner, site.ground.lowered.variables[row.item]))
            site.function.variables[row.item] = site.function.variables[first.item]
    ways = [clauses_to(place, names, site) for place in first.each]
    lines: list[str] = []
    tests = [line for row in together for line in _test(row, inside)]
    for clauses in ways:
        if clauses is None:
            return None
        lines += _nested(clauses, tests)
    return lines


def _names(row: Consistency, site: Site) -> tuple[ItemNames, Site]:
    """Names for the item, and for where it stands if the row reads that."""
    read = site.ground.lowered.reads(row.wrong_if)
    names: list[str | None] = []
    for slot in (row.item, row.position, row.key):
        if slot is None or (slot != row.item and slot not in read):
            names.append(None)
        else:
            name, site = site.bind(slot)
            names.append(name)
    item, position, key = names
    return ItemNames(item or site.fresh("item"), position, key), site


def _test(row: Consistency, site: Site) -> Iterator[str]:
    yield f"if {truth(row.wrong_if, site).whole}:{at_cell(row.source.where)}"
    yield FOUND


def _nested(clauses: tuple[str, ...], lines: list[str]) -> Iterator[str]:
    for depth, clause in enumerate(clauses):
        yield from indented([f"{clause}:"], depth)
    yield from indented(lines, len(clauses))


# -- places ------------------------------------------------------------------------------------
# As clauses `for … in …` and `if …`: through records, lists and maps, past nulls.


@dataclass(frozen=True)
class ItemNames:
    """The names that the item, and where they are read its position and key, shall have."""

    item: str
    position: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class Walk:
    """The clauses so far, and the expression that they lead to with its type."""

    clauses: tuple[str, ...]
    value: str
    type: Type

    def then(self, clauses: tuple[str, ...], value: str, type_: Type) -> Walk:
        return Walk((*self.clauses, *clauses), value, type_)


def clauses_to(place: Place, names: ItemNames, site: Site) -> tuple[str, ...] | None:
    """The clauses that go through every item at a place; None where the way is not known beforehand."""
    ground = site.ground
    record = ground.ruleset.input.state
    first = place.fields[0]
    attribute = ground.optional_attributes.get(first) or ground.attributes[record.name].get(first)
    if attribute is None:
        return None
    walk: Walk | None = Walk((), f"turn.{attribute}", ground.field_of(record, first).type)
    for name in place.fields[1:]:
        walk = _into(walk, name, names, site) if walk is not None else None
    walk = _items(walk, names, site) if walk is not None else None
    if walk is None:
        return None
    clauses = list(walk.clauses)
    if walk.value != names.item:
        clauses.append(f"for {names.item} in ({walk.value},)")
    if may_be_null(walk.type):
        clauses.append(f"if {names.item} is not None")
    unknown = [n for n in (names.position, names.key) if n is not None and not _bound(n, clauses)]
    return (*(f"for {name} in (None,)" for name in unknown), *clauses)


def _bound(name: str, clauses: list[str]) -> bool:
    return any(f"for {name}, " in clause for clause in clauses)


def _into(walk: Walk, name: str, names: ItemNames, site: Site) -> Walk | None:
    """A field of the records there."""
    walk = _present(_items(walk, replace(names, item=site.fresh("each")), site), site)
    record = site.ground.record_of(walk.type)
    if record is None or name not in site.ground.attributes[record.name]:
        return None
    field = site.ground.field_of(record, name)
    if site.ground.by_turn(record.name, name):
        value = f"{site.ground.computed[record.name, name]}(turn, {walk.value})"
    else:
        value = f"{walk.value}.{site.ground.attributes[record.name][name]}"
    return replace(walk, value=value, type=field.type)


def _present(walk: Walk, site: Site) -> Walk:
    if not may_be_null(walk.type):
        return walk
    name = site.fresh("it")
    clauses = (f"for {name} in ({walk.value},)", f"if {name} is not None")
    return walk.then(clauses, name, without_null(walk.type))


def _listed(walk: Walk) -> Walk:
    """Nothing stands in a list that is not there."""
    value = f"{walk.value} or ()" if may_be_null(walk.type) else walk.value
    return replace(walk, value=value, type=without_null(walk.type))


def _items(walk: Walk, names: ItemNames, site: Site) -> Walk:
    """Element by element, as deep as lists and maps go; the last of them has the given name."""
    match plain(walk.type):
        case ListType(item=item):
            walk = _listed(walk)
            name = site.fresh("each") if _goes_on(item) else names.item
            if names.position is None:
                clause = f"for {name} in {walk.value}"
            else:
                clause = f"for {names.position}, {name} in enumerate({walk.value}, 1)"
            return _items(walk.then((clause,), name, item), names, site)
        case MapType(value=item, key=key):
            walk = _present(walk, site)
            name = site.fresh("each") if _goes_on(item) else names.item
            clauses: tuple[str, ...] = (f"for {name} in {walk.value}.values()",)
            if names.key is not None:
                clauses = _keyed(walk, name, names.key, key.root, site)
            return _items(walk.then(clauses, name, item), names, site)
        case _:
            return walk


def _goes_on(item: Type) -> bool:
    return isinstance(plain(item), (ListType, MapType))


def _keyed(walk: Walk, name: str, key: str, root: str, site: Site) -> tuple[str, ...]:
    """A map is keyed by ids; of keyed data the item is the row."""
    if not site.ground.keyed(root):
        return (f"for {key}, {name} in {walk.value}.items()",)
    id_ = site.fresh("id")
    rows = site.ground.constants[root]
    return (f"for {id_}, {name} in {walk.value}.items()", f"for {key}, _ in (({rows}[{id_}], None),)")
