"""Heights that were measured are remembered, by what is measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dtables.pages.heights import Heights, Measured

THING = Measured("block", "en", {"title": "A"})
OTHER = Measured("block", "it", {"title": "A"})


class Ruler:
    """Measures twelve em; counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[float, ...]]] = []

    def __call__(self, jobs: list[dict[str, Any]]) -> list[list[float]]:
        self.asked += [(job["language"], tuple(job["widths"])) for job in jobs]
        return [[240 / width for width in job["widths"]] for job in jobs]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DTABLES_CACHE", str(tmp_path / "cache"))


def test_heights__each_is_measured_once() -> None:
    ruler = Ruler()
    heights = Heights(ruler, b"x")
    heights.need([(THING, [20.0, 24.0]), (OTHER, [20.0])])
    heights.need([(THING, [24.0, 30.0])])
    assert heights.of(THING, 20.0) == 12.0
    assert ruler.asked == [("en", (20.0, 24.0)), ("it", (20.0,)), ("en", (30.0,))]


def test_heights__a_width_is_never_taken_for_a_smaller_one() -> None:
    ruler = Ruler()
    heights = Heights(ruler, b"x")
    assert heights.of(THING, 20.000099) == 240 / 20.0
    assert ruler.asked == [("en", (20.0,))]
    assert heights.of(THING, 20.0099) == 240 / 20.0099, "a line may fit by a hair"


def test_heights__are_remembered_from_one_run_to_the_next() -> None:
    first = Heights(Ruler(), b"x")
    first.of(THING, 20.0)
    first.of(OTHER, 20.0)
    first.keep()
    ruler = Ruler()
    again = Heights(ruler, b"x")
    assert again.of(THING, 20.0) == 12.0
    assert ruler.asked == []
    again.of(THING, 30.0)
    again.keep()
    ruler = Ruler()
    Heights(ruler, b"x").of(OTHER, 20.0)
    assert ruler.asked, "what is not used any more is forgotten"
    Heights(ruler, b"other templates").of(THING, 20.0)
    assert len(ruler.asked) == 2
