"""Decisions of very many rows: the rows as data, and an index of them that is built when the module loads.

A row is a line of JSON: a Python literal of thousands of rows takes longer to compile than all else together.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from math import prod
from typing import NamedTuple

from dtables.compilers.python.boxes import Boxes, KeyColumn, Shape, limits_of
from dtables.compilers.python.code import Code, Level, Site, indented, place_text
from dtables.compilers.python.dispatch import given_helpers, key_of, name_of
from dtables.compilers.python.failing import is_constant
from dtables.compilers.python.functions import at_cell
from dtables.compilers.python.ground import Dispatch, Ground
from dtables.compilers.python.hits import (
    Columns,
    bind_columns,
    condition,
    in_front,
    looked_at_behind,
    outcome_code,
    ranks_of,
    resolved,
    without_hit,
)
from dtables.compilers.python.identifiers import constant_case
from dtables.feel.types import TextType, TimeType, VocabularyType, plain
from dtables.model.regions import Cut, Key, Region, Span
from dtables.program.nodes import Combine, Constant, Expression, Name, Take
from dtables.program.regions import without_key
from dtables.provenance import Location

MOST_COPIES = 40
"""So many dicts may a row stand in, on average; else a column is looked at behind them."""

ENTRIES_PER_ROW = 4
SPARE_ENTRIES = 1000

MOST_WRITTEN = 4
"""So many different conditions are written where they are asked for."""


@dataclass(frozen=True)
class Layout:
    """Which columns are read, and which of them are dicts, from the outside; the others are searched."""

    columns: dict[int, KeyColumn]
    read: tuple[int, ...]
    keys: tuple[int, ...]
    rest: tuple[int, ...]


@dataclass(frozen=True)
class Outcomes:
    """`handed` is what outcomes read, None where they are constants; `different` are their texts where they
    cannot stand in the rows themselves."""

    handed: str | None
    different: tuple[str, ...]
    lines: tuple[str, ...]


def write_index(
    shape: Shape, rows: Callable[[], Iterable[str]], site: Site
) -> tuple[list[str], list[str]] | None:
    """Lines before the function, and its body; None where an outcome needs local functions, or no column
    distinguishes rows. `rows` are the lines that read them one by one."""
    behind = looked_at_behind(shape, site.ground)
    lines = bind_columns(shape, site)
    shape = replace(shape, boxes=in_front(shape.boxes, behind))
    handed = _handed(site)
    layout = _layout(shape.boxes)
    tests = _conditions(shape, behind, site)
    outcomes = _outcomes(shape, handed, site)
    if site.function.prelude or not layout.read:
        return None
    name = constant_case(shape.name)
    new = site.ground.names.new
    data, answers, find = new(f"{name}_ROWS"), new(f"{name}_ANSWERS"), new(f"{name}_FIND")
    conditions = _Conditions(tests, handed, site.fresh("passes")) if tests else None
    locals_ = _Locals(*map(site.fresh, ("row", "points", "cuts", "between")))
    lookup = _Lookup(shape, layout, outcomes, data, answers, find, conditions, locals_)
    keyless = None if conditions else _keyless(shape, layout)
    before = [
        *_row_table(data, shape, layout, outcomes, keyless or {}, site),
        *_answers(answers, data, shape, outcomes),
    ]
    if conditions is None:
        before += _last_answer(answers, shape, outcomes, site)
    before += _index(lookup, site)
    body = list(_body_with_conditions(lookup, conditions, site) if conditions else _body(lookup, site))
    if not all(column.has_key_for_all for column in layout.columns.values()):
        one_by_one = _one_by_one(lookup, site) if keyless is not None else rows()
        body = list(_with_rows(body, one_by_one, site))
        if site.function.prelude:
            return None
    _note_quick_way(lookup, given_helpers(shape.boxes), site)
    return [*before, "", ""], [*lines, *body]


# -- columns -----------------------------------------------------------------------------------


def _layout(boxes: Boxes) -> Layout:
    columns = {
        number: column
        for number, column in enumerate(boxes.columns)
        if column is not None and any(row[number] != column.full for row in boxes.rows)
    }
    keys = _keys(columns, boxes)
    rest = [number for number in columns if number not in keys]
    return Layout(columns, tuple(columns), keys, tuple(sorted(rest, key=lambda n: (_different(boxes, n), n))))


def _different(boxes: Boxes, number: int) -> int:
    return len({row[number] for row in boxes.rows})


def _keys(columns: dict[int, KeyColumn], boxes: Boxes) -> tuple[int, ...]:
    """Columns of names and of single texts, the most telling first, as long as rows are not copied too often
    and the dicts stay small beside the table. The one with the fewest names is the outermost."""
    names = {n: _Names(column, [row[n] for row in boxes.rows]) for n, column in columns.items()}
    sizes = {n: known.size for n, known in names.items() if known.size}
    copies = {n: names[n].copies / len(boxes.rows) for n in sizes}
    most = ENTRIES_PER_ROW * len(boxes.rows) + SPARE_ENTRIES
    chosen: list[int] = []
    total = 1.0
    for number in sorted(sizes, key=lambda n: (copies[n] / sizes[n], n)):
        entries = prod(sizes[n] for n in (*chosen, number))
        if copies[number] < sizes[number] and total * copies[number] <= MOST_COPIES and entries <= most:
            chosen.append(number)
            total *= copies[number]
    return tuple(sorted(chosen, key=lambda n: (sizes[n], n)))


class _Names:
    """How many different names a column has, and in how many dicts its rows would stand. Of texts that no
    cell names one stands for all."""

    def __init__(self, column: KeyColumn, cells: list[Region | None]) -> None:
        count = Counter(cell for cell in cells if cell is not None)
        if column.names:
            self.size = len(column.names)
            self.copies = sum(len(column.named_by(cell)) * number for cell, number in count.items())
            return
        self.size = self.copies = 0
        if column.only_points:
            points = {cell: column.points_of(cell) for cell in count}
            without = [column.points_of(column.full - cell) or [] for cell in count]
            known = {text for some in (*points.values(), *without) for text in some or ()}
            self.size = len(known) + 1 + column.nullable
            sizes = (self.size if some is None else len(some) for some in points.values())
            self.copies = sum(size * number for size, number in zip(sizes, count.values(), strict=True))


def _column_text(column: KeyColumn, value: Expression | None, site: Site) -> str:
    """All values of a column of names; of others what its keys are. Null may stand there too."""
    assert value is not None
    limits = _limits(column, value, site.ground)
    if limits is not None:
        return f"{site.uses('column_of_whole_numbers')}(limits={limits})"
    kind = plain(value.type)
    if column.names:
        names = "True, False"
        if isinstance(kind, VocabularyType):
            names = f"*{site.ground.constants[kind.root if column.widened else kind.name]}"
        return f"{site.uses('column_of_names')}({names}{', None' if column.nullable else ''})"
    return f"{site.uses(_helper(column))}({'empty=True' if column.nullable else ''})"


def _helper(column: KeyColumn) -> str:
    if column.only_points:
        return "column_of_texts"
    if isinstance(column.line.type, TextType):
        return "column_of_texts_in_order"
    if column.clock:
        return "column_of_times" if isinstance(column.line.type, TimeType) else "column_of_moments"
    return "column_of_whole_numbers" if column.line.whole else "column_of_numbers"


def _limits(
    column: KeyColumn, value: Expression | None, ground: Ground
) -> tuple[int | None, int | None] | None:
    """The first and the last whole number that may come, where only such come that were read."""
    if not column.is_number or not column.line.whole or column.nullable or value is None:
        return None
    low, high = limits_of(column, value.type, ground)
    if low is None and high is None:
        return None
    return None if low is None else int(low.key), None if high is None else int(high.key) - 1


# -- rows --------------------------------------------------------------------------------------


def _row_table(
    name: str,
    shape: Shape,
    layout: Layout,
    outcomes: Outcomes,
    keyless: Mapping[int, list[str]],
    site: Site,
) -> Iterator[str]:
    yield f"{name} = {site.uses('RowTable')}("
    yield f"    {_sheet_of(shape)!r},"
    columns = [_column_text(layout.columns[n], shape.columns[n].value, site) for n in layout.read]
    yield f"    ({' '.join(f'{column},' for column in columns)}),"
    yield f"    keys={_places(layout.keys, layout.read)},"
    yield f"    rest={_places(layout.rest, layout.read)},"
    yield '    text=r"""'
    written = [(n, _Texts(column)) for n, column in layout.columns.items()]
    for row, box, outcome in zip(shape.rows, shape.boxes.rows, outcomes.lines, strict=True):
        head = f'"{row.where.address}", {json.dumps(row.number)}'
        known = ((cell, texts) for n, texts in written if (cell := box[n]) is not None)
        cells = "".join(f", {texts[cell]}" for cell, texts in known)
        yield f"[{head}{cells}, {outcome}]"
    yield '""",'
    if keyless:
        yield "    keyless={"
        for number, lines in keyless.items():
            yield from (f'        {layout.read.index(number)}: """', *lines, '""",')
        yield "    },"
    yield ")"


def _keyless(shape: Shape, layout: Layout) -> dict[int, list[str]] | None:
    """What each row's cells answer to values without a key, of the columns that may have such; None where
    only evaluation can decide."""
    found: dict[int, list[str]] = {}
    for number in layout.read:
        if layout.columns[number].has_key_for_all:
            continue
        lines = found.setdefault(number, [])
        for row in shape.rows:
            passes = without_key(row, number)
            if passes is None:
                return None
            if isinstance(passes, bool):
                lines.append("+" if passes else "-")
            else:
                lines.append(place_text(passes).removeprefix(_sheet_of(shape)))
    return found


def _sheet_of(shape: Shape) -> str:
    where = shape.source.heading.where.cell
    return place_text(Location(where)).removesuffix(where.address)


class _Texts(dict[Region, str]):
    """The cells of a column as they stand in the rows: many are alike."""

    def __init__(self, column: KeyColumn) -> None:
        super().__init__()
        self._column = column

    def __missing__(self, cell: Region) -> str:
        text = self[cell] = cell_text(cell, self._column)
        return text


def _places(columns: tuple[int, ...], read: tuple[int, ...]) -> str:
    return f"({''.join(f'{read.index(n)}, ' for n in columns).rstrip()})" if columns else "()"


# -- behind the index ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Conditions:
    """Each different condition, and the rows that it stands in; what they read; and the local name of the one
    that a row has. A few are written where they are asked for, by number, more as functions."""

    rows: Mapping[Code, list[int]]
    handed: str
    name: str

    @property
    def are_written(self) -> bool:
        return len(self.rows) <= MOST_WRITTEN

    @property
    def test(self) -> str:
        """Does a row that the index has found fire?"""
        if not self.are_written:
            return f"{self.name} is None or {self.name}({self.handed})"
        first, *others = (code.within(Level.AND) for code in self.rows)
        if not others:
            return f"not {self.name} or {first}"
        numbered = enumerate((first, *others), 1)
        chosen = " or ".join(f"{self.name} == {number} and {code}" for number, code in numbered)
        return f"not {self.name} or {chosen}"

    @property
    def listed(self) -> Iterator[str]:
        for number, (code, rows) in enumerate(self.rows.items(), 1):
            one = str(number) if self.are_written else f"lambda {self.handed}: {code.whole}"
            yield f"    ({one}, {tuple(rows)}),"


def _conditions(shape: Shape, behind: dict[int, Columns], site: Site) -> dict[Code, list[int]]:
    found: dict[Code, list[int]] = {}
    for number, columns in behind.items():
        code = condition(shape.rows[number], columns, site)
        found.setdefault(Code("True") if code is None else code, []).append(number)
    return found


# -- outcomes ----------------------------------------------------------------------------------


def _outcomes(shape: Shape, handed: str, site: Site) -> Outcomes:
    """As they stand in the rows; where one cannot, each different one is written once and rows have its
    number."""
    written = [[outcome_text(o.value, site) for o in row.outcomes] for row in shape.rows]
    if all(text is not None for row in written for text in row):
        return Outcomes(None, (), tuple(", ".join(text for text in row if text) for row in written))
    constant = is_constant(tuple(o.value for row in shape.rows for o in row.outcomes), site.ground)
    numbers: dict[str, int] = {}
    lines = []
    for row in shape.rows:
        text = outcome_code(shape, row, site)
        lines.append(str(numbers.setdefault(text, len(numbers))))
    return Outcomes(None if constant else handed, tuple(numbers), tuple(lines))


def _handed(site: Site) -> str:
    """What conditions and outcomes may read: the turn and every name that is bound before the rows. Asked
    before any of them is written: variables of their loops are bound as they are."""
    texts = (code.text.removesuffix("()") for code in site.function.variables.values())
    names = [text for text in texts if text.isidentifier()]
    return ", ".join(dict.fromkeys([*(["turn"] if site.function.turned else []), *names]))


def _answers(answers: str, rows: str, shape: Shape, outcomes: Outcomes) -> Iterator[str]:
    if not outcomes.different:
        names = ", ".join(map(repr, shape.choose.names))
        yield f"{answers} = {rows}.answers({names})"
        return
    head = "" if outcomes.handed is None else f"lambda {outcomes.handed}: "
    yield f"{answers} = {rows}.answers_of(("
    yield from indented([f"{head}{text}," for text in outcomes.different])
    yield "))"


def _last_answer(answers: str, shape: Shape, outcomes: Outcomes, site: Site) -> Iterator[str]:
    """What holds where no row fires stands behind the rows' answers: that is where -1 leads."""
    if _is_answer_without_hit(shape, outcomes, site):
        otherwise = shape.choose.otherwise
        comment = "" if otherwise is None else at_cell(otherwise.where.cell)
        yield f"{answers}.append({site.code(shape.choose.empty).whole}){comment}"


def _is_answer_without_hit(shape: Shape, outcomes: Outcomes, site: Site) -> bool:
    if not shape.choose.fold.takes_one or outcomes.handed is not None:
        return False
    return is_constant(shape.choose.empty, site.ground)


# -- looking up --------------------------------------------------------------------------------


class _Locals(NamedTuple):
    """Names within the function."""

    row: str
    points: str
    cuts: str
    between: str


@dataclass(frozen=True)
class _Lookup:
    shape: Shape
    layout: Layout
    outcomes: Outcomes
    rows: str
    answers: str
    find: str
    conditions: _Conditions | None
    locals: _Locals

    @property
    def finds_one(self) -> bool:
        """The best of several by their outcomes is known beforehand only where outcomes are."""
        fold = self.shape.choose.fold
        return fold.takes_one and (fold.ranks is None or self.outcomes.handed is None)

    @property
    def finds_rows(self) -> bool:
        return self.finds_one and self.conditions is None

    @property
    def finds_values(self) -> bool:
        """A list of them is all that is needed, and they are constants."""
        return self.shape.choose.fold.gathers and self.outcomes.handed is None

    @property
    def finds_answers(self) -> bool:
        """They stand in the dicts themselves."""
        constant = self.finds_rows and self.outcomes.handed is None
        return constant and not self.layout.rest and self.shape.choose.fold.ranks is None

    @property
    def is_flat(self) -> bool:
        """Only cuts of one column and the rows between them are behind the dicts."""
        if not self.finds_rows or len(self.layout.rest) != 1:
            return False
        column = self.layout.columns[self.layout.rest[0]]
        in_order = isinstance(column.line.type, TextType) and not column.only_points
        return (column.line.whole or in_order) and not (column.names or column.nullable)

    @property
    def may_miss(self) -> bool:
        """Texts that no cell names are no keys where they can have no row."""
        return self.shape.choose.fails and any(self.layout.columns[n].only_points for n in self.layout.keys)

    @property
    def value(self) -> str:
        return self.value_of("row")

    def value_of(self, row: str) -> str:
        call = "" if self.outcomes.handed is None else f"({self.outcomes.handed})"
        return f"{self.answers}[{row}]{call}"

    def between(self, path: str, value: str) -> tuple[str, str]:
        """Of a flat one: what is read first, and the row then."""
        _, points, cuts, between = self.locals
        found = f"{between}[bisect_right({cuts}, {value})]"
        if self.layout.columns[self.layout.rest[0]].line.whole:
            return f"{cuts}, {between} = {self.find}{path}", found
        single = f"{points}[{value}] if {value} in {points} else {found}"
        return f"{points}, {cuts}, {between} = {self.find}{path}", single


def _index(lookup: _Lookup, site: Site) -> Iterator[str]:
    if lookup.conditions is None:
        yield f"{lookup.find} = {_searched(lookup, site)}"
        return
    answers = f", {lookup.answers}" if _loop_has_answers(lookup) else ""
    yield f"{lookup.find} = {lookup.rows}.left_by_conditions(("
    yield from lookup.conditions.listed
    yield f"){answers})"


def _loop_has_answers(lookup: _Lookup) -> bool:
    """Constants need no row once a condition has passed."""
    fold = lookup.shape.choose.fold
    return lookup.outcomes.handed is None and (fold.stops or fold.gathers)


def _searched(lookup: _Lookup, site: Site) -> str:
    shape, rows, answers = lookup.shape, lookup.rows, lookup.answers
    if not lookup.finds_one:
        return f"{rows}.every({answers if lookup.finds_values else ''})"
    given = []
    if not shape.choose.fails:
        given.append("-1")
    if lookup.finds_answers:
        if given and not _is_answer_without_hit(lookup.shape, lookup.outcomes, site):
            given.clear()
        given.append(f"answers={answers}")
    elif lookup.is_flat:
        site.uses("bisect_right")
        given.append("flat=True")
    fold = shape.choose.fold
    if fold.ranks is not None:
        ranks = ranks_of(shape, site)
        answered = lookup.conditions is None and _is_answer_without_hit(shape, lookup.outcomes, site)
        of_rows = f"{answers}[:-1]" if answered else answers
        best = f"{site.uses('best_first')}({of_rows}, {shape.outcome_names!r}, {ranks})"
        given.append(f"order={best}")
    finder = {Take.ONLY: "only", Take.AGREED: "agreed"}.get(fold.take, "first")
    return f"{rows}.{finder}({', '.join(given)})"


def _body(lookup: _Lookup, site: Site) -> Iterator[str]:
    shape = lookup.shape
    first = shape.choose.fold.take is Take.FIRST
    answered = _is_answer_without_hit(shape, lookup.outcomes, site)
    if not lookup.finds_one:
        yield from _hits(lookup, site)
        return
    if lookup.finds_answers:
        line = f"return {_row_call(lookup, site)}"
        if answered and first:
            yield line
            return
        yield from ("try:", f"    {line}", "except KeyError:", "    pass")
    else:
        lines, found = [], _row_call(lookup, site)
        if lookup.is_flat:
            path, value = _path(lookup, site), _looked_up(lookup, lookup.layout.rest[0], site)
            line, found = lookup.between(path, value)
            lines = [line]
        if answered and first:
            yield from (*lines, f"return {lookup.answers}[{found}]")
            return
        lines.append(f"row = {found}")
        if lookup.may_miss:
            lines = ["try:", *indented(lines), "except KeyError:", "    row = None"]
        yield from lines
        if not (answered or shape.choose.fails):
            yield "if row == -1:"
            yield from indented(without_hit(shape, site))
        yield "if row is not None:"
        yield f"    return {lookup.value}"
    if first:
        yield from without_hit(shape, site)
        return
    yield from _hits_of(lookup, f"{lookup.rows}.firing({_all_read(lookup, site)})", site)


def _hits(lookup: _Lookup, site: Site) -> Iterator[str]:
    """All that fire, and what the policy makes of them."""
    find = _row_call(lookup, site)
    if lookup.finds_values:
        yield f"hits = [*{find}]"
        yield from resolved(lookup.shape, site, f"{lookup.rows}.names")
    else:
        yield from _hits_of(lookup, find, site)


def _hits_of(lookup: _Lookup, rows: str, site: Site) -> Iterator[str]:
    single = lookup.shape.choose.fold.gathers
    yield f"hits = [{lookup.value if single else f'(row, {lookup.value})'} for row in {rows}]"
    yield from resolved(lookup.shape, site, f"{lookup.rows}.names")


def _one_by_one(lookup: _Lookup, site: Site) -> Iterator[str]:
    """Where a value has no key."""
    values = [_keyed_or_not(lookup, number, site) for number in lookup.layout.read]
    rows = f"{lookup.rows}.one_by_one({lookup.shape.name!r}, {', '.join(values)})"
    if not lookup.shape.choose.fold.stops:
        yield from _hits_of(lookup, rows, site)
        return
    yield f"for row in {rows}:"
    yield f"    return {lookup.value}"
    yield from without_hit(lookup.shape, site)


def _body_with_conditions(lookup: _Lookup, conditions: _Conditions, site: Site) -> Iterator[str]:
    shape, row = lookup.shape, lookup.locals.row
    found = _row_call(lookup, site)
    value = row if _loop_has_answers(lookup) else lookup.value_of(row)
    if shape.choose.fold.stops:
        yield f"for {row}, {conditions.name} in {found}:"
        yield from (f"    if {conditions.test}:", f"        return {value}")
        yield from without_hit(shape, site)
        return
    hit = value if shape.choose.fold.gathers else f"({row}, {value})"
    yield f"hits = [{hit} for {row}, {conditions.name} in {found} if {conditions.test}]"
    yield from resolved(shape, site, f"{lookup.rows}.names")


def _with_rows(body: Iterable[str], rows: Iterable[str], site: Site) -> Iterator[str]:
    """A value without a key leaves the index."""
    yield "try:"
    yield from indented(list(body))
    yield f"except {site.uses('NoKey')}:"
    yield "    pass"
    yield from rows


def _row_call(lookup: _Lookup, site: Site) -> str:
    return _called(lookup, _path(lookup, site), [_looked_up(lookup, n, site) for n in lookup.layout.rest])


def _called(lookup: _Lookup, path: str, values: list[str]) -> str:
    return f"{lookup.find}{path}({', '.join(values)})" if values else f"{lookup.find}{path}"


def _path(lookup: _Lookup, site: Site) -> str:
    return "".join(f"[{_looked_up(lookup, n, site)}]" for n in lookup.layout.keys)


def _all_read(lookup: _Lookup, site: Site) -> str:
    return ", ".join(_looked_up(lookup, n, site) for n in lookup.layout.read)


def _looked_up(lookup: _Lookup, number: int, site: Site) -> str:
    column = lookup.layout.columns[number]
    if column.names:
        return key_of(lookup.shape.columns[number], site)
    value = site.function.variables[lookup.shape.columns[number].slot].whole
    return value if column.key_helper is None else f"{site.uses(column.key_helper)}({value})"


def _keyed_or_not(lookup: _Lookup, number: int, site: Site) -> str:
    column = lookup.layout.columns[number]
    if column.has_key_for_all or column.key_helper is None:
        return _looked_up(lookup, number, site)
    value = site.function.variables[lookup.shape.columns[number].slot].whole
    return f"{site.uses('key_or_keyless')}({site.uses(column.key_helper)}, {value})"


# -- looking up what is given --------------------------------------------------------------------


def _note_quick_way(lookup: _Lookup, helpers: dict[int, str], site: Site) -> None:
    """Where answers are constants, what is given can be looked up as it is. Where no single row fires the
    quick way leads nowhere, and the careful one reports why."""
    shape, layout = lookup.shape, lookup.layout
    names = tuple(name_of(column, site) for column in shape.columns)
    read = _read_by_conditions(lookup, names, helpers)
    if read is None or not _leads_to_answers(lookup, site):
        return
    values = [names[n] for n in layout.rest]
    bounded: tuple[int, ...] = ()
    if lookup.is_flat and _limits(
        layout.columns[layout.rest[0]], shape.columns[layout.rest[0]].value, site.ground
    ):
        bounded = layout.rest
    sure = tuple(n for n in layout.read if _finds_out(layout.columns[n], n in layout.keys))
    site.ground.dispatches[shape.name] = Dispatch(
        layout.keys,
        lambda path, plain: list(_quick_lines(lookup, path, values, plain)),
        names,
        (*values, *read),
        sure,
        bounded,
        helpers,
    )


def _leads_to_answers(lookup: _Lookup, site: Site) -> bool:
    choose, outcomes = lookup.shape.choose, lookup.outcomes
    if outcomes.handed is not None:
        return False
    if lookup.conditions is not None:
        return choose.fold.stops
    if lookup.finds_one:
        return choose.fails or _is_answer_without_hit(lookup.shape, outcomes, site)
    return choose.fold.gathers and choose.fold.combine is Combine.NOTHING and choose.folds_nothing


def _read_by_conditions(lookup: _Lookup, names: tuple[str, ...], helpers: dict[int, str]) -> set[str] | None:
    """Of the columns' values those that conditions read; None where they read more, or what is not as it was
    given."""
    if lookup.conditions is None:
        return set()
    bound = set(lookup.conditions.handed.split(", ")) if lookup.conditions.handed else set()
    words = set(re.findall(r"\w+", " ".join(code.text for code in lookup.conditions.rows)))
    read = bound if not lookup.conditions.are_written else bound & words
    helper_names = {names[n] for n in helpers}
    return read if read <= set(names) - helper_names else None


def _quick_lines(lookup: _Lookup, path: str, values: list[str], plain: Callable[[str], str]) -> Iterator[str]:
    if lookup.conditions is not None:
        row, conditions = lookup.locals.row, lookup.conditions
        yield f"for {row}, {conditions.name} in {_called(lookup, path, values)}:"
        yield f"    if {conditions.test}:"
        yield f"        return {plain(row)}"
    elif lookup.is_flat:
        line, row = lookup.between(path, values[0])
        yield from (line, f"return {plain(f'{lookup.answers}[{row}]')}")
    elif lookup.finds_answers:
        yield f"return {plain(_called(lookup, path, values))}"
    elif lookup.finds_one:
        yield f"return {plain(f'{lookup.answers}[{_called(lookup, path, values)}]')}"
    else:
        yield f"return {plain(f'[*{_called(lookup, path, values)}]')}"


def _finds_out(column: KeyColumn, is_key: bool) -> bool:
    """Does the look-up itself fail of what is no name of the column's, or no text?"""
    if isinstance(column.line.type, VocabularyType):
        return not column.widened
    return is_key and (bool(column.names) or column.only_points)


# -- rows as lines -----------------------------------------------------------------------------
# Of JSON: what their cells let through, and what they give.


def cell_text(cell: Region, column: KeyColumn) -> str:
    """null: any value. Names and single texts as a list; of whole keys the least and the greatest, of others
    the ends and whether they are in; several stretches as a list of them, an empty one for null."""
    if cell == column.full:
        return "null"
    if column.names:
        return json.dumps(sorted(column.named_by(cell), key=str))
    if column.only_points:
        return _points(cell, column)
    part = _whole_part if column.line.whole else _part
    written = ["[]"] if cell.null else []
    written += [part(_open(span, column)) for span in cell.spans]
    return written[0] if len(written) == 1 and not cell.null else f"[{', '.join(written)}]"


def _points(cell: Region, column: KeyColumn) -> str:
    """Single texts, or all but some."""
    points = column.points_of(cell)
    if points is not None:
        return json.dumps([*points, None] if cell.null else points)
    without = column.full - cell
    others = column.points_of(without) or []
    return json.dumps({"not": [*others, None] if without.null else others})


def _open(span: Span, column: KeyColumn) -> Span:
    """Where all that can come ends, nothing is cut off."""
    ends = zip(span, column.full.spans[0], strict=True)
    return Span(*(None if end == last else end for end, last in ends))


def _whole_part(span: Span) -> str:
    low, high = span
    return f"[{_number(low)}, {'null' if high is None else int(high.key) - 1}]"


def _part(span: Span) -> str:
    low, high = span
    ends = ("(" if low is None or low.behind else "[") + ("]" if high is not None and high.behind else ")")
    return f'[{_number(low)}, {_number(high)}, "{ends}"]'


def _number(cut: Cut | None) -> str:
    return "null" if cut is None else _spelled(cut.key)


def _spelled(key: Key) -> str:
    return json.dumps(key) if isinstance(key, str) else str(key)


def outcome_text(value: Expression, site: Site) -> str | None:
    """None where JSON has no word for it."""
    match value:
        case Name(vocabulary=vocabulary, id=id_):
            return None if site.ground.keyed(vocabulary) else json.dumps(id_)
        case Constant(value=None | bool() | int() | str() as plain):
            return json.dumps(plain)
        case Constant(value=Decimal() as number) if number.is_finite():
            return str(number) if set(str(number)) & set(".Ee") else None
        case _:
            return None
