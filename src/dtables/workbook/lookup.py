"""From a cell's words to the language's: which kind, role or property is meant."""

from __future__ import annotations

import re
from collections.abc import Mapping
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


_KINDS = {plain(word): kind for kind in KINDS for word in spellings(kind)}
_ROLES = {kind.name: {plain(word): role for role in kind.roles for word in spellings(role)} for kind in KINDS}
_EVERY_ROLE = {word: role for roles in _ROLES.values() for word, role in roles.items()}
_LONGEST = 60
"""Longer texts are no words of the language, and are not looked up."""


@dataclass(frozen=True, slots=True)
class RoleFound:
    role: Role
    language: str | None = None


@dataclass(frozen=True, slots=True)
class PropertyFound:
    spec: PropertySpec
    language: str | None = None


def find_kind(text: str) -> Kind | None:
    return _KINDS.get(plain(text)) if len(text) <= _LONGEST else None


def nearest_kind(text: str) -> str | None:
    return nearest(KINDS, text)


def find_role(kind: Kind, text: str, result: str | None) -> RoleFound | None:
    """`result` is the type the marker ends with."""
    return _own_role(_ROLES[kind.name], text) or _other_role(kind, text, result)


def nearest_role(kind: Kind, text: str) -> str | None:
    return nearest(kind.roles, _without_language(text)[0]) or nearest(kind.roles, text)


def known_role(text: str) -> bool:
    """A role of some kind, for telling tables from other text."""
    return len(text) <= _LONGEST and _own_role(_EVERY_ROLE, text) is not None


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


def _own_role(roles: Mapping[str, Role], text: str) -> RoleFound | None:
    found = roles.get(plain(text))
    if found is not None:
        return RoleFound(found)
    base, language = _without_language(text)
    found = roles.get(base) if language else None
    return RoleFound(found, language) if found is not None and found.languages else None


def _other_role(kind: Kind, text: str, result: str | None) -> RoleFound | None:
    match kind.other_roles:
        case OtherRoles.TYPES:
            return RoleFound(_BY_TYPE)
        case OtherRoles.RESULT:
            same = result is not None and plain(result) == plain(text)
            return RoleFound(_BY_RESULT) if same else None
        case OtherRoles.LANGUAGES:
            fits = _LANGUAGE.fullmatch(plain(text))
            return RoleFound(_ROLES[kind.name]["label"], plain(text)) if fits else None
        case OtherRoles.LEVELS | OtherRoles.REFUSED:
            return None


def _without_language(text: str) -> tuple[str, str | None]:
    *words, last = plain(text).split() or [""]
    return (" ".join(words), last) if words and _LANGUAGE.fullmatch(last) else (text, None)
