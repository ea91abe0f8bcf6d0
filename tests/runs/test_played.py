"""What was played must be something that can be played."""

from __future__ import annotations

from pathlib import Path

import pytest

import dtables
from dtables.ruleset import Ruleset
from dtables.runs.answers import Answered, answer_log
from dtables.runs.engines import compiled_engine
from dtables.runs.jsonlines import Line

BOOK = Path(__file__).parents[2] / "tables" / "duel.xlsx"


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return dtables.load(BOOK)


def findings(rules: Ruleset, ask: str, played: object) -> list[str]:
    state = {"side": "solo", "card": "walls", "age": 1, "level": "easy", "conflict": 0, "solo": {"coins": 3}}
    record = {
        "turn": 1,
        "ask": ask,
        "state": {"level": "easy"} if ask == "level" else state,
        "played": played,
    }
    (result,) = answer_log(compiled_engine(rules.model, rules.source), [Line(1, record, None)])
    return [] if isinstance(result, Answered) else [str(finding) for finding in result.findings]


@pytest.mark.parametrize(
    ("ask", "played", "says"),
    [
        ("cost", {"pay": 3, "free": None}, []),
        ("cost", {"pay": "3"}, ['played.pay: found "3", wanted whole number']),
        ("cost", {"pay": True}, ["played.pay: found true, wanted whole number"]),
        ("cost", {"free": 1, "pay": 2.5}, ["played.pay: found 2.5, wanted whole number",
                                           "played.free: found 1, wanted boolean"]),
        ("level", {"free_card": [1, 0, 0]}, []),
        ("level", {"free_card": [1, "0", 0]}, ['played.free_card[1]: found "0", wanted whole number']),
        ("level", {"colour": "red"}, ['played.colour: found the unknown key "colour", wanted a key']),
    ],
)  # fmt: skip
def test_values(rules: Ruleset, ask: str, played: object, says: list[str]) -> None:
    assert findings(rules, ask, played) == says


def test_names_are_those_of_the_field(rules: Ruleset) -> None:
    engine = compiled_engine(rules.model, rules.source)
    assert engine.misplayed("turn", {"wonder": "Piramidi", "card": "Caserma", "action": "wonder"}) != ()
    assert engine.misplayed("turn", {"wonder": "PIRAMIDI", "card": "walls", "at": "A1-20"}) == ()
    (found,) = engine.misplayed("turn", {"wonder": "Piramid"})
    assert str(found) == 'played.wonder: found "Piramid", wanted wonder; did you mean "Piramidi"?'


def test_ask_that_is_no_text(rules: Ruleset) -> None:
    for ask in (3, [], {"a": 1}):
        for answer in (rules.answer, rules.explain):
            with pytest.raises(dtables.RecordError) as error:
                answer(ask, {})
            assert (error.value.path, error.value.wanted) == ("ask", "text")
