"""Settings: named switches with a default, and parameters with a value per level."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dtables.checker import messages
from dtables.checker.expressions.constants import constant_cell
from dtables.checker.report import Text
from dtables.checker.rows import (
    cell_of,
    column,
    columns,
    filled_rows,
    first_cell,
    heading,
    name_cell,
    part,
    parts,
    place,
    property_text,
    stripped,
    text_at,
    text_of,
    words_at,
)
from dtables.checker.symbols import (
    VALUE_SPACE,
    Draft,
    FieldDraft,
    RecordDraft,
    claim,
    closed_property,
    good_name,
    name_in,
    named_rows,
)
from dtables.checker.tables.vocabularies import declare_vocabulary, key_name
from dtables.feel.types import RecordType, VocabularyType, optional
from dtables.model.expressions import Expression
from dtables.model.tables import Label, Row, Switches, SwitchRule, Vocabulary
from dtables.workbook.kinds import BY_NAME
from dtables.workbook.language import LEFT, spelled
from dtables.workbook.tables import Cell, RowText, TableText

PARAMETER = tuple(role for role in BY_NAME["settings"].roles if role.name == "parameter")
SWITCH = "switch "
"""A switch's values are the vocabulary `switch NAME`: no other name begins so."""


def is_switches(table: TableText) -> bool:
    return column(table, "switch") is not None


# -- switches ----------------------------------------------------------------------------------


def declare_switches(draft: Draft) -> None:
    for table in filter(is_switches, draft.tables("settings")):
        found = [
            name
            for name, default, row in switch_rows(draft, table)
            if _declare(draft, table, name, default, row)
        ]
        _declare_overriding(draft, table, found)


def _declare(draft: Draft, table: TableText, name: Text, default: Text, row: RowText) -> bool:
    if not claim(draft, VALUE_SPACE, name):
        return False
    others = cell_of(table, row, "other values")
    values = [default, *(parts(text_of(others)) if others else ())]
    _report_double_values(draft, values)
    labels = {v.text: Label(v.text, (), (), v.cell.ref) for v in values if good_name(draft, v)}
    vocabulary = SWITCH + name.text
    draft.vocabularies[vocabulary] = Vocabulary(vocabulary, vocabulary, tuple(labels.values()), place(name))
    draft.switches[name.text] = VocabularyType(vocabulary, vocabulary)
    return True


def _report_double_values(draft: Draft, values: Iterable[Text]) -> None:
    seen: dict[str, Text] = {}
    for value in values:
        first = seen.setdefault(value.text, value)
        if first is not value:
            draft.error(value, messages.double_name(value.text, place(first)))


def switch_rows(draft: Draft, table: TableText) -> Iterable[tuple[Text, Text, RowText]]:
    for row in filled_rows(table):
        name, default = name_in(draft, table, row, "switch"), cell_of(table, row, "default")
        if name is not None and default is None:
            draft.error(name, messages.switch_without_default(name.code))
        elif name is not None and default is not None:
            yield stripped(text_of(name)), stripped(text_of(default)), row


def overriding_field(draft: Draft, table: TableText) -> Text | None:
    """`overridden by: state.house_rules`: the field `house_rules`."""
    named = property_text(table, "overridden by")
    if named is None:
        return None
    prefix = draft.symbols.state + "."
    return part(named, len(prefix), len(named.text)) if named.text.startswith(prefix) else named


def _declare_overriding(draft: Draft, table: TableText, names: list[Text]) -> None:
    """The input field whose entries override the defaults: a record with a field per switch. Several
    tables may share it."""
    field = overriding_field(draft, table)
    if field is None or not good_name(draft, field):
        return
    record = SWITCH + field.text
    fields = {n.text: FieldDraft(n.text, n.cell.ref, n.cell, known=draft.switches[n.text]) for n in names}
    shared = draft.record_drafts.get(record)
    if shared is not None:
        shared.fields.update(fields)
    elif claim(draft, VALUE_SPACE, field):
        draft.record_drafts[record] = RecordDraft(record, table.where, fields)
        draft.input_drafts[field.text] = FieldDraft(
            field.text, field.cell.ref, field.cell, known=optional(RecordType(record))
        )


def check_switches(draft: Draft, table: TableText) -> Switches | None:
    if not is_switches(table):
        return None
    rules = []
    for row in filled_rows(table):
        name, default = cell_of(table, row, "switch"), cell_of(table, row, "default")
        if name is None or default is None or SWITCH + name.code.strip() not in draft.vocabularies:
            continue
        rules.append(
            SwitchRule(
                name.code.strip(),
                draft.vocabularies[SWITCH + name.code.strip()],
                default.code.strip(),
                first_cell(row),
                default.ref,
                words_at(table, row, "text") or words_at(table, row, "label"),
            )
        )
    field = overriding_field(draft, table)
    return Switches(heading(table), field.text if field else None, tuple(rules))


# -- levels ------------------------------------------------------------------------------------


def level_tables(draft: Draft) -> tuple[TableText, ...]:
    return tuple(t for t in draft.tables("settings") if not is_switches(t))


def declare_levels(draft: Draft) -> None:
    """The levels are a vocabulary, the parameters the fields of its record."""
    for table in level_tables(draft):
        places = columns(table, "level")
        names = [stripped(text_of(name_cell(table.columns[n]))) for n in places]
        labels = [Label(n.text, (), (), n.cell.ref) for n in names if good_name(draft, n)]
        if not labels:
            draft.error(table.marker.cell, messages.settings_without_levels())
            continue
        name = key_name(table)
        declare_vocabulary(draft, name, labels, table, record=name.text)


def declare_level_records(draft: Draft) -> None:
    for table in level_tables(draft):
        name = key_name(table).text
        named = named_rows(draft, table, "parameter")
        fields = {parameter.text: _parameter(table, row, parameter) for row, parameter in named}
        draft.record_drafts.setdefault(name, RecordDraft(name, table.where, {})).fields.update(fields)


def _parameter(table: TableText, row: RowText, name: Text) -> FieldDraft:
    cells = [row.cells[n] for n in columns(table, "level")]
    label = words_at(table, row, "text") or words_at(table, row, "label")
    return FieldDraft(
        name.text,
        name.cell.ref,
        name.cell,
        parameter_type_text(table, row),
        words=label,
        help=words_at(table, row, "help"),
        data=True,
        blank=any(c.empty for c in inherited(table, cells)),
        many=cell_of(table, row, "type") is None and any(len(parts(text_of(c))) > 1 for c in cells),
    )


def parameter_type_text(table: TableText, row: RowText) -> Text | None:
    """The type of a parameter: its own, or the one that stands over the first column."""
    own = text_at(table, row, "type")
    if own is not None:
        return own
    head = column(table, "parameter")
    if head is None:
        return None
    corner = stripped(text_of(table.columns[head].role_cell))
    return None if spelled(PARAMETER, corner.text) else corner


def inherited(table: TableText, cells: list[Cell]) -> list[Cell]:
    """With `inherit: left` a blank cell is as the one to its left."""
    found = property_text(table, "inherit")
    if found is None:
        return cells
    result: list[Cell] = []
    for cell in cells:
        result.append(result[-1] if cell.empty and result else cell)
    return result


def check_levels(draft: Draft, table: TableText) -> None:
    """Fill the rows of the levels' vocabulary: one per level, a value per parameter."""
    name = key_name(table).text
    closed_property(draft, table, "inherit", LEFT)
    if name not in draft.vocabularies or name not in draft.records:
        return
    values: list[list[tuple[str, Expression]]] = [[] for _ in columns(table, "level")]
    for row in filled_rows(table):
        cell = cell_of(table, row, "parameter")
        parameter = cell.code.strip() if cell else ""
        symbol = draft.records[name].fields.get(parameter)
        if symbol is None:
            continue
        cells = inherited(table, [row.cells[n] for n in columns(table, "level")])
        for n, cell in enumerate(cells):
            values[n].append((parameter, constant_cell(draft, cell, symbol.type, None)))
    rows = tuple(
        Row(tuple(values[k]), table.columns[n].role_cell.ref) for k, n in enumerate(columns(table, "level"))
    )
    draft.vocabularies[name] = replace(draft.vocabularies[name], rows=rows)
