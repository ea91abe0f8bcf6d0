"""Records spoilt in one place, with the path at which they must be rejected."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random

from tests.games.duel.facts import GODS, POSITIONS, WONDERS
from tests.games.duel.turns import Plain, sound_turn, unused


def spoilt(rng: Random) -> Iterator[tuple[str, Plain, str]]:
    """Ask, state and the path at which the record must be rejected."""
    ask, sound = sound_turn(rng)
    for spoil in SPOILS:
        state = copy.deepcopy(sound)
        try:
            path = spoil(rng, state)
        except LookupError:
            continue
        if path:
            yield ask, state, path


def _spoil_key(_: Random, state: Plain) -> str:
    state["coin"] = 3
    return "state.coin"


def _spoil_inner_key(_: Random, state: Plain) -> str:
    state.setdefault("player", {})["golds"] = 3
    return "state.player.golds"


def _spoil_name(rng: Random, state: Plain) -> str:
    cards = state.setdefault("solo", {}).setdefault("cards", [])
    cards.insert(0, rng.choice(["merchants_guild", "Caserma", "sphinx"]))
    return "state.solo.cards[0]"


def _spoil_type(rng: Random, state: Plain) -> str:
    state["conflict"] = rng.choice(["1", True, 2.5, [1]])
    return "state.conflict"


def _spoil_range(rng: Random, state: Plain) -> str:
    state["age"] = rng.choice([0, 4])
    return "state.age"


def _spoil_null(_: Random, state: Plain) -> str:
    state.setdefault("discard_pile", []).append(None)
    return f"state.discard_pile[{len(state['discard_pile']) - 1}]"


def _spoil_switch(_: Random, state: Plain) -> str:
    state["house_rules"] = {"COST": "nominal"}
    return "state.house_rules.COST"


def _spoil_unknown_switch(_: Random, state: Plain) -> str:
    state["house_rules"] = {"COSTS": "NOMINAL"}
    return "state.house_rules.COSTS"


def _spoil_card_twice(_: Random, state: Plain) -> str | None:
    cards = state.get("solo", {}).get("cards")
    if not cards:
        return None
    state.setdefault("discard_pile", []).append(cards[0])
    return f"state.discard_pile[{len(state['discard_pile']) - 1}]"


def _spoil_wonder_twice(_: Random, state: Plain) -> str | None:
    wonders = state.get("solo", {}).get("wonders")
    if not wonders:
        return None
    theirs = state.setdefault("player", {}).setdefault("wonders", [])
    theirs.append({"wonder": wonders[0]["wonder"]})
    return f"state.player.wonders[{len(theirs) - 1}].wonder"


def _spoil_slot_twice(_: Random, state: Plain) -> str | None:
    if not state.get("pantheon"):
        return None
    state["pantheon"].append({"slot": state["pantheon"][0]["slot"], "god": "gate"})
    if sum(s.get("god") == "gate" for s in state["pantheon"]) > 1:
        return None
    return f"state.pantheon[{len(state['pantheon']) - 1}].slot"


def _spoil_position(rng: Random, state: Plain) -> str | None:
    if not state.get("structure"):
        return None
    other = next(p for p in POSITIONS.values() if p.age != state["age"] and not p.up)
    state["structure"].append({"at": other.id, "card": unused(rng, state, other.age)})
    return f"state.structure[{len(state['structure']) - 1}].at"


def _spoil_face_down(rng: Random, state: Plain) -> str | None:
    places = state.get("structure", [])
    for i, place in enumerate(places):
        if not place.get("card"):
            place["card"] = unused(rng, state, state["age"])
            return f"state.structure[{i}].card"
    return None


def _spoil_face_up(_: Random, state: Plain) -> str | None:
    for i, place in enumerate(state.get("structure", [])):
        if place.get("card"):
            del place["card"]
            return f"state.structure[{i}].card"
    return None


def _spoil_token(_: Random, state: Plain) -> str | None:
    for i, place in enumerate(state.get("structure", [])):
        if place.get("card"):
            place["token"] = "mythology"
            return f"state.structure[{i}].token"
    return None


def _spoil_under(rng: Random, state: Plain) -> str | None:
    for i, project in enumerate(state.get("solo", {}).get("wonders", [])):
        if not project.get("built"):
            project["card"] = unused(rng, state, 1)
            return f"state.solo.wonders[{i}].card"
    return None


def _spoil_known_cost(_: Random, state: Plain) -> str | None:
    for i, project in enumerate(state.get("solo", {}).get("wonders", [])):
        if WONDERS[project["wonder"]].cost is not None:
            project["cost"] = {"wood": 1}
            return f"state.solo.wonders[{i}].cost"
    return None


def _spoil_minerva(_: Random, state: Plain) -> str | None:
    if state.get("conflict") is None:
        return None
    state["minerva"] = state["conflict"]
    return "state.minerva"


def _spoil_deck(_: Random, state: Plain) -> str | None:
    text = repr({k: v for k, v in state.items() if k != "mythology_decks"})
    god = next((g for g in GODS if GODS[g][0] == "greek" and f"'{g}'" not in text), None)
    if god is None:
        return None
    state["mythology_decks"] = {"roman": [god]}
    return "state.mythology_decks.roman[0]"


def _spoil_nisaba(_: Random, state: Plain) -> str | None:
    if "nisaba" in state.get("solo", {}).get("gods", []):
        return None
    state.setdefault("solo", {})["nisaba_symbol"] = "wheel"
    return "state.solo.nisaba_symbol"


SPOILS: list[Callable[[Random, Plain], str | None]] = [
    _spoil_key, _spoil_inner_key, _spoil_name, _spoil_type, _spoil_range, _spoil_null, _spoil_switch,
    _spoil_unknown_switch, _spoil_card_twice, _spoil_wonder_twice, _spoil_slot_twice, _spoil_position,
    _spoil_face_down, _spoil_face_up, _spoil_token, _spoil_under, _spoil_known_cost, _spoil_minerva,
    _spoil_deck, _spoil_nisaba,
]  # fmt: skip
