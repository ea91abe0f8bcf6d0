"""What commands share: kinds of arguments, exit codes, how a workbook is loaded."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtables.terminal import visible, visible_json

if TYPE_CHECKING:
    from dtables.logs.files import Log
    from dtables.ruleset import Ruleset

FINE, ERRORS = 0, 1
"""Exit codes; 2, misuse, is click's."""
INTERRUPTED = 130
"""As shells have it: 128 and the number of the signal."""


class _Written(click.Path):
    """A file, which appears when it is whole, in the place of one that may be there; or a device or a pipe,
    which is written to. `-` is the standard output."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from dtables.files import STANDARD_OUTPUT, OutputError, stream_at

        if value == "-":
            return STANDARD_OUTPUT
        file = Path(os.fsdecode(super().convert(value, param, ctx)))
        try:
            stream_at(file)
        except OutputError as error:
            self.fail(str(error), param, ctx)
        return file


BOOK = click.Path(exists=True, dir_okay=False, path_type=Path)
FILE = _Written(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
TEMPLATES = click.Path(exists=True, file_okay=False, path_type=Path)
LANGUAGES = click.Choice(["it", "en"])


def books(command: Callable[..., None]) -> Callable[..., None]:
    return click.argument("workbooks", metavar="BOOK...", nargs=-1, required=True, type=BOOK)(command)


def json_flag(command: Callable[..., None]) -> Callable[..., None]:
    return click.option("--json", "as_json", is_flag=True, help="For programs: one JSON value.")(command)


def say(line: str, *, err: bool = False) -> None:
    """One line, whatever its texts hold. This, `show` and `print_json` are the only way to the terminal."""
    click.echo(visible(line), err=err)


def show(lines: str, *, err: bool = False) -> None:
    """Lines that are worded already, each with its end."""
    for line in lines.split("\n")[:-1]:
        say(line, err=err)


def say_language(rules: Ruleset, language: str) -> None:
    """Where a workbook has no words in a language, it is said in which its words are shown."""
    from dtables.wording.labels import spoken_instead

    instead = spoken_instead(rules.model, language)
    if instead:
        say(
            f"{rules.model.book} has no words in `{language}`: labels and wordings are in `{instead}`",
            err=True,
        )


def print_json(value: object) -> None:
    click.echo(visible_json(json.dumps(value, ensure_ascii=False, indent=2, default=str)))


def say_written(file: Path, more: str = "") -> None:
    """On the standard output, but where something else was written there."""
    from dtables.files import stream_at

    say(f"{file}{more}", err=stream_at(file) is not None)


def load_book(book: Path) -> Ruleset:
    """Loaded; or what is wrong with it is printed, and the command ends."""
    from dtables.diagnostics import Severity, overview
    from dtables.ruleset import WorkbookErrors, load

    try:
        return load(book)
    except WorkbookErrors as error:
        show(overview(d for d in error.diagnostics if d.severity is Severity.ERROR), err=True)
        sys.exit(ERRORS)


def log_for(rules: Ruleset, given: str) -> Log:
    """With the rules' model only where columns need its types."""
    from dtables.logs.files import find_log

    log = find_log(given)
    return replace(log, model=rules.model) if log.typed else log


def printed_apart(workbooks: Sequence[Path], folder: Path) -> None:
    """What is made of a workbook for people is called after it: two of one name would replace each other."""
    from dtables.files import same_place

    for one, other in combinations(workbooks, 2):
        if same_place(folder / one.stem, folder / other.stem):
            raise click.UsageError(
                f"{one} and {other} would be written to the same files: give each its own folder"
            )


def new_workbook(file: Path, warning: str = "") -> None:
    """A workbook that is written must have a workbook's name, and none may stand there."""
    if file.suffix != ".xlsx":
        raise click.UsageError("the output is a workbook: give it a name that ends with .xlsx")
    if file.exists():
        raise click.UsageError(f"{file} is there already{warning}")


def distinct(written: Mapping[str, Path | None], workbooks: Iterable[Path], log: Log | None = None) -> None:
    """Nothing that is written replaces what is read, or something else that is written."""
    from dtables.files import same_place

    placed = [(what, file) for what, file in written.items() if file is not None]
    for _, file in placed:
        if any(same_place(file, book) for book in workbooks):
            raise click.UsageError(f"{file} is the workbook, which is never written to: name another file")
        if log is not None and log.reads(file):
            raise click.UsageError(f"{file} is read as part of the log: write somewhere else")
    for (what, file), (other, another) in combinations(placed, 2):
        if same_place(file, another):
            raise click.UsageError(f"{file} would hold {what} and {other}: name two files")
