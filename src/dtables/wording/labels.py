"""Values and names as a person would say them, in one language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice
from typing import Protocol

from dtables import failures
from dtables.feel.types import ContextType, MapType, RecordType, Type, item_type, plain, vocabulary_of
from dtables.feel.values import Fields, Row, Value
from dtables.model.expressions import Constant, EqualTo, NameOf, Test, Variable
from dtables.model.tables import Heading, Ruleset, Words
from dtables.model.vocabularies import STARRED, in_language
from dtables.provenance import CellRef
from dtables.wording.phrases import Phrases
from dtables.wording.terms import Terms

_PATH = re.compile(r"[\w ]+(\.[\w ]+)+")
_EXPLAINED = re.compile(r"\s*[;:,(]")

ENTRY = {"key", "value"}
"""What `context` makes contexts of: of no interest but for what they say."""
MOST_LISTED = 12
MOST_NAMES = 2


class Shown(Protocol):
    """A value with its static type."""

    @property
    def value(self) -> Value: ...

    @property
    def type(self) -> Type: ...


Arguments = Iterable[tuple[str, Shown]]


@dataclass(frozen=True)
class Labels:
    """Of one explanation; `known` outlives it. `records` and `names_of` remember what records are called."""

    known: Terms
    language: str
    phrases: Phrases
    records: dict[Fields, str] = field(default_factory=dict, repr=False, compare=False)
    names_of: dict[Fields, list[str]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def ruleset(self) -> Ruleset:
        return self.known.ruleset

    def word(self, words: Words, fallback: str) -> str:
        """The wording, else the fallback. Stars that make a word bold on a page are no part of it."""
        said = in_language(words, self.language, fallback)
        return STARRED.sub(r"\1", said) if "*" in said else said

    def heading(self, heading: Heading) -> str:
        return self.word(heading.title, self.term(heading.name))

    def term(self, name: str) -> str:
        """What the glossary calls a field, a table or a step; of a path its last field."""
        return self.known.said(self._term, self.language, name)

    def _term(self, name: str) -> str:
        if name not in self.known.words and _PATH.fullmatch(name):
            name = name if (last := name.rpartition(".")[2]) not in self.known.words else last
        return self.word(self.known.words.get(name, ()), name)

    def short(self, name: str) -> str:
        """A name as it stands in the middle of a sentence: without what explains it."""
        return _EXPLAINED.split(name, maxsplit=1)[0] or name

    def is_table(self, name: str) -> bool:
        return name in self.known.titles

    def table(self, name: str) -> str:
        return self.known.said(self._table, self.language, name)

    def _table(self, name: str) -> str:
        return self.word(self.known.titles.get(name, ()), self.term(name))

    def variable(self, variable: Variable) -> str:
        """A step by its wording, a parameter by what the workbook calls it; nothing for an item or what a
        loop binds."""
        if variable.number in self.known.parameters:
            return self.word(self.known.words.get(variable.name, ()), "")
        known = self.known.steps.get(variable.number)
        return "" if known is None else self.word(known, self.term(variable.name))

    def called(self, name: str, arguments: Arguments) -> str:
        """A name with what it was called with. Things that have names say themselves, other values are
        named by their parameter; null, no, and what is too long to be said in between are left out."""
        given = dict(arguments)
        said = {
            parameter: self.brief(shown)
            for parameter, shown in given.items()
            if not (isinstance(shown.value, (dict, list)) or shown.value is None or shown.value is False)
        }
        if len(said) > 1 and not all(self._has_name(given[parameter]) for parameter in said):
            return f"{name} ({'; '.join(f'{self.term(p)}: {value}' for p, value in said.items())})"
        return f"{name} ({', '.join(said.values())})" if said else name

    def brief(self, shown: Shown) -> str:
        """A record by its names alone."""
        match shown.value:
            case Fields() as record if not isinstance(record, Row):
                names = "" if record.record_type in self.known.alike else " ".join(self._names_in(record))
                return names or self._record(record)
            case _:
                return self.value(shown)

    def _has_name(self, shown: Shown) -> bool:
        match shown.value:
            case Fields() as record if not isinstance(record, Row):
                return bool(self._names_in(record))
            case value:
                return _is_name(value, shown.type)

    def cell(self, cell: CellRef) -> str:
        return self.known.place(cell)

    def listed(self, parts: Iterable[str]) -> str:
        """`a, b and c`; of a long list the beginning."""
        every = list(parts)
        if len(every) > MOST_LISTED:
            return ", ".join([*every[:MOST_LISTED], "…"])
        if len(every) < 2:
            return every[0] if every else self.phrases.none
        return f"{', '.join(every[:-1])} {self.phrases.and_} {every[-1]}"

    def values(self, shown: Iterable[Shown]) -> str:
        return self.listed(self.apart(shown))

    def apart(self, shown: Iterable[Shown]) -> list[str]:
        """Each value in words; what would read alike gets a number that tells it apart, if it has one."""
        return self._apart([(one.value, one.type) for one in shown])

    def _apart(self, every: list[tuple[Value, Type]]) -> list[str]:
        said = [self._say(value, type_) for value, type_ in every]
        alike = {text for text, count in Counter(said).items() if count > 1}
        return [
            self._with_number(value, text) if text in alike else text
            for (value, _), text in zip(every, said, strict=True)
        ]

    def value(self, shown: Shown) -> str:
        return self._say(shown.value, shown.type)

    def wanted(self, tests: tuple[Test, ...], written: str) -> str:
        """Names by their labels; whatever is no plain list of names as it is written."""
        return self.names(tests) or written

    def names(self, tests: tuple[Test, ...]) -> str:
        """What a plain list of names wants; else nothing."""
        said = []
        for test in tests:
            match test:
                case EqualTo(value=NameOf(vocabulary=vocabulary, id=id)):
                    said.append(self._name(vocabulary, id))
                case EqualTo(value=Constant(value=bool() as value)):
                    said.append(self.phrases.yes if value else self.phrases.no)
                case _:
                    return ""
        return f" {self.phrases.or_} ".join(said)

    # -- values --------------------------------------------------------------------------------

    def _say(self, value: Value, type_: Type) -> str:
        match value:
            case None:
                return self.phrases.nothing
            case bool():
                return self.phrases.yes if value else self.phrases.no
            case int() | Decimal():
                return failures.named(value).replace(".", self.phrases.decimal_mark)
            case str():
                vocabulary = vocabulary_of(type_)
                return self._name(vocabulary, value) if vocabulary is not None else self._text(value)
            case Row():
                return self._name(value.vocabulary, value.id)
            case Fields():
                return self._record(value)
            case list():
                contexts = [self._within(item, item_type(type_)) for item in value if isinstance(item, dict)]
                return self.listed(contexts) if contexts else self._list(value, item_type(type_))
            case dict():
                return self._context(value, type_)
            case _:
                return str(value)

    def _list(self, items: list[Value], type_: Type) -> str:
        return self.listed(self._apart([(item, type_) for item in items]))

    def _text(self, text: str) -> str:
        return self.word((), text)

    def _name(self, vocabulary: str, id: str) -> str:
        """By its label; an id is for machines."""
        return self.word((), self.known.names_in(self.language).get((vocabulary, id), id))

    def _record(self, record: Fields) -> str:
        """By the names that stand in it; where they are few, a number helps to tell it from others. One
        without a name is what it has of anything: no need to say of what it has none."""
        said = self.records.get(record)
        if said is None:
            said = self.records[record] = self._described(record)
        return said

    def _described(self, record: Fields) -> str:
        names = self._names_in(record)
        if len(names) == MOST_NAMES and record.record_type not in self.known.alike:
            return " ".join(names)
        if names:
            return self._with_number(record, " ".join(names))
        others = list(self._others_in(record))
        present = [said for said, value in others if value != 0] or [said for said, _ in others[:1]]
        return self.listed(present or self._parts_of(record))

    def _parts_of(self, record: Fields) -> list[str]:
        """Of a record that holds nothing but records and lists: those."""
        types = self.known.field_types.get(record.record_type, {})
        return [self._say(value, types[name]) for name, value in record.stored().items() if value]

    def _names_in(self, record: Fields) -> list[str]:
        """What a field holds by default says nothing of the record."""
        known = self.names_of.get(record)
        if known is None:
            known = self.names_of[record] = list(islice(self._every_name_in(record), MOST_NAMES))
        return known

    def _every_name_in(self, record: Fields) -> Iterator[str]:
        types, usual = (
            self.known.field_types.get(record.record_type, {}),
            self.known.usual.get(record.record_type, {}),
        )
        named = self.known.named_fields.get(record.record_type, frozenset())
        for name, value in record.stored().items():
            if value is None or not (name in named or isinstance(value, Row)):
                continue
            if usual.get(name) != (value.id if isinstance(value, Row) else value):
                yield self._say(value, types[name])

    def _others_in(self, record: Fields) -> Iterator[tuple[str, Value]]:
        types = self.known.field_types.get(record.record_type, {})
        named = self.known.named_fields.get(record.record_type, frozenset())
        for name, value in record.stored().items():
            if _is_plain(value) and name not in named:
                yield f"{self.term(name)} {self._say(value, types[name])}", value

    def _with_number(self, value: Value, said: str) -> str:
        """With the first number or text that stands in a record."""
        if isinstance(value, Row) or not isinstance(value, Fields):
            return said
        first, _ = next(self._others_in(value), ("", None))
        return f"{said} ({first})" if first and first not in said else said

    def _context(self, context: dict[str, Value], type_: Type) -> str:
        names: dict[str, str] = {}
        match plain(type_):
            case ContextType(fields=fields):
                types = dict(fields)
                if types.keys() == ENTRY:
                    return " ".join(self._within(context[name], types[name]) for name in ("key", "value"))
            case MapType(key=key, value=of):
                types, names = dict.fromkeys(context, of), {id: self._name(key.root, id) for id in context}
            case RecordType(name=name):
                types = self.known.field_types.get(name, {})
            case other:
                types = dict.fromkeys(context, other)
        said = (
            f"{names.get(name) or self.term(name)} {self._within(value, types.get(name, type_))}"
            for name, value in context.items()
            if value is not None
        )
        return "; ".join(said) or self.phrases.none

    def _within(self, value: Value, type_: Type) -> str:
        said = self._say(value, type_)
        return f"({said})" if isinstance(value, dict) and value else said


def _is_plain(value: Value) -> bool:
    return isinstance(value, (int, Decimal, str)) and not isinstance(value, bool)


def _is_name(value: Value, type_: Type) -> bool:
    return isinstance(value, Row) or vocabulary_of(type_) is not None
