"""The opponent of Age of Comics by hand: what the contract wants, without any table.

Written from the contract alone, so that tables and engines are compared with something that shares
nothing with them. `answer` gives the answer of one ask or raises `Rejected` with the path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.games.comics_actions import DOING, failure, free_space
from tests.games.comics_facts import (
    AT_ODDS,
    CARD_ACTIONS,
    CHALLENGES,
    DECKS,
    FINAL_BONUS,
    GENRES,
    MASTERIES,
    RESHUFFLED,
    TITLES,
)
from tests.games.comics_reading import NEEDS, read
from tests.games.reading import Rejected, State

Answer = dict[str, Any]


def answer(ask: str | None, given: Any) -> Answer:
    """The answer to one ask; None asks for the turn."""
    asked = "turn" if ask is None else ask
    if asked not in NEEDS:
        raise Rejected("ask")
    return _ASKS[asked](read(asked, given))


# -- the turn ----------------------------------------------------------------------------------


def attempts(state: State) -> list[str]:
    done = {e["action"] for e in state["editors"] if e["owner"] == "automa"}
    card = state["card"]
    return [
        *(action for action in card if action not in done),
        *(action for action in card if action in done),
        *(action for action in CARD_ACTIONS if action not in card),
    ]


def _turn(state: State) -> Answer:
    failed: list[Answer] = []
    for action in attempts(state):
        reason = failure(state, action)
        if reason is None:
            space = free_space(state, action)
            assert space is not None
            result = DOING[action](state, space)
            return {"action": action, "space": space, "failed": failed, "result": result}
        failed.append({"action": action, "reason": reason})
    return {"action": None, "space": None, "failed": failed, "result": None}


# -- the rest ----------------------------------------------------------------------------------


def _reshuffle(state: State) -> Answer:
    deck, discards = DECKS[state["round"]]
    return {"reshuffle": state["round"] in RESHUFFLED, "deck": deck, "discards": discards}


def met(state: State, challenge: str) -> bool:
    printed: list[Answer] = state["player_printed"]
    held: list[str] = [genre for genre in GENRES if state["mastery"].get(genre) == "player"]
    match challenge:
        case "action" | "narrative_master" | "guns_and_flowers":
            return set(MASTERIES[challenge]) <= set(held) and len(held) >= 3
        case "business_genius":
            return bool(state["money"] >= 20)
        case "beyond":
            return any(comic["fans"] >= 12 and not comic["hype"] for comic in printed)
        case "fans_35":
            return sum(int(comic["fans"]) for comic in printed) >= 35
        case "orders_12":
            return bool(state["orders_filled"] >= 12)
        case "every_genre":
            return {comic["genre"] for comic in printed} == set(GENRES)
        case "ethical_publisher":
            return "ripoff" not in [comic["kind"] for comic in printed]
        case "profiteer":
            return {comic["kind"] for comic in printed} == {"ripoff"}
    raise AssertionError(challenge)


def _challenges(state: State) -> Answer:
    adopted = [challenge for challenge in CHALLENGES if challenge in state["challenges"]]
    missed = [challenge for challenge in adopted if not met(state, challenge)]
    both = "profiteer" in adopted
    return {
        "met": [challenge for challenge in adopted if challenge not in missed],
        "missed": missed,
        "penalty": 15 * len(missed),
        "conflicts": [[other, "profiteer"] for other in AT_ODDS if both and other in adopted],
    }


def _titled(points: int) -> tuple[str | None, int | None]:
    for row, (least, title) in enumerate(TITLES, 1):
        if points >= least:
            return title, row
    return None, None


def _final(state: State) -> Answer:
    tokens = sum(1 for owner in state["mastery"].values() if owner == "automa")
    fans = sum(comic["fans"] for comic in state["automa_printed"])
    automa = fans + state["automa_chart_points"] + 2 * tokens + FINAL_BONUS[state["level"]]
    penalty = _challenges(state)["penalty"]
    player = state["player_points"] - penalty
    return {
        "automa": automa,
        "player": player,
        "penalty": penalty,
        "win": player > automa,
        "title": _titled(player)[0],
    }


def _title(state: State) -> Answer:
    title, row = _titled(state["points"])
    return {"title": title, "row": row}


_ASKS: dict[str, Callable[[State], Answer]] = {
    "turn": _turn,
    "reshuffle": _reshuffle,
    "challenges": _challenges,
    "final": _final,
    "title": _title,
}
