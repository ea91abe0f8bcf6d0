"""Icons: drawn here once, as paths, for paper and for phones.

Each is a few shapes in a square of 100 by 100; wide ones say how wide they are. What an icon holds (a number
of coins, the pips of a die) is drawn with it; its letters are outlines, so that it looks alike all over."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from dtables.pages.document import Icon
from dtables.pages.letters import outline

INK = "#1b1f24"
CUBES = {
    "brown": "#8a5a2b", "red": "#c01f26", "yellow": "#f6c21c", "green": "#1f7a3d", "blue": "#1c55a8",
    "grey": "#c4c8cc", "white": "#ffffff", "black": "#1d1d1f", "purple": "#5e3a98", "orange": "#d96b0b",
}  # fmt: skip
HEIGHTS = {"die": 1.3, "d12": 1.5, "eye": 1.15, "link": 1.05, "space": 1.2, "cube": 1.05, "box": 1.3}
"""In ems; an icon is 1.15 high otherwise."""
WIDTHS = {"letter": 70.0, "card": 74.0, "cardback": 74.0, "pawn": 76.0, "idea": 72.0, "link": 108.0}
"""Of a hundred."""


def svg(icon: Icon) -> str:
    """The drawing of an icon; of an unknown one a plain box."""
    draw = DRAWINGS.get(icon.name, _unknown)
    width = WIDTHS.get(icon.name, 100.0)
    left = (100 - width) / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left - 4:g} -4 {width + 8:g} 108" role="img">'
        f"<title>{escape(icon.alt)}</title>{draw(icon.text)}</svg>"
    )


def height(icon: Icon) -> float:
    """In ems."""
    return HEIGHTS.get(icon.name, 1.15)


def width(icon: Icon) -> float:
    """In ems."""
    return height(icon) * (WIDTHS.get(icon.name, 100.0) + 8) / 108


TICK_BOX = "box"
"""What a person ticks, with a pen or a finger."""
COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")


def in_grey(drawing: str) -> str:
    """The drawing as a grey printer prints it."""
    return COLOUR.sub(lambda found: grey(found.group()), drawing)


def grey(colour: str) -> str:
    """The grey of a colour `#rrggbb`: as light as it."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    level = round(0.299 * red + 0.587 * green + 0.114 * blue)
    return f"#{level:02x}{level:02x}{level:02x}"


# -- shapes --------------------------------------------------------------------------------------


def _path(path: str, fill: str = "#ffffff", edge: float = 8, stroke: str = INK) -> str:
    line = f' stroke="{stroke}" stroke-width="{edge:g}" stroke-linejoin="round"' if edge else ""
    return f'<path d="{path}" fill="{fill}"{line}/>'


def _circle(x: float, y: float, radius: float, fill: str, edge: float = 0, stroke: str = INK) -> str:
    line = f' stroke="{stroke}" stroke-width="{edge:g}"' if edge else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"{line}/>'


def _box(x: float, y: float, wide: float, high: float, fill: str, edge: float = 7, round_: float = 10) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="{round_:g}" fill="{fill}"'
        f' stroke="{INK}" stroke-width="{edge:g}"/>'
    )


def letters(text: str, x: float, y: float, high: float, most: float, fill: str = INK) -> str:
    """A few letters around a point, so high and at most so wide."""
    path, wide = outline(text)
    if not path:
        return ""
    size = min(high / 0.711, most / max(wide, 0.1))
    place = f"translate({x - wide * size / 2:.2f} {y + 0.711 * size / 2:.2f}) scale({size:.2f} {-size:.2f})"
    return f'<path transform="{place}" d="{path}" fill="{fill}"/>'


# -- icons ---------------------------------------------------------------------------------------

GOLD, GOLD_EDGE = "#ffd95a", "#7a5b00"
OCTAGON = "M29 2 71 2 98 29 98 71 71 98 29 98 2 71 2 29Z"
SHIELD = "M7 4 93 4 93 48Q93 82 50 98 7 82 7 48Z"
HOUSE = "M50 4 97 46 83 46 83 97 17 97 17 46 3 46Z"
PIPS = {
    "1": ((50, 50),),
    "2": ((26, 26), (74, 74)),
    "3": ((26, 26), (50, 50), (74, 74)),
    "4": ((26, 26), (74, 26), (26, 74), (74, 74)),
    "5": ((26, 26), (74, 26), (50, 50), (26, 74), (74, 74)),
    "6": ((26, 24), (74, 24), (26, 50), (74, 50), (26, 76), (74, 76)),
}


def _coin(text: str) -> str:
    rim = _circle(50, 50, 46, GOLD, 7, GOLD_EDGE)
    return rim + (letters(text, 50, 50, 52, 66) if text else _circle(50, 50, 29, GOLD, 5, GOLD_EDGE))


CUBE = "M50 2 94 26V76L50 98 6 76V26Z"
CUBE_EDGES = "M50 50V98M50 50 94 26M50 50 6 26"


def _any_die() -> str:
    """Seen from a corner: nobody takes it for a card, nor for a throw."""
    pips = ((50, 26), (20, 48), (36, 76), (64, 80), (72, 63), (80, 46))
    return (
        _path(CUBE, "#ffffff", 6)
        + _path(CUBE_EDGES, "none", 5)
        + "".join(_circle(x, y, 6.5, INK) for x, y in pips)
    )


def _die(text: str) -> str:
    if not text:
        return _any_die()
    pips = PIPS.get(text, ())
    inside = "".join(_circle(x, y, 9.5, INK) for x, y in pips) or letters(text, 50, 50, 52, 70)
    return _box(3, 3, 94, 94, "#ffffff", 7, 18) + inside


def _d12(text: str) -> str:
    outer = "M50 1 79 10 98 35 98 65 79 90 50 99 21 90 2 65 2 35 21 10Z"
    edges = "M50 17V1M83 41 98 35M70 80 79 90M30 80 21 90M17 41 2 35"
    return (
        _path(outer, "#ffffff", 5)
        + _path("M50 17 83 41 70 80 30 80 17 41Z", "#eef1f5", 4)
        + _path(edges, "none", 4)
        + letters(text or "12", 50, 52, 30, 44)
    )


def _space(text: str) -> str:
    return _box(4, 4, 92, 92, "#ffe08a", 6, 12) + letters(text, 50, 50, 52, 66)


def _shield(text: str) -> str:
    return _path(SHIELD) + letters(text, 50, 44, 44, 54)


def _token(text: str) -> str:
    return _path(OCTAGON, "#cfe6d2", 6) + letters(text, 50, 50, 48, 70)


def _wonder(text: str) -> str:
    return _path("M50 5 97 94 3 94Z", "#ffeec4") + letters(text, 50, 68, 34, 40)


def _gate(_: str) -> str:
    arch = _path("M10 97V45Q10 3 50 3 90 3 90 45V97Z", "#d9d0ea")
    return arch + _path("M50 30V97", "none", 6)


def _house(text: str) -> str:
    return _path(HOUSE) + letters(text, 50, 66, 38, 46)


def _post(text: str) -> str:
    main = _path("M3 44 35 14 67 44V97H3Z", "#ffffff", 7)
    return main + _path("M67 58H97V97H67Z", "#ffffff", 7) + letters(text, 35, 68, 34, 40)


def _pawn(_: str) -> str:
    return _circle(50, 23, 21, INK) + _path("M50 28 82 98H18Z", INK, 0)


def _cat(_: str) -> str:
    head = _path("M12 98 10 8 34 32H66L90 8 88 98Z", INK, 0)
    return head + _circle(33, 58, 7, "#ffffff") + _circle(67, 58, 7, "#ffffff")


def _eye(_: str) -> str:
    return _path("M2 50Q50 4 98 50 50 96 2 50Z") + _circle(50, 50, 18, INK)


def _link(_: str) -> str:
    ring = '<rect x="{:g}" y="30" width="56" height="40" rx="20" fill="none" stroke="{}" stroke-width="12"/>'
    return ring.format(2, INK) + ring.format(42, INK)


def _fan(_: str) -> str:
    star = "M50 3 62 37 98 38 70 60 80 96 50 75 20 96 30 60 2 38 38 37Z"
    return _path(star, GOLD, 6)


def _idea(_: str) -> str:
    bulb = _circle(50, 36, 33, "#fff3b0", 7)
    return bulb + _path("M35 70H65V97H35Z", INK, 0)


def _order(_: str) -> str:
    letter = _box(3, 16, 94, 68, "#ffffff", 7, 5)
    return letter + _path("M5 20 50 58 95 20", "none", 7)


def _cube(text: str) -> str:
    fill = CUBES.get(text, CUBES["brown"])
    return _path(CUBE, fill, 5) + _path(CUBE_EDGES, "none", 4)


def _card(text: str) -> str:
    """A strip and lines where nothing is written on it: an empty box would be one to tick."""
    box = _box(16, 3, 68, 94, "#ffffff", 7, 9)
    if text:
        return box + letters(text, 50, 50, 40, 48)
    lines = "".join(f'<rect x="30" y="{y}" width="40" height="8" fill="#1f3550"/>' for y in (56, 74))
    return f'{box}<rect x="28" y="15" width="44" height="26" rx="3" fill="#1f3550"/>{lines}'


def _cardback(_: str) -> str:
    back = _box(16, 3, 68, 94, "#1f3550", 7, 9)
    return (
        back
        + '<rect x="27" y="15" width="46" height="70" rx="4" fill="none" stroke="#ffffff" stroke-width="5"/>'
    )


def _tick_box(text: str) -> str:
    return _box(4, 4, 92, 92, "#ffffff", 6, 6) + letters(text, 50, 50, 40, 70)


def _letter(text: str) -> str:
    return letters(text, 50, 50, 76, 100)


def _unknown(text: str) -> str:
    return _box(4, 4, 92, 92, "#ffffff", 6, 6) + letters(text, 50, 50, 48, 70)


DRAWINGS: dict[str, Callable[[str], str]] = {
    "coin": _coin, "die": _die, "d12": _d12, "space": _space, "card": _card, "cardback": _cardback,
    "shield": _shield, "token": _token, "wonder": _wonder, "gate": _gate, "house": _house, "post": _post,
    "pawn": _pawn, "cat": _cat, "eye": _eye, "link": _link, "fan": _fan, "idea": _idea, "order": _order,
    "cube": _cube, TICK_BOX: _tick_box, "letter": _letter,
}  # fmt: skip
