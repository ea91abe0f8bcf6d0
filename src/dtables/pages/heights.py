"""How high blocks are, by what they hold and by their width, both in ems: a block in larger type is larger
all over, so one measure serves every size. What was measured once is remembered, also in the user's cache."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from math import floor
from typing import Any

from dtables import cache

EM = 10.0
"""The size at which blocks are measured, in points."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Something with a height: what it holds, as templates take it, and in which language."""

    kind: str
    """A block of a sheet or a card, a head line, a legend."""
    language: str
    data: dict[str, Any]
    key: str = field(init=False)

    def __post_init__(self) -> None:
        text = json.dumps([self.kind, self.language, self.data], ensure_ascii=False, sort_keys=True)
        object.__setattr__(self, "key", sha256(text.encode("utf-8")).hexdigest()[:32])


Measure = Callable[[list[dict[str, Any]]], list[list[float]]]
"""Heights in ems of jobs: each a thing, its kind and language, and the widths in ems that it gets."""


class Heights:
    """Remembered heights. `entry` names what is kept from one run to the next; `measure` sets what is not
    known."""

    def __init__(self, measure: Measure, *entry: bytes) -> None:
        self._measure = measure
        self._name = cache.key(b"heights", *entry)
        self._known: dict[str, dict[str, float]] = _read(cache.kept(self._name))
        self._used: dict[str, None] = {}
        self._new = False

    def need(self, wanted: Iterable[tuple[Measured, Iterable[float]]]) -> None:
        """Measure, in one go, what is not known."""
        jobs: dict[str, tuple[Measured, dict[str, float]]] = {}
        for thing, widths in wanted:
            known = self._known.setdefault(thing.key, {})
            self._used[thing.key] = None
            for text in map(_text, widths):
                if text not in known:
                    jobs.setdefault(thing.key, (thing, {}))[1][text] = float(text)
        if not jobs:
            return
        self._new = True
        found = self._measure([
            {"kind": t.kind, "language": t.language, "widths": list(asked.values()), "it": t.data}
            for t, asked in jobs.values()
        ])  # fmt: skip
        for (thing, asked), heights in zip(jobs.values(), found, strict=True):
            self._known[thing.key].update(zip(asked, heights, strict=True))

    def of(self, thing: Measured, width: float) -> float:
        """The height at a width; measured now, if it was not."""
        if _text(width) not in self._known.get(thing.key, {}):
            self.need([(thing, [width])])
        return self._known[thing.key][_text(width)]

    def keep(self) -> None:
        """Remember what was used for the next time."""
        if self._new:
            kept = {key: self._known[key] for key in self._used}
            cache.keep(self._name, json.dumps(kept).encode("ascii"))


def _text(width: float) -> str:
    """Never wider than it is, and hardly narrower: a line may fit by a hair."""
    return f"{floor(width * 10_000 + 1e-6) / 10_000:.4f}"


def _read(content: bytes | None) -> dict[str, dict[str, float]]:
    if content is None:
        return {}
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
