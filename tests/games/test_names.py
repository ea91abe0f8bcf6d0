"""What the documents, the component data and the printed games call a thing is taken, in the kind that it
names, in either language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.games.games import ARCHITECTS, COMICS, CONCORDIA, GAMES, TERRA_MYSTICA
from tests.games.harness import ENGINES, Game

Named = tuple[Game, str, str, str]
"""Game, vocabulary, spelling, id."""

WORDS = {
    "architects": {
        "token": {
            "jewellery": "Jewellery, Gioielleria, Oreficeria", "crafts": "Crafts", "economy": "Economy",
            "urbanism": "Urbanism",
        },
        "deck": {"central": "Central deck"},
        "difficulty": {"easy": "Easy", "hard": "Hard"},
    },
    "comics": {
        "action": {
            "hire": "HIRE!, Hire, Assumi", "develop": "DEVELOP!, Develop", "ideas": "IDEAS!, Ideas",
            "print": "PRINT!, Print!, Stampa", "sales": "SALES!", "royalties": "ROYALTIES!, Royalties",
        },
        "kind": {"ripoff": "plagio, fregatura"},
        "genre": {"superhero": "supereroi", "scifi": "fantascienza", "crime": "poliziesco"},
        "challenge": {
            "action": "Azione!", "fans_35": "35 o più fan in totale", "every_genre": "Ogni genere",
            "orders_12": "12 o più ordini di acquisto soddisfatti",
        },
        "title": {"editorial_director": "Editore / Direttore editoriale, Direttore editoriale"},
    },
    "concordia": {
        "good": {
            "brick": "mattone, mattoni, Mattone", "food": "cibo", "tool": "utensile, utensili, Utensili",
            "wine": "vino", "cloth": "stoffa",
        },
        "result": {
            "build": "Costruire le Abitazioni", "take": "Prendere una Merce", "buy": "Acquistare Carte Ruolo",
        },
        "prefect choice": {"money": "denaro", "goods": "merci"},
    },
    "terra_mystica": {
        "race": {
            "halflings": "Mezzuomini, Halfling", "darklings": "Oscuri, Darklings", "witches": "streghe",
            "chaos_magicians": "Maghi del Caos", "nomads": "Nomadi", "swarmlings": "Swarmlings",
        },
        "scenario": {"easy": "Facile", "medium": "Intermedio, Medio", "hard": "Difficile"},
        "mode": {"random": "casuale", "weighed": "ponderata, ponderato"},
        "colour": {"green": "verde", "blue": "Blu", "grey": "Grigio", "red": "Rosso", "black": "nero"},
        "power_action": {
            "bridge": "costruire un ponte", "priest": "Reclutare un sacerdote",
            "two_workers": "Reclutare due lavoratori", "seven_coins": "Riscuotere 7 Monete",
            "one_spade": "Una vanga Gratis", "two_spades": "2 Vanghe Gratis",
        },
        "building": {
            "dwelling": "abitazione, abitazioni", "trading_post": "emporio, empori", "temple": "tempio",
            "stronghold": "Fortezza, Roccaforte", "sanctuary": "Santuario",
        },
        "cult": {"fire": "Fuoco"},
    },
}  # fmt: skip
"""Words of the documents and of the printed games, copied by hand."""


def typed() -> Iterator[Named]:
    games = {game.name: game for game in GAMES}
    for name, vocabularies in WORDS.items():
        for vocabulary, words in vocabularies.items():
            for id_, spellings in words.items():
                yield from ((games[name], vocabulary, spelling, id_) for spelling in spellings.split(", "))


def meant(game: Game, vocabulary: str, spelling: str) -> list[str]:
    from dtables.feel.names import Spellings

    return list(Spellings(game.vocabulary(vocabulary).written).matches(spelling))


@pytest.mark.parametrize(
    ("game", "vocabulary", "spelling", "id_"), typed(), ids=lambda v: v.name if isinstance(v, Game) else v
)
def test_words_of_the_documents(game: Game, vocabulary: str, spelling: str, id_: str) -> None:
    assert meant(game, vocabulary, spelling) == [id_]


PRINTED = [
    (ARCHITECTS, "wonders", "wonder", ("wonder",), "wonder"),
    (ARCHITECTS, "progress_tokens", "token", ("token",), "token"),
    (ARCHITECTS, "card_kinds", "kind", ("kind",), "card"),
    (TERRA_MYSTICA, "factions", "faction", ("faction", "faction_it"), "race"),
    (TERRA_MYSTICA, "structures", "structure", ("structure", "structure_it"), "building"),
    (TERRA_MYSTICA, "colour_wheel", "to_colour", ("to_colour",), "colour"),
    (CONCORDIA, "goods", "good", ("good", "good_it"), "good"),
    (CONCORDIA, "role_cards", "card", ("card", "card_it"), "played card"),
    (COMICS, "genres", "genre", ("genre", "genre_it"), "genre"),
    (COMICS, "action_spaces", "action", ("action", "action_it"), "action"),
]


@pytest.mark.parametrize(
    ("game", "table", "id_", "names", "vocabulary"), PRINTED, ids=[f"{g.name} {t}" for g, t, *_ in PRINTED]
)
def test_names_of_the_component_data(
    game: Game, table: str, id_: str, names: tuple[str, ...], vocabulary: str
) -> None:
    known = {label.id for label in game.vocabulary(vocabulary).names}
    found = 0
    for row in game.printed(table):
        wanted = row[id_].lower().replace(" ", "_")
        if wanted in known:
            found += 1
            assert [meant(game, vocabulary, row[name]) for name in names if row[name]] == [
                [wanted] for name in names if row[name]
            ]
    assert found >= len(known) - 1


@pytest.mark.parametrize("engine", ENGINES)
def test_records_say_them(engine: str) -> None:
    answer = {game.name: game.engine(engine) for game in GAMES}
    bricks = answer["concordia"]("dice", {"table": "merce", "roll": 7})
    assert (bricks["result"], bricks["second"]) == ("tool", "food")
    assert answer["terra_mystica"]("dwelling_count", {"own_race": "mezzuomini"})["per_colour"] == 2
    assert answer["terra_mystica"]("cults", {"own_race": "OSCURI", "scenario": "facile"})["own"] == {
        "fire": 0, "water": 1, "earth": 1, "air": 0,
    }  # fmt: skip
    assert answer["architects"]("progress", {"token_row": ["Gioielleria"], "face_down_left": 0}) == {
        "token": "jewellery", "position": 1, "value": None,
    }  # fmt: skip
    final = {"level": "Esperto", "player_points": 0, "automa_chart_points": 0, "challenges": ["Azione!"]}
    assert answer["comics"]("final", final)["penalty"] == 15
    assert answer["duel"]("price", {"slot": 1, "age": 2, "god": "Portale", "solo": {"coins": 9}})["pay"] == 6
