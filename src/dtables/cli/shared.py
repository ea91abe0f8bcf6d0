"""What commands share: kinds of arguments, exit codes, how a workbook is loaded."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from dtables.ruleset import Ruleset
    from dtables.runs.sources import Log

FINE, ERRORS = 0, 1
"""Exit codes; 2, misuse, is click's."""


class _Written(click.Path):
    """A file that appears when it is whole, in the place of one that may be there."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        file = Path(os.fsdecode(super().convert(value, param, ctx)))
        if file.is_relative_to("/dev") or (file.exists() and not file.is_file()):
            self.fail(f"{file} is no file; what is written takes the place of one", param, ctx)
        return file


BOOK = click.Path(exists=True, dir_okay=False, path_type=Path)
FILE = _Written(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
LANGUAGES = click.Choice(["it", "en"])


def books(command: Callable[..., None]) -> Callable[..., None]:
    return click.argument("workbooks", metavar="BOOK...", nargs=-1, required=True, type=BOOK)(command)


def json_flag(command: Callable[..., None]) -> Callable[..., None]:
    return click.option("--json", "as_json", is_flag=True, help="For programs: one JSON value.")(command)


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def load_book(book: Path) -> Ruleset:
    """Loaded; or what is wrong with it is printed, and the command ends."""
    from dtables.diagnostics import Severity, render
    from dtables.ruleset import WorkbookErrors, load

    try:
        return load(book)
    except WorkbookErrors as error:
        shown = render(d for d in error.diagnostics if d.severity is Severity.ERROR)
        click.echo(shown, err=True, nl=False)
        sys.exit(ERRORS)


def log_for(rules: Ruleset, given: str) -> Log:
    """With the rules' model only where columns need its types."""
    from dtables.runs.sources import find_log

    log = find_log(given)
    return replace(log, model=rules.model) if log.typed else log


def new_workbook(file: Path, warning: str = "") -> None:
    """A workbook that is written must have a workbook's name, and none may stand there."""
    if file.suffix != ".xlsx":
        raise click.UsageError("what it writes is a workbook: give it a name that ends with .xlsx")
    if file.exists():
        raise click.UsageError(f"{file} is there already{warning}")


def another_file(written: Path | None, workbook: Path) -> None:
    if written is not None and written.exists() and written.samefile(workbook):
        raise click.UsageError(f"{written} is the workbook, which is never written to: name another file")
