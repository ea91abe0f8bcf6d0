"""A gap as the row that would close it: cells in the order of the sheet, spelled as its table spells them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import product
from operator import contains

from dtables.digits import whole_in
from dtables.feel.types import (
    DAYS_DURATION,
    TEXT,
    YEARS_DURATION,
    BooleanType,
    Type,
    VocabularyType,
    describe,
    plain,
)
from dtables.feel.values import Value, as_plain
from dtables.model.expressions import EqualTo, InList, MakeList, MakeRange, Test
from dtables.model.grid import Box
from dtables.model.regions import Bits, Region, known_value
from dtables.model.tables import Decision, Policy, Subject
from dtables.verifier.columns import DecisionPlan, GridColumn, Opaque, PossibleValues, path_text
from dtables.verifier.words import span_text

MOST_ROWS = 10
_FUNCTION = re.compile(r"\b(date|time|duration)\(")
_PLAIN_WORDS = re.compile(r"[^\W\d][\w ]*")

Cells = Mapping[int, tuple[str, ...]]
"""Of condition columns what their cells have to say, all of it; one that says nothing is any value."""


@dataclass
class RowsToAdd:
    """Their outcomes are not said. They are numbered one after another, as if all were added."""

    plan: DecisionPlan
    values: PossibleValues
    _added: int = 0

    def __post_init__(self) -> None:
        self._spelling = _Spelling(self.plan.decision, self.values)

    def closing(self, box: Box) -> tuple[str, ...]:
        """Nothing where no cells can say it."""
        plan = self.plan
        rows: list[Cells] = [{}]
        for column, bits in zip(plan.columns, box, strict=True):
            if bits != column.full:
                needed = _rows_for(plan, column, bits, self._spelling)
                if needed is None and plan.decision.policy is not Policy.FIRST:
                    return ()
                # A row that comes last may take more: those before it have it already.
                rows = [_both(*both) for both in product(rows, needed or [{}])]
        if len(rows) > MOST_ROWS:
            return ()
        self._added += len(rows)
        first = self._added - len(rows) + 1
        return tuple(_row(plan.decision, row, self._number(place)) for place, row in enumerate(rows, first))

    def _number(self, place: int) -> str:
        """The next one, where rows have numbers."""
        return str(self._last + place) if self._last is not None else ""

    @cached_property
    def _last(self) -> int | None:
        numbers = [whole_in(rule.number) for rule in self.plan.decision.rules]
        known = [number for number in numbers if number is not None]
        return max(known) if known and len(known) == len(numbers) else None


def _both(one: Cells, other: Cells) -> Cells:
    return {n: (*one.get(n, ()), *other.get(n, ())) for n in (*one, *other)}


def _row(decision: Decision, cells: Cells, number: str) -> str:
    heading = decision.heading.where
    first, last = heading.cell.column, (heading.last or heading.cell).column
    by_column = {first: number, **{column.where.column: "" for column in decision.outcomes}}
    by_column |= {s.where.column: _cell(s, cells.get(n, ())) for n, s in enumerate(decision.subjects)}
    return "\t".join(by_column.get(n, "") for n in range(first, last + 1))


def _cell(subject: Subject, tests: Sequence[str]) -> str:
    """Several tests are conditions of the value that stands for `?`."""
    if not tests:
        return "-"
    if len(tests) == 1 or subject.value is None:
        return " and ".join(tests)
    return " and ".join(one if "?" in one else _condition("?", [one]) for one in tests)


def _condition(name: str, tests: Sequence[str]) -> str:
    """Tests of a value as one condition."""
    alone = tests[0] if len(tests) == 1 else ""
    if alone.startswith("not(") and alone.endswith(")"):
        return f"not({_condition(name, [alone[len('not(') : -1]])})"
    if alone.startswith(("<", ">")):
        return f"{name} {alone}"
    return f"{name} in {alone}" if alone.startswith(("[", "(")) else f"{name} in ({', '.join(tests)})"


# -- a column of the grid as cells -------------------------------------------------------------


def _rows_for(plan: DecisionPlan, column: GridColumn, bits: Bits, spelling: _Spelling) -> list[Cells] | None:
    """The rows that together take these values of one column."""
    subjects = plan.decision.subjects
    looked, expression = column.looked, column.expression
    for n, subject in enumerate(subjects):
        if subject.value is not None and subject.value == expression:
            return [{n: (", ".join(_tests(n, column, bits, spelling)),)}]
    conditions = [n for n, subject in enumerate(subjects) if subject.value is None]
    if isinstance(looked, tuple):
        return _opaque(plan, looked, column.listed(column.region(bits)) == [True])
    if conditions and looked not in plan.joined:
        return _whole_condition(plan, conditions[0], column, bits, spelling)
    return _fields(plan, column, bits, spelling)


def _opaque(plan: DecisionPlan, looked: Opaque, yes: bool) -> list[Cells] | None:
    """A cell that says more than constants, said again or denied."""
    for (row, n), other in plan.opaque:
        if other == looked:
            written = plan.decision.rules[row].conditions[n].written
            return [{n: (written if yes else f"not({written})",)}]
    return None


def _whole_condition(
    plan: DecisionPlan, n: int, column: GridColumn, bits: Bits, spelling: _Spelling
) -> list[Cells] | None:
    """In a column without a name cells are whole conditions."""
    name = _as_written(plan.decision, column)
    if name is None:
        return None
    truth = column.listed(column.region(bits)) if isinstance(plain(column.type), BooleanType) else None
    if truth in ([True], [False]):
        return [{n: (name if truth == [True] else f"not({name})",)}]
    return [{n: (_condition(name, _tests(None, column, bits, spelling)),)}]


def _as_written(decision: Decision, column: GridColumn) -> str | None:
    expression = column.expression
    if expression is None:
        return None
    span = expression.where.span
    for rule in decision.rules:
        for condition in rule.conditions:
            if span and condition.cell == expression.where.cell:
                return path_text(expression) or condition.written[span.start : span.end] or None
    return path_text(expression) or None


def _fields(plan: DecisionPlan, column: GridColumn, bits: Bits, spelling: _Spelling) -> list[Cells] | None:
    """The column is a row of data of which the sheet tests fields: each combination of what they hold."""
    fields: list[tuple[int, Type, Mapping[Value, Value]]] = []
    for n, subject in enumerate(plan.decision.subjects):
        if subject.value is None or subject.value not in plan.joined:
            continue
        found = spelling.values.cells(subject.value)
        if found is not None and found[0] == column.expression:
            fields.append((n, subject.value.type, found[1]))
    if not fields:
        return None
    there = column.region(bits)
    chosen, others = (
        [tuple(by_name[name] for _, _, by_name in fields) for name in column.listed(some) or ()]
        for some in (there, column.extent - there)
    )
    if any(one in chosen for one in others):
        return None
    together = [list(dict.fromkeys(values_)) for values_ in zip(*chosen, strict=True)]
    if not any(all(map(contains, together, one)) for one in others):
        ways = [together]
    else:
        ways = [[[value] for value in one] for one in dict.fromkeys(chosen)]
    return [
        {n: (", ".join(spelling.of(n, type_, way)),) for (n, type_, _), way in zip(fields, some, strict=True)}
        for some in ways
    ]


# -- values as they are typed ------------------------------------------------------------------


def _tests(n: int | None, column: GridColumn, bits: Bits, spelling: _Spelling) -> list[str]:
    """Unary tests that exactly these values pass."""
    found = column.region(bits)
    there, everything = Region(found.spans), Region(column.extent.spans)
    if there and there == everything:
        return ["not(null)"]
    chosen, others = (None, None) if column.ordered else map(column.listed, (found, column.extent - found))
    if others and (chosen is None or 3 * len(others) < len(chosen)):
        return [f"not({', '.join(spelling.of(n, column.type, others))})"]
    if chosen is not None:
        return spelling.of(n, column.type, chosen)
    moment = spelling.moments(n)
    spans = [
        span_text(column, span, lambda value: _literal(value, column.type, moment)) for span in there.spans
    ]
    return [*spans, *(["null"] if found.null else [])]


def _literal(value: Value, type_: Type, moment: str) -> str:
    text = str(as_plain(value))
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | Decimal):
        return text
    function = "duration" if plain(type_) in (DAYS_DURATION, YEARS_DURATION) else describe(plain(type_))
    return f'@"{text}"' if moment == "@" else f'{function}("{text}")'


@dataclass(frozen=True)
class _Spelling:
    """How a decision's own cells spell values. A column's cells are looked through once."""

    decision: Decision
    values: PossibleValues
    _names: dict[int, dict[Value, str]] = field(default_factory=dict)
    _moments: dict[int | None, str] = field(default_factory=dict)

    def of(self, n: int | None, type_: Type, chosen: Iterable[Value]) -> list[str]:
        """Single values as the column's own cells spell them, if any do."""
        known = {} if n is None else self._in_cells(n)
        words = _labels(type_, known, self.values)
        return [known.get(value) or words.get(value) or _written(value, type_) for value in chosen]

    def _in_cells(self, n: int) -> dict[Value, str]:
        if n not in self._names:
            self._names[n] = _spellings(self.decision, n)
        return self._names[n]

    def moments(self, n: int | None) -> str:
        """How cells write dates and times: with a sign, or with a function, which is the type's own word."""
        if n not in self._moments:
            written = [rule.conditions[n].written for rule in self.decision.rules] if n is not None else []
            self._moments[n] = "(" if any(_FUNCTION.search(one) for one in written) else "@"
        return self._moments[n]


def _written(value: Value, type_: Type) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "yes" if value else "no"
        case str() if plain(type_) == TEXT:
            return json.dumps(value, ensure_ascii=False)
        case str():
            return value
        case _:
            return _literal(value, type_, "@")


def _spellings(decision: Decision, n: int) -> dict[Value, str]:
    """How the cells of a column write single values."""
    found: dict[Value, str] = {}
    for rule in decision.rules:
        condition = rule.conditions[n]
        items, pieces = list(_items(condition.tests)), condition.written.split(",")
        if len(items) == len(pieces):
            for item, piece in zip(items, pieces, strict=True):
                if item is not None and isinstance(item[0], bool | str):
                    found.setdefault(item[0], piece.strip())
    return found


def _items(tests: Iterable[Test]) -> Iterator[tuple[Value] | None]:
    """The single values of a cell, and None for all else that stands in it."""
    for test in tests:
        match test:
            case EqualTo(value=value):
                yield known_value(value)
            case InList(list=MakeList(items=items)):
                yield from (None if isinstance(item, MakeRange) else known_value(item) for item in items)
            case _:
                yield None


def _labels(type_: Type, known: Mapping[Value, str], values: PossibleValues) -> dict[Value, str]:
    """Of names that no cell writes the labels in the language that the others are written in."""
    kind = plain(type_)
    vocabulary = values.index.vocabularies.get(kind.name) if isinstance(kind, VocabularyType) else None
    if vocabulary is None:
        return {}
    words = {label.id: dict(label.words) for label in vocabulary.names}
    spelled = Counter(word.casefold() for label in vocabulary.names for word in {*label.written})
    languages = [
        language
        for id_, text in known.items()
        for language, word in words.get(str(id_), {}).items()
        if text != id_ and word.casefold() == text.casefold()
    ]
    if not languages:
        return {}
    found = {id_: by_language.get(languages[0], "") for id_, by_language in words.items()}
    return {
        id_: word
        for id_, word in found.items()
        if _PLAIN_WORDS.fullmatch(word) and spelled[word.casefold()] == 1
    }
