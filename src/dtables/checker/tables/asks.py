"""Asks and checks: what a log may ask for, row by row, and what a turn is held to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dtables.checker import messages
from dtables.checker.expressions.context import Here
from dtables.checker.expressions.fit import require
from dtables.checker.expressions.lower import lower_expression, lower_node, lower_tests
from dtables.checker.expressions.nulls import guarded_inside
from dtables.checker.expressions.types import comparable, fields_of, item_of, record_of
from dtables.checker.report import Text
from dtables.checker.rows import (
    cell_of,
    column,
    filled_rows,
    first_cell,
    heading,
    is_any,
    marker_name,
    part,
    parts,
    place,
    property_text,
    row_number,
    stripped,
    text_at,
    text_of,
    worded_at,
)
from dtables.checker.symbols import (
    ASK_SPACE,
    Draft,
    Local,
    Scope,
    claim,
    expression_in,
    good_name,
    name_in,
    needed,
)
from dtables.checker.tables.formulas import lower_step, new_local
from dtables.digits import whole_in
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    UNKNOWN,
    WHOLE,
    AnyType,
    ListType,
    MapType,
    NullType,
    Type,
    UnknownType,
    VocabularyType,
    describe,
    join,
    may_be_null,
    optional,
    plain,
    without_null,
)
from dtables.model.expressions import AskAnswer, Constant, Expression, Guard, Read, Variable
from dtables.model.reach import nodes
from dtables.model.tables import (
    AnswerField,
    Ask,
    AskRow,
    Checks,
    Consistency,
    Counted,
    Draw,
    Need,
    Next,
    Place,
    Stop,
    WhenOpen,
)
from dtables.provenance import Location
from dtables.workbook.language import ASK_ROWS, YES_NO, closed_word, nearest
from dtables.workbook.tables import Cell, RowText, TableText

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
            draft.error(name, messages.unknown_ask(name.text, asks))
    return tuple(name.text for name in names if name.text in asks)


def check_asks(draft: Draft) -> tuple[Ask, ...]:
    asks = tuple(check_ask(draft, table) for table in _called_first(draft))
    by_place = {ask.heading.where: ask for ask in asks}
    in_order = tuple(by_place[table.where] for table in draft.tables("ask"))
    mains = [ask for ask in in_order if ask.main]
    for ask in mains[1:]:
        wording = messages.two_main_asks(mains[0].heading.name, mains[0].heading.where)
        draft.error_at(Location(ask.heading.where.cell), None, wording)
    _keep_next_free(draft, in_order)
    return in_order


def _keep_next_free(draft: Draft, asks: tuple[Ask, ...]) -> None:
    """Where asks say what comes next, that stands beside their answers under this name, in a table too."""
    rows = [row for ask in asks for row in ask.rows]
    if any(isinstance(row, Next) for row in rows):
        for row in rows:
            if isinstance(row, AnswerField) and row.name == NEXT:
                draft.error_at(Location(row.where), None, messages.double_answer(NEXT))


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
            wording = messages.unknown_ask_role(written, near, [w.name for w in ASK_ROWS])
            draft.error(cell or row.cells[0], wording)
            role = closed_word(ASK_ROWS, near or "")
        if role is None:
            scope = _poisoned(draft, table, row, scope)
            continue
        _report_unused(draft, table, row, role)
        read, scope = _row(draft, table, row, role, scope, answers)
        if read is not None:
            rows.append(read)
    if not answers:
        draft.error(table.marker.cell, messages.ask_without_answer(table.name))
    return Ask(heading(table), _is_main(draft, table), parameters, tuple(rows), _context(draft, table))


def _context(draft: Draft, table: TableText) -> tuple[Place, ...]:
    """Paths below the state, separated by commas."""
    written = property_text(table, "context")
    found = (read_place(draft, text) for text in parts(written)) if written is not None else ()
    return tuple(one.place for one in found if one is not None)


def _poisoned(draft: Draft, table: TableText, row: RowText, scope: Scope) -> Scope:
    """A row that is broken still has a name that later rows may read."""
    name = cell_of(table, row, "name")
    if name is None:
        return scope
    return scope.with_local(Local(draft.numbers.variable(name.code.strip(), UNKNOWN)))


def _is_main(draft: Draft, table: TableText) -> bool:
    written = property_text(table, "main")
    if written is None:
        return False
    word = closed_word(YES_NO, written.text)
    if word is None:
        draft.error(written, messages.unknown_yes_no(written.text))
    if word == "yes" and table.marker.parameters:
        draft.error(written, messages.main_with_parameters(table.name))
    return word == "yes"


def _report_unused(draft: Draft, table: TableText, row: RowText, role: str) -> None:
    for used, roles in USED_BY.items():
        cell = cell_of(table, row, used)
        if cell is not None and role not in roles:
            draft.error(cell, messages.cell_means_nothing(used, role, roles))


def _row(
    draft: Draft, table: TableText, row: RowText, role: str, scope: Scope, answers: list[str]
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


def _need(draft: Draft, table: TableText, row: RowText, some: bool, scope: Scope) -> Need | None:
    name, when = name_in(draft, table, row), cell_of(table, row, "is")
    if name is None:
        return None
    condition = lower_expression(text_of(when), scope, draft.sink, BOOLEAN) if when else None
    found = read_place(draft, stripped(text_of(name)))
    if found is None:
        return None
    if some and not isinstance(plain(found.type), (ListType, UnknownType)):
        draft.error(name, messages.need_some_of_no_list(found.type))
    return Need(found.place, condition, some, first_cell(row))


def _need_each(draft: Draft, table: TableText, row: RowText, scope: Scope) -> Need | None:
    name = name_in(draft, table, row)
    found = None if name is None else read_place(draft, stripped(text_of(name)))
    if name is None or found is None:
        return None
    map_ = plain(found.type)
    if not isinstance(map_, MapType):
        if not isinstance(map_, UnknownType):
            draft.error(name, messages.need_each_of_no_map(found.type))
        return None
    listed = needed(draft, table, row, "is", messages.need_each_of_what(map_.key))
    if listed is None:
        return None
    names = lower_expression(text_of(listed), scope, draft.sink, ListType(map_.key))
    return Need(found.place, None, False, first_cell(row), names)


def _stop(draft: Draft, table: TableText, row: RowText, scope: Scope) -> Stop | None:
    name, condition = cell_of(table, row, "name"), expression_in(draft, table, row)
    if name is not None:
        others = ("need", "step", "draw", "answer", "next")
        draft.error(name, messages.cell_means_nothing("name", "stop", others))
    if condition is None:
        return None
    return Stop(lower_expression(text_of(condition), scope, draft.sink, BOOLEAN), first_cell(row))


def _next(draft: Draft, table: TableText, row: RowText, scope: Scope) -> Next | None:
    name, condition = name_in(draft, table, row), cell_of(table, row, "is")
    if name is None:
        return None
    text = stripped(text_of(name))
    if table.marker.parameters:
        draft.error(row.cells[0], messages.next_of_called(table.name))
        return None
    asks = {ask.name: ask for ask in draft.tables("ask")}
    if text.text not in asks:
        draft.error(text, messages.unknown_ask(text.text, asks))
        return None
    if asks[text.text].marker.parameters:
        draft.error(text, messages.next_with_parameters(text.text))
        return None
    when: Expression = Constant(True, type=BOOLEAN, where=Location(name.ref))
    if condition is not None:
        when = lower_expression(text_of(condition), scope, draft.sink, BOOLEAN)
        _no_answer_inside(draft, when)
    words = worded_at(table, row)
    return Next(text.text, when, first_cell(row), condition.ref if condition else name.ref, words)


# -- draws ---------------------------------------------------------------------------------------


def _draw(draft: Draft, table: TableText, row: RowText, scope: Scope) -> tuple[Draw | None, Scope]:
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
    draw = Draw(variable, options, place, by, first_cell(row), cell.ref, worded_at(table, row))
    return draw, scope.with_local(Local(variable))


def _options(draft: Draft, text: Text, scope: Scope, options: Expression) -> Expression:
    """A list; what may be null in its place is guarded, and warned of: no list is not an empty one."""
    type_ = options.type
    if isinstance(type_, UnknownType):
        return options
    if isinstance(type_, AnyType):
        return require(options, ListType(ANY))
    if isinstance(type_, NullType) or not isinstance(plain(type_), ListType):
        draft.error(text, messages.draw_from_no_list(type_))
        return Constant(None, type=UNKNOWN, where=options.where)
    if isinstance(type_, ListType):
        return options
    if may_be_null(type_):
        lacking = guarded_inside(Here(scope, text, draft.sink, lower_node), options, text.all)
        if lacking is not None:
            return lacking
        draft.warning(text, messages.draw_may_be_null(text.written(text.all)))
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
                draft.error(field, messages.unknown_place(by, describe(outcome), fields))
            return found.place if found else None, None
        compared = fields[by]
    if found is None:
        return None, by
    if not comparable(found.type, compared):
        draft.error(at, messages.recorded_differs(found.type, compared))
    return found.place, by


# -- answers -------------------------------------------------------------------------------------


def _answer(
    draft: Draft, table: TableText, row: RowText, scope: Scope, answers: list[str]
) -> AnswerField | None:
    name = name_in(draft, table, row)
    cell = expression_in(draft, table, row) if name else None
    if name is None or cell is None:
        return None
    text = stripped(text_of(name))
    if not good_name(draft, text):
        return None
    if text.text in answers or text.text == OPEN_VALUES:
        draft.error(text, messages.double_answer(text.text))
        return None
    answers.append(text.text)
    value = lower_expression(text_of(cell), scope, draft.sink, None)
    when, listed = _when_open(draft, table, row, scope, value)
    words = worded_at(table, row)
    return AnswerField(text.text, value, when, listed, first_cell(row), cell.ref, words)


def _when_open(
    draft: Draft, table: TableText, row: RowText, scope: Scope, value: Expression
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
            draft.error_at(node.where, None, messages.ask_outside_answer(node.ask))


# -- checks --------------------------------------------------------------------------------------
# Checks: what makes a record inconsistent, counted over places or tried for each item.

POSITION = "position"


def check_checks(draft: Draft, table: TableText) -> Checks:
    counted = column(table, "places") is not None
    if counted and column(table, "wrong if") is not None:
        draft.error(table.marker.cell, messages.two_forms_of_checks())
    if not counted and column(table, "wrong if") is None:
        draft.error(table.marker.cell, messages.no_form_of_checks())
        return Checks(heading(table), ())
    read = _counted if counted else _consistency
    rows = [read(draft, table, row) for row in filled_rows(table)]
    return Checks(heading(table), tuple(row for row in rows if row is not None))


def _asks(draft: Draft, table: TableText, row: RowText) -> tuple[str, ...]:
    written = text_at(table, row, "ask")
    return () if written is None else known_asks(draft, written)


def _places(draft: Draft, cell: Cell) -> tuple[PlaceFound, ...]:
    found = (read_place(draft, text) for text in parts(text_of(cell)))
    return tuple(place for place in found if place is not None)


# -- counted -------------------------------------------------------------------------------------


def _counted(draft: Draft, table: TableText, row: RowText) -> Counted | None:
    cell = needed(draft, table, row, "places")
    if cell is None:
        return None
    places = _places(draft, cell)
    type_ = _common(draft, cell, places)
    item = draft.numbers.variable("item", type_)
    subject = draft.numbers.variable("item", type_)
    scope = draft.scope().with_item(item)
    tested, by = cell_of(table, row, "only for"), cell_of(table, row, "by")
    tests = (
        () if tested is None or is_any(tested) else lower_tests(text_of(tested), subject, scope, draft.sink)
    )
    value = Read(item, type=type_, where=Location(cell.ref))
    return Counted(
        row_number(table, row),
        _asks(draft, table, row),
        tuple(place.place for place in places),
        item,
        tests,
        subject,
        lower_expression(text_of(by), scope, draft.sink, None) if by else value,
        _at_most(draft, table, row),
        worded_at(table, row),
        first_cell(row),
    )


def _common(draft: Draft, cell: Cell, places: tuple[PlaceFound, ...]) -> Type:
    """All places hold values of one type."""
    if not places:
        return UNKNOWN
    type_ = join(place.item for place in places)
    if type_ == ANY:
        draft.error(cell, messages.places_differ([(str(p.place), p.item) for p in places]))
        return UNKNOWN
    return type_


def _at_most(draft: Draft, table: TableText, row: RowText) -> int:
    cell = needed(draft, table, row, "at most")
    if cell is None:
        return 1
    digits = cell.code.strip()
    most = whole_in(digits)
    if most is not None:
        return most
    draft.error(cell, messages.at_most_no_number(digits))
    return 1


# -- consistency -----------------------------------------------------------------------------------


def _consistency(draft: Draft, table: TableText, row: RowText) -> Consistency | None:
    wrong = needed(draft, table, row, "wrong if")
    if wrong is None:
        return None
    each = cell_of(table, row, "each")
    places = _places(draft, each) if each else ()
    if each is not None and not places:
        return None
    scope, item, key = _around(draft, each, places)
    scope, position = _in_lists(draft, scope, places)
    return Consistency(
        row_number(table, row),
        _asks(draft, table, row),
        tuple(place.place for place in places),
        item,
        key,
        lower_expression(text_of(wrong), scope, draft.sink, BOOLEAN),
        _blamed(draft, table, row, item),
        worded_at(table, row),
        first_cell(row),
        position,
    )


def _around(
    draft: Draft, each: Cell | None, places: tuple[PlaceFound, ...]
) -> tuple[Scope, Variable | None, Variable | None]:
    """The item's fields are read bare, it is `item` and `this`, and in a map it has a `key`."""
    scope = draft.scope()
    if each is None:
        return scope, None, None
    item = draft.numbers.variable("item", _common(draft, each, places))
    scope = scope.with_item(item)
    scope = replace(scope, locals={**scope.locals, "this": Local(item, depth=1)})
    keys = {place.item_key for place in places}
    if len(keys) != 1 or None in keys:
        return scope, item, None
    type_ = keys.pop()
    assert type_ is not None
    key = draft.numbers.variable("key", type_)
    return scope.with_local(Local(key, depth=1)), item, key


def _in_lists(draft: Draft, scope: Scope, places: tuple[PlaceFound, ...]) -> tuple[Scope, Variable | None]:
    """Items of lists have a `position`, unless something of the workbook has that name."""
    if not places or not all(_in_a_list(place.type) for place in places):
        return scope, None
    symbols = scope.symbols
    if any(
        POSITION in named for named in (symbols.functions, symbols.inputs, symbols.switches, symbols.data)
    ):
        return scope, None
    position = draft.numbers.variable(POSITION, WHOLE)
    return scope.with_local(Local(position)), position


def _in_a_list(type_: Type) -> bool:
    match plain(type_):
        case ListType():
            return True
        case MapType(value=value):
            return _in_a_list(value)
        case _:
            return False


def _blamed(draft: Draft, table: TableText, row: RowText, item: Variable | None) -> tuple[str, ...]:
    cell = cell_of(table, row, "at")
    if cell is None:
        return ()
    if item is None:
        found = read_place(draft, stripped(text_of(cell)))
        return found.place.fields if found else ()
    known = stored_fields(draft, item.type)
    if isinstance(item.type, UnknownType):
        return ()
    if known is None:
        draft.error(cell, messages.nothing_below("item", item.type, cell.code.strip()))
        return ()
    walked = walk(draft, stripped(text_of(cell)), known, "the item")
    return walked[0] if walked else ()


# -- places --------------------------------------------------------------------------------------
# Paths into the state: `north.houses.card` walks lists and maps on its way.


@dataclass(frozen=True, slots=True)
class PlaceFound:
    """`type` is the field's own type; `key` that of the last map on the way."""

    place: Place
    type: Type
    key: VocabularyType | None

    @property
    def item(self) -> Type:
        """What stands there one by one: the elements of lists and maps."""
        return self._walked[0]

    @property
    def item_key(self) -> VocabularyType | None:
        return self._walked[1]

    @property
    def _walked(self) -> tuple[Type, VocabularyType | None]:
        return _elements(self.type, self.key)


def _elements(type_: Type, key: VocabularyType | None) -> tuple[Type, VocabularyType | None]:
    inner = plain(type_)
    while isinstance(inner, (ListType, MapType)):
        if isinstance(inner, MapType):
            key, type_ = inner.key, inner.value
        else:
            type_ = inner.item
        inner = plain(type_)
    return without_null(type_), key


def read_place(draft: Draft, text: Text) -> PlaceFound | None:
    """A path below the state; `state.` before it is allowed."""
    prefix = draft.symbols.state + "."
    below = part(text, len(prefix), len(text.text)) if text.text.startswith(prefix) else text
    known: Mapping[str, Type] = {n: s.type for n, s in draft.inputs.items()}
    found = walk(draft, below, known, "the state")
    if found is None:
        return None
    fields, type_, key = found
    return PlaceFound(Place(fields, place(text)), type_, key)


def walk(
    draft: Draft, text: Text, known: Mapping[str, Type], owner: str
) -> tuple[tuple[str, ...], Type, VocabularyType | None] | None:
    """Field by field; an unknown one is the mistake, and nothing is found."""
    fields: list[str] = []
    type_: Type = UNKNOWN
    key: VocabularyType | None = None
    position = 0
    for name in text.text.split("."):
        piece = part(text, position, position + len(name))
        position += len(name) + 1
        if fields:
            element, key = _elements(type_, key)
            if isinstance(element, UnknownType):
                return None
            below = _fields_below(draft, type_, element)
            if below is None:
                draft.error(piece, messages.nothing_below(".".join(fields), type_, piece.text))
                return None
            known, owner = below, f"`{'.'.join(fields)}`"
        if piece.text not in known:
            draft.error(piece, messages.unknown_place(piece.text, owner, known))
            return None
        fields.append(piece.text)
        type_ = known[piece.text]
    return tuple(fields), type_, key


def _fields_below(draft: Draft, type_: Type, element: Type) -> Mapping[str, Type] | None:
    """A map's entries are reached by their names; what is keyed data is a name in a record."""
    through = plain(type_)
    if isinstance(through, MapType):
        entries = dict.fromkeys(draft.vocabularies[through.key.name].ids, optional(through.value))
        return {**(stored_fields(draft, element) or {}), **entries}
    return stored_fields(draft, element)


def stored_fields(draft: Draft, element: Type) -> Mapping[str, Type] | None:
    inner = plain(element)
    if isinstance(inner, VocabularyType):
        return None
    record = record_of(draft.symbols, inner)
    if record is not None:
        return {f.name: f.type for f in record.stored}
    return fields_of(draft.symbols, inner)
