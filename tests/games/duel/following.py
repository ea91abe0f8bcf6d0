"""The asks that the rules demand after an answer, by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games.duel.asks import ASKS
from tests.games.duel.facts import CARDS
from tests.games.duel.rules import god_wins, pair
from tests.games.duel.state import State

ORDER = (
    "free_structure", "remove_resource", "theatre", "nisaba", "baal", "zeus", "anubis", "isis", "ra",
    "minerva", "neptune", "liberty_gift", "progress", "god_slot",
)  # fmt: skip
BY_WONDER = {
    "mausoleum": "free_structure", "messe_essen": "free_structure", "statue_of_liberty": "free_structure",
    "circus_maximus": "remove_resource", "statue_of_zeus": "remove_resource", "divine_theater": "theatre",
    "great_library": "progress",
}  # fmt: skip
BY_GOD = {
    "hades": "free_structure", "enki": "progress",
    **{god: god for god in ("nisaba", "baal", "zeus", "anubis", "isis", "ra", "minerva", "neptune")},
}  # fmt: skip


def following(ask: str, plain: dict[str, Any]) -> list[str]:
    state = State(plain)
    answer = ASKS[ask](state)
    outcomes = [set(demanded) for demanded in _outcomes(ask, state, answer)]
    return [name for name in ORDER if outcomes and all(name in demanded for demanded in outcomes)]


def _outcomes(ask: str, state: State, answer: dict[str, Any]) -> Iterator[Iterator[str]]:
    """What each outcome of chance demands."""
    open_ones = answer.get("any_of", {})
    match ask:
        case "turn" if answer["action"] == "god":
            for god in open_ones.get("god", [answer.get("god")]):
                yield iter(()) if god_wins(state, state.solo, god) else _of_god(state, god)
        case "turn":
            yield iter(()) if answer["win"] else _of_move(state, answer)
        case "theatre":
            yield from (_of_god(state, god) for god in open_ones.get("god", [answer["god"]]))
        case "isis":
            yield iter([BY_WONDER[answer["wonder"]]] if answer["wonder"] in BY_WONDER else [])
        case "free_structure":
            yield from (_of_free_card(state, card) for card in open_ones.get("card", [answer["card"]]))
        case "age_start":
            yield from (_pair(state, card) for card in open_ones.get("free_card", [answer["free_card"]]))
        case "nisaba":
            yield iter(["progress"] if state.solo.symbols.count(answer["symbol"]) == 1 else [])
        case "progress":
            yield iter(["progress"] if answer["token"] == "law" and _one_scales(state) else [])


def _of_move(state: State, answer: dict[str, Any]) -> Iterator[str]:
    if answer["action"] == "structure":
        yield from _pair(state, answer["card"])
    if answer.get("wonder") in BY_WONDER:
        yield BY_WONDER[answer["wonder"]]
    listed = {lying.at.id for lying in state.structure}
    for lying in state.structure:
        still = [at for at in lying.at.covered_by if at in listed]
        if still == [answer["at"]] and lying.token == "mythology":
            yield "god_slot"


def _of_god(state: State, god: str | None) -> Iterator[str]:
    if god in BY_GOD:
        yield BY_GOD[god]
    if god == "ishtar" and _one_scales(state):
        yield "progress"


def _of_free_card(state: State, card: str | None) -> Iterator[str]:
    yield from _pair(state, card)
    if state.get("pool") == "liberty":
        here = [c for c in state.get("box_cards") if CARDS[c].age == state.get("age")]
        if len(here) > 1:
            yield "liberty_gift"


def _pair(state: State, card: str | None) -> Iterator[str]:
    if card is not None and pair(state.solo, CARDS[card]):
        yield "progress"


def _one_scales(state: State) -> bool:
    return state.solo.symbols.count("scales") == 1
