"""What was played beside what the rules answer: the same, one of equally good ones, or something else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dtables.feel.names import fold
from dtables.model.tables import Ruleset

Names = Mapping[str, frozenset[str]]
"""Ids by folded label: what a log may write for a name that an answer gives as its id."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One field. `any_of` are the equally good values where the answer leaves it open."""

    field: str
    played: object
    answered: object
    any_of: tuple[object, ...]


def names_of(model: Ruleset) -> Names:
    found: dict[str, set[str]] = {}
    for vocabulary in model.vocabularies:
        for label in vocabulary.names:
            for spelling in (label.id, *(word for _, word in label.words), *label.spellings):
                found.setdefault(fold(spelling), set()).add(label.id)
    return {spelling: frozenset(ids) for spelling, ids in found.items()}


def differences(played: dict[str, Any], answer: dict[str, Any], names: Names) -> Iterator[Difference]:
    """Of an open field every one of its values is right; `played` is looked at field by field."""
    any_of = answer.get("any_of", {})
    for field, value in played.items():
        given = answer.get(field)
        options = tuple(any_of.get(field, ()))
        if not any(_agree(value, right, names) for right in (options or (given,))):
            yield Difference(field, value, given, options)


def _agree(played: object, right: object, names: Names) -> bool:
    """Null is as if the key were not there; a boolean is no number."""
    match played, right:
        case (bool(), _) | (_, bool()):
            return played is right
        case str(), str():
            return played == right or right in names.get(fold(played), ())
        case dict(), dict():
            keys = {k for both in (played, right) for k, v in both.items() if v is not None}
            return all(_agree(played.get(key), right.get(key), names) for key in keys)
        case list(), list():
            return len(played) == len(right) and all(
                _agree(a, b, names) for a, b in zip(played, right, strict=True)
            )
        case _:
            return played == right
