"""What people call the names in a matrix, shown beside them: `red` is shown with `rossa`.

It is only shown: the cell holds the name alone. What is shown follows the cell when somebody changes it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formatting.rule import Rule
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat

from dtables.authoring.dressing.choices import DeclaredNames, cells_of, runs
from dtables.provenance import CellRef
from dtables.workbook.language import plain
from dtables.workbook.tables import Cell, TableText

SHOWN = '@"'
"""How a format of ours begins: what the cell holds, and then what is shown with it."""
MOST_NAMES = 60
"""Of a longer vocabulary no labels are shown: a spreadsheet has room for some two hundred formats."""
_LONGEST = 40
_FIRST_FORMAT = 500
"""Numbers of formats of ours; a spreadsheet has its own below 164."""


def labels_of(tables: tuple[TableText, ...], language: str) -> dict[str, dict[str, str]]:
    """The labels of names, by vocabulary; a glossary's tell of which they are."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for table in tables:
        match table.kind:
            case "data":
                key = next((p.value.text for p in table.properties if p.word == "key"), None)
                if key:
                    found[key] |= _labels(cells_of(table, "key"), table, language)
            case "glossary":
                for kind, (name, label) in zip(
                    cells_of(table, "kind"), _pairs(cells_of(table, "id"), table, language), strict=False
                ):
                    if label:
                        found[kind.typed][name] = label
    return found


def _labels(names: tuple[Cell, ...], table: TableText, language: str) -> dict[str, str]:
    return {name: label for name, label in _pairs(names, table, language) if label}


def _pairs(names: tuple[Cell, ...], table: TableText, language: str) -> Iterator[tuple[str, str]]:
    columns = [n for n, c in enumerate(table.columns) if c.role == "label" and c.language in (language, None)]
    for name, row in zip(names, table.rows, strict=False):
        written = (row.cells[place].typed for place in columns)
        yield name.typed, next(filter(None, written), "")


class Labels:
    """Which cells of a workbook's matrices show a label."""

    def __init__(self, tables: tuple[TableText, ...], names: DeclaredNames, language: str) -> None:
        self._labels = labels_of(tables, language)
        self._names = names
        self._numbers: dict[str, int] = {}

    def shown(self, tables: tuple[TableText, ...]) -> dict[CellRef, str]:
        """What cells look like that show more than they hold."""
        found: dict[CellRef, str] = {}
        for vocabulary, cells in self._cells(tables):
            labels = self._labels_of(vocabulary)
            found |= {
                c.ref: c.typed + _shown_with(c.typed, labels[c.typed]) for c in cells if c.typed in labels
            }
        return found

    def add(self, sheet: Any, tables: tuple[TableText, ...]) -> None:
        """Formats that show the labels, in place of those of an earlier dressing."""
        _forget(sheet)
        where: dict[str, list[CellRef]] = defaultdict(list)
        for vocabulary, cells in self._cells(tables):
            where[vocabulary] += [cell.ref for cell in cells]
        for vocabulary, refs in where.items():
            area = " ".join(runs(refs))
            for name, label in self._labels_of(vocabulary).items():
                sheet.conditional_formatting.add(area, self._rule(name, label))

    def _rule(self, name: str, label: str) -> Rule:
        code = f'{SHOWN}{_shown_with(name, label)}"'
        number = self._numbers.setdefault(code, _FIRST_FORMAT + len(self._numbers))
        shown = DifferentialStyle(numFmt=NumberFormat(numFmtId=number, formatCode=code))
        return Rule(type="cellIs", operator="equal", formula=[f'"{name}"'], dxf=shown)

    def _labels_of(self, vocabulary: str) -> dict[str, str]:
        """Labels that say more than the name does; a format can hold no quotes, and not many letters."""
        names = self._names.vocabularies.get(vocabulary)
        known = self._labels.get(vocabulary, {})
        if names is None or not 0 < len(names.names) <= MOST_NAMES:
            return {}
        found = {name: known[name] for name in names.names if name in known}
        return {
            name: label
            for name, label in found.items()
            if plain(name) != plain(label) and len(label) <= _LONGEST and not {'"', "\n"} & {*name, *label}
        }

    def _cells(self, tables: tuple[TableText, ...]) -> Iterator[tuple[str, list[Cell]]]:
        for table in tables:
            if table.kind == "matrix":
                yield from self._in_matrix(table)

    def _in_matrix(self, table: TableText) -> Iterator[tuple[str, list[Cell]]]:
        """Its row keys, its column keys, and its values, each with their vocabulary."""
        named = {column.name.code for column in table.columns if column.name is not None}
        across = [p.type.text for p in table.marker.parameters if p.name.text not in named]
        result = table.marker.result.text if table.marker.result else ""
        rows = {p.name.text: p.type.text for p in table.marker.parameters}
        for place, column in enumerate(table.columns):
            if column.role not in ("key", "value"):
                continue
            name = column.name.code if column.name is not None else ""
            yield _vocabulary(rows.get(name, result)), [row.cells[place] for row in table.rows]
            if across and name not in rows and column.name is not None:
                yield _vocabulary(across[0]), [column.name]


def _shown_with(name: str, label: str) -> str:
    """A label that begins with the name goes on from there: `MS` and `MS: Military, Science`."""
    return label[len(name) :] if label.startswith(name) else f"  · {label}"


def _vocabulary(type_text: str) -> str:
    return re.sub(r"^(list of\s+)+", "", type_text.strip()).rstrip("? ")


def _forget(sheet: Any) -> None:
    kept = ConditionalFormattingList()
    for found in sheet.conditional_formatting:
        for rule in found.rules:
            shown = rule.dxf.numFmt if rule.dxf is not None else None
            ours = rule.type == "cellIs" and shown is not None and shown.formatCode.startswith(SHOWN)
            if not ours:
                kept.add(str(found.sqref), rule)
    sheet.conditional_formatting = kept
