"""Random records of Concordia with one mistake, and the path at which each must be rejected."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.games import concordia_oracle as oracle
from tests.games import concordia_turns as turns
from tests.games.concordia_facts import GOODS, MAPS, STARTS
from tests.games.concordia_state import NEEDS

State = dict[str, Any]
Broken = tuple[str, State, str]
Mistake = Callable[[Random, str, State], Broken]


def on_the_board(random: Random) -> State:
    """A state that reads the board."""
    while True:
        ask, state = turns.good(random)
        if ask == "turn":
            return {field: value for field, value in state.items() if field != "city_pick"}


# -- fields ------------------------------------------------------------------------------------


def unknown_key(random: Random, ask: str, state: State) -> Broken:
    key = random.choice(("surprise", "ai_house", "Map", "goods_roll", "colonists"))
    return ask, state | {key: 1}, f"state.{key}"


def left_out(random: Random, _: str, __: State) -> Broken:
    ask = random.choice([a for a in NEEDS if NEEDS[a]])
    state: State = {}
    while not set(NEEDS[ask]) <= set(state):
        asked, state = turns.good(random)
        state = state if asked == ask else {}
    field = random.choice(NEEDS[ask])
    kept = {key: value for key, value in state.items() if key != field}
    return ask, random.choice((kept, state | {field: None})), f"state.{field}"


def out_of_range(random: Random, ask: str, state: State) -> Broken:
    field, wrong = random.choice(
        (
            ("colonists_stored", (-1, 5, 10**30)),
            ("action_roll", (0, 13, -4)),
            ("roll", (0, 13, 10**20)),
        )
    )
    return ask, state | {field: random.choice(wrong)}, f"state.{field}"


def no_whole_number(random: Random, ask: str, state: State) -> Broken:
    field = random.choice(("colonists_stored", "action_roll", "roll"))
    return ask, state | {field: random.choice(("3", 2.5, 2.0, True, [1], {}))}, f"state.{field}"


def wrong_name(random: Random, ask: str, state: State) -> Broken:
    """A name of another kind, or of none."""
    field, names = random.choice(
        (
            ("dice_mode", ("d6", "2d12", 12)),
            ("map", ("roma", "gallia", "", ["italia"])),
            ("city_pick", ("roms", "hispania", 7)),
            ("end_triggered_by", ("nobody", "solo", False)),
            ("took", ("cards", "brick", {})),
            ("last_card", ("magnus", "brick", "tribunes")),
            ("table", ("build", "goods", 1)),
        )
    )
    return ask, state | {field: random.choice(names)}, f"state.{field}"


def wrong_in_list(random: Random, ask: str, state: State) -> Broken:
    field, fine, wrong = random.choice(
        (
            ("goods_rolls", 3, (0, 13, None, "2", 1.0)),
            ("display", None, ("tribune", "senator", "", 3, "brick")),
            ("ai_houses", None, ("romae", None, 1)),
            ("player_houses", None, ("italia", None, {})),
        )
    )
    before = random.randint(0, 2) if field in ("goods_rolls", "display") else 0
    wrong_list: list[Any] = [fine] * before + [random.choice(wrong)]
    return ask, state | {field: wrong_list}, f"state.{field}[{before}]"


def no_list(random: Random, ask: str, state: State) -> Broken:
    field = random.choice(("goods_rolls", "display", "ai_houses", "player_houses"))
    return ask, state | {field: random.choice(("roma", 3, {"roma": 1}))}, f"state.{field}"


def goods(random: Random, ask: str, state: State) -> Broken:
    key, value = random.choice(
        (("gold", 1), ("salt", 2), ("brick", -1), ("food", 13), ("wine", "1"), ("cloth", True), ("tool", 1.0))
    )
    return ask, state | {"goods": {key: value}}, f"state.goods.{key}"


def city_goods(random: Random, ask: str, state: State) -> Broken:
    """A city that is none, or a good that is none."""
    key, value = random.choice(
        (("atlantis", "brick"), ("brick", "brick"), ("roma ", "salt"), ("genua", 1), ("aleria", ["food"]))
    )
    return ask, state | {"city_goods": {key: value}}, f"state.city_goods.{key}"


def no_object(random: Random, ask: str, state: State) -> Broken:
    field = random.choice(("goods", "city_goods", "house_rules"))
    return ask, state | {field: random.choice(([], "brick", 3, True))}, f"state.{field}"


def rules(random: Random, ask: str, state: State) -> Broken:
    key, value = random.choice(
        (("PAIR", "pair"), ("PAY", "PREFER_PAIR"), ("PAY", 1), ("GREED", "YES"), ("pay", "TYPE"))
    )
    return ask, state | {"house_rules": {key: value}}, f"state.house_rules.{key}"


def no_ask(random: Random, _: str, state: State) -> Broken:
    return random.choice(("turns", "Turn", "consul", "")), state, "ask"


# -- what does not fit together ----------------------------------------------------------------


def city_missing(random: Random, _: str, __: State) -> Broken:
    state = on_the_board(random)
    city = random.choice(list(MAPS[state["map"]]))
    left = {c: g for c, g in state["city_goods"].items() if c != city}
    return (
        "turn",
        state | {"city_goods": random.choice((left, left | {city: None}))},
        f"state.city_goods.{city}",
    )


def city_of_elsewhere(random: Random, _: str, __: State) -> Broken:
    state = on_the_board(random)
    board = MAPS[state["map"]]
    city = random.choice(
        [STARTS[state["map"]], *(c for other in MAPS.values() for c in other if c not in board)]
    )
    cities = state["city_goods"] | {city: random.choice(GOODS)}
    return "turn", state | {"city_goods": cities}, f"state.city_goods.{city}"


def house_of_elsewhere(random: Random, _: str, __: State) -> Broken:
    state = on_the_board(random)
    board = MAPS[state["map"]]
    wrong = [STARTS[state["map"]], *(c for other in MAPS.values() for c in other if c not in board)]
    before = random.sample(list(board), random.randint(0, 3))
    field = random.choice(("ai_houses", "player_houses"))
    return "turn", state | {field: [*before, random.choice(wrong)]}, f"state.{field}[{len(before)}]"


def house_twice(random: Random, _: str, __: State) -> Broken:
    state = on_the_board(random)
    houses = random.sample(list(MAPS[state["map"]]), random.randint(1, 6))
    field = random.choice(("ai_houses", "player_houses"))
    twice = [*houses, random.choice(houses)]
    return "turn", state | {field: twice}, f"state.{field}[{len(houses)}]"


def too_full(random: Random, _: str, __: State) -> Broken:
    state = on_the_board(random) | {"colonists_stored": random.randint(1, 4)}
    return "turn", state | {"goods": random.choice(({"brick": 12}, {"wine": 6, "food": 6}))}, "state.goods"


def too_many_cards(random: Random, _: str, __: State) -> Broken:
    cards = random.choice(([None] * 8, ["consul"] * 9))
    return "turn", on_the_board(random) | {"display": cards}, "state.display"


def total_of_no_dice(random: Random, _: str, __: State) -> Broken:
    state = on_the_board(random) | {"dice_mode": "2d6", "action_roll": 7, "goods_rolls": [2, 12]}
    field, value, path = random.choice(
        (
            ("action_roll", 1, "action_roll"),
            ("roll", 1, "roll"),
            ("goods_rolls", [3, 1], "goods_rolls[1]"),
        )
    )
    return "turn", state | {field: value}, f"state.{path}"


def picked_elsewhere(random: Random, _: str, __: State) -> Broken:
    """A house is built, but not in that city."""
    while True:
        state = on_the_board(random)
        house = oracle.answer("turn", state)["house"]
        if house is not None:
            break
    fine = house["any_of"]["city"] if "any_of" in house else [house["city"]]
    board = MAPS[state["map"]]
    wrong = [city for others in (board, MAPS["italia"]) for city in others if city not in fine]
    return "turn", state | {"city_pick": random.choice(wrong)}, "state.city_pick"


MISTAKES: tuple[Mistake, ...] = (
    *(unknown_key, left_out, out_of_range, no_whole_number, wrong_name, wrong_in_list, no_list),
    *(
        goods,
        city_goods,
        no_object,
        rules,
        no_ask,
        city_missing,
        city_of_elsewhere,
        house_of_elsewhere,
        house_twice,
        too_full,
    ),
    *(too_many_cards, total_of_no_dice, picked_elsewhere),
)
