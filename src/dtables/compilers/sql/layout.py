"""A statement on lines: a column on a line of its own, what is only carried along side by side.

A column of some length is laid out as sqlglot does; constants, and one that is very long, are a line:
indented for every bracket it would be twice as long, and no easier to read.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from sqlglot import exp

WIDTH = 110
LONG = 2_000
INDENT = "  "
BRANCHING = (exp.Case, exp.Lambda, exp.Subquery)


def written(statement: exp.Expr, dialect: str) -> str:
    stages = statement.args.get("with_")
    ctes: list[exp.Expr] = stages.expressions if stages else []
    blocks = [f"{_name(cte, dialect)} AS (\n{_select(cte.this, dialect, INDENT)}\n)" for cte in ctes]
    start = f"WITH {', '.join(blocks)}\n" if blocks else ""
    return start + _select(statement, dialect, "")


def _name(cte: exp.Expr, dialect: str) -> str:
    return _flat(cte.args["alias"], dialect)


def _select(select: exp.Expr, dialect: str, indent: str) -> str:
    rest = {key: value for key, value in select.args.items() if key not in ("with_", "expressions")}
    tail = _flat(exp.Select(expressions=[exp.Star()], **rest), dialect).removeprefix("SELECT *").strip()
    columns = ",\n".join(_columns(select.expressions, dialect, indent + INDENT))
    return f"{indent}SELECT\n{columns}\n{indent}{tail}"


def _columns(columns: Sequence[exp.Expr], dialect: str, indent: str) -> Iterator[str]:
    for carried, together in groupby(columns, key=lambda column: isinstance(column, exp.Column)):
        if carried:
            yield from _filled([_flat(column, dialect) for column in together], indent)
        else:
            yield from (_column(column, dialect, indent) for column in together)


def _filled(names: Sequence[str], indent: str) -> Iterator[str]:
    line = indent + names[0]
    for name in names[1:]:
        if len(line) + len(name) > WIDTH:
            yield line
            line = indent + name
        else:
            line = f"{line}, {name}"
    yield line


def _column(column: exp.Expr, dialect: str, indent: str) -> str:
    flat = _flat(column, dialect)
    if not WIDTH < len(flat) <= LONG or "\n" in flat or column.find(*BRANCHING) is None:
        return indent + flat
    pretty = column.sql(dialect=dialect, identify=True, copy=False, pretty=True)
    return textwrap.indent(pretty, indent)


def _flat(tree: exp.Expr, dialect: str) -> str:
    return tree.sql(dialect=dialect, identify=True, copy=False)
