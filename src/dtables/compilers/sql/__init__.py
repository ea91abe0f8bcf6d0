"""Rulesets as SQL: one neutral tree of sqlglot's nodes, lowered to a dialect."""

from __future__ import annotations

from dtables.compilers.sql.compile import (
    Compiled,
    Dialect,
    SqlColumn,
    ask_to_sql,
    table_to_sql,
    to_sql,
    unsupported,
)
from dtables.compilers.sql.script import Script, statement, to_script

__all__ = [
    "Compiled",
    "Dialect",
    "Script",
    "SqlColumn",
    "ask_to_sql",
    "statement",
    "table_to_sql",
    "to_script",
    "to_sql",
    "unsupported",
]
