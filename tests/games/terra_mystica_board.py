"""The board of Terra Mystica, walked hex by hex: distances, islands, colours."""

from __future__ import annotations

from functools import cache

from tests.games.terra_mystica_facts import BOARD

Spot = tuple[int, int]
"""Row, and half hexes from the left."""


def _spots() -> dict[Spot, str]:
    rows = BOARD.strip("\n").splitlines()
    return {
        (row, 2 * place + row % 2): colour
        for row, line in enumerate(rows)
        for place, colour in enumerate(line.split())
    }


SPOTS = _spots()


def _named() -> dict[str, Spot]:
    names: dict[str, Spot] = {}
    counts = [0] * 9
    for spot in sorted(SPOTS):
        if SPOTS[spot] != "~":
            row = spot[0]
            counts[row] += 1
            names[f"{'ABCDEFGHI'[row]}{counts[row]}"] = spot
    return names


PLACES = _named()
NAMES = {spot: name for name, spot in PLACES.items()}
HEXES = tuple(PLACES)
"""In board order."""
COLOUR = {name: SPOTS[spot] for name, spot in PLACES.items()}


def neighbours(spot: Spot) -> list[Spot]:
    row, halves = spot
    around = [(row, halves - 2), (row, halves + 2)]
    around += [(r, h) for r in (row - 1, row + 1) for h in (halves - 1, halves + 1)]
    return [other for other in around if other in SPOTS]


@cache
def steps_from(name: str) -> dict[str, int]:
    """To every land hex, over land and river."""
    start = PLACES[name]
    reached, edge = {start: 0}, [start]
    while edge:
        further = []
        for spot in edge:
            for other in neighbours(spot):
                if other not in reached:
                    reached[other] = reached[spot] + 1
                    further.append(other)
        edge = further
    return {NAMES[spot]: steps for spot, steps in reached.items() if spot in NAMES}


@cache
def island(name: str) -> frozenset[str]:
    """All land that hangs together with a hex."""
    reached, edge = {PLACES[name]}, [PLACES[name]]
    while edge:
        found = {o for spot in edge for o in neighbours(spot) if o in NAMES}
        edge = list(found - reached)
        reached |= found
    return frozenset(NAMES[spot] for spot in reached)
