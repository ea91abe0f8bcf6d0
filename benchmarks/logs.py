"""Recorded turns of 7 Wonders Duel, from JSON Lines to JSON Lines, every record checked.

By hand: `duel_by_hand`. Before anything is timed, both must write the same bytes, and reject the same lines
of a log in which every tenth record has something wrong, at a place that the other finds wrong too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

from tests.games.duel.spoils import SPOILS
from tests.games.duel.turns import sound_turn

import dtables
from benchmarks.duel_by_hand.log import answer_log
from benchmarks.rounds import Comparison, Contestant, Field
from benchmarks.scratch import scratch
from dtables.answers.engines import CompiledEngine, compiled_engine
from dtables.answers.parts import RunStart
from dtables.answers.run import OnCores, answer_into, rejects_path
from dtables.logs.files import find_log

BOOK = Path(__file__).parents[1] / "tables" / "duel.xlsx"
TURNS_TRIED = 4000
TURNS_TIMED = 3000
TURNS_SHARED = 60_000
"""Two processes must have enough to do that their start does not count."""
Record = dict[str, Any]


@cache
def engine() -> CompiledEngine:
    rules = dtables.load(BOOK)
    return compiled_engine(rules.model, rules.source)


@cache
def folder() -> Path:
    return scratch("logs")


# -- logs --------------------------------------------------------------------------------------


def sound_records(count: int, seed: int) -> Iterator[Record]:
    """Forty turns a game, a third of them with what was played."""
    random = Random(seed)
    for number in range(count):
        ask, state = sound_turn(random, "turn")
        played = {"played": {"action": "discard"}} if random.random() < 0.3 else {}
        yield {"turn": number, "game": f"game {number // 40}", "ask": ask, "state": state, **played}


def spoilt_records(count: int, seed: int) -> Iterator[Record]:
    """Every tenth has something wrong."""
    random = Random(seed)
    for record in sound_records(count, seed):
        if record["turn"] % 10 == 0:
            record = deepcopy(record)
            with suppress(LookupError):
                random.choice(SPOILS)(random, record["state"])
        yield record


def written(name: str, records: Iterator[Record]) -> Path:
    path = folder() / name
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return path


# -- contestants -------------------------------------------------------------------------------


_NEXT = re.compile(r', "next": \[[^]]*\]\}$')


def by_hand(log: Path) -> tuple[Path, Path]:
    answers, rejects = folder() / "by_hand.jsonl", folder() / "by_hand.rejected.jsonl"
    answer_log(log, answers, rejects)
    return answers, rejects


def own(log: Path, processes: int = 1) -> tuple[Path, Path]:
    answers = folder() / "own.jsonl"
    answer_into(engine(), find_log(str(log)), answers, RunStart.AFRESH, OnCores(processes))
    return answers, rejects_path(answers)


def differences(log: Path) -> Iterator[str]:
    """What the two say of a log that is not the same. The one by hand knows a single ask, and so none that
    comes next."""
    hand_answers, hand_rejects = by_hand(log)
    own_answers, own_rejects = own(log)
    own_lines = [_NEXT.sub("}", line) for line in _lines(own_answers)]
    pairs = zip_longest(_lines(hand_answers), own_lines, fillvalue="nothing")
    yield from (f"{ours} is not {theirs}" for theirs, ours in pairs if theirs != ours)
    theirs, ours = _rejects(hand_rejects), _rejects(own_rejects)
    yield from (f"line {line} is rejected by one only" for line in theirs.keys() ^ ours.keys())
    for line in theirs.keys() & ours.keys():
        if not theirs[line] & ours[line]:
            yield f"line {line}: {theirs[line]} is not {ours[line]}"


def _rejects(path: Path) -> dict[int, set[str]]:
    """All places that a line is rejected at."""
    if not path.exists():
        return {}
    rejects = map(json.loads, _lines(path))
    return {
        reject["line"]: {found["path"] for found in (reject, *reject.get("also", []))} for reject in rejects
    }


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def checked(turns: int = TURNS_TRIED) -> None:
    for name, records in (("sound", sound_records), ("spoilt", spoilt_records)):
        different = next(differences(written(f"{name}.jsonl", records(turns, seed=8))), None)
        if different is not None:
            raise ValueError(f"the contestants do not answer alike: {different}")


# -- comparisons -------------------------------------------------------------------------------


def one_core() -> Field:
    checked()
    log = written("timed.jsonl", sound_records(TURNS_TIMED, seed=9))
    return Field(
        (
            Contestant("by hand", partial(by_hand, log), TURNS_TIMED, limit=True),
            Contestant("dtables", partial(own, log), TURNS_TIMED),
        )
    )


def two_processes() -> Field:
    log = written("shared.jsonl", sound_records(TURNS_SHARED, seed=9))
    return Field(
        (
            Contestant("one process", partial(own, log), TURNS_SHARED, limit=True),
            Contestant("two processes", partial(own, log, 2), TURNS_SHARED),
        )
    )


COMPARISONS: tuple[Comparison, ...] = (
    Comparison("Duel's turn, JSON Lines to JSON Lines, one core", "turn", one_core),
    Comparison("Duel's turn, two processes beside one", "turn", two_processes, large=True),
)
