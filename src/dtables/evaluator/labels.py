"""Values and names as a person would say them, in one language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from dtables.evaluator.state import RecordValue
from dtables.evaluator.trace import Arguments, Shown
from dtables.evaluator.words import Phrases
from dtables.feel.types import ContextType, ListType, MapType, Type, VocabularyType, plain
from dtables.feel.values import Row, Value, as_plain
from dtables.model.expressions import Constant, EqualTo, NameOf, Test
from dtables.model.tables import Heading, Ruleset, Words
from dtables.model.vocabularies import STARRED
from dtables.provenance import CellRef, quoted_sheet

MOST_LISTED = 12
MOST_NAMES = 2


@dataclass(frozen=True)
class Labels:
    ruleset: Ruleset
    language: str
    phrases: Phrases

    def word(self, words: Words, fallback: str) -> str:
        """The wording in this language, or for any language; else the fallback. Stars that make a
        word bold on a page are no part of it."""
        known = dict(words)
        return STARRED.sub(r"\1", known.get(self.language) or known.get("") or fallback)

    def heading(self, heading: Heading) -> str:
        return self.word(heading.title, self.term(heading.name))

    def term(self, name: str) -> str:
        """What the glossary calls a field, a table or a step."""
        return self.word(self._terms.get(name, ()), name)

    def called(self, name: str, arguments: Arguments) -> str:
        """A name with what it was called with; records are too long to be said in between."""
        said = [self.value(shown) for _, shown in arguments if not isinstance(shown.value, (dict, list))]
        return f"{name} ({self.listed(said)})" if said else name

    def cell(self, cell: CellRef) -> str:
        return f"{quoted_sheet(cell.sheet)}!{cell.address}"

    def listed(self, parts: Iterable[str]) -> str:
        """`a, b and c`; of a long list the beginning."""
        every = list(parts)
        if len(every) > MOST_LISTED:
            return ", ".join([*every[:MOST_LISTED], "…"])
        if len(every) < 2:
            return every[0] if every else self.phrases.none
        return f"{', '.join(every[:-1])} {self.phrases.and_} {every[-1]}"

    def values(self, shown: Iterable[Shown]) -> str:
        return self.listed(map(self.value, shown))

    def value(self, shown: Shown) -> str:
        return self._say(shown.value, shown.type)

    def wanted(self, tests: tuple[Test, ...], written: str) -> str:
        """Names by their labels; whatever is no plain list of names as it is written."""
        said = []
        for test in tests:
            match test:
                case EqualTo(value=NameOf(vocabulary=vocabulary, id=id)):
                    said.append(self._name(vocabulary, id))
                case EqualTo(value=Constant(value=bool() as value)):
                    said.append(self.phrases.yes if value else self.phrases.no)
                case _:
                    return written
        return f" {self.phrases.or_} ".join(said)

    # -- values --------------------------------------------------------------------------------

    def _say(self, value: Value, type_: Type) -> str:
        match value:
            case None:
                return self.phrases.nothing
            case bool():
                return self.phrases.yes if value else self.phrases.no
            case int() | Decimal():
                return str(as_plain(value)).replace(".", self.phrases.decimal_mark)
            case Row():
                return self._name(value.vocabulary, value.id)
            case str():
                return self._name(_vocabulary(type_), value)
            case list():
                return self.listed(self._say(item, _item(type_)) for item in value)
            case RecordValue():
                return self._record(value)
            case dict():
                return self._context(value, type_)
            case _:
                return str(value)

    def _name(self, vocabulary: str | None, id: str) -> str:
        words = self._names.get((vocabulary, id))
        return id if words is None else self.word(words, id)

    def _record(self, record: RecordValue) -> str:
        """By the names that stand in it; where they are few, a number helps to tell it from others."""
        types = self._field_types.get(record.record, {})
        present = [(name, value) for name, value in record.values.items() if value is not None]
        names = [self._say(v, types[n]) for n, v in present if _is_name(v, types[n])][:MOST_NAMES]
        others = [
            f"{self.term(n)} {self._say(v, types[n])}"
            for n, v in present
            if isinstance(v, (int, Decimal, str)) and not isinstance(v, bool) and not _is_name(v, types[n])
        ]
        if not names:
            return self.listed(others[:MOST_NAMES])
        apart = f" ({others[0]})" if others and len(names) < MOST_NAMES else ""
        return " ".join(names) + apart

    def _context(self, context: dict[str, Value], type_: Type) -> str:
        match plain(type_):
            case ContextType(fields=fields):
                types = dict(fields)
            case MapType(value=of):
                types = dict.fromkeys(context, of)
            case other:
                types = dict.fromkeys(context, other)
        said = (
            f"{self.term(name)} {self._say(value, types.get(name, type_))}"
            for name, value in context.items()
            if value is not None
        )
        return "; ".join(said) or self.phrases.none

    # -- what the workbook calls things ----------------------------------------------------------

    @cached_property
    def _names(self) -> dict[tuple[str | None, str], Words]:
        switches = [rule.values for table in self.ruleset.switches for rule in table.rules]
        return {
            (vocabulary.name, label.id): label.words
            for vocabulary in (*self.ruleset.vocabularies, *switches)
            for label in vocabulary.names
        }

    @cached_property
    def _terms(self) -> dict[str, Words]:
        """Of two fields of one name the state's label counts, before all the glossary's."""
        records = (*self.ruleset.records, self.ruleset.input.state)
        fields = {f.name: f.words for record in records for f in record.fields if f.words}
        return fields | {term.id: term.words for term in self.ruleset.terms}

    @cached_property
    def _field_types(self) -> dict[str, dict[str, Type]]:
        return {record.name: {f.name: f.type for f in record.fields} for record in self.ruleset.records}


def _is_name(value: Value, type_: Type) -> bool:
    return isinstance(value, Row) or _vocabulary(type_) is not None


def _vocabulary(type_: Type) -> str | None:
    """The vocabulary whose ids the values of a type are."""
    match plain(type_):
        case VocabularyType(root=root):
            return root
        case _:
            return None


def _item(type_: Type) -> Type:
    match plain(type_):
        case ListType(item=item):
            return item
        case other:
            return other
