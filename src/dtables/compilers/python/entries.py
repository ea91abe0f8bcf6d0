"""Tables called by themselves: a dict goes in, is read in one pass, and a plain value comes out.

What a quick look does not settle (a label, a mistake, an unusual mapping) goes to the careful reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from dtables.compilers.python.asks import Leaving, is_small, plain_code
from dtables.compilers.python.calls import type_text
from dtables.compilers.python.code import Code, Level, Module, Site, both, indented, place_text
from dtables.compilers.python.conditions import passing
from dtables.compilers.python.functions import open_function
from dtables.compilers.python.ground import Dispatch, Ground
from dtables.compilers.python.reading import read_code
from dtables.feel.types import (
    BooleanType,
    NumberType,
    RestrictedType,
    TextType,
    Type,
    VocabularyType,
    may_be_null,
    without_null,
)
from dtables.model.tables import (
    Decision,
    Dice,
    Field,
    Formula,
    Matrix,
    Parameter,
    Scale,
    Table,
    table_name,
)
from dtables.program.nodes import Input, Local


def write_entry(table: Table, module: Module) -> Iterator[str]:
    name = table_name(table)
    entry = module.ground.entries[name]
    yield f"def {entry}(given):"
    looked_up = _looked_up(table, module) or _in_matrix(table, module)
    if looked_up is not None:
        not_found = module.uses("NOT_FOUND")
        yield from indented(["try:", *indented(looked_up), f"except {not_found}:", "    pass"])
    yield from indented(_called(table, f"return RULES.call({name!r}, given, unread)", module))
    yield from ("", "")


def _plain(table: Table, code: Code, site: Site) -> str:
    if isinstance(table, Decision) and _is_row_of_plain_values(table, site):
        return f"{code.atom}.copy()"
    return plain_code(table.type, code, Leaving(site, table.heading.where, _is_small(table, site.ground)))


def _is_small(table: Table, ground: Ground) -> bool:
    match table:
        case Formula(result=result):
            return is_small(ground.lowered.value(result))
        case Decision():
            choose = ground.lowered.choose(table)
            values = [outcome.value for row in choose.rows for outcome in row.outcomes]
            values += [] if choose.otherwise is None else [choose.otherwise]
            return not choose.fold.sums and all(map(is_small, values))
        case Matrix() | Dice():
            return True
        case Scale():
            return False
        case _:
            assert_never(table)


def _is_row_of_plain_values(decision: Decision, site: Site) -> bool:
    """Several outcomes of one row, each of which leaves the rules as it is."""
    choose = site.ground.lowered.choose(decision)
    if not (choose.fold.takes_one and choose.names and choose.fails):
        return False
    value, leaving = Code("value"), Leaving(site, decision.heading.where, _is_small(decision, site.ground))
    return all(plain_code(column.type, value, leaving) == value.text for column in decision.outcomes)


def _called(table: Table, rest: str, module: Module) -> Iterator[str]:
    """Every parameter read by its type, then the table."""
    ground, name = module.ground, table_name(table)
    site = open_function(module, name)
    turned = name in ground.turned
    lines: list[str] = []
    arguments: list[str] = []
    keys = {p.name for p in table.parameters}
    keeping = any(ground.type_keeps_turn(p.type) for p in table.parameters)
    if turned or keeping:
        read = ground.readers[ground.ruleset.input.state.name]
        taken = "given"
        if keys:
            known = module.type_constant(
                f"{name} parameters", f"frozenset(({''.join(f'{k!r}, ' for k in sorted(keys))}))"
            )
            taken = f"{{key: given[key] for key in given if key not in {known}}}"
        lines.append(f"turn = {read}({taken}, '')")
        arguments += ["turn"] if turned else []
    else:
        lines += [f"if len(given) != {len(keys)}:", f"    {module.uses('misread')}()"]
    for parameter in table.parameters:
        value = site.function.bind(parameter.variable)
        lines += _read_parameter(parameter, value, "turn" if turned or keeping else "None", module)
        arguments.append(value)
    yield "try:"
    yield from indented(lines)
    yield f"except {module.uses('UNREAD')} as unread:"
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


@dataclass(frozen=True)
class Given:
    """A key that is looked up in what is given, its type, and the name its value has in Python."""

    key: str
    type: Type
    name: str


def _looked_up(table: Table, module: Module) -> list[str] | None:
    """A decision that is a dict of the record's own spellings needs no reading before it is asked."""
    plan = module.ground.dispatches.get(table_name(table))
    if not isinstance(table, Decision) or plan is None or "turn" in plan.handed:
        return None
    known = _given(table, plan, module)
    if known is None:
        return None
    site = open_function(module, table_name(table))
    keys = [known[k] for k in plan.keys]
    sure, bounded = ({known[n].key for n in columns} for columns in (plan.sure, plan.bounded))
    helpers = {known[n].key: name for n, name in plan.given.items()}
    different = {given.key: given for given in known}
    lines: list[str] = []
    conditions = [Code(f"len(given) == {len(different)}", Level.COMPARE)]
    for given in different.values():
        handed = given.name in plan.handed
        if given.key in helpers:
            lines += _key_of_given(given, helpers[given.key], site)
            continue
        if given.key not in sure or (handed and _has_row(given.type, module)):
            condition = _settled(given, site, handed, given.key in bounded)
            if condition is None:
                return None
            conditions.append(condition)
        if handed or given.key not in sure:
            lines.append(f"{given.name} = given[{given.key!r}]")
    path = "".join(f"[given[{given.key!r}]]" for given in keys)
    found = plan.lines(path, lambda answer: _plain(table, Code(answer), site))
    return [*lines, f"if {both(conditions).text}:", *indented(found)]


def _key_of_given(given: Given, helper: str, site: Site) -> Iterator[str]:
    """Python's own dates, the usual case, need no call."""
    name, key = given.name, f"given[{given.key!r}]"
    if helper != "day_given":
        yield f"{name} = {site.uses(helper)}({key})"
        return
    own = f"type({name}) is {site.uses('PythonDate')}"
    yield f"{name} = {key}"
    yield f"{name} = {name}.toordinal() - {site.uses('DAY_ZERO')} if {own} else {site.uses(helper)}({name})"


def _has_row(type_: Type, module: Module) -> bool:
    kind = without_null(type_)
    return isinstance(kind, VocabularyType) and module.ground.keyed(kind.root)


def _in_matrix(table: Table, module: Module) -> list[str] | None:
    """A matrix whose keys are names without rows: the dict's keys are the record's own spellings."""
    if not isinstance(table, Matrix) or table_name(table) not in module.ground.matrices:
        return None
    for parameter in table.parameters:
        kind = parameter.type
        if not isinstance(kind, VocabularyType) or module.ground.keyed(kind.root) or kind.name != kind.root:
            return None
    keys = ", ".join(f"given[{p.name!r}]" for p in table.parameters)
    found = Code(f"{module.ground.matrices[table_name(table)]}[{keys}]")
    value = _plain(table, found, open_function(module, table_name(table)))
    return [f"if len(given) == {len(table.parameters)}:", f"    return {value}"]


def _given(decision: Decision, plan: Dispatch, module: Module) -> list[Given] | None:
    """What is given for each column, if each tests something that is given, and nothing else is."""
    parameters = {p.variable.number: p for p in decision.parameters}
    found: list[Given] = []
    for number, column in enumerate(module.ground.lowered.choose(decision).columns):
        match column.value:
            case Local(slot=slot) if slot in parameters:
                given = Given(parameters[slot].name, parameters[slot].type, plan.names[number])
            case Input(field=name) if (field := _plain_field(name, module)) is not None:
                given = Given(name, field.type, plan.names[number])
            case _:
                return None
        if number in plan.sure and not isinstance(without_null(given.type), VocabularyType | TextType):
            return None
        found.append(given)
    pairs = {(given.key, given.name) for given in found}
    keys, names = {key for key, _ in pairs}, {name for _, name in pairs}
    if not len(pairs) == len(keys) == len(names):
        return None
    return found if all(p.name in keys for p in decision.parameters) else None


def _plain_field(name: str, module: Module) -> Field | None:
    """A field of the state that has no tests of its own."""
    state = module.ground.ruleset.input.state
    field = module.ground.field_of(state, name)
    return field if field.allowed is None else None


def _settled(given: Given, site: Site, handed: bool, bounded: bool) -> Code | None:
    """A condition under which the value is what the type wants, as it is: of data that would be a row, which
    matters only where it is handed on. `bounded`: whether a number is large enough is found out later."""
    name = given.name
    match without_null(given.type):
        case NumberType():
            return Code(f"type({name}) is int")
        case RestrictedType(of=NumberType()) if bounded:
            return Code(f"type({name}) is int")
        case TextType():
            return Code(f"type({name}) is str")
        case BooleanType():
            return Code(f"{name} is True or {name} is False", Level.OR)
        case VocabularyType(name=vocabulary, root=root):
            if handed and site.ground.keyed(root):
                return None
            return Code(f"{name} in {site.ground.constants[vocabulary]}", Level.COMPARE)
        case RestrictedType(name=restricted, of=NumberType()):
            restriction = site.ground.restrictions[restricted]
            site.function.variables[restriction.subject.number] = Code(name)
            test = passing(restriction.tests, restriction.subject, site)
            return None if site.function.prelude else both([Code(f"type({name}) is int"), test])
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
