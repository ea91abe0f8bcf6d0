"""Small models made by hand, so that the evaluator is tried without reader and checker."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from dtables.evaluator import evaluator
from dtables.feel import types
from dtables.feel.types import Type, VocabularyType
from dtables.feel.values import Value
from dtables.model.expressions import Constant, Expression, MakeList, NameOf, Read, Variable
from dtables.model.tables import (
    Ask,
    AskRow,
    Checks,
    Concern,
    Criterion,
    Embedded,
    Field,
    Formula,
    Heading,
    Input,
    Label,
    Others,
    Parameter,
    Prefer,
    Record,
    Restriction,
    Ruleset,
    Scale,
    Switches,
    Table,
    Vocabulary,
)
from dtables.provenance import CellRef, Location

_numbers = count(1)
CELL = CellRef("book.xlsx", "Rules", 1, 1)
HERE = Location(CELL)
Reference = evaluator.Evaluator
"""Itself, also where compiled code stands beside it under its name."""


def cell(address_row: int, column: int = 3) -> CellRef:
    return CellRef("book.xlsx", "Rules", address_row, column)


def heading(name: str) -> Heading:
    return Heading(name, HERE)


def variable(name: str, type_: Type = types.ANY) -> Variable:
    return Variable(name, next(_numbers), type_)


def read(of: Variable) -> Read:
    return Read(of, type=of.type, where=HERE)


def constant(value: Value, type_: Type = types.ANY) -> Constant:
    return Constant(value, type=type_, where=HERE)


def listed(*items: Expression) -> MakeList:
    return MakeList(items, type=types.ListType(types.ANY), where=HERE)


def name_of(vocabulary: str, id: str) -> NameOf:
    return NameOf(vocabulary, id, type=VocabularyType(vocabulary, vocabulary), where=HERE)


def vocabulary(name: str, *ids: str, words: dict[str, str] | None = None) -> Vocabulary:
    labels = tuple(Label(i, (("it", words[i]),) if words and i in words else (), (), CELL) for i in ids)
    return Vocabulary(name, name, labels, HERE)


def field(name: str, type_: Type, default: Expression | None = None) -> Field:
    return Field(name, type_, CELL, default)


def formula(name: str, value: Expression, parameters: Iterable[Variable] = ()) -> Formula:
    named = tuple(Parameter(p.name, p) for p in parameters)
    return Formula(heading(name), named, value.type, (), value, CELL)


def scale(
    name: str,
    item: Variable,
    criteria: Iterable[Criterion],
    others: Others = Others.LAST,
    decides: str = "claimed",
    type_: Type | None = None,
) -> Scale:
    candidates = variable("candidates", types.ListType(item.type))
    parameters = (Parameter("candidates", candidates),)
    return Scale(
        heading(name), parameters, item, others, decides, tuple(criteria), type_ or types.optional(item.type)
    )


def criterion(
    number: str,
    prefer: Prefer,
    by: Expression | None = None,
    order: Expression | None = None,
    concerns: tuple[Concern, ...] = (),
    only_if: Expression | None = None,
    embedded: Embedded | None = None,
) -> Criterion:
    here = cell(int(number))
    return Criterion(
        number, only_if, concerns, prefer, by, order, embedded, where=here, cell=here, written=prefer.value
    )


def ask(name: str, *rows: AskRow, main: bool = True) -> Ask:
    return Ask(heading(name), main, (), tuple(rows))


def ruleset(
    *tables: Table,
    fields: Iterable[Field] = (),
    vocabularies: Iterable[Vocabulary] = (),
    records: Iterable[Record] = (),
    restrictions: Iterable[Restriction] = (),
    switches: Iterable[Switches] = (),
    asks: Iterable[Ask] = (),
    checks: Iterable[Checks] = (),
) -> Ruleset:
    state = Record("state", tuple(fields), variable("this"), HERE)
    return Ruleset(
        name="made",
        book="book.xlsx",
        languages=("it", "en"),
        sheets=("Rules",),
        vocabularies=tuple(vocabularies),
        restrictions=tuple(restrictions),
        records=tuple(records),
        data=(),
        input=Input((heading("state"),), state),
        switches=tuple(switches),
        tables=tables,
        asks=tuple(asks),
        checks=tuple(checks),
        examples=(),
        pages=(),
        terms=(),
    )
