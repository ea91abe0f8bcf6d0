"""Parentheses: sqlglot writes a tree as it stands, whatever binds stronger. Those that were there go, those
that are needed come. And what can be said with fewer words: `IS NOT NULL`, `<>`, a CASE of one subject."""

from __future__ import annotations

from sqlglot import exp

from dtables.compilers.sql.dialects.shapes import Tree


def parenthesised(tree: Tree) -> Tree:
    """A tree of its own, without the types that only spellers need: sqlglot's copy would copy these too."""
    made = _bare(tree)
    for node in list(made.walk()):
        parent = node.parent
        if parent is not None and _needs_some(node, parent):
            around = exp.Paren()
            node.replace(around)
            around.set("this", node)
    return made


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
    """None where nothing says it in fewer words."""
    if isinstance(tree, exp.Is) and isinstance(tree.expression, exp.Null) and not tree.args.get("negate"):
        return exp.Is(this=_bare(tree.this), expression=exp.Null(), negate=True)
    if isinstance(tree, exp.EQ):
        return exp.NEQ(this=_bare(tree.this), expression=_bare(tree.expression))
    if isinstance(tree, exp.NullSafeEQ):
        return exp.NullSafeNEQ(this=_bare(tree.this), expression=_bare(tree.expression))
    return None


def _arm(arm: Tree) -> exp.If:
    """What it gives has the cell beside it that it comes from."""
    made = exp.If(this=_bare(arm.this), true=_bare(arm.args["true"]))
    cell = arm.meta_get("row")
    if cell is not None:
        made.args["true"].comments = [f" {cell} "]
    return made


def _choice(tree: Tree, arms: list[exp.If]) -> exp.Case:
    subject = _subject(arms)
    if subject is not None:
        for arm in arms:
            arm.set("this", arm.this.expression)
    default = tree.args.get("default")
    made = exp.Case(ifs=arms) if default is None else exp.Case(ifs=arms, default=_bare(default))
    if subject is not None:
        made.set("this", subject)
    return made


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
