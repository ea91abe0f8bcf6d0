"""`dtables compile`: a workbook's rules as a Python module or as SQL."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dtables.cli.options import BOOK, ERRORS, FILE, distinct, load_book, say, show
from dtables.diagnostics import Diagnostic, render

if TYPE_CHECKING:
    from dtables.model.tables import Ask, Table
    from dtables.model.tables import Ruleset as Model


@dataclass(frozen=True, slots=True)
class CompileRequest:
    """What of a workbook as SQL: one table, one ask, or (neither) all of it."""

    dialect: str
    source: str
    keys: tuple[str, ...]
    table: str | None
    ask: str | None


@click.command("compile")
@click.argument("workbook", metavar="BOOK", type=BOOK)
@click.option("-o", "--output", metavar="FILE", required=True,
              type=FILE, help="Where the code goes.")  # fmt: skip
@click.option("--to", "target", type=click.Choice(["python", "sql"]), default="python", show_default=True)
@click.option("--dialect", type=click.Choice(["duckdb", "spark", "postgres"]),
              help="Of SQL.  [default: duckdb]")  # fmt: skip
@click.option("--table", metavar="NAME", help="Of SQL: this table alone.")
@click.option("--ask", metavar="NAME", help="Of SQL: this ask alone.")
@click.option("--from", "source", metavar="NAME",
              help="Of SQL: the relation whose columns are the fields.  [default: turns]")  # fmt: skip
@click.option(
    "--key", "keys", metavar="NAME", multiple=True, help="Of SQL: a column that is carried through."
)
def compile_book(
    workbook: Path,
    output: Path,
    target: str,
    dialect: str | None,
    table: str | None,
    ask: str | None,
    source: str | None,
    keys: tuple[str, ...],
) -> None:
    """Write the rules as code that runs without the workbook: a Python module, or SQL.

    As SQL every table and ask is a select. What SQL cannot say is reported with its cell: an error where it
    was asked for by name, or where nothing else is left; else a warning, and left out."""
    if target == "python" and (dialect or table or ask or source or keys):
        raise click.UsageError("--dialect, --table, --ask, --from and --key want --to sql")
    distinct({"the code": output}, (workbook,))
    if table and ask:
        raise click.UsageError("either --table or --ask")
    rules = load_book(workbook)
    if target == "sql":
        text = _sql(rules.model, CompileRequest(dialect or "duckdb", source or "turns", keys, table, ask))
    else:
        text = rules.source
    _write(output, text)
    say(f"{output}: {len(text.splitlines())} lines of {target}", err=True)


def _write(output: Path, text: str) -> None:
    from dtables.files import whole_text

    with whole_text(output) as file:
        file.write(text)


def _sql(model: Model, request: CompileRequest) -> str:
    from dtables.compilers.sql import Dialect, to_script

    if request.table or request.ask:
        return _one(model, request)
    script = to_script(model, Dialect(request.dialect), request.source, request.keys)
    _report(script.diagnostics)
    if script.omitted:
        of_all = f"{len(script.omitted)} of {len(script.compiled) + len(script.omitted)} tables and asks"
        say(f"left out: {of_all}: {', '.join(script.omitted)}", err=True)
    if script.omitted and not script.compiled:
        sys.exit(ERRORS)
    return script.text


def _one(model: Model, request: CompileRequest) -> str:
    """One that cannot be said is no file at all."""
    from dtables.compilers.sql import Dialect, ask_to_sql, statement, table_to_sql
    from dtables.model.index import Index

    dialect = Dialect(request.dialect)
    index = Index(model)
    tables, asks = index.tables, index.asks
    definition: Table | Ask
    if request.table and request.table in tables:
        definition = tables[request.table]
        compiled = table_to_sql(model, definition, dialect, request.source, request.keys)
    elif request.ask and request.ask in asks:
        definition = asks[request.ask]
        compiled = ask_to_sql(model, definition, dialect, request.source, request.keys)
    else:
        kind, name, known = ("table", request.table, tables) if request.table else ("ask", request.ask, asks)
        raise click.ClickException(f"{model.book} has no {kind} `{name}`{_near(name or '', known)}")
    if compiled.sql is None:
        _report(compiled.diagnostics)
        sys.exit(ERRORS)
    return statement(definition, compiled)


def _near(name: str, known: Iterable[str]) -> str:
    from dtables.checker.messages import did_you_mean

    hint = did_you_mean(name, known)
    return f"; {hint}" if hint else ""


def _report(diagnostics: tuple[Diagnostic, ...]) -> None:
    show(render(diagnostics), err=True)
