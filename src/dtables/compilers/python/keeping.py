"""Formulas whose values a turn keeps: those that go through lists and are repeated with the same arguments.

Python must distinguish their arguments at once: names, rows, numbers, texts, and records, each of which is
itself only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from dtables.compilers.python.code import Module, Site, indented, literal
from dtables.compilers.python.failing import node_may_fail
from dtables.compilers.python.functions import at_cell, doc, open_function
from dtables.compilers.python.ground import Ground, Spread
from dtables.compilers.python.identifiers import lower_snake
from dtables.compilers.python.naming import MOST_NAMES, by_name, gone_through, id_text
from dtables.compilers.python.operators import is_boolean
from dtables.feel.types import (
    BooleanType,
    NumberType,
    RecordType,
    TextType,
    Type,
    VocabularyType,
    may_be_null,
    plain,
)
from dtables.model import expressions as model
from dtables.model.tables import Formula, Parameter, Step
from dtables.program.nodes import (
    Call,
    CallStep,
    Comparison,
    Computed,
    Constant,
    Expression,
    Filter,
    For,
    Local,
    Logic,
    Node,
    Not,
    Quantified,
    Slot,
    Stored,
    nodes,
)
from dtables.provenance import CellRef

MOST_BRIEF = 8
Loop = Filter | For | Quantified


def find_kept(ground: Ground) -> None:
    again = _asked_again(ground)
    working: set[str] = set()
    thin: set[str] = set()
    for name, table in ground.tables.items():
        if not isinstance(table, Formula) or not works((table.steps, table.result), ground, working):
            continue
        working.add(name)
        if _only_asks(table, ground, working, ground.kept | thin):
            thin.add(name)
        elif name in again and table.parameters and _turn(table, ground) is not None:
            ground.kept.add(name)


def _only_asks(formula: Formula, ground: Ground, working: Collection[str], known: Collection[str]) -> bool:
    """Does it go through no lists itself, and ask only one that does, which the turn keeps? Looking that one
    up is as quick as looking up its own value."""
    parts = list(ground.lowered.nodes((formula.steps, formula.result)))
    asked = [part.table for part in parts if isinstance(part, Call) and part.table in working]
    return len(asked) == 1 and asked[0] in known and not any(isinstance(part, Loop) for part in parts)


def find_brief(ground: Ground) -> None:
    """Computed fields that only compare what stands in the record: cheaper than keeping them."""
    for record in ground.records.values():
        if record is not ground.ruleset.input.state:
            for f in record.fields:
                key = (record.name, f.name)
                if f.computed is None or key in ground.turned:
                    continue
                if _is_brief(ground.lowered.value(f.computed), ground):
                    ground.brief.add(key)


def _is_brief(computed: Expression, ground: Ground) -> bool:
    parts = list(nodes(computed))
    return len(parts) <= MOST_BRIEF and is_boolean(computed.type) and all(_is_plain(n, ground) for n in parts)


def _is_plain(node: Node, ground: Ground) -> bool:
    """Read as often as one likes, at no cost."""
    match node:
        case (
            Stored(of=Local() | Stored() | Computed() as of)
            | Computed(of=Local() | Stored() | Computed() as of)
        ):
            return not may_be_null(of.type) and not node_may_fail(node, ground)
        case Comparison(operator="=" | "!=", left=left, right=right):
            return any(isinstance(side, Constant) for side in (left, right))
        case Not() | Logic() | Constant() | Local():
            return True
        case _:
            return False


def formula_lines(formula: Formula, names: list[str], value: str, steps: list[str], site: Site) -> list[str]:
    """A formula's body. `names` are those of its parameters, `steps` stand before its value."""
    if formula.heading.name not in site.ground.kept:
        return [*steps, f"return {value}"]
    turn = _turn(formula, site.ground)
    assert turn is not None
    holder = "turn" if turn < 0 else f"{names[turn]}.turn"
    return kept_lines(site.ground.functions[formula.heading.name], holder, names, value, site, steps)


def kept_lines(
    function: str, turn: str, names: list[str], value: str, site: Site, steps: Iterable[str] = ()
) -> list[str]:
    """The value that the turn knows, or else has from now on."""
    kept, key, known = (site.fresh(name) for name in ("kept", "key", "value"))
    asked = ", ".join([literal(function).text, *names])
    return [
        f"{kept}, {key} = {turn}.kept, ({asked})",
        f"if {key} in {kept}:",
        f"    return {kept}[{key}]",
        *steps,
        f"{kept}[{key}] = {known} = {value}",
        f"return {known}",
    ]


# -- which of them -----------------------------------------------------------------------------


def works(holder: object, ground: Ground, working: Collection[str] = ()) -> bool:
    """Does it go through lists, or call what does? Callees come before their callers."""
    return any(
        isinstance(node, Loop) or (isinstance(node, Call) and node.table in working)
        for node in ground.lowered.nodes(holder)
    )


def _turn(formula: Formula, ground: Ground) -> int | None:
    """Where the turn is at hand: -1 as an argument, or the parameter that carries it; None: nowhere, or the
    arguments are no key."""
    if not all(_is_key(parameter.type) for parameter in formula.parameters):
        return None
    if formula.heading.name in ground.turned:
        return -1
    return next((at for at, p in enumerate(formula.parameters) if carries_turn(p.type, ground)), None)


def _is_key(type_: Type) -> bool:
    return isinstance(plain(type_), (VocabularyType, RecordType, BooleanType, NumberType, TextType))


def carries_turn(type_: Type, ground: Ground) -> bool:
    found = plain(type_)
    return isinstance(found, RecordType) and not may_be_null(type_) and ground.keeps_turn(found.name)


# -- asked again -------------------------------------------------------------------------------


def _asked_again(ground: Ground) -> set[str]:
    """Called in two places, or in a loop with what stays the same in it."""
    calls = Counter(node.table for node in ground.working if isinstance(node, Call))
    steady = {
        call.table
        for node in ground.working
        if isinstance(node, Loop)
        for call in _calls(_part(node))
        if _reads(call).isdisjoint(_bound(node))
    }
    return {name for name, count in calls.items() if count > 1} | steady


def _calls(part: Node) -> Iterator[Call]:
    return (node for node in nodes(part) if isinstance(node, Call))


def _part(loop: Loop) -> Node:
    return loop.result if isinstance(loop, For) else loop.condition


def _reads(call: Call) -> set[Slot]:
    return {node.slot for node in nodes(call.arguments) if isinstance(node, Local)}


def _bound(loop: Loop) -> Iterable[Slot]:
    if isinstance(loop, Filter):
        return (loop.item,)
    return tuple(binding.slot for binding in loop.bindings)


# -- tables by name ----------------------------------------------------------------------------
# What is asked for every name of a small vocabulary: a table for each record or turn that it is asked about.
# A formula, or a step of one, is made into an attribute of the record that carries the turn (or of the turn
# itself): a dict by id, worked out for all names when it is first read. Only what cannot fail may be worked
# out before it is needed, and only what is asked for all names pays for it.


def find_spread(ground: Ground) -> None:
    """After `find_kept`: what is not asked again does not pay for a table."""
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


def _spread(name: str, parameters: tuple[Parameter, ...], every: set[int], ground: Ground) -> Spread | None:
    names = [p for p in parameters if p.variable.number in every and _is_small(p, ground)]
    holders = [p for p in parameters if carries_turn(p.type, ground)]
    if len(names) != 1 or len(holders) > 1 or len(parameters) != 1 + len(holders):
        return None
    vocabulary = plain(names[0].type)
    assert isinstance(vocabulary, VocabularyType)
    record = ground.record_of(holders[0].type) if holders else ground.ruleset.input.state
    assert record is not None
    attribute = ground.own_names[record.name].new(f"{lower_snake(name)}_by_{lower_snake(vocabulary.name)}")
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
