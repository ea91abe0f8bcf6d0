"""Dice tables: totals give an outcome, for each kind of die every total once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dtables.checker import function_problems, table_problems
from dtables.checker.draft import Draft, FunctionDraft
from dtables.checker.functions import declared_result, outcome_value, settle_result, unknown_at
from dtables.checker.sheet_dates import refused_date
from dtables.checker.sink import Text
from dtables.checker.types import vocabulary_in
from dtables.checker.written import (
    column,
    column_name,
    columns,
    filled_rows,
    first_cell,
    heading,
    is_any,
    name_cell,
    parts,
    text_of,
    words_at,
)
from dtables.digits import whole_in
from dtables.feel.types import TEXT, WHOLE, Type, VocabularyType, join
from dtables.model.expressions import Expression
from dtables.model.tables import Dice, DiceEntry, Parameter
from dtables.provenance import Location
from dtables.workbook.tables import Cell, Row, TableText

MOST_DICE, MOST_SIDES = 20, 1000


@dataclass(frozen=True, slots=True)
class Die:
    """`2d6`: a column of totals, and how often each total comes up."""

    name: str
    column: int
    ways: dict[int, int]


def check_dice(draft: Draft, function: FunctionDraft) -> Dice:
    table = function.table
    dice = tuple(_dice(draft, table))
    wanted = declared_result(draft, function)
    rows = list(filled_rows(table))
    outcomes = _outcomes(draft, table, rows, wanted)
    read = {die.name: [totals(draft, row.cells[die.column], die) for row in rows] for die in dice}
    entries = [
        DiceEntry(die.name, low, high, outcome, row.cells[die.column].ref, words_at(table, row, "text"))
        for k, (row, outcome) in enumerate(zip(rows, outcomes, strict=True))
        for die in dice
        for low, high in read[die.name][k] or ()
    ]
    for die in dice:
        if None not in read[die.name]:
            _every_total_once(draft, table, die, [e for e in entries if e.die == die.name])
    result = wanted if wanted is not None else join(e.outcome.type for e in entries)
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
        draft.error(table.marker.cell, function_problems.dice_without_die())
    seen: set[str] = set()
    for n in places:
        name = column_name(table.columns[n])
        ways = ways_of(name)
        cell = name_cell(table.columns[n])
        if ways is None:
            draft.error(cell, function_problems.no_die(name))
        elif name in seen:
            draft.error(cell, table_problems.double_column(name))
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


def _outcomes(draft: Draft, table: TableText, rows: list[Row], wanted: Type | None) -> list[Expression]:
    then = column(table, "then")
    if then is None:
        draft.error(table.marker.cell, function_problems.decision_without_outcome())
        return [unknown_at(first_cell(row)) for row in rows]
    return [outcome_value(draft, row.cells[then], draft.scope(), wanted) for row in rows]


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
        draft.error(piece, function_problems.no_totals(piece.text))
        return None
    if first > last or first not in die.ways or last not in die.ways:
        lowest, highest = min(die.ways), max(die.ways)
        draft.error(piece, function_problems.totals_of_no_die(piece.text, die.name, lowest, highest))
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
            wording = function_problems.total_twice(doubles[0], die.name, earlier)
            draft.error_at(Location(entry.cell), None, wording)
    missing = sorted(set(die.ways) - set(first))
    if missing:
        draft.error(name_cell(table.columns[die.column]), function_problems.totals_missing(die.name, missing))


def _parameters(draft: Draft, function: FunctionDraft, dice: tuple[Die, ...]) -> tuple[Parameter, ...]:
    """With several kinds of die the call says which: its vocabulary must name them all."""
    declared = draft.parameters[function.name]
    wanted = 2 if len(dice) > 1 else 1
    if len(dice) < len(columns(function.table, "die", "total")):
        return declared
    if not declared:
        own = [("die", _named_after(draft, dice)), ("total", WHOLE)][2 - wanted :]
        return tuple(Parameter(n, draft.numbers.variable(n, t)) for n, t in own)
    if len(declared) != wanted:
        draft.error(function.name_text, function_problems.dice_parameters(function.name, wanted))
        return declared
    vocabulary = vocabulary_in(declared[0].type) if wanted == 2 else None
    if vocabulary is not None:
        names = set(draft.vocabularies[vocabulary.name].ids)
        mine = {die.name for die in dice}
        if names != mine:
            wording = function_problems.other_dice(vocabulary.name, sorted(names), sorted(mine))
            draft.error(function.name_text, wording)
    return declared


def _named_after(draft: Draft, dice: tuple[Die, ...]) -> Type:
    """The vocabulary whose names are these dice, if there is one."""
    mine = {die.name for die in dice}
    for name, vocabulary in draft.vocabularies.items():
        if set(vocabulary.ids) == mine:
            return VocabularyType(name, vocabulary.root)
    return TEXT
