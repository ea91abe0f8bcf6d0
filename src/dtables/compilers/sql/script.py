"""All of a workbook's tables and asks in SQL, as one file: a select each, with its columns in front.

Of a whole workbook what is not supported is left out, and a warning; where nothing is left, or one table is
asked for by its name, it is an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dtables.compilers.sql.compile import SOURCE, Compiled, Dialect, SqlColumn, ask_to_sql, table_to_sql
from dtables.diagnostics import Diagnostic, Severity, in_order
from dtables.model.tables import Ask, Ruleset, Table
from dtables.provenance import quoted_sheet


@dataclass(frozen=True, slots=True)
class Script:
    """`compiled` and `omitted` name what could be compiled and what could not, in the workbook's order."""

    text: str
    compiled: tuple[str, ...]
    omitted: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


def to_script(ruleset: Ruleset, dialect: Dialect, source: str = SOURCE, keys: Sequence[str] = ()) -> Script:
    """Every table, and every ask that a log may ask for."""
    asks = [ask for ask in ruleset.asks if not ask.parameters]
    results: list[tuple[Table | Ask, Compiled]] = [
        *((table, table_to_sql(ruleset, table, dialect, source, keys)) for table in ruleset.tables),
        *((ask, ask_to_sql(ruleset, ask, dialect, source, keys)) for ask in asks),
    ]
    blocks = [statement(unit, one) for unit, one in results if one.sql is not None]
    found = dict.fromkeys(problem for _, one in results for problem in one.diagnostics)
    if blocks:
        found = {replace(problem, severity=Severity.WARNING): None for problem in found}
    return Script(
        "\n".join([_head(ruleset, dialect), *blocks]),
        tuple(unit.heading.name for unit, one in results if one.sql is not None),
        tuple(unit.heading.name for unit, one in results if one.sql is None),
        in_order(found, ruleset.sheets),
    )


def statement(unit: Table | Ask, compiled: Compiled) -> str:
    """A select with its name and cell, and what it reads and gives, in front of it."""
    assert compiled.sql is not None
    return "\n".join([*_comment(_title(unit), compiled), f"{compiled.sql};", ""])


def _title(unit: Table | Ask) -> str:
    cell = unit.heading.where.cell
    kind = "ask" if isinstance(unit, Ask) else "table"
    return f"{kind} {unit.heading.name}, {quoted_sheet(cell.sheet)}!{cell.address}"


def _head(ruleset: Ruleset, dialect: Dialect) -> str:
    title = f"The rules of {ruleset.name} for {dialect.value}, compiled from {ruleset.book}."
    return f"-- {_plain(title)} Edit the workbook, not this.\n"


def _comment(title: str, compiled: Compiled) -> Iterator[str]:
    yield f"-- {_plain(title)}"
    for word, columns in (("reads", compiled.inputs), ("gives", compiled.answers)):
        if columns:
            yield f"--   {word} {_plain(_listed(columns))}"


def _listed(columns: Sequence[SqlColumn]) -> str:
    return ", ".join(f"{column.name} {column.type}" for column in columns)


def _plain(text: str) -> str:
    """A comment ends with its line."""
    return " ".join(text.split())
