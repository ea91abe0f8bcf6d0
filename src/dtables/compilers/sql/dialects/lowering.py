"""From a neutral tree to one dialect's: every operation is replaced according to the dialect's table.

From the leaves up: a speller sees operands that are spelled already and still know their neutral types.
The tree that is given is never changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from dtables.compilers.sql.dialects.shapes import Tree, is_whole, shape_of
from dtables.compilers.sql.neutral import TWO, Operation, Unsupported, XCeiling, XDivide, XFloor
from dtables.compilers.sql.sizes import inverse
from dtables.provenance import Location


@dataclass(frozen=True, slots=True)
class Cannot:
    """The dialect has no exact spelling of the construct."""

    construct: str


@dataclass(slots=True)
class FreshNames:
    """Names of variables that nothing else in the statement has."""

    count: int = 0

    def fresh(self) -> str:
        self.count += 1
        return f"_{self.count}"


Speller = Callable[[Tree, FreshNames], Tree | Cannot]
Spellers = Mapping[type[exp.Expression], Speller]


def lowered(tree: Tree, spellers: Spellers) -> tuple[Tree, tuple[Unsupported, ...]]:
    """The dialect's tree; null stands for what it does not support.

    Spellers let pieces stand in several places, so the whole is made once more, into a tree."""
    work = _Lowering(spellers)
    return parenthesised(work.lower(tree, None)), tuple(dict.fromkeys(work.unsupported))


@dataclass
class _Lowering:
    spellers: Spellers
    names: FreshNames = field(default_factory=FreshNames)
    unsupported: list[Unsupported] = field(default_factory=list)

    def lower(self, tree: Tree, where: Location | None) -> Tree:
        where = tree.meta_get("cell") or where
        tree = rewritten(tree)
        arguments = {key: self._argument(value, where) for key, value in tree.args.items()}
        result = type(tree)(**arguments)
        speller = self.spellers.get(type(tree))
        if not isinstance(tree, exp.DataType):  # a type is its own type: it would hold itself
            result.type = tree.type
        if isinstance(tree, exp.If):
            result.meta.update(tree.meta)
        return result if speller is None else self._spelled(speller, result, where)

    def _argument(self, value: object, where: Location | None) -> object:
        if isinstance(value, list):
            return [self._argument(item, where) for item in value]
        return self.lower(value, where) if isinstance(value, exp.Expression) else value

    def _spelled(self, speller: Speller, tree: Tree, where: Location | None) -> Tree:
        spelled = speller(tree, self.names)
        if isinstance(spelled, Cannot):
            self.unsupported.append(Unsupported(spelled.construct, where))
            spelled = exp.Null()
        if tree.type is not None and not isinstance(tree, exp.DataType):
            spelled.type = tree.type
        return spelled


# -- rewriting -----------------------------------------------------------------------------------
# What is simplified before a dialect spells it: division where it has an exact answer (by 2, 4, 5, 10,
# 100 …, and of whole numbers that are rounded).


class WholeQuotient(Operation):
    """The greatest whole number not above `this` divided by `expression`, two whole numbers."""

    arg_types = TWO


def rewritten(tree: Tree) -> Tree:
    """The same value, in a form that more dialects can spell; the tree itself where nothing is to do."""
    match tree:
        case XFloor() if isinstance(inner := tree.this.unnest(), XDivide) and _of_wholes(inner):
            return _quotient(inner.this, inner.expression)
        case XCeiling() if isinstance(inner := tree.this.unnest(), XDivide) and _of_wholes(inner):
            return exp.Neg(this=_quotient(exp.Neg(this=inner.this), inner.expression))
        case XDivide():
            return _times_inverse(tree)
        case _:
            return tree


def _of_wholes(division: Tree) -> bool:
    return is_whole(shape_of(division.this)) and is_whole(shape_of(division.expression))


def _quotient(dividend: Tree, divisor: Tree) -> Tree:
    quotient = WholeQuotient(this=dividend, expression=divisor)
    quotient.type = exp.DataType(this=exp.DType.BIGINT)
    return quotient


def _times_inverse(division: Tree) -> Tree:
    """`x / 100` is `x * 0.01`: exact, where the inverse has an end."""
    factor = inverse(division.expression)
    if factor is None:
        return division
    product = exp.Mul(this=division.this, expression=exp.Literal.number(format(factor, "f")))
    product.type = division.type
    return product


# -- precedence ----------------------------------------------------------------------------------
# Parentheses: sqlglot writes a tree as it stands, whatever binds stronger. Those that were there go, those
# that are needed come. And what can be written with fewer words: `IS NOT NULL`, `<>`, a CASE of one subject.


def parenthesised(tree: Tree) -> Tree:
    """A tree of its own, without the types that only spellers need: sqlglot's copy would copy these too."""
    bare = _bare(tree)
    for node in list(bare.walk()):
        parent = node.parent
        if parent is not None and _needs_some(node, parent):
            around = exp.Paren()
            node.replace(around)
            around.set("this", node)
    return bare


def _bare(tree: Tree) -> Tree:
    match tree:
        case exp.Paren():
            return _bare(tree.this)
        case exp.Not():
            return _opposite(tree.this.unnest()) or exp.Not(this=_bare(tree.this))
        case exp.Case():
            return _choice(tree, [_arm(arm) for arm in tree.args["ifs"]])
        case _:
            return type(tree)(**{key: _bare_argument(value) for key, value in tree.args.items()})


def _opposite(tree: Tree) -> Tree | None:
    """None where there is no shorter form."""
    if isinstance(tree, exp.Is) and isinstance(tree.expression, exp.Null) and not tree.args.get("negate"):
        return exp.Is(this=_bare(tree.this), expression=exp.Null(), negate=True)
    if isinstance(tree, exp.EQ):
        return exp.NEQ(this=_bare(tree.this), expression=_bare(tree.expression))
    if isinstance(tree, exp.NullSafeEQ):
        return exp.NullSafeNEQ(this=_bare(tree.this), expression=_bare(tree.expression))
    return None


def _arm(arm: Tree) -> exp.If:
    """What it gives has the cell beside it that it comes from."""
    result = exp.If(this=_bare(arm.this), true=_bare(arm.args["true"]))
    cell = arm.meta_get("row")
    if cell is not None:
        result.args["true"].comments = [f" {cell} "]
    return result


def _choice(tree: Tree, arms: list[exp.If]) -> exp.Case:
    subject = _subject(arms)
    if subject is not None:
        for arm in arms:
            arm.set("this", arm.this.expression)
    default = tree.args.get("default")
    choice = exp.Case(ifs=arms) if default is None else exp.Case(ifs=arms, default=_bare(default))
    if subject is not None:
        choice.set("this", subject)
    return choice


def _subject(arms: list[exp.If]) -> Tree | None:
    """The column that each of several arms compares with a text or a whole number."""
    tests = [arm.this for arm in arms]
    alike = len(tests) > 1 and all(
        isinstance(test, exp.EQ) and _is_key(test.expression) and test.this == tests[0].this for test in tests
    )
    return tests[0].this if alike and isinstance(tests[0].this, exp.Column) else None


def _is_key(tree: Tree) -> bool:
    return isinstance(tree, exp.Literal) and (tree.is_string or tree.is_int)


def _bare_argument(value: object) -> object:
    if isinstance(value, list):
        return [_bare_argument(item) for item in value]
    return _bare(value) if isinstance(value, exp.Expression) else value


_COMPARISONS = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE),
    *(exp.NullSafeEQ, exp.NullSafeNEQ, exp.Is, exp.In, exp.Between, exp.Like),
)
_OPERATORS = (exp.Binary, exp.Not, exp.Neg, exp.In)
_LOOSE = (exp.Dot, exp.PropertyEQ)


def _needs_some(node: exp.Expr, parent: exp.Expr) -> bool:
    """A record whose field is read has them always, so that no column is taken for a table."""
    if isinstance(parent, exp.Dot):
        return node is parent.this
    if not isinstance(node, _OPERATORS) or isinstance(node, _LOOSE):
        return False
    if isinstance(parent, (exp.And, exp.Or, exp.Not)) and isinstance(node, _COMPARISONS):
        return False
    if type(node) is type(parent) and isinstance(node, (exp.And, exp.Or, exp.DPipe)):
        return False
    return isinstance(parent, _OPERATORS) and not isinstance(parent, _LOOSE)
