"""Our own workbooks on both engines: their sample turns, and the same turns with one thing changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dtables.ruleset import load
from tests.agreement.engines import Engines
from tests.support.thinned import draws

TABLES = Path(__file__).parent.parent.parent / "tables"
SAMPLES = sorted(TABLES.glob("*.sample.jsonl"))
CHANGES = draws(120)
WRONG: list[Any] = [None, "nonsense", -1, 0, 3, 999, [], {}, True, 2.5, ["nonsense"], [None], {"nonsense": 1}]


def book(sample: Path) -> str:
    return sample.name.removesuffix(".sample.jsonl")


@pytest.mark.parametrize("sample", SAMPLES, ids=book)
def test_samples_and_changes_of_them(sample: Path) -> None:
    engines = Engines(load(TABLES / f"{book(sample)}.xlsx").model, explained=False)
    records = [json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines()]
    for record in records:
        engines.answer(record["state"], record.get("ask"))
    for ask, state in changed(records, Random(7)):
        engines.answer(state, ask)


def changed(records: list[dict[str, Any]], random: Random) -> Iterator[tuple[str | None, Any]]:
    for _ in range(CHANGES):
        record = deepcopy(random.choice(records))
        holder, key = random.choice(list(places(record["state"])))
        match random.randrange(4):
            case 0:
                del holder[key]
            case 1:
                other, where = random.choice(list(places(record["state"])))
                holder[key] = deepcopy(other[where])
            case _:
                holder[key] = deepcopy(random.choice(WRONG))
        yield record.get("ask"), record["state"]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every dict or list inside with each of its keys."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    for key in keys:
        yield value, key
        yield from places(value[key])
