"""This package as an archive that Python imports from, for machines where it is not installed."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path

from dtables.files import temporary_folder

PACKAGE = "dtables"
_WHEN = (1980, 1, 1, 0, 0, 0)
"""The same code gives the same bytes."""


@cache
def packed_package() -> Path:
    """Kept until this process ends; its name changes with its content."""
    content = _packed()
    folder = temporary_folder()
    name = f"{PACKAGE}-{sha256(content).hexdigest()[:16]}.zip"
    with folder.open_to_write(name) as archive:
        archive.write(content)
    return folder.path / name


def _packed() -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, module in sorted(_modules(files(PACKAGE), PACKAGE)):
            archive.writestr(zipfile.ZipInfo(name, _WHEN), module.read_bytes(), zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _modules(folder: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        inner = f"{name}/{entry.name}"
        if entry.is_dir():
            yield from _modules(entry, inner)
        elif entry.name.endswith(".py"):
            yield inner, entry
