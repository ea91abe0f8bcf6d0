"""What every way of writing a decision shares: its columns, and what becomes of the rows that fire."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from dtables.compilers.python.boxes import EVERYTHING, Boxes, Shape
from dtables.compilers.python.code import Code, Site, both, indented, literal, place_text
from dtables.compilers.python.conditions import truth
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.functions import at_cell
from dtables.compilers.python.ground import Ground
from dtables.compilers.python.identifiers import lower_snake
from dtables.program.nodes import Combine, Expression, Input, Local, Row, Take
from dtables.provenance import Location

# -- columns -----------------------------------------------------------------------------------


def bind_columns(shape: Shape, site: Site) -> list[str]:
    """A name for what each column tests; computed at once where it makes no difference, else when read."""
    lines = []
    first = shape.boxes.asked[0][:1] if shape.rows else ()
    for number, column in enumerate(shape.columns):
        uses = shape.boxes.asking[number]
        if column.value is None or uses == 0:
            continue
        code, stem, cell = site.code(column.value), lower_snake(column.name), column.cell
        if isinstance(column.value, (Local, Input)) or (
            code.is_name and not may_fail(column.value, site.ground)
        ):
            site.function.variables[column.slot] = code
        elif number in first or not may_fail(column.value, site.ground):
            name = site.function.names.new(stem)
            site.function.variables[column.slot] = Code(name)
            lines.append(f"{name} = {code.whole}{at_cell(cell)}")
        elif uses == 1 and not _repeats(number, shape, site):
            site.function.variables[column.slot] = code
        else:
            name = site.function.names.new(stem)
            site.function.variables[column.slot] = Code(f"{name}()")
            lines.append(f"{name} = {site.uses('once')}(lambda: {code.whole}){at_cell(cell)}")
    return lines


def _repeats(column: int, shape: Shape, site: Site) -> bool:
    """Would the one cell that asks for it read it more than once?"""
    cell = next(cell for row in shape.rows for cell in row.cells if cell.column == column)
    return site.ground.lowered.repeats(cell)


# -- rows that fire ----------------------------------------------------------------------------


def without_hit(shape: Shape, site: Site) -> Iterator[str]:
    choose = shape.choose
    if choose.fails:
        yield f"raise {site.uses('no_row_fires')}({site.place(shape.source.heading.where)})"
    else:
        comment = "" if choose.otherwise is None else at_cell(choose.otherwise.where.cell)
        yield f"return {site.code(choose.empty).whole}{comment}"


def resolved(shape: Shape, site: Site, rows: str | None = None) -> Iterator[str]:
    """What becomes of `hits`. `rows` has the rows' names, if they stand somewhere already."""
    fold = shape.choose.fold
    if not shape.choose.folds_nothing:
        yield "if not hits:"
        yield from indented(without_hit(shape, site))
    if not fold.gathers:
        helper = _RANKED[fold.take] if fold.ranks is not None else _CHOSEN[fold.take]
        yield f"return {site.uses(helper)}(hits, {_details(shape, rows, site)})"
    elif fold.combine is Combine.NOTHING:
        yield "return hits"
    elif fold.combine is Combine.COUNT:
        yield "return len(hits)"
    else:
        place = site.place(shape.source.heading.where)
        yield f"return {site.uses('attempt')}({place}, {site.uses(_AGGREGATES[fold.combine])}, hits)"


_AGGREGATES = {
    Combine.SUM: "collected_sum",
    Combine.BUILTIN_SUM: "collected_sum",
    Combine.LEAST: "collected_min",
    Combine.GREATEST: "collected_max",
}
_CHOSEN = {Take.ONLY: "only_hit", Take.AGREED: "agreed_hit"}
_RANKED = {Take.FIRST: "best_hit", Take.ALL: "ordered_hits"}


def _details(shape: Shape, known: str | None, site: Site) -> str:
    """For messages the table, with name and place of each row; for a ranking the allowed outcomes."""
    if shape.choose.fold.ranks is not None:
        return f"{shape.outcome_names!r}, {ranks_of(shape, site)}"
    if known is None:
        rows = [(row.name, place_text(Location(row.where))) for row in shape.rows]
        known = site.constant(f"rows of {shape.name}", repr(tuple(rows))).text
    return f"{literal(shape.name).text}, {known}"


def ranks_of(shape: Shape, site: Site) -> str:
    """Of each column the allowed outcomes, best first."""
    ranks = shape.choose.fold.ranks or ()
    return f"[{', '.join(f'[{_listed(some, site)}]' for some in ranks)}]"


def _listed(values: tuple[Expression, ...], site: Site) -> str:
    return ", ".join(site.code(value).whole for value in values)


def outcome_code(shape: Shape, row: Row, site: Site) -> str:
    values = zip(shape.outcome_names, row.outcomes, strict=True)
    return combined([(name, site.code(outcome.value).whole) for name, outcome in values])


def combined(values: list[tuple[str, str]]) -> str:
    if len(values) == 1:
        return values[0][1]
    return "{" + ", ".join(f"{name!r}: {value}" for name, value in values) + "}"


# -- behind an index ---------------------------------------------------------------------------
# Cells that only a turn can decide: they are looked at behind the index, of the rows that are left. Rows and
# their cells are read in order, so that what fails is found where the rules find it: behind a cell that may
# fail, the other cells of its row are looked at in turn as well.


Columns = tuple[int, ...]


def looked_at_behind(shape: Shape, ground: Ground) -> dict[int, Columns]:
    """Of the rows that have such cells, by number, their columns."""
    failing = [may_fail(column.value, ground) for column in shape.columns]
    if shape.boxes.known and not any(failing):
        return {}
    found = {}
    for number, (row, box) in enumerate(zip(shape.rows, shape.boxes.rows, strict=True)):
        columns, fails = [], False
        for cell in row.cells:
            n = cell.column
            if fails or failing[n] or box[n] is None:
                columns.append(n)
                fails = fails or failing[n] or may_fail(cell.condition, ground)
        if columns:
            found[number] = tuple(columns)
    return found


def in_front(boxes: Boxes, behind: dict[int, Columns]) -> Boxes:
    """What the index finds: cells behind it let everything through."""
    whole = [EVERYTHING if column is None else column.full for column in boxes.columns]
    rows = tuple(
        tuple(whole[n] if n in behind[number] else cell for n, cell in enumerate(row))
        if number in behind
        else row
        for number, row in enumerate(boxes.rows)
    )
    return replace(boxes, rows=rows)


def condition(row: Row, columns: Container[int], site: Site) -> Code | None:
    """Whether some cells of a row pass; None where none of them asks anything."""
    parts = [truth(cell.condition, site) for cell in row.cells if cell.column in columns]
    return both(parts) if parts else None
