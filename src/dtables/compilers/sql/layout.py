"""A statement on lines: a column on a line of its own, what is only carried along side by side.

A column of some length is laid out, a row of a decision on a line; constants, and one that is very long, are
a line: indented for every bracket it would be twice as long, and no easier to read.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Writer
from sqlglot.generator import Generator

WIDTH = 110
SHORT = 90
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
    pretty = _writer(dialect).generate(column, copy=False)
    return textwrap.indent(pretty, indent)


class _Lines:
    """A row of a decision is a line, and what is short is not torn apart."""

    def case_sql(self: Any, expression: exp.Case) -> str:
        start = " ".join(["CASE", *filter(None, [self.sql(expression, "this")])])
        arms = [(self.sql(arm, "this"), self.sql(arm, "true")) for arm in expression.args["ifs"]]
        parts = [_arm(condition, value) for condition, value in arms]
        default = self.sql(expression, "default")
        parts += [f"ELSE {default}"] if default else []
        together = " ".join([start, *parts, "END"])
        if len(together) <= SHORT and "\n" not in together:
            return together
        lines = "\n".join([start, *parts, "END"])
        return str(self.indent(lines, skip_first=True, skip_last=True))

    def paren_sql(self: Any, expression: exp.Paren) -> str:
        inside = self.sql(expression, "this")
        return f"({inside})" if "\n" not in inside else f"(\n{self.indent(inside)}\n)"


def _arm(condition: str, value: str) -> str:
    first_line = value.partition("\n")[0]
    if "\n" in condition or len(condition) + len(first_line) > WIDTH:
        return f"WHEN {condition}\nTHEN {value}"
    return f"WHEN {condition} THEN {value}"


@cache
def _writer(dialect: str) -> Generator:
    known = Writer.get_or_raise(dialect)
    lines = type("Lines", (_Lines, known.generator_class), {})
    made: Generator = lines(dialect=known, identify=True, pretty=True, max_text_width=SHORT)
    return made


def _flat(tree: exp.Expr, dialect: str) -> str:
    return tree.sql(dialect=dialect, identify=True, copy=False)
