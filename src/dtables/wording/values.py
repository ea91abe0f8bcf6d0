"""Values as a person would write them, in one language: numbers, names, lists, records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import islice
from typing import Protocol

from dtables import failures
from dtables.feel.types import (
    ContextType,
    DateTimeType,
    DateType,
    DaysDurationType,
    MapType,
    RecordType,
    TimeType,
    Type,
    YearsDurationType,
    item_type,
    plain,
    vocabulary_of,
)
from dtables.feel.values import (
    Date,
    DateTime,
    DaysDuration,
    FeelError,
    Fields,
    Range,
    Row,
    Time,
    Value,
    YearsDuration,
    offset_text,
    parse_temporal,
)
from dtables.wording.labels import Labels
from dtables.wording.phrases import FOR_PROGRAMS, Phrases

ENTRY = {"key", "value"}
"""What `context` makes contexts of: of no interest but for what they hold."""
OPEN = "any_of"
"""Under this name an answer has what fields may come to."""
MOST_NAMES = 2
MOST_DIGITS = 34
SECOND = 10**9
"""In nanoseconds."""
TEMPORAL = (DateType, TimeType, DateTimeType, DaysDurationType, YearsDurationType)


class TypedValue(Protocol):
    """A value with its static type."""

    @property
    def value(self) -> Value:
        """The value itself."""

    @property
    def type(self) -> Type:
        """Its static type."""


def number_in(phrases: Phrases, value: int | Decimal) -> str:
    """A number in a language: `−2,5`. One with more zeros than digits stays as it is computed with."""
    text = failures.named(value)
    if isinstance(value, Decimal) and "E" in text and abs(value.adjusted()) <= MOST_DIGITS:
        text = format(value, "f")
    return text.replace("-", phrases.minus).replace(".", phrases.decimal_mark)


def numbers_in(phrases: Phrases, low: int, high: int) -> str:
    """All numbers from one to another: `3`, `3–5`."""
    first, last = number_in(phrases, low), number_in(phrases, high)
    return first if low == high else phrases.interval(first, last)


def plain_word(phrases: Phrases, value: Value) -> str | None:
    """What needs no type to be put into words: a number, yes and no, nothing, a date; else None."""
    match value:
        case None:
            return phrases.nothing
        case bool():
            return phrases.yes if value else phrases.no
        case int() | Decimal():
            return number_in(phrases, value)
        case Date() | Time() | DateTime() | DaysDuration() | YearsDuration():
            return moment_in(phrases, value) if phrases is not FOR_PROGRAMS else str(value)
        case Range():
            return _range_in(phrases, value)
        case _:
            return None


def _range_in(phrases: Phrases, value: Range) -> str:
    """An end that needs a type to be put into words stands as programs write it."""
    low, high = (
        None if end is None else plain_word(phrases, end) or str(end) for end in (value.low, value.high)
    )
    return phrases.between(low, high, value.low_included, value.high_included)


# -- dates and durations -----------------------------------------------------------------------------


def moment_in(phrases: Phrases, value: Date | Time | DateTime | DaysDuration | YearsDuration) -> str:
    """`30 giugno 2026`, `10:30`, `30 June 2026 at 10:30`, `2 years and 3 months`."""
    match value:
        case Date(year=year, month=month, day=day):
            return phrases.date(str(day), month, number_in(phrases, year))
        case Time():
            return _time_in(phrases, value)
        case DateTime(date=date, time=time):
            return phrases.moment(moment_in(phrases, date), _time_in(phrases, time))
        case DaysDuration(nanos=nanos):
            return _duration_in(phrases, _days_of(abs(nanos)), nanos < 0)
        case YearsDuration(months=months):
            years, rest = divmod(abs(months), 12)
            return _duration_in(phrases, {"year": years, "month": rest}, months < 0)


def _time_in(phrases: Phrases, time: Time) -> str:
    """Seconds only where there are any."""
    text = f"{time.hour:02d}:{time.minute:02d}"
    if time.second or time.nanos:
        fraction = f"{time.nanos:09d}".rstrip("0")
        text += f":{time.second:02d}" + (phrases.decimal_mark + fraction if fraction else "")
    if time.zone is not None:
        return f"{text} ({time.zone})"
    if time.offset is None:
        return text
    offset = "" if time.offset == 0 else offset_text(time.offset).replace("-", phrases.minus)
    return f"{text} UTC{offset}"


def _days_of(nanos: int) -> dict[str, int | Decimal]:
    minutes, rest = divmod(nanos, 60 * SECOND)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    seconds, fraction = divmod(rest, SECOND)
    exact = seconds + Decimal(fraction).scaleb(-9).normalize() if fraction else seconds
    return {"day": days, "hour": hours, "minute": minutes, "second": exact}


def _duration_in(phrases: Phrases, amounts: Mapping[str, int | Decimal], negative: bool) -> str:
    """Without what there is none of; of a length of nothing the smallest unit."""
    there = [unit for unit, amount in amounts.items() if amount] or list(amounts)[-1:]
    parts = [phrases.amount(number_in(phrases, amounts[unit]), unit) for unit in there]
    text = phrases.joined("and", *parts)
    if not negative:
        return text
    return phrases.minus + (f"({text})" if len(parts) > 1 else text)


class Values:
    """Of one explanation or page: it remembers what records are called."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.phrases = labels.phrases
        self._kinds = labels.kinds
        self._records: dict[Fields, str] = {}
        self._names: dict[Fields, list[str]] = {}

    def value(self, shown: TypedValue) -> str:
        """Put a value into words by its type."""
        return self.text(shown.value, shown.type)

    def values(self, shown: Iterable[TypedValue]) -> str:
        """Put values into words as one list; what would read alike is distinguished."""
        return self.phrases.listed(self.apart(shown))

    def apart(self, shown: Iterable[TypedValue]) -> list[str]:
        """Each value in words; what would read alike gets a number to distinguish it, if it has one."""
        return self._apart([(one.value, one.type) for one in shown])

    def brief(self, shown: TypedValue) -> str:
        """A record by its names alone."""
        match shown.value:
            case Row():
                return self.value(shown)
            case Fields() as record:
                names = "" if record.record_type in self._kinds.alike else " ".join(self._names_in(record))
                return names or self._record(record)
            case _:
                return self.value(shown)

    def called(self, name: str, arguments: Iterable[tuple[str, TypedValue]]) -> str:
        """A name with what it was called with. Values that have names need no more, other values are
        named by their parameter; null, no, and what is too long to be quoted in between are left out."""
        given = dict(arguments)
        texts = {
            parameter: self.brief(shown)
            for parameter, shown in given.items()
            if not (isinstance(shown.value, (dict, list)) or shown.value is None or shown.value is False)
        }
        if len(texts) > 1 and not all(self._has_name(given[parameter]) for parameter in texts):
            parts = (f"{self.labels.anything(p)}: {value}" for p, value in texts.items())
            return f"{name} ({'; '.join(parts)})"
        return f"{name} ({', '.join(texts.values())})" if texts else name

    def _has_name(self, shown: TypedValue) -> bool:
        match shown.value:
            case Row():
                return True
            case Fields() as record:
                return bool(self._names_in(record))
            case _:
                return vocabulary_of(shown.type) is not None

    # -- values --------------------------------------------------------------------------------

    def text(self, value: Value, type_: Type) -> str:
        """Put a value into words by a type, which decides what a text is a name of."""
        match value:
            case str():
                vocabulary = vocabulary_of(type_)
                if vocabulary is not None:
                    return self.labels.name(vocabulary, value)
                return self._moment(value, type_) or self.labels.words((), value)
            case Row():
                return self.labels.name(value.vocabulary, value.id)
            case Fields():
                return self._record(value)
            case list():
                contexts = [self._within(item, item_type(type_)) for item in value if isinstance(item, dict)]
                return self.phrases.listed(contexts or self._apart([(v, item_type(type_)) for v in value]))
            case dict():
                return self._context(value, type_)
            case _:
                word = plain_word(self.phrases, value)
                return str(value) if word is None else word

    def _moment(self, text: str, type_: Type) -> str | None:
        """Of a date, time or duration as records and answers have it; None of any other text."""
        if not isinstance(plain(type_), TEMPORAL):
            return None
        try:
            return plain_word(self.phrases, parse_temporal(text))
        except FeelError:
            return None

    def _apart(self, every: list[tuple[Value, Type]]) -> list[str]:
        texts = [self.text(value, type_) for value, type_ in every]
        alike = {text for text, count in Counter(texts).items() if count > 1}
        return [
            self._with_number(value, text) if text in alike else text
            for (value, _), text in zip(every, texts, strict=True)
        ]

    def _context(self, context: dict[str, Value], type_: Type) -> str:
        names: dict[str, str] = {}
        match plain(type_):
            case ContextType(fields=fields):
                types = dict(fields)
                if types.keys() == ENTRY:
                    return " ".join(self._within(context[name], types[name]) for name in ("key", "value"))
            case MapType(key=key, value=of):
                types = dict.fromkeys(context, of)
                names = {id: self.labels.name(key.root, id) for id in context}
            case RecordType(name=name):
                types = self._kinds.fields.get(name, {})
            case other:
                types = dict.fromkeys(context, other)
        still_open = context.get(OPEN)
        parts = [
            f"{names.get(name) or self.labels.anything(name)} {self._within(value, types.get(name, type_))}"
            for name, value in context.items()
            if value is not None and not (name == OPEN and isinstance(value, dict))
        ]
        if isinstance(still_open, dict):
            parts += self._still_open(still_open, types.get(OPEN, type_))
        return "; ".join(parts) or self.phrases.nothing

    def _still_open(self, fields: dict[str, Value], type_: Type) -> Iterator[str]:
        """Fields of another ask's answer that a draw will decide."""
        of = plain(type_)
        types = dict(of.fields) if isinstance(of, ContextType) else {}
        for name, value in fields.items():
            said = self._within(value, types.get(name, type_))
            yield f"{self.labels.anything(name)} {self.phrases.phrase('one of', said)}"

    def _within(self, value: Value, type_: Type) -> str:
        text = self.text(value, type_)
        return f"({text})" if isinstance(value, dict) and value else text

    # -- records -------------------------------------------------------------------------------

    def _record(self, record: Fields) -> str:
        """By the names that stand in it; where they are few, a number helps to distinguish it. One
        without a name is what it has of anything: no need to list what it lacks."""
        text = self._records.get(record)
        if text is None:
            text = self._records[record] = self._described(record)
        return text

    def _described(self, record: Fields) -> str:
        names = self._names_in(record)
        if len(names) == MOST_NAMES and record.record_type not in self._kinds.alike:
            return " ".join(names)
        if names:
            return self._with_number(record, " ".join(names))
        others = list(self._others_in(record))
        present = [text for text, value in others if value != 0] or [text for text, _ in others[:1]]
        return self.phrases.listed(present or self._parts_of(record))

    def _parts_of(self, record: Fields) -> list[str]:
        """Of a record that holds nothing but records and lists: those."""
        types = self._kinds.fields.get(record.record_type, {})
        return [self.text(value, types[name]) for name, value in record.stored().items() if value]

    def _names_in(self, record: Fields) -> list[str]:
        """What a field holds by default does not identify the record."""
        known = self._names.get(record)
        if known is None:
            known = self._names[record] = list(islice(self._every_name_in(record), MOST_NAMES))
        return known

    def _every_name_in(self, record: Fields) -> Iterator[str]:
        types = self._kinds.fields.get(record.record_type, {})
        usual = self._kinds.usual.get(record.record_type, {})
        named = self._kinds.named_fields.get(record.record_type, frozenset())
        for name, value in record.stored().items():
            if value is None or not (name in named or isinstance(value, Row)):
                continue
            if usual.get(name) != (value.id if isinstance(value, Row) else value):
                yield self.text(value, types[name])

    def _others_in(self, record: Fields) -> Iterator[tuple[str, Value]]:
        types = self._kinds.fields.get(record.record_type, {})
        named = self._kinds.named_fields.get(record.record_type, frozenset())
        for name, value in record.stored().items():
            if _is_plain(value) and name not in named:
                label = self.labels.field(record.record_type, name)
                yield f"{label} {self.text(value, types[name])}", value

    def _with_number(self, value: Value, text: str) -> str:
        """With the first number or text that stands in a record."""
        if isinstance(value, Row) or not isinstance(value, Fields):
            return text
        first, _ = next(self._others_in(value), ("", None))
        return f"{text} ({first})" if first and first not in text else text


def _is_plain(value: Value) -> bool:
    return isinstance(value, (int, Decimal, str)) and not isinstance(value, bool)
