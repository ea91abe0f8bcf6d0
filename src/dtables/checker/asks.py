"""Asks: what a log may ask for, row by row."""

from __future__ import annotations

from dtables.checker import scale_problems, turn_problems
from dtables.checker.declare import ASK_SPACE, claim, good_name
from dtables.checker.draft import Draft
from dtables.checker.fit import require
from dtables.checker.formulas import lower_step, new_local
from dtables.checker.here import Here
from dtables.checker.lower import lower_expression, lower_node
from dtables.checker.nulls import guarded_inside
from dtables.checker.places import read_place
from dtables.checker.scope import Local, Scope
from dtables.checker.sink import Text
from dtables.checker.types import comparable, fields_of, item_of
from dtables.checker.wanted import expression_in, name_in, needed
from dtables.checker.written import (
    cell_of,
    filled_rows,
    first_cell,
    heading,
    marker_name,
    part,
    parts,
    property_text,
    stripped,
    text_of,
    words_at,
)
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    UNKNOWN,
    AnyType,
    ListType,
    MapType,
    NullType,
    Type,
    UnknownType,
    describe,
    may_be_null,
    optional,
    plain,
    without_null,
)
from dtables.model.expressions import AskAnswer, Constant, Expression, Guard
from dtables.model.tables import AnswerField, Ask, AskRow, Draw, Need, Next, Place, Stop, WhenOpen
from dtables.model.walk import nodes
from dtables.provenance import Location
from dtables.workbook.tables import Row, TableText
from dtables.workbook.words import ASK_ROWS, YES_NO, closed_word, nearest

USED_BY = {"recorded in": ("draw",), "when open": ("answer",), "type": ("step",)}
"""Columns that mean something in rows of these roles only."""
OPEN_VALUES = "any_of"
NEXT = "next"
BY = " by "


def declare_asks(draft: Draft) -> None:
    for table in draft.tables("ask"):
        claim(draft, ASK_SPACE, marker_name(table))


def known_asks(draft: Draft, written: Text) -> tuple[str, ...]:
    """The asks that a cell lists."""
    asks = [table.name for table in draft.tables("ask")]
    names = parts(written)
    for name in names:
        if name.text not in asks:
            draft.error(name, turn_problems.unknown_ask(name.text, asks))
    return tuple(name.text for name in names if name.text in asks)


def check_asks(draft: Draft) -> tuple[Ask, ...]:
    asks = tuple(check_ask(draft, table) for table in _called_first(draft))
    by_place = {ask.heading.where: ask for ask in asks}
    in_order = tuple(by_place[table.where] for table in draft.tables("ask"))
    mains = [ask for ask in in_order if ask.main]
    for ask in mains[1:]:
        wording = turn_problems.two_main_asks(mains[0].heading.name, mains[0].heading.where)
        draft.error_at(Location(ask.heading.where.cell), None, wording)
    _keep_next_free(draft, in_order)
    return in_order


def _keep_next_free(draft: Draft, asks: tuple[Ask, ...]) -> None:
    """Where asks say what comes next, that stands beside their answers under this name, in a table too."""
    rows = [row for ask in asks for row in ask.rows]
    if any(isinstance(row, Next) for row in rows):
        for row in rows:
            if isinstance(row, AnswerField) and row.name == NEXT:
                draft.error_at(Location(row.where), None, turn_problems.double_answer(NEXT))


def _called_first(draft: Draft) -> tuple[TableText, ...]:
    """Asks with parameters are called by others: theirs must be known first."""
    tables = draft.tables("ask")
    return (*(t for t in tables if t.marker.parameters), *(t for t in tables if not t.marker.parameters))


def check_ask(draft: Draft, table: TableText) -> Ask:
    parameters = draft.parameters.get(table.name, ()) if table.marker.parameters else ()
    scope = draft.scope(p.variable for p in parameters)
    rows: list[AskRow] = []
    answers: list[str] = []
    for row in filled_rows(table):
        cell = cell_of(table, row, "role")
        role = closed_word(ASK_ROWS, cell.code) if cell else None
        if role is None:
            written = cell.code if cell else ""
            near = nearest(ASK_ROWS, written)
            wording = turn_problems.unknown_ask_role(written, near, [w.name for w in ASK_ROWS])
            draft.error(cell or row.cells[0], wording)
            role = closed_word(ASK_ROWS, near or "")
        if role is None:
            scope = _poisoned(draft, table, row, scope)
            continue
        _tell_unused(draft, table, row, role)
        read, scope = _row(draft, table, row, role, scope, answers)
        if read is not None:
            rows.append(read)
    if not answers:
        draft.error(table.marker.cell, turn_problems.ask_without_answer(table.name))
    return Ask(heading(table), _is_main(draft, table), parameters, tuple(rows))


def _poisoned(draft: Draft, table: TableText, row: Row, scope: Scope) -> Scope:
    """A row that is broken still has a name that later rows may read."""
    name = cell_of(table, row, "name")
    if name is None:
        return scope
    return scope.with_local(Local(draft.numbers.variable(name.code.strip(), UNKNOWN)))


def _is_main(draft: Draft, table: TableText) -> bool:
    written = property_text(table, "main")
    if written is None:
        return False
    said = closed_word(YES_NO, written.text)
    if said is None:
        draft.error(written, scale_problems.unknown_yes_no(written.text))
    if said == "yes" and table.marker.parameters:
        draft.error(written, turn_problems.main_with_parameters(table.name))
    return said == "yes"


def _tell_unused(draft: Draft, table: TableText, row: Row, role: str) -> None:
    for column, roles in USED_BY.items():
        cell = cell_of(table, row, column)
        if cell is not None and role not in roles:
            draft.error(cell, turn_problems.cell_means_nothing(column, role, roles))


def _row(
    draft: Draft, table: TableText, row: Row, role: str, scope: Scope, answers: list[str]
) -> tuple[AskRow | None, Scope]:
    match role:
        case "need each":
            return _need_each(draft, table, row, scope), scope
        case "need" | "need some":
            return _need(draft, table, row, role == "need some", scope), scope
        case "step":
            step, scope = lower_step(draft, table, row, scope, [], "name")
            if step is not None:
                _no_answer_inside(draft, step.value)
            return step, scope
        case "draw":
            return _draw(draft, table, row, scope)
        case "stop":
            return _stop(draft, table, row, scope), scope
        case "next":
            return _next(draft, table, row, scope), scope
        case _:
            return _answer(draft, table, row, scope, answers), scope


def _need(draft: Draft, table: TableText, row: Row, some: bool, scope: Scope) -> Need | None:
    name, when = name_in(draft, table, row), cell_of(table, row, "is")
    if name is None:
        return None
    condition = lower_expression(text_of(when), scope, draft.sink, BOOLEAN) if when else None
    found = read_place(draft, stripped(text_of(name)))
    if found is None:
        return None
    if some and not isinstance(plain(found.type), (ListType, UnknownType)):
        draft.error(name, turn_problems.need_some_of_no_list(found.type))
    return Need(found.place, condition, some, first_cell(row))


def _need_each(draft: Draft, table: TableText, row: Row, scope: Scope) -> Need | None:
    name = name_in(draft, table, row)
    found = None if name is None else read_place(draft, stripped(text_of(name)))
    if name is None or found is None:
        return None
    map_ = plain(found.type)
    if not isinstance(map_, MapType):
        if not isinstance(map_, UnknownType):
            draft.error(name, turn_problems.need_each_of_no_map(found.type))
        return None
    listed = needed(draft, table, row, "is", turn_problems.need_each_of_what(map_.key))
    if listed is None:
        return None
    names = lower_expression(text_of(listed), scope, draft.sink, ListType(map_.key))
    return Need(found.place, None, False, first_cell(row), names)


def _stop(draft: Draft, table: TableText, row: Row, scope: Scope) -> Stop | None:
    name, condition = cell_of(table, row, "name"), expression_in(draft, table, row)
    if name is not None:
        others = ("need", "step", "draw", "answer", "next")
        draft.error(name, turn_problems.cell_means_nothing("name", "stop", others))
    if condition is None:
        return None
    return Stop(lower_expression(text_of(condition), scope, draft.sink, BOOLEAN), first_cell(row))


def _next(draft: Draft, table: TableText, row: Row, scope: Scope) -> Next | None:
    name, condition = name_in(draft, table, row), cell_of(table, row, "is")
    if name is None:
        return None
    text = stripped(text_of(name))
    if table.marker.parameters:
        draft.error(row.cells[0], turn_problems.next_of_called(table.name))
        return None
    asks = {ask.name: ask for ask in draft.tables("ask")}
    if text.text not in asks:
        draft.error(text, turn_problems.unknown_ask(text.text, asks))
        return None
    if asks[text.text].marker.parameters:
        draft.error(text, turn_problems.next_with_parameters(text.text))
        return None
    when: Expression = Constant(True, type=BOOLEAN, where=Location(name.ref))
    if condition is not None:
        when = lower_expression(text_of(condition), scope, draft.sink, BOOLEAN)
        _no_answer_inside(draft, when)
    words = words_at(table, row, "text")
    return Next(text.text, when, first_cell(row), condition.ref if condition else name.ref, words)


# -- draws ---------------------------------------------------------------------------------------


def _draw(draft: Draft, table: TableText, row: Row, scope: Scope) -> tuple[Draw | None, Scope]:
    name = name_in(draft, table, row)
    cell = expression_in(draft, table, row) if name else None
    if name is None or cell is None:
        return None, _poisoned(draft, table, row, scope)
    text = stripped(text_of(name))
    read = lower_expression(text_of(cell), scope, draft.sink, None)
    options = _options(draft, text_of(cell), scope, read)
    _no_answer_inside(draft, options)
    outcome = item_of(options.type) or UNKNOWN
    if not new_local(draft, text, scope, []):
        return None, scope
    variable = draft.numbers.variable(text.text, optional(outcome))
    recorded = cell_of(table, row, "recorded in")
    place, by = None, None
    if recorded is not None:
        place, by = _recorded(draft, text_of(recorded), outcome)
    draw = Draw(variable, options, place, by, first_cell(row), cell.ref, words_at(table, row, "text"))
    return draw, scope.with_local(Local(variable))


def _options(draft: Draft, text: Text, scope: Scope, options: Expression) -> Expression:
    """A list; what may be null in its place is guarded, and warned of: no list is not an empty one."""
    type_ = options.type
    if isinstance(type_, UnknownType):
        return options
    if isinstance(type_, AnyType):
        return require(options, ListType(ANY))
    if isinstance(type_, NullType) or not isinstance(plain(type_), ListType):
        draft.error(text, turn_problems.draw_from_no_list(type_))
        return Constant(None, type=UNKNOWN, where=options.where)
    if isinstance(type_, ListType):
        return options
    if may_be_null(type_):
        lacking = guarded_inside(Here(scope, text, draft.sink, lower_node), options, text.all)
        if lacking is not None:
            return lacking
        draft.warning(text, turn_problems.draw_may_be_null(text.written(text.all)))
    return Guard(options, type=plain(type_), where=options.where)


def _recorded(draft: Draft, text: Text, outcome: Type) -> tuple[Place | None, str | None]:
    """`drawn_card`, or `drawn_card by card` where the candidates have a field that is recorded."""
    start = text.text.find(BY)
    at = part(text, 0, start) if start >= 0 else stripped(text)
    found = read_place(draft, at)
    compared = outcome
    by = None
    if start >= 0:
        field = part(text, start + len(BY), len(text.text))
        fields = fields_of(draft.symbols, outcome) or {}
        by = field.text
        if by not in fields:
            if not isinstance(outcome, UnknownType):
                draft.error(field, turn_problems.unknown_place(by, describe(outcome), fields))
            return found.place if found else None, None
        compared = fields[by]
    if found is None:
        return None, by
    if not comparable(found.type, compared):
        draft.error(at, turn_problems.recorded_differs(found.type, compared))
    return found.place, by


# -- answers -------------------------------------------------------------------------------------


def _answer(draft: Draft, table: TableText, row: Row, scope: Scope, answers: list[str]) -> AnswerField | None:
    name = name_in(draft, table, row)
    cell = expression_in(draft, table, row) if name else None
    if name is None or cell is None:
        return None
    text = stripped(text_of(name))
    if not good_name(draft, text):
        return None
    if text.text in answers or text.text == OPEN_VALUES:
        draft.error(text, turn_problems.double_answer(text.text))
        return None
    answers.append(text.text)
    value = lower_expression(text_of(cell), scope, draft.sink, None)
    when, listed = _when_open(draft, table, row, scope, value)
    words = words_at(table, row, "text")
    return AnswerField(text.text, value, when, listed, first_cell(row), cell.ref, words)


def _when_open(
    draft: Draft, table: TableText, row: Row, scope: Scope, value: Expression
) -> tuple[WhenOpen, Expression | None]:
    cell = cell_of(table, row, "when open")
    if cell is None:
        return WhenOpen.MERGED, None
    if cell.code.strip() == "null":
        return WhenOpen.NULL, None
    return WhenOpen.LISTED, lower_expression(text_of(cell), scope, draft.sink, _listed_type(value))


def _listed_type(value: Expression) -> Type | None:
    """Of an answer that is a list itself: what may come next in it."""
    match without_null(value.type):
        case NullType() | UnknownType():
            return None
        case ListType() as several:
            return several
        case one:
            return ListType(one)


def _no_answer_inside(draft: Draft, value: Expression) -> None:
    for node in nodes(value):
        if isinstance(node, AskAnswer):
            draft.error_at(node.where, None, turn_problems.ask_outside_answer(node.ask))
