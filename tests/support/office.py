"""LibreOffice, where it is installed: a workbook edited as a person would."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("libreoffice_edit.py")
SYSTEM_PYTHON = Path("/usr/bin/python3")


def edited(source: Path, target: Path, *edits: tuple[str, str, str]) -> Path:
    """`target` is `source` with each (sheet, cell, text) typed in and saved by LibreOffice."""
    if shutil.which("soffice") is None or not SYSTEM_PYTHON.exists():
        pytest.skip("LibreOffice is not installed")
    found = subprocess.run([SYSTEM_PYTHON, "-c", "import uno"], capture_output=True, check=False)
    if found.returncode:
        pytest.skip("LibreOffice's Python bindings are not installed")
    words = [word for edit in edits for word in edit]
    subprocess.run([SYSTEM_PYTHON, SCRIPT, source, target, *words], check=True, timeout=180)
    return target
