"""Decisions by look-up: a dict on the columns with closed lists, and behind it what is left of the rows, as a
tree of questions or one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from dtables.compilers.python.boxes import Boxes, KeyColumn, Name, Shape, limits_of
from dtables.compilers.python.code import Code, Level, Site, both, indented
from dtables.compilers.python.conditions import truth
from dtables.compilers.python.failing import is_constant
from dtables.compilers.python.functions import at_cell, defined
from dtables.compilers.python.ground import Dispatch
from dtables.compilers.python.hits import outcome_code, without_hit
from dtables.compilers.python.identifiers import constant_case, lower_snake
from dtables.feel.types import VocabularyType, may_be_null, plain
from dtables.limits import LIMITS
from dtables.model.regions import Cut, Region, Span
from dtables.program.nodes import Cell, Column, Local, Row

MOST_ENTRIES = 400


@dataclass(frozen=True)
class DispatchPlan:
    """A dict `table` by the columns `keys`, whose values are `domains`. `handed` are the names that the
    functions in the dict are given; None where values stand there."""

    table: str
    keys: tuple[int, ...]
    domains: tuple[tuple[Name, ...], ...]
    handed: tuple[str, ...] | None


Combination = tuple[Name, ...]


def write_dispatch(shape: Shape, site: Site) -> tuple[list[str], list[str], list[str]]:
    """Lines before the function, its body, and what must not be null there. The columns have their names."""
    keys = _key_columns(shape)
    present = _present(shape, keys, site)
    lines = list(_local_names(shape, keys, site))
    if not keys:
        return [], [*lines, *_chain(shape, tuple(range(len(shape.rows))), (), site)], present
    columns = _closed(shape, keys)
    domains = tuple(column.names for column in columns)
    rests = {c: _rest(shape, keys, c) for c in product(*domains)}
    table = site.ground.names.new(constant_case(shape.name))
    names = tuple(name_of(column, site) for column in shape.columns)
    if all(_is_value(shape, rest, keys, site) for rest in rests.values()):
        plan = DispatchPlan(table, keys, domains, None)
        before: list[str] = []
        entries = {c: outcome_code(shape, shape.rows[rest[0]], site) for c, rest in rests.items()}
    else:
        plan = DispatchPlan(table, keys, domains, _handed(shape, keys, site))
        before, entries = _behind(shape, plan, rests, site)
    path = "".join(f"[{key_of(shape.columns[k], site)}]" for k in keys)
    handed = plan.handed or ()
    call = "" if plan.handed is None else f"({', '.join(plan.handed)})"
    sure = tuple(key for key, column in zip(keys, columns, strict=True) if not column.widened)
    site.ground.dispatches[shape.name] = Dispatch(
        keys,
        lambda path, plain: [f"return {plain(f'{table}{path}{call}')}"],
        names,
        handed,
        sure,
        (),
        {n: helper for n, helper in given_helpers(shape.boxes).items() if names[n] not in handed},
    )
    return [*before, *_nested(plan, entries)], [*lines, f"return {table}{path}{call}"], present


def _present(shape: Shape, keys: tuple[int, ...], site: Site) -> list[str]:
    """What is compared with numbers and may be null: the rows alone know what null lets through."""
    return [
        site.function.variables[column.slot].text
        for number, column in enumerate(shape.columns)
        if number not in keys
        and column.value is not None
        and may_be_null(column.value.type)
        and shape.boxes.asking[number]
    ]


def _local_names(shape: Shape, keys: tuple[int, ...], site: Site) -> Iterator[str]:
    """What the functions behind the dict are handed has a name of its own."""
    for number, column in enumerate(shape.columns):
        code = site.function.variables.get(column.slot)
        if code is not None and number not in keys and "." in code.text and shape.boxes.asking[number]:
            name = site.function.names.new(lower_snake(column.name))
            site.function.variables[column.slot] = Code(name)
            yield f"{name} = {code.text}"


def given_helpers(boxes: Boxes) -> dict[int, str]:
    helpers = {n: column.given_helper for n, column in enumerate(boxes.columns) if column is not None}
    return {n: helper for n, helper in helpers.items() if helper is not None}


def name_of(column: Column, site: Site) -> str:
    """A column that no row tests has a name of its own, where it is no parameter."""
    variables = site.function.variables
    code = variables.get(column.slot)
    if code is None and isinstance(column.value, Local):
        code = variables.get(column.value.slot)
    name = code.text if code is not None else lower_snake(column.name)
    return name if name.isidentifier() else lower_snake(column.name)


def key_of(column: Column, site: Site) -> str:
    """Rows of keyed data are looked up by their ids."""
    code = site.function.variables[column.slot]
    assert column.value is not None
    kind = plain(column.value.type)
    if not isinstance(kind, VocabularyType) or not site.ground.keyed(kind.root):
        return code.whole
    if may_be_null(column.value.type):
        return f"None if {code.within(Level.SUM)} is None else {code.atom}.id"
    return f"{code.atom}.id"


def _key_columns(shape: Shape) -> tuple[int, ...]:
    """Columns with a closed list of values, the most tested first, as long as the dict stays small."""
    chosen: list[int] = []
    size = 1
    asking = shape.boxes.asking
    for number in sorted(range(len(asking)), key=lambda n: -asking[n]):
        column = shape.boxes.columns[number]
        names = () if column is None else column.names
        if names and asking[number] and size * len(names) <= MOST_ENTRIES:
            chosen.append(number)
            size *= len(names)
    return tuple(sorted(chosen))


def _closed(shape: Shape, keys: tuple[int, ...]) -> list[KeyColumn]:
    return [column for key in keys if (column := shape.boxes.columns[key]) is not None]


def _handed(shape: Shape, keys: tuple[int, ...], site: Site) -> tuple[str, ...]:
    """The turn, and the names that tests and outcomes behind the dict read."""
    variables, lowered = site.function.variables, site.ground.lowered
    tested = [column.slot for n, column in enumerate(shape.columns) if n not in keys]
    outcomes = (*(tuple(o.value for o in row.outcomes) for row in shape.rows), shape.choose.empty)
    conditions = tuple(cell.condition for row in shape.rows for cell in _open_cells(row, keys))
    read = [node.slot for node in lowered.nodes((*outcomes, conditions)) if isinstance(node, Local)]
    turn = ["turn"] if site.ground.needs_turn(outcomes) else []
    return tuple(dict.fromkeys([*turn, *(variables[n].text for n in (*tested, *read) if n in variables)]))


# -- behind the dict ---------------------------------------------------------------------------


def _rest(shape: Shape, keys: tuple[int, ...], values: Combination) -> tuple[int, ...]:
    """The rows that can still fire, up to one that certainly does."""
    left: list[int] = []
    columns = _closed(shape, keys)
    for number, row in enumerate(shape.boxes.rows):
        cells = zip(columns, (row[key] for key in keys), values, strict=True)
        if all(cell is not None and column.line.passes(cell, value) for column, cell, value in cells):
            left.append(number)
            if not _open_columns(shape, number, keys):
                break
    return tuple(left)


def _open_columns(shape: Shape, row: int, keys: tuple[int, ...]) -> list[int]:
    return [n for n in shape.boxes.asked[row] if n not in keys]


def _open_cells(row: Row, keys: tuple[int, ...]) -> list[Cell]:
    return [cell for cell in row.cells if cell.column not in keys]


def _is_value(shape: Shape, rest: tuple[int, ...], keys: tuple[int, ...], site: Site) -> bool:
    if len(rest) != 1 or _open_columns(shape, rest[0], keys):
        return False
    return is_constant(tuple(o.value for o in shape.rows[rest[0]].outcomes), site.ground)


def _behind(
    shape: Shape,
    plan: DispatchPlan,
    rests: dict[Combination, tuple[int, ...]],
    site: Site,
) -> tuple[list[str], dict[Combination, str]]:
    """A function for each different rest of the rows."""
    assert plan.handed is not None
    lines: list[str] = []
    functions: dict[tuple[int, ...], str] = {}
    stem = f"{site.ground.functions[shape.name]}_case"
    for rest in rests.values():
        if rest not in functions:
            functions[rest] = site.ground.names.new(stem)
            inner = replace(site, function=replace(site.function, prelude=[]))
            body = _chain(shape, rest, plan.keys, inner)
            lines += defined(f"{functions[rest]}({', '.join(plan.handed)})", body, inner)
    return lines, {combination: functions[rest] for combination, rest in rests.items()}


def _chain(shape: Shape, rest: tuple[int, ...], keys: tuple[int, ...], site: Site) -> list[str]:
    """What is left of the rows: a tree of questions on ranges of numbers, else one row after another."""
    if len(rest) >= LIMITS.chained_rows:
        tree = _tree(shape, rest, keys, site)
        if tree is not None:
            return tree
    return list(_rows(shape, rest, keys, site))


def _ending(shape: Shape, number: int, site: Site) -> str:
    row = shape.rows[number]
    return f"return {outcome_code(shape, row, site)}{at_cell(row.outcomes[0].cell)}"


def _rows(shape: Shape, rest: tuple[int, ...], keys: tuple[int, ...], site: Site) -> Iterator[str]:
    """Behind the dict nothing is null."""
    for number in rest:
        cells = _open_cells(shape.rows[number], keys)
        if not cells:
            yield _ending(shape, number, site)
            return
        present = (site.ground.lowered.of_present(cell, shape.columns[cell.column]) for cell in cells)
        yield f"if {both(truth(one, site) for one in present).whole}:"
        yield from indented([_ending(shape, number, site)])
    yield from without_hit(shape, site)


def _tree(shape: Shape, rest: tuple[int, ...], keys: tuple[int, ...], site: Site) -> list[str] | None:
    columns = sorted({n for number in rest for n in _open_columns(shape, number, keys)})
    if any(shape.columns[n].value is None for n in columns):
        return None
    names = [site.function.variables[shape.columns[n].slot] for n in columns]
    limits = tuple(_limits(shape, n, site) for n in columns)
    rows = []
    for number in rest:
        cells = [shape.boxes.rows[number][n] for n in columns]
        plain_cells = tuple(cell for cell in cells if cell is not None and _has_plain_cuts(cell.spans))
        if len(plain_cells) < len(cells):
            return None
        rows.append(ThresholdRow(plain_cells, _ending(shape, number, site)))
    if None in limits or not all(name.is_name for name in names):
        return None
    spans = tuple(limit for limit in limits if limit is not None)
    return write_tree(rows, tuple(n.text for n in names), spans, lambda: list(without_hit(shape, site)))


def _has_plain_cuts(spans: Iterable[Span]) -> bool:
    return all(cut is None or isinstance(cut.key, int) for span in spans for cut in span)


def _limits(shape: Shape, number: int, site: Site) -> Span | None:
    """None of a column that holds no numbers."""
    column, value = shape.boxes.columns[number], shape.columns[number].value
    if column is None or not column.is_number or value is None:
        return None
    limits = limits_of(column, value.type, site.ground)
    return limits if _has_plain_cuts((limits,)) else Span(None, None)


def _nested(plan: DispatchPlan, entries: dict[Combination, str]) -> Iterator[str]:
    """`{a: {b: entry}}`, a line for each innermost dict."""

    def write(prefix: Combination) -> Iterator[str]:
        *outer, last = plan.domains[len(prefix) :]
        if not outer:
            yield ", ".join(f"{value!r}: {entries[(*prefix, value)]}" for value in last)
            return
        for value in outer[0]:
            inside = list(write((*prefix, value)))
            if len(outer) == 1:
                yield f"{value!r}: {{{inside[0]}}},"
            else:
                yield from (f"{value!r}: {{", *indented(inside), "},")

    yield f"{plan.table} = {{"
    yield from indented(write(()))
    yield from ("}", "", "")


# -- trees -------------------------------------------------------------------------------------
# Rows that differ in ranges of numbers only: one question after another, each halving what is left.


MOST_LEAVES = 4
"""So many ends per row a tree may have; else the rows are read one after another."""


@dataclass(frozen=True)
class ThresholdRow:
    """What a row of the table lets through, column by column, and the line that it ends with."""

    cells: tuple[Region, ...]
    ending: str


class TooManyLeaves(Exception):
    """The rows overlap too much."""


def write_tree(
    rows: list[ThresholdRow],
    names: tuple[str, ...],
    limits: tuple[Span, ...],
    without_hit: Callable[[], list[str]],
) -> list[str] | None:
    """Lines that end in a row's ending or without a hit; None where the tree would be too large. Cuts have
    whole keys. `names` are how each column is spelled."""
    leaves = iter(range(MOST_LEAVES * len(rows) + 4))
    try:
        return list(_grow(rows, names, limits, leaves, without_hit))
    except TooManyLeaves:
        return None


def _grow(
    rows: list[ThresholdRow],
    names: tuple[str, ...],
    box: tuple[Span, ...],
    leaves: Iterator[int],
    without_hit: Callable[[], list[str]],
) -> Iterator[str]:
    live = _live(rows, box)
    if not live or _covers(live[0], box):
        if next(leaves, None) is None:
            raise TooManyLeaves
        yield from [live[0].ending] if live else without_hit()
        return
    column, cut = _best_cut(live, box)
    below, above = _parts(box, column, cut)
    yield f"if {names[column]} {'<=' if cut.behind else '<'} {cut.key}:"
    yield from indented(_grow(live, names, below, leaves, without_hit))
    yield from _grow(live, names, above, leaves, without_hit)


def _parts(box: tuple[Span, ...], column: int, cut: Cut) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The box below the cut, and above it."""
    low, high = box[column]
    before, after = box[:column], box[column + 1 :]
    return (*before, Span(low, cut), *after), (*before, Span(cut, high), *after)


def _live(rows: list[ThresholdRow], box: tuple[Span, ...]) -> list[ThresholdRow]:
    """The rows that can fire in the box, up to one that certainly does."""
    live = []
    for row in rows:
        if all(any(_meet(p, part) for p in cell.spans) for cell, part in zip(row.cells, box, strict=True)):
            live.append(row)
            if _covers(row, box):
                break
    return live


def _covers(row: ThresholdRow, box: tuple[Span, ...]) -> bool:
    return all(any(_holds(p, part) for p in cell.spans) for cell, part in zip(row.cells, box, strict=True))


def _meet(a: Span, b: Span) -> bool:
    return _before(a.low, b.high) and _before(b.low, a.high)


def _before(low: Cut | None, high: Cut | None) -> bool:
    return low is None or high is None or low < high


def _holds(outer: Span, inner: Span) -> bool:
    low = outer.low is None or (inner.low is not None and outer.low <= inner.low)
    high = outer.high is None or (inner.high is not None and inner.high <= outer.high)
    return low and high


def _best_cut(live: list[ThresholdRow], box: tuple[Span, ...]) -> tuple[int, Cut]:
    """The one that leaves the fewest rows on its fuller side; among equals the one nearest the middle."""
    cuts = {
        (column, cut)
        for row in live
        for column, cell in enumerate(row.cells)
        for span in cell.spans
        for cut in span
        if cut is not None and _lies_in(cut, box[column])
    }

    def weight(found: tuple[int, Cut]) -> tuple[int, float, int, Cut]:
        column, cut = found
        fuller = max(len(_live(live, part)) for part in _parts(box, column, cut))
        return fuller, _off_middle(cut, box[column]), column, cut

    return min(cuts, key=weight)


def _lies_in(cut: Cut, span: Span) -> bool:
    return (span.low is None or span.low < cut) and (span.high is None or cut < span.high)


def _off_middle(cut: Cut, span: Span) -> float:
    if span.low is None or span.high is None:
        return 0.5
    low, high, middle = (float(end.key) for end in (span.low, span.high, cut))
    return abs((middle - low) / ((high - low) or 1.0) - 0.5)
