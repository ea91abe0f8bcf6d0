"""Expressions as closures: functions of a frame."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, assert_never

from dtables import failures
from dtables.evaluator.state import DataRow, Lazy, RecordValue, Turn
from dtables.feel.builtins import BY_NAME
from dtables.feel.limits import MOST_ITERATIONS
from dtables.feel.types import (
    ANY,
    BooleanType,
    FunctionType,
    ListType,
    NumberType,
    TextType,
    Type,
    VocabularyType,
    describe,
    may_be_null,
    plain,
    without_null,
)
from dtables.feel.values import (
    ARITHMETIC,
    COMPARISONS,
    WORKBOOK_COMPARISONS,
    FeelError,
    Function,
    LimitError,
    Names,
    Range,
    Row,
    Value,
    as_plain,
    belongs,
    bounded,
    conjunction,
    disjunction,
    elements,
    entry,
    instance_of,
    item_at,
    kind_of,
    meets,
    negate,
    negation,
    same,
    steps,
    truth,
    within,
)
from dtables.program import nodes as p
from dtables.provenance import Location
from dtables.records.findings import RecordError, RuleError, missing

if TYPE_CHECKING:
    from dtables.evaluator.planning import Planner

Frame = list[Any]
Operation = Callable[[Value, Value], Value]
Closure = Callable[[Frame], Value]
Failure = Callable[[FeelError, Location, Frame], Value]
"""What happens where something fails, and what it comes to then."""


class Expressions:
    """Closures of the expressions of one function; failures name its table."""

    def __init__(self, planner: Planner, table: str | None) -> None:
        self.planner = planner
        self.table = table
        self.standard = not planner.program.strict

    def is_sure(self, type_: Type) -> bool:
        """True or false, and nothing else: by the standard whatever fails is null."""
        return not self.standard and isinstance(plain(type_), BooleanType) and not may_be_null(type_)

    def is_list(self, type_: Type) -> bool:
        return not self.standard and isinstance(plain(type_), ListType) and not may_be_null(type_)

    def fail(self, error: FeelError, where: Location, frame: Frame) -> Value:
        if self.standard:
            frame[0].watch.failed(error, where)
            return None
        raise RuleError(error.message, where, self.table) from None

    def closures(self, nodes: Sequence[p.Expression]) -> tuple[Closure, ...]:
        return tuple(map(self.closure, nodes))

    def closure(self, node: p.Expression) -> Closure:
        return self.make(node)

    def make(self, node: p.Expression) -> Closure:
        if isinstance(node, p.Known):
            return self._known(node)
        if isinstance(node, p.Read):
            return self._read(node)
        if isinstance(node, p.Operated):
            return self._operated(node)
        if isinstance(node, p.Tested):
            return self._tested(node)
        if isinstance(node, p.Compound):
            return self._compound(node)
        if isinstance(node, p.Constructed):
            return self._constructed(node)
        return self._called(node)

    def _known(self, node: p.Known) -> Closure:
        match node:
            case p.Constant(value=value):
                return lambda _f: value
            case p.Name(vocabulary=vocabulary, id=id_):
                if self._is_id(node):
                    return lambda _f: id_
                return _once(lambda turn: turn.name(vocabulary, id_))
            case p.EachName(vocabulary=vocabulary):
                names = self.planner.index.vocabularies[vocabulary]
                return _once(lambda turn: [turn.name(names.root, label.id) for label in names.names])
            case p.Rows(table=table):
                return self._rows(table)
            case p.Local(slot=slot, step=None):
                return operator.itemgetter(slot)
            case p.Local(slot=slot) | p.LazyLocal(slot=slot):
                return lambda f: f[slot].value() if type(f[slot]) is Lazy else f[slot]
            case p.Input():
                return self._input(node)
            case p.Switch():
                return self._switch(node)
            case _:
                assert_never(node)

    def _read(self, node: p.Read) -> Closure:
        match node:
            case p.Stored():
                return self._stored(node)
            case p.Computed():
                return self._computed(node)
            case p.Property(of=of):
                value, other = self.closure(of), self._other(node)
                return lambda f: other(value(f), f)
            case p.Entry():
                return self._entry(node)
            case p.ItemAt(of=of, index=index, where=where):
                return self._operation(item_at, (of, index), where)
            case p.Filter():
                return self._filter(node)
            case p.Select():
                return self._select(node)
            case p.ItemEntry():
                return self._item_entry(node)
            case _:
                assert_never(node)

    def _operated(self, node: p.Operated) -> Closure:
        match node:
            case p.Negation(operand=operand, where=where):
                return self._operation(negate, (operand,), where)
            case p.Arithmetic(operator=sign, left=left, right=right, where=where):
                in_python = node.unbounded and not self.standard
                return self._operation(operator.mul if in_python else ARITHMETIC[sign], (left, right), where)
            case p.Comparison():
                return self._comparison(node)
            case p.Logic():
                return self._logic(node)
            case p.Not(operand=operand):
                negated = self.closure(operand)
                return lambda f: negation(negated(f))
            case p.InstanceOf():
                return self._instance_of(node)
            case p.Present():
                return self._present(node)
            case p.Plain(value=value):
                leaving = self.closure(value)
                return lambda f: as_plain(leaving(f))
            case p.Fail():
                return self._failing(node)
            case _:
                assert_never(node)

    def _tested(self, node: p.Tested) -> Closure:
        match node:
            case p.Member():
                return self._member(node)
            case p.Between():
                return self._between(node)
            case p.Meets(value=value, test=test, where=where):
                alike = COMPARISONS["="] if self.standard else same
                return self._operation(lambda a, b: meets(a, b, alike), (value, test), where)
            case p.IsTrue(value=value):
                held = self.closure(value)
                return held if self.is_sure(value.type) else lambda f: held(f) is True
            case p.Truth(value=value):
                held = self.closure(value)
                return held if isinstance(plain(value.type), BooleanType) else _truth_of(held)
            case _:
                assert_never(node)

    def _compound(self, node: p.Compound) -> Closure:
        match node:
            case p.Let():
                return self._let(node)
            case p.Conditional():
                condition, then, otherwise = self.closures((node.condition, node.then, node.otherwise))
                return lambda f: then(f) if condition(f) is True else otherwise(f)
            case p.For():
                return self._for(node)
            case p.Quantified():
                return self._quantified(node)
            case _:
                assert_never(node)

    def _constructed(self, node: p.Constructed) -> Closure:
        match node:
            case p.MakeList(items=items):
                works = self.closures(items)
                return lambda f: [work(f) for work in works]
            case p.MakeContext():
                return self._context(node)
            case p.MakeRecord(record=record, fields=fields):
                entries = tuple((name, self.closure(value)) for name, value in fields)
                return lambda f: RecordValue(record, {n: work(f) for n, work in entries}, f[0])
            case p.MakeRange():
                return self._range(node)
            case p.MakeFunction():
                return self._function(node)
            case _:
                assert_never(node)

    def _called(self, node: p.Called) -> Closure:
        match node:
            case p.Builtin():
                return self._builtin(node)
            case p.Apply():
                return self._apply(node)
            case p.Call():
                return self._call(node)
            case p.CallStep():
                return self._call_step(node)
            case p.Rank(scale=scale, arguments=arguments):
                works, rank = self.closures(arguments), self.planner.ranking
                return self._caught(lambda f: rank(scale, [work(f) for work in works], f[0]), node.where)
            case p.AskAnswer(ask=ask, arguments=arguments):
                asked, answer = self.closures(arguments), self.planner.answer
                return lambda f: answer(ask, [work(f) for work in asked], f[0])
            case _:
                assert_never(node)

    # -- helpers -------------------------------------------------------------------------------

    def _operation(
        self, operation: Callable[..., Value], operands: Sequence[p.Expression], where: Location
    ) -> Closure:
        """`operation` on what operands come to; where it fails, this node does."""
        if len(operands) == 2:
            left, right = operands
            return self._binary(operation, left, right, where)
        works, fail = self.closures(operands), self.fail
        if len(works) == 1:
            (only,) = works

            def unary(f: Frame) -> Value:
                value = only(f)
                try:
                    return operation(value)
                except FeelError as error:
                    return fail(error, where, f)

            return unary

        def run(f: Frame) -> Value:
            values = [work(f) for work in works]
            try:
                return operation(*values)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def plain_slot(self, node: p.Expression) -> p.Slot | None:
        """A place that is read as it is, where nobody looks on."""
        if isinstance(node, p.Local) and node.step is None:
            return node.slot
        return None

    def is_constant(self, node: p.Expression) -> bool:
        """Is it the same at all times, and does nobody look on?"""
        return isinstance(node, p.Constant) or (isinstance(node, p.Name) and self._is_id(node))

    def constant(self, node: p.Expression) -> Value:
        return node.id if isinstance(node, p.Name) else node.value if isinstance(node, p.Constant) else None

    def _is_id(self, name: p.Name) -> bool:
        """Its value is no row of data."""
        return self.planner.index.vocabularies[name.vocabulary].record is None

    def _binary(
        self,
        operation: Operation,
        left: p.Expression,
        right: p.Expression,
        where: Location,
    ) -> Closure:
        fail, a = self.fail, self.closure(left)
        b = self.closure(right)

        def run(f: Frame) -> Value:
            x = a(f)
            y = b(f)
            try:
                return operation(x, y)
            except FeelError as error:
                return fail(error, where, f)

        return run

    # -- reading -------------------------------------------------------------------------------

    def _rows(self, table: str) -> Closure:
        planner = self.planner
        return lambda f: planner.rows(table, f[0])

    def _input(self, node: p.Input) -> Closure:
        name, index = node.field, self.planner.index
        declared = index.fields[index.state][name]
        optional, expected, where = (
            may_be_null(node.type),
            describe(without_null(declared.type)),
            declared.where,
        )
        computed = declared.computed is not None

        def run(f: Frame) -> Value:
            state = f[0].state
            if state is None:
                value = None
            elif computed:
                value = f[0].field_of(state, name)
            else:
                value = state.values.get(name)
            if value is None and not optional:
                raise RecordError([missing(f[0].place(name), expected, Location(where))])
            return value

        return run

    def _switch(self, node: p.Switch) -> Closure:
        name = node.name
        default = self.planner.index.switches[name][0].default

        def run(f: Frame) -> Value:
            recorded = recorded_switch(name, f[0])
            return default if recorded is None else recorded

        return run

    def _stored(self, node: p.Stored) -> Closure:
        name, slot = node.name, self.plain_slot(node.of)
        other = self._other(node)
        if slot is not None:

            def of_place(f: Frame) -> Value:
                value = f[slot]
                kind = type(value)
                fits = kind is RecordValue or kind is DataRow
                return value.values.get(name) if fits else other(value, f)

            return of_place
        of = self.closure(node.of)

        def run(f: Frame) -> Value:
            value = of(f)
            kind = type(value)
            return value.values.get(name) if kind is RecordValue or kind is DataRow else other(value, f)

        return run

    def _other(self, node: p.Stored | p.Computed | p.Property) -> Callable[[Value, Frame], Value]:
        name = node.field.name if isinstance(node, p.Computed) else node.name
        fail, where = self.fail, node.where

        def read(value: Value, f: Frame) -> Value:
            if value is None:
                return None
            try:
                return f[0].read_field(value, name)
            except FeelError as error:
                return fail(error, where, f)

        return read

    def _computed(self, node: p.Computed) -> Closure:
        of, other = self.closure(node.of), self._other(node)
        field = self.planner.field(node.record, node.field.name)

        def run(f: Frame) -> Value:
            value = of(f)
            kind = type(value)
            return field(f[0], value) if kind is RecordValue or kind is DataRow else other(value, f)

        return run

    def _entry(self, node: p.Entry) -> Closure:
        of, key, stored = self.closure(node.of), self.closure(node.key), self._stored_entries(node)

        def run(f: Frame) -> Value:
            value, by = of(f), key(f)
            if value is None or by is None:
                return None
            name = by.id if isinstance(by, Row) else by
            if type(value) is dict and type(name) is str:
                return value.get(name)
            if name in stored and type(value) is RecordValue:
                return value.values.get(name)
            return f[0].read_field(value, name)

        return self._caught(run, node.where)

    def _stored_entries(self, node: p.Entry) -> frozenset[str]:
        """The fields that can be read off a record as they are."""
        index = self.planner.index
        fields = index.fields.get(index.record_of(node.of.type), {})
        return frozenset(name for name, field in fields.items() if field.computed is None)

    def _item_entry(self, node: p.ItemEntry) -> Closure:
        slot, name, otherwise = node.item, node.name, self.closure(node.otherwise)

        def run(f: Frame) -> Value:
            value, turn = f[slot], f[0]
            return turn.read_field(value, name) if turn.has_field(value, name) else otherwise(f)

        return self._caught(run, node.where)

    # -- operators -----------------------------------------------------------------------------

    def comparing(self, node: p.Comparison) -> Operation:
        """Python's own where the types show that it comes to the same."""
        sign, left, right = node.operator, node.left.type, node.right.type
        if self.standard:
            return COMPARISONS[sign]
        if sign in EQUALITIES and isinstance(node.right, p.Constant) and node.right.value is None:
            return operator.is_ if sign == "=" else operator.is_not
        if (sign in EQUALITIES and _are_alike(left, right)) or (_is_whole(left) and _is_whole(right)):
            return IN_PYTHON[sign]
        return WORKBOOK_COMPARISONS[sign]

    def _comparison(self, node: p.Comparison) -> Closure:
        left, right, operation = node.left, node.right, self.comparing(node)
        slot = self.plain_slot(left)
        if slot is None or not self.is_constant(right):
            return self._operation(operation, (left, right), node.where)
        value = self.constant(right)
        if operation is operator.eq:
            return partial(_equals, slot, value)
        return partial(_compares, slot, value, operation, self.fail, node.where)

    def _logic(self, node: p.Logic) -> Closure:
        left, right = self.closure(node.left), self.closure(node.right)
        sure = self.is_sure(node.left.type) and self.is_sure(node.right.type)
        if node.operator == "and":
            if sure:
                return lambda f: left(f) and right(f)

            def both(f: Frame) -> Value:
                first = left(f)
                return False if first is False else conjunction(first, right(f))

            return both
        if sure:
            return lambda f: left(f) or right(f)

        def either(f: Frame) -> Value:
            first = left(f)
            return True if first is True else disjunction(first, right(f))

        return either

    def _member(self, node: p.Member) -> Closure:
        kind = plain(node.list.type)
        in_python = isinstance(kind, ListType) and _are_alike(node.value.type, kind.item)

        def is_member(value: Value, items: Value) -> Value:
            if in_python and type(items) is list:
                return value in items
            return None if items is None else belongs(value, items)

        return self._operation(is_member, (node.value, node.list), node.where)

    def _between(self, node: p.Between) -> Closure:
        slot, ends, fail, where = self.plain_slot(node.value), (node.low, node.high), self.fail, node.where
        a, b = node.low_included, node.high_included
        if slot is not None and all(end is None or self.is_constant(end) for end in ends):
            least, most = [None if end is None else self.constant(end) for end in ends]
            if a and b and _is_whole(node.value.type) and type(least) is int and type(most) is int:
                return partial(_is_between, slot, least, most)
            return partial(_is_within, slot, least, most, a, b, fail, where)
        value, low, high = self.closure(node.value), self._end(node.low), self._end(node.high)

        def run(f: Frame) -> Value:
            seen = value(f)
            if seen is None:
                return None
            ends = low(f), high(f)
            try:
                return within(seen, *ends, a, b)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _end(self, end: p.Expression | None) -> Closure:
        return nothing if end is None else self.closure(end)

    def _instance_of(self, node: p.InstanceOf) -> Closure:
        type_ = node.wanted
        return self._with_names(lambda value, names: instance_of(value, type_, names), node.value, node.where)

    def _with_names(
        self, operation: Callable[[Value, Names], Value], operand: p.Expression, where: Location
    ) -> Closure:
        """What an operation comes to that must know all vocabularies."""
        work, fail = self.closure(operand), self.fail

        def run(f: Frame) -> Value:
            value = work(f)
            try:
                return operation(value, f[0].vocabularies)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _present(self, node: p.Present) -> Closure:
        if node.types:
            types = node.types
            return self._with_names(
                lambda value, names: failures.require(value, types, names), node.operand, node.where
            )
        operand, where, table, expected = (
            self.closure(node.operand),
            node.where,
            self.table,
            describe(node.type),
        )

        def present(f: Frame) -> Value:
            value = operand(f)
            if value is None:
                raise RuleError(failures.null_here(expected), where, table)
            return value

        return present

    def _failing(self, node: p.Fail) -> Closure:
        where, table, works, failure = node.where, self.table, self.closures(node.arguments), node.failure

        def run(f: Frame) -> Value:
            match failure:
                case p.Failure.NO_ROW:
                    message = failures.no_row_fires()
                case p.Failure.NO_ENTRY:
                    message = failures.no_entry([work(f) for work in works])
            raise RuleError(message, where, table)

        return run

    # -- compound ------------------------------------------------------------------------------

    def _let(self, node: p.Let) -> Closure:
        slot, value, body = node.slot, self.closure(node.value), node.body
        if isinstance(body, p.IsTrue) and isinstance(body.value, p.Member):
            member, kind = body.value, plain(body.value.list.type)
            in_python = isinstance(kind, ListType) and _are_alike(node.value.type, kind.item)
            if in_python and self.is_list(member.list.type) and self.plain_slot(member.value) == slot:
                return _in_list(slot, value, self.closure(member.list))
        inner = self.closure(body)

        def run(f: Frame) -> Value:
            f[slot] = value(f)
            return inner(f)

        return run

    def _filter(self, node: p.Filter) -> Closure:
        of, condition, slot = self.closure(node.of), self.closure(node.condition), node.item

        def run(f: Frame) -> Value:
            items = of(f)
            if items is None:
                return None
            kept = []
            for item in items:
                f[slot] = item
                if condition(f) is True:
                    kept.append(item)
            return kept

        return run

    def _select(self, node: p.Select) -> Closure:
        of, select = self.closure(node.of), self.select(node)
        return lambda f: select(of(f), f)[0]

    def select(self, node: p.Select) -> Callable[[Value, Frame], tuple[Value, bool]]:
        """What is kept of a value, and whether by an index."""
        condition, slot, fail, where = self.closure(node.condition), node.item, self.fail, node.where

        def run(value: Value, f: Frame) -> tuple[Value, bool]:
            items = value if isinstance(value, list) else [value]
            kept: list[Value] = []
            try:
                for item in items or [None]:
                    f[slot] = item
                    held = condition(f)
                    if kind_of(held) == "number":
                        return item_at(items, held), True
                    if truth(held) is True and items:
                        kept.append(item)
            except FeelError as error:
                return fail(error, where, f), False
            return kept, False

        return run

    def _iterations(
        self, bindings: tuple[p.Binding, ...], node: p.For | p.Quantified
    ) -> Callable[[Frame], Iterator[None]]:
        """The frame is at the next items each time round."""
        if not bindings:
            return lambda _f: iter((None,))
        first, inner = bindings[0], self._iterations(bindings[1:], node)
        slot, source = first.slot, self.closure(first.source)
        end = None if first.end is None else self.closure(first.end)
        standard = self.standard

        def through(f: Frame) -> Iterator[None]:
            value = source(f)
            items: Any
            if end is not None:
                items = steps(value, end(f))
            elif isinstance(value, Range):
                items = elements(value)
            elif isinstance(value, list):
                items = value
            elif value is not None and standard:
                items = (value,)
            else:
                raise FeelError(f"{kind_of(value)} is no list to go through")
            for item in items:
                f[slot] = item
                yield from inner(f)

        return through

    def _counted(self, node: p.For | p.Quantified) -> Callable[[Frame], Iterator[None]]:
        through, where, table, standard = (
            self._iterations(node.bindings, node),
            node.where,
            self.table,
            self.standard,
        )

        def counted(f: Frame) -> Iterator[None]:
            for count, _ in enumerate(through(f)):
                if count == MOST_ITERATIONS:
                    message = failures.too_many_iterations(MOST_ITERATIONS)
                    if standard:
                        raise LimitError(message)
                    raise RuleError(message, where, table)
                yield

        return counted

    def _one_list(self, node: p.For | p.Quantified) -> bool:
        first, *others = node.bindings
        return not others and first.end is None and self.is_list(first.source.type)

    def _for(self, node: p.For) -> Closure:
        result, fail, where = self.closure(node.result), self.fail, node.where
        counted = self._counted(node)
        partial_slot = node.partial

        def run(f: Frame) -> Value:
            results: list[Value] = []
            try:
                for _ in counted(f):
                    if partial_slot is not None:
                        f[partial_slot] = list(results)
                        value = result(f)
                        results.append(bounded(value) if type(value) is int else value)
                    else:
                        results.append(result(f))
            except FeelError as error:
                return fail(error, where, f)
            return results

        if partial_slot is not None or not self._one_list(node):
            return run
        slot, source = node.bindings[0].slot, self.closure(node.bindings[0].source)

        def quick(f: Frame) -> Value:
            items = source(f)
            if type(items) is not list or len(items) > MOST_ITERATIONS:
                return run(f)
            results = []
            for item in items:
                f[slot] = item
                results.append(result(f))
            return results

        return quick

    def _quantified(self, node: p.Quantified) -> Closure:
        condition, fail, where, some = self.closure(node.condition), self.fail, node.where, node.some
        counted, join = self._counted(node), disjunction if node.some else conjunction

        def run(f: Frame) -> Value:
            result: bool | None = not some
            try:
                for _ in counted(f):
                    result = join(result, truth(condition(f)))
                    if result is some:
                        break
            except FeelError as error:
                return fail(error, where, f)
            return result

        if not self._one_list(node) or not self.is_sure(node.condition.type):
            return run
        slot, source = node.bindings[0].slot, self.closure(node.bindings[0].source)

        def quick(f: Frame) -> Value:
            items = source(f)
            if type(items) is not list or len(items) > MOST_ITERATIONS:
                return run(f)
            for item in items:
                f[slot] = item
                if condition(f) is some:
                    return some
            return not some

        return quick

    def _context(self, node: p.MakeContext) -> Closure:
        entries = tuple((name, slot, self.closure(value)) for name, slot, value in node.entries)

        def run(f: Frame) -> Value:
            context: dict[str, Value] = {}
            for name, slot, work in entries:
                f[slot] = Lazy(partial(context.get, name))
                context[name] = work(f)
            return context

        return run

    def _range(self, node: p.MakeRange) -> Closure:
        low, high, fail, where = self._end(node.low), self._end(node.high), self.fail, node.where
        a, b = node.low_included, node.high_included

        def run(f: Frame) -> Value:
            ends = low(f), high(f)
            try:
                return Range(*ends, a, b)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _function(self, node: p.MakeFunction) -> Closure:
        """The frame as it is when the function is made, copied for each call."""
        slots, body = tuple(slot for _, slot, _ in node.parameters), self.closure(node.body)
        names, types = tuple(name for name, _, _ in node.parameters), tuple(t for _, _, t in node.parameters)
        result = node.type.result if isinstance(node.type, FunctionType) else ANY

        def run(f: Frame) -> Value:
            kept = f.copy()

            def call(*arguments: Value) -> Value:
                inner = kept.copy()
                for slot, argument in zip(slots, arguments, strict=True):
                    inner[slot] = argument
                return body(inner)

            return Function(names, call, types, result=result)

        return run

    # -- calls ---------------------------------------------------------------------------------

    def _builtin(self, node: p.Builtin) -> Closure:
        meaning = BY_NAME[node.name].meaning
        if node.name == "get value":
            return self._get_value(node)
        if node.name == "count" and len(node.arguments) == 1 and self.is_list(node.arguments[0].type):
            listed = self.closure(node.arguments[0])
            return lambda f: len(listed(f))
        return self._operation(meaning, node.arguments, node.where)

    def _get_value(self, node: p.Builtin) -> Closure:
        meaning, works = BY_NAME[node.name].meaning, self.closures(node.arguments)
        return self._caught(lambda f: meaning(*[work(f) for work in works], read=f[0].read_field), node.where)

    def _caught(self, run: Closure, where: Location) -> Closure:
        fail = self.fail

        def caught(f: Frame) -> Value:
            try:
                return run(f)
            except FeelError as error:
                return fail(error, where, f)

        return caught

    def _apply(self, node: p.Apply) -> Closure:
        function, works, standard = self.closure(node.function), self.closures(node.arguments), self.standard

        def run(f: Frame) -> Value:
            called_one = function(f)
            values = [work(f) for work in works]
            return failures.call(called_one, values, None if standard else f[0].vocabularies)

        return self._caught(run, node.where)

    def _call(self, node: p.Call) -> Closure:
        tables, name, works = self.planner.tables, node.table, self.closures(node.arguments)
        if not works:
            return lambda f: tables[name]((), f[0])
        return lambda f: tables[name]([work(f) for work in works], f[0])

    def _call_step(self, node: p.CallStep) -> Closure:
        slot, works = node.slot, self.closures(node.arguments)
        return lambda f: f[slot](*[work(f) for work in works])


def recorded_switch(name: str, turn: Turn) -> Value:
    """What the record has in place of the default."""
    _, field = turn.index.switches[name]
    overrides = None if field is None or turn.state is None else turn.field_of(turn.state, field)
    return None if overrides is None else entry(overrides, name)


EQUALITIES = ("=", "!=")
IN_PYTHON: dict[str, Operation] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


# Cells that compare their column with constants: there may be a hundred thousand of them. Each is a `partial`
# of one of these, which takes a fifth of the room of closures.


def _equals(slot: p.Slot, value: Value, f: Frame) -> Value:
    return f[slot] == value


def _compares(
    slot: p.Slot, value: Value, operation: Operation, fail: Failure, where: Location, f: Frame
) -> Value:
    try:
        return operation(f[slot], value)
    except FeelError as error:
        return fail(error, where, f)


def _is_between(slot: p.Slot, low: int, high: int, f: Frame) -> Value:
    return low <= f[slot] <= high


def _is_within(
    slot: p.Slot, low: Value, high: Value, a: bool, b: bool, fail: Failure, where: Location, f: Frame
) -> Value:
    """`a`, `b`: the ends are included."""
    seen = f[slot]
    if seen is None:
        return None
    try:
        return within(seen, low, high, a, b)
    except FeelError as error:
        return fail(error, where, f)


def _in_list(slot: p.Slot, value: Closure, listed: Closure) -> Closure:
    def run(f: Frame) -> Value:
        seen = f[slot] = value(f)
        return seen in listed(f)

    return run


def nothing(_f: Frame) -> None:
    return None


def _truth_of(held: Closure) -> Closure:
    def truth_of(f: Frame) -> bool | None:
        found = held(f)
        return found if found is True or found is False else None

    return truth_of


def _once(make: Callable[[Turn], Value]) -> Closure:
    known: list[Value] = []

    def value(f: Frame) -> Value:
        if not known:
            known.append(make(f[0]))
        return known[0]

    return value


def _is_whole(type_: Type) -> bool:
    found = plain(type_)
    return isinstance(found, NumberType) and found.whole and not may_be_null(type_)


def _are_alike(left: Type, right: Type) -> bool:
    a, b = plain(left), plain(right)
    match a, b:
        case VocabularyType(), VocabularyType():
            return a.root == b.root
        case ((TextType() | BooleanType() | NumberType()), _):
            return type(a) is type(b)
        case _:
            return False
