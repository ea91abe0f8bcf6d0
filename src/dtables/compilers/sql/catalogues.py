"""Constants that are large stand once in a statement, as named columns of its first stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from dtables.compilers.sql.neutral import XCatalogue, XList, XLookup, XNamed, XNames, XRecord
from dtables.compilers.sql.plan import Plan, free
from dtables.compilers.sql.sizes import item_size, sized
from dtables.compilers.sql.terms import NULL, Tree, literal, typed
from dtables.compilers.sql.types import TEXT, WHOLE_NUMBER, list_of

FEW = 8
"""So many values are as soon written where they are read."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The value of each key; `type` is theirs."""

    name: str
    keys: tuple[Tree, ...]
    values: tuple[Tree, ...]
    type: exp.DataType

    @property
    def holds_records(self) -> bool:
        return all(isinstance(value, (XRecord, exp.Null)) for value in self.values)

    def of_field(self, name: str, type_: exp.DataType) -> Catalogue:
        """One field of the records alone."""
        values = tuple(_field(value, name) for value in self.values)
        return Catalogue(f"{self.name} {name}", self.keys, values, type_)


@dataclass(frozen=True, slots=True)
class CatalogueLookup(Catalogue):
    """A catalogue in which a key was looked up."""

    key: Tree


def _field(record: Tree, name: str) -> Tree:
    return next((pair.expression for pair in record.expressions if pair.this.name == name), NULL)


def catalogue_value(catalogue: Catalogue, key: Tree, plan: Plan) -> Tree:
    """Null for a key that is not there, so those of null need not stand in a small one."""
    pairs = zip(catalogue.keys, catalogue.values, strict=True)
    entries = [(known, value) for known, value in pairs if not isinstance(value, exp.Null)]
    if not entries or isinstance(key, exp.Null):
        return NULL
    if len(entries) <= FEW:
        lookup = XLookup(
            this=key, keys=[known for known, _ in entries], values=[value for _, value in entries]
        )
        return typed(lookup, catalogue.type)
    kind = list_of(catalogue.type)
    listed = typed(XCatalogue(expressions=list(catalogue.values)), kind)
    found = XNamed(
        this=plan.column(catalogue.name, listed, kind),
        expression=key,
        names=_names(catalogue, plan),
        size=literal(len(catalogue.keys)),
    )
    return sized(typed(found, catalogue.type), item_size(listed))


def _names(catalogue: Catalogue, plan: Plan) -> Tree:
    are_texts = all(isinstance(key, exp.Literal) and key.is_string for key in catalogue.keys)
    kind = list_of(TEXT if are_texts else WHOLE_NUMBER)
    names = typed(XNames(expressions=list(catalogue.keys)), kind)
    return plan.column(f"{catalogue.name} names", names, kind)


def catalogue_of(tree: Tree, plan: Plan) -> CatalogueLookup | None:
    """Where the tree is a value out of a catalogue."""
    match tree:
        case XNamed() if isinstance(tree.this, exp.Column) and tree.type is not None:
            values, keys = (plan.columns[tree.args[part].name].expressions for part in ("this", "names"))
            return CatalogueLookup(tree.this.name, tuple(keys), tuple(values), tree.type, tree.expression)
        case XLookup() if tree.type is not None:
            keys, values = tree.args["keys"], tree.args["values"]
            return CatalogueLookup("entry", tuple(keys), tuple(values), tree.type, tree.this)
        case _:
            return None


def constant_list(name: str, items: Sequence[Tree], kind: exp.DataType, plan: Plan) -> Tree:
    """A list, named where it is long and the same in every turn."""
    list_ = typed(XList(expressions=list(items)), kind)
    if len(items) <= FEW or not all(is_fixed(item, plan) for item in items):
        return list_
    return plan.column(name, list_, kind)


def is_fixed(tree: Tree, plan: Plan) -> bool:
    """The same in every turn: it reads no column but constants."""
    columns = tree.find_all(exp.Column)
    return not free(tree) and all(
        column.name in plan.columns and is_fixed(plan.columns[column.name], plan) for column in columns
    )
