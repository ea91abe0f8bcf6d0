"""The class of the turn's state: input fields, switches, and tables of the turn alone."""

from __future__ import annotations

from collections.abc import Iterator

from dtables.compilers.python.functions import doc
from dtables.compilers.python.site import Module, place_text
from dtables.feel.types import describe, without_null
from dtables.provenance import Location


def write_state_class(module: Module) -> Iterator[str]:
    ground = module.ground
    state = ground.ruleset.input.state
    attributes = ground.attributes[state.name]
    stored = state.stored
    optional = ground.optional_attributes
    overriding = [ground.switch_attributes[n] for n in ground.switches if n in ground.overridable]
    slots = [*(attributes[f.name] for f in stored), *optional.values(), *overriding]
    yield f"class {ground.classes[state.name]}({module.uses('Turn')}):"
    yield doc("Input", state.name, state.where)
    yield ""
    yield "    __slots__ = ("
    yield from (f"        {slot!r}," for slot in slots)
    yield "    )"
    yield f"    record_type = {state.name!r}"
    names = (f"{f.name!r}: {optional.get(f.name, attributes[f.name])!r}" for f in stored)
    yield f"    STORED = {{{', '.join(names)}}}"
    yield f"    REQUIRED = {{{', '.join(f'{n!r}: {attributes[n]!r}' for n in optional)}}}"
    yield "    MISSING = {"
    for field in stored:
        if field.name in optional:
            wanted = describe(without_null(field.type))
            place = place_text(Location(field.where))
            yield f"        {attributes[field.name]!r}: ({field.name!r}, {wanted!r}, {place!r}),"
    yield "    }"
    yield f"    CARRIERS = {tuple(_carriers(module))!r}"
    yield "    SWITCHES = ("
    for group in ground.ruleset.switches:
        for rule in group.rules if group.field is not None else ():
            name = ground.switch_attributes[rule.name]
            yield f"        ({name!r}, {group.field!r}, {rule.name!r}, {rule.default!r}),"
    yield "    )"


def _carriers(module: Module) -> Iterator[str]:
    """Where records lie that know the turn."""
    ground = module.ground
    state = ground.ruleset.input.state
    for field in state.stored:
        if ground.type_keeps_turn(field.type):
            yield ground.attributes[state.name][field.name]
            if field.name in ground.optional_attributes:
                yield ground.optional_attributes[field.name]
