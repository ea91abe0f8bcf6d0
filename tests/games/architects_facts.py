"""Facts of 7 Wonders Architects as the contract and the pieces have them, copied by hand."""

from __future__ import annotations

from dataclasses import dataclass

GREYS = ("stone", "brick", "wood", "glass", "papyrus")
GREENS = ("gear", "compass", "tablet")
CARDS = ("gold", *GREYS, *GREENS, "blue3", "blue2cat", "red0", "red1", "red2")
DECKS = ("player", "opponent", "central")

LABELS: dict[str, dict[str, tuple[str, ...]]] = {
    "card": dict.fromkeys(CARDS, ()),
    "wonder": {
        "alexandria": ("Alessandria",),
        "babylon": ("Babilonia",),
        "ephesus": ("Efeso",),
        "giza": ("Giza",),
        "halicarnassus": ("Alicarnasso",),
        "olympia": ("Olimpia",),
        "rhodes": ("Rodi",),
    },
    "token": {
        "urbanism": ("Urbanistica",),
        "crafts": ("Artigianato",),
        "jewellery": ("Oreficeria",),
        "science": ("Scienza",),
        "propaganda": ("Propaganda",),
        "architecture": ("Architettura",),
        "economy": ("Economia",),
        **dict.fromkeys(
            ("engineering", "tactics", "decor", "politics", "strategy", "education", "culture"), ()
        ),
    },
    "difficulty": {"easy": ("Facile",), "normal": ("Normale",), "hard": ("Difficile",)},
    "cat_owner": {"player": (), "opponent": (), "none": ()},
    "situation": {"turn": (), "extra": ()},
    "grey": dict.fromkeys(GREYS, ()),
    "side top": {**dict.fromkeys(CARDS, ()), "empty": ()},
    "central top": {**dict.fromkeys(CARDS, ()), "face_down": (), "empty": ()},
}

TOKENS = tuple(LABELS["token"])

EXTRA_CARD = {
    "urbanism": ("wood", "brick"),
    "crafts": ("papyrus", "glass"),
    "jewellery": ("stone", "gold"),
    "science": GREENS,
    "propaganda": ("red1", "red2"),
}

START_TOKENS = {
    "alexandria": ("economy", "jewellery", "urbanism"),
    "babylon": ("crafts", "science", "urbanism"),
    "ephesus": ("crafts", "jewellery", "science"),
    "giza": ("architecture", "crafts", "jewellery"),
    "halicarnassus": ("architecture", "jewellery", "urbanism"),
    "olympia": ("crafts", "jewellery", "propaganda"),
    "rhodes": ("crafts", "propaganda", "urbanism"),
}
START_COUNT = {"easy": 0, "normal": 1, "hard": 2}
PRINTED_VALUE = {"culture": 12, "decor": 6, "education": 2, "politics": 1, "strategy": 1}


@dataclass(frozen=True)
class Stage:
    number: int
    cards: int
    identical: bool
    special: bool
    needs: tuple[int, ...]


# Cards, d(ifferent) or i(dentical), * special effect, / stages needed before.
_STAGES = {
    "alexandria": "2d 2i*/1 3d/2 3i*/3 4d/4",
    "babylon": "2d 2i*/1 3d/2 3i*/3 4d/3",
    "ephesus": "2d 2i*/1 3d*/1 3i*/1 4d/234",
    "giza": "2d 2i/1 3d/2 3i/3 4d/4",
    "halicarnassus": "2d 2i*/1 3d/2 3i*/2 4d/34",
    "olympia": "2d 2i*/1 3d/1 3i*/23 4d/4",
    "rhodes": "2d 2i* 3d/12 3i*/3 4d/4",
}


def _stage(number: int, text: str) -> Stage:
    cost, _, needs = text.partition("/")
    return Stage(number, int(cost[0]), cost[1] == "i", "*" in cost, tuple(int(n) for n in needs))


STAGES = {w: tuple(_stage(n, t) for n, t in enumerate(row.split(), 1)) for w, row in _STAGES.items()}
