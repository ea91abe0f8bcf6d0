"""A workbook to begin with: small, sound, with one table of each main kind, to be edited into another."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from dtables.diagnostics import Diagnostic
from dtables.workbook.dress import dress
from dtables.workbook.sheets_new import NewSheet, write_sheets
from dtables.workbook.sheets_out import without_clock


def begin(target: Path, language: str) -> tuple[Diagnostic, ...]:
    """Writes a dressed workbook; `target` appears whole."""
    with TemporaryDirectory() as folder:
        plain = Path(folder) / target.name
        write_sheets(plain, starter(language))
        _, found = dress(plain, target)
    without_clock(target)
    return found


def starter(language: str) -> tuple[NewSheet, ...]:
    """`# name` begins a sheet; `|` parts cells; an empty line is an empty row."""
    text = (files("dtables.author") / "starters" / f"{language}.txt").read_text(encoding="utf-8")
    found = []
    for sheet in re.split(r"^# (?!\|)", text, flags=re.MULTILINE)[1:]:
        name, _, rows = sheet.partition("\n")
        found.append(NewSheet(name.strip(), tuple(map(_cells, rows.strip("\n").split("\n")))))
    return tuple(found)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in line.split("|"))
