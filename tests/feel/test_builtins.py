"""The list of built-ins: its examples, its page, and what each entry promises."""

from __future__ import annotations

import keyword
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from dtables.feel import types
from dtables.feel.builtins import BUILTINS, BY_NAME, Builtin, as_function, builtins_page, clock_at
from dtables.feel.types import ANY, BOOLEAN, NUMBER, TEXT, WHOLE, ListType, Type, optional
from dtables.feel.values import FeelError, equal, instance_of, parse_date_time
from tests.feel.interpreter import value_of

PAGE = Path(__file__).parents[2] / "docs" / "builtins.md"
EXAMPLES = [(entry, text, wanted) for entry in BUILTINS for text, wanted in entry.examples]


@pytest.mark.parametrize(("entry", "text", "wanted"), EXAMPLES, ids=[text for _, text, _ in EXAMPLES])
def test_examples(entry: Builtin, text: str, wanted: str) -> None:
    assert text.startswith(f"{entry.name}(")
    assert equal(value_of(text), value_of(wanted)) is True


@pytest.mark.parametrize("entry", BUILTINS, ids=[entry.name for entry in BUILTINS])
def test_entries__are_complete(entry: Builtin) -> None:
    assert entry.doc
    assert not entry.doc.endswith(".")
    assert entry.examples or entry.name in ("now", "today")
    for signature in entry.signatures:
        assert [p for p in signature.parameters if p.variadic] in ([], list(signature.parameters[-1:]))
        left_out = [p.optional for p in signature.parameters]
        assert left_out == sorted(left_out)


@pytest.mark.parametrize("entry", BUILTINS, ids=[entry.name for entry in BUILTINS])
def test_meanings__can_be_imported_by_name(entry: Builtin) -> None:
    name = entry.meaning.__name__
    assert getattr(import_module(entry.meaning.__module__), name) is entry.meaning
    assert not keyword.iskeyword(name)
    assert not hasattr(__builtins__, name)


def test_names__are_unique() -> None:
    assert len(BY_NAME) == len(BUILTINS)
    assert max(Counter(entry.meaning.__name__ for entry in BUILTINS).values()) == 1


def test_page__is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == builtins_page(), "write builtins_page() to docs/builtins.md"


def test_standard__names_every_function_of_the_standard() -> None:
    wanted = """date, date and time, time, number, string, duration, years and months duration, not,
        substring, string length, upper case, lower case, substring before, substring after, replace,
        contains, starts with, ends with, matches, split, string join, list contains, count, min, max,
        sum, mean, all, any, sublist, append, concatenate, insert before, remove, reverse, index of, union,
        distinct values, flatten, product, median, stddev, mode, list replace, decimal, floor, ceiling,
        round up, round down, round half up, round half down, abs, modulo, sqrt, log, exp, odd, even, is,
        before, after, meets, met by, overlaps, overlaps before, overlaps after, finishes, finished by,
        includes, during, starts, started by, coincides, day of year, day of week, month of year,
        week of year, sort, get value, get entries, context, context put, context merge, now, today, range"""
    standard = {entry.name for entry in BUILTINS if entry.standard}
    assert standard == {" ".join(name.split()) for name in wanted.split(",")}


# -- result types --------------------------------------------------------------------------------

WHOLES = ListType(WHOLE)
COLOUR = types.VocabularyType("colour", "colour")


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("max", (WHOLES,), optional(WHOLE)),
        ("max", (WHOLE, WHOLE), WHOLE),
        ("min", (WHOLE, NUMBER), NUMBER),
        ("max", (ListType(TEXT),), optional(TEXT)),
        ("sum", (WHOLES,), optional(WHOLE)),
        ("sum", (WHOLE, NUMBER), NUMBER),
        ("total", (WHOLES,), WHOLE),
        ("total", (ListType(NUMBER),), NUMBER),
        ("mean", (WHOLES,), optional(NUMBER)),
        ("mean", (WHOLE, WHOLE), NUMBER),
        ("count", (ListType(TEXT),), WHOLE),
        ("concatenate", (WHOLES, ListType(NUMBER)), ListType(NUMBER)),
        ("concatenate", (ListType(COLOUR), ListType(COLOUR)), ListType(COLOUR)),
        ("append", (WHOLES, types.NULL), ListType(optional(WHOLE))),
        ("distinct values", (ListType(COLOUR),), ListType(COLOUR)),
        ("sort", (ListType(COLOUR), ANY), ListType(COLOUR)),
        ("flatten", (ListType(ListType(COLOUR)),), ListType(COLOUR)),
        ("flatten", (WHOLES,), WHOLES),
        ("index of", (ListType(COLOUR), COLOUR), WHOLES),
        ("list contains", (ListType(COLOUR), COLOUR), BOOLEAN),
        ("repeat", (COLOUR, WHOLE), ListType(COLOUR)),
        ("drop highest", (WHOLES, WHOLE), WHOLES),
        ("insert before", (WHOLES, WHOLE, NUMBER), ListType(NUMBER)),
        ("abs", (WHOLE,), WHOLE),
        ("floor", (NUMBER,), WHOLE),
        ("floor", (NUMBER, WHOLE), NUMBER),
        ("modulo", (WHOLE, WHOLE), WHOLE),
        ("modulo", (NUMBER, WHOLE), NUMBER),
        ("clamp", (WHOLE, WHOLE, WHOLE), WHOLE),
        ("not", (BOOLEAN,), BOOLEAN),
        ("not", (optional(BOOLEAN),), optional(BOOLEAN)),
        ("all", (ListType(BOOLEAN),), BOOLEAN),
        ("any", (ListType(optional(BOOLEAN)),), optional(BOOLEAN)),
        ("string", (NUMBER,), TEXT),
        ("string", (optional(NUMBER),), optional(TEXT)),
        (
            "context",
            (ListType(types.ContextType((("key", COLOUR), ("value", WHOLE)))),),
            types.MapType(COLOUR, WHOLE),
        ),
        ("get value", (types.MapType(COLOUR, WHOLE), COLOUR), optional(WHOLE)),
    ],
)
def test_result(name: str, given: tuple[Type, ...], expected: Type) -> None:
    assert BY_NAME[name].result(given) == expected


@pytest.mark.parametrize("entry", BUILTINS, ids=[entry.name for entry in BUILTINS])
def test_result__never_breaks_on_unknown_types(entry: Builtin) -> None:
    for given in ((), (types.UNKNOWN,), (ANY, ANY), (types.NULL,) * 3, (types.UNKNOWN,) * 3):
        assert entry.result(given) is not None


@pytest.mark.parametrize(("entry", "text", "wanted"), EXAMPLES, ids=[text for _, text, _ in EXAMPLES])
def test_result__is_what_comes_out(entry: Builtin, text: str, wanted: str) -> None:
    """With the types of the example's own arguments, as far as values tell them."""
    arguments = value_of(f"[{text[len(entry.name) + 1 : -1]}]")
    promised = entry.result(tuple(type_of(argument) for argument in arguments))
    assert promised in (ANY, types.UNKNOWN) or instance_of(value_of(wanted), promised)


def type_of(value: Any) -> Type:
    for type_ in (WHOLE, NUMBER, BOOLEAN, TEXT, types.DATE, types.TIME, types.DATE_TIME):
        if instance_of(value, type_):
            return type_
    for type_ in (types.DAYS_DURATION, types.YEARS_DURATION):
        if instance_of(value, type_):
            return type_
    if value is None:
        return types.NULL
    if isinstance(value, list):
        return ListType(types.join(type_of(item) for item in value))
    return ANY


# -- as values -----------------------------------------------------------------------------------


def test_as_function() -> None:
    assert as_function(BY_NAME["abs"]) is as_function(BY_NAME["abs"])
    assert as_function(BY_NAME["abs"])(-1) == 1
    assert equal(as_function(BY_NAME["min"]), as_function(BY_NAME["max"])) is False
    assert value_of("sort([3, 1, 2], before)") == [1, 2, 3]


# -- the clock -----------------------------------------------------------------------------------


def test_clock__is_an_input() -> None:
    with pytest.raises(FeelError):
        BY_NAME["now"].meaning()
    with clock_at(parse_date_time("2026-11-18T12:00:00Z")):
        assert str(BY_NAME["now"].meaning()) == "2026-11-18T12:00:00Z"
        assert str(BY_NAME["today"].meaning()) == "2026-11-18"
    with pytest.raises(FeelError):
        BY_NAME["today"].meaning()
