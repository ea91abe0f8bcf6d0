"""Parentheses: sqlglot writes a tree as it stands, whatever binds stronger. Those that were there go, those
that are needed come."""

from __future__ import annotations

from sqlglot import exp

Tree = exp.Expression


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
    if isinstance(tree, exp.Paren):
        return _bare(tree.this)
    return type(tree)(**{key: _bare_argument(value) for key, value in tree.args.items()})


def _bare_argument(value: object) -> object:
    if isinstance(value, list):
        return [_bare_argument(item) for item in value]
    return _bare(value) if isinstance(value, exp.Expression) else value


_COMPARISONS = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE),
    *(exp.NullSafeEQ, exp.NullSafeNEQ, exp.Is, exp.In),
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
