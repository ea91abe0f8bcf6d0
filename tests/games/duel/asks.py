"""The answers, ask by ask. A state here is sound and has what the ask needs."""

from __future__ import annotations

from typing import Any

from tests.games.duel.draws import with_any
from tests.games.duel.effects import (
    anubis,
    baal,
    free_structure,
    isis,
    liberty_gift,
    minerva,
    neptune,
    nisaba,
    ra,
    remove_resource,
    theatre,
    zeus,
)
from tests.games.duel.facts import (
    CARDS,
    DIRECTIONS,
    FIRST_DIRECTION,
    GODS,
    LEVELS,
    RESOURCES,
    WONDERS,
    letters,
    pantheon_order,
    placement,
    strategic,
)
from tests.games.duel.rules import (
    applicable,
    card_wins,
    cheapest_wonder,
    free,
    god_price,
    god_wins,
    moved,
    order_in_force,
    pay,
    payable_wonder,
    through_gate,
    to_build,
    to_discard,
    wonder_bill,
    wonder_cap,
    wonder_wins,
)
from tests.games.duel.state import Project, State

# -- turn --------------------------------------------------------------------------------------


def turn(state: State) -> dict[str, Any]:
    operative = state.rule("WIN_BYPASS", "ALL") == "OPERATIVE"
    wonders_win = state.rule("WIN_WITH_WONDER", "NO") == "YES"
    open_cards = [x for x in state.structure if state.accessible(x)]
    payable = [x for x in open_cards if pay(state, state.solo, x.card) <= state.solo.coins]
    winning = [x for x in payable if card_wins(state, state.solo, x.card)]
    gods = usable_gods(state)
    winning_gods = [s for s in gods if god_wins(state, state.solo, s["god"])]
    wonders = [p for p in state.solo.unbuilt if payable_wonder(state, p)]
    winning_wonders = [p for p in wonders if wonder_wins(state, p)] if wonders_win else []
    if not operative:
        if winning:
            return structure_move(state, to_build(state, winning))
        if winning_gods:
            return god_move(state, first_shrine(state, winning_gods))
        if winning_wonders:
            return wonder_move(state, cheapest_wonder(state, winning_wonders), open_cards)
    if operative and winning_wonders:
        return wonder_move(state, cheapest_wonder(state, winning_wonders), open_cards)
    if wonders:
        return wonder_move(state, cheapest_wonder(state, wonders), open_cards)
    if operative and winning_gods:
        return god_move(state, first_shrine(state, winning_gods))
    if state.merged:
        for_player = [s for s in gods if god_wins(state, state.player, s["god"])]
        if for_player:
            return god_move(state, first_shrine(state, for_player))
    gates = usable_gates(state)
    if gates:
        return god_move(state, gates[0])
    if gods:
        return god_move(state, first_shrine(state, gods))
    if operative and winning:
        return structure_move(state, to_build(state, winning))
    if payable:
        return structure_move(state, to_build(state, payable))
    spent = to_discard(state, open_cards)
    gain = 2 + sum(c.colour == "yellow" for c in state.solo.cards)
    return {"action": "discard", "win": False, "card": spent.card.id, "at": spent.at.id, "gain": gain}


def usable_gods(state: State) -> list[dict[str, Any]]:
    if state.get("age") < 2:
        return []
    return [
        s for s in state.get("pantheon", [])
        if s.get("god") and s["god"] != "gate" and god_price(state, s["slot"], False)[2]
        and applicable(state, s["god"])
    ]  # fmt: skip


def usable_gates(state: State) -> list[dict[str, Any]]:
    if state.get("age") < 2:
        return []
    return [
        s for s in state.get("pantheon", [])
        if s.get("god") == "gate" and god_price(state, s["slot"], True)[2] and through_gate(state)
    ]  # fmt: skip


def first_shrine(state: State, shrines: list[dict[str, Any]]) -> dict[str, Any]:
    order = pantheon_order(state.get("direction"))
    return min(shrines, key=lambda s: (order.index(GODS[s["god"]][0]), s["slot"]))


def wonder_move(state: State, project: Project, open_cards: list[Any]) -> dict[str, Any]:
    spent = to_discard(state, open_cards)
    return {
        "action": "wonder", "win": wonder_wins(state, project), "wonder": project.wonder.id,
        "card": spent.card.id, "at": spent.at.id, "pay": wonder_bill(state, state.solo, project),
    }  # fmt: skip


def structure_move(state: State, lying: Any) -> dict[str, Any]:
    return {
        "action": "structure", "win": card_wins(state, state.solo, lying.card), "card": lying.card.id,
        "at": lying.at.id, "pay": pay(state, state.solo, lying.card),
    }  # fmt: skip


def god_move(state: State, shrine: dict[str, Any]) -> dict[str, Any]:
    gate = shrine["god"] == "gate"
    due, tokens, _ = god_price(state, shrine["slot"], gate)
    reached = through_gate(state) if gate else [shrine["god"]]
    god = reached[0] if len(reached) == 1 else None
    wins = sorted({god_wins(state, state.solo, g) for g in reached})
    answer = {
        "action": "god", "win": wins[0] if len(wins) == 1 else None, "god": god, "gate": gate,
        "slot": shrine["slot"], "pay": due, "offering": tokens,
    }  # fmt: skip
    return with_any(answer, god=reached if god is None else [], win=wins if len(wins) > 1 else [])


# -- setting up --------------------------------------------------------------------------------


def direction(state: State) -> dict[str, Any]:
    given = FIRST_DIRECTION.get(state.get("first_wonder"))
    if given:
        return {"direction": given, "chosen_by": "wonder"}
    chosen = state.get("direction")
    return with_any({"direction": chosen, "chosen_by": "player"}, direction=[] if chosen else DIRECTIONS)


def draft(state: State) -> dict[str, Any]:
    order = strategic(state.get("direction"))
    return {"wonder": min(state.get("offer"), key=order.index)}


def god_slot(state: State) -> dict[str, Any]:
    order = placement(state.get("mythology"), state.get("direction"))
    taken = {s["slot"] for s in state.get("pantheon", [])}
    slot = next((s for s in order if s not in taken), None)
    price = None if slot is None else {"solo": slot + 2, "player": 9 - slot}
    return {"order": order, "slot": slot, "price": price}


def price(state: State) -> dict[str, Any]:
    slot, gate = state.get("slot"), state.get("god") == "gate"
    due, tokens, can = god_price(state, slot, gate)
    times = 2 if gate else 1
    printed = {"solo": (slot + 2) * times, "player": (9 - slot) * times}
    return {"printed": printed, "pay": due, "offering": tokens, "payable": can}


def progress(state: State) -> dict[str, Any]:
    shown = state.get("progress_row" if state.get("source") == "pair" else "progress_offer", [])
    solo, player = state.solo, state.player
    by_letter = {
        "M": ["strategy", "poliorcetics"],
        "S": ["mathematics", "law"],
        "C": ["masonry", "engineering"],
    }
    points = [sum(p.wonder.points for p in side.built) for side in (solo, player)]
    wishes = [
        ["architecture", "theology"] if len(solo.built) <= 1 else [],
        ["agriculture", "urbanism", "economy"] if solo.coins <= 3 else [],
        ["philosophy", "mysticism"] if points[0] <= points[1] else [],
        [t for c in letters(state.get("direction"))[:2] for t in by_letter[c]],
        shown,
    ]
    return {"token": next((t for wish in wishes for t in wish if t in shown), None)}


def level(state: State) -> dict[str, Any]:
    rank = LEVELS.index(state.get("level"))
    return {
        "nudge": int(rank >= 1),
        "free_card": [int(rank >= 2), int(rank >= 3), int(rank >= 4)],
        "god_discount": int(rank >= 5),
        "start_coins": 10 if rank >= 6 else 7,
        "wonder_cap": [5, 5, 5] if rank >= 7 else [3, 4, 5],
    }


def next_starter(state: State) -> dict[str, Any]:
    conflict = state.get("conflict")
    if conflict < 0 or (conflict == 0 and state.get("last_active") == "solo"):
        return {"chooser": "solo", "starter": "solo"}
    chosen = state.get("player_choice")
    return with_any({"chooser": "player", "starter": chosen}, starter=[] if chosen else ["solo", "player"])


def age_start(state: State) -> dict[str, Any]:
    age, rank = state.get("age"), LEVELS.index(state.get("level", "base"))
    due = rank >= age + 1
    box = state.get("box_cards")
    options: list[str | None] = [None]
    if due:
        here = None if box is None else [c for c in box if CARDS[c].age == age]
        if state.get("drawn_card") is not None and here != []:
            options = [state.get("drawn_card")]
        elif here:
            options = sorted(here, key=list(CARDS).index)
    outcomes = [pushed(state, card, rank >= 1) for card in options]
    answer: dict[str, Any] = {
        "start_coins": (10 if rank >= 6 else 7) if age == 1 else None,
        "wonder_cap": 5 if rank >= 7 else age + 2,
        "god_discount": int(age == 3 and rank >= 5),
    }
    open_fields: dict[str, list[Any]] = {}
    values = {
        "free_card": options,
        "conflict": sorted({o[0] for o in outcomes}),
        "nudge": sorted({o[1] for o in outcomes}),
    }
    for key, found in values.items():
        answer[key] = found[0] if len(found) == 1 else None
        open_fields[key] = found if len(found) > 1 else []
    return with_any(answer, **open_fields)


def pushed(state: State, card: str | None, nudging: bool) -> tuple[int, int]:
    """Where the pawn ends and whether the nudge was given."""
    pawn = state.get("conflict")
    shields = 0
    if card is not None:
        shields = CARDS[card].shields + (CARDS[card].colour == "red" and "strategy" in state.solo.progress)
    card_first = state.rule("AGE_START", "CARD_FIRST") == "CARD_FIRST"
    if card_first:
        pawn = moved(state, pawn, shields) if shields else pawn
    nudge = int(nudging and pawn < 0)
    pawn = moved(state, pawn, 1) if nudge else pawn
    if not card_first and shields:
        pawn = moved(state, pawn, shields)
    return pawn, nudge


# -- what is asked about a side ----------------------------------------------------------------


def operative_order(state: State) -> dict[str, Any]:
    order = order_in_force(state)
    return {
        "order": order,
        "reverse": order[::-1],
        "red_first": state.red_threat,
        "green_first": state.green_threat,
    }


def need(state: State) -> dict[str, Any]:
    side = state.side(state.get("side"))
    done = state.exhausted(side)
    needs = {r: state.need(side, r) for r in RESOURCES}
    return {
        "exhausted": done,
        "max": None if done else {r: state.most(side, r) for r in RESOURCES},
        "owned": {r: side.owned(r) for r in RESOURCES},
        "need": needs,
        "ranking": [
            [r for r in RESOURCES if needs[r] == n] for n in sorted(set(needs.values()), reverse=True)
        ],
    }


def cost(state: State) -> dict[str, Any]:
    side = state.side(state.get("side"))
    if state.get("card") is not None:
        card = CARDS[state.get("card")]
        due = pay(state, side, card)
        return {
            "nominal": card.cost.nominal, "pay": due, "free": free(side, card), "payable": due <= side.coins,
        }  # fmt: skip
    owned = [p for p in (*state.solo.projects, *state.player.projects) if p.wonder.id == state.get("wonder")]
    project = owned[0] if owned else Project(WONDERS[state.get("wonder")])
    if project.cost is None:
        return {"nominal": None, "pay": None, "free": False, "payable": False}
    bill = wonder_bill(state, side, project)
    if side is state.solo:
        payable = state.built_in_all < 7 and bill <= min(wonder_cap(state), side.coins)
    else:
        payable = state.built_in_all < 7 and bill <= side.coins
    return {
        "nominal": project.cost.nominal, "pay": bill, "free": False, "payable": payable and not project.built,
    }  # fmt: skip


ASKS = {
    f.__name__: f
    for f in (
        turn, direction, draft, god_slot, price, progress, free_structure, liberty_gift, remove_resource,
        theatre, nisaba, baal, zeus, anubis, isis, ra, minerva, neptune, age_start, level, next_starter,
        operative_order, need, cost,
    )
}  # fmt: skip
