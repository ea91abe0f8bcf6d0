"""What an audit shows beside a turn: the fields that the author chose, and house rules that are set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from dtables.audit.played import PlayedComparison
from dtables.feel.types import (
    BooleanType,
    DateType,
    NumberType,
    RecordType,
    RestrictedType,
    TextType,
    Type,
    VocabularyType,
    without_null,
)
from dtables.feel.values import Plain
from dtables.model.constants import constant_of
from dtables.model.index import Index
from dtables.model.tables import Field, Ruleset
from dtables.wording.labels import Labels
from dtables.wording.values import Values

MOST_FIELDS = 6
"""Of those that are taken where the author chose none."""
LONGEST = 60
"""Characters of a value."""
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContextField:
    """A field of the state by its path. Turns are counted by its values if they are few by nature."""

    path: Path
    type: Type
    counted: bool

    @property
    def name(self) -> str:
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class ContextValue:
    """A field's value in one record: a name by its id, what is left out by its default."""

    field: ContextField
    value: Plain


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A switch that a record sets otherwise than the workbook."""

    name: str
    value: str


@dataclass(frozen=True)
class Context:
    """Of the turns of one ruleset."""

    model: Ruleset
    comparison: PlayedComparison

    def fields(self, ask: str) -> tuple[ContextField, ...]:
        """Those of the ask's property `context`, or else the plain ones of the input."""
        chosen = self._index.asks[ask].context
        if not chosen:
            return self._usual
        found = (self._at(place.fields) for place in chosen)
        return tuple(field for field in found if field is not None)

    def values(self, ask: str, state: object) -> tuple[ContextValue, ...]:
        """Of a record; fields that it neither has nor gets by default are left out. Where the author chose
        none, the first few."""
        every = (ContextValue(field, self._value(field, state)) for field in self.fields(ask))
        found = tuple(one for one in every if one.value is not None)
        return found if self._index.asks[ask].context else found[:MOST_FIELDS]

    def house_rules(self, state: object) -> Iterator[HouseRule]:
        """Those that the record sets to something else."""
        for name, (rule, field) in self._index.switches.items():
            own = state.get(field) if isinstance(state, Mapping) else None
            value = own.get(name) if isinstance(own, Mapping) else None
            if isinstance(value, str) and value != rule.default:
                yield HouseRule(name, value)

    @cached_property
    def _index(self) -> Index:
        return Index(self.model)

    @cached_property
    def _usual(self) -> tuple[ContextField, ...]:
        found = (self._at((name,)) for name in self._index.inputs)
        return tuple(field for field in found if field is not None and _is_plain(field.type))

    def _at(self, path: Path) -> ContextField | None:
        """A field below records; lists are shown as they are, and nothing inside them."""
        record: str = self.model.input.state.name
        type_: Type | None = None
        for name in path:
            field = self._index.field(record, name)
            if field is None:
                return None
            type_ = without_null(field.type)
            record = type_.name if isinstance(type_, RecordType) else ""
        return None if type_ is None else ContextField(path, type_, _is_counted(type_))

    def _value(self, field: ContextField, state: object) -> Plain:
        record = self.model.input.state.name
        value: object = state
        declared: Field | None = None
        for name in field.path:
            declared = self._index.field(record, name)
            inner = without_null(declared.type) if declared is not None else None
            record = inner.name if isinstance(inner, RecordType) else ""
            value = value.get(name) if isinstance(value, Mapping) else None
        if value is None and declared is not None and declared.default is not None:
            value = constant_of(declared.default)
        return self.comparison.canonical(value, field.type)


def _is_plain(type_: Type) -> bool:
    match type_:
        case RestrictedType(of=of):
            return _is_plain(of)
        case _:
            return isinstance(type_, (VocabularyType, NumberType, BooleanType, DateType, TextType))


def _is_counted(type_: Type) -> bool:
    """Names, truths and numbers of a narrowed type."""
    return isinstance(type_, (VocabularyType, BooleanType, RestrictedType, NumberType))


def context_label(labels: Labels, field: ContextField) -> str:
    """What a field of the state is called; one inside a record with what the record is called."""
    first, *others = field.path
    name = labels.input(first)
    return name if not others else f"{labels.anything(others[-1])} ({name})"


def context_text(labels: Labels, field: ContextField, value: Plain) -> str:
    """A value of the record in words; of a long list the beginning."""
    text = Values(labels).text(value, field.type)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
