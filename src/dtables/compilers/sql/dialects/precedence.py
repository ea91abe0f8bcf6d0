"""Parentheses: sqlglot writes a tree as it stands, whatever binds stronger."""

from __future__ import annotations

from sqlglot import exp

Tree = exp.Expression


def parenthesised(tree: Tree) -> Tree:
    """The same tree, its operators kept together; it is changed in place."""
    for node in list(tree.walk()):
        parent = node.parent
        if isinstance(node, _OPERATORS) and isinstance(parent, _AROUND) and not _is_chain(node, parent):
            around = exp.Paren()
            node.replace(around)
            around.set("this", node)
    return tree


_LOOSE = (exp.Dot, exp.PropertyEQ)
_OPERATORS = (exp.Binary, exp.Not, exp.Neg, exp.In, exp.Between)
_AROUND = (exp.Binary, exp.Not, exp.Neg, exp.In, exp.Between, exp.Bracket)


def _is_chain(node: exp.Expr, parent: exp.Expr) -> bool:
    """`a and b and c` needs none."""
    if isinstance(node, _LOOSE) or isinstance(parent, exp.PropertyEQ):
        return True
    return type(node) is type(parent) and isinstance(node, (exp.And, exp.Or, exp.DPipe))
