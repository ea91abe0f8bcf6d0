"""What is made of a workbook for people: `dtables print`, `docs`, `dress`."""

from __future__ import annotations

import sys
from pathlib import Path

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
@click.option("--paper", type=click.Choice(["a4", "letter", "tarot"]),
              help="Instead of the workbook's; tarot: cards alone, one on a page.")  # fmt: skip
@click.option("--format", "kind", type=click.Choice(["pdf", "html", "png"]), default="pdf", show_default=True)
@click.option("--date", default="", help="Printed in the footer; else the pages have no date.")
@click.option("--templates", metavar="FOLDER", type=TEMPLATES,
              help="Templates of your own, instead of those of the same name.")  # fmt: skip
def print_pages(
    workbooks: tuple[Path, ...],
    output: Path,
    lang: str | None,
    paper: str | None,
    kind: str,
    date: str,
    templates: Path | None,
) -> None:
    """Print reference pages: what goes where is the workbook's `Pages` table."""
    from dtables.diagnostics import errors_in
    from dtables.pages.document import Paper
    from dtables.pages.files import Format, Request, print_files, written

    printed_apart(workbooks, output)
    request = Request(
        (Format(kind),), (lang,) if lang else (), Paper(paper) if paper else None, templates, date
    )
    failed = False
    for book in workbooks:
        rules = load_book(book)
        files, found = print_files(rules.model, request)
        for file in files:
            distinct({"the page": output / file.name}, workbooks)
        show(render(found), err=True)
        failed = failed or errors_in(found)
        for file in files:
            say(str(written(file, output)))
    sys.exit(ERRORS if failed else FINE)
