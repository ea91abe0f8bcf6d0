"""Asks whose answer is a scale's choice among a list of records, worked out for many turns at once.

A turn whose candidates are all sound is answered here; any other is left to the compiled module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dtables.compilers.python import load_source
from dtables.feel.types import BooleanType, ListType, NumberType, RecordType, VocabularyType, plain
from dtables.flat.axes import Axis, steps_along
from dtables.flat.choices import DOUBT, PLACES, best, says
from dtables.flat.columns import Cells, Coded, Truth, Whole, from_arrow, part, plain_at, silent
from dtables.flat.engine import axis_at
from dtables.flat.places import Uses, Why
from dtables.flat.survey import Survey
from dtables.flat.terms import Items, Unsayable
from dtables.model.expressions import CallTable, Expression, FieldOf, Guard, InputField, Read
from dtables.model.tables import AnswerField, Ask, Need, Record, Ruleset, Scale, Step, table_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

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
