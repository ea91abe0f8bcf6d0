"""A sound state, read into objects; what is worked out from it alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.games.duel.facts import CARDS, POSITIONS, RESOURCES, WONDERS, Card, Cost, Position, Wonder


@dataclass
class Project:
    wonder: Wonder
    built: bool = False
    card: str | None = None
    own_cost: Cost | None = None

    @property
    def cost(self) -> Cost | None:
        return self.wonder.cost or self.own_cost


@dataclass
class Side:
    name: str
    coins: int = 0
    projects: list[Project] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    progress: list[str] = field(default_factory=list)
    gods: list[str] = field(default_factory=list)
    nisaba_symbol: str | None = None
    offerings: list[str] = field(default_factory=list)
    mythology_tokens: list[str] = field(default_factory=list)

    @property
    def built(self) -> list[Project]:
        return [p for p in self.projects if p.built]

    @property
    def unbuilt(self) -> list[Project]:
        return [p for p in self.projects if not p.built]

    @property
    def symbols(self) -> list[str]:
        symbols = [c.symbol for c in self.cards if c.colour == "green" and c.symbol]
        symbols += ["scales"] * (("law" in self.progress) + ("ishtar" in self.gods))
        return symbols + ([self.nisaba_symbol] if self.nisaba_symbol else [])

    def made(self, resource: str) -> int:
        return sum(c.makes.get(resource, 0) for c in self.cards if c.type == "raw")

    @property
    def choices(self) -> list[list[str]]:
        """Each choice producer's options."""
        return [c.choice for c in self.cards if c.choice] + [
            p.wonder.choice for p in self.built if p.wonder.choice
        ]

    def owned(self, resource: str) -> int:
        return self.made(resource) + sum(resource in options for options in self.choices)

    @property
    def owns_token_wonder(self) -> bool:
        return any(p.wonder.id in ("sanctuary", "divine_theater") for p in self.projects)


@dataclass
class Lying:
    at: Position
    card: Card | None
    token: str


class State:
    def __init__(self, plain: dict[str, Any]) -> None:
        self.plain = {k: v for k, v in plain.items() if v is not None}
        self.rules = {k: v for k, v in (self.plain.get("house_rules") or {}).items() if v is not None}
        self.solo = side("solo", self.plain.get("solo") or {})
        self.player = side("player", self.plain.get("player") or {})
        self.structure = [
            Lying(POSITIONS[p["at"]], CARDS[p["card"]] if p.get("card") else None, p.get("token") or "none")
            for p in self.get("structure", [])
        ]
        self.listed = {lying.at.id for lying in self.structure}
        self.conflict: int = self.get("conflict", 0)

    def get(self, key: str, default: Any = None) -> Any:
        return self.plain.get(key, default)

    def rule(self, name: str, default: str) -> str:
        return self.rules.get(name, default)

    def side(self, name: str) -> Side:
        return self.solo if name == "solo" else self.player

    def rival(self, of: Side) -> Side:
        return self.player if of is self.solo else self.solo

    @property
    def built_in_all(self) -> int:
        return len(self.solo.built) + len(self.player.built)

    # -- the structure -------------------------------------------------------------------------

    def accessible(self, lying: Lying) -> bool:
        return not any(p in self.listed for p in lying.at.covered_by)

    def face_up(self, lying: Lying) -> bool:
        return lying.at.up or self.accessible(lying)

    def freed(self, lying: Lying) -> list[Lying]:
        return [
            other for other in self.structure
            if other.at.id in lying.at.covers
            and all(p == lying.at.id or p not in self.listed for p in other.at.covered_by)
        ]  # fmt: skip

    def uncover_count(self, lying: Lying) -> int:
        freed = self.freed(lying)
        if self.rule("UNCOVER", "FREED") == "REVEALED":
            freed = [f for f in freed if not self.face_up(f)]
        return len(freed)

    def uncovers_token(self, lying: Lying) -> bool:
        return any(f.token != "none" for f in self.freed(lying))

    # -- threats, need -------------------------------------------------------------------------

    @property
    def red_threat(self) -> bool:
        return self.conflict <= -6

    @property
    def green_threat(self) -> bool:
        return len(set(self.player.symbols)) >= 5

    @property
    def merged(self) -> bool:
        return self.red_threat and self.green_threat

    def exhausted(self, of: Side) -> bool:
        return not of.unbuilt or self.built_in_all >= 7

    def most(self, of: Side, resource: str) -> int:
        return max([0, *(p.cost.of(resource) for p in of.unbuilt if p.cost)])

    def need(self, of: Side, resource: str) -> int:
        most = 0 if self.exhausted(of) else self.most(of, resource)
        return most - of.owned(resource)

    def neediest(self, of: Side) -> set[str]:
        top = max(self.need(of, r) for r in RESOURCES)
        return {r for r in RESOURCES if self.need(of, r) == top}


def side(name: str, plain: dict[str, Any]) -> Side:
    plain = {k: v for k, v in plain.items() if v is not None}
    projects = []
    for p in plain.get("wonders", []):
        cost = p.get("cost")
        own = None
        if cost is not None:
            own = Cost(cost.get("coins") or 0, {r: cost.get(r) or 0 for r in RESOURCES})
        projects.append(Project(WONDERS[p["wonder"]], bool(p.get("built")), p.get("card"), own))
    return Side(
        name, plain.get("coins", 0), projects, [CARDS[c] for c in plain.get("cards", [])],
        plain.get("progress", []), plain.get("gods", []), plain.get("nisaba_symbol"),
        plain.get("offering_tokens", []), plain.get("mythology_tokens", []),
    )  # fmt: skip
