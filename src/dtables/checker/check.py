"""A workbook as written becomes a ruleset, or diagnostics.

Names first, then types, then what cells say: so a cell may name whatever stands anywhere in the
workbook. Nothing stops at a mistake; a broken part is unknown and raises no second message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import PurePath
from typing import TypeVar

from dtables.checker.order import (
    callees_before_callers,
    in_reading_order,
    members,
    reads,
    report_circles,
    report_undecided_calls,
)
from dtables.checker.report import Sink
from dtables.checker.rows import heading
from dtables.checker.symbols import Draft, FunctionDraft, Memory, all_declared, new_draft
from dtables.checker.tables.asks import check_asks, check_checks, declare_asks
from dtables.checker.tables.attempts import check_attempts
from dtables.checker.tables.data import check_nested_columns, fill_data, record_models
from dtables.checker.tables.decisions import check_decision
from dtables.checker.tables.entries import check_cases, check_definitions, check_ticks
from dtables.checker.tables.examples import check_examples
from dtables.checker.tables.formulas import check_formula, declare_functions, mentions, type_functions
from dtables.checker.tables.lookups import check_dice, check_matrix
from dtables.checker.tables.pages import check_pages
from dtables.checker.tables.records import (
    declare_inputs,
    declare_records,
    declare_restrictions,
    declare_result_records,
    fixed_names,
    hold_to_allowed,
    input_model,
    name_records,
    settle_defaults,
    settle_fixed,
    settle_input_defaults,
    settle_restrictions,
    type_inputs,
    type_records,
)
from dtables.checker.tables.scales import check_scale
from dtables.checker.tables.settings import (
    check_levels,
    check_switches,
    declare_level_records,
    declare_levels,
    declare_switches,
    level_tables,
)
from dtables.checker.tables.turns import check_printed, check_turn
from dtables.checker.tables.vocabularies import (
    attach_labels,
    check_glossary,
    declare_derived,
    declare_keyed,
    declare_listed,
    glossary_labels,
    name_numbers,
    note_missing_labels,
    settle_derived,
    warn_of_double_labels,
    with_titles,
)
from dtables.checker.unread import report_unread, warn_of_unneeded
from dtables.collector import held_back
from dtables.diagnostics import Diagnostic, errors_in, in_order
from dtables.model.tables import Data, Fixed, Record, Ruleset, Table, Vocabulary, table_name
from dtables.model.vocabularies import Row
from dtables.workbook.tables import BookText, TableText

CHECKS: dict[str, Callable[[Draft, FunctionDraft], Table]] = {
    "formula": check_formula,
    "decision": check_decision,
    "scale": check_scale,
    "matrix": check_matrix,
    "dice": check_dice,
    "turn": check_attempts,
}
"""Tables that are called, by kind."""


@held_back()
def check_book(book: BookText, memory: Memory | None = None) -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
    """The ruleset is there only if nothing is wrong; warnings and notes come beside it. `memory` is for one
    who checks versions of the same workbook."""
    draft = new_draft(book, Sink(), memory)
    declare(draft)
    all_declared(draft.symbols)
    data, fixed = settle(draft)
    ruleset = _ruleset(draft, data, fixed)
    found = in_order(draft.sink.diagnostics, book.sheets)
    return (None if errors_in(found) else ruleset), found


def declare(draft: Draft) -> None:
    """Everything that has a name: first the names, then what they are of."""
    declare_listed(draft)
    declare_keyed(draft)
    declare_levels(draft)
    declare_switches(draft)
    labels = glossary_labels(draft)
    attach_labels(draft, labels)
    derived = declare_derived(draft)
    declare_records(draft)
    declare_level_records(draft)
    declare_inputs(draft)
    declare_functions(draft)
    declare_result_records(draft)
    declare_asks(draft)
    name_records(draft)
    settle_derived(draft, derived, glossary_labels(draft))
    declare_restrictions(draft, derived)
    fixed_names(draft)
    type_records(draft)
    type_inputs(draft)
    type_functions(draft)


def settle(draft: Draft) -> tuple[tuple[Data, ...], tuple[Fixed, ...]]:
    """What is the same in every turn: allowed values, defaults, rows of data."""
    settle_restrictions(draft)
    name_numbers(draft)
    settle_defaults(draft)
    fixed = settle_fixed(draft)
    settle_input_defaults(draft, fixed)
    check_nested_columns(draft)
    data = fill_data(draft)
    for table in level_tables(draft):
        check_levels(draft, table)
    warn_of_double_labels(draft)
    return data, fixed


def check_functions(draft: Draft) -> list[Table]:
    """In an order in which every result is known before it is read. Where names alone seem to go in a
    circle, a first reading, which reports nothing, finds out what is really called."""
    named = mentions(draft)
    order, circles = in_reading_order(named, named)
    if circles:
        tried = _check_in(replace(draft, sink=Sink()), order)
        exact = callees_before_callers(tried, reads(draft, members((), tried, ())))
        order = tuple(map(table_name, exact))
    return _check_in(draft, order)


def _check_in(draft: Draft, order: Iterable[str]) -> list[Table]:
    functions = (draft.function_drafts[name] for name in order)
    return [CHECKS[function.kind](draft, function) for function in functions if function.kind in CHECKS]


def _rows(draft: Draft, data: tuple[Data, ...]) -> Iterator[tuple[str, Row]]:
    """Of data with keys and without, each with the record it is of."""
    for one in draft.vocabularies.values():
        if one.record is not None and one.root == one.name:
            yield from ((one.record, row) for row in one.rows)
    for table in data:
        yield from ((table.record, row) for row in table.rows)


def _ruleset(draft: Draft, data: tuple[Data, ...], fixed: tuple[Fixed, ...]) -> Ruleset:
    book = draft.book
    tables = check_functions(draft)
    records = record_models(draft)
    state = input_model(draft, fixed)
    hold_to_allowed(draft, (*records, state.state), _rows(draft, data))
    asks = check_asks(draft)
    checks = tuple(check_checks(draft, table) for table in draft.tables("checks"))
    by_name = {ask.heading.name: ask for ask in asks}
    examples = [check_examples(draft, table, by_name) for table in draft.tables("examples")]
    switches = [check_switches(draft, table) for table in draft.tables("settings")]
    in_order_of_book = sorted(tables, key=lambda table: list(draft.function_drafts).index(table_name(table)))
    graph = members(records, in_order_of_book, asks)
    edges = reads(draft, graph)
    report_circles(draft, graph, edges)
    report_undecided_calls(draft, tables, (*(definition for definition, _ in graph.values()), *checks))
    ruleset = Ruleset(
        name=PurePath(book.name).stem,
        book=book.name,
        languages=languages_of(book),
        sheets=book.sheets,
        vocabularies=in_book_order(book, draft.vocabularies.values()),
        restrictions=tuple(draft.restriction_models.values()),
        records=in_book_order(book, records),
        data=data,
        input=state,
        switches=tuple(s for s in switches if s is not None),
        tables=callees_before_callers(tables, edges),
        asks=asks,
        checks=checks,
        examples=tuple(e for e in examples if e is not None),
        pages=tuple(check_pages(draft, table) for table in draft.tables("pages")),
        terms=check_glossary(draft),
        headings=tuple(heading(table) for table in book.tables),
        version=version_of(book),
        turns=tuple(check_turn(draft, table) for table in draft.tables("turn")),
        cases=tuple(check_cases(draft, table) for table in draft.tables("cases")),
        definitions=tuple(check_definitions(draft, table) for table in draft.tables("terms")),
        ticks=tuple(check_ticks(draft, table) for table in draft.tables("ticks")),
    )
    check_printed(draft)
    warn_of_unneeded(draft, ruleset)
    note_missing_labels(draft, ruleset)
    report_unread(draft)
    return with_titles(draft, ruleset)


# -- languages, order, version ----------------------------------------------------------------------
# Which workbook this is: the languages it speaks, and a version that changes when a cell does.

VERSION_LENGTH = 12

Placed = TypeVar("Placed", Vocabulary, Record)


def languages_of(book: BookText) -> tuple[str, ...]:
    """In the order in which they are met."""
    found: dict[str | None, None] = {}
    for table in book.tables:
        found |= dict.fromkeys(column.language for column in table.columns)
        found |= dict.fromkeys(given.language for given in table.properties)
    return tuple(language for language in found if language)


def in_book_order(book: BookText, items: Iterable[Placed]) -> tuple[Placed, ...]:
    """As they stand in the workbook, whatever kind of table tells of them."""
    rank = {sheet: n for n, sheet in enumerate(book.sheets)}

    def place(item: Placed) -> tuple[int, int, int]:
        cell = item.where.cell
        return rank.get(cell.sheet, len(rank)), cell.row, cell.column

    return tuple(sorted(items, key=place))


def version_of(book: BookText) -> str:
    """Of what the tables say, wherever they stand: moving a table changes nothing."""
    digest = sha256()
    for text in sorted("\x1e".join(_words_of(table)) for table in book.tables):
        digest.update(text.encode())
        digest.update(b"\x1d")
    return digest.hexdigest()[:VERSION_LENGTH]


def _words_of(table: TableText) -> Iterator[str]:
    marker = table.marker
    yield table.kind
    yield marker.name.text
    yield from (f"{p.name.text}: {p.type.text}" for p in marker.parameters)
    yield marker.result.text if marker.result else ""
    yield from (f"{p.word} {p.language or ''}: {p.value.text}" for p in table.properties)
    for column in table.columns:
        named = column.name.typed if column.name else ""
        yield f"{column.role} {column.language or ''} {column.role_cell.typed} {named}"
    for row in table.rows:
        yield "\x1f".join(cell.typed for cell in row.cells)
