"""Names drawn in a ring: badges on a circle, their labels around it; one drawing for paper and for phones."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import cos, pi, sin

from dtables.pages.badges import UNKNOWN, svg
from dtables.pages.document import Inline, Mark, Ring, Run, text_of
from dtables.pages.icons import INK
from dtables.pages.letters import outline, text_width

BADGE = 1.9
"""In ems, as all here."""
APART = 2.5
"""From one badge to the next."""
LEAST_RADIUS = 2.6
BESIDE = 0.3
LINE = 1.3
UPRIGHT = 0.35
"""Where a badge lies less than this share of the radius beside the middle, its label is above or below it."""
CAPITALS = 0.711


def ring_svg(ring: Ring) -> str:
    """The drawing, one em to a unit."""
    width, height = ring_size(ring)
    top = _heights(ring)[0]
    radius = _radius(ring)
    said = escape(", ".join(_label(name) for name in ring.names))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.2f}em" height="{height:.2f}em" '
        f'viewBox="{-width / 2:.2f} {top:.2f} {width:.2f} {height:.2f}" role="img"><title>{said}</title>'
        f'<circle cx="0" cy="0" r="{radius:.2f}" fill="none" stroke="{INK}" stroke-width="0.1"/>'
        + "".join(_shapes(ring, radius))
        + "</svg>"
    )


def ring_size(ring: Ring) -> tuple[float, float]:
    """Its width and height."""
    radius = _radius(ring)
    wide = max((abs(x) + _reach(name, x, radius) for name, x, _ in _places(ring)), default=radius)
    top, bottom = _heights(ring)
    return 2 * wide, bottom - top


def _heights(ring: Ring) -> tuple[float, float]:
    """Where it begins and ends, from its middle."""
    radius = _radius(ring)
    ends = []
    for _, x, y in _places(ring):
        beyond = BADGE / 2 + (BESIDE + LINE if _upright(x, radius) else 0.1)
        ends.append(y + beyond if y > 0 else y - beyond)
    return min(ends, default=0.0), max(*ends, radius) if ends else 0.0


def _radius(ring: Ring) -> float:
    return max(LEAST_RADIUS, len(ring.names) * APART / (2 * pi))


def _reach(name: Inline, x: float, radius: float) -> float:
    """How far beyond the middle of its badge a name goes."""
    long = text_width(_label(name))
    return long / 2 if _upright(x, radius) else BADGE / 2 + BESIDE + long


def _upright(x: float, radius: float) -> bool:
    return abs(x) < UPRIGHT * radius


def _places(ring: Ring) -> Iterator[tuple[Inline, float, float]]:
    """Clockwise from the top."""
    radius, count = _radius(ring), len(ring.names)
    for n, name in enumerate(ring.names):
        angle = 2 * pi * n / count - pi / 2
        yield name, radius * cos(angle), radius * sin(angle)


def _shapes(ring: Ring, radius: float) -> Iterator[str]:
    for name, x, y in _places(ring):
        mark = next((part for part in name if isinstance(part, Mark)), None)
        if mark is None:
            yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.3" fill="{UNKNOWN}"/>'
        else:
            place = f'x="{x - BADGE / 2:.2f}" y="{y - BADGE / 2:.2f}" width="{BADGE}" height="{BADGE}"'
            yield svg(mark).replace("<svg ", f"<svg {place} ", 1)
        yield _text(_label(name), x, y, radius)


def _text(label: str, x: float, y: float, radius: float) -> str:
    path, long = outline(label)
    if _upright(x, radius):
        left = x - long / 2
        base = y - BADGE / 2 - BESIDE if y < 0 else y + BADGE / 2 + BESIDE + CAPITALS
    else:
        left = x + BADGE / 2 + BESIDE if x > 0 else x - BADGE / 2 - BESIDE - long
        base = y + CAPITALS / 2
    return f'<path transform="translate({left:.2f} {base:.2f}) scale(1 -1)" d="{path}" fill="{INK}"/>'


def _label(name: Inline) -> str:
    return text_of(tuple(part for part in name if isinstance(part, Run))).strip()
