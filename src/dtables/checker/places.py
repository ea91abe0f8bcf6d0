"""Paths into the state: `north.houses.card` walks lists and maps on its way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dtables.checker import turn_problems
from dtables.checker.draft import Draft
from dtables.checker.sink import Text
from dtables.checker.types import fields_of, record_of
from dtables.checker.written import part, place
from dtables.feel.types import (
    UNKNOWN,
    ListType,
    MapType,
    Type,
    UnknownType,
    VocabularyType,
    optional,
    plain,
    without_null,
)
from dtables.model.tables import Place


@dataclass(frozen=True, slots=True)
class PlaceFound:
    """`type` is the field's own type; `key` that of the last map on the way."""

    place: Place
    type: Type
    key: VocabularyType | None

    @property
    def item(self) -> Type:
        """What stands there one by one: the elements of lists and maps."""
        return self._walked[0]

    @property
    def item_key(self) -> VocabularyType | None:
        return self._walked[1]

    @property
    def _walked(self) -> tuple[Type, VocabularyType | None]:
        return _elements(self.type, self.key)


def _elements(type_: Type, key: VocabularyType | None) -> tuple[Type, VocabularyType | None]:
    inner = plain(type_)
    while isinstance(inner, (ListType, MapType)):
        if isinstance(inner, MapType):
            key, type_ = inner.key, inner.value
        else:
            type_ = inner.item
        inner = plain(type_)
    return without_null(type_), key


def read_place(draft: Draft, text: Text) -> PlaceFound | None:
    """A path below the state; `state.` before it is allowed."""
    prefix = draft.symbols.state + "."
    below = part(text, len(prefix), len(text.text)) if text.text.startswith(prefix) else text
    known: Mapping[str, Type] = {n: s.type for n, s in draft.inputs.items()}
    found = walk(draft, below, known, "the state")
    if found is None:
        return None
    fields, type_, key = found
    return PlaceFound(Place(fields, place(text)), type_, key)


def walk(
    draft: Draft, text: Text, known: Mapping[str, Type], owner: str
) -> tuple[tuple[str, ...], Type, VocabularyType | None] | None:
    """Field by field; an unknown one is the mistake, and nothing is found."""
    fields: list[str] = []
    type_: Type = UNKNOWN
    key: VocabularyType | None = None
    position = 0
    for name in text.text.split("."):
        piece = part(text, position, position + len(name))
        position += len(name) + 1
        if fields:
            element, key = _elements(type_, key)
            if isinstance(element, UnknownType):
                return None
            below = _fields_below(draft, type_, element)
            if below is None:
                draft.error(piece, turn_problems.nothing_below(".".join(fields), type_, piece.text))
                return None
            known, owner = below, f"`{'.'.join(fields)}`"
        if piece.text not in known:
            draft.error(piece, turn_problems.unknown_place(piece.text, owner, known))
            return None
        fields.append(piece.text)
        type_ = known[piece.text]
    return tuple(fields), type_, key


def _fields_below(draft: Draft, type_: Type, element: Type) -> Mapping[str, Type] | None:
    """A map's entries are reached by their names; what is keyed data is a name in a record."""
    through = plain(type_)
    if isinstance(through, MapType):
        entries = dict.fromkeys(draft.vocabularies[through.key.name].ids, optional(through.value))
        return {**(stored_fields(draft, element) or {}), **entries}
    return stored_fields(draft, element)


def stored_fields(draft: Draft, element: Type) -> Mapping[str, Type] | None:
    inner = plain(element)
    if isinstance(inner, VocabularyType):
        return None
    record = record_of(draft.symbols, inner)
    if record is not None:
        return {f.name: f.type for f in record.stored}
    return fields_of(draft.symbols, inner)
