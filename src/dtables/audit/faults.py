"""Why a played value is not the rules' value: where in the steps of an answer the two went apart.

From the field that differs the search follows the steps that passed the right value on, down to the table
that took it: a scale that dropped the played candidate, a filter that had removed it before, a row of a
decision that would have given it. What is found names steps of the trace; `reasons.py` puts it into words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from dtables.audit.outcomes import Outcomes, Path
from dtables.audit.played import Difference
from dtables.evaluator.trace import (
    Answered,
    Chosen,
    Computed,
    Decided,
    Drawn,
    Explanation,
    Filtered,
    Fired,
    Judged,
    LookedUp,
    Narrowed,
    NothingToTake,
    Reckoned,
    Shown,
    Step,
    Tried,
    all_steps,
    steps_of,
)
from dtables.explanations.attempts import items_of
from dtables.feel.types import Type, item_type, plain, vocabulary_of
from dtables.feel.values import Fields, Row, Value
from dtables.model.expressions import FieldOf, Filter, For, Guard, InputField
from dtables.model.index import Index
from dtables.model.tables import AnswerField, Rule, Ruleset
from dtables.provenance import CellRef

DEEPEST = 4
"""Records within records in which a name is looked for."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A criterion dropped the played candidate; `place` is its position."""

    step: Chosen
    place: int
    row: Narrowed


@dataclass(frozen=True, slots=True)
class Removed:
    """A filter had removed the played candidate; `chosen` is the scale that had the others, if there is one,
    `source` the formula whose list it is. `item` is what the filter looked at; None of a plain condition,
    which no step tells about."""

    filter: Filter
    cell: CellRef
    item: Judged | None
    source: Reckoned | None
    chosen: Chosen | None


@dataclass(frozen=True, slots=True)
class Absent:
    """The played value was never among the candidates of a scale."""

    step: Chosen


@dataclass(frozen=True, slots=True)
class Preceded:
    """A row of a decision stands before the one that gives the played value, and applies."""

    step: Decided
    applied: Tried
    rule: Rule


@dataclass(frozen=True, slots=True)
class Unmet:
    """The row that gives the played value does not apply: a condition failed, or there was nothing to take.
    `removed` is what kept the played candidate from it, where that is known."""

    step: Decided
    row: Tried
    applied: Tried | None
    removed: Removed | None


@dataclass(frozen=True, slots=True)
class NotTaken:
    """A step that tries one item after the other could not take the played one, and took another."""

    step: Decided
    row: Tried
    item: Judged


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A table gave the right value by a row or an entry, and nothing in it gives the played one."""

    step: Decided | LookedUp
    applied: Tried | None


@dataclass(frozen=True, slots=True)
class Worked:
    """A formula came to another value, or an ask's own field."""

    step: Reckoned | Computed | Drawn | Answered


Fault = Dropped | Removed | Absent | Preceded | Unmet | NotTaken | Elsewhere | Worked

CERTAIN = (Dropped, Removed, Preceded, Unmet, NotTaken)
"""What says why; the others only say where."""


@dataclass(frozen=True, slots=True)
class Found:
    """The field that says best why a move is not the rules' move, and the fault behind it."""

    difference: Difference
    fault: Fault


@dataclass(frozen=True)
class Faults:
    """Finds faults in answers of a ruleset."""

    model: Ruleset

    @cached_property
    def index(self) -> Index:
        return Index(self.model)

    @cached_property
    def outcomes(self) -> Outcomes:
        return Outcomes(self.model)

    def find(
        self,
        explanation: Explanation,
        differences: Iterable[Difference],
        played: Mapping[str, object],
        recorded: Recorded = lambda _sought, _field: False,
    ) -> Found | None:
        """The fault of the first field that has a certain one, in the order of the answer; else the first.
        `played` is the whole move, names by their ids: it tells which candidate is meant."""
        fields = self.index.answers[explanation.ask]
        order = {name: place for place, name in enumerate(fields)}
        meant = [Sought(fields[n], (v,), self.index) for n, v in played.items() if v is not None]
        first: Found | None = None
        for difference in sorted(differences, key=lambda one: order[one.field]):
            fault = self.fault(explanation, difference, meant, recorded)
            if isinstance(fault, CERTAIN):
                return Found(difference, fault)
            if fault is not None and first is None:
                first = Found(difference, fault)
        return first

    def fault(
        self, explanation: Explanation, difference: Difference, meant: list[Sought], recorded: Recorded
    ) -> Fault | None:
        """What is behind one field."""
        answered = _answered(explanation, difference.field)
        if answered is None:
            return None
        field = self.index.answers[explanation.ask][difference.field]
        right = difference.any_of or (difference.answered,)
        search = _Search(
            Sought(field, right, self.index),
            Sought(field, (difference.played,), self.index),
            meant,
            self.outcomes,
            recorded,
        )
        return search.along(answered)


def _answered(explanation: Explanation, name: str) -> Answered | None:
    steps = explanation.steps
    return next((step for step in steps if isinstance(step, Answered) and step.name == name), None)


# -- values that are looked for ------------------------------------------------------------------------


@dataclass(frozen=True)
class Sought:
    """Values of a field of the answer, and whether a value of a step holds one of them."""

    field: AnswerField
    values: tuple[object, ...]
    index: Index

    @cached_property
    def type(self) -> Type:
        """The type of one value, also where the answer lists what is open."""
        listed = self.field.listed
        return self.field.value.type if listed is None else item_type(listed.type)

    @cached_property
    def path(self) -> Path:
        """The fields that the answer reads of what is chosen: `move.place.card` is `place`, `card`."""
        found: list[str] = []
        node = self.field.value
        while isinstance(node, (FieldOf, Guard)):
            if isinstance(node, FieldOf):
                found.insert(0, node.name)
            node = node.operand if isinstance(node, Guard) else node.of
        return tuple(found)

    @cached_property
    def vocabulary(self) -> str | None:
        return vocabulary_of(self.type)

    def is_among(self, values: Value, type_: Type) -> bool:
        """Whether an item of a list holds one of the values."""
        return isinstance(values, list) and any(self._in(value, type_, DEEPEST) for value in values)

    def is_in(self, shown: Shown) -> bool:
        return self._in(shown.value, shown.type, DEEPEST)

    def _in(self, value: Value, type_: Type, deep: int) -> bool:
        """A name is looked for in the fields of records; any other value in a field of its own name."""
        match value:
            case Row(id=id, vocabulary=vocabulary):
                return vocabulary == self.vocabulary and id in self.values
            case str():
                return value in self.values and vocabulary_of(type_) == self.vocabulary
            case Fields() as record:
                types = self.index.fields.get(record.record_type, {})
                return deep > 0 and any(
                    self._entry(name, entry, types[name].type, deep)
                    for name, entry in record.stored().items()
                    if name in types
                )
            case dict():
                fields = dict(getattr(plain(type_), "fields", ()))
                return deep > 0 and any(
                    self._entry(name, entry, fields.get(name, type_), deep) for name, entry in value.items()
                )
            case list():
                return self._is_list(value)
            case None:
                return False
            case _:
                return any(_same(value, one) for one in self.values)

    def _entry(self, name: str, value: Value, type_: Type, deep: int) -> bool:
        if isinstance(value, (Fields, dict)) or self.vocabulary is not None:
            return not isinstance(value, list) and self._in(value, type_, deep - 1)
        return name == self.field.name and self._in(value, type_, deep - 1)

    def _is_list(self, value: list[Value]) -> bool:
        """As a whole, whatever its order."""
        ids = [item.id if isinstance(item, Row) else item for item in value]
        return any(
            isinstance(one, list) and sorted(map(str, one)) == sorted(map(str, ids)) for one in self.values
        )


def _same_plain(one: object, other: object) -> bool:
    """A truth is no number."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _same(value: Value, one: object) -> bool:
    if isinstance(value, bool) or isinstance(one, bool):
        return value is one
    return isinstance(value, (int, Decimal)) and value == one


Recorded = Callable[[Sought, str], bool]
"""Whether the record has a value somewhere in a field of its state."""
Around = tuple[tuple[Step, ...], ...]
"""What was worked out beside a step, and beside what it led to, and so on: the nearest first."""

# -- the search ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Search:
    """For one field: `right` are the rules' values, `played` is the other, `meant` the whole played move."""

    right: Sought
    played: Sought
    meant: list[Sought]
    outcomes: Outcomes
    recorded: Recorded

    def along(self, answered: Answered) -> Fault | None:
        """Go down the steps that hold the right value. What is certain counts, and otherwise the deepest."""
        weak: Fault | None = None
        met: set[Step] = set()
        waiting: list[tuple[Step, Around]] = [(answered, ())]
        while waiting:
            step, around = waiting.pop()
            if step in met:
                continue
            met.add(step)
            fault = self._of(step, around)
            if isinstance(fault, CERTAIN):
                return fault
            weak = fault if _says_more(fault, weak) else weak
            inside = steps_of(step)
            waiting.extend((one, (inside, *around)) for one in reversed(inside) if self._holds(one))
        return weak

    def _holds(self, step: Step) -> bool:
        match step:
            case Answered() | Computed() | Decided() | Chosen() | LookedUp():
                return self.right.is_in(step.result)
            case Reckoned():
                return step.name != "" and self.right.is_in(step.result)
            case Drawn(options=options, taken=taken):
                return any(map(self.right.is_in, options if taken is None else (taken,)))
            case _:
                return False

    def _of(self, step: Step, around: Around) -> Fault | None:
        match step:
            case Chosen():
                return self._scale(step, around)
            case Decided():
                return self._decision(step)
            case LookedUp():
                return Elsewhere(step, None)
            case Reckoned() | Computed() | Answered() | Drawn():
                return Worked(step)
            case _:
                return None

    # -- scales ------------------------------------------------------------------------------------

    def _scale(self, step: Chosen, around: Around) -> Fault:
        place = self._place(step)
        if place is None:
            removed = (self._removed(beside, step) for beside in around)
            return next((one for one in removed if one is not None), Absent(step))
        row = next((row for row in step.rows if place in row.dropped), None)
        return Absent(step) if row is None else Dropped(step, place, row)

    def _place(self, step: Chosen) -> int | None:
        """The played candidate; of several that look alike the one that the whole move fits best."""
        places = [p for p, candidate in enumerate(step.candidates) if self.played.is_in(candidate)]
        fits = {p: sum(one.is_in(step.candidates[p]) for one in self.meant) for p in places}
        return max(places, key=lambda p: fits[p], default=None)

    def _removed(self, beside: tuple[Step, ...], step: Chosen) -> Removed | None:
        """By the filters that made the list of candidates: those of the formulas that hold all of them, the
        shortest list first, and those beside the scale."""
        for one in beside:
            if isinstance(one, Filtered) and (item := self._dropped_item(one, [self.played])):
                return Removed(item.filter, one.cell, item, None, step)
        lists = [one for one in all_steps(beside) if isinstance(one, Reckoned) and _has_all(one, step.listed)]
        for source in sorted(lists, key=lambda one: len(one.value) if isinstance(one.value, list) else 0):
            for one in source.inside:
                if isinstance(one, Filtered) and (item := self._dropped_item(one, [self.played])):
                    return Removed(item.filter, one.cell, item, source, step)
        return self._removed_plainly(lists, step)

    def _removed_plainly(self, lists: list[Reckoned], step: Chosen) -> Removed | None:
        """By a condition that shows itself what it drops: the list lacks what it was made of has."""
        for source in lists:
            node = _filter_of(source)
            if node is None or self.played.is_among(source.value, item_type(source.result.type)):
                continue
            if isinstance(node.of, InputField) and self.recorded(self.played, node.of.name):
                return Removed(node, node.where.cell, None, source, step)
        return None

    def _dropped_item(self, filtered: Filtered, sought: list[Sought]) -> Judged | None:
        dropped = [item for item in filtered.items if not item.kept]
        return next((item for item in dropped if any(one.is_in(item.item) for one in sought)), None)

    # -- decisions ---------------------------------------------------------------------------------

    def _decision(self, step: Decided) -> Fault | None:
        rules = [rule for rule in step.decision.rules if self._gives(rule, step)]
        applied = next((row for row in step.tried if _applies(row)), None)
        if not rules:
            item = None if applied is None else self._tried_item(applied)
            if applied is None or item is None:
                return Elsewhere(step, applied)
            return NotTaken(step, applied, item)
        tried = {row.rule.where: row for row in step.tried}
        if applied is not None and step.policy.has_precedence:
            # Not reached, or it applies too and ranks lower.
            behind = [rule for rule in rules if rule.where not in tried or _applies(tried[rule.where])]
            if behind:
                return Preceded(step, applied, behind[-1])
        failed = [row for rule in rules if (row := tried.get(rule.where)) and not _applies(row)]
        if not failed:
            return Elsewhere(step, applied)
        row, removed = self._nearest(failed)
        return Unmet(step, row, applied, removed)

    def _tried_item(self, row: Tried) -> Judged | None:
        """The played name among the items that a step tried and could not take."""
        tried = items_of(row)
        if self.played.vocabulary is None or tried is None:
            return None
        return self._dropped_item(tried, [self.played])

    def _gives(self, rule: Rule, step: Decided) -> bool:
        values = self.outcomes.of(rule, step.decision, self.played.path)
        return values is not None and any(_same_plain(a, b) for a in values for b in self.played.values)

    def _nearest(self, rows: list[Tried]) -> tuple[Tried, Removed | None]:
        """Of several rows that would have given the value the one that the played move came nearest to: the
        one that had a use for what was played with it, or else one that looked for something to take."""
        others = [one for one in self.meant if one.field.name != self.played.field.name]
        for row in rows[::-1]:
            for one in all_steps(row.inside):
                if isinstance(one, Filtered) and (item := self._dropped_item(one, others)):
                    source = _source_of(one, row.inside)
                    return row, Removed(item.filter, one.cell, item, source, None)
        looked = [row for row in rows if isinstance(row.outcome, NothingToTake)]
        return (looked or rows)[-1], None


def _applies(row: Tried) -> bool:
    return isinstance(row.outcome, Fired)


def _says_more(fault: Fault | None, than: Fault | None) -> bool:
    """The deepest scale or table; a formula only where there is none."""
    if fault is None:
        return False
    return than is None or isinstance(than, Worked) or not isinstance(fault, Worked)


def _has_all(step: Reckoned, candidates: Iterable[Value]) -> bool:
    if not isinstance(step.value, list):
        return False
    held = {id(item) if isinstance(item, Fields) else str(item) for item in step.value}
    return all((id(c) if isinstance(c, Fields) else str(c)) in held for c in candidates)


def _source_of(filtered: Filtered, steps: tuple[Step, ...]) -> Reckoned | None:
    """The formula whose list a filter makes."""
    every = all_steps(steps)
    return next((one for one in every if isinstance(one, Reckoned) and filtered in one.inside), None)


def _filter_of(source: Reckoned) -> Filter | None:
    """The filter whose list a formula or step is."""
    if isinstance(source.of, For):
        return None
    node = source.worked_out
    while isinstance(node, Guard):
        node = node.operand
    return node if isinstance(node, Filter) else None
