"""The sections of the benchmarks: a module for each, with its `COMPARISONS`."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from benchmarks.rounds import Comparison


@dataclass(frozen=True)
class Section:
    name: str
    says: str
    module: str

    def comparisons(self) -> tuple[Comparison, ...]:
        found: tuple[Comparison, ...] = import_module(self.module).COMPARISONS
        return found


SECTIONS = (
    Section(
        "one-decision", "one call of a table: a dict in, checked, a value out", "benchmarks.one_decision"
    ),
    Section("explained", "the same calls with the reasons beside the answer", "benchmarks.explained"),
    Section("logs", "recorded turns answered, from JSON Lines to JSON Lines", "benchmarks.logs"),
    Section("authors-loop", "commands that start, and a save that is checked", "benchmarks.authors_loop"),
    Section("loading", "large tables from their file to rules that answer", "benchmarks.loading"),
    Section("scales", "scales over many turns, as SQL in DuckDB", "benchmarks.scales"),
    Section("proof", "large tables read, checked and proved", "benchmarks.proof"),
)
