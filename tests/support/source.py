"""The modules of the toolkit as they are written: each is read and parsed once, for all house rules."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from dtables.collector import held_back

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "dtables"


@cache
def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(text(path))


@cache
def nodes(path: Path) -> list[ast.AST]:
    with held_back():
        return list(ast.walk(tree(path)))
