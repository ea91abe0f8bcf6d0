"""Decisions: conditions and outcomes, with a hit policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import TypeVar

from dtables.checker import messages
from dtables.checker.expressions.lower import lower_expression, lower_list, lower_tests
from dtables.checker.expressions.nulls import assuming, present_if_passed
from dtables.checker.expressions.types import item_of, ordered, vocabulary_in
from dtables.checker.rows import (
    column,
    column_name,
    columns,
    filled_rows,
    first_cell,
    heading,
    is_any,
    name_cell,
    number_at,
    property_text,
    text_of,
    words_in,
)
from dtables.checker.symbols import Draft, FunctionDraft, Scope, closed_property
from dtables.checker.tables.formulas import declared_result, outcome_value, settle_result
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    UNKNOWN,
    WHOLE,
    ContextType,
    ListType,
    NumberType,
    RecordType,
    Type,
    UnknownType,
    join,
    may_be_null,
    optional,
    plain,
    surely_fits,
    without_null,
)
from dtables.model.expressions import (
    Compared,
    Constant,
    EqualTo,
    Expression,
    Holds,
    MakeList,
    MakeRecord,
    NameOf,
    NoneOf,
    Read,
    Test,
    Within,
)
from dtables.model.tables import (
    Condition,
    Decision,
    Outcome,
    OutcomeColumn,
    OutcomeKind,
    Policy,
    Rule,
    Subject,
)
from dtables.provenance import CellRef, Location
from dtables.workbook.language import POLICIES
from dtables.workbook.tables import Cell, RowText, TableText


def check_decision(draft: Draft, function: FunctionDraft) -> Decision:
    table = function.table
    parameters = draft.parameters[function.name]
    scope = draft.scope(p.variable for p in parameters)
    policy = policy_of(draft, table)
    subjects = _subjects(draft, table, scope)
    expected = _expected_outcomes(draft, function, policy)
    rows, places = list(filled_rows(table)), columns(table, "then", "take")
    if not places:
        draft.error(table.marker.cell, messages.decision_without_outcome())
    conditions = _conditions(draft, table, rows, subjects, scope)
    there = [(subject.value, _is_there(subject)) for subject in subjects]
    fired = [_where_fired(scope, there, tested) for tested in conditions]
    outcomes = [_outcomes(draft, table, rows, n, fired, expected) for n in places]
    heads = tuple(
        outcome_column(draft, table, n, column, policy, expected)
        for n, column in zip(places, outcomes, strict=True)
    )
    heads, outcomes = as_records(draft, function, expected, heads, outcomes)
    outcomes_by_row = zip(*outcomes, strict=True) if outcomes else repeat((), len(rows))
    numbers, texts = column(table, "#"), columns(table, "text")
    rules = tuple(
        Rule(number_at(table, row, numbers), tested, given, first_cell(row), words_in(table, row, texts))
        for row, tested, given in zip(rows, conditions, outcomes_by_row, strict=True)
    )
    if not rules:
        draft.error(table.marker.cell, messages.table_without_rows())
    called = _called(draft, table, policy, one_outcome(draft, heads), heads)
    hold_to_declared(draft, function, called, policy, heads)
    result = declared_result(draft, function)
    otherwise = _otherwise(draft, table, scope, result, called)
    if result is None:
        result = called if otherwise is None else join([called, otherwise.value.type])
    settle_result(draft, function.name, result)
    return Decision(heading(table), parameters, policy, subjects, heads, rules, otherwise, result)


def policy_of(draft: Draft, table: TableText) -> Policy:
    policy = closed_property(draft, table, "policy", POLICIES, messages.unknown_policy)
    return Policy.UNIQUE if policy is None else Policy(policy)


# -- conditions ----------------------------------------------------------------------------------


def _subjects(draft: Draft, table: TableText, scope: Scope) -> tuple[Subject, ...]:
    """The expression over a column is read once, whatever its cells ask of it."""
    found = []
    for n in columns(table, "if"):
        cell = name_cell(table.columns[n])
        name = column_name(table.columns[n])
        value = lower_expression(text_of(cell), scope, draft.sink, None) if name else None
        type_: Type = value.type if value is not None else BOOLEAN
        found.append(Subject(name, draft.numbers.variable(name or "condition", type_), value, cell.ref))
    return tuple(found)


def _conditions(
    draft: Draft, table: TableText, rows: Iterable[RowText], subjects: tuple[Subject, ...], scope: Scope
) -> list[tuple[Condition, ...]]:
    read = [(n, subject, Repeated()) for n, subject in zip(columns(table, "if"), subjects, strict=True)]
    return [
        tuple(_condition(draft, row.cells[n], subject, scope, repeated) for n, subject, repeated in read)
        for row in rows
    ]


def _where_fired(
    scope: Scope, subjects: Iterable[tuple[Expression | None, bool]], conditions: tuple[Condition, ...]
) -> Scope:
    """An outcome is worked out only where the row's conditions hold: they may exclude null. `subjects` are
    what is tested, and whether it is there anyway."""
    for (value, there), condition in zip(subjects, conditions, strict=True):
        tests = condition.tests
        if tests and not (there and _OF_SUBJECT.issuperset(map(type, tests))):
            scope = assuming(scope, present_if_passed(value, tests))
    return scope


_OF_SUBJECT = frozenset((EqualTo, Compared, Within))


def _is_there(subject: Subject) -> bool:
    """Tests of a variable that is never null tell nothing of it."""
    return isinstance(subject.value, Read) and not may_be_null(subject.value.variable.type)


def _condition(draft: Draft, cell: Cell, subject: Subject, scope: Scope, repeated: Repeated) -> Condition:
    if is_any(cell):
        return Condition((), cell.ref, cell.typed.strip())
    if subject.value is not None:
        tests = repeated.again(cell)
        if tests is None:
            before = draft.sink.number
            tests = lower_tests(text_of(cell), subject.variable, scope, draft.sink)
            if draft.sink.number == before:
                repeated.keep(cell, tests)
        return Condition(tests, cell.ref, cell.typed.strip())
    condition = lower_expression(text_of(cell), scope, draft.sink, BOOLEAN)
    holds = Holds(condition, type=BOOLEAN, where=condition.where)
    return Condition((holds,), cell.ref, cell.typed.strip())


# -- outcomes ------------------------------------------------------------------------------------


def _expected_outcomes(draft: Draft, function: FunctionDraft, policy: Policy) -> Type | None:
    """What one row has to give, where the marker says what a call gives."""
    declared = declared_result(draft, function)
    if declared is None or policy is Policy.COLLECT_COUNT:
        return None
    if policy.is_listed:
        return item_of(declared) or declared
    return declared


def expected_of_column(draft: Draft, table: TableText, n: int, expected: Type | None) -> Type | None:
    """With several outcome columns each gives an entry of the expected context."""
    if expected is None or len(columns(table, "then", "take")) == 1:
        return expected
    entries, name = expected_fields(draft, expected), column_name(table.columns[n])
    if entries is None:
        return None
    if name not in entries:
        cell = name_cell(table.columns[n])
        draft.error(cell, messages.outcome_of_no_field(name, expected, entries))
    return entries.get(name)


def _outcomes(
    draft: Draft,
    table: TableText,
    rows: Iterable[RowText],
    n: int,
    scopes: Iterable[Scope],
    expected: Type | None,
) -> tuple[Outcome, ...]:
    inside = expected_of_column(draft, table, n, expected)
    if table.columns[n].role == "take" and inside is not None:
        inside = optional(inside)
    cells = zip((row.cells[n] for row in rows), scopes, strict=True)
    return tuple(
        Outcome(outcome_value(draft, cell, scope, inside), cell.ref, cell.typed.strip())
        for cell, scope in cells
    )


def outcome_column(
    draft: Draft,
    table: TableText,
    n: int,
    outcomes: tuple[Outcome, ...],
    policy: Policy,
    expected: Type | None,
) -> OutcomeColumn:
    column = table.columns[n]
    kind = OutcomeKind(column.role)
    type_ = join(o.value.type for o in outcomes) if outcomes else UNKNOWN
    if kind is OutcomeKind.TAKE:
        type_ = without_null(type_)
        if policy.is_ranked or not policy.takes_one:
            draft.error(column.role_cell, messages.take_under(policy.value))
    untyped = expected is not None and plain(expected) in (ANY, UNKNOWN)
    if type_ == ANY and not untyped and not any(o.value.type == ANY for o in outcomes):
        draft.error(name_cell(column), messages.mixed_outcomes([o.value.type for o in outcomes]))
        type_ = UNKNOWN
    return OutcomeColumn(
        column_name(column) or table.name, kind, type_, name_cell(column).ref,
        _priorities(draft, table, type_, policy, n),
    )  # fmt: skip


def _priorities(
    draft: Draft, table: TableText, type_: Type, policy: Policy, n: int
) -> tuple[Expression, ...]:
    """The outcomes best first: as the table says, else in the order of their vocabulary."""
    if not policy.is_ranked:
        return ()
    written = property_text(table, "priorities")
    if written is not None and n == columns(table, "then", "take")[0]:
        listed = lower_list(written, type_, draft.scope(), draft.sink)
        return listed.items if isinstance(listed, MakeList) else ()
    vocabulary = vocabulary_in(type_)
    if vocabulary is None:
        if not isinstance(type_, UnknownType):
            draft.error(table.marker.cell, messages.no_priorities(policy.value, type_))
        return ()
    where = Location(name_cell(table.columns[n]).ref)
    return tuple(
        NameOf(vocabulary.root, label.id, type=vocabulary, where=where)
        for label in draft.vocabularies[vocabulary.name].names
    )


def one_outcome(draft: Draft, heads: tuple[OutcomeColumn, ...]) -> Type:
    """What one row that fires gives."""
    if len(heads) == 1:
        return heads[0].type
    names = [head.name for head in heads]
    for n, name in enumerate(names):
        if name in names[:n]:
            draft.error_at(Location(heads[n].where), name, messages.double_outcome(name))
    return ContextType(tuple((head.name, head.type) for head in heads))


def _called(
    draft: Draft, table: TableText, policy: Policy, one: Type, heads: tuple[OutcomeColumn, ...]
) -> Type:
    if policy.is_listed:
        return ListType(one)
    if policy.takes_one or policy.is_listed:
        return one
    if len(heads) > 1:
        draft.error(table.marker.cell, messages.several_outcomes_under(policy.value))
        return UNKNOWN
    if policy is Policy.COLLECT_COUNT:
        return WHOLE
    fit = isinstance(plain(one), NumberType) if policy is Policy.COLLECT_SUM else ordered(one)
    if not fit and not isinstance(plain(one), UnknownType):
        draft.error(table.marker.cell, messages.outcome_not_for(policy.value, one))
    return one


def hold_to_declared(
    draft: Draft, function: FunctionDraft, called: Type, policy: Policy, heads: tuple[OutcomeColumn, ...]
) -> None:
    """A single outcome was read as what is declared; lists, sums and contexts are made of outcomes."""
    declared = declared_result(draft, function)
    composite = not policy.takes_one or len(heads) > 1
    if declared is None or function.result is None or not composite or surely_fits(called, declared):
        return
    if {head.name for head in heads} != set(
        expected_fields(draft, declared) or {head.name for head in heads}
    ):
        return
    draft.error(function.result, messages.decision_gives(called, declared))


def _otherwise(
    draft: Draft, table: TableText, scope: Scope, declared: Type | None, called: Type
) -> Outcome | None:
    written = property_text(table, "otherwise")
    if written is None:
        return None
    value = lower_expression(written, scope, draft.sink, declared or optional(called))
    return Outcome(value, written.cell.ref, written.text)


# -- columns that make a record ---------------------------------------------------------------------
# Decisions whose outcome columns are the fields of a record.

Heads = tuple[OutcomeColumn, ...]
Columns = list[tuple[Outcome, ...]]


def expected_fields(draft: Draft, expected: Type) -> Mapping[str, Type] | None:
    """What several outcome columns may be called, if they are to make a value of this type."""
    match plain(expected):
        case ContextType(fields=fields):
            return dict(fields)
        case RecordType(name=name) if name in draft.records:
            return {f.name: f.type for f in draft.records[name].stored}
        case _:
            return None


def as_records(
    draft: Draft, function: FunctionDraft, expected: Type | None, heads: Heads, outcomes: Columns
) -> tuple[Heads, Columns]:
    """Where a record is expected, the cells of a row are one outcome that makes it."""
    record = None if expected is None else plain(expected)
    if not isinstance(record, RecordType) or record.name not in draft.records or len(heads) < 2:
        return heads, outcomes
    if any(head.kind is not OutcomeKind.THEN for head in heads):
        return heads, outcomes
    _report_missing(draft, function, record, heads)
    rows = list(zip(*outcomes, strict=True))
    mould = tuple(_record_of_row(draft, record, heads, row) for row in rows)
    head = OutcomeColumn(function.name, OutcomeKind.THEN, record, heads[0].where)
    return (head,), [mould]


def _report_missing(draft: Draft, function: FunctionDraft, record: RecordType, heads: Heads) -> None:
    given = {head.name for head in heads}
    for stored in draft.records[record.name].stored:
        if stored.name not in given and not stored.may_be_left_out:
            draft.error(function.name_text, messages.no_column_for_field(stored.name, record.name))


def _record_of_row(draft: Draft, record: RecordType, heads: Heads, row: tuple[Outcome, ...]) -> Outcome:
    where = Location(row[0].cell)
    values = {head.name: outcome.value for head, outcome in zip(heads, row, strict=True)}
    stored = draft.records[record.name].stored
    fields = tuple((field.name, field.else_default(values.get(field.name), where)) for field in stored)
    value = MakeRecord(record.name, fields, type=record, where=where)
    return Outcome(value, row[0].cell, ", ".join(outcome.written for outcome in row))


# -- cells that say the same ------------------------------------------------------------------------
# Cells that say again what another cell of their column says: read once, and put in their own place.
#
# Only tests in literals and names are kept so: a cell that binds a name, or about which there was something
# to say, is read anew.


Moulded = TypeVar("Moulded")
Mould = Callable[[CellRef], Moulded]
"""Makes what was read of one cell anew for another that says the same. Built by hand: `replace` would take
most of the time that is saved."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """What the cells of one column have said so far, by what they hold and how it is written."""

    tests: dict[tuple[type, str], tuple[Mould[Test], ...]] = field(default_factory=dict)

    def again(self, cell: Cell) -> tuple[Test, ...] | None:
        """What another cell said before; None where none did."""
        known = self.tests.get((type(cell.value), cell.code))
        if known is None:
            return None
        ref = cell.ref
        return (known[0](ref),) if len(known) == 1 else tuple(mould(ref) for mould in known)

    def keep(self, cell: Cell, tests: Iterable[Test]) -> None:
        moulds = tuple(map(_test_again, tests))
        kept = tuple(mould for mould in moulds if mould is not None)
        if len(kept) == len(moulds):
            self.tests[type(cell.value), cell.code] = kept


def _test_again(test: Test) -> Mould[Test] | None:
    type_, span = test.type, test.where.span
    match test:
        case EqualTo(value=value):
            return _equal_again(test, value)
        case Compared(operator=operator, value=value) if moved := _value_again(value):
            return lambda ref: Compared(operator, moved(ref), type=type_, where=Location(ref, span))
        case Within(low=low, high=high):
            return _within_again(test, _end_again(low), _end_again(high))
        case NoneOf(tests=tests):
            inner = tuple(map(_test_again, tests))
            kept = tuple(mould for mould in inner if mould is not None)
            if len(kept) == len(inner):
                return lambda ref: NoneOf(
                    tuple(mould(ref) for mould in kept), type=type_, where=Location(ref, span)
                )
    return None


def _equal_again(test: EqualTo, value: Expression) -> Mould[Test] | None:
    """Most stand where their value stands."""
    type_, span, moved = test.type, test.where.span, _value_at(value)
    if moved is None:
        return None
    if value.where.span != span:
        apart = value.where.span
        return lambda ref: EqualTo(moved(Location(ref, apart)), type=type_, where=Location(ref, span))

    def mould(ref: CellRef) -> Test:
        where = Location(ref, span)
        return EqualTo(moved(where), type=type_, where=where)

    return mould


def _within_again(
    test: Within, low: Mould[Expression | None] | None, high: Mould[Expression | None] | None
) -> Mould[Test] | None:
    if low is None or high is None:
        return None
    begin, end, type_, span = low, high, test.type, test.where.span
    ends = test.low_included, test.high_included
    return lambda ref: Within(begin(ref), end(ref), *ends, type=type_, where=Location(ref, span))


def _end_again(end: Expression | None) -> Mould[Expression | None] | None:
    if end is None:
        return lambda _ref: None
    return _value_again(end) if isinstance(end, Constant) else None


def _value_again(value: Expression) -> Mould[Expression] | None:
    span, moved = value.where.span, _value_at(value)
    return None if moved is None else lambda ref: moved(Location(ref, span))


def _value_at(value: Expression) -> Callable[[Location], Expression] | None:
    type_ = value.type
    match value:
        case NameOf(vocabulary=vocabulary, id=id_):
            return lambda where: NameOf(vocabulary, id_, type=type_, where=where)
        case Constant(value=held):
            return lambda where: Constant(held, type=type_, where=where)
        case _:
            return None
