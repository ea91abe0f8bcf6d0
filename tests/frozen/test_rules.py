"""What the rules of the games compile to, function by function and statement by statement: a mark each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from tests.frozen.keeping import hold_text, looked_at
from tests.frozen.turns import run
from tests.games.games import GAMES, TERRA_MYSTICA
from tests.games.harness import Game

FOLDER = Path(__file__).parent / "rules"
DIALECTS = ("duckdb", "spark", "postgres")
SQL = [(game, dialect) for game in (TERRA_MYSTICA,) for dialect in DIALECTS]
"""A small one: of others it takes long."""
STATEMENT = re.compile(r"\n\n(?=-- (?:table|ask) )")


def named(value: object) -> str:
    return value.name if isinstance(value, Game) else str(value)


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_python(game: Game, tmp_path: Path) -> None:
    """With the cells in its comments; what it imports aside."""
    out = tmp_path / "rules.py"
    run("compile", game.book, "-o", out)
    hold_text(FOLDER / f"{game.name}.py.txt", "\n".join(functions(out.read_text(encoding="utf-8"))))


def functions(source: str) -> Iterator[str]:
    """What stands before one belongs to it."""
    lines, start = source.splitlines(), 0
    for node in ast.parse(source).body:
        end = node.end_lineno or 0
        if not isinstance(node, ast.Import | ast.ImportFrom):
            yield marked(heading(node), lines[start:end])
        start = end


def heading(node: ast.stmt) -> str:
    return ast.unparse(node).lstrip("\n").splitlines()[0][:80]


def marked(name: str, lines: list[str]) -> str:
    mark = sha256("\n".join(lines).encode()).hexdigest()[:10]
    return f"{mark} {len(lines):4} {name}"


@pytest.mark.parametrize(("game", "dialect"), looked_at(SQL), ids=named)
def test_sql(game: Game, dialect: str, tmp_path: Path) -> None:
    out = tmp_path / "rules.sql"
    told = run("compile", game.book, "-o", out, "--to", "sql", "--dialect", dialect)
    statements = STATEMENT.split(out.read_text(encoding="utf-8"))
    lines = [marked(one.splitlines()[0], one.splitlines()) for one in statements]
    hold_text(FOLDER / f"{game.name}.{dialect}.txt", "\n".join([*lines, told.replace(str(out), out.name)]))
