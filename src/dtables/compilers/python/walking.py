"""Places of the state as the clauses of a comprehension: through records, lists and maps, past nulls."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dtables.compilers.python.site import Site
from dtables.feel.types import (
    ListType,
    MapType,
    RecordType,
    Type,
    VocabularyType,
    may_be_null,
    plain,
    without_null,
)
from dtables.model.tables import Place, Record


@dataclass(frozen=True)
class Way:
    """` for … in …` clauses that bind an item to every item at a place, and how the item's key in a map and
    its position in a list are spelled there."""

    clauses: str
    key: str
    position: str


@dataclass(frozen=True)
class Walk:
    """Clauses so far, and the expression that they lead to with its type."""

    clauses: tuple[str, ...]
    value: str
    type: Type
    key: str = "None"
    position: str = "None"

    def then(self, clause: str, value: str, type_: Type) -> Walk:
        return replace(self, clauses=(*self.clauses, clause), value=value, type=type_)


def way_to(place: Place, item: str, site: Site) -> Way | None:
    """None where the way is not known beforehand."""
    ground = site.ground
    record = ground.ruleset.input.state
    first = place.fields[0]
    attribute = ground.optional_attributes.get(first) or ground.attributes[record.name].get(first)
    if attribute is None:
        return None
    walk: Walk | None = Walk((), f"turn.{attribute}", ground.field_of(record, first).type)
    for name in place.fields[1:]:
        walk = _into(walk, name, site) if walk is not None else None
    walk = _items(walk, site) if walk is not None else None
    if walk is None:
        return None
    guard = f" if {item} is not None" if may_be_null(walk.type) else ""
    clauses = "".join(walk.clauses) + f" for {item} in ({walk.value},){guard}"
    return Way(clauses, walk.key, walk.position)


def _into(walk: Walk, name: str, site: Site) -> Walk | None:
    """A field of the records there."""
    walk = _present(_items(walk, site), site)
    record = _record(walk.type, site)
    if record is None or name not in site.ground.attributes[record.name]:
        return None
    field = site.ground.field_of(record, name)
    if site.ground.by_turn(record.name, name):
        value = f"{site.ground.computed[record.name, name]}(turn, {walk.value})"
    else:
        value = f"{walk.value}.{site.ground.attributes[record.name][name]}"
    return replace(walk, value=value, type=field.type)


def _record(type_: Type, site: Site) -> Record | None:
    return site.ground.record_of(type_) if isinstance(plain(type_), (RecordType, VocabularyType)) else None


def _present(walk: Walk, site: Site) -> Walk:
    if not may_be_null(walk.type):
        return walk
    name = site.fresh("it")
    return walk.then(f" for {name} in ({walk.value},) if {name} is not None", name, without_null(walk.type))


def _items(walk: Walk, site: Site) -> Walk:
    """Element by element, as deep as lists and maps go."""
    match plain(walk.type):
        case ListType(item=item):
            walk = _present(walk, site)
            name, position = site.fresh("each"), site.fresh("position")
            clause = f" for {position}, {name} in enumerate({walk.value}, 1)"
            return _items(replace(walk.then(clause, name, item), position=position), site)
        case MapType(value=item, key=key):
            walk = _present(walk, site)
            name, known = site.fresh("each"), site.fresh("key")
            clause = f" for {known}, {name} in {walk.value}.items()"
            if site.ground.keyed(key.root):
                row = site.fresh("key")
                clause += f" for {row} in ({site.ground.constants[key.root]}[{known}],)"
                known = row
            return _items(replace(walk.then(clause, name, item), key=known), site)
        case _:
            return walk
