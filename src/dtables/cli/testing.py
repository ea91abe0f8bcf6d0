"""Do the examples of a workbook hold, and would they notice a mistake: `dtables test`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtables.cli.options import ERRORS, FINE, books, json_flag, load_book, log_for, print_json, say, show
from dtables.diagnostics import overview, render

if TYPE_CHECKING:
    from rich.progress import TaskID

    from dtables.model.tables import Ruleset as Model
    from dtables.mutation.run import Watch
    from dtables.ruleset import Ruleset


MOST = 20
"""Lines that are shown of a table's coverage."""


@dataclass(frozen=True, slots=True)
class TestRequest:
    """What `dtables test` was asked for. `each`: everything is shown."""

    each: bool
    mutants: bool
    coverage: bool
    at_least: float | None
    log: str | None
    only: tuple[str, ...]
    records: int
    seed: int
    limit: int | None
    processes: int | None


@click.command()
@books
@click.option("--all", "each", is_flag=True, help="Show everything, not only the first 20 of a kind.")
@click.option("--coverage", is_flag=True,
              help="List the rows and cells that no example reaches.")  # fmt: skip
@click.option("--mutants", is_flag=True,
              help="Change each cell of the rules; list the changes that nothing notices.")  # fmt: skip
@click.option("--at-least", metavar="PERCENT", type=click.FloatRange(0, 100),
              help="Fail below this share, of what is reached and of what is noticed.")  # fmt: skip
@click.option("--log", metavar="LOG", help="Of --mutants: use the records of this log too.")
@click.option("--only", metavar="NAME", multiple=True,
              help="Of --mutants: change this table or sheet alone. Repeat it for more.")  # fmt: skip
@click.option("--records", type=click.IntRange(0), default=2000, show_default=True,
              help="Of --mutants: how many random valid records tell whether a change counts.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of --mutants: of the random records.")
@click.option("--limit", metavar="N", type=click.IntRange(1),
              help="Of --mutants: try at most so many changes, from all over the workbook.")  # fmt: skip
@click.option(
    "--processes", metavar="N", type=click.IntRange(1), help="Of --mutants. [default: one per core]"
)
@json_flag
def test(workbooks: tuple[Path, ...], as_json: bool, **options: Any) -> None:
    """Run the examples that stand in workbooks, on compiled code and on the reference evaluator.

    With --mutants each cell of the rules is changed in the ways people err: a bound by one, the opposite
    preference, a neighbour's name, two rows swapped, a row gone. A change counts if the check or an example
    notices it, or if random records are answered otherwise; those that nothing notices are listed, each with
    an example that would."""
    request = TestRequest(**options)
    if request.at_least is not None and not (request.mutants or request.coverage):
        raise click.UsageError("--at-least needs --mutants or --coverage")
    if (request.only or request.log or request.limit) and not request.mutants:
        raise click.UsageError("--only, --log and --limit need --mutants")
    results = [_tested(book, request, as_json) for book in workbooks]
    if as_json:
        print_json([plain for plain, _ in results])
    sys.exit(ERRORS if any(failed for _, failed in results) else FINE)


def _tested(book: Path, request: TestRequest, as_json: bool) -> tuple[dict[str, Any], bool]:
    """What `--json` shows, and whether something failed."""
    from dtables.authoring.summary import plural
    from dtables.authoring.watching import example_findings

    rules = load_book(book)
    examples, broken, found = example_findings(rules)
    failures = [{"cell": str(d.where), "message": d.message} for d in found]
    plain: dict[str, Any] = {"book": str(book), "examples": examples, "failures": failures}
    if not as_json:
        show(render(found) if request.each else overview(found, "test"))
        say(f"{book.name}: {examples - broken} of {plural(examples, 'example')} hold")
    failed = bool(broken)
    shown = None if as_json else book.name
    if request.mutants and broken:
        say(f"{book.name}: the examples must hold before the rules are changed", err=True)
    if request.coverage:
        failed = _coverage(rules, request, shown, plain) or failed
    if request.mutants and not broken:
        failed = _mutants(book, rules, request, shown, plain) or failed
    return plain, failed


def _coverage(rules: Ruleset, request: TestRequest, shown: str | None, plain: dict[str, Any]) -> bool:
    """Whether fewer rows and cells are reached than were to be."""
    from dtables.verifier.parts import coverage, share

    covered = coverage(rules.model)
    parts, reached = sum(len(one.parts) for one in covered), sum(one.reached for one in covered)
    tables = [one.as_plain() for one in covered]
    plain["coverage"] = {
        "parts": parts,
        "reached": reached,
        "share": round(share(covered), 2),
        "tables": tables,
    }
    for one in covered if shown is not None else ():
        say(str(one))
        lines = list(one.lines())
        for line in lines if request.each else lines[:MOST]:
            say(f"  {line}")
        if len(lines) > MOST and not request.each:
            say(f"  and {len(lines) - MOST} more: --all")
    if shown is not None:
        say(f"{shown}: examples reach {reached:,} of {parts:,} rows and cells ({share(covered):.1f} %)")
    return _below(request, share(covered), "rows and cells reached")


# -- mutants -----------------------------------------------------------------------------------


def _mutants(
    book: Path, rules: Ruleset, request: TestRequest, shown: str | None, plain: dict[str, Any]
) -> bool:
    """Whether fewer changes are noticed than were to be."""
    from dtables.logs.jsonlines import LogError
    from dtables.mutation.report import as_plain as report_plain
    from dtables.mutation.report import lines, summary
    from dtables.mutation.run import MutationRequest, records_of, tried_all
    from dtables.mutation.trial import read

    _refuse_unknown(request.only, rules.model)
    wish = MutationRequest(request.records, request.seed, request.only, request.limit, request.processes)
    try:
        given = () if request.log is None else records_of(log_for(rules, request.log), rules.main_ask)
        with _bar() as watch:
            report = tried_all(read(book), given, wish, watch)
    except LogError as error:
        raise click.ClickException(str(error)) from None
    plain["mutants"] = report_plain(report)
    if shown is not None:
        for line in lines(report, each=request.each):
            say(line)
        say(f"{shown}: {summary(report)}")
    return _below(request, report.share, "changes noticed")


def _refuse_unknown(only: tuple[str, ...], model: Model) -> None:
    known = [*dict.fromkeys((*(heading.name for heading in model.headings), *model.sheets))]
    for name in only:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise click.UsageError(f"no table or sheet `{name}`{hint}")


def _below(request: TestRequest, share: float, what: str) -> bool:
    if request.at_least is None or share >= request.at_least:
        return False
    say(f"{what}: {share:.1f} %, and --at-least needs {request.at_least:g} %", err=True)
    return True


@contextmanager
def _bar() -> Iterator[Watch]:
    """What is being done and how much of it, on a terminal; elsewhere nothing."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _what, _done, _total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def watch(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done, total=total)

        yield watch
