"""Fields that an ask reads, that a record may lack and that no `need` row asks for."""

from __future__ import annotations

from collections.abc import Iterator

from dtables.checker import turn_problems
from dtables.checker.draft import Draft
from dtables.feel.types import may_be_null
from dtables.model.expressions import InputField
from dtables.model.tables import Ask, Need, Ruleset
from dtables.model.walk import Reach
from dtables.provenance import Location


def warn_of_unneeded(draft: Draft, ruleset: Ruleset) -> None:
    """Such a record is rejected in the middle of answering, where a `need` row would say so up front."""
    reach = Reach(ruleset)
    for ask in ruleset.asks:
        lacking = [name for name in dict.fromkeys(_wanted(reach, ask)) if not _settled(draft, ask, name)]
        if lacking:
            places = [(name, Location(draft.inputs[name].where)) for name in lacking]
            where = Location(ask.heading.where.cell)
            draft.warning_at(where, None, turn_problems.reads_without_need(ask.heading.name, places))


def _wanted(reach: Reach, ask: Ask) -> Iterator[str]:
    for node in reach.parts(ask):
        if isinstance(node, InputField) and not may_be_null(node.type):
            yield node.name


def _settled(draft: Draft, ask: Ask, name: str) -> bool:
    symbol = draft.inputs.get(name)
    if symbol is None or symbol.has_default or may_be_null(symbol.type):
        return True
    return any(isinstance(row, Need) and row.place.fields[0] == name for row in ask.rows)
