"""What is made of a workbook for people: `dtables print`, `docs`, `dress`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dtables.cli.options import (
    BOOK,
    ERRORS,
    FILE,
    FINE,
    FOLDER,
    LANGUAGES,
    TEMPLATES,
    books,
    distinct,
    load_book,
    printed_apart,
    say,
    say_written,
    show,
)
from dtables.diagnostics import overview, render

if TYPE_CHECKING:
    from dtables.pages.paper import Watch
    from dtables.ruleset import Ruleset


@click.command()
@books
@click.option("-o", "--output", metavar="DIR", default="docs/games", show_default=True,
              type=FOLDER, help="Where the pages go.")  # fmt: skip
@click.option("--lang", type=LANGUAGES, default="en", show_default=True, help="Language of the words.")
def docs(workbooks: tuple[Path, ...], output: Path, lang: str) -> None:
    """Write what a log may ask of a workbook, field by field, as one Markdown page each."""
    from dtables.files import whole_text
    from dtables.pages.manual import manual, manual_name

    printed_apart(workbooks, output)
    for book in workbooks:
        rules = load_book(book)
        page = output / manual_name(rules.model, lang)
        distinct({"the page": page}, workbooks)
        with whole_text(page) as file:
            file.write(manual(rules.model, lang))
        say(str(page))


@click.command()
@click.argument("workbook", metavar="BOOK", type=BOOK)
@click.option("-o", "--output", metavar="FILE", required=True,
              type=FILE, help="Where the copy goes.")  # fmt: skip
@click.option("--lang", type=LANGUAGES,
              help="Put the words of the tables into it; what they mean stays.")  # fmt: skip
def dress(workbook: Path, output: Path, lang: str | None) -> None:
    """Write a copy of a workbook with styles, drop-downs, help and a map of its tables."""
    from dtables.authoring.dressing.dress import dress as dress_workbook

    distinct({"the copy": output}, (workbook,))
    book, diagnostics = dress_workbook(workbook, output, lang)
    show(overview(diagnostics), err=book is None)
    if book is None:
        sys.exit(ERRORS)
    say_written(output)


@click.command("print")
@books
@click.option("-o", "--output", metavar="DIR", default="build/pages", show_default=True,
              type=FOLDER, help="Where the pages go.")  # fmt: skip
@click.option("--lang", type=LANGUAGES, help="Language of the pages; else: all that the workbook has.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="Instead of the workbook's.")
@click.option("--format", "kind", type=click.Choice(["pdf", "html", "png"]), default="pdf", show_default=True)
@click.option("--edition", type=click.Choice(["home", "bleed", "proof"]), default="home",
              show_default=True,
              help="home: for players. bleed: cards alone, for a print shop. proof: for the author, with "
                   "cells and ids. Editions other than home go to folders of their own.")  # fmt: skip
@click.option("--grey", is_flag=True, help="As a grey printer prints them, in a folder of their own.")
@click.option("--rule", "chosen", metavar="RULE=VALUE", multiple=True,
              help="A house rule that you play by, instead of the usual one; may be repeated.")  # fmt: skip
@click.option(
    "--coverage", is_flag=True, help="List the ids under `source` with the pages that show them instead."
)
@click.option("--date", default="", help="Printed in the footer; by default the pages have no date.")
@click.option("--templates", metavar="FOLDER", type=TEMPLATES,
              help="Templates of your own, instead of those of the same name.")  # fmt: skip
def print_pages(
    workbooks: tuple[Path, ...],
    output: Path,
    lang: str | None,
    paper: str | None,
    kind: str,
    edition: str,
    grey: bool,
    chosen: tuple[str, ...],
    coverage: bool,
    date: str,
    templates: Path | None,
) -> None:
    """Print pages to play from: what goes where is the workbook's `Pages` table."""
    if coverage:
        _list_coverage(workbooks, lang)
        return
    from dtables.diagnostics import errors_in
    from dtables.pages.document import Paper
    from dtables.pages.files import Format, Request, print_files, written
    from dtables.pages.paper import Purpose

    printed_apart(workbooks, output)
    request = Request(
        formats=(Format(kind),),
        languages=(lang,) if lang else (),
        paper=Paper(paper) if paper else None,
        styles=templates,
        date=date,
        purpose=Purpose(edition),
        grey=grey,
    )
    failed = False
    for book in workbooks:
        rules = load_book(book)
        with _bar() as watch:
            house = _house_rules(rules, chosen)
            files, found = print_files(rules.model, replace(request, rules=house, watch=watch))
        for file in files:
            distinct({"the page": output / file.folder / file.name}, workbooks)
        show(render(found), err=True)
        failed = failed or errors_in(found)
        for file in files:
            say(str(written(file, output)))
    sys.exit(ERRORS if failed else FINE)


def _list_coverage(workbooks: tuple[Path, ...], lang: str | None) -> None:
    """Each id with its faces and blocks, in one language: the blocks are the same in all."""
    from dtables.pages.coverage import coverage
    from dtables.pages.files import languages_of

    for book in workbooks:
        model = load_book(book).model
        for line in coverage(model, lang or languages_of(model)[0]).as_text().splitlines():
            say(line)


def _house_rules(rules: Ruleset, chosen: tuple[str, ...]) -> dict[str, str]:
    """What `--rule` says, if the workbook has such rules and values."""
    from dtables.pages.house_rules import switches_of

    switches = switches_of(rules.model)
    found: dict[str, str] = {}
    for text in chosen:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise click.UsageError(f"--rule {text}: write RULE=VALUE")
        if name not in switches:
            known = ", ".join(switches) or "none"
            raise click.UsageError(
                f"--rule {text}: the workbook has no house rule `{name}` (it has: {known})"
            )
        values = switches[name].values.ids
        if value not in values:
            raise click.UsageError(f"--rule {text}: `{name}` is one of {', '.join(values)}")
        found[name] = value
    return found


@contextmanager
def _bar() -> Iterator[Watch | None]:
    """What is being printed and how much of it is done, on a terminal; elsewhere nothing."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)
