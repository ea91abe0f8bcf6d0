"""Expected texts in files: `make golden` writes what comes out; read the difference before committing it."""

from __future__ import annotations

import os
from pathlib import Path

WRITE = os.environ.get("DTABLES_GOLDEN") == "write"


def golden(path: Path, text: str) -> None:
    """Nothing is expected where the file is missing."""
    if WRITE:
        if text:
            path.write_text(text, encoding="utf-8")
        else:
            path.unlink(missing_ok=True)
        return
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    assert text == expected, f"{path.name} differs; `make golden` rewrites it"
