"""Compiled rules on a machine that has Python and dtables, and no other library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dtables

ROOT = Path(__file__).parents[2]
GAMES = ("architects", "comics", "concordia", "duel", "terra_mystica")
ANSWERS = """
import json, sys
import rules
from importlib.util import find_spec
assert find_spec("msgspec") is None and find_spec("pytest") is None
for line in open(sys.argv[1], encoding="utf-8"):
    record = json.loads(line)
    try:
        print(json.dumps(rules.answer(record.get("ask"), record["state"]), default=str))
    except (ValueError, RuntimeError) as error:
        print(type(error).__name__, error)
"""
LOG = """
import sys
from dtables.answers.chunks import settle_alone
from dtables.answers.engines import CompiledEngine
from dtables.logs.jsonlines import JsonChunk
import rules
asks = tuple((name, tuple(rules.PLAYED[name])) for name in rules.ASKS)
engine = CompiledEngine("rules", "1", open("rules.py", encoding="utf-8").read(), asks)
assert engine.quick is None or len(sys.argv) > 2
settled = settle_alone(engine, JsonChunk(None, 1, open(sys.argv[1], "rb").read()))
print(settled.answers.decode(), settled.rejects.decode())
"""


@pytest.mark.parametrize("game", GAMES)
def test_a_module_needs_nothing_from_outside(game: str, tmp_path: Path) -> None:
    rules = dtables.load(ROOT / "tables" / f"{game}.xlsx")
    log = ROOT / "tables" / f"{game}.sample.jsonl"
    (tmp_path / "rules.py").write_text(rules.source, encoding="utf-8")
    lines = alone(ANSWERS, tmp_path, log).splitlines()
    records = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert lines == [answered(rules, record) for record in records]


@pytest.mark.parametrize("game", GAMES[:1])
def test_a_log_is_answered_without_the_quick_reader(game: str, tmp_path: Path) -> None:
    rules = dtables.load(ROOT / "tables" / f"{game}.xlsx")
    (tmp_path / "rules.py").write_text(rules.source, encoding="utf-8")
    log = ROOT / "tables" / f"{game}.sample.jsonl"
    with_all = ran([sys.executable, "-c", LOG, str(log), "quickly"], tmp_path)
    assert alone(LOG, tmp_path, log) == with_all


def answered(rules: dtables.Ruleset, record: dict[str, Any]) -> str:
    try:
        return json.dumps(rules.answer(record.get("ask"), record["state"]), default=str)
    except (ValueError, RuntimeError) as error:
        return f"{type(error).__name__} {error}"


def alone(program: str, folder: Path, log: Path) -> str:
    """Without the folder in which libraries are installed."""
    return ran([sys.executable, "-S", "-c", program, str(log)], folder)


def ran(command: list[str], folder: Path) -> str:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
