"""The frame of a generated function: its head, its local names, when its steps are worked out.

A step is worked out when it is first read. One that is certainly read before anything else can fail
becomes a plain assignment; one that is read in a single place is written there; the others wait in
`once`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from dtables.compilers.python.code import Code, Function, Module, Site, indented, short_place
from dtables.compilers.python.expressions import emit
from dtables.compilers.python.failing import node_may_fail
from dtables.compilers.python.identifiers import lower_snake
from dtables.model.expressions import (
    CallStep,
    Conditional,
    Constant,
    Expression,
    Filter,
    For,
    Logic,
    MakeFunction,
    Matches,
    NameOf,
    Node,
    Quantified,
    Read,
    Select,
    Variable,
)
from dtables.model.reach import nodes
from dtables.model.tables import Parameter, Step
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


def write_steps(steps: tuple[Step, ...], result: Expression, site: Site) -> Iterator[str]:
    """Lines that must stand before the result is written."""
    early = first_read(steps, result, site)
    reads = Counter(_reads(steps, result))
    repeated = set(_repeated_reads(steps, result))
    names = [site.function.bind(step.variable) for step in early]
    for step in steps:
        if step.variable.number in site.ground.spread_steps:
            continue
        if step.parameters and _written_where_called(step, steps, result):
            site.function.written_out[step.variable.number] = step
        elif step.parameters:
            yield from _local_function(step, site)
        elif step in early or not reads[step.variable.number]:
            continue
        elif (
            reads[step.variable.number] == 1
            and step.variable.number not in repeated
            and _depth(step.value, site) < MOST_INLINED
        ):
            site.function.inlined[step.variable.number] = step.value
        else:
            name = site.function.names.new(lower_snake(step.variable.name))
            site.function.variables[step.variable.number] = Code(f"{name}()")
            value = site.code(step.value).whole
            yield f"{name} = {site.uses('once')}(lambda: {value}){at_cell(step.cell)}"
    for name, step in zip(names, early, strict=True):
        yield f"{name} = {site.code(step.value).whole}{at_cell(step.cell)}"


def _depth(value: Expression, site: Site) -> int:
    """How many steps stand in one another where the value is written."""
    inlined = site.function.inlined
    read = {n.variable.number for n in nodes(value) if isinstance(n, Read)} & inlined.keys()
    return 1 + max((_depth(inlined[number], site) for number in read), default=0)


def _written_where_called(step: Step, steps: tuple[Step, ...], result: Expression) -> bool:
    """In one place, with arguments that are there already, so that nobody can tell when they are worked out;
    or in few, with what stands in the cell."""
    parts = (*(other.value for other in steps), result)
    calls = [n for part in parts for n in nodes(part) if isinstance(n, CallStep) and n.step == step.variable]
    if not 1 <= len(calls) <= MOST_PLACES or sum(1 for _ in nodes(step.value)) > MOST_WRITTEN_OUT:
        return False
    if all(isinstance(a, (Constant, NameOf)) for call in calls for a in call.arguments):
        return True
    bound = {n.variable.number for n in nodes(parts) if isinstance(n, Read)}
    steps_read = {other.variable.number for other in steps} & bound
    there = all(isinstance(a, Read) and a.variable.number not in steps_read for a in calls[0].arguments)
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


def _reads(steps: tuple[Step, ...], result: Expression) -> Iterator[int]:
    for thing in (*(step.value for step in steps), result):
        yield from (node.variable.number for node in nodes(thing) if isinstance(node, Read))


def _repeated_reads(steps: tuple[Step, ...], result: Expression) -> Iterator[int]:
    """Variables that are read in something that is worked out more than once, or later."""
    for step in steps:
        if step.parameters:
            yield from (n.variable.number for n in nodes(step.value) if isinstance(n, Read))
    for thing in (*(step.value for step in steps), result):
        for node in nodes(thing):
            for part in _worked_out_again(node):
                yield from (n.variable.number for n in nodes(part) if isinstance(n, Read))


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


def first_read(steps: tuple[Step, ...], result: Expression, site: Site) -> tuple[Step, ...]:
    """The steps that are certainly read, in the order in which they are done, up to where something
    else may fail. One that an earlier one may read is not among them: it may be wanted before its turn."""
    known = {step.variable.number: step for step in steps if not step.parameters}
    done: dict[int, Step] = {}
    _certain(result, known, done, site)
    reached = _reached(steps)
    return tuple(
        step
        for at, (number, step) in enumerate(done.items())
        if not any(number in reached[before] for before in list(done)[:at])
    )


def _reached(steps: tuple[Step, ...]) -> dict[int, set[int]]:
    """The steps that a step may read, itself or through others, all of which stand above it."""
    reached: dict[int, set[int]] = {}
    for step in steps:
        read = {n.variable.number for n in nodes(step.value) if isinstance(n, Read)}
        read |= {n.step.number for n in nodes(step.value) if isinstance(n, CallStep)}
        reached[step.variable.number] = read.union(*(reached[n] for n in read if n in reached))
    return reached


def _certain(node: object, known: dict[int, Step], done: dict[int, Step], site: Site) -> bool:
    """Is everything in the node certainly worked out, and can none of it but steps fail?"""
    match node:
        case Read(variable=Variable(number=number)) if number in known:
            if number not in done:
                _certain(known[number].value, known, done, site)
                done[number] = known[number]
            return True
        case Conditional(condition=first) | Logic(left=first) | Filter(of=first) | Matches(value=first):
            _certain(first, known, done, site)
            return False
        case For(bindings=bindings) | Quantified(bindings=bindings):
            _certain(bindings[0].source, known, done, site)
            return False
        case Select() | MakeFunction():
            return False
        case Node():
            return _all_certain(node, known, done, site) and not node_may_fail(node, site.ground)
        case _:
            return True


def _all_certain(node: Node, known: dict[int, Step], done: dict[int, Step], site: Site) -> bool:
    return all(_certain(child, known, done, site) for child in children(node))


def children(node: object) -> Iterator[Node]:
    """The nodes right below, in the order in which they are worked out."""
    if isinstance(node, tuple):
        for item in node:
            yield from (item,) if isinstance(item, Node) else children(item)
    elif is_dataclass(node):
        for f in fields(node):
            if f.name not in ("type", "where"):
                value = getattr(node, f.name)
                yield from (value,) if isinstance(value, Node) else children(value)
