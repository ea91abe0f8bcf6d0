"""From a cell's words to the language's: which kind, role or property is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dtables.workbook.roles import EVERYWHERE, KINDS
from dtables.workbook.words import (
    Holds,
    Kind,
    OtherRoles,
    PropertySpec,
    Role,
    Times,
    nearest,
    plain,
    spelled,
    spellings,
)

_LANGUAGE = re.compile(r"[a-z]{2}")

_BY_TYPE = Role(
    "type", (), (), "a field of this type", "un campo di questo tipo", Holds.EXPRESSION,
    times=Times.OFTEN,
)  # fmt: skip
_BY_RESULT = Role("value", (), (), "the value", "il valore", Holds.EXPRESSION)


@dataclass(frozen=True, slots=True)
class RoleFound:
    role: Role
    language: str | None = None


@dataclass(frozen=True, slots=True)
class PropertyFound:
    spec: PropertySpec
    language: str | None = None


def find_kind(text: str) -> Kind | None:
    found = spelled(KINDS, text)
    assert found is None or isinstance(found, Kind)
    return found


def nearest_kind(text: str) -> str | None:
    return nearest(KINDS, text)


def find_role(kind: Kind, text: str, result: str | None) -> RoleFound | None:
    """`result` is the type the marker ends with."""
    return _own_role(kind.roles, text) or _other_role(kind, text, result)


def nearest_role(kind: Kind, text: str) -> str | None:
    return nearest(kind.roles, _without_language(text)[0]) or nearest(kind.roles, text)


def known_role(text: str) -> bool:
    """A role of some kind, for telling tables from other text."""
    return any(_own_role(kind.roles, text) for kind in KINDS)


def find_property(kind: Kind, text: str) -> PropertyFound | None:
    specs = (*kind.properties, *EVERYWHERE)
    found = spelled(specs, text)
    if isinstance(found, PropertySpec):
        return PropertyFound(found)
    base, language = _without_language(text)
    found = spelled(specs, base) if language else None
    return PropertyFound(found, language) if isinstance(found, PropertySpec) and found.languages else None


def nearest_property(kind: Kind, text: str) -> str | None:
    return nearest((*kind.properties, *EVERYWHERE), _without_language(text)[0])


def roles_of(kind: Kind) -> tuple[str, ...]:
    return tuple(spellings(role)[0] for role in kind.roles)


def properties_of(kind: Kind) -> tuple[str, ...]:
    return tuple(spellings(spec)[0] for spec in (*kind.properties, *EVERYWHERE))


def _own_role(roles: tuple[Role, ...], text: str) -> RoleFound | None:
    found = spelled(roles, text)
    if isinstance(found, Role):
        return RoleFound(found)
    base, language = _without_language(text)
    found = spelled(roles, base) if language else None
    return RoleFound(found, language) if isinstance(found, Role) and found.languages else None


def _other_role(kind: Kind, text: str, result: str | None) -> RoleFound | None:
    match kind.other_roles:
        case OtherRoles.TYPES:
            return RoleFound(_BY_TYPE)
        case OtherRoles.RESULT:
            same = result is not None and plain(result) == plain(text)
            return RoleFound(_BY_RESULT) if same else None
        case OtherRoles.LANGUAGES:
            label = spelled(kind.roles, "label")
            fits = isinstance(label, Role) and _LANGUAGE.fullmatch(plain(text))
            return RoleFound(label, plain(text)) if fits and isinstance(label, Role) else None
        case OtherRoles.LEVELS | OtherRoles.REFUSED:
            return None


def _without_language(text: str) -> tuple[str, str | None]:
    *words, last = plain(text).split() or [""]
    return (" ".join(words), last) if words and _LANGUAGE.fullmatch(last) else (text, None)
