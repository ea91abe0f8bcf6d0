"""LibreOffice, where it is installed: a workbook edited as a person would."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support.missing import missing, needs_libreoffice

SCRIPT = Path(__file__).with_name("libreoffice_edit.py")
SYSTEM_PYTHON = Path("/usr/bin/python3")


def edited(source: Path, target: Path, *edits: tuple[str, str, str]) -> Path:
    """`target` is `source` with each (sheet, cell, text) typed in and saved by LibreOffice."""
    needs_libreoffice()
    if not SYSTEM_PYTHON.exists():
        missing("the system has no Python, whose bindings LibreOffice has")
    found = subprocess.run([SYSTEM_PYTHON, "-c", "import uno"], capture_output=True, check=False)
    if found.returncode:
        missing("LibreOffice's Python bindings are not installed")
    words = [word for edit in edits for word in edit]
    subprocess.run([SYSTEM_PYTHON, SCRIPT, source, target, *words], check=True, timeout=180)
    return target
