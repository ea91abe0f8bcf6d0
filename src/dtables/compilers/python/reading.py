"""Reading a record: a validator in one pass for each record type, specialised by its fields.

It only ever accepts. What it cannot read at once (a label, a mistake) it leaves to the runtime's
careful reading, which knows the same records as data and words what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, assert_never

from dtables.compilers.python.calls import NAMES, type_text
from dtables.compilers.python.code import Code, Level, Module, Site, indented, literal, place_text
from dtables.compilers.python.conditions import passing
from dtables.compilers.python.functions import defined, open_function
from dtables.feel.types import (
    AnyType,
    BooleanType,
    ContextType,
    DateTimeType,
    DateType,
    DaysDurationType,
    FunctionType,
    ListType,
    MapType,
    NullType,
    NumberType,
    OptionalType,
    RangeType,
    RecordType,
    RestrictedType,
    TextType,
    TimeType,
    Type,
    UnknownType,
    VocabularyType,
    YearsDurationType,
    may_be_null,
)
from dtables.model.expressions import Expression, Test, Variable
from dtables.model.reach import named_fields
from dtables.model.tables import Field, Record, Restriction
from dtables.provenance import Location

Fixed = tuple[tuple[str, Expression], ...]
MISREAD = "misread()"


# -- values ------------------------------------------------------------------------------------


def read_code(type_: Type, value: str, turn: str, module: Module) -> str:
    """An expression that is the typed value of `value`, a name, or leaves by `misread`."""
    ground = module.ground
    match type_:
        case OptionalType(of=of):
            return f"None if {value} is None else {read_code(of, value, turn, module)}"
        case NumberType(whole=True):
            return f"{value} if type({value}) is int else {misread_code(module)}"
        case NumberType():
            return f"{value} if type({value}) is int else {module.uses('read_number')}({value})"
        case TextType():
            return f"{value} if type({value}) is str else {misread_code(module)}"
        case BooleanType():
            return f"{value} if {value} is True or {value} is False else {misread_code(module)}"
        case VocabularyType(name=name):
            return f"{ground.constants[name]}[{value}]"
        case RestrictedType(name=name, of=NumberType(whole=True)):
            return _restricted_whole(name, value, module)
        case RestrictedType(name=name, of=of):
            return f"{ground.allowed[name]}({read_code(of, value, turn, module)})"
        case ListType(item=item):
            each = f"{value}_"
            inner = read_code(item, each, turn, module)
            return f"[{inner} for {each} in {value}] if type({value}) is list else {misread_code(module)}"
        case MapType(key=key, value=of):
            each = f"{value}_"
            inner = read_code(of, each, turn, module)
            return f"{module.uses('read_map')}({value}, {ground.constants[key.name]}, lambda {each}: {inner})"
        case RecordType(name=name):
            return f"{ground.readers[name]}({value}, {turn})"
        case AnyType() | UnknownType():
            return f"{module.uses('read_anything')}({value})"
        case DateType() | TimeType() | DateTimeType() | DaysDurationType() | YearsDurationType():
            return f"{module.uses('read_temporal')}({value}, {type_text(type_, module)})"
        case ContextType() | RangeType() | FunctionType() | NullType():
            return misread_code(module)
        case _:
            assert_never(type_)


def _restricted_whole(name: str, value: str, module: Module) -> str:
    test, misread = test_of(name, value, module), misread_code(module)
    if test is None:
        return f"{module.ground.allowed[name]}({value} if type({value}) is int else {misread})"
    return f"{value} if type({value}) is int and {test.within(Level.AND)} else {misread}"


def test_of(name: str, value: str, module: Module) -> Code | None:
    """What a named type wants of a value; None where that needs local functions."""
    restriction = module.ground.restrictions[name]
    site = open_function(module, None)
    site.function.variables[restriction.subject.number] = Code(value)
    test = passing(restriction.tests, restriction.subject, site)
    return None if site.function.prelude else test


def misread_code(module: Module) -> str:
    module.uses("misread")
    return MISREAD


# -- allowed values ----------------------------------------------------------------------------


def write_restriction(restriction: Restriction, module: Module) -> Iterator[str]:
    name = module.ground.allowed[restriction.name]
    yield from _tester(name, restriction.subject, restriction.tests, module)


def write_allowed(record: Record, module: Module) -> Iterator[str]:
    for field in record.fields:
        if field.allowed is not None:
            name = module.ground.allowed[record.name, field.name]
            yield from _tester(name, field.allowed.subject, field.allowed.tests, module)


def _tester(name: str, subject: Variable, tests: tuple[Test, ...], module: Module) -> Iterator[str]:
    site = open_function(module, None)
    value = site.function.bind(subject)
    test = passing(tests, subject, site)
    line = f"return {value} if {test.text} else {misread_code(module)}"
    yield from defined(f"{name}({value})", [line], site)


# -- records -----------------------------------------------------------------------------------


def write_reader(record: Record, module: Module) -> Iterator[str]:
    yield from _reader(module.ground.readers[record.name], record, (), module)


def _reader(name: str, record: Record, fixed: Fixed, module: Module) -> Iterator[str]:
    ground = module.ground
    attributes = ground.attributes[record.name]
    given = dict(fixed)
    keys = module.type_constant(f"{name} keys", _keys(f.name for f in record.stored if f.name not in given))
    site = open_function(module, None)
    lines = [f"if type(given) is not dict or not given.keys() <= {keys}:", f"    {misread_code(module)}"]
    lines.append("get = given.get")
    for field in record.stored:
        attribute = f"{attributes[field.name]}_"
        if field.name in given:
            lines.append(f"{attribute} = {site.code(given[field.name]).whole}")
            continue
        lines.append(f"{attribute} = get({field.name!r})")
        lines.append(f"{attribute} = {_field_value(field, record, attribute, (), site)}")
    turn = ["turn"] if ground.keeps_turn(record.name) else []
    arguments = [*turn, *(f"{attributes[f.name]}_" for f in record.stored)]
    lines.append(f"return {ground.classes[record.name]}({', '.join(arguments)})")
    yield from defined(f"{name}(given, turn)", lines, site)


def _keys(names: Iterable[str]) -> str:
    return f"frozenset(({''.join(f'{name!r}, ' for name in names)}))"


def _field_value(field: Field, record: Record, value: str, fixed: Fixed, site: Site) -> str:
    """The typed value of a name that holds what the record has, or None."""
    read = _checked(field, record, value, fixed, site)
    if field.default is not None:
        default = with_fixed(site.code(field.default).whole, field, fixed, site)
        return f"{default} if {value} is None else {read}"
    if may_be_null(field.type):
        return f"None if {value} is None else {read}"
    return (
        read
        if _fails_on_none(field.type)
        else f"{misread_code(site.function.module)} if {value} is None else {read}"
    )


def _fails_on_none(type_: Type) -> bool:
    return isinstance(type_, (NumberType, TextType, BooleanType, VocabularyType, ListType, RecordType))


def _checked(field: Field, record: Record, value: str, fixed: Fixed, site: Site) -> str:
    module = site.function.module
    of = field.type.of if isinstance(field.type, OptionalType) else field.type
    if fixed and isinstance(of, RecordType):
        read = f"{at_place(module.ground.readers[of.name], field, module)}({value}, turn)"
    else:
        read = read_code(of, value, "turn", module)
    return read if field.allowed is None else f"{module.ground.allowed[record.name, field.name]}({read})"


def with_fixed(default: str, field: Field, fixed: Fixed, site: Site) -> str:
    """A record that stands there by default has its fixed fields too."""
    of = field.type.of if isinstance(field.type, OptionalType) else field.type
    if not fixed or not isinstance(of, RecordType):
        return default
    attributes = site.ground.attributes[of.name]
    values = ", ".join(f"{attributes[name]}={site.code(value).whole}" for name, value in fixed)
    return f"{site.uses('with_fields')}({default}, {values})"


# -- the state ---------------------------------------------------------------------------------


def fixed_at(module: Module, name: str) -> Fixed:
    return tuple((f.field, f.value) for f in module.ground.ruleset.input.fixed if f.input == name)


class FixedPlace(NamedTuple):
    """A field of the state whose record has fields that this place gives."""

    field: Field
    record: Record
    fixed: Fixed


def places_with_fixed(module: Module) -> Iterator[FixedPlace]:
    ground = module.ground
    for field in ground.ruleset.input.state.fields:
        of = field.type.of if isinstance(field.type, OptionalType) else field.type
        fixed = fixed_at(module, field.name)
        if fixed and isinstance(of, RecordType) and field.computed is None:
            yield FixedPlace(field, ground.records[of.name], fixed)


def at_place(function: str, field: Field, module: Module) -> str:
    """The name of a record's function for one place alone."""
    ground = module.ground
    return f"{function}_at_{ground.attributes[ground.ruleset.input.state.name][field.name]}"


def write_state_reader(module: Module) -> Iterator[str]:
    """Fields that may be missing are set only if they are there; reading a missing one rejects the record."""
    ground = module.ground
    state = ground.ruleset.input.state
    for place in places_with_fixed(module):
        name = at_place(ground.readers[place.record.name], place.field, module)
        yield from _reader(name, place.record, place.fixed, module)
    keys = module.type_constant("state keys", _keys(f.name for f in state.stored))
    site = open_function(module, None)
    lines = [f"if type(given) is not dict or not given.keys() <= {keys}:", f"    {misread_code(module)}"]
    lines += [f"turn = {ground.classes[state.name]}(path)", "turn.given = given", "get = given.get"]
    for field in state.stored:
        lines += _state_field(field, state, site)
    lines += switch_lines(module)
    yield from defined(f"{ground.readers[state.name]}(given, path)", [*lines, "return turn"], site)


def _state_field(field: Field, state: Record, site: Site) -> Iterator[str]:
    ground = site.ground
    attribute = ground.attributes[state.name][field.name]
    fixed = fixed_at(site.function.module, field.name)
    value = f"{attribute}_"
    yield f"{value} = get({field.name!r})"
    optional = ground.optional_attributes.get(field.name)
    if optional is None:
        yield f"turn.{attribute} = {_field_value(field, state, value, fixed, site)}"
        return
    if field.default is not None:
        default = with_fixed(site.code(field.default).whole, field, fixed, site)
        read = _checked(field, state, value, fixed, site)
        yield f"turn.{optional} = {value} = {default} if {value} is None else {read}"
        yield f"if {value} is not None:"
        yield f"    turn.{attribute} = {value}"
        return
    yield f"if {value} is None:"
    yield f"    turn.{optional} = None"
    yield "else:"
    yield f"    turn.{attribute} = turn.{optional} = {_checked(field, state, value, fixed, site)}"


def switch_lines(module: Module) -> Iterator[str]:
    """A switch has the record's value, or the workbook's default."""
    ground = module.ground
    state = ground.ruleset.input.state
    for group in ground.ruleset.switches:
        if group.field is None:
            continue
        attribute = ground.optional_attributes.get(group.field) or ground.attributes[state.name][group.field]
        record = ground.record_of(ground.field_of(state, group.field).type)
        assert record is not None
        fields = ground.attributes[record.name]
        given, default = [], []
        for rule in group.rules:
            name = ground.switch_attributes[rule.name]
            given.append(f"turn.{name} = turn.{attribute}.{fields[rule.name]} or {rule.default!r}")
            default.append(f"turn.{name} = {rule.default!r}")
        yield f"if turn.{attribute} is None:"
        yield from indented(default)
        yield "else:"
        yield from indented(given)


# -- the same as data --------------------------------------------------------------------------


def write_shapes(module: Module) -> Iterator[str]:
    """Records, vocabularies and restrictions as the careful reading knows them."""
    ground = module.ground
    shape, field_shape = module.uses("RecordShape"), module.uses("FieldShape")
    names = ", ".join(f"{n!r}: {ground.constants[n]}" for n in ground.vocabularies)
    yield f"{NAMES} = {{{names}}}"
    yield f"SHAPES = {module.uses('Shapes')}("
    yield f"    state={ground.ruleset.input.state.name!r},"
    yield "    records={"
    for record in ground.records.values():
        if record.name not in ground.built_records and record is not ground.ruleset.input.state:
            continue
        where = literal(place_text(record.where)).text
        maker = _maker(record, module)
        kind = ground.classes[record.name]
        yield f"        {record.name!r}: {shape}({record.name!r}, {kind}, {maker}, {where}, ("
        for field in record.stored:
            yield f"            {field_shape}({', '.join(_field_shape(record, field, module))}),"
        named = named_fields(record, ground.ruleset.input.state)
        yield f"        ){f', {named!r}' if named else ''}),"
    yield "    },"
    yield f"    vocabularies={NAMES},"
    tests = ", ".join(
        f"{r.name!r}: ({ground.allowed[r.name]}, {r.written!r})" for r in ground.restrictions.values()
    )
    yield f"    restrictions={{{tests}}},"
    yield f"    fixed={{{', '.join(_fixed_shapes(module))}}},"
    numbered = [r for r in ground.restrictions.values() if r.names]
    if numbered:
        numbers = module.uses("NumberNames")
        yield "    number_names={"
        yield from (f"        {r.name!r}: {numbers}({r.number_names!r})," for r in numbered)
        yield "    },"
    yield ")"


def _maker(record: Record, module: Module) -> str:
    """Makes the record from the turn and its stored fields."""
    ground = module.ground
    if record is ground.ruleset.input.state:
        return "None"
    name = ground.classes[record.name]
    return name if ground.keeps_turn(record.name) else f"lambda turn, *values: {name}(*values)"


def _field_shape(record: Record, field: Field, module: Module) -> Iterator[str]:
    yield repr(field.name)
    yield type_text(field.type, module)
    yield repr(place_text(Location(field.where)))
    site = open_function(module, None)
    if field.default is None:
        yield "None"
    else:
        yield f"lambda turn: {site.code(field.default).whole}"
    if field.allowed is None:
        yield "None"
    else:
        yield f"({module.ground.allowed[record.name, field.name]}, {field.allowed.written!r})"


def _fixed_shapes(module: Module) -> Iterator[str]:
    places = dict.fromkeys(f.input for f in module.ground.ruleset.input.fixed)
    for place in places:
        site = open_function(module, None)
        values = ", ".join(f"{name!r}: {site.code(v).whole}" for name, v in fixed_at(module, place))
        yield f"{place!r}: {{{values}}}"
