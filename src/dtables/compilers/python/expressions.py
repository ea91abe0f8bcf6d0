"""Expressions as Python: what is read, and which module writes what is done with it."""

from __future__ import annotations

from typing import assert_never

from dtables.compilers.python import builtins, calls, compounds, operators, tests
from dtables.compilers.python.code import Code, Level, Site, constant_value, literal, null_safe
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.naming import key_text, known_id
from dtables.feel.types import (
    AnyType,
    ContextType,
    ListType,
    MapType,
    RecordType,
    Type,
    UnknownType,
    VocabularyType,
    describe,
    may_be_null,
    plain,
)
from dtables.model.expressions import (
    Arithmetic,
    AskAnswer,
    ByKey,
    CallBuiltin,
    CallFunction,
    CallStep,
    CallTable,
    Comparison,
    Conditional,
    Constant,
    DataRows,
    EachOf,
    Expression,
    FieldOf,
    Filter,
    For,
    Guard,
    InputField,
    InstanceOf,
    ItemAt,
    ItemEntry,
    Logic,
    MakeContext,
    MakeFunction,
    MakeList,
    MakeRange,
    MakeRecord,
    Matches,
    NameOf,
    Negation,
    Not,
    Quantified,
    Ranking,
    Read,
    Select,
    Switch,
)
from dtables.model.tables import Record

Known = Constant | NameOf | EachOf | Read | InputField | Switch | DataRows
Reading = FieldOf | ByKey | ItemAt | Filter | Select | ItemEntry
Made = For | Quantified | MakeList | MakeContext | MakeRecord | MakeRange | MakeFunction
Called = CallBuiltin | CallFunction | CallTable | CallStep | Ranking | AskAnswer


def emit(node: Expression, site: Site) -> Code:
    match node:
        case Constant() | NameOf() | EachOf() | Read() | InputField() | Switch() | DataRows():
            return _known(node, site)
        case FieldOf() | ByKey() | ItemAt() | Filter() | Select() | ItemEntry():
            return _reading(node, site)
        case Negation() | Arithmetic() | Comparison() | Logic() | Not():
            return operators.emit_operator(node, site)
        case Matches():
            return tests.matches(node, site)
        case InstanceOf(value=value, wanted=wanted):
            return calls.instance_of(site.code(value), wanted, site)
        case Guard():
            return _guard(node, site)
        case Conditional():
            return operators.conditional(node, site)
        case For() | Quantified() | MakeList() | MakeContext() | MakeRecord() | MakeRange() | MakeFunction():
            return _made(node, site)
        case CallBuiltin() | CallFunction() | CallTable() | CallStep() | Ranking() | AskAnswer():
            return _called(node, site)
        case _:
            assert_never(node)


def _known(node: Known, site: Site) -> Code:
    match node:
        case Constant(value=value):
            return constant_value(site.function.module, value)
        case NameOf(vocabulary=vocabulary, id=id_):
            return name_of(vocabulary, id_, site)
        case EachOf(vocabulary=vocabulary):
            return Code(site.ground.eachs[vocabulary])
        case Read(variable=variable):
            return _read(variable.number, site)
        case InputField():
            return _input_field(node, site)
        case Switch(name=name):
            return _switch(name, site)
        case DataRows(table=table):
            return Code(site.ground.data[table])
        case _:
            assert_never(node)


def _reading(node: Reading, site: Site) -> Code:
    match node:
        case FieldOf():
            return _field_of(node, site)
        case ByKey():
            return _by_key(node, site)
        case ItemAt():
            return compounds.item_at(node, site)
        case Filter():
            return compounds.filtered(node, site)
        case Select():
            return compounds.select(node, site)
        case ItemEntry():
            return compounds.item_entry(node, site)
        case _:
            assert_never(node)


def _made(node: Made, site: Site) -> Code:
    match node:
        case For():
            return compounds.loop(node, site)
        case Quantified():
            return compounds.quantified(node, site)
        case MakeList(items=items):
            return Code(f"[{', '.join(site.code(item).whole for item in items)}]")
        case MakeContext():
            return compounds.context(node, site)
        case MakeRecord():
            return compounds.record(node, site)
        case MakeRange():
            return compounds.range_(node, site)
        case MakeFunction():
            return calls.function(node, site)
        case _:
            assert_never(node)


def _called(node: Called, site: Site) -> Code:
    match node:
        case CallBuiltin():
            return builtins.builtin(node, site)
        case CallFunction():
            return calls.function_value(node, site)
        case CallTable():
            return calls.table(node, site)
        case CallStep():
            return calls.step(node, site)
        case Ranking():
            return calls.ranking(node, site)
        case AskAnswer():
            return calls.ask_answer(node, site)
        case _:
            assert_never(node)


def _read(number: int, site: Site) -> Code:
    """A step that is read in this one place is worked out here."""
    if number in site.function.inlined:
        return site.code(site.function.inlined[number])
    return site.function.variables[number]


def name_of(vocabulary: str, id_: str, site: Site) -> Code:
    """The id itself, or the row of keyed data."""
    if site.ground.keyed(vocabulary):
        return Code(f"{site.ground.constants[vocabulary]}[{id_!r}]")
    return literal(id_)


def _input_field(node: InputField, site: Site) -> Code:
    """A field that may be missing has two attributes: one rejects the record, one reads null."""
    optional = site.ground.optional_attributes
    if may_be_null(node.type) and node.name in optional:
        return Code(f"{site.turn}.{optional[node.name]}")
    state = site.ground.ruleset.input.state.name
    return Code(f"{site.turn}.{site.ground.attributes[state][node.name]}")


def _switch(name: str, site: Site) -> Code:
    if name in site.ground.overridable:
        return Code(f"{site.turn}.{site.ground.switch_attributes[name]}")
    return literal(site.ground.switches[name].default)


def _guard(node: Guard, site: Site) -> Code:
    """Null is a mistake of the rules here. Records and rows are true to Python, whatever they hold."""
    if node.types:
        return calls.required(site.code(node.operand), node.types, site.place(node.where), site)
    told = f"{site.place(node.where)}, {literal(describe(node.type)).text}"
    operand = site.code(node.operand)
    if site.ground.record_of(node.type) is not None:
        return Code(f"{operand.within(Level.OR)} or {site.uses('absent')}({told})", Level.OR)
    if operand.is_name:
        there = f"{operand.text} if {operand.text} is not None else {site.uses('absent')}({told})"
        return Code(there, Level.CHOICE)
    return Code(f"{site.uses('present')}({operand.whole}, {told})")


def _field_of(node: FieldOf, site: Site) -> Code:
    of = site.code(node.of)
    if may_be_null(node.of.type) and not isinstance(plain(node.of.type), AnyType):
        return null_safe(site, of, "it", lambda value: _entry(node, value, site))
    return _entry(node, of, site)


def _entry(node: FieldOf, of: Code, site: Site) -> Code:
    """`of` is not null, unless nothing is known of it."""
    match plain(node.of.type):
        case RecordType() | VocabularyType():
            return field_of_record(node.of.type, node.name, of, site)
        case ContextType():
            return Code(f"{of.atom}.get({node.name!r})")
        case MapType():
            return Code(f"{of.atom}.get({node.name!r})")
        case AnyType() | UnknownType() | ListType():
            name = site.uses("entry_of")
            return Code(f"{name}({site.turn}, {of.whole}, {node.name!r}, {site.place(node.where)})")
        case _:
            entry = site.value_helper("entry")
            attempt = site.uses("attempt")
            return Code(f"{attempt}({site.place(node.where)}, {entry}, {of.whole}, {node.name!r})")


def field_of_record(type_: Type, name: str, of: Code, site: Site) -> Code:
    record = site.ground.record_of(type_)
    assert record is not None, f"{name} of a value without fields"
    if site.ground.by_turn(record.name, name):
        return Code(f"{site.ground.computed[record.name, name]}({site.turn}, {of.whole})")
    if of.is_name and (record.name, name) in site.ground.brief:
        return _spelled_out(record, name, of, site)
    return Code(f"{of.atom}.{site.ground.attributes[record.name][name]}")


def _spelled_out(record: Record, name: str, of: Code, site: Site) -> Code:
    """A computed field that says little is quicker said again than kept."""
    computed = site.ground.field_of(record, name).computed
    assert computed is not None
    variables, number = site.function.variables, record.this.number
    before = variables.get(number)
    variables[number] = of
    code = site.code(computed)
    if before is None:
        del variables[number]
    else:
        variables[number] = before
    return code


def _by_key(node: ByKey, site: Site) -> Code:
    of, key = site.code(node.of), site.code(node.key)
    if may_be_null(node.key.type) or not isinstance(plain(node.key.type), VocabularyType):
        return _by_any_key(node, of, key, site)
    read = _map_entry if isinstance(plain(node.of.type), (MapType, ContextType)) else _field_by_key
    if not may_be_null(node.of.type):
        return read(node, of, key, site)
    if may_fail(node.key, site.ground):
        return _by_any_key(node, of, key, site)
    return null_safe(site, of, "it", lambda value: read(node, value, key, site))


def _by_any_key(node: ByKey, of: Code, key: Code, site: Site) -> Code:
    return Code(f"{site.uses('by_key')}({site.turn}, {of.whole}, {key.whole}, {site.place(node.where)})")


def _map_entry(node: ByKey, of: Code, key: Code, site: Site) -> Code:
    return Code(f"{of.atom}.get({key_text(node.key, key, site)})")


def _field_by_key(node: ByKey, of: Code, key: Code, site: Site) -> Code:
    """A record with a field for every name of a vocabulary: the id chooses the attribute."""
    record = site.ground.record_of(node.of.type)
    assert record is not None, "a value that is read by key without fields"
    key_type = plain(node.key.type)
    assert isinstance(key_type, VocabularyType)
    ids = [label.id for label in site.ground.vocabularies[key_type.name].names]
    if any(site.ground.by_turn(record.name, id_) for id_ in ids):
        name = site.uses("entry_of")
        chosen = key_text(node.key, key, site)
        return Code(f"{name}({site.turn}, {of.whole}, {chosen}, {site.place(node.where)})")
    attributes = site.ground.attributes[record.name]
    id_ = known_id(node.key, site)
    if id_ is not None:
        return Code(f"{of.atom}.{attributes[id_]}")
    if all(attributes[id_] == id_ for id_ in ids):
        return Code(f"getattr({of.whole}, {key_text(node.key, key, site)})")
    text = "{" + ", ".join(f"{id_!r}: {attributes[id_]!r}" for id_ in ids) + "}"
    table = site.constant(f"{record.name} by {key_type.name}", text)
    return Code(f"getattr({of.whole}, {table.text}[{key_text(node.key, key, site)}])")
