"""The five actions of the Age of Comics opponent by hand, and the reasons why they fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.games.comics_facts import PRINT_FANS, SALES_FLOOR, WORTH
from tests.games.reading import State

Result = dict[str, Any]


def free_space(state: State, action: str) -> int | None:
    taken = [e["space"] for e in state["editors"] if e["action"] == action]
    return next((space for space in (1, 2, 3) if space not in taken), None)


def failure(state: State, action: str) -> str | None:
    """The first reason against an action."""
    if free_space(state, action) is None:
        return "no_space"
    return next((reason for reason, holds in _REASONS[action](state) if holds), None)


_REASONS: dict[str, Callable[[State], tuple[tuple[str, bool], ...]]] = {
    "hire": lambda state: (
        ("four_creatives", len(state["automa_creatives"]) >= 4),
        ("no_pair", not (any(state["writers"]) and any(state["artists"]))),
    ),
    "develop": lambda state: (
        ("two_comics", len(state["automa_comics"]) >= 2),
        ("no_comic", all(genre is None for genre in state["comics"])),
    ),
    "ideas": lambda state: (("no_chart", not state["automa_printed"]),),
    "print": lambda state: (
        ("no_team", not (team(state, "writer") and team(state, "artist"))),
        ("nothing_to_print", not state["automa_comics"] and not _copyable(state, [])),
    ),
    "sales": lambda state: (("no_order", not state["orders"]),),
}


def genres_of_player(state: State) -> list[str]:
    """From the last printed to the first, each genre at its latest place."""
    found: list[str] = []
    for comic in reversed(state["player_printed"]):
        if comic["genre"] not in found:
            found.append(comic["genre"])
    return found


# -- hire and develop --------------------------------------------------------------------------


def _hire(state: State, _: int) -> Result:
    for genre in state["priority"]:
        writer, artist = _best(state["writers"], genre), _best(state["artists"], genre)
        if writer and artist:
            return {"writer": writer, "artist": artist, "pair": True}
    return {
        "writer": next(filter(None, (_best(state["writers"], g) for g in state["priority"]))),
        "artist": next(filter(None, (_best(state["artists"], g) for g in state["priority"]))),
        "pair": False,
    }


def _best(row: list[Any], genre: str) -> Result | None:
    """Higher value, then leftmost."""
    best = None
    for position, card in enumerate(row, 1):
        if card and card["genre"] == genre and (best is None or card["value"] > best["value"]):
            best = {"position": position, "genre": genre, "value": card["value"]}
    return best


def _develop(state: State, _: int) -> Result:
    row = state["comics"]
    for genre in (*genres_of_player(state), *state["priority"]):
        if genre in row:
            return {"position": len(row) - row[::-1].index(genre), "genre": genre}
    raise AssertionError("no comic")


# -- ideas -------------------------------------------------------------------------------------


def _by_fans(state: State) -> list[int]:
    """Positions in `automa_printed`, best first."""
    printed = state["automa_printed"]
    order = sorted(
        range(len(printed)),
        key=lambda n: (-printed[n]["fans"], state["priority"].index(printed[n]["genre"]), n),
    )
    return [n + 1 for n in order]


def _ideas(state: State, space: int) -> Result:
    there = [genre for genre in state["priority"] if genre in state["ideas_on_board"]]
    tokens = there[: WORTH["ideas"][space - 1]]
    gain = {"ACTION": 1, "TOKEN": len(tokens), "ONE_IF_ANY": int(tokens != [])}[
        state["house_rules"]["IDEA_FANS"]
    ]
    comics = _by_fans(state)[:3] if gain else []
    return {"tokens": tokens, "fans": [{"comic": comic, "gain": gain} for comic in comics]}


# -- print -------------------------------------------------------------------------------------


def team(state: State, kind: str) -> list[int]:
    """Positions of the writers, or of the artists."""
    return [n for n, c in enumerate(state["automa_creatives"], 1) if c["type"] == kind]


def _copyable(state: State, copied: list[int]) -> list[int]:
    return [
        n
        for n, comic in enumerate(state["player_printed"], 1)
        if comic["kind"] == "original" and not comic["ripped"] and n not in copied
    ]


class Press:
    """What the Automa has in print while it prints, one comic after another."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.owner = dict(state["mastery"])
        self.own = [(comic["genre"], comic["kind"]) for comic in state["automa_printed"]]
        self.left = list(enumerate(state["automa_comics"], 1))
        self.copied: list[int] = []

    def holder(self, genre: str) -> str:
        return str(self.owner.get(genre, "none"))

    def gains(self, genre: str, kind: str) -> bool:
        own = [*self.own, (genre, kind)]
        mine = [k for g, k in own if g == genre]
        theirs = [c for c in self.state["player_printed"] if c["genre"] == genre]
        if self.holder(genre) == "automa" or "original" not in mine:
            return False
        return self.holder(genre) == "none" or len(mine) > len(theirs)

    def next_original(self) -> tuple[int, str]:
        """Best first; a tuple of truths puts what gains before what does not."""

        def rank(comic: tuple[int, str]) -> tuple[bool, bool, int, int]:
            place, genre = comic
            gains = self.gains(genre, "original")
            takes = gains and self.holder(genre) == "player"
            return not gains, not takes, self.state["priority"].index(genre), place

        return min(self.left, key=rank)

    def print(self) -> Result | None:
        base = PRINT_FANS[self.state["level"]]
        if self.left:
            place, genre = self.next_original()
            self.left.remove((place, genre))
            kind, fans = "original", base + self.state["round"]
        elif places := _copyable(self.state, self.copied):
            place = places[-1]
            genre = self.state["player_printed"][place - 1]["genre"]
            self.copied.append(place)
            kind, fans = "ripoff", base
        else:
            return None
        mastery = self.gains(genre, kind)
        self.own.append((genre, kind))
        if mastery:
            self.owner[genre] = "automa"
        return {"kind": kind, "from": place, "genre": genre, "fans": fans, "mastery": mastery}


def _print(state: State, space: int) -> Result:
    press = Press(state)
    teams = zip(team(state, "writer"), team(state, "artist"), strict=False)
    prints = []
    for _, (writer, artist) in zip(range(WORTH["print"][space - 1]), teams, strict=False):
        made = press.print()
        if made is not None:
            order = ("kind", "from", "genre", "writer", "artist", "fans", "mastery")
            whole = {**made, "writer": writer, "artist": artist}
            prints.append({key: whole[key] for key in order})
    return {"prints": prints}


# -- sales -------------------------------------------------------------------------------------


def _sales(state: State, space: int) -> Result:
    genres = genres_of_player(state)
    genres += [genre for genre in state["priority"] if genre not in genres]
    orders = list(enumerate(state["orders"], 1))
    down = [order["genre"] for _, order in orders if not order["up"]]
    flip = next((genre for genre in genres if genre in down), None)
    flipped = [n for n, order in orders if not order["up"] and order["genre"] == flip]
    if any(state["orders"][n - 1]["value"] is None for n in flipped):
        return {"flipped": flipped, "collected": None, "total": None, "fans": None}
    there = [(n, order) for n, order in orders if order["up"] or n in flipped]
    there.sort(key=lambda tile: (genres.index(tile[1]["genre"]), -tile[1]["value"], tile[0]))
    floor = SALES_FLOOR[state["level"]] if state["house_rules"]["SALES"] == "FLOOR" else 0
    collected: list[int] = []
    total = 0
    for n, order in there:
        if len(collected) >= WORTH["sales"][space - 1] and total >= floor:
            break
        collected.append(n)
        total += order["value"]
    best = _by_fans(state)
    fans = {"comic": best[0], "gain": len(collected)} if best else None
    return {"flipped": flipped, "collected": collected, "total": total, "fans": fans}


DOING: dict[str, Callable[[State, int], Result]] = {
    "hire": _hire,
    "develop": _develop,
    "ideas": _ideas,
    "print": _print,
    "sales": _sales,
}
