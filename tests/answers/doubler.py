"""An engine for tests of how logs are gone through: it answers `double` with twice `n`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from dtables.answers.columns import Kind
from dtables.merging import Reply
from dtables.records.findings import Finding, RecordError, RuleError


@dataclass(frozen=True)
class Doubler:
    """Minds a missing `n`, fails on 13; takes `pause` seconds for each answer."""

    pause: float = 0.0
    main_ask = "double"
    quick = None
    kinds = MappingProxyType[str, Kind]({"result": "whole"})

    def answer_fields(self, ask: str) -> tuple[str, ...] | None:
        return ("result",) if ask == "double" else None

    def reply(self, ask: str | None, state: object) -> Reply:
        time.sleep(self.pause)
        if ask != "double":
            raise RecordError([Finding("ask", str(ask), "double")])
        if not isinstance(state, dict) or "n" not in state:
            raise RecordError([Finding("state.n", "nothing", "number"), Finding("state.m", "1", "2")])
        if state["n"] == 13:
            raise RuleError("two rows fire", None, "double")
        return Reply({"result": state["n"] * 2})

    def misplayed(self, ask: str, played: Mapping[str, object]) -> tuple[Finding, ...]:
        del ask, played
        return ()

    def reasons(self, ask: str, state: object) -> tuple[str, ...]:
        del ask, state
        return ()


def write_log(path: Path, turns: int) -> Path:
    """Every 7th record lacks its `n`, every 50th repeats turn 3, blank lines stand between."""
    lines = []
    for turn in range(turns):
        state = "{}" if turn % 7 == 0 else f'{{"n": {turn}}}'
        number = 3 if turn % 50 == 49 else turn
        lines.append(f'{{"turn": {number}, "state": {state}}}' + ("\n" if turn % 11 == 0 else ""))
    path.write_text("\n".join(lines))
    return path
