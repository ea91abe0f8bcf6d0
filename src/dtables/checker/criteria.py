"""The rows of a scale, read with a candidate: the scale's own, or one that embeds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dtables.checker import scale_problems, table_problems
from dtables.checker.draft import Draft, FunctionDraft
from dtables.checker.functions import scale_named
from dtables.checker.lower import lower_expression, lower_tests
from dtables.checker.scope import Scope
from dtables.checker.sink import Sink, Text
from dtables.checker.types import ordered
from dtables.checker.wanted import closed_property, needed
from dtables.checker.written import (
    cell_of,
    column_name,
    columns,
    filled_rows,
    first_cell,
    is_any,
    name_cell,
    part,
    parts,
    place,
    property_text,
    row_number,
    text_of,
    words_at,
)
from dtables.diagnostics import Severity
from dtables.feel.types import BOOLEAN, ListType, Type, UnknownType, optional, without_null
from dtables.model.expressions import Expression, Read, Variable
from dtables.model.tables import Concern, Criterion, Embedded, Others, Prefer
from dtables.provenance import Location
from dtables.workbook.tables import Cell, Row, TableText
from dtables.workbook.words import OTHERS, PREFER, closed_word

WITH_MORE = (Prefer.FIRST_IN, Prefer.LAST_IN, Prefer.SCALE)


@dataclass(frozen=True, slots=True)
class Reader:
    """How rows are read here. `scope` is without the candidate; `path` are the scales we are in."""

    draft: Draft
    table: TableText
    scope: Scope
    candidates: Variable
    item: Variable
    path: tuple[str, ...]
    heard: Sink
    """Where the messages of the outermost scale go. What is wrong with the rows of an embedded one is said in
    its own table."""

    @property
    def inside(self) -> Scope:
        return self.scope.with_item(self.item)


def lower_criteria(reader: Reader, rows: list[Row]) -> tuple[Criterion, ...]:
    concerning = [
        n for n in columns(reader.table, "only for") if any(not is_any(row.cells[n]) for row in rows)
    ]
    subjects = {n: _subject(reader, n) for n in concerning}
    found = (_criterion(reader, row, subjects) for row in rows)
    return tuple(criterion for criterion in found if criterion is not None)


def _subject(reader: Reader, n: int) -> tuple[str, Variable, Expression]:
    """What an `only for` column tests; the candidate itself where it has no name."""
    column = reader.table.columns[n]
    name = column_name(column)
    if not name:
        item = reader.item
        where = Location(name_cell(column).ref)
        return (
            "item",
            reader.draft.numbers.variable("item", item.type),
            Read(item, type=item.type, where=where),
        )
    assert column.name is not None
    value = lower_expression(text_of(column.name), reader.inside, reader.draft.sink, None)
    return name, reader.draft.numbers.variable(name, value.type), value


def _criterion(
    reader: Reader, row: Row, subjects: dict[int, tuple[str, Variable, Expression]]
) -> Criterion | None:
    table, draft = reader.table, reader.draft
    only_if = cell_of(table, row, "only if")
    condition = None
    if only_if is not None and not is_any(only_if):
        condition = lower_expression(text_of(only_if), reader.scope, draft.sink, BOOLEAN)
    concerns = tuple(_concerns(reader, row, subjects))
    cell = needed(draft, table, row, "prefer", scale_problems.row_without_prefer())
    read = None if cell is None else read_prefer(draft, cell)
    if cell is None or read is None:
        return None
    prefer, more = read
    by_cell = cell_of(table, row, "by")
    base = Criterion(
        row_number(table, row), condition, concerns, prefer, None, None, None, first_cell(row),
        (by_cell or cell).ref, by_cell.typed.strip() if by_cell else "", words_at(table, row, "text"),
    )  # fmt: skip
    match prefer:
        case Prefer.FIRST | Prefer.CHANCE:
            if by_cell is not None:
                draft.error(by_cell, scale_problems.by_not_wanted(prefer.value))
            return base
        case Prefer.SCALE:
            return _embedding(reader, base, cell, more, by_cell)
        case _:
            return _comparing(reader, base, cell, more, by_cell)


def _concerns(
    reader: Reader, row: Row, subjects: dict[int, tuple[str, Variable, Expression]]
) -> Iterator[Concern]:
    for n, (name, variable, value) in subjects.items():
        cell = row.cells[n]
        if is_any(cell):
            continue
        tests = lower_tests(text_of(cell), variable, reader.inside, reader.draft.sink)
        yield Concern(name, variable, value, tests, cell.ref, cell.typed.strip())


def read_prefer(draft: Draft, cell: Cell) -> tuple[Prefer, Text | None] | None:
    """`first in ranking(season)`: the word, and what follows it."""
    text = text_of(cell)
    spellings = [(s, Prefer(word.name)) for word in PREFER for s in (*word.en, *word.it)]
    leading = [(s, prefer) for s, prefer in spellings if _leads(text.text, s, prefer)]
    if leading:
        spelling, prefer = max(leading, key=lambda one: len(one[0]))
        more = part(text, len(spelling), len(text.text))
        return prefer, more if more.text else None
    known = closed_word(PREFER, text.text)
    if known is None:
        draft.error(cell, scale_problems.unknown_prefer(text.text, [p.name for p in PREFER]))
        return None
    return Prefer(known), None


def _leads(text: str, spelling: str, prefer: Prefer) -> bool:
    """Does the text begin with the word, and go on only if the word wants more?"""
    begins, rest = text[: len(spelling)], text[len(spelling) :]
    apart = begins.casefold() == spelling.casefold() and (not rest or rest[0].isspace())
    return apart and (prefer in WITH_MORE or not rest.strip())


# -- comparing -----------------------------------------------------------------------------------


def _comparing(
    reader: Reader, base: Criterion, cell: Cell, more: Text | None, by_cell: Cell | None
) -> Criterion | None:
    draft, prefer = reader.draft, base.prefer
    if by_cell is None:
        draft.error(cell, scale_problems.by_wanted(prefer.value))
        return None
    wanted = optional(BOOLEAN) if prefer in (Prefer.YES, Prefer.NO) else None
    by = lower_expression(text_of(by_cell), reader.inside, draft.sink, wanted)
    if prefer in (Prefer.HIGHEST, Prefer.LOWEST):
        if not ordered(by.type):
            draft.error(by_cell, scale_problems.not_comparable(prefer.value, by.type))
        elif optional(by.type) == by.type and not isinstance(by.type, UnknownType):
            text, words = text_of(by_cell), scale_problems.null_comes_last(by_cell.code.strip())
            draft.sink.say(text, text.all, Severity.NOTE, words)
    if prefer not in (Prefer.FIRST_IN, Prefer.LAST_IN):
        return replace(base, by=by)
    if more is None:
        draft.error(cell, scale_problems.list_wanted(prefer.value))
        return None
    of: Type = ListType(without_null(by.type))
    order = lower_expression(more, reader.scope, draft.sink, of)
    return replace(base, by=by, order=order)


# -- embedding -----------------------------------------------------------------------------------


def _embedding(
    reader: Reader, base: Criterion, cell: Cell, more: Text | None, by_cell: Cell | None
) -> Criterion | None:
    draft = reader.draft
    if more is not None and by_cell is not None:
        draft.error(by_cell, scale_problems.by_not_wanted("scale"))
        return None
    written = more or (text_of(by_cell) if by_cell else None)
    if written is None:
        draft.error(cell, scale_problems.by_wanted("scale"))
        return None
    target = scale_named(draft, written.text)
    if target is None:
        scales = [n for n, f in draft.function_drafts.items() if f.kind == "scale"]
        draft.error(written, scale_problems.unknown_scale(written.text, scales))
        return None
    if target.name in reader.path:
        draft.error(written, scale_problems.scale_in_itself((*reader.path, target.name)))
        return None
    embedded = _embedded(reader, written, target)
    return None if embedded is None else replace(base, embedded=embedded, written=written.text)


def _embedded(reader: Reader, written: Text, target: FunctionDraft) -> Embedded | None:
    rest = part(written, len(target.name), len(written.text))
    arguments, numbers_text = _arguments(reader, rest)
    further = draft_parameters(reader.draft, target)[1:]
    if len(arguments) != len(further):
        reader.draft.error(written, scale_problems.scale_arguments(target.name, [n for n, _ in further]))
        return None
    rows, numbers = _rows_named(reader.draft, target, numbers_text)
    bindings: list[tuple[Variable, Expression]] = []
    for (name, type_), argument in zip(further, arguments, strict=True):
        value = lower_expression(argument, reader.scope, reader.draft.sink, type_)
        bindings.append((reader.draft.numbers.variable(name, type_), value))
    first = draft_parameters(reader.draft, target)[:1]
    candidates = reader.draft.numbers.variable(first[0][0] if first else "candidates", reader.candidates.type)
    here = Read(reader.candidates, type=reader.candidates.type, where=place(written))
    own = Sink()
    scope = reader.draft.scope([candidates, *(variable for variable, _ in bindings)])
    inner = Reader(
        replace(reader.draft, sink=own), target.table, scope, candidates, reader.item,
        (*reader.path, target.name), reader.heard,
    )  # fmt: skip
    criteria = lower_criteria(inner, rows)
    _tell_misfits(reader, written, target, own)
    return Embedded(
        target.name, numbers, written.text, ((candidates, here), *bindings),
        others_of(reader.draft, target.table) or Others.LAST, criteria,
    )  # fmt: skip


def draft_parameters(draft: Draft, function: FunctionDraft) -> tuple[tuple[str, Type], ...]:
    return draft.functions[function.name].parameters


def _arguments(reader: Reader, rest: Text) -> tuple[tuple[Text, ...], Text]:
    """`(owner, 3) 2..6`: what stands in parentheses, and what follows."""
    if not rest.text.startswith("("):
        return (), rest
    depth = 0
    for position, character in enumerate(rest.text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            inside = part(rest, 1, position)
            return parts(inside, ","), part(rest, position + 1, len(rest.text))
    reader.draft.error(rest, table_problems.unclosed_parameters())
    return (), part(rest, len(rest.text), len(rest.text))


def _rows_named(
    draft: Draft, target: FunctionDraft, written: Text
) -> tuple[list[Row], tuple[str, ...] | None]:
    """`2..6`, `1, 2, 4`: those rows of the scale; nothing written: all."""
    rows = list(filled_rows(target.table))
    if not written.text:
        return rows, None
    numbers = [row_number(target.table, row) for row in rows]
    chosen: set[int] = set()
    for piece in parts(written):
        low, _, high = piece.text.partition("..")
        ends = [low.strip(), (high or low).strip()]
        missing = [end for end in ends if end not in numbers]
        if missing:
            draft.error(piece, scale_problems.unknown_row(missing[0], target.name, numbers, target.where))
            continue
        first = numbers.index(ends[0])
        last = len(numbers) - 1 - numbers[::-1].index(ends[1])
        if last < first:
            draft.error(piece, scale_problems.rows_backwards(piece.text))
        chosen |= set(range(first, last + 1))
    kept = sorted(chosen)
    return [rows[n] for n in kept], tuple(dict.fromkeys(numbers[n] for n in kept))


def _tell_misfits(reader: Reader, written: Text, target: FunctionDraft, own: Sink) -> None:
    """What is wrong in the other scale's own rows is said there; here only what this scale's
    candidates lack."""
    told = (*reader.heard.diagnostics, *reader.draft.sink.diagnostics)
    said = {(d.where, d.message) for d in told}
    for found in own.diagnostics:
        if found.severity is Severity.ERROR and (found.where, found.message) not in said:
            reader.draft.error(
                written, scale_problems.row_does_not_fit(target.name, found.message, found.where)
            )
            return


def others_of(draft: Draft, table: TableText) -> Others | None:
    if property_text(table, "others") is None:
        return None
    said = closed_property(draft, table, "others", OTHERS, scale_problems.unknown_others)
    return Others.LAST if said is None else Others(said)
