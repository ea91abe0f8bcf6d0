"""Prices, victories, gods and scales."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import inf
from typing import Any, TypeVar

from tests.games.duel.facts import (
    CARDS,
    GODS,
    KIND,
    OFFERINGS,
    RESOURCES,
    Card,
    Cost,
    letters,
    pantheon_order,
    strategic,
)
from tests.games.duel.state import Lying, Project, Side, State

T = TypeVar("T")


def best(candidates: Sequence[T], *keys: Callable[[T], Any]) -> list[T]:
    """Keep the lowest of each key in turn."""
    left = list(candidates)
    for key in keys:
        if len(left) <= 1:
            break
        lowest = min(key(c) for c in left)
        left = [c for c in left if key(c) == lowest]
    return left


# -- prices ------------------------------------------------------------------------------------


def unit_price(state: State, buyer: Side, resource: str) -> int:
    if any(resource in c.fixed for c in buyer.cards):
        return 1
    return 2 + state.rival(buyer).made(resource)


def bill(state: State, buyer: Side, cost: Cost, discount: bool) -> int:
    groups: dict[str, list[int]] = {"material": [], "good": []}
    for r in RESOURCES:
        lacking = max(0, cost.of(r) - buyer.made(r))
        groups[KIND[r]] += [unit_price(state, buyer, r)] * lacking
    for options in buyer.choices:
        prices = groups[KIND[options[0]]]
        if prices:
            prices.remove(max(prices))
    left = sorted(groups["material"] + groups["good"], reverse=True)
    return sum(left[2:] if discount else left)


def free(buyer: Side, card: Card) -> bool:
    chained = card.needs is not None and any(c.gives == card.needs for c in buyer.cards)
    return chained or (card.type == "temple" and card.mythology in buyer.mythology_tokens)


def pay(state: State, buyer: Side, card: Card) -> int:
    if free(buyer, card):
        return 0
    full = card.cost.coins + bill(
        state, buyer, card.cost, card.colour == "blue" and "masonry" in buyer.progress
    )
    if "engineering" in buyer.progress and (card.needs is not None or card.type == "temple"):
        return min(1, full)
    return full


def wonder_bill(state: State, buyer: Side, project: Project) -> float:
    if project.cost is None:
        return inf
    return project.cost.coins + bill(state, buyer, project.cost, "architecture" in buyer.progress)


def card_cost(state: State, of: Side, card: Card) -> int:
    """What "costs less" compares."""
    return card.cost.nominal if state.rule("COST", "NOMINAL") == "NOMINAL" else pay(state, of, card)


def project_cost(state: State, of: Side, project: Project) -> float:
    if project.cost is None:
        return inf
    if state.rule("COST", "NOMINAL") == "NOMINAL":
        return project.cost.nominal
    return wonder_bill(state, of, project)


def wonder_cap(state: State) -> int:
    return 5 if state.get("level", "base") == "legendary" else state.get("age") + 2


def payable_wonder(state: State, project: Project) -> bool:
    due = wonder_bill(state, state.solo, project)
    return state.built_in_all < 7 and due <= min(wonder_cap(state), state.solo.coins)


def god_price(state: State, slot: int, gate: bool) -> tuple[int, list[str] | None, bool]:
    """What is paid, with which tokens, and whether it can be."""
    price = (slot + 2) * (2 if gate else 1)
    if any(p.wonder.id == "sanctuary" for p in state.solo.built):
        price -= 2
    if not gate and state.get("age") == 3 and state.get("level", "base") in ("hard", "extreme", "legendary"):
        price -= 1
    price = max(0, price)
    if price <= state.solo.coins:
        return price, None, True
    held = sorted(set(state.solo.offerings))
    sets = [list(s) for n in (1, 2, 3) for s in combinations(held, n)]
    enough = [s for s in sets if price - worth(s) <= state.solo.coins]
    if not enough:
        return price, None, False
    spent = min(enough, key=lambda s: (len(s), worth(s)))
    return max(0, price - worth(spent)), spent, True


def worth(tokens: list[str]) -> int:
    return sum(OFFERINGS[t] for t in tokens)


# -- pawn, victory -----------------------------------------------------------------------------


def moved(state: State, start: int, shields: int) -> int:
    """Up for positive shields, down for negative; Minerva ahead stops it one space before her."""
    minerva = state.get("minerva")
    end = start + shields
    if shields > 0:
        if minerva is not None and start < minerva <= end:
            end = minerva - 1
        return min(9, end)
    if minerva is not None and end <= minerva < start:
        end = minerva + 1
    return max(-9, end)


def card_wins(state: State, of: Side, card: Card) -> bool:
    if card.colour == "red":
        shields = card.shields + ("strategy" in of.progress)
        return moved(state, state.conflict, shields if of is state.solo else -shields) in (9, -9)
    if card.colour == "green":
        return distinct_with(of, card.symbol) >= 6
    return False


def distinct_with(of: Side, symbol: str | None) -> int:
    return len({*of.symbols, *([symbol] if symbol else [])})


def god_wins(state: State, of: Side, god: str | None) -> bool:
    if god == "mars":
        return moved(state, state.conflict, 2 if of is state.solo else -2) in (9, -9)
    if god == "ishtar":
        return distinct_with(of, "scales") >= 6
    if god == "nisaba":
        return any(c.colour == "green" and distinct_with(of, c.symbol) >= 6 for c in state.rival(of).cards)
    return False


def wonder_wins(state: State, project: Project) -> bool:
    return project.wonder.shields > 0 and moved(state, state.conflict, project.wonder.shields) == 9


# -- gods --------------------------------------------------------------------------------------


def applicable(state: State, god: str) -> bool:
    solo, player = state.solo, state.player
    standing = state.built_in_all
    pile = state.get("discard_pile", [])
    rules = {
        "nisaba": any(c.colour == "green" for c in player.cards),
        "baal": any(c.type == "raw" for c in player.cards),
        "hades": bool(pile),
        "zeus": bool(state.structure),
        "anubis": standing > 0,
        "isis": bool(solo.unbuilt) and bool(pile) and standing < 7,
        "ra": bool(player.unbuilt) and standing < 7,
        "neptune": bool(state.get("military_tokens", [])),
    }
    return rules.get(god, True)


def deck(state: State, mythology: str) -> list[str]:
    recorded = (state.get("mythology_decks") or {}).get(mythology)
    own = [g for g, (m, _) in GODS.items() if m == mythology]
    if recorded is not None:
        return [g for g in own if g in recorded]
    shown = state.get("pantheon", [])
    seen = {*state.solo.gods, *state.player.gods, *(s.get("god") for s in shown)}
    left = [g for g in own if g not in seen]
    hidden = sum(s.get("god") is None and s.get("mythology") == mythology for s in shown)
    return [] if len(left) <= hidden else left


def through_gate(state: State) -> list[str]:
    order = pantheon_order(state.get("direction"))
    reveal = state.get("gate_reveal")
    if reveal is not None:
        reached = [g for m in order for g in reveal if GODS[g][0] == m and applicable(state, g)]
        return reached[:1]
    found: list[str] = []
    for mythology in order:
        on_top = deck(state, mythology)
        good = [g for g in on_top if applicable(state, g)]
        found += good
        if on_top and good == on_top:
            break
    return sorted(found, key=list(GODS).index)


# -- order of types ----------------------------------------------------------------------------

COLOUR = {"M": "red", "S": "green", "C": "blue"}


def order_in_force(state: State) -> list[str]:
    order = ["temple", "raw", "yellow", *(COLOUR[c] for c in letters(state.get("direction")))]
    if state.merged:
        return ["red_green", *(t for t in order if t not in ("red", "green"))]
    for threat, colour in ((state.red_threat, "red"), (state.green_threat, "green")):
        if threat:
            return [colour, *(t for t in order if t != colour)]
    return order


def type_now(state: State, card: Card) -> str:
    return "red_green" if state.merged and card.type in ("red", "green") else card.type


def of_first_type(state: State, order: list[str], pool: Sequence[T], card_of: Callable[[T], Card]) -> list[T]:
    return best(pool, lambda c: order.index(type_now(state, card_of(c))))


# -- scales ------------------------------------------------------------------------------------


def need_score(state: State, of: Side, resource: str) -> int:
    if state.rule("NEED", "GRADED") == "GRADED":
        return state.need(of, resource)
    return int(resource in state.neediest(of))


def pair(of: Side, card: Card) -> bool:
    return card.symbol is not None and of.symbols.count(card.symbol) == 1


def coins_now(state: State, card: Card) -> int:
    if card.per_what == "wonder_built":
        count = len(state.solo.built)
    else:
        colours = [c.colour for c in (*state.solo.cards, card)]
        count = colours.count(card.per_what.removesuffix("_card")) if card.per_what else 0
    return card.coins + card.per_amount * count


def solo_rank(lying: Lying) -> tuple[int, int]:
    return (lying.at.row, -lying.at.column)


def player_rank(lying: Lying) -> tuple[int, int]:
    return (-lying.at.row, lying.at.column)


def choice_scale(state: State, pool: list[Lying]) -> Lying:
    """The pool is of one type."""
    solo = state.solo
    first = solo.owns_token_wonder
    kind = pool[0].card.type
    neediest = state.neediest(solo)
    return best(
        pool,
        lambda x: not (first and state.uncovers_token(x)),
        lambda x: not (kind == "green" and pair(solo, x.card)),
        lambda x: -need_score(state, solo, x.card.product) if kind == "raw" else 0,
        lambda x: not (kind == "yellow" and neediest & set(x.card.fixed)),
        lambda x: not (kind == "yellow" and neediest & set(x.card.choice)),
        lambda x: card_cost(state, solo, x.card),
        lambda x: not x.card.starts_chain,
        lambda x: -worth_of(state, x.card),
        lambda x: not (not first and state.uncovers_token(x)),
        lambda x: state.uncover_count(x),
        solo_rank,
    )[0]


def worth_of(state: State, card: Card) -> int:
    """Criterion 8 of the choice scale."""
    if card.type == "yellow":
        return coins_now(state, card)
    if card.type == "red":
        return card.shields
    return 0 if card.type == "raw" else card.points


def flexibility_scale(state: State, pool: list[Lying]) -> Lying:
    return best(
        pool,
        lambda x: not card_wins(state, state.player, x.card),
        lambda x: not x.card.starts_chain,
        lambda x: state.uncover_count(x),
        lambda x: card_cost(state, state.solo, x.card),
        lambda x: x.card.colour != "green",
        solo_rank,
    )[0]


def to_build(state: State, pool: list[Lying]) -> Lying:
    pool = of_first_type(state, order_in_force(state), pool, lambda x: x.card)
    kind = type_now(state, pool[0].card)
    if kind == "red_green":
        return flexibility_scale(state, pool)
    if kind == "green" and state.green_threat and len(pool) > 1:
        lacking = [x for x in pool if x.card.symbol not in state.player.symbols]
        pool = lacking or pool
    return choice_scale(state, pool)


def discard_keys(state: State) -> list[Callable[[Card], Any]]:
    """Criteria 2 to 6, which look at the card alone."""
    player = state.player
    neediest = state.neediest(player)
    return [
        lambda c: -need_score(state, player, c.product) if c.type == "raw" else inf,
        lambda c: not (c.type == "yellow" and neediest & set(c.fixed)),
        lambda c: not (c.type == "yellow" and neediest & set(c.choice)),
        lambda c: not c.starts_chain,
        lambda c: card_cost(state, player, c),
    ]


def discard_scale(state: State, pool: list[Lying]) -> Lying:
    first = state.solo.owns_token_wonder
    by_card = [lambda x, key=key: key(x.card) for key in discard_keys(state)]
    return best(
        pool,
        lambda x: not (first and state.uncovers_token(x)),
        *by_card,
        lambda x: not (not first and state.uncovers_token(x)),
        lambda x: state.uncover_count(x),
        player_rank,
    )[0]


def to_discard(state: State, pool: list[Lying]) -> Lying:
    order = order_in_force(state)[::-1]
    return discard_scale(state, of_first_type(state, order, pool, lambda x: x.card))


def free_choice(state: State, pool: list[Card], hades: bool) -> list[Card]:
    """The equals that are left."""
    if not pool:
        return []
    pool = of_first_type(state, order_in_force(state), pool, lambda c: c)
    solo = state.solo
    if type_now(state, pool[0]) == "red_green":
        pool = best(
            pool,
            lambda c: not card_wins(state, state.player, c),
            lambda c: not c.starts_chain,
            lambda c: card_cost(state, solo, c),
            lambda c: c.colour != "green",
        )
    printed = hades and state.rule("FREE_HADES", "PRINTED") == "PRINTED"
    return best(
        pool,
        lambda c: not (c.type == "green" and pair(solo, c)),
        lambda c: -c.points,
        lambda c: 0 if printed else -need_score(state, solo, c.product) if c.type == "raw" else inf,
        lambda c: not c.starts_chain,
    )


def by_strategy(direction: str) -> Callable[[Project], int]:
    order = strategic(direction)
    return lambda p: order.index(p.wonder.id)


def cheapest_wonder(state: State, pool: list[Project]) -> Project:
    return best(pool, lambda p: project_cost(state, state.solo, p), by_strategy(state.get("direction")))[0]


def in_card_order(cards: list[Card]) -> list[str]:
    order = list(CARDS)
    return sorted({c.id for c in cards}, key=order.index)
