"""A whole game's tables check: the great test of completeness."""

from __future__ import annotations

from functools import cache

import pytest

from dtables.checker import check_book
from dtables.diagnostics import Diagnostic, Severity, render
from dtables.feel.types import AnyType, ListType, UnknownType, describe
from dtables.model.reach import nodes
from dtables.model.tables import Ruleset, table_name
from tests.checker.duel_tables import present, whole_sketch
from tests.support.drawing import book_text

pytestmark = pytest.mark.skipif(not present(), reason="the sketch and its data are not beside the repository")


@cache
def checked() -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
    book, found = book_text(whole_sketch(), "duel.xlsx")
    assert render(found) == ""
    return check_book(book)


def ruleset() -> Ruleset:
    found = checked()[0]
    assert found is not None
    return found


def test_duel__checks_without_error() -> None:
    assert render(d for d in checked()[1] if d.severity is Severity.ERROR) == ""


def test_duel__warns_of_lists_that_differ_only() -> None:
    assert {d.code for d in checked()[1] if d.severity is Severity.WARNING} == {"other-set"}


def test_duel__is_all_there() -> None:
    found = ruleset()
    kinds = [type(table).__name__ for table in found.tables]
    assert {kind: kinds.count(kind) for kind in sorted(set(kinds))} == {
        "Decision": 12, "Formula": 59, "Matrix": 6, "Scale": 23,
    }  # fmt: skip
    assert len(found.asks) == 24
    assert sum(len(s.rules) for s in found.switches) == 10
    assert len([ask for ask in found.asks if ask.main]) == 1
    assert sum(len(checks.rows) for checks in found.checks) == 30


def test_duel__callees_come_first() -> None:
    names = [table_name(table) for table in ruleset().tables]
    assert names.index("makes") < names.index("owned") < names.index("need") < names.index("choice")
    assert names.index("from SOLO") < names.index("choice") < names.index("building")


def test_duel__results_found_out() -> None:
    types = {table_name(t): describe(t.type) for t in ruleset().tables}
    assert types["order in force"] == "list of type"
    assert types["gift"] == "list of place"
    assert types["choice"] == "place?"
    assert types["first direction"] == "direction?"
    assert types["pay"] == "number"
    assert types["paid"] == "number?"


def test_duel__rows_of_data() -> None:
    found = {v.name: v for v in ruleset().vocabularies}
    assert len(found["card"].names) == 71
    assert [label.id for label in found["god"].names] == [
        label.id for label in found["pantheon card"].names if label.id != "gate"
    ]
    level = found["level"]
    assert [label.id for label in level.names][:3] == ["base", "easy", "normal"]
    assert isinstance(dict(level.rows[3].values)["free card ages"].type, ListType)


def test_duel__no_type_is_left_open() -> None:
    """But for `[]` alone: what is checked without error is known throughout."""
    model = ruleset()
    everything = nodes((model.records, model.tables, model.asks, model.checks, model.vocabularies))
    untold = [n for n in everything if isinstance(n.type, UnknownType | AnyType)]
    assert [str(n.where) for n in untold] == []
    assert [table_name(t) for t in model.tables if "unknown" in describe(t.type)] == []
