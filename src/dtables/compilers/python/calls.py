"""Calls: function values, tables, steps, other asks."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

from dtables.compilers.python.code import Code, Module, Site, literal
from dtables.compilers.python.compounds import free
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.ground import Spread
from dtables.compilers.python.identifiers import free_names
from dtables.compilers.python.naming import key_text, known_value
from dtables.feel import types
from dtables.feel.types import Type
from dtables.model.expressions import Variable
from dtables.model.tables import Step
from dtables.program.nodes import Apply, AskAnswer, Call, CallStep, Expression, MakeFunction, Rank

TYPES = "dtables.feel.types"
NAMES = "NAMES"
"""The values of all vocabularies, by their roots and ids."""


def arguments(nodes: tuple[Expression, ...], site: Site) -> list[str]:
    return [site.code(node).whole for node in nodes]


# -- functions as values -----------------------------------------------------------------------


def function(node: MakeFunction, site: Site) -> Code:
    names = []
    for _, slot, _ in node.parameters:
        name, site = site.bind(slot)
        names.append(name)
    module = site.function.module
    parameters = literal(tuple(name for name, _, _ in node.parameters)).text
    kinds = ", ".join(type_text(type_, module) for _, _, type_ in node.parameters)
    comma = "," if len(node.parameters) == 1 else ""
    name = site.value_helper("Function")
    return Code(f"{name}({parameters}, {_lambda(names, site.code(node.body).whole, site)}, ({kinds}{comma}))")


def _lambda(names: list[str], body: str, site: Site) -> str:
    """What the body reads of the expressions around it is kept as it is when the function is made: Python
    would look it up when the function is called, and find the last item of a loop."""
    kept = sorted(free_names(f"lambda {', '.join(names)}: {body}") & site.function.bound)
    taken = [*names, "*", *(f"{name}={name}" for name in kept)] if kept else names
    return f"lambda {', '.join(taken)}: {body}" if taken else f"lambda: {body}"


def function_value(node: Apply, site: Site) -> Code:
    given = ", ".join(arguments(node.arguments, site))
    parts = f"{site.code(node.function).whole}, ({given}{',' if len(node.arguments) == 1 else ''}), {NAMES}"
    return Code(f"{site.uses('attempt')}({site.place(node.where)}, {site.uses('call')}, {parts})")


def instance_of(value: Code, type_: Type, site: Site) -> Code:
    text = type_text(type_, site.function.module)
    return Code(f"{site.value_helper('instance_of')}({value.whole}, {text}, {NAMES})")


def required(value: Code, allowed: tuple[Type, ...], place: str, site: Site) -> Code:
    """A value of unknown type, which must be of one of these."""
    kinds = "".join(f"{type_text(type_, site.function.module)}, " for type_ in allowed)
    parts = f"{value.whole}, ({kinds}), {NAMES}"
    return Code(f"{site.uses('attempt')}({place}, {site.uses('require')}, {parts})")


def type_text(type_: Type, module: Module) -> str:
    """A type of the expression language as a constant of the module."""
    for name in _classes(type_):
        module.uses(name, TYPES)
    return module.type_constant(f"type {types.describe(type_)}", repr(type_))


def _classes(value: object) -> list[str]:
    if isinstance(value, tuple):
        return [name for item in value for name in _classes(item)]
    if not is_dataclass(value):
        return []
    inner = [name for f in fields(value) for name in _classes(getattr(value, f.name))]
    return [type(value).__name__, *inner]


# -- tables, steps, asks -----------------------------------------------------------------------


def table(node: Call, site: Site) -> Code:
    ground = site.ground
    if ground.memoised(node.table):
        return Code(f"{site.turn}.{ground.turn_attributes[node.table]}")
    if node.table in ground.spread and sum(may_fail(a, ground) for a in node.arguments) <= 1:
        return _from_spread(ground.spread[node.table], node, site)
    text = f"{ground.functions[node.table]}({', '.join(_with_turn(node.table, node.arguments, site))})"
    if site.function.stays(free(node)) and not may_fail(node, ground):
        return Code(site.function.once(node, text, ground.functions[node.table]))
    return Code(text)


def _from_spread(spread: Spread, node: Call, site: Site) -> Code:
    parameters = site.ground.tables[node.table].parameters
    given = dict(zip((p.variable for p in parameters), node.arguments, strict=True))
    key = given.pop(spread.name)
    return _by_name(spread, site.code(*given.values()) if given else Code(site.turn), key, site)


def _by_name(spread: Spread, holder: Code, key: Expression, site: Site) -> Code:
    return Code(f"{holder.atom}.{spread.attribute}[{key_text(key, site.code(key), site)}]")


def _with_turn(name: str, nodes: tuple[Expression, ...], site: Site) -> list[str]:
    turn = [site.turn] if name in site.ground.turned else []
    return [*turn, *arguments(nodes, site)]


def step(node: CallStep, site: Site) -> Code:
    """A local function, or in an ask one of the branch, which is then its first argument; or the step's own
    words, where it is called only here."""
    spread = site.ground.spread_steps.get(node.slot)
    if spread is not None:
        known = site.function.variables
        holder = Code(site.turn) if spread.holder is None else known[spread.holder.number]
        return _by_name(spread, holder, node.arguments[0], site)
    alone = site.function.written_out.get(node.slot)
    if alone is not None:
        return _written_out(alone, node, site)
    function, *first = site.function.steps[node.slot]
    return Code(f"{function}({', '.join([*first, *arguments(node.arguments, site)])})")


def _written_out(alone: Step, node: CallStep, site: Site) -> Code:
    for parameter, argument in zip(alone.parameters, node.arguments, strict=True):
        site.function.variables[parameter.variable.number] = site.code(argument)
        _note_known(parameter.variable, argument, site)
    variables = site.function.variables
    own = tuple(p.variable for p in alone.parameters if variables[p.variable.number].is_name)
    return replace(site, inner=(*site.inner, *own)).code(alone.value)


def _note_known(parameter: Variable, argument: Expression, site: Site) -> None:
    known = known_value(argument, site)
    if known is None:
        site.function.known.pop(parameter.number, None)
    else:
        site.function.known[parameter.number] = known


def ranking(node: Rank, site: Site) -> Code:
    name = site.ground.rankings[node.scale]
    parts = ", ".join(_with_turn(node.scale, node.arguments, site))
    return Code(f"{site.uses('attempt')}({site.place(node.where)}, {name}, {parts})")


def ask_answer(node: AskAnswer, site: Site) -> Code:
    parts = ", ".join([site.turn, *arguments(node.arguments, site)])
    return Code(f"{site.ground.ask_names[node.ask]}({parts})")
