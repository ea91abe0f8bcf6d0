"""Operators: which types they work on, and what comes out."""

from __future__ import annotations

from dataclasses import replace

from dtables.checker import messages
from dtables.checker.expressions.context import Here
from dtables.checker.expressions.fit import declared, require, strict
from dtables.checker.expressions.names import peers
from dtables.checker.expressions.nulls import Keys, assuming, key_of, present_if_false, present_if_true
from dtables.checker.expressions.types import comparable, is_dynamic, ordered
from dtables.feel.syntax import ast
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    DAYS_DURATION,
    NUMBER,
    TEXT,
    UNKNOWN,
    WHOLE,
    YEARS_DURATION,
    AnyType,
    BooleanType,
    DateTimeType,
    DateType,
    DaysDurationType,
    NullType,
    NumberType,
    TextType,
    TimeType,
    Type,
    UnknownType,
    VocabularyType,
    YearsDurationType,
    may_be_null,
    optional,
    plain,
)
from dtables.model.expressions import (
    Arithmetic,
    CallBuiltin,
    Comparison,
    Constant,
    Expression,
    InputField,
    Logic,
    Negation,
    Not,
)
from dtables.provenance import Span


def lower_negation(here: Here, node: ast.Negation) -> Expression:
    operand = strict(here, here.lower(node.operand), node.operand.span)
    where, kind = here.where(node.span), plain(operand.type)
    if isinstance(operand, Constant) and isinstance(kind, NumberType):
        return replace(operand, value=-operand.value, where=where)
    if is_dynamic(kind) or isinstance(kind, NumberType | DaysDurationType | YearsDurationType):
        return Negation(operand, type=kind, where=where)
    wrong = Negation(operand, type=kind, where=where)
    return here.mismatch(node.span, messages.wrong_operand("-", operand.type), wrong)


def lower_arithmetic(here: Here, node: ast.Arithmetic) -> Expression:
    left = strict(here, here.lower(node.left), node.left.span)
    right = strict(here, here.lower(node.right), node.right.span)
    type_ = arithmetic_type(node.operator, plain(left.type), plain(right.type))
    if type_ is not None and node.operator == "**" and _natural_power(left, right):
        type_ = WHOLE
    whole = Arithmetic(node.operator, left, right, type=type_ or UNKNOWN, where=here.where(node.span))
    if type_ is not None:
        return whole
    words = messages.wrong_operands(node.operator, left.type, right.type)
    return here.mismatch(node.span, words, whole)


def _natural_power(base: Expression, exponent: Expression) -> bool:
    whole = isinstance(plain(base.type), NumberType) and plain(base.type) == WHOLE
    return (
        whole and isinstance(exponent, Constant) and isinstance(exponent.value, int) and exponent.value >= 0
    )


def arithmetic_type(operator: str, left: Type, right: Type) -> Type | None:
    """None where the operator does not work on them."""
    if isinstance(left, UnknownType) or isinstance(right, UnknownType):
        return UNKNOWN
    if isinstance(left, AnyType) or isinstance(right, AnyType):
        return ANY
    match operator, left, right:
        case (("+" | "-" | "*"), NumberType(), NumberType()):
            return WHOLE if left.whole and right.whole else NUMBER
        case (("/" | "**"), NumberType(), NumberType()):
            return NUMBER
        case "+", TextType(), TextType():
            return TEXT
        case _:
            return _temporal_type(operator, left, right)


def _temporal_type(operator: str, left: Type, right: Type) -> Type | None:
    match operator, left, right:
        case (("+" | "-"), (DateType() | DateTimeType() | TimeType()), DaysDurationType()):
            return left
        case (("+" | "-"), (DateType() | DateTimeType()), YearsDurationType()):
            return left
        case "+", DaysDurationType(), (DateType() | DateTimeType() | TimeType()):
            return right
        case "+", YearsDurationType(), (DateType() | DateTimeType()):
            return right
        case "-", (DateType() | DateTimeType()), (DateType() | DateTimeType()):
            return DAYS_DURATION
        case "-", TimeType(), TimeType():
            return DAYS_DURATION
        case _:
            return _duration_type(operator, left, right)


def _duration_type(operator: str, left: Type, right: Type) -> Type | None:
    match operator, left, right:
        case (("+" | "-"), DaysDurationType(), DaysDurationType()):
            return DAYS_DURATION
        case (("+" | "-"), YearsDurationType(), YearsDurationType()):
            return YEARS_DURATION
        case (("*" | "/"), (DaysDurationType() | YearsDurationType()), NumberType()):
            return left
        case "*", NumberType(), (DaysDurationType() | YearsDurationType()):
            return right
        case "/", DaysDurationType(), DaysDurationType():
            return NUMBER
        case "/", YearsDurationType(), YearsDurationType():
            return NUMBER
        case _:
            return None


# -- comparison --------------------------------------------------------------------------------


def lower_comparison(here: Here, node: ast.Comparison) -> Expression:
    left, right = peers(here, (node.left, node.right))
    if node.operator in ("=", "!="):
        return _equality(here, node, left, right)
    left, right = strict(here, left, node.left.span), strict(here, right, node.right.span)
    whole = Comparison(node.operator, left, right, type=BOOLEAN, where=here.where(node.span))
    words = order_problem(node.operator, left.type, right.type)
    if words is not None:
        return here.mismatch(node.span, words, whole)
    return _same_on_both_sides(here, node, whole) or whole


def order_problem(operator: str, left: Type, right: Type) -> messages.Wording | None:
    """Why one cannot come before the other."""
    for side in (left, right):
        if not ordered(side):
            return messages.not_ordered(operator, side)
    if not comparable(left, right):
        return messages.wrong_operands(operator, left, right)
    return None


def _equality(here: Here, node: ast.Comparison, left: Expression, right: Expression) -> Expression:
    whole = Comparison(node.operator, left, right, type=BOOLEAN, where=here.where(node.span))
    if comparable(left.type, right.type):
        return _same_on_both_sides(here, node, whole) or whole
    a, b = plain(left.type), plain(right.type)
    if isinstance(a, VocabularyType) and isinstance(b, VocabularyType):
        return here.mismatch(node.span, messages.unrelated_vocabularies(a, b), whole)
    remarks = (*declared(here, left), *declared(here, right))
    words = messages.never_equal(
        here.written(node.left), left.type, here.written(node.right), right.type, remarks
    )
    return here.mismatch(node.span, words, whole)


def _same_on_both_sides(here: Here, node: ast.Comparison, whole: Comparison) -> Expression | None:
    """`age = age`: an item's field hides the input field of that name."""
    if here.standard or isinstance(whole.left, Constant) or key_of(whole.left) != key_of(whole.right):
        return None
    hint = None
    hidden = isinstance(node.right, ast.Name) and node.right.name in here.symbols.inputs
    if hidden and not isinstance(whole.right, InputField):
        hint = f"for the input field write `{here.symbols.state}.{here.written(node.right)}`"
    return here.poison(node.span, messages.compares_itself(here.written(node.left), hint))


# -- logic -------------------------------------------------------------------------------------


def lower_logic(here: Here, node: ast.Logic) -> Expression:
    """Three-valued: null may be on both sides, and then comes out. The right side may rely on what
    the left one makes sure of. Long chains are read in a loop: they nest to the left."""
    chain: list[ast.Logic] = []
    first: ast.Expression = node
    while isinstance(first, ast.Logic):
        chain.append(first)
        first = first.left
    left = _truth(here, first, node.operator)
    for link in reversed(chain):
        inside = here.inside(assuming(here.scope, _sure_after(link.operator, left)))
        right = _truth(inside, link.right, link.operator)
        null = may_be_null(left.type) or may_be_null(right.type)
        type_ = optional(BOOLEAN) if null else BOOLEAN
        left = Logic(link.operator, left, right, type=type_, where=here.where(link.span))
    return left


def _sure_after(operator: str, left: Expression) -> Keys:
    return present_if_true(left) if operator == "and" else present_if_false(left)


def _truth(here: Here, node: ast.Expression, operator: str) -> Expression:
    return truth(here, here.lower(node), operator, node.span)


def truth(here: Here, value: Expression, operator: str, span: Span) -> Expression:
    """A truth value or null."""
    kind = plain(value.type)
    if here.standard or isinstance(kind, BooleanType | NullType):
        return value
    if is_dynamic(kind):
        return require(value, optional(BOOLEAN))
    return here.poison(span, messages.wrong_operand(operator, value.type))


def lower_not(here: Here, operand: ast.Expression, span: Span) -> Expression:
    value = truth(here, here.lower(operand), "not", operand.span)
    type_ = optional(BOOLEAN) if may_be_null(value.type) else BOOLEAN
    if here.standard:  # a list of one may stand for its item, as with every built-in
        return CallBuiltin("not", (value,), type=type_, where=here.where(span))
    return Not(value, type=type_, where=here.where(span))
