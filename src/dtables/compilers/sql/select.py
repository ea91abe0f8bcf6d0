"""The named columns as one select: a common table expression for each depth, carrying only what is still
read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlglot import exp

from dtables.compilers.sql.terms import Tree


def select_of(
    columns: Mapping[str, Tree],
    results: Mapping[str, Tree],
    source: str,
    keys: Sequence[str],
    given: Mapping[str, Tree],
) -> exp.Select:
    """`columns` in an order in which each reads earlier ones only; the first read those of `given`, and
    these the relation."""
    reads = {name: _read_by(tree) for name, tree in columns.items()}
    read_last = list(dict.fromkeys(name for tree in results.values() for name in _read_by(tree)))
    needed = _reached(reads, read_last)
    depths = _depths({name: reads[name] for name in columns if name in needed})
    last = max(depths.values(), default=0)
    raw = {tree.name: name for name, tree in given.items() if isinstance(tree, exp.Column)}
    kept = {key: raw.get(key, key) for key in keys}
    wanted = [_wanted(reads, depths, read_last, [*kept.values()], depth) for depth in range(last + 1)]
    first = _unlike(source) if given else source
    names = [first, *(_stage(depth) for depth in range(1, last + 1))]
    stages = [
        (names[depth], _stage_select(columns, depths, depth, wanted[depth], names[depth - 1]))
        for depth in range(1, last + 1)
    ]
    if given:
        names_read = [name for name in wanted[0] if name not in depths]
        read = {name: given.get(name, exp.column(name, quoted=True)) for name in names_read}
        stages.insert(0, (first, _select(_aliased(read), source)))
    columns_kept = {key: exp.column(name, quoted=True) for key, name in kept.items()}
    final = _select([*_aliased(columns_kept), *_aliased(results)], names[last])
    if stages:
        final.set("with_", exp.With(expressions=[_cte(name, select) for name, select in stages]))
    return final


GIVEN = "given"


def _unlike(source: str) -> str:
    return GIVEN if source.casefold() != GIVEN else f"{GIVEN} 2"


def _stage(depth: int) -> str:
    return f"step {depth}"


def _read_by(tree: Tree) -> list[str]:
    """In the order in which they are met."""
    seen: dict[str, None] = {}
    visited: set[int] = set()
    waiting: list[Tree] = [tree]
    while waiting:
        node = waiting.pop()
        if id(node) in visited:
            continue
        visited.add(id(node))
        if isinstance(node, exp.Column):
            seen.setdefault(node.name)
        waiting.extend(node.iter_expressions(reverse=True))
    return list(seen)


def _reached(reads: Mapping[str, Sequence[str]], start: Iterable[str]) -> set[str]:
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name in reads and name not in found:
            found.add(name)
            waiting.extend(reads[name])
    return found


def _depths(reads: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Of a column that reads the relation alone: 1."""
    depths: dict[str, int] = {}
    for name, others in reads.items():
        depths[name] = 1 + max((depths.get(other, 0) for other in others), default=0)
    return depths


def _wanted(
    reads: Mapping[str, Sequence[str]],
    depths: Mapping[str, int],
    read_last: Sequence[str],
    keys: Sequence[str],
    depth: int,
) -> list[str]:
    """What the stages above a depth read, in a steady order."""
    above = [others for name, others in reads.items() if depths.get(name, 0) > depth]
    read = {name for others in (*above, read_last) for name in others}
    return [*keys, *sorted(read - set(keys))]


def _stage_select(
    columns: Mapping[str, Tree], depths: Mapping[str, int], depth: int, wanted: Sequence[str], below: str
) -> exp.Select:
    carried = [name for name in wanted if depths.get(name, 0) < depth]
    made = {name: tree for name, tree in columns.items() if depths.get(name) == depth}
    return _select([*_carried(carried), *_aliased(made)], below)


def _carried(names: Iterable[str]) -> list[Tree]:
    return [exp.column(name, quoted=True) for name in names]


def _aliased(trees: Mapping[str, Tree]) -> list[Tree]:
    return [
        tree
        if isinstance(tree, exp.Column) and tree.name == name
        else exp.Alias(this=tree, alias=exp.to_identifier(name, quoted=True))
        for name, tree in trees.items()
    ]


def _select(columns: list[Tree], source: str) -> exp.Select:
    """A dot in a relation's name parts it from its schema, and that from its catalogue."""
    name, *around = (exp.to_identifier(part, quoted=True) for part in reversed(source.split(".", 2)))
    table = exp.Table(this=name, **dict(zip(("db", "catalog"), around, strict=False)))
    return exp.Select(expressions=columns, from_=exp.From(this=table))


def _cte(name: str, select: exp.Select) -> exp.CTE:
    return exp.CTE(this=select, alias=exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
