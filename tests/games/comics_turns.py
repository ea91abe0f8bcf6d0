"""Records for the opponent of Age of Comics that are answered; comics_mistakes.py makes them wrong.

Everything is drawn through `Random`, so that a seed gives thousands of turns quickly and hypothesis'
own `randoms()` gives turns that shrink.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.games import comics_facts as facts
from tests.games import comics_reading as reading

State = dict[str, Any]
Record = tuple[str, State]
"""Ask and state."""

ASKS = tuple(reading.NEEDS)
MASTERS = ("player", "player", "automa", "none")


def good(random: Random) -> Record:
    """A record that is answered: names by id or by label, fields left out here and there."""
    ask = random.choice((*("turn",) * 7, "challenges", "final", "reshuffle", "title"))
    state = _BY_ASK[ask](random)
    if random.random() < 0.15:
        state |= {"points": 3, "money": 2, "level": 2} | state
    return ask, state


def spelled(random: Random, kind: str, id_: str) -> str:
    """An id as a log may write it."""
    spelling = random.choice((id_, id_, id_, id_, *facts.LABELS[kind][id_]))
    return random.choice((*(spelling,) * 6, spelling.upper(), spelling.replace("_", " ")))


def _genre(random: Random) -> str:
    return spelled(random, "genre", random.choice(facts.GENRES))


def _few(random: Random, most: int) -> range:
    return range(random.choice((0, *range(most + 1))))


def _kind(random: Random) -> str:
    return random.choice(("original", "original", "ripoff"))


# -- the table ---------------------------------------------------------------------------------


def _display(random: Random) -> list[State | None]:
    def card() -> State | None:
        filled = random.random() < 0.8
        return {"genre": _genre(random), "value": random.randint(1, 3)} if filled else None

    return [card() for _ in _few(random, 5)]


def _editors(random: Random) -> list[State]:
    """At most four each, gathered on few actions so that some are full."""
    actions = random.sample(facts.ACTIONS, random.randint(1, 6))
    spaces = [(action, space) for action in actions for space in (1, 2, 3)]
    taken = random.sample(spaces, min(len(spaces), random.choice((0, 1, 2, 4, 6, 8, 15))))
    return [
        {
            "action": spelled(random, "action", action),
            "space": space,
            "owner": random.choice(("player", "automa")),
        }
        for action, space in taken
    ]


def _automa_comic(random: Random) -> State:
    return {"genre": _genre(random), "kind": _kind(random), "fans": random.choice((0, 2, 3, 5, 5, 7, 12))}


def _player_comic(random: Random) -> State:
    comic: State = {"genre": _genre(random), "kind": _kind(random)}
    for field, values in (("ripped", (True, False)), ("fans", (0, 5, 11, 12, 20)), ("hype", (True, False))):
        if random.random() < 0.4:
            comic[field] = random.choice(values)
    return comic


def _creative(random: Random) -> State:
    return {
        "type": random.choice(("writer", "artist")),
        "genre": _genre(random),
        "value": random.randint(1, 3),
    }


def _mastery(random: Random) -> State:
    return {
        spelled(random, "genre", g): random.choice(MASTERS) for g in facts.GENRES if random.random() < 0.5
    }


def _order(random: Random) -> State:
    up = random.random() < 0.5
    order: State = {"genre": _genre(random), "value": random.randint(3, 6), "up": up}
    if not up and random.random() < 0.15:
        order["value"] = None
    if order["value"] is None and random.random() < 0.5:
        del order["value"]
    return order


def _priority(random: Random) -> list[str]:
    return [spelled(random, "genre", g) for g in random.sample(facts.GENRES, 6)]


def _turn(random: Random) -> State:
    card = random.sample(facts.CARD_ACTIONS, 3)
    state: State = {
        "level": random.randint(1, 3),
        "round": random.randint(1, 5),
        "card": [spelled(random, "card action", action) for action in card],
        "priority": _priority(random),
        "editors": _editors(random),
        "writers": _display(random),
        "artists": _display(random),
        "comics": [_genre(random) if random.random() < 0.8 else None for _ in _few(random, 6)],
        "ideas_on_board": random.sample(facts.GENRES, random.randint(0, 6)),
        "automa_creatives": [_creative(random) for _ in _few(random, 6)],
        "automa_comics": [_genre(random) for _ in _few(random, 4)],
        "automa_printed": [_automa_comic(random) for _ in _few(random, 6)],
        "player_printed": [_player_comic(random) for _ in _few(random, 6)],
        "mastery": _mastery(random),
        "orders": [_order(random) for _ in _few(random, 9)],
    }
    for field in [key for key in state if key not in reading.NEEDS["turn"] and random.random() < 0.08]:
        state[field] = None
    if random.random() < 0.3:
        switches = {key: random.choice(values) for key, values in facts.SWITCHES.items()}
        state["house_rules"] = {k: v for k, v in switches.items() if random.random() < 0.7}
    return state


# -- the end -----------------------------------------------------------------------------------


def _challenges(random: Random) -> State:
    """Often few genres or one kind only, so that every challenge is met now and then."""
    kinds = random.choice((("original",), ("ripoff",), ("original", "ripoff")))
    printed = [_player_comic(random) | {"kind": random.choice(kinds)} for _ in _few(random, 12)]
    if random.random() < 0.2:
        printed = [*printed, *(_player_comic(random) | {"genre": genre} for genre in facts.GENRES)]
    adopted = random.sample(facts.CHALLENGES, random.choice((0, 1, 2, 3, 10)))
    state: State = {
        "challenges": [spelled(random, "challenge", challenge) for challenge in adopted],
        "mastery": _mastery(random),
        "player_printed": printed,
        "money": random.choice((0, 19, 20, 45)),
        "orders_filled": random.choice((0, 11, 12, 13)),
    }
    for field in ("mastery", "money", "orders_filled"):
        if random.random() < 0.1:
            del state[field]
    return state


def _final(random: Random) -> State:
    state = _challenges(random) | {
        "level": random.randint(1, 3),
        "player_points": random.choice((-100, -20, random.randint(40, 140), random.randint(40, 140))),
        "automa_chart_points": random.randint(0, 40),
        "automa_printed": [_automa_comic(random) for _ in _few(random, 9)],
    }
    if random.random() < 0.2:
        del state["challenges"]
    return state


def _reshuffle(random: Random) -> State:
    return {"round": random.randint(1, 5)}


def _title(random: Random) -> State:
    edges = [points + step for points, _ in facts.TITLES for step in (-1, 0)]
    return {"points": random.choice((*edges, random.randint(-400, 400)))}


_BY_ASK: dict[str, Callable[[Random], State]] = {
    "turn": _turn,
    "challenges": _challenges,
    "final": _final,
    "reshuffle": _reshuffle,
    "title": _title,
}
