"""Decisions of very many rows: the rows as data, and an index of them that is built when the module loads.

A row is a line of JSON: a Python literal of thousands of rows takes longer to compile than all else together.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from dtables.compilers.python.boxes import Cell, Names, domain
from dtables.compilers.python.code import Site, indented, place_text
from dtables.compilers.python.constants import is_constant
from dtables.compilers.python.dispatch import Boxes, key_of, name_of
from dtables.compilers.python.functions import at_cell
from dtables.compilers.python.ground import Dispatch
from dtables.compilers.python.hits import (
    PLAIN_LISTS,
    SINGLE,
    bind_subjects,
    column_names,
    combined,
    ranks_of,
    resolved,
    without_hit,
)
from dtables.compilers.python.identifiers import constant_case
from dtables.compilers.python.rows_as_lines import cell_text, outcome_text
from dtables.feel.types import NumberType, VocabularyType, may_be_null, plain, without_null
from dtables.model.tables import Decision, Policy, Rule, Subject
from dtables.provenance import Location

MOST_COPIES = 40
"""So many dicts may a row stand in, on average; else a column is looked at behind them."""

ENTRIES_PER_ROW = 4
SPARE_ENTRIES = 1000


@dataclass(frozen=True)
class Layout:
    """Which columns are read, and which of them are dicts, from the outside; the others are searched."""

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


def write_index(decision: Decision, boxes: Boxes, site: Site) -> tuple[list[str], list[str]] | None:
    """Lines before the function, and its body; None where an outcome needs local functions."""
    lines = bind_subjects(decision, site)
    layout = _layout(decision, boxes, site)
    outcomes = _outcomes(decision, site)
    if site.function.prelude:
        return None
    name = constant_case(decision.heading.name)
    new = site.ground.names.new
    rows, answers, find = new(f"{name}_ROWS"), new(f"{name}_ANSWERS"), new(f"{name}_FIND")
    before = [
        *_row_table(rows, decision, boxes, layout, outcomes, site),
        *_answers(answers, rows, decision, outcomes),
        f"{find} = {_index(rows, answers, decision, outcomes, site)}",
        *_last_answer(answers, decision, outcomes, site),
    ]
    lookup = _Lookup(decision, layout, outcomes, rows, answers, find)
    _note_quick_way(lookup, site)
    return [*before, "", ""], [*lines, *_body(lookup, site)]


# -- columns -----------------------------------------------------------------------------------


def _layout(decision: Decision, boxes: Boxes, site: Site) -> Layout:
    read = tuple(
        number
        for number, subject in enumerate(decision.subjects)
        if subject.variable.number in site.function.variables
    )
    keys = _keys(decision, boxes, read, site)
    rest = [number for number in read if number not in keys]
    return Layout(read, keys, tuple(sorted(rest, key=lambda n: (_different(boxes, n), n))))


def _different(boxes: Boxes, number: int) -> int:
    return len({row[number] for row in boxes})


def _keys(decision: Decision, boxes: Boxes, read: tuple[int, ...], site: Site) -> tuple[int, ...]:
    """Columns of names, the most telling first, as long as rows are not copied too often and the dicts stay
    small beside the table. The one with the fewest names is the outermost."""
    sizes = {n: len(whole.values) for n in read if isinstance(whole := _whole(decision, n, site), Names)}
    copies = {n: sum(_names_in(row[n]) for row in boxes) / len(boxes) for n in sizes}
    most = ENTRIES_PER_ROW * len(boxes) + SPARE_ENTRIES
    chosen: list[int] = []
    total = 1.0
    for number in sorted(sizes, key=lambda n: (copies[n] / sizes[n], n)):
        entries = prod(sizes[n] for n in (*chosen, number))
        if copies[number] < sizes[number] and total * copies[number] <= MOST_COPIES and entries <= most:
            chosen.append(number)
            total *= copies[number]
    return tuple(sorted(chosen, key=lambda n: (sizes[n], n)))


def _names_in(cell: Cell | None) -> int:
    return len(cell.values) if isinstance(cell, Names) else 0


def _whole(decision: Decision, number: int, site: Site) -> Cell | None:
    value = decision.subjects[number].value
    return None if value is None else domain(value.type, site.ground)


def _column_text(subject: Subject, site: Site) -> str:
    """All values of a column of names; of numbers whether they are whole. Null may stand there too."""
    assert subject.value is not None
    type_ = subject.value.type
    kind, empty = plain(type_), may_be_null(type_)
    if isinstance(domain(type_, site.ground), Names):
        names = f"*{site.ground.constants[kind.name]}" if isinstance(kind, VocabularyType) else "True, False"
        return f"{site.uses('column_of_names')}({names}{', None' if empty else ''})"
    whole = isinstance(kind, NumberType) and kind.whole
    helper = site.uses("column_of_whole_numbers" if whole else "column_of_numbers")
    return f"{helper}({'empty=True' if empty else ''})"


# -- rows --------------------------------------------------------------------------------------


def _row_table(
    name: str, decision: Decision, boxes: Boxes, layout: Layout, outcomes: Outcomes, site: Site
) -> Iterator[str]:
    where = decision.heading.where.cell
    place = place_text(Location(where)).removesuffix(where.address)
    yield f"{name} = {site.uses('RowTable')}("
    yield f"    {place!r},"
    yield f"    ({' '.join(f'{_column_text(decision.subjects[n], site)},' for n in layout.read)}),"
    yield f"    keys={_places(layout.keys, layout.read)},"
    yield f"    rest={_places(layout.rest, layout.read)},"
    yield '    text=r"""'
    wholes = [(n, _whole(decision, n, site), _is_whole(decision.subjects[n])) for n in layout.read]
    for rule, row, outcome in zip(decision.rules, boxes, outcomes.lines, strict=True):
        head = f'"{rule.where.address}", {json.dumps(rule.number)}'
        cells = "".join(f", {cell_text(row[n], whole, is_whole)}" for n, whole, is_whole in wholes)
        yield f"[{head}{cells}, {outcome}]"
    yield '""",'
    yield ")"


def _places(columns: tuple[int, ...], read: tuple[int, ...]) -> str:
    return f"({''.join(f'{read.index(n)}, ' for n in columns).rstrip()})" if columns else "()"


def _is_whole(subject: Subject) -> bool:
    assert subject.value is not None
    kind = plain(subject.value.type)
    return isinstance(kind, NumberType) and kind.whole


# -- outcomes ----------------------------------------------------------------------------------


def _outcomes(decision: Decision, site: Site) -> Outcomes:
    """As they stand in the rows; where one cannot, each different one is written once and rows have its
    number."""
    written = [[outcome_text(o.value, site) for o in rule.outcomes] for rule in decision.rules]
    if all(text is not None for row in written for text in row):
        return Outcomes(None, (), tuple(", ".join(text for text in row if text) for row in written))
    constant = is_constant(tuple(rule.outcomes for rule in decision.rules), site.ground)
    handed = None if constant else _handed(site)
    numbers: dict[str, int] = {}
    lines = []
    for rule in decision.rules:
        text = _outcome(decision, rule, site)
        lines.append(str(numbers.setdefault(text, len(numbers))))
    return Outcomes(handed, tuple(numbers), tuple(lines))


def _handed(site: Site) -> str:
    """What an outcome may read: the turn and every name that is bound before the rows."""
    names = [code.text for code in site.function.variables.values() if code.text.isidentifier()]
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
    if decision.policy not in SINGLE or outcomes.handed is not None:
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

    @property
    def finds_one(self) -> bool:
        return _finds_one(self.decision, self.outcomes)

    @property
    def value(self) -> str:
        call = "" if self.outcomes.handed is None else f"({self.outcomes.handed})"
        return f"{self.answers}[row]{call}"


def _finds_one(decision: Decision, outcomes: Outcomes) -> bool:
    """The best of several by their outcomes is known beforehand only where outcomes are."""
    if decision.policy is Policy.PRIORITY:
        return outcomes.handed is None
    return decision.policy in SINGLE


def _finds_answers(decision: Decision, outcomes: Outcomes) -> bool:
    """A list of them is all that is wanted, and they are constants."""
    return decision.policy in PLAIN_LISTS and outcomes.handed is None


def _index(rows: str, answers: str, decision: Decision, outcomes: Outcomes, site: Site) -> str:
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
        hit = lookup.value if decision.policy in PLAIN_LISTS else f"(row, {lookup.value})"
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


def _found(lookup: _Lookup, site: Site) -> str:
    path = "".join(f"[{_looked_up(lookup, n, site)}]" for n in lookup.layout.keys)
    values = ", ".join(_looked_up(lookup, n, site) for n in lookup.layout.rest)
    return f"{lookup.find}{path}({values})" if lookup.layout.rest else f"{lookup.find}{path}"


def _all_read(lookup: _Lookup, site: Site) -> str:
    return ", ".join(_looked_up(lookup, n, site) for n in lookup.layout.read)


def _looked_up(lookup: _Lookup, number: int, site: Site) -> str:
    subject = lookup.decision.subjects[number]
    if isinstance(_whole(lookup.decision, number, site), Names):
        return key_of(subject, site)
    return site.function.variables[subject.variable.number].whole


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
    values = f"({', '.join(handed)})" if handed else ""
    sure = [n for n in layout.rest if _is_name_column(decision.subjects[n])]
    plan = Dispatch(layout.keys, before, f"{values}{after}", names, handed, (*layout.keys, *sure))
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


def _is_name_column(subject: Subject) -> bool:
    return subject.value is not None and isinstance(without_null(subject.value.type), VocabularyType)
