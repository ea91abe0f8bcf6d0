"""Checks as functions, each with the places it goes through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dtables.compilers.python.code import TRUE, Module, indented, literal, place_text
from dtables.compilers.python.conditions import truth
from dtables.compilers.python.functions import defined, open_function
from dtables.compilers.python.identifiers import lower_snake
from dtables.feel.types import MapType, plain
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
    """The function tells by what a value is counted; None: not at all."""
    site = open_function(module, checks.name)
    item = site.name(row.item)
    test, by = truth(row.concerns, site), site.code(row.by).whole
    text = f"return {by}" if test == TRUE else f"return {by} if {test.text} else None"
    name = module.ground.names.new(stem)
    lines = list(defined(f"{name}(turn, {item})", [text], site))
    places = ", ".join(_place(place, module) for place in row.places)
    return lines, f"{module.uses('Counted')}({_head(row)}, ({places},), {name}, {row.at_most})"


def _consistency(checks: Checks, row: Consistency, stem: str, module: Module) -> tuple[list[str], str]:
    """The function tells whether an item is wrong."""
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
    """Which asks it concerns, and what a finding says."""
    source = row.source
    return f"{source.asks!r}, {source.wanted!r}, {place_text(Location(source.where))!r}"


def _place(place: Place, module: Module) -> str:
    """The path, and the vocabulary of the keys where a map stands at its end."""
    kind = plain(place.type)
    keys = module.ground.constants[kind.key.root] if isinstance(kind, MapType) else "None"
    return f"{module.uses('Place')}({place.fields!r}, {keys})"
