"""The standard's own cases, as far as they lie beside the project; the score is not to fall."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dtables.dmn import IsoText, Model, load

KIT = Path(__file__).parents[3] / "shared" / "tck"
FAILING: frozenset[str] = frozenset()
"""Cases known to come out otherwise, each with its reason."""


@pytest.fixture(scope="module")
def kit() -> Iterator[ModuleType]:
    """Its loader and its comparison of values."""
    if not KIT.exists():
        pytest.skip("the standard's test kit is not beside the project")
    sys.path.insert(0, str(KIT))
    yield importlib.import_module("tck")
    sys.path.remove(str(KIT))


def test_kit(kit: ModuleType) -> None:
    wrong: set[str] = set()
    cases = 0
    for file in kit.load_suite(str(KIT / "cases")):
        model = load(file.model, imports=file.extra_models)
        for case in file.cases:
            cases += 1
            found = [(result.value, answer(kit, model, case, result.name)) for result in case.results]
            if any(kit.compare(expected, neutral(kit, value)) for expected, value in found):
                wrong.add(f"{case.dir}/{case.id}")
    assert wrong == FAILING
    assert cases >= 2000


def neutral(kit: ModuleType, value: object) -> object:
    """As the kit compares it: its own dates and durations for those that Python has no type for."""
    match value:
        case list():
            return [neutral(kit, item) for item in value]
        case dict():
            return {key: neutral(kit, item) for key, item in value.items()}
        case IsoText():
            return kit.parse_temporal(str(value))
        case _:
            return value


def answer(kit: ModuleType, model: Model, case: Any, name: str) -> object:
    inputs = {key: kit.to_python(value) for key, value in case.inputs.items()}
    if case.type != "decisionService":
        return model.evaluate(name, inputs)
    value = model.evaluate_service(case.invocable, inputs)
    return value[name] if isinstance(value, dict) and name in value else value
