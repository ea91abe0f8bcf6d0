"""Badges: a colour, a shape and a letter, any one of which would do alone; names on a page with theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from math import cos, pi, sin

from dtables.model.tables import Badge, Label, Ruleset
from dtables.pages.document import Inline, Mark, Run, upper_first
from dtables.pages.letters import outline
from dtables.wording.labels import Labels, spaced
from dtables.wording.phrases import phrases_in

COLOURS = {
    "red": "#b3161f", "rosso": "#b3161f", "rossa": "#b3161f",
    "green": "#1c7a37", "verde": "#1c7a37",
    "blue": "#1d4f9f", "blu": "#1d4f9f",
    "yellow": "#f4c20d", "giallo": "#f4c20d", "gialla": "#f4c20d",
    "brown": "#7a4a21", "marrone": "#7a4a21",
    "grey": "#a3a8ad", "gray": "#a3a8ad", "grigio": "#a3a8ad", "grigia": "#a3a8ad",
    "purple": "#6b3fa0", "violet": "#6b3fa0", "viola": "#6b3fa0",
    "orange": "#d96b0b", "arancione": "#d96b0b",
    "black": "#22252a", "nero": "#22252a", "nera": "#22252a",
    "white": "#ffffff", "bianco": "#ffffff", "bianca": "#ffffff",
    "pink": "#d2669c", "rosa": "#d2669c",
    "gold": "#c9950c", "oro": "#c9950c",
    "silver": "#b8bec6", "argento": "#b8bec6",
    "cyan": "#158a9c", "azzurro": "#3a8fd0", "azzurra": "#3a8fd0", "light blue": "#3a8fd0",
}  # fmt: skip

UNKNOWN = "#5b6673"

SHAPES_OF_COLOURS = {
    "#7a4a21": "square", "#a3a8ad": "square", "#f4c20d": "diamond", "#1c7a37": "circle", "#b3161f": "shield",
    "#1d4f9f": "hexagon", "#6b3fa0": "house", "#22252a": "octagon", "#d96b0b": "triangle",
    "#d2669c": "pentagon", "#c9950c": "star", "#158a9c": "flag",
}  # fmt: skip
"""A colour is the same shape in every workbook that names none."""

SHAPES: dict[str, tuple[tuple[float, float], ...]] = {
    "circle": (),
    "square": ((8, 8), (92, 8), (92, 92), (8, 92)),
    "diamond": ((50, 1), (99, 50), (50, 99), (1, 50)),
    "hexagon": ((25, 7), (75, 7), (100, 50), (75, 93), (25, 93), (0, 50)),
    "shield": ((8, 4), (92, 4), (92, 58), (50, 99), (8, 58)),
    "house": ((50, 1), (99, 42), (87, 42), (87, 96), (13, 96), (13, 42), (1, 42)),
    "triangle": ((50, 2), (100, 95), (0, 95)),
    "pentagon": ((50, 1), (99, 38), (80, 97), (20, 97), (1, 38)),
    "octagon": ((30, 3), (70, 3), (97, 30), (97, 70), (70, 97), (30, 97), (3, 70), (3, 30)),
    "star": (
        (50, 1),
        (68, 28),
        (99, 37),
        (79, 63),
        (81, 95),
        (50, 84),
        (19, 95),
        (21, 63),
        (1, 37),
        (32, 28),
    ),
    "flag": ((4, 8), (96, 8), (80, 50), (96, 92), (4, 92)),
}
SHAPE_NAMES = {
    "cerchio": "circle", "disc": "circle", "quadrato": "square", "rombo": "diamond", "esagono": "hexagon",
    "scudo": "shield", "casa": "house", "temple": "house", "tempio": "house", "triangolo": "triangle",
    "pentagono": "pentagon", "ottagono": "octagon", "stella": "star", "bandiera": "flag",
    "round": "circle", "rectangle": "square",
}  # fmt: skip
LETTER_AT = {"triangle": (50, 66, 44), "house": (50, 64, 50), "shield": (50, 46, 54), "star": (50, 54, 42)}
"""Middle and height of the letter, where the shape's own middle would not do."""
MIDDLE = (50, 50, 54)
LETTERS_WIDE = {"diamond": 54, "star": 44, "triangle": 50, "circle": 68}
MOST_WIDE = 74
"""As wide as letters may get within the shape."""


def mark_of(label: Label, text: str, place: int, language: str) -> Mark | None:
    """What the workbook leaves open of a badge: the shape by its colour, or the name's place, and the
    letter by its name."""
    badge = label.badge
    if badge is None or not (badge.colour or badge.shape or badge.letter):
        return None
    letters = dict(badge.letter)
    letter = letters.get(language) or letters.get("") or ""
    colours = _colours(badge)
    shape = _shape(badge, colours, place)
    words = text.split(f" {phrases_in(language).or_} ")
    if len(colours) == len(words) == 2 and (not letter or "/" in letter):
        own = letter.split("/") if letter else [word[:1].upper() for word in words]
        halves = [
            Mark((colour,), "", sign, word, given=bool(letter))
            for colour, sign, word in zip(colours, own, words, strict=False)
        ]
        return split_mark(halves[0], halves[1], shape, text)
    return Mark(colours, shape, letter or text[:1].upper(), text, given=bool(letter))


def split_mark(one: Mark, other: Mark, shape: str, text: str) -> Mark:
    """One badge of two names, each with its colour and its letter."""
    halves = (replace(one, shape=""), replace(other, shape=""))
    letter = f"{one.letter}/{other.letter}"
    colours = (one.colours[0], other.colours[0])
    return Mark(colours, shape, letter, text, one.given and other.given, halves)


def _colours(badge: Badge) -> tuple[str, ...]:
    parts = [part.strip().casefold() for part in (badge.colour or "").replace("+", "/").split("/")]
    return tuple(map(colour_of, filter(None, parts)))[:2] or (UNKNOWN,)


def _shape(badge: Badge, colours: tuple[str, ...], place: int) -> str:
    named = (badge.shape or "").strip().casefold()
    if not named:
        return SHAPES_OF_COLOURS.get(colours[0], list(SHAPES)[place % len(SHAPES)])
    return SHAPE_NAMES.get(named, named)


def colour_of(name: str) -> str:
    """Return a colour as `#rrggbb`; what is no name of one stays as it is."""
    return COLOURS.get(name.casefold(), name)


def is_colour(text: str) -> bool:
    """Is it a colour that can be drawn: by name, or as `#rrggbb`?"""
    colour = colour_of(text)
    return len(colour) == 7 and colour[0] == "#" and all(c in "0123456789abcdefABCDEF" for c in colour[1:])


def is_shape(text: str) -> bool:
    return text in SHAPES


# -- drawing -----------------------------------------------------------------------------------


def svg(mark: Mark) -> str:
    """The letter is drawn as an outline, so that it looks the same on paper and on a phone."""
    first, last = map(_fill, (mark.colours[0], mark.colours[-1]))
    if is_split(mark):
        return _split_svg(mark, first, last)
    points = SHAPES.get(mark.shape) or _CIRCLE
    half = f'<polygon points="{_points(_lower_half(points))}" fill="{last}"/>' if first != last else ""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 108 108" role="img">'
        f"<title>{escape(mark.alt)}</title>"
        f'<polygon points="{_points(points)}" fill="{first}"/>{half}'
        f'<polygon points="{_points(points)}" fill="none" {_EDGE}/>'
        f"{_letters(mark, _ink(first))}</svg>"
    )


def is_split(mark: Mark) -> bool:
    """Say whether a badge has two letters, one in each of its colours: it is wider than others."""
    return len(mark.colours) > 1 and "/" in mark.letter


def _split_svg(mark: Mark, first: str, last: str) -> str:
    one, _, other = mark.letter.partition("/")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 133 108" role="img">'
        f"<title>{escape(mark.alt)}</title>"
        f'<polygon points="0,0 125,0 125,100 0,100" fill="{last}"/>'
        f'<polygon points="0,0 125,0 0,100" fill="{first}"/>'
        '<path d="M125 0 0 100" stroke="#ffffff" stroke-width="5"/>'
        f'<polygon points="0,0 125,0 125,100 0,100" fill="none" {_EDGE}/>'
        f"{_letter_at(one, 31, 31, _ink(first))}{_letter_at(other, 96, 70, _ink(last))}</svg>"
    )


def _letter_at(letter: str, x: float, y: float, ink: str) -> str:
    path, width = outline(letter)
    size = min(40 / 0.711, 46 / max(width, 0.1))
    left, base = x - width * size / 2, y + 0.711 * size / 2
    transform = f"translate({left:.2f} {base:.2f}) scale({size:.2f} {-size:.2f})"
    return f'<path transform="{transform}" d="{path}" fill="{ink}"/>'


def _fill(colour: str) -> str:
    """Only a colour goes into the drawing."""
    return colour if is_colour(colour) else UNKNOWN


_EDGE = 'stroke="#1a1a1a" stroke-width="4" stroke-linejoin="round"'
_CIRCLE = tuple((50 + 47 * cos(n * pi / 32), 50 + 47 * sin(n * pi / 32)) for n in range(64))


def _lower_half(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """What of the shape lies below the rising diagonal."""
    kept: list[tuple[float, float]] = []
    for (x, y), (u, v) in zip(points, (*points[1:], points[0]), strict=True):
        here, there = x + y - 100, u + v - 100
        if here >= 0:
            kept.append((x, y))
        if (here < 0) != (there < 0):
            part = here / (here - there)
            kept.append((x + part * (u - x), y + part * (v - y)))
    return kept


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.4g},{y:.4g}" for x, y in points)


def _letters(mark: Mark, ink: str) -> str:
    x, y, height = LETTER_AT.get(mark.shape, MIDDLE)
    path, width = outline(mark.letter)
    if not path:
        return ""
    size = min(height / 0.711, LETTERS_WIDE.get(mark.shape, MOST_WIDE) / max(width, 0.1))
    left, base = x - width * size / 2, y + 0.711 * size / 2
    halo = (
        "" if len(mark.colours) < 2 else f' stroke="{_other(ink)}" stroke-width="0.09" paint-order="stroke"'
    )
    transform = f"translate({left:.2f} {base:.2f}) scale({size:.2f} {-size:.2f})"
    return f'<path transform="{transform}" d="{path}" fill="{ink}"{halo}/>'


def _ink(colour: str) -> str:
    """Black or white, whichever is read more easily on the colour."""
    light = _luminance(colour)
    return "#ffffff" if 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 else "#111111"


LIGHT, DARK = 0.35, 0.25


def grey_step(mark: Mark) -> str:
    """How light a badge is on a grey printer: there is nothing between light and dark that is told apart."""
    light = _luminance(mark.colours[0])
    return "light" if light >= LIGHT else "dark" if light <= DARK else "middle"


def _other(ink: str) -> str:
    return "#111111" if ink == "#ffffff" else "#ffffff"


def _luminance(colour: str) -> float:
    if not is_colour(colour):
        return 0.2
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# -- names with their badges ---------------------------------------------------------------------


class PageLabels(Labels):
    """On pages the value of a switch is shown as its whole phrase."""

    def __init__(self, ruleset: Ruleset, language: str) -> None:
        super().__init__(ruleset, language, switches_by_phrase=True)
        self._badged: dict[tuple[str, str], tuple[Label, int]] = {}
        for vocabulary in ruleset.vocabularies:
            for place, label in enumerate(vocabulary.names):
                self._badged.setdefault((vocabulary.root, label.id), (label, place))
                self._badged.setdefault((vocabulary.name, label.id), (label, place))

    def mark(self, vocabulary: str, name: str) -> Mark | None:
        found = self._badged.get((vocabulary, name))
        if found is None:
            return None
        label, place = found
        return mark_of(label, self.name(vocabulary, name), place, self.language)

    def inline(self, vocabulary: str, name: str) -> Inline:
        """The badge, if there is one, and the label."""
        mark, text = self.mark(vocabulary, name), Run(self.name(vocabulary, name))
        return (text,) if mark is None else (mark, Run("\u202f"), text)

    def corner(self, name: str) -> str:
        """Over labels that explain themselves nothing is better than a bare id."""
        text = self.vocabulary(name)
        return "" if text == spaced(name) else upper_first(text)
