"""House rules that a reader would otherwise have to watch for."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.source import ROOT, modules, nodes, text, tree

SOURCES = modules()
LONGEST_FUNCTION = 60

GAME_WORDS = re.compile(
    r"pantheon|coloss(o|us)|terra.?mystica|concordia|architects|automa\b|papyrus|papiro|sphinx|sfinge"
    r"|sestert|mythology|divinity|7.?wonders|age.?of.?comics",
    re.IGNORECASE,
)
LEFT_OPEN = re.compile(r"\b(TODO|FIXME|XXX)\b|NotImplementedError|pragma: no cover|type: ignore|# noqa")
MACHINE_PATH = re.compile(r"(?<![\w.~])/(work|farm|root|home)/[A-Za-z]")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name(path)}:{number}: {line.strip()}"
        for path in SOURCES
        if pattern.search(text(path))
        for number, line in enumerate(text(path).splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_game_in_the_code() -> None:
    assert lines_with(GAME_WORDS) == []


def test_nothing_is_left_open() -> None:
    assert lines_with(LEFT_OPEN) == []


def test_functions_fit_the_eye() -> None:
    long = []
    for path in SOURCES:
        for node in nodes(path):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno is not None:
                length = node.end_lineno - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    long.append(f"{name(path)}:{node.lineno} {node.name}: {length} lines")
    assert long == []


def test_modules_say_what_they_are_for() -> None:
    """An opening sentence."""
    trees = {path: tree(path) for path in SOURCES}
    assert [name(path) for path, made in trees.items() if made.body and not ast.get_docstring(made)] == []


def test_no_machine_is_named() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    for file in listed.stdout.split():
        path = ROOT / file
        if path.suffix in (".py", ".md", ".toml", ".txt", ".json", ".jsonl") and path.is_file():
            found = MACHINE_PATH.search(path.read_text(encoding="utf-8"))
            assert not found or path == Path(__file__), f"{file}: {found and found.group()}"
