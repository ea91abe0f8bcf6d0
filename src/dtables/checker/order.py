"""Things that read one another: an order in which each comes after those it reads, and the circles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeVar

from dtables.checker import messages
from dtables.checker.expressions.types import record_of
from dtables.checker.symbols import Draft
from dtables.checker.tables.scales import NO
from dtables.model.expressions import AskAnswer, ByKey, CallTable, FieldOf, Node, Ranking
from dtables.model.reach import nodes, workings
from dtables.model.tables import Ask, Record, Scale, Table, table_name
from dtables.provenance import Location

Item = TypeVar("Item")


def in_reading_order(
    starts: Iterable[Item], reads: Mapping[Item, Iterable[Item]]
) -> tuple[tuple[Item, ...], tuple[tuple[Item, ...], ...]]:
    """What is read before what reads it, as far as circles let it; and the path of each circle."""
    order: dict[Item, None] = {}
    circles: list[tuple[Item, ...]] = []
    for start in starts:
        path = [] if start in order else [start]
        waiting = [iter(reads[member]) for member in path]
        while path:
            following = next(waiting[-1], None)
            if following is None:
                order[path.pop()] = None
                waiting.pop()
            elif following in path:
                circles.append(tuple(path[path.index(following) :]))
            elif following not in order:
                path.append(following)
                waiting.append(iter(reads[following]))
    return tuple(order), tuple(circles)


# -- who calls whom ---------------------------------------------------------------------------------
# What calls what in a checked model: circles are mistakes, and callees come before their callers.

Member = tuple[str, str]
"""("", table), (record, computed field) or ("?", ask)."""


def members(
    records: Iterable[Record], tables: Iterable[Table], asks: Iterable[Ask]
) -> dict[Member, tuple[object, Location]]:
    found: dict[Member, tuple[object, Location]] = {}
    for record in records:
        for field in record.fields:
            if field.computed is not None:
                found[(record.name, field.name)] = (field.computed, Location(field.where))
    for table in tables:
        found[("", table_name(table))] = (table, Location(table.heading.where.cell))
    for ask in asks:
        found[("?", ask.heading.name)] = (ask, Location(ask.heading.where.cell))
    return found


def reads(draft: Draft, graph: dict[Member, tuple[object, Location]]) -> dict[Member, tuple[Member, ...]]:
    return {
        member: tuple(
            dict.fromkeys(
                m
                for n in chain.from_iterable(map(nodes, workings(part)))
                if type(n) in _LEADING
                for m in _behind(draft, n)
                if m in graph
            )
        )
        for member, (part, _) in graph.items()
    }


_LEADING = frozenset((CallTable, Ranking, AskAnswer, FieldOf, ByKey))


def _behind(draft: Draft, node: Node) -> Iterator[Member]:
    match node:
        case CallTable(table=name) | Ranking(scale=name):
            yield ("", name)
        case AskAnswer(ask=name):
            yield ("?", name)
        case FieldOf(of=of, name=name) if record := record_of(draft.symbols, of.type):
            yield (record.name, name)
        case ByKey(of=of) if record := record_of(draft.symbols, of.type):
            for name in record.fields:
                yield (record.name, name)
        case _:
            return


def report_undecided_calls(draft: Draft, scales: Iterable[Table], parts: Iterable[object]) -> None:
    """A scale that need not decide gives no value: it is gone through by others, or ranked."""
    undecided = {table_name(s): s for s in scales if isinstance(s, Scale) and s.decides == NO}
    for part in parts if undecided else ():
        for node in chain.from_iterable(map(nodes, workings(part))):
            if isinstance(node, CallTable) and node.table in undecided:
                where = Location(undecided[node.table].heading.where.cell)
                draft.error_at(node.where, None, messages.undecided_call(node.table, where))


# -- circles and order ---------------------------------------------------------------------------


def report_circles(
    draft: Draft, graph: dict[Member, tuple[object, Location]], edges: dict[Member, tuple[Member, ...]]
) -> None:
    """One message for each circle, at its first member, with the path."""
    reported: set[frozenset[Member]] = set()
    _, circles = in_reading_order(edges, edges)
    for path in circles:
        if any(frozenset(path) & one for one in reported):
            continue
        reported.add(frozenset(path))
        shown = [_shown(member) for member in (*path, path[0])]
        places = [(_shown(m), graph[m][1]) for m in path[1:]]
        draft.error_at(graph[path[0]][1], None, messages.circle(shown, places))


def _shown(member: Member) -> str:
    owner, name = member
    return name if owner in ("", "?") else f"{owner}.{name}"


def callees_before_callers(
    tables: Iterable[Table], edges: dict[Member, tuple[Member, ...]]
) -> tuple[Table, ...]:
    by_name = {table_name(table): table for table in tables}
    ordered, _ = in_reading_order((("", name) for name in by_name), edges)
    return tuple(by_name[name] for owner, name in ordered if owner == "" and name in by_name)
