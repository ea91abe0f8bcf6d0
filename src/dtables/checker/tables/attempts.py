"""Steps that are tried in order, made into a decision of their very cells: whatever answers, proves or
explains a decision does so with these. What is known of a step before it is tried stands in its expressions:
the steps before it are a constant list, and a step that tries the items of a list is a loop that stops at
the first that works."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import reduce
from typing import Any, TypeVar

from dtables.checker import messages
from dtables.checker.expressions.fit import empty_list
from dtables.checker.expressions.lower import lower_expression, lower_tests
from dtables.checker.expressions.nulls import assuming, present_if_passed, present_if_true
from dtables.checker.report import Sink
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
from dtables.checker.symbols import Draft, FunctionDraft, Local, Scope
from dtables.checker.tables.decisions import (
    expected_of_column,
    hold_to_declared,
    one_outcome,
    outcome_column,
)
from dtables.checker.tables.formulas import declared_result, outcome_value, settle_result
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    NULL,
    TEXT,
    UNKNOWN,
    WHOLE,
    ListType,
    NullType,
    RecordType,
    Type,
    UnknownType,
    join,
    may_be_null,
    optional,
    plain,
    without_null,
)
from dtables.model.expressions import (
    Binding,
    CallBuiltin,
    Comparison,
    Conditional,
    Constant,
    Entry,
    Expression,
    For,
    Holds,
    ItemAt,
    ItemEntry,
    Logic,
    MakeContext,
    MakeList,
    MakeRecord,
    Matches,
    Read,
    Variable,
)
from dtables.model.reach import nodes
from dtables.model.tables import (
    Attempt,
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
from dtables.workbook.tables import Cell, RowText, TableText

NAMES = ListType(TEXT)
TRIED = "tried"
"""What the cells of a step call the steps, or items, that were tried before it."""
ITEM = "item"

Whole = TypeVar("Whole")


def has_outcome(table: TableText, row: RowText) -> bool:
    """Whether a step runs."""
    return any(not row.cells[n].empty for n in columns(table, "then"))


@dataclass(frozen=True, slots=True, eq=False)
class RunningStep:
    """A step that runs, while it is read. `source` is the cell of the list whose items it tries, `item` what
    is read of them; `earlier` are the steps before it, `of_items` says that `tried` lists such items."""

    row: RowText
    number: str
    of_items: bool
    source: Cell | None
    item: Variable | None
    tried: Variable
    place: int
    every: Sequence[RunningStep]
    around: Scope
    scope: Scope
    """`around`, with `item` and `tried`."""

    @property
    def earlier(self) -> Sequence[RunningStep]:
        """The steps before it."""
        return self.every[: self.place]

    def knows(self, thing: object) -> bool:
        """Whether something depends on which item is tried."""
        return self.source is not None and self.reads(thing)

    def reads(self, thing: object) -> bool:
        """Whether something reads `item` or `tried`; of an item of unknown type any name may be an entry."""
        known = (self.item, self.tried)
        return any(
            (isinstance(node, Read) and node.variable in known)
            or (isinstance(node, ItemEntry) and node.item in known)
            for node in nodes(thing)
        )


@dataclass(frozen=True, slots=True)
class ConditionColumn:
    """A condition column. Its head is read once for all steps, unless it depends on what was tried: then
    `subject` has no value and each step reads the head for itself."""

    place: int
    head: Cell
    named: bool
    subject: Subject


def check_attempts(draft: Draft, function: FunctionDraft) -> Decision:
    """The steps that run, as a decision: of the first that works the outcome."""
    table, parameters = function.table, draft.parameters[function.name]
    scope = draft.scope(p.variable for p in parameters)
    for parameter in function.parameters:
        if parameter.name.text == TRIED:
            draft.error(parameter.name, messages.name_at_hand(TRIED))
    attempts = _running_steps(draft, table, scope)
    read = _condition_columns(draft, table, scope, attempts)
    conditions = [_conditions(draft, attempt, read) for attempt in attempts]
    expected = declared_result(draft, function)
    places = columns(table, "then")
    outcomes = [
        [_outcome(draft, table, attempt, n, conditions[k], expected) for n in places]
        for k, attempt in enumerate(attempts)
    ]
    heads, merged = _outcome_columns(draft, function, outcomes, expected, attempts)
    names = tuple(column_name(table.columns[n]) for n in places)
    rules = tuple(
        _rule(draft, table, attempt, conditions[k], _one_value(draft, outcomes[k], names, merged), heads)
        for k, attempt in enumerate(attempts)
    )
    if not rules:
        draft.error(table.marker.cell, messages.no_step_runs())
    may_fail = not rules or _may_fail(rules[-1])
    called = one_outcome(draft, heads)
    hold_to_declared(draft, function, called, Policy.FIRST, heads)
    otherwise = _otherwise(draft, table, scope, expected or optional(called), attempts)
    result = _result(draft, function, called, otherwise, may_fail)
    settle_result(draft, function.name, result)
    subjects = tuple(column.subject for column in read)
    return Decision(
        heading(table), parameters, Policy.FIRST, subjects, heads, rules, otherwise, result, strict=False
    )


def _running_steps(draft: Draft, table: TableText, scope: Scope) -> tuple[RunningStep, ...]:
    """The steps that run, in order."""
    rows = [row for row in filled_rows(table) if has_outcome(table, row)]
    each = column(table, "each")
    sources = [None if each is None or row.cells[each].empty else row.cells[each] for row in rows]
    lists = [_source(draft, cell, scope, draft.sink) for cell in sources if cell is not None]
    item_type = _item_type(draft, table, lists)
    numbers = column(table, "step")
    found: list[RunningStep] = []
    for row, source in zip(rows, sources, strict=True):
        tried = _tried(draft, table, item_type)
        item = None if source is None else draft.numbers.variable(ITEM, item_type)
        inner = (scope if item is None else scope.with_item(item)).with_local(Local(tried))
        number = number_at(table, row, numbers)
        place = len(found)
        found.append(
            RunningStep(row, number, each is not None, source, item, tried, place, found, scope, inner)
        )
    return tuple(found)


def _tried(draft: Draft, table: TableText, item_type: Type) -> Variable:
    """What cells read as `tried`: items where steps try some, else the names of steps."""
    return draft.numbers.variable(TRIED, NAMES if column(table, "each") is None else ListType(item_type))


def _source(draft: Draft, cell: Cell, scope: Scope, sink: Sink) -> Expression:
    """The list whose items a step tries, without null; read anew wherever it is wanted, since what it binds
    is bound once."""
    found = plain(lower_expression(text_of(cell), scope, Sink(), None).type)
    if isinstance(found, ListType):
        return lower_expression(text_of(cell), scope, sink, found)
    value = lower_expression(text_of(cell), scope, sink, None)
    if not isinstance(found, UnknownType) and sink is draft.sink:
        draft.error(cell, messages.not_a_list(cell.typed.strip(), found))
    return replace(value, type=ListType(UNKNOWN))


def _item_type(draft: Draft, table: TableText, sources: Sequence[Expression]) -> Type:
    """All lists have items of one type."""
    types = [source.type.item for source in sources if isinstance(source.type, ListType)]
    joined = join(types) if types else UNKNOWN
    if sources and all(map(empty_list, sources)):
        return ANY
    if plain(joined) == ANY and not any(plain(t) == ANY for t in types):
        cell = table.columns[columns(table, "each")[0]].role_cell
        draft.error(cell, messages.mixed_types("the lists have items", types))
        return UNKNOWN
    return joined


# -- conditions ----------------------------------------------------------------------------------


def _condition_columns(
    draft: Draft, table: TableText, scope: Scope, attempts: Sequence[RunningStep]
) -> tuple[ConditionColumn, ...]:
    found = []
    for n in columns(table, "if"):
        head, name = name_cell(table.columns[n]), column_name(table.columns[n])
        value = None
        if name and not _knows_what_was_tried(head, attempts):
            value = lower_expression(text_of(head), scope, draft.sink, None)
        type_: Type = value.type if value is not None else BOOLEAN
        subject = Subject(name, draft.numbers.variable(name or "condition", type_), value, head.ref)
        found.append(ConditionColumn(n, head, bool(name), subject))
    return tuple(found)


def _knows_what_was_tried(head: Cell, attempts: Sequence[RunningStep]) -> bool:
    """Whether a head reads `tried` or `item`."""
    return any(one.reads(lower_expression(text_of(head), one.scope, Sink(), None)) for one in attempts)


@dataclass(frozen=True, slots=True)
class Conditions:
    """Of one step: what is tested once, and what is for each item."""

    once: tuple[Condition, ...]
    of_item: tuple[Expression, ...]
    scope: Scope
    """In which the outcome is read: what the conditions exclude is excluded."""


def _conditions(draft: Draft, attempt: RunningStep, read: Sequence[ConditionColumn]) -> Conditions:
    once: list[Condition] = []
    of_item: list[Expression] = []
    scope = attempt.scope
    for column_ in read:
        cell = attempt.row.cells[column_.place]
        written = cell.typed.strip()
        if is_any(cell):
            once.append(Condition((), cell.ref, written))
            continue
        value = column_.subject.value
        if value is not None:
            tests = lower_tests(text_of(cell), column_.subject.variable, attempt.scope, draft.sink)
            if not attempt.knows(tests):
                tests = _knowing(draft, attempt, tests)
                once.append(Condition(tests, cell.ref, written))
                scope = assuming(scope, present_if_passed(value, tests))
                continue
        condition = _whole_condition(draft, attempt, column_, cell)
        scope = assuming(scope, present_if_true(condition))
        if attempt.knows(condition):
            of_item.append(condition)
            once.append(Condition((), cell.ref, written))
        else:
            condition = _knowing(draft, attempt, condition)
            holds = Holds(condition, type=BOOLEAN, where=condition.where)
            once.append(Condition((holds,), cell.ref, written))
    return Conditions(tuple(once), tuple(of_item), scope)


def _whole_condition(draft: Draft, attempt: RunningStep, column_: ConditionColumn, cell: Cell) -> Expression:
    """A cell that says a whole condition, or tests a head that this step reads for itself."""
    if not column_.named:
        return lower_expression(text_of(cell), attempt.scope, draft.sink, BOOLEAN)
    again = column_.subject.value is not None
    sink = Sink() if again else draft.sink  # Then it was read, and reported, as a test of the shared head.
    value = lower_expression(text_of(column_.head), attempt.scope, sink, None)
    return matches_cell(draft, value, cell, attempt.scope, sink)


def matches_cell(draft: Draft, value: Expression, cell: Cell, scope: Scope, sink: Sink) -> Expression:
    subject = draft.numbers.variable("condition", value.type)
    tests = lower_tests(text_of(cell), subject, scope, sink)
    return Matches(value, subject, tests, type=BOOLEAN, where=Location(cell.ref))


# -- outcomes ------------------------------------------------------------------------------------


def _outcome(
    draft: Draft,
    table: TableText,
    attempt: RunningStep,
    n: int,
    conditions: Conditions,
    expected: Type | None,
) -> Outcome:
    """What the cell says; of the first column it may be null, and then the step does not work."""
    inside = expected_of_column(draft, table, n, None if expected is None else without_null(expected))
    if inside is not None and n == columns(table, "then")[0]:
        inside = optional(inside)
    cell = attempt.row.cells[n]
    return Outcome(outcome_value(draft, cell, conditions.scope, inside), cell.ref, cell.typed.strip())


def _outcome_columns(
    draft: Draft,
    function: FunctionDraft,
    outcomes: Sequence[Sequence[Outcome]],
    expected: Type | None,
    attempts: Sequence[RunningStep],
) -> tuple[tuple[OutcomeColumn, ...], Type | None]:
    """The columns of the decision. Several are one of the second type, if it is there, where a record is
    expected or each item has outcomes of its own."""
    table, places = function.table, columns(function.table, "then")
    by_column = list(zip(*outcomes, strict=True)) if outcomes else [() for _ in places]
    wanted = None if expected is None else without_null(expected)
    heads = tuple(
        outcome_column(draft, table, n, tuple(given), Policy.FIRST, wanted)
        for n, given in zip(places, by_column, strict=True)
    )
    tries_items = any(attempt.source is not None for attempt in attempts)
    fails = tries_items or any(may_be_null(outcome.value.type) for outcome in by_column[0])
    if fails:
        heads = (replace(heads[0], kind=OutcomeKind.TAKE, type=without_null(heads[0].type)), *heads[1:])
    record = None if wanted is None else plain(wanted)
    is_record = isinstance(record, RecordType) and record.name in draft.records
    if len(heads) == 1 or not (is_record or tries_items):
        return heads, None
    if is_record:
        assert isinstance(record, RecordType)
        _report_fields_without_column(draft, function, record, heads)
    merged = record if is_record and record is not None else one_outcome(draft, heads)
    return (OutcomeColumn(function.name, heads[0].kind, merged, heads[0].where),), merged


def _report_fields_without_column(
    draft: Draft, function: FunctionDraft, record: RecordType, heads: Sequence[OutcomeColumn]
) -> None:
    given = {head.name for head in heads}
    for stored in draft.records[record.name].stored:
        if stored.name not in given and not stored.may_be_left_out:
            draft.error(function.name_text, messages.no_column_for_field(stored.name, record.name))


def _one_value(
    draft: Draft, outcomes: Sequence[Outcome], names: Sequence[str], merged: Type | None
) -> tuple[Outcome, ...]:
    """Several outcomes as one value of the type `merged`, null where the first is null."""
    if merged is None:
        return tuple(outcomes)
    first, where = outcomes[0], Location(outcomes[0].cell)
    variable = draft.numbers.variable(names[0], first.value.type)
    read = Read(variable, type=without_null(variable.type), where=where)
    values = dict(zip(names, (read, *(outcome.value for outcome in outcomes[1:])), strict=False))
    value = _record_of(draft, values, merged, where)
    if may_be_null(variable.type):
        there = _is_there(Read(variable, type=variable.type, where=where))
        nothing = Constant(None, type=optional(merged), where=where)
        value = Conditional(there, value, nothing, type=optional(merged), where=where)
    one = MakeList((first.value,), type=ListType(variable.type), where=where)
    bound = For((Binding(variable, one),), value, type=ListType(value.type), where=where)
    given = ItemAt(bound, _number(1, where), type=value.type, where=where)
    return (Outcome(given, first.cell, ", ".join(outcome.written for outcome in outcomes)),)


def _record_of(draft: Draft, values: Mapping[str, Expression], type_: Type, where: Location) -> Expression:
    if isinstance(type_, RecordType):
        stored = draft.records[type_.name].stored
        fields_ = tuple((field.name, field.else_default(values.get(field.name), where)) for field in stored)
        return MakeRecord(type_.name, fields_, type=type_, where=where)
    entries = tuple(Entry(n, draft.numbers.variable(n, value.type), value) for n, value in values.items())
    return MakeContext(entries, type=type_, where=where)


# -- as the cells say it -----------------------------------------------------------------------------


def attempts_as_written(draft: Draft, function: FunctionDraft) -> tuple[Attempt, ...]:
    """The steps that run, each by itself: what there is to report was reported of the decision."""
    draft = replace(draft, sink=Sink())
    table, expected = function.table, declared_result(draft, function)
    scope = draft.scope(p.variable for p in draft.parameters[function.name])
    steps = _running_steps(draft, table, scope)
    read = _condition_columns(draft, table, scope, steps)
    places = columns(table, "then")
    names = tuple(column_name(table.columns[n]) for n in places)
    conditions = [_whole_conditions(draft, step, read) for step in steps]
    outcomes = [
        [_outcome(draft, table, step, n, held, expected) for n in places]
        for step, held in zip(steps, conditions, strict=True)
    ]
    _, merged = _outcome_columns(draft, function, outcomes, expected, steps)
    return tuple(
        Attempt(
            step.of_items,
            step.tried,
            step.item,
            None if step.source is None else _source(draft, step.source, scope, draft.sink),
            tuple(condition for condition in held.of_item if not step.knows(condition)),
            tuple(condition for condition in held.of_item if step.knows(condition)),
            tuple(outcome.value for outcome in _one_value(draft, given, names, merged)),
        )
        for step, held, given in zip(steps, conditions, outcomes, strict=True)
    )


def _whole_conditions(draft: Draft, step: RunningStep, read: Sequence[ConditionColumn]) -> Conditions:
    """All of them as if they were tested for each item."""
    scope, found = step.scope, list[Expression]()
    for column_ in read:
        cell = step.row.cells[column_.place]
        if not is_any(cell):
            found.append(_whole_condition(draft, step, column_, cell))
            scope = assuming(scope, present_if_true(found[-1]))
    return Conditions((), tuple(found), scope)


# -- rules ---------------------------------------------------------------------------------------


def _rule(
    draft: Draft,
    table: TableText,
    attempt: RunningStep,
    conditions: Conditions,
    outcomes: Sequence[Outcome],
    heads: Sequence[OutcomeColumn],
) -> Rule:
    if attempt.source is not None:
        looped = _first_that_works(draft, attempt, conditions.of_item, outcomes[0].value, heads[0].type)
        outcomes = (replace(outcomes[0], value=looped),)
    given = tuple(replace(one, value=_knowing(draft, attempt, one.value)) for one in outcomes)
    words = words_in(table, attempt.row, columns(table, "text"))
    return Rule(attempt.number, conditions.once, given, first_cell(attempt.row), words, step=True)


def _first_that_works(
    draft: Draft, attempt: RunningStep, conditions: Sequence[Expression], value: Expression, column: Type
) -> Expression:
    """What the first item gives for which the conditions hold and the value is not null. The loop's results
    so far tell whether there was one: then no further item is looked at. A value that is always null is one
    of its column."""
    assert attempt.source is not None and attempt.item is not None
    where = Location(attempt.source.ref)
    type_ = optional(column if isinstance(value.type, NullType) else value.type)
    source = _source(draft, attempt.source, attempt.around, Sink())
    so_far = draft.numbers.variable("partial", ListType(type_))
    results = Read(so_far, type=so_far.type, where=where)
    nothing = Constant(None, type=type_, where=where)
    if conditions:
        holds = reduce(
            lambda a, b: Logic("and", a, b, type=BOOLEAN, where=b.where), conditions[1:], conditions[0]
        )
        value = Conditional(holds, value, nothing, type=type_, where=value.where)
    value = replaced(value, attempt.tried, lambda where: _tried_in_loop(draft, attempt, results, where))
    last = ItemAt(results, _number(-1, where), type=type_, where=where)
    result = Conditional(_is_there(last), last, value, type=type_, where=where)
    loop = For((Binding(attempt.item, source),), result, so_far, type=ListType(type_), where=where)
    return ItemAt(loop, _number(-1, where), type=type_, where=where)


def _is_there(value: Expression) -> Expression:
    nothing = Constant(None, type=NULL, where=value.where)
    return Comparison("!=", value, nothing, type=BOOLEAN, where=value.where)


def _number(number: int, where: Location) -> Expression:
    return Constant(number, type=WHOLE, where=where)


# -- what was tried --------------------------------------------------------------------------------


def _knowing(draft: Draft, attempt: RunningStep, thing: Whole) -> Whole:
    """With what was tried before the step in place of `tried`."""
    return replaced(thing, attempt.tried, lambda where: _before(draft, attempt, attempt.earlier, where))


def _before(draft: Draft, of: RunningStep, earlier: Sequence[RunningStep], where: Location) -> Expression:
    """The steps by name, or the items that they try."""
    if of.of_items:
        return _joined(_sources(draft, earlier), of.tried.type, where)
    names = (Constant(one.number, type=TEXT, where=where) for one in earlier)
    return MakeList(tuple(names), type=NAMES, where=where)


def _sources(draft: Draft, earlier: Sequence[RunningStep]) -> list[Expression]:
    return [_source(draft, one.source, one.around, Sink()) for one in earlier if one.source is not None]


def _tried_in_loop(draft: Draft, attempt: RunningStep, results: Expression, where: Location) -> Expression:
    """The items of earlier steps, and those of this one for which there are results already."""
    assert attempt.source is not None
    count = CallBuiltin("count", (results,), type=WHOLE, where=where)
    own = _source(draft, attempt.source, attempt.around, Sink())
    so_far = CallBuiltin("sublist", (own, _number(1, where), count), type=own.type, where=where)
    return _joined([*_sources(draft, attempt.earlier), so_far], attempt.tried.type, where)


def _joined(lists: Sequence[Expression], type_: Type, where: Location) -> Expression:
    if not lists:
        return MakeList((), type=type_, where=where)
    if len(lists) == 1:
        return lists[0]
    return CallBuiltin("concatenate", tuple(lists), type=type_, where=where)


def replaced(thing: Whole, variable: Variable, make: Callable[[Location], Expression]) -> Whole:
    """The same with what `make` gives in place of each reading of the variable."""
    found: Whole = _replaced(thing, variable, make)
    return found


def _replaced(thing: Any, variable: Variable, make: Callable[[Location], Expression]) -> Any:
    if isinstance(thing, Read) and thing.variable == variable:
        return make(thing.where)
    if isinstance(thing, tuple):
        inside = tuple(_replaced(part, variable, make) for part in thing)
        return inside if any(a is not b for a, b in zip(inside, thing, strict=True)) else thing
    if not is_dataclass(thing) or isinstance(thing, type | Location | CellRef | Variable):
        return thing
    own = [field.name for field in fields(thing) if field.name not in ("type", "where")]
    parts_ = {name: (getattr(thing, name), _replaced(getattr(thing, name), variable, make)) for name in own}
    changed = {name: after for name, (before, after) in parts_.items() if after is not before}
    return replace(thing, **changed) if changed else thing


# -- where none works ------------------------------------------------------------------------------


def _may_fail(last: Rule) -> bool:
    """Whether the last step may be one that does not work."""
    return any(condition.tests for condition in last.conditions) or may_be_null(last.outcomes[0].value.type)


def _otherwise(
    draft: Draft, table: TableText, scope: Scope, expected: Type, attempts: Sequence[RunningStep]
) -> Outcome | None:
    """What is given where no step works; it may read all that was tried."""
    written = property_text(table, "otherwise")
    if written is None:
        return None
    if attempts:
        scope = scope.with_local(Local(attempts[0].tried))
    value = lower_expression(written, scope, draft.sink, expected)
    if attempts:
        first = attempts[0]
        value = replaced(value, first.tried, lambda where: _before(draft, first, attempts, where))
    return Outcome(value, written.cell.ref, written.text)


def _result(
    draft: Draft, function: FunctionDraft, called: Type, otherwise: Outcome | None, may_fail: bool
) -> Type:
    """What a call gives: null where no step works and nothing else is said."""
    declared = declared_result(draft, function)
    ends_in_null = may_fail and otherwise is None
    if declared is not None:
        if ends_in_null and not may_be_null(declared) and plain(declared) not in (ANY, UNKNOWN):
            draft.error(function.result or function.name_text, messages.attempts_may_end_in_null(declared))
        return declared
    if otherwise is not None:
        return join([called, otherwise.value.type])
    return optional(called) if ends_in_null else called
