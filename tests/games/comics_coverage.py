"""Which rules of the Age of Comics opponent an answer shows, and what its scales choose from in a state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games import comics_facts as facts
from tests.games.comics_reading import read

REASONS = {
    "hire": {"no_space", "four_creatives", "no_pair"},
    "develop": {"no_space", "two_comics", "no_comic"},
    "ideas": {"no_space", "no_chart"},
    "print": {"no_space", "no_team", "nothing_to_print"},
    "sales": {"no_space", "no_order"},
}


def told(ask: str, answer: dict[str, Any]) -> Iterator[Any]:
    match ask:
        case "turn":
            yield from ((one["action"], one["reason"]) for one in answer["failed"])
            yield ("turn", answer["action"], answer["space"])
            yield from done(answer["action"], answer["space"], answer["result"])
        case "challenges":
            yield from ((key, name) for key in ("met", "missed") for name in answer[key])
            yield from (("at odds", one) for one, _ in answer["conflicts"])
        case "final":
            yield ("win", answer["win"])
        case "title":
            yield ("row", answer["row"])


def done(action: str | None, space: int, result: Any) -> Iterator[Any]:
    match action:
        case None:
            yield ("nothing", result)
        case "hire":
            yield ("pair", result["pair"])
        case "ideas":
            yield ("no fans", result["fans"] == [])
        case "print":
            yield ("prints", "".join(made["kind"][0] for made in result["prints"]))
            yield from (("mastery", made["kind"], made["mastery"]) for made in result["prints"])
        case "sales":
            taken = None if result["collected"] is None else len(result["collected"])
            yield ("tiles", facts.WORTH["sales"][space - 1], taken)
            yield ("sale", result["flipped"] != [])


def candidates_of(plain: dict[str, Any]) -> dict[str, list[Any]]:
    state = read("turn", plain)
    orders = [{"position": n, **order} for n, order in enumerate(state["orders"], 1)]
    developed = [{"kind": "original", "from": n, "genre": g} for n, g in enumerate(state["automa_comics"], 1)]
    gains = {g: state["mastery"].get(g) != "automa" for g in facts.GENRES}
    takes = {g: state["mastery"].get(g) == "player" for g in facts.GENRES}
    return {
        "whom to hire": [{"position": n, **card} for n, card in enumerate(state["writers"], 1) if card],
        "comic to develop": [{"position": n, "genre": g} for n, g in enumerate(state["comics"], 1) if g],
        "comic with most fans": [
            {"position": n, "genre": comic["genre"], "fans": comic["fans"]}
            for n, comic in enumerate(state["automa_printed"], 1)
        ],
        "comic to print": [
            {**comic, "mastery": gains[comic["genre"]], "from the player": takes[comic["genre"]]}
            for comic in developed
        ],
        "comic to copy": [{**comic, "mastery": False, "from the player": False} for comic in developed],
        "genre to turn up": [genre for genre in facts.GENRES if genre in state["ideas_on_board"]],
        "tile to collect": [order for order in orders if order["value"] is not None],
    }
