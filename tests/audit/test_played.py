"""What was played must be something that can be played."""

from __future__ import annotations

from pathlib import Path

import pytest

import dtables
from dtables.answers.answering import AnsweredRecord, answer_log
from dtables.answers.engines import compiled_engine
from dtables.checker import check_book
from dtables.logs.jsonlines import read_lines
from dtables.records.json import LogLine
from dtables.ruleset import Ruleset
from tests.support.drawing import book_text

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
    (result,) = answer_log(compiled_engine(rules.model, rules.source), [LogLine(1, record, None)])
    return [] if isinstance(result, AnsweredRecord) else [str(finding) for finding in result.findings]


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
        ("level", {"colour": "red"}, ['played.colour: found the unknown key "colour", wanted one of '
                                "nudge, free_card, god_discount, start_coins, wonder_cap"]),
    ],
)  # fmt: skip
def test_values(rules: Ruleset, ask: str, played: object, says: list[str]) -> None:
    assert findings(rules, ask, played) == says


def test_names_are_those_of_the_field(rules: Ruleset) -> None:
    engine = compiled_engine(rules.model, rules.source)
    assert engine.misplayed("turn", {"wonder": "Piramidi", "card": "Caserma", "action": "wonder"})
    assert not engine.misplayed("turn", {"wonder": "PIRAMIDI", "card": "walls", "at": "A1-20"})
    (found,) = engine.misplayed("turn", {"wonder": "Piramid"})
    assert str(found) == 'played.wonder: found "Piramid", wanted wonder; did you mean "Piramidi"?'


RECORDS = """
Types: words
  name | names
  colour | red, green

Record: piece
  field | type | default | allowed | is
  colour | colour | needed | |
  size | whole number | needed | [1..3] |
  note | text? | | |
  large | boolean | | | size = 3

Input: state
  field | type
  pieces | list of piece

Formulas: small
  name | type | is
  biggest | piece? | pieces[size = 3][1]

Ask: pick ; main: yes
  role | name | is
  need | pieces |
  answer | piece | biggest
  answer | others | pieces[size < 3]
  answer | told | {first: biggest, count: count(pieces)}
"""


@pytest.mark.parametrize(
    ("played", "says"),
    [
        ({"piece": {"colour": "Red"}, "others": [{"size": 2}, {}], "told": {"count": 1}}, []),
        ({"piece": {"colour": "red", "size": 3, "note": None}}, []),
        ({"piece": "red"}, ['played.piece: found "red", wanted piece']),
        ({"piece": {"size": "3"}}, ['played.piece.size: found "3", wanted whole number']),
        ({"piece": {"size": 4}}, ["played.piece.size: found 4, wanted whole number [1..3]"]),
        ({"piece": {"colour": "blue"}}, ['played.piece.colour: found "blue", wanted colour']),
        ({"piece": {"sise": 3}}, ['played.piece.sise: found the unknown key "sise", wanted a key; '
                                  'did you mean "size"?']),
        ({"piece": {"large": True}}, ['played.piece.large: found the unknown key "large", wanted one of '
                                      "colour, size, note"]),
        ({"others": [{"note": 5}, None]}, ["played.others[0].note: found 5, wanted text",
                                           "played.others[1]: found null, wanted piece"]),
        ({"told": {"first": {"size": True}}}, ["played.told.first.size: found true, wanted whole number"]),
    ],
)  # fmt: skip
def test_what_stands_inside_records(played: dict[str, object], says: list[str]) -> None:
    """Parts may be left out; what is there is held to its field."""
    book, found = book_text(f"# Sheet: Rules\n{RECORDS}")
    model, more = check_book(book)
    assert model is not None, (*found, *more)
    rules = Ruleset(model)
    state = {"pieces": [{"colour": "red", "size": 3}, {"colour": "green", "size": 1, "note": "n"}]}
    answer = rules.answer(None, state)
    told = []
    for given in (answer, played):
        line = LogLine(1, {"turn": 1, "state": state, "played": given}, None)
        (result,) = answer_log(compiled_engine(rules.model, rules.source), [line])
        told.append(
            [] if isinstance(result, AnsweredRecord) else [str(finding) for finding in result.findings]
        )
    assert told == [[], says]


@pytest.mark.parametrize("sample", sorted(BOOK.parent.glob("*.sample.jsonl")), ids=lambda path: path.name)
def test_every_answer_can_be_played(sample: Path) -> None:
    rules = dtables.load(sample.with_name(sample.name.replace(".sample.jsonl", ".xlsx")))
    engine = compiled_engine(rules.model, rules.source)
    for line in read_lines(sample):
        assert line.record is not None
        ask, state = line.record.get("ask") or rules.main_ask, line.record["state"]
        answer = {name: value for name, value in rules.answer(ask, state).items() if name != "any_of"}
        assert not engine.misplayed(ask, answer)


def test_ask_that_is_no_text(rules: Ruleset) -> None:
    for ask in (3, [], {"a": 1}):
        for answer in (rules.answer, rules.explain):
            with pytest.raises(dtables.RecordError) as error:
                answer(ask, {})
            assert (error.value.path, error.value.wanted) == ("ask", "text")
