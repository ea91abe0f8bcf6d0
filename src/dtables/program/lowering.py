"""From the model to what runs: one function at a time, when somebody first asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import assert_never, overload

from dtables.feel.types import (
    ANY,
    BOOLEAN,
    NULL,
    TEXT,
    WHOLE,
    BooleanType,
    ListType,
    NumberType,
    RecordType,
    TextType,
    Type,
    VocabularyType,
    may_be_null,
    optional,
    plain,
    without_null,
)
from dtables.model import expressions as model
from dtables.model.reach import named_on_the_way, type_at
from dtables.model.tables import (
    AnswerField,
    Ask,
    AskRow,
    Checks,
    Consistency,
    Counted,
    Criterion,
    Decision,
    Dice,
    Draw,
    Field,
    Formula,
    Matrix,
    Need,
    Next,
    OutcomeKind,
    Place,
    Policy,
    Prefer,
    Record,
    Rule,
    Ruleset,
    Scale,
    Step,
    Stop,
    Subject,
    Table,
    Vocabulary,
    table_name,
)
from dtables.program import nodes as p
from dtables.provenance import Location

MAYBE = optional(BOOLEAN)
FIRST_FREE = 1


class Program:
    """A ruleset as it runs. By the standard (not `strict`) what cannot be said passes on as null."""

    def __init__(self, ruleset: Ruleset, strict: bool = True) -> None:
        self.ruleset = ruleset
        self.strict = strict
        self._functions: dict[str, p.Function] = {}
        self._fields: dict[tuple[str, str], p.FieldFunction] = {}

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        return {table_name(t): t for t in self.ruleset.tables}

    @cached_property
    def records(self) -> Mapping[str, Record]:
        return {r.name: r for r in (*self.ruleset.records, self.ruleset.input.state)}

    @cached_property
    def fields(self) -> Mapping[str, Mapping[str, Field]]:
        return {name: {f.name: f for f in record.fields} for name, record in self.records.items()}

    @cached_property
    def _vocabularies(self) -> Mapping[str, Vocabulary]:
        switches = (rule.values for table in self.ruleset.switches for rule in table.rules)
        return {v.name: v for v in (*switches, *self.ruleset.vocabularies)}

    def record_of(self, type_: Type) -> str | None:
        match plain(type_):
            case RecordType(name=name) if name in self.records:
                return name
            case VocabularyType(root=root):
                return self._vocabularies[root].record
            case _:
                return None

    def function(self, name: str) -> p.Function:
        if name not in self._functions:
            self._functions[name] = Lowering(self).table(self.tables[name])
        return self._functions[name]

    def field(self, record: str, name: str) -> p.FieldFunction:
        key = record, name
        if key not in self._fields:
            self._fields[key] = Lowering(self).field(self.records[record], self.fields[record][name])
        return self._fields[key]

    def free(self, expression: model.Expression, variables: Iterable[model.Variable] = ()) -> p.FreeFunction:
        """`expression` as a function of `variables`."""
        return Lowering(self).free(expression, variables)

    def free_tests(
        self, tests: tuple[model.Test, ...], variables: Sequence[model.Variable]
    ) -> p.FreeFunction:
        """Does the last one of `variables` pass?"""
        return Lowering(self).free_tests(tests, variables)


class Lowering:
    """The frame of one function. `_steps` are the variables of steps and draws, `_lazy` those of entries of
    contexts."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.size = FIRST_FREE
        self._slots: dict[int, p.Slot] = {}
        self._steps: set[int] = set()
        self._lazy: set[int] = set()

    # -- places --------------------------------------------------------------------------------

    def new(self) -> p.Slot:
        self.size += 1
        return self.size - 1

    def bind(self, variable: model.Variable) -> p.Slot:
        slot = self._slots[variable.number] = self.new()
        return slot

    def kept(self, variable: model.Variable) -> p.Slot:
        """Of a step or a draw."""
        self._steps.add(variable.number)
        return self.bind(variable)

    def slot(self, variable: model.Variable) -> p.Slot:
        return self._slots[variable.number]

    # -- functions -----------------------------------------------------------------------------

    def table(self, table: Table) -> p.Function:
        parameters = tuple(self.bind(parameter.variable) for parameter in table.parameters)
        steps: tuple[p.Step, ...] = ()
        body: p.Expression | p.Choose | p.Narrow
        match table:
            case Formula():
                steps = tuple(map(self.step, table.steps))
                body = self.value(table.result)
            case Decision():
                body = self._decision(table)
            case Scale():
                body = self._scale(table, parameters[0])
            case Matrix():
                body = self._matrix(table, parameters)
            case Dice():
                body = self._dice(table, parameters)
            case _:
                assert_never(table)
        return p.Function(table.heading.name, table, parameters, self.size, steps, body)

    def field(self, record: Record, field: Field) -> p.FieldFunction:
        assert field.computed is not None
        self.bind(record.this)
        body = self.value(field.computed)
        return p.FieldFunction(record, field, self.size, body)

    def free(self, expression: model.Expression, variables: Iterable[model.Variable]) -> p.FreeFunction:
        for variable in variables:
            self.bind(variable)
        body = self.value(expression)
        return p.FreeFunction(self.size, body)

    def free_tests(
        self, tests: tuple[model.Test, ...], variables: Sequence[model.Variable]
    ) -> p.FreeFunction:
        for variable in variables:
            self.bind(variable)
        subject = p.Local(self.slot(variables[-1]), type=ANY, where=tests[0].where)
        body = self.passes(tests, subject)
        return p.FreeFunction(self.size, body)

    def step(self, step: Step) -> p.Step:
        """Earlier steps are known to later ones, not this one to itself."""
        parameters = tuple(self.bind(parameter.variable) for parameter in step.parameters)
        value = self.value(step.value)
        slot = self.bind(step.variable) if step.parameters else self.kept(step.variable)
        return p.Step(slot, parameters, value, step)

    # -- expressions ---------------------------------------------------------------------------

    def values(self, nodes: Iterable[model.Expression]) -> tuple[p.Expression, ...]:
        return tuple(map(self.value, nodes))

    def value(self, node: model.Expression) -> p.Expression:
        match node:
            case (
                model.Constant() | model.NameOf() | model.EachOf() | model.Read() | model.InputField()
                | model.Switch() | model.DataRows()
            ):  # fmt: skip
                return self._known(node)
            case (
                model.FieldOf() | model.ByKey() | model.ItemAt() | model.Filter() | model.Select()
                | model.ItemEntry()
            ):  # fmt: skip
                return self._read(node)
            case (
                model.Negation() | model.Arithmetic() | model.Comparison() | model.Logic() | model.Not()
                | model.Matches() | model.InstanceOf() | model.Guard()
            ):  # fmt: skip
                return self._operated(node)
            case model.Conditional() | model.For() | model.Quantified():
                return self._compound(node)
            case (
                model.MakeList() | model.MakeContext() | model.MakeRecord() | model.MakeRange()
                | model.MakeFunction()
            ):  # fmt: skip
                return self._constructed(node)
            case (
                model.CallBuiltin() | model.CallFunction() | model.CallTable() | model.CallStep()
                | model.Ranking() | model.AskAnswer()
            ):  # fmt: skip
                return self._called(node)
            case _:
                assert_never(node)

    def _known(
        self,
        node: model.Constant | model.NameOf | model.EachOf | model.Read | model.InputField | model.Switch
        | model.DataRows,
    ) -> p.Expression:  # fmt: skip
        t, w = node.type, node.where
        match node:
            case model.Constant(value=value):
                return p.Constant(value, type=t, where=w, source=node)
            case model.NameOf(vocabulary=vocabulary, id=id_):
                return p.Name(vocabulary, id_, type=t, where=w, source=node)
            case model.EachOf(vocabulary=vocabulary):
                return p.EachName(vocabulary, type=t, where=w, source=node)
            case model.Read(variable=variable):
                slot = self.slot(variable)
                if variable.number in self._lazy:
                    return p.LazyLocal(slot, type=t, where=w, source=node)
                step = variable.number if variable.number in self._steps else None
                return p.Local(slot, step, type=t, where=w, source=node)
            case model.InputField(name=name):
                return p.Input(name, type=t, where=w, source=node)
            case model.Switch(name=name):
                return p.Switch(name, type=t, where=w, source=node)
            case model.DataRows(table=table):
                return p.Rows(table, type=t, where=w, source=node)
            case _:
                assert_never(node)

    def _read(
        self,
        node: model.FieldOf | model.ByKey | model.ItemAt | model.Filter | model.Select | model.ItemEntry,
    ) -> p.Expression:
        t, w = node.type, node.where
        match node:
            case model.FieldOf(of=of, name=name):
                return self._field_of(node, self.value(of), name)
            case model.ByKey(of=of, key=key):
                return p.Entry(self.value(of), self.value(key), type=t, where=w, source=node)
            case model.ItemAt(of=of, index=index):
                return p.ItemAt(self.value(of), self.value(index), type=t, where=w, source=node)
            case model.Filter(of=of, item=item, condition=condition):
                made, slot = self.value(of), self.bind(item)
                return p.Filter(made, slot, self.value(condition), type=t, where=w, source=node)
            case model.Select(of=of, item=item, condition=condition):
                made, slot = self.value(of), self.bind(item)
                return p.Select(made, slot, self.value(condition), type=t, where=w, source=node)
            case model.ItemEntry(item=item, name=name, otherwise=otherwise):
                return p.ItemEntry(self.slot(item), name, self.value(otherwise), type=t, where=w, source=node)
            case _:
                assert_never(node)

    def _field_of(self, node: model.FieldOf, of: p.Expression, name: str) -> p.Expression:
        t, w = node.type, node.where
        record = self._program.record_of(node.of.type)
        declared = None if record is None else self._program.fields[record].get(name)
        if record is None or declared is None:
            return p.Property(of, name, type=t, where=w, source=node)
        if declared.computed is None:
            return p.Stored(of, record, name, type=t, where=w, source=node)
        return p.Computed(of, record, declared, type=t, where=w, source=node)

    def _operated(
        self,
        node: model.Negation | model.Arithmetic | model.Comparison | model.Logic | model.Not | model.Matches
        | model.InstanceOf | model.Guard,
    ) -> p.Expression:  # fmt: skip
        t, w = node.type, node.where
        match node:
            case model.Negation(operand=operand):
                return p.Negation(self.value(operand), type=t, where=w, source=node)
            case model.Arithmetic(operator=operator, left=left, right=right):
                a, b = self.value(left), self.value(right)
                return p.Arithmetic(operator, a, b, node.is_multiple, type=t, where=w, source=node)
            case model.Comparison(operator=operator, left=left, right=right):
                return p.Comparison(
                    operator, self.value(left), self.value(right), type=t, where=w, source=node
                )
            case model.Logic(operator=operator, left=left, right=right):
                return p.Logic(operator, self.value(left), self.value(right), type=t, where=w, source=node)
            case model.Not(operand=operand):
                return p.Not(self.value(operand), type=t, where=w, source=node)
            case model.Matches():
                return self._matches(node)
            case model.InstanceOf(value=value, wanted=wanted):
                return p.InstanceOf(self.value(value), wanted, type=t, where=w, source=node)
            case model.Guard(operand=operand, types=types):
                return p.Present(self.value(operand), types, type=t, where=w, source=node)
            case _:
                assert_never(node)

    def _matches(self, node: model.Matches) -> p.Expression:
        """In a workbook what cannot be said does not pass."""
        t, w = node.type, node.where
        value, slot = self.value(node.value), self.bind(node.subject)
        subject = p.Local(slot, type=node.subject.type, where=w)
        passed = self.passes(node.tests, subject)
        if self._program.strict:
            passed = p.IsTrue(passed, type=BOOLEAN, where=w)
        return p.Let(slot, value, passed, type=t, where=w, source=node)

    def _compound(self, node: model.Conditional | model.For | model.Quantified) -> p.Expression:
        t, w = node.type, node.where
        match node:
            case model.Conditional(condition=condition, then=then, otherwise=otherwise):
                made = self.values((condition, then, otherwise))
                return p.Conditional(*made, type=t, where=w, source=node)
            case model.For(bindings=bindings, result=result, partial=partial):
                made_bindings = self._bindings(bindings)
                so_far = None if partial is None else self.bind(partial)
                return p.For(made_bindings, self.value(result), so_far, type=t, where=w, source=node)
            case model.Quantified(quantifier=quantifier, bindings=bindings, condition=condition):
                made_bindings, some = self._bindings(bindings), quantifier is model.Quantifier.SOME
                return p.Quantified(some, made_bindings, self.value(condition), type=t, where=w, source=node)
            case _:
                assert_never(node)

    def _bindings(self, bindings: Sequence[model.Binding]) -> tuple[p.Binding, ...]:
        made = []
        for one in bindings:
            source = self.value(one.source)
            end = None if one.end is None else self.value(one.end)
            made.append(p.Binding(self.bind(one.variable), source, end))
        return tuple(made)

    def _constructed(
        self,
        node: model.MakeList | model.MakeContext | model.MakeRecord | model.MakeRange | model.MakeFunction,
    ) -> p.Expression:
        t, w = node.type, node.where
        match node:
            case model.MakeList(items=items):
                return p.MakeList(self.values(items), type=t, where=w, source=node)
            case model.MakeContext(entries=entries):
                made = []
                for entry in entries:
                    slot = self.bind(entry.variable)
                    self._lazy.add(entry.variable.number)
                    made.append((entry.name, slot, self.value(entry.value)))
                return p.MakeContext(tuple(made), type=t, where=w, source=node)
            case model.MakeRecord(record=record, fields=fields):
                values = tuple((name, self.value(value)) for name, value in fields)
                return p.MakeRecord(record, values, type=t, where=w, source=node)
            case model.MakeRange(low=low, high=high, low_included=a, high_included=b):
                ends = [None if end is None else self.value(end) for end in (low, high)]
                return p.MakeRange(ends[0], ends[1], a, b, type=t, where=w, source=node)
            case model.MakeFunction(parameters=parameters, body=body):
                slots = tuple((one.name, self.bind(one), one.type) for one in parameters)
                return p.MakeFunction(slots, self.value(body), type=t, where=w, source=node)
            case _:
                assert_never(node)

    def _called(
        self,
        node: model.CallBuiltin | model.CallFunction | model.CallTable | model.CallStep | model.Ranking
        | model.AskAnswer,
    ) -> p.Expression:  # fmt: skip
        t, w = node.type, node.where
        match node:
            case model.CallBuiltin(builtin=name, arguments=arguments):
                return p.Builtin(name, self.values(arguments), type=t, where=w, source=node)
            case model.CallFunction(function=function, arguments=arguments):
                return p.Apply(self.value(function), self.values(arguments), type=t, where=w, source=node)
            case model.CallTable(table=table, arguments=arguments):
                return p.Call(table, self.values(arguments), type=t, where=w, source=node)
            case model.CallStep(step=step, arguments=arguments):
                return p.CallStep(self.slot(step), self.values(arguments), type=t, where=w, source=node)
            case model.Ranking(scale=scale, arguments=arguments):
                return p.Rank(scale, self.values(arguments), type=t, where=w, source=node)
            case model.AskAnswer(ask=ask, arguments=arguments):
                return p.AskAnswer(ask, self.values(arguments), type=t, where=w, source=node)
            case _:
                assert_never(node)

    # -- tests ---------------------------------------------------------------------------------

    def passes(self, tests: tuple[model.Test, ...], subject: p.Expression) -> p.Expression:
        """Joined by or."""
        first, *others = (self._passes_one(test, subject) for test in tests)
        for other in others:
            first = _logic("or", first, other, other.where)
        return first

    def _fails(self, tests: tuple[model.Test, ...], subject: p.Expression) -> p.Expression:
        first, *others = (self._fails_one(test, subject) for test in tests)
        for other in others:
            first = _logic("and", first, other, other.where)
        return first

    def _passes_one(self, test: model.Test, subject: p.Expression) -> p.Expression:
        w = test.where
        match test:
            case model.EqualTo(value=value):
                return p.Comparison("=", subject, self.value(value), type=self._sure(True), where=w)
            case model.Compared(operator="!=", value=value) if not self._program.strict:
                unlike = p.Truth(self._unlike(subject, value, w), type=MAYBE, where=w)
                return _logic("and", _there(subject, w), unlike, w)
            case model.Compared(operator=operator, value=value):
                return self._compared(operator, subject, self.value(value), w)
            case model.Within(low=low, high=high, low_included=a, high_included=b):
                ends = [None if end is None else self.value(end) for end in (low, high)]
                type_ = self._sure(all(_compare(subject.type, end.type) for end in ends if end is not None))
                return p.Between(subject, ends[0], ends[1], a, b, type=type_, where=w)
            case model.InList(list=listed):
                made = self.value(listed)
                is_list = isinstance(plain(made.type), ListType) and not may_be_null(made.type)
                return p.Member(subject, made, type=self._sure(is_list), where=w)
            case model.Belongs(value=value):
                return p.Meets(subject, self.value(value), type=MAYBE, where=w)
            case model.Holds(condition=condition):
                made = self.value(condition)
                return p.Truth(made, type=self._sure(_is_boolean(made.type)), where=w)
            case model.NoneOf(tests=tests):
                return self._fails(tests, subject)
            case _:
                assert_never(test)

    def _sure(self, holds: bool) -> Type:
        """Of a condition that is true or false for every value of its types, never null."""
        return BOOLEAN if holds and self._program.strict else MAYBE

    def _compared(
        self, operator: str, subject: p.Expression, value: p.Expression, w: Location
    ) -> p.Expression:
        """What may be null is compared only where it is not."""
        guarded = may_be_null(subject.type) or not self._program.strict
        there = replace(subject, type=without_null(subject.type)) if self._program.strict else subject
        type_ = self._sure(operator == "!=" or _compare(there.type, value.type))
        compared = p.Comparison(operator, there, value, type=type_, where=w)
        return _logic("and", _there(subject, w), compared, w) if guarded else compared

    def _unlike(self, subject: p.Expression, value: model.Expression, w: Location) -> p.Expression:
        """Not certainly equal."""
        alike = p.Comparison("=", subject, self.value(value), type=MAYBE, where=w)
        return p.Not(p.IsTrue(alike, type=BOOLEAN, where=w), type=BOOLEAN, where=w)

    def _fails_one(self, test: model.Test, subject: p.Expression) -> p.Expression:
        """Null where it passes null: there `not` says nothing either."""
        w = test.where
        match test:
            case model.Compared():
                passed = self._passes_one(test, subject)
                if isinstance(passed, p.Logic):
                    failed = p.Not(passed.right, type=passed.right.type, where=w)
                    return _logic("and", passed.left, failed, w)
                return p.Not(passed, type=passed.type, where=w)
            case model.NoneOf(tests=tests):
                return self.passes(tests, subject)
            case _:
                passed = self._passes_one(test, subject)
                return p.Not(passed, type=passed.type, where=w)

    # -- decisions -----------------------------------------------------------------------------

    def _decision(self, decision: Decision) -> p.Choose:
        columns = tuple(map(self._column, decision.subjects))
        rows = _Rows(self, decision, columns)
        names = tuple(column.name for column in decision.outcomes) if len(decision.outcomes) > 1 else ()
        return p.Choose(columns, rows, names, self._fold(decision), self._empty(decision))

    def _column(self, subject: Subject) -> p.Column:
        if subject.value is None:
            return p.Column(self.bind(subject.variable), None, subject)
        value = self.value(subject.value)
        if isinstance(value, p.Local) and value.step is None:
            self._slots[subject.variable.number] = value.slot
            return p.Column(value.slot, None, subject)
        return p.Column(self.bind(subject.variable), value, subject)

    def row(self, decision: Decision, rule: Rule, columns: tuple[p.Column, ...]) -> p.Row:
        """The rows share the places that they need for themselves."""
        size = self.size
        cells, outcomes = self._cells(decision, rule, columns), self._outcomes(decision, rule)
        needed, self.size = self.size, size
        name, own = rule.number or rule.where.address, needed if needed > size else None
        return p.Row(cells, outcomes, name, rule.where, rule, own)

    def _cells(self, decision: Decision, rule: Rule, columns: tuple[p.Column, ...]) -> tuple[p.Cell, ...]:
        cells = []
        for number, (subject, condition) in enumerate(zip(decision.subjects, rule.conditions, strict=True)):
            if condition.tests:
                seen = p.Local(
                    columns[number].slot, type=subject.variable.type, where=condition.tests[0].where
                )
                cells.append(p.Cell(number, self.passes(condition.tests, seen), condition))
        return tuple(cells)

    def _outcomes(self, decision: Decision, rule: Rule) -> tuple[p.Outcome, ...]:
        return tuple(
            p.Outcome(self.value(outcome.value), column.kind is OutcomeKind.TAKE, outcome)
            for column, outcome in zip(decision.outcomes, rule.outcomes, strict=True)
        )

    def _fold(self, decision: Decision) -> p.Fold:
        policy = decision.policy
        match policy:
            case Policy.UNIQUE:
                return p.Fold(p.Take.ONLY)
            case Policy.ANY:
                return p.Fold(p.Take.AGREED)
            case Policy.FIRST:
                return p.Fold(p.Take.FIRST)
            case Policy.PRIORITY | Policy.OUTPUT_ORDER:
                ranks = tuple(self.values(column.priorities) for column in decision.outcomes)
                return p.Fold(p.Take.FIRST if policy is Policy.PRIORITY else p.Take.ALL, ranks=ranks)
            case Policy.COLLECT | Policy.RULE_ORDER:
                return p.Fold(p.Take.ALL)
            case Policy.COLLECT_COUNT:
                return p.Fold(p.Take.ALL, p.Combine.COUNT)
            case Policy.COLLECT_SUM:
                return p.Fold(p.Take.ALL, p.Combine.SUM if decision.strict else p.Combine.BUILTIN_SUM)
            case Policy.COLLECT_MIN:
                return p.Fold(p.Take.ALL, p.Combine.LEAST)
            case Policy.COLLECT_MAX:
                return p.Fold(p.Take.ALL, p.Combine.GREATEST)
            case _:
                assert_never(policy)

    def _empty(self, decision: Decision) -> p.Expression:
        where = decision.heading.where
        if decision.otherwise is not None:
            return self.value(decision.otherwise.value)
        if not decision.strict:
            return p.Constant(None, type=NULL, where=where)
        if decision.policy.needs_a_row:
            return p.Fail(p.Failure.NO_ROW, type=decision.type, where=where)
        if decision.policy.is_listed:
            return p.MakeList((), type=decision.type, where=where)
        return p.Constant(0, type=WHOLE, where=where)

    # -- matrices and dice ---------------------------------------------------------------------

    def _matrix(self, matrix: Matrix, slots: tuple[p.Slot, ...]) -> p.Choose:
        keys = self._keys(matrix, slots)
        columns = tuple(p.Column(slot, None, None) for slot in slots)
        rows = []
        for entry in matrix.entries:
            cells = []
            for number, (key, wanted) in enumerate(zip(keys, entry.keys, strict=True)):
                same = p.Comparison("=", key, self.value(wanted), type=BOOLEAN, where=wanted.where)
                cells.append(p.Cell(number, same, None))
            outcome = p.Outcome(self.value(entry.value), False, None)
            rows.append(p.Row(tuple(cells), (outcome,), "", entry.cells[0], None))
        return p.Choose(columns, tuple(rows), (), p.Fold(p.Take.FIRST), self._no_entry(matrix, keys))

    def _dice(self, dice: Dice, slots: tuple[p.Slot, ...]) -> p.Choose:
        where = dice.heading.where
        keys = self._keys(dice, slots)
        columns = tuple(p.Column(slot, None, None) for slot in slots)
        rows = []
        for entry in dice.entries:
            if len(keys) == 1 and entry.die != dice.dice[0]:
                continue
            low, high = (p.Constant(n, type=WHOLE, where=where) for n in (entry.low, entry.high))
            among = p.Between(keys[-1], low, high, True, True, type=BOOLEAN, where=where)
            cells = [p.Cell(len(keys) - 1, among, None)]
            if len(keys) > 1:
                die = p.Plain(keys[0], type=TEXT, where=where)
                named = p.Constant(entry.die, type=TEXT, where=where)
                cells.insert(0, p.Cell(0, p.Comparison("=", die, named, type=BOOLEAN, where=where), None))
            outcome = p.Outcome(self.value(entry.outcome), False, None)
            rows.append(p.Row(tuple(cells), (outcome,), "", entry.cell, None))
        return p.Choose(columns, tuple(rows), (), p.Fold(p.Take.FIRST), self._no_entry(dice, keys))

    def _keys(self, table: Matrix | Dice, slots: tuple[p.Slot, ...]) -> tuple[p.Expression, ...]:
        where = table.heading.where
        typed = zip(slots, table.parameters, strict=True)
        return tuple(p.Local(slot, type=one.type, where=where) for slot, one in typed)

    def _no_entry(self, table: Matrix | Dice, keys: tuple[p.Expression, ...]) -> p.Expression:
        return p.Fail(p.Failure.NO_ENTRY, keys, type=table.type, where=table.heading.where)

    # -- scales --------------------------------------------------------------------------------

    def _scale(self, scale: Scale, candidates: p.Slot) -> p.Narrow:
        item = self.bind(scale.item)
        criteria = tuple(map(self._criterion, scale.criteria))
        return p.Narrow(candidates, item, scale.others, criteria, isinstance(scale.type, ListType))

    def _criterion(self, criterion: Criterion) -> p.Criterion:
        applies = None if criterion.only_if is None else self.value(criterion.only_if)
        concerns = tuple(
            self._concerns(concern.tests, concern.variable, self.value(concern.value))
            for concern in criterion.concerns
        )
        return p.Criterion(applies, concerns, self._standing(criterion), criterion)

    def _standing(self, criterion: Criterion) -> p.By | p.Group | None:
        if criterion.prefer is Prefer.CHANCE:
            return None
        if criterion.embedded is not None:
            embedded = criterion.embedded
            lets = []
            for variable, value in embedded.bindings:
                made = self.value(value)
                lets.append((self.bind(variable), made))
            inner = tuple(map(self._criterion, embedded.criteria))
            return p.Group(embedded.scale, tuple(lets), embedded.others, inner)
        by = None if criterion.by is None else self.value(criterion.by)
        order = None if criterion.order is None else self.value(criterion.order)
        return p.By(criterion.prefer, by, order)

    # -- asks ----------------------------------------------------------------------------------

    def ask(self, ask: Ask) -> p.Ask:
        parameters = tuple(self.bind(parameter.variable) for parameter in ask.parameters)
        rows = tuple(map(self._ask_row, ask.rows))
        return p.Ask(ask.heading.name, parameters, self.size, rows, ask)

    def _ask_row(self, row: AskRow) -> p.AskRow:
        match row:
            case Need(place=place, when=when, some=some, names=names):
                return p.Need(self._place(place), self._if_any(when), some, self._if_any(names), row)
            case Step():
                return self.step(row)
            case Draw(recorded=recorded, by=by):
                options = self.value(row.options)
                told_at = None if recorded is None else self._place(recorded)
                return p.Draw(self.kept(row.variable), options, told_at, by, row)
            case Stop(condition=condition):
                return p.Stop(self.value(condition), row)
            case AnswerField(name=name, value=value, when_open=when_open, listed=listed):
                return p.Answer(name, self.value(value), when_open, self._if_any(listed), row)
            case Next(ask=name, when=when):
                return p.Next(name, self.value(when), row)
            case _:
                assert_never(row)

    def _if_any(self, node: model.Expression | None) -> p.Expression | None:
        return None if node is None else self.value(node)

    def _place(self, place: Place) -> p.Place:
        state, records = self._program.ruleset.input.state, self._program.records
        type_, named = type_at(place, state, records), named_on_the_way(place, state, records)
        return p.Place(place.fields, type_, named)

    # -- checks --------------------------------------------------------------------------------

    def checks(self, checks: Checks) -> p.Checks:
        rows = tuple(map(self._check, checks.rows))
        return p.Checks(checks.heading.name, self.size, rows)

    def _check(self, row: Counted | Consistency) -> p.Check:
        match row:
            case Counted():
                places, item = tuple(map(self._place, row.places)), self.bind(row.item)
                seen = p.Local(item, type=row.item.type, where=row.by.where)
                concerns = self._concerns(row.only_for, row.subject, seen)
                return p.Counted(places, item, concerns, self.value(row.by), row.at_most, row)
            case Consistency(item=item, key=key, position=position):
                a, b, c = (None if one is None else self.bind(one) for one in (item, key, position))
                each = tuple(map(self._place, row.each))
                return p.Consistency(each, a, b, c, self.value(row.wrong_if), row)
            case _:
                assert_never(row)

    def _concerns(
        self, tests: tuple[model.Test, ...], variable: model.Variable, value: p.Expression
    ) -> p.Expression:
        """Does the value pass the tests? They read it as the variable."""
        slot, where = self.bind(variable), value.where
        passed: p.Expression = p.Constant(True, type=BOOLEAN, where=where)
        if tests:
            subject = p.Local(slot, type=variable.type, where=where)
            passed = p.IsTrue(self.passes(tests, subject), type=BOOLEAN, where=where)
        return p.Let(slot, value, passed, type=BOOLEAN, where=where)


class _Rows(Sequence[p.Row]):
    """The rows of a decision, each lowered when it is looked at and not kept: whoever looks makes something
    of it, and of a large decision that is enough to hold."""

    def __init__(self, lowering: Lowering, decision: Decision, columns: tuple[p.Column, ...]) -> None:
        self._lowering = lowering
        self._decision = decision
        self._columns = columns

    def __len__(self) -> int:
        return len(self._decision.rules)

    @overload
    def __getitem__(self, number: int) -> p.Row: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[p.Row]: ...

    def __getitem__(self, number: int | slice) -> p.Row | Sequence[p.Row]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        return self._lowering.row(self._decision, self._decision.rules[number], self._columns)


def _logic(operator: str, left: p.Expression, right: p.Expression, where: Location) -> p.Expression:
    sure = left.type == right.type == BOOLEAN
    return p.Logic(operator, left, right, type=BOOLEAN if sure else MAYBE, where=where)


def _there(subject: p.Expression, where: Location) -> p.Expression:
    """Null passes nothing that compares it."""
    null = p.Constant(None, type=NULL, where=where)
    return p.Comparison("!=", subject, null, type=BOOLEAN, where=where)


def _compare(left: Type, right: Type) -> bool:
    """Values of such types always compare, and neither is null."""
    if may_be_null(left) or may_be_null(right):
        return False
    a, b = plain(left), plain(right)
    return type(a) is type(b) and isinstance(a, (NumberType, TextType))


def _is_boolean(type_: Type) -> bool:
    return isinstance(plain(type_), BooleanType) and not may_be_null(type_)
