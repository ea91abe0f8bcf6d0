"""Sound states in which a scale has much to choose from: candidates of one colour, long ties."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.games.duel.facts import CARDS, DIRECTIONS, POSITIONS, SWITCHES, WONDERS
from tests.games.duel.turns import Box, Plain, structure

ALIKE = [
    "colossus", "circus_maximus", "hanging_gardens", "statue_of_zeus", "appian_way", "piraeus", "sanctuary",
]  # fmt: skip
TYPES = ["raw", "yellow", "green", "red", "blue", "temple"]


def narrow_turn(rng: Random) -> tuple[str, Plain]:
    return rng.choice(SCENES)(rng)


def of_type(type_: str, age: int | None = None) -> list[str]:
    return [c.id for c in CARDS.values() if c.type == type_ and age in (None, c.age)]


def taken(rng: Random, box: Box, ids: list[str], most: int) -> list[str]:
    free = [c for c in ids if c in box.cards]
    found = rng.sample(free, min(len(free), most))
    for card in found:
        box.cards.remove(card)
    return found


def side(rng: Random, box: Box, coins: int, built: float) -> Plain:
    wonders = [
        {"wonder": w, "built": rng.random() < built}
        for w in rng.sample(box.wonders, min(len(box.wonders), rng.randint(0, 3)))
    ]
    box.wonders = [w for w in box.wonders if w not in [p["wonder"] for p in wonders]]
    liked = of_type(rng.choice(["raw", "green", "yellow"]))
    return {"coins": coins, "wonders": wonders, "cards": taken(rng, box, liked, rng.randint(0, 4))}


def scene(rng: Random, coins: int, types: list[str], built: float = 0.5, age: int | None = None) -> Plain:
    """Accessible cards of these types only, as far as there are enough."""
    age = age or rng.randint(1, 3)
    box = Box(rng)
    lying = structure(rng, box, age)
    there = {p["at"] for p in lying}
    wanted = [c for t in types for c in of_type(t, age)]
    for place in lying:
        if not any(p in there for p in POSITIONS[place["at"]].covered_by):
            box.cards.append(place["card"])
            found = taken(rng, box, wanted, 1) or [place["card"]]
            place["card"] = found[0]
            box.cards = [c for c in box.cards if c != found[0]]
    state: Plain = {
        "age": age, "direction": rng.choice(DIRECTIONS), "conflict": rng.randint(-5, 5), "structure": lying,
        "solo": side(rng, box, coins, built), "player": side(rng, box, 3, 0.5),
        "house_rules": {name: rng.choice(values) for name, values in SWITCHES.items() if rng.random() < 0.3},
    }  # fmt: skip
    state["discard_pile"] = taken(rng, box, [c for t in types for c in of_type(t)], 5)
    return state


def building(rng: Random) -> tuple[str, Plain]:
    return "turn", scene(rng, 60, [rng.choice(TYPES)], built=1.0)


def needing(rng: Random) -> tuple[str, Plain]:
    """Wonders still to be built, but too dear."""
    state = scene(rng, rng.choice([2, 2, 3, 6]), [rng.choice(["raw", "yellow"])], built=0.0)
    state["solo"]["cards"] = []
    return "turn", state


def threatened(rng: Random) -> tuple[str, Plain]:
    """The player is about to win, by arms, by science, or both."""
    state = scene(rng, 60, rng.choice([["red", "green"], ["green"], ["red"], ["red", "green"]]), built=1.0)
    state["conflict"] = rng.choice([-8, -7, -6, -2])
    held = repr([state[k] for k in ("structure", "solo", "discard_pile")])
    greens = {c.symbol: c.id for c in CARDS.values() if c.type == "green" and f"'{c.id}'" not in held}
    state["player"]["cards"] = list(greens.values())[:5]
    return "turn", state


def free_threatened(rng: Random) -> tuple[str, Plain]:
    """A free card while the player is about to win in both ways."""
    _, state = threatened(rng)
    state["conflict"] = rng.choice([-8, -7, -6])
    held = repr([state[k] for k in ("solo", "player")])
    here = [c for c in of_type("red") + of_type("green") if f"'{c}'" not in held]
    state["pool"] = rng.choice(["mausoleum", "hades", "mausoleum", "messe", "liberty"])
    state["box_cards"] = []
    if state["pool"] == "messe":
        return "free_structure", state
    lying = repr(state["structure"])
    pile = rng.sample([c for c in here if f"'{c}'" not in lying], 3)
    if state["pool"] == "liberty":
        state["box_cards"] = [c for c in pile if CARDS[c].age == state["age"]]
        pile = []
    state["discard_pile"] = pile
    return "free_structure", state


def discarding(rng: Random) -> tuple[str, Plain]:
    type_, age = rng.choice([("raw", 2), ("yellow", 2), *((t, None) for t in TYPES)])
    state = scene(rng, 0, [type_], built=1.0, age=age)
    if rng.random() < 0.3:
        return "zeus", state
    state["solo"]["cards"] = []
    return "turn", state


def free(rng: Random) -> tuple[str, Plain]:
    type_ = rng.choice(["green", *TYPES])
    state = scene(rng, 5, [type_], built=0.3)
    if type_ == "green":
        held = repr([state[k] for k in ("structure", "solo", "discard_pile")])
        state["player"]["cards"] = [c for c in of_type("green") if f"'{c}'" not in held][:4]
    if rng.random() < 0.4 and any(not p["built"] for p in state["solo"]["wonders"]):
        return "isis", state
    state["pool"] = rng.choice(["mausoleum", "hades", "mausoleum", "liberty"])
    state["box_cards"] = []
    if state["pool"] == "liberty":
        mine = [c for c in state["discard_pile"] if CARDS[c].age == state["age"]][:3]
        state["discard_pile"] = [c for c in state["discard_pile"] if c not in mine]
        state["box_cards"] = mine
        if len(mine) == 2 and rng.random() < 0.7:
            return "liberty_gift", state
    return "free_structure", state


def spent(rng: Random) -> tuple[str, Plain]:
    """A card for Isis among cards of one age and one type."""
    state = scene(rng, 5, ["blue"], built=0.2)
    state["solo"]["wonders"] = [{"wonder": w} for w in rng.sample(ALIKE, 3)]
    state["player"]["wonders"] = []
    held = repr([state["structure"], state["solo"], state["player"]])
    pile = of_type(rng.choice(TYPES), rng.randint(1, 3))
    state["discard_pile"] = [c for c in pile if f"'{c}'" not in held and rng.random() < 0.7]
    return "isis", state


def wonders(rng: Random) -> tuple[str, Plain]:
    """Many wonders that cost the same."""
    state = scene(rng, 60, ["blue"])
    shuffled = rng.sample(
        rng.choice([list(WONDERS), ALIKE, [*ALIKE[:5], "messe_essen", "statue_of_liberty"]]), 7
    )
    ask = rng.choice(["anubis", "ra", "isis", "anubis"])
    mine, theirs = (0.9, 0.0) if ask == "anubis" and rng.random() < 0.5 else (0.2, 0.5)
    state["solo"]["wonders"] = [{"wonder": w, "built": rng.random() < mine} for w in shuffled[:4]]
    state["player"]["wonders"] = [{"wonder": w, "built": rng.random() < theirs} for w in shuffled[4:7]]
    return ask, state


def resources(rng: Random) -> tuple[str, Plain]:
    state = scene(rng, 5, ["blue"])
    box = Box(rng)
    held = repr([state["structure"], state["discard_pile"], state["solo"]])
    box.cards = [c for c in box.cards if f"'{c}'" not in held]
    state["player"]["cards"] = taken(rng, box, of_type("raw"), rng.randint(2, 6))
    state["wonder"] = rng.choice(["circus_maximus", "statue_of_zeus"])
    return rng.choice(["remove_resource", "baal"]), state


def tokens(rng: Random) -> tuple[str, Plain]:
    """Neptune by the other switch, and what lies under Zeus's hand."""
    if rng.random() < 0.5:
        left = rng.sample(["solo_5", "solo_2", "player_2", "player_5"], 3)
        return "neptune", {"military_tokens": left, "house_rules": {"NEPTUNE2": "HARMLESS"}}
    state = scene(rng, 5, ["blue"])
    state["solo"]["wonders"] = []
    for place in state["structure"]:
        if "card" not in place:
            place["token"] = "mythology"
    return "zeus", state


Scene = Callable[[Random], tuple[str, Plain]]

SCENES: list[Scene] = [
    building, building, needing, needing, threatened, threatened, discarding, discarding, free, free,
    spent, wonders, resources, tokens,
]  # fmt: skip
