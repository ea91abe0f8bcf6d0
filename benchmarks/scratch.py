"""Folders for what is written while measuring; they are gone when the program ends."""

from __future__ import annotations

import atexit
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp


def scratch(name: str) -> Path:
    made = mkdtemp(prefix=f"benchmark-{name}-")
    atexit.register(rmtree, made, ignore_errors=True)
    return Path(made)
