"""Lines decoded by their types: answered as with care, or left to it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.answers.answering import Rejected, answer
from dtables.answers.chunks import settle_alone
from dtables.answers.engines import CompiledEngine, compiled_engine, explaining_engine
from dtables.checker import check_book
from dtables.diagnostics import render
from dtables.logs.jsonlines import JsonChunk, RawLine, read_line
from dtables.logs.turns import Turns
from dtables.records import quick
from dtables.records.json import to_json, to_json_line
from dtables.ruleset import Ruleset
from tests.answers.any_log import SOURCES, Source, any_log
from tests.games.games import DUEL
from tests.records.test_quick_json import STRAY
from tests.support.drawing import book_text
from tests.support.thinned import draws

DUELS = next(source for source in SOURCES if source.game is DUEL)
RECORD = (
    '{"turn": 7, "game": "friday", "ask": "turn", "state": {"age": 1, "level": "normal", "direction": "SM", '
    '"conflict": 0, "structure": [{"at": "A1-12", "token": "mythology"}, {"at": "A1-18", "card": "baths"}], '
    '"solo": {"coins": 6, "wonders": [{"wonder": "sphinx", "built": false}], "cards": ["quarry", "stable"]}, '
    '"pantheon": [{"slot": 3, "god": "mars", "mythology": null}], "mythology_decks": {"greek": ["hades"]}, '
    '"house_rules": {"NEED": "GRADED"}}, "played": {"action": "discard"}}'
)


@pytest.fixture
def engine() -> CompiledEngine:
    return DUELS.engine


def typed(engine: CompiledEngine, raw: bytes) -> bytes | None:
    answers = engine.quick
    assert answers is not None
    answered = answers.answer(RawLine(1, raw))
    return None if answered is None else to_json_line(answered.as_plain())


def with_care(engine: CompiledEngine, raw: bytes) -> bytes | None:
    result = answer(engine, read_line(1, raw), Turns())
    return None if isinstance(result, Rejected) else f"{to_json(result.as_plain())}\n".encode()


def changed(old: str, new: str) -> bytes:
    assert RECORD.count(old) == 1, old
    return RECORD.replace(old, new).encode()


# -- what it takes -----------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.game.name)
def test_sound_records__are_all_answered(source: Source) -> None:
    """Also those with labels for names, and with nulls."""
    random, engine = Random(5), source.engine
    for number in range(60):
        ask, state = source.good(random)
        raw = json.dumps({"turn": number, "ask": ask, "state": state}, ensure_ascii=False).encode()
        assert typed(engine, raw) == with_care(engine, raw), raw


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"turn": 7', '"turn": 7'),
        ('"turn": 7', '"turn" :"7:1"'),
        ('"game": "friday"', '"game": ":12:30"'),
        ('"game": "friday", ', ""),
        ('"game": "friday"', '"game": ""'),
        ('"game": "friday"', '"game": null'),
        ('"game": "friday"', '"game": "\\u00e8:\\"\\n\\ud83d\\ude00"'),
        ('"age": 1', '"\\u0061ge": 1'),
        ('"ask": "turn", ', ""),
        ('"ask": "turn"', '"ask": null'),
        (', "played": {"action": "discard"}', ', "played": null'),
        ('"action": "discard"', '"action": null, "win": true, "offering": ["offering_2"]'),
        ('"level": "normal", ', ""),
        ('"level": "normal"', '"level": null'),
        ('"level": "normal"', '"level": " NORMAL"'),
        ('"conflict": 0', '"conflict": -0'),
        ('"greek": ["hades"]', ""),
        ('"greek": ["hades"]', '"roman": [], " GREEK ": ["Hades"]'),
        ('"cards": ["quarry", "stable"]', '"cards": null'),
    ],
)
def test_what_is_sound(engine: CompiledEngine, old: str, new: str) -> None:
    raw = changed(old, new)
    found = typed(engine, raw)
    assert found is not None and found == with_care(engine, raw)


# -- what it leaves alone ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"turn": 7', '"turn": true'),
        ('"turn": 7', '"turn": 7.0'),
        ('"turn": 7', '"turn": null'),
        ('"turn": 7', '"turn": 7, "turn": 8'),
        ('"turn": 7', '"turn": "7:1", "turn": "8"'),
        ('"turn": 7', f'"turn": {2**63}'),
        ('"turn": 7', f'"turn": {"9" * 401}'),
        ('"game": "friday"', '"game": 5'),
        ('"game": "friday"', '"game": "\\u003a"'),
        ('"game": "friday"', '"game": "\\ud800"'),
        ('"turn": 7', '"turn": "\\u003A", "turn": "\\u003a"'),
        ('"age": 1', '"age": 1, "\\u0061ge": 1'),
        ('"game": "friday"', '"name": "friday"'),
        ('"ask": "turn"', '"ask": ""'),
        ('"ask": "turn"', '"ask": "nobody asks this"'),
        ('"ask": "turn"', '"ask": "drawing"'),
        ('"action": "discard"', '"action": "nothing"'),
        ('"action": "discard"', '"no such field": 1'),
        ('"action": "discard"', '"action": "discard", "action": null'),
        ('"age": 1, ', ""),
        ('"age": 1', '"age": 1, "age": 1'),
        ('"age": 1', '"age": null, "age": 1'),
        ('"age": 1', '"age": 4'),
        ('"age": 1', '"age": 1.0'),
        ('"age": 1', '"age": "1"'),
        ('"age": 1', '"age": true'),
        ('"age": 1', '"age": null'),
        ('"age": 1', '"age": NaN'),
        ('"conflict": 0', '"conflict": 9'),
        ('"level": "normal"', '"level": "abnormal"'),
        ('"level": "normal"', '"lever": "normal"'),
        ('"built": false', '"built": false, "built": false'),
        ('"built": false', '"built": 0'),
        ('"built": false', '" turn": null'),
        ('"built": false', '" turn": 1'),
        ('"built": false', '"turn": 1'),
        ('"coins": 6', '"coins": 6, "who": "solo"'),
        ('"coins": 6', '"coins": 6, "who": null'),
        ('"coins": 6', '"coins": 1000'),
        ('"cards": ["quarry", "stable"]', '"cards": ["quarry", null]'),
        ('"cards": ["quarry", "stable"]', '"cards": ["quarry", "quarry"]'),
        ('"cards": ["quarry", "stable"]', '"cards": {}'),
        ('"slot": 3, ', ""),
        ('"slot": 3', '"slot": 7'),
        ('"greek": ["hades"]', '"greek": ["hades"], "greek": []'),
        ('"greek": ["hades"]', '"greek": [], "Greek": []'),
        ('"greek": ["hades"]', '"greek": ["mars"]'),
        ('"greek": ["hades"]', '"greek": null'),
        ('"NEED": "GRADED"', '"NEED": "graded"'),
        ('"NEED": "GRADED"', '"need": "GRADED"'),
        ('"structure": [{"at": "A1-12", "token": "mythology"}, {"at": "A1-18", "card": "baths"}], ', ""),
        ('[{"at": "A1-12", "token": "mythology"}, {"at": "A1-18", "card": "baths"}]', "[]"),
        ('{"action": "discard"}}', '{"action": "discard"}} {'),
        ('{"action": "discard"}}', '{"action": "discard"}'),
        ('{"action": "discard"}', '{"action": {"a": 1, "a": 2}}'),
        ('{"turn": 7', '\ufeff{"turn": 7'),
    ],
)
def test_what_is_not_plain(engine: CompiledEngine, old: str, new: str) -> None:
    assert typed(engine, changed(old, new)) is None


def test_each_turn_is_answered_once(engine: CompiledEngine) -> None:
    """However its record is read; a reject does not use its turn."""
    quick, wrong = changed('"game": "friday"', '"game": "a:b"'), changed('"age": 1', '"age": 4')
    careful = changed('"game": "friday"', '"game": "a\\u003ab"')
    assert typed(engine, quick) is not None and typed(engine, careful) is None
    for first, later in product((quick, careful), repeat=2):
        used = Turns()
        results = [answer(engine, RawLine(1, line), used) for line in (wrong, first, later)]
        assert [isinstance(result, Rejected) for result in results] == [True, False, True], (first, later)
        assert len(used) == 1


def test_bytes_that_are_no_text(engine: CompiledEngine) -> None:
    assert typed(engine, RECORD.encode().replace(b"friday", b"frid\xff")) is None


@settings(max_examples=draws(400), deadline=None)
@given(st.integers(0, len(RECORD)), st.integers(0, 12), STRAY)
def test_a_record_that_was_spoilt(at: int, without: int, stray: str) -> None:
    raw = (RECORD[:at] + stray + RECORD[at + without :]).encode()
    found = typed(DUELS.engine, raw)
    assert found is None or found == with_care(DUELS.engine, raw)


# -- values of every type ----------------------------------------------------------------------

OF_EVERY_TYPE = """
Types: words
  name | names
  colour | red, green, blue

Types: narrowed
  name | of | allowed
  score | whole number | [0..9]
  rate | number | (0..10], 99
  late | date | >= @"2024-02-29"

Record: visit
  field | type | default
  day | date |
  at | time? |
  price | number | 1.5

Input: state
  field | type
FIELDS

Ask: echo ; main: yes
  role | name | is
ANSWERS
"""
TYPES = (
    "whole number", "number", "text", "boolean", "date", "time", "date and time",
    "days and time duration", "years and months duration", "colour", "score", "rate", "late",
    "visit", "number?", "date?", "list of number", "list of time", "list of visit",
    "number by colour", "date and time by colour", "visit by colour", "list of date by colour",
)  # fmt: skip
TEXTS = (
    "", "red", "Red", "a:b", "2024-02-28", "2024-02-29", "2024-02-30", "10:00:00", "10:00", "24:00:00",
    "25:00:00", "10:00:00Z", "10:00:00+01:00", "10:00:00+01:00:00", "10:00:00@Europe/Rome",
    "2024-02-29T10:00:00", "2024-02-29T00:00:00", "2024-02-29T10:00:00+00:00", "-2024-02-29", "P1D", "PT36H",
    "P1Y2M", "P999999999999Y", "1", "2.5", "NaN",
)  # fmt: skip
NUMERALS = (
    "0", "-0", "1", "9", "10", "2.5", "2.50", "1.0", "-0.0", "1e3", "1E-3", "99", "99.0", "1e400", "1e-7000",
    "1e6199", "1e6200", "1e6144", "1e6145", "0.1", "1e-6176", "1e-6177", f"{2**63 - 1}", f"{2**63}",
    f"-{2**63}", f"1{'0' * 22}", "9" * 34, "9" * 35, f"0.{'3' * 34}", f"0.{'3' * 35}", f"{'9' * 34}.5",
    f"{'9' * 33}.50", f"0.{'0' * 40}1", "9" * 400, "9" * 401, "NaN", "Infinity",
)  # fmt: skip


def object_text(pairs: list[tuple[str, str]]) -> str:
    """Keys may be there twice."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"


SINGLE = st.sampled_from([*NUMERALS, *map(json.dumps, TEXTS), "null", "true", "false"])
KEYS = st.sampled_from([*map(json.dumps, ("red", "green", "Red", "day", "at", "price", "pink", "10:00:00"))])
PARTS = st.recursive(
    SINGLE,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.lists(st.tuples(KEYS, inner), max_size=3).map(object_text)
    ),
    max_leaves=5,
)


@cache
def engine_of_every_type() -> CompiledEngine:
    fields = "\n".join(f"  f{number} | {of}?" for number, of in enumerate(TYPES) if not of.endswith("?"))
    optional = "\n".join(f"  f{number} | {of}" for number, of in enumerate(TYPES) if of.endswith("?"))
    answers = "\n".join(f"  answer | a{number} | f{number}" for number in range(len(TYPES)))
    book, found = book_text(
        "\n# Sheet: Rules\n"
        + OF_EVERY_TYPE.replace("FIELDS", f"{fields}\n{optional}").replace("ANSWERS", answers)
    )
    model, more = check_book(book)
    assert model is not None, render((*found, *more))
    rules = Ruleset(model)
    return compiled_engine(model, rules.source)


def line_with(state: str, played: str = "{}") -> bytes:
    return f'{{"turn": "7:1", "state": {state}, "played": {played}}}'.encode()


@settings(max_examples=draws(600), deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(TYPES) - 1), PARTS), max_size=4))
def test_values_of_every_type(values: list[tuple[int, str]]) -> None:
    """Also keys that are there twice."""
    raw = line_with(object_text([(f'"f{number}"', value) for number, value in values]))
    engine = engine_of_every_type()
    found = typed(engine, raw)
    assert found is None or found == with_care(engine, raw)


@settings(max_examples=draws(200), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(['"a0"', '"a1"', '"a4"', '"a16"', '"x"']), PARTS), max_size=3))
def test_what_was_played_of_every_type(values: list[tuple[str, str]]) -> None:
    raw = line_with('{"f0": 1}', object_text(values))
    engine = engine_of_every_type()
    found = typed(engine, raw)
    assert found is None or found == with_care(engine, raw)


@pytest.mark.parametrize(
    ("of", "value"),
    [
        ("number", "2.5"), ("number", "3"), ("number", "1e3"), ("number?", "-0.50"), ("rate", "9.75"),
        ("date", '"2024-02-29"'), ("time", '"10:00:00+01:00"'), ("time", '"10:00:00@Europe/Rome"'),
        ("date and time", '"2024-02-29T10:00:00Z"'), ("days and time duration", '"PT36H"'),
        ("years and months duration", '"P1Y2M"'), ("late", '"2024-03-01"'),
        ("visit", '{"day": "2024-02-29", "at": "10:00:00"}'),
        ("list of visit", '[{"day": "2024-02-29", "price": 0.10}, {"day": "2024-02-28", "at": null}]'),
        ("list of number", "[1, 2.5, 3.0]"), ("date and time by colour", '{"red": "2024-02-29T10:00:00"}'),
    ],
)  # fmt: skip
def test_decimals_and_dates__are_read_at_once(of: str, value: str) -> None:
    raw = line_with(f'{{"f{TYPES.index(of)}": {value}}}', '{"a1": 2.5, "a16": [1, 2.5]}')
    engine = engine_of_every_type()
    found = typed(engine, raw)
    assert found is not None and found == with_care(engine, raw)


# -- with it and without -----------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.game.name)
def test_a_log__comes_to_the_same_bytes(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    chunk = JsonChunk(None, 1, any_log(source, Random(11), 80))
    wanted = settle_alone(source.engine, chunk)
    monkeypatch.setattr(quick, "find_spec", lambda _name: None)
    careful = source.fresh_engine()
    assert careful.quick is None
    assert settle_alone(careful, chunk) == wanted


def test_what_is_explained__is_read_with_care() -> None:
    rules = DUELS.rules
    assert explaining_engine(rules.model, rules.source, "en").quick is None


@pytest.mark.parametrize("mistake", [KeyError, TypeError, AttributeError, ValueError])
def test_a_mistake_of_ours_comes_out(engine: CompiledEngine, mistake: type[Exception]) -> None:
    """It is not answered the careful way, as if the line were only unusual."""

    def broken(*_: object) -> object:
        raise mistake("ours")

    answers = engine.quick
    assert answers is not None
    spoilt = replace(answers, rules=replace(answers.rules, complete=broken))
    with pytest.raises(mistake, match="ours"):
        spoilt.answer(RawLine(1, RECORD.encode()))
