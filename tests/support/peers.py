"""One small table for each finding of other verifiers, and what is said of it here.

A file of tests/verifier/peers holds whose finding it is, a blank line, the table, `----`, what is expected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

from dtables.diagnostics import in_order, render
from dtables.verifier import verify
from tests.support.drawing import book_text
from tests.support.rulesets import checked_book

FOLDER = Path(__file__).parents[1] / "verifier" / "peers"

INTRODUCTION = """The findings of the decision table analysis of Apache KIE, of dmn-check and of the Drools
verifier, each on a small table, and what `dtables check --notes` says of it. A line is a row of the sheet,
`|` goes to the next cell, in the first line of a table `;` does; the first table begins in A1, and
a blank line is a blank row."""
NOT_SAID = """Not said: that `first` and `rule order` are bad practice (KIE), and that two rows with the same
conditions give different things under `collect` (KIE): that is what these policies are for. That a
text's values cannot be listed is no reason to look for no gaps: all texts that no cell names are
one value."""


@dataclass(frozen=True, slots=True)
class Peer:
    name: str
    theirs: str
    table: str
    expected: str


def peers() -> tuple[Peer, ...]:
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.txt")))


def _read(path: Path) -> Peer:
    theirs, _, rest = path.read_text(encoding="utf-8").partition("\n\n")
    table, _, expected = rest.partition("\n----\n")
    return Peer(path.stem, theirs, table.strip("\n") + "\n", expected.strip("\n") + "\n")


def said(table: str) -> str:
    book, found = book_text(table)
    model, told = checked_book(book, found)
    proved = () if model is None else verify(model)
    return render(in_order((*told, *proved), book.sheets)).replace("book.xlsx!Sheet1!", "")


def peers_page() -> str:
    lines = [
        "# What other verifiers find",
        "",
        *fill(INTRODUCTION.replace("\n", " "), 110).split("\n"),
        "",
        *fill(NOT_SAID.replace("\n", " "), 110).split("\n"),
        "",
        "| theirs | here |",
        "| --- | --- |",
        *(f"| {p.theirs} | [{_codes(p.expected)}](#{p.name.replace('_', '-')}) |" for p in peers()),
        "",
    ]
    for peer in peers():
        lines += _section(peer)
    return "\n".join(lines)


def _codes(expected: str) -> str:
    found = [
        line.partition("[")[2].partition("]")[0] for line in expected.split("\n") if not line.startswith(" ")
    ]
    return ", ".join(dict.fromkeys(code for code in found if code))


def _section(peer: Peer) -> Iterator[str]:
    yield f"## {peer.name.replace('_', ' ')}"
    yield ""
    yield f"{peer.theirs}."
    yield ""
    yield f"```text\n{peer.table}```"
    yield ""
    yield f"```text\n{peer.expected}```"
    yield ""
