"""Matrices and dice: a value for every combination of keys, or an ordered list down each column."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from dtables.checker import messages
from dtables.checker.expressions.constants import constant_cell, constant_text, identity, is_fixed
from dtables.checker.expressions.lower import lower_expression, refused_date
from dtables.checker.expressions.types import vocabulary_in
from dtables.checker.report import Text
from dtables.checker.rows import (
    cell_of,
    column,
    column_name,
    columns,
    filled_rows,
    first_cell,
    heading,
    is_any,
    name_cell,
    parts,
    property_text,
    text_of,
    words_at,
)
from dtables.checker.symbols import Draft, FunctionDraft, closed_property
from dtables.checker.tables.formulas import declared_result, outcome_value, settle_result, unknown_at
from dtables.digits import whole_in
from dtables.feel.types import (
    BOOLEAN,
    TEXT,
    UNKNOWN,
    WHOLE,
    BooleanType,
    ListType,
    NumberType,
    RestrictedType,
    Type,
    UnknownType,
    VocabularyType,
    join,
    optional,
    plain,
    without_null,
)
from dtables.model.expressions import Constant, Expression, MakeList, NameOf
from dtables.model.regions import Key, extent, line_of
from dtables.model.tables import Dice, DiceEntry, Matrix, MatrixEntry, Parameter
from dtables.provenance import Location
from dtables.workbook.language import ORDERED
from dtables.workbook.tables import Cell, ColumnText, RowText, TableText

MOST_KEYS = 10_000


def check_matrix(draft: Draft, function: FunctionDraft) -> Matrix:
    table = function.table
    parameters = draft.parameters[function.name]
    declared = declared_result(draft, function)
    down = property_text(table, "down") is not None or column(table, "rank") is not None
    read = _down if down else _across
    entries = read(draft, table, parameters, declared) if parameters else None
    if not parameters:
        draft.error(table.marker.cell, messages.matrix_without_parameters(table.name))
    if entries is not None:
        _every_key_once(draft, table, parameters, entries)
    entries = entries or ()
    result = join(e.value.type for e in entries) if declared is None else declared
    null = any(isinstance(e.value, Constant) and e.value.value is None for e in entries)
    if declared is not None and null:
        result = optional(declared)
    settle_result(draft, function.name, result)
    matrix = Matrix(heading(table), parameters, result, entries, down)
    draft.matrices[function.name] = matrix
    return matrix


# -- layouts -------------------------------------------------------------------------------------


def _across(
    draft: Draft, table: TableText, parameters: tuple[Parameter, ...], declared: Type | None
) -> tuple[MatrixEntry, ...] | None:
    """One entry for each cell; None where columns and parameters do not go together. Key columns headed by
    a parameter's name hold its keys; the others are headed by keys themselves."""
    by_name = {p.name: p for p in parameters}
    names = {n: column_name(table.columns[n]) for n in columns(table, "key")}
    in_rows = {n: by_name[name] for n, name in names.items() if name in by_name}
    headed = [n for n in names if n not in in_rows]
    rest = [p for p in parameters if p not in in_rows.values()]
    values = headed or columns(table, "value")
    if not _go_together(draft, table, rest, headed, len(values)):
        return None
    heads = {n: {rest[0].name: _head_key(draft, table.columns[n], rest[0].type)} for n in headed}
    found = []
    for row in filled_rows(table):
        keys = {p.name: _key(draft, row.cells[n], p.type) for n, p in in_rows.items()}
        words = words_at(table, row, "text")
        for n in values:
            own = {**keys, **heads.get(n, {})}
            value = _value(draft, row.cells[n], declared)
            own_keys = tuple(own[p.name] for p in parameters)
            found.append(MatrixEntry(own_keys, value, (row.cells[n].ref,), words))
    return tuple(found)


def _go_together(
    draft: Draft, table: TableText, rest: list[Parameter], headed: list[int], values: int
) -> bool:
    """Heads are the keys of one parameter; without them one column has all values."""
    lacking = [p.name for p in rest]
    if headed and len(rest) != 1:
        draft.error(name_cell(table.columns[headed[0]]), messages.key_columns(table.name, lacking))
        return False
    if not headed and (rest or values != 1):
        draft.error(table.marker.cell, messages.matrix_columns(lacking, values))
        return False
    return True


def _head_key(draft: Draft, head: ColumnText, type_: Type) -> Expression:
    return _key(draft, name_cell(head), type_)


def _key(draft: Draft, cell: Cell, type_: Type) -> Expression:
    if cell.empty:
        draft.error(cell, messages.blank_key())
        return unknown_at(cell.ref)
    return constant_cell(draft, cell, without_null(type_), None)


def _value(draft: Draft, cell: Cell, declared: Type | None) -> Expression:
    """Blank is no value: null is typed out."""
    if cell.empty:
        draft.error(cell, messages.blank_value())
        return unknown_at(cell.ref)
    if declared is not None:
        null = cell.code.strip() == "null"
        return constant_text(draft, text_of(cell), optional(declared) if null else declared)
    value = lower_expression(text_of(cell), draft.scope(), draft.sink, None)
    if not is_fixed(value):
        draft.error(cell, messages.not_constant())
        return unknown_at(cell.ref)
    return value


# -- down a column ---------------------------------------------------------------------------------


def _down(
    draft: Draft, table: TableText, parameters: tuple[Parameter, ...], declared: Type | None
) -> tuple[MatrixEntry, ...] | None:
    """A column is the ordered list for its key; blank cells only at its end."""
    if len(parameters) != 1:
        draft.error(table.marker.cell, messages.down_wants_one_key(table.name))
        return None
    partial = closed_property(draft, table, "down", ORDERED) == "partial"
    item = _item_of(draft, table, declared)
    _ranks(draft, table)
    found = []
    sound: dict[int, dict[Hashable, str]] = {}
    for n in columns(table, "key"):
        head = table.columns[n]
        down = _to_the_last([row.cells[n] for row in filled_rows(table)])
        cells = [cell for cell in down if not cell.empty]
        values = [_item_value(draft, cell, item) for cell in cells]
        if _no_gaps(draft, down) & _no_doubles(draft, cells, values):
            sound[n] = {identity(v): c.code.strip() for c, v in zip(cells, values, strict=True)}
        inner = item if item is not None else join(v.type for v in values)
        listed = MakeList(tuple(values), type=ListType(inner), where=Location(name_cell(head).ref))
        refs = tuple(cell.ref for cell in cells)
        found.append(MatrixEntry((_head_key(draft, head, parameters[0].type),), listed, refs))
    if not partial:
        _same_sets(draft, table, sound)
    return tuple(found)


def _item_of(draft: Draft, table: TableText, declared: Type | None) -> Type | None:
    if declared is None or isinstance(plain(declared), UnknownType):
        return None
    type_ = plain(declared)
    if isinstance(type_, ListType):
        return type_.item
    draft.error(table.marker.cell, messages.down_wants_list(declared))
    return UNKNOWN


def _item_value(draft: Draft, cell: Cell, item: Type | None) -> Expression:
    if item is not None:
        return constant_cell(draft, cell, item, None)
    return lower_expression(text_of(cell), draft.scope(), draft.sink, None)


def _to_the_last(cells: list[Cell]) -> list[Cell]:
    while cells and cells[-1].empty:
        cells = cells[:-1]
    return cells


def _no_gaps(draft: Draft, cells: list[Cell]) -> bool:
    blank = [cell for cell in cells if cell.empty]
    for cell in blank:
        draft.error(cell, messages.gap_in_list())
    return not blank


def _no_doubles(draft: Draft, cells: list[Cell], values: list[Expression]) -> bool:
    """Is everything known, and nothing there twice?"""
    first: dict[Hashable, Cell] = {}
    sound = True
    for cell, value in zip(cells, values, strict=True):
        earlier = first.setdefault(identity(value), cell)
        known = not isinstance(value.type, UnknownType)
        if earlier is not cell and known:
            draft.error(cell, messages.twice_in_list(cell.code.strip(), Location(earlier.ref)))
        sound = sound and known and earlier is cell
    return sound


def _same_sets(draft: Draft, table: TableText, sound: dict[int, dict[Hashable, str]]) -> None:
    """Lists of one matrix usually rank the same things: a column that does not is worth a look, unless the
    table says that they are partial. `sound` are the lists in which nothing is wrong by itself, with what
    they say as it is written."""
    lists = list(sound.items())
    for n, listed in lists[1:]:
        base, first = lists[0]
        missing = [text for key, text in first.items() if key not in listed]
        extra = [text for key, text in listed.items() if key not in first]
        if missing or extra:
            head = name_cell(table.columns[base])
            wording = messages.other_set(
                sorted(missing), sorted(extra), head.code.strip(), Location(head.ref)
            )
            draft.warning(name_cell(table.columns[n]), wording)


def _ranks(draft: Draft, table: TableText) -> None:
    """Ranks count 1, 2, 3 …: a row out of order is a row somebody moved."""
    for n, row in enumerate(filled_rows(table), start=1):
        cell = cell_of(table, row, "rank")
        if cell is not None and cell.code.strip().rstrip(".") != str(n):
            draft.error(cell, messages.rank_out_of_order(cell.code.strip(), n))
            return


# -- every key once --------------------------------------------------------------------------------


def _every_key_once(
    draft: Draft, table: TableText, parameters: tuple[Parameter, ...], entries: tuple[MatrixEntry, ...]
) -> None:
    seen: dict[Hashable, MatrixEntry] = {}
    for entry in entries:
        if any(isinstance(key.type, UnknownType) for key in entry.keys):
            return
        earlier = seen.setdefault(_identities(entry.keys), entry)
        if earlier is not entry:
            first, own = earlier.keys, entry.keys
            where = own[-1].where if own[-1].where != first[-1].where else own[0].where
            draft.error_at(where, None, messages.double_key(shown(own), first[0].where))
            return
    expected = []
    for parameter in parameters:
        keys = keys_of_type(draft, parameter.type)
        if keys is None:
            if not isinstance(plain(parameter.type), UnknownType):
                draft.error(table.marker.cell, messages.open_keys(parameter.name, parameter.type))
            return
        expected.append(keys)
    missing = [shown(keys) for keys in product(*expected) if _identities(keys) not in seen]
    if missing:
        draft.error(table.marker.cell, messages.missing_keys(missing))


def _identities(keys: Iterable[Expression]) -> Hashable:
    return tuple(identity(key) for key in keys)


def keys_of_type(draft: Draft, type_: Type) -> list[Expression] | None:
    """All values of a type that has few: names, truth values, whole numbers in a closed range."""
    where = Location(draft.book.tables[0].marker.cell.ref)
    match without_null(type_):
        case VocabularyType(name=name, root=root) as vocabulary:
            return [
                NameOf(root, label.id, type=vocabulary, where=where)
                for label in draft.vocabularies[name].names
            ]
        case BooleanType():
            return [Constant(value, type=BOOLEAN, where=where) for value in (False, True)]
        case RestrictedType(of=of) as restricted if isinstance(plain(of), NumberType):
            numbers = _closed_range(draft, restricted)
            return None if numbers is None else [Constant(n, type=of, where=where) for n in numbers]
        case _:
            return None


def _closed_range(draft: Draft, type_: RestrictedType) -> Sequence[Key] | None:
    """The numbers that a narrowed type allows, where they are few. Between two bounds that is so of whole
    numbers alone: of others, those that are named one by one."""
    on = line_of(plain(type_), {})
    if on is None:
        return None
    tests = {name: restriction.tests for name, restriction in draft.restriction_models.items()}
    return on.keys(extent(type_, on, {}, tests), MOST_KEYS)


def shown(keys: tuple[Expression, ...]) -> str:
    return ", ".join(_shown_key(key) for key in keys)


def _shown_key(key: Expression) -> str:
    match key:
        case NameOf(id=id_):
            return id_
        case Constant(value=True):
            return "yes"
        case Constant(value=False):
            return "no"
        case Constant(value=value):
            return str(value)
        case _:
            return "…"


# -- dice ----------------------------------------------------------------------------------------
# Dice tables: totals give an outcome, for each kind of die every total once.

MOST_DICE, MOST_SIDES = 20, 1000


@dataclass(frozen=True, slots=True)
class Die:
    """`2d6`: a column of totals, and how often each total comes up."""

    name: str
    column: int
    ways: dict[int, int]


def _typed_number(table: TableText, row: RowText) -> str:
    cell = cell_of(table, row, "#")
    return cell.code.strip() if cell is not None else ""


def check_dice(draft: Draft, function: FunctionDraft) -> Dice:
    table = function.table
    dice = tuple(_dice(draft, table))
    expected = declared_result(draft, function)
    rows = list(filled_rows(table))
    outcomes = _outcomes(draft, table, rows, expected)
    read = {die.name: [totals(draft, row.cells[die.column], die) for row in rows] for die in dice}
    entries = [
        DiceEntry(
            die.name,
            low,
            high,
            outcome,
            row.cells[die.column].ref,
            words_at(table, row, "text"),
            _typed_number(table, row),
        )
        for k, (row, outcome) in enumerate(zip(rows, outcomes, strict=True))
        for die in dice
        for low, high in read[die.name][k] or ()
    ]
    for die in dice:
        if None not in read[die.name]:
            _every_total_once(draft, table, die, [e for e in entries if e.die == die.name])
    result = expected if expected is not None else join(e.outcome.type for e in entries)
    parameters = _parameters(draft, function, dice)
    draft.parameters[function.name] = parameters
    symbol = draft.functions[function.name]
    draft.functions[function.name] = replace(symbol, parameters=tuple((p.name, p.type) for p in parameters))
    settle_result(draft, function.name, result)
    chances = tuple((die.name, tuple(sorted(die.ways.items()))) for die in dice)
    return Dice(heading(table), parameters, tuple(d.name for d in dice), chances, tuple(entries), result)


def _dice(draft: Draft, table: TableText) -> Iterator[Die]:
    """The columns of totals; the only one may stand under the role `total`."""
    places = columns(table, "die", "total")
    if not places:
        draft.error(table.marker.cell, messages.dice_without_die())
    seen: set[str] = set()
    for n in places:
        name = column_name(table.columns[n])
        ways = ways_of(name)
        cell = name_cell(table.columns[n])
        if ways is None:
            draft.error(cell, messages.no_die(name))
        elif name in seen:
            draft.error(cell, messages.double_column(name))
        else:
            seen.add(name)
            yield Die(name, n, ways)


def ways_of(name: str) -> dict[int, int] | None:
    """Of `2d6` (or `d12`): each total, and in how many of all throws it comes up."""
    number, letter, sides = name.strip().lower().partition("d")
    count, faces = whole_in(number or "1"), whole_in(sides)
    if letter != "d" or count is None or faces is None:
        return None
    if not (1 <= count <= MOST_DICE and 2 <= faces <= MOST_SIDES):
        return None
    ways = {0: 1}
    for _ in range(count):
        thrown: dict[int, int] = {}
        for total, times in ways.items():
            for face in range(1, faces + 1):
                thrown[total + face] = thrown.get(total + face, 0) + times
        ways = thrown
    return ways


def _outcomes(draft: Draft, table: TableText, rows: list[RowText], expected: Type | None) -> list[Expression]:
    then = column(table, "then")
    if then is None:
        draft.error(table.marker.cell, messages.decision_without_outcome())
        return [unknown_at(first_cell(row)) for row in rows]
    return [outcome_value(draft, row.cells[then], draft.scope(), expected) for row in rows]


def totals(draft: Draft, cell: Cell, die: Die) -> tuple[tuple[int, int], ...] | None:
    """`2-5`, `2..5`, `[2..5]`, `7`, or several with commas; blank: not with this die. None: broken."""
    if is_any(cell):
        return ()
    if refused_date(text_of(cell), WHOLE, draft.sink):
        return None
    read = [_totals(draft, piece, die) for piece in parts(_without_brackets(text_of(cell)))]
    found = tuple(ends for ends in read if ends is not None)
    return found if len(found) == len(read) else None


def _totals(draft: Draft, piece: Text, die: Die) -> tuple[int, int] | None:
    low, _, high = piece.text.replace("..", "-", 1).partition("-")
    first, last = whole_in(low.strip()), whole_in((high or low).strip())
    if first is None or last is None:
        draft.error(piece, messages.no_totals(piece.text))
        return None
    if first > last or first not in die.ways or last not in die.ways:
        lowest, highest = min(die.ways), max(die.ways)
        draft.error(piece, messages.totals_of_no_die(piece.text, die.name, lowest, highest))
        return None
    return first, last


def _without_brackets(text: Text) -> Text:
    inside = text.text.strip()
    if inside.startswith("[") and inside.endswith("]"):
        return Text(inside[1:-1], text.cell, text.start + 1)
    return text


def _every_total_once(draft: Draft, table: TableText, die: Die, entries: list[DiceEntry]) -> None:
    first: dict[int, DiceEntry] = {}
    for entry in entries:
        doubles = [t for t in range(entry.low, entry.high + 1) if first.setdefault(t, entry) is not entry]
        if doubles:
            earlier = Location(first[doubles[0]].cell)
            wording = messages.total_twice(doubles[0], die.name, earlier)
            draft.error_at(Location(entry.cell), None, wording)
    missing = sorted(set(die.ways) - set(first))
    if missing:
        draft.error(name_cell(table.columns[die.column]), messages.totals_missing(die.name, missing))


def _parameters(draft: Draft, function: FunctionDraft, dice: tuple[Die, ...]) -> tuple[Parameter, ...]:
    """With several kinds of die the call says which: its vocabulary must name them all."""
    declared = draft.parameters[function.name]
    expected = 2 if len(dice) > 1 else 1
    if len(dice) < len(columns(function.table, "die", "total")):
        return declared
    if not declared:
        own = [("die", _named_after(draft, dice)), ("total", WHOLE)][2 - expected :]
        return tuple(Parameter(n, draft.numbers.variable(n, t)) for n, t in own)
    if len(declared) != expected:
        draft.error(function.name_text, messages.dice_parameters(function.name, expected))
        return declared
    vocabulary = vocabulary_in(declared[0].type) if expected == 2 else None
    if vocabulary is not None:
        names = set(draft.vocabularies[vocabulary.name].ids)
        mine = {die.name for die in dice}
        if names != mine:
            wording = messages.other_dice(vocabulary.name, sorted(names), sorted(mine))
            draft.error(function.name_text, wording)
    return declared


def _named_after(draft: Draft, dice: tuple[Die, ...]) -> Type:
    """The vocabulary whose names are these dice, if there is one."""
    mine = {die.name for die in dice}
    for name, vocabulary in draft.vocabularies.items():
        if set(vocabulary.ids) == mine:
            return VocabularyType(name, vocabulary.root)
    return TEXT
