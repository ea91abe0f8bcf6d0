"""What an expression is worth: a function for each node, with short ways where types or shapes allow them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from dtables.evaluator import expressions as reference
from dtables.evaluator.state import DataRow, Lazy, LocalFunction, RecordValue, Scope
from dtables.feel.builtins import BY_NAME
from dtables.feel.types import RecordType, Type, VocabularyType, may_be_null, plain
from dtables.feel.values import FeelError, Row, Value, item_at, negation
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
from dtables.prepared.conditions import passing
from dtables.prepared.loops import is_list, quantified
from dtables.prepared.operators import arithmetic, comparison, logic
from dtables.prepared.preparation import Preparation, Work, failed

Known = Constant | NameOf | EachOf | Read | InputField | Switch
Rare = (
    DataRows | Select | ItemEntry | Negation | InstanceOf | MakeContext | MakeRange | MakeFunction
    | CallFunction | Ranking | AskAnswer
)  # fmt: skip


def work_of(node: Expression, all_: Preparation) -> Work:
    match node:
        case Constant() | NameOf() | EachOf() | Read() | InputField() | Switch():
            return _known(node, all_)
        case FieldOf():
            return _field_of(node, all_)
        case ByKey():
            return _by_key(node, all_)
        case ItemAt():
            return _item_at(node, all_)
        case Arithmetic():
            return arithmetic(node, all_)
        case Comparison():
            return comparison(node, all_)
        case Logic():
            return logic(node, all_)
        case Not(operand=operand):
            negated = all_.work(operand)
            return lambda scope: negation(negated(scope))
        case Matches():
            return _matches(node, all_)
        case Guard():
            return _guard(node, all_)
        case Conditional():
            return _conditional(node, all_)
        case Filter():
            return all_.watching.filtered(node)
        case For():
            return all_.watching.loop(node)
        case Quantified():
            return quantified(node, all_)
        case MakeList() | MakeRecord():
            return _made(node, all_)
        case CallBuiltin() | CallTable() | CallStep():
            return _called(node, all_)
        case (
            DataRows() | Select() | ItemEntry() | Negation() | InstanceOf() | MakeContext() | MakeRange()
            | MakeFunction() | CallFunction() | Ranking() | AskAnswer()
        ):  # fmt: skip
            return _rare(node, all_)
        case _:
            assert_never(node)


def _rare(node: Rare, all_: Preparation) -> Work:
    """As the evaluator has it. A function reads its names later: they must not change until then."""
    if isinstance(node, MakeContext):
        all_.lazy.update(entry.variable.number for entry in node.entries)
    if isinstance(node, MakeFunction):
        return lambda scope: reference.value_of(node, Scope(scope.turn, scope.table, dict(scope.names)))
    return lambda scope: reference.value_of(node, scope)


# -- values ------------------------------------------------------------------------------------


def _known(node: Known, all_: Preparation) -> Work:
    match node:
        case Constant(value=value):
            return lambda _scope: value
        case NameOf() | EachOf():
            return _once(node)
        case Read(variable=variable):
            return read(variable.number, all_)
        case InputField():
            return _input_field(node, all_)
        case Switch():
            return all_.watching.switch(node)
        case _:
            assert_never(node)


def _once(node: NameOf | EachOf) -> Work:
    """Names are the same in every turn."""
    known: list[Value] = []

    def value(scope: Scope) -> Value:
        if not known:
            known.append(reference.value_of(node, scope))
        return known[0]

    return value


def read(number: int, all_: Preparation) -> Work:
    if number in all_.kept:
        return all_.watching.again(number)
    if number in all_.lazy:
        return lambda scope: value_at(scope.names, number)
    return lambda scope: scope.names[number]


def value_at(names: Mapping[int, object], number: int) -> Value:
    value = names[number]
    return value.value() if type(value) is Lazy else value


def switch_value(node: Switch, scope: Scope) -> Value:
    recorded = reference.recorded_switch(node.name, scope.turn)
    return scope.turn.index.switches[node.name][0].default if recorded is None else recorded


def _input_field(node: InputField, all_: Preparation) -> Work:
    name = node.name
    if all_.index.fields[all_.index.state][name].computed is not None:
        return lambda scope: reference.input_field(node, scope)
    optional = may_be_null(node.type)

    def stored(scope: Scope) -> Value:
        state = scope.turn.state
        value = None if state is None else state.values.get(name)
        return value if optional or value is not None else reference.input_field(node, scope)

    return stored


# -- reading -----------------------------------------------------------------------------------


def _field_of(node: FieldOf, all_: Preparation) -> Work:
    of, name, record = all_.work(node.of), node.name, _record_of(node.of.type, all_)

    def other(value: Value, scope: Scope) -> Value:
        if value is None:
            return None
        try:
            return scope.turn.read_field(value, name)
        except FeelError as error:
            raise failed(error, node, scope) from None

    if record is None or name not in all_.index.fields[record]:
        return lambda scope: other(of(scope), scope)
    declared = all_.index.fields[record][name]
    if declared.computed is None:
        number = plain_name(node.of, all_)
        if number is not None:

            def stored_in_name(scope: Scope) -> Value:
                value: Value = scope.names[number]
                kind = type(value)
                fits = kind is RecordValue or kind is DataRow
                return value.values.get(name) if fits else other(value, scope)

            return stored_in_name

        def stored(scope: Scope) -> Value:
            value = of(scope)
            kind = type(value)
            return value.values.get(name) if kind is RecordValue or kind is DataRow else other(value, scope)

        return stored
    field = all_.field(record, declared)

    def computed(scope: Scope) -> Value:
        value = of(scope)
        kind = type(value)
        return field(scope.turn, value) if kind is RecordValue or kind is DataRow else other(value, scope)

    return computed


def plain_name(node: Expression, all_: Preparation) -> int | None:
    """The variable that it reads, if that has its value already and nobody looks on."""
    if not isinstance(node, Read) or all_.watching.looks_at(node):
        return None
    number = node.variable.number
    return None if number in all_.kept or number in all_.lazy else number


def _record_of(type_: Type, all_: Preparation) -> str | None:
    match plain(type_):
        case RecordType(name=name) if name in all_.index.records:
            return name
        case VocabularyType(root=root):
            return all_.index.vocabularies[root].record
        case _:
            return None


def _by_key(node: ByKey, all_: Preparation) -> Work:
    of, key = all_.work(node.of), all_.work(node.key)
    record = _record_of(node.of.type, all_)
    fields = all_.index.fields[record] if record is not None else {}
    stored = frozenset(name for name, field in fields.items() if field.computed is None)

    def entry(scope: Scope) -> Value:
        value, by = of(scope), key(scope)
        name = by.id if isinstance(by, Row) else by
        if name in stored and isinstance(value, RecordValue):
            return value.values.get(name)
        try:
            return reference.by_key(value, by, scope)
        except FeelError as error:
            raise failed(error, node, scope) from None

    return entry


def _item_at(node: ItemAt, all_: Preparation) -> Work:
    of, index = all_.work(node.of), all_.work(node.index)
    return lambda scope: item_at(of(scope), index(scope))


# -- conditions -------------------------------------------------------------------------------


def _matches(node: Matches, all_: Preparation) -> Work:
    value, subject, passes = (
        all_.work(node.value),
        node.subject.number,
        passing(node.tests, node.subject.type, all_),
    )

    def matched(scope: Scope) -> Value:
        seen = value(scope)
        scope.names[subject] = seen
        return passes(seen, scope) is True

    return matched


def _guard(node: Guard, all_: Preparation) -> Work:
    operand = all_.work(node.operand)
    if node.types:

        def required(scope: Scope) -> Value:
            value = operand(scope)
            try:
                return reference.guarded(node, value, scope)
            except FeelError as error:
                raise failed(error, node, scope) from None

        return required

    def guarded(scope: Scope) -> Value:
        value = operand(scope)
        return value if value is not None else reference.guarded(node, value, scope)

    return guarded


def _conditional(node: Conditional, all_: Preparation) -> Work:
    condition, then, otherwise = all_.works((node.condition, node.then, node.otherwise))
    return lambda scope: then(scope) if condition(scope) is True else otherwise(scope)


# -- made and called ---------------------------------------------------------------------------


def _made(node: MakeList | MakeRecord, all_: Preparation) -> Work:
    match node:
        case MakeList(items=items):
            works = all_.works(items)
            return lambda scope: [work(scope) for work in works]
        case MakeRecord(record=record, fields=fields):
            entries = tuple((name, all_.work(value)) for name, value in fields)
            return lambda scope: RecordValue(record, {n: work(scope) for n, work in entries}, scope.turn)
        case _:
            assert_never(node)


def _called(node: CallBuiltin | CallTable | CallStep, all_: Preparation) -> Work:
    works = all_.works(node.arguments)
    match node:
        case CallBuiltin(builtin="get value"):
            return _get_value(node, works)
        case CallBuiltin():
            return _builtin(node, works)
        case CallTable(table=table):
            tables = all_.tables
            if len(works) == 1:
                (only,) = works
                return lambda scope: tables[table]((only(scope),), scope.turn)
            if not works:
                return lambda scope: tables[table]((), scope.turn)
            return lambda scope: tables[table]([work(scope) for work in works], scope.turn)
        case CallStep(step=step):

            def local(scope: Scope) -> Value:
                function = scope.names[step.number]
                assert isinstance(function, LocalFunction)
                return function.body([work(scope) for work in works])

            return local
        case _:
            assert_never(node)


def _get_value(node: CallBuiltin, works: tuple[Work, ...]) -> Work:
    """A row's fields may be worked out from the turn."""
    of, key = works
    meaning = BY_NAME[node.builtin].meaning

    def value(scope: Scope) -> Value:
        try:
            return meaning(of(scope), key(scope), scope.turn.read_field)
        except FeelError as error:
            raise failed(error, node, scope) from None

    return value


def _meaning(node: CallBuiltin) -> Callable[..., Value]:
    if node.builtin == "count" and len(node.arguments) == 1 and is_list(node.arguments[0].type):
        return len
    return BY_NAME[node.builtin].meaning


def _builtin(node: CallBuiltin, works: tuple[Work, ...]) -> Work:
    meaning = _meaning(node)
    if len(works) == 1:
        (only,) = works

        def of_one(scope: Scope) -> Value:
            value = only(scope)
            try:
                return meaning(value)
            except FeelError as error:
                raise failed(error, node, scope) from None

        return of_one

    def worked_out(scope: Scope) -> Value:
        try:
            return meaning(*[work(scope) for work in works])
        except FeelError as error:
            raise failed(error, node, scope) from None

    return worked_out
