"""What is asked for every name of a small vocabulary: a table for each record or turn that it is asked about.

A formula, or a step of one, is made into an attribute of the record that carries the turn (or of the turn
itself): a dict by id, worked out for all names when it is first read. Only what cannot fail may be
worked out before it is wanted, and only what is asked for all names is worth it.
"""

from __future__ import annotations

from collections.abc import Iterator

from dtables.compilers.python.code import Module, indented
from dtables.compilers.python.functions import at_cell, doc, open_function
from dtables.compilers.python.ground import Ground, Spread
from dtables.compilers.python.identifiers import lower_snake
from dtables.compilers.python.keeping import carries_turn, works
from dtables.compilers.python.naming import MOST_NAMES, by_name, gone_through, id_text
from dtables.feel.types import VocabularyType, may_be_null, plain
from dtables.model import expressions as model
from dtables.model.tables import Formula, Parameter, Step
from dtables.program.nodes import Call, CallStep, Expression, Filter, For, Local, Quantified, Slot
from dtables.provenance import CellRef


def find_spread(ground: Ground) -> None:
    """After `find_kept`: what is not asked again is not worth a table."""
    every = _every_name(ground)
    for name in ground.tables:
        table = ground.tables[name]
        if name not in ground.kept or not isinstance(table, Formula):
            continue
        for step in table.steps:
            spread = _step_spread(step, table, every, ground)
            if spread is not None:
                ground.spread_steps[step.variable.number] = spread
        if name not in ground.failing and not table.steps:
            spread = _spread(name, table.parameters, every, ground)
            if spread is not None:
                ground.spread[name] = spread


def _spread(wanted: str, parameters: tuple[Parameter, ...], every: set[int], ground: Ground) -> Spread | None:
    names = [p for p in parameters if p.variable.number in every and _is_small(p, ground)]
    holders = [p for p in parameters if carries_turn(p.type, ground)]
    if len(names) != 1 or len(holders) > 1 or len(parameters) != 1 + len(holders):
        return None
    vocabulary = plain(names[0].type)
    assert isinstance(vocabulary, VocabularyType)
    record = ground.record_of(holders[0].type) if holders else ground.ruleset.input.state
    assert record is not None
    attribute = ground.own_names[record.name].new(f"{lower_snake(wanted)}_by_{lower_snake(vocabulary.name)}")
    return Spread(attribute, names[0].variable, holders[0].variable if holders else None, record.name)


def _step_spread(step: Step, formula: Formula, every: set[int], ground: Ground) -> Spread | None:
    """A step that reads nothing of its formula but one record."""
    if len(step.parameters) != 1 or step.variable.number in ground.failing_steps:
        return None
    parts = tuple(ground.lowered.nodes(step.value))
    if not works(step.value, ground, ground.kept) or any(isinstance(n, CallStep) for n in parts):
        return None
    read = ground.lowered.reads(step.value)
    if read & {other.variable.number for other in formula.steps}:
        return None
    outer = tuple(p for p in formula.parameters if p.variable.number in read)
    if not outer and not ground.needs_turn(step.value):
        return None
    return _spread(f"{formula.heading.name} {step.variable.name}", (*step.parameters, *outer), every, ground)


def _is_small(parameter: Parameter, ground: Ground) -> bool:
    found = plain(parameter.type)
    if may_be_null(parameter.type) or not isinstance(found, VocabularyType):
        return False
    return len(ground.vocabularies[found.name].names) <= MOST_NAMES


def _every_name(ground: Ground) -> set[int]:
    """Variables that go through the names of a vocabulary, and parameters that are given such."""
    found: set[int] = set()
    given: list[tuple[int, int]] = []
    steps = {s.variable.number: s for t in ground.tables.values() if isinstance(t, Formula) for s in t.steps}
    for node in ground.working:
        match node:
            case For(bindings=bindings) | Quantified(bindings=bindings):
                found |= {b.slot for b in bindings if gone_through(b.source) is not None}
            case Filter(item=item) if gone_through(node) is not None:
                found.add(item)
            case Call(table=name, arguments=arguments):
                given += _given(ground.tables[name].parameters, arguments)
            case CallStep(slot=step, arguments=arguments) if step in steps:
                given += _given(steps[step].parameters, arguments)
            case _:
                pass
    before = -1
    while before != len(found):
        before = len(found)
        found |= {parameter for parameter, argument in given if argument in found}
    return found


def _given(
    parameters: tuple[Parameter, ...], arguments: tuple[Expression, ...]
) -> Iterator[tuple[Slot, Slot]]:
    for parameter, argument in zip(parameters, arguments, strict=True):
        if isinstance(argument, Local):
            yield parameter.variable.number, argument.slot


# -- writing -----------------------------------------------------------------------------------


def write_spread(spread: Spread, table: str, value: model.Expression, cell: CellRef, module: Module) -> None:
    """The function that works the table out. It stands among the lists of the module."""
    name = module.ground.names.new(spread.attribute)
    site = open_function(module, table)
    holder = "turn" if spread.holder is None else site.function.bind(spread.holder)
    site.function.turn = holder if spread.holder is None else f"{holder}.turn"
    site.function.turned = True
    site.function.steady = {}
    site.function.outer = frozenset({spread.holder.number} if spread.holder is not None else ())
    entries = by_name(spread.name, module.ground.lowered.value(value), site).whole
    steady = [f"{known} = {text}" for known, text in site.function.steady.values()]
    lines = [*steady, *site.function.prelude, f"return {entries}{at_cell(cell)}"]
    module.spread_lines += [f"def {name}({holder}):", *indented(lines), "", ""]
    module.spread_attributes.setdefault(spread.record, []).append((spread.attribute, name))


def write_spread_steps(formula: Formula, module: Module) -> None:
    for step in formula.steps:
        spread = module.ground.spread_steps.get(step.variable.number)
        if spread is not None:
            write_spread(spread, formula.heading.name, step.value, step.cell, module)


def write_spread_formula(formula: Formula, spread: Spread, module: Module) -> list[str]:
    """The formula, as it is called from outside."""
    name = formula.heading.name
    write_spread(spread, name, formula.result, formula.cell, module)
    site = open_function(module, name)
    turn = ["turn"] if name in module.ground.turned else []
    bound = [site.function.bind(parameter.variable) for parameter in formula.parameters]
    holder = "turn" if spread.holder is None else site.function.variables[spread.holder.number].text
    key = id_text(spread.name.type, site.function.variables[spread.name.number], site)
    return [
        f"def {module.ground.functions[name]}({', '.join([*turn, *bound])}):",
        doc("Formula", name, formula.heading.where),
        f"    return {holder}.{spread.attribute}[{key}]",
        "",
    ]
