"""How rules fail, and what is wrong with a record: not yet in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from dtables.provenance import Location

MOST_FINDINGS = 20


class Wrong(Enum):
    MISSING = "missing"
    EMPTY = "empty"
    NO_OPTION = "no option"
    BROKEN = "broken check"


@dataclass(frozen=True, slots=True)
class Finding:
    """`told` is what the words for it are made of."""

    wrong: Wrong
    path: str
    told: tuple[Any, ...]
    where: Location


class Findings:
    """The first ones in the record's order, and how many `more` there are."""

    def __init__(self) -> None:
        self.kept: list[Finding] = []
        self.more = 0

    def add(self, *found: Finding) -> None:
        for finding in found:
            if len(self.kept) < MOST_FINDINGS:
                self.kept.append(finding)
            else:
                self.more += 1

    def add_elsewhere(self, finding: Finding) -> None:
        """Not where something is found already."""
        if all(kept.path != finding.path for kept in self.kept):
            self.add(finding)

    def take(self, rejected: Rejected) -> None:
        self.add(*rejected.findings)
        self.more += rejected.more

    def refuse(self) -> None:
        if self.kept:
            raise Rejected(self.kept, self.more)


class Rejected(Exception):
    """A record that cannot be answered."""

    def __init__(self, findings: Iterable[Finding], more: int = 0) -> None:
        super().__init__()
        self.findings, self.more = tuple(findings), more


class Failed(Exception):
    """The rules fail on a sound record. `where` is the cell, `table` the table it stands in."""

    def __init__(self, message: str, where: Location | None, table: str | None = None) -> None:
        super().__init__(message)
        self.message, self.where, self.table = message, where, table


def missing(path: str, wanted: str, where: Location) -> Finding:
    return Finding(Wrong.MISSING, path, (wanted,), where)
