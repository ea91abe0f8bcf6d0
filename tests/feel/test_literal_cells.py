"""Cells of plain literals: what is read without the grammar is what the grammar reads, spans included."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.feel.syntax import parser
from dtables.feel.syntax.literal_cells import plain_expression, plain_tests
from dtables.feel.syntax.parser import Dialect, KnownNames, parse_expression, parse_tests
from tests.support.thinned import draws

KNOWN = KnownNames(
    [
        "gold",
        "gold coin",
        "Statua di Zeus",
        "3 of a kind",
        "yes sir",
        "-x",
        "A2-01",
        "some",
        "x",
        "no",
        "(a",
        "è",
    ]
)
PIECES = re.split(
    " ",
    "gold gold·coin coin Statua·di·Zeus 3·of·a·kind 3 of 1 22 2.50 1.0 .5 -7 - -x x A2-01 1e3 123456789 "
    '"t" "a,·b" "\\n" " @"2026-11-18" @ yes no true false null sir if some not è ( (a [ ] ) .. , , , ; '
    "< <= > >= = != == + \n ? each ranking",
)
texts = st.lists(st.sampled_from([piece.replace("·", " ") for piece in PIECES]), max_size=7).flatmap(
    lambda pieces: st.sampled_from([" ", "", "  "]).map(lambda between: between.join(pieces))
)
literal = st.sampled_from(
    ["3", "-3", "2.5", "1.0", '"t"', '@"2026-11-18"', "gold", "gold coin", "yes", "no", "true"]
)
cells = st.lists(
    st.one_of(
        literal,
        st.builds("{}{}".format, st.sampled_from(["<", "<= ", ">", ">= ", "= ", "!="]), literal),
        st.builds("{}{}..{}{}".format, st.sampled_from("[("), literal, literal, st.sampled_from(")]")),
    ),
    min_size=1,
    max_size=4,
).flatmap(lambda tests: st.sampled_from([",", ", ", " , "]).map(lambda comma: comma.join(tests)))


def by_grammar(monkeypatch: pytest.MonkeyPatch, text: str, parse: Any) -> Any:
    with monkeypatch.context() as patched:
        patched.setattr(parser, "_may_be_plain", lambda *_: False)
        return parse(text, KNOWN)


def spelled(node: Any) -> str:
    """With the spans, which are no part of what nodes are."""
    if isinstance(node, tuple):
        return "(" + ", ".join(map(spelled, node)) + ")"
    if not hasattr(node, "__dataclass_fields__"):
        return repr(node)
    parts = {name: spelled(getattr(node, name)) for name in node.__dataclass_fields__}
    return f"{type(node).__name__}{parts}"


@settings(max_examples=draws(500), deadline=None)
@given(texts | cells)
def test_plain__reads_as_the_grammar_does(text: str) -> None:
    monkeypatch = pytest.MonkeyPatch()
    for read, parse in ((plain_tests, parse_tests), (plain_expression, parse_expression)):
        found = read(text, KNOWN)
        if found is not None:
            node, problems = by_grammar(monkeypatch, text, parse)
            assert (spelled(found), problems) == (spelled(node), ())


@pytest.mark.parametrize(
    "text",
    ["3", "-3", ">= 2.5", "[1..4)", "gold", "gold, gold coin", "-", "", "yes", '< @"2026-11-18"', '"a, b"'],
)
def test_plain__what_large_tables_hold(text: str) -> None:
    assert plain_tests(text, KNOWN) is not None


@pytest.mark.parametrize(
    "text", ["no", "-x", "3 of a kind", "(a", "some", "x + 1", "gold,", "null", "1e3", "[3"]
)
def test_plain__what_is_left_to_the_grammar(text: str) -> None:
    assert plain_tests(text, KNOWN) in (None, parse_tests(text, KNOWN)[0])


def test_plain__the_standard_has_other_words() -> None:
    assert parse_expression("yes", KnownNames(), Dialect.STANDARD) != parse_expression("yes", KnownNames())
