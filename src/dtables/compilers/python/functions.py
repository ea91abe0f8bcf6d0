"""The frame of a generated function: its head, its local names, when its steps are worked out.

A step is worked out when it is first read. One that is certainly read before anything else can fail
becomes a plain assignment; one that is read in a single place is written there; the others wait in
`once`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dtables.compilers.python.code import Code, Function, Module, Site, indented, short_place
from dtables.compilers.python.expressions import emit
from dtables.compilers.python.failing import node_may_fail
from dtables.compilers.python.identifiers import lower_snake
from dtables.model import expressions as model
from dtables.model.tables import Parameter, Step
from dtables.program.nodes import (
    CallStep,
    Conditional,
    Constant,
    Expression,
    Filter,
    For,
    Let,
    Local,
    Logic,
    MakeFunction,
    Name,
    Node,
    Quantified,
    Select,
    Slot,
    children,
    nodes,
)
from dtables.provenance import CellRef, Location

MOST_WRITTEN_OUT = 16
"""Parts of a step that is written where it is called: a line has an end."""
MOST_PLACES = 3
MOST_INLINED = 4
"""So deep may steps stand in one another; Python's parser has an end."""


def open_function(module: Module, table: str | None, turn: str = "turn") -> Site:
    return Site(Function(module, table, turn, module.ground.names.inner()), emit)


def head(name: str, turned: bool, parameters: tuple[Parameter, ...], site: Site) -> str:
    bound = bind_all(parameters, site)
    site.function.turned = turned
    return f"def {name}({', '.join([*(['turn'] if turned else []), *bound])}):"


def bind_all(parameters: tuple[Parameter, ...], site: Site) -> list[str]:
    return [site.function.bind(parameter.variable) for parameter in parameters]


def doc(kind: str, name: str, where: Location) -> str:
    return f'    """{kind}: {quotable(name)} ({quotable(short_place(where.cell))})."""'


def quotable(text: str) -> str:
    """What can stand in a docstring."""
    return text.replace("\\", "/").replace('"', "'").replace("\n", " ")


def at_cell(cell: CellRef) -> str:
    return f"  # {short_place(cell)}"


def written(site: Site, lines: Iterable[str]) -> list[str]:
    """A function's body: the local functions that its expressions needed, then its lines."""
    body = list(lines)
    return [*indented(site.function.prelude), *indented(body)]


def defined(signature: str, lines: Iterable[str], site: Site) -> Iterator[str]:
    """A whole function of the module, with the empty lines behind it."""
    yield from (f"def {signature}:", *written(site, lines), "", "")


# -- steps -------------------------------------------------------------------------------------


def write_steps(steps: tuple[Step, ...], result: model.Expression, site: Site) -> Iterator[str]:
    """Lines that must stand before the result is written."""
    lowered = site.ground.lowered
    parts = tuple(lowered.value(value) for value in (*(step.value for step in steps), result))
    early = first_read(steps, parts, site)
    reads = Counter(node.slot for node in nodes(parts) if isinstance(node, Local))
    repeated = set(_repeated_reads(steps, parts))
    names = [site.function.bind(step.variable) for step in early]
    for step, value in zip(steps, parts, strict=False):
        slot = step.variable.number
        if slot in site.ground.spread_steps:
            continue
        if step.parameters and _written_where_called(step, steps, parts):
            site.function.written_out[slot] = step
        elif step.parameters:
            yield from _local_function(step, site)
        elif step in early or not reads[slot]:
            continue
        elif reads[slot] == 1 and slot not in repeated and _depth(value, site) < MOST_INLINED:
            site.function.inlined[slot] = value
        else:
            name = site.function.names.new(lower_snake(step.variable.name))
            site.function.variables[slot] = Code(f"{name}()")
            text = site.code(value).whole
            yield f"{name} = {site.uses('once')}(lambda: {text}){at_cell(step.cell)}"
    for name, step in zip(names, early, strict=True):
        yield f"{name} = {site.code(step.value).whole}{at_cell(step.cell)}"


def _depth(value: Expression, site: Site) -> int:
    """How many steps stand in one another where the value is written."""
    inlined = site.function.inlined
    read = site.ground.lowered.reads(value) & inlined.keys()
    return 1 + max((_depth(inlined[slot], site) for slot in read), default=0)


def _written_where_called(step: Step, steps: tuple[Step, ...], parts: tuple[Expression, ...]) -> bool:
    """In one place, with arguments that are there already, so that it does not show when they are computed;
    or in few, with what stands in the cell."""
    slot = step.variable.number
    calls = [node for node in nodes(parts) if isinstance(node, CallStep) and node.slot == slot]
    value = parts[steps.index(step)]
    if not 1 <= len(calls) <= MOST_PLACES or sum(1 for _ in nodes(value)) > MOST_WRITTEN_OUT:
        return False
    if all(isinstance(a, (Constant, Name)) for call in calls for a in call.arguments):
        return True
    known = {other.variable.number for other in steps}
    there = all(isinstance(a, Local) and a.slot not in known for a in calls[0].arguments)
    return len(calls) == 1 and there


def _local_function(step: Step, site: Site) -> Iterator[str]:
    name = site.function.names.new(lower_snake(step.variable.name))
    site.function.steps[step.variable.number] = (name,)
    inner = site
    bound = []
    for parameter in step.parameters:
        own, inner = inner.bind(parameter.variable)
        bound.append(own)
    yield f"def {name}({', '.join(bound)}):{at_cell(step.cell)}"
    yield f"    return {inner.code(step.value).whole}"


def _repeated_reads(steps: tuple[Step, ...], parts: tuple[Expression, ...]) -> Iterator[Slot]:
    """Variables that are read in something that is worked out more than once, or later."""
    later = tuple(value for step, value in zip(steps, parts, strict=False) if step.parameters)
    again = (part for node in nodes(parts) for part in _worked_out_again(node))
    for holder in (*later, *again):
        yield from (node.slot for node in nodes(holder) if isinstance(node, Local))


def _worked_out_again(node: Node) -> Iterator[object]:
    match node:
        case Filter(condition=condition) | Select(condition=condition):
            yield condition
        case For(bindings=bindings, result=again) | Quantified(bindings=bindings, condition=again):
            yield again
            yield bindings[1:]
        case MakeFunction(body=body):
            yield body
        case _:
            return


# -- what is read first ------------------------------------------------------------------------


def first_read(steps: tuple[Step, ...], parts: tuple[Expression, ...], site: Site) -> tuple[Step, ...]:
    """The steps that are certainly read, in the order in which they are done, up to where something
    else may fail. One that an earlier one may read is not among them: it may be needed before its turn.
    `parts` are the values of the steps, and what reads them."""
    *values, result = parts
    known = {s.variable.number: (s, v) for s, v in zip(steps, values, strict=True) if not s.parameters}
    done: dict[Slot, Step] = {}
    _certain(result, known, done, site)
    reached = _reached(steps, values)
    return tuple(
        step
        for at, (slot, step) in enumerate(done.items())
        if not any(slot in reached[before] for before in list(done)[:at])
    )


def _reached(steps: tuple[Step, ...], values: Sequence[Expression]) -> dict[Slot, set[Slot]]:
    """The steps that a step may read, itself or through others, all of which stand above it."""
    reached: dict[Slot, set[Slot]] = {}
    for step, value in zip(steps, values, strict=True):
        read = {n.slot for n in nodes(value) if isinstance(n, (Local, CallStep))}
        reached[step.variable.number] = read.union(*(reached[n] for n in read if n in reached))
    return reached


def _certain(
    node: Node, known: Mapping[Slot, tuple[Step, Expression]], done: dict[Slot, Step], site: Site
) -> bool:
    """Is everything in the node certainly worked out, and can none of it but steps fail?"""
    match node:
        case Local(slot=slot) if slot in known:
            if slot not in done:
                step, value = known[slot]
                _certain(value, known, done, site)
                done[slot] = step
            return True
        case Conditional(condition=first) | Logic(left=first) | Filter(of=first) | Let(value=first):
            _certain(first, known, done, site)
            return False
        case For(bindings=bindings) | Quantified(bindings=bindings):
            _certain(bindings[0].source, known, done, site)
            return False
        case Select() | MakeFunction():
            return False
        case _:
            below = all(_certain(child, known, done, site) for child in children(node))
            return below and not node_may_fail(node, site.ground)
