"""Arithmetic and comparison: Python's own operators wherever the types allow it."""

from __future__ import annotations

from typing import assert_never

from dtables.compilers.python.code import FALSE, NONE, TRUE, Code, Level, Site
from dtables.compilers.python.failing import is_whole
from dtables.feel.types import (
    BooleanType,
    ListType,
    NullType,
    NumberType,
    TextType,
    Type,
    VocabularyType,
    may_be_null,
    plain,
)
from dtables.program.nodes import Arithmetic, Comparison, Constant, Expression, Negation

Operator = Negation | Arithmetic | Comparison

HELPERS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power"}
ORDERS = {"<": "less", "<=": "less_or_equal", ">": "greater", ">=": "greater_or_equal"}
LEVELS = {"+": Level.SUM, "-": Level.SUM, "*": Level.TERM}


def emit_operator(node: Operator, site: Site) -> Code:
    match node:
        case Negation(operand=operand):
            return _negation(node, operand, site)
        case Arithmetic():
            return _arithmetic(node, site)
        case Comparison():
            return comparison(node, site)
        case _:
            assert_never(node)


# -- types -------------------------------------------------------------------------------------


def is_number(type_: Type) -> bool:
    return not may_be_null(type_) and isinstance(plain(type_), NumberType)


def is_boolean(type_: Type) -> bool:
    return not may_be_null(type_) and isinstance(plain(type_), BooleanType)


def python_equal(type_: Type) -> bool:
    """Is the equality of such values (or null) Python's own?"""
    match plain(type_):
        case NumberType() | TextType() | BooleanType() | VocabularyType() | NullType():
            return True
        case ListType(item=item):
            return python_equal(item)
        case _:
            return False


def equal_in_python(left: Type, right: Type) -> bool:
    """Python's `==` is the same as FEEL's `=`: both of one kind, or null."""
    if not (python_equal(left) and python_equal(right)):
        return False
    a, b = plain(left), plain(right)
    if isinstance(a, NullType) or isinstance(b, NullType):
        return True
    if isinstance(a, ListType) and isinstance(b, ListType):
        return equal_in_python(a.item, b.item)
    return type(a) is type(b)


# -- arithmetic --------------------------------------------------------------------------------


def _negation(node: Negation, operand: Expression, site: Site) -> Code:
    if is_whole(operand):
        return Code(f"-{site.code(operand).within(Level.ATOM)}", Level.UNARY)
    return attempt(node, "negate", (operand,), site)


def _arithmetic(node: Arithmetic, site: Site) -> Code:
    operator = node.operator
    if _stays_whole(node):
        left, right, level = site.code(node.left), site.code(node.right), LEVELS[operator]
        return Code(f"{left.within(level)} {operator} {right.within(Level(level - 1))}", level)
    if operator == "+" and _both_text(node):
        texts = f"{site.code(node.left).whole}, {site.code(node.right).whole}"
        return Code(f"{site.uses('text_sum')}({texts}, {site.place(node.where)})")
    if operator in ("+", "-") and is_number(node.left.type) and is_number(node.right.type):
        return _plain_call(HELPERS[operator], node.left, node.right, site)
    if operator == "*" and is_whole(node.left) and is_whole(node.right):
        factors = f"{site.code(node.left).whole}, {site.code(node.right).whole}"
        return Code(f"{site.uses('product')}({factors}, {site.place(node.where)})")
    return attempt(node, HELPERS[operator], (node.left, node.right), site)


def _stays_whole(node: Arithmetic) -> bool:
    """Whole numbers are Python's."""
    if node.operator not in LEVELS or not (is_whole(node.left) and is_whole(node.right)):
        return False
    return node.operator != "*" or node.unbounded


def _both_text(node: Arithmetic) -> bool:
    return all(
        isinstance(plain(side.type), TextType) and not may_be_null(side.type)
        for side in (node.left, node.right)
    )


def _plain_call(helper: str, left: Expression, right: Expression, site: Site) -> Code:
    name = site.value_helper(helper)
    return Code(f"{name}({site.code(left).whole}, {site.code(right).whole})")


def attempt(node: Expression, helper: str, operands: tuple[Expression, ...], site: Site) -> Code:
    """A call whose failure is reported with the cell of the node."""
    arguments = ", ".join(site.code(operand).whole for operand in operands)
    name = site.value_helper(helper)
    return Code(f"{site.uses('attempt')}({site.place(node.where)}, {name}, {arguments})")


# -- comparison --------------------------------------------------------------------------------


def comparison(node: Comparison, site: Site) -> Code:
    left, right = node.left, node.right
    match node:
        case Comparison("=", right=Constant(value=bool() as truth), source=None) if _has_truth(left):
            return _is_the_boolean(truth, left, site)
        case Comparison("=" | "!="):
            return equality(node.operator, left.type, right.type, site.code(left), site.code(right), site)
        case _:
            return _order(node, site)


def _has_truth(node: Expression) -> bool:
    return isinstance(plain(node.type), BooleanType)


def _is_the_boolean(truth: bool, tested: Expression, site: Site) -> Code:
    code = site.code(tested)
    if may_be_null(tested.type):
        return Code(f"{code.within(Level.SUM)} is {truth}", Level.COMPARE)
    return code if truth else Code(f"not {code.within(Level.NOT)}", Level.NOT)


EQUALITIES = {"=": ("is", "==", "same", FALSE), "!=": ("is not", "!=", "unlike", TRUE)}
"""Python's words for it: beside null, where Python's own will do, else a helper; and what a literal is beside
null."""


def equality(operator: str, left: Type, right: Type, a: Code, b: Code, site: Site) -> Code:
    beside_null, sign, helper, literal = EQUALITIES[operator]
    if NONE in (a, b):
        other = a if b == NONE else b
        return literal if other.is_literal else _compared(other, beside_null, NONE)
    if equal_in_python(left, right) or ("[]" in (a.text, b.text) and _both_lists(left, right)):
        return _compared(a, sign, b)
    return Code(f"{site.value_helper(helper)}({a.whole}, {b.whole})")


def _compared(a: Code, sign: str, b: Code) -> Code:
    return Code(f"{a.within(Level.SUM)} {sign} {b.within(Level.SUM)}", Level.COMPARE)


def _both_lists(left: Type, right: Type) -> bool:
    return isinstance(plain(left), ListType) and isinstance(plain(right), ListType)


def _order(node: Comparison, site: Site) -> Code:
    left, right = node.left, node.right
    if ordered_in_python(left.type, right.type):
        return _compared(site.code(left), node.operator, site.code(right))
    return attempt(node, ORDERS[node.operator], (left, right), site)


def ordered_in_python(left: Type, right: Type) -> bool:
    if may_be_null(left) or may_be_null(right):
        return False
    a, b = plain(left), plain(right)
    return type(a) is type(b) and isinstance(a, (NumberType, TextType))
