"""What is printed on the components: the oracle's own facts, not the workbook's."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path

PRINTED = Path(__file__).with_name("printed")

RESOURCES = ["wood", "clay", "stone", "glass", "papyrus"]
KIND = {"wood": "material", "clay": "material", "stone": "material", "glass": "good", "papyrus": "good"}
DIRECTIONS = ["MS", "MC", "SM", "SC", "CM", "CS"]
LEVELS = ["base", "easy", "normal", "medium", "demanding", "hard", "extreme", "legendary"]
MYTHOLOGIES = ["mesopotamian", "phoenician", "greek", "egyptian", "roman"]
SYMBOLS = ["wheel", "pendulum", "quill", "mortar", "gyroscope", "sundial", "scales"]
MILITARY = ["solo_5", "solo_2", "player_2", "player_5"]
OFFERINGS = {"offering_2": 2, "offering_3": 3, "offering_4": 4}
SWITCHES = {
    "WIN_BYPASS": ["ALL", "OPERATIVE"],
    "WIN_WITH_WONDER": ["NO", "YES"],
    "COST": ["NOMINAL", "EFFECTIVE"],
    "NEED": ["GRADED", "STRICT"],
    "UNCOVER": ["FREED", "REVEALED"],
    "FREE_HADES": ["PRINTED", "MAIN"],
    "DISCARD_ZEUS": ["PRINTED", "MAIN"],
    "ANUBIS_SCALE": ["PLAYER_FIRST_WONDER", "SOLO"],
    "NEPTUNE2": ["PRINTED", "HARMLESS"],
    "AGE_START": ["CARD_FIRST", "NUDGE_FIRST"],
}


@dataclass(frozen=True)
class Cost:
    coins: int = 0
    units: dict[str, int] = field(default_factory=dict)

    def of(self, resource: str) -> int:
        return self.units.get(resource, 0)

    @property
    def nominal(self) -> int:
        return self.coins + 2 * sum(self.units.values())


@dataclass(frozen=True)
class Card:
    id: str
    age: int
    colour: str
    cost: Cost
    makes: dict[str, int]
    choice: list[str]
    fixed: list[str]
    coins: int
    per_what: str
    per_amount: int
    points: int
    shields: int
    symbol: str | None
    gives: str | None
    needs: str | None
    mythology: str | None = None

    @property
    def type(self) -> str:
        return "raw" if self.colour in ("brown", "grey") else self.colour

    @property
    def starts_chain(self) -> bool:
        return self.gives is not None and self.type in ("yellow", "green", "red", "blue")

    @property
    def product(self) -> str:
        return next(r for r in RESOURCES if self.makes.get(r))


@dataclass(frozen=True)
class Wonder:
    id: str
    cost: Cost | None
    points: int
    shields: int
    coins: int
    choice: list[str]


def rows(name: str) -> list[dict[str, str]]:
    with (PRINTED / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def number(text: str) -> int:
    return int(text) if text.strip() else 0


def listed(text: str) -> list[str]:
    return [word for word in text.split("|") if word]


def cost_of(row: dict[str, str]) -> Cost:
    units = {r: number(row[f"cost_{r}"]) for r in RESOURCES}
    return Cost(number(row.get("cost_coins", "")), units)


def read_cards() -> dict[str, Card]:
    cards: dict[str, Card] = {}
    for row in rows("age_cards"):
        if row["age"] == "3G":
            continue
        name = row["card_id"].split("-", 1)[1].replace("-", "_")
        cards[name] = Card(
            name, int(row["age"]), row["colour"], cost_of(row),
            {r: number(row[f"prod_{r}"]) for r in RESOURCES}, listed(row["choice_resources"]),
            listed(row["fixed_trade_price_1"]), number(row["coins_on_build"]), row["coins_per_what"],
            number(row["coins_per_amount"]), number(row["victory_points"]), number(row["shields"]),
            row["science_symbol"] or None, row["chain_symbol_given"] or None,
            row["chain_symbol_required"] or None,
        )  # fmt: skip
    for row in rows("grand_temples"):
        name = row["temple_id"].replace("-", "_")
        cards[name] = Card(
            name, 3, "temple", cost_of(row), {}, [], [], 0, "", 0, 0, 0, None, None, None, row["mythology"]
        )
    return cards


def read_wonders() -> dict[str, Wonder]:
    wonders = {}
    for row in rows("wonders"):
        name = row["wonder_id"].replace("-", "_")
        known = row["cost_value"].strip().isdigit()
        points, shields, coins = (
            int(row[k]) if row[k].strip().isdigit() else 0 for k in ("victory_points", "shields", "coins")
        )
        choice = listed(row["choice_resources"]) if "|" in row["choice_resources"] else []
        wonders[name] = Wonder(name, cost_of(row) if known else None, points, shields, coins, choice)
    return wonders


@dataclass(frozen=True)
class Position:
    id: str
    age: int
    row: int
    column: int
    up: bool
    covers: list[str]
    covered_by: list[str]


CARDS = read_cards()
WONDERS = read_wonders()
GODS = {
    row["god_id"].replace("-", "_"): (row["mythology"], number(row["shields"]))
    for row in rows("pantheon_gods")
    if row["god_id"] != "gate"
}
PROGRESS = [row["token_id"].replace("-", "_") for row in rows("progress_tokens")]
POSITIONS = {
    row["position_id"]: Position(
        row["position_id"], int(row["age"]), int(row["row_from_top"]), int(row["half_column"]),
        row["face_up_at_setup"] == "1", listed(row["covers"]), listed(row["covered_by"]),
    )
    for row in rows("layouts")
}  # fmt: skip

FIRST_DIRECTION = {
    "colossus": "MS", "appian_way": "MS", "circus_maximus": "MC", "statue_of_zeus": "MC",
    "great_library": "SM", "sphinx": "SM", "mausoleum": "SC", "pyramids": "SC",
    "temple_of_artemis": "CM", "great_lighthouse": "CM", "hanging_gardens": "CS", "piraeus": "CS",
}  # fmt: skip

BLOCKS = {
    "M": ["colossus", "circus_maximus", "statue_of_zeus", "appian_way"],
    "S": ["great_library", "mausoleum", "sphinx", "pyramids"],
    "C": ["temple_of_artemis", "hanging_gardens", "piraeus", "great_lighthouse"],
}
LAST_WONDERS = ["divine_theater", "sanctuary", "statue_of_liberty", "messe_essen"]


def letters(direction: str) -> list[str]:
    """The direction's two letters, then the one it lacks."""
    return [*direction, *(c for c in "MSC" if c not in direction)]


def strategic(direction: str) -> list[str]:
    return [w for letter in letters(direction) for w in BLOCKS[letter]] + LAST_WONDERS


def pantheon_order(direction: str) -> list[str]:
    by_letter = {"M": "roman", "S": "mesopotamian", "C": "greek"}
    return ["egyptian", "phoenician", *(by_letter[c] for c in letters(direction))]


UP, OUT, DOWN = [1, 2, 3, 4, 5, 6], [3, 4, 5, 6, 1, 2], [6, 5, 4, 3, 2, 1]


def placement(mythology: str, direction: str) -> list[int]:
    """First letter's own mythology is drawn near, the second's half way, the absent one's far."""
    own = {"roman": "M", "mesopotamian": "S", "greek": "C"}.get(mythology)
    if own is None:
        return UP
    return [UP, OUT, DOWN][letters(direction).index(own)]
