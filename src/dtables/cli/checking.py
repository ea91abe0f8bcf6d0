"""Is a workbook right: `dtables check`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtables.cli.options import BOOK, ERRORS, FINE, books, json_flag, print_json, say, show
from dtables.diagnostics import Severity, as_plain, by_severity, errors_in, overview, render

if TYPE_CHECKING:
    from dtables.ruleset import Checked


@click.command()
@books
@click.option("--notes", is_flag=True, help="Show notes too, also on what no example of a workbook reaches.")
@click.option("--all", "each", is_flag=True, help="Show each finding by itself, and all of them.")
@click.option("--against", "old", metavar="OLD", type=BOOK,
              help="An older version of it: warn of wordings that did not follow their rules.")  # fmt: skip
@json_flag
def check(workbooks: tuple[Path, ...], notes: bool, each: bool, old: Path | None, as_json: bool) -> None:
    """Read workbooks, check every name and type in them, and prove what can be proved: gaps, overlaps,
    rows that never fire, criteria that never decide. Of a workbook with a turn, also what somebody who plays
    from its pages would stumble over.

    Of each workbook at most 20 findings are shown, errors first, many alike as one: --all shows the rest."""
    from dtables.ruleset import with_unreached

    if old is not None and len(workbooks) > 1:
        raise click.UsageError("--against needs a single workbook")
    checked = [_check(book) for book in workbooks]
    if old is not None:
        checked = [_against(one, old) for one in checked]
    if notes or as_json:
        checked = [with_unreached(one) for one in checked]
    if as_json:
        print_json([_check_plain(c) for c in checked])
    else:
        for one in checked:
            _print_check(one, notes, each)
    sys.exit(ERRORS if any(c.model is None or errors_in(c.diagnostics) for c in checked) else FINE)


def _check(book: Path) -> Checked:
    """With what a reader of its pages would stumble over, if somebody plays from them."""
    from dtables.ruleset import check as check_workbook

    checked = check_workbook(book)
    if checked.model is None or not checked.model.turns:
        return checked
    from dtables.pages.compose import stumbles

    return replace(checked, diagnostics=(*checked.diagnostics, *stumbles(checked.model)))


def _against(checked: Checked, old: Path) -> Checked:
    from dtables.diagnostics import in_order
    from dtables.versions.wordings import older_wordings
    from dtables.workbook.cells import read_workbook

    (before, found), (now, _) = read_workbook(old), read_workbook(checked.path)
    if before is None or errors_in(found):
        show(overview(found), err=True)
        sys.exit(ERRORS)
    if now is None or checked.model is None:
        return checked
    older = older_wordings(before, now, checked.model)
    return replace(checked, diagnostics=in_order((*checked.diagnostics, *older), checked.model.sheets))


def _print_check(checked: Checked, notes: bool, each: bool) -> None:
    from dtables.authoring.summary import standing

    shown = [d for d in checked.diagnostics if notes or d.severity is not Severity.NOTE]
    show(render(by_severity(shown)) if each else overview(shown, "check --notes" if notes else "check"))
    say(f"{checked.path.name}: {standing(checked.model, checked.diagnostics)}")


def _check_plain(checked: Checked) -> dict[str, Any]:
    return {
        "book": str(checked.path),
        "ok": checked.model is not None,
        "diagnostics": [as_plain(d) for d in checked.diagnostics],
    }
