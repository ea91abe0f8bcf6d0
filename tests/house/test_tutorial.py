"""docs/tutorial.md is carried out: tables typed into a workbook, commands run, output compared."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from dtables.cli import main
from tests.support.drawing import write_book

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_the_tutorial_says_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    write_book("\n".join(text for kind, text in blocks if kind == "table"), tmp_path / "orchard.xlsx")
    (log,) = [text for kind, text in blocks if kind == "json"]
    (tmp_path / "game.jsonl").write_text(log, encoding="utf-8")
    commands = [text for kind, text in blocks if kind == "sh"]
    outputs = [text for kind, text in blocks if kind == "text"]
    assert len(commands) == len(outputs) > 2
    for command, output in zip(commands, outputs, strict=True):
        assert ran(command) == output.rstrip()


def ran(commands: str) -> str:
    """Everything the commands print, in order, as a terminal shows it."""
    shown = []
    for line in commands.splitlines():
        program, *arguments = shlex.split(line)
        assert program == "dtables"
        shown.append(CliRunner().invoke(main, arguments).output)
    return "".join(shown).rstrip()
