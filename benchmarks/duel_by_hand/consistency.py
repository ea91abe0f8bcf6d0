"""One record as a whole: nothing lies in two places, and nothing lies where it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tests.games.duel.facts import CARDS, GODS, MYTHOLOGIES, OFFERINGS, POSITIONS, WONDERS

from benchmarks.duel_by_hand.jsonlines import Rejected

State = dict[str, Any]
Placed = Iterator[tuple[str, Any]]


def check(state: State) -> None:
    once(cards(state))
    once(wonders(state))
    once(gods(state))
    once(listed(state, "progress", "progress_row", "progress_offer"))
    once(offerings(state))
    once(listed(state, "", "military_tokens"))
    once((f"state.pantheon[{i}].slot", shrine["slot"]) for i, shrine in enumerate(state.get("pantheon", [])))
    once((f"state.structure[{i}].at", place["at"]) for i, place in enumerate(state["structure"]))
    check_reveal(state)
    check_structure(state)
    check_pantheon(state)
    for name in ("solo", "player"):
        check_side(state.get(name, {}), f"state.{name}")
    check_decks(state)
    check_box(state)
    if "offer" in state and not 1 <= len(state["offer"]) <= 4:
        raise Rejected("state.offer", state["offer"], "one to four wonders")
    if "minerva" in state and state["minerva"] == state["conflict"]:
        raise Rejected("state.minerva", state["minerva"], "another space than the pawn's")


def once(placed: Iterable[tuple[str, Any]]) -> None:
    seen = set()
    for path, value in placed:
        if value in seen:
            raise Rejected(path, value, "each in one place only")
        seen.add(value)


# -- what lies where -----------------------------------------------------------------------------


def listed(state: State, of_side: str, *of_state: str) -> Placed:
    for name in ("solo", "player") if of_side else ():
        for i, value in enumerate(state.get(name, {}).get(of_side, [])):
            yield f"state.{name}.{of_side}[{i}]", value
    for field in of_state:
        for i, value in enumerate(state.get(field, [])):
            yield f"state.{field}[{i}]", value


def cards(state: State) -> Placed:
    for name in ("solo", "player"):
        side = state.get(name, {})
        for i, card in enumerate(side.get("cards", [])):
            yield f"state.{name}.cards[{i}]", card
        for i, project in enumerate(side.get("wonders", [])):
            if "card" in project:
                yield f"state.{name}.wonders[{i}].card", project["card"]
    for i, place in enumerate(state["structure"]):
        if "card" in place:
            yield f"state.structure[{i}].card", place["card"]
    yield from listed(state, "", "discard_pile", "box_cards")


def wonders(state: State) -> Placed:
    for name in ("solo", "player"):
        for i, project in enumerate(state.get(name, {}).get("wonders", [])):
            yield f"state.{name}.wonders[{i}].wonder", project["wonder"]
    yield from listed(state, "", "offer")


def gods(state: State) -> Placed:
    yield from listed(state, "gods")
    for i, shrine in enumerate(state.get("pantheon", [])):
        if "god" in shrine:
            yield f"state.pantheon[{i}].god", shrine["god"]
    decks = state.get("mythology_decks", {})
    for mythology in MYTHOLOGIES:
        for i, god in enumerate(decks.get(mythology, [])):
            yield f"state.mythology_decks.{mythology}[{i}]", god


def offerings(state: State) -> Placed:
    yield from listed(state, "offering_tokens")
    for i, place in enumerate(state["structure"]):
        if place.get("token") in OFFERINGS:
            yield f"state.structure[{i}].token", place["token"]


# -- what cannot be ------------------------------------------------------------------------------


def check_reveal(state: State) -> None:
    shown = {*state.get("solo", {}).get("gods", []), *state.get("player", {}).get("gods", [])}
    shown.update(shrine.get("god") for shrine in state.get("pantheon", []))
    mythologies = set()
    for i, god in enumerate(state.get("gate_reveal", [])):
        mythology = GODS[god][0]
        if god in shown or mythology in mythologies:
            raise Rejected(f"state.gate_reveal[{i}]", god, "a hidden god, one of each mythology")
        mythologies.add(mythology)


def check_structure(state: State) -> None:
    lying = {place["at"] for place in state["structure"]}
    age = state["age"]
    for i, place in enumerate(state["structure"]):
        at, card = POSITIONS[place["at"]], place.get("card")
        path = f"state.structure[{i}]"
        if at.age != age:
            raise Rejected(f"{path}.at", at.id, f"a position of age {age}")
        if card is not None and CARDS[card].age != age:
            raise Rejected(f"{path}.card", card, f"a card of age {age}")
        face_up = at.up or not any(other in lying for other in at.covered_by)
        if face_up != (card is not None):
            raise Rejected(f"{path}.card", card, "a card that is seen" if face_up else "no card")
        if face_up and place.get("token", "none") != "none":
            raise Rejected(f"{path}.token", place["token"], "tokens on hidden cards only")


def check_pantheon(state: State) -> None:
    for i, shrine in enumerate(state.get("pantheon", [])):
        god, mythology = shrine.get("god"), shrine.get("mythology")
        path = f"state.pantheon[{i}]"
        if god is None:
            if mythology is None or state["age"] > 1:
                raise Rejected(f"{path}.god", None, "a god that is seen")
        elif mythology is not None and (god == "gate" or GODS[god][0] != mythology):
            raise Rejected(f"{path}.mythology", mythology, "the god's own")


def check_side(side: dict[str, Any], path: str) -> None:
    for i, project in enumerate(side.get("wonders", [])):
        if "card" in project and not project.get("built"):
            raise Rejected(f"{path}.wonders[{i}].card", project["card"], "no card under what is not built")
        if "cost" in project and WONDERS[project["wonder"]].cost is not None:
            raise Rejected(f"{path}.wonders[{i}].cost", project["cost"], "no cost, it is printed")
    if "nisaba_symbol" in side and "nisaba" not in side.get("gods", []):
        raise Rejected(f"{path}.nisaba_symbol", side["nisaba_symbol"], "nisaba among the gods")


def check_decks(state: State) -> None:
    for mythology, gods_there in state.get("mythology_decks", {}).items():
        for i, god in enumerate(gods_there):
            if GODS[god][0] != mythology:
                raise Rejected(f"state.mythology_decks.{mythology}[{i}]", god, f"a {mythology} god")


def check_box(state: State) -> None:
    count = {1: 0, 2: 0, 3: 0}
    for i, card in enumerate(state.get("box_cards", [])):
        age = CARDS[card].age
        count[age] += 1
        if count[age] > 3:
            raise Rejected(f"state.box_cards[{i}]", card, "at most three cards of an age")
