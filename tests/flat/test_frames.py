"""Frames by columns and record by record: the same answers, the same rejects, in the same order."""

from __future__ import annotations

import pandas as pd
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from dtables.flat import FlatEngine, Why
from dtables.model.tables import Ruleset as Model
from dtables.model.tables import table_name
from dtables.ruleset import Ruleset
from dtables.runs.engines import compiled_engine
from dtables.runs.frames import answer_frame, table_frame
from tests.compilers import worlds as inner
from tests.flat import worlds

QUICK = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
ONE_BY_ONE = Why("for comparison")


def ruleset(*tables: str) -> Ruleset:
    model: Model | None = inner.ruleset(worlds.FORMULAS, *tables)
    if model is None:
        reject()
    return Ruleset(model)


def same(found: pd.DataFrame, wanted: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(found, wanted, check_like=False)
    for name in wanted:
        assert [repr(v) for v in found[name]] == [repr(v) for v in wanted[name]]


@QUICK
@given(worlds.decision(), worlds.ask(), st.booleans(), st.lists(worlds.frame(), min_size=3, max_size=3))
def test_asks(decision: str, ask: str, checked: bool, frames: list[pd.DataFrame]) -> None:
    rules = ruleset(decision, ask, worlds.CHECKS if checked else "")
    assert isinstance(rules._flat_ask, FlatEngine), rules._flat_ask
    engine = compiled_engine(rules.model, rules.source)
    for frame in frames:
        same(rules.answer_frame(frame), answer_frame(engine, rules.model, frame, ONE_BY_ONE))


@QUICK
@given(worlds.decision(), st.lists(worlds.frame(), min_size=3, max_size=3))
def test_tables(decision: str, frames: list[pd.DataFrame]) -> None:
    rules = ruleset(decision)
    table = next(one for one in rules.model.tables if table_name(one) == "tried")
    assert isinstance(rules._flat_table("tried"), FlatEngine), rules._flat_table("tried")
    for frame in frames:
        wanted = table_frame(rules.model, table, rules.tables["tried"], frame, ONE_BY_ONE)
        same(rules.table_frame("tried", frame), wanted)
