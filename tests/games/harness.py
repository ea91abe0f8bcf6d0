"""A game under test: its workbook and how it answers, its turns, and what an oracle says of them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

import dtables
from dtables.merging import Reply
from dtables.model.tables import Criterion, Scale
from dtables.model.vocabularies import Vocabulary
from dtables.records.findings import RecordError
from dtables.ruleset import Checked, Ruleset, check
from dtables.workbook.cells import read_workbook
from dtables.workbook.tables import BookText
from tests.games.reading import Rejected

TABLES = Path(__file__).parents[2] / "tables"
SHARED = Path(__file__).parents[3] / "shared"
ENGINES = ("compiled", "evaluator")

State = dict[str, Any]
Record = tuple[str | None, State]
"""Ask and state."""
Broken = tuple[str | None, State, str]
"""And the path that is wrong."""
Answer = Callable[[str | None, State], dict[str, Any]]
Reached = TypeVar("Reached")


@dataclass(frozen=True)
class Game:
    """`letter` is that of the ledger's rows; `rows`, `doubts` and `golden` say how many there are.
    `one_language` are vocabularies without names in both, `english` names without an Italian one, `worded`
    the kinds of tables with words in each row. `badges` are vocabularies whose names have badges."""

    name: str
    data: str
    letter: str
    rows: int
    doubts: int
    golden: int
    badges: tuple[str, ...]
    one_language: tuple[str, ...] = ()
    english: frozenset[str] = frozenset()
    worded: tuple[str, ...] = ("scale", "decision", "checks")
    compared: Callable[[dict[str, Any]], object] = json.dumps

    @property
    def book(self) -> Path:
        return TABLES / f"{self.name}.xlsx"

    @property
    def rules(self) -> Ruleset:
        return _loaded(self.book)

    @property
    def checked(self) -> Checked:
        return _checked(self.book)

    @property
    def text(self) -> BookText:
        return _written(self.book)

    def engine(self, name: str) -> Answer:
        return self.rules.answer if name == "compiled" else self.rules.evaluator.answer

    def replying(self, name: str) -> Callable[[str | None, State], Reply]:
        return self.rules.reply if name == "compiled" else self.rules.evaluator.reply

    def vocabulary(self, name: str) -> Vocabulary:
        return next(v for v in self.rules.model.vocabularies if v.name == name)

    def printed(self, name: str) -> list[dict[str, str]]:
        """The component data, which stand beside the repository."""
        with beside(SHARED / "data" / self.data / f"{name}.csv").open(encoding="utf-8") as lines:
            return list(csv.DictReader(lines))


def nothing_follows(_ask: str | None, _state: State) -> list[str]:
    return []


@dataclass(frozen=True)
class Played:
    """A game with an oracle: `good` turns and `mistakes`, and how many turns each engine is tried on;
    `following` are the asks that come next."""

    game: Game
    answer: Answer
    good: Callable[[Random], Record]
    mistakes: Mapping[str, Callable[[Random], Broken]]
    records: Mapping[str, int] = field(default_factory=lambda: {"compiled": 3000, "evaluator": 300})
    following: Callable[[str | None, State], list[str]] = nothing_follows

    def bad(self, random: Random) -> Broken:
        """A record with one thing wrong, and its path."""
        return random.choice([*self.mistakes.values()])(random)


@cache
def _loaded(book: Path) -> Ruleset:
    return dtables.load(book)


@cache
def _checked(book: Path) -> Checked:
    return check(book)


@cache
def _written(book: Path) -> BookText:
    text, _ = read_workbook(book)
    assert text is not None
    return text


def beside(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"{path.name} stands beside the repository and is missing")
    return path


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


# -- turns -------------------------------------------------------------------------------------


def spoilt(
    good: Callable[[Random], Record], mistakes: Iterable[Callable[..., Broken]]
) -> dict[str, Callable[[Random], Broken]]:
    """Each mistake, made in a good turn."""
    return named({mistake: partial(_spoilt, good, mistake) for mistake in mistakes})


def named(mistakes: Mapping[Callable[..., Any], Reached]) -> dict[str, Reached]:
    return {mistake.__name__.strip("_"): made for mistake, made in mistakes.items()}


def _spoilt(good: Callable[[Random], Record], mistake: Callable[..., Broken], random: Random) -> Broken:
    ask, state = good(random)
    return mistake(random, ask, deepcopy(state))


def rejected_path(answer: Answer, ask: str | None, state: State) -> str:
    """The path at which an engine or an oracle rejects the record."""
    with pytest.raises((RecordError, Rejected)) as found:
        answer(ask, state)
    return str(found.value.path)


# -- every criterion ---------------------------------------------------------------------------


def criteria(game: Game) -> list[tuple[Scale, Criterion]]:
    scales = [table for table in game.rules.model.tables if isinstance(table, Scale)]
    return [(scale, criterion) for scale in scales for criterion in scale.criteria]


def unreached(wanted: Iterable[Reached], turns: Iterable[Iterable[Reached]]) -> set[Reached]:
    """What none of the turns reaches; no more turns are looked at than it takes."""
    left = set(wanted)
    for reached in turns:
        left.difference_update(reached)
        if not left:
            break
    return left
