"""From a neutral tree to one dialect's: every operation is replaced by what the dialect's table says.

From the leaves up: a speller sees operands that are spelled already and still know their neutral types.
The tree that is given is never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from dtables.compilers.sql.dialects.precedence import parenthesised
from dtables.compilers.sql.dialects.rewriting import rewritten
from dtables.compilers.sql.dialects.shapes import Tree
from dtables.compilers.sql.operations import Unsayable
from dtables.provenance import Location


@dataclass(frozen=True, slots=True)
class Cannot:
    """The dialect has no exact spelling of the construct."""

    construct: str


@dataclass(slots=True)
class Names:
    """Names of variables that nothing else in the statement has."""

    count: int = 0

    def fresh(self) -> str:
        self.count += 1
        return f"_{self.count}"


Speller = Callable[[Tree, Names], Tree | Cannot]
Spellers = Mapping[type[exp.Expression], Speller]


def lowered(tree: Tree, spellers: Spellers) -> tuple[Tree, tuple[Unsayable, ...]]:
    """The dialect's tree; null stands for what it cannot say.

    Spellers let pieces stand in several places, so the whole is made once more, into a tree."""
    work = _Lowering(spellers)
    return parenthesised(work.lower(tree, None)), tuple(dict.fromkeys(work.unsayable))


@dataclass
class _Lowering:
    spellers: Spellers
    names: Names = field(default_factory=Names)
    unsayable: list[Unsayable] = field(default_factory=list)

    def lower(self, tree: Tree, where: Location | None) -> Tree:
        where = tree.meta_get("cell") or where
        tree = rewritten(tree)
        arguments = {key: self._argument(value, where) for key, value in tree.args.items()}
        made = type(tree)(**arguments)
        speller = self.spellers.get(type(tree))
        if not isinstance(tree, exp.DataType):  # a type is its own type: it would hold itself
            made.type = tree.type
        if isinstance(tree, exp.If):
            made.meta.update(tree.meta)
        return made if speller is None else self._spelled(speller, made, where)

    def _argument(self, value: object, where: Location | None) -> object:
        if isinstance(value, list):
            return [self._argument(item, where) for item in value]
        return self.lower(value, where) if isinstance(value, exp.Expression) else value

    def _spelled(self, speller: Speller, tree: Tree, where: Location | None) -> Tree:
        spelled = speller(tree, self.names)
        if isinstance(spelled, Cannot):
            self.unsayable.append(Unsayable(spelled.construct, where))
            spelled = exp.Null()
        if tree.type is not None and not isinstance(tree, exp.DataType):
            spelled.type = tree.type
        return spelled
