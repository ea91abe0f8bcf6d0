"""Commands for those who write workbooks: `dtables watch`, `diff`, `new`, `annotate`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dtables.diagnostics import Severity, render

if TYPE_CHECKING:
    from dtables.author.watching import News

FINE, ERRORS = 0, 1
BOOK = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
PAUSE = 0.1
"""Seconds between two looks at whether a workbook was saved."""


# -- watch -------------------------------------------------------------------------------------


@click.command("watch")
@click.argument("workbooks", metavar="BOOK...", nargs=-1, required=True, type=BOOK)
@click.option("--test", "examples", is_flag=True, help="Run the workbook's examples too.")
@click.option("--print", "pages", metavar="DIR", type=FOLDER, help="Print the pages anew into this folder.")
@click.option("--notes", is_flag=True, help="Show notes too.")
def watch_books(workbooks: tuple[Path, ...], examples: bool, pages: Path | None, notes: bool) -> None:
    """Check workbooks again whenever they are saved, and say what is new and what is gone.

    Ctrl-C ends it."""
    from dtables.author.looking import Looking
    from dtables.author.watching import watch

    told = frozenset(Severity) if notes else frozenset((Severity.ERROR, Severity.WARNING))
    try:
        for news in watch(workbooks, Looking(told, examples, pages).look, lambda: time.sleep(PAUSE)):
            _tell(news)
    except KeyboardInterrupt:
        sys.exit(FINE)


def _tell(news: News) -> None:
    """What is gone in a line each, what is new whole, then how the workbook stands."""
    from dtables.author.standing import standing

    for d in news.gone:
        click.echo(f"gone: {d.where}: {d.severity.value}[{d.code}]: {d.message}")
    click.echo(render(news.new), nl=False)
    seen = news.seen
    changed = f" ({len(news.new)} new, {len(news.gone)} gone)" if news.before is not None else ""
    click.echo(f"{seen.checked.path.name}: {standing(seen.checked.model, seen.findings)}{changed}")
    sys.stdout.flush()
