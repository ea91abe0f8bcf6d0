"""What an expression is worth: one case per node of the model, nothing optimised."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import assert_never

from dtables import failures
from dtables.evaluator.loops import filtered, for_each, quantified, selected
from dtables.evaluator.state import Lazy, LocalFunction, Mode, RecordValue, Scope, Turn
from dtables.evaluator.trace import Shown, SwitchRead
from dtables.feel.builtins import BY_NAME
from dtables.feel.types import ANY, FunctionType, describe, may_be_null, without_null
from dtables.feel.values import (
    COMPARISONS,
    WORKBOOK_COMPARISONS,
    FeelError,
    Function,
    Range,
    Row,
    Value,
    arithmetic,
    conjunction,
    disjunction,
    entry,
    instance_of,
    item_at,
    negate,
    negation,
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
    Entry,
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
from dtables.provenance import Location
from dtables.records.findings import RecordError, RuleError, missing


def value_of(expression: Expression, scope: Scope) -> Value:
    """An operation without a value is an error with its place, or null as the standard has it."""
    try:
        match expression:
            case Constant() | NameOf() | EachOf() | Read() | InputField() | Switch() | DataRows():
                value = _known(expression, scope)
            case FieldOf() | ByKey() | ItemAt() | ItemEntry() | Filter() | Select():
                value = _read(expression, scope)
            case Negation() | Arithmetic() | Comparison() | Logic() | Not() | Matches() | InstanceOf():
                value = _operated(expression, scope)
            case Guard():
                value = guarded(expression, scope.value(expression.operand), scope)
            case Conditional():
                chosen = (
                    expression.then if scope.value(expression.condition) is True else expression.otherwise
                )
                value = scope.value(chosen)
            case For():
                value = for_each(expression, scope)
            case Quantified():
                value = quantified(expression, scope)
            case MakeList() | MakeContext() | MakeRecord() | MakeRange() | MakeFunction():
                value = _made(expression, scope)
            case CallBuiltin() | CallFunction() | CallTable() | CallStep() | Ranking() | AskAnswer():
                value = _called(expression, scope)
            case _:
                assert_never(expression)
    except FeelError as error:
        if scope.turn.mode is Mode.STANDARD:
            scope.turn.watch.failed(error, expression.where)
            return None
        raise RuleError(error.message, expression.where, scope.table) from None
    scope.turn.observer.saw(expression, value)
    return value


# -- values ------------------------------------------------------------------------------------


def _known(node: Constant | NameOf | EachOf | Read | InputField | Switch | DataRows, scope: Scope) -> Value:
    turn = scope.turn
    match node:
        case Constant(value=value):
            return value
        case NameOf(vocabulary=vocabulary, id=id):
            return turn.name(vocabulary, id)
        case EachOf(vocabulary=vocabulary):
            wanted = turn.index.vocabularies[vocabulary]
            return [turn.name(wanted.root, label.id) for label in wanted.names]
        case Read(variable=variable):
            return scope.read(variable)
        case InputField():
            return input_field(node, scope)
        case Switch():
            return switch(node, scope)
        case DataRows(table=table):
            return data_rows(table, scope)
        case _:
            assert_never(node)


def input_field(node: InputField, scope: Scope) -> Value:
    turn = scope.turn
    value = None if turn.state is None else turn.field_of(turn.state, node.name)
    if value is None and not may_be_null(node.type):
        raise _missing(node, scope)
    return value


def _missing(node: InputField, scope: Scope) -> RecordError:
    """The state's field is read where null may not flow: the record cannot be answered."""
    cell = scope.turn.cell_of(node.name)
    declared = scope.turn.index.field(scope.turn.index.state, node.name)
    return RecordError(
        [missing(scope.turn.place(node.name), describe(without_null(declared.type)), Location(cell))]
    )


def switch(node: Switch, scope: Scope) -> Value:
    turn, name = scope.turn, node.name
    rule, _ = turn.index.switches[name]
    recorded = recorded_switch(name, turn)
    value = rule.default if recorded is None else recorded
    mark = turn.observer.open()
    turn.observer.close(
        mark, lambda _: SwitchRead(name, Shown(value, node.type), recorded is not None, rule.cell, rule.words)
    )
    return value


def recorded_switch(name: str, turn: Turn) -> Value:
    """What the record has in place of the default."""
    _, field = turn.index.switches[name]
    overrides = None if field is None or turn.state is None else turn.field_of(turn.state, field)
    return None if overrides is None else entry(overrides, name)


def data_rows(table: str, scope: Scope) -> list[Value]:
    """Worked out once: the same records in every turn."""
    turn = scope.turn
    if table not in turn.constants:
        data = turn.index.data[table]
        turn.constants[table] = [
            RecordValue(data.record, {name: scope.value(cell) for name, cell in row.values}, turn)
            for row in data.rows
        ]
    rows: list[Value] = turn.constants[table]
    return rows


# -- reading -----------------------------------------------------------------------------------


def _read(node: FieldOf | ByKey | ItemAt | ItemEntry | Filter | Select, scope: Scope) -> Value:
    match node:
        case FieldOf(of=of, name=name):
            return scope.turn.read_field(scope.value(of), name)
        case ByKey(of=of, key=key):
            return by_key(scope.value(of), scope.value(key), scope)
        case ItemAt(of=of, index=index):
            return item_at(scope.value(of), scope.value(index))
        case ItemEntry(item=item, name=name, otherwise=otherwise):
            value = scope.read(item)
            has_it = scope.turn.has_field(value, name)
            return scope.turn.read_field(value, name) if has_it else scope.value(otherwise)
        case Filter():
            return filtered(node, scope)
        case Select():
            return selected(node, scope)
        case _:
            assert_never(node)


def by_key(value: Value, key: Value, scope: Scope) -> Value:
    if value is None or key is None:
        return None
    return scope.turn.read_field(value, key.id if isinstance(key, Row) else key)


# -- operators ---------------------------------------------------------------------------------


def _operated(
    node: Negation | Arithmetic | Comparison | Logic | Not | Matches | InstanceOf, scope: Scope
) -> Value:
    match node:
        case Negation(operand=operand):
            return negate(scope.value(operand))
        case Arithmetic(operator=operator, left=left, right=right):
            a, b = scope.value(left), scope.value(right)
            if operator == "*" and type(a) is int and type(b) is int and node.is_multiple:
                return a * b
            return arithmetic(operator, a, b)
        case Comparison(operator=operator, left=left, right=right):
            a, b = scope.value(left), scope.value(right)
            standard = scope.turn.mode is Mode.STANDARD
            return (COMPARISONS if standard else WORKBOOK_COMPARISONS)[operator](a, b)
        case Logic():
            return _logic(node, scope)
        case Not(operand=operand):
            return negation(scope.value(operand))
        case Matches():
            return _matches(node, scope)
        case InstanceOf(value=value, wanted=wanted):
            return instance_of(scope.value(value), wanted, scope.turn.vocabularies)
        case _:
            assert_never(node)


def _matches(node: Matches, scope: Scope) -> bool | None:
    """In a workbook what cannot be said does not pass: null lies in no range."""
    seen = scope.value(node.value)
    passed = scope.turn.meaning.passes(node.tests, seen, scope.bind(node.subject, seen))
    return passed if scope.turn.mode is Mode.STANDARD else passed is True


def _logic(node: Logic, scope: Scope) -> bool | None:
    """The right side is read only if the left one does not settle it: `x != null and x.y > 3`."""
    left = scope.value(node.left)
    match node.operator:
        case "and":
            return False if left is False else conjunction(left, scope.value(node.right))
        case _:
            return True if left is True else disjunction(left, scope.value(node.right))


def guarded(node: Guard, value: Value, scope: Scope) -> Value:
    if node.types:
        return failures.require(value, node.types, scope.turn.vocabularies)
    if value is not None:
        return value
    raise RuleError(failures.null_here(describe(node.type)), node.where, scope.table)


# -- compound ----------------------------------------------------------------------------------


def _made(node: MakeList | MakeContext | MakeRecord | MakeRange | MakeFunction, scope: Scope) -> Value:
    match node:
        case MakeList(items=items):
            return [scope.value(item) for item in items]
        case MakeContext(entries=entries):
            return _context(entries, scope)
        case MakeRecord(record=record, fields=fields):
            return RecordValue(record, {name: scope.value(value) for name, value in fields}, scope.turn)
        case MakeRange(low=low, high=high):
            ends = [None if end is None else scope.value(end) for end in (low, high)]
            return Range(ends[0], ends[1], node.low_included, node.high_included)
        case MakeFunction():
            return _function(node, scope)
        case _:
            assert_never(node)


def _context(entries: Sequence[Entry], scope: Scope) -> dict[str, Value]:
    """Later entries read earlier ones; a function may read itself when it is called."""
    context: dict[str, Value] = {}
    for made in entries:
        scope = scope.bind(made.variable, Lazy(partial(context.get, made.name)))
        context[made.name] = scope.value(made.value)
    return context


def _function(node: MakeFunction, scope: Scope) -> Function:
    def body(*arguments: Value) -> Value:
        inner = scope
        for parameter, argument in zip(node.parameters, arguments, strict=True):
            inner = inner.bind(parameter, argument)
        return inner.value(node.body)

    result = node.type.result if isinstance(node.type, FunctionType) else ANY
    names, types = tuple(p.name for p in node.parameters), tuple(p.type for p in node.parameters)
    return Function(names, body, types, result=result)


# -- calls -------------------------------------------------------------------------------------


def _called(
    node: CallBuiltin | CallFunction | CallTable | CallStep | Ranking | AskAnswer, scope: Scope
) -> Value:
    meaning = scope.turn.meaning
    match node:
        case CallBuiltin(builtin=builtin, arguments=arguments):
            reading = {"read": scope.turn.read_field} if builtin == "get value" else {}
            return BY_NAME[builtin].meaning(*_values(arguments, scope), **reading)
        case CallFunction(function=function, arguments=arguments):
            known = None if scope.turn.mode is Mode.STANDARD else scope.turn.vocabularies
            return failures.call(scope.value(function), _values(arguments, scope), known)
        case CallTable(table=table, arguments=arguments):
            return meaning.call(table, _values(arguments, scope), scope.turn)
        case CallStep(step=step, arguments=arguments):
            local = scope.names[step.number]
            assert isinstance(local, LocalFunction)
            return local.body(_values(arguments, scope))
        case Ranking(scale=scale, arguments=arguments):
            return meaning.ranking(scale, _values(arguments, scope), scope.turn)
        case AskAnswer(ask=ask, arguments=arguments):
            return meaning.ask(ask, _values(arguments, scope), scope.turn)
        case _:
            assert_never(node)


def _values(arguments: Sequence[Expression], scope: Scope) -> list[Value]:
    return [scope.value(argument) for argument in arguments]
