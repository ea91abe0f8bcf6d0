"""What the rules of the games compile to, function by function and statement by statement: a mark each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dtables
from tests.frozen.keeping import hold_text, looked_at, marked
from tests.frozen.turns import run
from tests.games.games import DUEL, GAMES
from tests.games.harness import Game
from tests.support.golden import WRITE
from tests.support.thinned import is_full

FOLDER = Path(__file__).parent / "rules"
DIALECTS = ("duckdb", "spark", "postgres")
SMALL = tuple(game for game in GAMES if game is not DUEL)
SQL = [(game, dialect) for dialect in DIALECTS for game in SMALL]
STATEMENT = re.compile(r"\n\n(?=-- (?:table|ask) )")


WHOLE = WRITE or is_full()
CHANGING = "VERSION = "
"""Of the workbook's content: another one with each of its cells."""


@pytest.fixture(scope="module", autouse=True)
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A workbook is read once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DTABLES_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def named(value: object) -> str:
    return value.name if isinstance(value, Game) else str(value)


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_python(game: Game, tmp_path: Path) -> None:
    """With the cells in its comments; what it imports aside, and which versions it is made by and of."""
    out = tmp_path / "rules.py"
    run("compile", game.book, "-o", out)
    source = out.read_text(encoding="utf-8").replace(repr(dtables.__version__), "'any'")
    hold_text(FOLDER / f"{game.name}.py.txt", "\n".join(functions(source)))


def functions(source: str) -> Iterator[str]:
    """What stands before one belongs to it."""
    lines, start = source.splitlines(), 0
    for node in ast.parse(source).body:
        end = node.end_lineno or 0
        if not isinstance(node, ast.Import | ast.ImportFrom) and not heading(node).startswith(CHANGING):
            yield marked(heading(node), lines[start:end])
        start = end


def heading(node: ast.stmt) -> str:
    return ast.unparse(node).lstrip("\n").splitlines()[0][:80]


@pytest.mark.parametrize(("game", "dialect"), looked_at(SQL), ids=named)
def test_sql(game: Game, dialect: str, tmp_path: Path) -> None:
    hold_sql(game, dialect, in_sql(game, dialect, tmp_path))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.skipif(not WHOLE, reason="it takes long")
def test_sql_of_duel(dialect: str, tmp_path: Path) -> None:
    """All of it for DuckDB; for others the main ask, which calls most of the tables."""
    words = () if dialect == DIALECTS[0] else ("--ask", DUEL.rules.main_ask or "")
    hold_sql(DUEL, dialect, in_sql(DUEL, dialect, tmp_path, *words))


def hold_sql(game: Game, dialect: str, lines: list[str]) -> None:
    hold_text(FOLDER / f"{game.name}.{dialect}.txt", "\n".join(lines))


def in_sql(game: Game, dialect: str, folder: Path, *words: str) -> list[str]:
    """A mark for each statement, and what the command prints."""
    out = folder / "rules.sql"
    printed = run("compile", game.book, "-o", out, "--to", "sql", "--dialect", dialect, *words)
    statements = STATEMENT.split(out.read_text(encoding="utf-8"))
    marks = [marked(one.splitlines()[0], one.splitlines()) for one in statements]
    return [*marks, *printed.replace(str(out), out.name).splitlines()]
