"""What SQL cannot say of a ruleset: one function per message."""

from __future__ import annotations

from dtables.compilers.sql.neutral import Unsupported
from dtables.diagnostics import Diagnostic, Severity
from dtables.feel.types import Type, describe
from dtables.provenance import Location

PROBLEMS = {
    "no-sql": "A construct that SQL, or the wanted dialect of it, cannot say exactly.",
    "no-such-table": "What is to be compiled is no table and no ask of the workbook.",
}


def unsupported(construct: str, where: Location) -> Diagnostic:
    """A construct that no dialect of SQL is written for, at its cell."""
    return Diagnostic(where, Severity.ERROR, "no-sql", f"{construct} cannot be said in SQL")


def unsupported_by(dialect: str, found: Unsupported, table: Location) -> Diagnostic:
    """A construct that this dialect lacks; without a cell of its own it is reported at `table`."""
    message = f"{found.construct} cannot be said in {DIALECTS[dialect]}"
    return Diagnostic(found.where or table, Severity.ERROR, "no-sql", message)


DIALECTS = {"duckdb": "DuckDB", "spark": "Spark", "postgres": "PostgreSQL"}


def no_such_table(name: str, where: Location) -> Diagnostic:
    """What is to be compiled is called like no table and no ask."""
    message = f"`{name}` is no table and no ask of this workbook"
    return Diagnostic(where, Severity.ERROR, "no-such-table", message)


def a_value_of(type_: Type) -> str:
    """Return how a construct is called that is only a value of a type without columns."""
    return f"a value of type {describe(type_)}"
