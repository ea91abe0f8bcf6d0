"""A changed workbook tried: does the check say something new, does an example fail?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from dtables.answers.examples import ExampleFailure, run_examples
from dtables.checker import check_book
from dtables.checker.symbols import Memory
from dtables.checker.unread import without_echoes
from dtables.compilers.python import load_in_parts, to_python
from dtables.diagnostics import Diagnostic, Severity, errors_in
from dtables.merging import Reply
from dtables.model.tables import Ruleset
from dtables.mutation.changes import Mutant, applied
from dtables.records.findings import RecordError, RuleError
from dtables.verifier import verify
from dtables.workbook.cells import read_sheets
from dtables.workbook.layout import find_tables
from dtables.workbook.tables import BookText, Sheet, TableText

LOUD = (Severity.ERROR, Severity.WARNING)
"""What `dtables check` shows."""

Kinds = Counter[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class CompiledRules:
    """Rules that run: a compiled module, as examples and records ask it."""

    ruleset: Ruleset
    module: ModuleType
    source: str

    def reply(self, ask: str | None, state: object) -> Reply:
        """Answer an ask; RuleError for whatever the changed rules raise besides RecordError."""
        with failing():
            replied: Reply = self.module.reply(ask, state)
        return replied

    def call(self, table: str, given: Mapping[str, object]) -> Any:
        """Return a table's value; RuleError for whatever the changed rules raise besides RecordError."""
        with failing():
            return self.module.TABLES[table](given)


@contextmanager
def failing() -> Iterator[None]:
    """Changed rules may do to an untyped value what no rules are made for: then they fail."""
    try:
        yield
    except (RecordError, RuleError):
        raise
    except Exception as error:
        raise RuleError(f"{type(error).__name__}: {error}", None) from error


@dataclass(frozen=True, slots=True)
class Noticed:
    """Who notices a change, `check` or `example`, where and in which words."""

    by: str
    where: str
    message: str


@dataclass
class Workbook:
    """The unchanged workbook, and what of it changes need not work out again."""

    name: str
    sheets: tuple[Sheet, ...]
    found: tuple[Diagnostic, ...] = ()

    def __post_init__(self) -> None:
        self.codes: dict[str, CodeType] = {}
        self.memory = Memory()
        self._tables = {sheet.name: find_tables(sheet) for sheet in self.sheets}

    @cached_property
    def book(self) -> BookText:
        """The tables of the unchanged workbook, as they are written."""
        return self._book(self._tables)[0]

    @cached_property
    def checked(self) -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
        """The model of the unchanged workbook, None where it has errors, and all that its check says."""
        return self._checked(*self._book(self._tables))

    @cached_property
    def rules(self) -> CompiledRules:
        """The unchanged rules, compiled; the workbook must have no errors."""
        ruleset = self.checked[0]
        assert ruleset is not None, "what has errors is never changed"
        return self._compiled(ruleset)

    def prepare(self) -> None:
        """Work out now what every change is compared with."""
        assert self.rules and self._known is not None

    @cached_property
    def _known(self) -> Kinds:
        """What the check says of the unchanged workbook."""
        return _kinds((*self.checked[1], *verify(self.rules.ruleset)), self.book)

    def changed(self, change: Mutant) -> CompiledRules | Noticed:
        """The changed rules, or the first new finding of the check while it reads them."""
        book, found = self.edited(change)
        ruleset, found = self._checked(book, found)
        if ruleset is None:
            error = next(d for d in found if d.severity is Severity.ERROR)
            return Noticed(
                "check", str(error.where), f"{error.severity.value}[{error.code}]: {error.message}"
            )
        noticed = self._new(found, book)
        return self._compiled(ruleset) if noticed is None else noticed

    def edited(self, change: Mutant) -> tuple[BookText, tuple[Diagnostic, ...]]:
        """The tables as they are once the change was typed: those of its sheet are found anew."""
        name = change.where.cell.sheet
        sheet = next(s for s in self.sheets if s.name == name)
        return self._book({**self._tables, name: find_tables(applied(sheet, change.cells))})

    def proof(self, changed: CompiledRules) -> Noticed | None:
        """What is proved of the changed tables and was not of the unchanged ones."""
        return self._new(verify(changed.ruleset), self.book)

    def example(self, changed: CompiledRules) -> Noticed | None:
        """The first example that the changed rules fail."""
        failure = first_failure(changed)
        return None if failure is None else Noticed("example", str(failure.where), failure.message)

    # -- steps -----------------------------------------------------------------------------------

    def _book(
        self, tables: Mapping[str, tuple[tuple[TableText, ...], tuple[Diagnostic, ...]]]
    ) -> tuple[BookText, tuple[Diagnostic, ...]]:
        names = tuple(sheet.name for sheet in self.sheets)
        book = BookText(self.name, names, tuple(t for name in names for t in tables[name][0]))
        return book, (*self.found, *(d for name in names for d in tables[name][1]))

    def _checked(
        self, book: BookText, found: tuple[Diagnostic, ...]
    ) -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
        ruleset, more = check_book(book, self.memory)
        found = (*found, *without_echoes(book, found, more))
        return (None if errors_in(found) else ruleset), found

    def _compiled(self, ruleset: Ruleset) -> CompiledRules:
        source, _ = to_python(ruleset)
        return CompiledRules(ruleset, load_in_parts(source, ruleset.name, self.codes), source)

    def _new(self, found: Iterable[Diagnostic], book: BookText) -> Noticed | None:
        """The first finding of a kind of which its table had fewer before."""
        left = Counter(self._known)
        for d in found:
            if d.severity in LOUD:
                kind = _kind(d, book)
                left[kind] -= 1
                if left[kind] < 0:
                    return Noticed("check", str(d.where), f"{d.severity.value}[{d.code}]: {d.message}")
        return None


def read(path: Path) -> Workbook:
    """Read a workbook that is known to be free of errors."""
    sheets, found = read_sheets(path)
    assert sheets is not None, "it was loaded before"
    return Workbook(path.name, sheets, found)


def first_failure(rules: CompiledRules) -> ExampleFailure | None:
    """Return the first cell of an example that fails; None where all hold."""
    return next((f for result in run_examples(rules.ruleset, (rules,)) for f in result.failures), None)


def _kinds(found: Iterable[Diagnostic], book: BookText) -> Kinds:
    return Counter(_kind(d, book) for d in found if d.severity in LOUD)


def _kind(d: Diagnostic, book: BookText) -> tuple[str, str]:
    """Its code and its table: rows move, and what is said of them with them."""
    cell = d.where.cell
    for table in book.tables:
        first = table.marker.cell.ref
        if (
            cell.sheet == first.sheet
            and first.row <= cell.row <= table.last.row
            and (first.column <= cell.column <= table.last.column)
        ):
            return d.code, table.name
    return d.code, cell.sheet
