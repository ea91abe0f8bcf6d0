"""The process that sets pages: what comes back where a document, or the process itself, is in trouble."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dtables.pages.typesetting import Source, TypesettingError, typesetter


def source(folder: Path, text: str) -> Source:
    page = folder / "page.typ"
    page.write_text(text, encoding="utf-8")
    return {"input": str(page), "root": str(folder)}


def test_typesetter(tmp_path: Path) -> None:
    with typesetter() as process:
        pages, warnings = process.pages(source(tmp_path, "one #pagebreak() two"), "png", 72.0)
        assert [page[:4] for page in pages] == [b"\x89PNG"] * 2
        assert warnings == []
        measured = source(tmp_path, "#metadata((height: 3)) <measures>")
        assert json.loads(process.measures(measured)) == {"height": 3}


def test_typesetter__goes_on_after_an_error(tmp_path: Path) -> None:
    with typesetter() as process:
        with pytest.raises(TypesettingError, match="unknown variable: nothing"):
            process.pages(source(tmp_path, "#nothing"), "pdf", 72.0)
        with pytest.raises(TypesettingError, match="unknown variable: nothing"):
            process.measures(source(tmp_path, "#nothing"))
        pages, _ = process.pages(source(tmp_path, "#set document(title: [T])\none"), "png", 72.0)
        assert len(pages) == 1


def test_typesetter__the_process_is_gone(tmp_path: Path) -> None:
    """As where the system ends it for want of memory."""
    longer_than_a_pipe = source(tmp_path, "") | {"sys_inputs": {"data": " " * 1_000_000}}
    with typesetter() as process:
        process.process.kill()
        process.process.wait()
        for _ in range(2):
            with pytest.raises(TypesettingError, match="typst ended before it was done"):
                process.pages(longer_than_a_pipe, "pdf", 72.0)
