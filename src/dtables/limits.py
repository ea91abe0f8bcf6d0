"""Sizes at which a file is refused, a search ends or another way is taken.

They are asked for where they are used, never copied: who sets one has set it for all (`LIMITS.cache_bytes`).
"""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(slots=True)
class Limits:
    """All limits, asked for by field. Fields that end with `_bytes` or `_bits` say their unit, the others
    count things."""

    # A workbook's file
    workbook_bytes: int = 64 * MEBIBYTE
    unpacked_bytes: int = 192 * MEBIBYTE
    workbook_rows: int = 200_000
    workbook_cells: int = 1_000_000
    streamed_cells: int = 50_000_000
    """Where a sheet is gone through row by row and nothing of it is kept."""

    # The cache
    cache_bytes: int = 256 * MEBIBYTE
    entry_bytes: int = 32 * MEBIBYTE

    # Logs as columns
    csv_bytes: int = 4 * MEBIBYTE
    """Read at a time."""
    batch_rows: int = 1 << 18
    """At most so many at a time."""
    rows_per_note: int = 1 << 23
    """A note waits for the disk; so many rows are done again in a second or two."""

    # Tables that are looked into before they are used
    grid_bits: int = 1 << 31
    """Of all that is found of rows that may fire together: a quarter of a gigabyte."""
    meeting_pairs: int = 10_000_000
    """Pairs of rows that may fire together: what looking at each may cost, half a minute at most."""
    verified_bits: int = 1 << 32
    """Of all rows and all classes: half a gigabyte."""
    listed_findings: int = 1_000
    """Findings of a kind in one table. More than that nobody reads."""

    # Decisions as closures
    planned_rows: int = 500
    """The rows of larger ones are read as they stand: making closures takes longer than using them."""

    # Decisions as Python
    tried_rows: int = 6
    """Rows of a decision that are tried one after another, if they are fewer."""
    dispatched_rows: int = 48
    """Rows that Python's own words tell apart, if they are fewer; more have an index."""
    chained_rows: int = 3
    """Rows left of a dispatch that are tried one after another, if they are fewer."""

    # Indexes of rows
    slab_entries_per_row: int = 4
    slab_entries: int = 256
    """So many entries for each row, at most, and so many more for the few."""
    masked_rows: int = 256
    crowd: int = 48
    crowded: int = 8
    """A cell is searched by itself with so many rows, and so many times more than in other cells."""

    # Reasons of answers
    found_rows: int = 1_000
    found_calls: int = 100
    """Of a table of so many rows the evaluator finds those of the first calls: compiling takes longer."""


LIMITS = Limits()
