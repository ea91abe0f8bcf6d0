"""Commands for those who write workbooks: `dtables watch`, `diff`, `new`, `annotate`."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtables.cli.options import (
    BOOK,
    ERRORS,
    FILE,
    FINE,
    FOLDER,
    LANGUAGES,
    TEMPLATES,
    distinct,
    json_flag,
    load_book,
    log_for,
    new_workbook,
    print_json,
    printed_apart,
    say,
    say_written,
    show,
)
from dtables.diagnostics import MOST_SHOWN, Severity, by_severity, overview, render
from dtables.diagnostics import as_plain as finding_as_plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dtables.authoring.watching import News
    from dtables.diagnostics import Diagnostic
    from dtables.versions.answers import AnswerCounts, ChangedAnswer
    from dtables.versions.tables import TableComparison
    from dtables.workbook.tables import BookText

PAUSE = 0.05
"""Seconds between two looks at whether a workbook was saved."""


# -- watch -------------------------------------------------------------------------------------


@click.command("watch")
@click.argument("workbooks", metavar="BOOK...", nargs=-1, required=True, type=BOOK)
@click.option("--test", "examples", is_flag=True, help="Run the workbook's examples too.")
@click.option("--print", "pages", metavar="DIR", type=FOLDER, help="Print the pages anew into this folder.")
@click.option("--templates", metavar="FOLDER", type=TEMPLATES,
              help="Of --print: templates of your own.")  # fmt: skip
@click.option("--notes", is_flag=True, help="Show notes too.")
@click.option("--all", "each", is_flag=True, help="Show each finding by itself, and all of them.")
def watch_books(
    workbooks: tuple[Path, ...],
    examples: bool,
    pages: Path | None,
    templates: Path | None,
    notes: bool,
    each: bool,
) -> None:
    """Check workbooks again whenever they are saved, and say what is new and what is gone.

    Ctrl-C ends it."""
    from dtables.authoring.watching import Looking, watch

    if pages is not None:
        printed_apart(workbooks, pages)
    elif templates is not None:
        raise click.UsageError("--templates needs --print")
    looking = Looking(_shown_severities(notes), examples, pages, templates, first={})
    try:
        for news in watch(workbooks, looking.look, lambda: time.sleep(PAUSE)):
            _report(news, each)
    except KeyboardInterrupt:
        sys.exit(FINE)


def _report(news: News, each: bool) -> None:
    """What is gone in a line each, what is new whole, then how the workbook stands."""
    from dtables.authoring.summary import standing

    most = len(news.gone) if each else MOST_SHOWN
    for d in news.gone[:most]:
        say(f"gone: {d.where}: {d.severity.value}[{d.code}]: {d.message}")
    if news.gone[most:]:
        say(f"gone: {len(news.gone) - most:,} more")
    show(render(by_severity(news.new)) if each else overview(news.new))
    seen = news.seen
    changed = f" ({len(news.new)} new, {len(news.gone)} gone)" if news.before is not None else ""
    say(f"{seen.checked.path.name}: {standing(seen.checked.model, seen.findings)}{changed}")
    sys.stdout.flush()


# -- new and annotate --------------------------------------------------------------------------


@click.command("new")
@click.argument("file", metavar="FILE.xlsx", type=FILE)
@click.option("--lang", type=LANGUAGES, default="en", show_default=True,
              help="Of its tables.")  # fmt: skip
def new_book(file: Path, lang: str) -> None:
    """Write a workbook to begin with: small, sound, with one table of each main kind and examples."""
    from dtables.authoring.starting import begin

    new_workbook(file)
    begin(file, lang)
    say(str(file))


@click.command("annotate")
@click.argument("workbook", metavar="BOOK", type=BOOK)
@click.option("-o", "--output", metavar="COPY.xlsx", required=True, type=FILE, help="Where the copy goes.")
@click.option("--test", "examples", is_flag=True, help="Run the workbook's examples too.")
@click.option("--notes", is_flag=True, help="Show notes too.")
def annotate_book(workbook: Path, output: Path, examples: bool, notes: bool) -> None:
    """Write a copy of a workbook with what its check finds: comments, marks, and a sheet of links.

    The workbook itself is never written to. Exit 0 when the copy is there."""
    from dtables.authoring.annotating import annotate
    from dtables.authoring.summary import counted
    from dtables.authoring.watching import Looking
    from dtables.ruleset import keep
    from dtables.workbook.cells import read_workbook

    distinct({"the copy": output}, (workbook,))
    text, found = read_workbook(workbook)
    if text is None:
        show(overview(found), err=True)
        sys.exit(ERRORS)
    seen = Looking(_shown_severities(notes), examples, unreached=notes).look(workbook)
    keep(seen.checked)
    refused = annotate(workbook, text, seen.findings, output)
    if refused:
        show(overview((refused,)), err=True)
        sys.exit(ERRORS)
    say_written(output, f": {counted(seen.findings)}")


def _shown_severities(notes: bool) -> frozenset[Severity]:
    return frozenset(Severity) if notes else frozenset((Severity.ERROR, Severity.WARNING))


# -- diff --------------------------------------------------------------------------------------

MOST_ANSWERS = 100


@dataclass(frozen=True)
class ComparedBooks:
    """Two workbooks that were read, and where a log's changed answers go."""

    old: Path
    new: Path
    before: BookText
    after: BookText
    comparison: TableComparison
    older: tuple[Diagnostic, ...]
    log: str | None
    answers: Path | None


@click.command("diff")
@click.argument("old", metavar="OLD", type=BOOK)
@click.argument("new", metavar="NEW", type=BOOK)
@click.option("--log", "log", metavar="LOG", help="Also report which recorded answers change.")
@click.option("--answers", metavar="FILE.csv", type=FILE,
              help="Write all changed answers as a table: .csv, .parquet, .xlsx or .jsonl.")  # fmt: skip
@json_flag
def diff_books(old: Path, new: Path, log: str | None, answers: Path | None, as_json: bool) -> None:
    """Say what changed from one workbook to another: tables, rows and cells, and which wordings are now older
    than their rules.

    Exit 0 whether something changed or not; 1: a workbook or the log has errors."""
    from dtables.ruleset import read
    from dtables.versions.tables import compare_books
    from dtables.versions.wordings import older_wordings
    from dtables.workbook.cells import read_workbook

    if answers is not None:
        _check_answers_file(answers, old, new, log)
    (before, found), (after, more) = read_workbook(old), read_workbook(new)
    broken = [d for d in (*found, *more) if d.severity is Severity.ERROR]
    show(overview(broken), err=True)
    if before is not None and after is not None:
        comparison = compare_books(before, after)
        older = older_wordings(before, after, read(new).model)
        books = ComparedBooks(old, new, before, after, comparison, older, log, answers)
        if as_json:
            _print_changes(books)
        else:
            _report_changes(books)
    sys.exit(ERRORS if broken else FINE)


def _check_answers_file(answers: Path, old: Path, new: Path, log: str | None) -> None:
    from dtables.answers.output import finish_for
    from dtables.logs.files import find_log
    from dtables.logs.jsonlines import LogError

    if log is None:
        raise click.UsageError("--answers requires --log LOG")
    try:
        finish_for(answers, {})
        distinct({"the changed answers": answers}, (old, new), find_log(log))
    except LogError as error:
        raise click.ClickException(str(error)) from None


def _print_changes(books: ComparedBooks) -> None:
    from dtables.versions.changes import as_plain

    plain: dict[str, Any] = {"old": str(books.old), "new": str(books.new)}
    plain["changes"] = [as_plain(change) for change in books.comparison.changes]
    plain["wordings"] = [finding_as_plain(finding) for finding in books.older]
    if books.log is not None:
        plain["answers"] = _answers_plain(books)
    print_json(plain)


def _report_changes(books: ComparedBooks) -> None:
    from dtables.versions.changes import line

    for change in books.comparison.changes:
        say(line(change))
    show(overview(books.older))
    say(f"{books.old} → {books.new}: {_changes(len(books.comparison.changes))}")
    if books.log is not None:
        _report_answers(books, books.log)


def _changes(number: int) -> str:
    return "no change in any table" if number == 0 else "1 change" if number == 1 else f"{number} changes"


def _report_answers(books: ComparedBooks, log: str) -> None:
    from dtables.versions.answers import AnswerCounts, change_lines, sum_lines

    counts = AnswerCounts()
    for change in _changed_answers(books, counts):
        if counts.changed <= MOST_ANSWERS:
            for sentence in change_lines(change):
                say(sentence)
    if counts.changed > MOST_ANSWERS:
        hint = "" if books.answers is not None else "; --answers FILE.csv lists all"
        say(f"and {counts.changed - MOST_ANSWERS} more{hint}")
    for text in sum_lines(counts):
        say(text)
    if books.answers is not None:
        say(f"changed answers: {books.answers}", err=True)
    say(f"{log}: {counts.records} records, {counts.changed} answered differently")


def _answers_plain(books: ComparedBooks) -> dict[str, object]:
    from dtables.versions.answers import AnswerCounts, as_plain, sums_as_plain

    counts = AnswerCounts()
    changed = [as_plain(change) for change in _changed_answers(books, counts)]
    numbers = {"records": counts.records, "changed": counts.changed}
    return {**numbers, "sums": sums_as_plain(counts), "turns": changed}


def _changed_answers(books: ComparedBooks, counts: AnswerCounts) -> Iterator[ChangedAnswer]:
    """All of them also go into the table, if one is asked for."""
    from dtables.answers.output import rows_written
    from dtables.logs.jsonlines import LogError
    from dtables.versions.answers import RulesetVersions, changed_answers, changed_rows
    from dtables.versions.tables import RowLabels

    assert books.log is not None
    labels = RowLabels(books.before), RowLabels(books.after)
    versions = RulesetVersions(load_book(books.old), load_book(books.new), books.comparison, *labels)
    try:
        changes = changed_answers(versions, log_for(versions.new, books.log), counts)
        if books.answers is None:
            yield from changes
            return
        with rows_written(books.answers) as add:
            for change in changes:
                for row in changed_rows(change):
                    add(row)
                yield change
    except LogError as error:
        raise click.ClickException(str(error)) from None
