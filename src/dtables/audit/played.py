"""What was played beside what the rules answer: the same, one of equally good ones, or something else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from dtables.feel.names import NumberNames, Spellings, matching_fields
from dtables.feel.types import (
    ContextType,
    ListType,
    MapType,
    RecordType,
    RestrictedType,
    Type,
    VocabularyType,
    without_null,
)
from dtables.logs.columns import bare, record_fields
from dtables.model.index import Index
from dtables.model.tables import Ruleset


@dataclass(frozen=True, slots=True)
class Difference:
    """One field. `any_of` are the equally good values where the answer leaves it open."""

    field: str
    played: object
    answered: object
    any_of: tuple[object, ...]


@dataclass(frozen=True)
class PlayedComparison:
    """Answers of a ruleset beside what a log says was played: by their types, for a log may write a name's
    label where an answer has its id."""

    model: Ruleset

    def differences(self, ask: str, played: dict[str, Any], answer: dict[str, Any]) -> Iterator[Difference]:
        """Of an open field every one of its values is right; `played` is looked at field by field."""
        any_of = answer.get("any_of", {})
        fields = self._index.answers.get(ask, {})
        for field, value in played.items():
            declared = fields[field].value.type if field in fields else None
            given = answer.get(field)
            options = tuple(any_of.get(field, ()))
            if not any(self._agree(value, right, declared) for right in (options or (given,))):
                yield Difference(field, value, given, options)

    def move(self, ask: str, played: dict[str, Any]) -> dict[str, Any]:
        """What was played, names by their ids."""
        fields = self._index.answers.get(ask, {})
        return {
            name: self.canonical(value, fields[name].value.type) if name in fields else value
            for name, value in played.items()
        }

    def canonical(self, value: Any, of: Type) -> Any:
        """A name by its id, however it is spelled; also in a list."""
        type_ = bare(of)
        match value:
            case str():
                return self._name(value, type_)
            case list() if isinstance(type_, ListType):
                return [self.canonical(item, type_.item) for item in value]
            case _:
                return value

    @cached_property
    def _index(self) -> Index:
        return Index(self.model)

    @cached_property
    def _spellings(self) -> dict[str, Spellings]:
        return {v.name: Spellings(v.written, v.exact) for v in self.model.vocabularies}

    @cached_property
    def _numbers(self) -> dict[str, NumberNames]:
        return {r.name: NumberNames(r.number_names) for r in self.model.restrictions if r.names}

    def _agree(self, played: object, right: object, of: Type | None) -> bool:
        """Null is as if the key were not there; a boolean is no number."""
        match played, right:
            case (bool(), _) | (_, bool()):
                return played is right
            case str(), str():
                return played == right or self._name(played, bare(of)) == right
            case str(), int() | Decimal():
                inner = None if of is None else without_null(of)
                named = self._numbers.get(inner.name) if isinstance(inner, RestrictedType) else None
                return named is not None and named.matches(played) == (right,)
            case dict(), dict():
                return self._agree_by_key(played, right, bare(of))
            case list(), list():
                listed = bare(of)
                item = listed.item if isinstance(listed, ListType) else None
                return len(played) == len(right) and all(
                    self._agree(a, b, item) for a, b in zip(played, right, strict=True)
                )
            case _:
                return played == right

    def _agree_by_key(self, played: dict[str, Any], right: dict[str, Any], of: Type | None) -> bool:
        if isinstance(of, MapType):
            played = {self._name(key, of.key): value for key, value in played.items()}
        if isinstance(of, RecordType):
            played = {self._field(key, of.name): value for key, value in played.items()}
        keys = {key for both in (played, right) for key, value in both.items() if value is not None}
        types = self._entries(of, keys)
        return all(self._agree(played.get(key), right.get(key), types.get(key)) for key in keys)

    def _entries(self, of: Type | None, keys: set[str]) -> Mapping[str, Type]:
        match of:
            case MapType(value=value):
                return dict.fromkeys(keys, value)
            case ContextType(fields=fields):
                return dict(fields)
            case RecordType(name=name):
                return record_fields(self.model, name)
            case _:
                return {}

    def _field(self, key: str, record: str) -> str:
        known = self._index.records.get(record)
        spelled = [self._spellings[vocabulary] for vocabulary in (known.readable_by if known else ())]
        matches = matching_fields(key, record_fields(self.model, record), spelled)
        return matches[0] if len(matches) == 1 else key

    def _name(self, spelling: str, of: Type | None) -> str:
        if not isinstance(of, VocabularyType) or of.name not in self._spellings:
            return spelling
        matches = self._spellings[of.name].matches(spelling)
        return matches[0] if len(matches) == 1 else spelling
