"""Places of the state as clauses `for … in …` and `if …`: through records, lists and maps, past nulls."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dtables.compilers.python.code import Site
from dtables.feel.types import ListType, MapType, Type, may_be_null, plain, without_null
from dtables.model.tables import Place


@dataclass(frozen=True)
class ItemNames:
    """The names that the item, and where they are read its position and key, shall have."""

    item: str
    position: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class Walk:
    """The clauses so far, and the expression that they lead to with its type."""

    clauses: tuple[str, ...]
    value: str
    type: Type

    def then(self, clauses: tuple[str, ...], value: str, type_: Type) -> Walk:
        return Walk((*self.clauses, *clauses), value, type_)


def clauses_to(place: Place, wanted: ItemNames, site: Site) -> tuple[str, ...] | None:
    """The clauses that go through every item at a place; None where the way is not known beforehand."""
    ground = site.ground
    record = ground.ruleset.input.state
    first = place.fields[0]
    attribute = ground.optional_attributes.get(first) or ground.attributes[record.name].get(first)
    if attribute is None:
        return None
    walk: Walk | None = Walk((), f"turn.{attribute}", ground.field_of(record, first).type)
    for name in place.fields[1:]:
        walk = _into(walk, name, wanted, site) if walk is not None else None
    walk = _items(walk, wanted, site) if walk is not None else None
    if walk is None:
        return None
    clauses = list(walk.clauses)
    if walk.value != wanted.item:
        clauses.append(f"for {wanted.item} in ({walk.value},)")
    if may_be_null(walk.type):
        clauses.append(f"if {wanted.item} is not None")
    unknown = [n for n in (wanted.position, wanted.key) if n is not None and not _bound(n, clauses)]
    return (*(f"for {name} in (None,)" for name in unknown), *clauses)


def _bound(name: str, clauses: list[str]) -> bool:
    return any(f"for {name}, " in clause for clause in clauses)


def _into(walk: Walk, name: str, wanted: ItemNames, site: Site) -> Walk | None:
    """A field of the records there."""
    walk = _present(_items(walk, replace(wanted, item=site.fresh("each")), site), site)
    record = site.ground.record_of(walk.type)
    if record is None or name not in site.ground.attributes[record.name]:
        return None
    field = site.ground.field_of(record, name)
    if site.ground.by_turn(record.name, name):
        value = f"{site.ground.computed[record.name, name]}(turn, {walk.value})"
    else:
        value = f"{walk.value}.{site.ground.attributes[record.name][name]}"
    return replace(walk, value=value, type=field.type)


def _present(walk: Walk, site: Site) -> Walk:
    if not may_be_null(walk.type):
        return walk
    name = site.fresh("it")
    clauses = (f"for {name} in ({walk.value},)", f"if {name} is not None")
    return walk.then(clauses, name, without_null(walk.type))


def _listed(walk: Walk) -> Walk:
    """Nothing stands in a list that is not there."""
    value = f"{walk.value} or ()" if may_be_null(walk.type) else walk.value
    return replace(walk, value=value, type=without_null(walk.type))


def _items(walk: Walk, wanted: ItemNames, site: Site) -> Walk:
    """Element by element, as deep as lists and maps go; the last of them has the name wanted."""
    match plain(walk.type):
        case ListType(item=item):
            walk = _listed(walk)
            name = site.fresh("each") if _goes_on(item) else wanted.item
            if wanted.position is None:
                clause = f"for {name} in {walk.value}"
            else:
                clause = f"for {wanted.position}, {name} in enumerate({walk.value}, 1)"
            return _items(walk.then((clause,), name, item), wanted, site)
        case MapType(value=item, key=key):
            walk = _present(walk, site)
            name = site.fresh("each") if _goes_on(item) else wanted.item
            clauses: tuple[str, ...] = (f"for {name} in {walk.value}.values()",)
            if wanted.key is not None:
                clauses = _keyed(walk, name, wanted.key, key.root, site)
            return _items(walk.then(clauses, name, item), wanted, site)
        case _:
            return walk


def _goes_on(item: Type) -> bool:
    return isinstance(plain(item), (ListType, MapType))


def _keyed(walk: Walk, name: str, key: str, root: str, site: Site) -> tuple[str, ...]:
    """A map is keyed by ids; of keyed data the row is meant."""
    if not site.ground.keyed(root):
        return (f"for {key}, {name} in {walk.value}.items()",)
    id_ = site.fresh("id")
    rows = site.ground.constants[root]
    return (f"for {id_}, {name} in {walk.value}.items()", f"for {key}, _ in (({rows}[{id_}], None),)")
