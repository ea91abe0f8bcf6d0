"""Every message of the checks of tables has a documented code, and every documented code a message."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from dtables.checker import function_problems, scale_problems, table_problems, turn_problems

STAGES = (table_problems, function_problems, scale_problems, turn_problems)
CHECKER = Path(table_problems.__file__).parent


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.__name__)
def test_messages__codes_are_documented(stage: ModuleType) -> None:
    text = Path(str(stage.__file__)).read_text(encoding="utf-8")
    used = set(re.findall(r'Wording\(\s*"([a-z-]+)"', text))
    assert used == set(stage.PROBLEMS)


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.__name__)
def test_messages__all_are_said_somewhere(stage: ModuleType) -> None:
    name = stage.__name__.rpartition(".")[2]
    said = "".join(path.read_text(encoding="utf-8") for path in CHECKER.glob("*.py"))
    text = Path(str(stage.__file__)).read_text(encoding="utf-8")
    for function in re.findall(r"^def ([a-z]\w*)\(", text, re.MULTILINE):
        assert re.search(rf"\b{name}\.{function}\b", said), function
