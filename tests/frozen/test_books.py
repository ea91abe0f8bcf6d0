"""What is written for people, of one game: cells with their styles, comments, drop-downs, widths."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frozen.keeping import hold_parts, looked_at
from tests.frozen.turns import run
from tests.games.games import TERRA_MYSTICA
from tests.test_transcripts import cells

FOLDER = Path(__file__).parent / "books"
COMMANDS = ("log", "dress")


@pytest.mark.parametrize("command", looked_at(COMMANDS))
def test_book(command: str, tmp_path: Path) -> None:
    """A sheet is a part, and what its styles look like another."""
    out = tmp_path / "out.xlsx"
    run(command, TERRA_MYSTICA.book, "-o", out)
    parts: dict[str, list[str]] = {}
    for line in cells(str(out)):
        if line.startswith("Sheet "):
            parts[line.split(",")[0]] = [line]
        elif line.startswith(("Name ", "style ")):
            parts.setdefault("names and styles", []).append(line)
        else:
            [*parts.values()][-1].append(line)
    hold_parts(FOLDER / f"{command}.txt", {key: "\n".join(lines) for key, lines in parts.items()})
