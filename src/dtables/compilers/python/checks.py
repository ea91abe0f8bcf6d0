"""Checks as functions, each with the places it goes through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dtables.compilers.python.code import TRUE, Module, indented, literal, place_text
from dtables.compilers.python.conditions import TestedValue, passing, truth
from dtables.compilers.python.functions import defined, open_function
from dtables.compilers.python.identifiers import lower_snake
from dtables.feel.types import MapType, Type, plain
from dtables.model import reach
from dtables.model.tables import Checks, Consistency, Counted, Place
from dtables.provenance import Location


def write_checks(checks: Checks, module: Module) -> Iterator[str]:
    """Functions for what the rows read, then the rows as data."""
    rows: list[str] = []
    for row in checks.rows:
        lines, text = _row(checks, row, module)
        yield from lines
        rows.append(text)
    name = module.ground.names.new(f"{lower_snake(checks.heading.name).upper()}_CHECKS")
    module.ground.check_tables.append(name)
    yield f"{name} = ("
    yield from indented([f"{row}," for row in rows])
    yield ")"
    yield from ("", "")


def _row(checks: Checks, row: Counted | Consistency, module: Module) -> tuple[list[str], str]:
    stem = f"{lower_snake(checks.heading.name)}_{lower_snake(row.number)}"
    match row:
        case Counted():
            return _counted(checks, row, stem, module)
        case Consistency():
            return _consistency(checks, row, stem, module)
        case _:
            assert_never(row)


def _counted(checks: Checks, row: Counted, stem: str, module: Module) -> tuple[list[str], str]:
    """The function tells by what a value is counted; None: not at all."""
    site = open_function(module, checks.heading.name)
    item = site.function.bind(row.item)
    site.function.variables[row.subject.number] = site.function.variables[row.item.number]
    test = passing(
        row.only_for, TestedValue(site.function.variables[row.item.number], row.subject.type), site
    )
    by = site.code(row.by).whole
    text = f"return {by}" if test == TRUE else f"return {by} if {test.text} else None"
    name = module.ground.names.new(stem)
    lines = list(defined(f"{name}(turn, {item})", [text], site))
    places = ", ".join(_place(place, module) for place in row.places)
    return lines, f"{module.uses('Counted')}({_head(row)}, ({places},), {name}, {row.at_most})"


def _consistency(checks: Checks, row: Consistency, stem: str, module: Module) -> tuple[list[str], str]:
    """The function tells whether an item is wrong."""
    site = open_function(module, checks.heading.name)
    names = [
        site.function.bind(variable) if variable is not None else site.fresh(unused)
        for variable, unused in ((row.item, "_item"), (row.key, "_key"), (row.position, "_position"))
    ]
    test = truth(module.ground.lowered.value(row.wrong_if), site).whole
    name = module.ground.names.new(stem)
    lines = list(defined(f"{name}(turn, {', '.join(names)})", [f"return {test}"], site))
    places = "".join(f"{_place(place, module)}, " for place in row.each)
    return lines, f"{module.uses('Consistency')}({_head(row)}, ({places}), {name}, {literal(row.at).text})"


def _head(row: Counted | Consistency) -> str:
    return f"{row.asks!r}, {row.wanted!r}, {place_text(Location(row.where))!r}"


def _place(place: Place, module: Module) -> str:
    """The path, and the vocabulary of the keys where a map stands at its end."""
    kind = plain(type_at(place, module))
    keys = module.ground.constants[kind.key.root] if isinstance(kind, MapType) else "None"
    return f"{module.uses('Place')}({place.fields!r}, {keys})"


def type_at(place: Place, module: Module) -> Type:
    ground = module.ground
    return reach.type_at(place, ground.ruleset.input.state, ground.records)
