"""A ruleset while it is being checked: what is declared so far, and where messages go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from dtables.checker.problems import Wording
from dtables.checker.scope import (
    FieldSymbol,
    FunctionSymbol,
    Local,
    Memory,
    Numbers,
    RecordSymbol,
    Scope,
    Symbols,
)
from dtables.checker.sink import Sink, Text
from dtables.diagnostics import Severity
from dtables.feel.types import Type, VocabularyType
from dtables.model.expressions import Expression, Variable
from dtables.model.tables import Allowed, Matrix, Parameter, Restriction, Vocabulary, Words
from dtables.provenance import CellRef, Location, Span
from dtables.workbook.tables import BookText, Cell, Row, TableText


@dataclass(frozen=True, slots=True)
class FieldDraft:
    """A field of a record or of the state as its tables tell it. `blank` says that a data column
    leaves it out in some row; `fixed` that the place a record stands in gives it."""

    name: str
    where: CellRef
    name_cell: Cell | None = None
    type: Text | None = None
    column_type: Text | None = None
    """Of the data column that gives the values, where a `Record:` table has the field too."""
    default: Cell | None = None
    formula: Cell | None = None
    allowed: Cell | None = None
    words: Words = ()
    help: Words = ()
    data: bool = False
    blank: bool = False
    fixed: bool = False
    many: bool = False
    """A list of what the type says."""
    needed: bool = False
    """A record that leaves it out is rejected."""
    known: Type | None = None
    """The type, where it is not written (generated records)."""


@dataclass(frozen=True, slots=True)
class RecordDraft:
    """A record type; `table` is the `Record:` table that tells of it, if there is one."""

    name: str
    where: Location
    fields: dict[str, FieldDraft]
    table: TableText | None = None


@dataclass(frozen=True, slots=True)
class ParameterDraft:
    """A name and, if written, its type."""

    name: Text
    type: Text | None


@dataclass(frozen=True, slots=True)
class FunctionDraft:
    """A table, or a row of formulas, that can be called. `row` is set for a row of formulas."""

    kind: str
    name: str
    name_text: Text
    where: Location
    parameters: tuple[ParameterDraft, ...]
    result: Text | None
    table: TableText
    row: Row | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """`symbols` looks at the dictionaries below it: what is found out is seen by the next cell."""

    book: BookText
    sink: Sink
    numbers: Numbers = field(default_factory=Numbers)
    symbols: Symbols = field(default_factory=Symbols)
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict)
    restrictions: dict[str, Type] = field(default_factory=dict)
    records: dict[str, RecordSymbol] = field(default_factory=dict)
    record_of: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, FieldSymbol] = field(default_factory=dict)
    functions: dict[str, FunctionSymbol] = field(default_factory=dict)
    switches: dict[str, VocabularyType] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    record_drafts: dict[str, RecordDraft] = field(default_factory=dict)
    input_drafts: dict[str, FieldDraft] = field(default_factory=dict)
    function_drafts: dict[str, FunctionDraft] = field(default_factory=dict)
    parameters: dict[str, tuple[Parameter, ...]] = field(default_factory=dict)
    defaults: dict[tuple[str, str], Expression] = field(default_factory=dict)
    allowed: dict[tuple[str, str], Allowed] = field(default_factory=dict)
    restriction_models: dict[str, Restriction] = field(default_factory=dict)
    plus: dict[str, str] = field(default_factory=dict)
    """Vocabularies made of another and further names, with that other: a field so called holds its value."""
    matrices: dict[str, Matrix] = field(default_factory=dict)
    deciding: dict[str, str] = field(default_factory=dict)
    """Scales that leave one candidate: proved or claimed."""
    terms: dict[tuple[str, str], Location] = field(default_factory=dict)

    def tables(self, *kinds: str) -> tuple[TableText, ...]:
        return tuple(table for table in self.book.tables if table.kind in kinds)

    def error(self, text: Text | Cell, words: Wording) -> None:
        self.sink.say(*_meant(text), Severity.ERROR, words)

    def warning(self, text: Text | Cell, words: Wording) -> None:
        self.sink.say(*_meant(text), Severity.WARNING, words)

    def error_at(self, where: Location, typed: str | None, words: Wording) -> None:
        """Where no cell is at hand; it is found where characters of it are meant."""
        self.sink.say_at(where, self._quoted(where, typed), Severity.ERROR, words)

    def warning_at(self, where: Location, typed: str | None, words: Wording) -> None:
        self.sink.say_at(where, self._quoted(where, typed), Severity.WARNING, words)

    def note_at(self, where: Location, words: Wording) -> None:
        self.sink.say_at(where, None, Severity.NOTE, words)

    def _quoted(self, where: Location, typed: str | None) -> str | None:
        if typed is not None or where.span is None:
            return typed
        cells = (c for table in self.book.tables for row in table.rows for c in row.cells)
        return next((cell.typed for cell in cells if cell.ref == where.cell), None)

    def scope(self, variables: Iterable[Variable] = ()) -> Scope:
        return Scope(self.symbols, self.numbers, {v.name: Local(v) for v in variables})


def _meant(text: Text | Cell) -> tuple[Text, Span]:
    """A cell is meant with all that is typed in it."""
    if isinstance(text, Text):
        return text, text.all
    return Text.of(text), Span(0, len(text.typed))


def new_draft(book: BookText, sink: Sink, memory: Memory | None = None) -> Draft:
    d = Draft(book, sink)
    symbols = Symbols(
        d.vocabularies,
        d.restrictions,
        d.records,
        d.record_of,
        d.inputs,
        d.functions,
        d.switches,
        d.data,
        memory=memory,
    )
    return replace(d, symbols=symbols)
