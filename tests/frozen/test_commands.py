"""Every command with each of its options and their choices: what tests/transcripts do not have yet."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import dtables
from dtables.cli import main
from tests.cli.test_transcripts import FOLDER as TRANSCRIPTS
from tests.cli.test_transcripts import played
from tests.frozen.keeping import hold_text
from tests.frozen.turns import run
from tests.support.drawing import write_book
from tests.support.golden import golden

FOLDER = Path(__file__).parent / "commands"
WATCH = Path(__file__).parent / "watch.txt"
WATCHED = (("--test", "--notes", "--all"), ("--print", "pages", "--templates", "style"))
ELSEWHERE = {("eval", "spark")}
"""Where Spark is: tests/runs."""
COMMAND = re.compile(r"^\$ dtables (.*?)(?: < .*)?$", re.MULTILINE)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    golden(path, "".join(played(path.read_text(encoding="utf-8"))))


def test_every_option_is_tried() -> None:
    tried = set(words_tried())
    for name, command in main.commands.items():
        for option in command.params:
            if isinstance(option, click.Option):
                assert any((name, flag) in tried for flag in option.opts), (name, option.opts)
                lacking = [
                    one for one in (*option.secondary_opts, *choices(option)) if (name, one) not in tried
                ]
                assert not lacking, (name, option.opts, lacking)


def words_tried() -> Iterator[tuple[str, str]]:
    """Each word that stands behind a command in some transcript, an option without what it is set to."""
    yield from ELSEWHERE
    yield from (("watch", word) for words in WATCHED for word in words)
    for folder in (TRANSCRIPTS, FOLDER):
        for path in folder.glob("*.txt"):
            for line in COMMAND.findall(path.read_text(encoding="utf-8")):
                name, *words = shlex.split(line)
                yield from ((name, word.partition("=")[0]) for word in words)


def choices(option: click.Option) -> list[str]:
    return [str(one) for one in option.type.choices] if isinstance(option.type, click.Choice) else []


def test_version() -> None:
    assert run("--version") == f"dtables, version {dtables.__version__}\n"


# -- what waits for the next save ----------------------------------------------------------------

BOOK = """
# Sheet: Fees
Decision: fee(age: number) -> number
if | then
age |
< 12 | 5
> 12 | 8

Examples: fees ; table: fee
given | expect
age | fee
10 | 6

Pages: aid
page | size | table
1 | A4 | fee
"""
SAVED = (
    BOOK.replace("| 8", "| eight").replace("| 5", "| five"),
    BOOK.replace("> 12", ">= 12").replace("10 | 6", "10 | 5"),
)


class Waiting:
    """Instead of a pause: the workbook is saved anew, and when there is no more, Ctrl-C."""

    def __init__(self, book: Path) -> None:
        self._book, self._left = book, iter(SAVED)
        write_book(BOOK, book)

    def __call__(self, _seconds: float) -> None:
        text = next(self._left, None)
        if text is None:
            raise KeyboardInterrupt
        write_book(text, self._book)


def test_watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    Path("style").mkdir()
    hold_text(WATCH, "\n".join(line for words in WATCHED for line in watched(words, monkeypatch)))


def watched(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    yield f"$ dtables watch fees.xlsx {' '.join(words)}"
    monkeypatch.setattr(time, "sleep", Waiting(Path("fees.xlsx")))
    yield run("watch", "fees.xlsx", *words)
    yield from sorted(str(path) for path in Path().rglob("pages/*"))
