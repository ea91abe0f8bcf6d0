"""Every message of the checker has a documented code, and every documented code a message."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dtables.checker import messages

CHECKER = Path(messages.__file__).parent
TEXT = Path(messages.__file__).read_text(encoding="utf-8")
LISTS = re.findall(r"^(\w+_CODES)\b", TEXT, re.MULTILINE)


def test_messages__codes_are_documented() -> None:
    used = set(re.findall(r'Wording\(\s*"([a-z-]+)"', TEXT))
    assert used == {code for name in LISTS for code in getattr(messages, name)}


@pytest.mark.parametrize("name", LISTS)
def test_messages__codes_are_those_of_the_functions_below(name: str) -> None:
    """A list stands above the functions of its stage."""
    stage = re.split(r"^\w+_CODES\b.*$", TEXT, flags=re.MULTILINE)[LISTS.index(name) + 1]
    assert set(re.findall(r'Wording\(\s*"([a-z-]+)"', stage)) == set(getattr(messages, name))


def test_messages__all_are_said_somewhere() -> None:
    others = "".join(path.read_text(encoding="utf-8") for path in CHECKER.rglob("*.py"))
    for function in re.findall(r"^def ([a-z]\w*)\(", TEXT, re.MULTILINE):
        called = len(re.findall(rf"\b{function}\(", TEXT)) > 1
        imported = re.search(
            rf"\bmessages\.{function}\b|^    {function},$|import.*\b{function}\b", others, re.M
        )
        assert called or imported, function
