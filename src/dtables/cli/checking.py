"""Is a workbook right: `dtables check`, `dtables test`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtables.cli.shared import ERRORS, FINE, books, json_flag, load_book, print_json, say, show
from dtables.diagnostics import Severity, as_plain, render

if TYPE_CHECKING:
    from dtables.ruleset import Checked


@click.command()
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
        print_json([_check_plain(c) for c in checked])
    else:
        for one in checked:
            _print_check(one, notes)
    sys.exit(ERRORS if any(c.model is None for c in checked) else FINE)


def _check(book: Path) -> Checked:
    from dtables.ruleset import check as check_workbook

    return check_workbook(book)


def _print_check(checked: Checked, notes: bool) -> None:
    from dtables.author.standing import standing

    shown = [d for d in checked.diagnostics if notes or d.severity is not Severity.NOTE]
    show(render(shown))
    say(f"{checked.path.name}: {standing(checked.model, checked.diagnostics)}")


def _check_plain(checked: Checked) -> dict[str, Any]:
    return {
        "book": str(checked.path),
        "ok": checked.model is not None,
        "diagnostics": [as_plain(d) for d in checked.diagnostics],
    }


@click.command()
@books
@json_flag
def test(workbooks: tuple[Path, ...], as_json: bool) -> None:
    """Run the examples that stand in workbooks, on compiled code and on the reference evaluator."""
    from dtables.author.standing import plural
    from dtables.runs.examples import run_examples

    plain: list[dict[str, Any]] = []
    failed = False
    for book in workbooks:
        rules = load_book(book)
        results = list(run_examples(rules.model, (rules, rules.evaluator)))
        broken = [r for r in results if r.failures]
        failed = failed or bool(broken)
        failures = [{"cell": str(f.where), "message": f.message} for r in broken for f in r.failures]
        plain.append({"book": str(book), "examples": len(results), "failures": failures})
        if not as_json:
            for failure in failures:
                say(f"{failure['cell']}: error[example]: {failure['message']}")
            say(f"{book.name}: {len(results) - len(broken)} of {plural(len(results), 'example')} hold")
    if as_json:
        print_json(plain)
    sys.exit(ERRORS if failed else FINE)
