"""Conditions: logic, and what a cell or a value is held to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dtables.compilers.python.code import (
    FALSE,
    NONE,
    TRUE,
    Code,
    Level,
    Site,
    any_of,
    both,
    either,
    let,
    null_safe,
)
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.operators import (
    attempt,
    equal_in_python,
    equality,
    is_boolean,
    ordered_in_python,
)
from dtables.feel.types import (
    BooleanType,
    ListType,
    NullType,
    Type,
    VocabularyType,
    may_be_null,
    plain,
    without_null,
)
from dtables.model.expressions import Test, Variable
from dtables.program.nodes import (
    Between,
    Comparison,
    Conditional,
    Constant,
    Expression,
    IsTrue,
    Let,
    Local,
    Logic,
    MakeList,
    Meets,
    Member,
    Name,
    Not,
    Truth,
)

Condition = Logic | Not | Member | Between | Meets | IsTrue | Truth | Let


def emit_condition(node: Condition, site: Site) -> Code:
    match node:
        case Logic():
            return _logic(node, site)
        case Not():
            return _not(node, site)
        case Member():
            return _member(node, site)
        case Between():
            return _between(node, site)
        case Meets(value=value, test=test):
            return attempt(node, "meets", (value, test), site)
        case IsTrue(value=value):
            return truth(value, site)
        case Truth(value=value):
            code = site.code(value)
            return code if is_boolean(node.type) else Code(f"{site.uses('boolean_or_null')}({code.whole})")
        case Let():
            return _let(node, site)
        case _:
            assert_never(node)


def conditional(node: Conditional, site: Site) -> Code:
    return either(truth(node.condition, site), site.code(node.then), site.code(node.otherwise))


# -- tests -------------------------------------------------------------------------------------


def passing(tests: tuple[Test, ...], variable: Variable, site: Site) -> Code:
    """A condition: does the variable pass? What cannot be decided does not."""
    return truth(site.ground.lowered.test(tests, variable), site) if tests else TRUE


# -- truth -------------------------------------------------------------------------------------


def truth(node: Expression, site: Site) -> Code:
    """A condition: does the value come out true? Null does not."""
    if is_boolean(node.type):
        return site.code(node)
    match node:
        case Logic() if _python_reads_as_much(node, site):
            parts = (truth(node.left, site), truth(node.right, site))
            return both(parts) if node.operator == "and" else any_of(parts)
        case Between(value=value) if may_be_null(value.type) and _ends_compare(node):
            code = site.code(value)
            there = Code(f"{code.within(Level.SUM)} is not None", Level.COMPARE)
            return both((there, _lies(node, code, site)))
        case _:
            return Code(f"{site.code(node).within(Level.SUM)} is True", Level.COMPARE)


def _python_reads_as_much(node: Logic, site: Site) -> bool:
    """Of `null and x`, the rules read x; Python's `and` would not."""
    return node.operator == "or" or is_boolean(node.left.type) or not may_fail(node.right, site.ground)


# -- logic -------------------------------------------------------------------------------------


def _logic(node: Logic, site: Site) -> Code:
    """Three-valued: a right side that is neither true nor false counts as null. It is read only where the
    left one does not settle the whole."""
    listed = _one_of(node, site)
    if listed is not None:
        return listed
    left, right = site.code(node.left), site.code(node.right)
    is_and = node.operator == "and"
    if is_boolean(node.left.type) and _boolean_or_null(node.right.type):
        return both((left, right)) if is_and else any_of((left, right))
    settled = FALSE if is_and else TRUE
    helper = site.value_helper("conjunction" if is_and else "disjunction")
    if is_boolean(node.left.type):
        unsettled = Code(f"{helper}({is_and}, {right.whole})")
        return either(left, unsettled, settled) if is_and else either(left, settled, unsettled)

    def of_three(first: Code, again: Code) -> Code:
        is_settled = Code(f"{first.atom} is {settled.text}", Level.COMPARE)
        return either(is_settled, settled, Code(f"{helper}({again.text}, {right.whole})"))

    return let(site, left, "left", of_three)


def _boolean_or_null(type_: Type) -> bool:
    return isinstance(plain(without_null(type_)), (BooleanType, NullType))


def _not(node: Not, site: Site) -> Code:
    match node:
        case Not(operand=Comparison("=", left, right), source=None) if not _is_boolean_constant(right):
            return equality("!=", left.type, right.type, site.code(left), site.code(right), site)
    code = site.code(node.operand)
    if is_boolean(node.operand.type):
        return Code(f"not {code.within(Level.NOT)}", Level.NOT)
    return Code(f"{site.value_helper('negation')}({code.whole})")


def _is_boolean_constant(node: Expression) -> bool:
    return isinstance(node, Constant) and isinstance(node.value, bool)


# -- one of several ----------------------------------------------------------------------------


def _one_of(node: Logic, site: Site) -> Code | None:
    """Several plain values that a variable may have, or may not, are a set."""
    if node.source is not None:
        return None
    is_and = node.operator == "and"
    found = _values_of(node)
    if found is None:
        return None
    subject, values = found
    code = _in_fixed(values, subject, site)
    return Code(f"not {code.within(Level.NOT)}", Level.NOT) if is_and else code


def _values_of(node: Logic) -> tuple[Local, tuple[Expression, ...]] | None:
    """The variable and the values it is compared with, if all parts are such comparisons."""
    is_and = node.operator == "and"
    subjects, values = [], []
    for part in _parts(node, node.operator):
        match part:
            case Not(operand=Comparison("=", Local() as subject, value, source=None), source=None) if is_and:
                pass
            case Comparison("=", Local() as subject, value, source=None) if not is_and:
                pass
            case _:
                return None
        subjects.append(subject)
        values.append(value)
    first, kind = subjects[0], type(values[0])
    alike = all(one.slot == first.slot for one in subjects) and all(type(one) is kind for one in values)
    comparable = all(_is_fixed(one) and equal_in_python(first.type, one.type) for one in values)
    return (first, tuple(values)) if alike and comparable else None


def _parts(node: Expression, operator: str) -> Iterator[Expression]:
    if isinstance(node, Logic) and node.operator == operator and node.source is None:
        yield from _parts(node.left, operator)
        yield from _parts(node.right, operator)
    else:
        yield node


def _is_fixed(node: Expression) -> bool:
    """A literal that Python compares as FEEL does, whatever stands on the other side."""
    match node:
        case Name():
            return True
        case Constant(value=value):
            return type(value) in (int, str)
        case _:
            return False


def _in_fixed(items: tuple[Expression, ...], subject: Expression, site: Site) -> Code:
    """Rows are distinguished by their ids."""
    code = site.code(subject)
    kind = plain(subject.type)
    if isinstance(kind, VocabularyType) and site.ground.keyed(kind.root):
        ids = ", ".join(repr(item.id) for item in items if isinstance(item, Name))
        test = Code(f"{code.atom}.id in {{{ids}}}", Level.COMPARE)
        there = Code(f"{code.within(Level.SUM)} is not None", Level.COMPARE)
        return both([there, test]) if may_be_null(subject.type) else test
    listed = ", ".join(site.code(item).whole for item in items)
    return Code(f"{code.within(Level.SUM)} in {{{listed}}}", Level.COMPARE)


def _member(node: Member, site: Site) -> Code:
    subject, listed = node.value, node.list
    in_python = equal_in_python(ListType(subject.type), listed.type)
    if in_python and isinstance(listed, MakeList) and listed.items and all(map(_is_fixed, listed.items)):
        return _in_fixed(listed.items, subject, site)
    value, code = site.code(subject), site.code(listed)

    def belongs(items: Code) -> Code:
        name = site.value_helper("belongs")
        return Code(f"{site.uses('attempt')}({site.place(node.where)}, {name}, {value.whole}, {items.whole})")

    if may_be_null(listed.type):
        return null_safe(site, code, "items", belongs)
    if in_python:
        return Code(f"{value.within(Level.SUM)} in {code.within(Level.SUM)}", Level.COMPARE)
    return belongs(code)


# -- ranges ------------------------------------------------------------------------------------


def _between(node: Between, site: Site) -> Code:
    code = site.code(node.value)
    if not may_be_null(node.value.type):
        return _lies(node, code, site)
    return either(Code(f"{code.within(Level.SUM)} is None", Level.COMPARE), NONE, _lies(node, code, site))


def _ends_compare(node: Between) -> bool:
    """Do all values of the types compare, in Python's own words, what is looked at not being null?"""
    known = without_null(node.value.type)
    return all(ordered_in_python(known, end.type) for end in (node.low, node.high) if end is not None)


def _lies(node: Between, code: Code, site: Site) -> Code:
    """What is not null."""
    low, high = node.low, node.high
    if _ends_compare(node) and (low is None or high is None or not may_fail(high, site.ground)):
        text = code.within(Level.SUM)
        if low is not None:
            text = f"{site.code(low).within(Level.SUM)} {'<=' if node.low_included else '<'} {text}"
        if high is not None:
            text = f"{text} {'<=' if node.high_included else '<'} {site.code(high).within(Level.SUM)}"
        return Code(text, Level.COMPARE) if low is not None or high is not None else TRUE
    ends = [NONE.text if end is None else site.code(end).whole for end in (low, high)]
    parts = [code.whole, *ends, str(node.low_included), str(node.high_included)]
    within = site.value_helper("within")
    return Code(f"{site.uses('attempt')}({site.place(node.where)}, {within}, {', '.join(parts)})")


# -- values with a name ------------------------------------------------------------------------


def _let(node: Let, site: Site) -> Code:
    """The value has a name while it is looked at, unless it is read once."""
    value = site.code(node.value)
    if value.is_name or _reads_once(node.body, site):
        site.function.variables[node.slot] = value
        return site.code(node.body)
    name, inside = site.bind(node.slot)
    return Code(f"(lambda {name}: {inside.code(node.body).whole})({value.whole})")


def _reads_once(node: Expression, site: Site) -> bool:
    """Null may stand in the way of an order, and of a row's id."""
    match node:
        case IsTrue(value=value):
            return _reads_once(value, site)
        case Not(operand=Comparison("=")):
            return True
        case Comparison():
            return is_boolean(node.type)
        case Between(value=value):
            return is_boolean(node.type) and not may_be_null(value.type)
        case Member(value=value):
            return is_boolean(node.type) and not _may_be_no_row(value, site)
        case Logic(operator="or"):
            found = _values_of(node)
            return found is not None and not _may_be_no_row(found[0], site)
        case _:
            return False


def _may_be_no_row(node: Expression, site: Site) -> bool:
    kind = plain(node.type)
    return may_be_null(node.type) and isinstance(kind, VocabularyType) and site.ground.keyed(kind.root)
