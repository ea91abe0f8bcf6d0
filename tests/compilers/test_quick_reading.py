"""Quick reading gives up by its own word. What it stumbles over besides is wrong with the record, or a
mistake of ours, which comes out instead of being answered more slowly."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from dtables.records.findings import RecordError
from tests.agreement.engines import compiled, ruleset

WORLD = """
Types: words
  name | names
  colour | red, green

Record: box
  field | type | default
  tint | colour | needed
  size | whole number | needed

Input: state
  field | type
  level | whole number
  rate | number
  day | date
  stock | whole number by colour
  boxes | list of box
  free | any

Formula: larger(b: box, than: whole number) -> boolean
  step | type | is
  result | | b.size > than + level

Ask: turn ; main: yes
  role | name | is
  answer | sizes | boxes.size
  answer | day | day
  answer | rate | rate
"""
BOX = {"tint": "red", "size": 2}
STATE: dict[str, Any] = {
    "level": 1,
    "rate": 2.5,
    "day": "2024-02-29",
    "stock": {"red": 1},
    "boxes": [BOX],
    "free": [1],
}
MISTAKES = [KeyError, TypeError, AttributeError, IndexError, ValueError, ZeroDivisionError]
READERS = ["read_state", "read_box", "read_number", "read_temporal", "read_map", "read_anything"]


def module() -> ModuleType:
    model = ruleset(WORLD)
    assert model is not None
    return compiled(model)


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("reader", READERS)
def test_a_mistake_of_ours_comes_out(mistake: type[Exception], reader: str) -> None:
    """Whichever function of the reading makes it, of asks and of tables called by themselves."""
    made = module()
    sound = made.answer("turn", STATE)

    def broken(*_: Any) -> Any:
        raise mistake("ours")

    setattr(made, reader, broken)
    if reader == "read_state":
        made.RULES = type(made.RULES)(**{**_parts(made.RULES), "read": broken})
    with pytest.raises(mistake, match="ours"):
        made.RULES.answer("turn", STATE)
    with pytest.raises(mistake, match="ours"):
        made.TABLES["larger"]({**STATE, "b": BOX, "than": 1})
    assert sound["sizes"] == [2]


def _parts(rules: Any) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in type(rules).__slots__}


SPOILT: list[dict[str, Any]] = [
    {"level": "1"},
    {"rate": []},
    {"day": {}},
    {"stock": [1]},
    {"stock": {"violet": 1}},
    {"boxes": [{"tint": ["red"], "size": 1}]},
    {"boxes": [{"tint": {}, "size": 1}]},
    {"boxes": [{"size": 1}]},
    {"boxes": {}},
    {"free": {1, 2}},
    {"levle": 1},
]


@pytest.mark.parametrize("spoilt", SPOILT, ids=str)
def test_what_is_wrong_with_a_record_is_a_finding(spoilt: dict[str, Any]) -> None:
    made = module()
    with pytest.raises(RecordError):
        made.answer("turn", {**STATE, **spoilt})
    with pytest.raises(RecordError):
        made.TABLES["larger"]({**STATE, "b": BOX, "than": 1, **spoilt})
    for given in ({"than": 1}, {"b": [], "than": 1}, {"b": {**BOX, "tint": []}, "than": 1}, {"b": BOX}):
        with pytest.raises(RecordError):
            made.TABLES["larger"]({**STATE, **given})


@pytest.mark.parametrize(
    "unusual", [{"boxes": [{"tint": "Red ", "size": 2}]}, {"stock": {"RED": 1}}, {"rate": 3}], ids=str
)
def test_what_is_only_unusual_is_read_with_care(unusual: dict[str, Any]) -> None:
    made = module()
    assert made.answer("turn", {**STATE, **unusual})["sizes"] == [2]
    assert made.TABLES["larger"]({**STATE, "b": BOX, "than": 0, **unusual}) is True
