"""Whatever is typed, the parser says what is wrong; it never falls over."""

from __future__ import annotations

import re
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.feel.syntax.messages import PROBLEMS
from dtables.feel.syntax.parser import (
    Dialect,
    KnownNames,
    parse_expression,
    parse_list,
    parse_tests,
    parse_type,
)
from dtables.feel.syntax.printer import print_expression
from tests.support.thinned import draws

KNOWN = KnownNames(["wonder cap", "a+b", "A2-01", "date and time", "x"])
PIECES = re.split(
    " ",
    'x y wonder cap 1 2.5 .5 1e3 "t" " @ ( ) [ ] { } < <= > >= = != == <> + - * / ** . .. , ; : ? -> '
    "and or not in between if then else for return some every satisfies function external instance of list "
    "each ranking yes no null true é 🐎 \\ ' & % ^ | // /* */ \n a+b A2-01",
)
texts = st.lists(st.sampled_from(PIECES), max_size=14).flatmap(
    lambda pieces: st.sampled_from([" ", ""]).map(lambda between: between.join(pieces))
) | st.text(max_size=12)


@settings(max_examples=draws(400), deadline=None)
@given(texts, st.sampled_from(Dialect))
def test_parse__any_text(text: str, dialect: Dialect) -> None:
    for parse in (parse_expression, parse_tests, parse_list, parse_type):
        found, problems = parse(text, KNOWN, dialect)
        assert found is not None or problems
        for problem in problems:
            assert 0 <= problem.span.start <= problem.span.end <= len(text)
            assert problem.code in PROBLEMS
            for words in (problem.message, problem.hint or ""):
                assert "\n" not in words and not words.endswith(".") and len(words) < 200


@settings(max_examples=draws(400), deadline=None)
@given(texts)
def test_print__of_what_was_read_reads_the_same(text: str) -> None:
    found, problems = parse_expression(text, KNOWN)
    if found is not None and not problems:
        assert parse_expression(print_expression(found), KNOWN) == (found, ())


@pytest.mark.parametrize(
    "text", ["a b " * 8000, "(x" * 60, "x" * 32_000, "1" * 20_000, '"' + "\\u0041" * 5000 + '"']
)
def test_parse__long_texts_end_soon(text: str) -> None:
    """In hundredths of a second; were it not for the length alone, in minutes."""
    began = process_time()
    for parse in (parse_expression, parse_tests, parse_list, parse_type):
        found, problems = parse(text, KNOWN)
        assert problems or found is not None
    assert process_time() - began < 10
