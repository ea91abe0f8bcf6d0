"""`python -m benchmarks [SECTION ...]`: run them, print the ratios, perhaps keep the figures."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.rounds import Comparison, Line, measured
from benchmarks.sections import SECTIONS, Section

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    if options.list:
        for section in SECTIONS:
            print(f"{section.name:16} {section.says}")
        return 0
    found = [one for section in _wanted(options.sections) for one in _run(section, options)]
    if options.json:
        kept = {"python": platform.python_version(), "machine": platform.machine(), "comparisons": found}
        Path(options.json).write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks", description="Ratios, side by side.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help="all of them when none is named")
    parser.add_argument("--only", default="", metavar="TEXT", help="comparisons with this in their title")
    parser.add_argument("--large", action="store_true", help="also what takes minutes")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each contestant of a comparison")
    parser.add_argument("--json", metavar="FILE", help="keep the figures")
    parser.add_argument("--list", action="store_true", help="say what there is")
    options = parser.parse_args(arguments)
    unknown = set(options.sections) - {section.name for section in SECTIONS}
    if unknown:
        parser.error(f"no section {', '.join(sorted(unknown))}; --list says what there is")
    return options


def _wanted(names: list[str]) -> tuple[Section, ...]:
    return tuple(section for section in SECTIONS if section.name in names or not names)


def _run(section: Section, options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    print(f"\n# {section.name}: {section.says}")
    for comparison in section.comparisons():
        if options.only not in comparison.title or (comparison.large and not options.large):
            continue
        field = comparison.enter()
        lines = measured(field, options.seconds)
        print("\n".join([*shown(comparison, lines), *(f"  {note}" for note in field.notes)]), flush=True)
        yield {
            "section": section.name,
            "title": comparison.title,
            "unit": comparison.unit,
            "lines": [asdict(line) for line in lines],
            "notes": field.notes,
        }


# -- as text -----------------------------------------------------------------------------------


def shown(comparison: Comparison, lines: tuple[Line, ...]) -> Iterator[str]:
    """The quickest first; what the ratios are to has a star."""
    yield f"\n{comparison.title}, per {comparison.unit}"
    width = max(len(line.name) for line in lines) + 2
    for line in sorted(lines, key=lambda one: one.ratio):
        star = "*" if line.base else " "
        yield f"  {line.name:{width}}{star} {ratio_text(line.ratio):>10}  {time_text(line.seconds):>9}"


def ratio_text(ratio: float) -> str:
    return f"{ratio:.2f} x" if ratio < 100 else f"{ratio:,.0f} x"


def time_text(seconds: float) -> str:
    for size, unit in UNITS:
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.2g} ns"


if __name__ == "__main__":
    sys.exit(main())
