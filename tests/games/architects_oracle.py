"""The opponent of 7 Wonders Architects by hand: what the contract wants, without any table.

Written from the contract alone, so that tables and engines are compared with something that shares
nothing with them. `answer` gives the answer of one ask or raises `Rejected` with the path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.games.architects_facts import (
    CARDS,
    DECKS,
    EXTRA_CARD,
    GREENS,
    GREYS,
    LABELS,
    PRINTED_VALUE,
    STAGES,
    START_COUNT,
    START_TOKENS,
    TOKENS,
    Stage,
)
from tests.games.reading import (
    Reader,
    Rejected,
    State,
    each,
    map_of,
    name,
    read_state,
    reject_if,
    switches,
    whole,
)

Answer = dict[str, Any]


# -- reading a record --------------------------------------------------------------------------

FIELDS: dict[str, Reader] = {
    "opponent_wonder": name(LABELS["wonder"]),
    "opponent_stages": each(whole(1, 5)),
    "opponent_greys": map_of(name(LABELS["grey"]), whole(0, 9)),
    "opponent_yellows": whole(0, 9),
    "opponent_greens": each(name(LABELS["card"])),
    "opponent_tokens": each(name(LABELS["token"])),
    "shields_opponent": whole(0, 30),
    "shields_player": whole(0, 30),
    "cat_owner": name(LABELS["cat_owner"]),
    "top_player": name(LABELS["side top"]),
    "top_opponent": name(LABELS["side top"]),
    "top_central": name(LABELS["central top"]),
    "flipped": name(LABELS["card"]),
    "situation": name(LABELS["situation"]),
    "dice": each(whole(1, 6)),
    "looked": each(name(LABELS["card"])),
    "picked": name(LABELS["card"]),
    "difficulty": name(LABELS["difficulty"]),
    "token_row": each(name(LABELS["token"])),
    "face_down_left": whole(0, 12),
    "house_rules": switches({"GREY": ("CONTRIBUTES", "COMPLETES"), "TOKEN_TIE": ("LEFT", "DIE")}),
}

DEFAULTS: State = {
    "opponent_stages": [],
    "opponent_greys": {},
    "opponent_yellows": 0,
    "opponent_greens": [],
    "opponent_tokens": [],
    "situation": "turn",
    "dice": [],
    "face_down_left": 1,
    "house_rules": {},
}

_CHOOSING = ("opponent_wonder", "shields_opponent", "shields_player", "top_player", "top_opponent")
NEEDS = {
    "turn": (*_CHOOSING, "cat_owner", "top_central"),
    "halicarnassus": _CHOOSING,
    "stage": ("opponent_wonder",),
    "start_tokens": ("opponent_wonder", "difficulty"),
    "progress": ("token_row",),
}


def answer(ask: str | None, given: Any) -> Answer:
    """The answer to one ask; None asks for the turn."""
    asked = "turn" if ask is None else ask
    reject_if(asked not in _ASKS, "ask")
    state = read_state(given, FIELDS, NEEDS[asked])
    _check(state)
    return _ASKS[asked]({**DEFAULTS, **state})


def _check(state: State) -> None:
    stages = state.get("opponent_stages", [])
    for n, stage in enumerate(stages):
        if stage in stages[:n]:
            raise Rejected(f"state.opponent_stages[{n}]")
    greens = state.get("opponent_greens", [])
    if len(greens) > 2 or len(set(greens)) < len(greens) or not set(greens) <= set(GREENS):
        raise Rejected("state.opponent_greens")
    if not 1 <= len(state.get("looked", ["any"])) <= 5:
        raise Rejected("state.looked")
    if len(state.get("token_row", [])) > 3:
        raise Rejected("state.token_row")


# -- stages ------------------------------------------------------------------------------------


def available(state: State) -> list[Stage]:
    built = state["opponent_stages"]
    return [
        stage
        for stage in STAGES[state["opponent_wonder"]]
        if stage.number not in built and all(n in built for n in stage.needs)
    ]


def missing(state: State, stage: Stage, card: str | None = None) -> int:
    greys: Counter[str] = Counter(state["opponent_greys"])
    yellows: int = state["opponent_yellows"]
    if card in GREYS:
        greys[card] += 1
    elif card == "gold":
        yellows += 1
    if "engineering" in state["opponent_tokens"]:
        base = sum(greys.values())
    elif stage.identical:
        base = max(greys.values(), default=0)
    else:
        base = sum(1 for count in greys.values() if count)
    wild = yellows + (1 if "economy" in state["opponent_tokens"] and yellows else 0)
    return max(0, stage.cards - base - wild)


def completes(state: State, card: str, stage: Stage) -> bool:
    return missing(state, stage) > 0 and missing(state, stage, card) == 0


def helps(state: State, card: str, stage: Stage) -> bool:
    if state["house_rules"].get("GREY", "CONTRIBUTES") == "COMPLETES":
        return completes(state, card, stage)
    return missing(state, stage, card) < missing(state, stage)


# -- priorities --------------------------------------------------------------------------------

Rank = tuple[int, int]
"""The priority's number and, in 3, 0 where a stage with special effect is helped and 1 where none is."""

NO_RANK: Rank = (99, 0)


def rank(state: State, card: str) -> Rank:
    greens = state["opponent_greens"]
    ahead = state["shields_opponent"] >= state["shields_player"]
    if _extra_card(state, card):
        return (1, 0)
    if card == "gold":
        return (2, 0)
    if card in GREYS and (helped := [s for s in available(state) if helps(state, card, s)]):
        return (3, 0 if any(s.special for s in helped) else 1)
    if card in greens:
        return (4, 0)
    if card in GREENS and len(greens) == 2:
        return (5, 0)
    if card in (("red1", "red2") if ahead else ("red0",)):
        return (6, 0)
    return (7, 0) if card == "blue2cat" else NO_RANK


def _extra_card(state: State, card: str) -> bool:
    tokens = state["opponent_tokens"]
    if any(card in EXTRA_CARD.get(token, ()) for token in tokens):
        return True
    built = any(completes(state, card, stage) for stage in available(state))
    return "architecture" in tokens and (card in GREYS or card == "gold") and built


def _number(state: State, card: str | None) -> int | None:
    if card is None or rank(state, card) == NO_RANK:
        return None
    return rank(state, card)[0]


# -- the asks ----------------------------------------------------------------------------------


def _turn(state: State) -> Answer:
    turned = (
        state["situation"] == "turn"
        and state["cat_owner"] == "opponent"
        and state["top_central"] == "face_down"
    )
    if turned and state.get("flipped") is None:
        fields = ("priorities", "priority", "candidates", "die", "deck", "card", "discard_central")
        return {"flip_central": True, **dict.fromkeys(fields)}
    tops = {
        "player": _card(state["top_player"]),
        "opponent": _card(state["top_opponent"]),
        "central": state["flipped"] if turned else _card(state["top_central"]),
    }
    numbers = {deck: _number(state, card) for deck, card in tops.items()}
    best = min((rank(state, card) for card in tops.values() if card is not None), default=NO_RANK)
    candidates = (
        [] if best == NO_RANK else [d for d, c in tops.items() if c is not None and rank(state, c) == best]
    )
    if len(candidates) > 1 and "central" in candidates:
        candidates.remove("central")
    reach = candidates or [d for d in DECKS if state[f"top_{d}"] != "empty"]
    die = None if len(reach) < 2 else "tie" if candidates else "none"
    deck = _thrown(state, die, reach)
    found: Answer = {
        "flip_central": turned,
        "priorities": numbers,
        "priority": best[0] if candidates else None,
        "candidates": candidates,
        "die": die,
        "deck": deck,
        "card": tops[deck] if deck else None,
        "discard_central": _discard(tops["central"] is not None, die, deck),
    }
    return found if deck or not reach else {**found, "any_of": {"deck": reach}}


def _card(top: str) -> str | None:
    return None if top in ("empty", "face_down") else top


def _thrown(state: State, die: str | None, reach: list[str]) -> str | None:
    if die is None:
        return reach[0] if reach else None
    for roll in state["dice"]:
        if die == "tie":
            named = "player" if roll <= 3 else "opponent"
        else:
            named = {1: "player", 2: "opponent"}.get(roll, "central")
        if named in reach:
            return named
    return None


def _discard(face_up: bool, die: str | None, deck: str | None) -> bool | None:
    if not face_up:
        return False
    if deck is None and die == "none":
        return None
    return deck != "central"


def _halicarnassus(state: State) -> Answer:
    tops = {deck: _card(state[f"top_{deck}"]) for deck in ("player", "opponent")}
    full = {deck: rank(state, card) for deck, card in tops.items() if card is not None}
    reach = [deck for deck in full if full[deck] == min(full.values())]
    die = "tie" if len(reach) == 2 else None
    deck = _thrown(state, die, reach)
    card, open_cards = _looked_at(state, deck)
    any_of = {
        **({"deck": reach} if reach and deck is None else {}),
        **({"card": open_cards} if open_cards else {}),
    }
    numbers = {d: _number(state, c) for d, c in tops.items()}
    found: Answer = {"priorities": numbers, "die": die, "deck": deck, "card": card}
    return {**found, "any_of": any_of} if any_of else found


def _looked_at(state: State, deck: str | None) -> tuple[str | None, list[str]]:
    """The card kept, and where that is open the equally good ones."""
    if deck is None or state.get("looked") is None:
        return None, []
    best = min(rank(state, card) for card in state["looked"])
    kinds = [card for card in CARDS if card in state["looked"] and rank(state, card) == best]
    if len(kinds) == 1:
        return kinds[0], []
    picked = state.get("picked")
    if picked is not None and picked not in kinds:
        raise Rejected("state.picked")
    return picked, [] if picked else kinds


def _stage_to_build(state: State) -> Answer:
    free = available(state)
    payable = [stage for stage in free if missing(state, stage) == 0]
    best = sorted(payable, key=lambda stage: (not stage.special, stage.number))
    return {
        "available": [stage.number for stage in free],
        "affordable": [stage.number for stage in payable],
        "stage": best[0].number if best else None,
    }


def _start_tokens(state: State) -> Answer:
    count = START_COUNT[state["difficulty"]]
    options = list(START_TOKENS[state["opponent_wonder"]])
    drawn: list[str] = []
    for roll in state["dice"]:
        token = options[(roll - 1) // 2]
        if token not in drawn and len(drawn) < count:
            drawn.append(token)
    lacking = count - len(drawn)
    found: Answer = {"count": count, "options": options, "tokens": drawn, "missing": lacking}
    left = [token for token in options if token not in drawn]
    return {**found, "any_of": {"tokens": left}} if lacking else found


def _progress(state: State) -> Answer:
    row = state["token_row"]
    values = [PRINTED_VALUE.get(token, 0) for token in row]
    if any(values):
        best = [n for n, value in enumerate(values) if value == max(values)]
        if state["house_rules"].get("TOKEN_TIE", "LEFT") == "LEFT":
            best = best[:1]
        elif len(best) > 1 and state["dice"]:
            best = [best[(state["dice"][0] - 1) * len(best) // 6]]
        return _one_of(row, best, max(values))
    if state["face_down_left"]:
        return {"token": "face_down", "position": None, "value": None}
    if row:
        return {"token": row[0], "position": 1, "value": None}
    return {"token": None, "position": None, "value": None}


def _one_of(row: list[str], places: list[int], value: int) -> Answer:
    tokens = [token for token in TOKENS if token in [row[n] for n in places]]
    positions = [n + 1 for n in places]
    found: Answer = {"token": tokens[0], "position": positions[0], "value": value}
    fields = {"token": tokens, "position": positions}
    any_of = {name: several for name, several in fields.items() if len(several) > 1}
    return {**found, **dict.fromkeys(any_of), "any_of": any_of} if any_of else found


# -- what comes next ---------------------------------------------------------------------------


def following(ask: str | None, given: Any) -> list[str]:
    """The asks that come next, whatever a die may still say."""
    asked = "turn" if ask is None else ask
    found = answer(ask, given)
    state = {**DEFAULTS, **read_state(given, FIELDS, NEEDS[asked])}
    if asked == "stage":
        stages = STAGES[state["opponent_wonder"]]
        special = found["stage"] is not None and stages[found["stage"] - 1].special
        return ["halicarnassus"] if special and state["opponent_wonder"] == "halicarnassus" else []
    if asked not in ("turn", "halicarnassus"):
        return []
    outcomes = [_demanded(state, card) for card in _cards_taken(asked, state, found)]
    return [name for name in ("progress", "turn") if outcomes and all(name in some for some in outcomes)]


def _cards_taken(asked: str, state: State, found: Answer) -> list[str | None]:
    any_of = found.get("any_of", {})
    if asked == "halicarnassus":
        return list(any_of.get("card", [found["card"]]))
    central = (found["flip_central"] and state.get("flipped")) or state["top_central"]
    tops = {"player": state["top_player"], "opponent": state["top_opponent"], "central": central}
    return [_card(tops[deck]) for deck in any_of["deck"]] if "deck" in any_of else [found["card"]]


def _demanded(state: State, card: str | None) -> set[str]:
    demanded = set()
    if card is not None and rank(state, card)[0] == 1:
        demanded.add("turn")
    greens = state["opponent_greens"]
    if card in GREENS and (card in greens or len(greens) == 2):
        demanded.add("progress")
    return demanded


_ASKS: dict[str, Callable[[State], Answer]] = {
    "turn": _turn,
    "halicarnassus": _halicarnassus,
    "stage": _stage_to_build,
    "start_tokens": _start_tokens,
    "progress": _progress,
}
