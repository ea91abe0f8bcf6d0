"""Facts of the Age of Comics solo game as the contract has them, copied by hand."""

from __future__ import annotations

GENRES = ("crime", "horror", "romance", "scifi", "superhero", "western")
ACTIONS = ("hire", "develop", "ideas", "print", "royalties", "sales")
CARD_ACTIONS = ("hire", "develop", "ideas", "print", "sales")
CHALLENGES = (
    *("action", "narrative_master", "guns_and_flowers", "business_genius", "beyond"),
    *("fans_35", "orders_12", "every_genre", "ethical_publisher", "profiteer"),
)

LABELS: dict[str, dict[str, tuple[str, ...]]] = {
    "genre": {
        "crime": ("poliziesco",),
        "horror": ("horror",),
        "romance": ("romantico",),
        "scifi": ("fantascienza",),
        "superhero": ("supereroi",),
        "western": ("western",),
    },
    "action": {**dict.fromkeys(ACTIONS, ()), "hire": ("Assumi", "HIRE!"), "print": ("Stampa", "PRINT!")},
    "card action": {**dict.fromkeys(CARD_ACTIONS, ()), "hire": ("Assumi",), "print": ("Stampa",)},
    "kind": {"original": (), "ripoff": ()},
    "owner": {"player": (), "automa": (), "none": ()},
    "side": {"player": (), "automa": ()},
    "creative": {"writer": (), "artist": ()},
    "challenge": {
        **dict.fromkeys(CHALLENGES, ()),
        "action": ("Azione!",),
        "narrative_master": ("Maestro della narrativa",),
        "guns_and_flowers": ("Pistole e fiori",),
        "business_genius": ("Genio degli affari",),
        "beyond": ("Oltre",),
        "ethical_publisher": ("Editore etico",),
        "profiteer": ("Affarista",),
    },
}

PRINT_FANS = {1: 2, 2: 3, 3: 5}
SALES_FLOOR = {1: 6, 2: 7, 3: 9}
FINAL_BONUS = {1: 18, 2: 24, 3: 32}

WORTH = {"ideas": (2, 1, 1), "print": (2, 1, 1), "sales": (3, 2, 2)}
"""Tokens removed, comics printed, tiles taken on spaces 1, 2 and 3."""

DECKS = {1: (8, 4), 2: (12, 0), 3: (8, 4), 4: (12, 0), 5: (8, 4)}
RESHUFFLED = (2, 4)

TITLES = (
    (110, "editorial_director"),
    (100, "editor_in_chief"),
    (90, "senior_editor"),
    (80, "associate_editor"),
    (70, "editor"),
    (60, "assistant_editor"),
    (50, "proofreader"),
)

MASTERIES = {
    "action": ("superhero", "western"),
    "narrative_master": ("scifi", "horror"),
    "guns_and_flowers": ("romance", "crime"),
}
AT_ODDS = ("action", "narrative_master", "guns_and_flowers", "ethical_publisher")
"""Challenges that `profiteer` excludes."""

SWITCHES = {"IDEA_FANS": ("ACTION", "TOKEN", "ONE_IF_ANY"), "SALES": ("FLOOR", "COUNT_LIMIT")}
"""The first value is the default."""
