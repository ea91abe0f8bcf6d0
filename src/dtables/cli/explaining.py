"""Why an answer is what it is: `dtables explain`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtables.cli.shared import BOOK, LANGUAGES, json_flag, load_book, log_for, print_json, show

if TYPE_CHECKING:
    from dtables.ruleset import Ruleset


@click.command()
@click.argument("workbook", metavar="BOOK", type=BOOK)
@click.argument("log", metavar="LOG")
@click.option("--turn", required=True, help="Which record: its `turn`.")
@click.option("--game", help="Its `game`, where turns repeat.")
@click.option("--lang", type=LANGUAGES, default="en", show_default=True, help="Language of the reason.")
@json_flag
def explain(workbook: Path, log: str, turn: str, game: str | None, lang: str, as_json: bool) -> None:
    """One answer with its whole reason, step by step, each with its cell."""
    from dtables.evaluator.evaluator import bounded
    from dtables.evaluator.explain import as_plain as explanation_plain
    from dtables.evaluator.explain import render as explanation_text
    from dtables.findings import RecordError, RuleError

    rules = load_book(workbook)
    record = _record(rules, log, turn, game)
    try:
        explanation = rules.explain(record.get("ask"), record.get("state"))
        if as_json:
            bounded(lambda: print_json(explanation_plain(explanation)))
        else:
            show(explanation_text(explanation, lang))
    except (RecordError, RuleError) as error:
        raise click.ClickException(f"turn {turn} is rejected: {error}") from None


def _record(rules: Ruleset, log: str, turn: str, game: str | None) -> dict[str, Any]:
    from dtables.runs.chunks import LogError

    try:
        for chunk in log_for(rules, log).chunks():
            for line in chunk.lines():
                record = line.record
                if record and str(record.get("turn")) == turn and game in (None, record.get("game")):
                    return record
    except LogError as error:
        raise click.ClickException(str(error)) from None
    raise click.ClickException(f"{log} has no turn {turn}")
