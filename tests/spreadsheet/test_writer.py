"""Sheets of plain values, and what a sheet cannot hold."""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Iterator

import pytest

from dtables.spreadsheet.writer import MOST_CHARACTERS, SheetError, write_sheet


@pytest.mark.parametrize("value", ["\x1b[31mred", "x" * (MOST_CHARACTERS + 1)], ids=["control", "long"])
def test_what_no_cell_can_hold_is_one_error_and_nothing_else(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library's open sheet must not be ended behind the end of its file: that prints a traceback."""
    unraisable: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)

    def rows() -> Iterator[list[str]]:
        yield ["fine"]
        yield [value]

    def written() -> str:
        with pytest.raises(SheetError) as found:
            write_sheet(io.BytesIO(), "answers", ["text"], rows())
        return str(found.value)

    assert written().startswith("a cell ")
    gc.collect()
    assert unraisable == []
