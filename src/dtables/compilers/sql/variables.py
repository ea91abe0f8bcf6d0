"""Variables of lambdas in the neutral tree: which ones a tree reads, and trees with others in their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count

from sqlglot import exp

from dtables.compilers.sql.operations import Variable, XGet, XNamed, variable
from dtables.compilers.sql.shapes import TEXT
from dtables.compilers.sql.terms import Tree, is_trivial


def free(tree: Tree) -> frozenset[str]:
    """The variables that a tree reads and does not bind itself; remembered in the tree."""
    known = tree.meta.get("free")
    if known is None:
        known = _free(tree)
        tree.meta["free"] = known
    return frozenset(known)


def _free(tree: Tree) -> frozenset[str]:
    if isinstance(tree, Variable):
        return frozenset([tree.this.this])
    inside = frozenset[str]().union(*(free(child) for child in tree.iter_expressions()))
    if isinstance(tree, exp.Lambda):
        return inside - {name.this for name in tree.expressions}
    return inside


def is_cheap(tree: Tree) -> bool:
    """As good worked out twice as kept."""
    match tree:
        case XGet():
            return is_cheap(tree.this)
        case XNamed():
            return is_cheap(tree.expression)
        case _:
            return is_trivial(tree)


def reads(tree: Tree, name: str) -> int:
    """How often it is read; inside a lambda of its own as often as there may be items."""
    if isinstance(tree, Variable):
        return int(tree.this.this == name)
    if name not in free(tree):
        return 0
    counted = sum(reads(child, name) for child in tree.iter_expressions())
    return 2 * counted if isinstance(tree, exp.Lambda) else counted


def replaced(tree: Tree, values: Mapping[str, Tree]) -> Tree:
    """Each variable's value in its place."""

    def in_place(node: Tree) -> Tree | None:
        if isinstance(node, Variable):
            return values.get(node.this.this, node)
        return node if values.keys().isdisjoint(free(node)) else None

    return rebuilt(tree, in_place)


def alike(tree: Tree) -> Tree:
    """The same for trees that differ in the names of their lambdas' variables alone."""
    numbers, numbered = count(), dict[str, str]()

    def renamed(node: Tree) -> Tree | None:
        if isinstance(node, exp.Lambda):
            numbered.update((name.this, f"#{next(numbers)}") for name in node.expressions)
        if isinstance(node, Variable) and node.this.this in numbered:
            return variable(numbered[node.this.this], node.type or TEXT)
        if isinstance(node, exp.Identifier) and node.this in numbered:
            return exp.to_identifier(numbered[node.this])
        return None

    return rebuilt(tree, renamed) if tree.find(exp.Lambda) else tree


def rebuilt(tree: Tree, change: Callable[[Tree], Tree | None]) -> Tree:
    """A tree in which `change` says what stands instead of a node; None: the node with what became of its
    children."""
    instead = change(tree)
    if instead is not None:
        return instead
    arguments = {key: _rebuilt_argument(value, change) for key, value in tree.args.items()}
    if all(arguments[key] is value for key, value in tree.args.items()):
        return tree
    made = type(tree)(**arguments)
    made.type = tree.type
    made.meta.update((key, value) for key, value in tree.meta.items() if key != "free")
    return made


def _rebuilt_argument(value: object, change: Callable[[Tree], Tree | None]) -> object:
    if isinstance(value, list):
        made = [_rebuilt_argument(item, change) for item in value]
        return value if all(new is old for new, old in zip(made, value, strict=True)) else made
    return rebuilt(value, change) if isinstance(value, exp.Expr) else value
