"""The pages of docs/ that are made from the code and the workbooks: `make docs` writes them, a test
says that they are fresh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from dtables import cli
from dtables.checker import messages
from dtables.checker import messages as expression_problems
from dtables.compilers.sql import messages as sql_problems
from dtables.evaluator import Evaluator
from dtables.explanations.render import render
from dtables.feel.builtins import builtins_page
from dtables.feel.syntax import messages as feel_problems
from dtables.pages import messages as printing_problems
from dtables.pages.manual import manual, manual_name
from dtables.ruleset import load
from dtables.spreadsheet import messages as file_messages
from dtables.verifier import messages as verifier_problems
from dtables.versions import wordings as version_problems
from dtables.workbook import messages as workbook_problems
from dtables.workbook.kinds import EVERYWHERE, KINDS
from dtables.workbook.language import ClosedWord, Kind, OtherRoles, PropertySpec, Role, spelled
from tests.support.peers import peers_page
from tests.support.rulesets import ruleset

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BOOKS = sorted((ROOT / "tables").glob("*.xlsx"))
LANGUAGES = ("en", "it")
ATTEMPTS = Path(__file__).parent.parent / "cases" / "attempts" / "book.txt"
KIND_EXAMPLES = Path(__file__).with_name("kind_examples.txt")


def manuals(book: Path) -> dict[Path, str]:
    """A workbook's pages, by their files."""
    model = load(book).model
    return {DOCS / "games" / manual_name(model, language): manual(model, language) for language in LANGUAGES}


def main() -> None:
    made = {DOCS / name: page() for name, page in PAGES.items()}
    for book in BOOKS:
        made |= manuals(book)
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


# -- the command line --------------------------------------------------------------------------


def cli_page() -> str:
    lines = [
        "# Commands",
        "",
        "Exit 0: fine; 1: the workbook or the log has errors; 2: misuse; 130: interrupted.",
        "",
        "As a log `-` is the standard input, as an output the standard output; a workbook is a file. A file that is",
        "written appears under its name when it is whole, and never replaces the workbook, the log or another output. A",
        "device or a pipe is written to.",
        "",
    ]
    main = click.Context(cli.main, info_name="dtables", **cli.main.context_settings)
    for name in sorted(cli.main.commands):
        command = cli.main.commands[name]
        context = click.Context(command, parent=main, info_name=name, max_content_width=100)
        lines += [f"## {name}", "", "```text", command.get_help(context).strip(), "```", ""]
    return "\n".join(lines)


# -- problems ----------------------------------------------------------------------------------


def problems_page() -> str:
    stages = (
        ("Reading a workbook", (*workbook_problems.PROBLEMS, *file_messages.PROBLEMS)),
        ("The text of an expression", feel_problems.PROBLEMS),
        ("Names and types in expressions", expression_problems.EXPRESSION_CODES),
        ("Names, types, records and data", messages.TABLE_CODES),
        ("Formulas, decisions, matrices and dice", messages.FUNCTION_CODES),
        ("Scales", messages.SCALE_CODES),
        ("Asks, checks and examples", messages.TURN_CODES),
        ("Printed pages", printing_problems.PROBLEMS),
        ("What is proved of tables", verifier_problems.PROBLEMS),
        ("Two versions of a workbook", version_problems.PROBLEMS),
        ("Rules as SQL (`dtables compile --to sql`)", sql_problems.PROBLEMS),
    )
    lines = ["# What `dtables check` may say", ""]
    for title, table in stages:
        lines += [f"## {title}", "", "| code | meaning |", "| --- | --- |"]
        lines += [f"| `{code}` | {_cell(doc)} |" for code, doc in _items(table)]
        lines.append("")
    return "\n".join(lines)


def _items(table: Any) -> Iterable[tuple[str, str]]:
    return sorted(table.items() if isinstance(table, Mapping) else table)


# -- kinds of tables ---------------------------------------------------------------------------


def tables_page() -> str:
    lines = [
        "# Kinds of tables",
        "",
        "A table begins with a marker: a kind, a colon and a name in one cell (`Scale: choice`). Properties",
        "(`policy: first`) stand in the cells right of it, or one in a row under it. Then a row of roles, in",
        "kinds that say so a row of column names, then the rows; a blank row ends it. Every word is given in",
        "English and in Italian; both are understood everywhere, but for types and the expression language, which",
        "are English alone: `number`, `whole number`, `text`, `boolean`, `date`, `time`, `date and time`, a vocabulary,",
        "a record, `list of T`, `T by V` (a value for each name of V, read as `m(name)`, null where there is none), and",
        "`T?` where null may be. A blank cell of data is null, or an empty list.",
        "",
        "The examples below are one small workbook; in them a line is a row and `|` goes to the next cell, and in the",
        'first line `;` does. A date in a cell of expressions is written `@"2026-11-02"`.',
        "",
        "Every kind may have these properties:",
        "",
        *_properties(EVERYWHERE),
    ]
    for kind in KINDS:
        lines += ["", *_kind(kind)]
    return "\n".join(lines) + "\n"


def _kind(kind: Kind) -> Iterator[str]:
    yield f"## {kind.en[0]} · {kind.it[0]}"
    yield ""
    yield f"{kind.doc_en[0].upper()}{kind.doc_en[1:]}. Names: {kind.names.value}."
    yield ""
    yield "| role | ruolo | meaning | its cells hold |"
    yield "| --- | --- | --- | --- |"
    for role in kind.roles:
        yield f"| `{role.en[0]}` | `{role.it[0]}` | {_cell(_meaning(role))} | {_cell(role.holds.value)} |"
    if kind.other_roles is not OtherRoles.REFUSED:
        yield ""
        yield f"A role cell may also hold {kind.other_roles.value}."
    if kind.properties:
        yield ""
        yield from _properties(kind.properties)
    yield from _examples(kind)
    if kind.name == "turn":
        yield from _first_that_works()


FIRST_THAT_WORKS = """
A step without `then` is for people: it is printed and never run, and its conditions may read the state and the
settings. A turn without a column `then` has no row of names and cannot be called.

### The first that works

Steps with an outcome are tried in order. A step works if its conditions hold and its first outcome is not null. The
table returns what the first step that works gives, several outcomes as a context. If no step works it returns
`otherwise`, or else null: `check` reports in which cases, as a note.

Conditions, outcomes and `otherwise` may read `tried`: the names of the steps tried before. In a table with a
column `each`, `tried` lists items instead. A step with a list under `each` tries its items one by one and works with
the first item that suits; `item` is the one it tries. Conditions that read neither are tested once, before
the items. Whatever stands before counts as tried, even if a condition ruled it out.

A solo mode's errands, in the order of the card, with those tried before:

```text
{table}
```

With the card `storm` (build, buy, fish), 1 coin and 3 fish, `explain` gives each failed errand its reason from
`failed`, or, without one, the condition that failed:

```text
{reason}
```
"""


def _first_that_works() -> Iterator[str]:
    text = ATTEMPTS.read_text(encoding="utf-8")
    table = next(one for one in text.split("\n\n") if one.startswith("Attempts: errand"))
    explained = Evaluator(ruleset(text)).explain_table(
        "errand", {"card": "storm", "coins": 1, "fish left": 3}
    )
    reason = "\n".join(line.rstrip() for line in render(explained, "en").splitlines()[2:])
    yield FIRST_THAT_WORKS.format(table=table, reason=reason).rstrip("\n")


def _examples(kind: Kind) -> Iterator[str]:
    """The tables of this kind in one small workbook, as they are typed; a test checks and runs it."""
    for text in KIND_EXAMPLES.read_text(encoding="utf-8").split("\n\n"):
        if spelled([kind], text.split(":", 1)[0]):
            yield from ("", "```text", text.rstrip("\n"), "```")


def _meaning(role: Role) -> str:
    words = ", ".join(map(_closed, role.words))
    language = "; may be followed by a language (`it`, `en`)" if role.languages else ""
    return role.doc_en + language + (f": {words}" if words else "")


def _closed(word: ClosedWord) -> str:
    """Some words are the same in both languages, or are written one way only."""
    either = (*word.en, *word.it)[0]
    italian = word.it[0] if word.it else either
    return f"`{either}`" if italian == either else f"`{either}` ({italian})"


def _properties(properties: tuple[PropertySpec, ...]) -> Iterator[str]:
    yield "| property | proprietà | meaning |"
    yield "| --- | --- | --- |"
    for spec in properties:
        words = ", ".join(map(_closed, spec.words))
        meaning = spec.doc_en + (f": {words}" if words else "")
        yield f"| `{spec.en[0]}` | `{spec.it[0]}` | {_cell(meaning)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


PAGES: dict[str, Callable[[], str]] = {
    "builtins.md": builtins_page,
    "cli.md": cli_page,
    "peers.md": peers_page,
    "problems.md": problems_page,
    "tables.md": tables_page,
}
"""The pages that are made from the code alone."""


if __name__ == "__main__":
    main()
