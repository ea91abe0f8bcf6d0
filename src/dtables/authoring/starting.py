"""A workbook to begin with: small, sound, with one table of each main kind, to be edited into another."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from dtables.authoring.dressing.dress import dressed, save
from dtables.diagnostics import Diagnostic
from dtables.files import temporary_folder
from dtables.spreadsheet.writer import NewSheet, write_sheets


def begin(target: Path, language: str) -> tuple[Diagnostic, ...]:
    """Writes a dressed workbook; `target` appears whole."""
    with temporary_folder() as folder:
        with folder.open_to_write(target.name) as plain:
            write_sheets(plain, starter(language))
        book, _, found = dressed(folder.path / target.name)
        save(book, target)
    return found


def starter(language: str) -> tuple[NewSheet, ...]:
    """`# name` begins a sheet; `|` parts cells; an empty line is an empty row."""
    text = (files("dtables.authoring") / "starters" / f"{language}.txt").read_text(encoding="utf-8")
    found = []
    for sheet in re.split(r"^# (?!\|)", text, flags=re.MULTILINE)[1:]:
        name, _, rows = sheet.partition("\n")
        found.append(NewSheet(name.strip(), tuple(map(_cells, rows.strip("\n").split("\n")))))
    return tuple(found)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in line.split("|"))
