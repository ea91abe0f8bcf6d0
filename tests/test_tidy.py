"""House rules that a reader would otherwise have to watch for."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
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


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_no_game_in_the_code(path: Path) -> None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        assert not GAME_WORDS.search(line), f"{name(path)}:{number}: {line.strip()}"


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_nothing_is_left_open(path: Path) -> None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        assert not LEFT_OPEN.search(line), f"{name(path)}:{number}: {line.strip()}"


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_functions_fit_the_eye(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno is not None:
            length = node.end_lineno - node.lineno + 1
            assert length <= LONGEST_FUNCTION, f"{name(path)}:{node.lineno} {node.name}: {length} lines"


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_modules_say_what_they_are_for(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not tree.body or ast.get_docstring(tree), f"{name(path)} has no opening sentence"


def test_no_machine_is_named() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    for file in listed.stdout.split():
        path = ROOT / file
        if path.suffix in (".py", ".md", ".toml", ".txt", ".json", ".jsonl") and path.is_file():
            found = MACHINE_PATH.search(path.read_text(encoding="utf-8"))
            assert not found or path == Path(__file__), f"{file}: {found and found.group()}"
