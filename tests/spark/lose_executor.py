"""A run on two executors, one of which is killed: `python -m tests.spark.lose_executor BOOK LOG OUT`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from dtables.answers.engines import compiled_engine
from dtables.answers.run import answer_into
from dtables.logs.files import find_log
from dtables.ruleset import load
from dtables.spark.logs import OnSpark

EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"
AFTER = 30
"""By then shares wait on the disks of both, and others have not begun."""


def executors() -> Iterator[int]:
    """Those of this session."""
    listed = subprocess.run(["ps", "-axww", "-o", "pid=,args="], capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        number, *words = line.split()
        if EXECUTOR in words and os.getsid(int(number)) == os.getsid(0):
            yield int(number)


class Killer:
    def __init__(self) -> None:
        self.killed: list[int] = []

    def __call__(self, records: int, _bytes: int) -> None:
        if records > AFTER and not self.killed:
            both = list(executors())
            assert len(both) == 2, both
            self.killed = both[:1]
            os.kill(both[0], signal.SIGKILL)


if __name__ == "__main__":
    book, log, out = sys.argv[1:]
    rules, killer = load(book), Killer()
    spark = OnSpark("local-cluster[2,1,1024]", share=4_000, chunk=1_000, wave=4)
    engine = compiled_engine(rules.model, rules.source)
    counts = answer_into(engine, find_log(log), Path(out), manner=spark, watch=killer)
    sys.stdout.write(f"{counts}; killed: {len(killer.killed)}\n")
