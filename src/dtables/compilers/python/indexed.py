"""Decisions of very many rows: the rows as data, and an index of them that is built when the module loads.

A row is a line of JSON: a Python literal of thousands of rows takes longer to compile than all else together.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import prod

from dtables.compilers.python.behind import Columns, condition, in_front, looked_at_behind
from dtables.compilers.python.boxes import Boxes, KeyColumn
from dtables.compilers.python.code import Site, indented, place_text
from dtables.compilers.python.dispatch import key_of, name_of
from dtables.compilers.python.failing import is_constant
from dtables.compilers.python.functions import at_cell
from dtables.compilers.python.ground import Dispatch
from dtables.compilers.python.hits import (
    bind_subjects,
    column_names,
    combined,
    has_values_alone,
    ranks_of,
    resolved,
    without_hit,
)
from dtables.compilers.python.identifiers import constant_case
from dtables.compilers.python.rows_as_lines import cell_text, outcome_text
from dtables.feel.types import DateType, VocabularyType, plain
from dtables.model.regions import Region
from dtables.model.tables import Decision, Policy, Rule, Subject
from dtables.provenance import Location

MOST_COPIES = 40
"""So many dicts may a row stand in, on average; else a column is looked at behind them."""

ENTRIES_PER_ROW = 4
SPARE_ENTRIES = 1000


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
    decision: Decision, boxes: Boxes, rows: Callable[[], Iterable[str]], site: Site
) -> tuple[list[str], list[str]] | None:
    """Lines before the function, and its body; None where an outcome needs local functions, or no column
    tells rows apart. `rows` are the lines that read them one by one."""
    behind = looked_at_behind(decision, boxes, site.ground)
    boxes = in_front(boxes, behind)
    lines = bind_subjects(decision, site)
    handed = _handed(site)
    layout = _layout(boxes)
    conditions = _conditions(decision, behind, site)
    outcomes = _outcomes(decision, handed, site)
    if site.function.prelude or not layout.read:
        return None
    name = constant_case(decision.heading.name)
    new = site.ground.names.new
    data, answers, find = new(f"{name}_ROWS"), new(f"{name}_ANSWERS"), new(f"{name}_FIND")
    lookup = _Lookup(decision, layout, outcomes, data, answers, find, handed if conditions else None)
    before = [
        *_row_table(data, decision, boxes, layout, outcomes, site),
        *_answers(answers, data, decision, outcomes),
        *_index(lookup, conditions, site),
    ]
    body = list(_body_with_conditions(lookup, site) if conditions else _body(lookup, site))
    if not all(column.has_key_for_all for column in layout.columns.values()):
        body = list(_with_rows(body, rows(), site))
        if site.function.prelude:
            return None
    if not conditions:
        before += _last_answer(answers, decision, outcomes, site)
        _note_quick_way(lookup, site)
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


def _column_text(column: KeyColumn, subject: Subject, site: Site) -> str:
    """All values of a column of names; of others what its keys are. Null may stand there too."""
    assert subject.value is not None
    kind = plain(subject.value.type)
    if column.names:
        names = "True, False"
        if isinstance(kind, VocabularyType):
            names = f"*{site.ground.constants[kind.root if column.widened else kind.name]}"
        return f"{site.uses('column_of_names')}({names}{', None' if column.nullable else ''})"
    return f"{site.uses(_helper(column))}({'empty=True' if column.nullable else ''})"


def _helper(column: KeyColumn) -> str:
    if column.only_points:
        return "column_of_texts"
    return "column_of_whole_numbers" if column.line.whole else "column_of_numbers"


# -- rows --------------------------------------------------------------------------------------


def _row_table(
    name: str, decision: Decision, boxes: Boxes, layout: Layout, outcomes: Outcomes, site: Site
) -> Iterator[str]:
    where = decision.heading.where.cell
    place = place_text(Location(where)).removesuffix(where.address)
    yield f"{name} = {site.uses('RowTable')}("
    yield f"    {place!r},"
    columns = [_column_text(layout.columns[n], decision.subjects[n], site) for n in layout.read]
    yield f"    ({' '.join(f'{column},' for column in columns)}),"
    yield f"    keys={_places(layout.keys, layout.read)},"
    yield f"    rest={_places(layout.rest, layout.read)},"
    yield '    text=r"""'
    written = [(n, _Texts(column)) for n, column in layout.columns.items()]
    for rule, row, outcome in zip(decision.rules, boxes.rows, outcomes.lines, strict=True):
        head = f'"{rule.where.address}", {json.dumps(rule.number)}'
        known = ((cell, texts) for n, texts in written if (cell := row[n]) is not None)
        cells = "".join(f", {texts[cell]}" for cell, texts in known)
        yield f"[{head}{cells}, {outcome}]"
    yield '""",'
    yield ")"


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


def _conditions(decision: Decision, behind: dict[int, Columns], site: Site) -> dict[str, list[int]]:
    """Each different condition, and the rows that it stands in."""
    found: dict[str, list[int]] = {}
    for number, columns in behind.items():
        code = condition(decision, decision.rules[number], columns, site)
        found.setdefault("True" if code is None else code.whole, []).append(number)
    return found


# -- outcomes ----------------------------------------------------------------------------------


def _outcomes(decision: Decision, handed: str, site: Site) -> Outcomes:
    """As they stand in the rows; where one cannot, each different one is written once and rows have its
    number."""
    written = [[outcome_text(o.value, site) for o in rule.outcomes] for rule in decision.rules]
    if all(text is not None for row in written for text in row):
        return Outcomes(None, (), tuple(", ".join(text for text in row if text) for row in written))
    constant = is_constant(tuple(rule.outcomes for rule in decision.rules), site.ground)
    numbers: dict[str, int] = {}
    lines = []
    for rule in decision.rules:
        text = _outcome(decision, rule, site)
        lines.append(str(numbers.setdefault(text, len(numbers))))
    return Outcomes(None if constant else handed, tuple(numbers), tuple(lines))


def _handed(site: Site) -> str:
    """What conditions and outcomes may read: the turn and every name that is bound before the rows. Asked
    before any of them is written: variables of their loops are bound as they are."""
    texts = (code.text.removesuffix("()") for code in site.function.variables.values())
    names = [text for text in texts if text.isidentifier()]
    return ", ".join(dict.fromkeys([*(["turn"] if site.function.turned else []), *names]))


def _outcome(decision: Decision, rule: Rule, site: Site) -> str:
    values = zip(decision.outcomes, rule.outcomes, strict=True)
    return combined([(column.name, site.code(o.value).whole) for column, o in values])


def _answers(answers: str, rows: str, decision: Decision, outcomes: Outcomes) -> Iterator[str]:
    if not outcomes.different:
        several = len(decision.outcomes) > 1
        names = ", ".join(repr(column.name) for column in decision.outcomes) if several else ""
        yield f"{answers} = {rows}.answers({names})"
        return
    head = "" if outcomes.handed is None else f"lambda {outcomes.handed}: "
    yield f"{answers} = {rows}.answers_of(("
    yield from indented([f"{head}{text}," for text in outcomes.different])
    yield "))"


def _last_answer(answers: str, decision: Decision, outcomes: Outcomes, site: Site) -> Iterator[str]:
    """What holds where no row fires stands behind the rows' answers: that is where -1 leads."""
    if not _is_answer_without_hit(decision, outcomes, site):
        return
    if decision.otherwise is None:
        yield f"{answers}.append(None)"
    else:
        value = site.code(decision.otherwise.value).whole
        yield f"{answers}.append({value}){at_cell(decision.otherwise.cell)}"


def _is_answer_without_hit(decision: Decision, outcomes: Outcomes, site: Site) -> bool:
    if not decision.policy.takes_one or outcomes.handed is not None:
        return False
    if decision.otherwise is None:
        return not decision.strict
    return is_constant(decision.otherwise.value, site.ground)


# -- looking up --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Lookup:
    decision: Decision
    layout: Layout
    outcomes: Outcomes
    rows: str
    answers: str
    find: str
    asked: str | None
    """What the conditions behind the index read, if there are any."""

    @property
    def finds_one(self) -> bool:
        return _finds_one(self.decision, self.outcomes)

    @property
    def value(self) -> str:
        return self.value_of("row")

    def value_of(self, row: str) -> str:
        call = "" if self.outcomes.handed is None else f"({self.outcomes.handed})"
        return f"{self.answers}[{row}]{call}"


def _finds_one(decision: Decision, outcomes: Outcomes) -> bool:
    """The best of several by their outcomes is known beforehand only where outcomes are."""
    if decision.policy is Policy.PRIORITY:
        return outcomes.handed is None
    return decision.policy.takes_one


def _finds_answers(decision: Decision, outcomes: Outcomes) -> bool:
    """A list of them is all that is wanted, and they are constants."""
    return has_values_alone(decision.policy) and outcomes.handed is None


def _index(lookup: _Lookup, conditions: dict[str, list[int]], site: Site) -> Iterator[str]:
    if not conditions:
        searched = _searched(lookup.rows, lookup.answers, lookup.decision, lookup.outcomes, site)
        yield f"{lookup.find} = {searched}"
        return
    yield f"{lookup.find} = {lookup.rows}.left_by_conditions(("
    for text, rows in conditions.items():
        yield f"    (lambda {lookup.asked}: {text}, {tuple(rows)}),"
    yield "))"


def _searched(rows: str, answers: str, decision: Decision, outcomes: Outcomes, site: Site) -> str:
    if not _finds_one(decision, outcomes):
        return f"{rows}.every({answers if _finds_answers(decision, outcomes) else ''})"
    nobody = "-1" if decision.otherwise is not None or not decision.strict else ""
    match decision.policy:
        case Policy.UNIQUE:
            return f"{rows}.only({nobody})"
        case Policy.ANY:
            return f"{rows}.agreed({nobody})"
        case Policy.PRIORITY:
            order = (
                f"{site.uses('best_first')}({answers}, {column_names(decision)}, {ranks_of(decision, site)})"
            )
            return f"{rows}.first({nobody or 'None'}, {order})"
        case _:
            return f"{rows}.first({nobody})"


def _body(lookup: _Lookup, site: Site) -> Iterator[str]:
    decision, find = lookup.decision, _found(lookup, site)
    if _finds_answers(decision, lookup.outcomes):
        yield f"hits = [*{find}]"
        yield from resolved(decision, site, f"{lookup.rows}.names")
        return
    if not lookup.finds_one:
        hit = lookup.value if has_values_alone(decision.policy) else f"(row, {lookup.value})"
        yield f"hits = [{hit} for row in {find}]"
        yield from resolved(decision, site, f"{lookup.rows}.names")
        return
    first = decision.policy in (Policy.FIRST, Policy.PRIORITY)
    answered = _is_answer_without_hit(decision, lookup.outcomes, site)
    if answered and first:
        yield f"return {lookup.answers}[{find}]"
        return
    yield f"row = {find}"
    if not answered and (decision.otherwise is not None or not decision.strict):
        yield "if row == -1:"
        yield from indented(without_hit(decision, site))
    yield "if row is not None:"
    yield f"    return {lookup.value}"
    if first:
        yield from without_hit(decision, site)
        return
    yield f"hits = [(row, {lookup.value}) for row in {lookup.rows}.firing({_all_read(lookup, site)})]"
    yield from resolved(decision, site, f"{lookup.rows}.names")


def _body_with_conditions(lookup: _Lookup, site: Site) -> Iterator[str]:
    decision = lookup.decision
    row, passes = site.fresh("row"), site.fresh("passes")
    test = f"{passes} is None or {passes}({lookup.asked})"
    found = _found(lookup, site)
    if decision.policy is Policy.FIRST:
        yield f"for {row}, {passes} in {found}:"
        yield from (f"    if {test}:", f"        return {lookup.value_of(row)}")
        yield from without_hit(decision, site)
        return
    value = lookup.value_of(row)
    hit = value if has_values_alone(decision.policy) else f"({row}, {value})"
    yield f"hits = [{hit} for {row}, {passes} in {found} if {test}]"
    yield from resolved(decision, site, f"{lookup.rows}.names")


def _with_rows(body: Iterable[str], rows: Iterable[str], site: Site) -> Iterator[str]:
    """A value without a key leaves the index."""
    yield "try:"
    yield from indented(list(body))
    yield f"except {site.uses('NoKey')}:"
    yield "    pass"
    yield from rows


def _found(lookup: _Lookup, site: Site) -> str:
    path = "".join(f"[{_looked_up(lookup, n, site)}]" for n in lookup.layout.keys)
    values = ", ".join(_looked_up(lookup, n, site) for n in lookup.layout.rest)
    return f"{lookup.find}{path}({values})" if lookup.layout.rest else f"{lookup.find}{path}"


def _all_read(lookup: _Lookup, site: Site) -> str:
    return ", ".join(_looked_up(lookup, n, site) for n in lookup.layout.read)


def _looked_up(lookup: _Lookup, number: int, site: Site) -> str:
    subject, column = lookup.decision.subjects[number], lookup.layout.columns[number]
    if column.names:
        return key_of(subject, site)
    value = site.function.variables[subject.variable.number].whole
    return value if column.key_helper is None else f"{site.uses(column.key_helper)}({value})"


def _note_quick_way(lookup: _Lookup, site: Site) -> None:
    """Where answers are constants, what is given can be looked up as it is. Where no single row fires the
    quick way leads nowhere, and the careful one says why."""
    decision, layout = lookup.decision, lookup.layout
    around = _quick_frame(lookup, site)
    if around is None:
        return
    before, after = around
    names = tuple(name_of(subject, site) for subject in decision.subjects)
    handed = tuple(names[n] for n in layout.rest)
    days = tuple(n for n in layout.rest if isinstance(layout.columns[n].line.type, DateType))
    keys = [f"day_of_python({names[n]})" if n in days else names[n] for n in layout.rest]
    if days:
        site.uses("day_of_python")
    values = f"({', '.join(keys)})" if keys else ""
    sure = tuple(n for n in layout.read if _finds_out(layout.columns[n], n in layout.keys))
    plan = Dispatch(layout.keys, before, f"{values}{after}", names, handed, sure, days)
    site.ground.dispatches[decision.heading.name] = plan


def _quick_frame(lookup: _Lookup, site: Site) -> tuple[str, str] | None:
    """What stands around the look-up."""
    decision, outcomes = lookup.decision, lookup.outcomes
    if outcomes.handed is not None:
        return None
    fails = decision.otherwise is None and decision.strict
    if lookup.finds_one and (fails or _is_answer_without_hit(decision, outcomes, site)):
        return f"{lookup.answers}[{lookup.find}", "]"
    if decision.policy in (Policy.COLLECT, Policy.RULE_ORDER) and fails:
        return f"[*{lookup.find}", "]"
    return None


def _finds_out(column: KeyColumn, is_key: bool) -> bool:
    """Does the look-up itself fail of what is no name of the column's, or no text?"""
    if isinstance(column.line.type, VocabularyType):
        return not column.widened
    return is_key and (bool(column.names) or column.only_points)
