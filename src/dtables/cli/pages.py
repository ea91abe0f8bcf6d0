"""What is made of a workbook for people: `dtables print`, `docs`, `dress`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from dtables.cli.shared import BOOK, ERRORS, FILE, FINE, FOLDER, LANGUAGES, another_file, books, load_book
from dtables.diagnostics import render


@click.command()
@books
@click.option("-o", "--output", metavar="DIR", default="docs/games", show_default=True,
              type=FOLDER, help="Where the pages go.")  # fmt: skip
@click.option("--lang", type=LANGUAGES, default="en", show_default=True, help="Language of the words.")
def docs(workbooks: tuple[Path, ...], output: Path, lang: str) -> None:
    """Write what a log may ask of a workbook, field by field, as one Markdown page each."""
    from dtables.printing.manual import manual, manual_name
    from dtables.runs.jsonlines import written_whole

    for book in workbooks:
        rules = load_book(book)
        page = output / manual_name(rules.model, lang)
        with written_whole(page) as file:
            file.write(manual(rules.model, lang))
        click.echo(str(page))


@click.command()
@click.argument("workbook", metavar="BOOK", type=BOOK)
@click.option("-o", "--output", metavar="FILE", required=True,
              type=FILE, help="Where the copy goes.")  # fmt: skip
def dress(workbook: Path, output: Path) -> None:
    """Write a copy of a workbook with styles, drop-downs, help and a map of its tables."""
    from dtables.workbook.dress import dress as dress_workbook

    another_file(output, workbook)
    book, diagnostics = dress_workbook(workbook, output)
    click.echo(render(diagnostics), nl=False)
    if book is None:
        sys.exit(ERRORS)
    click.echo(str(output))


@click.command("print")
@books
@click.option("-o", "--output", metavar="DIR", default="build/pages", show_default=True,
              type=FOLDER, help="Where the pages go.")  # fmt: skip
@click.option("--lang", type=LANGUAGES, help="Language of the pages; else: all that the workbook has.")
@click.option("--paper", type=click.Choice(["a4", "letter", "tarot"]),
              help="Instead of the workbook's; tarot: cards alone, one on a page.")  # fmt: skip
@click.option("--format", "kind", type=click.Choice(["pdf", "html", "png"]), default="pdf", show_default=True)
@click.option("--date", default="", help="Printed in the footer; else the pages have no date.")
def print_pages(
    workbooks: tuple[Path, ...], output: Path, lang: str | None, paper: str | None, kind: str, date: str
) -> None:
    """Print reference pages: what goes where is the workbook's `Pages` table.

    Own templates are read from NAME.templates beside the workbook, or from reports/templates."""
    from dtables.diagnostics import errors_in
    from dtables.printing.files import Format, Request, own_styles, print_files, written
    from dtables.printing.view_parts import Paper

    failed = False
    for book in workbooks:
        rules = load_book(book)
        request = Request(
            (Format(kind),), (lang,) if lang else (), Paper(paper) if paper else None, own_styles(book), date
        )
        files, found = print_files(rules.model, request)
        click.echo(render(found), err=True, nl=False)
        failed = failed or errors_in(found)
        for file in files:
            click.echo(str(written(file, output)))
    sys.exit(ERRORS if failed else FINE)
