"""Expressions as Python: what is read, and which module writes what is done with it."""

from __future__ import annotations

from typing import assert_never

from dtables.compilers.python import builtins, calls, compounds, conditions, operators
from dtables.compilers.python.code import Code, Level, Site, constant_value, literal, null_safe
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.naming import key_text, known_id
from dtables.feel.types import (
    AnyType,
    ContextType,
    ListType,
    MapType,
    Type,
    UnknownType,
    VocabularyType,
    describe,
    may_be_null,
    plain,
)
from dtables.model.tables import Field
from dtables.program import nodes as p


def emit(node: p.Expression, site: Site) -> Code:
    match node:
        case (
            p.Constant() | p.Name() | p.EachName() | p.Rows() | p.Local() | p.LazyLocal() | p.Input()
            | p.Switch()
        ):  # fmt: skip
            return _known(node, site)
        case (
            p.Stored() | p.Computed() | p.Property() | p.Entry() | p.ItemAt() | p.Filter() | p.Select()
            | p.ItemEntry()
        ):  # fmt: skip
            return _reading(node, site)
        case p.Negation() | p.Arithmetic() | p.Comparison():
            return operators.emit_operator(node, site)
        case (
            p.Logic() | p.Not() | p.Member() | p.Between() | p.Meets() | p.IsTrue() | p.Truth() | p.Let()
        ):  # fmt: skip
            return conditions.emit_condition(node, site)
        case p.Conditional():
            return conditions.conditional(node, site)
        case p.InstanceOf(value=value, wanted=wanted):
            return calls.instance_of(site.code(value), wanted, site)
        case p.Present():
            return _present(node, site)
        case (
            p.For() | p.Quantified() | p.MakeList() | p.MakeContext() | p.MakeRecord() | p.MakeRange()
            | p.MakeFunction()
        ):  # fmt: skip
            return _constructed(node, site)
        case p.Builtin() | p.Apply() | p.Call() | p.CallStep() | p.Rank() | p.AskAnswer():
            return _called(node, site)
        case p.Plain() | p.Fail():
            raise AssertionError(f"{type(node).__name__} stands in bodies, not in expressions")
        case _:
            assert_never(node)


def _known(node: p.Known, site: Site) -> Code:
    match node:
        case p.Constant(value=value):
            return constant_value(site.function.module, value)
        case p.Name(vocabulary=vocabulary, id=id_):
            return name_of(vocabulary, id_, site)
        case p.EachName(vocabulary=vocabulary):
            return Code(site.ground.eachs[vocabulary])
        case p.Local(slot=slot) | p.LazyLocal(slot=slot):
            return _local(slot, site)
        case p.Input():
            return _input_field(node, site)
        case p.Switch(name=name):
            return _switch(name, site)
        case p.Rows(table=table):
            return Code(site.ground.data[table])
        case _:
            assert_never(node)


def _reading(node: p.Read, site: Site) -> Code:
    match node:
        case p.Stored() | p.Computed() | p.Property():
            return _field_of(node, site)
        case p.Entry():
            return _by_key(node, site)
        case p.ItemAt():
            return compounds.item_at(node, site)
        case p.Filter():
            return compounds.filtered(node, site)
        case p.Select():
            return compounds.select(node, site)
        case p.ItemEntry():
            return compounds.item_entry(node, site)
        case _:
            assert_never(node)


def _constructed(node: p.For | p.Quantified | p.Constructed, site: Site) -> Code:
    match node:
        case p.For():
            return compounds.loop(node, site)
        case p.Quantified():
            return compounds.quantified(node, site)
        case p.MakeList(items=items):
            return Code(f"[{', '.join(site.code(item).whole for item in items)}]")
        case p.MakeContext():
            return compounds.context(node, site)
        case p.MakeRecord():
            return compounds.record(node, site)
        case p.MakeRange():
            return compounds.range_(node, site)
        case p.MakeFunction():
            return calls.function(node, site)
        case _:
            assert_never(node)


def _called(node: p.Called, site: Site) -> Code:
    match node:
        case p.Builtin():
            return builtins.builtin(node, site)
        case p.Apply():
            return calls.function_value(node, site)
        case p.Call():
            return calls.table(node, site)
        case p.CallStep():
            return calls.step(node, site)
        case p.Rank():
            return calls.ranking(node, site)
        case p.AskAnswer():
            return calls.ask_answer(node, site)
        case _:
            assert_never(node)


def _local(slot: p.Slot, site: Site) -> Code:
    """A step that is read in this one place is worked out here."""
    if slot in site.function.inlined:
        return site.code(site.function.inlined[slot])
    return site.function.variables[slot]


def name_of(vocabulary: str, id_: str, site: Site) -> Code:
    """The id itself, or the row of keyed data."""
    if site.ground.keyed(vocabulary):
        return Code(f"{site.ground.constants[vocabulary]}[{id_!r}]")
    return literal(id_)


def _input_field(node: p.Input, site: Site) -> Code:
    """A field that may be missing has two attributes: one rejects the record, one reads null."""
    optional = site.ground.optional_attributes
    if may_be_null(node.type) and node.field in optional:
        return Code(f"{site.turn}.{optional[node.field]}")
    state = site.ground.ruleset.input.state.name
    return Code(f"{site.turn}.{site.ground.attributes[state][node.field]}")


def _switch(name: str, site: Site) -> Code:
    if name in site.ground.overridable:
        return Code(f"{site.turn}.{site.ground.switch_attributes[name]}")
    return literal(site.ground.switches[name].default)


def _present(node: p.Present, site: Site) -> Code:
    """Null is a mistake of the rules here. Records and rows are true to Python, whatever they hold."""
    if node.types:
        return calls.required(site.code(node.operand), node.types, site.place(node.where), site)
    absence = f"{site.place(node.where)}, {literal(describe(node.type)).text}"
    operand = site.code(node.operand)
    if site.ground.record_of(node.type) is not None:
        return Code(f"{operand.within(Level.OR)} or {site.uses('absent')}({absence})", Level.OR)
    if operand.is_name:
        there = f"{operand.text} if {operand.text} is not None else {site.uses('absent')}({absence})"
        return Code(there, Level.CHOICE)
    return Code(f"{site.uses('present')}({operand.whole}, {absence})")


def _field_of(node: p.Stored | p.Computed | p.Property, site: Site) -> Code:
    of = site.code(node.of)
    if may_be_null(node.of.type) and not isinstance(plain(node.of.type), AnyType):
        return null_safe(site, of, "it", lambda value: _field(node, value, site))
    return _field(node, of, site)


def _field(node: p.Stored | p.Computed | p.Property, of: Code, site: Site) -> Code:
    """`of` is not null, unless nothing is known of it."""
    match node:
        case p.Stored(record=record, name=name):
            return Code(f"{of.atom}.{site.ground.attributes[record][name]}")
        case p.Computed(record=record, field=field):
            return _computed(record, field, of, site)
        case p.Property(of=p.Node(type=type_), name=name):
            return _property(node, plain(type_), name, of, site)
        case _:
            assert_never(node)


def _property(node: p.Property, type_: Type, name: str, of: Code, site: Site) -> Code:
    match type_:
        case ContextType() | MapType():
            return Code(f"{of.atom}.get({name!r})")
        case AnyType() | UnknownType() | ListType():
            helper = site.uses("entry_of")
            return Code(f"{helper}({site.turn}, {of.whole}, {name!r}, {site.place(node.where)})")
        case _:
            entry, attempt = site.value_helper("entry"), site.uses("attempt")
            return Code(f"{attempt}({site.place(node.where)}, {entry}, {of.whole}, {name!r})")


def _computed(record: str, field: Field, of: Code, site: Site) -> Code:
    if site.ground.by_turn(record, field.name):
        return Code(f"{site.ground.computed[record, field.name]}({site.turn}, {of.whole})")
    if of.is_name and (record, field.name) in site.ground.brief:
        return _spelled_out(record, field, of, site)
    return Code(f"{of.atom}.{site.ground.attributes[record][field.name]}")


def _spelled_out(record: str, field: Field, of: Code, site: Site) -> Code:
    """A short computed field is quicker written again than kept."""
    assert field.computed is not None
    variables, slot = site.function.variables, site.ground.records[record].this.number
    before = variables.get(slot)
    variables[slot] = of
    code = site.code(field.computed)
    if before is None:
        del variables[slot]
    else:
        variables[slot] = before
    return code


def _by_key(node: p.Entry, site: Site) -> Code:
    of, key = site.code(node.of), site.code(node.key)
    if may_be_null(node.key.type) or not isinstance(plain(node.key.type), VocabularyType):
        return _by_any_key(node, of, key, site)
    read = _map_entry if isinstance(plain(node.of.type), (MapType, ContextType)) else _field_by_key
    if not may_be_null(node.of.type):
        return read(node, of, key, site)
    if may_fail(node.key, site.ground):
        return _by_any_key(node, of, key, site)
    return null_safe(site, of, "it", lambda value: read(node, value, key, site))


def _by_any_key(node: p.Entry, of: Code, key: Code, site: Site) -> Code:
    return Code(f"{site.uses('by_key')}({site.turn}, {of.whole}, {key.whole}, {site.place(node.where)})")


def _map_entry(node: p.Entry, of: Code, key: Code, site: Site) -> Code:
    return Code(f"{of.atom}.get({key_text(node.key, key, site)})")


def _field_by_key(node: p.Entry, of: Code, key: Code, site: Site) -> Code:
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
