"""The command line: arguments, files, exit codes, printing.

Exit 0: fine. 1: the workbook or the log has errors. 2: misuse.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from dtables import __version__, cli_author, cli_compile, cli_logs
from dtables.diagnostics import Severity, as_plain, render

if TYPE_CHECKING:
    from dtables.ruleset import Checked, Ruleset

FINE, ERRORS, MISUSE = 0, 1, 2

BOOK = click.Path(exists=True, dir_okay=False, path_type=Path)
LANGUAGES = click.Choice(["it", "en"])


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="dtables")
def main() -> None:
    """Decision tables that live in Excel: check them, run them, answer logs with them."""


def books(command: Callable[..., None]) -> Callable[..., None]:
    return click.argument("workbooks", metavar="BOOK...", nargs=-1, required=True, type=BOOK)(command)


def json_flag(command: Callable[..., None]) -> Callable[..., None]:
    return click.option("--json", "as_json", is_flag=True, help="For programs: one JSON value.")(command)


# -- check and test ----------------------------------------------------------------------------


@main.command()
@books
@click.option("--notes", is_flag=True, help="Show notes too, also on what no example of a workbook reaches.")
@json_flag
def check(workbooks: tuple[Path, ...], notes: bool, as_json: bool) -> None:
    """Read workbooks, check every name and type in them, and prove what can be proved: gaps, overlaps,
    rows that never fire, criteria that never decide."""
    from dtables.ruleset import with_unreached

    checked = [_check(book) for book in workbooks]
    if notes or as_json:
        checked = [with_unreached(one) for one in checked]
    if as_json:
        _print_json([_check_plain(c) for c in checked])
    else:
        for one in checked:
            _print_check(one, notes)
    _leave(ERRORS if any(c.model is None for c in checked) else FINE)


def _check(book: Path) -> Checked:
    from dtables.ruleset import check as check_workbook

    return check_workbook(book)


def _print_check(checked: Checked, notes: bool) -> None:
    from dtables.author.standing import standing

    shown = [d for d in checked.diagnostics if notes or d.severity is not Severity.NOTE]
    click.echo(render(shown), nl=False)
    click.echo(f"{checked.path.name}: {standing(checked.model, checked.diagnostics)}")


def _check_plain(checked: Checked) -> dict[str, Any]:
    return {
        "book": str(checked.path),
        "ok": checked.model is not None,
        "diagnostics": [as_plain(d) for d in checked.diagnostics],
    }


@main.command()
@books
@json_flag
def test(workbooks: tuple[Path, ...], as_json: bool) -> None:
    """Run the examples that stand in workbooks, on compiled code and on the reference evaluator."""
    from dtables.author.standing import plural
    from dtables.runs.examples import run_examples

    plain: list[dict[str, Any]] = []
    failed = False
    for book in workbooks:
        rules = cli_logs.load_book(book)
        results = list(run_examples(rules.model, (rules, rules.evaluator)))
        broken = [r for r in results if r.failures]
        failed = failed or bool(broken)
        failures = [{"cell": str(f.where), "message": f.message} for r in broken for f in r.failures]
        plain.append({"book": str(book), "examples": len(results), "failures": failures})
        if not as_json:
            for failure in failures:
                click.echo(f"{failure['cell']}: error[example]: {failure['message']}")
            click.echo(f"{book.name}: {len(results) - len(broken)} of {plural(len(results), 'example')} hold")
    if as_json:
        _print_json(plain)
    _leave(ERRORS if failed else FINE)


# -- eval and explain --------------------------------------------------------------------------

main.add_command(cli_logs.evaluate)
main.add_command(cli_logs.record)
main.add_command(cli_author.watch_books)
main.add_command(cli_author.diff_books)
main.add_command(cli_author.new_book)
main.add_command(cli_author.annotate_book)


@main.command()
@click.argument("workbook", metavar="BOOK", type=BOOK)
@click.argument("log", metavar="LOG")
@click.option("--turn", required=True, help="Which record: its `turn`.")
@click.option("--game", help="Its `game`, where turns repeat.")
@click.option("--lang", type=LANGUAGES, default="en", show_default=True, help="Language of the reason.")
@json_flag
def explain(workbook: Path, log: str, turn: str, game: str | None, lang: str, as_json: bool) -> None:
    """One answer with its whole reason, step by step, each with its cell."""
    from dtables.evaluator.explain import as_plain as explanation_plain
    from dtables.evaluator.explain import render as explanation_text
    from dtables.findings import RecordError, RuleError

    rules = cli_logs.load_book(workbook)
    record = _record(rules, log, turn, game)
    try:
        explanation = rules.explain(record.get("ask"), record.get("state"))
    except (RecordError, RuleError) as error:
        raise click.ClickException(f"turn {turn} is rejected: {error}") from None
    if as_json:
        _print_json(explanation_plain(explanation))
    else:
        click.echo(explanation_text(explanation, lang))


def _record(rules: Ruleset, log: str, turn: str, game: str | None) -> dict[str, Any]:
    from dtables.runs.chunks import LogError

    try:
        for chunk in cli_logs.log_for(rules, log).chunks():
            for line in chunk.lines():
                record = line.record
                if record and str(record.get("turn")) == turn and game in (None, record.get("game")):
                    return record
    except LogError as error:
        raise click.ClickException(str(error)) from None
    raise click.ClickException(f"{log} has no turn {turn}")


# -- compile and docs --------------------------------------------------------------------------


main.add_command(cli_compile.compile_book)


@main.command()
@books
@click.option("-o", "--output", metavar="DIR", default="docs/games", show_default=True,
              type=click.Path(file_okay=False, path_type=Path), help="Where the pages go.")  # fmt: skip
@click.option("--lang", type=LANGUAGES, default="en", show_default=True, help="Language of the words.")
def docs(workbooks: tuple[Path, ...], output: Path, lang: str) -> None:
    """Write what a log may ask of a workbook, field by field, as one Markdown page each."""
    from dtables.printing.manual import manual, manual_name
    from dtables.runs.jsonlines import written_whole

    for book in workbooks:
        rules = cli_logs.load_book(book)
        page = output / manual_name(rules.model, lang)
        with written_whole(page) as file:
            file.write(manual(rules.model, lang))
        click.echo(str(page))


@main.command()
@click.argument("workbook", metavar="BOOK", type=BOOK)
@click.option("-o", "--output", metavar="FILE", required=True,
              type=click.Path(dir_okay=False, path_type=Path), help="Where the copy goes.")  # fmt: skip
def dress(workbook: Path, output: Path) -> None:
    """Write a copy of a workbook with styles, drop-downs, help and a map of its tables."""
    from dtables.workbook.dress import dress as dress_workbook

    if output.resolve() == workbook.resolve():
        raise click.UsageError("the copy needs another name than the workbook: that is never written to")
    book, diagnostics = dress_workbook(workbook, output)
    click.echo(render(diagnostics), nl=False)
    if book is None:
        _leave(ERRORS)
    click.echo(str(output))


# -- print -------------------------------------------------------------------------------------


@main.command("print")
@books
@click.option("-o", "--output", metavar="DIR", default="build/pages", show_default=True,
              type=click.Path(file_okay=False, path_type=Path), help="Where the pages go.")  # fmt: skip
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
        rules = cli_logs.load_book(book)
        request = Request(
            (Format(kind),), (lang,) if lang else (), Paper(paper) if paper else None, own_styles(book), date
        )
        files, found = print_files(rules.model, request)
        click.echo(render(found), err=True, nl=False)
        failed = failed or errors_in(found)
        for file in files:
            click.echo(str(written(file, output)))
    _leave(ERRORS if failed else FINE)


# -- shared ------------------------------------------------------------------------------------


def _print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def _leave(code: int) -> NoReturn:
    sys.exit(code)


if __name__ == "__main__":
    main()
