"""Unary tests as Python conditions on a subject."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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
    null_safe,
)
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.ground import Ground
from dtables.compilers.python.operators import (
    ORDERS,
    equal_in_python,
    equality,
    is_boolean,
    ordered_in_python,
    truth,
)
from dtables.feel.types import BooleanType, ListType, Type, VocabularyType, may_be_null, plain, without_null
from dtables.model.expressions import (
    Belongs,
    Compared,
    Constant,
    EqualTo,
    Expression,
    Holds,
    InList,
    MakeList,
    Matches,
    NameOf,
    NoneOf,
    Test,
    Within,
)


@dataclass(frozen=True)
class TestedValue:
    """What is tested; `code` can be read as often as one likes."""

    code: Code
    type: Type

    @property
    def operand(self) -> str:
        return self.code.within(Level.SUM)


def matches(node: Matches, site: Site) -> Code:
    """The value has a name while its tests are read, unless they read it once."""
    value = site.code(node.value)
    tests = merged(node.tests)
    if value.is_name or (len(tests) == 1 and _reads_once(tests[0], node.subject.type, site.ground)):
        site.function.variables[node.subject.number] = value
        return passing(node.tests, TestedValue(value, node.subject.type), site)
    name, inside = site.bind(node.subject)
    code = passing(node.tests, TestedValue(Code(name), node.subject.type), inside)
    return Code(f"(lambda {name}: {code.whole})({value.whole})")


def _reads_once(test: Test, subject: Type, ground: Ground) -> bool:
    """Null may stand in the way of an order, and of a row's id."""
    if not is_certain(test, subject):
        return False
    match test:
        case EqualTo() | NoneOf(tests=(EqualTo(),)):
            return True
        case Compared() | Within():
            return not may_be_null(subject)
        case InList():
            kind = plain(subject)
            rows = isinstance(kind, VocabularyType) and ground.keyed(kind.root)
            return not (rows and may_be_null(subject))
        case Holds() | NoneOf() | Belongs():
            return False
        case _:
            assert_never(test)


def tested(tests: tuple[Test, ...], subject: TestedValue, site: Site) -> Code:
    """True, false, or None where it cannot be said; the tests are joined by or."""
    if not tests:
        return TRUE
    codes = [test_code(test, subject, site) for test in merged(tests)]
    if len(codes) == 1 or all(is_certain(test, subject.type) for test in tests):
        return any_of(codes)
    parts = ", ".join(f"lambda: {code.whole}" for code in codes)
    return Code(f"{site.uses('any_passed')}({parts})")


def passing(tests: tuple[Test, ...], subject: TestedValue, site: Site) -> Code:
    """A condition: does the subject pass? What cannot be said does not."""
    if not tests:
        return TRUE
    return any_of([_passing_one(test, subject, site) for test in merged(tests)])


def _passing_one(test: Test, subject: TestedValue, site: Site) -> Code:
    match test:
        case Holds(condition=condition):
            return truth(condition, site)
        case Compared() | Within() if may_be_null(subject.type) and comparable(test, subject.type):
            return both([_not_null(subject), _bare(test, subject, site)])
        case NoneOf() if not is_certain(test, subject.type):
            return Code(f"{tested(test.tests, subject, site).within(Level.SUM)} is False", Level.COMPARE)
        case _:
            code = test_code(test, subject, site)
            if is_certain(test, subject.type):
                return code
            return Code(f"{code.within(Level.SUM)} is True", Level.COMPARE)


def _not_null(subject: TestedValue) -> Code:
    return Code(f"{subject.operand} is not None", Level.COMPARE)


# -- certainty ---------------------------------------------------------------------------------


def is_certain(test: Test, subject: Type) -> bool:
    """Is the test true or false for every value of the type, never null?"""
    match test:
        case EqualTo():
            return True
        case InList(list=listed):
            return not may_be_null(listed.type) and isinstance(plain(listed.type), ListType)
        case Compared() | Within():
            return not may_be_null(subject) and comparable(test, subject)
        case Holds(condition=condition):
            return is_boolean(condition.type)
        case Belongs():
            return False
        case NoneOf(tests=tests):
            return all(is_certain(t, subject) for t in tests)
        case _:
            assert_never(test)


def is_null(node: Expression) -> bool:
    return isinstance(node, Constant) and node.value is None


def comparable(test: Compared | Within, subject: Type) -> bool:
    """Do all values of the types compare, in Python's own words, the subject not being null?"""
    found = without_null(subject)
    unlike = isinstance(test, Compared) and test.operator == "!="
    return unlike or all(ordered_in_python(found, end.type) for end in _ends(test))


def _ends(test: Compared | Within) -> Iterator[Expression]:
    match test:
        case Compared(value=value):
            yield value
        case Within(low=low, high=high):
            yield from (end for end in (low, high) if end is not None)
        case _:
            assert_never(test)


def is_fixed(node: Expression) -> bool:
    """A literal that Python compares as FEEL does, whatever stands on the other side."""
    match node:
        case NameOf():
            return True
        case Constant(value=value):
            return type(value) in (int, str)
        case _:
            return False


def merged(tests: tuple[Test, ...]) -> tuple[Test, ...]:
    """Several plain values one after another are one list."""
    if len(tests) < 2 or not all(isinstance(t, EqualTo) and is_fixed(t.value) for t in tests):
        return tests
    values = tuple(t.value for t in tests if isinstance(t, EqualTo))
    if len({type(value) for value in values}) > 1:
        return tests
    first = tests[0]
    items = MakeList(values, type=ListType(values[0].type), where=first.where)
    return (InList(items, type=first.type, where=first.where),)


# -- single tests ------------------------------------------------------------------------------


def test_code(test: Test, subject: TestedValue, site: Site) -> Code:
    match test:
        case EqualTo(value=Constant(value=bool() as wanted)) if isinstance(plain(subject.type), BooleanType):
            return _boolean_test(wanted, subject)
        case EqualTo(value=value):
            return equality("=", subject.type, value.type, subject.code, site.code(value), site)
        case InList():
            return _in_list(test, subject, site)
        case Compared() | Within():
            return _ordered_test(test, subject, site)
        case Holds(condition=condition):
            return _boolean_or_null(condition, site)
        case Belongs(value=value):
            return _attempt(test, "meets", [subject.code.whole, site.code(value).whole], site)
        case NoneOf(tests=tests):
            return _none_of(tests, subject, site)
        case _:
            assert_never(test)


def _boolean_test(wanted: object, subject: TestedValue) -> Code:
    if may_be_null(subject.type):
        return Code(f"{subject.operand} is {wanted}", Level.COMPARE)
    return subject.code if wanted is True else Code(f"not {subject.code.within(Level.NOT)}", Level.NOT)


def _attempt(test: Test, helper: str, arguments: list[str], site: Site) -> Code:
    name = site.value_helper(helper)
    return Code(f"{site.uses('attempt')}({site.place(test.where)}, {name}, {', '.join(arguments)})")


def _boolean_or_null(condition: Expression, site: Site) -> Code:
    code = site.code(condition)
    return code if is_boolean(condition.type) else Code(f"{site.uses('boolean_or_null')}({code.whole})")


def _in_list(test: InList, subject: TestedValue, site: Site) -> Code:
    fixed = _fixed_items(test.list)
    if fixed and equal_in_python(ListType(subject.type), test.list.type):
        return _in_fixed(fixed, subject, site)
    code = site.code(test.list)
    if may_be_null(test.list.type):
        return null_safe(
            site,
            code,
            "items",
            lambda value: _attempt(test, "belongs", [subject.code.whole, value.text], site),
        )
    if equal_in_python(ListType(subject.type), test.list.type):
        return Code(f"{subject.operand} in {code.within(Level.SUM)}", Level.COMPARE)
    return _attempt(test, "belongs", [subject.code.whole, code.whole], site)


def _fixed_items(listed: Expression) -> tuple[Expression, ...]:
    if isinstance(listed, MakeList) and all(is_fixed(item) for item in listed.items):
        return listed.items
    return ()


def _in_fixed(items: tuple[Expression, ...], subject: TestedValue, site: Site) -> Code:
    """Rows are told apart by their ids."""
    kind = plain(subject.type)
    if isinstance(kind, VocabularyType) and site.ground.keyed(kind.root):
        ids = ", ".join(repr(item.id) for item in items if isinstance(item, NameOf))
        test = Code(f"{subject.code.atom}.id in {{{ids}}}", Level.COMPARE)
        return both([_not_null(subject), test]) if may_be_null(subject.type) else test
    listed = ", ".join(site.code(item).whole for item in items)
    return Code(f"{subject.operand} in {{{listed}}}", Level.COMPARE)


def _ordered_test(test: Compared | Within, subject: TestedValue, site: Site) -> Code:
    if may_be_null(subject.type):
        return either(Code(f"{subject.operand} is None", Level.COMPARE), NONE, _bare(test, subject, site))
    return _bare(test, subject, site)


def _bare(test: Compared | Within, subject: TestedValue, site: Site) -> Code:
    """The subject is not null."""
    fits = comparable(test, subject.type)
    match test:
        case Compared(operator="!=", value=value):
            return equality(
                "!=", without_null(subject.type), value.type, subject.code, site.code(value), site
            )
        case Compared(operator=operator, value=value) if fits:
            return Code(f"{subject.operand} {operator} {site.code(value).within(Level.SUM)}", Level.COMPARE)
        case Compared(operator=operator, value=value):
            return _attempt(test, ORDERS[operator], [subject.code.whole, site.code(value).whole], site)
        case Within(low=low, high=high) if fits and (low is None or not may_fail(high, site.ground)):
            return _between(test, subject, site)
        case Within(low=low, high=high):
            ends = [NONE.text if end is None else site.code(end).whole for end in (low, high)]
            included = [str(test.low_included), str(test.high_included)]
            return _attempt(test, "within", [subject.code.whole, *ends, *included], site)
        case _:
            assert_never(test)


def _between(test: Within, subject: TestedValue, site: Site) -> Code:
    low_sign = "<=" if test.low_included else "<"
    high_sign = "<=" if test.high_included else "<"
    text = subject.operand
    if test.low is not None:
        text = f"{site.code(test.low).within(Level.SUM)} {low_sign} {text}"
    if test.high is not None:
        text = f"{text} {high_sign} {site.code(test.high).within(Level.SUM)}"
    return Code(text, Level.COMPARE) if " " in text else TRUE


def _none_of(tests: tuple[Test, ...], subject: TestedValue, site: Site) -> Code:
    if not tests:
        return FALSE
    if not all(is_certain(test, subject.type) for test in tests):
        return Code(f"{site.value_helper('negation')}({tested(tests, subject, site).whole})")
    if len(tests) == 1 and isinstance(tests[0], EqualTo):
        value = tests[0].value
        return equality("!=", subject.type, value.type, subject.code, site.code(value), site)
    return Code(f"not {tested(tests, subject, site).within(Level.NOT)}", Level.NOT)
