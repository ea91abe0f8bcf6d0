"""Long work shows how far it is on a terminal, and nothing elsewhere."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

TABLES = Path(__file__).parents[2] / "tables"
COMMAND = [sys.executable, "-m", "dtables", "eval", str(TABLES / "architects.xlsx")]
TERMINAL = os.environ | {
    "TERM": "xterm-256color",
    "COLUMNS": "120",
    "LINES": "24",
    "PYTHONWARNINGS": "ignore",
}


def long_log(folder: Path) -> Path:
    """Some pieces of a megabyte."""
    record = json.loads((TABLES / "architects.sample.jsonl").read_text(encoding="utf-8").splitlines()[0])
    path = folder / "log.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for turn in range(9000):
            file.write(json.dumps(record | {"turn": turn}) + "\n")
    assert path.stat().st_size > 3 * 1000 * 1000
    return path


def on_a_terminal(command: list[str]) -> tuple[int, str]:
    """Its exit code, and what it wrote to the terminal that is its standard error."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=TERMINAL) as running:
        os.close(theirs)
        told = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                piece = b""
            if not piece:
                break
            told += piece
    os.close(ours)
    return running.returncode, told.decode()


def test_a_terminal_sees_rate_and_time_left(tmp_path: Path) -> None:
    log = long_log(tmp_path)
    code, told = on_a_terminal([*COMMAND, str(log), "-o", str(tmp_path / "out.jsonl"), "--processes", "1"])
    assert code == 0
    seen = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", told)
    rates = [(int(n), int(rate)) for n, rate in re.findall(r"(\d+) records, (\d+)/s", seen)]
    assert any(0 < n < 9000 and rate > 0 for n, rate in rates)
    assert re.search(r"/s 0:\d\d:\d\d 0:\d\d:\d\d", seen), "time gone and time left"
    assert seen.rstrip().endswith("9000 records: 9000 answered, 0 rejected")


def test_a_pipe_sees_nothing_of_it(tmp_path: Path) -> None:
    log = long_log(tmp_path)
    command = [*COMMAND, str(log), "-o", str(tmp_path / "out.jsonl"), "--processes", "1"]
    done = subprocess.run(command, capture_output=True, text=True, env=TERMINAL, check=True)
    assert done.stdout == ""
    engine, counts = done.stderr.splitlines()
    assert engine.startswith("engine: ") and counts == "9000 records: 9000 answered, 0 rejected"
