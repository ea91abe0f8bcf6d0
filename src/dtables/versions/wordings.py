"""Wordings that are older than the rule they put in words: the rule has changed between two versions of a
workbook, and the words have not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from dtables.diagnostics import Diagnostic, Remark, Severity
from dtables.model.expressions import CallTable, Ranking, Switch
from dtables.model.reach import nodes
from dtables.model.tables import Decision, Formula, Ruleset, Scale
from dtables.provenance import CellRef, Location
from dtables.versions.changes import EMPTY
from dtables.versions.tables import VersionedTable, versioned_tables
from dtables.workbook.tables import BookText, Cell, ColumnText, RowText, TableText, whole

PROBLEMS = {
    "wording-older": "A rule has changed since the older version, and its wording, or a step, case or term "
    "that names it under `with`, has not.",
}

SETTINGS = "settings"
WORDED = frozenset(
    ("decision", "scale", "matrix", "dice", SETTINGS, "formulas", "formula", "turn", "attempts", "checks")
)
"""Kinds whose rows are rules; of the others only what they say in words is looked at."""
WORDS = frozenset(("text", "failed"))
REMARKS = frozenset(
    (
        "#",
        "note",
        "label",
        "help",
        "also",
        "source",
        "icon",
        "phase",
        "who",
        "with",
        "next",
        "example",
        "step",
    )
)
"""Columns that say nothing of what a rule does, or that a page prints as they are."""
PRINTED = frozenset(("title", "note", "source", "group", "print", "also", "spelling", "phase", "ask"))
"""Properties that change no answer."""
UNITS = {"formulas": "name", SETTINGS: "switch"}
"""Kinds whose rows are named by themselves, and the role of their name."""
WITH = "with"
MOST_CAUSES = 3


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One thing of a rule that changed, and where it stands now."""

    where: Location
    sentence: str


def older_wordings(old: BookText, new: BookText, model: Ruleset | None) -> tuple[Diagnostic, ...]:
    """Warn of every wording of the new version that stayed as it was, though its rule changed.

    `model` is that of the new version: it says which rules ask others. A table that is worded nowhere is put
    in words by those that ask it."""
    tables = tuple(_Versions(table) for table in versioned_tables(old, new))
    return tuple(_Search(tables, _Callers(model)).diagnostics())


# -- what changed in a table -----------------------------------------------------------------------


@dataclass(frozen=True)
class _Versions:
    """A table in both versions."""

    pair: VersionedTable

    @property
    def table(self) -> TableText:
        return self.pair.new

    @cached_property
    def older(self) -> Mapping[CellRef, Cell]:
        """The old version's cell of each cell of the new one."""
        return {new.ref: old for old, new in self.pair.cells}

    @cached_property
    def rows(self) -> tuple[tuple[RowText, tuple[RuleChange, ...]], ...]:
        """The rows of rules, each with what changed in it."""
        if self.table.kind not in WORDED:
            return ()
        return tuple((row, tuple(self._changes(row))) for row in self.table.rows)

    @cached_property
    def _heads(self) -> Mapping[int, RuleChange]:
        """By the place of a column, what it is about now: `if age` was `if size`."""
        before = {now.number: old for old, now in self.pair.columns}
        changed = {}
        for place, column in enumerate(self.table.columns):
            old = before.get(column.number)
            if old is None or old.name is None or column.name is None or old.name.code == column.name.code:
                continue
            sentence = _sentence(column.role_cell.typed, old.name.typed, column.name.typed)
            changed[place] = RuleChange(whole(column.name), sentence)
        return changed

    def _changes(self, row: RowText) -> Iterator[RuleChange]:
        for place, (column, cell) in enumerate(zip(self.table.columns, row.cells, strict=True)):
            if place in self._heads and cell.code not in ("", "-"):
                yield self._heads[place]
            before = self.older.get(cell.ref)
            if before is not None and _is_rule(column) and before.code != cell.code:
                yield RuleChange(whole(cell), _sentence(_role(column), before.typed, cell.typed))

    @cached_property
    def of_the_table(self) -> tuple[RuleChange, ...]:
        """What changed beside the rows: those that came or went or moved, and properties."""
        return tuple(self._around()) if self.table.kind in WORDED else ()

    def _around(self) -> Iterator[RuleChange]:
        marker = whole(self.table.marker.cell)
        for row in self.pair.added:
            yield RuleChange(whole(row.cells[0]), "a row was added")
        if self.pair.removed:
            number = len(self.pair.removed)
            yield RuleChange(marker, "a row was removed" if number == 1 else f"{number} rows were removed")
        for row in self.pair.moved:
            yield RuleChange(whole(row.cells[0]), "a row was moved")
        for word, before, now in self.pair.properties:
            if word not in PRINTED:
                yield RuleChange(marker, _sentence(word, before, now))

    def wordings(self, row: RowText) -> Iterator[Cell]:
        """The row's words that stayed as they were."""
        for column, cell in zip(self.table.columns, row.cells, strict=True):
            before = self.older.get(cell.ref)
            if _is_wording(column) and before is not None and cell.typed and before.typed == cell.typed:
                yield cell


def _is_wording(column: ColumnText) -> bool:
    return column.role in WORDS or (column.role == "if" and column.language is not None)


def _is_rule(column: ColumnText) -> bool:
    return column.role not in REMARKS and not _is_wording(column) and column.language is None


def _role(column: ColumnText) -> str:
    named = column.name.typed if column.name is not None and not column.name.empty else ""
    return f"{column.role_cell.typed} {named}".strip()


def _sentence(what: str, before: str, now: str) -> str:
    return f"`{what}` was `{before or EMPTY}` and is now `{now or EMPTY}`"


# -- who asks whom ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Caller:
    """A table that asks another, and in which row; None: as a whole."""

    table: str
    row: tuple[str, int] | None


class _Callers:
    def __init__(self, model: Ruleset | None) -> None:
        self._callers: dict[str, dict[_Caller, None]] = {}
        for table in () if model is None else model.tables:
            for part, where in _parts(table):
                caller = _Caller(table.heading.name, None if where is None else (where.sheet, where.row))
                for name in _asked(part):
                    self._callers.setdefault(name, {}).setdefault(caller)

    def of(self, name: str) -> tuple[_Caller, ...]:
        return tuple(self._callers.get(name, ()))


def _parts(table: object) -> Iterator[tuple[object, CellRef | None]]:
    match table:
        case Decision(rules=rules, subjects=subjects):
            yield from ((rule, rule.where) for rule in rules)
            yield subjects, None
        case Scale(criteria=criteria):
            yield from ((criterion, criterion.where) for criterion in criteria)
        case Formula(cell=cell, group=group):
            yield table, cell if group is not None else None
        case _:
            yield table, None


def _asked(part: object) -> Iterator[str]:
    for node in nodes(part):
        match node:
            case CallTable(table=name) | Ranking(scale=name) | Switch(name=name):
                yield name


# -- which words that makes old --------------------------------------------------------------------


@dataclass
class _Search:
    tables: tuple[_Versions, ...]
    callers: _Callers
    causes: dict[CellRef, dict[RuleChange, None]] = field(default_factory=dict)
    cells: dict[CellRef, Cell] = field(default_factory=dict)

    def diagnostics(self) -> Iterator[Diagnostic]:
        for versions in self.tables:
            for row, changes in versions.rows:
                if changes:
                    self._in_row(versions, row, changes)
            if versions.of_the_table and versions.table.kind not in UNITS:
                self._elsewhere(versions.table.name, versions.of_the_table, set())
        for place, causes in self.causes.items():
            yield _older(self.cells[place], tuple(causes))

    def _in_row(self, versions: _Versions, row: RowText, changes: tuple[RuleChange, ...]) -> None:
        """A row's own words, and those of whoever names it or its table. What a switch or parameter is called
        says nothing of its values."""
        words = any(
            _is_wording(c) and cell.typed for c, cell in zip(versions.table.columns, row.cells, strict=True)
        )
        if versions.table.kind == SETTINGS:
            words = False
        else:
            self._note(versions.wordings(row), changes)
        unit = _unit(versions.table, row)
        named = self._named(unit, changes)
        if not words and not named:
            self._callers_of(unit, changes, {unit})

    def _elsewhere(self, unit: str, changes: tuple[RuleChange, ...], seen: set[str]) -> None:
        if not self._named(unit, changes):
            self._callers_of(unit, changes, seen | {unit})

    def _named(self, unit: str, changes: tuple[RuleChange, ...]) -> bool:
        """The steps, cases and terms that name it; whether there are some."""
        rows = self._by_name.get(unit, ())
        for versions, row in rows:
            self._note(versions.wordings(row), changes)
        return bool(rows)

    def _callers_of(self, unit: str, changes: tuple[RuleChange, ...], seen: set[str]) -> None:
        for caller in self.callers.of(unit):
            worded = False
            if caller.row is not None:
                for versions, row in self._by_place.get(caller.row, ()):
                    words = tuple(versions.wordings(row))
                    self._note(words, changes)
                    worded = worded or bool(words)
            if not worded and caller.table not in seen:
                seen.add(caller.table)
                if not self._named(caller.table, changes):
                    self._callers_of(caller.table, changes, seen)

    def _note(self, words: Iterable[Cell], changes: tuple[RuleChange, ...]) -> None:
        for cell in words:
            self.cells[cell.ref] = cell
            causes = self.causes.setdefault(cell.ref, {})
            for change in changes:
                causes.setdefault(change)

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[tuple[_Versions, RowText], ...]]:
        found: dict[str, list[tuple[_Versions, RowText]]] = {}
        for versions in self.tables:
            places = [n for n, column in enumerate(versions.table.columns) if column.role == WITH]
            for row in versions.table.rows:
                for name in (name.strip() for n in places for name in row.cells[n].code.split(",")):
                    if name:
                        found.setdefault(name, []).append((versions, row))
        return {name: tuple(rows) for name, rows in found.items()}

    @cached_property
    def _by_place(self) -> Mapping[tuple[str, int], tuple[tuple[_Versions, RowText], ...]]:
        """Rows by their sheet and line."""
        found: dict[tuple[str, int], list[tuple[_Versions, RowText]]] = {}
        for versions in self.tables:
            for row in versions.table.rows:
                found.setdefault((row.cells[0].ref.sheet, row.number), []).append((versions, row))
        return {place: tuple(rows) for place, rows in found.items()}


def _unit(table: TableText, row: RowText) -> str:
    """The name under which a row is named elsewhere: of formulas and switches their own."""
    for column, cell in zip(table.columns, row.cells, strict=True):
        if column.role == UNITS.get(table.kind) and not cell.empty:
            return cell.code.split("(")[0].strip()
    return table.name


def _older(cell: Cell, causes: tuple[RuleChange, ...]) -> Diagnostic:
    first, *others = causes
    message = f"this wording is older than its rule: {first.sentence} ({first.where})"
    remarks = tuple(Remark(cause.where, cause.sentence) for cause in others[:MOST_CAUSES])
    hint = "change the wording, or leave it if it still says what the rule does"
    return Diagnostic(whole(cell), Severity.WARNING, "wording-older", message, cell.typed, remarks, hint)
