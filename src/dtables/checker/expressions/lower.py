"""Surface nodes to the model's expressions: names resolved, types known, null looked after.

What cannot be read becomes a value of unknown type, which fits everywhere and raises no second message."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, time
from decimal import Decimal
from typing import assert_never

from dtables.checker import messages
from dtables.checker.expressions import calls, forms, names, operators, paths, tests
from dtables.checker.expressions.context import Here
from dtables.checker.expressions.fit import fitted
from dtables.checker.expressions.literals import lower_literal, number_type
from dtables.checker.expressions.names import hint_of_filter
from dtables.checker.expressions.types import is_dynamic, vocabulary_type
from dtables.checker.report import Sink, Text
from dtables.checker.symbols import Read, Scope, known_names, read
from dtables.diagnostics import Problem
from dtables.feel.syntax import ast
from dtables.feel.syntax.literal_cells import typed_literal
from dtables.feel.syntax.parser import Dialect, KnownNames, parse_expression, parse_list, parse_tests
from dtables.feel.types import NUMBER, UNKNOWN, DateTimeType, DateType, ListType, TimeType, Type, plain
from dtables.model.expressions import Constant, EachOf, Expression, Test, Variable
from dtables.workbook.messages import converted_to_date


def lower_expression(piece: Text, scope: Scope, sink: Sink, expected: Type | None) -> Expression:
    """One expression; `expected` is what must come out, None where anything may."""
    if refused_date(piece, expected, sink):
        return _nothing(piece)
    typed = _typed(piece, scope)
    if isinstance(typed, ast.NumberLiteral) and expected == NUMBER:
        return Constant(typed.value, type=number_type(typed.value), where=piece.where(typed.span))
    if typed is not None:
        return lower(typed, scope, expected, piece, sink)
    node, found = _read(parse_expression, piece, scope)
    _report(piece, sink, found)
    if node is None or _is_a_guess(found):
        return _nothing(piece)
    return lower(node, scope, expected, piece, sink)


def _nothing(piece: Text) -> Expression:
    return Constant(None, type=UNKNOWN, where=piece.where(piece.all))


def lower_tests(piece: Text, subject: Variable, scope: Scope, sink: Sink) -> tuple[Test, ...]:
    """The tests of a condition cell, joined by or; none for any value."""
    if refused_date(piece, subject.type, sink):
        return ()
    typed = _typed(piece, scope)
    if typed is not None:
        test = ast.ExpressionTest(typed, span=typed.span)
        return lower_parsed_tests((test,), subject, scope, piece, sink)
    found, wrong = _read(parse_tests, piece, scope)
    _report(piece, sink, wrong)
    return () if found is None else lower_parsed_tests(found, subject, scope, piece, sink)


def lower_list(piece: Text, item_type: Type, scope: Scope, sink: Sink) -> Expression:
    """A list cell without brackets: `a, b`, `3 > 4 > 5`; or an expression that is such a list."""
    expected = ListType(item_type)
    here = Here(scope, piece, sink, lower_node)
    if refused_date(piece, item_type, sink):
        return here.unknown(piece.all)
    found, wrong = _read(parse_list, piece, scope)
    _report(piece, sink, wrong)
    if found is None:
        return here.unknown(piece.all)
    if len(found) == 1 and _is_list(here, found[0], expected):
        return fitted(here, here.lower(found[0], expected), expected, found[0].span)
    return forms.make_list(here, found, expected, ast.ListLiteral(found, span=piece.all))


def lower(node: ast.Expression, scope: Scope, expected: Type | None, piece: Text, sink: Sink) -> Expression:
    """The same for a text that is parsed already."""
    here = Here(scope, piece, sink, lower_node)
    return fitted(here, here.lower(node, expected), expected, node.span)


def lower_parsed_tests(
    found: tuple[ast.Test, ...], subject: Variable, scope: Scope, piece: Text, sink: Sink
) -> tuple[Test, ...]:
    return tests.lower_cell_tests(Here(scope, piece, sink, lower_node), found, subject)


def _read(parse: Callable[[str, KnownNames, Dialect], Read], piece: Text, scope: Scope) -> Read:
    return read(scope.symbols, parse, piece.text, known_names(scope.symbols, scope))


def _typed(piece: Text, scope: Scope) -> ast.Expression | None:
    """A number or a truth of the spreadsheet is one, whatever else its digits might spell."""
    cell = piece.cell
    if not isinstance(cell.value, int | Decimal) or piece.text != cell.code:
        return None
    return typed_literal(cell.value, piece.text, known_names(scope.symbols, scope))


def _report(piece: Text, sink: Sink, found: tuple[Problem, ...]) -> None:
    for problem in found:
        sink.problem(piece.cell, problem, piece.start)


def _is_a_guess(found: tuple[Problem, ...]) -> bool:
    """Nobody knows where a bracket was meant to be closed, so nothing is reported of what it holds."""
    return any(problem.code == "unclosed-bracket" for problem in found)


def _is_list(here: Here, node: ast.Expression, expected: Type) -> bool:
    if isinstance(node, ast.ListLiteral):
        # `[[a, b]]`: the outer brackets are the cell's.
        return not (isinstance(expected, ListType) and isinstance(plain(expected.item), ListType))
    tried = plain(here.trial(node, expected).type)
    return isinstance(tried, ListType)


# -- the nodes ---------------------------------------------------------------------------------


def lower_node(here: Here, node: ast.Expression, expected: Type | None) -> Expression:
    match node:
        case ast.NumberLiteral() | ast.BooleanLiteral() | ast.NullLiteral() | ast.AtLiteral():
            return lower_literal(here, node, expected)
        case ast.TextLiteral():
            return names.lower_text(here, node, expected)
        case ast.Name():
            return names.lower_name(here, node, expected)
        case ast.Path():
            return paths.lower_path(here, node)
        case ast.Filter():
            return paths.lower_filter(here, node, hint_of_filter(here, node, expected))
        case ast.Invocation():
            return calls.lower_invocation(here, node, expected)
        case ast.Ranking():
            return calls.lower_ranking(here, node)
        case ast.Each():
            return _each(here, node)
        case ast.Negation():
            return operators.lower_negation(here, node)
        case ast.Arithmetic():
            return operators.lower_arithmetic(here, node)
        case ast.Comparison():
            return operators.lower_comparison(here, node)
        case ast.Logic():
            return operators.lower_logic(here, node)
        case ast.Between():
            return tests.lower_between(here, node)
        case ast.In():
            return tests.lower_in(here, node)
        case ast.InstanceOf():
            return forms.lower_instance_of(here, node)
        case ast.Conditional():
            return forms.lower_conditional(here, node, expected)
        case ast.For():
            return forms.lower_for(here, node, expected)
        case ast.Quantified():
            return forms.lower_quantified(here, node)
        case ast.ListLiteral():
            return forms.lower_list_literal(here, node, expected)
        case ast.RangeLiteral():
            return forms.lower_range(here, node, expected)
        case ast.ContextLiteral():
            return paths.lower_context(here, node, expected)
        case ast.FunctionLiteral():
            return forms.lower_function(here, node, expected)
        case _:
            assert_never(node)


def _each(here: Here, node: ast.Each) -> Expression:
    if node.vocabulary not in here.symbols.vocabularies:
        words = messages.not_a_vocabulary(node.vocabulary, here.symbols.vocabularies)
        return here.poison(node.vocabulary_span, words)
    item = vocabulary_type(here.symbols, node.vocabulary)
    return EachOf(node.vocabulary, type=ListType(item), where=here.where(node.span))


# -- dates of the spreadsheet -----------------------------------------------------------------------
# Cells that the spreadsheet keeps as a date or time.


def refused_date(piece: Text, expected: Type | None, sink: Sink) -> bool:
    """Says so where a cell holds a date and no date is expected: `3-4` was typed."""
    if not isinstance(piece.cell.value, date | time):
        return False
    goal = None if expected is None else plain(expected)
    if goal is not None and (is_dynamic(goal) or isinstance(goal, DateType | DateTimeType | TimeType)):
        return False
    sink.add(converted_to_date(piece.cell))
    return True
