"""What an ask needs has to be said: a default is no answer to a need, neither here nor in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from dtables.checker import check_book
from dtables.diagnostics import render
from dtables.records.findings import RecordError
from dtables.ruleset import Ruleset
from tests.support.drawing import book_text

BOOK = """
Types: words
  name | names in order
  size | small, large

Record: box
  field | type | default
  size | size | small

Input: state
  field | type | default
  parts | list of text | []
  box | box | {}
  boxes | list of box | []
  loose | boolean | no

Ask: packing
  role | name | is
  need | parts | not(loose)
  need | box.size |
  answer | parts | count(parts)
  answer | size | box.size

Ask: shelf
  role | name | is
  need | boxes.size |
  answer | sizes | boxes.size
"""

ENGINES = ("compiled", "evaluator")
Answer = Callable[[str | None, Any], dict[str, Any]]


@cache
def rules() -> Ruleset:
    book, found = book_text(BOOK)
    model, more = check_book(book)
    assert model is not None, render((*found, *more))
    return Ruleset(model)


def engine(name: str) -> Answer:
    return rules().answer if name == "compiled" else rules().evaluator.answer


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    ("state", "paths"),
    [
        ({}, ["state.parts", "state.box.size"]),
        ({"parts": None, "box": {"size": "small"}}, ["state.parts"]),
        ({"parts": [], "box": {}}, ["state.box.size"]),
        ({"parts": [], "box": {"size": None}}, ["state.box.size"]),
        ({"loose": True}, ["state.box.size"]),
    ],
)
def test_need__what_has_a_default_must_be_said(name: str, state: dict[str, Any], paths: list[str]) -> None:
    with pytest.raises(RecordError) as error:
        engine(name)("packing", state)
    assert [finding.path for finding in error.value.findings] == paths


@pytest.mark.parametrize("name", ENGINES)
def test_need__what_is_said_will_do(name: str) -> None:
    assert engine(name)("packing", {"parts": [], "box": {"size": "Small"}}) == {"parts": 0, "size": "small"}
    assert engine(name)("packing", {"loose": True, "box": {"size": "large"}}) == {"parts": 0, "size": "large"}


@pytest.mark.parametrize("name", ENGINES)
def test_need__inside_a_list_a_default_is_as_good(name: str) -> None:
    assert engine(name)("shelf", {"boxes": [{"size": "large"}, {}]}) == {"sizes": ["large", "small"]}
    with pytest.raises(RecordError) as error:
        engine(name)("shelf", {})
    assert error.value.path == "state.boxes.size"
