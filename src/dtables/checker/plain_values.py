"""Cells of examples as a log would write them: ids, numbers, lists, contexts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dtables.checker import table_problems, turn_problems
from dtables.checker.draft import Draft
from dtables.checker.lookup import ids_of, known_names, read, spellings_of
from dtables.checker.places import stored_fields
from dtables.checker.problems import Wording, beside_date
from dtables.checker.sheet_dates import refused_date
from dtables.checker.sink import Text
from dtables.checker.types import item_of
from dtables.checker.written import part
from dtables.diagnostics import Problem
from dtables.feel import ast
from dtables.feel.operators import negate
from dtables.feel.parser import parse_expression, parse_list
from dtables.feel.types import (
    UNKNOWN,
    AnyType,
    ContextType,
    ListType,
    MapType,
    Type,
    UnknownType,
    VocabularyType,
    describe,
    plain,
    without_null,
)
from dtables.feel.values import Plain
from dtables.provenance import Span


class NoPlainValue(Exception):
    """Something that no log could hold; it was reported where it stands."""


@dataclass(frozen=True, slots=True)
class Writing:
    """`known` names must exist: in what is expected, and in records that are not to be rejected."""

    draft: Draft
    text: Text
    known: bool

    def fails(self, span: Span, wording: Wording) -> NoPlainValue:
        piece = part(self.text, span.start, span.end)
        self.draft.error(piece, wording)
        return NoPlainValue()


def plain_value(draft: Draft, text: Text, type_: Type, known: bool) -> Plain:
    """The cell's literal. A list needs no brackets where one is wanted."""
    writing = Writing(draft, text, known)
    names = known_names(draft.symbols)
    kind = plain(type_)
    if refused_date(text, type_, draft.sink):
        raise NoPlainValue
    if isinstance(kind, ListType):
        items, problems = read(draft.symbols, parse_list, text.text, names)
        _tell(draft, text, problems)
        if items is None or problems:
            raise NoPlainValue
        return _list(writing, items, kind)
    node, problems = read(draft.symbols, parse_expression, text.text, names)
    if problems and isinstance(kind, UnknownType):
        raise NoPlainValue
    _tell(draft, text, problems)
    if node is None or problems:
        raise NoPlainValue
    return _plain(writing, node, type_)


def _tell(draft: Draft, text: Text, problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        draft.sink.problem(text.cell, problem, text.start)


def _list(writing: Writing, items: tuple[ast.Expression, ...], kind: ListType) -> Plain:
    # Brackets around the cell are read already: `[[a, b]]` holds one list, `[null]` one null.
    if writing.text.text.strip() == "null":
        return None
    return [_plain(writing, item, kind.item) for item in items]


def _plain(writing: Writing, node: ast.Expression, type_: Type) -> Plain:
    match node:
        case ast.NumberLiteral(value=value) | ast.BooleanLiteral(value=value):
            return value
        case ast.NullLiteral():
            return None
        case ast.Negation(operand=ast.NumberLiteral(value=number)):
            return negate(number)
        case ast.TextLiteral(value=text):
            named = isinstance(plain(type_), VocabularyType)
            return _name(writing, text, node.span, type_) if named else text
        case ast.Name(name=name):
            return _name(writing, name, node.span, type_)
        case ast.AtLiteral(text=text):
            return text
        case ast.ListLiteral(items=items):
            item = item_of(type_) or UNKNOWN
            return [_plain(writing, one, item) for one in items]
        case ast.ContextLiteral(entries=entries):
            return _context(writing, entries, type_)
        case _:
            words = beside_date(turn_problems.no_literal(), writing.text.written(node.span))
            raise writing.fails(node.span, words)


def _context(writing: Writing, entries: tuple[ast.ContextEntry, ...], type_: Type) -> Plain:
    fields = _entry_types(writing.draft, type_)
    for entry in entries:
        if writing.known and fields and entry.name not in fields:
            wording = turn_problems.unknown_place(entry.name, _owner(type_), fields)
            raise writing.fails(entry.span, wording)
    return {e.name: _plain(writing, e.value, fields.get(e.name, UNKNOWN)) for e in entries}


def _owner(type_: Type) -> str:
    """The state has too many fields to be described by them."""
    return "the state" if isinstance(plain(type_), ContextType) else describe(without_null(type_))


def _entry_types(draft: Draft, type_: Type) -> Mapping[str, Type]:
    kind = plain(type_)
    if isinstance(kind, MapType):
        return dict.fromkeys(draft.vocabularies[kind.key.name].ids, kind.value)
    return stored_fields(draft, kind) or {}


def _name(writing: Writing, name: str, span: Span, type_: Type) -> Plain:
    """Its id, where the vocabulary is known; else the word as it stands."""
    kind = plain(type_)
    if not isinstance(kind, VocabularyType):
        if isinstance(kind, (UnknownType, AnyType)) or not writing.known:
            return name
        raise writing.fails(span, turn_problems.name_for_no_vocabulary(name, type_))
    ids = ids_of(writing.draft.symbols, kind.name, name)
    if len(ids) == 1 and writing.known:
        return ids[0]
    if not writing.known:
        return name
    if ids:
        raise writing.fails(span, turn_problems.shared_label(name, ids))
    spelled = tuple(spellings_of(writing.draft.symbols, kind.name))
    raise writing.fails(span, table_problems.unknown_name(name, kind.name, spelled))
