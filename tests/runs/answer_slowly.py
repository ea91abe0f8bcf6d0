"""A run that a test kills: `python -m tests.runs.answer_slowly LOG OUT PROCESSES`."""

from __future__ import annotations

import sys
from pathlib import Path

from dtables.runs.logs import Manner, answer_into
from dtables.runs.parts import Start
from dtables.runs.sources import find_log
from tests.runs.doubler import Doubler

if __name__ == "__main__":
    log, out, processes = sys.argv[1:]
    manner = Manner(int(processes), chunk=2_000, chunks_per_note=2)
    answer_into(Doubler(pause=0.0003), find_log(log), Path(out), Start.CONTINUED, manner)
