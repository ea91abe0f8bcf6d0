"""Facts of Terra Mystica as the contract and the board have them, copied by hand."""

from __future__ import annotations

WHEEL = ("yellow", "brown", "black", "blue", "green", "grey", "red")

RACES: dict[str, tuple[str, tuple[int, int, int, int]]] = {
    "witches": ("green", (0, 0, 0, 2)),
    "auren": ("green", (0, 1, 0, 1)),
    "swarmlings": ("blue", (1, 1, 1, 1)),
    "mermaids": ("blue", (0, 2, 0, 0)),
    "engineers": ("grey", (0, 0, 0, 0)),
    "dwarves": ("grey", (0, 0, 2, 0)),
    "chaos_magicians": ("red", (2, 0, 0, 0)),
    "giants": ("red", (1, 0, 0, 1)),
    "nomads": ("yellow", (1, 0, 1, 0)),
    "fakirs": ("yellow", (1, 0, 0, 1)),
    "halflings": ("brown", (0, 0, 1, 1)),
    "cultists": ("brown", (1, 0, 1, 0)),
    "alchemists": ("black", (1, 1, 0, 0)),
    "darklings": ("black", (0, 1, 1, 0)),
}
"""Home colour and first steps on fire, water, earth, air."""

CULTS = ("fire", "water", "earth", "air")
POWER_ACTIONS = ("bridge", "priest", "two_workers", "seven_coins", "one_spade", "two_spades")

CULT_VALUES = {"easy": (3, 5, 7), "medium": (4, 6, 8), "hard": (5, 7, 9)}
NETWORK_SIZES = {"easy": (7, 9, 11), "medium": (8, 10, 12), "hard": (9, 11, 13)}
BLOCKED = {"easy": 2, "medium": 3, "hard": 4}

BOARD = """
brown grey green blue yellow red brown black red green blue red black
  yellow ~ ~ brown black ~ ~ yellow black ~ ~ yellow
~ ~ black ~ grey ~ green ~ green ~ grey ~ ~
  green blue yellow ~ ~ red blue ~ red ~ red brown
black brown red blue black brown grey yellow ~ ~ green black blue
  grey green ~ ~ yellow green ~ ~ ~ brown grey brown
~ ~ ~ grey ~ red ~ green ~ yellow black blue yellow
  yellow blue brown ~ ~ ~ blue black ~ grey brown grey
red black grey blue red green yellow brown grey ~ blue green red
"""
"""Row by row from A, river as `~`; every second row begins half a hex further right."""

LABELS: dict[str, dict[str, tuple[str, ...]]] = {
    "colour": {
        "yellow": ("giallo",),
        "brown": ("marrone",),
        "black": ("nero",),
        "blue": ("blu",),
        "green": ("verde",),
        "grey": ("grigio",),
        "red": ("rosso",),
    },
    "race": {
        **dict.fromkeys(RACES, ()),
        "witches": ("Streghe",),
        "chaos_magicians": ("Maghi del Caos",),
        "nomads": ("Nomadi",),
        "halflings": ("Mezzuomini", "Halfling"),
        "darklings": ("Oscuri",),
    },
    "scenario": {"easy": ("Facile",), "medium": ("Medio", "Intermedio"), "hard": ("Difficile",)},
    "mode": {"random": (), "weighed": ()},
    "power_variant": {"all": (), "blocked": (), "blocked_prerolled": ()},
    "building": dict.fromkeys(("dwelling", "trading_post", "temple", "stronghold", "sanctuary"), ()),
    "action": {"place": (), "upgrade": ()},
}
