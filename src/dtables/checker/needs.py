"""Fields that an ask reads, that a record may lack and that no `need` row asks for."""

from __future__ import annotations

from collections.abc import Iterator

from dtables.checker import turn_problems
from dtables.checker.draft import Draft
from dtables.feel.types import may_be_null
from dtables.model.expressions import Comparison, Constant, InputField
from dtables.model.tables import Ask, Need, Ruleset
from dtables.model.walk import Reach
from dtables.provenance import Location


def warn_of_unneeded(draft: Draft, ruleset: Ruleset) -> None:
    """Such a record is rejected in the middle of answering, where a `need` row would say so up front."""
    reach = Reach(ruleset)
    for ask in ruleset.asks:
        tried = set(_tried(reach, ask))
        wanted = (name for name in dict.fromkeys(_wanted(reach, ask)) if name not in tried)
        lacking = [name for name in wanted if not _settled(draft, ask, name)]
        if lacking:
            places = [(name, Location(draft.inputs[name].where)) for name in lacking]
            where = Location(ask.heading.where.cell)
            draft.warning_at(where, None, turn_problems.reads_without_need(ask.heading.name, places))


def _wanted(reach: Reach, ask: Ask) -> Iterator[str]:
    """A field that is somewhere held against null first may be missing."""
    read = [node for node in reach.parts(ask) if isinstance(node, InputField)]
    tested = {node.name for node in read if may_be_null(node.type)}
    yield from (node.name for node in read if node.name not in tested)


def _tried(reach: Reach, ask: Ask) -> Iterator[str]:
    """Fields that the rules compare with null: they know what to do without them."""
    for node in reach.parts(ask):
        match node:
            case (
                Comparison(left=InputField(name=name), right=Constant(value=None))
                | Comparison(left=Constant(value=None), right=InputField(name=name))
            ):
                yield name
            case _:
                pass


def _settled(draft: Draft, ask: Ask, name: str) -> bool:
    symbol = draft.inputs.get(name)
    if symbol is None or symbol.has_default or may_be_null(symbol.type):
        return True
    return any(isinstance(row, Need) and row.place.fields[0] == name for row in ask.rows)
