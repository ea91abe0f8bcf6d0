"""The log benchmark's contestant by hand says what the compiled rules say, before anything is timed."""

from __future__ import annotations

from benchmarks import logs


def test_duel_by_hand__same_bytes_and_same_rejects() -> None:
    logs.checked(turns=600)


def test_differences__are_seen() -> None:
    """The one by hand knows a single ask."""
    record = {"turn": 1, "ask": "minerva", "state": {"conflict": 2}}
    assert [*logs.differences(logs.written("other.jsonl", iter([record])))] == [
        '{"turn": 1, "ask": "minerva", "answer": {"space": 1}} is not nothing',
        "line 1 is rejected by one only",
    ]
