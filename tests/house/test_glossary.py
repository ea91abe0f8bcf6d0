"""Words of the trade stand in the glossary once each; what the library gives to others says what it is."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import pytest

import dtables

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"- \*\*(.+?)\*\*: (.+)")
SENTENCE = re.compile(r"[A-Z](?:[^.`]|`[^`]*`|\.(?=\w))*\.")


def entries() -> list[tuple[str, str]]:
    found = [ENTRY.fullmatch(line) for line in PAGE.splitlines() if line.startswith("-")]
    assert found and all(found), "an entry is `- **word**: A sentence.`"
    return [(match[1], match[2]) for match in found if match]


def test_words_stand_there_once_and_in_order() -> None:
    words = [word for word, _ in entries()]
    assert words == sorted(words, key=str.casefold)
    assert len(words) == len({word.casefold() for word in words})


@pytest.mark.parametrize(("word", "said"), entries(), ids=[word for word, _ in entries()])
def test_each_word_has_one_sentence(word: str, said: str) -> None:
    assert SENTENCE.fullmatch(said), said
    assert not re.search(rf"\b{re.escape(word)}\b", said.split(",")[0], re.IGNORECASE) or word in SELF


SELF = {"map"}
"""Words that stand in their own sentences as something else."""


def test_rooms_and_public_classes_are_words() -> None:
    known = {word.casefold() for word, _ in entries()}
    rooms = [path.parent.name for path in (ROOT / "src" / "dtables").glob("*/__init__.py")]
    classes = [name for name in dtables.__all__ if inspect.isclass(getattr(dtables, name))]
    assert rooms and classes
    lacking = [name for name in (*rooms, *classes) if not {name.casefold(), singular(name)} & known]
    assert lacking == []


def singular(name: str) -> str:
    return name.casefold().replace("_", " ").removesuffix("s")


# -- what the library gives to others --------------------------------------------------------------


def public() -> Iterator[tuple[str, object]]:
    """The names of `dtables`, and of its classes the members that have no underscore."""
    for name in dtables.__all__:
        thing = getattr(dtables, name)
        yield name, thing
        if inspect.isclass(thing):
            yield from ((f"{name}.{one}", inspect.getattr_static(thing, one)) for one in members(thing))


def members(thing: type) -> list[str]:
    return [name for name in vars(thing) if not name.startswith("_")]


def docstring(thing: object) -> str:
    if isinstance(thing, property):
        thing = thing.fget
    elif isinstance(thing, cached_property):
        thing = thing.func
    elif isinstance(thing, classmethod | staticmethod):
        thing = thing.__func__
    return inspect.cleandoc(getattr(thing, "__doc__", None) or "")


@pytest.mark.parametrize(("name", "thing"), public(), ids=[name for name, _ in public()])
def test_what_is_public_says_what_it_is(name: str, thing: object) -> None:
    """One sentence on its first line, which ends there."""
    first = docstring(thing).partition("\n")[0]
    assert re.fullmatch(r"[A-Z].*\.", first), f"{name}: {first!r}"


@pytest.mark.parametrize("name", ["load", "Ruleset.answer", "Ruleset.reply", "Ruleset.explain"])
def test_what_raises_says_so(name: str) -> None:
    assert "Raise" in docstring(dict(public())[name])
