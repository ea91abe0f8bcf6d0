"""Flat rules over columns: many records at once, each with the answer that the compiled module gives.

Where an ask depends on each of its inputs only by the class it is in (a name, a truth, the place of a
number between the borders that rules compare it with), records of the same classes have the same answer. So
each combination is worked out once, by the compiled module on a record of the data, and then looked up.
"""

from __future__ import annotations

from dtables.columnar.engine import FlatEngine, flat_engine, flat_table
from dtables.columnar.survey import Why

__all__ = ["FlatEngine", "Why", "flat_engine", "flat_table"]
