"""Where the checker's findings go, and the piece of a cell that they speak of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dtables.checker.messages import Wording, may_be_null
from dtables.diagnostics import Diagnostic, Problem, Severity
from dtables.provenance import Location, Span
from dtables.workbook.tables import Cell, Word


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of a cell that is read as an expression; `start` is its first character in the cell."""

    text: str
    cell: Cell
    start: int = 0

    @classmethod
    def of(cls, cell: Cell) -> Text:
        return cls(cell.code, cell)

    @classmethod
    def of_word(cls, word: Word, cell: Cell) -> Text:
        return cls(word.text, cell, word.where.span.start if word.where.span else 0)

    def where(self, span: Span) -> Location:
        moved = Span(self.start + span.start, self.start + span.end) if self.start else span
        return Location(self.cell.ref, moved)

    def written(self, span: Span) -> str:
        return self.text[span.start : span.end].strip()

    @property
    def all(self) -> Span:
        return Span(0, len(self.text))


@dataclass(slots=True)
class Sink:
    """Collects; the same finding twice is one finding."""

    _found: dict[Diagnostic, None] = field(default_factory=dict)
    _guards: dict[Location, dict[str, Diagnostic]] = field(default_factory=dict)

    def problem(self, cell: Cell, problem: Problem, start: int = 0) -> None:
        """A mistake of the expression language; `start` is where the text begins in the cell."""
        where = Text("", cell, start).where(problem.span)
        self.add(
            Diagnostic(where, Severity.ERROR, problem.code, problem.message, cell.typed, hint=problem.hint)
        )

    def report(self, piece: Text, span: Span, severity: Severity, words: Wording) -> None:
        self.report_at(piece.where(span), piece.cell.typed, severity, words)

    def report_at(self, where: Location, typed: str | None, severity: Severity, words: Wording) -> None:
        self.add(Diagnostic(where, severity, words.code, words.message, typed, words.remarks, words.hint))

    def guard(self, piece: Text, span: Span, hint: str | None = None, items: bool = False) -> None:
        """Something that may be null where it must not, of a list perhaps only its items: one note for the
        whole cell."""
        what = f"an item of `{piece.written(span)}`" if items else f"`{piece.written(span)}`"
        words = may_be_null([what])
        where = piece.where(span)
        note = Diagnostic(where, Severity.NOTE, words.code, words.message, piece.cell.typed, hint=hint)
        self._guards.setdefault(Location(piece.cell.ref), {}).setdefault(what, note)

    def add(self, diagnostic: Diagnostic) -> None:
        self._found[diagnostic] = None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return (*self._found, *(_summed(notes) for notes in self._guards.values()))

    @property
    def guards(self) -> int:
        """How many values are looked at when it runs, because they may be null."""
        return sum(len(notes) for notes in self._guards.values())

    @property
    def number(self) -> int:
        """How many there are: whether a cell was reported shows in it."""
        return len(self._found) + self.guards

    @property
    def failed(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self._found)


def _summed(notes: dict[str, Diagnostic]) -> Diagnostic:
    first = next(iter(notes.values()))
    return replace(first, message=may_be_null(list(notes)).message)
