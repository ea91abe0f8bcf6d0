"""States to try: sound ones that reach every rule, and spoilt ones with the path they are refused at."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.games.duel.asks import ASKS
from tests.games.duel.facts import (
    CARDS,
    DIRECTIONS,
    GODS,
    LEVELS,
    MILITARY,
    MYTHOLOGIES,
    OFFERINGS,
    POSITIONS,
    PROGRESS,
    RESOURCES,
    SWITCHES,
    SYMBOLS,
    WONDERS,
)

Plain = dict[str, Any]


def some(rng: Random, items: list[Any], most: int) -> list[Any]:
    """Taken out of `items`, so that nothing stands twice."""
    count = min(len(items), rng.randint(0, most))
    taken = rng.sample(items, count)
    for item in taken:
        items.remove(item)
    return taken


class Box:
    """The components that are still to be placed."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.cards = list(CARDS)
        self.wonders = list(WONDERS)
        self.gods = list(GODS)
        self.progress = list(PROGRESS)
        self.offerings = list(OFFERINGS)
        rng.shuffle(self.cards)

    def card(self, age: int | None = None) -> str | None:
        fitting = [c for c in self.cards if age is None or CARDS[c].age == age]
        if not fitting:
            return None
        card = self.rng.choice(fitting)
        self.cards.remove(card)
        return card

    def cards_up_to(self, age: int, most: int) -> list[str]:
        taken = []
        for _ in range(self.rng.randint(0, most)):
            card = self.card(self.rng.randint(1, age))
            if card:
                taken.append(card)
        return taken


def side(rng: Random, box: Box, age: int, green: bool) -> Plain:
    wonders = []
    for wonder in some(rng, box.wonders, 4):
        project: Plain = {"wonder": wonder}
        if rng.random() < 0.5:
            project["built"] = rng.random() < 0.8
            if project["built"] and rng.random() < 0.5:
                project["card"] = box.card(rng.randint(1, age))
        if WONDERS[wonder].cost is None and rng.random() < 0.4:
            project["cost"] = {r: rng.randint(0, 2) for r in rng.sample(["coins", *RESOURCES], 3)}
        wonders.append(project)
    cards = box.cards_up_to(age, 9)
    if green:
        greens = [c for c in box.cards if CARDS[c].colour == "green"]
        for card in rng.sample(greens, min(len(greens), rng.randint(3, 6))):
            box.cards.remove(card)
            cards.append(card)
        rng.shuffle(cards)
    gods = some(rng, box.gods, 2)
    made: Plain = {
        "coins": rng.choice([0, 1, 2, 3, 4, 5, 6, 8, 12, 20]), "wonders": wonders, "cards": cards,
        "progress": some(rng, box.progress, 3), "gods": gods,
        "offering_tokens": some(rng, box.offerings, 2),
        "mythology_tokens": rng.choices(MYTHOLOGIES, k=rng.randint(0, 2)),
    }  # fmt: skip
    if "nisaba" in gods and rng.random() < 0.7:
        made["nisaba_symbol"] = rng.choice(SYMBOLS[:6])
    return made


def structure(rng: Random, box: Box, age: int) -> list[Plain]:
    """What is left after some cards were taken as the rules allow."""
    left = [p for p in POSITIONS.values() if p.age == age]
    for _ in range(rng.randint(0, len(left) - 1)):
        there = {p.id for p in left}
        open_now = [p for p in left if not any(c in there for c in p.covered_by)]
        left.remove(rng.choice(open_now))
    there = {p.id for p in left}
    places = []
    for position in left:
        place: Plain = {"at": position.id}
        if position.up or not any(c in there for c in position.covered_by):
            place["card"] = box.card(age)
        elif rng.random() < 0.4:
            token = rng.choice(["mythology", *box.offerings])
            if token != "mythology":
                box.offerings.remove(token)
            place["token"] = token
        places.append(place)
    return places


def sound_state(rng: Random, age: int | None = None) -> Plain:
    age = age or rng.randint(1, 3)
    box = Box(rng)
    lying = structure(rng, box, age)
    green = rng.random() < 0.35
    conflict = rng.choice([0, rng.randint(-8, 8), rng.randint(-8, -6), rng.randint(5, 8)])
    state: Plain = {
        "age": age, "direction": rng.choice(DIRECTIONS), "conflict": conflict, "structure": lying,
        "solo": side(rng, box, age, green and rng.random() < 0.5), "player": side(rng, box, age, green),
        "discard_pile": box.cards_up_to(age, 6), "pantheon": pantheon(rng, box, age),
        "military_tokens": rng.sample(MILITARY, rng.randint(0, 4)),
    }  # fmt: skip
    if rng.random() < 0.6:
        state["level"] = rng.choice(LEVELS)
    if rng.random() < 0.3:
        state["minerva"] = rng.choice([n for n in range(-9, 10) if n != conflict])
    if rng.random() < 0.5:
        state["house_rules"] = {
            name: rng.choice(values) for name, values in SWITCHES.items() if rng.random() < 0.4
        }
    if rng.random() < 0.3:
        state["mythology_decks"] = decks(rng, box)
    if any(s.get("god") == "gate" for s in state["pantheon"]) and rng.random() < 0.3:
        by_mythology = {GODS[g][0]: g for g in box.gods}
        state["gate_reveal"] = rng.sample(list(by_mythology.values()), rng.randint(0, len(by_mythology)))
        for god in state["gate_reveal"]:
            box.gods.remove(god)
    state["box_cards"] = [c for a in (1, 2, 3) for c in box_of(rng, box, a)]
    state["progress_row"] = some(rng, box.progress, 5)
    state["progress_offer"] = some(rng, box.progress, 3)
    return {k: v for k, v in state.items() if v not in ([], {}) or rng.random() < 0.5}


def box_of(rng: Random, box: Box, age: int) -> list[str]:
    return [c for c in (box.card(age) for _ in range(rng.randint(0, 3))) if c]


def pantheon(rng: Random, box: Box, age: int) -> list[Plain]:
    slots = rng.sample(range(1, 7), rng.randint(0, 6))
    shown = []
    gate = False
    for slot in slots:
        if not gate and rng.random() < 0.2:
            gate = True
            shown.append({"slot": slot, "god": "gate"})
        elif age == 1 and rng.random() < 0.4:
            shown.append({"slot": slot, "mythology": rng.choice(MYTHOLOGIES)})
        elif box.gods:
            god = box.gods.pop(rng.randrange(len(box.gods)))
            entry: Plain = {"slot": slot, "god": god}
            if rng.random() < 0.2:
                entry["mythology"] = GODS[god][0]
            shown.append(entry)
    return shown


def decks(rng: Random, box: Box) -> Plain:
    made: Plain = {}
    for mythology in rng.sample(MYTHOLOGIES, rng.randint(1, 3)):
        gods = [g for g in box.gods if GODS[g][0] == mythology]
        taken = rng.sample(gods, rng.randint(0, len(gods)))
        for god in taken:
            box.gods.remove(god)
        made[mythology] = taken
    return made


# -- what each ask adds ------------------------------------------------------------------------


def asked(rng: Random, ask: str, state: Plain) -> Plain:
    """The state with what the ask needs; changed where it must be."""
    state = dict(state)
    add = ADDITIONS.get(ask)
    if add:
        add(rng, state)
    return state


def _turn(rng: Random, state: Plain) -> None:
    state["solo"] = {**state.get("solo", {}), "coins": state.get("solo", {}).get("coins", 3)}
    state["pantheon"] = [
        s for s in state.get("pantheon", []) if state["age"] == 1 or s.get("god") is not None
    ]
    _structure(rng, state)


def _structure(rng: Random, state: Plain) -> None:
    if not state.get("structure"):
        state["structure"] = [{"at": "A1-15", "card": unused(rng, state, 1)}]
        state["age"] = 1


def unused(rng: Random, state: Plain, age: int) -> str:
    """A card that stands nowhere."""
    text = repr(state)
    free = [c for c in CARDS if CARDS[c].age == age and f"'{c}'" not in text]
    if not free:
        raise LookupError(f"every card of age {age} is on the table")
    return rng.choice(free)


def _direction(rng: Random, state: Plain) -> None:
    state["first_wonder"] = rng.choice(list(WONDERS))
    if rng.random() < 0.5:
        del state["direction"]


def _draft(rng: Random, state: Plain) -> None:
    state.pop("solo", None)
    state.pop("player", None)
    state["offer"] = rng.sample(list(WONDERS), rng.randint(1, 4))


def _god_slot(rng: Random, state: Plain) -> None:
    state["mythology"] = rng.choice(MYTHOLOGIES)


def _price(rng: Random, state: Plain) -> None:
    state["slot"] = rng.randint(1, 6)
    if rng.random() < 0.6:
        state["god"] = rng.choice(["gate", "gate", *GODS])
    state["solo"] = {"coins": 5, **state.get("solo", {})}
    rest = [o for o in OFFERINGS if o not in repr(state.get("structure")) + repr(state.get("player"))]
    state["solo"] = {**state["solo"], "coins": rng.randint(0, 9), "offering_tokens": rest}


def _progress(rng: Random, state: Plain) -> None:
    state["source"] = rng.choice(["pair", "great_library", "enki"])
    state["solo"] = {"coins": 5, **state.get("solo", {})}
    state.setdefault("progress_row", [])
    state.setdefault("progress_offer", [])


def _free_structure(rng: Random, state: Plain) -> None:
    state["pool"] = rng.choice(["mausoleum", "hades", "messe", "liberty"])
    state.setdefault("box_cards", [])
    state.setdefault("discard_pile", [])
    if state["pool"] == "messe":
        _structure(rng, state)


def _liberty_gift(_: Random, state: Plain) -> None:
    box = state.get("box_cards", [])
    here = [c for c in box if CARDS[c].age == state["age"]]
    state["box_cards"] = [c for c in box if c not in here[2:]]


def _remove_resource(rng: Random, state: Plain) -> None:
    state["wonder"] = rng.choice(["circus_maximus", "statue_of_zeus"])


def _neptune(_: Random, state: Plain) -> None:
    state.setdefault("military_tokens", [])


def _age_start(rng: Random, state: Plain) -> None:
    if rng.random() < 0.7:
        state["conflict"] = rng.randint(-4, 1)
        if state.get("minerva") == state["conflict"]:
            del state["minerva"]
    here = [c for c in state.get("box_cards", []) if CARDS[c].age == state["age"]]
    if "box_cards" not in state:
        state["drawn_card"] = unused(rng, state, state["age"])
    elif here and rng.random() < 0.3:
        state["drawn_card"] = rng.choice(here)


def _level(rng: Random, state: Plain) -> None:
    state["level"] = rng.choice(LEVELS)


def _next_starter(rng: Random, state: Plain) -> None:
    state["last_active"] = rng.choice(["solo", "player"])
    if rng.random() < 0.5:
        state["player_choice"] = rng.choice(["solo", "player"])


def _need(rng: Random, state: Plain) -> None:
    state["side"] = rng.choice(["solo", "player"])


def _cost(rng: Random, state: Plain) -> None:
    state["side"] = rng.choice(["solo", "player"])
    for name in ("solo", "player"):
        state[name] = {"coins": 5, **state.get(name, {})}
    if rng.random() < 0.5:
        state["card"] = rng.choice(list(CARDS))
    else:
        state["wonder"] = rng.choice(list(WONDERS))


ADDITIONS: dict[str, Callable[[Random, Plain], None]] = {
    "turn": _turn, "direction": _direction, "draft": _draft, "god_slot": _god_slot, "price": _price,
    "progress": _progress, "free_structure": _free_structure, "liberty_gift": _liberty_gift,
    "remove_resource": _remove_resource, "zeus": _structure, "neptune": _neptune, "age_start": _age_start,
    "level": _level, "next_starter": _next_starter, "need": _need, "cost": _cost,
}  # fmt: skip


def sound_turn(rng: Random, ask: str | None = None) -> tuple[str, Plain]:
    """The main ask as often as half of all."""
    ask = ask or rng.choice([*ASKS, *["turn"] * len(ASKS)])
    while True:
        try:
            return ask, asked(rng, ask, sound_state(rng))
        except LookupError:
            continue
