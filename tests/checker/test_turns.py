"""Turns, cases and terms as the model has them; what their broken cells say stands in tests/cases/broken."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.diagnostics import Severity
from dtables.model.tables import Decision, OutcomeKind, Policy, Ruleset
from dtables.model.vocabularies import Heading
from tests.agreement.engines import Engines
from tests.support.rulesets import drawn, ruleset

WORDS = """
Types: words
  name | names
  move | build, buy, take
  city | roma, ostia, capua

Record: plan
  field | type | default
  move | move |
  where | city? | null
  cost | whole number | 0

Input: state
  field | type | default
  coins | whole number | 0
  cities | list of city | []
  plans | list of plan | []
"""


def book(text: str) -> Ruleset:
    return ruleset(f"{WORDS}\n{text}")


def outcomes(text: str, **given: Any) -> Any:
    """What every engine says, held to the steps read one by one."""
    return Engines(book(text)).call("tried", given)[1]


def test_steps_of_people() -> None:
    (turn,) = book(
        """
Turno: turno del bot ; fase: turno ; domanda: turn ; stampa: mai
  passo | chi | se | se it | testo it | testo en | con | poi | icona | fonte | fase
  1 | bot | coins > 3 | ricco | Compra. | Buys. | costs, plan | fine se | coin | A-1, A-2 |
  2 | tu | | | Tu. | You. | | di nuovo 1 | | |
  3 | entrambi | - | | Fine. | End. | | fine | | | fine partita
  3a | | | | Poi. | Then. | | 3 | | | fine partita

Formulas: sums
  name | is
  costs | coins + 1

Ask: turn
  role | name | is
  answer | costs | costs
"""
    ).turns
    assert (turn.heading.printed, turn.attempts, turn.runs, turn.phase, turn.ask) == (
        "never", False, False, "turno", "turn",
    )  # fmt: skip
    assert [(s.number, s.phase, s.who, s.onward.value, s.onward_step) for s in turn.steps] == [
        ("1", "turno", "bot", "end if", ""),
        ("2", "turno", "you", "again", "1"),
        ("3", "fine partita", "both", "end", ""),
        ("3a", "fine partita", "", "go to", "3"),
    ]
    first = turn.steps[0]
    assert (first.along, first.source, first.icon) == (("costs", "plan"), ("A-1", "A-2"), "coin")
    assert (len(first.conditions), first.condition_words) == (1, (("it", "ricco"),))
    assert [(s.rule, s.attempt) for s in turn.steps] == [(None, None)] * 4


def test_steps_that_run_are_a_decision() -> None:
    model = book(
        """
Turn: action(most: whole number) -> move ; otherwise: take
  step | if | if | then | text en | failed en
  | coins | | | |
  1 | >= 5 | cities != [] | | Somebody looks. |
  2 | >= most | | build | Builds. | too dear
  3 | < most | coins > 1 | if coins > 2 then buy else null | Buys. |
"""
    )
    (turn,), (decision,) = model.turns, model.tables
    assert isinstance(decision, Decision)
    assert [(step.rule, len(step.conditions)) for step in turn.steps] == [(None, 2), (0, 0), (1, 0)]
    assert (decision.policy, decision.outcomes[0].kind) == (Policy.FIRST, OutcomeKind.TAKE)
    assert [(rule.number, rule.step, len(rule.conditions)) for rule in decision.rules] == [
        ("2", True, 2), ("3", True, 2),
    ]  # fmt: skip


ALWAYS = """
Attempts: tried -> move
  step | if | then
  | coins |
  build | > 3 | build
  take | | take
"""


def test_the_last_step_may_be_sure_to_work() -> None:
    (decision,) = book(ALWAYS).tables
    assert isinstance(decision, Decision)
    assert decision.outcomes[0].kind is OutcomeKind.THEN


def test_tried__names_in_cells_heads_and_otherwise() -> None:
    text = """
Attempts: tried ; otherwise: tried
  step | if | if | then
  | count(tried) | coins | before
  a | 0 | > 3 | tried
  b | 0 | | tried
  c | 1, 2 | > 2 | append(tried, "c")
"""
    assert outcomes(text, coins=4) == "[]"
    assert outcomes(text, coins=3) == "['a', 'b', 'c']"
    assert outcomes(text, coins=0) == "['a', 'b', 'c']"


def test_tried__items_of_all_lists() -> None:
    text = """
Attempts: tried
  step | each | if | if | then | then
  | | item | | city | before
  a | [roma, ostia] | capua | | item | tried
  b | | | coins = 9 | roma | tried
  c | cities | not(roma) | count(tried) > coins | item | tried
"""
    text = text.replace("[roma, ostia]", "each city[item != capua]")
    assert outcomes(text, coins=9, cities=["capua"]) == "{'city': 'roma', 'before': ['roma', 'ostia']}"
    assert outcomes(text, coins=2, cities=["roma", "ostia", "capua"]) == (
        "{'city': 'ostia', 'before': ['roma', 'ostia', 'roma']}"
    )
    assert outcomes(text, coins=4, cities=["roma", "ostia", "capua"]) == "None"


def test_an_item_that_works_ends_the_search() -> None:
    """What would fail for a later item fails nobody."""
    text = """
Attempts: tried
  step | each | then
  | |
  a | plans | if cost > 0 then 10 / (cost - 3) else null
"""
    plans = [{"move": "buy"}, {"move": "buy", "cost": 5}, {"move": "buy", "cost": 3}]
    assert outcomes(text, plans=plans) == "5"


@pytest.mark.parametrize("each", [False, True])
def test_several_outcomes_make_a_record(each: bool) -> None:
    column, cell, where = (" | each", " | cities", "item") if each else ("", "", "cities[1]")
    text = f"""
Attempts: tried -> plan?
  step{column} | if | then | then
  |{" |" if each else ""} coins | move | where
  a{cell} | > 3 | if cities[1] = roma then null else build | {where}
  b{cell} | > 1 | buy | {where}
"""
    assert outcomes(text, coins=4, cities=["ostia"]) == "{'move': 'build', 'where': 'ostia', 'cost': 0}"
    assert outcomes(text, coins=4, cities=["roma"]) == "{'move': 'buy', 'where': 'roma', 'cost': 0}"
    assert outcomes(text, coins=0, cities=["roma"]) == "None"


def test_fields_of_an_item_are_read_bare() -> None:
    text = """
Attempts: tried
  step | each | if | then
  | | cost |
  a | plans | > coins | move
"""
    plans = [{"move": "buy", "cost": 1}, {"move": "build", "cost": 3}]
    assert outcomes(text, coins=2, plans=plans) == "'build'"


def test_steps_that_call_one_another_in_a_circle() -> None:
    _, found = drawn(
        f"""{WORDS}
Attempts: one
  step | then
  |
  a | two

Attempts: two
  step | then
  |
  a | one
"""
    )
    assert {d.code for d in found if d.severity is Severity.ERROR} >= {"circle"}


def test_cases() -> None:
    named, free = book(
        """
Cases: gifts ; key: city ; print: inside words of it
  key | text en | with | icon
  Roma | Nothing. | others | house
  ostia | Something. | |

Cases: others
  key it | key en | text en
  Chi | Who | One word.
  capua | | A name of some vocabulary.

Terms: words of it
  term it | term en | text en | example en | source
  moneta, monete | coin, coins | Money. | 3 coins | B-1

Glossary: words
  kind | id | label en | label it
  city | roma | Roma | Roma
"""
    ).cases
    assert (named.key, named.heading.printed) == ("city", "inside words of it")
    assert [(c.key, c.vocabulary, dict(c.label), c.along, c.icon) for c in named.rows] == [
        ("roma", "city", {"it": "Roma", "en": "Roma"}, ("others",), "house"),
        ("ostia", "city", {}, (), ""),
    ]
    assert [(c.key, c.vocabulary, c.label) for c in free.rows] == [
        ("Chi", None, (("it", "Chi"), ("en", "Who"))),
        ("capua", "city", ()),
    ]


def test_terms() -> None:
    (table,) = book(
        """
Termini: parole
  termine it | termine en | testo it | esempio it | con | fonte
  moneta, monete | coin | Denaro. | 3 monete | plan | B-1
"""
    ).definitions
    (row,) = table.rows
    assert row.forms == (("it", "moneta, monete"), ("en", "coin"))
    assert (row.words, row.example) == ((("it", "Denaro."),), (("it", "3 monete"),))
    assert (row.along, row.source) == (("plan",), ("B-1",))


def test_faces_of_pages() -> None:
    (pages,) = book(
        ALWAYS
        + """
Pagine: fogli
  faccia | tabella | posto | lettera
  1a | tried | in alto | T

Pages: sheets
  page | table | place
  2 | tried | foot
"""
    ).pages[:1]
    (row,) = pages.rows
    assert [row.setting(name) for name in ("face", "page", "place", "letter")] == ["1a", "1a", "top", "T"]


def test_printed__by_the_heading() -> None:
    model = book("Formulas: sums ; print: never\n  name | is\n  costs | coins + 1")
    assert [table.heading.printed for table in model.tables] == ["never"]
    assert Heading("x", model.tables[0].heading.where).printed == "block"
