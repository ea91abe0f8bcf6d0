"""A module that another version has compiled says so in one sentence, as soon as it is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dtables
from dtables import runtime
from tests.compilers.test_source import SHIPPED, source

OURS = f"compiled_by({dtables.__version__!r}, 'book.xlsx')\n"
FIRST, SECOND, THIRD = dtables.__version__.split(".")[:3]


def imported(text: str, folder: Path) -> str:
    """The last line that Python says when it imports the module; nothing if it can."""
    (folder / "rules.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", "import rules"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return ran.stderr.strip().rpartition("\n")[2]


@pytest.mark.parametrize("version", ["0.0.9", f"{FIRST}.1{SECOND}.0", f"1{FIRST}.{SECOND}.{THIRD}"])
def test_a_module_of_another_version(version: str, tmp_path: Path) -> None:
    text = source(SHIPPED)
    assert text.count(OURS) == 1 and text.index(OURS) < text.index("from dtables.runtime")
    old = text.replace(OURS, OURS.replace(dtables.__version__, version))
    renamed = old.replace("    Answer,\n", "    Reply,\n")
    for module in (old, renamed):
        assert imported(module, tmp_path) == (
            f"ImportError: these rules were compiled by dtables {version}, and this is dtables "
            f"{dtables.__version__}: compile them again from book.xlsx (`dtables compile`)"
        )


def test_a_module_of_the_same_series(tmp_path: Path) -> None:
    text = source(SHIPPED)
    assert imported(text, tmp_path) == ""
    later = OURS.replace(dtables.__version__, f"{FIRST}.{SECOND}.77")
    assert imported(text.replace(OURS, later), tmp_path) == ""


def test_a_module_from_before_modules_said_their_version(tmp_path: Path) -> None:
    text = source(SHIPPED).replace(OURS, "").replace("    Answer,\n", "    Reply,\n")
    assert imported(text, tmp_path) == (
        "ImportError: the runtime has no Reply: rules that import it were compiled by an earlier dtables; "
        "compile them again from their workbook (`dtables compile`)"
    )
    assert not hasattr(runtime, "__wrapped__")
