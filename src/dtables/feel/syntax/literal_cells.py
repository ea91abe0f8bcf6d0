"""Cells of plain literals, which most cells of a large table are: read without the grammar.

What is read here the grammar reads alike, and a property test says so; everything else is left to it.
"""

from __future__ import annotations

import re
from decimal import Decimal

from dtables.feel.syntax.ast import (
    AnyTest,
    AtLiteral,
    BooleanLiteral,
    ComparisonTest,
    Expression,
    ExpressionTest,
    Name,
    Negation,
    NumberLiteral,
    RangeLiteral,
    Test,
    TextLiteral,
)
from dtables.feel.syntax.scanner import KnownNames, tidy_name
from dtables.provenance import Span

_VALUE = r'-?[0-9]{1,15}(?:\.[0-9]{1,15})?|@?"[^"\\\n]*"'
_PIECE = re.compile(
    rf"""[ ]*(?:
      (?P<value>{_VALUE})
    | (?P<operator>[<>]=?|!?=)[ ]*(?P<bound>{_VALUE})
    | (?P<opening>[\[(])[ ]*(?P<low>{_VALUE})[ ]*\.\.[ ]*(?P<high>{_VALUE})[ ]*(?P<closing>[\])])
    )[ ]*(?P<end>,|\Z)""",
    re.VERBOSE,
)
_DIGITS = 15
_NAME_END = re.compile(r"[ ]*(,|\Z)")
_TRUTHS = {"yes": True, "no": False, "true": True, "false": False}
_WORDS = frozenset((*_TRUTHS, "sì", "si", "sí", "null", "not", "if", "for", "some", "every", "function"))
"""One word that is no name even where some name is spelled so."""


def plain_tests(text: str, names: KnownNames) -> tuple[Test, ...] | None:
    """A cell of literals, comparisons, ranges and known names between commas; None of any other."""
    if text in ("", "-"):
        return (AnyTest(span=Span(0, len(text))),)
    tests: list[Test] = []
    at = 0
    while True:
        found = _test_at(text, at, names)
        if found is None:
            return None
        test, at = found
        tests.append(test)
        if at == len(text):
            return None if text[at - 1] == "," else tuple(tests)


def plain_expression(text: str, names: KnownNames) -> Expression | None:
    """One literal or one known name; None of any other."""
    found = _PIECE.match(text)
    if found is not None and found["value"] and found.end() == len(text) and found["end"] != ",":
        return _value(text, found.start("value"), found.end("value"), names)
    if text in _TRUTHS:
        return _truth(text, 0, len(text), names)
    start = len(text) - len(text.lstrip(" "))
    end = names.longest_at(text, start)
    if end is None or text[end:].strip(" "):
        return None
    return _name(text, start, end)


def _test_at(text: str, at: int, names: KnownNames) -> tuple[Test, int] | None:
    """The test that begins there, and where the next one does."""
    found = _PIECE.match(text, at)
    if found is None:
        return _named_at(text, at, names)
    test = _test(text, found, names)
    return None if test is None else (test, found.end())


def _test(text: str, found: re.Match[str], names: KnownNames) -> Test | None:
    if found["value"]:
        value = _value(text, found.start("value"), found.end("value"), names)
        return None if value is None else ExpressionTest(value, span=value.span)
    if found["operator"]:
        bound = _value(text, found.start("bound"), found.end("bound"), names)
        span = Span(found.start("operator"), found.end("bound"))
        return None if bound is None else ComparisonTest(found["operator"], bound, span=span)
    if names.longest_at(text, found.start("opening")) is not None:
        return None
    low = _value(text, found.start("low"), found.end("low"), names)
    high = _value(text, found.start("high"), found.end("high"), names)
    if low is None or high is None:
        return None
    span = Span(found.start("opening"), found.end("closing"))
    included = (found["opening"] == "[", found["closing"] == "]")
    return ExpressionTest(RangeLiteral(low, high, *included, span=span), span=span)


def _named_at(text: str, at: int, names: KnownNames) -> tuple[Test, int] | None:
    start = len(text) - len(text[at:].lstrip(" "))
    end = names.longest_at(text, start)
    if end is None:
        end = next((start + len(w) for w in _TRUTHS if text.startswith(w, start)), start)
        named = _truth(text, start, end, names)
    else:
        named = _name(text, start, end)
    behind = _NAME_END.match(text, end)
    if named is None or behind is None:
        return None
    return ExpressionTest(named, span=named.span), behind.end()


def typed_literal(value: object, text: str, names: KnownNames) -> Expression | None:
    """A number or a truth that a spreadsheet keeps as one; `text` is how it would be written."""
    span = Span(0, len(text))
    if isinstance(value, bool):
        return BooleanLiteral(value, span=span)
    if not isinstance(value, int | Decimal) or value < 0 or len(text) > _DIGITS:
        return None
    if names.longest_at(text, 0) is not None:
        return None
    return NumberLiteral(value, span=span)


# -- values ------------------------------------------------------------------------------------


def _value(text: str, start: int, end: int, names: KnownNames) -> Expression | None:
    """None where some name begins there: names may look like anything."""
    if names.longest_at(text, start) is not None:
        return None
    first, span = text[start], Span(start, end)
    if first == '"':
        return TextLiteral(text[start + 1 : end - 1], span=span)
    if first == "@":
        return AtLiteral(text[start + 2 : end - 1], span=span)
    if first == "-":
        operand = _value(text, start + 1, end, names)
        return None if operand is None else Negation(operand, span=span)
    return NumberLiteral(_number(text[start:end]), span=span)


def _number(digits: str) -> int | Decimal:
    if "." not in digits:
        return int(digits)
    value = Decimal(digits)
    return int(value) if value == value.to_integral_value() else value


def _truth(text: str, start: int, end: int, names: KnownNames) -> Expression | None:
    word = text[start:end]
    if word not in _TRUTHS or (word not in ("true", "false") and names.longest_at(text, start) is not None):
        return None
    return BooleanLiteral(_TRUTHS[word], span=Span(start, end))


def _name(text: str, start: int, end: int) -> Name | None:
    """A known name that nothing hangs on."""
    name = tidy_name(text[start:end])
    if name in _WORDS or not name[0].isalpha():
        return None
    return Name(name, span=Span(start, end))
