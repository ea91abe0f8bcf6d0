"""Settings, dice, data and matrices as grids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from dtables.feel.types import vocabulary_of
from dtables.model.expressions import (
    Constant,
    Expression,
    Guard,
    MakeContext,
    MakeList,
    MakeRecord,
    NameOf,
    Negation,
)
from dtables.model.tables import (
    Boxes,
    Data,
    Dice,
    DiceEntry,
    Matrix,
    MatrixEntry,
    Parameter,
    Row,
    Switches,
    SwitchRule,
    TickRow,
    Ticks,
    Vocabulary,
)
from dtables.model.vocabularies import in_language
from dtables.pages.badges import PageLabels
from dtables.pages.document import (
    Align,
    Grid,
    GridCell,
    GridColumn,
    GridRow,
    GridSection,
    Icon,
    Inline,
    Mark,
    Order,
    OrderList,
    Orders,
    Ring,
    Run,
    Style,
    bold,
    joined,
    plain,
    text_of,
    upper_first,
)
from dtables.pages.icons import TICK_BOX
from dtables.pages.markup import Markup
from dtables.pages.orders import factored
from dtables.pages.resolve import SetUp
from dtables.pages.words import furniture
from dtables.wording.expressions import Expressions
from dtables.wording.labels import spaced
from dtables.wording.values import numbers_in

NARROW, BETWEEN = "\u202f", "\u2002"
FOLDED_FROM = 14
FOLDED_WIDTH = 40
"""Tables of so many rows, all with fewer letters than that, are folded in two."""
MOST_FOLDED = 5
SHORT = 12


class GridView:
    def __init__(self, names: PageLabels, markup: Markup) -> None:
        self.names = names
        self.markup = markup
        self.wording = Expressions(names)
        self.words = furniture(names.language)

    def value(self, node: Expression) -> Inline:
        return value_inline(self.names, self.markup, self.wording, node)

    # -- settings ------------------------------------------------------------------------------

    def levels(self, levels: Vocabulary, fixed: SetUp) -> Grid:
        """Parameters by level; tinted where a level differs from the one before it, unless all of them do."""
        only = dict(fixed.names).get(levels.root)
        kept = [n for n, label in enumerate(levels.names) if only in (None, label.id)]
        columns = tuple(
            GridColumn(self.names.inline(levels.name, levels.names[n].id), "", levels.names[n].id)
            for n in kept
        )
        fields = levels.rows[0].values if levels.rows else ()
        listed = [
            [self._unless_empty(row.values[place][1]) for row in levels.rows] for place in range(len(fields))
        ]
        new = [[n > 0 and text_of(v) != text_of(of[n - 1]) for n, v in enumerate(of)] for of in listed]
        telling = only is None and not all(flag for flags in new for flag in flags[1:])
        rows = []
        for (field, _), values, flags in zip(fields, listed, new, strict=True):
            cells = tuple(GridCell(values[n], 1, telling and flags[n]) for n in kept)
            label = upper_first(self.names.field(levels.record or "", field))
            rows.append(GridRow(bold(self.markup.text(label)), cells))
        if only is not None:
            columns = (GridColumn((), ""),)
        corner = ""
        vocabulary = None if only else levels.root
        return Grid(corner, columns, _section(rows, Align.CENTER), vocabulary)

    def switches(self, switches: Switches) -> Grid:
        rows = [self._switch(rule) for rule in switches.rules]
        columns = (GridColumn(plain(self.words["default"]), ""), GridColumn(plain(self.words["others"]), ""))
        return Grid(self.words["switch"], columns, _section(rows))

    def _switch(self, rule: SwitchRule) -> GridRow:
        others = [label.id for label in rule.values.names if label.id != rule.default]
        listed = joined(tuple(self.names.inline(rule.values.name, name) for name in others), ", ")
        text = in_language(rule.words, self.names.language)
        label = self.markup.text(upper_first(text)) if text else plain(spaced(rule.name), Style.BOLD)
        default = self.names.inline(rule.values.name, rule.default)
        return GridRow(label, (GridCell(default, 1, False), GridCell(listed, 1, False)))

    # -- boxes to tick -------------------------------------------------------------------------

    def ticks(self, ticks: Ticks, fixed: SetUp) -> Grid:
        """Boxes in as many columns as the workbook says; one column needs no head."""
        heads = self._box_heads(ticks.columns, fixed)
        rows = [self._tick_row(row, len(heads), fixed) for row in ticks.rows]
        return Grid("", tuple(GridColumn(head, "") for head in heads), _section(rows, Align.CENTER))

    def _box_heads(self, columns: Boxes, fixed: SetUp) -> list[Inline]:
        if isinstance(columns, int):
            return [plain(str(n)) for n in range(1, columns + 1)] if columns > 1 else [()]
        return [self.names.inline(columns, name) for name in self._names_of(columns, fixed)]

    def _tick_row(self, row: TickRow, columns: int, fixed: SetUp) -> GridRow:
        label = bold(self.markup.text(in_language(row.words, self.names.language)))
        box = self.markup.icon(TICK_BOX)
        assert box is not None
        boxes: list[Inline]
        if isinstance(row.boxes, int):
            # A wider gap would not be dropped where the line breaks.
            boxes, gap = [(box,)] * row.boxes, " "
        else:
            boxes = [self._named_box(box, row.boxes, name) for name in self._names_of(row.boxes, fixed)]
            gap = BETWEEN
        return GridRow(label, (GridCell(joined(tuple(boxes), gap), 1, False),) * columns)

    def _named_box(self, box: Icon, vocabulary: str, name: str) -> Inline:
        label = self.names.name(vocabulary, name)
        shown = self.names.mark(vocabulary, name) or Run(label)
        return (shown, Run(NARROW), replace(box, alt=f"{label}: {box.alt}"))

    def ring(self, vocabulary: Vocabulary) -> Ring:
        """The names of a vocabulary in their order, the last one next to the first."""
        return Ring(tuple(self.names.inline(vocabulary.name, name) for name in vocabulary.ids))

    def _names_of(self, vocabulary: str, fixed: SetUp) -> list[str]:
        """Its names, or the one that setup fixed."""
        found = self.names.index.vocabularies[vocabulary]
        only = dict(fixed.names).get(found.root)
        return [name for name in found.ids if only in (None, name)]

    # -- dice ----------------------------------------------------------------------------------

    def dice(self, dice: Dice, *, odds: bool) -> Grid:
        """Totals of each kind of die, in the author's rows; on screens with their odds."""
        by_row: dict[int, list[DiceEntry]] = {}
        for entry in dice.entries:
            by_row.setdefault(entry.cell.row, []).append(entry)
        rows = [self._dice_row(dice, entries, odds=odds) for entries in by_row.values()]
        if len(dice.dice) > 1:
            columns = tuple(GridColumn(plain(self._die(die)), "", None) for die in dice.dice)
            return Grid(upper_first(self.words["outcome"]), columns, _section(rows, Align.CENTER))
        die = dice.dice[0] if dice.dice else ""
        if not odds:
            return Grid("" if _has_pips(die) else self._die(die), (GridColumn((), ""),), _section(rows))
        heads = (
            GridColumn(plain(upper_first(self.words["outcome"])), ""),
            GridColumn(plain(upper_first(self.words["chance"])), "", grow=False),
        )
        return Grid(self._die(die), heads, _section(rows))

    def _die(self, die: str) -> str:
        return self.names.term(die) or self.words["total"]

    def _dice_row(self, dice: Dice, entries: list[DiceEntry], *, odds: bool) -> GridRow:
        outcome = self._outcome(entries[0])
        if len(dice.dice) > 1:
            cells = tuple(self._throws(dice, die, entries, odds=odds) for die in dice.dice)
            return GridRow(outcome, tuple(GridCell(cell, 1, False) for cell in cells))
        totals = self._totals(dice.dice[0] if dice.dice else "", entries)
        if not odds:
            return GridRow(totals, (GridCell(outcome, 1, False),))
        chance = sum((chance_of(dice, entry) for entry in entries), Fraction(0))
        return GridRow(totals, (GridCell(outcome, 1, False), GridCell(self._odds(chance), 1, False)))

    def _outcome(self, entry: DiceEntry) -> Inline:
        text = in_language(entry.words, self.names.language)
        return self.markup.text(text) if text else self.value(entry.outcome)

    def _throws(self, dice: Dice, die: str, entries: list[DiceEntry], *, odds: bool) -> Inline:
        own = [entry for entry in entries if entry.die == die]
        if not own:
            return plain(NONE, Style.QUIET)
        totals = self._totals(die, own)
        if not odds:
            return totals
        chance = sum((chance_of(dice, entry) for entry in own), Fraction(0))
        return (*totals, Run("  "), *self._odds(chance))

    def _totals(self, die: str, entries: list[DiceEntry]) -> Inline:
        """A die with six sides is drawn with its pips."""
        if _has_pips(die):
            faces = [str(n) for entry in entries for n in range(entry.low, entry.high + 1)]
            icons = (self.markup.icon(f"die {face}") for face in faces)
            return tuple(icon for icon in icons if icon is not None)
        texts = (numbers_in(self.names.phrases, entry.low, entry.high) for entry in entries)
        return plain(", ".join(texts), Style.BOLD)

    def _odds(self, chance: Fraction) -> Inline:
        percent = f"{round(chance * 100)}\u202f%"
        return (
            Run(f"{chance.numerator}/{chance.denominator}", Style.PLAIN),
            Run(f"  {percent}", Style.QUIET),
        )

    # -- data ----------------------------------------------------------------------------------

    def keyed(self, data: Vocabulary, fixed: SetUp) -> Grid:
        only = dict(fixed.names).get(data.root)
        ids = [(label.id, row) for label, row in zip(data.names, data.rows, strict=False)]
        kept = [(name, row) for name, row in ids if only in (None, name)]
        fields = _fields_in_sheet([row for _, row in kept])
        rows = [
            GridRow(_led(self.names.inline(data.name, name), fields), self._cells(row, fields), name)
            for name, row in kept
        ]
        corner = ""
        return self._data_grid(corner, self._heads(data.record or "", fields), rows, data.root)

    def unkeyed(self, data: Data, fixed: SetUp) -> Grid:
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
        led = with_closing_rows(led)
        corner = upper_first(self.names.field(data.record, first[0])) if first else ""
        vocabulary = _vocabulary(rows, first)
        return self._data_grid(corner, self._heads(data.record, rest), led, vocabulary)

    def _heads(self, record: str, fields: list[str]) -> tuple[GridColumn, ...]:
        return tuple(GridColumn(plain(upper_first(self.names.field(record, f))), "") for f in fields)

    def _cells(self, row: Row, fields: list[str]) -> tuple[GridCell, ...]:
        return tuple(GridCell(self._shown(_value(row, field)), 1, False) for field in fields)

    def _unless_empty(self, node: Expression) -> Inline:
        """An empty cell stays empty: a dash is a no."""
        return () if isinstance(node, Constant) and node.value is None else self.value(node)

    def _shown(self, node: Expression) -> Inline:
        """In a table of data a nought steps back."""
        match node:
            case Constant(value=0) if not isinstance(node.value, bool):
                return plain("0", Style.QUIET)
            case _:
                return self._unless_empty(node)

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


def _has_pips(die: str) -> bool:
    return die.removeprefix("1") == "d6"


def chance_of(dice: Dice, entry: DiceEntry) -> Fraction:
    """Exactly: ways of the entry's totals out of all ways."""
    ways = dict(dice.chances).get(entry.die, ())
    every = sum(count for _, count in ways)
    own = sum(count for total, count in ways if entry.low <= total <= entry.high)
    return Fraction(own, every) if every else Fraction(0)


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


def with_closing_rows(rows: list[GridRow]) -> list[GridRow]:
    """A line closes the rows under one label."""
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
    """Fields that have a cell in the table; the others have their defaults, which the record shows."""
    found: dict[str, None] = {}
    for row in rows:
        for name, value in row.values:
            if value.where.cell.sheet == row.where.sheet and value.where.cell.row == row.where.row:
                found.setdefault(name)
    return [name for name, _ in rows[0].values if name in found] if rows else []


def _is_for(value: Expression, fixed: SetUp) -> bool:
    """False for a row of another name than the fixed one."""
    only = fixed.of(value.type)
    return only is None or not isinstance(value, NameOf) or value.id == only


def _names_fixed(value: Expression, fixed: SetUp) -> bool:
    return isinstance(value, NameOf) and fixed.of(value.type) is not None


def _choice(row: Row, first: list[str]) -> str | None:
    value = _value(row, first[0]) if first else None
    return value.id if isinstance(value, NameOf) else None


def _vocabulary(rows: list[Row], first: list[str]) -> str | None:
    value = _value(rows[0], first[0]) if rows and first else None
    return value.vocabulary if isinstance(value, NameOf) else None


def is_list(node: Expression) -> bool:
    return isinstance(node, MakeList)


# -- matrices ---------------------------------------------------------------------------------------
# Matrices as rows and columns; those with the same column key stand on one grid.

USUAL_SHARE = 3
"""A value is the usual one where at least one cell in three has it."""
SHORT_ID = 4
IN_ONE_LINE = 8

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatrixLayout:
    """A matrix as it is printed: which parameter heads the columns (None: no columns to choose from)."""

    matrix: Matrix
    across: Parameter | None
    entries: tuple[MatrixEntry, ...]
    hidden: tuple[int, ...]
    """Places of keys that setup fixes: they need not be printed."""


def read_matrix(matrix: Matrix, fixed: SetUp) -> MatrixLayout:
    hidden = tuple(n for n, p in enumerate(matrix.parameters) if fixed.of(p.type) is not None)
    kept = tuple(
        entry
        for entry in matrix.entries
        if all(_id(entry.keys[n]) == fixed.of(matrix.parameters[n].type) for n in hidden)
    )
    across = _across(matrix)
    if across is not None and fixed.of(across.type) is not None:
        across = None
    return MatrixLayout(matrix, across, kept, hidden)


def _across(matrix: Matrix) -> Parameter | None:
    """The parameter whose keys head the author's columns."""
    if matrix.down:
        return matrix.parameters[0]
    by_column: dict[int, set[tuple[str, ...]]] = {}
    for entry in matrix.entries:
        by_column.setdefault(entry.cells[0].column, set()).add(tuple(_id(k) or "" for k in entry.keys))
    if len(by_column) < 2:
        return None
    for n, parameter in enumerate(matrix.parameters):
        if all(len({keys[n] for keys in column}) == 1 for column in by_column.values()):
            return parameter
    return None


def _id(node: Expression) -> str | None:
    return node.id if isinstance(node, NameOf) else None


class MatrixView:
    def __init__(self, names: PageLabels, markup: Markup) -> None:
        self.names = names
        self.markup = markup
        self.wording = Expressions(names)

    def grid(self, readings: tuple[tuple[MatrixLayout, str, str, str], ...]) -> Grid:
        """Readings with their title, note and cells. All have the same column key, or there is only one."""
        across = readings[0][0].across
        if across is None:
            return self._lookup(readings[0][0])
        ids = self._column_ids(readings)
        root = vocabulary_of(across.type) or ""
        columns = tuple(self._column(root, name) for name in ids)
        alone = len(readings) == 1
        sections = tuple(
            _titled(self._rows(reading, ids), *(("", "", "") if alone else (title, note, source)))
            for reading, title, note, source in readings
        )
        return Grid(self.names.corner(root), columns, sections, root or None)

    def orders(self, reading: MatrixLayout) -> Orders | None:
        """Columns that are the same lists in other orders; None where they are not."""
        if reading.across is None or not reading.matrix.down:
            return None
        root = vocabulary_of(reading.across.type) or ""
        ids = [self._key_id(entry.keys[0]) for entry in reading.entries]
        shown: dict[str, Inline] = {}
        columns = []
        for entry in reading.entries:
            items = self.items(entry.value)
            keys = tuple(text_of(item) for item in items)
            shown.update(zip(keys, items, strict=True))
            columns.append(keys)
        found = factored(ids, columns)
        if found is None:
            return None
        lists = tuple(
            OrderList(sign, tuple(shown[key] for key in keys))
            for sign, keys in zip(found.signs, found.lists, strict=True)
        )
        orders = tuple(
            Order(self._column(root, name).head, tuple(found.signs[n] for n in order), name)
            for name, order in zip(ids, found.orders, strict=True)
        )
        words = furniture(self.names.language)
        rest = found.spelled and len(ids[0]) < len(lists)
        listed = found.spelled and any(len(each) > 1 for each in found.lists)
        note = words["spelled_rest" if rest else "spelled"] if listed else ""
        first, last = (tuple(shown[key] for key in keys) for keys in (found.first, found.last))
        return Orders(lists, orders, first, last, root or None, found.spelled, note)

    def _column_ids(self, readings: tuple[tuple[MatrixLayout, str, str, str], ...]) -> tuple[str, ...]:
        ids: dict[str, None] = {}
        for reading, *_ in readings:
            assert reading.across is not None
            place = reading.matrix.parameters.index(reading.across)
            ids.update({self._key_id(entry.keys[place]): None for entry in reading.entries})
        return tuple(ids)

    def _key_id(self, key: Expression) -> str:
        return _id(key) or self.wording.say(key)

    def _column(self, root: str, name: str) -> GridColumn:
        """A short code of capitals is the head, its label stands under it."""
        label = self.names.name(root, name)
        if name != label and name.isupper() and len(name) <= SHORT_ID:
            return GridColumn(plain(name), label.removeprefix(name).lstrip(" :·–-"), name)
        return GridColumn(self.names.inline(root, name), "", name)

    # -- rows ----------------------------------------------------------------------------------

    def _rows(self, reading: MatrixLayout, ids: tuple[str, ...]) -> tuple[GridRow, ...]:
        assert reading.across is not None
        place = reading.matrix.parameters.index(reading.across)
        if reading.matrix.down:
            return tuple(self._ranks(reading, ids))
        table: dict[Key, tuple[Inline, dict[str, Inline]]] = {}
        for entry in reading.entries:
            key = tuple(self._key_id(k) for n, k in enumerate(entry.keys) if n != place)
            label = self._label(reading, entry, place)
            table.setdefault(key, (label, {}))[1][self._key_id(entry.keys[place])] = self.value(entry.value)
        usual = _usual([text for _, row in table.values() for text in row.values()])
        return tuple(_row(label, [row.get(i, ()) for i in ids], usual) for label, row in table.values())

    def _ranks(self, reading: MatrixLayout, ids: tuple[str, ...]) -> Iterator[GridRow]:
        """Ordered lists: one row per place, one column per key."""
        lists = {self._key_id(e.keys[0]): self.items(e.value) for e in reading.entries}
        for n in range(max((len(items) for items in lists.values()), default=0)):
            row = [lists[i][n] if i in lists and n < len(lists[i]) else () for i in ids]
            yield _row(plain(str(n + 1), Style.RANK), row, None)

    def _label(self, reading: MatrixLayout, entry: MatrixEntry, place: int | None) -> Inline:
        kept = [k for n, k in enumerate(entry.keys) if n != place and n not in reading.hidden]
        return bold(joined(tuple(self._key(k) for k in kept), " · "))

    def _key(self, key: Expression) -> Inline:
        return value_inline(self.names, self.markup, self.wording, key)

    def value(self, node: Expression) -> Inline:
        return value_inline(self.names, self.markup, self.wording, node, ORDER)

    def items(self, node: Expression) -> tuple[Inline, ...]:
        if isinstance(node, MakeList):
            return tuple(self.value(item) for item in node.items)
        return (self.value(node),)

    def _list(self, entry: MatrixEntry) -> Iterator[GridRow]:
        """A short list in one line, a long one from the top down."""
        items = self.items(entry.value)
        if len(items) <= IN_ONE_LINE:
            yield _row((), [joined(items, ORDER)], None)
            return
        for n, item in enumerate(items, 1):
            yield _row(plain(str(n), Style.RANK), [item], None)

    # -- without columns to choose from --------------------------------------------------------

    def _lookup(self, reading: MatrixLayout) -> Grid:
        if reading.matrix.down:
            return _narrow("", tuple(row for e in reading.entries for row in self._list(e)))
        rows = tuple(
            _row(self._label(reading, e, None), [self.value(e.value)], None) for e in reading.entries
        )
        kept = [p for n, p in enumerate(reading.matrix.parameters) if n not in reading.hidden]
        corner = " · ".join(self.names.corner(vocabulary_of(p.type) or p.name) for p in kept)
        choice = vocabulary_of(kept[0].type) if len(kept) == 1 else None
        if choice is not None:
            rows = tuple(
                GridRow(
                    row.label, row.cells, self._key_id(entry.keys[reading.matrix.parameters.index(kept[0])])
                )
                for row, entry in zip(rows, reading.entries, strict=True)
            )
        return _narrow(corner, rows, choice)


def _narrow(corner: str, rows: tuple[GridRow, ...], vocabulary: str | None = None) -> Grid:
    sections = folded(list(rows))
    return Grid(corner, (GridColumn((), ""),), sections, vocabulary, len(sections) > 1)


def _titled(rows: tuple[GridRow, ...], title: str, note: str, source: str) -> GridSection:
    """Names with badges stand under one another, everything else in the middle."""
    marked = any(isinstance(part, Mark) for row in rows for cell in row.cells for part in cell.text)
    return GridSection(title, note, source, rows, Align.START if marked else Align.CENTER)


def _row(label: Inline, cells: list[Inline], usual: str | None) -> GridRow:
    """A row that is equal in all columns is one cell."""
    texts = [text_of(cell) for cell in cells]
    if len(cells) > 1 and len(set(texts)) == 1:
        return GridRow(label, (GridCell(cells[0], len(cells), _differs(texts[0], usual)),))
    return GridRow(
        label, tuple(GridCell(c, 1, _differs(t, usual)) for c, t in zip(cells, texts, strict=True))
    )


def _differs(text: str, usual: str | None) -> bool:
    return usual is not None and text != usual


def _usual(cells: list[Inline]) -> str | None:
    counted = Counter(text_of(cell) for cell in cells)
    if len(counted) < 2:
        return None
    text, times = counted.most_common(1)[0]
    return text if times * USUAL_SHARE >= len(cells) else None


# -- values in cells --------------------------------------------------------------------------------
# Values in the cells of printed tables.

YES, NO, NONE = "●", "–", "–"
ORDER, LIST = " › ", ", "


def value_inline(
    names: PageLabels, markup: Markup, wording: Expressions, node: Expression, separator: str = LIST
) -> Inline:
    match node:
        case Constant(value=None):
            return plain(NONE, Style.QUIET)
        case Constant(value=bool() as value):
            return (Run(YES),) if value else plain(NO, Style.QUIET)
        case Constant(value=str() as text):
            return markup.text(text)
        case NameOf(vocabulary=vocabulary, id=name):
            return names.inline(vocabulary, name)
        case Guard(operand=operand):
            return value_inline(names, markup, wording, operand, separator)
        case MakeList(items=()):
            return plain(NONE, Style.QUIET)
        case MakeList(items=items):
            return joined(
                tuple(value_inline(names, markup, wording, item, separator) for item in items), separator
            )
        case _:
            return plain(wording.say(node))


def is_plain_value(node: Expression) -> bool:
    """Names, numbers, yes and no, and what is made of them: the same whatever happens."""
    match node:
        case Constant() | NameOf():
            return True
        case Guard(operand=operand) | Negation(operand=operand):
            return is_plain_value(operand)
        case MakeList(items=items):
            return all(is_plain_value(item) for item in items)
        case MakeContext(entries=entries):
            return all(is_plain_value(entry.value) for entry in entries)
        case MakeRecord(fields=fields):
            return all(is_plain_value(value) for _, value in fields)
        case _:
            return False
