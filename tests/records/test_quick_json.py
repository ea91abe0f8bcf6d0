"""The quick parser says what the strict one says, or leaves the text to it."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dtables.records import json as quick_json
from dtables.records.findings import Refused
from dtables.records.json import (
    UNSURE,
    decoded,
    quick_parser,
    quick_writer,
    strictly_decoded,
    to_json,
    to_json_line,
)
from tests.support.thinned import draws

STRAY = st.sampled_from(
    ['"', ":", ",", "{", "}", "[", "]", "\\", " ", "\t", "\n", "\r", "\f", "-", "+", ".", "e", "E", "0", "1",
     "true", "null", "NaN", "Infinity", "\\u0041", "\\u003a", "\\ud800", "\\ud83d\\ude00", "\x00", "\x1f",
     "\x7f", "9", "\ufeff", "è", "😀", "a", '"a"', '"a":', "1.50", "-0", "-0.0", "1e400", "1e-7000",
     "9" * 401, "9" * 5000]
)  # fmt: skip
NUMBERS = st.integers() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
ANSWERS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(10**30), 10**30) | st.text(max_size=5)
    | st.decimals(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def strictly(raw: bytes) -> object:
    """With the kind of every number: 1 is not 1.0."""
    try:
        return repr(strictly_decoded(raw))
    except Refused as refused:
        return refused.words


def in_all(raw: bytes) -> object:
    try:
        return repr(decoded(raw))
    except Refused as refused:
        return refused.words


@settings(max_examples=draws(600), deadline=None)
@given(st.lists(STRAY, max_size=12).map("".join))
@example('{"a": 1, "b": {"c": ":", "c": 2}}')
@example('{"a" : 1, "a": 2}')
@example('{"a":"\\u003a","b":1,"b":2}')
@example('{"a":1}{')
@example('{"a": ' + "8" * 401 + "}")
@example('{"a": ' + "8" * 5000 + "}")
@example("1e" + "9" * 50)
@example('[1e999999, "1e9"]')
@example("[" * 1000 + "]" * 1000)
@example('{"":{"":{"":0}}}')
def test_any_text(text: str) -> None:
    raw = text.encode("utf-8")
    assert in_all(raw) == strictly(raw)


@settings(max_examples=draws(300), deadline=None)
@given(st.binary(max_size=12))
def test_any_bytes(raw: bytes) -> None:
    assert in_all(b'{"a":"' + raw + b'"}') == strictly(b'{"a":"' + raw + b'"}')


@settings(max_examples=draws(300), deadline=None)
@given(VALUES, st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", " : ")]), st.booleans())
def test_any_value(value: object, separators: tuple[str, str], ascii_only: bool) -> None:
    raw = json.dumps(value, separators=separators, ensure_ascii=ascii_only).encode()
    assert in_all(raw) == strictly(raw)


@settings(max_examples=draws(300), deadline=None)
@given(VALUES, st.integers(0, 200), STRAY)
def test_a_value_that_was_spoilt(value: object, at: int, stray: str) -> None:
    text = json.dumps({"a": value}, ensure_ascii=False)
    raw = (text[:at] + stray + text[at:]).encode()
    assert in_all(raw) == strictly(raw)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"a": [{"b": 1, "b": {}}]}',
        '{"a": "\\u003a"}',
        '{"a": "\\ud800"}',
        "8" * 401,
        '{"a": NaN}',
        "[" * 600,
        '{"a": 1',
    ],
)
def test_what_it_leaves_alone(text: str) -> None:
    assert quick_parser(Decimal)(text.encode()) is UNSURE


@pytest.mark.parametrize(
    "text",
    ['{"a": 1, "b": [1.50, "x:y", null, true]}', '{"a\\n": "\\u00e8:\\ud83d\\ude00"}', " [] ", '"è"', "-7"],
)
def test_what_it_is_sure_of(text: str) -> None:
    assert quick_parser(Decimal)(text.encode()) == strictly_decoded(text.encode())


def test_without_it_the_strict_parser_reads_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_json, "find_spec", lambda _name: None)
    assert quick_parser(Decimal)(b"{}") is UNSURE


@settings(max_examples=draws(600), deadline=None)
@given(ANSWERS)
@example(
    {"a": [Decimal("1E+3"), Decimal("1E-7"), Decimal("0.0000001"), Decimal("-0")], "E+": "\u2028\x7f/\x00"}
)
def test_what_it_writes(value: object) -> None:
    assert to_json_line(value) == f"{to_json(value)}\n".encode()


def test_without_it_the_library_writes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert quick_writer()({"a": [Decimal("1.50"), 2**70]}) == b'{"a": [1.50, 1180591620717411303424]}'
    monkeypatch.setattr(quick_json, "find_spec", lambda _name: None)
    assert quick_writer()({}) is None
