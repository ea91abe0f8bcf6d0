"""What is reported of the changes: how many are noticed, those that are not, those that change no answer."""

from __future__ import annotations

from collections.abc import Iterator

from dtables.mutation.records import Verdict
from dtables.mutation.run import Report, SuggestedExample, Unnoticed

MOST_ALIKE = 20
"""Changes without effect that are listed on the screen."""
MOST_TEXT = 400


def summary(report: Report) -> str:
    """Return one line: `412 changes: 389 noticed by check or examples (94.4 %), 23 not`, and how many more
    change no answer."""
    noticed = f"{report.by_check + report.by_example:,} noticed by check or examples"
    text = f"{report.counted:,} changes: {noticed} ({report.share:.1f} %), {len(report.unnoticed):,} not"
    if not report.alike:
        return text
    return f"{text}; {len(report.alike):,} more change no answer of {report.records:,} records"


def lines(report: Report, *, each: bool = False) -> Iterator[str]:
    """List changes by sheet and cell, each with the example that would notice it; `each`: also all that
    changes no answer."""
    numbers: dict[int, int] = {}
    for unnoticed in report.unnoticed:
        yield f"not noticed: {unnoticed.change}"
        example = unnoticed.example
        if id(example) in numbers:
            yield f"  example {numbers[id(example)]} again"
        else:
            numbers[id(example)] = len(numbers) + 1
            yield f"  example {len(numbers)} would notice it, a row for {example.row.place}:"
            yield f"    {_row(example)}"
        yield f"  answer: {_short(example.outcome.differences_from(unnoticed.outcome))}"
        yield f"  changed: {_short(unnoticed.outcome.differences_from(example.outcome))}"
    alike = report.alike if each else report.alike[:MOST_ALIKE]
    yield from (f"no answer changes: {change}" for change in alike)
    if len(report.alike) > len(alike):
        yield f"no answer changes: {len(report.alike) - len(alike):,} more: --all"


def as_plain(report: Report) -> dict[str, object]:
    """For `--json`."""
    places = {id(example): n for n, example in enumerate(report.examples)}
    return {
        "changes": report.counted,
        "noticed by check": report.by_check,
        "noticed by examples": report.by_example,
        "share": round(report.share, 2),
        "records": report.records,
        "seed": report.seed,
        "unnoticed": [_unnoticed(one, places[id(one.example)]) for one in report.unnoticed],
        "examples": [_example(example) for example in report.examples],
        "no answer changes": [change.as_plain() for change in report.alike],
        "noticed": [
            {
                **noticed.change.as_plain(),
                "by": noticed.by,
                "where": noticed.where,
                "message": noticed.message,
            }
            for noticed in report.noticed
        ],
    }


def _unnoticed(one: Unnoticed, example: int) -> dict[str, object]:
    return {**one.change.as_plain(), "example": example, "changed answer": _outcome(one.outcome)}


def _example(example: SuggestedExample) -> dict[str, object]:
    question = example.question
    subject = {"ask": question.ask} if question.ask is not None else {"table": question.table}
    return {
        **subject,
        "given": question.given,
        "answer": _outcome(example.outcome),
        "row": example.row.as_plain(),
    }


def _outcome(outcome: Verdict) -> object:
    if outcome.refused is not None or outcome.fails is not None:
        return str(outcome)
    return {"next": list(outcome.next), **outcome.value} if outcome.next else outcome.value


def _row(example: SuggestedExample) -> str:
    """The cells that are filled in."""
    filled = [cell for cell in example.row.cells if cell.text]
    return " | ".join(f"{cell.head}{' (a new column)' if cell.new else ''}: {cell.text}" for cell in filled)


def _short(text: str) -> str:
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 1] + "…"
