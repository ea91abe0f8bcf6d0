"""Tables called by themselves: a dict goes in, is read in one pass, and a plain value comes out.

What a quick look does not settle (a label, a mistake, an unusual mapping) goes to the careful reading.
"""

from __future__ import annotations

from collections.abc import Iterator

from dtables.compilers.python.asks import plain_code
from dtables.compilers.python.calls import type_text
from dtables.compilers.python.code import Code, both, indented
from dtables.compilers.python.functions import open_function
from dtables.compilers.python.ground import Dispatch
from dtables.compilers.python.reading import read_code
from dtables.compilers.python.site import Module, Site, place_text
from dtables.compilers.python.tests import Subject, passing
from dtables.feel.types import NumberType, RestrictedType, TextType, VocabularyType, may_be_null
from dtables.model.expressions import Read
from dtables.model.tables import Decision, Parameter, Table, table_name


def write_entry(table: Table, module: Module) -> Iterator[str]:
    name = table_name(table)
    entry = module.ground.entries[name]
    rest = f"return RULES.call({name!r}, given)"
    yield f"def {entry}(given):"
    looked_up = _looked_up(table, module)
    if looked_up is not None:
        yield from indented(["try:", *indented(looked_up), f"except {_failures(module)}:", "    pass", rest])
    else:
        yield from indented(_called(table, rest, module))
    yield from ("", "")


def _failures(module: Module) -> str:
    return module.uses("QUICK_FAILURES")


def _plain(table: Table, code: Code, site: Site) -> str:
    return plain_code(table.type, code, site)


def _called(table: Table, rest: str, module: Module) -> Iterator[str]:
    """Every parameter read by its type, then the table."""
    ground, name = module.ground, table_name(table)
    site = open_function(module, name)
    turned = name in ground.turned
    lines: list[str] = []
    arguments: list[str] = []
    keys = {p.name for p in table.parameters}
    state = ground.classes[ground.ruleset.input.state.name]
    if turned:
        read = ground.readers[ground.ruleset.input.state.name]
        taken = "given"
        if keys:
            known = module.type_constant(
                f"{name} parameters", f"frozenset(({''.join(f'{k!r}, ' for k in sorted(keys))}))"
            )
            taken = f"{{key: given[key] for key in given if key not in {known}}}"
        lines.append(f"turn = {read}({taken}, '')")
        arguments.append("turn")
    else:
        lines += [f"if len(given) != {len(keys)}:", f"    {module.uses('misread')}()"]
    for parameter in table.parameters:
        value = site.function.bind(parameter.variable)
        lines += _read_parameter(parameter, value, "turn" if turned else f"{state}('')", module)
        arguments.append(value)
    yield "try:"
    yield from indented(lines)
    yield f"except {_failures(module)}:"
    yield f"    {rest}"
    result = Code(f"{ground.functions[name]}({', '.join(arguments)})")
    yield f"return {_plain(table, result, site)}"


def _read_parameter(parameter: Parameter, value: str, turn: str, module: Module) -> Iterator[str]:
    """Where null may be given, the parameter may be left out."""
    if may_be_null(parameter.type):
        yield f"{value} = given.get({parameter.name!r})"
    else:
        yield f"{value} = given[{parameter.name!r}]"
    yield f"{value} = {read_code(parameter.type, value, turn, module)}"


# -- straight to the dict ----------------------------------------------------------------------


def _looked_up(table: Table, module: Module) -> list[str] | None:
    """A decision that is a dict of the parameters' own spellings needs no reading before it is asked."""
    plan = module.ground.dispatches.get(table_name(table))
    if not isinstance(table, Decision) or plan is None or "turn" in (plan.handed or ()):
        return None
    site = open_function(module, table_name(table))
    names = {p.variable.number: site.function.bind(p.variable) for p in table.parameters}
    keys = _key_parameters(table, plan)
    if keys is None:
        return None
    lines: list[str] = []
    conditions = [Code(f"len(given) == {len(table.parameters)}")]
    for parameter in table.parameters:
        if parameter.variable.number in keys and names[parameter.variable.number] not in (plan.handed or ()):
            continue
        condition = _settled(parameter, names[parameter.variable.number], site)
        if condition is None:
            return None
        lines.append(f"{names[parameter.variable.number]} = given[{parameter.name!r}]")
        conditions.append(condition)
    spelled = {p.variable.number: p.name for p in table.parameters}
    path = "".join(f"[given[{spelled[number]!r}]]" for number in keys)
    call = "" if plan.handed is None else f"({', '.join(plan.handed)})"
    value = _plain(table, Code(f"{plan.table}{path}{call}"), site)
    return [*lines, f"if {both(conditions).text}:", f"    return {value}"]


def _key_parameters(decision: Decision, plan: Dispatch) -> list[int] | None:
    """The parameters that the dict goes by, if it goes by nothing else than names of vocabularies."""
    numbers = []
    parameters = {p.variable.number: p for p in decision.parameters}
    for key in plan.keys:
        value = decision.subjects[key].value
        if not isinstance(value, Read) or value.variable.number not in parameters:
            return None
        if not isinstance(parameters[value.variable.number].type, VocabularyType):
            return None
        numbers.append(value.variable.number)
    if len(decision.subjects) != len({id(s.value) for s in decision.subjects}):
        return None
    tests = [s for n, s in enumerate(decision.subjects) if n not in plan.keys]
    return numbers if all(isinstance(s.value, Read) for s in tests) else None


def _settled(parameter: Parameter, name: str, site: Site) -> Code | None:
    """A condition under which the value is what the type wants, as it is."""
    match parameter.type:
        case NumberType():
            return Code(f"type({name}) is int")
        case TextType():
            return Code(f"type({name}) is str")
        case RestrictedType(name=restricted, of=NumberType()):
            restriction = site.ground.restrictions[restricted]
            site.function.variables[restriction.subject.number] = Code(name)
            subject = Subject(Code(name), restriction.subject.type)
            return both([Code(f"type({name}) is int"), passing(restriction.tests, subject, site)])
        case _:
            return None


# -- as data -----------------------------------------------------------------------------------


def entry_text(table: Table, module: Module) -> str:
    """What the careful reading knows of a table."""
    ground, name = module.ground, table_name(table)
    function = ground.functions[name]
    if name not in ground.turned:
        function = f"lambda turn, *values: {function}(*values)"
    kinds = "".join(f"({p.name!r}, {type_text(p.type, module)}), " for p in table.parameters)
    place = place_text(table.heading.where)
    return f"{module.uses('TableEntry')}({function}, ({kinds}), {place!r})"
