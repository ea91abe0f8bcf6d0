"""A line of a log: read without coercing anything, refused with a reason."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from dtables.files import whole_text
from dtables.logs.jsonlines import read_lines
from dtables.records.json import parse_line, to_json


def found(text: str | bytes) -> str:
    line = parse_line(1, text.encode() if isinstance(text, str) else text)
    assert line.record is None and line.finding is not None
    return line.finding.found


def test_numbers_stay_what_they_are() -> None:
    record = parse_line(1, b'{"a": 1, "b": 1.50, "c": 1e2, "d": 12345678901234567890}').record
    assert record == {"a": 1, "b": Decimal("1.50"), "c": Decimal("1E+2"), "d": 12345678901234567890}
    assert [type(v) for v in record.values()] == [int, Decimal, Decimal, int]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[1]", "[1]"),
        ("7", "7"),
        (b'\xef\xbb\xbf{"a": 1}', "no JSON: a byte-order mark that does not begin the log"),
        ('{"a": 1, "a": 2}', 'the key "a" twice'),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "-Infinity"),
        ('{"a": "\\ud800"}', "half a surrogate pair"),
        ('{"a": [{"\\ud800": 1}]}', "half a surrogate pair"),
        ('{"a": 1', "no JSON: expecting ',' delimiter at character 8"),
        (b'{"a": "\xff"}', "bytes that are no UTF-8 at character 8"),
        ("[" * 100_000, "objects nested too deep"),
        ('{"a": ' + "9" * 5000 + "}", "a number of more than 400 digits"),
        ('{"a": 1e999999}', "the number 1e999999"),
    ],
)
def test_what_is_no_record(text: str | bytes, says: str) -> None:
    assert found(text) == says


@pytest.mark.parametrize(
    ("text", "path", "turn"),
    [
        ('{"turn": 1, "state": {"a": [1, NaN]}}', "state.a[1]", 1),
        ('{"turn": "x", "state": {"a": {"b": 1, "b": 2}}}', "state.a.b", "x"),
        ('{"turn": 1, "state": {"a": 1e999999, "b": NaN}}', "state.a", 1),
        ('{"turn": 1, "state": {"a": "\\ud800"}}', "state.a", 1),
        ('{"turn": 1, "turn": 1}', "turn", None),
        ('{"turn": NaN, "state": {}}', "turn", None),
        ("[NaN]", "$", None),
        ('{"turn": 1, "state": {"a": NaN}', "$", None),
        ('{"turn": 1, "state": ' + "[" * 500 + "NaN" + "]" * 500 + "}", "$", 1),
    ],
)
def test_what_is_refused_has_its_place_and_its_turn(text: str, path: str, turn: object) -> None:
    line = parse_line(7, text.encode())
    assert line.finding is not None
    assert (line.number, line.finding.path, line.turn) == (7, path, turn)


def test_blank_lines_and_a_byte_order_mark_are_no_records(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b'\xef\xbb\xbf{"turn": 1}\n\n  \r\n{"turn": 2}')
    assert [(line.number, line.record) for line in read_lines(log)] == [(1, {"turn": 1}), (4, {"turn": 2})]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": Decimal("2.50"), "b": [True, None, "è"]}, '{"a": 2.50, "b": [true, null, "è"]}'),
        (Decimal("1E+3"), "1000"),
        (Decimal("1E+60"), "1E+60"),
    ],
)
def test_numbers_are_written_as_numbers(value: object, text: str) -> None:
    assert to_json(value) == text


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    with pytest.raises(RuntimeError), whole_text(target) as file:
        file.write("half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
    with whole_text(target) as file:
        file.write("all\n")
    assert target.read_text() == "all\n" and list(tmp_path.iterdir()) == [target]
