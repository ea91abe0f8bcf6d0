"""Matrices as rows and columns; those with the same column key stand on one grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from dtables.model.expressions import Expression, MakeList, NameOf
from dtables.model.tables import Matrix, MatrixEntry, Parameter
from dtables.printing.names import Names
from dtables.printing.view_fixed import Fixed, vocabulary_root
from dtables.printing.view_grids import folded
from dtables.printing.view_parts import (
    Align,
    Grid,
    GridCell,
    GridColumn,
    GridRow,
    GridSection,
    Inline,
    Mark,
    Style,
)
from dtables.printing.view_text import bold, joined, plain, text_of
from dtables.printing.view_values import ORDER, value_inline
from dtables.printing.wording import Wording

USUAL_SHARE = 3
"""A value is the usual one where at least one cell in three has it."""
SHORT_ID = 4
IN_ONE_LINE = 8

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A matrix as it is printed: which parameter heads the columns (None: no columns to choose from)."""

    matrix: Matrix
    across: Parameter | None
    entries: tuple[MatrixEntry, ...]
    hidden: tuple[int, ...]
    """Places of keys that setup fixes: they need not be printed."""


def read_matrix(matrix: Matrix, fixed: Fixed) -> Reading:
    hidden = tuple(n for n, p in enumerate(matrix.parameters) if fixed.of(p.type) is not None)
    kept = tuple(
        entry
        for entry in matrix.entries
        if all(_id(entry.keys[n]) == fixed.of(matrix.parameters[n].type) for n in hidden)
    )
    across = _across(matrix)
    if across is not None and fixed.of(across.type) is not None:
        across = None
    return Reading(matrix, across, kept, hidden)


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
    def __init__(self, names: Names) -> None:
        self.names = names
        self.wording = Wording(names)

    def grid(self, readings: tuple[tuple[Reading, str, str, str], ...]) -> Grid:
        """Readings with their title, note and cells. All have the same column key, or there is only one."""
        across = readings[0][0].across
        if across is None:
            return self._lookup(readings[0][0])
        ids = self._column_ids(readings)
        root = vocabulary_root(across.type) or ""
        columns = tuple(self._column(root, name) for name in ids)
        alone = len(readings) == 1
        sections = tuple(
            _titled(self._rows(reading, ids), *(("", "", "") if alone else (title, note, source)))
            for reading, title, note, source in readings
        )
        return Grid(self.names.corner(root), columns, sections, root or None)

    def _column_ids(self, readings: tuple[tuple[Reading, str, str, str], ...]) -> tuple[str, ...]:
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
        label = self.names.label(root, name)
        if name != label and name.isupper() and len(name) <= SHORT_ID:
            return GridColumn(plain(name), label.removeprefix(name).lstrip(" :·–-"), name)
        return GridColumn(self.names.inline(root, name), "", name)

    # -- rows ----------------------------------------------------------------------------------

    def _rows(self, reading: Reading, ids: tuple[str, ...]) -> tuple[GridRow, ...]:
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

    def _ranks(self, reading: Reading, ids: tuple[str, ...]) -> Iterator[GridRow]:
        """Ordered lists: one row per place, one column per key."""
        lists = {self._key_id(e.keys[0]): self.items(e.value) for e in reading.entries}
        for n in range(max((len(items) for items in lists.values()), default=0)):
            row = [lists[i][n] if i in lists and n < len(lists[i]) else () for i in ids]
            yield _row(plain(str(n + 1), Style.RANK), row, None)

    def _label(self, reading: Reading, entry: MatrixEntry, place: int | None) -> Inline:
        kept = [k for n, k in enumerate(entry.keys) if n != place and n not in reading.hidden]
        return bold(joined(tuple(self._key(k) for k in kept), " · "))

    def _key(self, key: Expression) -> Inline:
        return value_inline(self.names, self.wording, key)

    def value(self, node: Expression) -> Inline:
        return value_inline(self.names, self.wording, node, ORDER)

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

    def _lookup(self, reading: Reading) -> Grid:
        if reading.matrix.down:
            return _narrow("", tuple(row for e in reading.entries for row in self._list(e)))
        rows = tuple(
            _row(self._label(reading, e, None), [self.value(e.value)], None) for e in reading.entries
        )
        kept = [p for n, p in enumerate(reading.matrix.parameters) if n not in reading.hidden]
        corner = " · ".join(self.names.corner(vocabulary_root(p.type) or p.name) for p in kept)
        choice = vocabulary_root(kept[0].type) if len(kept) == 1 else None
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
