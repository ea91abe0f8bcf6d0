"""Which engine answers a log: the one that was asked for, or the one that suits the log; and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from dtables.runs.engines import EngineName
from dtables.runs.logs import Manner, Way
from dtables.runs.sources import Log


@dataclass(frozen=True, slots=True)
class Choice:
    """`words` tell what was chosen and why; None where it was asked for."""

    way: Way
    words: str | None


def choose(engine: EngineName, log: Log, processes: int | None, master: str | None) -> Choice:
    match engine:
        case EngineName.PYTHON:
            return Choice(Manner(processes), None)
        case EngineName.SPARK:
            from dtables.runs.spark import OnSpark

            return Choice(OnSpark(master), None)
        case EngineName.AUTO:
            return _chosen(log, Manner(processes))
        case other:
            assert_never(other)


def _chosen(log: Log, manner: Manner) -> Choice:
    count = manner.processes_for(log)
    processes = "1 process" if count == 1 else f"{count} processes"
    reason = "its records are read one by one" if log.typed else "JSON Lines are read record by record"
    return Choice(manner, f"engine: python on {processes} ({reason})")
