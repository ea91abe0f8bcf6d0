"""Outputs kept in files, part by part, and the first difference from what comes out now.

A part is a line of a file, or what stands under a head `== key`. Those that are not looked at are left be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from tests.support.golden import WRITE
from tests.support.thinned import swept

T = TypeVar("T")
HEAD = re.compile(r"^== (.*)\n", re.MULTILINE)
BEFORE, SHOWN = 80, 300
"""Of a long line: how much is shown, and how much of that stands before the difference."""


def looked_at(cases: Iterable[T], first: int = 0) -> list[T]:
    """All of them where they are written or nothing is thinned."""
    return list(cases) if WRITE else swept(cases, first)


def marked(name: str, lines: list[str]) -> str:
    """A line that is another one where the lines are."""
    mark = sha256("\n".join(lines).encode()).hexdigest()[:10]
    return f"{mark} {len(lines):4} {name}"


def hold_lines(path: Path, found: Mapping[int, str]) -> None:
    """A part is a line, counted from 1."""
    if WRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{found[number]}\n" for number in sorted(found)), encoding="utf-8")
        return
    kept = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    expected = {number: kept[number - 1] if number <= len(kept) else "" for number in found}
    _compare(
        path,
        {f"line {n}": text for n, text in expected.items()},
        {f"line {n}": text for n, text in found.items()},
    )


def kept_line(path: Path, number: int) -> str:
    return path.read_text(encoding="utf-8").split("\n")[number - 1]


def hold_parts(path: Path, found: Mapping[str, str], whole: bool = True) -> None:
    """`whole`: there is nothing else in the file."""
    found = {key: text.rstrip("\n") for key, text in found.items()}
    if WRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"== {key}\n{text}\n" for key, text in found.items()), encoding="utf-8")
        return
    _, *pieces = HEAD.split(path.read_text(encoding="utf-8")) if path.exists() else [""]
    expected = {key: text.rstrip("\n") for key, text in zip(pieces[::2], pieces[1::2], strict=True)}
    _compare(path, {key: text for key, text in expected.items() if whole or key in found}, found)


def hold_text(path: Path, found: str) -> None:
    hold_parts(path, {path.stem: found})


def _compare(path: Path, expected: Mapping[str, str], found: Mapping[str, str]) -> None:
    keys = list(dict.fromkeys([*expected, *found]))
    different = [key for key in keys if expected.get(key) != found.get(key)]
    if different:
        raise AssertionError(_difference(path, keys, different, expected, found))


def _difference(
    path: Path, keys: list[str], different: list[str], expected: Mapping[str, str], found: Mapping[str, str]
) -> str:
    first = different[0]
    pairs = [*zip_longest(expected.get(first, "").split("\n"), found.get(first, "").split("\n"))]
    lines = [number for number, (was, now) in enumerate(pairs) if was != now]
    was, now = pairs[lines[0]] if lines else (None, None)
    place = f"{first}, line {lines[0] + 1} of {len(pairs)}" if len(pairs) > 1 else first
    return "\n".join(
        [
            f"{path.parent.name}/{path.name}: {place}",
            f"expected: {_around(was, now) if first in expected else 'no such part'}",
            f"found:    {_around(now, was) if first in found else 'no such part'}",
            f"{len(different)} of {len(keys)} parts differ, {len(lines)} lines of this one",
            "`make golden` rewrites it",
        ]
    )


def _around(line: str | None, other: str | None) -> str:
    """Of a long line what stands about the first difference."""
    if line is None:
        return "nothing"
    alike = next(
        (n for n, (a, b) in enumerate(zip(line, other or "", strict=False)) if a != b), len(other or "")
    )
    start = max(0, min(alike, len(line)) - BEFORE) if len(line) > SHOWN else 0
    return ("…" if start else "") + line[start : start + SHOWN] + ("…" if start + SHOWN < len(line) else "")
