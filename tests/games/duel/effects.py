"""The answers for single effects: free cards, cards to remove, divinities."""

from __future__ import annotations

from typing import Any

from tests.games.duel.draws import drawn, with_any
from tests.games.duel.facts import (
    CARDS,
    FIRST_DIRECTION,
    pantheon_order,
)
from tests.games.duel.rules import (
    applicable,
    best,
    by_strategy,
    card_cost,
    deck,
    discard_keys,
    discard_scale,
    free_choice,
    in_card_order,
    need_score,
    of_first_type,
    order_in_force,
    pair,
    player_rank,
    project_cost,
)
from tests.games.duel.state import State

# -- free cards --------------------------------------------------------------------------------


def free_structure(state: State) -> dict[str, Any]:
    pool = state.get("pool")
    if pool == "messe":
        up = [x for x in state.structure if state.face_up(x)]
        top = min((x.at.row for x in state.structure), default=0)
        cards = [x.card for x in up if x.at.row == top]
    elif pool == "liberty":
        cards = [CARDS[c] for c in state.get("box_cards") if CARDS[c].age == state.get("age")]
    else:
        cards = [CARDS[c] for c in state.get("discard_pile", [])]
    left = in_card_order(free_choice(state, cards, hades=pool == "hades"))
    card, equals = drawn(state, "drawn_card", left)
    return with_any({"card": card}, card=equals)


def liberty_gift(state: State) -> dict[str, Any]:
    left = [CARDS[c] for c in state.get("box_cards") if CARDS[c].age == state.get("age")]
    if left:
        left = of_first_type(state, order_in_force(state)[::-1], left, lambda c: c)
        left = best(left, *discard_keys(state))
    card, equals = drawn(state, "drawn_card", in_card_order(left))
    return with_any({"card": card}, card=equals)


def isis(state: State) -> dict[str, Any]:
    if not applicable(state, "isis"):
        return {"wonder": None, "card": None}
    wonder = best(
        state.solo.unbuilt,
        lambda p: -project_cost(state, state.solo, p),
        lambda p: -p.wonder.points,
        by_strategy(state.get("direction")),
    )[0]
    pool = best([CARDS[c] for c in state.get("discard_pile")], lambda c: -c.age)
    pool = of_first_type(state, order_in_force(state)[::-1], pool, lambda c: c)
    pool = best(
        pool,
        lambda c: not (c.type == "green" and pair(state.player, c)),
        lambda c: -c.points,
        lambda c: not c.starts_chain,
        lambda c: -card_cost(state, state.solo, c),
    )
    card, equals = drawn(state, "drawn_card", in_card_order(pool))
    return with_any({"wonder": wonder.wonder.id, "card": card}, card=equals)


# -- single effects ----------------------------------------------------------------------------


def last_built(state: State, cards: list[Any]) -> Any:
    order = [c.id for c in state.player.cards]
    return max(cards, key=lambda c: order.index(c.id)) if cards else None


def remove_resource(state: State) -> dict[str, Any]:
    colour = {"circus_maximus": "grey", "statue_of_zeus": "brown"}[state.get("wonder")]
    cards = [c for c in state.player.cards if c.colour == colour]
    cards = best(cards, lambda c: state.player.owned(c.product))
    card = last_built(state, cards)
    return {"card": card.id if card else None}


def baal(state: State) -> dict[str, Any]:
    cards = [c for c in state.player.cards if c.type == "raw"]
    if state.exhausted(state.solo):
        cards = best(cards, lambda c: state.player.owned(c.product))
    else:
        cards = best(cards, lambda c: -need_score(state, state.solo, c.product))
    card = last_built(state, cards)
    return {"card": card.id if card else None}


def theatre(state: State) -> dict[str, Any]:
    for mythology in pantheon_order(state.get("direction")):
        gods = [g for g in deck(state, mythology) if applicable(state, g)]
        if gods:
            god, equals = drawn(state, "drawn_god", gods)
            return with_any({"mythology": mythology, "god": god}, god=equals)
    return {"mythology": None, "god": None}


def nisaba(state: State) -> dict[str, Any]:
    green = [c for c in state.player.cards if c.colour == "green"]
    pile = {CARDS[c].symbol for c in state.get("discard_pile", []) if CARDS[c].colour == "green"}
    steps = [
        [c for c in green if len({*state.solo.symbols, c.symbol}) >= 6],
        [c for c in green if pair(state.solo, c)],
        [c for c in green if c.symbol in pile],
        green,
    ]
    return {"symbol": next((step[0].symbol for step in steps if step), None)}


def zeus(state: State) -> dict[str, Any]:
    if not state.solo.owns_token_wonder:
        hidden = [x for x in state.structure if x.token != "none" and not state.face_up(x)]
        if hidden:
            worth = ["offering_4", "offering_3", "offering_2", "mythology"]
            hit = best(hidden, lambda x: worth.index(x.token), player_rank)[0]
            return {"at": hit.at.id, "card": None}
    up = [x for x in state.structure if state.face_up(x)]
    pool = of_first_type(state, order_in_force(state)[::-1], up, lambda x: x.card)
    if state.rule("DISCARD_ZEUS", "PRINTED") == "MAIN":
        hit = discard_scale(state, pool)
    else:
        hit = best(
            pool,
            lambda x: not x.card.starts_chain,
            lambda x: card_cost(state, state.player, x.card),
            lambda x: state.uncover_count(x),
            player_rank,
        )[0]
    return {"at": hit.at.id, "card": hit.card.id}


def anubis(state: State) -> dict[str, Any]:
    scale = state.get("direction")
    theirs = state.rule("ANUBIS_SCALE", "PLAYER_FIRST_WONDER") == "PLAYER_FIRST_WONDER"
    if theirs and state.player.projects:
        scale = FIRST_DIRECTION.get(state.player.projects[0].wonder.id, scale)
    order = by_strategy(scale)
    if state.player.built:
        hit = best(
            state.player.built,
            lambda p: -project_cost(state, state.player, p),
            lambda p: -p.wonder.points,
            order,
        )[0]
        return {"side": "player", "wonder": hit.wonder.id, "card": hit.card}
    if state.solo.built:
        hit = best(
            state.solo.built, lambda p: project_cost(state, state.solo, p), lambda p: -p.wonder.coins, order
        )[0]
        return {"side": "solo", "wonder": hit.wonder.id, "card": hit.card}
    return {"side": None, "wonder": None, "card": None}


def ra(state: State) -> dict[str, Any]:
    if not applicable(state, "ra"):
        return {"wonder": None}
    hit = best(
        state.player.unbuilt,
        lambda p: project_cost(state, state.player, p),
        by_strategy(state.get("direction")),
    )[0]
    return {"wonder": hit.wonder.id}


def minerva(state: State) -> dict[str, Any]:
    return {"space": state.get("conflict") - 1}


def neptune(state: State) -> dict[str, Any]:
    left = state.get("military_tokens")
    first = next((t for t in ["solo_5", "solo_2", "player_2", "player_5"] if t in left), None)
    order = ["solo_5", "player_5", "solo_2", "player_2"]
    if state.rule("NEPTUNE2", "PRINTED") == "HARMLESS":
        order = ["player_5", "player_2", "solo_5", "solo_2"]
    return {"first": first, "second": next((t for t in order if t in left and t != first), None)}
