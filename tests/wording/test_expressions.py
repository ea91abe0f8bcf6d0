"""Expressions in words, in both languages."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dtables.model.expressions import Expression
from dtables.model.reach import outermost
from dtables.model.tables import Decision, Formula, Ruleset, Scale
from dtables.wording.clarity import unclear, unclear_criterion, unclear_rule
from dtables.wording.expressions import Expressions
from dtables.wording.grammar import is_plural, joined_articles, negated
from dtables.wording.labels import labels_of
from tests.agreement.worlds import decision, formula, ruleset, scales
from tests.games.games import GAMES
from tests.games.harness import Game
from tests.pages.books import DEPOT, drawn
from tests.support.golden import golden
from tests.support.thinned import draws

GOLDEN = Path(__file__).parent / "golden"
LANGUAGES = ("it", "en")


@cache
def depot(expressions: tuple[str, ...]) -> Ruleset:
    """The depot, with formulas for expressions."""
    row = "  heavy | list of parcel | parcels[weight > 10] | i pacchi pesanti | heavy parcels"
    tried = "\n".join(f"  tried {n} | | {text} | |" for n, text in enumerate(expressions))
    return drawn(DEPOT.replace(row, f"{row}\n{tried}"))


def listed() -> tuple[str, ...]:
    """The expressions of the frozen list."""
    lines = (GOLDEN / "expressions.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith(" "))


def result_of(model: Ruleset, name: str) -> Expression:
    return next(t.result for t in model.tables if isinstance(t, Formula) and t.heading.name == name)


def test_frozen_list() -> None:
    """What each expression reads like: Italian, then English, and why a person should word it."""
    model = depot(listed())
    parts = []
    for n, text in enumerate(listed()):
        node = result_of(model, f"tried {n}")
        said = [Expressions(labels_of(model, language)).say(node) for language in LANGUAGES]
        reason = unclear(node, Expressions(labels_of(model, "en")))
        lines = [text, *(f"    {words}" for words in said), *([f"    ! {reason}"] if reason else [])]
        parts.append("\n".join(lines) + "\n")
    golden(GOLDEN / "expressions.txt", "\n".join(parts))


POLICIES = (
    """
Types: w
  name | names
  colour | red, green

Input: state
  field | type | default | label it | label en
  days | whole number | 0 | giorni | days
  colour | colour | red | colore | colour

"""
    + "".join(
        f"""
Decision: {name} -> {type_} ; policy: {policy}{otherwise}
  if | then
  days | {name}
  > 3 | {first}
  > 7 | {second}
"""
        for name, type_, policy, otherwise, first, second in (
            ("a", "whole number", "first", " ; otherwise: 0", "1", "2"),
            ("b", "whole number?", "first", " ; otherwise: null", "1", "2"),
            ("c", "list of whole number", "first", " ; otherwise: []", "[1]", "[2]"),
            ("d", "boolean", "first", " ; otherwise: no", "yes", "yes"),
            ("e", "whole number", "first", " ; otherwise: days + 1", "1", "2"),
            ("f", "whole number", "any", " ; otherwise: 0", "1", "1"),
            ("g", "whole number", "collect max", " ; otherwise: 0", "1", "2"),
            ("h", "whole number", "collect min", " ; otherwise: 0", "1", "2"),
            ("i", "whole number", "collect sum", "", "1", "2"),
            ("j", "whole number", "collect count", "", "1", "2"),
            ("k", "list of whole number", "collect", "", "1", "2"),
            ("l", "list of whole number", "rule order", "", "1", "2"),
            ("m", "whole number", "first", "", "1", "2"),
            ("r", "colour", "first", " ; otherwise: green", "red", "green"),
        )
    )
    + """
Decision: n -> colour ; policy: priority ; otherwise: red ; priorities: [red, green]
  if | then
  days | n
  > 3 | red
  > 7 | green

Decision: o -> list of colour ; policy: output order ; priorities: [red, green]
  if | then
  days | o
  > 3 | red
  > 7 | green

Decision: p -> whole number ; policy: unique ; otherwise: 0
  if | then
  days | p
  3 | 1
  7 | 2

Decision: q ; policy: first ; otherwise: {first: 0, second: red}
  if | then | then
  days | first | second
  > 3 | 1 | red
  > 7 | 2 | green

Ask: turn ; main: yes
  role | name | is
  answer | a | a
"""
)


def test_decisions__which_rows_count_and_what_holds_where_none_does() -> None:
    model = drawn(POLICIES)
    lines = []
    for table in sorted((t for t in model.tables if isinstance(t, Decision)), key=lambda t: t.heading.name):
        lines.append(f"{table.policy.value} ; otherwise: {table.otherwise and table.otherwise.written}")
        for language in LANGUAGES:
            words = Expressions(labels_of(model, language))
            lines.append(f"    {words.rows_that_count(table)}. {words.otherwise(table) or '-'}")
    golden(GOLDEN / "decisions.txt", "\n".join(lines) + "\n")


# -- both languages ----------------------------------------------------------------------------------


def numbers(text: str) -> Counter[str]:
    return Counter(re.findall(r"\d+(?:[.,]\d+)?", text.replace(",", ".").replace(". ", " ")))


def in_both(model: Ruleset) -> None:
    """Whatever is said of a thing in one language says the same numbers in the other."""
    italian, english = (Expressions(labels_of(model, language)) for language in LANGUAGES)
    for table in model.tables:
        for node in outermost(table):
            assert numbers(italian.say(node)) == numbers(english.say(node)), node.where
        if isinstance(table, Scale):
            for criterion in table.criteria:
                said = [numbers(words.preference(criterion)) for words in (italian, english)]
                assert said[0] == said[1], criterion.cell


@settings(
    max_examples=draws(60),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(st.one_of(formula(), decision(), scales()))
def test_drawn_workbooks__same_numbers(table: str) -> None:
    model = ruleset(table)
    assume(model is not None)
    assert model is not None
    in_both(model)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_games__same_numbers(game: Game) -> None:
    in_both(game.rules.model)


# -- grammar -----------------------------------------------------------------------------------------


def test_articles__are_joined() -> None:
    assert (
        joined_articles("numero di i pacchi, da l'inizio a la fine")
        == "numero dei pacchi, dall'inizio alla fine"
    )
    assert joined_articles("di solito il primo") == "di solito il primo"


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("SOLO can pay for it", "en", "SOLO cannot pay for it"),
        ("the player has five symbols", "en", "the player does not have five symbols"),
        ("the Automa has taken it", "en", "the Automa has not taken it"),
        ("it wins at once", "en", "it does not win at once"),
        ("the card that is free can be taken", "en", None),
        ("cannot pay", "en", None),
        ("fragile", "en", None),
        ("l'Automa l'ha già fatta", "it", "l'Automa non l'ha già fatta"),
        ("ne è già stato stampato uno", "it", "non ne è già stato stampato uno"),
        ("SOLO vincerebbe", "it", "SOLO non vincerebbe"),
    ],
)
def test_clause__is_denied_by_its_verb(text: str, language: str, expected: str | None) -> None:
    assert negated(text, language) == expected


def test_labels__one_or_many() -> None:
    many = [
        ("victory points of the card", "en"),
        ("cards it uncovers", "en"),
        ("monete", "it"),
        ("i punti", "it"),
    ]
    one = [("cost", "en"), ("distance", "en"), ("la merce", "it"), ("valore", "it"), ("", "it"), ("s", "en")]
    assert all(is_plural(*label) for label in many)
    assert not any(is_plural(*label) for label in one)


# -- scales and decisions ------------------------------------------------------------------------------


def test_scale__preferences_without_wording() -> None:
    model = drawn(DEPOT)
    scale = next(t for t in model.tables if isinstance(t, Scale))
    wanted = {
        "it": "prima: fragile|maggior peso|prima: non fragile|"
        "colore in quest'ordine: blu › rossa › verde › ambra|a caso",
        "en": "first: fragile|highest weight|first: not fragile|"
        "colour in this order: blue › red › green › amber|by chance",
    }
    only_for = {
        "it": ["solo per rossa o ambra", "solo per verde"],
        "en": ["only for red or amber", "only for green"],
    }
    for language, phrases in wanted.items():
        words = Expressions(labels_of(model, language))
        assert [words.preference(c) for c in scale.criteria] == phrases.split("|")
        assert [words.only_for(c.concerns) for c in scale.criteria if c.concerns] == only_for[language]
        assert {unclear_criterion(c, words) for c in scale.criteria} == {""}


def test_condition_of_a_decision() -> None:
    model = drawn(DEPOT)
    toll = next(t for t in model.tables if isinstance(t, Decision) and t.heading.name == "toll")
    weight, tests = toll.subjects[1].value, toll.rules[0].conditions[1].tests
    wording = Expressions(labels_of(model, "en"))
    assert wording.test("weight", weight, tests) == "weight > 10"
    assert {unclear_rule(toll, rule, wording) for rule in toll.rules} == {""}
