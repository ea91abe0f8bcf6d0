"""What `dtables` gives to others: names, and how they are called."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import dtables
from tests.frozen.keeping import hold_text

FACE = Path(__file__).parent / "face.txt"


def test_names_and_signatures() -> None:
    hold_text(FACE, "\n".join(line for name in sorted(dtables.__all__) for line in described(name)))


def described(name: str) -> Iterator[str]:
    thing = getattr(dtables, name)
    if not inspect.isclass(thing):
        yield f"{name}{signature(thing)}"
        return
    yield f"{name}{signature(thing)} is a {', '.join(base.__name__ for base in thing.__bases__)}"
    yield from (f"  {member(name, thing)}" for name in sorted(vars(thing)) if not name.startswith("_"))


def member(name: str, owner: type) -> str:
    thing = inspect.getattr_static(owner, name)
    if isinstance(thing, property) and thing.fget:
        return f"{name}{signature(thing.fget)}, a property"
    if isinstance(thing, cached_property):
        return f"{name}{signature(thing.func)}, a property"
    if isinstance(thing, classmethod | staticmethod):
        return f"{name}{signature(thing.__func__)}, a {type(thing).__name__}"
    return f"{name}{signature(thing)}" if callable(thing) else f"{name} = {thing!r}"


def signature(thing: object) -> str:
    """Annotations are texts, which one Python writes in quotes and another without."""
    return str(inspect.signature(thing)).replace("'", "")  # type: ignore[arg-type]
