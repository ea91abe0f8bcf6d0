"""Fields: of the turn's state with its defaults, of records, rows of data and maps."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from dtables.compilers.sql import dates
from dtables.compilers.sql.catalogues import Catalogue, catalogue_of, catalogue_value, constant_list
from dtables.compilers.sql.neutral import XEntry, XGet, XMap, XRecord, going
from dtables.compilers.sql.plan import Plan, Scope
from dtables.compilers.sql.sizes import sized
from dtables.compilers.sql.terms import (
    NULL,
    Term,
    Tree,
    case,
    coalesce,
    first_problem,
    is_null,
    is_trivial,
    literal,
    typed,
)
from dtables.compilers.sql.types import TEXT, data_type, list_of, struct_of
from dtables.feel.types import (
    ContextType,
    ListType,
    MapType,
    NullType,
    RecordType,
    Type,
    VocabularyType,
    describe,
    may_be_null,
    optional,
    plain,
    without_null,
)
from dtables.model.expressions import DataRows, Expression, Node
from dtables.model.tables import Allowed, Field, Row
from dtables.provenance import Location

Fixed = Mapping[str, Expression]


# -- the state -------------------------------------------------------------------------------------


def input_field(name: str, type_: Type, plan: Plan) -> Term:
    """The column of that name, a default where it is null; what is read where null may not flow, and is
    missing, is a problem of the record."""
    key = ("input", name)
    if key not in plan.calls:
        plan.calls[key] = _read_input(name, plan)
    term = plan.calls[key]
    if may_be_null(type_) or not term.may_be_null:
        return Term(term.value, type_ if may_be_null(type_) else term.type, term.problem)
    place = f"{plan.path}.{name}" if plan.path else name
    declared = plan.index.inputs[name].type
    message = f"{place}: found nothing, wanted {describe(without_null(declared))}"
    problem = case([(is_null(term.value), literal(message))])
    return Term(term.value, without_null(term.type), first_problem([term.problem, problem]))


def _read_input(name: str, plan: Plan) -> Term:
    field = plan.index.inputs[name]
    if field.computed is not None:
        return plan.named(name, Scope(plan, {}).wide(field.computed))
    fixed = {f.field: f.value for f in plan.index.ruleset.input.fixed if f.input == name}
    where = Location(field.where)
    size = plan.size_among(field.type, field.allowed)
    column = plan.input(name, field.type, raw_type(field.type, fixed, plan, where), size)
    value = stored_value(column, field, fixed, plan)
    type_ = without_null(field.type) if field.default is not None else optional(field.type)
    return plan.named(name, Term(value, type_))


def switch(name: str, type_: Type, plan: Plan) -> Term:
    rule, field = plan.index.switches[name]
    default = literal(rule.default)
    if field is None:
        return Term(default, type_)
    given = input_field(field, optional(NullType()), plan)
    read = typed(XGet(this=given.value, expression=exp.to_identifier(name)), TEXT)
    return plan.named(name, Term(coalesce([read, default]), type_))


# -- what stands in a relation, and what it means --------------------------------------------------


def raw_type(of: Type, fixed: Fixed, plan: Plan, where: Location) -> exp.DataType:
    """Of a column or a field as it is recorded: what the place itself says is not recorded."""
    match plain(of):
        case RecordType(name=name) if fixed:
            kept = [(n, t) for n, t in plan.stored[name] if n not in fixed]
            return struct_of((n, plan.data_type(t, where)) for n, t in kept)
        case _:
            return plan.data_type(of, where)


def stored_value(raw: Tree, field: Field, fixed: Fixed, plan: Plan) -> Tree:
    """A recorded value with all its defaults."""
    value = normal(raw, field.type, fixed, plan)
    if field.default is None:
        return value
    return coalesce([value, _default(field, fixed, plan)])


def _default(field: Field, fixed: Fixed, plan: Plan) -> Tree:
    assert field.default is not None
    scope = Scope(plan, {})
    default = scope.term(field.default).value
    if not (fixed and isinstance(default, XRecord)):
        return default
    entries = [_fixed_entry(entry, fixed, scope) for entry in default.expressions]
    return typed(XRecord(expressions=entries), default.type or TEXT)


def _fixed_entry(entry: exp.PropertyEQ, fixed: Fixed, scope: Scope) -> exp.PropertyEQ:
    name = entry.this.this
    value = scope.term(fixed[name]).value if name in fixed else entry.expression
    return exp.PropertyEQ(this=exp.to_identifier(name), expression=value)


def normal(raw: Tree, of: Type, fixed: Fixed, plan: Plan) -> Tree:
    """The same value, unless a record in it has defaults or fields that its place gives it."""
    if not _has_more(of, fixed, plan, ()):
        return raw
    match plain(of):
        case RecordType(name=name):
            return _normal_record(raw, name, fixed, plan)
        case ListType(item=item):
            read = plan.variable("each", data_type(item, plan.stored) or TEXT)
            body = normal(read, item, {}, plan)
            items = XMap(this=raw, expression=going(read.this.this, body))
            return typed(items, list_of(data_type(item, plan.stored) or TEXT))
        case _:
            return raw


def _normal_record(raw: Tree, name: str, fixed: Fixed, plan: Plan) -> Tree:
    entries = []
    for field in plan.index.records[name].fields:
        if field.computed is not None:
            continue
        if field.name in fixed:
            value = Scope(plan, {}).term(fixed[field.name]).value
        else:
            value = stored_value(get(raw, field.name, field.type, plan, field.allowed), field, {}, plan)
        entries.append(exp.PropertyEQ(this=exp.to_identifier(field.name), expression=value))
    record = typed(XRecord(expressions=entries), data_type(RecordType(name), plan.stored) or TEXT)
    return case([(is_null(raw), NULL)], record)


def _has_more(of: Type, fixed: Fixed, plan: Plan, inside: tuple[str, ...]) -> bool:
    match plain(of):
        case RecordType(name=name) if name not in inside:
            fields = [f for f in plan.index.records[name].fields if f.computed is None]
            return bool(fixed) or any(
                f.default is not None or _has_more(f.type, {}, plan, (*inside, name)) for f in fields
            )
        case ListType(item=item):
            return _has_more(item, {}, plan, inside)
        case _:
            return False


# -- reading fields --------------------------------------------------------------------------------


def get(of: Tree, name: str, type_: Type, plan: Plan, allowed: Allowed | None = None) -> Tree:
    read = typed(XGet(this=of, expression=exp.to_identifier(name)), data_type(type_, plan.stored) or TEXT)
    size = plan.size_among(type_, allowed)
    return read if size is None else sized(read, size)


def field_of(of: Term, name: str, node: Node, scope: Scope) -> Term:
    plan = scope.plan
    match plain(of.type):
        case _ if isinstance(of.value, exp.Null):
            return Term(NULL, node.type, of.problem)
        case ContextType(fields=fields):
            found = dict(fields).get(name)
            return Term(get(of.value, name, found or NullType(), plan), node.type, of.problem)
        case RecordType(name=record):
            return _record_field(of, record, name, node, scope)
        case VocabularyType(root=root) if plan.index.vocabularies[root].record is not None:
            return _row_field(of, root, name, node, scope)
        case MapType():
            return entry_of(of, Term(literal(name), NullType()), node, scope)
        case _ if dates.has_part(of.type, name):
            return dates.part_of(of, name, node, scope)
        case other:
            return plan.cannot(f"`.{name}` of {describe(other)}", node.where, node.type)


def entry_of(of: Term, key: Term, node: Node, scope: Scope) -> Term:
    kind = plain(of.type)
    assert isinstance(kind, MapType)
    type_ = scope.plan.data_type(kind.value, node.where)
    value = normal(typed(XEntry(this=of.value, expression=key.value), type_), kind.value, {}, scope.plan)
    return Term(value, node.type, first_problem([of.problem, key.problem]))


def _record_field(of: Term, record: str, name: str, node: Node, scope: Scope) -> Term:
    field = scope.plan.index.fields[record][name]
    if field.computed is None:
        return Term(_taken(of.value, field, scope.plan), node.type, of.problem)
    return _computed(of, record, field, node, scope)


def _taken(of: Tree, field: Field, plan: Plan) -> Tree:
    """Out of a record that was just made: what it was made of."""
    name, type_ = field.name, field.type
    if isinstance(of, XRecord):
        values: dict[str, Tree] = {entry.this.this: entry.expression for entry in of.expressions}
        if is_trivial(values[name]):
            return values[name]
    found = catalogue_of(of, plan)
    if found is not None and found.holds_records:
        return catalogue_value(found.of_field(name, data_type(type_, plan.stored) or TEXT), found.key, plan)
    return get(of, name, type_, plan, field.allowed)


def _computed(of: Term, record: str, field: Field, node: Node, scope: Scope) -> Term:
    """Worked out where it is read, for the record at hand; null of null."""
    computed, this = field.computed, scope.plan.index.records[record].this
    assert computed is not None
    holder = scope.held("this", Term(of.value, of.type))

    def worked_out(outside: Scope) -> Term:
        result = outside.bind(this, holder).wide(computed)
        if not of.may_be_null:
            return result
        gone = is_null(holder.value)
        problem = None if result.problem is None else case([(gone, NULL)], result.problem)
        return Term(case([(gone, NULL)], result.value), result.type, problem)

    key = ("computed", field.where, holder.value, of.may_be_null)
    result = scope.once(key, [holder.value], field.name, worked_out)
    return Term(result.value, node.type, first_problem([of.problem, result.problem]))


# -- rows of data ----------------------------------------------------------------------------------


def _row_field(of: Term, root: str, name: str, node: Node, scope: Scope) -> Term:
    """A value of keyed data is its id; a stored field is looked up by it."""
    plan = scope.plan
    record = plan.index.vocabularies[root].record
    assert record is not None
    field = plan.index.fields[record][name]
    if field.computed is not None:
        return _computed(of, record, field, node, scope)
    cells = _cells(root, name, plan)
    if isinstance(of.value, exp.Literal):
        return Term(cells[str(of.value.this)], node.type, of.problem)
    kind = plan.data_type(field.type, node.where)
    catalogue = Catalogue(f"{root} {name}", tuple(map(literal, cells)), tuple(cells.values()), kind)
    return Term(catalogue_value(catalogue, of.value, plan), node.type, of.problem)


def _cells(root: str, name: str, plan: Plan) -> dict[str, Tree]:
    key = ("cells", root, name)
    if key not in plan.catalogues:
        vocabulary = plan.index.vocabularies[root]
        scope = Scope(plan, {})
        plan.catalogues[key] = {
            label.id: scope.term(dict(row.values)[name]).value if name in dict(row.values) else NULL
            for label, row in zip(vocabulary.names, vocabulary.rows, strict=True)
        }
    return plan.catalogues[key]


def data_rows(table: str, node: DataRows, scope: Scope) -> Term:
    data = scope.plan.index.data[table]
    rows = [_row(row, data.record, scope) for row in data.rows]
    kind = scope.plan.data_type(node.type, node.where)
    return Term(constant_list(table, rows, kind, scope.plan), node.type)


def _row(row: Row, record: str, scope: Scope) -> Tree:
    values = dict(row.values)
    entries = []
    for name, type_ in scope.plan.stored[record]:
        value = scope.term(values[name]).value if name in values else NULL
        if isinstance(value, exp.Null):
            value = exp.Cast(this=NULL, to=data_type(type_, scope.plan.stored) or TEXT)
        entries.append(exp.PropertyEQ(this=exp.to_identifier(name), expression=value))
    return typed(XRecord(expressions=entries), data_type(RecordType(record), scope.plan.stored) or TEXT)
