"""What is wrong, where, and what to do about it; and the one place that formats it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from dtables.provenance import Location, Span
from dtables.terminal import visible


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a text, placed by characters; the checker says which cell the text stands in."""

    code: str
    message: str
    span: Span
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """Another place that belongs to a diagnostic."""

    where: Location
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake, one message. `typed` is the cell's text as its author typed it."""

    where: Location
    severity: Severity
    code: str
    message: str
    typed: str | None = None
    remarks: tuple[Remark, ...] = ()
    hint: str | None = None
    example: str | None = None


MOST_SHOWN = 100


def errors_in(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in diagnostics)


def in_order(diagnostics: Iterable[Diagnostic], sheets: tuple[str, ...] = ()) -> tuple[Diagnostic, ...]:
    """By book, sheet (in the workbook's order where `sheets` tells it), row and column."""
    rank = {sheet: n for n, sheet in enumerate(sheets)}

    def key(d: Diagnostic) -> tuple[str, int, str, int, int, int, str]:
        cell = d.where.cell
        start = d.where.span.start if d.where.span else 0
        return (cell.book, rank.get(cell.sheet, len(rank)), cell.sheet, cell.row, cell.column, start, d.code)

    return tuple(sorted(diagnostics, key=key))


def render(diagnostics: Iterable[Diagnostic], most: int = MOST_SHOWN) -> str:
    """Plain text, in the order given; ends with a new line unless there is nothing to say."""
    listed = list(diagnostics)
    blocks = ["\n".join(map(visible, _lines(d))) for d in listed[:most]]
    if len(listed) > most:
        blocks.append(f"and {len(listed) - most} more")
    return "".join(block + "\n" for block in blocks)


def _lines(d: Diagnostic) -> list[str]:
    lines = [f"{d.where}: {d.severity.value}[{d.code}]: {d.message}"]
    if d.typed is not None:
        lines += _quotation(d)
    return [*lines, *(f"  {line}" for line in explained(d))]


def explained(d: Diagnostic) -> list[str]:
    """What goes with the message: other places, an example, what to do."""
    lines = [f"note: {remark.where}: {remark.message}" for remark in d.remarks]
    if d.example is not None:
        lines.append(f"example: {d.example}")
    if d.hint is not None:
        lines.append(f"hint: {d.hint}")
    return lines


def _quotation(d: Diagnostic) -> list[str]:
    """The typed text with a caret line under the part meant; of several lines only the one meant."""
    assert d.typed is not None
    label = f"  {d.where.cell.address} | "
    span = d.where.span
    if span is None:
        return [label + d.typed.split("\n", 1)[0]] if d.typed else []
    start = min(span.start, len(d.typed))
    first = d.typed.rfind("\n", 0, start) + 1
    line = d.typed[first:].split("\n", 1)[0]
    before, meant = line[: start - first], line[start - first : span.end - first]
    margin = " " * (len(label) - 2) + "| "
    marks = " " * len(visible(before)) + "^" * max(1, len(visible(meant)))
    return [label + line, margin + marks]


def as_plain(d: Diagnostic) -> dict[str, object]:
    """For `--json`."""
    plain: dict[str, object] = {
        "book": d.where.cell.book,
        "sheet": d.where.cell.sheet,
        "cell": d.where.cell.address,
        "to": d.where.last.address if d.where.last else None,
        "severity": d.severity.value,
        "code": d.code,
        "message": d.message,
        "typed": d.typed,
        "span": [d.where.span.start, d.where.span.end] if d.where.span else None,
        "notes": [{"place": str(r.where), "message": r.message} for r in d.remarks],
        "hint": d.hint,
        "example": d.example,
    }
    return {key: value for key, value in plain.items() if value not in (None, [])}
