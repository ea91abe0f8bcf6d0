"""Reading from values: paths, by key, by position, filters."""

from __future__ import annotations

from dataclasses import replace

from dtables.checker import messages
from dtables.checker.expressions.context import Here
from dtables.checker.expressions.fit import empty_list, expect, fitted, require, strict
from dtables.checker.expressions.nulls import (
    assuming,
    filled,
    first_or_last,
    key_of,
    narrowed,
    present_if_true,
    present_in_items,
)
from dtables.checker.expressions.types import fields_of, is_dynamic, item_of, keys_of, readable_value
from dtables.checker.symbols import FieldSymbol, RecordSymbol, ids_of, spellings_of
from dtables.diagnostics import Remark
from dtables.feel.syntax import ast
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    NULL,
    UNKNOWN,
    AnyType,
    BooleanType,
    ContextType,
    ListType,
    MapType,
    NullType,
    NumberType,
    OptionalType,
    RecordType,
    Type,
    UnknownType,
    VocabularyType,
    describe,
    optional,
    plain,
    without_null,
)
from dtables.model.expressions import (
    Binding,
    ByKey,
    Comparison,
    Conditional,
    Constant,
    Entry,
    Expression,
    FieldOf,
    Filter,
    For,
    InputField,
    ItemAt,
    MakeContext,
    MakeRecord,
    NameOf,
    Read,
    Select,
    Variable,
)
from dtables.model.reach import nodes
from dtables.provenance import Location, Span


def lower_path(here: Here, node: ast.Path) -> Expression:
    if isinstance(node.of, ast.Name) and means_state(here, node.of.name):
        return _state_field(here, node)
    owner = here.lower(node.of)
    if isinstance(owner.type, UnknownType):
        return here.unknown(node.span)
    found = read_field(here, owner, node.name, node.span)
    if found is not None:
        return narrowed(here, found)
    if here.standard:
        here.warning(node.name_span, _no_field(here, owner, node))
        return FieldOf(owner, node.name, type=ANY, where=here.where(node.span))
    return here.poison(node.name_span, _no_field(here, owner, node))


def means_state(here: Here, name: str) -> bool:
    """`state.age` always means the input field, unless something nearer is called `state`."""
    if name != here.symbols.state or name in here.scope.locals or name in here.symbols.inputs:
        return False
    return all(name not in (fields_of(here.symbols, item.type) or {}) for item in here.scope.items)


def _state_field(here: Here, node: ast.Path) -> Expression:
    if node.name in here.symbols.inputs:
        return narrowed(here, input_field(here, node.name, node.span))
    words = messages.unknown_field(node.name, f"`{here.symbols.state}`", here.symbols.inputs)
    return here.poison(node.name_span, words)


def input_field(here: Here, name: str, span: Span) -> Expression:
    """Without default it may be missing: null where null may flow, else the record is rejected."""
    symbol = here.symbols.inputs[name]
    type_ = symbol.type if symbol.has_default or symbol.computed else optional(symbol.type)
    return InputField(name, type=type_, where=here.where(span))


def read_field(here: Here, of: Expression, name: str, span: Span) -> Expression | None:
    """`of.name`; None where there is no such field. Null has every field, and it is null."""
    where = here.where(span)
    match plain(of.type):
        case NullType():
            return Constant(None, type=NULL, where=where)
        case AnyType():
            return FieldOf(of, name, type=ANY, where=where)
        case ListType():
            return _mapped(here, of, name, span)
        case MapType(key=key, value=value):
            ids = ids_of(here.symbols, key.name, name)
            named = NameOf(key.root, ids[0], type=key, where=where) if len(ids) == 1 else None
            return None if named is None else ByKey(of, named, type=optional(value), where=where)
        case _:
            own = (fields_of(here.symbols, of.type) or {}).get(name)
            if own is None:
                return None
            type_ = optional(own) if isinstance(of.type, OptionalType) else own
            return FieldOf(of, name, type=type_, where=where)


def _mapped(here: Here, of: Expression, name: str, span: Span) -> Expression | None:
    """The field of every item; a list of lists stays one. Null in place of the list stays null."""
    if isinstance(of.type, OptionalType):
        present = replace(of, type=of.type.of)
        inner = _mapped(here, present, name, span)
        return None if inner is None else _unless_null(here, of, inner, span)
    listed = plain(of.type)
    assert isinstance(listed, ListType)
    item = here.variable("item", listed.item)
    read = Read(item, type=item.type, where=here.where(span))
    if empty_list(of):
        return of
    if isinstance(item.type, UnknownType):
        return Constant(None, type=item.type, where=here.where(span))
    inside = here.inside(assuming(here.scope, present_in_items(of, item)))
    result = read_field(inside, narrowed(inside, read), name, span)
    if result is None:
        return None
    result = narrowed(inside, result)
    return For((Binding(item, of),), result, type=ListType(result.type), where=here.where(span))


def _unless_null(here: Here, tested: Expression, then: Expression, span: Span) -> Expression:
    where = here.where(span)
    null = Constant(None, type=NULL, where=where)
    is_null = Comparison("=", tested, null, type=BOOLEAN, where=where)
    return Conditional(is_null, null, then, type=optional(then.type), where=where)


def _no_field(here: Here, owner: Expression, node: ast.Path) -> messages.Wording:
    of = without_null(owner.type)
    while isinstance(of, ListType):
        of = without_null(of.item)
    fields = fields_of(here.symbols, of)
    if fields is None:
        return messages.no_fields(node.name, here.written(node.of), owner.type)
    return messages.unknown_field(node.name, f"`{describe(of)}`", fields)


# -- by key ------------------------------------------------------------------------------------


def readable(here: Here, value: Expression) -> bool:
    """Could `value(r)` mean something?"""
    return is_dynamic(plain(value.type)) or any(True for _ in keys_of(here.symbols, value.type))


def lower_by_key(here: Here, of: Expression, key: ast.Expression, span: Span) -> Expression:
    """`cost(r)`, by the first of its vocabularies that the key belongs to."""
    keys = tuple(keys_of(here.symbols, of.type))
    if not keys:
        return FieldOf(of, "", type=UNKNOWN, where=here.where(span))
    index = _key(here, key, keys)
    vocabulary = plain(index.type)
    if isinstance(vocabulary, UnknownType):
        return index
    if isinstance(vocabulary, AnyType):
        index, vocabulary = require(index, keys[-1]), keys[-1]
    name = vocabulary.name if isinstance(vocabulary, VocabularyType) else ""
    value = readable_value(here.symbols, of.type, name)
    if value is None:
        written = here.text.written(key.span)
        return here.poison(key.span, messages.type_mismatch(written, index.type, keys[0]))
    index = strict(here, index, key.span)
    type_ = optional(value) if isinstance(of.type, OptionalType) else value
    return narrowed(here, ByKey(of, index, type=type_, where=here.where(span)))


def _key(here: Here, key: ast.Expression, keys: tuple[VocabularyType, ...]) -> Expression:
    """A bare name may be of any of the vocabularies."""
    if isinstance(key, ast.Name | ast.TextLiteral):
        for vocabulary in keys[:-1]:
            if not isinstance(here.trial(key, vocabulary).type, UnknownType):
                return here.lower(key, vocabulary)
    return here.lower(key, keys[-1])


# -- brackets ----------------------------------------------------------------------------------


def lower_filter(here: Here, node: ast.Filter, hint: Type | None) -> Expression:
    """`hint` tells what a list of bare names before the brackets may speak of."""
    of = here.lower(node.of, hint)
    listed = plain(of.type)
    if isinstance(listed, AnyType) or (here.standard and not isinstance(listed, ListType)):
        return _selected(here, of, node)
    of = strict(here, of, node.of.span)
    if isinstance(of.type, UnknownType):
        return of
    if not isinstance(listed, ListType):
        return here.poison(node.of.span, messages.not_a_list(here.written(node.of), of.type))
    return _bracketed(here, of, listed.item, node)


def _bracketed(here: Here, of: Expression, item_type: Type, node: ast.Filter) -> Expression:
    item = here.variable("item", item_type)
    scope = assuming(here.scope, present_in_items(of, item))
    inside = here.inside(scope.with_item(item))
    test = inside.lower(node.condition)
    match plain(test.type):
        case NumberType():
            return _item_at(here, of, item, test, node)
        case AnyType():
            return Select(of, item, test, type=ANY, where=here.where(node.span))
        case BooleanType() | UnknownType() | NullType():
            test = fitted(inside, test, BOOLEAN, node.condition.span)
            kept = _kept(item, test, item_type)
            return Filter(of, item, test, type=ListType(kept), where=here.where(node.span))
        case _:
            words = messages.not_a_condition(here.written(node.condition), test.type)
            return here.poison(node.condition.span, words)


def _kept(item: object, test: Expression, item_type: Type) -> Type:
    """What is left of the items: not null where the condition makes sure of it."""
    read = ("Read", key_of(item))
    return without_null(item_type) if read in present_if_true(test) else item_type


def _item_at(here: Here, of: Expression, item: Variable, index: Expression, node: ast.Filter) -> Expression:
    if reads(index, item):
        return here.poison(node.condition.span, messages.index_of_item(here.written(node.condition)))
    index = strict(here, index, node.condition.span)
    _index_traps(here, index, item.type, node)
    type_ = _type_at(here, of, item.type, index)
    return narrowed(here, ItemAt(of, index, type=type_, where=here.where(node.span)))


def _type_at(here: Here, of: Expression, item: Type, index: Expression) -> Type:
    if empty_list(of):
        return NULL
    return item if first_or_last(index) and filled(here, of) else optional(item)


def reads(value: Expression, variable: Variable) -> bool:
    return any(isinstance(node, Read) and node.variable == variable for node in nodes(value))


def _index_traps(here: Here, index: Expression, item_type: Type, node: ast.Filter) -> None:
    if isinstance(index, Constant) and index.value == 0:
        here.warning(node.condition.span, messages.zero_index())
    numbers = isinstance(plain(item_type), NumberType)
    if numbers and here.scope.items and isinstance(node.condition, ast.Name) and not here.standard:
        here.warning(node.condition.span, messages.index_in_filter(here.written(node.condition)))


def _selected(here: Here, of: Expression, node: ast.Filter) -> Expression:
    """Only the values tell whether it is an index or a condition."""
    item = here.variable("item", item_of(of.type) or ANY)
    inside = here.inside(here.scope.with_item(item))
    test = inside.lower(node.condition)
    return Select(of, item, test, type=ANY, where=here.where(node.span))


# -- records made of fields -------------------------------------------------------------------------
# Contexts as they are written: a record where one is expected, a map, or a context of its own.


def lower_context(here: Here, node: ast.ContextLiteral, expected: Type | None) -> Expression:
    repeated = _repeated(node)
    if repeated is not None and not here.standard:
        return here.poison(repeated.span, messages.repeated_field(repeated.name))
    match None if expected is None else plain(expected):
        case RecordType(name=name):
            return _record(here, node, here.symbols.records[name])
        case MapType() as map_type:
            return _map(here, node, map_type)
        case ContextType(fields=fields):
            return _context(here, node, dict(fields))
        case _:
            return _context(here, node, {})


def _repeated(node: ast.ContextLiteral) -> ast.ContextEntry | None:
    seen: set[str] = set()
    for entry in node.entries:
        if entry.name in seen:
            return entry
        seen.add(entry.name)
    return None


def _context(here: Here, node: ast.ContextLiteral, hints: dict[str, Type]) -> Expression:
    """Later entries see earlier ones."""
    where, inside = here.where(node.span), here
    entries: list[Entry] = []
    for entry in node.entries:
        if here.standard and isinstance(entry.value, ast.FunctionLiteral):
            entries.append(_recursive(inside, entry))
        else:
            value = inside.lower(entry.value, hints.get(entry.name))
            entries.append(Entry(entry.name, here.variable(entry.name, value.type), value))
        inside = inside.binding(entries[-1].variable)
    type_ = ContextType(tuple((e.name, e.value.type) for e in entries))
    return MakeContext(tuple(entries), type=type_, where=where)


def _recursive(here: Here, entry: ast.ContextEntry) -> Entry:
    """A function may call itself in the standard's models."""
    variable = here.variable(entry.name, ANY)
    return Entry(entry.name, variable, here.binding(variable).lower(entry.value))


def _map(here: Here, node: ast.ContextLiteral, expected: MapType) -> Expression:
    entries: list[Entry] = []
    for entry in node.entries:
        ids = ids_of(here.symbols, expected.key.name, entry.name)
        if len(ids) != 1:
            names = spellings_of(here.symbols, expected.key.name)
            return here.poison(entry.span, messages.unknown_text_of(expected.key.name, entry.name, names))
        value = expect(here, entry.value, expected.value)
        entries.append(Entry(ids[0], here.variable(ids[0], value.type), value))
    return MakeContext(tuple(entries), type=expected, where=here.where(node.span))


# -- records -----------------------------------------------------------------------------------


def _record(here: Here, node: ast.ContextLiteral, record: RecordSymbol) -> Expression:
    given: dict[str, Expression] = {}
    wrong = False
    for entry in node.entries:
        words = _field_problem(record, entry.name)
        if words is not None:
            here.poison(entry.span, words)
            wrong = True
            continue
        given[entry.name] = expect(here, entry.value, record.fields[entry.name].type)
    missing = [f for f in record.stored if f.name not in given and not f.may_be_left_out]
    if missing and not wrong:
        here.poison(node.span, _missing(record, missing))
        wrong = True
    if wrong:
        return here.unknown(node.span)
    fields = tuple(
        (f.name, value) for f in record.stored if (value := _value(here, node, given, f)) is not None
    )
    return MakeRecord(record.name, fields, type=RecordType(record.name), where=here.where(node.span))


def _field_problem(record: RecordSymbol, name: str) -> messages.Wording | None:
    if name not in record.fields:
        return messages.unknown_field(name, f"`{record.name}`", [f.name for f in record.stored])
    if record.fields[name].computed:
        return messages.computed_field(record.name, name, (_declared(record.fields[name]),))
    return None


def _missing(record: RecordSymbol, missing: list[FieldSymbol]) -> messages.Wording:
    remarks = tuple(_declared(f) for f in missing)
    return messages.missing_field(record.name, [f.name for f in missing], remarks)


def _declared(field: FieldSymbol) -> Remark:
    return Remark(Location(field.where), f"`{field.name}` is declared here")


def _value(
    here: Here, node: ast.ContextLiteral, given: dict[str, Expression], field: FieldSymbol
) -> Expression | None:
    """What is given, else the default, else null."""
    if field.name in given:
        return given[field.name]
    if field.default is not None:
        return field.default
    return None if field.has_default else here.null(node.span, field.type)
