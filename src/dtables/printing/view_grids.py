"""Settings, dice and data as grids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from dtables.model.expressions import Constant, Expression, MakeList, NameOf
from dtables.model.tables import Data, Dice, DiceEntry, Row, Switches, SwitchRule, Vocabulary
from dtables.model.vocabularies import in_language
from dtables.printing.names import Names
from dtables.printing.view_fixed import Fixed
from dtables.printing.view_parts import (
    Align,
    Grid,
    GridCell,
    GridColumn,
    GridRow,
    GridSection,
    Inline,
    Run,
    Style,
)
from dtables.printing.view_text import bold, joined, plain, starred, text_of, upper_first
from dtables.printing.view_values import value_inline
from dtables.printing.view_words import furniture
from dtables.printing.wording import Wording

FOLDED_FROM = 14
FOLDED_WIDTH = 40
"""Tables of so many rows, all with fewer letters than that, are folded in two."""
MOST_FOLDED = 5
SHORT = 12


class GridView:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.wording = Wording(names)
        self.words = furniture(names.language)

    def value(self, node: Expression) -> Inline:
        return value_inline(self.names, self.wording, node)

    # -- settings ------------------------------------------------------------------------------

    def levels(self, levels: Vocabulary, fixed: Fixed) -> Grid:
        """Parameters by level; tinted where a level differs from the one before it."""
        wanted = dict(fixed.names).get(levels.root)
        kept = [n for n, label in enumerate(levels.names) if wanted in (None, label.id)]
        columns = tuple(
            GridColumn(self.names.inline(levels.name, levels.names[n].id), "", levels.names[n].id)
            for n in kept
        )
        rows = []
        for place, (field, _) in enumerate(levels.rows[0].values if levels.rows else ()):
            values = [self.value(row.values[place][1]) for row in levels.rows]
            texts = [text_of(value) for value in values]
            cells = tuple(
                GridCell(values[n], 1, wanted is None and n > 0 and texts[n] != texts[n - 1]) for n in kept
            )
            label = upper_first(self.names.field_named(levels.record or "", field))
            rows.append(GridRow(bold(starred(label)), cells))
        if wanted is not None:
            columns = (GridColumn((), ""),)
        corner = ""
        vocabulary = None if wanted else levels.root
        return Grid(corner, columns, _section(rows, Align.CENTER), vocabulary)

    def switches(self, switches: Switches) -> Grid:
        rows = [self._switch(rule) for rule in switches.rules]
        columns = (GridColumn(plain(self.words["default"]), ""), GridColumn(plain(self.words["others"]), ""))
        return Grid(self.words["switch"], columns, _section(rows))

    def _switch(self, rule: SwitchRule) -> GridRow:
        others = [label.id for label in rule.values.names if label.id != rule.default]
        listed = joined(tuple(self.names.inline(rule.values.name, name) for name in others), ", ")
        said = in_language(rule.words, self.names.language)
        label = (*starred(said), Run(f"  {rule.name}", Style.QUIET)) if said else plain(rule.name, Style.BOLD)
        default = self.names.inline(rule.values.name, rule.default)
        return GridRow(label, (GridCell(default, 1, False), GridCell(listed, 1, False)))

    # -- dice ----------------------------------------------------------------------------------

    def dice(self, dice: Dice) -> Grid:
        """Totals and odds of each kind of die, in the author's rows."""
        by_row: dict[int, list[DiceEntry]] = {}
        for entry in dice.entries:
            by_row.setdefault(entry.cell.row, []).append(entry)
        rows = [self._dice_row(dice, entries) for entries in by_row.values()]
        if len(dice.dice) > 1:
            columns = tuple(GridColumn(plain(self._die(die)), "", None) for die in dice.dice)
            return Grid(self.words["outcome"], columns, _section(rows, Align.CENTER))
        columns = (
            GridColumn(plain(self.words["outcome"]), ""),
            GridColumn(plain(self.words["chance"]), "", grow=False),
        )
        return Grid(self._die(dice.dice[0] if dice.dice else ""), columns, _section(rows))

    def _die(self, die: str) -> str:
        return self.names.term(die) or self.words["total"]

    def _dice_row(self, dice: Dice, entries: list[DiceEntry]) -> GridRow:
        outcome = self._said(entries[0])
        if len(dice.dice) > 1:
            cells = tuple(self._throws(dice, die, entries) for die in dice.dice)
            return GridRow(outcome, tuple(GridCell(cell, 1, False) for cell in cells))
        totals = plain(", ".join(_totals(e) for e in entries), Style.BOLD)
        chance = sum((odds(dice, entry) for entry in entries), Fraction(0))
        return GridRow(totals, (GridCell(outcome, 1, False), GridCell(self._odds(chance), 1, False)))

    def _said(self, entry: DiceEntry) -> Inline:
        said = in_language(entry.words, self.names.language)
        return starred(said) if said else self.value(entry.outcome)

    def _throws(self, dice: Dice, die: str, entries: list[DiceEntry]) -> Inline:
        own = [entry for entry in entries if entry.die == die]
        if not own:
            return plain("–", Style.QUIET)
        totals = ", ".join(_totals(e) for e in own)
        chance = sum((odds(dice, entry) for entry in own), Fraction(0))
        return (Run(totals, Style.BOLD), Run("  "), *self._odds(chance))

    def _odds(self, chance: Fraction) -> Inline:
        percent = f"{round(chance * 100)}\u2009%"
        return (
            Run(f"{chance.numerator}/{chance.denominator}", Style.PLAIN),
            Run(f"  {percent}", Style.QUIET),
        )

    # -- data ----------------------------------------------------------------------------------

    def keyed(self, data: Vocabulary, fixed: Fixed) -> Grid:
        wanted = dict(fixed.names).get(data.root)
        ids = [(label.id, row) for label, row in zip(data.names, data.rows, strict=False)]
        kept = [(name, row) for name, row in ids if wanted in (None, name)]
        fields = _fields_in_sheet([row for _, row in kept])
        rows = [
            GridRow(_led(self.names.inline(data.name, name), fields), self._cells(row, fields), name)
            for name, row in kept
        ]
        corner = ""
        return self._data_grid(corner, self._heads(data.record or "", fields), rows, data.root)

    def unkeyed(self, data: Data, fixed: Fixed) -> Grid:
        """The first column leads the rows; what setup fixes is neither a row nor a column."""
        rows = [row for row in data.rows if all(_is_for(v, fixed) for _, v in row.values)]
        fields = _fields_in_sheet(rows)
        fields = [f for f in fields if not any(_names_fixed(_value(row, f), fixed) for row in rows)]
        first, rest = fields[:1], fields[1:]
        led = []
        last = ""
        for row in rows:
            label = _led(self.value(_value(row, first[0])), rest) if first else ()
            repeated = text_of(label) == last
            last = text_of(label)
            led.append(
                GridRow(() if repeated and rest else label, self._cells(row, rest), _choice(row, first))
            )
        led = _with_closing_rows(led)
        corner = upper_first(self.names.field_named(data.record, first[0])) if first else ""
        vocabulary = _vocabulary(rows, first)
        return self._data_grid(corner, self._heads(data.record, rest), led, vocabulary)

    def _heads(self, record: str, fields: list[str]) -> tuple[GridColumn, ...]:
        return tuple(GridColumn(plain(upper_first(self.names.field_named(record, f))), "") for f in fields)

    def _cells(self, row: Row, fields: list[str]) -> tuple[GridCell, ...]:
        return tuple(GridCell(self._shown(_value(row, field)), 1, False) for field in fields)

    def _shown(self, node: Expression) -> Inline:
        """In a table of data an empty cell stays empty, and a nought steps back."""
        match node:
            case Constant(value=None):
                return ()
            case Constant(value=0) if not isinstance(node.value, bool):
                return plain("0", Style.QUIET)
            case _:
                return self.value(node)

    def _data_grid(
        self, corner: str, columns: tuple[GridColumn, ...], rows: list[GridRow], vocabulary: str | None
    ) -> Grid:
        lengths = [len(text_of(cell.text)) for row in rows for cell in row.cells]
        align = Align.CENTER if max(lengths, default=0) <= SHORT else Align.START
        sections = folded(rows, align) if len(columns) <= MOST_FOLDED else _section(rows, align)
        return Grid(corner, columns, sections, vocabulary, len(sections) > 1)

    # -- vocabularies --------------------------------------------------------------------------

    def vocabularies(self, listed: Iterable[Vocabulary]) -> Grid:
        rows = [
            GridRow(
                plain(upper_first(self.names.vocabulary(v.name)), Style.BOLD),
                (GridCell(joined(tuple(self.names.inline(v.name, n.id) for n in v.names), ", "), 1, False),),
            )
            for v in listed
        ]
        return Grid("", (GridColumn((), ""),), _section(rows))


def odds(dice: Dice, entry: DiceEntry) -> Fraction:
    """Exactly: ways of the entry's totals out of all ways."""
    ways = dict(dice.chances).get(entry.die, ())
    every = sum(count for _, count in ways)
    own = sum(count for total, count in ways if entry.low <= total <= entry.high)
    return Fraction(own, every) if every else Fraction(0)


def _totals(entry: DiceEntry) -> str:
    return str(entry.low) if entry.low == entry.high else f"{entry.low}–{entry.high}"


def folded(rows: list[GridRow], align: Align = Align.START) -> tuple[GridSection, ...]:
    """Two halves side by side; rows that are led by one label stay together."""
    widest = max(
        (sum(len(text_of(c.text)) for c in r.cells) + len(text_of(r.label)) for r in rows), default=0
    )
    if len(rows) < FOLDED_FROM or widest > FOLDED_WIDTH:
        return _section(rows, align)
    starts = [n for n, row in enumerate(rows) if row.label and n > 0]
    middle = min(starts, key=lambda n: (max(n, len(rows) - n), n), default=len(rows))
    return (*_section(rows[:middle], align), *_section(rows[middle:], align))


def _with_closing_rows(rows: list[GridRow]) -> list[GridRow]:
    if all(row.label for row in rows):
        return rows
    return [replace(row, closes=bool(after.label)) for row, after in pairwise(rows)] + rows[-1:]


def _section(rows: list[GridRow], align: Align = Align.START) -> tuple[GridSection, ...]:
    return (GridSection("", "", "", tuple(rows), align),)


def _led(label: Inline, fields: list[str]) -> Inline:
    """What leads nothing is no heading: a list of sentences stays plain."""
    return bold(label) if fields else label


def _value(row: Row, field: str) -> Expression:
    return dict(row.values)[field]


def _fields_in_sheet(rows: list[Row]) -> list[str]:
    """Fields that have a cell in the table; the others have their defaults, which the record tells."""
    found: dict[str, None] = {}
    for row in rows:
        for name, value in row.values:
            if value.where.cell.sheet == row.where.sheet and value.where.cell.row == row.where.row:
                found.setdefault(name)
    return [name for name, _ in rows[0].values if name in found] if rows else []


def _is_for(value: Expression, fixed: Fixed) -> bool:
    """False for a row of another name than the fixed one."""
    wanted = fixed.of(value.type)
    return wanted is None or not isinstance(value, NameOf) or value.id == wanted


def _names_fixed(value: Expression, fixed: Fixed) -> bool:
    return isinstance(value, NameOf) and fixed.of(value.type) is not None


def _choice(row: Row, first: list[str]) -> str | None:
    value = _value(row, first[0]) if first else None
    return value.id if isinstance(value, NameOf) else None


def _vocabulary(rows: list[Row], first: list[str]) -> str | None:
    value = _value(rows[0], first[0]) if rows and first else None
    return value.vocabulary if isinstance(value, NameOf) else None


def is_list(node: Expression) -> bool:
    return isinstance(node, MakeList)
