"""Logs of recorded games as people and programs write them: sound records among all that can be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Any

from dtables.answers.answering import AnsweredRecord, answer_log
from dtables.answers.columns import Kind
from dtables.answers.engines import CompiledEngine, compiled_engine
from dtables.merging import Reply
from dtables.records.findings import Findings
from dtables.records.json import BYTE_ORDER_MARK, parse_line, to_json
from dtables.ruleset import Ruleset
from tests.games.duel.narrow import narrow_turn
from tests.games.duel.spoils import SPOILS
from tests.games.duel.turns import sound_turn
from tests.games.games import DUEL, PLAYED
from tests.games.harness import Game, Record

ODD_LINES = (
    b"", b"   ", b"\r", b"nonsense", b"[1]", b"7", b"null", b"{}", b'{"turn": 1', b"[" * 100_000,
    b'{"turn": 1, "turn": 2}', b'{"turn": 1, "state": {"a": 1, "a": 1}}', b'{"turn": NaN}',
    b'{"turn": 1, "state": {"a": -Infinity}}', b'{"turn": 1, "game": "\\ud800"}', b'{"turn": "\xff"}',
    b'{"turn": "caf\xc3', BYTE_ORDER_MARK + b'{"turn": 1}', b'{"turn": ' + b"9" * 401 + b"}",
    b'{"turn": 1e9999}',
)  # fmt: skip
ODD_TURNS: tuple[Any, ...] = (True, 1.5, None, [1], {}, "", "=1+1", "1", -1)
ODD_ASKS: tuple[Any, ...] = ("nobody asks this", 5, "", [])


@dataclass(frozen=True)
class Source:
    """A game whose turns are recorded. `bad` spoils a turn in one place."""

    game: Game
    good: Callable[[Random], Record]
    bad: Callable[[Random], Record]

    @property
    def rules(self) -> Ruleset:
        return self.game.rules

    @property
    def engine(self) -> CompiledEngine:
        """Compiled once for all tests of a process."""
        return _engine(self.game)

    def fresh_engine(self) -> CompiledEngine:
        """For a test that changes what an engine is made of."""
        return compiled_engine(self.rules.model, self.rules.source)


@cache
def _engine(game: Game) -> CompiledEngine:
    return compiled_engine(game.rules.model, game.rules.source)


@dataclass(frozen=True)
class Reference:
    """The evaluator, as what answers a log."""

    rules: Ruleset
    quick = None
    kinds = MappingProxyType[str, Kind]({})

    @property
    def main_ask(self) -> str | None:
        return self.rules.main_ask

    def answer_fields(self, ask: str) -> tuple[str, ...] | None:
        return self.rules.answer_fields(ask)

    def reply(self, ask: str | None, state: object) -> Reply:
        return self.rules.evaluator.reply(ask, state)

    def misplayed(self, ask: str, played: Mapping[str, object]) -> Findings:
        return compiled_engine(self.rules.model, self.rules.source).misplayed(ask, played)

    def reasons(self, ask: str, state: object) -> tuple[str, ...]:
        del ask, state
        return ()


def _duel_good(random: Random) -> Record:
    return narrow_turn(random) if random.random() < 0.8 else sound_turn(random)


def _duel_bad(random: Random) -> Record:
    ask, state = _duel_good(random)
    try:
        random.choice(SPOILS)(random, state)
    except LookupError:
        state["no such field"] = 1
    return ask, state


SOURCES = (
    *(Source(p.game, p.good, lambda random, p=p: p.bad(random)[:2]) for p in PLAYED),
    Source(DUEL, _duel_good, _duel_bad),
)


# -- records -----------------------------------------------------------------------------------


def any_log(source: Source, random: Random, records: int) -> bytes:
    """Lines that are no records and records that are none of a game among those that are."""
    used: list[tuple[Any, Any]] = []
    lines: list[bytes] = []
    while len(lines) < records:
        if random.random() < 0.15:
            lines.append(random.choice(ODD_LINES))
            continue
        record = any_record(source, random, used, len(lines))
        text = json.dumps(
            record, ensure_ascii=random.random() < 0.5, separators=random.choice([None, (",", ":")])
        )
        lines.append(text.encode() + random.choice([b"", b"", b"\r", b"  "]))
    mark = BYTE_ORDER_MARK if random.random() < 0.3 else b""
    return mark + b"\n".join(lines) + random.choice([b"", b"\n", b"\n\n"])


def any_record(source: Source, random: Random, used: list[tuple[Any, Any]], number: int) -> dict[str, Any]:
    ask, state = source.good(random) if random.random() < 0.7 else source.bad(random)
    record: dict[str, Any] = {"turn": number, "state": state}
    if ask != source.rules.main_ask or random.random() < 0.5:
        record["ask"] = ask
    if random.random() < 0.3:
        record["game"] = random.choice(["friday", "sàbato", "1", None])
    if used and random.random() < 0.15:
        record["turn"], record["game"] = random.choice(used)
    used.append((record["turn"], record.get("game")))
    if random.random() < 0.2:
        record["played"] = dict.fromkeys(
            source.rules.answer_fields(ask or "") or (), random.choice([None, 1, "x"])
        )
    for odd in _oddities(random):
        record.update(odd)
    return {key: record[key] for key in random.sample(list(record), len(record))}


def _oddities(random: Random) -> Iterator[dict[str, Any]]:
    if random.random() < 0.04:
        yield {"turn": random.choice(ODD_TURNS)}
    if random.random() < 0.04:
        yield {"ask": random.choice(ODD_ASKS)}
    if random.random() < 0.03:
        yield random.choice([{"played": 5}, {"played": {"nothing of it": 1}}, {"stat": {}}, {"game": 7}])
    if random.random() < 0.03:
        yield {"state": random.choice([None, [], "state", 5])}


# -- what must come of them --------------------------------------------------------------------


def reference(source: Source, log: bytes) -> tuple[bytes, bytes]:
    """Answers and rejects as the evaluator gives them, line after line."""
    answers, rejects = [], []
    numbered = enumerate(log.removeprefix(BYTE_ORDER_MARK).split(b"\n"), 1)
    lines = (parse_line(number, line) for number, line in numbered if line.strip())
    for result in answer_log(Reference(source.rules), lines):
        (answers if isinstance(result, AnsweredRecord) else rejects).append(to_json(result.as_plain()) + "\n")
    return "".join(answers).encode(), "".join(rejects).encode()
