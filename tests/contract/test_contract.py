"""What a contract says of a workbook, held to the engine that answers: fields, needs, defaults, choices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dtables.contract import Contract, FieldContract, Needed, Nested, contract_of
from dtables.feel.types import ListType, MapType, RecordType, Type, VocabularyType, describe, plain
from dtables.records.findings import RecordError
from dtables.ruleset import Ruleset, load
from tests.pages.books import drawn

TABLES = Path(__file__).parents[2] / "tables"
BOOKS = sorted(path.stem for path in TABLES.glob("*.xlsx"))

TOWN = """
# Sheet: Words
Types: words
name | names
colour | red, dark_green

Types: numbers
name | of | allowed | names
age | whole number | [0..120] |

Glossary: words
kind | id | label it | label en
colour | red | rosso | red
term | towns | Le città | The towns

# Sheet: Input
Record: person
field | type | default | label en
age | age | 30 | how old
name | text? | |

Input: state
field | type | default | allowed | label it | label en | help en
colour | colour | | | il colore | the colour | Of the door.
people | list of person | [] | | | |
coins | whole number by colour | {red: 2} | | | |
price | number | 2.5 | > 0 | | |
half | number? | | | | |
roll | whole number? | | | | |

Settings: house rules
switch | default | other values | text en
OPEN | YES | NO | the door is open

# Sheet: Rules
Ask: turn ; main: yes
role | name | is | text en | recorded in
need | colour | | |
need some | people | | |
draw | one | [1, 2] | the die | state.roll
answer | one | one | what came |
answer | total | price + coins.red + count(people) | |
answer | door | if OPEN = YES then colour else null | |
answer | inner | for c in [1, 2] return other(c) | |
next | other ask | | when it is late |

Ask: other(n: whole number)
role | name | is
answer | doubled | n * 2

Ask: other ask
role | name | is
answer | grown | half

# Sheet: Tests
Checks: state
each | wrong if | text en
people | item.age > 100 | nobody so old
"""


@cache
def rules(name: str) -> Ruleset:
    return load(TABLES / f"{name}.xlsx")


@cache
def contract(name: str) -> Contract:
    return contract_of(rules(name).model, "en")


@pytest.mark.parametrize("name", BOOKS)
def test_examples_say_nothing_else(name: str) -> None:
    """Every key of every example stands in the contract, under its path and of its type."""
    book = contract(name)

    def look(value: object, type_: Type, at: str) -> None:
        match plain(type_), value:
            case (ListType(item=item), list()):
                for one in value:
                    look(one, item, at)
            case (MapType(value=of), dict()):
                for key, one in value.items():
                    look(one, of, f"{at}.{key}")
            case (RecordType(name=record), dict()):
                look_in(value, book.record(record), at)

    def look_in(given: dict[str, Any], fields: tuple[FieldContract, ...], at: str) -> None:
        known = {field.path: field for field in fields}
        assert given.keys() <= known.keys(), at
        for key, one in given.items():
            look(one, known[key].type, f"{at}.{key}")

    examples = [row for table in rules(name).model.examples if table.ask for row in table.rows]
    for row in examples:
        if row.rejected is None:
            assert isinstance(row.given, dict)
            look_in(row.given, book.state, "state")


def answered(name: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """The first examples that are answered: ask, state, answer."""
    for table in rules(name).model.examples:
        for row in table.rows[:3] if table.ask else ():
            if row.rejected is None and isinstance(row.given, dict):
                yield table.ask or "", row.given, rules(name).answer(table.ask, row.given)


@pytest.mark.parametrize("name", BOOKS)
def test_a_default_is_as_good_as_nothing(name: str) -> None:
    for ask, state, answer in answered(name):
        left_out = [f for f in contract(name).state if f.default is not None and f.path not in state]
        given = {field.path: field.default.value for field in left_out if field.default is not None}
        assert rules(name).answer(ask, {**given, **state}) == answer, (ask, sorted(given))


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_always_needed_is_missed(name: str) -> None:
    for ask, state, _ in answered(name):
        reads = next(one.reads for one in contract(name).asks if one.name == ask)
        needs = {f.path for f in reads if f.needed in (Needed.NOT_EMPTY, Needed.EVERY_NAME)}
        for path in needs & state.keys():
            with pytest.raises(RecordError) as missed:
                rules(name).answer(ask, {key: value for key, value in state.items() if key != path})
            assert missed.value.findings[0].path.startswith(f"state.{path}"), path


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_typed_means_its_name(name: str) -> None:
    """A label that a form offers is read as the name it stands for."""
    for language in ("it", "en"):
        book = contract_of(rules(name).model, language)
        for ask, state, answer in answered(name):
            typed = {
                field.path: choice.typed
                for field in book.state
                if isinstance(of := plain(field.type), VocabularyType) and field.path in state
                for choice in book.choices(of.name)
                if choice.value == state[field.path]
            }
            assert rules(name).answer(ask, {**state, **typed}) == answer, typed


@pytest.mark.parametrize("name", BOOKS)
def test_it_is_plain(name: str) -> None:
    """Types by their names, so that a schema or a page can be made of it."""
    text = json.dumps(asdict(contract(name)) | {"given_by_place": None}, default=str)
    assert contract(name).asks[0].name in text


def test_a_small_book() -> None:
    town = contract_of(drawn(TOWN), "en")
    assert [ask.name for ask in town.asks] == ["turn", "other ask"] and town.asks[0].main
    reads = [(field.path, describe(field.type), field.needed, field.about) for field in town.asks[0].reads]
    assert reads == [
        ("colour", "colour?", Needed.ALWAYS, "the colour: Of the door."),
        ("people", "list of person", Needed.NOT_EMPTY, ""),
        ("price", "number", Needed.DEFAULT, ""),
        ("coins", "whole number by colour", Needed.DEFAULT, ""),
        ("roll", "whole number?", Needed.DRAWN, "the die"),
    ]
    defaults = {field.path: field.default for field in town.state if field.default is not None}
    assert {path: (default.value, default.text) for path, default in defaults.items()} == {
        "people": ([], "[]"),
        "coins": ({"red": 2}, "{red: 2}"),
        "price": (Decimal("2.5"), "2.5"),
    }
    price = next(field for field in town.state if field.path == "price")
    assert (price.allowed, price.title, price.label) == ("> 0", "price", "")
    assert [(choice.value, choice.typed) for choice in town.choices("colour")] == [
        ("red", "red"), ("dark_green", "dark_green"),
    ]  # fmt: skip
    age, name = town.record("person")
    assert (age.title, age.default and age.default.value, name.needed) == ("how old", 30, Needed.UNKNOWN)
    rule = town.rule(age.type)
    assert rule is not None and (describe(rule.type), rule.allowed) == ("whole number", "[0..120]")
    (switch,) = town.switches
    assert [value for value, _ in switch.values] == ["YES", "NO"] and switch.default == "YES"
    assert [(check.text, check.places) for check in town.checks] == [("nobody so old", ("state.people",))]


def test_answers_of_a_small_book() -> None:
    town = contract_of(drawn(TOWN), "en")
    turn = town.asks[0]
    inner = next(answer for answer in turn.answers if answer.name == "inner")
    assert isinstance(inner.of, Nested) and inner.of.listed == 1
    assert [answer.name for answer in inner.of.answers] == ["doubled"]
    assert [(one.ask, one.when) for one in turn.next] == [("other ask", "when it is late")]
    assert turn.switches == ("OPEN",)


def test_labels_are_of_the_language() -> None:
    """Where a label cannot be read back the id stands."""
    italian = contract_of(drawn(TOWN), "it")
    assert [choice.typed for choice in italian.choices("colour")] == ["rosso", "dark_green"]
    assert italian.state[0].title == "il colore"
