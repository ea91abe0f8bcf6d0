"""The words of the parser: one function per mistake in a text."""

from __future__ import annotations

import re

from dtables.diagnostics import Problem
from dtables.feel.syntax.scanner import Token
from dtables.provenance import Span

PROBLEMS: dict[str, str] = {
    "empty-expression": "a cell or a place that wants an expression is empty",
    "missing-operand": "an operator, comma or word lacks the value beside it",
    "unexpected": "something stands where the expression was already complete, or where a value was wanted",
    "decimal-comma": "a number is written with a comma where the expression language has a point",
    "unclosed-bracket": "a bracket is opened and never closed",
    "unclosed-text": "a text has no closing quote",
    "unclosed-comment": "a comment has no closing */",
    "missing-word": "a word of the form is not there: then, else, in, return, satisfies, and, of",
    "missing-name": "a name was wanted: after a full stop, for, some, every, each, or as a parameter",
    "repeated-name": "a context or a parameter list has one name twice",
    "operator-spelling": "an operator written as another language writes it",
    "separator": "arguments or items are separated by something else than a comma",
    "upper-case-word": "a word of the language is written in capitals",
    "excel-function": "AND(…), OR(…), IF(…) as a spreadsheet has them",
    "not-needs-brackets": "not stands before something without brackets",
    "chained-comparison": "comparisons in a row, such as 1 < x < 5",
    "joined-tests": "tests joined by and, or",
    "bare-range": "a range without brackets",
    "dash-list": "numbers joined by dashes where a list or a range may be meant",
    "unknown-escape": "a backslash sequence that texts do not know",
    "number-too-large": "a number with an exponent beyond 6144 or more digits than numbers keep",
    "too-deep": "an expression is nested too deeply",
    "too-long": "an expression has more characters than a cell can hold",
}

_SYMBOL_HINTS = {
    "≥": "write >=",
    "≤": "write <=",
    "≠": "write !=",
    "^": "write ** for a power",
    "&": "write + to join texts",
    **dict.fromkeys("€$£¥", "write the number alone, without the currency"),
    "×": "write *",
    "·": "write *",
    "÷": "write /",
    "%": "write modulo(a, b), or 0.5 for 50 per cent",
    "!": "write not(…)",
    "|": "write or",
    "'": 'write a text between double quotes: "…"',
    "=": "write the expression without = before it",
    ";": "write a comma",
}


MOST_QUOTED = 60


def quoted(text: str) -> str:
    """On one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= MOST_QUOTED else line[: MOST_QUOTED - 1] + "…"


def empty_expression(span: Span) -> Problem:
    """A cell, a type or an item of a list cell has nothing in it."""
    return Problem("empty-expression", "an expression is wanted here, and nothing is written", span)


def missing_operand(after: str, span: Span) -> Problem:
    """`after` quotes what waits for a value."""
    return Problem("missing-operand", f"a value is missing after `{quoted(after)}`", span)


def missing_operand_before(token: Token) -> Problem:
    """A word such as `and` or `then` comes where a value belongs."""
    return Problem("missing-operand", f"a value is missing before `{quoted(token.text)}`", token.span)


def unexpected(token: Token, expected: str) -> Problem:
    """`expected` says what would have been right: `an operator`, `a value`."""
    found = f"`{quoted(token.text)}`" if token.text else "the end"
    return Problem(
        "unexpected", f"found {found}, wanted {expected}", token.span, _SYMBOL_HINTS.get(token.text)
    )


def decimal_comma(span: Span, written: str) -> Problem:
    """Digits, a comma and digits where only one number makes sense."""
    message = f"`{written}` has a comma for the decimal point"
    whole, _, digits = written.replace(".", "").partition(",")
    thousands = f", or {whole}{digits} for thousands" if len(digits) == 3 and "." not in written else ""
    return Problem("decimal-comma", message, span, f"write {whole}.{digits}{thousands}")


def unopened_bracket(token: Token) -> Problem:
    """A closing bracket without an opening one before it."""
    return Problem("unexpected", f"`{quoted(token.text)}` closes a bracket that nothing opens", token.span)


def unclosed_bracket(opening: Token, expected: str) -> Problem:
    """A bracket is open where the text ends."""
    return Problem("unclosed-bracket", f"`{opening.text}` is never closed", opening.span, f"write {expected}")


def closed_by_another(opening: Token, closing: Token, expected: str) -> Problem:
    """A bracket is closed by one of another form."""
    message = f"`{opening.text}` is closed by `{closing.text}`"
    return Problem("unclosed-bracket", message, closing.span, f"write {expected}")


def unclosed_text(token: Token) -> Problem:
    """A quote opens a text that does not end."""
    span = Span(token.start, token.end)
    return Problem(
        "unclosed-text", "the text that begins here has no closing quote", span, 'write " at its end'
    )


def unclosed_comment(token: Token) -> Problem:
    """A `/*` without a `*/` after it."""
    return Problem("unclosed-comment", "the comment that begins here has no end", token.span, "write */")


def missing_word(word: str, form: str, found: Token) -> Problem:
    """`form` shows the whole: `if … then … else …`."""
    there = f"found `{quoted(found.text)}`" if found.text else "the expression ends"
    return Problem("missing-word", f"{there} where `{word}` is wanted", found.span, f"write {form}")


def missing_name(after: str, found: Token) -> Problem:
    """A `.`, a `for` or the like is followed by something that is no name."""
    there = f"found `{quoted(found.text)}`" if found.text else "the expression ends"
    return Problem("missing-name", f"{there} where a name is wanted after `{quoted(after)}`", found.span)


def repeated_name(name: str, span: Span) -> Problem:
    """Two parameters of a function literal, or two keys of a context, are named alike."""
    return Problem("repeated-name", f"`{quoted(name)}` stands here twice", span)


def operator_spelling(token: Token, right: str) -> Problem:
    """A sign that other languages use for one of the operators, such as `==`."""
    return Problem(
        "operator-spelling", f"`{quoted(token.text)}` is no operator", token.span, f"write {right}"
    )


def semicolon(token: Token) -> Problem:
    """A `;` between the items of a list or the arguments of a call."""
    return Problem("separator", "found `;` between items", token.span, "write a comma")


def upper_case_word(token: Token) -> Problem:
    """A word of the language in capitals, such as `AND` or `TRUE`."""
    message = f"`{quoted(token.text)}` is written in capitals"
    return Problem("upper-case-word", message, token.span, f"write {token.text.lower()}")


def excel_function(name: str, form: str, span: Span) -> Problem:
    """A function of a spreadsheet, such as `IF`, which the language writes as a form of its own."""
    return Problem("excel-function", f"{name} is no function here", span, f"write {form}")


def not_needs_brackets(span: Span) -> Problem:
    """`not` is followed by something other than an opening parenthesis."""
    return Problem("not-needs-brackets", "`not` wants brackets around what it denies", span, "write not(…)")


def chained_comparison(token: Token) -> Problem:
    """A comparison of a comparison, as in `a < b < c`."""
    message = f"a second comparison `{quoted(token.text)}` in a row"
    return Problem("chained-comparison", message, token.span, "write a < x and x < b, or x in (a..b)")


def joined_tests(token: Token) -> Problem:
    """`and` or `or` between tests of a condition cell, as in `>= 3 and <= 5`."""
    message = f"`{quoted(token.text)}` joins conditions, not tests"
    hint = "write a range such as [3..5], or conditions on ? such as ? >= 3 and ? <= 5"
    return Problem("joined-tests", message, token.span, hint)


def bare_range(span: Span, text: str) -> Problem:
    """A condition cell has a range without brackets, such as `3..5`."""
    written = re.sub(r"\.{3,}|…", "..", quoted(text))
    return Problem("bare-range", "a range stands in brackets", span, f"write [{written}]")


def dash_range(span: Span, low: str, high: str) -> Problem:
    """A condition cell such as `3-5`, which reads as a subtraction, where a range is meant."""
    message = f"{low}-{high} is {low} minus {high}"
    return Problem("dash-list", message, span, f"write [{low}..{high}] for a range")


def dash_pair(span: Span, low: str, high: str) -> Problem:
    """A list cell such as `3-1`, which reads as a subtraction."""
    message = f"{low}-{high} is {low} minus {high}"
    return Problem("dash-list", message, span, f"write {low} > {high} for a list")


def unknown_escape(written: str, span: Span) -> Problem:
    """A backslash in a text before a character that it means nothing with."""
    message = f"`{quoted(written)}` stands for nothing in a text"
    return Problem("unknown-escape", message, span, "write \\\\ for a backslash")


def number_too_large(span: Span) -> Problem:
    """A literal number outside of what numbers can be."""
    return Problem("number-too-large", "the number is larger or longer than numbers can be", span)


def too_deep(most: int, span: Span) -> Problem:
    """An expression has more levels than `most`; nothing of it is kept."""
    message = f"the expression is nested more than {most} deep"
    return Problem("too-deep", message, span, "write parts of it as steps or formulas of their own")


def too_long(most: int, span: Span) -> Problem:
    """A text has more characters than are parsed."""
    return Problem("too-long", f"the text has more than {most} characters", span)
