"""Contexts as they are written: a record where one is wanted, a map, or a context of its own."""

from __future__ import annotations

from dtables.checker import problems
from dtables.checker.fit import expect
from dtables.checker.here import Here
from dtables.checker.lookup import ids_of, spellings_of
from dtables.checker.scope import FieldSymbol, RecordSymbol
from dtables.diagnostics import Remark
from dtables.feel import ast
from dtables.feel.types import ANY, ContextType, MapType, RecordType, Type, plain
from dtables.model.expressions import Entry, Expression, MakeContext, MakeRecord
from dtables.provenance import Location


def lower_context(here: Here, node: ast.ContextLiteral, wanted: Type | None) -> Expression:
    repeated = _repeated(node)
    if repeated is not None and not here.standard:
        return here.poison(repeated.span, problems.repeated_field(repeated.name))
    match None if wanted is None else plain(wanted):
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


def _map(here: Here, node: ast.ContextLiteral, wanted: MapType) -> Expression:
    entries: list[Entry] = []
    for entry in node.entries:
        ids = ids_of(here.symbols, wanted.key.name, entry.name)
        if len(ids) != 1:
            names = spellings_of(here.symbols, wanted.key.name)
            return here.poison(entry.span, problems.unknown_text_of(wanted.key.name, entry.name, names))
        value = expect(here, entry.value, wanted.value)
        entries.append(Entry(ids[0], here.variable(ids[0], value.type), value))
    return MakeContext(tuple(entries), type=wanted, where=here.where(node.span))


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


def _field_problem(record: RecordSymbol, name: str) -> problems.Wording | None:
    if name not in record.fields:
        return problems.unknown_field(name, f"`{record.name}`", [f.name for f in record.stored])
    if record.fields[name].computed:
        return problems.computed_field(record.name, name, (_declared(record.fields[name]),))
    return None


def _missing(record: RecordSymbol, missing: list[FieldSymbol]) -> problems.Wording:
    remarks = tuple(_declared(f) for f in missing)
    return problems.missing_field(record.name, [f.name for f in missing], remarks)


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
