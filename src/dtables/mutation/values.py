"""Random plain values of a type, as a record would hold them: at the borders of what the rules compare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from random import Random

from dtables.feel.types import (
    AnyType,
    BooleanType,
    ContextType,
    DateTimeType,
    DateType,
    DaysDurationType,
    ListType,
    MapType,
    NumberType,
    OptionalType,
    RecordType,
    RestrictedType,
    TextType,
    TimeType,
    Type,
    VocabularyType,
    YearsDurationType,
    may_be_null,
    plain,
)
from dtables.feel.values import Date, Plain, Value, as_plain
from dtables.model.expressions import Compared, Constant, EqualTo, Test, Within
from dtables.model.reach import nodes
from dtables.model.tables import Field, Ruleset

LONGEST = 5
DEEPEST = 4
LARGEST = 10**6
SMALL = 6
SPOILT = 0.03
"""How many values are none of their type."""
_WORDS = re.compile(r"[^\s,;>|\[\](){}\"=<+*/]+(?: [^\s,;>|\[\](){}\"=<+*/]+)*")
ANY_DATE, ANY_TIME, ANY_DURATION, ANY_MONTHS = "2026-06-15", "12:00:00", "P1D", "P1M"


@dataclass
class ValueMaker:
    """Makes values, rather those that are favoured."""

    ruleset: Ruleset
    random: Random
    favoured: frozenset[str] = frozenset()
    """Names, and numbers as they are written."""

    # -- what there is ---------------------------------------------------------------------------

    def fields(self, type_: Type, fixed: Iterable[str] = ()) -> Mapping[str, Type]:
        """What may stand in a record of this type, by name; nothing for other types."""
        match plain(type_):
            case RecordType(name=name):
                stored = self._stored.get(name, ())
                return {f.name: f.type for f in stored if f.name not in fixed}
            case ContextType(fields=fields):
                return dict(fields)
            case MapType(key=key, value=value):
                return dict.fromkeys(self.ids(key.name), OptionalType(value))
            case _:
                return {}

    def is_name(self, text: str) -> bool:
        return any(text in ids for ids in self._ids.values())

    def ids(self, vocabulary: str) -> tuple[str, ...]:
        return self._ids[vocabulary]

    @cached_property
    def _ids(self) -> dict[str, tuple[str, ...]]:
        switches = {r.values.name: r.values.ids for s in self.ruleset.switches for r in s.rules}
        return switches | {v.name: v.ids for v in self.ruleset.vocabularies}

    @cached_property
    def _stored(self) -> dict[str, tuple[Field, ...]]:
        return {r.name: r.stored for r in (*self.ruleset.records, self.ruleset.input.state)}

    @cached_property
    def fixed(self) -> dict[str, tuple[str, ...]]:
        """The fields that an input gives to the record at it."""
        found: dict[str, tuple[str, ...]] = {}
        for one in self.ruleset.input.fixed:
            found[one.input] = (*found.get(one.input, ()), one.field)
        return found

    @cached_property
    def _allowed(self) -> dict[str, tuple[Test, ...]]:
        """The tests of restricted types, and of fields as `record.field`."""
        found = {r.name: r.tests for r in self.ruleset.restrictions}
        for record, stored in self._stored.items():
            found |= {f"{record}.{f.name}": f.allowed.tests for f in stored if f.allowed is not None}
        return found

    @cached_property
    def _constants(self) -> dict[str, list[Plain]]:
        """What stands in the rules, by the kind of its type: numbers with their neighbours."""
        found: dict[str, dict[str, Plain]] = {}
        for node in nodes(self.ruleset):
            if isinstance(node, Constant) and node.value is not None:
                for value in _around(node.value):
                    found.setdefault(type(plain(node.type)).__name__, {})[repr(value)] = value
        return {kind: list(values.values()) for kind, values in found.items()}

    # -- new values ------------------------------------------------------------------------------

    def value(self, type_: Type, depth: int = 0, place: str = "") -> Plain:
        """A value of the type. `place` is the field it is for, where that allows only some."""
        match type_:
            case _ if self.random.random() < SPOILT:
                return self._spoilt(type_)
            case OptionalType(of=of):
                return None if self.random.random() < 0.2 else self.value(of, depth, place)
            case RestrictedType(name=name, of=of):
                return self._allowed_value(of, self._allowed.get(name, ()), depth)
            case _ if place in self._allowed:
                return self._allowed_value(type_, self._allowed[place], depth)
            case _:
                return self._plain(type_, depth)

    def _spoilt(self, type_: Type) -> Plain:
        """What the type does not allow, by a little: it shows where more is allowed than was, or less."""
        kind = plain(type_)
        match kind:
            case NumberType(whole=True):
                return self.random.choice((Decimal("2.5"), -1, *self._beyond(type_)))
            case VocabularyType(root=root):
                return self.random.choice(self.ids(root) or ("",))
            case _:
                return None

    def _beyond(self, type_: Type) -> Iterator[Plain]:
        """The numbers next to the borders, outside."""
        restricted = type_.of if isinstance(type_, OptionalType) else type_
        if isinstance(restricted, RestrictedType):
            borders = sorted(_numbers(self._allowed.get(restricted.name, ())))
            yield from (borders[0] - 1, borders[-1] + 1) if borders else ()

    def _plain(self, type_: Type, depth: int) -> Plain:
        random = self.random
        match type_:
            case BooleanType():
                return random.random() < 0.5
            case NumberType(whole=whole):
                return self._number(whole)
            case VocabularyType(name=name):
                return random.choice(self._favoured_of(self.ids(name)) or self.ids(name) or ("",))
            case ListType(item=item):
                length = random.choice((0, 1, 1, 2, 2, 3, random.randint(0, LONGEST)))
                return [self.value(item, depth + 1) for _ in range(0 if depth > DEEPEST else length)]
            case RecordType() | ContextType() | MapType():
                return self._record(type_, depth)
            case _:
                return self._scalar(type_)

    def _favoured_of(self, ids: tuple[str, ...]) -> list[str]:
        if not self.favoured or self.random.random() < 0.4:
            return []
        return [one for one in ids if one in self.favoured]

    def _record(self, type_: Type, depth: int) -> Plain:
        owner = plain(type_)
        name = owner.name if isinstance(owner, RecordType) else ""
        stored = {f.name: f for f in self._stored.get(name, ())}
        filled: dict[str, Plain] = {}
        for field, of in self.fields(type_).items():
            declared = stored.get(field)
            free = may_be_null(of) or (declared is not None and declared.default is not None)
            if not free or (depth <= DEEPEST and self.random.random() < 0.5):
                filled[field] = self.value(of, depth + 1, f"{name}.{field}")
        return {key: value for key, value in filled.items() if value is not None}

    def _number(self, whole: bool) -> Plain:
        known = [n for n in self._constants.get("NumberType", []) if not whole or isinstance(n, int)]
        near = self._favoured_number(known)
        if near is not None:
            return near
        return self.random.choice([*range(SMALL), *known]) if known else self.random.randint(0, 2 * SMALL)

    def _favoured_number(self, known: Iterable[Plain]) -> Plain:
        near = [n for n in known if str(n) in self.favoured] if self.favoured else []
        return self.random.choice(near) if near and self.random.random() < 0.5 else None

    def _scalar(self, type_: Type) -> Plain:
        known = self._constants.get(type(type_).__name__, [])
        match type_:
            case TextType():
                return self.random.choice([*known, "", "a", "b"])
            case DateType():
                return self.random.choice(known or [ANY_DATE])
            case TimeType():
                return self.random.choice(known or [ANY_TIME])
            case DateTimeType():
                return self.random.choice(known or [f"{ANY_DATE}T{ANY_TIME}"])
            case DaysDurationType():
                return self.random.choice(known or [ANY_DURATION])
            case YearsDurationType():
                return self.random.choice(known or [ANY_MONTHS])
            case AnyType():
                every = [v for values in self._constants.values() for v in values]
                return self.random.choice([*every, True, 0, "a"])
            case _:
                return None

    def _allowed_value(self, type_: Type, tests: tuple[Test, ...], depth: int) -> Plain:
        """Near the borders of what is allowed, or somewhere between them."""
        kind = plain(type_)
        borders = sorted(n for n in _numbers(tests) if isinstance(n, int))
        if not isinstance(kind, NumberType) or not borders:
            return self.value(type_, depth)
        low, high = borders[0], borders[-1]
        known = [n for n in self._constants.get("NumberType", []) if isinstance(n, int) and low <= n <= high]
        choices: list[Plain] = [low, high, min(low + 1, high), *known]
        near = self._favoured_number(choices)
        if near is not None:
            return near
        if self.random.random() < 0.5:
            return self.random.choice(choices)
        return self.random.randint(low, min(high, low + LARGEST) if high > low else low + SMALL)


def words_in(text: str) -> list[str]:
    """The names and numbers of a cell, near enough."""
    return _WORDS.findall(text)


def _numbers(tests: Iterable[Test]) -> Iterator[int | Decimal]:
    """The numbers that tests name; what `not` names is not allowed."""
    for test in tests:
        if isinstance(test, Compared | EqualTo | Within):
            for node in nodes(test):
                if isinstance(node, Constant) and isinstance(node.value, int | Decimal):
                    yield node.value


def _around(value: Value) -> Iterator[Plain]:
    """A constant of the rules; of a number also those beside it."""
    if isinstance(value, bool):
        return
    if isinstance(value, int | Decimal):
        if -LARGEST <= value <= LARGEST:
            yield from (value - 1, value, value + 1)
        return
    text = as_plain(value)
    yield text
    if isinstance(value, Date):
        with suppress(ValueError, OverflowError):
            day = date.fromisoformat(text)
            yield from ((day + timedelta(days)).isoformat() for days in (-1, 1))
