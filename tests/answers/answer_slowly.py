"""A run that a test kills: `python -m tests.answers.answer_slowly LOG OUT PROCESSES`."""

from __future__ import annotations

import sys
from pathlib import Path

from dtables.answers.parts import RunStart
from dtables.answers.run import OnCores, answer_into
from dtables.logs.files import find_log
from tests.answers.doubler import Doubler

if __name__ == "__main__":
    log, out, processes = sys.argv[1:]
    manner = OnCores(int(processes), chunk=2_000, chunks_per_note=2)
    answer_into(Doubler(pause=0.0003), find_log(log), Path(out), RunStart.CONTINUED, manner)
