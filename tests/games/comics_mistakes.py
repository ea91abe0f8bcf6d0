"""Records for the opponent of Age of Comics with one thing wrong, and the path where it is."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.games import comics_facts as facts
from tests.games import comics_reading as reading
from tests.games.comics_turns import State

Broken = tuple[str, State, str]
"""Ask, state and the path."""


def _unknown_key(random: Random, ask: str, state: State) -> Broken:
    key = random.choice(("surprise", "writer", "Level", "cards", "automa"))
    return ask, state | {key: random.choice((1, None))}, f"state.{key}"


def _left_out(random: Random, ask: str, state: State) -> Broken:
    field = random.choice(reading.NEEDS[ask])
    if random.random() < 0.5:
        return ask, state | {field: None}, f"state.{field}"
    del state[field]
    return ask, state, f"state.{field}"


def _out_of_range(random: Random, ask: str, state: State) -> Broken:
    field, low, high = random.choice(
        (
            *(("level", 1, 3), ("round", 1, 5), ("automa_chart_points", 0, 200), ("money", 0, 999)),
            *(("player_points", -100, 400), ("orders_filled", 0, 999), ("points", -400, 400)),
        )
    )
    return ask, state | {field: random.choice((low - 1, high + 1, 10**30))}, f"state.{field}"


def _no_whole_number(random: Random, ask: str, state: State) -> Broken:
    field = random.choice(("level", "round", "money", "orders_filled", "points", "player_points"))
    return ask, state | {field: random.choice(("3", 2.5, 2.0, True, [1], {}))}, f"state.{field}"


def _no_list(random: Random, ask: str, state: State) -> Broken:
    field = random.choice(
        (
            *("card", "priority", "editors", "writers", "comics", "ideas_on_board", "automa_creatives"),
            *("automa_comics", "automa_printed", "player_printed", "orders", "challenges"),
        )
    )
    return ask, state | {field: random.choice(("crime", 3, {"genre": "crime"}, False))}, f"state.{field}"


def _wrong_in_list(random: Random, ask: str, state: State) -> Broken:
    """One element of a list is no name of its kind; null is none unless the list has empty places."""
    field, fine, wrong = random.choice(
        (
            ("card", "hire", ("royalties", "crime", None, 1, "")),
            ("priority", "crime", ("action", None, 2, ["crime"])),
            ("comics", "crime", ("ripoff", 4, "hire", {})),
            ("ideas_on_board", "western", ("sf", None, True)),
            ("automa_comics", "horror", (None, "original", 0)),
            ("challenges", "beyond", ("superhero", None, "35", 12)),
            ("writers", None, ("crime", 1, [])),
            ("artists", None, ("artist", True)),
            ("automa_creatives", {"type": "writer", "genre": "crime", "value": 1}, (None, "writer")),
            ("automa_printed", {"genre": "crime", "kind": "ripoff", "fans": 0}, (None, "crime", [])),
            ("player_printed", {"genre": "crime", "kind": "ripoff"}, (None, 7)),
            ("orders", {"genre": "crime", "up": False}, (None, "crime", 3)),
            ("editors", {"action": "hire", "space": 1, "owner": "player"}, (None, "hire")),
        )
    )
    before = random.randint(0, 1)
    return ask, state | {field: [fine] * before + [random.choice(wrong)]}, f"state.{field}[{before}]"


EDITOR = {"action": "hire", "space": 2, "owner": "automa"}
CARD = {"genre": "crime", "value": 2}
CREATIVE = {"type": "artist", "genre": "scifi", "value": 3}
AUTOMA_COMIC = {"genre": "crime", "kind": "original", "fans": 4}
PLAYER_COMIC = {"genre": "crime", "kind": "original", "ripped": True, "fans": 4, "hype": False}
ORDER = {"genre": "romance", "value": 4, "up": True}


def _wrong_in_object(random: Random, ask: str, state: State) -> Broken:
    field, fine, key, wrong = random.choice(
        (
            ("editors", EDITOR, "action", ("crime", 2)),
            ("editors", EDITOR, "space", (0, 4, "1", 1.0)),
            ("editors", EDITOR, "owner", ("none", "opponent")),
            ("writers", CARD, "genre", ("hire", 1)),
            ("artists", CARD, "value", (0, 4, True)),
            ("automa_creatives", CREATIVE, "type", ("editor", "crime", 0)),
            ("automa_creatives", CREATIVE, "value", (0, 4, "2")),
            ("automa_printed", AUTOMA_COMIC, "kind", ("copy", "crime")),
            ("automa_printed", AUTOMA_COMIC, "fans", (-1, 100, 4.5)),
            ("player_printed", PLAYER_COMIC, "ripped", ("yes", 1, "true")),
            ("player_printed", PLAYER_COMIC, "hype", (0, "no")),
            ("player_printed", PLAYER_COMIC, "fans", (-1, 100)),
            ("orders", ORDER, "value", (2, 7, "4")),
            ("orders", ORDER, "up", (1, "up")),
            ("orders", ORDER, "genre", ("original", [])),
        )
    )
    return ask, state | {field: [{**fine, key: random.choice(wrong)}]}, f"state.{field}[0].{key}"


def _key_left_out(random: Random, ask: str, state: State) -> Broken:
    field, fine, key = random.choice(
        (
            *(("editors", EDITOR, key) for key in EDITOR),
            *(("writers", CARD, key) for key in CARD),
            *(("automa_creatives", CREATIVE, key) for key in CREATIVE),
            *(("automa_printed", AUTOMA_COMIC, key) for key in AUTOMA_COMIC),
            *(("player_printed", PLAYER_COMIC, key) for key in ("genre", "kind")),
            *(("orders", ORDER, key) for key in ORDER),
        )
    )
    left = {k: v for k, v in fine.items() if k != key} | random.choice(({}, {key: None}))
    full = _complete(ask, state)
    return ask, full | {field: [left]}, f"state.{field}[0].{key}"


def _key_too_many(random: Random, ask: str, state: State) -> Broken:
    field, fine = random.choice(
        (
            *(("editors", EDITOR), ("artists", CARD), ("automa_creatives", CREATIVE)),
            *(("automa_printed", AUTOMA_COMIC), ("player_printed", PLAYER_COMIC), ("orders", ORDER)),
        )
    )
    key = random.choice(("position", "from", "Genre"))
    return ask, state | {field: [{**fine, key: random.choice((1, None))}]}, f"state.{field}[0].{key}"


def _mastery(random: Random, ask: str, state: State) -> Broken:
    key, value = random.choice(
        (
            ("crime", "opponent"),
            ("crime", True),
            ("sci", "player"),
            ("action", "none"),
            ("horror", ["player"]),
        )
    )
    return ask, state | {"mastery": {"western": "none", key: value}}, f"state.mastery.{key}"


def _wrong_length(random: Random, ask: str, state: State) -> Broken:
    field, wrong = random.choice(
        (
            ("card", ["hire", "develop"]),
            ("card", ["hire", "develop", "ideas", "print"]),
            ("card", ["hire", "Assumi", "ideas"]),
            ("card", []),
            ("priority", list(facts.GENRES[1:])),
            ("priority", [*facts.GENRES, "crime"]),
            ("priority", [*facts.GENRES[1:], "romantico"]),
            ("priority", []),
        )
    )
    return ask, _complete(ask, state) | {field: wrong}, f"state.{field}"


def _twice(random: Random, ask: str, state: State) -> Broken:
    field, names = random.choice((("ideas_on_board", facts.GENRES), ("challenges", facts.CHALLENGES)))
    some = random.sample(names, random.randint(1, 5))
    again = [*some, random.choice(some)]
    return ask, _complete(ask, state) | {field: again}, f"state.{field}[{len(some)}]"


def _two_editors(random: Random, ask: str, state: State) -> Broken:
    places = random.sample([(a, s) for a in facts.ACTIONS for s in (1, 2, 3)], random.randint(1, 5))
    editors: list[dict[str, Any]] = [{"action": a, "space": s, "owner": "automa"} for a, s in places]
    again = random.choice(editors) | {"owner": random.choice(("player", "automa"))}
    return (
        ask,
        _complete(ask, state) | {"editors": [*editors, again]},
        f"state.editors[{len(editors)}].space",
    )


def _up_without_value(random: Random, ask: str, state: State) -> Broken:
    wrong = random.choice(({"genre": "crime", "up": True}, {"genre": "crime", "value": None, "up": True}))
    before = [{"genre": "crime", "up": False}] * random.randint(0, 2)
    return ask, _complete(ask, state) | {"orders": [*before, wrong]}, f"state.orders[{len(before)}].value"


def _complete(ask: str, state: State) -> State:
    """What is checked after reading is checked only where nothing is missing."""
    return {k: v for k, v in state.items() if v is not None or k not in reading.NEEDS[ask]}


def _rules(random: Random, ask: str, state: State) -> Broken:
    key, value = random.choice(
        (("SALES", "LIMIT"), ("SALES", 1), ("IDEA_FANS", "FLOOR"), ("FANS", "ACTION"), ("sales", "FLOOR"))
    )
    return ask, state | {"house_rules": {key: value}}, f"state.house_rules.{key}"


def _no_object(random: Random, ask: str, state: State) -> Broken:
    field = random.choice(("mastery", "house_rules"))
    return ask, state | {field: random.choice(([], "none", 3))}, f"state.{field}"


def _no_ask(random: Random, _: str, state: State) -> Broken:
    return random.choice(("turns", "Turn ", "end", "sales", "")), state, "ask"


Mistake = Callable[[Random, str, State], Broken]

MISTAKES: tuple[Mistake, ...] = (
    *(_unknown_key, _left_out, _out_of_range, _no_whole_number, _no_list, _wrong_in_list),
    *(_wrong_in_object, _key_left_out, _key_too_many, _mastery, _wrong_length, _twice),
    *(_two_editors, _up_without_value, _rules, _no_object, _no_ask),
)
