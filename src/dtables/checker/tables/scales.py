"""Scales: ordered criteria that narrow candidates to one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dtables.checker import messages
from dtables.checker.expressions.constants import passes
from dtables.checker.expressions.lower import lower_expression, lower_tests
from dtables.checker.expressions.types import ordered, vocabulary_in
from dtables.checker.report import Sink, Text
from dtables.checker.rows import (
    cell_of,
    column_name,
    columns,
    filled_rows,
    first_cell,
    heading,
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
from dtables.checker.symbols import Draft, FunctionDraft, Scope, closed_property, needed
from dtables.checker.tables.formulas import declared_result, scale_named, settle_result
from dtables.diagnostics import Severity
from dtables.feel.types import (
    BOOLEAN,
    UNKNOWN,
    ListType,
    Type,
    UnknownType,
    VocabularyType,
    optional,
    plain,
    surely_fits,
    without_null,
)
from dtables.model.expressions import (
    CallBuiltin,
    CallTable,
    EachOf,
    Expression,
    MakeList,
    NameOf,
    Read,
    Variable,
)
from dtables.model.tables import Concern, Criterion, Embedded, Others, Prefer, Scale
from dtables.provenance import Location
from dtables.workbook.language import OTHERS, PREFER, YES_NO, closed_word
from dtables.workbook.tables import Cell, RowText, TableText


def check_scale(draft: Draft, function: FunctionDraft) -> Scale:
    table = function.table
    parameters = draft.parameters[function.name]
    candidate = _candidate(draft, function)
    scope = draft.scope(p.variable for p in parameters)
    item = draft.numbers.variable("item", candidate)
    listed = parameters[0].variable if parameters else draft.numbers.variable("candidates", ListType(UNKNOWN))
    rows = list(filled_rows(table))
    if not rows:
        draft.error(table.marker.cell, messages.table_without_rows())
    _report_stray_names(draft, table)
    criteria = lower_criteria(
        CriteriaReader(draft, table, scope, listed, item, (function.name,), draft.sink), rows
    )
    _report_unreached(draft, criteria)
    others = others_of(draft, table)
    if others is None:
        unsettled = first_unsettled(criteria)
        if unsettled is not None:
            draft.error(table.marker.cell, messages.others_open(unsettled.number, unsettled.where))
    decides = check_decides(draft, function, criteria)
    result: Type = ListType(candidate) if ends_in_chance(criteria) else optional(candidate)
    _hold_to_declared(draft, function, result)
    settle_result(draft, function.name, result)
    return Scale(heading(table), parameters, item, others or Others.LAST, decides, criteria, result)


def _candidate(draft: Draft, function: FunctionDraft) -> Type:
    parameters = draft.parameters[function.name]
    if not parameters:
        draft.error(function.name_text, messages.scale_without_candidates(function.name))
        return UNKNOWN
    type_ = plain(parameters[0].type)
    if isinstance(type_, ListType):
        return type_.item
    if not isinstance(type_, UnknownType):
        draft.error(function.parameters[0].name, messages.candidates_no_list(parameters[0].name, type_))
    return UNKNOWN


def ends_in_chance(criteria: tuple[Criterion, ...]) -> bool:
    """Somewhere in these rows chance may decide: the value is the list of equals."""
    return any(
        c.prefer is Prefer.CHANCE or (c.embedded is not None and ends_in_chance(c.embedded.criteria))
        for c in criteria
    )


def _report_stray_names(draft: Draft, table: TableText) -> None:
    """Names stand over `only for` columns; over others they are a criterion that was taken for names."""
    for n in columns(table, "prefer", "by", "only if"):
        if column_name(table.columns[n]):
            draft.error(name_cell(table.columns[n]), messages.stray_name(table.columns[n].role))


def _report_unreached(draft: Draft, criteria: tuple[Criterion, ...]) -> None:
    for n, criterion in enumerate(criteria[:-1]):
        if criterion.prefer in (Prefer.FIRST, Prefer.CHANCE) and criterion.for_everybody:
            later = criteria[n + 1]
            wording = messages.never_reached(later.number, criterion.number)
            draft.warning_at(Location(later.where), None, wording)
            return


def _hold_to_declared(draft: Draft, function: FunctionDraft, result: Type) -> None:
    declared = declared_result(draft, function)
    if declared is not None and function.result is not None and not surely_fits(result, optional(declared)):
        draft.error(function.result, messages.scale_gives(function.name, result))


# -- criteria ------------------------------------------------------------------------------------
# The rows of a scale, read with a candidate: the scale's own, or one that embeds it.

WITH_MORE = (Prefer.FIRST_IN, Prefer.LAST_IN, Prefer.SCALE)


@dataclass(frozen=True, slots=True)
class CriteriaReader:
    """How rows are read here. `scope` is without the candidate; `path` are the scales we are in."""

    draft: Draft
    table: TableText
    scope: Scope
    candidates: Variable
    item: Variable
    path: tuple[str, ...]
    heard: Sink
    """Where the messages of the outermost scale go. What is wrong with the rows of an embedded one is
    reported in its own table."""

    @property
    def inside(self) -> Scope:
        return self.scope.with_item(self.item)


def lower_criteria(reader: CriteriaReader, rows: list[RowText]) -> tuple[Criterion, ...]:
    concerning = [
        n for n in columns(reader.table, "only for") if any(not is_any(row.cells[n]) for row in rows)
    ]
    subjects = {n: _subject(reader, n) for n in concerning}
    found = (_criterion(reader, row, subjects) for row in rows)
    return tuple(criterion for criterion in found if criterion is not None)


def _subject(reader: CriteriaReader, n: int) -> tuple[str, Variable, Expression]:
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
    reader: CriteriaReader, row: RowText, subjects: dict[int, tuple[str, Variable, Expression]]
) -> Criterion | None:
    table, draft = reader.table, reader.draft
    only_if = cell_of(table, row, "only if")
    condition = None
    if only_if is not None and not is_any(only_if):
        condition = lower_expression(text_of(only_if), reader.scope, draft.sink, BOOLEAN)
    concerns = tuple(_concerns(reader, row, subjects))
    cell = needed(draft, table, row, "prefer", messages.row_without_prefer())
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
                draft.error(by_cell, messages.needless_by(prefer.value))
            return base
        case Prefer.SCALE:
            return _embedding(reader, base, cell, more, by_cell)
        case _:
            return _comparing(reader, base, cell, more, by_cell)


def _concerns(
    reader: CriteriaReader, row: RowText, subjects: dict[int, tuple[str, Variable, Expression]]
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
        draft.error(cell, messages.unknown_prefer(text.text, [p.name for p in PREFER]))
        return None
    return Prefer(known), None


def _leads(text: str, spelling: str, prefer: Prefer) -> bool:
    """Does the text begin with the word, and go on only if the word needs more?"""
    begins, rest = text[: len(spelling)], text[len(spelling) :]
    apart = begins.casefold() == spelling.casefold() and (not rest or rest[0].isspace())
    return apart and (prefer in WITH_MORE or not rest.strip())


# -- comparing -----------------------------------------------------------------------------------


def _comparing(
    reader: CriteriaReader, base: Criterion, cell: Cell, more: Text | None, by_cell: Cell | None
) -> Criterion | None:
    draft, prefer = reader.draft, base.prefer
    if by_cell is None:
        draft.error(cell, messages.missing_by(prefer.value))
        return None
    expected = optional(BOOLEAN) if prefer in (Prefer.YES, Prefer.NO) else None
    by = lower_expression(text_of(by_cell), reader.inside, draft.sink, expected)
    if prefer in (Prefer.HIGHEST, Prefer.LOWEST):
        if not ordered(by.type):
            draft.error(by_cell, messages.not_comparable(prefer.value, by.type))
        elif optional(by.type) == by.type and not isinstance(by.type, UnknownType):
            text, words = text_of(by_cell), messages.null_comes_last(by_cell.code.strip())
            draft.sink.report(text, text.all, Severity.NOTE, words)
    if prefer not in (Prefer.FIRST_IN, Prefer.LAST_IN):
        return replace(base, by=by)
    if more is None:
        draft.error(cell, messages.missing_list(prefer.value))
        return None
    of: Type = ListType(without_null(by.type))
    order = lower_expression(more, reader.scope, draft.sink, of)
    return replace(base, by=by, order=order)


# -- embedding -----------------------------------------------------------------------------------


def _embedding(
    reader: CriteriaReader, base: Criterion, cell: Cell, more: Text | None, by_cell: Cell | None
) -> Criterion | None:
    draft = reader.draft
    if more is not None and by_cell is not None:
        draft.error(by_cell, messages.needless_by("scale"))
        return None
    written = more or (text_of(by_cell) if by_cell else None)
    if written is None:
        draft.error(cell, messages.missing_by("scale"))
        return None
    target = scale_named(draft, written.text)
    if target is None:
        scales = [n for n, f in draft.function_drafts.items() if f.kind == "scale"]
        draft.error(written, messages.unknown_scale(written.text, scales))
        return None
    if target.name in reader.path:
        draft.error(written, messages.scale_in_itself((*reader.path, target.name)))
        return None
    embedded = _embedded(reader, written, target)
    return None if embedded is None else replace(base, embedded=embedded, written=written.text)


def _embedded(reader: CriteriaReader, written: Text, target: FunctionDraft) -> Embedded | None:
    rest = part(written, len(target.name), len(written.text))
    arguments, numbers_text = _arguments(reader, rest)
    further = draft_parameters(reader.draft, target)[1:]
    if len(arguments) != len(further):
        reader.draft.error(written, messages.scale_arguments(target.name, [n for n, _ in further]))
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
    inner = CriteriaReader(
        replace(reader.draft, sink=own), target.table, scope, candidates, reader.item,
        (*reader.path, target.name), reader.heard,
    )  # fmt: skip
    criteria = lower_criteria(inner, rows)
    _report_misfits(reader, written, target, own)
    return Embedded(
        target.name, numbers, written.text, ((candidates, here), *bindings),
        others_of(reader.draft, target.table) or Others.LAST, criteria,
    )  # fmt: skip


def draft_parameters(draft: Draft, function: FunctionDraft) -> tuple[tuple[str, Type], ...]:
    return draft.functions[function.name].parameters


def _arguments(reader: CriteriaReader, rest: Text) -> tuple[tuple[Text, ...], Text]:
    """`(owner, 3) 2..6`: what stands in parentheses, and what follows."""
    if not rest.text.startswith("("):
        return (), rest
    depth = 0
    for position, character in enumerate(rest.text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            inside = part(rest, 1, position)
            return parts(inside, ","), part(rest, position + 1, len(rest.text))
    reader.draft.error(rest, messages.unclosed_parameters())
    return (), part(rest, len(rest.text), len(rest.text))


def _rows_named(
    draft: Draft, target: FunctionDraft, written: Text
) -> tuple[list[RowText], tuple[str, ...] | None]:
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
            draft.error(piece, messages.unknown_row(missing[0], target.name, numbers, target.where))
            continue
        first = numbers.index(ends[0])
        last = len(numbers) - 1 - numbers[::-1].index(ends[1])
        if last < first:
            draft.error(piece, messages.rows_backwards(piece.text))
        chosen |= set(range(first, last + 1))
    kept = sorted(chosen)
    return [rows[n] for n in kept], tuple(dict.fromkeys(numbers[n] for n in kept))


def _report_misfits(reader: CriteriaReader, written: Text, target: FunctionDraft, own: Sink) -> None:
    """What is wrong in the other scale's own rows is reported there; here only what this scale's
    candidates lack."""
    known = (*reader.heard.diagnostics, *reader.draft.sink.diagnostics)
    reported = {(d.where, d.message) for d in known}
    for found in own.diagnostics:
        if found.severity is Severity.ERROR and (found.where, found.message) not in reported:
            reader.draft.error(written, messages.row_does_not_fit(target.name, found.message, found.where))
            return


def others_of(draft: Draft, table: TableText) -> Others | None:
    if property_text(table, "others") is None:
        return None
    word = closed_property(draft, table, "others", OTHERS, messages.unknown_others)
    return Others.LAST if word is None else Others(word)


# -- does it leave one? -----------------------------------------------------------------------------
# Whether a scale leaves one candidate, and whether it says what holds for those a row does not concern.

PROVED, CLAIMED, NO = "proved", "claimed", "no"


def check_decides(draft: Draft, function: FunctionDraft, criteria: tuple[Criterion, ...]) -> str:
    """The property's word, held against what can be proved; nothing is reported of a scale with a broken
    row."""
    written = property_text(function.table, "decides")
    word = closed_word(YES_NO, written.text) if written is not None else None
    if written is not None and word is None:
        draft.error(written, messages.unknown_yes_no(written.text))
    if word == "no":
        return NO
    found = _decided(draft, criteria)
    if found is not None:
        draft.deciding[function.name] = found
        return found
    draft.deciding[function.name] = CLAIMED
    whole = len(criteria) == sum(1 for _ in filled_rows(function.table))
    if word is None and written is None and criteria and whole:
        last = criteria[-1]
        draft.error(function.table.marker.cell, messages.may_not_decide(last.number, last.where))
    return CLAIMED


def _decided(draft: Draft, criteria: tuple[Criterion, ...]) -> str | None:
    if not criteria:
        return None
    for criterion in criteria:
        if criterion.prefer in (Prefer.FIRST, Prefer.CHANCE) and criterion.for_everybody:
            return PROVED
    last = criteria[-1]
    if last.for_everybody:
        return _separates(draft, last)
    return _decided_by_kinds(draft, criteria)


def _separates(draft: Draft, criterion: Criterion) -> str | None:
    """Does the row by itself leave one of any candidates?"""
    match criterion.prefer:
        case Prefer.FIRST | Prefer.CHANCE:
            return PROVED
        case Prefer.FIRST_IN | Prefer.LAST_IN:
            by, order = criterion.by, criterion.order
            if by is None or order is None or not isinstance(by, Read) or by.variable.name != "item":
                return None
            vocabulary = plain(by.type)
            if isinstance(vocabulary, VocabularyType) and _holds_every_name(draft, order, vocabulary):
                return PROVED
            return None
        case Prefer.SCALE:
            embedded = criterion.embedded
            if embedded is None:
                return CLAIMED
            if embedded.numbers is None:
                return draft.deciding.get(embedded.scale)
            return _decided(draft, embedded.criteria)
        case Prefer.YES | Prefer.NO | Prefer.HIGHEST | Prefer.LOWEST:
            return None


def _decided_by_kinds(draft: Draft, criteria: tuple[Criterion, ...]) -> str | None:
    """Where those left are alike in an `only for` column: a deciding row for each of its names."""
    left: dict[str, set[str]] = {}
    for n, criterion in enumerate(criteria):
        if len(criterion.concerns) != 1 or criterion.only_if is not None:
            continue
        concern = criterion.concerns[0]
        vocabulary = vocabulary_in(concern.value.type)
        if vocabulary is None or not _alike(criteria[:n], concern) or _separates(draft, criterion) is None:
            continue
        names = left.setdefault(concern.name, set(draft.vocabularies[vocabulary.name].ids))
        names -= {i for i in names if passes(draft, concern.tests, _name(vocabulary, i, concern)) is True}
        if not names:
            return CLAIMED
    return None


def _name(vocabulary: VocabularyType, id_: str, concern: Concern) -> NameOf:
    return NameOf(vocabulary.root, id_, type=vocabulary, where=Location(concern.cell))


def _alike(before: tuple[Criterion, ...], concern: Concern) -> bool:
    """After a row for everybody has compared that very value, those left have it in common."""
    return any(c.for_everybody and c.by == concern.value for c in before)


def first_unsettled(criteria: tuple[Criterion, ...]) -> Criterion | None:
    """The first row that may concern some of those left and not others."""
    for n, criterion in enumerate(criteria):
        if any(not _alike(criteria[:n], concern) for concern in criterion.concerns):
            return criterion
    return None


# -- lists that hold every name --------------------------------------------------------------------


def _holds_every_name(draft: Draft, order: Expression, vocabulary: VocabularyType) -> bool:
    names = set(draft.vocabularies[vocabulary.name].ids)
    match order:
        case EachOf(vocabulary=name):
            return names <= set(draft.vocabularies[name].ids)
        case MakeList():
            return names <= _names_in(order)
        case CallBuiltin(builtin="reverse", arguments=(inner,)):
            return _holds_every_name(draft, inner, vocabulary)
        case CallTable(table=table) if table in draft.matrices:
            return all(names <= _names_in(entry.value) for entry in draft.matrices[table].entries)
        case _:
            return False


def _names_in(listed: Expression) -> set[str]:
    items = listed.items if isinstance(listed, MakeList) else ()
    return {item.id for item in items if isinstance(item, NameOf)}
