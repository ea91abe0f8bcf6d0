"""What is wrong, where, and what to do about it; and the one place that formats it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from shlex import quote

from dtables.provenance import CellRef, Location, Span
from dtables.terminal import visible


class Severity(StrEnum):
    """How bad a finding is; with an error a workbook does not run."""

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
    """One mistake, one message. `typed` is the cell's text as its author typed it; `rows` are rows of
    cells that would mend it, to be pasted; `table` where the table begins of whose findings it is one."""

    where: Location
    severity: Severity
    code: str
    message: str
    typed: str | None = None
    remarks: tuple[Remark, ...] = ()
    hint: str | None = None
    example: str | None = None
    rows: tuple[str, ...] = ()
    table: CellRef | None = None

    def __post_init__(self) -> None:
        """Words of a long cell are said in part."""
        object.__setattr__(self, "message", shortened(self.message))
        if self.hint is not None:
            object.__setattr__(self, "hint", shortened(self.hint))


LONGEST = 600
"""What is said at once; what is quoted in it is shortened first."""
LONGEST_QUOTED, QUOTED = 300, 80
LONGEST_LINE = 120
_QUOTED = re.compile(rf"`([^`]{{{LONGEST_QUOTED},}})`")


def shortened(text: str) -> str:
    """Cut what a message quotes, and the message, where they are long."""
    if len(text) <= LONGEST_QUOTED:
        return text
    text = _QUOTED.sub(lambda found: f"`{found[1][:QUOTED].rstrip()}…`", text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…"


def errors_in(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether any of the findings is an error."""
    return any(d.severity is Severity.ERROR for d in diagnostics)


def in_order(diagnostics: Iterable[Diagnostic], sheets: tuple[str, ...] = ()) -> tuple[Diagnostic, ...]:
    """Sort by book, sheet (in the workbook's order where `sheets` tells it), row and column."""
    rank = {sheet: n for n, sheet in enumerate(sheets)}

    def key(d: Diagnostic) -> tuple[str, int, str, int, int, int, str]:
        cell = d.where.cell
        start = d.where.span.start if d.where.span else 0
        return (cell.book, rank.get(cell.sheet, len(rank)), cell.sheet, cell.row, cell.column, start, d.code)

    return tuple(sorted(diagnostics, key=key))


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """Plain text, in the order given; ends with a new line unless there is nothing to say."""
    return "".join("\n".join(map(visible, _lines(d))) + "\n" for d in diagnostics)


def _lines(d: Diagnostic) -> list[str]:
    lines = [f"{d.where}: {d.severity.value}[{d.code}]: {d.message}"]
    if d.typed is not None:
        lines += _quotation(d)
    return [*lines, *(f"  {line}" for line in explained(d))]


# -- many of them ------------------------------------------------------------------------------

MOST_SHOWN = 20
MOST_APART = 3
"""Alike findings are said one by one as long as they are so few, and of one table so many of them."""
MOST_PLACES = 5
EXAMPLE = "example"
"""One that does not hold is like no other."""
_DETAILS = re.compile(r'`[^`]*`|"[^"]*"|[0-9]+')


def by_severity(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Errors first; else in the order given."""
    rank = list(Severity)
    return sorted(diagnostics, key=lambda d: rank.index(d.severity))


def overview(diagnostics: Iterable[Diagnostic], command: str = "check") -> str:
    """What is read first: errors before all else, many alike as one, and not more than some. The command is
    the one that shows the rest."""
    ordered = by_severity(diagnostics)
    groups: dict[object, list[Diagnostic]] = {}
    for d in ordered:
        groups.setdefault(_kind(d), []).append(d)
    shown: list[tuple[Diagnostic, list[Diagnostic]]] = []
    met: Counter[object] = Counter()
    for d in ordered:
        kind = _kind(d)
        met[kind] += 1
        apart = _apart(groups[kind])
        if met[kind] <= apart:
            shown.append((d, groups[kind][apart:] if met[kind] == apart else []))
    pieces = [render([d]) + _others(d, others) for d, others in shown[:MOST_SHOWN]]
    unseen = sum(1 + len(others) for _, others in shown[MOST_SHOWN:])
    if unseen:
        pieces.append(f"and {unseen:,} more\n")
    if len(ordered) > len(pieces):
        book = visible(quote(ordered[0].where.cell.book))
        pieces.append(f"each of them: dtables {command} --all {book}\n")
    return "".join(pieces)


def _kind(d: Diagnostic) -> object:
    """Findings of one kind are alike: those of a table, or mistakes on one sheet that differ in what they
    quote."""
    if d.table is not None:
        return d.severity, d.code, d.table
    if d.code == EXAMPLE:
        return id(d)
    return d.severity, d.code, d.where.cell.book, d.where.cell.sheet, _DETAILS.sub("", d.message)


def _apart(alike: list[Diagnostic]) -> int:
    """How many of them are shown."""
    return MOST_APART if len(alike) <= MOST_APART or alike[0].table is not None else 1


def _others(d: Diagnostic, others: list[Diagnostic]) -> str:
    if not others:
        return ""
    if d.table is not None:
        return f"  and {len(others):,} more of this table\n"
    places = list(dict.fromkeys(one.where.cell.address for one in others))
    more = ", …" if len(places) > MOST_PLACES else ""
    return f"  and {len(others):,} more like it: {', '.join(places[:MOST_PLACES])}{more}\n"


# -- one of them -------------------------------------------------------------------------------


def explained(d: Diagnostic) -> list[str]:
    """What goes with the message: other places, an example, what to do."""
    lines = [f"note: {remark.where}: {remark.message}" for remark in d.remarks]
    if d.example is not None:
        lines.append(f"example: {d.example}")
    lines += [f"row to add: {row}" for row in d.rows]
    if d.hint is not None:
        lines.append(f"hint: {d.hint}")
    return lines


def excerpt(d: Diagnostic, longest: int = LONGEST_LINE) -> tuple[str, Span | None]:
    """The cell's text, or of a long one a piece; and what is meant in it."""
    typed, span = d.typed or "", d.where.span
    if len(typed) <= longest:
        return typed, span
    start = min(span.start, len(typed)) if span else 0
    first = max(0, min(start - longest // 4, len(typed) - longest))
    before, after = "…" if first else "", "…" if first + longest < len(typed) else ""
    piece = before + typed[first : first + longest] + after
    if span is None:
        return piece, None
    shift = len(before) - first
    return piece, Span(start + shift, min(span.end + shift, len(piece)))


def _quotation(d: Diagnostic) -> list[str]:
    """The typed text with a caret line under the part meant; of several lines only the one meant."""
    label = f"  {d.where.cell.address} | "
    typed, span = excerpt(d)
    if span is None:
        return [label + typed.split("\n", 1)[0]] if typed else []
    start = min(span.start, len(typed))
    first = typed.rfind("\n", 0, start) + 1
    line = typed[first:].split("\n", 1)[0]
    before, marked = line[: start - first], line[start - first : span.end - first]
    margin = " " * (len(label) - 2) + "| "
    marks = " " * len(visible(before)) + "^" * max(1, len(visible(marked)))
    return [label + line, margin + marks]


def as_plain(d: Diagnostic) -> dict[str, object]:
    """Return the diagnostic for `--json`."""
    typed, span = excerpt(d, LONGEST)
    plain: dict[str, object] = {
        "book": d.where.cell.book,
        "sheet": d.where.cell.sheet,
        "cell": d.where.cell.address,
        "to": d.where.last.address if d.where.last else None,
        "severity": d.severity.value,
        "code": d.code,
        "message": d.message,
        "typed": typed if d.typed is not None else None,
        "span": [span.start, span.end] if span else None,
        "notes": [{"place": str(r.where), "message": r.message} for r in d.remarks],
        "hint": d.hint,
        "example": d.example,
        "rows": list(d.rows),
    }
    return {key: value for key, value in plain.items() if value not in (None, [])}
