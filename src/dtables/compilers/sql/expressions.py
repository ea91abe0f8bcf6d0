"""Expressions as terms of the neutral tree."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import assert_never

from sqlglot import exp

from dtables.compilers.sql import builtins, dates, inputs, loops, operators
from dtables.compilers.sql import loops as so_far
from dtables.compilers.sql.catalogues import constant_list
from dtables.compilers.sql.exact import alternatives, plainly
from dtables.compilers.sql.neutral import XItem, XList, XMapOf, XRecord
from dtables.compilers.sql.plan import Lazy, LocalFunction, Plan, Scope, held
from dtables.compilers.sql.sizes import can_be_held
from dtables.compilers.sql.terms import (
    NULL,
    Term,
    Tree,
    also,
    case,
    first_problem,
    is_null,
    literal,
    problem_if,
    typed,
)
from dtables.compilers.sql.types import TEXT, data_type, list_of, struct_of
from dtables.failures import null_here
from dtables.feel.types import TEXT as TEXT_TYPE
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
    join,
    may_be_null,
    plain,
    surely_fits,
    without_null,
)
from dtables.feel.values import Date, DateTime, DaysDuration, YearsDuration
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
from dtables.model.expressions import (
    Variable as Named,
)

HEAVY = (Filter, For, Quantified)
"""Inside a lambda what is the same for the whole turn is worked out once."""


def term_of(node: Expression, scope: Scope) -> Term:
    """As a record or a list can hold it."""
    return plainly(wide_of(node, scope), node.where, scope)


def wide_of(node: Expression, scope: Scope) -> Term:
    term = _term(node, scope)
    return scope.held("kept", term) if scope.frames and isinstance(node, HEAVY) else term


def _term(node: Expression, scope: Scope) -> Term:
    match node:
        case Constant() | NameOf() | EachOf() | Read() | InputField() | Switch() | DataRows():
            return _known(node, scope)
        case FieldOf() | ByKey() | ItemAt():
            return _read(node, scope)
        case Negation() | Arithmetic() | Comparison() | Logic() | Not() | Matches():
            return operators.operated(node, scope)
        case For(partial=Named() as partial):
            return so_far.accumulated(node, partial, scope)
        case Filter() | For() | Quantified():
            return loops.gone_through(node, scope)
        case Guard(operand=operand):
            return _guarded(node, operand, scope)
        case Conditional():
            return _chosen(node, scope)
        case MakeList() | MakeContext() | MakeRecord():
            return _built(node, scope)
        case CallBuiltin() | CallTable() | CallStep() | Ranking() | AskAnswer():
            return _called(node, scope)
        case InstanceOf() | Select() | ItemEntry() | MakeRange() | MakeFunction() | CallFunction():
            return scope.plan.cannot(UNSAID[type(node)], node.where, node.type)
        case _:
            assert_never(node)


UNSAID: dict[type, str] = {
    InstanceOf: "`instance of`",
    Select: "a list in brackets that may be an index or a condition",
    ItemEntry: "an entry of an item of unknown type",
    MakeRange: "a range as a value",
    MakeFunction: "a function as a value",
    CallFunction: "the call of a function that is a value",
}


# -- values ----------------------------------------------------------------------------------------


def _known(node: Constant | NameOf | EachOf | Read | InputField | Switch | DataRows, scope: Scope) -> Term:
    plan = scope.plan
    match node:
        case Constant(value=None | bool() | str() as value):
            return Term(literal(value), node.type)
        case Constant(value=int() | Decimal() as value) if can_be_held(value):
            return Term(literal(value), node.type)
        case Constant(value=Date() as day) if 1 <= day.year <= 9999:
            return Term(literal(day), node.type)
        case Constant(value=DaysDuration() | YearsDuration() as value):
            return Term(literal(value), node.type)
        case Constant(value=DateTime() as moment) if dates.is_plain(moment):
            return Term(literal(moment), node.type)
        case Constant(value=DateTime(time=time)) if not time.local:
            return plan.cannot("a date and time with an offset", node.where, node.type)
        case Constant():
            return plan.cannot(f"a value of type {describe(node.type)}", node.where, node.type)
        case NameOf(id=id):
            return Term(literal(id), node.type)
        case EachOf(vocabulary=vocabulary):
            names = [literal(label.id) for label in plan.index.vocabularies[vocabulary].names]
            return _list(names, node, plan, f"each {vocabulary}")
        case Read(variable=variable):
            return scope.read(variable)
        case InputField(name=name):
            return inputs.input_field(name, node.type, plan)
        case Switch(name=name):
            return inputs.switch(name, node.type, plan)
        case DataRows(table=table):
            return inputs.data_rows(table, node, scope)
        case _:
            assert_never(node)


def _guarded(node: Guard, operand: Expression, scope: Scope) -> Term:
    """A missing field of the state reports itself; another null where none may be is the rules' failure. What
    another ask answers is of known types here."""
    if isinstance(operand, InputField) and not node.types:
        return inputs.input_field(operand.name, node.type, scope.plan)
    term = scope.wide(operand)
    if node.types:
        if not any(surely_fits(without_null(term.type), of) for of in node.types):
            types = " or ".join(map(describe, node.types))
            what = f"a value of unknown type where {types} is expected"
            return scope.plan.cannot(what, node.where, node.type)
        if may_be_null(node.type) or not term.may_be_null:
            return term
    problem = problem_if(is_null(term.value), literal(f"{node.where}: {null_here(describe(node.type))}"))
    type_ = without_null(term.type) if node.types else node.type
    return Term(term.value, type_, first_problem([term.problem, problem]))


# -- reading ---------------------------------------------------------------------------------------


def _read(node: FieldOf | ByKey | ItemAt, scope: Scope) -> Term:
    match node:
        case FieldOf(of=of, name=name):
            if isinstance(of, Read) and of.variable == scope.plan.index.ruleset.input.state.this:
                return inputs.input_field(name, node.type, scope.plan)
            return inputs.field_of(scope.term(of), name, node, scope)
        case ByKey(of=of, key=key):
            return _by_key(scope.term(of), scope.term(key), node, scope)
        case ItemAt(of=of, index=index):
            items, place = scope.term(of), scope.term(index)
            type_ = scope.plan.data_type(node.type, node.where)
            value = typed(XItem(this=items.value, expression=place.value), type_)
            return Term(value, node.type, first_problem([items.problem, place.problem]))
        case _:
            assert_never(node)


def _by_key(of: Term, key: Term, node: ByKey, scope: Scope) -> Term:
    if isinstance(plain(of.type), MapType):
        return inputs.entry_of(of, key, node, scope)
    if isinstance(key.value, exp.Literal):
        return also(inputs.field_of(of, str(key.value.this), node, scope), key.problem)
    kind = plain(key.type)
    assert isinstance(kind, VocabularyType)
    names = [label.id for label in scope.plan.index.vocabularies[kind.name].names]

    def of_record(holder: Term) -> Term:
        def of_name(key: Term) -> Term:
            return _field_by_name(holder, key, names, node, scope)

        return held(scope, "key", key, of_name)

    return held(scope, "of", of, of_record)


def _field_by_name(holder: Term, key: Term, names: Sequence[str], node: ByKey, scope: Scope) -> Term:
    fields = [(name, inputs.field_of(holder, name, node, scope)) for name in names]
    is_name = {name: exp.EQ(this=key.value, expression=literal(name)) for name in names}
    value = case([(is_name[name], field.value) for name, field in fields])
    failing = [(is_name[name], field.problem) for name, field in fields if field.problem is not None]
    return Term(value, node.type, case(failing) if failing else None)


# -- choices and compounds -------------------------------------------------------------------------


def _chosen(node: Conditional, scope: Scope) -> Term:
    condition, then, otherwise = map(scope.wide, (node.condition, node.then, node.otherwise))
    then, otherwise = alternatives(then, otherwise, node.where, scope)
    of = node.type
    if isinstance(of, (UnknownType, AnyType)):  # another ask's answer, whose fields are known here
        of = join([then.type, otherwise.type])
    kind = data_type(of, scope.plan.stored)
    value = case([(condition.value, fitted(then.value, kind))], fitted(otherwise.value, kind))
    branches = case([(condition.value, then.problem or NULL)], otherwise.problem or NULL)
    return Term(value, of, first_problem([condition.problem, branches]))


def _built(node: MakeList | MakeContext | MakeRecord, scope: Scope) -> Term:
    match node:
        case MakeList(items=items):
            terms = [scope.term(item) for item in items]
            list_ = _list([term.value for term in terms], node, scope.plan)
            return also(list_, *(term.problem for term in terms))
        case MakeContext():
            return _context(node, scope)
        case MakeRecord(fields=fields):
            terms = [scope.term(value) for _, value in fields]
            named = list(zip((name for name, _ in fields), terms, strict=True))
            return record_of(named, node, scope.plan)
        case _:
            assert_never(node)


def _list(items: list[Tree], node: Expression, plan: Plan, name: str = "constants") -> Term:
    """The values beside an empty list determine the type of its items."""
    kind = plain(node.type)
    if not items and isinstance(kind, ListType) and isinstance(kind.item, UnknownType):
        return Term(XList(expressions=[]), node.type)
    type_ = plan.data_type(node.type, node.where)
    item = type_.expressions[0] if type_.expressions else None
    return Term(constant_list(name, [fitted(one, item) for one in items], type_, plan), node.type)


def record_of(fields: Sequence[tuple[str, Term]], node: Expression, plan: Plan) -> Term:
    """A null has its field's type, so that records of one type can stand in one list."""
    declared = _field_types(node.type, plan)
    types = [(name, data_type(declared.get(name, term.type), plan.stored) or TEXT) for name, term in fields]
    entries = [
        exp.PropertyEQ(this=exp.to_identifier(name), expression=_in_field(term.value, kind))
        for (name, term), (_, kind) in zip(fields, types, strict=True)
    ]
    record = typed(XRecord(expressions=entries), struct_of(types))
    return Term(record, node.type, first_problem(term.problem for _, term in fields))


def fitted(value: Tree, type_: exp.DataType | None) -> Tree:
    """A record that is written out, its nulls of the types that the values beside it have."""
    if not isinstance(value, XRecord) or type_ is None or type_.this != exp.DType.STRUCT:
        return value
    kinds = {column.name: column.args["kind"] for column in type_.expressions}
    entries = [
        exp.PropertyEQ(this=entry.this, expression=_fitted_field(entry.expression, kinds[entry.this.this]))
        for entry in value.expressions
    ]
    return typed(XRecord(expressions=entries), type_)


def _fitted_field(value: Tree, type_: exp.DataType) -> Tree:
    if isinstance(value, exp.Cast) and isinstance(value.this, exp.Null):
        return exp.Cast(this=value.this, to=type_)
    return fitted(value, type_)


def _field_types(of: Type, plan: Plan) -> dict[str, Type]:
    match plain(of):
        case RecordType(name=name):
            return dict(plan.stored[name])
        case ContextType(fields=fields):
            return dict(fields)
        case _:
            return {}


def _in_field(value: Tree, type_: exp.DataType) -> Tree:
    return exp.Cast(this=value, to=type_) if isinstance(value, exp.Null) else value


def _map_of(entries: Sequence[tuple[str, Term]], value: Type, node: Expression, plan: Plan) -> Term:
    pair = struct_of([("key", TEXT), ("value", plan.data_type(value, node.where))])
    fields = ContextType((("key", TEXT_TYPE), ("value", value)))
    of_pair = MakeContext((), type=fields, where=node.where)
    pairs = [
        record_of([("key", Term(literal(name), TEXT_TYPE)), ("value", term)], of_pair, plan).value
        for name, term in entries
    ]
    map_ = XMapOf(this=typed(XList(expressions=pairs), list_of(pair)))
    problem = first_problem(term.problem for _, term in entries)
    return Term(typed(map_, plan.data_type(node.type, node.where)), node.type, problem)


def _context(node: MakeContext, scope: Scope) -> Term:
    """Later entries read earlier ones."""
    inner, entries = scope, []
    for entry in node.entries:
        lazy = Lazy(entry.name, scope, partial(inner.term, entry.value))
        entries.append((entry.name, lazy))
        inner = inner.bind(entry.variable, lazy)
    named = [(name, lazy.term()) for name, lazy in entries]
    kind = plain(node.type)
    return (
        _map_of(named, kind.value, node, scope.plan)
        if isinstance(kind, MapType)
        else record_of(named, node, scope.plan)
    )


# -- calls -----------------------------------------------------------------------------------------


def _called(node: CallBuiltin | CallTable | CallStep | Ranking | AskAnswer, scope: Scope) -> Term:
    verbs = scope.plan.verbs
    match node:
        case CallBuiltin():
            return builtins.called(node, scope)
        case CallTable(table=table, arguments=arguments):
            return verbs.call(table, _terms(arguments, scope), scope)
        case CallStep(step=step, arguments=arguments):
            local = scope.names[step.number]
            assert isinstance(local, LocalFunction)
            return local.body(_terms(arguments, scope), scope.frames)
        case Ranking(scale=scale, arguments=arguments):
            return verbs.ranking(scale, _terms(arguments, scope), scope)
        case AskAnswer(ask=ask, arguments=arguments):
            return verbs.ask(ask, _terms(arguments, scope), scope)
        case _:
            assert_never(node)


def _terms(arguments: Sequence[Expression], scope: Scope) -> list[Term]:
    return [scope.wide(argument) for argument in arguments]
