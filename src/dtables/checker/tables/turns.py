"""Turns: steps that people are led through, and what of them runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dtables.checker import messages
from dtables.checker.expressions.lower import lower_expression
from dtables.checker.rows import (
    cell_of,
    column,
    column_name,
    columns,
    filled_rows,
    first_cell,
    heading,
    inside_of,
    is_any,
    listed,
    marker_name,
    name_cell,
    number_at,
    parts,
    property_text,
    text_at,
    text_of,
    words_at,
)
from dtables.checker.symbols import PAGE_SPACE, Draft, claim
from dtables.checker.tables.asks import known_asks
from dtables.checker.tables.attempts import attempts_as_written, has_outcome, matches_cell
from dtables.checker.tables.pages import printable
from dtables.feel.types import (
    BOOLEAN,
)
from dtables.model.expressions import (
    Expression,
)
from dtables.model.tables import Attempt, Onward, Parameter, Turn, TurnStep
from dtables.provenance import Location
from dtables.workbook.language import ONWARD, PRINTED, RINGS, TURNS, WHO, closed_word
from dtables.workbook.language import plain as folded
from dtables.workbook.tables import Cell, RowText, TableText

# -- the steps -----------------------------------------------------------------------------------


RINGED = ("types", "data")
"""Kinds whose names may be printed in a ring."""


def check_turn(draft: Draft, table: TableText) -> Turn:
    """The procedure as people read it; what of it runs is checked already, as a decision."""
    runs = bool(columns(table, "then"))
    function = draft.function_drafts.get(table.name) if runs else None
    attempts = attempts_as_written(draft, function) if function and function.table is table else ()
    parameters = draft.parameters[function.name] if function else ()
    if not runs:
        _check_prose_head(draft, table)
    phase = property_text(table, "phase")
    ask = property_text(table, "ask")
    asked = known_asks(draft, ask) if ask is not None else ()
    rows = list(filled_rows(table))
    if not rows:
        draft.error(table.marker.cell, messages.table_without_rows())
    numbers = _numbers(draft, table, rows)
    running = 0
    steps = []
    for row in rows:
        rule = running if runs and has_outcome(table, row) else None
        running += rule is not None
        steps.append(_step(draft, table, row, rule, attempts, parameters, numbers))
    called_attempts = closed_word(TURNS, table.marker.cell.code.partition(":")[0]) == "attempts"
    return Turn(
        heading(table),
        called_attempts,
        phase.text if phase else "",
        asked[0] if asked else None,
        tuple(steps),
        runs,
    )


def _check_prose_head(draft: Draft, table: TableText) -> None:
    """Without an outcome nothing is called."""
    claim_of_page(draft, table)
    if table.marker.parameters or table.marker.result:
        draft.error(table.marker.cell, messages.turn_is_not_called())


def claim_of_page(draft: Draft, table: TableText) -> None:
    """Pages and steps call it by its name, so that nothing else that they show may have it."""
    name = marker_name(table)
    if name.text in draft.function_drafts:
        draft.error(name, messages.name_taken(name.text, draft.function_drafts[name.text].where))
    else:
        claim(draft, PAGE_SPACE, name)


def _numbers(draft: Draft, table: TableText, rows: Sequence[RowText]) -> dict[tuple[str, str], Cell]:
    """The steps by phase and number; a phase has each number once."""
    found: dict[tuple[str, str], Cell] = {}
    for row in rows:
        key = _phase(table, row), number_at(table, row, column(table, "step"))
        cell = cell_of(table, row, "step") or row.cells[0]
        if key in found:
            draft.error(cell, messages.step_twice(key[1], Location(found[key].ref)))
        found.setdefault(key, cell)
    return found


def _phase(table: TableText, row: RowText) -> str:
    cell = cell_of(table, row, "phase")
    if cell is not None:
        return cell.code.strip()
    default = property_text(table, "phase")
    return default.text if default else ""


def _step(
    draft: Draft,
    table: TableText,
    row: RowText,
    rule: int | None,
    attempts: Sequence[Attempt],
    parameters: Sequence[Parameter],
    numbers: Mapping[tuple[str, str], Cell],
) -> TurnStep:
    number = number_at(table, row, column(table, "step"))
    onward, target = _onward(draft, table, row, numbers)
    icon = cell_of(table, row, "icon")
    return TurnStep(
        number=number,
        phase=_phase(table, row),
        who=_who(draft, cell_of(table, row, "who")),
        conditions=() if rule is not None else _conditions_of_person(draft, table, row, parameters),
        condition_words=words_at(table, row, "if in words"),
        rule=rule,
        words=words_at(table, row, "text"),
        failed=words_at(table, row, "failed"),
        along=names_along(draft, table, row),
        onward=onward,
        onward_step=target,
        icon=icon.code.strip() if icon else "",
        source=listed(text_at(table, row, "source")),
        where=first_cell(row),
        attempt=attempts[rule] if rule is not None and rule < len(attempts) else None,
    )


def _who(draft: Draft, cell: Cell | None) -> str:
    """`bot`, `you` or `both`; blank where that is not said."""
    if cell is None:
        return ""
    word = closed_word(WHO, cell.code)
    if word is None:
        draft.error(cell, messages.unknown_word(cell.code.strip(), [word.name for word in WHO]))
    return word or ""


def _conditions_of_person(
    draft: Draft, table: TableText, row: RowText, parameters: Sequence[Parameter]
) -> tuple[Expression, ...]:
    """What holds where a person does the step; it runs nowhere, so it may read what runs."""
    for role in ("each", "failed"):
        for n in columns(table, role):
            if not row.cells[n].empty:
                draft.error(row.cells[n], messages.of_a_step_that_runs(role))
    scope = draft.scope(p.variable for p in parameters)
    found = []
    for n in columns(table, "if"):
        cell, name = row.cells[n], column_name(table.columns[n])
        if is_any(cell):
            continue
        if not name:
            found.append(lower_expression(text_of(cell), scope, draft.sink, BOOLEAN))
            continue
        value = lower_expression(text_of(name_cell(table.columns[n])), scope, draft.sink, None)
        found.append(matches_cell(draft, value, cell, scope, draft.sink))
    return tuple(found)


def _onward(
    draft: Draft, table: TableText, row: RowText, numbers: Mapping[tuple[str, str], Cell]
) -> tuple[Onward, str]:
    cell = cell_of(table, row, "next")
    if cell is None:
        return Onward.NEXT, ""
    text = cell.code.strip()
    phase = _phase(table, row)
    known = [number for own, number in numbers if own == phase]
    known += [number for _, number in numbers if number not in known]
    if text in known:
        return Onward.GO_TO, text
    word = closed_word(ONWARD, text)
    if word is not None and word != Onward.AGAIN:
        return Onward(word), ""
    step = _after_again(text)
    if step in known:
        return Onward.AGAIN, step
    draft.error(cell, messages.unknown_step(step or text, known))
    return Onward.NEXT, ""


def _after_again(text: str) -> str:
    """`2` of `again 2`; blank where that is not said."""
    again = next(word for word in ONWARD if word.name == Onward.AGAIN)
    for lead in (*again.en, *again.it):
        if folded(text).startswith(f"{folded(lead)} "):
            return " ".join(text.split()[len(lead.split()) :])
    return ""


def names_along(draft: Draft, table: TableText, row: RowText) -> tuple[str, ...]:
    """The tables, formulas and records named under `with`."""
    written = text_at(table, row, "with")
    if written is None:
        return ()
    known = printable(draft) | set(draft.records)
    found = parts(written)
    for name in found:
        if name.text not in known:
            draft.error(name, messages.unknown_table(name.text, known))
    return tuple(name.text for name in found if name.text in known)


def check_printed(draft: Draft) -> None:
    """What the property `print` says of every table."""
    for table in draft.book.tables:
        written = property_text(table, "print")
        if written is None:
            continue
        name = inside_of(written)
        if name is not None and name.text:
            if name.text not in printable(draft):
                draft.error(name, messages.unknown_table(name.text, printable(draft)))
            continue
        words = RINGS if table.kind in RINGED else PRINTED
        if name is not None or closed_word(words, written.text) is None:
            known = ["block", "inside NAME", "never", *(["ring"] if words is RINGS else [])]
            draft.error(written, messages.unknown_word(written.text, known))
