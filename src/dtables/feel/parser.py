"""Text to surface nodes. `grammar.txt` is what is read here.

Every function returns what it read, or None where nothing sensible could be read, and the problems;
what is read may come with problems too, where the mistake was understood.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from dtables.diagnostics import Problem
from dtables.feel import problems
from dtables.feel.ast import Expression, Test, TypeName
from dtables.feel.knownnames import Names
from dtables.feel.lexer import Kind
from dtables.feel.parser_cells import at_end, read_cell, read_list_cell
from dtables.feel.parser_cursor import MOST_CHARACTERS, Cursor, Dialect, Stop
from dtables.feel.parser_operators import read_expression, read_tests_after_in
from dtables.feel.parser_plain import plain_expression, plain_tests
from dtables.feel.parser_types import read_type
from dtables.feel.reads import deepest, names_read
from dtables.provenance import Span

__all__ = [
    "Dialect", "Names", "names_read", "parse_expression", "parse_list", "parse_tests", "parse_type",
]  # fmt: skip

MOST_DEEP = 128
"""Nodes above one another; later passes descend as deep."""

MOST_OF_A_MODEL = 1_000_000
"""Characters of an expression that stands in no cell."""

Read = TypeVar("Read")


def parse_expression(
    text: str, names: Names, dialect: Dialect = Dialect.WORKBOOK
) -> tuple[Expression | None, tuple[Problem, ...]]:
    plain = plain_expression(text, names) if _may_be_plain(text, dialect) else None
    if plain is not None:
        return plain, ()
    return _parse(text, names, dialect, _whole_expression, _one_node)


def parse_tests(
    text: str, names: Names, dialect: Dialect = Dialect.WORKBOOK
) -> tuple[tuple[Test, ...] | None, tuple[Problem, ...]]:
    """One cell of a condition column; `-` alone and the empty cell are (AnyTest,)."""
    plain = plain_tests(text, names) if _may_be_plain(text, dialect) else None
    if plain is not None:
        return plain, ()
    return _parse(text, names, dialect, read_cell, tuple)


def parse_list(
    text: str, names: Names, dialect: Dialect = Dialect.WORKBOOK
) -> tuple[tuple[Expression, ...] | None, tuple[Problem, ...]]:
    """A list cell: items between `,` `;` `>` or new lines, with or without brackets. A cell that is
    one expression without any of these is one item; its type tells whether it is the list itself."""
    return _parse(text, names, dialect, read_list_cell, tuple)


def parse_type(
    text: str, names: Names, dialect: Dialect = Dialect.WORKBOOK
) -> tuple[TypeName | None, tuple[Problem, ...]]:
    return _parse(text, names, dialect, _whole_type, _no_nodes)


def _may_be_plain(text: str, dialect: Dialect) -> bool:
    return dialect is Dialect.WORKBOOK and len(text) <= MOST_CHARACTERS


def _parse(
    text: str,
    names: Names,
    dialect: Dialect,
    read: Callable[[Cursor], Read],
    nodes: Callable[[Read], tuple[Expression | Test, ...]],
) -> tuple[Read | None, tuple[Problem, ...]]:
    whole = Span(0, len(text))
    most = MOST_CHARACTERS if dialect is Dialect.WORKBOOK else MOST_OF_A_MODEL
    if len(text) > most:
        return None, (problems.too_long(most, whole),)
    c = Cursor(text, 0, len(text), names, dialect, read_expression, read_tests_after_in)
    try:
        found = read(c)
    except Stop as stop:
        return None, (*c.problems, stop.problem)
    if any(deepest(node) > MOST_DEEP for node in nodes(found)):
        return None, (*c.problems, problems.too_deep(MOST_DEEP, whole))
    return found, tuple(c.problems)


def _one_node(found: Expression) -> tuple[Expression]:
    return (found,)


def _no_nodes(_: TypeName) -> tuple[()]:
    """The depth of types is bounded while they are read."""
    return ()


def _whole_expression(c: Cursor) -> Expression:
    first = c.peek()
    if first.kind is Kind.END:
        raise Stop(problems.empty_expression(first.span))
    if first.text == "=":
        raise Stop(problems.unexpected(first, "a value"))
    found = read_expression(c)
    at_end(c)
    return found


def _whole_type(c: Cursor) -> TypeName:
    first = c.peek()
    if first.kind is Kind.END:
        raise Stop(problems.empty_expression(first.span))
    found = read_type(c)
    at_end(c)
    return found
