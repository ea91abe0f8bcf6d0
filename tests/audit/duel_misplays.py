"""Logs of Duel with misplays planted in them, each wrong in a way that is known.

What is wrong, and which criterion or row speaks against it, comes from the games' own rules in
`tests/games/duel`, which know nothing of the workbook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.games.duel import asks, rules
from tests.games.duel.rules import (
    bill,
    card_cost,
    need_score,
    order_in_force,
    pair,
    pay,
    payable_wonder,
    player_rank,
    project_cost,
    solo_rank,
    type_now,
    worth_of,
)
from tests.games.duel.state import Lying, State
from tests.games.duel.turns import sound_turn

Move = dict[str, Any]


@dataclass(frozen=True)
class Planted:
    """A move that is not the rules'. `table` and `row` speak against it: a criterion by its scale and number,
    a row of a decision, a formula whose filter removed the candidate (then without a row)."""

    kind: str
    played: Move
    table: str
    row: str


@dataclass(frozen=True)
class Turn:
    """A turn to plant in; `answer` is the rules' move."""

    random: Random
    state: State
    answer: Move

    @property
    def open_cards(self) -> list[Lying]:
        return [x for x in self.state.structure if self.state.accessible(x)]

    @property
    def payable(self) -> list[Lying]:
        return [
            x for x in self.open_cards if pay(self.state, self.state.solo, x.card) <= self.state.solo.coins
        ]

    def other(self, lying: list[Lying]) -> Lying | None:
        found = [x for x in lying if x.card and x.card.id != self.answer["card"]]
        return self.random.choice(found) if found else None

    def with_card(self, lying: Lying) -> Move:
        return {"action": self.answer["action"], "card": lying.card.id, "at": lying.at.id}


Sort = Callable[[Turn], Planted | None]


def _card(turn: Turn, kind: str, lying: list[Lying], table: str, row: str = "") -> Planted | None:
    found = turn.other(lying)
    return None if found is None else Planted(kind, turn.with_card(found), table, row)


def _building(turn: Turn) -> bool:
    """A structure is built, and for no reason but the scales."""
    return turn.answer["action"] == "structure" and not turn.answer["win"] and not turn.state.merged


def covered(turn: Turn) -> Planted | None:
    """A card on which others lie."""
    if not _building(turn):
        return None
    lying = [x for x in turn.state.structure if x.card and not turn.state.accessible(x)]
    return _card(turn, "covered", lying, "accessible cards")


def too_dear(turn: Turn) -> Planted | None:
    if not _building(turn):
        return None
    paid = turn.payable
    return _card(turn, "too dear", [x for x in turn.open_cards if x not in paid], "payable structures")


def wrong_type(turn: Turn) -> Planted | None:
    if not _building(turn):
        return None
    first = type_now(turn.state, _lying(turn).card)
    lying = [x for x in turn.payable if type_now(turn.state, x.card) != first]
    return _card(turn, "wrong type", lying, "building", "a")


def _lying(turn: Turn) -> Lying:
    return next(x for x in turn.state.structure if x.at.id == turn.answer["at"])


def wrong_choice(turn: Turn) -> Planted | None:
    """Another card of the same type; the first criterion that tells the two apart."""
    if not _building(turn) or turn.state.green_threat:
        return None
    right = _lying(turn)
    alike = [x for x in turn.payable if x.card.type == right.card.type]
    other = turn.other(alike)
    if other is None:
        return None
    left = alike
    for number, key in choice_keys(turn.state, right.card.type):
        lowest = min(map(key, left))
        left = [x for x in left if key(x) == lowest]
        if other not in left:
            scale = "from SOLO" if number.startswith("S") else "choice"
            return Planted("wrong choice", turn.with_card(other), scale, number.removeprefix("S"))
    return None


def choice_keys(state: State, kind: str) -> list[tuple[str, Callable[[Lying], Any]]]:
    """The choice scale, as the document numbers it."""
    solo, first = state.solo, state.solo.owns_token_wonder
    neediest = state.neediest(solo)
    return [
        ("1", lambda x: not (first and state.uncovers_token(x))),
        ("2", lambda x: not (kind == "green" and pair(solo, x.card))),
        ("3", lambda x: -need_score(state, solo, x.card.product) if kind == "raw" else 0),
        ("4", lambda x: not (kind == "yellow" and neediest & set(x.card.fixed))),
        ("5", lambda x: not (kind == "yellow" and neediest & set(x.card.choice))),
        ("6", lambda x: card_cost(state, solo, x.card)),
        ("7", lambda x: not x.card.starts_chain),
        ("8", lambda x: -worth_of(state, x.card)),
        ("9", lambda x: not (not first and state.uncovers_token(x))),
        ("10", lambda x: state.uncover_count(x)),
        ("S1", lambda x: solo_rank(x)[0]),
        ("S2", lambda x: solo_rank(x)[1]),
    ]


def dearer_wonder(turn: Turn) -> Planted | None:
    if turn.answer["action"] != "wonder" or turn.answer["win"]:
        return None
    state = turn.state
    projects = [p for p in state.solo.unbuilt if payable_wonder(state, p)]
    right = next(p for p in projects if p.wonder.id == turn.answer["wonder"])
    others = [p for p in projects if p is not right]
    if not others:
        return None
    other = turn.random.choice(others)
    cheaper = project_cost(state, state.solo, right) < project_cost(state, state.solo, other)
    played = {"action": "wonder", "wonder": other.wonder.id}
    return Planted("dearer Wonder", played, "wonder to build", "1" if cheaper else "2")


def passed_over(action: str, by: str, row: str) -> Sort:
    """Something further down the tactical scale was done."""

    def sort(turn: Turn) -> Planted | None:
        answer = turn.answer
        if answer["action"] != action or answer["win"] or turn.state.merged:
            return None
        chosen = turn.payable if by == "structure" else turn.open_cards
        if not chosen:
            return None
        lying = turn.random.choice(chosen)
        played = {"action": by, "card": lying.card.id, "at": lying.at.id}
        return Planted(f"{by} instead of {action}", played, "tactical scale", row)

    return sort


def no_wonder(turn: Turn) -> Planted | None:
    """A Wonder was built that SOLO cannot pay for."""
    state = turn.state
    if turn.answer["action"] in ("wonder", "god") or turn.answer["win"] or not state.solo.unbuilt:
        return None
    project = turn.random.choice(state.solo.unbuilt)
    return Planted(
        "Wonder too dear", {"action": "wonder", "wonder": project.wonder.id}, "tactical scale", "4"
    )


def other_god(turn: Turn) -> Planted | None:
    if turn.answer["action"] != "god" or turn.answer["gate"] or turn.answer["win"] or turn.state.merged:
        return None
    right = rules.GODS[turn.answer["god"]][0]
    shrines = [s for s in asks.usable_gods(turn.state) if s["god"] != turn.answer["god"]]
    if not shrines:
        return None
    shrine = turn.random.choice(shrines)
    row = "2" if rules.GODS[shrine["god"]][0] != right else "3"
    played = {"action": "god", "god": shrine["god"], "slot": shrine["slot"]}
    return Planted("other god", played, "pantheon card to activate", row)


def other_discard(turn: Turn) -> Planted | None:
    """Another card was discarded, or put under the Wonder."""
    if turn.answer["action"] not in ("discard", "wonder") or turn.answer["win"]:
        return None
    state, right = turn.state, _lying(turn)
    other = turn.other(turn.open_cards)
    if other is None:
        return None
    played = turn.with_card(other)
    if turn.answer["action"] == "wonder":
        played["wonder"] = turn.answer["wonder"]
    order = order_in_force(state)
    if order.index(type_now(state, other.card)) != order.index(type_now(state, right.card)):
        return Planted("other discard", played, "discarding", "a")
    left = [x for x in turn.open_cards if type_now(state, x.card) == type_now(state, right.card)]
    for number, key in discard_keys(state):
        lowest = min(map(key, left))
        left = [x for x in left if key(x) == lowest]
        if other not in left:
            scale = "from player" if number.startswith("P") else "discard"
            return Planted("other discard", played, scale, number.removeprefix("P"))
    return None


def discard_keys(state: State) -> list[tuple[str, Callable[[Lying], Any]]]:
    first = state.solo.owns_token_wonder
    by_card = zip("23456", rules.discard_keys(state), strict=True)
    return [
        ("1", lambda x: not (first and state.uncovers_token(x))),
        *((number, lambda x, key=key: key(x.card)) for number, key in by_card),
        ("7", lambda x: not (not first and state.uncovers_token(x))),
        ("8", lambda x: state.uncover_count(x)),
        ("P1", lambda x: player_rank(x)[0]),
        ("P2", lambda x: player_rank(x)[1]),
    ]


def wrong_coins(turn: Turn) -> Planted | None:
    """Right in everything but what is paid."""
    if not _building(turn) or not turn.answer["pay"]:
        return None
    solo, card = turn.state.solo, _lying(turn).card
    full = bill(turn.state, solo, card.cost, False) + 0
    engineering = pay(turn.state, solo, card) < full
    played = {**turn.with_card(_lying(turn)), "pay": turn.answer["pay"] + 1}
    return Planted("wrong coins", played, "pay", "2" if engineering else "3")


SORTS: tuple[Sort, ...] = (
    covered, too_dear, wrong_type, wrong_choice, dearer_wonder, passed_over("wonder", "structure", "4"),
    passed_over("structure", "discard", "7"), passed_over("god", "structure", "6"), no_wonder, other_god,
    other_discard, wrong_coins,
)  # fmt: skip


def planted_log(
    count: int, misplays: int, answers: Callable[[str, Any], Move], seed: int = 15
) -> Iterator[tuple[dict[str, Any], Planted | None]]:
    """`count` turns of Duel played as the rules say, `misplays` of them planted, all sorts as often.
    `answers` are the rules' answers."""
    random = Random(seed)
    every = max(count // misplays, 1)
    due: list[Sort] = []
    made = 0
    for number in range(1, count + 1):
        if number % every == 1 or every == 1:
            due.append(SORTS[(made + len(due)) % len(SORTS)])
        ask, state = sound_turn(random, "turn")
        answer = answers(ask, state)
        played = {n: v for n, v in answer.items() if n != "any_of" and n not in answer.get("any_of", {})}
        record = {"turn": number, "game": f"evening {(number - 1) // 40 + 1}", "ask": ask, "state": state}
        planted = None
        if made < misplays and not answer.get("any_of"):
            turn = Turn(random, State(state), answer)
            for sort in due:
                if (planted := sort(turn)) is not None:
                    due.remove(sort)
                    made += 1
                    break
        yield {**record, "played": planted.played if planted else played}, planted
