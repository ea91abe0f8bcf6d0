"""Records for the opponent of 7 Wonders Architects: good ones, and bad ones with the path that is wrong.

Everything is drawn through `Random`, so that a seed gives thousands of turns quickly and hypothesis'
own `randoms()` gives turns that shrink.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.games import architects_facts as facts
from tests.games import architects_oracle as oracle

State = dict[str, Any]
Record = tuple[str, State]
"""Ask and state."""

ASKS = tuple(oracle.NEEDS)
WONDERS = tuple(facts.STAGES)


def good(random: Random) -> Record:
    """A record that is answered: names by id or by label, fields left out here and there."""
    ask = random.choice(("turn", "turn", "turn", *ASKS))
    state = _BY_ASK[ask](random)
    if ask != "progress" and random.random() < 0.2:
        state["house_rules"] = {"GREY": random.choice(("CONTRIBUTES", "COMPLETES"))}
    if ask == "progress" and random.random() < 0.5:
        state["house_rules"] = {"TOKEN_TIE": random.choice(("DIE", "DIE", "LEFT", None))}
    if random.random() < 0.1:
        state |= {"looked": [random.choice(facts.CARDS)], "situation": "extra", "face_down_left": 3}
    if ask == "halicarnassus" and random.random() < 0.8:
        state |= _picked(random, state)
    return ask, state


# -- good states -------------------------------------------------------------------------------


def _table(random: Random) -> State:
    wonder = random.choice(WONDERS)
    stages = [s.number for s in facts.STAGES[wonder] if random.random() < 0.45]
    greys = {g: random.choice((0, 1, 1, 2, 3)) for g in facts.GREYS if random.random() < 0.5}
    state: State = {
        "opponent_wonder": _spelled(random, "wonder", wonder),
        "opponent_stages": stages,
        "opponent_greys": greys,
        "opponent_yellows": random.choice((0, 0, 0, 1, 1, 2)),
        "opponent_greens": random.sample(facts.GREENS, random.choice((0, 0, 1, 1, 2))),
        "opponent_tokens": [
            _spelled(random, "token", t) for t in random.sample(facts.TOKENS, random.choice((0, 0, 1, 2, 3)))
        ],
        "shields_opponent": random.randint(0, 4),
        "shields_player": random.randint(0, 4),
    }
    for field in ("opponent_stages", "opponent_greys", "opponent_yellows", "opponent_greens"):
        if random.random() < 0.1:
            state[field] = random.choice((None, oracle.DEFAULTS[field]))
    return state


def _spelled(random: Random, kind: str, id_: str) -> str:
    """An id as a log may write it."""
    spelling = random.choice((id_, id_, id_, *facts.LABELS[kind][id_]))
    return random.choice((spelling, spelling, spelling.upper(), spelling.replace("_", " ")))


def _card(random: Random) -> str:
    return random.choice(facts.CARDS)


def _top(random: Random, *others: str) -> str:
    return random.choice(others) if random.random() < 0.12 * len(others) else _card(random)


def _dice(random: Random) -> list[int]:
    return [random.randint(1, 6) for _ in range(random.choice((0, 0, 1, 1, 2, 4)))]


def _turn(random: Random) -> State:
    state = _table(random) | {
        "cat_owner": random.choice(("player", "opponent", "opponent", "none")),
        "top_player": _top(random, "empty"),
        "top_opponent": _top(random, "empty"),
        "top_central": _top(random, "empty", "face_down", "face_down", "face_down"),
        "dice": _dice(random),
    }
    if random.random() < 0.25:
        state["top_opponent"] = state["top_player"]
    if random.random() < 0.3:
        state["situation"] = random.choice(("turn", "extra"))
    if random.random() < 0.8:
        state["flipped"] = _card(random)
    return state


def _halicarnassus(random: Random) -> State:
    state = _table(random) | {"top_player": _top(random, "empty"), "top_opponent": _top(random, "empty")}
    if random.random() < 0.7:
        state["dice"] = _dice(random)
    if random.random() < 0.8:
        state["looked"] = [_card(random) for _ in range(random.randint(1, 5))]
    return state


def _picked(random: Random, state: State) -> State:
    """A card that may be picked, where there is a choice."""
    choices = oracle.answer("halicarnassus", state).get("any_of", {}).get("card")
    if choices and random.random() < 0.5:
        return {"picked": random.choice(choices)}
    return {} if choices else {"picked": _card(random)}


def _stage(random: Random) -> State:
    state = _table(random)
    return state if random.random() < 0.5 else {k: v for k, v in state.items() if "shields" not in k}


def _start_tokens(random: Random) -> State:
    return {
        "opponent_wonder": _spelled(random, "wonder", random.choice(WONDERS)),
        "difficulty": _spelled(random, "difficulty", random.choice(tuple(facts.START_COUNT))),
        "dice": _dice(random),
    }


def _progress(random: Random) -> State:
    worthless = [t for t in facts.TOKENS if t not in facts.PRINTED_VALUE]
    among = random.choice((facts.TOKENS, facts.TOKENS, worthless))
    if random.random() < 0.3:
        among = ("politics", "strategy", "science")
    row = [_spelled(random, "token", random.choice(among)) for _ in range(random.choice((0, 1, 2, 3, 3)))]
    left = random.choice(({}, {"face_down_left": random.choice((0, 0, 1, 12))}))
    return {"token_row": row} | left | random.choice(({}, {"dice": _dice(random)}))


_BY_ASK: dict[str, Callable[[Random], State]] = {
    "turn": _turn,
    "halicarnassus": _halicarnassus,
    "stage": _stage,
    "start_tokens": _start_tokens,
    "progress": _progress,
}


# -- mistakes ----------------------------------------------------------------------------------

Broken = tuple[str, State, str]


def _unknown_key(random: Random, ask: str, state: State) -> Broken:
    key = random.choice(("surprise", "opponent_wonders", "dices", "top"))
    return ask, state | {key: 1}, f"state.{key}"


def _left_out(random: Random, ask: str, state: State) -> Broken:
    field = random.choice(oracle.NEEDS[ask])
    if random.random() < 0.5:
        return ask, state | {field: None}, f"state.{field}"
    del state[field]
    return ask, state, f"state.{field}"


def _out_of_range(random: Random, ask: str, state: State) -> Broken:
    field, highest = random.choice(
        (("opponent_yellows", 9), ("shields_player", 30), ("shields_opponent", 30), ("face_down_left", 12))
    )
    return ask, state | {field: random.choice((-1, highest + 1, 10**30))}, f"state.{field}"


def _no_whole_number(random: Random, ask: str, state: State) -> Broken:
    field = random.choice(("opponent_yellows", "shields_player", "face_down_left"))
    return ask, state | {field: random.choice(("3", 2.5, 2.0, True, [1], {}))}, f"state.{field}"


def _wrong_name(random: Random, ask: str, state: State) -> Broken:
    """A name of another kind, or of none."""
    field, names = random.choice(
        (
            ("opponent_wonder", ("rodos", "science", "", 7, ["giza"])),
            ("top_player", ("face_down", "blue2", "yellow")),
            ("top_opponent", ("face_down", "none", False)),
            ("top_central", ("down", "central")),
            ("flipped", ("empty", "face_down")),
            ("cat_owner", ("anyone", "central")),
            ("situation", ("turns", "halicarnassus")),
            ("difficulty", ("expert", "giza")),
            ("picked", ("empty", "grey")),
        )
    )
    return ask, state | {field: random.choice(names)}, f"state.{field}"


def _wrong_in_list(random: Random, ask: str, state: State) -> Broken:
    """One element of a list is wrong."""
    field, fine, wrong = random.choice(
        (
            ("opponent_stages", 1, (0, 6, None, "2", 1.0)),
            ("opponent_tokens", "culture", ("giza", "gear", None, 3)),
            ("opponent_greens", "gear", ("symbol", None, 1)),
            ("dice", 3, (0, 7, None, "4", False)),
            ("looked", "gold", ("empty", "face_down", None)),
            ("token_row", "decor", ("gold", "face_down", None)),
        )
    )
    before = random.randint(0, 1)
    return (
        ask,
        state | {field: [fine] * before + [random.choice(wrong)]},
        f"state.{field}[{before}]",
    )


def _no_list(random: Random, ask: str, state: State) -> Broken:
    field = random.choice(("opponent_stages", "opponent_tokens", "dice", "looked", "opponent_greens"))
    return ask, state | {field: random.choice(("gold", 3, {"gear": 1}))}, f"state.{field}"


def _greys(random: Random, ask: str, state: State) -> Broken:
    key, value = random.choice(
        (("gold", 1), ("gear", 2), ("clay", 1), ("wood", -1), ("glass", 10), ("stone", "1"), ("wood", True))
    )
    return ask, state | {"opponent_greys": {"brick": 1, key: value}}, f"state.opponent_greys.{key}"


def _greens(random: Random, ask: str, state: State) -> Broken:
    wrong = random.choice((["gear", "gear"], list(facts.GREENS), ["wood"], ["gear", "gold"]))
    return ask, _complete(ask, state) | {"opponent_greens": wrong}, "state.opponent_greens"


def _stage_twice(random: Random, ask: str, state: State) -> Broken:
    stages = random.sample(range(1, 6), random.randint(1, 5))
    again = random.choice(stages)
    return (
        ask,
        _complete(ask, state) | {"opponent_stages": [*stages, again]},
        f"state.opponent_stages[{len(stages)}]",
    )


def _wrong_length(random: Random, ask: str, state: State) -> Broken:
    field, wrong = random.choice(
        (("looked", []), ("looked", ["gold"] * 6), ("token_row", ["decor", "culture", "crafts", "culture"]))
    )
    return ask, _complete(ask, state) | {field: wrong}, f"state.{field}"


def _complete(ask: str, state: State) -> State:
    """What is checked after reading is checked only where nothing is missing."""
    return {k: v for k, v in state.items() if v is not None or k not in oracle.NEEDS[ask]}


def _rules(random: Random, ask: str, state: State) -> Broken:
    key, value = random.choice(
        (("GREY", "HELPS"), ("GREY", 1), ("GREEN", "YES"), ("grey", "COMPLETE"), ("TOKEN_TIE", "RIGHT"))
    )
    return ask, state | {"house_rules": {key: value}}, f"state.house_rules.{key}"


def _not_looked_at(random: Random, _: str, __: State) -> Broken:
    """Two cards nobody wants lie there, a third one is picked."""
    table = {
        "opponent_wonder": "giza",
        "shields_opponent": 2,
        "shields_player": 1,
        "top_player": "gold",
        "top_opponent": "empty",
        "looked": ["blue3", "red0"],
    }
    return "halicarnassus", table | {"picked": random.choice(("gold", "red1"))}, "state.picked"


def _no_ask(random: Random, _: str, state: State) -> Broken:
    return random.choice(("turns", "Turn ", "stages", "")), state, "ask"


Mistake = Callable[[Random, str, State], Broken]

MISTAKES: tuple[Mistake, ...] = (
    *(_unknown_key, _left_out, _out_of_range, _no_whole_number, _wrong_name, _wrong_in_list),
    *(_no_list, _greys, _greens, _stage_twice, _wrong_length, _rules, _not_looked_at, _no_ask),
)
