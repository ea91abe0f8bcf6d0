"""What expressions and tests do with the places of the state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, assert_never

from dtables.feel.types import AnyType, RecordType, Type, VocabularyType, plain
from dtables.feel.values import Value
from dtables.flat.places import SETTLED, Known, Operand, Place, Worked, is_number, is_record
from dtables.flat.survey_places import Here, PlaceSurvey
from dtables.model.expressions import (
    Arithmetic,
    AskAnswer,
    Belongs,
    ByKey,
    CallBuiltin,
    CallStep,
    CallTable,
    Compared,
    Comparison,
    Conditional,
    Constant,
    EqualTo,
    Expression,
    FieldOf,
    Guard,
    Holds,
    InList,
    InputField,
    ItemEntry,
    MakeList,
    MakeRange,
    Matches,
    Negation,
    Node,
    NoneOf,
    Ranking,
    Read,
    Select,
    Switch,
    Test,
    Variable,
    Within,
)
from dtables.model.tables import Ask, Field, Formula, Record, Table
from dtables.provenance import CellRef, Location

CLOCK = ("now", "today")
NOT_CONSTANT = object()
MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class ExpressionSurvey(PlaceSurvey):
    @abstractmethod
    def call(self, table: Table, given: tuple[Known, ...]) -> Known:
        """What a table comes to."""

    @abstractmethod
    def ask(self, ask: Ask, given: tuple[Known, ...]) -> None:
        """The answer of an ask, inside another's."""

    def visit(self, node: Expression, here: Here) -> Known:
        match node:
            case Read(variable=variable):
                return self._variable(variable, here)
            case InputField(name=name):
                return self.field(Place((), RecordType(self.state.name)), name)
            case FieldOf(of=of, name=name):
                return self._field_of(self.visit(of, here), of.type, name, node.where)
            case ByKey(of=of, key=key):
                self._by_key(self.visit(of, here), of.type, node.where)
                self.settle(self.visit(key, here), node.where)
            case Guard(operand=operand):
                return self.visit(operand, here)
            case Comparison(operator=operator, left=left, right=right):
                self._comparison(operator, left, right, here)
            case Matches(value=value, subject=subject, tests=tests):
                known = self.visit(value, here)
                self.tests(tests, known, here.where([subject], [known]))
            case Arithmetic(operator="+" | "-" | "*" as operator, left=left, right=right):
                return self._worked_out(operator, left, right, here)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                self.settle(self.visit(condition, here), node.where)
                return self._either(self.visit(then, here), self.visit(otherwise, here), node.where)
            case CallTable(table=name, arguments=arguments) | Ranking(scale=name, arguments=arguments):
                return self.call(self._tables[name], tuple(self.visit(a, here) for a in arguments))
            case CallStep(step=step, arguments=arguments):
                called = here.steps[step.number]
                given = [self.visit(argument, here) for argument in arguments]
                return self.visit(called.value, here.where([p.variable for p in called.parameters], given))
            case AskAnswer(ask=name, arguments=arguments):
                self.ask(self._asks[name], tuple(self.visit(a, here) for a in arguments))
            case Switch(name=name) if self._overriding[name] is not None:
                self._closed.add((self._overriding[name] or "",))
                self._read.add((self._overriding[name] or "",))
            case CallBuiltin(builtin=name) if name in CLOCK:
                self.stuck("the clock is read", node.where)
            case Select() | ItemEntry():
                self.stuck("what is read is known only when it runs", node.where)
            case _:
                self.inside(node, here)
        return SETTLED

    def inside(self, thing: object, here: Here) -> None:
        """Everything in a node that is not known any nearer is used for itself."""
        for child in _children(thing):
            match child:
                case EqualTo() | InList() | Compared() | Within() | Holds() | Belongs() | NoneOf():
                    self.test(child, SETTLED, here)
                case Node():
                    assert isinstance(child, Expression)
                    self.settle(self.visit(child, here), child.where)
                case _:
                    self.inside(child, here)

    def _variable(self, variable: Variable, here: Here) -> Known:
        """One that a loop or a filter binds goes through what is settled."""
        number = variable.number
        if number in here.bound:
            return here.bound[number]
        step = here.steps.get(number)
        if step is None:
            return SETTLED
        if number not in here.done:
            here.done[number] = self.visit(step.value, here)
        return here.done[number]

    def _either(self, one: Known, other: Known, where: Location) -> Known:
        if one == other:
            return one
        self.settle(one, where)
        self.settle(other, where)
        return SETTLED

    def _comparison(self, operator: str, left: Expression, right: Expression, here: Here) -> None:
        one, other = self.visit(left, here), self.visit(right, here)
        first, second = self.constant(left), self.constant(right)
        match one, other:
            case ((Place() | Worked()), _) if second is not NOT_CONSTANT:
                self.compared(operator, one, second, left.where)
            case _, (Place() | Worked()) if first is not NOT_CONSTANT:
                self.compared(MIRRORED[operator], other, first, right.where)
            case ((Place() | Worked()), (Place() | Worked())) if is_number(one) and is_number(other):
                self.compared(operator, Worked("-", one, other), 0, left.where)
            case _:
                self.settle(one, left.where)
                self.settle(other, right.where)

    def _worked_out(self, operator: str, left: Expression, right: Expression, here: Here) -> Known:
        one, other = (self._operand(side, here) for side in (left, right))
        if one is None or other is None or (isinstance(one, int) and isinstance(other, int)):
            for side in (left, right):
                self.settle(self.visit(side, here), side.where)
            return SETTLED
        return Worked(operator, one, other)

    def _operand(self, node: Expression, here: Here) -> Operand | None:
        constant = self.constant(node)
        if isinstance(constant, int) and not isinstance(constant, bool):
            return constant
        known = self.visit(node, here)
        return known if isinstance(known, Place | Worked) and is_number(known) else None

    # -- fields --------------------------------------------------------------------------------

    def field(self, of: Place, name: str) -> Known:
        inner = plain(of.type)
        assert isinstance(inner, RecordType)
        record = self._records[inner.name]
        found = next(f for f in record.fields if f.name == name)
        if (*of.path[:1], name) in self._fixed and len(of.path) == 1:
            return SETTLED
        if found.computed is not None:
            return self.visit(found.computed, Here().where([record.this], [of]))
        path = (*of.path, name)
        self._read.add(path)
        return self.place(path, found.type, () if found.allowed is None else found.allowed.tests)

    def _field_of(self, known: Known, type_: Type, name: str, where: Location) -> Known:
        if isinstance(known, Place) and is_record(known.type):
            return self.field(known, name)
        if isinstance(plain(type_), AnyType):
            self.stuck("what is read is known only when it runs", where)
        self.settle(known, where)
        for record, computed in self._computed(type_):
            if computed.name == name:
                self._work_out(record, computed, SETTLED)
        return SETTLED

    def _by_key(self, known: Known, type_: Type, where: Location) -> None:
        self.settle(known, where)
        for record, computed in self._computed(type_):
            self._work_out(record, computed, known)

    def _work_out(self, record: Record, computed: Field, this: Known) -> None:
        assert computed.computed is not None
        key = (f"{record.name}.{computed.name}", (this,))
        if key not in self._called:
            self._called[key] = SETTLED
            self.settle(self.visit(computed.computed, Here().where([record.this], [this])), computed.where)

    def _computed(self, type_: Type) -> Iterator[tuple[Record, Field]]:
        match plain(type_):
            case RecordType(name=name):
                found = self._records.get(name)
            case VocabularyType(root=root):
                found = self._records.get(self._record_of.get(root, ""))
            case _:
                found = None
        if found is not None:
            yield from ((found, field) for field in found.fields if field.computed is not None)

    # -- tests ---------------------------------------------------------------------------------

    def tests(self, tests: Iterable[Test], subject: Known, here: Here) -> None:
        for test in tests:
            self.test(test, subject, here)

    def test(self, test: Test, subject: Known, here: Here) -> None:
        match test:
            case EqualTo(value=value):
                self.beside("=", subject, value, here)
            case Compared(operator=operator, value=value):
                self.beside(operator, subject, value, here)
            case Within(low=low, high=high, low_included=from_low, high_included=to_high):
                self.beside(">=" if from_low else ">", subject, low, here)
                self.beside("<=" if to_high else "<", subject, high, here)
            case InList(list=MakeList(items=items)):
                for item in items:
                    self._item(subject, item, here)
            case InList(list=value) | Belongs(value=value):
                self.settle(subject, test.where)
                self.settle(self.visit(value, here), test.where)
            case Holds(condition=condition):
                self.settle(self.visit(condition, here), test.where)
            case NoneOf(tests=tests):
                self.tests(tests, subject, here)
            case _:
                assert_never(test)

    def _item(self, subject: Known, item: Expression, here: Here) -> None:
        """A list's item that is a range is one to lie in."""
        if not isinstance(item, MakeRange):
            self.beside("=", subject, item, here)
            return
        self.beside(">=" if item.low_included else ">", subject, item.low, here)
        self.beside("<=" if item.high_included else "<", subject, item.high, here)

    def beside(self, operator: str, subject: Known, value: Expression | None, here: Here) -> None:
        if value is None:
            return
        constant = self.constant(value)
        if isinstance(subject, Place | Worked) and constant is not NOT_CONSTANT:
            self.compared(operator, subject, constant, value.where)
            return
        self.settle(subject, value.where)
        self.settle(self.visit(value, here), value.where)

    def constant(self, node: Expression) -> Value:
        """What stands there in every turn, where that is plain to see."""
        match node:
            case Constant(value=value):
                return value
            case Guard(operand=operand):
                return self.constant(operand)
            case Negation(operand=Constant(value=value)) if value is not None:
                return -value
            case CallTable(table=name, arguments=()):
                table = self._tables[name]
                return self.constant(table.result) if isinstance(table, Formula) else NOT_CONSTANT
            case _:
                return NOT_CONSTANT


def _children(thing: object) -> Iterator[Any]:
    """What a node, a row or a tuple of them holds: further nodes, and rows that may hold some."""
    if isinstance(thing, tuple):
        yield from thing
        return
    if not is_dataclass(thing) or isinstance(thing, (CellRef, Location, Variable)):
        return
    for part in fields(thing):
        if part.name not in ("type", "where", "heading", "cell"):
            yield getattr(thing, part.name)
