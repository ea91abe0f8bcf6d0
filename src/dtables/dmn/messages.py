"""The words of the DMN import."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path


class DmnError(ValueError):
    """A model that cannot be read, or a name that it does not have."""


def not_readable(path: Path, why: str) -> str:
    """The file cannot be opened, or its XML is damaged or nested too deeply."""
    return f"{path.name} cannot be read: {why}"


def no_definitions(path: Path, found: str) -> str:
    """The file is XML, and its first element is of another format."""
    return f"{path.name} is no DMN model: it begins with <{found}>, wanted <definitions>"


def unknown_element(kind: str, name: str, known: Iterable[str]) -> str:
    """`kind`: decision, decision service."""
    close = get_close_matches(name, list(known), n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"the model has no {kind} {name!r}{hint}"


def missing_import(name: str, namespace: str) -> str:
    """The model imports a namespace that no given file has."""
    imported = f"the import {name!r}" if name else "an import"
    return f"{imported} names {namespace!r}, and no file that was given has this namespace"


def missing_element(element: str, namespace: str, id_: str) -> str:
    """An element requires another one that no given file has; it is null where it is read."""
    return f"{element!r} requires an element with the id {id_!r}, and {namespace!r} has none"


def limit_met(limit: str) -> str:
    """A value is null because a limit of size was reached, not because the rules say so."""
    return f"this is null because a limit was reached: {limit}"


def circle(path: Iterable[str]) -> str:
    """Decisions require one another, so that none of them can be computed first."""
    return "decisions need one another in a circle: " + " → ".join(path)
