"""Records that must be refused, by hand: each says at which path. Most spoil one thing of a small state."""

from __future__ import annotations

from typing import Any

Plain = dict[str, Any]

TURN: Plain = {
    "age": 2, "direction": "SM", "conflict": 0, "solo": {"coins": 3},
    "structure": [{"at": "A2-01", "card": "statue"}],
}  # fmt: skip

WITHOUT = (
    ("turn", TURN, ("age", "direction", "conflict", "solo.coins", "structure")),
    ("direction", {"first_wonder": "sphinx"}, ("first_wonder",)),
    ("draft", {"direction": "MS", "offer": ["sphinx"]}, ("direction", "offer")),
    ("god_slot", {"direction": "MS", "mythology": "roman"}, ("direction", "mythology")),
    ("price", {"slot": 1, "age": 2, "solo": {"coins": 3}}, ("slot", "age", "solo.coins")),
    (
        "progress",
        {"direction": "MS", "source": "pair", "solo": {"coins": 3}, "progress_row": ["law"]},
        ("direction", "source", "solo.coins", "progress_row"),
    ),
    (
        "progress",
        {"direction": "MS", "source": "enki", "solo": {"coins": 3}, "progress_offer": ["law"]},
        ("progress_offer",),
    ),
    (
        "free_structure",
        {"direction": "MS", "conflict": 0, "pool": "messe", "age": 2, "structure": TURN["structure"]},
        ("direction", "conflict", "pool", "age", "structure"),
    ),
    (
        "free_structure",
        {"direction": "MS", "conflict": 0, "pool": "mausoleum", "discard_pile": []},
        ("direction", "conflict", "pool", "discard_pile"),
    ),
    (
        "free_structure",
        {"direction": "MS", "conflict": 0, "pool": "hades", "discard_pile": ["walls"]},
        ("discard_pile",),
    ),
    (
        "free_structure",
        {"direction": "MS", "conflict": 0, "pool": "liberty", "age": 2, "box_cards": ["statue"]},
        ("age", "box_cards"),
    ),
    (
        "liberty_gift",
        {"direction": "MS", "conflict": 0, "age": 2, "box_cards": ["statue"]},
        ("direction", "conflict", "age", "box_cards"),
    ),
    ("remove_resource", {"wonder": "circus_maximus"}, ("wonder",)),
    ("theatre", {"direction": "MS"}, ("direction",)),
    (
        "zeus",
        {"direction": "MS", "conflict": 0, "age": 2, "structure": TURN["structure"]},
        ("direction", "conflict", "age", "structure"),
    ),
    ("anubis", {"direction": "MS"}, ("direction",)),
    ("isis", {"direction": "MS", "conflict": 0}, ("direction", "conflict")),
    ("ra", {"direction": "MS"}, ("direction",)),
    ("minerva", {"conflict": 0}, ("conflict",)),
    ("neptune", {"military_tokens": []}, ("military_tokens",)),
    ("age_start", {"age": 2, "conflict": 0}, ("age", "conflict")),
    ("level", {"level": "easy"}, ("level",)),
    ("next_starter", {"conflict": 0, "last_active": "solo"}, ("conflict", "last_active")),
    ("operative_order", {"direction": "MS", "conflict": 0}, ("direction", "conflict")),
    ("need", {"side": "solo"}, ("side",)),
    (
        "cost",
        {"side": "solo", "wonder": "sphinx", "age": 2, "solo": {"coins": 3}},
        ("side", "age", "solo.coins"),
    ),
    ("cost", {"side": "player", "card": "walls", "player": {"coins": 3}}, ("player.coins",)),
)
"""Ask, a state it answers, and the fields it needs of it."""

HIDDEN = {"slot": 1, "mythology": "roman"}

REFUSED: tuple[tuple[str, Plain, str], ...] = (
    # once only
    ("level", {"solo": {"gods": ["ra"]}, "player": {"gods": ["ra"]}}, "player.gods[0]"),
    ("level", {"solo": {"gods": ["ra"]}, "pantheon": [{"slot": 1, "god": "ra"}]}, "pantheon[0].god"),
    ("level", {"player": {"gods": ["ra"]}, "mythology_decks": {"egyptian": ["isis", "ra"]}},
     "mythology_decks.egyptian[1]"),
    ("level", {"solo": {"progress": ["law"]}, "progress_row": ["masonry", "law"]}, "progress_row[1]"),
    ("level", {"progress_row": ["law"], "progress_offer": ["law"]}, "progress_offer[0]"),
    ("level", {"player": {"offering_tokens": ["offering_2", "offering_2"]}}, "player.offering_tokens[1]"),
    ("level", {"age": 2, "solo": {"offering_tokens": ["offering_3"]},
               "structure": [{"at": "A2-07", "token": "offering_3"}, {"at": "A2-12", "card": "statue"}]},
     "structure[0].token"),
    ("level", {"military_tokens": ["solo_2", "solo_2"]}, "military_tokens[1]"),
    ("level", {"structure": [{"at": "A2-01", "card": "statue"}, {"at": "A2-01", "card": "walls"}]},
     "structure[1].at"),
    ("level", {"player": {"wonders": [{"wonder": "sphinx"}]}, "offer": ["piraeus", "sphinx"]}, "offer[1]"),
    ("level", {"discard_pile": ["walls"], "box_cards": ["walls"]}, "box_cards[0]"),
    ("level", {"solo": {"wonders": [{"wonder": "sphinx", "built": True, "card": "walls"}]},
               "discard_pile": ["walls"]}, "discard_pile[0]"),
    ("level", {"box_cards": ["walls", "statue", "baths", "temple", "school"]}, "box_cards[4]"),
    # what cannot be
    ("level", {"structure": [{"at": "A2-01", "card": "statue"}, {"at": "A1-01", "card": "baths"}]},
     "structure[1].at"),
    ("level", {"age": 3, "structure": [{"at": "A2-01", "card": "statue"}]}, "structure[0].at"),
    ("level", {"structure": [{"at": "A2-01", "card": "baths"}]}, "structure[0].card"),
    ("level", {"pantheon": [{"slot": 1, "god": "ra", "mythology": "roman"}]}, "pantheon[0].mythology"),
    ("level", {"pantheon": [{"slot": 1, "god": "gate", "mythology": "roman"}]}, "pantheon[0].mythology"),
    ("level", {"pantheon": [{"slot": 1}]}, "pantheon[0].god"),
    ("turn", {**TURN, "pantheon": [HIDDEN]}, "pantheon[0].god"),
    ("level", {"gate_reveal": ["ra"], "pantheon": [{"slot": 1, "god": "ra"}]}, "gate_reveal[0]"),
    ("level", {"gate_reveal": ["ra"], "player": {"gods": ["ra"]}}, "gate_reveal[0]"),
    ("level", {"gate_reveal": ["mars", "ra", "isis"]}, "gate_reveal[2]"),
    ("level", {"gate_reveal": ["gate"]}, "gate_reveal[0]"),
    ("level", {"offer": []}, "offer"),
    ("level", {"offer": ["sphinx", "piraeus", "mausoleum", "pyramids", "colossus"]}, "offer"),
    ("remove_resource", {"wonder": "sphinx"}, "wonder"),
    ("liberty_gift", {"direction": "MS", "conflict": 0, "age": 1, "box_cards": ["baths", "altar", "tavern"]},
     "box_cards"),
    ("cost", {"side": "solo", "solo": {"coins": 3}}, "card"),
    ("cost", {"side": "solo", "solo": {"coins": 3}, "age": 1, "card": "walls", "wonder": "sphinx"}, "wonder"),
    # what chance cannot have given
    ("free_structure", {"direction": "SC", "conflict": 0, "pool": "mausoleum", "drawn_card": "palace",
                        "discard_pile": ["roman_grand_temple", "greek_grand_temple", "palace"]},
     "drawn_card"),
    ("theatre", {"direction": "MS", "drawn_god": "ra"}, "drawn_god"),
    ("isis", {"direction": "SM", "conflict": 0, "solo": {"wonders": [{"wonder": "sphinx"}]},
              "discard_pile": ["academy", "study", "walls"], "drawn_card": "walls"}, "drawn_card"),
    ("age_start", {"age": 2, "level": "medium", "conflict": 0, "drawn_card": "baths"}, "drawn_card"),
    ("age_start", {"age": 2, "level": "medium", "conflict": 0, "box_cards": ["walls"],
                   "drawn_card": "statue"}, "drawn_card"),
    ("age_start", {"age": 2, "level": "medium", "conflict": 0}, "drawn_card"),
    # names, keys, kinds
    ("level", {"first_wonder": "ra"}, "first_wonder"),
    ("level", {"god": "merchants_guild"}, "god"),
    ("level", {"solo": {"gods": ["gate"]}}, "solo.gods[0]"),
    ("level", {"solo": {"cards": ["merchants_guild"]}}, "solo.cards[0]"),
    ("level", {"solo": {"cards": ["Scuderie"]}}, "solo.cards[0]"),
    ("level", {"solo": {"coins": 1000}}, "solo.coins"),
    ("level", {"solo": {"coins": "3"}}, "solo.coins"),
    ("level", {"solo": {"coins": 2.5}}, "solo.coins"),
    ("level", {"solo": {"coins": True}}, "solo.coins"),
    ("level", {"solo": {"wonders": [{"built": True}]}}, "solo.wonders[0].wonder"),
    ("level", {"solo": {"wonders": [{"wonder": "sphinx", "built": 1}]}}, "solo.wonders[0].built"),
    ("level", {"solo": {"wonders": [{"wonder": "messe_essen", "cost": {"gold": 1}}]}},
     "solo.wonders[0].cost.gold"),
    ("level", {"solo": {"wonders": [{"wonder": "messe_essen", "cost": {"wood": 100}}]}},
     "solo.wonders[0].cost.wood"),
    ("level", {"solo": {"who": "solo"}}, "solo.who"),
    ("level", {"structure": [{"card": "statue"}]}, "structure[0].at"),
    ("level", {"structure": [{"at": "A4-01", "card": "statue"}]}, "structure[0].at"),
    ("level", {"structure": [{"at": "a2-01", "card": "statue"}]}, "structure[0].at"),
    ("level", {"structure": [{"at": "A2-01", "card": "statue", "row": 1}]}, "structure[0].row"),
    ("level", {"pantheon": [{"god": "ra"}]}, "pantheon[0].slot"),
    ("level", {"pantheon": [{"slot": 7, "god": "ra"}]}, "pantheon[0].slot"),
    ("level", {"mythology_decks": {"norse": ["ra"]}}, "mythology_decks.norse"),
    ("level", {"mythology_decks": {"greek": ["ra"]}}, "mythology_decks.greek[0]"),
    ("level", {"minerva": 10}, "minerva"),
    ("level", {"conflict": -9}, "conflict"),
    ("level", {"direction": "MM"}, "direction"),
    ("level", {"house_rules": {"COST": "CHEAP"}}, "house_rules.COST"),
    ("level", {"house_rules": {"cost": "NOMINAL"}}, "house_rules.cost"),
    ("level", {"drawn": "walls"}, "drawn"),
)  # fmt: skip
"""Ask, what is said besides what the ask needs, and the path below `state`."""


def without(state: Plain, path: str) -> Plain:
    """The state without a field."""
    first, _, rest = path.partition(".")
    if not rest:
        return {k: v for k, v in state.items() if k != first}
    return {k: without(v, rest) if k == first else v for k, v in state.items()}
