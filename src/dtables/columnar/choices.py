"""Asks whose answer is a scale's choice among a list of records, worked out for many turns at once.

A turn whose candidates are all sound is answered here; any other is left to the compiled module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import reduce
from types import ModuleType
from typing import TYPE_CHECKING, Any, assert_never

from dtables.columnar.cells import Binary, Cells, Coded, Truth, Whole, from_arrow, part, plain_at, silent
from dtables.columnar.classes import Axis, steps_along
from dtables.columnar.engine import axis_at
from dtables.columnar.survey import Survey, Uses, Why
from dtables.compilers.python import load_source
from dtables.feel.types import BooleanType, ListType, NumberType, RecordType, VocabularyType, plain
from dtables.model.expressions import (
    Arithmetic,
    CallTable,
    Compared,
    Comparison,
    Conditional,
    Constant,
    EqualTo,
    Expression,
    FieldOf,
    Guard,
    InList,
    InputField,
    Logic,
    MakeList,
    Matches,
    NameOf,
    Negation,
    NoneOf,
    Not,
    Read,
    Test,
    Within,
)
from dtables.model.tables import (
    AnswerField,
    Ask,
    Concern,
    Criterion,
    Field,
    Need,
    Others,
    Prefer,
    Record,
    Ruleset,
    Scale,
    Step,
    table_name,
)
from dtables.provenance import CellRef, Location

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


# -- choices -------------------------------------------------------------------------------------
# Scales over columns: for many turns at once, the best of each turn's candidates.
#
# A candidate's standing on a criterion is a whole number, the less the better; the standings on all
# criteria are packed into one, with the candidate's place behind them, so that a turn's least number is its
# choice.

MOST = 1 << 62
PLACES = 1 << 16
"""Candidates that are looked at together: their places fit behind the standings."""
NOBODY, DOUBT = -1, -2


@dataclass(frozen=True, slots=True)
class Standing:
    """Of each candidate, the less the better, from `low` to `high`."""

    values: Any
    low: int
    high: int


def best(scale: Scale, items: Items, starts: Array, sizes: Array) -> Array:
    """The candidate that each turn's scale chooses, by its place among all of them; NOBODY of none, DOUBT
    where candidates are equal and nothing decides. Turns' candidates stand in a row."""
    import numpy as np

    chosen = np.full(len(starts), NOBODY, np.int64)
    some = np.flatnonzero(sizes)
    if not len(some):
        return chosen
    at, count = starts[some], sizes[some]
    words = _packed([_standing(row, items) for row in _deciding(scale)], int(sizes.sum()))
    last = words[0]
    for word in words[1:]:
        left = last == np.repeat(np.minimum.reduceat(last, at), count)
        last = either(left, word, MOST // PLACES)
    found = np.minimum.reduceat(last * PLACES + np.arange(len(last)), at)
    chosen[some] = found & (PLACES - 1)
    if scale.criteria[-1].prefer is not Prefer.FIRST:
        equal = last == np.repeat(found // PLACES, count)
        chosen[some[np.add.reduceat(equal.astype(np.int64), at) > 1]] = DOUBT
    return chosen


def says(scale: Scale, items: Items) -> Why | None:
    """Why a scale cannot be worked out over columns like these."""
    last = scale.criteria[-1] if scale.criteria else None
    if last is None or last.prefer is Prefer.CHANCE:
        return Why("the rest is chance", None if last is None else last.where)
    if scale.others is not Others.LAST and any(row.concerns for row in scale.criteria):
        return Why("whom a row concerns depends on who is left", scale.heading.where)
    try:
        for row in _deciding(scale):
            _standing(row, items)
    except Unsayable as unsayable:
        return unsayable.why
    return None


def _deciding(scale: Scale) -> Iterator[Criterion]:
    for row in scale.criteria:
        if row.prefer is Prefer.FIRST:
            return
        yield row


# -- standings ---------------------------------------------------------------------------------


def _standing(row: Criterion, items: Items) -> Standing:
    if row.only_if is not None or row.embedded is not None or row.by is None:
        raise Unsayable("this row is gone through candidate by candidate", row.where)
    match row.prefer:
        case Prefer.YES | Prefer.NO:
            wanted = truths(row.by, items)
            found = Standing(_as_number(_not(wanted) if row.prefer is Prefer.YES else wanted), 0, 1)
            return _concerned(found, 1, row, items)
        case Prefer.LOWEST | Prefer.HIGHEST:
            of = numbers(row.by, items)
            found = Standing(of.values, of.low, of.high)
            if row.prefer is Prefer.HIGHEST:
                found = Standing(-of.values, -of.high, -of.low)
            return _concerned(found, found.high + 1, row, items)
        case Prefer.FIRST_IN | Prefer.LAST_IN:
            found = _in_list(row, items)
            return _concerned(found, found.high, row, items)
        case Prefer.SCALE | Prefer.FIRST | Prefer.CHANCE:
            raise Unsayable("this row is gone through candidate by candidate", row.where)
        case _:
            assert_never(row.prefer)


def _as_number(truth: Any) -> Any:
    import numpy as np

    return int(truth) if isinstance(truth, bool) else truth.astype(np.int64)


def _not(truth: Any) -> Any:
    return (not truth) if isinstance(truth, bool) else ~truth


def _in_list(row: Criterion, items: Items) -> Standing:
    """By the place in a list of names; who is not in it stands behind all who are."""
    import numpy as np

    assert row.by is not None
    named = names(row.by, items)
    if named is None or not isinstance(row.order, MakeList):
        raise Unsayable("this row is gone through candidate by candidate", row.where)
    listed = [_number(item, items) for item in row.order.items]
    if row.prefer is Prefer.LAST_IN:
        listed.reverse()
    places = np.full(max([*listed, *_all_numbers(items), 0]) + 2, len(listed), np.int64)
    for place, number in reversed(list(enumerate(listed))):
        places[number] = place
    return Standing(places[named], 0, len(listed))


def _number(item: Expression, items: Items) -> int:
    if not isinstance(item, NameOf):
        raise Unsayable("this list is worked out", item.where)
    return items.numbered[item.vocabulary][item.id]


def _all_numbers(items: Items) -> Iterator[int]:
    for numbered in items.numbered.values():
        yield len(numbered)


def _concerned(standing: Standing, worst: int, row: Criterion, items: Items) -> Standing:
    """Whom the row does not concern stands last."""
    if not row.concerns:
        return standing
    concerned: Any = True
    for concern in row.concerns:
        concerned = concerned & _passes(concern, items)
    if concerned is True:
        return standing
    values = either(concerned, standing.values, worst)
    return Standing(values, min(standing.low, worst), max(standing.high, worst))


def _passes(concern: Concern, items: Items) -> Any:
    return passing(concern.tests, concern.value, items.where(concern.variable.number, concern.value))


def _packed(standings: list[Standing], count: int) -> list[Array]:
    """As few numbers as hold all standings, the weightiest first; there is room for a place in the last."""
    import numpy as np

    words = [np.zeros(count, np.int64)]
    farthest = 0
    for standing in standings:
        width = standing.high - standing.low + 1
        reach = max(abs(standing.low), abs(standing.high))
        if (farthest * width + reach + 1) * PLACES >= MOST:
            words.append(np.zeros(count, np.int64))
            farthest = 0
        if (reach + 1) * PLACES >= MOST:
            raise Unsayable("numbers that are too large", None)
        words[-1] *= width
        words[-1] += standing.values
        farthest = farthest * width + reach
    return words


MOST_AT_ONCE = PLACES // 2


@dataclass(frozen=True, slots=True)
class Chosen:
    """For each turn the place of its choice among all candidates, NOBODY or DOUBT; `cells` are the columns of
    the candidates' fields."""

    places: Array
    cells: Mapping[str, Cells]


@dataclass(frozen=True, slots=True)
class Choice:
    """`answers` are the answer's keys and the fields of the chosen one that they hold. `some`: a turn without
    candidates is no sound one."""

    scale: Scale
    record: Record
    field: str
    answers: tuple[tuple[str, str], ...]
    some: bool


class ChoiceEngine:
    name = "columns"

    def __init__(self, choice: Choice, uses: Uses, model: Ruleset, module: ModuleType) -> None:
        self.choice = choice
        self._rules = module.RULES
        self._numbered = {
            v.name: {label.id: number for number, label in enumerate(v.names)}
            for v in model.vocabularies
            if v.root == v.name
        }
        self._bound = {
            record.this.number for record in model.records if record.name == choice.record.name
        } | {choice.scale.item.number}
        self._axes = {
            field.name: axis_at((choice.field, field.name), uses, self._rules, self._sound_at(field.name))
            for field in choice.record.stored
        }

    def unfit(self) -> Why | None:
        """Why its scale cannot be worked out, whatever the candidates are."""
        import numpy as np

        nothing = np.zeros(0, np.int64)
        cells: dict[str, Cells] = {}
        names: dict[str, Array] = {}
        for field in self.choice.record.fields:
            match plain(field.type):
                case VocabularyType():
                    names[field.name] = nothing
                case BooleanType():
                    cells[field.name] = Truth(nothing.astype(bool))
                case NumberType():
                    cells[field.name] = Whole(nothing)
        items = Items(self.choice.record, cells, names, self._numbered, frozenset(self._bound), {})
        stored = {field.name for field in self.choice.record.stored}
        for _, name in self.choice.answers:
            if name not in stored or not isinstance(self._axes[name], Axis):
                return Why(f"`{name}` is no plain field of a candidate", self.choice.scale.heading.where)
        return says(self.choice.scale, items)

    def answer(self, column: Any) -> Chosen:
        """Of an Arrow column of lists of structs."""
        import numpy as np
        import pyarrow as pa

        lists = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        offsets = lists.offsets.to_numpy().astype(np.int64)
        items = lists.values.slice(offsets[0], offsets[-1] - offsets[0])
        offsets -= offsets[0]
        cells = {
            items.type.field(number).name: from_arrow(items.field(number))
            for number in range(items.type.num_fields)
        }
        places = self._chosen(cells, offsets)
        doubtful = self._doubtful(cells, len(items), items.type.num_fields) | _nulls(items)
        if doubtful.any():
            turns = np.searchsorted(offsets, np.flatnonzero(doubtful), side="right") - 1
            places[turns] = DOUBT
        places[_nulls(lists)] = DOUBT
        if self.choice.some:
            places[offsets[1:] == offsets[:-1]] = DOUBT
        return Chosen(places, cells)

    def _chosen(self, cells: Mapping[str, Cells], offsets: Array) -> Array:
        """Some turns at a time, so that their candidates' places are small."""
        import numpy as np

        turns = len(offsets) - 1
        places = np.full(turns, DOUBT, np.int64)
        coded = {
            name: table for name in cells if (table := self._name_numbers(name, cells[name])) is not None
        }
        start = 0
        while start < turns:
            stop = int(np.searchsorted(offsets, offsets[start] + MOST_AT_ONCE, side="right")) - 1
            stop = min(max(stop, start + 1), turns)
            low, high = int(offsets[start]), int(offsets[stop])
            if high - low <= PLACES:
                items = self._items({name: part(one, low, high) for name, one in cells.items()}, coded)
                places[start:stop] = _best(self.choice.scale, items, offsets[start : stop + 1] - low, low)
            start = stop
        return places

    def _items(self, cells: Mapping[str, Cells], coded: Mapping[str, Array]) -> Items:
        import numpy as np

        names = {
            name: np.take(table, one.codes, mode="wrap")
            for name, table in coded.items()
            if isinstance(one := cells[name], Coded)
        }
        return Items(self.choice.record, cells, names, self._numbered, frozenset(self._bound), {})

    def _name_numbers(self, name: str, cells: Cells) -> Array | None:
        """For each of a column's texts the number of the name it means; the last stands for nothing."""
        import numpy as np

        axis = self._axes.get(name)
        wanted = None if axis is None else plain(axis.type)
        if axis is None or not isinstance(cells, Coded) or not isinstance(wanted, VocabularyType):
            return None
        numbered = self._numbered[wanted.root]
        meant = [axis.meant(text) for text in cells.values]
        return np.array([*(numbered[ids[0]] if len(ids) == 1 else 0 for ids in meant), 0], np.int64)

    def answers(self, chosen: Chosen) -> dict[str, tuple[Array, Array]]:
        """The answer's keys with their values, and where there is none."""
        import numpy as np

        missing = chosen.places < 0
        if missing.all():
            return {key: (np.full(len(missing), None, object), missing) for key, _ in self.choice.answers}
        places = np.where(missing, 0, chosen.places)
        return {
            key: (self._taken(name, chosen.cells[name], places, missing), missing)
            for key, name in self.choice.answers
        }

    def _taken(self, name: str, cells: Cells, places: Array, missing: Array) -> Array:
        """A field of some candidates, as answers have it; where there is none, anything."""
        import numpy as np

        taken: Array
        match cells:
            case Whole() | Truth():
                taken = cells.values[places]
            case Coded(values=values, codes=codes):
                texts = [_as_answered(self._axes[name], text) for text in values]
                taken = np.array([*texts, None], object)[codes[places]]
            case _:
                taken = np.empty(len(places), object)
                taken[~missing] = [plain_at(cells, place) for place in places[~missing].tolist()]
        return taken

    # -- what is sound -------------------------------------------------------------------------

    def _doubtful(self, cells: Mapping[str, Cells], count: int, fields: int) -> Array:
        """The candidates that are not clearly sound: something is missing, twice there, or not what it
        should be."""
        import numpy as np

        doubtful = np.zeros(count, bool)
        if len(cells) < fields or any(name not in cells for name in self._axes):
            return ~doubtful
        for name, one in cells.items():
            axis = self._axes.get(name)
            if axis is not None:
                doubtful |= silent(one)
            doubtful |= _unsound(axis, one, count)
        return doubtful

    def _sound_at(self, name: str) -> Any:
        place = f"{self.choice.field}[0].{name}"

        def sound(value: object) -> bool:
            return bool(self._rules.is_sound(place, {self.choice.field: [{name: value}]}))

        return sound


def _as_answered(axis: Axis | None, text: str) -> str:
    """A name answers as its id."""
    if axis is None or not isinstance(plain(axis.type), VocabularyType):
        return text
    meant = axis.meant(text)
    return meant[0] if meant else text


def _best(scale: Scale, items: Items, offsets: Array, before: int) -> Array:
    import numpy as np

    try:
        found = best(scale, items, offsets[:-1], np.diff(offsets))
    except Unsayable:
        return np.full(len(offsets) - 1, DOUBT, np.int64)
    found[found >= 0] += before
    return found


def _unsound(axis: Axis | None, cells: Cells, count: int) -> Array:
    import numpy as np

    step = steps_along(axis, cells, 0, 1)
    steps = np.zeros(count, np.intp)
    if step is not None:
        step(cells, steps)
    return steps > 0


def _nulls(array: Any) -> Array:
    import numpy as np

    if array.null_count == 0:
        return np.zeros(len(array), bool)
    nulls: Array = array.is_null().to_numpy(zero_copy_only=False)
    return nulls


# -- which asks --------------------------------------------------------------------------------


def choice_engine(model: Ruleset, source: str) -> ChoiceEngine | Why:
    """The engine of the main ask, or why it is no such choice."""
    if not model.open_asks:
        return Why("the workbook has no ask")
    choice = _choice(model, model.open_asks[0])
    if isinstance(choice, Why):
        return choice
    survey = Survey(model)
    survey.declare((choice.field,), choice.record, ())
    uses = survey.uses()
    if isinstance(uses, Why):
        return uses
    engine = ChoiceEngine(choice, uses, model, load_source(source, model.name))
    return engine.unfit() or engine


def _choice(model: Ruleset, ask: Ask) -> Choice | Why:
    steps = {row.variable.number: row.value for row in ask.rows if isinstance(row, Step)}
    called: dict[tuple[str, str], None] = {}
    answers: list[tuple[str, str]] = []
    some = False
    for row in ask.rows:
        match row:
            case AnswerField(value=value):
                found = _field_of_choice(value, steps)
                if found is None:
                    return Why("the answer is no field of a scale's choice", row.cell)
                called[found[:2]] = None
                answers.append((row.name, found[2]))
            case Need(when=None, names=None):
                some = some or row.some
            case Step():
                pass
            case _:
                return Why("the ask does more than choose", row.where)
    if any(fixed.input == name for _, name in called for fixed in model.input.fixed):
        return Why("the place gives its candidates fields of theirs", ask.heading.where)
    concerning = [r for c in model.checks for r in c.rows if not r.asks or ask.heading.name in r.asks]
    if concerning:
        return Why("its records are checked beside their types", concerning[0].where)
    if len(called) != 1:
        return Why("the ask chooses more than once", ask.heading.where)
    return _called(model, ask, *next(iter(called)), tuple(answers), some)


def _called(
    model: Ruleset, ask: Ask, scale: str, field: str, answers: tuple[tuple[str, str], ...], some: bool
) -> Choice | Why:
    table = next(one for one in model.tables if table_name(one) == scale)
    if not isinstance(table, Scale) or len(table.parameters) != 1:
        return Why(f"`{scale}` is no scale of candidates alone", table.heading.where)
    given = next((one for one in model.input.state.fields if one.name == field), None)
    listed = None if given is None or given.allowed is not None else plain(given.type)
    item = plain(listed.item) if isinstance(listed, ListType) else None
    if not isinstance(item, RecordType) or (isinstance(listed, ListType) and listed.item != item):
        return Why(f"`{field}` is no list of records", ask.heading.where)
    record = next(one for one in model.records if one.name == item.name)
    return Choice(table, record, field, answers, some)


def _field_of_choice(value: Expression, steps: Mapping[int, Expression]) -> tuple[str, str, str] | None:
    """The scale, the input field it is given, and the field of its choice."""
    match value:
        case Guard(operand=operand):
            return _field_of_choice(operand, steps)
        case FieldOf(of=of, name=name):
            call = _through(of, steps)
            if isinstance(call, CallTable) and len(call.arguments) == 1:
                given = _through(call.arguments[0], steps)
                if isinstance(given, InputField):
                    return call.table, given.name, name
    return None


def _through(node: Expression, steps: Mapping[int, Expression]) -> Expression:
    """What guards and steps hand on."""
    match node:
        case Guard(operand=operand):
            return _through(operand, steps)
        case Read(variable=variable) if variable.number in steps:
            return _through(steps[variable.number], steps)
        case _:
            return node


# -- expressions in whole numbers -------------------------------------------------------------------
# Expressions over the fields of an item, for many items at once: whole numbers with a common scale, truths.
#
# Whatever cannot be said in 64 bits and exactly is `Unsayable`: then the items are looked at one by one.

FARTHEST = 1 << 62
MOST_DECIMALS = 6
SURE_BINARY = 10**15
"""Below it a decimal of fifteen digits and its binary fraction tell each other."""


class Unsayable(Exception):
    def __init__(self, reason: str, where: Location | CellRef | None) -> None:
        super().__init__(reason)
        self.why = Why(reason, where)


@dataclass(frozen=True, slots=True)
class Numbers:
    """`values` (an array, or one for all) over ten to the `decimals`, from `low` to `high`."""

    values: Any
    decimals: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Items:
    """What terms read: an item's fields as columns; of names their numbers in their vocabulary, as `numbered`
    has them too. `variables` stand for the item, `bound` are those that stand for expressions over it."""

    record: Record
    cells: Mapping[str, Cells]
    names: Mapping[str, Array]
    numbered: Mapping[str, Mapping[str, int]]
    variables: frozenset[int]
    bound: Mapping[int, Expression]

    def where(self, variable: int, value: Expression) -> Items:
        return replace(self, bound={**self.bound, variable: value})


def numbers(node: Expression, items: Items) -> Numbers:
    """FEEL's numbers; a null is no matter here: who asks leaves out items with one."""
    match node:
        case Constant(value=bool()):
            raise Unsayable("this is no number", node.where)
        case Constant(value=int(value)):
            return Numbers(value, 0, value, value)
        case Constant(value=Decimal() as value):
            return _decimal(value, node.where)
        case Guard(operand=operand):
            return numbers(operand, items)
        case Read(variable=variable) if variable.number in items.bound:
            return numbers(items.bound[variable.number], items)
        case FieldOf(of=Read(variable=variable), name=name) if variable.number in items.variables:
            return _field_numbers(name, node, items)
        case Negation(operand=operand):
            of = numbers(operand, items)
            return Numbers(-of.values, of.decimals, -of.high, -of.low)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            one, other = _alike(numbers(then, items), numbers(otherwise, items))
            values = either(truths(condition, items), one.values, other.values)
            return _within(values, one.decimals, min(one.low, other.low), max(one.high, other.high), node)
        case Arithmetic(operator="+" | "-" | "*" as operator, left=left, right=right):
            return _worked_out(operator, numbers(left, items), numbers(right, items), node)
        case _:
            raise Unsayable("this is worked out item by item", node.where)


def truths(node: Expression, items: Items) -> Any:
    """An array of truths, or one for all."""
    match node:
        case Constant(value=bool(value)):
            return value
        case Guard(operand=operand):
            return truths(operand, items)
        case Read(variable=variable) if variable.number in items.bound:
            return truths(items.bound[variable.number], items)
        case FieldOf(of=Read(variable=variable), name=name) if variable.number in items.variables:
            return _field_truths(name, node, items)
        case Not(operand=operand):
            return _not(truths(operand, items))
        case Logic(operator=operator, left=left, right=right):
            one, other = truths(left, items), truths(right, items)
            return one & other if operator == "and" else one | other
        case Comparison(operator=operator, left=left, right=right):
            return _compared(operator, left, right, items)
        case Matches(value=value, subject=subject, tests=tests):
            return passing(tests, value, items.where(subject.number, value))
        case _:
            raise Unsayable("this is worked out item by item", node.where)


def passing(tests: tuple[Test, ...], value: Expression, items: Items) -> Any:
    """Whether one of the tests holds; without tests, any value."""
    if not tests:
        return True
    return reduce(lambda one, other: one | other, (_test_passes(test, value, items) for test in tests))


def _test_passes(test: Test, value: Expression, items: Items) -> Any:
    match test:
        case EqualTo(value=other):
            return _compared("=", value, other, items)
        case Compared(operator=operator, value=other):
            return _compared(operator, value, other, items)
        case InList(list=MakeList(items=others)):
            found: Any = False
            for other in others:
                found = found | _compared("=", value, other, items)
            return found
        case Within(low=low, high=high, low_included=from_low, high_included=to_high):
            above = True if low is None else _compared(">=" if from_low else ">", value, low, items)
            below = True if high is None else _compared("<=" if to_high else "<", value, high, items)
            return above & below
        case NoneOf(tests=tests):
            return _not(passing(tests, value, items))
        case _:
            raise Unsayable("this is worked out item by item", test.where)


def names(node: Expression, items: Items) -> Array | None:
    """The numbers of names in their vocabulary; None where the node is no item's name."""
    match node:
        case Guard(operand=operand):
            return names(operand, items)
        case Read(variable=variable) if variable.number in items.bound:
            return names(items.bound[variable.number], items)
        case FieldOf(of=Read(variable=variable), name=name) if variable.number in items.variables:
            field = field_of(items.record, name)
            return items.names.get(name) if field.computed is None else names(field.computed, items)
        case _:
            return None


def field_of(record: Record, name: str) -> Field:
    return next(field for field in record.fields if field.name == name)


# -- fields ------------------------------------------------------------------------------------


def _field_numbers(name: str, node: Expression, items: Items) -> Numbers:
    field = field_of(items.record, name)
    if field.computed is not None:
        return numbers(field.computed, items)
    cells = items.cells.get(name)
    if isinstance(plain(field.type), NumberType):
        if isinstance(cells, Whole):
            return _whole(cells.values)
        if isinstance(cells, Binary):
            return _scaled(cells.values, node)
    raise Unsayable(f"`{name}` is no column of numbers", node.where)


def _field_truths(name: str, node: Expression, items: Items) -> Any:
    field = field_of(items.record, name)
    if field.computed is not None:
        return truths(field.computed, items)
    cells = items.cells.get(name)
    if isinstance(plain(field.type), BooleanType) and isinstance(cells, Truth):
        return cells.values
    raise Unsayable(f"`{name}` is no column of truths", node.where)


def _whole(values: Array) -> Numbers:
    import numpy as np

    if not len(values):
        return Numbers(values.astype(np.int64), 0, 0, 0)
    return Numbers(values.astype(np.int64), 0, int(values.min()), int(values.max()))


def _scaled(values: Array, node: Expression) -> Numbers:
    """Binary fractions as the decimals they are meant to be, if few digits say all of them."""
    import numpy as np

    if not np.isfinite(values).all():
        raise Unsayable("there are values that are no numbers", node.where)
    wide = values.astype(np.float64, copy=False)
    for decimals in range(MOST_DECIMALS + 1):
        scaled = np.rint(wide * 10.0**decimals)
        if not len(scaled) or (
            np.array_equal(scaled / 10.0**decimals, wide) and np.abs(scaled).max() < SURE_BINARY
        ):
            whole = _whole(scaled)
            return Numbers(whole.values, decimals, whole.low, whole.high)
    raise Unsayable("there are numbers with many digits", node.where)


def _decimal(value: Decimal, where: Location) -> Numbers:
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or not -MOST_DECIMALS <= exponent <= 0 or len(digits) > 15:
        raise Unsayable("a number with many digits", where)
    scaled = int(value.scaleb(-exponent))
    return Numbers(scaled, -exponent, scaled, scaled)


# -- operations --------------------------------------------------------------------------------


def _alike(one: Numbers, other: Numbers) -> tuple[Numbers, Numbers]:
    """With the same decimals."""
    decimals = max(one.decimals, other.decimals)
    return _shifted(one, decimals), _shifted(other, decimals)


def _shifted(of: Numbers, decimals: int) -> Numbers:
    by = 10 ** (decimals - of.decimals)
    if max(abs(of.low), abs(of.high)) * by > FARTHEST:
        raise Unsayable("numbers that are too large", None)
    return of if by == 1 else Numbers(of.values * by, decimals, of.low * by, of.high * by)


def _within(values: Any, decimals: int, low: int, high: int, node: Expression) -> Numbers:
    if max(abs(low), abs(high)) > FARTHEST:
        raise Unsayable("numbers that are too large", node.where)
    return Numbers(values, decimals, low, high)


def _worked_out(operator: str, left: Numbers, right: Numbers, node: Expression) -> Numbers:
    if operator == "*":
        ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        _within(0, 0, min(ends), max(ends), node)
        return Numbers(left.values * right.values, left.decimals + right.decimals, min(ends), max(ends))
    one, other = _alike(left, right)
    if operator == "-":
        other = Numbers(-other.values, other.decimals, -other.high, -other.low)
    low, high = one.low + other.low, one.high + other.high
    _within(0, 0, low, high, node)
    return Numbers(one.values + other.values, one.decimals, low, high)


def _compared(operator: str, left: Expression, right: Expression, items: Items) -> Any:
    named = names(left, items)
    if named is not None:
        return _same_name(operator, named, right, items)
    if isinstance(plain(left.type), BooleanType):
        same = truths(left, items) == truths(right, items)
        return same if operator == "=" else _not(same)
    one, other = _alike(numbers(left, items), numbers(right, items))
    return _ORDERS[operator](one.values, other.values)


def _same_name(operator: str, named: Array, right: Expression, items: Items) -> Any:
    if operator not in ("=", "!=") or not isinstance(right, NameOf):
        raise Unsayable("this is worked out item by item", right.where)
    same = named == items.numbered[right.vocabulary][right.id]
    return same if operator == "=" else ~same


def either(condition: Any, one: Any, other: Any) -> Any:
    """Of whole numbers. Without a branch, where a processor would guess wrongly half of the time: numpy's own
    `where` takes three times as long."""
    import numpy as np

    if isinstance(condition, bool):
        return one if condition else other
    return other ^ ((one ^ other) & -condition.astype(np.int64))


_ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
