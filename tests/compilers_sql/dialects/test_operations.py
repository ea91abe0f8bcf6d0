"""Every operation in every database, beside what it means by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tests.compilers_sql.dialects.cases import CASES
from tests.compilers_sql.dialects.sample import answers, plain
from tests.support.postgres import postgres_cluster
from tests.support.spark import spark_session

pytestmark = pytest.mark.xdist_group("servers")
"""One worker starts them, for all tests that need one."""

STARTED: dict[str, Callable[[], object]] = {"spark": spark_session, "postgres": postgres_cluster}
"""A test that is skipped for want of a database is skipped before anything is written for it."""


def all_answers(dialect: str) -> dict[str, tuple[Any, ...]]:
    """Spark takes its time over a statement, however much it asks."""
    STARTED[dialect]()
    return _answered(dialect)


@cache
def _answered(dialect: str) -> dict[str, tuple[Any, ...]]:
    return answers(dialect, {name: tree for name, (tree, _) in CASES.items()})


@pytest.mark.parametrize("name", CASES)
def test_duckdb(name: str) -> None:
    tree, expected = CASES[name]
    assert answers("duckdb", {name: tree})[name] == tuple(map(plain, expected))


@pytest.mark.parametrize("name", CASES)
def test_postgres(name: str) -> None:
    assert all_answers("postgres")[name] == tuple(map(plain, CASES[name][1]))


@pytest.mark.parametrize("name", CASES)
def test_spark(name: str) -> None:
    assert all_answers("spark")[name] == tuple(map(plain, CASES[name][1]))
