"""The same record in the words of people: labels of either language, in any case, without accents."""

from __future__ import annotations

import unicodedata
from random import Random
from typing import Any

from tests.games.duel.facts import rows

CARD_KEYS = {"card", "cards", "discard_pile", "box_cards", "drawn_card"}
WONDER_KEYS = {"wonder", "first_wonder", "offer"}
GOD_KEYS = {"god", "gods", "drawn_god", "gate_reveal"}
PROGRESS_KEYS = {"progress", "progress_row", "progress_offer"}

MYTHOLOGIES = {
    "mesopotamian": ["Mesopotamica"], "phoenician": ["Fenicia"], "greek": ["Greca"], "egyptian": ["Egizia"],
    "roman": ["Romana"],
}  # fmt: skip
LEVELS = {
    "base": ["Base"], "easy": ["Facile"], "normal": ["Normale"], "medium": ["Medio"],
    "demanding": ["Impegnativo"], "hard": ["Difficile"], "extreme": ["Estremo"], "legendary": ["Leggendario"],
}  # fmt: skip

ENGLISH_CARDS = (
    "stone_pit", "logging_camp", "quarry", "stable", "garrison", "scriptorium", "pharmacist", "apothecary",
    "stone_reserve", "clay_reserve", "wood_reserve", "glassblower", "drying_room", "horse_breeders",
    "barracks", "parade_ground", "brewery", "customs_house", "rostrum", "pretorium", "armory", "obelisk",
)  # fmt: skip
"""Those whose Italian name the component data lack or are not sure of."""


def labels() -> dict[str, dict[str, list[str]]]:
    """Key of a record -> id -> labels of the component data."""
    cards = {
        **_named("age_cards", "card_id", "name_it_confidence"),
        **_named("grand_temples", "temple_id", None),
    }
    wonders, gods = _named("wonders", "wonder_id", None), _named("pantheon_gods", "god_id", None)
    progress = _named("progress_tokens", "token_id", None)
    groups = (
        (CARD_KEYS, cards), (WONDER_KEYS, wonders), (GOD_KEYS, gods), (PROGRESS_KEYS, progress),
        ({"mythology", "mythology_tokens"}, MYTHOLOGIES), ({"level"}, LEVELS),
    )  # fmt: skip
    return {key: names for keys, names in groups for key in keys}


def in_words(rng: Random, state: Any, known: dict[str, dict[str, list[str]]], key: str = "") -> Any:
    match state:
        case dict():
            return {k: in_words(rng, v, known, k) for k, v in state.items()}
        case list():
            return [in_words(rng, item, known, key) for item in state]
        case str() if state in known.get(key, {}):
            return _typed(rng, rng.choice([state, *known[key][state]]))
        case _:
            return state


def _named(table: str, id_column: str, confidence: str | None) -> dict[str, list[str]]:
    found = {}
    for row in rows(table):
        name = row[id_column].removeprefix("A1-").removeprefix("A2-").removeprefix("A3-").replace("-", "_")
        sure = confidence is None or row[confidence] in ("high", "medium")
        found[name] = [row["name_en"], *([row["name_it"]] if sure and row["name_it"] else [])]
    return found


def _typed(rng: Random, label: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKD", label) if not unicodedata.combining(c))
    return rng.choice([label, label.upper(), label.lower(), plain])
