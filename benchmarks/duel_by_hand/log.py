"""A log answered: each record becomes an answer or a reject."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.games.duel import asks
from tests.games.duel.state import State

from benchmarks.duel_by_hand.consistency import check
from benchmarks.duel_by_hand.jsonlines import Rejected, parse, written
from benchmarks.duel_by_hand.reading import read_state

ANSWER = ("action", "win", "wonder", "god", "gate", "slot", "offering", "card", "at", "pay", "gain")
ENVELOPE = {"turn", "game", "ask", "state", "played"}


def answer_log(log: Path, answers: Path, rejects: Path) -> None:
    with log.open("rb") as lines, answers.open("w", encoding="utf-8") as answered:
        bad = [*answer_lines(lines, answered.write)]
    with rejects.open("w", encoding="utf-8") as refused:
        refused.writelines(written(reject) + "\n" for reject in bad)


def answer_lines(lines: Iterable[bytes], write: Any) -> Iterable[dict[str, Any]]:
    used: set[tuple[Any, Any]] = set()
    for number, line in enumerate(lines, 1):
        turn = None
        try:
            record = parse(line)
            turn, game = record.get("turn"), record.get("game")
            check_envelope(record, turn, game)
            if (game, turn) in used:
                raise Rejected("turn", turn, "a turn of its own")
            answer = answer_turn(record.get("state"))
            check_played(record.get("played"))
            used.add((game, turn))
            write(written(as_answered(turn, game, answer)) + "\n")
        except Rejected as why:
            yield {
                "line": number, "turn": turn, "path": why.path, "found": why.found, "wanted": why.wanted
            }  # fmt: skip


def check_envelope(record: dict[str, Any], turn: object, game: object) -> None:
    for key in record:
        if key not in ENVELOPE:
            raise Rejected(key, key, "a known key")
    if isinstance(turn, bool) or not isinstance(turn, (str, int)):
        raise Rejected("turn", turn, "text or a whole number")
    if game is not None and not isinstance(game, str):
        raise Rejected("game", game, "text")
    if record.get("ask") not in (None, "turn"):
        raise Rejected("ask", record["ask"], "turn")


def check_played(played: object) -> None:
    if played is None:
        return
    if not isinstance(played, dict):
        raise Rejected("played", played, "an object")
    for key in played:
        if key not in ANSWER:
            raise Rejected(f"played.{key}", key, "a key of the answer")


def answer_turn(given: Any) -> dict[str, Any]:
    state = read_state(given)
    check(state)
    return asks.turn(State(state))


def as_answered(turn: Any, game: Any, answer: dict[str, Any]) -> dict[str, Any]:
    whole = {key: answer.get(key) for key in ANSWER}
    if "any_of" in answer:
        whole["any_of"] = {key: answer["any_of"][key] for key in ANSWER if key in answer["any_of"]}
    named = {} if game is None else {"game": game}
    return {"turn": turn, **named, "ask": "turn", "answer": whole}
